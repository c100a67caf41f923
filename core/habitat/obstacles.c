// Distances from pillars: what core/habitat/obstacles.py defines and explains, compiled, with the same bits.

#include "habitat/cylinders.h"

// Obstacles._from_cylinders: points (n, 3), cylinders (k, 5); distance (n,), direction (n, 3). Numbers: k.
SEEN int32_t artfish_from_cylinders(void **arrays, const int64_t *numbers) {
    const double *points = arrays[0];
    const Cylinder *cylinders = arrays[1];
    double *distance = arrays[2], *direction = arrays[3];
    for (int64_t i = numbers[0]; i < numbers[1]; i++)
        distance[i] = from_cylinders(points + 3 * i, cylinders, numbers[2], direction + 3 * i);
    return 0;
}
