#include "mat.h"

mat mat_new(arena *a, int rows, int cols)
{
    return (mat){rows, cols, NEW(a, real, (size_t)rows * (size_t)cols)};
}

mat mat_raw(arena *a, int rows, int cols)
{
    return (mat){rows, cols, NEW_RAW(a, real, (size_t)rows * (size_t)cols)};
}
