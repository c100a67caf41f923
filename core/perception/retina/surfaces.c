// Surfaces that fishes know by their range maps; tests/plain/perception/retina/surfaces.py says the same in NumPy.

#include "compiled/exact.h"
#include "declared.h"

// surfaces.cells: of each square of pixels the nearest range, infinite yet, its pixel and its kind, 0 yet.
SEEN int32_t artfish_cells(const CellsCall *call, int64_t begin, int64_t end) {
    TAKE_CELLS(call);
    const int64_t across = size / block, used = across * block;
    for (int64_t image = begin; image < end; image++) {
        const int32_t *identity = identities + image * size * size;
        const float *range = ranges + image * size * size;
        float *nearest = nearests + image * count;
        int32_t *pixel = pixels + image * count;
        uint8_t *kind = nearest_kinds + image * count;
        for (int64_t row = 0; row < used; row++) {
            for (int64_t column = 0; column < used; column++) {
                const int64_t at = size * row + column, cell = row / block * across + column / block;
                const uint8_t own = kinds[identity[at]];
                if (!own || !(range[at] < nearest[cell])) continue;
                nearest[cell] = range[at], pixel[cell] = (int32_t)at, kind[cell] = own;
            }
        }
    }
    return 0;
}

// surfaces.free_path: what lies between two places of surface is surface, too.
SEEN int32_t artfish_seen_path(const SeenPathCall *call, int64_t begin, int64_t end) {
    TAKE_SEEN_PATH(call);
    for (int64_t i = begin; i < end; i++) {
        const double *places = surfaces + 3 * i * count, *apart = gaps + i * count, margin = margins[i];
        const uint8_t *kinds = all_kinds + i * count;
        for (int64_t path = 0; path < paths; path++) {
            const double *start = starts + 3 * (i * begins + (begins > 1 ? path : 0));
            const double *way = ways + 3 * (i * headings + (headings > 1 ? path : 0));
            double nearest = INFINITY;
            for (int64_t k = 0; k < count; k++) {
                const double *place = places + 3 * k;
                const double arm[3] = {place[0] - start[0], place[1] - start[1], place[2] - start[2]};
                const double along = dot(arm, way), keep = margin > apart[k] ? margin : apart[k];
                const double left = keep * keep - (dot(arm, arm) - along * along);
                if (!(left > 0.0) || !(along > 0.0) || kinds[k] < least_kind) continue;
                const double far = along - sqrt(left), onward = far > 0.0 ? far : 0.0;
                nearest = onward < nearest ? onward : nearest;
            }
            free[i * paths + path] = nearest;
        }
    }
    return 0;
}

// surfaces.nearest: the square of the distance to it, infinite without any, and its row.
SEEN int32_t artfish_seen_nearest(const SeenNearestCall *call, int64_t begin, int64_t end) {
    TAKE_SEEN_NEAREST(call);
    for (int64_t i = begin; i < end; i++) {
        const double *places = surfaces + 3 * i * count;
        const uint8_t *kinds = all_kinds + i * count;
        for (int64_t p = i * many; p < (i + 1) * many; p++) {
            const double *point = points + 3 * p;
            double nearest = INFINITY;
            int64_t row = 0;
            for (int64_t k = 0; k < count; k++) {
                const double *place = places + 3 * k;
                const double arm[3] = {place[0] - point[0], place[1] - point[1], place[2] - point[2]};
                const double square = dot(arm, arm);
                if (!kinds[k] || kinds[k] > greatest_kind || !(square < nearest)) continue;
                nearest = square, row = k;
            }
            squares[p] = nearest, rows[p] = row;
        }
    }
    return 0;
}
