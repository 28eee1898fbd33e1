# The experiments of the paper: a file bench/bench_NAME.c and a line in bench/experiments.c each. The library contains them and the scheduler.
BENCHES = \
	bench/bench_datasets \
	bench/bench_balanced \
	bench/bench_imbalanced \
	bench/bench_heterophilic \
	bench/bench_incontext \
	bench/bench_mixup \
	bench/bench_backbones \
	bench/bench_correct_smooth \
	bench/bench_crf \
	bench/bench_label_scarcity \
	bench/bench_clustering \
	bench/bench_partitions \
	bench/bench_variance \
	bench/bench_explain \
	bench/bench_cluster_count \
	bench/bench_ece \
	bench/bench_loss_gap \
	bench/bench_depth \
	bench/bench_tsne \
	bench/bench_attack \
	bench/bench_random_attack \
	bench/bench_metattack \
	bench/bench_efficiency \
	bench/bench_large \
	bench/bench_batches \
	bench/bench_factorised
libbench_a_SOURCES = \
	$(BENCHES:=.c) \
	bench/attack_cells.h \
	bench/bench.c \
	bench/bench.h \
	bench/cells.h \
	bench/choice.c \
	bench/choice.h \
	bench/experiments.c \
	bench/experiments.h \
	bench/main_cells.h \
	bench/measure.c \
	bench/measure.h \
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
	bench/training.c \
	bench/transport.h \
	bench/transport_local.c \
	bench/transport_mpi.c \
	bench/verdicts.c \
	bench/verdicts.h

# Measurements of the machine, not of the paper: `make kernels`.
MEASURES = bench/bench_kernels bench/bench_growth
bench_bench_growth_SOURCES = \
	bench/bench_growth.c \
	bench/growth.h \
	bench/growth_batches.c \
	bench/kernels.h \
	bench/kernels_check.c \
	bench/synthetic.c \
	bench/synthetic.h
bench_bench_kernels_SOURCES = \
	bench/bench_kernels.c \
	bench/kernels.h \
	bench/kernels_attention.c \
	bench/kernels_check.c \
	bench/kernels_dense.c \
	bench/kernels_epoch.c \
	bench/kernels_input.c \
	bench/kernels_mkl.c \
	bench/kernels_model.c \
	bench/kernels_result.c \
	bench/kernels_sparse.c \
	bench/synthetic.c \
	bench/synthetic.h
