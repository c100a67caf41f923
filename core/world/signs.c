// Signs of life: gaze and breath of fishes, the carriage of their fins, and the effort of their muscles.

#include "compiled/exact.h"
#include "declared.h"

enum { NODES = 23, TAIL_ROOT = 17, UPPER_TIP = 21, LOWER_TIP = 22 };

static const double PI = 3.141592653589793;

// 0 up to the lower bound, 1 from the upper on, and smooth between.
static inline double smooth(double value, const double *bounds) {
    const double share = within((value - bounds[0]) / (bounds[1] - bounds[0]), 0.0, 1.0);
    return share * share * (3.0 - 2.0 * share);
}

// Both eyes of a fish: they turn to what it attends to, and else a little where it turns.
static inline void look_at(
    const Signals *signals, const double *goal, const double *place, const double *frame, double most, double turn,
    double *gaze
) {
    const int attends = isfinite(goal[0]);
    double way[3], own[3];
    for (int axis = 0; axis < 3; axis++) way[axis] = attends ? goal[axis] - place[axis] : 0.0;
    const double far = greatest(sqrt(dot(way, way)), LEAST_LENGTH);
    for (int axis = 0; axis < 3; axis++) way[axis] /= far;
    local(frame, way, own);
    const double off = sqrt(own[0] * own[0] + own[2] * own[2]);
    for (int eye = 0; eye < 2; eye++, gaze += 2) {
        const double side = eye ? -1.0 : 1.0, angle = arctan2(off, side * own[1]);
        const double reach = (angle < signals->seen_angle ? least(angle, most) : 0.0) / greatest(off, 1e-9);
        const double ahead = attends ? reach * own[0] : -side * signals->glance_share * most * turn;
        const double up = attends ? reach * own[2] : 0.0;
        gaze[0] += signals->gaze_share * (ahead - gaze[0]);
        gaze[1] += signals->gaze_share * (up - gaze[1]);
    }
}

// look.trailing.
static inline double trailing(const Signals *signals, const double *nodes, const double *velocity, double length) {
    double terms[3 * NODES], stroke[3], side[3];
    for (int node = 0; node < NODES; node++)
        for (int axis = 0; axis < 3; axis++) terms[3 * node + axis] = signals->masses[node] * velocity[3 * node + axis];
    fold(terms, NODES, 3);
    for (int axis = 0; axis < 3; axis++) {
        const double *root = nodes + 3 * TAIL_ROOT + axis;
        stroke[axis] = 0.5 * (velocity[3 * UPPER_TIP + axis] + velocity[3 * LOWER_TIP + axis]) - terms[axis];
        side[axis] = root[0] + root[9] - root[3] - root[6];
    }
    const double wide = greatest(sqrt(dot(side, side)), LEAST_LENGTH);
    for (int axis = 0; axis < 3; axis++) side[axis] /= wide;
    const double sideways = dot(stroke, side) / length;
    return -sideways / sqrt(sideways * sideways + signals->giving_speed * signals->giving_speed);
}

// Signs.advance.
SEEN int32_t artfish_signs(const SignsCall *call, int64_t begin, int64_t end) {
    TAKE_SIGNS(call);
    for (int64_t i = begin; i < end; i++) {
        // The effort of muscles, and the breath that this takes.
        const int bursting = bursts[i] > 0.0, curled = curls[i] != 0.0;
        const double pace = frequencies[i] * amplitudes[i] / beats[i], reach = strokes[fishes + i];
        const double beyond = within((pace - 1.0) / greatest(bursts[i], 1e-9), 0.0, 1.0);
        double work = bursting ? 0.5 * least(pace, 1.0) + 0.5 * beyond : least(pace, 1.0);
        work = greatest(work, signals->rowing_work * least(reach, 1.0));
        work = bursting && curled ? 1.0 : work;
        const double effort = efforts[i] += signals->exertion_share * (work - efforts[i]);
        const double lacking = greatest(effort, 1.0 - reserves[i]);
        const double share = lacking > breathless[i] ? signals->breathless_share : signals->recovery_share;
        breathless[i] += share * (lacking - breathless[i]);
        const double rate = breaths[i] * (1.0 + (pantings[i] - 1.0) * breathless[i]);
        phase[i] = remainder_of(phase[i] + 2.0 * PI * signals->dt * rate, 2.0 * PI);

        turns[i] += signals->veering_share * (bends[i] - turns[i]);
        const double turn = smooth(fabs(turns[i]), signals->turning), veering = sign(turns[i]) * turn;
        look_at(signals, goals + 3 * i, places + 3 * i, frames + 9 * i, mosts[i], veering, gaze + 4 * i);

        // Fins fold at speed, and spread to turn, to brake and to be shown.
        const double left = fabs(gammas[i] - PI / 2), right = fabs(gammas[fishes + i] - PI / 2);
        const double one = rowings[i], other = rowings[fishes + i];
        const int rows_on = reach > 0.0 && (one < 0.0 || other < 0.0);
        const int still = !curled && !rows_on && !(one < 0.0 && other < 0.0);
        const double brakes = still ? least(greatest(left, right) / signals->broadside_angle, 1.0) : 0.0;
        const double rows = (one != 0.0 || other != 0.0) && !curled ? 1.0 : 0.0;
        const double hard = smooth(effort, signals->bursting) * (bursting ? 1.0 : 0.0), busy = greatest(turn, brakes);
        const double median = greatest(smooth(speeds[i], signals->folding), hard);
        const double pectoral = greatest(smooth(speeds[i], signals->tucking), hard);
        const double shown = greatest(busy, displays[i] * (1.0 - median));
        double *fin = folds + 2 * i;
        fin[0] += signals->eased_share * (greatest(median, signals->calm_fold) * (1.0 - shown) - fin[0]);
        fin[1] += signals->eased_share * (pectoral * (1.0 - greatest(busy, rows)) - fin[1]);
        tails[i] = trailing(signals, nodes + 3 * NODES * i, velocities + 3 * NODES * i, lengths[i]);
    }
    return 0;
}
