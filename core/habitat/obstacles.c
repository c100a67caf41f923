// Distances from pillars; tests/plain/habitat/obstacles.py says the same in NumPy.

#include "habitat/cylinders.h"
#include "declared.h"

// Obstacles.distance, as far as it is due to cylinders.
SEEN int32_t artfish_from_cylinders(const FromCylindersCall *call, int64_t begin, int64_t end) {
    TAKE_FROM_CYLINDERS(call);
    for (int64_t i = begin; i < end; i++)
        distance[i] = from_cylinders(points + 3 * i, cylinders, count, direction + 3 * i);
    return 0;
}
