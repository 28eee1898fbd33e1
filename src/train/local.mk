jcb_sources += \
	src/train/blind.c \
	src/train/blind.h \
	src/train/blocks.c \
	src/train/blocks.h \
	src/train/calibration.c \
	src/train/calibration.h \
	src/train/grid.c \
	src/train/grid.h \
	src/train/metric.c \
	src/train/metric.h \
	src/train/predict.c \
	src/train/predict.h \
	src/train/problem.c \
	src/train/problem.h \
	src/train/sampler.c \
	src/train/sampler.h \
	src/train/saved.c \
	src/train/saved.h \
	src/train/smooth.c \
	src/train/smooth.h \
	src/train/trainer.c \
	src/train/trainer.h \
	src/train/workers.c \
	src/train/workers.h
