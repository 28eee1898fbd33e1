/* page: a document as a whole HTML page without references to anything outside: style, script and pictures are in it.
 */
#ifndef JCB_PAGE_H
#define JCB_PAGE_H

#include "doc.h"
#include <time.h>

/* Contents are the headings of the document that have a name and its figures of level 0. written: the page belongs to
 * work that goes on and loads itself again (report.js); 0: it is complete. */
void page_write(const char *path, const char *title, const doc *d, time_t written);

#endif
