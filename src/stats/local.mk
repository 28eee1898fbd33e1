report_sources += \
	src/stats/anytime.c \
	src/stats/anytime.h \
	src/stats/components.c \
	src/stats/components.h \
	src/stats/overall.c \
	src/stats/overall.h \
	src/stats/stats.c \
	src/stats/stats.h
