/* CELL(s): the cell of a spec, for calls of train/ and method/. */
#ifndef JCB_CELL_OF_H
#define JCB_CELL_OF_H

#include "../../src/train/method/resolve.h"

#define CELL(s) ((cell[1]){resolve_cell(s, NULL, "-")})

#endif
