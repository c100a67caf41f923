// Distances from triangles: what core/geometry/facets.py defines and explains, compiled, with the same bits.

#include "geometry/facets.h"

// Facets.squared: the triangles' table (17, m), points (n, 3), triangles of them (n,); square of the distance (n,).
// Numbers: m.
SEEN int32_t artfish_facets_squared(void **arrays, const int64_t *numbers) {
    const Field field = {.facets = numbers[2], .table = arrays[0]};
    const double *points = arrays[1];
    const int64_t *rows = arrays[2];
    double *found = arrays[3];
    for (int64_t i = numbers[0]; i < numbers[1]; i++) found[i] = squared(&field, points + 3 * i, rows[i]);
    return 0;
}
