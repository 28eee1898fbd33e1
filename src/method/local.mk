jcb_sources += \
	src/method/belief.c \
	src/method/belief.h \
	src/method/cgnf.c \
	src/method/correct_smooth.c \
	src/method/cost_model.c \
	src/method/cost_model.h \
	src/method/crf_gcn.c \
	src/method/ensemble.c \
	src/method/gcn2.c \
	src/method/gcn2.h \
	src/method/gmnn.c \
	src/method/method.c \
	src/method/method.h \
	src/method/network.c \
	src/method/resolve.c \
	src/method/resolve.h \
	src/method/spn.c \
	src/method/spn.h \
	src/method/spn_head.c \
	src/method/spn_refine.c
