// How far bodies reach: what core/world/containment.py defines, compiled, with the same bits.

#include "compiled/exact.h"

// The least and the greatest of x, y and z: nodes (n, p, 3); low (n, 3), high (n, 3). Numbers: p.
SEEN int32_t artfish_extents(void **arrays, const int64_t *numbers) {
    const double *nodes = arrays[0];
    double *lows = arrays[1], *highs = arrays[2];
    const int64_t points = numbers[2];
    for (int64_t i = numbers[0]; i < numbers[1]; i++) {
        const double *node = nodes + 3 * points * i;
        double low[3] = {node[0], node[1], node[2]}, high[3] = {node[0], node[1], node[2]};
        for (int64_t point = 1; point < points; point++)
            for (int axis = 0; axis < 3; axis++) {
                low[axis] = least(low[axis], node[3 * point + axis]);
                high[axis] = greatest(high[axis], node[3 * point + axis]);
            }
        memcpy(lows + 3 * i, low, sizeof low);
        memcpy(highs + 3 * i, high, sizeof high);
    }
    return 0;
}
