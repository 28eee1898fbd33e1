jcb_sources += \
	src/paper/calibration_table.c \
	src/paper/calibration_table.h \
	src/paper/cells.c \
	src/paper/claims.c \
	src/paper/claims.h \
	src/paper/contrasts.c \
	src/paper/figure.c \
	src/paper/figure.h \
	src/paper/figure_calibration.c \
	src/paper/figure_cells.c \
	src/paper/figure_curves.c \
	src/paper/figure_defs.c \
	src/paper/figure_gains.c \
	src/paper/figure_overall.c \
	src/paper/figure_parts.h \
	src/paper/paper.c \
	src/paper/paper.h \
	src/paper/partitions.c \
	src/paper/partitions.h \
	src/paper/render.c \
	src/paper/table.c \
	src/paper/table.h \
	src/paper/table_defs.c \
	src/paper/table_overall.c \
	src/paper/table_parts.h \
	src/paper/trends.c \
	src/paper/warnings.c
