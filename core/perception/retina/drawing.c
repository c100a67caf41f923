// Pictures of what stands around eyes. Every pixel tests what its own ray hits, in single precision and in a stated order;
// a shape is tested only by pixels near it. tests/plain/perception/retina/drawing.py says the same in NumPy, for all pixels.

#include <stdlib.h>

#include "compiled/exact.h"
#include "declared.h"

typedef struct {
    int64_t first_row, last_row, first_column, last_column;
} Patch;

// A corner in the eye's own axes: how far off, at which angle from the axis, where in the picture, and by how much that
// is stretched there.
typedef struct {
    double at[3], off, angle, row, column, stretch;
} Vertex;

static const double NARROW = 0.15, STEEP = 2.75;  // radians that an edge spans, and off the axis
static const double SMALL_ANGLES = 1.0472;  // times its sine, and a little more, is an angle below 30 degrees
static const double MARGIN = 0.02;  // pixels, for rounding
static const double STEEPEST = 2.9;  // radians off the axis, beyond which a cone may cover anything
enum { MOST_SLICES = 16 };  // of a pillar

// Room for the vertices of all shapes, and for the first and the last of the pixels of each row of a picture.
typedef struct {
    Vertex *corners;
    int64_t (*columns)[2];
} Room;

// Of numbers that are some: what bounds a shape need not mind others.
static inline double more(double a, double b) { return a > b ? a : b; }

static inline double less(double a, double b) { return a < b ? a : b; }

// The pixels whose middles are within a rectangle, or so many pixels off it.
static Patch patch(const View *view, double top, double bottom, double left, double right, double reach) {
    const Patch none = {0, 0, 0, 0};
    if (!(bottom + reach >= 0.5 && right + reach >= 0.5)) return none;
    const Patch found = {
        (int64_t)less(more(top - reach + 0.499, 0.0), view->size), (int64_t)less(bottom + reach + 0.5, view->size),
        (int64_t)less(more(left - reach + 0.499, 0.0), view->size), (int64_t)less(right + reach + 0.5, view->size),
    };
    return found.first_column < found.last_column ? found : none;
}

// The pixels that may show what lies in a cone about a unit direction in the eye's own axes; none where the first row
// is not before the last. Along a great circle a picture is stretched by no more than angle / sin(angle) at its farthest.
static Patch covered(const View *view, const double *way, double half_angle) {
    Patch all = {0, (int64_t)view->size, 0, (int64_t)view->size}, none = {0, 0, 0, 0};
    const double aside = sqrt(way[1] * way[1] + way[2] * way[2]), angle = arctan2(aside, way[0]);
    const double farthest = angle + half_angle;
    if (angle - half_angle > view->half_field) return none;
    if (farthest > STEEPEST) return all;
    double sine, cosine;
    sin_and_cos(farthest, &sine, &cosine);
    const double scale = 0.5 * view->size / view->half_field;
    const double reach = MARGIN + scale * half_angle * (farthest > 1e-3 ? farthest / sine : 1.0);
    const double out = aside > 1e-12 ? scale * angle / aside : 0.0;
    const double column = 0.5 * view->size - out * way[1], row = 0.5 * view->size - out * way[2];
    return patch(view, row, row, column, column, reach);
}

// Half the angle of a cone about the middle of a triangle that holds all of it, or a little more; its direction.
static double cone(const double (*corner)[3], double *way) {
    double farthest = 0.0;
    for (int axis = 0; axis < 3; axis++) way[axis] = (corner[0][axis] + corner[1][axis] + corner[2][axis]) / 3.0;
    for (int i = 0; i < 3; i++) {
        const double arm[3] = {corner[i][0] - way[0], corner[i][1] - way[1], corner[i][2] - way[2]};
        farthest = greatest(farthest, dot(arm, arm));
    }
    const double share = sqrt(farthest) / shorten(way, 3);
    if (share < 0.5) return SMALL_ANGLES * share;
    double nearest = 1.0;
    for (int i = 0; i < 3; i++) {
        double unit[3];
        memcpy(unit, corner[i], sizeof unit);
        shorten(unit, 3);
        nearest = least(nearest, dot(unit, way));
    }
    return arctan2(sqrt(greatest(1.0 - nearest * nearest, 0.0)), nearest);
}

static inline void cross(const double *a, const double *b, float *found) {
    found[0] = (float)(a[1] * b[2] - a[2] * b[1]);
    found[1] = (float)(a[2] * b[0] - a[0] * b[2]);
    found[2] = (float)(a[0] * b[1] - a[1] * b[0]);
}

