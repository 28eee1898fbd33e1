# In the order in which `jcb list` names them.
backbone_sources = \
	src/net/backbone/gcn.c \
	src/net/backbone/mlp.c \
	src/net/backbone/sage.c \
	src/net/backbone/gat.c \
	src/net/backbone/chebnet.c \
	src/net/backbone/gcnii.c \
	src/net/backbone/sign.c \
	src/net/backbone/appnp.c \
	src/net/backbone/crf_gcn.c

loss_sources = \
	src/net/loss/ce.c \
	src/net/loss/joint.c \
	src/net/loss/incontext.c \
	src/net/loss/mixup.c \
	src/net/loss/label_smooth.c \
	src/net/loss/cluster_smooth.c \
	src/net/loss/posterior.c \
	src/net/loss/factorised.c \
	src/net/loss/trainable.c

jcb_sources += \
	$(backbone_sources) $(loss_sources) \
	src/net/backbone.c \
	src/net/backbone.h \
	src/net/batch.c \
	src/net/batch.h \
	src/net/buffers.c \
	src/net/buffers.h \
	src/net/clusters.c \
	src/net/clusters.h \
	src/net/loss/bce.c \
	src/net/loss/joint.h \
	src/net/loss/joint_pairs.c \
	src/net/loss/loss.c \
	src/net/loss/loss.h \
	src/net/loss/soft.c \
	src/net/loss/soft.h \
	src/net/op_attention.c \
	src/net/op_crf.c \
	src/net/op_features.c \
	src/net/op_norm.c \
	src/net/op_rows.c \
	src/net/op_stored.c \
	src/net/ops.c \
	src/net/ops.h \
	src/net/profile.c \
	src/net/profile.h \
	src/net/program.c \
	src/net/program.h \
	src/net/share.c \
	src/net/share.h \
	src/net/spec.c \
	src/net/spec.h \
	src/net/workspace.c \
	src/net/workspace.h

# The backbones, losses and methods that there are: every `const backbone backbone_NAME = ` in these files.
registered = $(backbone_sources) $(loss_sources) $(method_sources)
BUILT_SOURCES += src/net/registry.h
CLEANFILES += src/net/registry.h
src/net/registry.h: $(registered) src/net/local.mk src/train/local.mk
	$(AM_V_GEN)$(MKDIR_P) src/net; for kind in backbone objective method; do \
		printf '#define %sS(X)' `echo $$kind | tr a-z A-Z`; \
		(cd $(srcdir) && sed -n "s/^const $$kind $${kind}_\([a-z0-9_]*\) = .*/ X(\1)/p" $(registered)) | tr -d '\n'; echo; done >$@.new && \
		{ cmp -s $@.new $@ && rm -f $@.new || mv $@.new $@; }
src/net/backbone.$(OBJEXT) src/net/loss/loss.$(OBJEXT) src/train/method/method.$(OBJEXT): src/net/registry.h
