/* signals: SIGINT and SIGTERM let what is running come to its end. */
#ifndef JCB_SIGNALS_H
#define JCB_SIGNALS_H

/* From now on the first one is noted, and a second one ends the program at once. */
void signals_catch(void);

/* The signal that arrived, 0: none. Who starts work asks before each piece of it; a program that it kept from ending
 * its work exits with 128 + that, as a shell reports it. */
int signals_stopped(void);

#endif
