// Distances from triangles; tests/plain/geometry/facets.py says the same in NumPy.

#include "geometry/facets.h"
#include "declared.h"

// Facets.squared.
SEEN int32_t artfish_facets_squared(const FacetsSquaredCall *call, int64_t begin, int64_t end) {
    TAKE_FACETS_SQUARED(call);
    const Field field = {.facets = facets, .table = table};
    for (int64_t i = begin; i < end; i++) found[i] = squared(&field, points + 3 * i, rows[i]);
    return 0;
}
