#include "products.h"
const kind command_kinds[] = {{0}};
