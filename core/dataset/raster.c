// Triangles filled into pictures: the nearest in each pixel, and what each fish would cover alone.
// tests/plain/dataset/raster.py says the same in NumPy, pixel by pixel.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compiled/seen.h"
#include "declared.h"

enum { MOST_BLOCKERS = 8 };
static const double MOST_SAMPLES = 1 << 20;  // beyond the picture, of one fish
static const double FARTHEST_PIXEL = 1e5;

// A triangle in the picture: a point lies in it where none of three edges is below 0, and one over the depth is a plane.
typedef struct {
    double edges[3][3], plane[3], low[2], high[2];
} Flat;

// Some of the rows and columns of a grid of points.
typedef struct {
    int64_t top, bottom, left, right;
} Span;

// A grid of points, each in the middle of a square; the first square begins at (left, top).
typedef struct {
    double left, top, step;
    int64_t width, height;
} Grid;

// False where three corners are no triangle, or one of them is no number.
static int flatten(Flat *flat, const double *a, const double *b, const double *c) {
    const double area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if (!(fabs(area) > 0.0) || !isfinite(area)) return 0;
    const double *corner[3] = {a, b, c};
    const double sign = area > 0.0 ? 1.0 : -1.0;
    for (int i = 0; i < 3; i++) {
        const double *one = corner[(i + 1) % 3], *other = corner[(i + 2) % 3];
        flat->edges[i][0] = sign * (one[1] - other[1]);
        flat->edges[i][1] = sign * (other[0] - one[0]);
        flat->edges[i][2] = -(flat->edges[i][0] * one[0] + flat->edges[i][1] * one[1]);
    }
    for (int k = 0; k < 3; k++) {
        flat->plane[k] = 0.0;
        for (int i = 0; i < 3; i++) flat->plane[k] += flat->edges[i][k] * (corner[i][2] / fabs(area));
    }
    for (int axis = 0; axis < 2; axis++) {
        flat->low[axis] = fmin(a[axis], fmin(b[axis], c[axis]));
        flat->high[axis] = fmax(a[axis], fmax(b[axis], c[axis]));
    }
    return 1;
}

static inline int holds(const Flat *flat, double x, double y) {
    for (int i = 0; i < 3; i++)
        if ((flat->edges[i][0] * x + flat->edges[i][1] * y) + flat->edges[i][2] < 0.0) return 0;
    return 1;
}

static inline double middle(double begin, double step, int64_t number) { return begin + step * ((double)number + 0.5); }

static inline int64_t bounded(double value, int64_t most) {
    return (int64_t)fmin(fmax(value, 0.0), (double)most);
}

// The points of a grid that are in the box around a triangle.
static Span around(const Flat *flat, const Grid *grid) {
    return (Span){
        bounded(ceil((flat->low[1] - grid->top) / grid->step - 0.5), grid->height),
        bounded(floor((flat->high[1] - grid->top) / grid->step + 0.5), grid->height),
        bounded(ceil((flat->low[0] - grid->left) / grid->step - 0.5), grid->width),
        bounded(floor((flat->high[0] - grid->left) / grid->step + 0.5), grid->width),
    };
}

// raster.RASTER
SEEN int32_t artfish_paint(const PaintCall *call) {
    TAKE_PAINT(call);
    const Grid picture = {0.0, 0.0, 1.0, columns, rows};
    Flat flat;
    for (int64_t face = 0; face < faces; face++) {
        const int32_t *side = sides + 3 * face;
        if (!flatten(&flat, corners + 3 * side[0], corners + 3 * side[1], corners + 3 * side[2])) continue;
        const Span span = around(&flat, &picture);
        for (int64_t row = span.top; row < span.bottom; row++) {
            const double y = middle(0.0, 1.0, row);
            for (int64_t column = span.left; column < span.right; column++) {
                const double x = middle(0.0, 1.0, column);
                if (!holds(&flat, x, y)) continue;
                const double inverse = (flat.plane[0] * x + flat.plane[1] * y) + flat.plane[2];
                const float depth = (float)(1.0 / inverse);
                const int64_t pixel = row * columns + column;
                if (inverse > 0.0 && depth < depths[pixel]) depths[pixel] = depth, marks[pixel] = (int32_t)mark;
            }
        }
    }
    return 0;
}

static int by_mark(const void *one, const void *other) {
    const int32_t a = *(const int32_t *)one, b = *(const int32_t *)other;
    return (a > b) - (a < b);
}

// The greatest groups of equal marks, of equally many the one of the least mark first; sorts them.
static void greatest_groups(int32_t *marks, int64_t count, int64_t *found) {
    memset(found, 0, 2 * MOST_BLOCKERS * sizeof *found);
    qsort(marks, (size_t)count, sizeof *marks, by_mark);
    for (int64_t first = 0, last; first < count; first = last) {
        for (last = first; last < count && marks[last] == marks[first]; last++) {}
        int at = MOST_BLOCKERS;
        while (at > 0 && found[2 * (at - 1) + 1] < last - first) at--;
        if (at == MOST_BLOCKERS) continue;
        memmove(found + 2 * (at + 1), found + 2 * at, (size_t)(2 * (MOST_BLOCKERS - 1 - at)) * sizeof *found);
        found[2 * at] = marks[first], found[2 * at + 1] = last - first;
    }
}

