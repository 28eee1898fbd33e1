/* record_io: the system calls under record.c. Functions return 0 or an errno, unless said otherwise. */
#ifndef JCB_RECORD_IO_H
#define JCB_RECORD_IO_H

#include <stddef.h>
#include <sys/types.h>

/* The exclusive flock() of an open file; on a file system without locks, nothing. */
void record_io_lock(int fd);

/* Opens path for reading and appending, creating it if needed, and locks it; retries if another process replaces the
 * file meanwhile. Returns the descriptor; dies on failure. */
int record_io_open(const char *path);

/* Appends n bytes (file_put), and waits for the disk. */
int record_io_append(int fd, const char *s, size_t n);

/* Gives the file a second name, NAME.old-N.tsv, with the first N that is free; `to` is that name. */
int record_io_keep(const char *path, char to[4096]);

/* Renames a file that does not hold records to NAME.old-N.tsv, with a warning. */
int record_io_move_aside(const char *path);

#endif
