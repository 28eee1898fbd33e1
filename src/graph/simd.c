#include "simd.h"

int simd_short;

const char *simd_name(void)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (simd_512())
        return "x86-64-v4";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return "x86-64-v3";
    return "x86-64";
#else
    return "generic";
#endif
}

int simd_512(void)
{
#ifdef __x86_64__
    return !simd_short && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
    return 0;
#endif
}
