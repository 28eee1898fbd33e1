# Every file tests/unit/test_NAME.c and tests/system/NAME.sh is a test: no list names them, and a new one needs no autoreconf.
# The C tests are linked into one program, `tests/run NAME`; those of tests/unit/double, which compare with exact numbers,
# into tests/run_double, with the library in double precision. What a test needs is built before it, nothing else.
unit_tests = $(patsubst $(srcdir)/%,%,$(wildcard $(srcdir)/tests/unit/test_*.c)) tests/system/products.c
double_tests = $(patsubst $(srcdir)/%,%,$(wildcard $(srcdir)/tests/unit/double/test_*.c))
system_tests = $(patsubst $(srcdir)/%,%,$(wildcard $(srcdir)/tests/system/*.sh))
# The longest first, so that none of them is left to one processor at the end.
long_tests = tests/unit/test_train.c tests/system/reproduce.sh tests/system/accuracy.sh tests/unit/test_nmf.c tests/system/kill.sh tests/system/attack.sh
all_tests = $(long_tests) $(filter-out $(long_tests),$(system_tests) $(unit_tests) $(double_tests))
TESTS = @all_tests@
TEST_EXTENSIONS = .c .sh
C_LOG_COMPILER = tests/run
$(double_tests:.c=.log): C_LOG_COMPILER = tests/run_double
$(unit_tests:.c=.log): tests/run
$(double_tests:.c=.log): tests/run_double
tests/system/reference.log: reference/jc tests/run_double
tests/system/replay.log: tests/fuzz
tests/system/fail_nth.log tests/system/limits.log: tests/fail_nth.so

# Objects are in tests/obj, those in double precision in tests/obj/double. --wrap: tests that come between two functions
# (test_power, test_record_writers: system calls; test_clusters); while they do not run, nothing changes.
tests/obj/%.o: %.c
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(COMPILE) -MMD -MP -c -o $@ $<
tests/obj/double/%.o: %.c
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(COMPILE) -DJCB_DOUBLE -MMD -MP -c -o $@ $<
-include $(wildcard tests/obj/*/*/*.d tests/obj/*/*/*/*.d tests/obj/*/*/*/*/*.d)
synth_sources = tests/unit/synth_own.c tests/unit/synth_pickle.c tests/unit/synth_raw.c tests/unit/synth_sets.c
products_sources = $(patsubst $(srcdir)/%,%,$(wildcard $(srcdir)/tests/system/products_*.c))
run_sources = tests/unit/runner.c tests/unit/meta_ref.c $(unit_tests) $(products_sources) $(synth_sources)
wrapped = clusters_forward clusters_new fstat open write fdatasync fsync rename link unlink
tests/run: $(run_sources:%.c=tests/obj/%.o) libjcb.a
	$(AM_V_CCLD)$(LINK) $(wrapped:%=-Wl,--wrap=%) $^ $(JCB_LIBS) $(LIBS)
# Of the loaders only that of plain text, and no reports.
double_sources = $(filter %.c,$(jcb_sources)) tests/unit/plain_only.c
tests/obj/double/libjcb.a: $(double_sources:%.c=tests/obj/double/%.o)
	$(AM_V_AR)rm -f $@ && $(AR) cr $@ $^ && $(RANLIB) $@
tests/run_double: tests/obj/double/tests/unit/runner.o tests/obj/double/tests/unit/meta_ref.o $(double_tests:%.c=tests/obj/double/%.o) tests/obj/double/libjcb.a
	$(AM_V_CCLD)$(LINK) $^ $(JCB_LIBS) $(LIBS)
# fuzz_llvm: with clang and -fsanitize=fuzzer (tests/tools/variant.sh).
fuzz_sources = tests/unit/fuzz.c $(synth_sources)
tests/fuzz: tests/obj/tests/unit/fuzz_main.o $(fuzz_sources:%.c=tests/obj/%.o) libjcb.a
	$(AM_V_CCLD)$(LINK) -Wl,--wrap=exit $^ $(JCB_LIBS) $(LIBS)
tests/fuzz_llvm: tests/obj/tests/unit/fuzz_llvm.o $(fuzz_sources:%.c=tests/obj/%.o) libjcb.a
	$(AM_V_CCLD)$(LINK) -Wl,--wrap=exit -fsanitize=fuzzer $^ $(JCB_LIBS) $(LIBS)
tests/fail_nth.so: tests/tools/fail_nth.c
	$(AM_V_CCLD)$(MKDIR_P) tests && $(CC) -std=gnu11 -O1 -Wall -Wextra -shared -fPIC -o $@ $< -ldl
EXTRA_PROGRAMS = reference/jc
reference_jc_SOURCES = reference/jc.c reference/data.h
reference_jc_LDADD = -lm
CLEANFILES += tests/run tests/run_double tests/fuzz tests/fuzz_llvm tests/fail_nth.so reference/jc
clean-local:
	rm -rf tests/obj

# Minutes: not part of `make check`.
.PHONY: check-long
check-long: all tests/fail_nth.so tests/run
	@$(AM_TESTS_ENVIRONMENT) KILLS=50 sh $(srcdir)/tests/system/kill.sh
	@$(AM_TESTS_ENVIRONMENT) FAULTS=all VERBOSE=1 sh $(srcdir)/tests/system/fail_nth.sh
	@$(AM_TESTS_ENVIRONMENT) tests/run products --seed 2 --count 5000
	@$(AM_TESTS_ENVIRONMENT) sh $(srcdir)/tests/tools/long.sh || test $$? -eq 77
# Builds of their own in build-NAME/: sanitizers, coverage, libFuzzer.
.PHONY: check-asan check-tsan coverage fuzz lint
lint:
	@srcdir='$(srcdir)' sh $(srcdir)/tests/tools/lint.sh
check-asan check-tsan: all
	@name=$@; srcdir='$(srcdir)' CC='$(CC)' sh $(srcdir)/tests/tools/variant.sh $${name#check-}
coverage: all
	@srcdir='$(srcdir)' CC='$(CC)' sh $(srcdir)/tests/tools/variant.sh coverage
fuzz: all
	@srcdir='$(srcdir)' TIME='$(TIME)' sh $(srcdir)/tests/tools/variant.sh fuzz

EXTRA_DIST += tests/README.md tests/fixtures tests/tools \
	$(wildcard $(srcdir)/tests/unit/*.[ch] $(srcdir)/tests/unit/double/*.c $(srcdir)/tests/system/*.[ch] $(srcdir)/tests/system/*.sh)
