// Bodies of those that do not move by themselves: what core/world/shoal.py defines, compiled, with the same bits.

#include "compiled/exact.h"

enum { NODES = 23 };

// Shoal.stand. Arrays: how each stands (fish) uint8, 0 as it is, 1 as it is shown, 2 at rest; who stood at rest (fish)
// uint8, which is filled; nodes (fish, 23, 3), origins (fish, 3) and frames (fish, 3, 3) of own frames, bodies at rest
// (species, 23, 3), kinds (fish) whole, lengths (fish), velocities (fish, 3), metres and book units of speed (fish),
// seconds (1); and to be filled places and velocities in the book's units (rows, 23, 3). Numbers: first fish, the one
// after the last.
SEEN int32_t artfish_stand(void **arrays, const int64_t *numbers) {
    const uint8_t *how = arrays[0];
    uint8_t *rested = arrays[1];
    const double *nodes = arrays[2], *origins = arrays[3], *frames = arrays[4], *rests = arrays[5];
    const int64_t *kinds = arrays[6];
    const double *lengths = arrays[7], *velocities = arrays[8], *metres = arrays[9], *speeds = arrays[10];
    const double seconds = ((double *)arrays[11])[0];
    double *places = arrays[12], *motions = arrays[13];
    for (int64_t fish = numbers[0]; fish < numbers[1]; fish++) {
        if (!how[fish]) continue;
        const int at_rest = how[fish] == 2, jumps = at_rest || rested[fish];
        const double *frame = frames + 9 * fish, *origin = origins + 3 * fish, *velocity = velocities + 3 * fish;
        const double *rest = rests + 3 * NODES * kinds[fish], *shown = nodes + 3 * NODES * fish;
        const double length = lengths[fish], metre = metres[fish], speed = speeds[fish];
        double *x = places + 3 * NODES * fish, *v = motions + 3 * NODES * fish;
        for (int k = 0; k < 3 * NODES; k += 3)
            for (int i = 0; i < 3; i++) {
                const double *own = frame + 3 * i;
                const double arm = (own[0] * rest[k] + own[1] * rest[k + 1]) + own[2] * rest[k + 2];
                const double at = at_rest ? origin[i] + length * arm : shown[k + i];
                v[k + i] = (jumps ? velocity[i] : (at - x[k + i] * metre) / seconds) * speed;
                x[k + i] = at / metre;
            }
        rested[fish] = (uint8_t)at_rest;
    }
    return 0;
}