// One fish of a call: its triangles, and room for what they cover.
typedef struct {
    const double *corners;
    const int32_t *sides;
    int64_t count;
} Sides;

// Sets the points of a grid that lie in any of the triangles; returns 0 where memory runs out.
static uint8_t *covered(const Sides *of, const Grid *grid) {
    uint8_t *points = calloc((size_t)(grid->width * grid->height) + 1, 1);
    Flat flat;
    if (!points) return NULL;
    for (int64_t face = 0; face < of->count; face++) {
        const int32_t *side = of->sides + 3 * face;
        if (!flatten(&flat, of->corners + 3 * side[0], of->corners + 3 * side[1], of->corners + 3 * side[2])) continue;
        const Span span = around(&flat, grid);
        for (int64_t row = span.top; row < span.bottom; row++)
            for (int64_t column = span.left; column < span.right; column++)
                if (!points[row * grid->width + column])
                    points[row * grid->width + column] = (uint8_t)holds(
                        &flat, middle(grid->left, grid->step, column), middle(grid->top, grid->step, row));
    }
    return points;
}

// The box around all corners of triangles; NaN where there are none.
static void boxed(const Sides *of, double *box) {
    for (int side = 0; side < 4; side++) box[side] = NAN;
    for (int64_t at = 0; at < 3 * of->count; at++) {
        const double *corner = of->corners + 3 * of->sides[at];
        for (int axis = 0; axis < 2; axis++) {
            box[axis] = fmin(box[axis], corner[axis]);
            box[2 + axis] = fmax(box[2 + axis], corner[axis]);
        }
    }
}

// raster.COVER
SEEN int32_t artfish_cover(const CoverCall *call, int64_t begin, int64_t end) {
    TAKE_COVER(call);
    for (int64_t fish = begin; fish < end; fish++) {
        const Sides of = {corners, sides + 3 * spans[2 * fish], spans[2 * fish + 1] - spans[2 * fish]};
        double *box = boxes + 4 * fish;
        int64_t *seen = seen_boxes + 4 * fish, *count = pixels + 3 * fish, *hiding = blockers + 2 * MOST_BLOCKERS * fish;
        boxed(&of, box);
        memset(seen, 0, 4 * sizeof *seen);
        memset(count, 0, 3 * sizeof *count);
        memset(hiding, 0, 2 * MOST_BLOCKERS * sizeof *hiding);
        if (!(box[0] <= box[2])) continue;

        // In the picture: who is in each pixel that it would take.
        const int64_t left = bounded(floor(box[0]), columns), right = bounded(ceil(box[2]), columns);
        const int64_t top = bounded(floor(box[1]), rows), bottom = bounded(ceil(box[3]), rows);
        const Grid window = {(double)left, (double)top, 1.0, right - left, bottom - top};
        if (right > left && bottom > top) {
            uint8_t *points = covered(&of, &window);
            int32_t *others = points ? malloc((size_t)(window.width * window.height) * sizeof *others) : NULL;
            if (!others) {
                free(points);
                return 1;
            }
            int64_t hidden = 0;
            for (int64_t row = top; row < bottom; row++)
                for (int64_t column = left; column < right; column++) {
                    if (!points[(row - top) * window.width + column - left]) continue;
                    const int32_t there = marks[row * columns + column];
                    count[1]++;
                    if (there != own[fish]) {
                        others[hidden++] = there;
                        continue;
                    }
                    if (!count[0]++) seen[0] = seen[2] = column, seen[1] = seen[3] = row;
                    if (column < seen[0]) seen[0] = column;
                    if (column >= seen[2]) seen[2] = column + 1;
                    if (row >= seen[3]) seen[3] = row + 1;
                }
            greatest_groups(others, hidden, hiding);
            free(others);
            free(points);
        }

        // Beyond it: points so far apart that there are not too many.
        if (box[0] >= 0.0 && box[1] >= 0.0 && box[2] <= (double)columns && box[3] <= (double)rows) continue;
        const double far_left = fmax(floor(box[0]), -FARTHEST_PIXEL), far_top = fmax(floor(box[1]), -FARTHEST_PIXEL);
        const double width = fmin(ceil(box[2]), FARTHEST_PIXEL) - far_left;
        const double height = fmin(ceil(box[3]), FARTHEST_PIXEL) - far_top;
        if (!(width > 0.0 && height > 0.0)) continue;
        const double step = fmax(1.0, ceil(sqrt(width * height / MOST_SAMPLES)));
        const Grid beyond = {far_left, far_top, step, (int64_t)ceil(width / step), (int64_t)ceil(height / step)};
        uint8_t *points = covered(&of, &beyond);
        if (!points) return 1;
        int64_t outside = 0;
        for (int64_t row = 0; row < beyond.height; row++)
            for (int64_t column = 0; column < beyond.width; column++) {
                const double x = middle(far_left, step, column), y = middle(far_top, step, row);
                const int inside = x > 0.0 && y > 0.0 && x < (double)columns && y < (double)rows;
                outside += !inside && points[row * beyond.width + column];
            }
        count[2] = outside * (int64_t)(step * step);
        free(points);
    }
    return 0;
}
