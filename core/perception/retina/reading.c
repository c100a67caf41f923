// Objects in pictures; tests/plain/perception/retina/reading.py says the same in NumPy.

#include "compiled/exact.h"
#include "declared.h"

// reading.objects: of every identity how many pixels, sums of angle, of angle times ray and of angle times range, the
// nearest range and its pixel, all of nothing yet.
SEEN int32_t artfish_objects(const ObjectsCall *call, int64_t begin, int64_t end) {
    TAKE_OBJECTS(call);
    for (int64_t image = begin; image < end; image++) {
        const int32_t *identity = identities + image * pixels;
        const float *range = ranges + image * pixels;
        int64_t *count = counts + image * many, *pixel = places + image * many;
        double *sums = all_sums + 5 * image * many, *nearest = nearests + image * many;
        for (int64_t at = 0; at < pixels; at++) {
            const int32_t own = identity[at];
            if (own <= 0 || own >= many) continue;
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
