src_jcb_SOURCES = \
	src/jcb.c \
	src/jcb.h \
	src/jcb_attack.c \
	src/jcb_bench.c \
	src/jcb_check.c \
	src/jcb_compare.c \
	src/jcb_data.c \
	src/jcb_figures.c \
	src/jcb_merge.c \
	src/jcb_report.c \
	src/jcb_predict.c \
	src/jcb_reproduce.c \
	src/jcb_train.c \
	src/jcb_tune.c
