jcb_sources += \
	src/loss/bce.c \
	src/loss/ce.c \
	src/loss/cluster_smooth.c \
	src/loss/factorised.c \
	src/loss/incontext.c \
	src/loss/joint.c \
	src/loss/joint.h \
	src/loss/joint_pairs.c \
	src/loss/label_smooth.c \
	src/loss/loss.c \
	src/loss/loss.h \
	src/loss/mixup.c \
	src/loss/posterior.c \
	src/loss/soft.c \
	src/loss/soft.h \
	src/loss/trainable.c
