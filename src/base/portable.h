/* portable: functions of the C library whose last bits its version and the CPU decide, in plain double arithmetic: the
 * same bits everywhere. Within 1 ulp (cos, sin 1.5, log1p, tanh 3, expm1 4). What training, attacks and data
 * depend on calls these; statistics of results may call the library's. */
#ifndef JCB_PORTABLE_H
#define JCB_PORTABLE_H

double portable_exp(double x);
double portable_expm1(double x);
double portable_log(double x);   /* of 0: -infinity; of less: not a number */
double portable_log1p(double x); /* x >= 0 */
double portable_cos(double x);   /* |x| <= 100 */
double portable_sin(double x);   /* |x| <= 100 */
double portable_tanh(double x);
double portable_power(double x, long n); /* 0 < x <= 1, n >= 0 */

#endif
