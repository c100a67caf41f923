// Polygons of fishes, whose shapes core/form/polygons.py lays out: what coupling.py, look.py and pectorals.py do to
// those of a film, for fishes in the window. They are seen and feed no state, so they are in single precision.

#include <stdlib.h>

#include "compiled/exact.h"
#include "declared.h"

enum { NODES = 23, SEGMENTS = 6, CORNERS = 4, COLUMNS = NODES + 6 * SEGMENTS, JAW = COLUMNS, GILL, WAYS };
enum { RAYS = 12, CAUDAL_ROWS = 7, CAUDAL_COLUMNS = 5, CAUDAL = CAUDAL_ROWS * CAUDAL_COLUMNS, PECTORAL = 4 };
enum { DORSAL_AT = 0, VENTRAL_AT = 2 * RAYS, CAUDAL_AT = 4 * RAYS, LEFT_AT = CAUDAL_AT + CAUDAL };
enum { ROOTED = PECTORAL + 3, EYES_AT = LEFT_AT + 2 * ROOTED, LANES = 8 };

static inline void cross(const double *a, const double *b, double *found) {
    found[0] = a[1] * b[2] - a[2] * b[1];
    found[1] = a[2] * b[0] - a[0] * b[2];
    found[2] = a[0] * b[1] - a[1] * b[0];
}

// anatomy.frame_from, by axes: ahead, left and up.
static inline void frame_of(const double *ahead, const double *up, double frame[3][3]) {
    memcpy(frame[0], ahead, sizeof frame[0]);
    shorten(frame[0], 3);
    cross(up, frame[0], frame[1]);
    shorten(frame[1], 3);
    cross(frame[0], frame[1], frame[2]);
}

// What lies to the left, and above, of a ring of four nodes.
static inline void sides(const double *ring, double *left, double *up) {
    for (int i = 0; i < 3; i++) {
        left[i] = ring[i] + ring[9 + i] - ring[3 + i] - ring[6 + i];
        up[i] = ring[i] + ring[3 + i] - ring[6 + i] - ring[9 + i];
    }
}

// coupling.face_axes of the right and the left face of every segment, each as long as the fish.
static void face_axes(const double *nodes, double length, float (*found)[3]) {
    for (int segment = 0; segment < SEGMENTS; segment++) {
        const double *front[CORNERS], *back[CORNERS];
        for (int i = 0; i < CORNERS; i++) {
            front[i] = segment ? nodes + 3 * (CORNERS * segment - 3 + i) : nodes;
            back[i] = segment < SEGMENTS - 1 ? nodes + 3 * (CORNERS * segment + 1 + i) : nodes + 3 * (21 + i / 2);
        }
        for (int face = 1; face < CORNERS; face += 2, found += 3) {
            double one[3], other[3], ahead[3], normal[3], edge[3];
            const int next = (face + 1) % CORNERS;
            for (int i = 0; i < 3; i++) {
                one[i] = front[face][i] - back[next][i], other[i] = front[next][i] - back[face][i];
                ahead[i] = one[i] + other[i];
            }
            shorten(ahead, 3);
            cross(other, one, normal);
            shorten(normal, 3);
            cross(normal, ahead, edge);
            const double side = face == 1 ? -length : length;
            for (int i = 0; i < 3; i++) {
                found[0][i] = (float)(length * ahead[i]), found[1][i] = (float)(side * normal[i]);
                found[2][i] = (float)(-side * edge[i]);
            }
        }
    }
}

typedef float Four __attribute__((vector_size(16)));

static inline Four four_at(const float *from) {
    Four found;
    memcpy(&found, from, sizeof found);
    return found;
}

// Points (3, count) as sums of ways (ways, 3) by shares (ways, count), count a multiple of LANES.
static void sum_up(const float (*ways)[3], int64_t many, const float *shares, int64_t count, float *points) {
    for (int64_t begin = 0; begin < count; begin += LANES) {
        Four sum[6] = {{0.0f}};
        const float *share = shares + begin;
        for (int64_t way = 0; way < many; way++, share += count) {
            const Four one = four_at(share), two = four_at(share + 4);
            for (int i = 0; i < 3; i++) {
                const float of = ways[way][i];
                const Four by = {of, of, of, of};
                sum[2 * i] += by * one, sum[2 * i + 1] += by * two;
            }
        }
        for (int i = 0; i < 3; i++) memcpy(points + i * count + begin, sum + 2 * i, 2 * sizeof *sum);
    }
}

// Vertices of points (3, count), of which there are so many; where the next ones go.
static float *place(const float *points, int64_t count, int64_t many, const double *origin, float *found) {
    for (int64_t vertex = 0; vertex < many; vertex++)
        for (int i = 0; i < 3; i++) *found++ = (float)(origin[i] + (double)points[i * count + vertex]);
    return found;
}

static inline void at(const float *points, int64_t count, int64_t place, double *found) {
    for (int i = 0; i < 3; i++) found[i] = points[i * count + place];
}

static inline void put(float *points, int64_t count, int64_t place, const double *to) {
    for (int i = 0; i < 3; i++) points[i * count + place] = (float)to[i];
}

