jcb_sources += \
	src/base/arena.c \
	src/base/arena.h \
	src/base/buf.c \
	src/base/buf.h \
	src/base/clock.c \
	src/base/clock.h \
	src/base/err.c \
	src/base/err.h \
	src/base/file.c \
	src/base/file.h \
	src/base/guess.c \
	src/base/guess.h \
	src/base/hash.c \
	src/base/hash.h \
	src/base/memory.c \
	src/base/memory.h \
	src/base/mt19937.c \
	src/base/mt19937.h \
	src/base/opt.c \
	src/base/opt.h \
	src/base/places.c \
	src/base/places.h \
	src/base/rng.c \
	src/base/rng.h \
	src/base/tsv.c \
	src/base/tsv.h
