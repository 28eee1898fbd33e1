/* simd: run-time dispatch by instruction set. CLONES compiles a function for baseline x86-64, AVX2+FMA (x86-64-v3) and
 * AVX-512 (x86-64-v4) and selects one at start-up. Results may differ between baseline and the others (no fused
 * multiply-add); the record names the set in use. CODE_512: functions written for 64-byte vectors, which may be called
 * only where simd_512() is 1. Without CLONES (clang, sanitizers) all other code is what the compiler was told to make:
 * unless that has fused multiply-add (-march=x86-64-v3), CODE_512 is not used either, or one build would round in two
 * ways. In a build for one level (configure --with-cpu) our code uses no instructions beyond it. */
#ifndef JCB_SIMD_H
#define JCB_SIMD_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__) && !defined(JCB_ONE_CPU)
#define CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#define HAVE_CLONES
#else
#define CLONES
#endif
#if defined(__x86_64__) && defined(__GNUC__)
#define HAVE_512
#define CODE_512 __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,fma")))
#else
#define CODE_512
#endif

#define INLINE static inline __attribute__((always_inline)) /* inlined into each clone, so compiled for its target */

/* "x86-64-v3", ...; "x86-64-v3-all" where the whole program was compiled for it (configure --with-cpu), which gives
 * other bits than a choice at start-up. */
const char *simd_name(void);
int simd_512(void);    /* 1: this CPU runs CODE_512 */
extern int simd_short; /* for tests: 1 makes simd_512() return 0 */

#endif
