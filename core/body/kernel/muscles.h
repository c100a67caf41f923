// Rest lengths of muscles, which core/motor/muscles.py explains. Rows of fishes are `stride` apart, and as many of them
// are done at a time as the compiler knows how to.

#pragma once

#include "compiled/exact.h"
#include "declared.h"

enum { MOST_CHUNK = 64, SEGMENT_MUSCLES = 4, MOST_SEGMENTS = 4, PATTERN_KNOTS = 5, MODES = 4, COEFFICIENTS = 1 + 2 * MODES };

// Of some fishes, the first of them here: what the controllers set (rates (2, fish), aims (3, fish), the C-start's curl
// and its pace (fish)), and how beat, bends and curl were before the first step (phase (fish), swing (3, fish), curl
// (fish)).
typedef struct { const double *rates, *aims, *curls, *flings, *phase, *swing, *curl; } Pulls;

// Of one fish that learned to swim, the share of its length that each muscle contracts by, `stride` apart: by
// interpolation over the maps of learned.Pattern.
static inline void by_pattern(
    const Sinews *sinews, double beat, double bend, double phase, int64_t stride, double *shares) {
    const double *straight = sinews->pattern + 2 + MODES, at = least(beat, 1.0) * (double)(PATTERN_KNOTS - 1);
    const double *turning = straight + PATTERN_KNOTS * sinews->muscles * COEFFICIENTS;
    const double turned = (within(bend, -1.0, 1.0) + 1.0) * (double)(PATTERN_KNOTS - 1);
    const int64_t knot = at < PATTERN_KNOTS - 2 ? (int64_t)greatest(at, 0.0) : PATTERN_KNOTS - 2;
    const int64_t place = turned < 2 * PATTERN_KNOTS - 3 ? (int64_t)turned : 2 * PATTERN_KNOTS - 3;
    const double share = at - (double)knot, wide = greatest(beat, 1.0);
    const double rest = turned - (double)place, some = least(beat / sinews->pattern[1], 1.0);
    double waves[2 * MODES];
    for (int mode = 0; mode < MODES; mode++)
        sin_and_cos(sinews->pattern[2 + mode] * phase, waves + 2 * mode, waves + 2 * mode + 1);
    const int64_t row = sinews->muscles * COEFFICIENTS;
    for (int64_t muscle = 0; muscle < sinews->muscles; muscle++) {
        const double *swims = straight + knot * row + muscle * COEFFICIENTS;
        const double *turns = turning + place * row + muscle * COEFFICIENTS;
        double pulled = 0.0;
        for (int k = 0; k < COEFFICIENTS; k++) {
            const double swim = wide * (swims[k] + share * (swims[row + k] - swims[k]));
            const double turn = turns[k] + rest * (turns[row + k] - turns[k]);
            pulled = k ? pulled + (swim + some * turn) * waves[k - 1] : swim + turn;
        }
        shares[muscle * stride] = greatest(pulled, 0.0);
    }
}

// Sines and cosines of some angles, several at a time where all are near.
static inline __attribute__((always_inline)) void sines_of(
    const double *angles, int64_t count, double *restrict sines, double *restrict cosines) {
    int64_t far = 0;
    for (int64_t i = 0; i < count; i++) far |= !(fabs(angles[i]) < FARTHEST_ANGLE);
    if (far)
        for (int64_t i = 0; i < count; i++) sin_and_cos(angles[i], sines + i, cosines + i);
    else
        for (int64_t i = 0; i < count; i++) near_sin_and_cos(angles[i], sines + i, cosines + i);
}

// The share of its length that each segment contracts by, left and right, of `count` fishes: the first two segments
// turn, and all may swim.
static inline __attribute__((always_inline)) void by_hand(
    const Sinews *sinews, int64_t stride, int64_t count, const double *states, double share[MOST_SEGMENTS][2][MOST_CHUNK]) {
    const double *beat = states + stride;
    for (int segment = 0; segment < 2; segment++)
        for (int64_t i = 0; i < count; i++) {
            const double bend = states[(2 + segment) * stride + i], left = greatest(bend, 0.0);
            share[segment][0][i] = sinews->bending * left;
            share[segment][1][i] = sinews->bending * (left - bend);
        }
    for (int64_t segment = 2; segment < sinews->segments; segment++)
        for (int64_t i = 0; i < count; i++) share[segment][0][i] = share[segment][1][i] = 0.0;
    for (int64_t segment = 0; segment < sinews->segments; segment++) {
        const double lag = sinews->lag[segment], beating = sinews->beating[segment];
        if (beating == 0.0) continue;
        double angles[MOST_CHUNK], sines[MOST_CHUNK], cosines[MOST_CHUNK];
        for (int64_t i = 0; i < count; i++) angles[i] = states[i] - lag;
        sines_of(angles, count, sines, cosines);
        for (int64_t i = 0; i < count; i++) {
            const double wave = sines[i] * beat[i];
            share[segment][0][i] += beating * (beat[i] + wave);
            share[segment][1][i] += beating * (beat[i] - wave);
        }
    }
}