// The pixels that a triangle may cover. The image of an edge that spans an angle a bends off the straight line between
// its ends by no more than the square of a times the stretch there, over 8; of a wide triangle, those of a cone.
static Patch reached(const View *view, const Vertex *one, const Vertex *two, const Vertex *three) {
    const Vertex *all[3] = {one, two, three};
    const double near = less(one->off, less(two->off, three->off));
    const double far = more(one->angle, more(two->angle, three->angle));
    double edge = 0.0, top = one->row, bottom = one->row, left = one->column, right = one->column;
    double stretch = one->stretch;
    for (int i = 0; i < 3; i++) {
        const Vertex *here = all[i], *after = all[i == 2 ? 0 : i + 1];
        const double arm[3] = {here->at[0] - after->at[0], here->at[1] - after->at[1], here->at[2] - after->at[2]};
        edge = more(edge, dot(arm, arm));
        top = less(top, here->row), bottom = more(bottom, here->row);
        left = less(left, here->column), right = more(right, here->column);
        stretch = more(stretch, here->stretch);
    }
    const double span = SMALL_ANGLES * sqrt(edge) / near;
    if (!(span < NARROW && far < STEEP)) {
        double way[3];
        const double corner[3][3] = {
            {one->at[0], one->at[1], one->at[2]},
            {two->at[0], two->at[1], two->at[2]},
            {three->at[0], three->at[1], three->at[2]},
        };
        const double half_angle = cone(corner, way);
        return covered(view, way, half_angle);
    }
    const double bend = stretch * (1.0 + 3.0 * span) * span;
    return patch(view, top, bottom, left, right, MARGIN + 0.125 * 0.5 * view->size / view->half_field * bend * bend);
}

// A vertex as the eye has it: where it is, and, once that is asked for, where in the picture.
static inline void meet(const View *view, const double *place, Vertex *found) {
    const double arm[3] = {place[0] - view->origin[0], place[1] - view->origin[1], place[2] - view->origin[2]};
    local(view->frame, arm, found->at);
    found->off = 0.0;
}

static inline void project(const View *view, Vertex *found) {
    if (found->off > 0.0) return;
    const double aside = sqrt(found->at[1] * found->at[1] + found->at[2] * found->at[2]);
    const double scale = 0.5 * view->size / view->half_field;
    found->off = greatest(sqrt(aside * aside + found->at[0] * found->at[0]), LEAST_LENGTH);
    found->angle = arctan2(aside, found->at[0]);
    const double out = aside > 1e-12 ? scale * found->angle / aside : 0.0;
    found->column = 0.5 * view->size - out * found->at[1];
    found->row = 0.5 * view->size - out * found->at[2];
    found->stretch = found->angle > 1e-3 ? found->angle * found->off / greatest(aside, 1e-300) : 1.0;
}

// A triangle by barycentric coordinates: signed volumes of the ray with each edge, shared by two triangles.
static void triangle(
    const View *view, Vertex *one, Vertex *two, Vertex *three, int32_t mark,
    const float *restrict rays, int64_t pixels, float *restrict range, int32_t *restrict marks, int both
) {
    float a[3], b[3], c[3];
    double across[3];
    for (int i = 0; i < 3; i++) {
        const int j = i == 2 ? 0 : i + 1, k = j == 2 ? 0 : j + 1;
        across[i] = two->at[j] * three->at[k] - two->at[k] * three->at[j];
    }
    const float whole = (float)dot(one->at, across);
    if (!both && whole >= 0.0f) return;
    project(view, one), project(view, two), project(view, three);
    const Patch on = reached(view, one, two, three);
    if (on.first_row >= on.last_row) return;
    for (int i = 0; i < 3; i++) a[i] = (float)across[i];
    cross(three->at, one->at, b);
    cross(one->at, two->at, c);
    const int64_t size = (int64_t)view->size;
    for (int64_t row = on.first_row; row < on.last_row; row++) {
        const int64_t begin = row * size + on.first_column, end = row * size + on.last_column;
        for (int64_t at = begin; at < end; at++) {
            const float x = rays[at], y = rays[pixels + at], z = rays[2 * pixels + at];
            const float first = a[0] * x + a[1] * y + a[2] * z, second = b[0] * x + b[1] * y + b[2] * z;
            const float third = c[0] * x + c[1] * y + c[2] * z, sum = first + second + third;
            const float far = whole / sum;
            const int seen = (first * sum >= 0.0f) & (second * sum >= 0.0f) & (third * sum >= 0.0f);
            const int nearer = seen & (far > 0.0f) & (far < range[at]);
            range[at] = nearer ? far : range[at];
            marks[at] = nearer ? mark : marks[at];
        }
    }
}

