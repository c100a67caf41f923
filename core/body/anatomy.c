// How bodies lie: what core/body/anatomy.py defines, compiled, with the same bits.

#include "compiled/exact.h"

enum { NODES = 23, SECOND_RING = 5 };

static inline void cross(const double *a, const double *b, double *found) {
    found[0] = a[1] * b[2] - a[2] * b[1];
    found[1] = a[2] * b[0] - a[0] * b[2];
    found[2] = a[0] * b[1] - a[1] * b[0];
}

// anatomy.body_frame: nodes (fish, 23, 3); origins (fish, 3) and columns ahead, left and up, (fish, 3, 3).
// Numbers: first fish, the one after the last.
SEEN int32_t artfish_body_frame(void **arrays, const int64_t *numbers) {
    const int64_t first = numbers[0];
    const double *nodes = (double *)arrays[0] + 3 * NODES * first;
    double *origin = (double *)arrays[1] + 3 * first, *frame = (double *)arrays[2] + 9 * first;
    for (int64_t fish = first; fish < numbers[1]; fish++, nodes += 3 * NODES, origin += 3, frame += 9) {
        double ahead[3], up[3], left[3], upright[3];
        for (int axis = 0; axis < 3; axis++) {
            const double *ring = nodes + 3 * SECOND_RING + axis;
            origin[axis] = ((ring[0] + ring[6]) + (ring[3] + ring[9])) / 4.0;
            ahead[axis] = nodes[axis] - origin[axis];
            up[axis] = ring[0] + ring[3] - ring[6] - ring[9];
        }
        shorten(ahead, 3);
        cross(up, ahead, left);
        shorten(left, 3);
        cross(ahead, left, upright);
        for (int axis = 0; axis < 3; axis++)
            frame[3 * axis] = ahead[axis], frame[3 * axis + 1] = left[axis], frame[3 * axis + 2] = upright[axis];
    }
    return 0;
}
