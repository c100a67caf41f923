// Foes that mates know of; tests/plain/perception/alarm.py says the same in NumPy.

#include "compiled/exact.h"
#include "declared.h"

// alarm.known_to_mates: a foe is known where one of the nearest of the alarmed is of the same school, within reach and in
// the field of view, and sees that foe itself.
SEEN int32_t artfish_heard(const HeardCall *call, int64_t begin, int64_t end) {
    TAKE_HEARD(call);
    for (int64_t row = begin; row < end; row++) {
        const int64_t me = listeners[row], first = others * ordinals[row];
        for (int64_t i = 0; i < near; i++) {
            const int64_t mate = alarmed[nearest[near * row + i]];
            if (school[mate] != school[me] || mate == me) continue;
            double offset[3];
            for (int axis = 0; axis < 3; axis++) offset[axis] = places[3 * mate + axis] - places[3 * me + axis];
            const double gap = sqrt(dot(offset, offset));
            if (!(gap <= reaches[me]) || !(dot(offset, aheads + 3 * me) >= cosine * gap)) continue;
            for (int64_t k = first; k < first + others; k++) known[k] |= foes[k] == sighted[mate];
        }
    }
    return 0;
}