// look.laid_down of the median fin whose points begin at a place.
static void lay_down(float *points, int64_t count, int64_t fin, double fold, double flat) {
    double roots[RAYS][3];
    for (int ray = 0; ray < RAYS; ray++) at(points, count, fin + ray, roots[ray]);
    for (int ray = 0; ray < RAYS; ray++) {
        double along[3], stand[3], tip[3], sine, cosine;
        const double *before = roots[ray ? ray - 1 : 0], *after = roots[ray < RAYS - 1 ? ray + 1 : ray];
        at(points, count, fin + RAYS + ray, tip);
        for (int i = 0; i < 3; i++) along[i] = after[i] - before[i], tip[i] -= roots[ray][i];
        shorten(along, 3);
        const double back = dot(tip, along);
        for (int i = 0; i < 3; i++) stand[i] = tip[i] - back * along[i];
        const double height = shorten(stand, 3), size = sqrt(back * back + height * height);
        const double lean = arctan2(back, height);
        sin_and_cos(lean + fold * (lean < flat ? flat - lean : 0.0), &sine, &cosine);
        for (int i = 0; i < 3; i++) tip[i] = roots[ray][i] + size * (sine * along[i] + cosine * stand[i]);
        put(points, count, fin + RAYS + ray, tip);
    }
}

// look.trailed of the caudal fin.
static void trail(float *points, int64_t count, int64_t fin, double bend, const double *left) {
    for (int row = 0; row < CAUDAL_ROWS; row++) {
        const int64_t first = fin + CAUDAL_COLUMNS * row, last = first + CAUDAL_COLUMNS - 1;
        double one[3], other[3];
        at(points, count, first, one);
        at(points, count, last, other);
        for (int i = 0; i < 3; i++) one[i] -= other[i];
        const double chord = sqrt(dot(one, one));
        for (int column = 1; column < CAUDAL_COLUMNS; column++) {
            const double share = (double)column / (CAUDAL_COLUMNS - 1), by = 0.5 * bend * chord * share * share;
            for (int i = 0; i < 3; i++) points[i * count + first + column] += (float)(by * left[i]);
        }
    }
}

// Root and outer points of a pectoral fin (Tu 1999, app. B), whose root, middle and axes begin at a place.
static void pectoral(
    const Looks *looks, const float *points, int64_t count, int64_t root, int side, double flap, double oar, double tuck,
    double length, float (*fin)[3]
) {
    const double *rest = looks->rest[side];
    double sine, cosine, middle[3], ahead[3], up[3], frame[3][3];
    sin_and_cos(oar, &sine, &cosine);
    at(points, count, root + PECTORAL, middle);
    at(points, count, root + PECTORAL + 1, ahead);
    at(points, count, root + PECTORAL + 2, up);
    frame_of(ahead, up, frame);
    for (int ray = 0; ray < PECTORAL; ray++) {
        double moved[3], round[3], own[3], corner[3];
        const double size = looks->lengths[ray];
        for (int i = 0; i < 3; i++) moved[i] = looks->rays[ray][i] + flap * size * looks->normal[i];
        shorten(moved, 3);
        for (int i = 0; i < 3; i++) moved[i] *= size;
        cross(looks->axis, moved, round);
        const double along = dot(moved, looks->axis);
        for (int i = 0; i < 3; i++) {
            own[i] = along * looks->axis[i] + cosine * (moved[i] - along * looks->axis[i]) - sine * round[i];
            own[i] += tuck * (looks->tucked[ray][i] - own[i]);
        }
        shorten(own, 3);
        for (int i = 0; i < 3; i++) own[i] *= i == 1 && side ? -size : size;
        for (int axis = 0; axis < 3; axis++)
            corner[axis] = own[0] * rest[axis] + own[1] * rest[3 + axis] + own[2] * rest[6 + axis];
        at(points, count, root + ray, own);
        for (int i = 0; i < 3; i++) {
            fin[ray][i] = (float)own[i];
            fin[PECTORAL + ray][i] =
                (float)(middle[i]
                    + length * (corner[0] * frame[0][i] + corner[1] * frame[1][i] + corner[2] * frame[2][i]));
        }
    }
}

// look.eye_turns: a place on the eyeball as it is turned.
static inline void roll(const double *axis, double sine, double cosine, double *place) {
    double once[3], twice[3];
    cross(axis, place, once);
    cross(axis, once, twice);
    for (int i = 0; i < 3; i++) place[i] += sine * once[i] + (1.0 - cosine) * twice[i];
}

static inline int64_t whole(int64_t many) { return (many + LANES - 1) / LANES * LANES; }

// Vertices of a sheet with so many control points, whose shares are (control points, vertices and none up to LANES);
// `room` is for three numbers of each.
static float *sheet(
    const float (*fin)[3], int64_t controls, const float *shares, int64_t many, const double *origin, float *room,
    float *found
) {
    sum_up(fin, controls, shares, whole(many), room);
    return place(room, whole(many), many, origin, found);
}

