// Winding numbers; tests/plain/geometry/winding.py says the same in NumPy.

#include "geometry/winding.h"
#include "declared.h"

// Winding.at.
SEEN int32_t artfish_winding(const WindingCall *call, int64_t begin, int64_t end) {
    TAKE_WINDING(call);
    for (int64_t i = begin; i < end; i++) turns[i] = winding_at(groups, points + 3 * i);
    return 0;
}
