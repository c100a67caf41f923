// What a fish knows of surfaces by its range map: core/perception/retina/surfaces.py, compiled.

#include "compiled/exact.h"

// surfaces.cells. Arrays: identities (images, pixels) int32, ranges (images, pixels) float, the kind of surface that each
// identity is, 0 for none, uint8; and to be filled, for each square of pixels, the nearest range (images, cells) float,
// infinite yet, its pixel (images, cells) int32 and its kind (images, cells) uint8, 0 yet. Numbers: the first image, the
// one after the last, pixels across an image, and across a cell.
SEEN int32_t artfish_cells(void **arrays, const int64_t *numbers) {
    const int64_t size = numbers[2], block = numbers[3], across = size / block;
    const uint8_t *kinds = arrays[2];
    for (int64_t image = numbers[0]; image < numbers[1]; image++) {
        const int32_t *identity = (const int32_t *)arrays[0] + image * size * size;
        const float *range = (const float *)arrays[1] + image * size * size;
        float *nearest = (float *)arrays[3] + image * across * across;
        int32_t *pixel = (int32_t *)arrays[4] + image * across * across;
        uint8_t *kind = (uint8_t *)arrays[5] + image * across * across;
        for (int64_t row = 0, at = 0; row < size; row++) {
            for (int64_t column = 0; column < size; column++, at++) {
                const uint8_t own = kinds[identity[at]];
                const int64_t cell = row / block * across + column / block;
                if (!own || !(range[at] < nearest[cell])) continue;
                nearest[cell] = range[at], pixel[cell] = (int32_t)at, kind[cell] = own;
            }
        }
    }
    return 0;
}

// surfaces.free_path. Arrays: starts (n, s, 3), ways (n, w, 3), places of surface (n, k, 3), how far they are apart (n, k),
// their kinds (n, k) uint8, distances to keep (n); free (n, c). Numbers: the first fish, the one after the last, s, w, c, k,
// the least kind that counts.
SEEN int32_t artfish_seen_path(void **arrays, const int64_t *numbers) {
    const int64_t starts = numbers[2], ways = numbers[3], paths = numbers[4], count = numbers[5], least_kind = numbers[6];
    for (int64_t i = numbers[0]; i < numbers[1]; i++) {
        const double *places = (const double *)arrays[2] + 3 * i * count, *apart = (const double *)arrays[3] + i * count;
        const uint8_t *kinds = (const uint8_t *)arrays[4] + i * count;
        const double margin = ((const double *)arrays[5])[i];
        for (int64_t path = 0; path < paths; path++) {
            const double *start = (const double *)arrays[0] + 3 * (i * starts + (starts > 1 ? path : 0));
            const double *way = (const double *)arrays[1] + 3 * (i * ways + (ways > 1 ? path : 0));
            double free = INFINITY;
            for (int64_t k = 0; k < count; k++) {
                const double arm[3] = {places[3 * k] - start[0], places[3 * k + 1] - start[1], places[3 * k + 2] - start[2]};
                const double along = dot(arm, way), keep = margin > apart[k] ? margin : apart[k];
                const double left = keep * keep - (dot(arm, arm) - along * along);
                if (!(left > 0.0) || !(along > 0.0) || kinds[k] < least_kind) continue;
                const double far = along - sqrt(left), onward = far > 0.0 ? far : 0.0;
                free = onward < free ? onward : free;
            }
            ((double *)arrays[6])[i * paths + path] = free;
        }
    }
    return 0;
}

// surfaces.nearest. Arrays: points (n, p, 3), places of surface (n, k, 3), their kinds (n, k) uint8; and to be filled the
// square of the distance to the nearest (n, p), infinite without any, and its row (n, p) int64. Numbers: the first fish, the
// one after the last, p, k, the greatest kind that counts.
SEEN int32_t artfish_seen_nearest(void **arrays, const int64_t *numbers) {
    const int64_t points = numbers[2], count = numbers[3], greatest_kind = numbers[4];
    for (int64_t i = numbers[0]; i < numbers[1]; i++) {
        const double *places = (const double *)arrays[1] + 3 * i * count;
        const uint8_t *kinds = (const uint8_t *)arrays[2] + i * count;
        for (int64_t p = i * points; p < (i + 1) * points; p++) {
            const double *point = (const double *)arrays[0] + 3 * p;
            double nearest = INFINITY;
            int64_t row = 0;
            for (int64_t k = 0; k < count; k++) {
                const double arm[3] = {places[3 * k] - point[0], places[3 * k + 1] - point[1], places[3 * k + 2] - point[2]};
                const double square = dot(arm, arm);
                if (!kinds[k] || kinds[k] > greatest_kind || !(square < nearest)) continue;
                nearest = square, row = k;
            }
            ((double *)arrays[3])[p] = nearest;
            ((int64_t *)arrays[4])[p] = row;
        }
    }
    return 0;
}