static float *fin_sheet(
    const float *points, int64_t count, int64_t begin, int64_t controls, const float *shares, int64_t many,
    const double *origin, float *room, float *found
) {
    float fin[CAUDAL][3];
    for (int64_t point = 0; point < controls; point++)
        for (int i = 0; i < 3; i++) fin[point][i] = points[i * count + begin + point];
    return sheet((const float(*)[3])fin, controls, shares, many, origin, room, found);
}

// Polygons.placed.
SEEN int32_t artfish_polygons(const PolygonsCall *call, int64_t begin, int64_t end) {
    TAKE_POLYGONS(call);
    const Looks *looks = shape->looks;
    const int64_t count = shape->count, body = shape->body, places = shape->places;
    const int64_t fin_vertices = 2 * shape->median_vertices + shape->caudal_vertices + 2 * shape->pectoral_vertices;
    float *points = malloc((size_t)(3 * (count + fin_vertices + LANES)) * sizeof *points), *room = points + 3 * count;
    if (!points) return 1;
    for (int64_t fish = begin; fish < end; fish++) {
        const double *own = nodes + 3 * NODES * fish, length = lengths[fish];
        double origin[3], arms[3 * NODES], frame[3][3], ahead[3], up[3], left[3];
        float ways[WAYS][3];
        for (int i = 0; i < 3; i++) origin[i] = (own[15 + i] + own[18 + i] + own[21 + i] + own[24 + i]) / 4.0;
        for (int node = 0; node < NODES; node++)
            for (int i = 0; i < 3; i++) {
                arms[3 * node + i] = own[3 * node + i] - origin[i];
                ways[node][i] = (float)arms[3 * node + i];
            }
        face_axes(arms, length, ways + NODES);

        const double breath = looks->breath * breaths[2 * fish];
        const double sip = looks->sip * looks->breath * breaths[2 * fish + 1];
        const double open = length * greatest(mouths[fish], sip);
        sides(arms + 3, left, up);
        for (int i = 0; i < 3; i++)
            ahead[i] = arms[i] - (arms[3 + i] + arms[6 + i] + arms[9 + i] + arms[12 + i]) / 4.0;
        frame_of(ahead, up, frame);
        shorten(left, 3);
        for (int i = 0; i < 3; i++) {
            ways[JAW][i] = (float)(open * (looks->thrust * frame[0][i] - looks->drop * frame[2][i]));
            ways[GILL][i] = (float)(breath * length * left[i]);
        }
        sum_up((const float(*)[3])ways, WAYS, shape->shares, count, points);

        float *next = place(points, count, body, origin, found + 3 * vertices * fish);
        if (looks->fold > 0.0) {
            lay_down(points, count, body + DORSAL_AT, looks->fold * folds[2 * fish], looks->flat);
            lay_down(points, count, body + VENTRAL_AT, looks->fold * folds[2 * fish], looks->flat);
        }
        if (looks->give > 0.0) {
            sides(arms + 3 * 17, left, up);
            shorten(left, 3);
            trail(points, count, body + CAUDAL_AT, looks->give * tails[fish], left);
        }
        const float *median = shape->median;
        next = fin_sheet(points, count, body + DORSAL_AT, 2 * RAYS, median, shape->median_vertices, origin, room, next);
        const int64_t under = body + VENTRAL_AT, rear = body + CAUDAL_AT;
        next = fin_sheet(points, count, under, 2 * RAYS, median, shape->median_vertices, origin, room, next);
        next = fin_sheet(points, count, rear, CAUDAL, shape->caudal, shape->caudal_vertices, origin, room, next);
        for (int side = 0; side < 2; side++) {
            float fin[2 * PECTORAL][3];
            const double *motion = fins + 6 * fish + 3 * side, tuck = looks->tuck * folds[2 * fish + 1];
            pectoral(looks, points, count, body + LEFT_AT + ROOTED * side, side, motion[1], motion[2], tuck, length, fin);
            const float *shares = shape->pectoral;
            next = sheet((const float(*)[3])fin, 2 * PECTORAL, shares, shape->pectoral_vertices, origin, room, next);
        }

        for (int i = 0; i < 3; i++) ahead[i] = arms[i];
        sides(arms + 15, left, up);
        frame_of(ahead, up, frame);
        for (int side = 0; side < 2; side++) {
            const double *gaze = gazes + 4 * fish + 2 * side;
            double way[3], axis[3], centre[3], sine, cosine;
            for (int i = 0; i < 3; i++) way[i] = gaze[0] * looks->ahead[side][i] + gaze[1] * looks->up[side][i];
            cross(looks->outward[side], way, axis);
            shorten(axis, 3);
            sin_and_cos(sqrt(dot(way, way)), &sine, &cosine);
            at(points, count, body + EYES_AT + side, centre);
            for (int64_t place = 0; place < places; place++) {
                double ball[3];
                memcpy(ball, shape->balls + 3 * (places * side + place), sizeof ball);
                roll(axis, sine, cosine, ball);
                for (int i = 0; i < 3; i++)
                    *next++ = (float)(origin[i] + centre[i]
                        + length * (ball[0] * frame[0][i] + ball[1] * frame[1][i] + ball[2] * frame[2][i]));
            }
        }
    }
    free(points);
    return 0;
}
