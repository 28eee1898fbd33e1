jcb_sources += \
	src/loss/bce.c \
	src/loss/ce.c \
	src/loss/incontext.c \
	src/loss/joint.c \
	src/loss/joint.h \
	src/loss/joint_pairs.c \
	src/loss/loss.c \
	src/loss/loss.h \
	src/loss/mixup.c
