// What mates know of foes: what core/perception/alarm.py defines and explains, compiled, with the same bits.

#include "compiled/exact.h"

// alarm.known_to_mates: who listens, by their ordinal (n,) and row (n,), foes of all that look around (looks, k), which of
// the alarmed are nearest (n, m) and the rows of these; whom each fish sees and is alarmed by, school and reach, (fish,)
// each, places and headings (fish, 3), the cosine of half the field (1,); which foes are known (looks, k). Numbers: k, m.
SEEN int32_t artfish_heard(void **arrays, const int64_t *numbers) {
    const int64_t *ordinals = arrays[0], *listeners = arrays[1], *foes = arrays[2], *nearest = arrays[3];
    const int64_t *alarmed = arrays[4], *sighted = arrays[5], *school = arrays[6];
    const double *reaches = arrays[7], *places = arrays[8], *aheads = arrays[9], *field = arrays[10];
    uint8_t *known = arrays[11];
    const int64_t others = numbers[2], near = numbers[3];
    for (int64_t row = numbers[0]; row < numbers[1]; row++) {
        const int64_t me = listeners[row], first = others * ordinals[row];
        for (int64_t i = 0; i < near; i++) {
            const int64_t mate = alarmed[nearest[near * row + i]];
            if (school[mate] != school[me] || mate == me) continue;
            double offset[3];
            for (int axis = 0; axis < 3; axis++) offset[axis] = places[3 * mate + axis] - places[3 * me + axis];
            const double gap = sqrt(dot(offset, offset));
            if (!(gap <= reaches[me]) || !(dot(offset, aheads + 3 * me) >= *field * gap)) continue;
            for (int64_t k = first; k < first + others; k++) known[k] |= foes[k] == sighted[mate];
        }
    }
    return 0;
}
