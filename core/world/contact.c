// Center lines, and how near they come to each other: core/world/contact.py explains them.

#include <math.h>
#include <stdint.h>

#include "compiled/seen.h"
#include "declared.h"

#define NODES 23
#define RINGS 5
#define POINTS 7        // of a center line: nose, middles of the rings, middle of the tail's tips
#define LINKS 6         // between them

typedef struct { double x, y, z; } Vector;

static inline Vector vector(const double *of) { return (Vector){of[0], of[1], of[2]}; }
static inline Vector from_to(Vector a, Vector b) { return (Vector){b.x - a.x, b.y - a.y, b.z - a.z}; }
static inline Vector along(Vector a, double share, Vector way) {
    return (Vector){a.x + share * way.x, a.y + share * way.y, a.z + share * way.z};
}
static inline double dot(Vector a, Vector b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
static inline double at_least(double value, double least) { return (value > least) | (value != value) ? value : least; }
static inline double share_of(double value) { return value < 0.0 ? 0.0 : value > 1.0 ? 1.0 : value; }

// contact.center_lines.
SEEN int32_t artfish_center_lines(const CenterLinesCall *call, int64_t begin, int64_t end) {
    TAKE_CENTER_LINES(call);
    for (int64_t fish = begin; fish < end; fish++) {
        const double *nose = nodes + 3 * NODES * fish;
        double *line = lines + 3 * POINTS * fish;
        for (int axis = 0; axis < 3; axis++) {
            line[axis] = nose[axis];
            for (int ring = 0; ring < RINGS; ring++) {
                const double *corner = nose + 3 * (1 + 4 * ring) + axis;
                line[3 * (1 + ring) + axis] = ((corner[0] + corner[6]) + (corner[3] + corner[9])) / 4.0;
            }
            line[3 * LINKS + axis] = 0.5 * (nose[3 * (NODES - 2) + axis] + nose[3 * (NODES - 1) + axis]);
        }
    }
    return 0;
}

typedef struct {
    double distance, s, t;
    Vector gap;
} Nearest;

// Of two straight segments, from p by d and from q by e, after Ericson, Real-Time Collision Detection (2005), 5.1.9.
static inline Nearest segments(Vector p, Vector d, Vector q, Vector e) {
    const Vector r = from_to(q, p);
    const double a = at_least(dot(d, d), 1e-18), c = at_least(dot(e, e), 1e-18), b = dot(d, e);
    const double dr = dot(d, r), er = dot(e, r), cross = a * c - b * b;
    double s = cross > 1e-12 * a * c ? share_of((b * er - dr * c) / cross) : 0.0;
    const double t = (b * s + er) / c;
    s = t < 0.0 ? share_of(-dr / a) : t > 1.0 ? share_of((b - dr) / a) : s;
    const Nearest found = {0.0, s, share_of(t), from_to(along(p, s, d), along(q, share_of(t), e))};
    return (Nearest){sqrt(dot(found.gap, found.gap)), found.s, found.t, found.gap};
}

// How far the points of a line are from its chord at most.
static double bow_of(const double *line) {
    const Vector nose = vector(line), chord = from_to(nose, vector(line + 3 * LINKS));
    double most = 0.0;
    for (int point = 1; point < LINKS; point++) {
        const Vector arm = from_to(nose, vector(line + 3 * point));
        const double share = share_of(dot(arm, chord) / at_least(dot(chord, chord), 1e-18));
        const Vector off = {arm.x - share * chord.x, arm.y - share * chord.y, arm.z - share * chord.z};
        most = at_least(sqrt(dot(off, off)), most);
    }
    return most;
}

// contact.near: of pairs, those whose center lines come nearer to each other than both reach, in order. A line with
// what is no number meets none.
SEEN int32_t artfish_closest(const ClosestCall *call) {
    TAKE_CLOSEST(call);
    int64_t done = 0;
    for (int64_t pair = 0; pair < pairs; pair++) {
        const int64_t a = one[pair], b = other[pair];
        const double *its = lines + 3 * POINTS * a, *line = lines + 3 * POINTS * b, both = reach[a] + reach[b];
        const Vector p = vector(its), q = vector(line);
        // Most are side by side: straight lines from nose to tail tell them apart, with allowance for how far lines
        // bow.
        const Vector chord = from_to(p, vector(its + 3 * LINKS)), across = from_to(q, vector(line + 3 * LINKS));
        if (!(segments(p, chord, q, across).distance < both + bow_of(its) + bow_of(line))) continue;
        Nearest nearest = {INFINITY, 0.0, 0.0, {0.0, 0.0, 0.0}};
        int on = 0, against = 0;
        for (int i = 0; i < LINKS; i++)
            for (int j = 0; j < LINKS; j++) {
                const Vector from = vector(its + 3 * i), start = vector(line + 3 * j);
                const Nearest found = segments(from, from_to(from, vector(its + 3 * i + 3)), start,
                                               from_to(start, vector(line + 3 * j + 3)));
                if (found.distance < nearest.distance) nearest = found, on = i, against = j;
            }
        if (!(nearest.distance < both)) continue;
        first[done] = a, second[done] = b, distances[done] = nearest.distance;
        at[done] = on + nearest.s, there[done] = against + nearest.t;
        gaps[3 * done] = nearest.gap.x, gaps[3 * done + 1] = nearest.gap.y, gaps[3 * done + 2] = nearest.gap.z;
        done++;
    }
    many[0] = done;
    return 0;
}
