// A fish's own frame, after Yu and Terzopoulos, eq. 1-4, with our axes: ahead, left and up.

#include "compiled/exact.h"
#include "declared.h"

enum { NODES = 23, SECOND_RING = 5 };

static inline void cross(const double *a, const double *b, double *found) {
    found[0] = a[1] * b[2] - a[2] * b[1];
    found[1] = a[2] * b[0] - a[0] * b[2];
    found[2] = a[0] * b[1] - a[1] * b[0];
}

// anatomy.body_frame, which explains it.
SEEN int32_t artfish_body_frame(const BodyFrameCall *call, int64_t begin, int64_t end) {
    TAKE_BODY_FRAME(call);
    for (int64_t fish = begin; fish < end; fish++) {
        const double *nose = nodes + 3 * NODES * fish;
        double *origin = origins + 3 * fish, *frame = frames + 9 * fish;
        double ahead[3], up[3], left[3], upright[3];
        for (int axis = 0; axis < 3; axis++) {
            const double *ring = nose + 3 * SECOND_RING + axis;
            origin[axis] = ((ring[0] + ring[6]) + (ring[3] + ring[9])) / 4.0;
            ahead[axis] = nose[axis] - origin[axis];
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
