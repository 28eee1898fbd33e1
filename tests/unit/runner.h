/* runner: TEST_MAIN(NAME) { ... } is the main() of the test in NAME.c. All of them are linked into one program, of
 * which `tests/run NAME` runs one, in a process of its own; it ends with what TEST_MAIN returns: 0 passed, 1 failed, 77
 * skipped. argv[0] is NAME, arguments follow. Everything else in the file is static. */
#ifndef JCB_RUNNER_H
#define JCB_RUNNER_H

typedef struct test_entry {
    const char *name;
    int (*run)(int argc, char **argv);
    struct test_entry *next;
} test_entry;

/* Called before main(), once for each test. */
void test_register(test_entry *e);

#define TEST_MAIN(test)                                            \
    static int test##_main(int argc, char **argv);                 \
    __attribute__((constructor)) static void test##_register(void) \
    {                                                              \
        static test_entry e = {.name = #test, .run = test##_main}; \
        test_register(&e);                                         \
    }                                                              \
    static int test##_main(__attribute__((unused)) int argc, __attribute__((unused)) char **argv)

#endif
