#include "products.h"
const kind effect_kinds[] = {{0}};
