# The experiments are text, bench/NAME.tsv: whatever lies there is an experiment, no list names them. libbench.a reads and runs them.
libbench_a_SOURCES = \
	bench/bench.c \
	bench/bench.h \
	bench/bench_cells.c \
	bench/bench_main.c \
	bench/bench_row.h \
	bench/choice.c \
	bench/choice.h \
	bench/kind.h \
	bench/kind/changed_links.c \
	bench/kind/counts.c \
	bench/kind/kinds.c \
	bench/kind/loss_gap.c \
	bench/kind/reliability.c \
	bench/kind/time_memory.c \
	bench/kind/training.c \
	bench/kind/tsne.c \
	bench/measure.c \
	bench/measure.h \
	bench/product.c \
	bench/product.h \
	bench/queue.c \
	bench/queue.h \
	bench/queue_work.c \
	bench/recall.c \
	bench/scheduler.c \
	bench/scheduler.h \
	bench/select.c \
	bench/select.h \
	bench/status_line.c \
	bench/status_line.h \
	bench/transport.h \
	bench/transport_local.c \
	bench/transport_mpi.c \
	bench/verdicts.c \
	bench/verdicts.h

# bench/bench_NAME: a link to jcb, which runs the experiment that it is called by. A build outside of the source tree links
# the texts, too.
experiments = $(wildcard $(srcdir)/bench/*.tsv)
experiment_links = $(experiments:$(srcdir)/bench/%.tsv=bench/bench_%)
noinst_DATA = $(experiment_links)
CLEANFILES += $(experiment_links)
$(experiment_links): src/jcb$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) bench && ln -sf ../src/jcb$(EXEEXT) $@ && name=$(@:bench/bench_%=%).tsv && \
	{ test -e bench/$$name || ln -sf $(abs_srcdir)/bench/$$name bench/$$name; }
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
	bench/kernels/kernels_dense.c \
	bench/kernels/kernels_epoch.c \
	bench/kernels/kernels_input.c \
	bench/kernels/kernels_mkl.c \
	bench/kernels/kernels_model.c \
	bench/kernels/kernels_result.c \
	bench/kernels/kernels_sparse.c \
	bench/kernels/synthetic.c \
	bench/kernels/synthetic.h
