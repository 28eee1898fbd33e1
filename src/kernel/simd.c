#include "simd.h"

#if defined(__x86_64__) && (defined(HAVE_CLONES) || defined(__FMA__))
#define FUSED 1
#else
#define FUSED 0
#endif

#if defined(JCB_ONE_CPU) && !defined(__AVX512F__) /* configure --with-cpu: not beyond AVX2 */
int simd_short = 1;
#else
int simd_short;
#endif

/* Compiled with fused multiply-add throughout, not only in the hot loops: the bits are others. */
#ifdef __FMA__
#define THROUGHOUT "-all"
#else
#define THROUGHOUT ""
#endif

const char *simd_name(void)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (simd_512())
        return "x86-64-v4" THROUGHOUT;
    if (FUSED && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return "x86-64-v3" THROUGHOUT;
    return "x86-64";
#else
    return "generic";
#endif
}

int simd_512(void)
{
#ifdef __x86_64__
    return FUSED && !simd_short && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
#else
    return 0;
#endif
}
