# The experiments are text, bench/NAME.tsv: whatever lies there is an experiment, no list names them.
# bench/bench_NAME: a link to jcb, which runs the experiment that it is called by. A build outside of the source tree links
# the texts, too.
experiments = $(wildcard $(srcdir)/bench/*.tsv)
experiment_links = $(experiments:$(srcdir)/bench/%.tsv=bench/bench_%)
noinst_DATA = $(experiment_links)
CLEANFILES += $(experiment_links)
$(experiment_links): src/jcb$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) bench && ln -sf ../src/jcb$(EXEEXT) $@ && name=$(@:bench/bench_%=%).tsv && \
	{ test -e bench/$$name || ln -sf "$(abs_srcdir)/bench/$$name" bench/$$name; }
experimentsdir = $(pkgdatadir)/bench
dist_experiments_DATA = $(experiments)

# Measurements of the machine, not of the paper: `make kernels`.
MEASURES = bench/kernels/bench_kernels bench/kernels/bench_growth
bench_kernels_bench_growth_SOURCES = \
	bench/kernels/bench_growth.c \
	bench/kernels/growth.h \
	bench/kernels/growth_batches.c \
	bench/kernels/kernels.h \
	bench/kernels/kernels_check.c \
	bench/kernels/synthetic.c \
	bench/kernels/synthetic.h
bench_kernels_bench_kernels_SOURCES = \
	bench/kernels/bench_kernels.c \
	bench/kernels/kernels.h \
	bench/kernels/kernels_attention.c \
	bench/kernels/kernels_check.c \
	bench/kernels/kernels_epoch.c \
	bench/kernels/kernels_input.c \
	bench/kernels/kernels_mkl.c \
	bench/kernels/kernels_model.c \
	bench/kernels/kernels_products.c \
	bench/kernels/kernels_result.c \
	bench/kernels/kernels_rows.c \
	bench/kernels/synthetic.c \
	bench/kernels/synthetic.h
