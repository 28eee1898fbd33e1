jcb_sources += \
	src/method/correct_smooth.c \
	src/method/ensemble.c \
	src/method/method.c \
	src/method/method.h \
	src/method/network.c \
	src/method/pool.c \
	src/method/pool.h
