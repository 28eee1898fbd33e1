method_sources = \
	src/train/method/network.c \
	src/train/method/correct_smooth.c \
	src/train/method/ensemble.c \
	src/train/method/crf_gcn.c \
	src/train/method/spn.c \
	src/train/method/cgnf.c \
	src/train/method/gmnn.c

jcb_sources += \
	$(method_sources) \
	src/train/blind.c \
	src/train/blind.h \
	src/train/blocks.c \
	src/train/blocks.h \
	src/train/calibration.c \
	src/train/calibration.h \
	src/train/cell.c \
	src/train/cell.h \
	src/train/features.c \
	src/train/features.h \
	src/train/grid.c \
	src/train/grid.h \
	src/train/hops.c \
	src/train/hops.h \
	src/train/inductive.c \
	src/train/inductive.h \
	src/train/maker.c \
	src/train/maker.h \
	src/train/method/belief.c \
	src/train/method/belief.h \
	src/train/method/cost_model.c \
	src/train/method/cost_model.h \
	src/train/method/gcn2.c \
	src/train/method/gcn2.h \
	src/train/method/method.c \
	src/train/method/method.h \
	src/train/method/resolve.c \
	src/train/method/resolve.h \
	src/train/method/spn.h \
	src/train/method/spn_head.c \
	src/train/method/spn_refine.c \
	src/train/metric.c \
	src/train/metric.h \
	src/train/node_set.h \
	src/train/predict.c \
	src/train/predict.h \
	src/train/problem.c \
	src/train/problem.h \
	src/train/problem_fields.h \
	src/train/sampler.c \
	src/train/sampler.h \
	src/train/saved.c \
	src/train/saved.h \
	src/train/smooth.c \
	src/train/smooth.h \
	src/train/trainer.c \
	src/train/trainer.h
