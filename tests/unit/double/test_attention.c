/* The same test in double precision. */
#include "../test_attention.c" /* NOLINT(bugprone-suspicious-include) */
