/* simd: one source, several instruction sets. CLONES compiles a function for plain x86-64, AVX2+FMA and AVX-512 and picks at
 * start-up, so that a default build runs on any x86-64 and is fast on most. Bits are the same at any thread count; they
 * may differ between instruction sets (the record names the one in use). CODE_512 is for loops written for 64-byte vectors: to be called where
 * simd_512 says so. */
#ifndef JCB_SIMD_H
#define JCB_SIMD_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(JCB_NATIVE)
#define CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define CLONES
#endif
#if defined(__x86_64__) && defined(__GNUC__)
#define HAVE_512
#define CODE_512 __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,fma")))
#else
#define CODE_512
#endif

#define INLINE static inline __attribute__((always_inline)) /* into a clone, compiled as that is */

const char *simd_name(void); /* "x86-64-v3", ... */
int simd_512(void);          /* 1: this CPU runs CODE_512 */
extern int simd_short;       /* 1: it does not, as far as simd_512 says; for tests */

#endif
