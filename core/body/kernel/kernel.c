// One step of the body (Tu 1999, ch. 4), fishes side by side in the lanes of a register, a lane a fish.
//
// This is the scheme that core/body/production.py defines and explains, in the book's units. All that a species is made
// of comes in `Body`, which tables.py lays out; only the nodes and their groups are known here. Every operation
// is elementwise and one that IEEE 754 fixes, so every build gives the same bits however wide its registers are: it is
// compiled once for each width, without contraction into fused operations (-ffp-contract=off) and without -ffast-math.
//
// LANES is how many fishes a register holds; MOVE and SWIM are the names of the functions that are seen from outside.

#include "body/kernel/muscles.h"
#include "body/kernel/shoal.h"
#define NODES 23
#define GROUPS 7
#define SEGMENTS (GROUPS - 1)
#define VALUES (3 * NODES)
#define MOST_MUSCLES 32

typedef float real __attribute__((vector_size(4 * LANES)));
typedef double pair __attribute__((vector_size(4 * LANES)));                 // of half of the fishes
typedef float narrowed __attribute__((vector_size(2 * LANES)));
typedef int32_t mask __attribute__((vector_size(4 * LANES)));
typedef float floats __attribute__((vector_size(4 * LANES), aligned(4)));    // the same anywhere in memory
typedef double doubles __attribute__((vector_size(4 * LANES), aligned(8)));
// A vector wider than a register GCC moves about in pieces, through memory; so double precision comes in two halves.
typedef struct { pair low, high; } exact;
typedef struct { real x, y, z; } vector;
typedef struct { vector up, ahead, left; } frame;

static const int8_t GROUP[NODES] = {0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6};
static const int8_t FIRST[GROUPS + 1] = {0, 1, 5, 9, 13, 17, 21, 23};
static const int8_t TAIL[6] = {17, 18, 19, 20, 21, 22};
enum { SHOULDER = 2, TAIL_GROUP = 6 };

static inline real both(float value) { return value - (real){0}; }
static inline real choose(mask which, real yes, real no) { return (real)((which & (mask)yes) | (~which & (mask)no)); }
static inline real lesser(real a, real b) { return choose(a < b, a, b); }
static inline real greater(real a, real b) { return choose(a > b, a, b); }
static inline real magnitude(real a) { return (real)((mask)a & 0x7fffffff); }
static inline real root(real a) {
    real out;
    for (int lane = 0; lane < LANES; lane++) out[lane] = __builtin_sqrtf(a[lane]);
    return out;
}

// In registers where the compiler can be told so, GCC from version 12 on, and through memory elsewhere.
#if defined __clang__ || __GNUC__ >= 12
#if LANES == 4
#define LOW 0, 1
#define HIGH 2, 3
#elif LANES == 8
#define LOW 0, 1, 2, 3
#define HIGH 4, 5, 6, 7
#else
#define LOW 0, 1, 2, 3, 4, 5, 6, 7
#define HIGH 8, 9, 10, 11, 12, 13, 14, 15
#endif
static inline real joined(narrowed low, narrowed high) { return __builtin_shufflevector(low, high, LOW, HIGH); }
static inline narrowed low_of(real a) { return __builtin_shufflevector(a, a, LOW); }
static inline narrowed high_of(real a) { return __builtin_shufflevector(a, a, HIGH); }
#else
typedef union { real whole; narrowed halves[2]; } Halves;
static inline real joined(narrowed low, narrowed high) { return (Halves){.halves = {low, high}}.whole; }
static inline narrowed low_of(real a) { return (Halves){a}.halves[0]; }
static inline narrowed high_of(real a) { return (Halves){a}.halves[1]; }
#endif
static inline real narrow(exact a) {
    return joined(__builtin_convertvector(a.low, narrowed), __builtin_convertvector(a.high, narrowed));
}
static inline exact wide(real a) {
    return (exact){__builtin_convertvector(low_of(a), pair), __builtin_convertvector(high_of(a), pair)};
}
static inline exact sum(exact a, exact b) { return (exact){a.low + b.low, a.high + b.high}; }
static inline exact difference(exact a, exact b) { return (exact){a.low - b.low, a.high - b.high}; }
static inline exact product(double s, exact a) { return (exact){s * a.low, s * a.high}; }
static inline exact load(const double *from) {
    return (exact){*(const doubles *)from, *(const doubles *)(from + LANES / 2)};
}
static inline void store(double *to, exact a) { *(doubles *)to = a.low, *(doubles *)(to + LANES / 2) = a.high; }

