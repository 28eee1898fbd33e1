#include "simd.h"

const char *simd_name(void)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"))
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
    return __builtin_cpu_supports("x86-64-v4");
#else
    return 0;
#endif
}
