/* err: one line for the user, and a way to survive it.
 *
 * die() reports "program: message" and ends the program with exit code 1, unless the calling thread is
 * inside err_try(), which then returns the message. Code that may die therefore takes its memory from an
 * arena that the caller of err_try() owns, and holds no other resource while it can die. */
#ifndef JCB_ERR_H
#define JCB_ERR_H

#define EXIT_USAGE 2
#define EXIT_SKIP 77

extern const char *err_program; /* the name in front of every message */

/* At the start of main: the name, which must live as long as the program. From now on output that cannot be written to
 * stdout ends the program with a message and exit code 1, and a file beyond `ulimit -f` is an error of write() instead
 * of a signal. */
void err_start(const char *program);

_Noreturn void die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Runs fn(arg). Returns NULL, or the message of the die() that ended it (valid until the thread's next one).
 * Not for use across an OpenMP region: a thread of a team that dies ends the program. */
const char *err_try(void (*fn)(void *), void *arg);
int err_is_memory(const char *why); /* it says "out of memory": trying something else would not help */

#endif
