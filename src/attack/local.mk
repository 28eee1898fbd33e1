jcb_sources += \
	src/attack/bcd.c \
	src/attack/block.c \
	src/attack/block.h \
	src/attack/features.c \
	src/attack/features.h \
	src/attack/hops.c \
	src/attack/hops.h \
	src/attack/inner.c \
	src/attack/inner.h \
	src/attack/meta.c \
	src/attack/meta.h \
	src/attack/methods.c \
	src/attack/relaxed.c \
	src/attack/relaxed.h \
	src/attack/score.c \
	src/attack/score.h \
	src/attack/surrogate.c \
	src/attack/surrogate.h
