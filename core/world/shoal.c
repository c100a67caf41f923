// Bodies of those that do not move by themselves.

#include "compiled/exact.h"
#include "declared.h"

enum { NODES = 23 };
enum { AS_IT_IS, PLAYED, RESTING };

// Shoal.stand: whoever is not as it is stands as it is shown, or at rest.
SEEN int32_t artfish_stand(const StandCall *call, int64_t begin, int64_t end) {
    TAKE_STAND(call);
    for (int64_t fish = begin; fish < end; fish++) {
        if (how[fish] == AS_IT_IS) continue;
        const int at_rest = how[fish] == RESTING, jumps = at_rest || rested[fish];
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
