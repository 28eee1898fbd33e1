report_sources += \
	src/cli/bench_main.c

src_jcb_SOURCES = \
	src/cli/asked.h \
	src/cli/compare_runs.c \
	src/cli/compare_search.c \
	src/cli/jcb.c \
	src/cli/jcb.h \
	src/cli/jcb_attack.c \
	src/cli/jcb_bench.c \
	src/cli/jcb_check.c \
	src/cli/jcb_compare.c \
	src/cli/jcb_data.c \
	src/cli/jcb_diff.c \
	src/cli/jcb_figures.c \
	src/cli/jcb_merge.c \
	src/cli/jcb_predict.c \
	src/cli/outputs.c \
	src/cli/jcb_report.c \
	src/cli/jcb_reproduce.c \
	src/cli/jcb_train.c \
	src/cli/jcb_tune.c \
	src/cli/watch.c \
	src/cli/watch.h
