/* signals: after SIGINT or SIGTERM no further work is started, and what is running is finished. */
#ifndef JCB_SIGNALS_H
#define JCB_SIGNALS_H

/* Installs the handlers: the first signal is noted, a second one ends the program at once. */
void signals_catch(void);

/* The signal that arrived, 0: none. To be asked before each piece of work is started. A program that left work undone
 * for it exits with 128 + the signal, as shells report it. */
int signals_stopped(void);

#endif
