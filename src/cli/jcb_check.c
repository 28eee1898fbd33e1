/* jcb check */
#include "../base/file.h"
#include "../base/opt.h"
#include "../base/places.h"
#include "jcb.h"
#include "../run/check.h"
#include <stdio.h>
#include <stdlib.h>

int jcb_check(int argc, char **argv)
{
    const char *reference = NULL, *make = NULL;
    const opt table[] = {
        {"reference", OPT_TEXT, &reference, "FILE", "runs with known parameter hashes (default: data/reference.tsv)",
         NULL, 0, 0},
        {"make-reference", OPT_TEXT, &make, "FILE", "write such a file from these records instead", NULL, 0, 0},
        {0},
    };
    int n =
        opt_parse(argc, argv, table,
                  "jcb check DIR [option ...]\nChecks records of this or another machine. DIR: a results directory "
                  "or its records.",
                  "VALID           no row is damaged, every key is right, no run contradicts another, no cell mixes "
                  "data, partitions or hyper-parameters\n"
                  "SAME BITS       valid, and all runs in the reference have its parameters, bit for bit\n"
                  "DIFFERENT BITS  valid, but parameters differ\n"
                  "INVALID         none of these; exit code 1\n"
                  "Missing and failed runs, remains of interrupted writes and rows of other results versions are "
                  "listed but do not affect the verdict.\n");
    if (n != 1)
        opt_wrong("which directory?");
    arena a = {0};
    buf out = {.a = &a};
    const char *dir = jcb_records(&a, argv[1]);
    if (make) {
        check_reference(&out, dir);
        file_write(make, out.s, out.n);
        return EXIT_SUCCESS;
    }
    if (!reference)
        reference = places_find(&a, PLACE_REFERENCE);
    enum check_verdict v = check_records(&out, dir, reference);
    printf("%s%s\n", out.s, check_word[v]);
    arena_free(&a);
    return v == CHECK_INVALID ? EXIT_FAILURE : EXIT_SUCCESS;
}
