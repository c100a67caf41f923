// Fleeing by the rules of Tu 1999, §7.9.2, which core/behavior/routines/escape.py has and explains.

#include "compiled/exact.h"
#include "declared.h"

static const double PI = 3.141592653589793;

enum { WORDS = 6, RULE = WORDS + 1, TURN_ABOUT = 0, FULL_SPEED, TURN_LEFT, TURN_RIGHT };

// The turn to the left that leads to this angle, or as near to it as a turn to the left may.
static inline double to_the_left(const Fleeing *fleeing, double away) {
    return within(away < -PI / 2 ? away + 2 * PI : away, fleeing->least_turn, PI);
}

// The way of a fish that turns by so much in the horizontal plane from a foe at an offset: down from one above and up
// from one below. A fish on its back turns left the other way; one that stands on its tail or nose goes as its back
// lies.
static inline void flee_to(const Fleeing *fleeing, const double *frame, double turn, const double *offset, double *way) {
    const double ahead[3] = {frame[0], frame[3], frame[6]}, left[3] = {frame[1], frame[4], frame[7]};
    double onward[3] = {ahead[0], ahead[1], ahead[2] * 0.0}, rising[3] = {offset[0], offset[1], offset[2]};
    if (!(sqrt(dot(onward, onward)) > 1e-6)) {
        onward[0] = left[1] * 1.0 - left[2] * 0.0;
        onward[1] = left[2] * 0.0 - left[0] * 1.0;
        onward[2] = left[0] * 0.0 - left[1] * 0.0;
    }
    shorten(onward, 3);
    double port[3] = {0.0 * onward[2] - onward[1], onward[0] - 0.0 * onward[2], 0.0 * onward[1] - 0.0 * onward[0]};
    const double side = dot(port, left) < 0.0 ? -1.0 : 1.0;
    double beside, on;
    sin_and_cos(within(turn, -fleeing->astern, fleeing->astern), &beside, &on);
    shorten(rising, 3);
    const double rise = within(-rising[2], -fleeing->steepest, fleeing->steepest), level = sqrt(1.0 - rise * rise);
    for (int axis = 0; axis < 3; axis++)
        way[axis] = level * (on * onward[axis] + beside * (port[axis] * side)) + rise * (axis == 2 ? 1.0 : 0.0);
}

// The side of its course on which a foe leaves me, seen from above, -1 to 1, left positive; 0 ahead.
static inline double misses(const Fleeing *fleeing, const double *offset, const double *its_ahead) {
    double course[2] = {its_ahead[0], its_ahead[1]}, off[2] = {-offset[0], -offset[1]};
    shorten(course, 2);
    shorten(off, 2);
    const double sine = course[0] * off[1] - course[1] * off[0];
    return within((fabs(sine) - fleeing->right_ahead) / fleeing->missing, 0.0, 1.0) * (sine < 0.0 ? -1.0 : 1.0);
}

// escape.escape: from foes at places, with headings, motions and sizes; the words of rules are numbers of _WORDS.
SEEN int32_t artfish_flee(const FleeCall *call, int64_t begin, int64_t end) {
    TAKE_FLEE(call);
    for (int64_t i = begin; i < end; i++) {
        const int64_t me = rows[i];
        const double *frame = frames + 9 * me, length = lengths[me], its_length = sizes[i];
        double offset[3], toward[3], motion[3], own[3], its[3];
        for (int axis = 0; axis < 3; axis++) {
            toward[axis] = offset[axis] = places[3 * i + axis] - middles[3 * me + axis];
            motion[axis] = motions[3 * i + axis] - velocities[3 * me + axis];
        }
        local(frame, offset, own);
        local(frame, headings + 3 * i, its);
        const double distance = shorten(toward, 3), closing = -dot(motion, toward);
        shorten(its, 3);
        const double bearing = fabs(arctan2(own[1], own[0]));
        const int close = sqrt(dot(own, own)) < fleeing->close * (length + its_length);
        const int front = bearing <= fleeing->front, behind = bearing >= PI - fleeing->behind;
        const int holds[WORDS][4] = {
            {1, !close, close, 0},
            {1, front, behind, !front && !behind},
            {1, own[1] > 0.0, own[1] < 0.0, 0},
            {1, its[0] >= fleeing->roughly_cosine, fabs(its[0]) <= fleeing->roughly_sine, 0},
            {1, its[1] > 0.0, its[1] < 0.0, 0},
            {1, closing > 0.0, closing <= 0.0, 0},
        };
        int64_t action = FULL_SPEED, first = -1;
        for (int64_t rule = 0; rule < many; rule++) {
            int fires = 1;
            for (int word = 0; word < WORDS; word++) fires &= holds[word][rules[RULE * rule + word]];
            if (!fires) continue;
            first = rule, action = rules[RULE * rule + WORDS];
            break;
        }
        const double away = wrap(arctan2(own[1], own[0]) + PI);
        double turn = action == TURN_ABOUT ? (chances[i] < 0.5 ? PI : -PI)
            : action == TURN_LEFT                ? to_the_left(fleeing, away)
            : action == TURN_RIGHT               ? -to_the_left(fleeing, -away)
                                                 : 0.0;
        if (astern[me] != 0.0) turn = within(turn + astern[me] * misses(fleeing, own, its), -PI, PI);
        turns[i] = turn, followed[i] = first;
        const int startled = distance < fleeing->start_lengths * length + 0.5 * its_length;
        paces[i] = 1.0 + (distance < fleeing->burst_lengths * (length + its_length) ? 1.0 : 0.0);
        flings[i] = startled && fabs(turn) > fleeing->least_start ? turn : 0.0;
        flee_to(fleeing, frame, turn, offset, ways + 3 * i);
    }
    return 0;
}