static inline vector plus(vector a, vector b) { return (vector){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vector minus(vector a, vector b) { return (vector){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline vector times(real s, vector a) { return (vector){s * a.x, s * a.y, s * a.z}; }
static inline real inner(vector a, vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vector cross(vector a, vector b) {
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline vector unit(vector a) { return times(1.0f / root(inner(a, a)), a); }

// What a step works on, for the fishes of one register.
typedef struct {
    vector place[NODES], flow[NODES];       // from the center of mass; relative to the water
    vector total[NODES], external[NODES];   // forces, and those of the water alone
    vector change[NODES];                   // of the velocities
    frame frames[GROUPS];
    real slant[2 * SEGMENTS];               // left of the group before and behind, along the segment
} Work;

// The fins of these fishes: their normals' shares ahead and up, their rowing, and the lift of their flapping.
typedef struct { real ahead[2], up[2], row[2], lift[2]; } Fins;

static void measure_frames(const Body *body, Work *w) {
    vector middle[GROUPS], segment[SEGMENTS];
    for (int g = 0; g < GROUPS; g++) {
        int first = FIRST[g], count = FIRST[g + 1] - first;
        middle[g] = w->place[first];
        for (int n = 1; n < count; n++) middle[g] = plus(middle[g], w->place[first + n]);
        middle[g] = times(both(1.0f / (float)count), middle[g]);
    }
    for (int s = 0; s < SEGMENTS; s++)
        segment[s] = times(both(1.0f / body->segment_lengths[s]), minus(middle[s], middle[s + 1]));
    for (int g = 0; g < GROUPS; g++) {
        vector axis = g == 0 ? segment[0] : g == GROUPS - 1 ? segment[g - 1] : plus(segment[g - 1], segment[g]);
        const vector *ring = w->place + (g == 0 ? FIRST[1] : FIRST[g]);
        vector up = g == TAIL_GROUP ? minus(ring[0], ring[1])
                                    : minus(plus(ring[0], ring[1]), plus(ring[2], ring[3]));
        frame *own = w->frames + g;
        own->ahead = unit(axis);
        own->left = unit(cross(up, axis));
        own->up = cross(own->ahead, own->left);
    }
    for (int s = 0; s < SEGMENTS; s++)
        for (int e = 0; e < 2; e++) w->slant[e * SEGMENTS + s] = inner(w->frames[s + e].left, segment[s]);
}

// Equation 4.1: the units' springs and dampers.
static void unit_forces(const Body *body, Work *w, const real *muscles) {
    for (int u = 0; u < body->units; u++) {
        int i = body->unit_nodes[2 * u], j = body->unit_nodes[2 * u + 1];
        vector span = minus(w->place[j], w->place[i]);
        real rate = inner(minus(w->flow[j], w->flow[i]), span);
        real inverse = 1.0f / root(inner(span, span));
        int muscle = body->unit_muscles[u];
        real tension = muscle < 0 ? both(body->tension[u]) : body->elasticity[u] * muscles[muscle];
        real stiffness = (body->viscosity[u] * rate * inverse - tension) * inverse + body->elasticity[u];
        vector force = times(stiffness, span);
        w->total[i] = plus(w->total[i], force);
        w->total[j] = minus(w->total[j], force);
    }
}

// Equation 4.3: the water on the skin, no stronger than what stops a triangle or the fish within the step.
static void skin_forces(const Body *body, Work *w) {
    vector on[NODES] = {0};
    vector ahead = w->frames[SHOULDER].ahead;
    real stopped = {0};
    for (int f = 0; f < body->faces; f++) {
        const int32_t *corner = body->face_nodes + 3 * f;
        int a = corner[0], b = corner[1], c = corner[2];
        vector normal = cross(minus(w->place[b], w->place[a]), minus(w->place[c], w->place[a]));
        vector flow = times(both(body->flow_unit), plus(plus(w->flow[a], w->flow[b]), w->flow[c]));
        real square = inner(normal, normal);
        real push = lesser(inner(normal, flow), both(0.0f));
        real drag = root(inner(flow, flow) * square);
        stopped += body->stopping * push;
        push = push * drag / square / greater(drag * body->compliance[f], both(1.0f));
        if (f < body->trunk_faces) normal = minus(normal, times(inner(normal, ahead) * body->streamlining, ahead));
        vector force = times(push, normal);
        on[a] = plus(on[a], force);
        on[b] = plus(on[b], force);
        on[c] = plus(on[c], force);
    }
    real share = (1.0f / 3.0f) / greater(stopped, both(1.0f));
    for (int n = 0; n < NODES; n++) w->external[n] = times(share, on[n]);
}

// Equation 4.16: the pectoral fins.
static void fin_forces(const Body *body, Work *w, const Fins *fins) {
    vector ahead = w->frames[SHOULDER].ahead, up = w->frames[SHOULDER].up;
    for (int side = 0; side < 2; side++) {
        const float *weights = body->fin_weights + side * NODES;
        vector flow = times(fins->row[side], ahead);
        for (int n = 0; n < NODES; n++)
            if (weights[n] != 0.0f) flow = plus(flow, times(both(weights[n]), w->flow[n]));
        vector normal = plus(times(fins->ahead[side], ahead), times(fins->up[side], up));
        real push = lesser(root(inner(flow, flow)), both(body->fin_fastest)) * inner(flow, normal) * body->fin_strength;
        vector force = plus(times(push, normal), times(fins->lift[side], up));
        for (int n = 0; n < NODES; n++)
            if (weights[n] != 0.0f) w->external[n] = plus(w->external[n], times(both(weights[n]), force));
    }
}

// Lighthill 1971, eq. 4: the reaction of the water that leaves the tail.
static void tail_force(const Body *body, Work *w) {
    const frame *own = w->frames + TAIL_GROUP;
    vector flow = w->flow[TAIL[0]];
    for (int k = 1; k < 6; k++) flow = plus(flow, w->flow[TAIL[k]]);
    flow = times(both(1.0f / 6.0f), flow);
    real along = inner(flow, own->ahead), across = inner(flow, own->left);
    real excess = body->tail_strength * (magnitude(along) + magnitude(across));
    real momentum = body->tail_lost * across / greater(excess, both(1.0f));
    vector force = plus(times(-0.5f * across * momentum, own->ahead),
                        times(greater(along, both(0.0f)) * momentum, own->left));
    force = times(both(1.0f / 6.0f), force);
    for (int k = 0; k < 6; k++) w->external[TAIL[k]] = plus(w->external[TAIL[k]], force);
}

// Vectors of the nodes in their groups' own frames, up, ahead and left after one another, and back.
static void to_groups(const Work *w, const vector *in, real *out) {
    for (int n = 0; n < NODES; n++) {
        const frame *own = w->frames + GROUP[n];
        out[n] = inner(own->up, in[n]);
        out[NODES + n] = inner(own->ahead, in[n]);
        out[2 * NODES + n] = inner(own->left, in[n]);
    }
}
static void from_groups(const Work *w, const real *in, vector *out) {
    for (int n = 0; n < NODES; n++) {
        const frame *own = w->frames + GROUP[n];
        vector level = plus(times(in[n], own->up), times(in[NODES + n], own->ahead));
        out[n] = plus(level, times(in[2 * NODES + n], own->left));
    }
}

// What a bend makes of motion (spine.py): leftward speed and roll of each group, along the slant of each segment,
// shift and pitch what is ahead of the segment; and what is ahead of it, moved ahead, moves to the left.
static void slanted(const Work *w, const real *groups, real *segments) {
    for (int s = 0; s < SEGMENTS; s++)
        segments[s] = w->slant[s] * groups[s] - w->slant[SEGMENTS + s] * groups[s + 1];
}
static void slanted_back(const Work *w, const real *segments, real *groups) {
    real behind = {0};
    for (int s = 0; s < SEGMENTS; s++) {
        groups[s] = behind + w->slant[s] * segments[s];
        behind = (real){0} - w->slant[SEGMENTS + s] * segments[s];
    }
    groups[SEGMENTS] = behind;
}
static void gather(const float *shares, const real *values, real *groups) {
    for (int g = 0; g < GROUPS; g++) {
        real sum = {0};
        for (int n = FIRST[g]; n < FIRST[g + 1]; n++) sum += shares[n] * values[n];
        groups[g] = sum;
    }
}
static inline real row(const float *factors, const real *segments) {
    real sum = factors[0] * segments[0];
    for (int s = 1; s < SEGMENTS; s++) sum += factors[s] * segments[s];
    return sum;
}
// The same for all nodes, of which many have the factors of an earlier one: `first` says whose.
static void rows(const float *factors, const int32_t *first, const real *segments, real *out) {
    for (int n = 0; n < NODES; n++) out[n] = first[n] == n ? row(factors + n * SEGMENTS, segments) : out[first[n]];
}
static void add_bend(const Body *body, const Work *w, real *values, float sign) {
    real groups[GROUPS], shift[SEGMENTS], pitch[SEGMENTS], raised[NODES], pushed[NODES], swung[NODES];
    real *up = values, *ahead = values + NODES, *left = values + 2 * NODES;
    gather(body->means, left, groups);
    slanted(w, groups, shift);
    gather(body->rolls, left, groups);
    groups[0] = groups[1];  // the nose has no roll of its own
    slanted(w, groups, pitch);
    rows(body->pitched_up, body->first_up, pitch, raised);
    rows(body->shifted, body->first_shifted, shift, pushed);
    rows(body->pitched_ahead, body->first_ahead, pitch, swung);
    for (int n = 0; n < NODES; n++) {
        up[n] += sign * raised[n];
        ahead[n] += sign * (pushed[n] + swung[n]);
    }
}
static void add_slither(const Body *body, const Work *w, real *values, float sign) {
    real groups[GROUPS], shift[SEGMENTS], pushed[NODES];
    real *ahead = values + NODES, *left = values + 2 * NODES;
    gather(body->means, ahead, groups);
    slanted(w, groups, shift);
    rows(body->shifted, body->first_shifted, shift, pushed);
    for (int n = 0; n < NODES; n++) left[n] += sign * pushed[n];
}
// The same for forces, so that their work stays: the transposed maps, in the opposite order.
static void unfold_force(const Body *body, const Work *w, real *force) {
    real groups[GROUPS], shift[SEGMENTS] = {0}, pitch[SEGMENTS] = {0};
    real *up = force, *ahead = force + NODES, *left = force + 2 * NODES;
    for (int n = 0; n < NODES; n++)
        for (int s = 0; s < SEGMENTS; s++) {
            shift[s] += body->shifted[n * SEGMENTS + s] * ahead[n];
            pitch[s] += body->pitched_up[n * SEGMENTS + s] * up[n] + body->pitched_ahead[n * SEGMENTS + s] * ahead[n];
        }
    slanted_back(w, shift, groups);
    for (int n = 0; n < NODES; n++) left[n] -= body->means[n] * groups[GROUP[n]];
    slanted_back(w, pitch, groups);
    groups[1] += groups[0];
    for (int n = 1; n < NODES; n++) left[n] -= body->rolls[n] * groups[GROUP[n]];
    for (int s = 0; s < SEGMENTS; s++) {
        shift[s] = (real){0};
        for (int n = 0; n < NODES; n++) shift[s] += body->shifted[n * SEGMENTS + s] * left[n];
    }
    slanted_back(w, shift, groups);
    for (int n = 0; n < NODES; n++) ahead[n] += body->means[n] * groups[GROUP[n]];
}

// Left mirrors right, so what is alike on both sides and what is opposite do not mix: two products of half the size.
static void mirrored(const Body *body, const real *values, real *parts) {
    for (int k = 0; k < VALUES; k++) {
        int own = body->mirror[2 * k], other = body->mirror[2 * k + 1];
        real a = values[own], b = values[other];
        parts[k] = own == other ? a : k < body->alike ? a + body->side[k] * b : a - body->side[k] * b;
    }
}
static void multiply(const float *solve, const float *hold, const real *force, const real *flow, int size, real *out) {
    for (int i = 0; i < size; i += 3) {
        real a = {0}, b = {0}, c = {0};
        for (int j = 0; j < size; j++) {
            real p = force[j], q = flow[j];
            a += solve[0] * p + hold[0] * q;
            b += solve[1] * p + hold[1] * q;
            c += solve[2] * p + hold[2] * q;
            solve += 3, hold += 3;
        }
        out[i] = a, out[i + 1] = b, out[i + 2] = c;
    }
}

// The linearly implicit step for the straight body, before and after which the bend is unfolded and folded again.
static void deform(const Body *body, Work *w) {
    real values[VALUES], force[VALUES], flow[VALUES], solved[VALUES];
    const int alike = (int)body->alike;
    to_groups(w, w->total, values);
    unfold_force(body, w, values);
    mirrored(body, values, force);
    to_groups(w, w->flow, values);
    add_bend(body, w, values, 1.0f);
    add_slither(body, w, values, -1.0f);
    mirrored(body, values, flow);
    multiply(body->solve, body->hold, force, flow, alike, solved);
    const float *solve = body->solve + alike * alike, *hold = body->hold + alike * alike;
    multiply(solve, hold, force + alike, flow + alike, VALUES - alike, solved + alike);
    for (int k = 0; k < VALUES; k++) {
        int own = body->mirror[2 * k], other = body->mirror[2 * k + 1], again = k >= alike && own != other;
        values[own] = (again ? values[own] : (real){0}) + solved[k];
        if (own == other) continue;
        values[other] = (again ? values[other] - body->side[k] * solved[k] : (real){0} + body->side[k] * solved[k]);
    }
    add_slither(body, w, values, 1.0f);
    add_bend(body, w, values, -1.0f);
    from_groups(w, values, w->change);
}

static inline real largest(const vector *values) {
    real most = {0};
    for (int n = 0; n < NODES; n++)
        most = greater(most, greater(magnitude(values[n].x), greater(magnitude(values[n].y), magnitude(values[n].z))));
    return most;
}
static inline int any(mask which) {
    int32_t found = 0;
    for (int lane = 0; lane < LANES; lane++) found |= which[lane];
    return found;
}

// Fishes that jump, or have become no numbers, lose all motion but the rigid and creep back towards their shape.
static void rescue_unsound(const Body *body, Work *w) {
    mask sound = ~(mask){0};
    for (int n = 0; n < NODES; n++) {  // of what is no number, nothing is true
        const vector *own = w->change + n;
        sound &= (magnitude(own->x) <= body->jump) & (magnitude(own->y) <= body->jump);
        sound &= magnitude(own->z) <= body->jump;
    }
    if (!any(~sound)) return;
    vector creep[NODES] = {0};
    for (int n = 0; n < NODES; n++)
        for (int k = 0; k < NODES; k++)
            creep[n] = plus(creep[n], times(both(body->rescue[n * NODES + k]), minus(w->total[k], w->external[k])));
    real excess = greater(largest(creep) * body->creep, both(1.0f));
    for (int n = 0; n < NODES; n++) {
        vector slow = times(1.0f / excess, creep[n]);
        slow = minus(slow, w->flow[n]);
        vector *own = w->change + n;
        *own = (vector){choose(sound, own->x, slow.x), choose(sound, own->y, slow.y), choose(sound, own->z, slow.z)};
    }
}

// The rotation with which the body's spin changes by exactly the torque of the water.
static void restore_angular_momentum(const Body *body, Work *w) {
    vector lacking = {0};
    real xx = {0}, yy = {0}, zz = {0}, xy = {0}, yz = {0}, zx = {0};
    for (int n = 0; n < NODES; n++) {
        real rate = both(body->rates[n]);
        vector arm = w->place[n], heavy = times(rate, arm);
        lacking = plus(lacking, cross(arm, minus(w->external[n], times(rate, w->change[n]))));
        xx += arm.x * heavy.x, yy += arm.y * heavy.y, zz += arm.z * heavy.z;
        xy += arm.x * heavy.y, yz += arm.y * heavy.z, zx += arm.z * heavy.x;
    }
    real a = yy + zz, b = zz + xx, c = xx + yy;  // the tensor of inertia, (a -xy -zx; -xy b -yz; -zx -yz c)
    vector first = {b * c - yz * yz, xy * c + yz * zx, xy * yz + zx * b};  // rows of its cofactors
    vector second = {first.y, a * c - zx * zx, a * yz + xy * zx}, third = {first.z, second.z, a * b - xy * xy};
    real determinant = a * first.x - xy * first.y - zx * first.z;
    vector spin = {inner(first, lacking), inner(second, lacking), inner(third, lacking)};
    spin = (vector){spin.x / determinant, spin.y / determinant, spin.z / determinant};
    real most = both(body->most_spin);
    spin.x = greater(lesser(spin.x, most), -most);
    spin.y = greater(lesser(spin.y, most), -most);
    spin.z = greater(lesser(spin.z, most), -most);
    for (int n = 0; n < NODES; n++) w->change[n] = plus(w->change[n], cross(spin, w->place[n]));
}

// Where the nodes of the fishes of one register are, and how fast they move.
typedef struct { exact x[3][NODES], v[3][NODES]; } Motion;

// Moves the fishes of one register on by a step.
static inline void move(const Body *body, Motion *motion, const real *lengths, const exact *water, const Fins *fins) {
    Work w;
    exact middle[3];
    for (int c = 0; c < 3; c++) middle[c] = product(body->shares[0], motion->x[c][0]);
    for (int n = 1; n < NODES; n++)  // three sums side by side, for each of them waits for its last
        for (int c = 0; c < 3; c++) middle[c] = sum(middle[c], product(body->shares[n], motion->x[c][n]));
    for (int n = 0; n < NODES; n++) {
        exact at[3], past[3];
        for (int c = 0; c < 3; c++)
            at[c] = difference(motion->x[c][n], middle[c]), past[c] = difference(motion->v[c][n], water[c]);
        w.place[n] = (vector){narrow(at[0]), narrow(at[1]), narrow(at[2])};
        w.flow[n] = (vector){narrow(past[0]), narrow(past[1]), narrow(past[2])};
    }
    memset(w.total, 0, sizeof w.total);
    measure_frames(body, &w);
    unit_forces(body, &w, lengths);
    skin_forces(body, &w);
    fin_forces(body, &w, fins);
    if (body->tail_lost != 0.0f) tail_force(body, &w);
    vector pushed = {0};
    for (int n = 0; n < NODES; n++) {
        w.total[n] = plus(w.total[n], w.external[n]);
        pushed = plus(pushed, w.external[n]);
    }
    deform(body, &w);
    rescue_unsound(body, &w);
    restore_angular_momentum(body, &w);
    const real force[3] = {pushed.x, pushed.y, pushed.z};
    for (int c = 0; c < 3; c++) {
        exact change[NODES], drift = {{0}, {0}};
        for (int n = 0; n < NODES; n++) {
            const real *own = &w.change[n].x;
            change[n] = wide(own[c]);
            drift = sum(drift, product(body->shares[n], change[n]));
        }
        drift = difference(wide(force[c] * body->impulse), drift);
        for (int n = 0; n < NODES; n++) {
            motion->v[c][n] = sum(motion->v[c][n], sum(change[n], drift));
            motion->x[c][n] = sum(motion->x[c][n], product(body->dt, motion->v[c][n]));
        }
    }
}

// Moves a block of fishes on by some steps, in place; their number is a multiple of the lanes.
// x, v (23, 3, fishes), muscles (steps, muscles, fishes), water (3, fishes) in double precision, fins (4, 2, fishes).
// `from` and `to` are the fishes of the block that are moved, both multiples of the lanes.
SEEN void MOVE(const Body *body, int64_t fishes, int64_t from, int64_t to, int64_t steps, double *x, double *v,
               const double *muscles, const double *water, const float *fins) {
    for (int64_t f = from; f < to; f += LANES) {
        exact current[3];
        Fins own;
        Motion motion;
        real lengths[MOST_MUSCLES];
        for (int c = 0; c < 3; c++) current[c] = load(water + c * fishes + f);
        for (int side = 0; side < 2; side++) {
            const float *fin = fins + side * fishes + f;
            own.ahead[side] = *(const floats *)fin;
            own.up[side] = *(const floats *)(fin + 2 * fishes);
            own.row[side] = *(const floats *)(fin + 4 * fishes);
            own.lift[side] = *(const floats *)(fin + 6 * fishes);
        }
        for (int c = 0; c < 3; c++)
            for (int n = 0; n < NODES; n++) {
                motion.x[c][n] = load(x + (3 * n + c) * fishes + f);
                motion.v[c][n] = load(v + (3 * n + c) * fishes + f);
            }
        for (int64_t step = 0; step < steps; step++) {
            for (int m = 0; m < body->muscles; m++)
                lengths[m] = narrow(load(muscles + (step * body->muscles + m) * fishes + f));
            move(body, &motion, lengths, current, &own);
        }
        for (int c = 0; c < 3; c++)
            for (int n = 0; n < NODES; n++) {
                store(x + (3 * n + c) * fishes + f, motion.x[c][n]);
                store(v + (3 * n + c) * fishes + f, motion.v[c][n]);
            }
    }
}

// A number of each fish of a register, and rows of them.
typedef double lanes[LANES] __attribute__((aligned(8 * LANES)));

// Between the order of the shoal, fish by fish (fish, 23, 3), and that of a register.
static inline void gather_fishes(const double *from, const int64_t *rows, exact to[3][NODES]) {
    lanes values[VALUES];
    for (int lane = 0; lane < LANES; lane++)
        for (int k = 0; k < VALUES; k++) values[k][lane] = from[rows[lane] * VALUES + k];
    for (int c = 0; c < 3; c++)
        for (int n = 0; n < NODES; n++) to[c][n] = load(values[3 * n + c]);
}
static inline void scatter_fishes(double *to, const int64_t *rows, int count, exact from[3][NODES]) {
    lanes values[VALUES];
    for (int c = 0; c < 3; c++)
        for (int n = 0; n < NODES; n++) store(values[3 * n + c], from[c][n]);
    for (int lane = 0; lane < count; lane++)
        for (int k = 0; k < VALUES; k++) to[rows[lane] * VALUES + k] = values[k][lane];
}

// PectoralForces.hold.
static inline Fins fins_of(double flapping, const lanes *gamma, const lanes *row) {
    Fins fins;
    for (int side = 0; side < 2; side++) {
        float strokes[4][LANES] __attribute__((aligned(64)));
        lanes up, ahead;
        sines_of(gamma[side], LANES, up, ahead);
        for (int lane = 0; lane < LANES; lane++) {
            strokes[0][lane] = (float)ahead[lane], strokes[1][lane] = (float)up[lane];
            strokes[2][lane] = (float)row[side][lane], strokes[3][lane] = (float)(-flapping * ahead[lane] * up[lane]);
        }
        fins.ahead[side] = *(const floats *)strokes[0], fins.up[side] = *(const floats *)strokes[1];
        fins.row[side] = *(const floats *)strokes[2], fins.lift[side] = *(const floats *)strokes[3];
    }
    return fins;
}

// Moves the fishes of one rank on by a frame: muscles, fins and bodies, and the samples of those that are seen.
static void swim(const Frame *frame, const Rank *rank) {
    const Shoal *shoal = frame->shoal;
    const Block *block = block_of(frame->blocks, rank->block);
    const Pace *pace = pace_of(block, rank->swift);
    const Body *body = pace->body;
    const Sinews muscles = *pace->muscles;
    const int count = rank->count, curling = rank->curling;
    const int64_t columns = block->columns, steps = frame->steps * pace->parts;
    int64_t rows[LANES];
    lanes targets[TARGETS], phase, swing[3], curl, states[5], lengths[2][MOST_MUSCLES];
    for (int lane = 0; lane < LANES; lane++) {
        const int64_t column = rank->columns[lane];
        rows[lane] = block->rows[column];
        for (int k = 0; k < TARGETS; k++) targets[k][lane] = shoal->targets[k * shoal->fishes + rows[lane]];
        phase[lane] = block->phase[column], curl[lane] = block->curl[column];
        for (int k = 0; k < 3; k++) swing[k][lane] = block->swing[k * columns + column];
        for (int k = 0; k < body->muscles; k++) lengths[1][k][lane] = block->lengths[k * columns + column];
    }
    memcpy(states[4], curl, sizeof curl);
    const Pulls by = {targets[FREQUENCY], targets[AMPLITUDE], targets[CURL], targets[FLING], phase, swing[0], curl};
    const Fins fins = fins_of(block->flapping, targets + GAMMA, targets + ROW);
    const exact water[3] = {load(targets[WATER]), load(targets[WATER + 1]), load(targets[WATER + 2])};
    Motion motion;
    gather_fishes(shoal->x, rows, motion.x);
    gather_fishes(shoal->v, rows, motion.v);
    int64_t cut = 0;
    for (int64_t step = 0; step < steps; step++) {
        const lanes *last = lengths[(step + 1) & 1];
        lanes *now = lengths[step & 1];
        contract(&muscles, &by, LANES, LANES, (double)step + 1.0, curling, pace->hurrying != 0, states[0], last[0], now[0]);
        real tensions[MOST_MUSCLES];
        for (int m = 0; m < body->muscles; m++) tensions[m] = narrow(load(now[m]));
        move(body, &motion, tensions, water, &fins);
        if (cut == pace->cuts || pace->ends[cut] != step + 1) continue;
        for (int lane = 0; lane < count; lane++) {
            const int64_t first = shoal->samples_of[rows[lane]];
            double *to = frame->samples + (first + cut) * VALUES;
            for (int n = 0; first >= 0 && n < NODES; n++)
                for (int c = 0; c < 3; c++)
                    to[3 * n + c] = ((const double *)&motion.x[c][n])[lane] * shoal->metres[rows[lane]];
        }
        cut++;
    }
    scatter_fishes(shoal->x, rows, count, motion.x);
    scatter_fishes(shoal->v, rows, count, motion.v);
    const lanes *then = lengths[(steps + 1) & 1];
    for (int lane = 0; lane < count; lane++) {
        const int64_t column = rank->columns[lane];
        block->phase[column] = states[0][lane], block->curl[column] = states[4][lane];
        for (int k = 0; k < 3; k++) block->swing[k * columns + column] = states[1 + k][lane];
        for (int k = 0; k < body->muscles; k++) block->lengths[k * columns + column] = then[k][lane];
    }
}

// Moves ranks of fishes on by a frame for as long as there are any, whoever else does so at the same time.
SEEN void SWIM(const Frame *frame) {
    for (;;) {
        const int64_t rank = __atomic_fetch_add(frame->next, 1, __ATOMIC_RELAXED);
        if (rank >= frame->count) return;
        swim(frame, (const Rank *)frame->ranks + rank);
    }
}
