C_TESTS = \
	tests/test_base \
	tests/test_kernels \
	tests/test_partition \
	tests/test_kmeans \
	tests/test_metric \
	tests/test_stats \
	tests/test_anytime \
	tests/test_contrasts \
	tests/test_overall \
	tests/test_record \
	tests/test_record_writers \
	tests/test_table \
	tests/test_report \
	tests/test_results \
	tests/test_claims \
	tests/test_definitions \
	tests/test_loaders \
	tests/test_raw \
	tests/test_data \
	tests/test_open \
	tests/test_train \
	tests/test_gradient \
	tests/test_appnp \
	tests/test_parity \
	tests/test_attention \
	tests/test_smooth \
	tests/test_tsne \
	tests/test_blind \
	tests/test_method \
	tests/test_belief \
	tests/test_attention_double \
	tests/test_clusters \
	tests/test_order \
	tests/test_components \
	tests/test_gains \
	tests/test_power \
	tests/test_leak \
	tests/test_nmf \
	tests/test_problem \
	tests/test_bench \
	tests/test_choice \
	tests/test_verdicts \
	tests/test_compare \
	tests/test_calibration \
	tests/test_calibration_table \
	tests/test_attack \
	tests/test_attack_double \
	tests/test_attack_methods \
	tests/test_variant \
	tests/test_trends \
	tests/test_select \
	tests/test_batch \
	tests/test_multi \
	tests/test_sampler \
	tests/test_blocks \
	tests/test_large \
	tests/products
SH_TESTS = \
	tests/layers.sh \
	tests/stale.sh \
	tests/dist.sh \
	tests/reference.sh \
	tests/cli.sh \
	tests/install.sh \
	tests/arrays.sh \
	tests/convert.sh \
	tests/faults.sh \
	tests/fail_nth.sh \
	tests/limits.sh \
	tests/replay.sh \
	tests/resume.sh \
	tests/kill.sh \
	tests/mpi.sh \
	tests/reproduce.sh \
	tests/attack.sh \
	tests/curves.sh \
	tests/tune.sh \
	tests/figures.sh \
	tests/golden.sh \
	tests/bench_kernels.sh \
	tests/accuracy.sh
# The library in double precision, for tests that compare with exact numbers: no reports, and of the loaders only that of
# plain text files.
check_LIBRARIES = libjcbd.a
libjcbd_a_SOURCES = $(jcb_sources) tests/plain_only.c
libjcbd_a_CPPFLAGS = $(AM_CPPFLAGS) -DJCB_DOUBLE
check_PROGRAMS = $(C_TESTS) tests/reference tests/fuzz
check_DATA = tests/fail_nth.so
CLEANFILES += $(check_DATA)
tests/fail_nth.so: tests/fail_nth.c
	$(AM_V_CCLD)$(CC) -std=gnu11 -O1 -Wall -Wextra -shared -fPIC -o $@ $(srcdir)/tests/fail_nth.c -ldl
TESTS = $(C_TESTS) $(SH_TESTS)
# Minutes: not part of `make check`.
.PHONY: check-long
check-long: all
	@$(AM_TESTS_ENVIRONMENT) KILLS=50 sh $(srcdir)/tests/kill.sh
	@$(MAKE) --no-print-directory tests/fail_nth.so && $(AM_TESTS_ENVIRONMENT) FAULTS=all VERBOSE=1 sh $(srcdir)/tests/fail_nth.sh
	@$(MAKE) --no-print-directory tests/products && $(AM_TESTS_ENVIRONMENT) tests/products --seed 2 --count 5000
	@$(AM_TESTS_ENVIRONMENT) sh $(srcdir)/tests/long.sh || test $$? -eq 77
# Builds of their own in build-NAME/: sanitizers, coverage, libFuzzer.
.PHONY: check-asan check-tsan coverage fuzz lint
lint:
	@srcdir='$(srcdir)' sh $(srcdir)/tests/lint.sh
