// Upright cylinders, see core/habitat/obstacles.py, and the walls of a box, see core/habitat/tank.py.

#pragma once

#include "compiled/exact.h"
#include "declared.h"

enum { STRIP = 32 };

static const double SLACK = 1.000000001;  // a square root and a few sums err by far less

// Squares of how far so many cylinders' axes are, STRIP at most.
static inline void squares_of(const double *p, const Cylinder *cylinders, int64_t count, double *squares) {
    for (int64_t i = 0; i < count; i++) {
        const double x = p[0] - cylinders[i].x, y = p[1] - cylinders[i].y;
        squares[i] = x * x + y * y;
    }
}

// The row of the cylinder whose surface is nearest.
static inline int64_t nearest_cylinder(const double *p, const Cylinder *cylinders, int64_t count) {
    int64_t nearest = 0;
    double closest = INFINITY, squares[STRIP];
    for (int64_t from = 0; from < count; from += STRIP) {
        const int64_t end = from + STRIP < count ? from + STRIP : count;
        squares_of(p, cylinders + from, end - from, squares);
        for (int64_t row = from; row < end; row++) {
            const Cylinder *of = cylinders + row;
            const double square = squares[row - from], far = (closest + of->radius) * SLACK;
            if (far > 0.0 && square > far * far) continue;
            const double out = sqrt(square) - of->radius, up = fabs(p[2] - of->z - of->height / 2) - of->height / 2;
            const double most = greatest(out, up), beyond_out = greatest(out, 0.0), beyond_up = greatest(up, 0.0);
            const double distance = most > 0 ? sqrt(beyond_out * beyond_out + beyond_up * beyond_up) : most;
            if (distance < closest) nearest = row, closest = distance;
        }
    }
    return nearest;
}

// Metres from the surface of the nearest cylinder, negative inside, and the unit vector along which that grows, unless it
// is left out. Outside it grows along the line from the nearest point; inside along the shorter way out. Without any
// cylinder the distance is infinite, and the way up.
static inline double from_cylinders(const double *p, const Cylinder *cylinders, int64_t count, double *way) {
    if (!count) {
        if (way) way[0] = way[1] = 0.0, way[2] = 1.0;
        return INFINITY;
    }
    const Cylinder *of = cylinders + nearest_cylinder(p, cylinders, count);
    const double x = p[0] - of->x, y = p[1] - of->y, z = p[2] - of->z - of->height / 2;
    const double length = sqrt(x * x + y * y), out = length - of->radius, up = fabs(z) - of->height / 2;
    const double beyond_out = greatest(out, 0.0), beyond_up = greatest(up, 0.0);
    const double corner = sqrt(beyond_out * beyond_out + beyond_up * beyond_up);
    if (way) {
        const int inside = corner == 0, on_axis = length == 0;
        const double scale = inside ? 1.0 : corner;
        const double sideways = inside ? (out >= up ? 1.0 : 0.0) : beyond_out / scale;
        const double upright = (inside ? (out < up ? 1.0 : 0.0) : beyond_up / scale) * (z < 0 ? -1.0 : 1.0);
        const double safe = on_axis ? 1.0 : length;
        way[0] = sideways * (on_axis ? 1.0 : x / safe);
        way[1] = sideways * (on_axis ? 0.0 : y / safe);
        way[2] = upright;
    }
    return corner + least(greatest(out, up), 0.0);
}

// From the nearest side of a box between two corners, positive in it.
static inline double from_walls(const double *p, const double *low, const double *high) {
    double inner = INFINITY, beyond[3];
    for (int axis = 0; axis < 3; axis++) {
        const double under = p[axis] - low[axis], over = high[axis] - p[axis];
        inner = least(least(inner, under), over);
        beyond[axis] = greatest(-under, 0.0) - greatest(-over, 0.0);
    }
    const double outer = sqrt(dot(beyond, beyond));
    return outer > 0 ? -outer : inner;
}
