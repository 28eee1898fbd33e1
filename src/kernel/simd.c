#include "simd.h"
#include <stdio.h>
#include <stdlib.h>

#if defined(JCB_ONE_CPU) && !defined(__AVX512F__) /* configure --with-cpu: not beyond AVX2 */
int simd_short = 1;
#else
int simd_short;
#endif

#ifdef __x86_64__
static int has_v3(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
}

#if defined(NEEDS_V3) || defined(__AVX2__)
static __attribute__((constructor)) void check_cpu(void)
{
    if (has_v3())
        return;
    fputs("this build needs a CPU with AVX2 and FMA; ./configure --with-cpu=x86-64 makes one that does not\n", stderr);
    _Exit(EXIT_FAILURE);
}
#endif
#endif

const char *simd_name(void)
{
#if defined(JCB_ONE_CPU) && defined(__x86_64__) && !defined(__AVX2__)
    return "x86-64-v1";
#elif defined(__x86_64__)
    return simd_512() ? "x86-64-v4" : has_v3() ? "x86-64-v3" : "x86-64-v1";
#elif defined(__aarch64__)
    return "arm64";
#else
    return "other";
#endif
}

int simd_512(void)
{
#ifdef HAVE_512
    __builtin_cpu_init();
    return !simd_short && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
#else
    return 0;
#endif
}
