/* The same test in double precision. */
#include "../test_attack.c" /* NOLINT(bugprone-suspicious-include) */