static void ball(
    const View *view, const double *middle, double radius, int32_t mark,
    const float *restrict rays, int64_t pixels, float *restrict range, int32_t *restrict marks
) {
    double way[3];
    memcpy(way, middle, sizeof way);
    const double off = shorten(way, 3);
    if (off <= radius) return;
    const double sine = radius / off, half_angle = arctan2(sine, sqrt(1.0 - sine * sine));
    const Patch on = covered(view, way, half_angle);
    const float x0 = (float)middle[0], y0 = (float)middle[1], z0 = (float)middle[2];
    const float beyond = (float)(off * off - radius * radius);
    const int64_t size = (int64_t)view->size;
    for (int64_t row = on.first_row; row < on.last_row; row++) {
        const int64_t begin = row * size + on.first_column, end = row * size + on.last_column;
        for (int64_t at = begin; at < end; at++) {
            const float along = x0 * rays[at] + y0 * rays[pixels + at] + z0 * rays[2 * pixels + at];
            const float square = along * along - beyond;
            const float far = along - sqrtf(square > 0.0f ? square : 0.0f);
            const int nearer = (square >= 0.0f) & (far > 0.0f) & (far < range[at]);
            range[at] = nearer ? far : range[at];
            marks[at] = nearer ? mark : marks[at];
        }
    }
}

// The pixels of each row that may show a pillar, by the cones about balls that hold slices of it as high as they are
// wide.
static Patch sliced(const View *view, const double *of, int64_t (*columns)[2]) {
    Patch whole = {(int64_t)view->size, 0, 0, 0};
    const double slices = least(greatest(ceil(0.5 * of[4] / of[3]), 1.0), MOST_SLICES), half = 0.5 * of[4] / slices;
    const double around = sqrt(of[3] * of[3] + half * half);
    for (int64_t row = 0; row < (int64_t)view->size; row++) columns[row][0] = (int64_t)view->size, columns[row][1] = 0;
    for (double slice = 0.0; slice < slices; slice += 1.0) {
        double arm[3], way[3];
        for (int axis = 0; axis < 3; axis++) arm[axis] = of[axis] - view->origin[axis];
        arm[2] += (2.0 * slice + 1.0) * half;
        local(view->frame, arm, way);
        const double off = shorten(way, 3);
        const double sine = around / off, half_angle = off > around ? arctan2(sine, sqrt(1.0 - sine * sine)) : 3.2;
        const Patch on = covered(view, way, half_angle);
        for (int64_t row = on.first_row; row < on.last_row; row++) {
            columns[row][0] = on.first_column < columns[row][0] ? on.first_column : columns[row][0];
            columns[row][1] = on.last_column > columns[row][1] ? on.last_column : columns[row][1];
        }
        if (on.first_row >= on.last_row) continue;
        whole.first_row = on.first_row < whole.first_row ? on.first_row : whole.first_row;
        whole.last_row = on.last_row > whole.last_row ? on.last_row : whole.last_row;
    }
    return whole;
}

// An upright cylinder by the middle of its foot, its radius and its height: equation 6.2 of Tu 1999 for the mantle, and a
// slab for the ends. An eye that is in it sees none of it.
static void pillar(
    const View *view, const double *of, int64_t (*columns)[2], int32_t mark,
    const float *restrict rays, int64_t pixels, float *restrict range, int32_t *restrict marks
) {
    double arm[3];
    for (int axis = 0; axis < 3; axis++) arm[axis] = of[axis] - view->origin[axis];
    arm[2] += 0.5 * of[4];
    const Patch on = sliced(view, of, columns);
    float frame[9];
    for (int i = 0; i < 9; i++) frame[i] = (float)view->frame[i];
    const float x0 = (float)-arm[0], y0 = (float)-arm[1], z0 = (float)-arm[2], half = (float)(0.5 * of[4]);
    const float outside = (float)(arm[0] * arm[0] + arm[1] * arm[1] - of[3] * of[3]);
    const int64_t size = (int64_t)view->size;
    for (int64_t row = on.first_row; row < on.last_row; row++) {
        const int64_t begin = row * size + columns[row][0], end = row * size + columns[row][1];
        for (int64_t at = begin; at < end; at++) {
            const float d = rays[at], e = rays[pixels + at], f = rays[2 * pixels + at];
            const float x = frame[0] * d + frame[1] * e + frame[2] * f, y = frame[3] * d + frame[4] * e + frame[5] * f;
            const float z = frame[6] * d + frame[7] * e + frame[8] * f;
            const float slope = x * x + y * y, a = slope > 1e-12f ? slope : 1e-12f;
            const float b = x0 * x + y0 * y, square = b * b - a * outside;
            const float root = sqrtf(square > 0.0f ? square : 0.0f);
            const float steep = z < 0.0f ? (z > -1e-9f ? -1e-9f : z) : (z < 1e-9f ? 1e-9f : z);
            const float one = (-half - z0) / steep, other = (half - z0) / steep;
            const float low = one < other ? one : other, high = one < other ? other : one;
            const float in = (-b - root) / a, out = (-b + root) / a;
            const float far = in > low ? in : low, end_at = out < high ? out : high;
            const int nearer = (square > 0.0f) & (far < end_at) & (far > 0.0f) & (far < range[at]);
            range[at] = nearer ? far : range[at];
            marks[at] = nearer ? mark : marks[at];
        }
    }
}

