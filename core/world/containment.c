// How far bodies reach.

#include "compiled/exact.h"
#include "declared.h"

// containment.extents.
SEEN int32_t artfish_extents(const ExtentsCall *call, int64_t begin, int64_t end) {
    TAKE_EXTENTS(call);
    for (int64_t i = begin; i < end; i++) {
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
