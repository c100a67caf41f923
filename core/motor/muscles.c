// Muscles.advance, compiled: muscles.h says how.

#include "body/kernel/muscles.h"

// Arrays: constants, rates (2, fish), swing (3, fish), curl (2, fish); phase (fish), swing (3, fish), curl (fish) and
// lengths (muscles, fish) as they are; the first three as they are then, (5, fish), and the lengths after each step,
// (steps, muscles, fish). Numbers: fishes, steps, whether anybody curls, whether any muscle can be too slow, and how
// many muscles there are, four in a segment.
SEEN int32_t artfish_muscles(void **arrays, const int64_t *numbers) {
    const double *curls = arrays[3], *curled = arrays[6], *before = arrays[7];
    double *states = arrays[8], *lengths = arrays[9];
    const int64_t end = numbers[1], fishes = numbers[2], steps = numbers[3], muscles = numbers[6];
    const int curling = numbers[4] != 0, hurrying = numbers[5] != 0;
    const Sinews of = sinews(arrays[0], muscles);
    const Pulls all = {arrays[1], arrays[2], curls, curls + fishes, arrays[4], arrays[5], curled};
    if (of.segments > MOST_SEGMENTS) return 1;
    for (int64_t i = numbers[0]; i < end; i++)
        if (!soundly(&of, all.rates[i], all.phase[i], steps)) return 1;
    for (int64_t first = numbers[0]; first < end; first += MOST_CHUNK) {
        const int64_t count = end - first < MOST_CHUNK ? end - first : MOST_CHUNK;
        const Pulls by = {all.rates + first, all.aims + first, all.curls + first, all.flings + first,
                          all.phase + first, all.swing + first, all.curl + first};
        const double *last = before + first;
        for (int64_t step = 0; step < steps; step++) {
            double *now = lengths + step * muscles * fishes + first;
            contract(&of, &by, fishes, count, (double)step + 1.0, curling, hurrying, states + first, last, now);
            last = now;
        }
        if (!curling) memcpy(states + 4 * fishes + first, curled + first, (size_t)count * sizeof *states);
    }
    return 0;
}