// One step of `count` fishes. `ordinal` is that of the step, from 1 on; `last` and `now` are the lengths before and
// after it, (muscles, fish), `states` are phase, beat, the two bends, and the curl if anybody curls, then, (5, fish).
static inline __attribute__((always_inline)) void contract(
    const Sinews *sinews, const Pulls *by, int64_t stride, int64_t count, double ordinal, int curling, int hurrying,
    double *restrict states, const double *restrict last, double *restrict now) {
    double share[MOST_SEGMENTS][2][MOST_CHUNK], pulled[MOST_SEGMENTS * SEGMENT_MUSCLES][MOST_CHUNK];
    double course[MOST_CHUNK], bulk[MOST_CHUNK];
    // A beat swells and fades over about one beat; a bend comes at its rate and goes more slowly.
    for (int segment = 0; segment < 3; segment++) {  // the beat, and the two that turn
        const double *aims = by->aims + segment * stride, *swing = by->swing + segment * stride;
        double *restrict to = states + (1 + segment) * stride;
        for (int64_t i = 0; i < count; i++) {
            const double bend = least(sinews->dt * by->rates[stride + i], sinews->swiftest);
            const double slow = fabs(aims[i]) < fabs(swing[i]) ? sinews->release : 1.0;
            const double pace = segment ? bend * slow : sinews->dt * by->rates[i];
            const double farthest = ordinal * pace;
            to[i] = greatest(least(aims[i] - swing[i], farthest), -farthest) + swing[i];
        }
    }
    const double *beat = states + stride;
    for (int64_t i = 0; i < count; i++)
        states[i] = 6.283185307179586 * ordinal * (sinews->dt * by->rates[i]) + by->phase[i];
    const int learned = sinews->pattern[0] != 0.0;
    if (learned)
        for (int64_t i = 0; i < count; i++)
            by_pattern(sinews, beat[i], states[2 * stride + i], states[i], MOST_CHUNK, pulled[0] + i);
    else
        by_hand(sinews, stride, count, states, share);
    // A C-start begins and ends gently. One side shortens, and the other gives way by as much: a muscle that is relaxed
    // is stretched without resistance, where a unit with a fixed rest length would be a spring that holds the body
    // straight.
    if (curling)
        for (int64_t i = 0; i < count; i++) {
            const double from = by->curl[i], farthest = ordinal * (sinews->dt * by->flings[i]);
            const double to = from + within(by->curls[i] - from, -farthest, farthest);
            states[4 * stride + i] = to;
            course[i] = to * to * (3.0 * sign(to) - 2.0 * to);
            bulk[i] = fabs(course[i]);
        }
    for (int64_t muscle = 0; muscle < sinews->muscles; muscle++) {
        const double *of_side = share[muscle / SEGMENT_MUSCLES][sinews->left[muscle] != 0.0 ? 0 : 1];
        const double *contracted = learned ? pulled[muscle] : of_side;
        const double natural = sinews->natural[muscle], shortest = sinews->shortest[muscle], curl = sinews->curling[muscle];
        const double *before = last + muscle * stride;
        double *restrict to = now + muscle * stride;
        for (int64_t i = 0; i < count; i++) to[i] = greatest(natural * (1.0 - contracted[i]), shortest);
        if (curling)
            for (int64_t i = 0; i < count; i++) to[i] = (to[i] + bulk[i] * (natural - to[i])) + curl * course[i];
        if (hurrying)
            for (int64_t i = 0; i < count; i++)
                to[i] = greatest(least(to[i] - before[i], sinews->most), -sinews->most) + before[i];
    }
}