// The walls of a box that the eye is in, numbered from a mark on: low and high x, low and high y, bottom and top.
static void box(
    const View *view, const double *ends, int32_t mark,
    const float *restrict rays, int64_t pixels, float *restrict range, int32_t *restrict marks
) {
    float frame[9], low[3], high[3];
    for (int i = 0; i < 9; i++) frame[i] = (float)view->frame[i];
    for (int i = 0; i < 3; i++) {
        low[i] = (float)(ends[i] - view->origin[i]);
        high[i] = (float)(ends[3 + i] - view->origin[i]);
    }
    for (int64_t at = 0; at < pixels; at++) {
        const float d = rays[at], e = rays[pixels + at], f = rays[2 * pixels + at];
        for (int axis = 0; axis < 3; axis++) {
            const float along = frame[3 * axis] * d + frame[3 * axis + 1] * e + frame[3 * axis + 2] * f;
            const float far = (along < 0.0f ? low[axis] : high[axis]) / along;
            const int nearer = (far > 0.0f) & (far < range[at]);
            range[at] = nearer ? far : range[at];
            marks[at] = nearer ? mark + 2 * axis + (along < 0.0f ? 0 : 1) : marks[at];
        }
    }
}

// What one eye sees of everything, in the order of marks.
static void draw(const RetinaCall *call, const View *view, const int64_t *unseen, const Room *room) {
    Vertex *corners = room->corners;
    const float *rays = call->rays + (int64_t)view->rays;
    float *range = call->ranges + (int64_t)view->picture;
    int32_t *marks = call->marks + (int64_t)view->picture;
    const int64_t pixels = (int64_t)view->size * (int64_t)view->size;
    int32_t mark = 0;
    for (int64_t i = 0; i < call->places; i++) meet(view, call->vertices + 3 * i, corners + i);
    for (int64_t i = 0; i < call->sides; i++, mark++) {
        if (i >= unseen[0] && i < unseen[1]) continue;
        const int32_t *own = call->triangles + 3 * i;
        Vertex *one = corners + own[0], *two = corners + own[1], *three = corners + own[2];
        triangle(view, one, two, three, mark, rays, pixels, range, marks, call->both[i]);
    }
    for (int64_t i = 0; i < call->globes; i++, mark++) {
        const double *globe = call->balls + 4 * i;
        double arm[3], middle[3];
        for (int axis = 0; axis < 3; axis++) arm[axis] = globe[axis] - view->origin[axis];
        local(view->frame, arm, middle);
        ball(view, middle, globe[3], mark, rays, pixels, range, marks);
    }
    for (int64_t i = 0; i < call->columns; i++, mark++)
        pillar(view, call->pillars + 5 * i, room->columns, mark, rays, pixels, range, marks);
    if (call->boxed) box(view, call->box, mark, rays, pixels, range, marks);
}

// drawing.draw_all.
SEEN int32_t artfish_retina(const RetinaCall *call, int64_t begin, int64_t end) {
    double rows = 1.0;
    for (int64_t eye = begin; eye < end; eye++) rows = greatest(rows, call->views[eye].size);
    const Room room = {
        malloc((size_t)(call->places + 1) * sizeof *room.corners), malloc((size_t)rows * sizeof *room.columns)
    };
    const int32_t lacking = !room.corners || !room.columns;
    for (int64_t eye = begin; eye < end && !lacking; eye++)
        draw(call, call->views + eye, call->unseen + 2 * eye, &room);
    free(room.corners), free(room.columns);
    return lacking;
}
