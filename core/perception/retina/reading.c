// What pictures show: what core/perception/retina/reading.py defines and explains, compiled, with the same bits.

#include "compiled/exact.h"

// reading.objects. Arrays: identities (images, pixels) int32, ranges (images, pixels) float, rays (3, pixels) float, solid
// angles (pixels); and to be filled how many pixels (images, many) int64, sums (images, many, 5) of angle, of angle times
// ray and of angle times range, the nearest range (images, many) and its pixel (images, many) int64, all of nothing yet.
// Numbers: the first image, the one after the last, pixels, how many identities there are with 0, which is nothing.
SEEN int32_t artfish_objects(void **arrays, const int64_t *numbers) {
    const int64_t pixels = numbers[2], many = numbers[3];
    const float *rays = arrays[2];
    const double *angles = arrays[3];
    for (int64_t image = numbers[0]; image < numbers[1]; image++) {
        const int32_t *identity = (const int32_t *)arrays[0] + image * pixels;
        const float *range = (const float *)arrays[1] + image * pixels;
        int64_t *count = (int64_t *)arrays[4] + image * many, *pixel = (int64_t *)arrays[7] + image * many;
        double *sums = (double *)arrays[5] + 5 * image * many, *nearest = (double *)arrays[6] + image * many;
        for (int64_t at = 0; at < pixels; at++) {
            const int32_t own = identity[at];
            if (own <= 0) continue;
            const double angle = angles[at], far = range[at];
            double *sum = sums + 5 * own;
            count[own]++;
            sum[0] += angle;
            for (int axis = 0; axis < 3; axis++) sum[1 + axis] += angle * (double)rays[axis * pixels + at];
            sum[4] += angle * far;
            if (far < nearest[own]) nearest[own] = far, pixel[own] = at;
        }
    }
    return 0;
}
