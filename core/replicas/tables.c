// Cycles mixed: core/replicas/tables.py explains what of.

#include "compiled/exact.h"
#include "declared.h"

enum { CORNERS = 4 };

// Between which rising knots a value lies: the first of the two, and how far between them; nowhere else than at a single
// one.
static inline int64_t place(double value, const double *knots, int64_t count, double *share) {
    int64_t row = -1;
    *share = 0.0;
    if (count < 2) return 0;
    while (row + 1 < count && knots[row + 1] <= value) row++;
    row = row < 0 ? 0 : row > count - 2 ? count - 2 : row;
    *share = within((value - knots[row]) / (knots[row + 1] - knots[row]), 0.0, 1.0);
    return row;
}

// SegmentTables.mixed: the two paces and turns between which each swims, and the sum over them, as sums.total has it.
SEEN int32_t artfish_mix(const MixCall *call, int64_t begin, int64_t end) {
    TAKE_MIX(call);
    const int64_t lower = paces > 1 ? turns : 0, farther = turns > 1 ? 1 : 0;
    for (int64_t fish = begin; fish < end; fish++) {
        double down, across;
        const int64_t row = place(pace[fish], pace_knots, paces, &down);
        const int64_t column = place(turn[fish], turn_knots, turns, &across);
        const int64_t *at = grid + (kinds[fish] * paces + row) * turns + column;
        int64_t *corner = corners + CORNERS * fish;
        double *share = shares + CORNERS * fish;
        corner[0] = at[0], corner[1] = at[farther], corner[2] = at[lower], corner[3] = at[lower + farther];
        share[0] = (1.0 - down) * (1.0 - across), share[1] = (1.0 - down) * across;
        share[2] = down * (1.0 - across), share[3] = down * across;
        for (int i = 0; i < 4; i++) {
            double part[CORNERS];
            for (int k = 0; k < CORNERS; k++) part[k] = share[k] * motions[4 * corner[k] + i];
            mixed[4 * fish + i] = (part[0] + part[2]) + (part[1] + part[3]);
        }
    }
    return 0;
}
