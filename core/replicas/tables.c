// Cycles mixed: what core/replicas/tables.py defines and explains, compiled, with the same bits.

#include "compiled/exact.h"

enum { CORNERS = 4 };

// Between which of some rising knots a value lies: the first of the two, and how far between them.
static inline int64_t place(double value, const double *knots, int64_t count, double *share) {
    int64_t row = -1;
    while (row + 1 < count && knots[row + 1] <= value) row++;
    row = row < 0 ? 0 : row > count - 2 ? count - 2 : row;
    *share = within((value - knots[row]) / (knots[row + 1] - knots[row]), 0.0, 1.0);
    return row;
}

// Tables.mixed. Arrays: kinds (fish) whole, paces and turns of fishes (fish), those of the grid (p), (t), the grid
// (species, p, t) whole, motion (rows, 4); and to be filled corners (fish, 4) whole, shares (fish, 4), motion (fish, 4).
// Numbers: first fish, the one after the last, p, t.
SEEN int32_t artfish_mix(void **arrays, const int64_t *numbers) {
    const int64_t *kinds = arrays[0], *grid = arrays[5], paces = numbers[2], turns = numbers[3];
    const double *pace = arrays[1], *turn = arrays[2], *motions = arrays[6];
    int64_t *corners = arrays[7];
    double *shares = arrays[8], *mixed = arrays[9];
    for (int64_t fish = numbers[0]; fish < numbers[1]; fish++) {
        double down, across;
        const int64_t row = place(pace[fish], arrays[3], paces, &down);
        const int64_t column = place(turn[fish], arrays[4], turns, &across);
        const int64_t *at = grid + (kinds[fish] * paces + row) * turns + column;
        int64_t *corner = corners + CORNERS * fish;
        double *share = shares + CORNERS * fish;
        corner[0] = at[0], corner[1] = at[1], corner[2] = at[turns], corner[3] = at[turns + 1];
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
