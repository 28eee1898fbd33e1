/* simd: code for several instruction sets, and what is rounded in it.
 *
 * CLONES compiles a function for baseline x86-64, AVX2 + FMA (x86-64-v3) and AVX-512 (x86-64-v4) and selects one at
 * start-up. Where the compiler cannot (clang, gcc 11, sanitizers), it is for x86-64-v3 alone, and programs say so at
 * their start on a CPU without; in a build for one CPU (configure --with-cpu), and on other architectures, it is
 * compiled as everything else is. CODE_512: functions written for 64-byte vectors, which may be called only where
 * simd_512() is 1.
 *
 * No choice changes a bit. The tree is compiled with -ffp-contract=off: a multiply-add rounds once where fused() or
 * FUSE is written and twice elsewhere. Both belong into CLONES, CODE_512 and INLINE functions that these call, where
 * they are one instruction; in code for baseline x86-64 they are calls of the C library, some ten times slower. */
#ifndef JCB_SIMD_H
#define JCB_SIMD_H

#ifdef __x86_64__
#include <immintrin.h>
#endif

#if !defined(__x86_64__) || !defined(__GNUC__) || defined(JCB_ONE_CPU)
#define CLONES
#elif defined(__clang__) || __GNUC__ < 12 || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CLONES __attribute__((target("arch=x86-64-v3")))
#define NEEDS_V3
#else
#define CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#define HAVE_CLONES
#endif
#if defined(__x86_64__) && defined(__GNUC__)
#define HAVE_512
#define CODE_512 __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,fma")))
#endif

#define INLINE static inline __attribute__((always_inline)) /* inlined into each clone, so compiled for its target */

/* a b + c, rounded once; of floats or of doubles. */
#define fused(a, b, c) _Generic((a) * (b) + (c), float : __builtin_fmaf, double : __builtin_fma)(a, b, c)

/* c += a b, rounded once: numbers; vectors of 32 bytes, a too; such c and b and a number a; the same of 64 bytes, in
 * CODE_512. gcc makes one instruction of a vector of fmaf(), but not of a loop over its elements. Loops over arrays of
 * vectors are UNROLLED, or the arrays would stay in memory. */
#define FUSE_ONE(c, a, b) ((c) = fused(a, b, c))
#ifdef JCB_DOUBLE
#define FUSE_32(c, a, b) FUSE_LOOP(c, (a)[lane], b)
#define FUSE_BY_32(c, a, b) FUSE_LOOP(c, a, b)
#define FUSE_BY_64 FUSE_BY_32
#define FUSE_LOOP(c, a, b)                                                 \
    do {                                                                   \
        for (int lane = 0; lane < (int)(sizeof(c) / sizeof(c)[0]); lane++) \
            (c)[lane] = fused(a, (b)[lane], (c)[lane]);                    \
    } while (0)
#else
typedef float fuse_vector __attribute__((vector_size(32)));
#define FUSE_32(c, a, b) FUSE_EIGHT(c, a, b, FUSE_LANE)
#define FUSE_BY_32(c, a, b) FUSE_EIGHT(c, a, b, FUSE_BY_LANE)
#define FUSE_LANE(q) __builtin_fmaf(fuse_a[q], fuse_b[q], fuse_c[q])
#define FUSE_BY_LANE(q) __builtin_fmaf(fuse_a, fuse_b[q], fuse_c[q])
#define FUSE_EIGHT(c, a, b, lane)                                                                    \
    do {                                                                                             \
        const __typeof__(a) fuse_a = (a);                                                            \
        const fuse_vector fuse_b = (b), fuse_c = (c);                                                \
        (c) = (fuse_vector){lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7)}; \
    } while (0)
#define FUSE_BY_64(c, a, b) ((c) = (__typeof__(c))_mm512_fmadd_ps(_mm512_set1_ps(a), (__m512)(b), (__m512)(c)))
#endif
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed" /* some loops have no constant length in some callers */
#define UNROLLED(...) _Pragma("clang loop unroll(full)") for (__VA_ARGS__)
#else
#define UNROLLED(...) _Pragma("GCC unroll 16") for (__VA_ARGS__)
#endif

const char *simd_name(void); /* the instruction set of the CPU, as far as the code makes use of it */
int simd_512(void);          /* 1: this CPU runs CODE_512 */
extern int simd_short;       /* for tests: 1 makes simd_512() return 0 */

#endif