check-asan check-tsan: all
	@name=$@; srcdir='$(srcdir)' CC='$(CC)' sh $(srcdir)/tests/variant.sh $${name#check-}
coverage: all
	@srcdir='$(srcdir)' CC='$(CC)' sh $(srcdir)/tests/variant.sh coverage
fuzz: all
	@srcdir='$(srcdir)' TIME='$(TIME)' sh $(srcdir)/tests/variant.sh fuzz
fuzz_sources = \
	tests/fuzz.c \
	tests/fuzz.h \
	tests/synth_own.c \
	tests/synth_pickle.c \
	tests/synth_raw.c \
	tests/synth_raw.h \
	tests/synth_sets.c
tests_fuzz_SOURCES = tests/fuzz_main.c $(fuzz_sources)
tests_fuzz_LDFLAGS = -Wl,--wrap=exit
# With clang and -fsanitize=fuzzer: tests/variant.sh
EXTRA_PROGRAMS = tests/fuzz_llvm
tests_fuzz_llvm_SOURCES = tests/fuzz_llvm.c $(fuzz_sources)
tests_fuzz_llvm_LDFLAGS = -Wl,--wrap=exit -fsanitize=fuzzer
tests_products_SOURCES = \
	tests/products.c \
	tests/products.h \
	tests/products_call.c \
	tests/products_commands.c \
	tests/products_draw.c \
	tests/products_effects.c \
	tests/products_graph.c \
	tests/products_oracles.c \
	tests/products_related.c \
	tests/products_train.c
noinst_HEADERS = \
	tests/test.h \
	tests/cell_of.h \
	tests/attack_toy.h \
	tests/toy.h \
	tests/made.h \
	tests/loader_edits.h \
	tests/partition_toy.h \
	tests/record_toy.h \
	tests/table_records.h \
	tests/wellformed.h
tests_test_loaders_SOURCES = \
	tests/test_loaders.c \
	tests/synth_own.c \
	tests/synth_pickle.c \
	tests/synth_raw.c \
	tests/synth_raw.h \
	tests/synth_sets.c
tests_test_belief_CPPFLAGS = $(AM_CPPFLAGS) -DJCB_DOUBLE
tests_test_belief_LDADD = libjcbd.a $(JCB_LIBS)
tests_test_attention_double_SOURCES = tests/test_attention.c
tests_test_attention_double_CPPFLAGS = $(AM_CPPFLAGS) -DJCB_DOUBLE
tests_test_attention_double_LDADD = libjcbd.a $(JCB_LIBS)
tests_test_record_writers_LDFLAGS = -Wl,--wrap=fstat
tests_test_power_LDFLAGS = -Wl,--wrap=open,--wrap=write,--wrap=fdatasync,--wrap=fsync,--wrap=rename,--wrap=link,--wrap=unlink
tests_test_batch_CPPFLAGS = $(AM_CPPFLAGS) -DJCB_DOUBLE
tests_test_batch_LDADD = libjcbd.a $(JCB_LIBS)
tests_test_multi_CPPFLAGS = $(AM_CPPFLAGS) -DJCB_DOUBLE
tests_test_multi_LDADD = libjcbd.a $(JCB_LIBS)
tests_test_sampler_CPPFLAGS = $(AM_CPPFLAGS) -DJCB_DOUBLE
tests_test_sampler_LDADD = libjcbd.a $(JCB_LIBS)
tests_test_attack_double_SOURCES = tests/test_attack.c
tests_test_attack_double_CPPFLAGS = $(AM_CPPFLAGS) -DJCB_DOUBLE
tests_test_attack_double_LDADD = libjcbd.a $(JCB_LIBS)
tests_test_clusters_LDFLAGS = -Wl,--wrap=clusters_forward,--wrap=clusters_new
tests_reference_SOURCES = tests/reference.c tests/reference_data.h
tests_reference_LDADD = -lm
tests_test_parity_CPPFLAGS = $(AM_CPPFLAGS) -DJCB_DOUBLE
tests_test_parity_LDADD = libjcbd.a $(JCB_LIBS)
tests_test_gradient_CPPFLAGS = $(AM_CPPFLAGS) -DJCB_DOUBLE
tests_test_gradient_LDADD = libjcbd.a $(JCB_LIBS)
tests_test_order_CPPFLAGS = $(AM_CPPFLAGS) -DJCB_DOUBLE
tests_test_order_LDADD = libjcbd.a $(JCB_LIBS)
tests_test_appnp_CPPFLAGS = $(AM_CPPFLAGS) -DJCB_DOUBLE
tests_test_appnp_LDADD = libjcbd.a $(JCB_LIBS)
