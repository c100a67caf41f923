// Ways through cells, and cells that are seen into; tests/plain/perception/navigation/lattice.py says the same in NumPy.
//
// Costs are whole numbers, the least that there are, so that they do not depend on the order in which cells are settled.
// Cells that wait stand in rings of one list for each cost, as many as the dearest step costs (Dial 1969).

#include <stdlib.h>

#include "compiled/exact.h"
#include "declared.h"

enum { STEPS = 26, OPAQUE = 3 };

static const int32_t NOWHERE = INT32_MAX;

typedef struct {
    int32_t *before, *after, *heads, last;  // so many rings, a power of two, less one
} Rings;

static inline void put(Rings *rings, int32_t cell, int32_t cost) {
    const int32_t ring = cost & rings->last, head = rings->heads[ring];
    rings->before[cell] = -1 - ring, rings->after[cell] = head;
    if (head >= 0) rings->before[head] = cell;
    rings->heads[ring] = cell;
}

static inline void take(Rings *rings, int32_t cell) {
    const int32_t before = rings->before[cell], after = rings->after[cell];
    if (before >= 0)
        rings->after[before] = after;
    else
        rings->heads[-1 - before] = after;
    if (after >= 0) rings->before[after] = before;
}

// The cost of the dearest step between cells of such weights.
static inline int64_t dearest(const uint8_t *weights, int64_t cells, const int64_t *prices) {
    int64_t weight = 0, price = 0;
    for (int64_t i = 0; i < cells; i++) weight = weights[i] > weight ? weights[i] : weight;
    for (int i = 0; i < STEPS; i++) price = prices[i] > price ? prices[i] : price;
    return 2 * weight * price;
}

// Lattice.costs; there is room for links between cells.
SEEN int32_t artfish_way_costs(const WayCostsCall *call) {
    TAKE_WAY_COSTS(call);
    const int64_t most = dearest(weights, cells, prices);
    Rings rings = {.before = links, .after = links + cells};
    while (rings.last < most) rings.last = 2 * rings.last + 1;
    rings.heads = malloc((size_t)(rings.last + 1) * sizeof *rings.heads);
    if (!rings.heads) return 1;
    for (int32_t i = 0; i <= rings.last; i++) rings.heads[i] = -1;
    for (int64_t i = 0; i < cells; i++) costs[i] = NOWHERE;
    int64_t waiting = 0;
    for (int64_t i = 0; i < n; i++) {
        if (!weights[sources[i]] || !costs[sources[i]]) continue;
        costs[sources[i]] = 0;
        put(&rings, (int32_t)sources[i], 0);
        waiting++;
    }
    for (int32_t cost = 0; waiting; cost++) {
        for (int32_t at = rings.heads[cost & rings.last]; at >= 0; at = rings.heads[cost & rings.last]) {
            take(&rings, at);
            waiting--;
            for (int i = 0; i < STEPS; i++) {
                const int64_t to = at + steps[i];
                if (!weights[to]) continue;
                const int32_t dear = cost + (int32_t)prices[i] * (weights[at] + weights[to]);
                if (dear >= costs[to]) continue;
                if (costs[to] == NOWHERE)
                    waiting++;
                else
                    take(&rings, (int32_t)to);
                costs[to] = dear;
                put(&rings, (int32_t)to, dear);
            }
        }
    }
    free(rings.heads);
    return 0;
}

// The cell along an axis, within the rim.
static inline int64_t clipped(double along, int64_t count) {
    const double whole = floor(along);
    const double least = whole > 1.0 ? whole : 1.0, most = (double)(count - 2);
    return (int64_t)(least < most ? least : most);
}

// Lattice.looked_at.
SEEN int32_t artfish_look_round(const LookRoundCall *call) {
    TAKE_LOOK_ROUND(call);
    const int64_t strides[3] = {shape[1] * shape[2], shape[2], 1};
    int64_t first[3], last[3];
    for (int axis = 0; axis < 3; axis++) {
        first[axis] = clipped((eye[axis] - reach - low[axis]) / cell - 1.0, shape[axis]);
        last[axis] = clipped((eye[axis] + reach - low[axis]) / cell + 1.0, shape[axis]);
    }
    for (int64_t i = first[0]; i <= last[0]; i++) {
        for (int64_t j = first[1]; j <= last[1]; j++) {
            for (int64_t k = first[2]; k <= last[2]; k++) {
                const int64_t row = i * strides[0] + j * strides[1] + k;
                if (seen[row]) continue;
                const double x = (low[0] + cell * ((double)i + 0.5)) - eye[0];
                const double y = (low[1] + cell * ((double)j + 0.5)) - eye[1];
                const double z = (low[2] + cell * ((double)k + 0.5)) - eye[2];
                const double away = sqrt(x * x + y * y + z * z);
                const int far = !(away <= reach) || !(away < INFINITY);  // or an eye that is nowhere
                if (far || !(x * ahead[0] + y * ahead[1] + z * ahead[2] >= cosine * away)) continue;
                const int64_t steps = (int64_t)floor(2.0 * away / cell);
                uint8_t free = 1;
                for (int64_t step = 1; step <= steps && free; step++) {
                    const double share = (double)step / ((double)steps + 1.0);
                    const int64_t a = clipped((eye[0] + share * x - low[0]) / cell, shape[0]);
                    const int64_t b = clipped((eye[1] + share * y - low[1]) / cell, shape[1]);
                    const int64_t c = clipped((eye[2] + share * z - low[2]) / cell, shape[2]);
                    free = chart[a * strides[0] + b * strides[1] + c] != OPAQUE;
                }
                seen[row] = free;
            }
        }
    }
    return 0;
}
