/* fuzz_llvm: a target of fuzz.h for libFuzzer, the one that FUZZ_TARGET names. tests/tools/variant.sh builds and runs
 * it. */
#include "../../src/base/err.h"
#include "fuzz.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);
static int chosen = -1;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *name = getenv("FUZZ_TARGET");
    (void)argc, (void)argv;
    fuzz_start();
    for (int k = 0; k < fuzz_targets(); k++)
        if (name && !strcmp(fuzz_name(k), name))
            chosen = k;
    if (chosen < 0)
        die("FUZZ_TARGET names no target of fuzz.c");
    atexit(fuzz_end);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
    fuzz_try(chosen, p, n);
    if (fuzz_failures())
        abort();
    return 0;
}
