// Rest lengths of muscles over some steps: muscles.h says how.

#include "body/kernel/muscles.h"

// Muscles.advance: phase, swing and curl as they are, and after all steps as states; lengths before, and after each
// step.
SEEN int32_t artfish_muscles(const MusclesCall *call, int64_t begin, int64_t end) {
    TAKE_MUSCLES(call);
    const Sinews own = *sinews;
    for (int64_t first = begin; first < end; first += MOST_CHUNK) {
        const int64_t count = end - first < MOST_CHUNK ? end - first : MOST_CHUNK;
        const Pulls pulls = {
            rates + first, aims + first, curls + first, curls + fishes + first, phase + first, swing + first, curl + first,
        };
        const double *last = before + first;
        for (int64_t step = 0; step < steps; step++) {
            double *now = lengths + step * own.muscles * fishes + first;
            contract(&own, &pulls, fishes, count, (double)step + 1.0, curling != 0, hurrying != 0, states + first, last, now);
            last = now;
        }
        if (!curling) memcpy(states + 4 * fishes + first, curl + first, (size_t)count * sizeof *states);
    }
    return 0;
}
