// Sines, exponentials, logarithms and arctangents: what core/base/elementary.py defines and explains, compiled.
//
// Every operation is fixed by IEEE 754, so that the bits are those of tests/plain. Loops over usual numbers
// are without branches and calls, which lets a compiler take several at a time.

#include "compiled/exact.h"
#include "declared.h"

SEEN int32_t artfish_sin_and_cos(const SinAndCosCall *call) {
    const int64_t count = call->count;
    const double *restrict angles = call->angles;
    double *restrict sines = call->sines, *restrict cosines = call->cosines;
    int64_t far = 0;
    for (int64_t i = 0; i < count; i++) far |= !(fabs(angles[i]) < FARTHEST_ANGLE);
    if (far)
        for (int64_t i = 0; i < count; i++) sin_and_cos(angles[i], sines + i, cosines + i);
    else
        for (int64_t i = 0; i < count; i++) near_sin_and_cos(angles[i], sines + i, cosines + i);
    return 0;
}

SEEN int32_t artfish_exp(const ExpCall *call) {
    const int64_t count = call->count;
    const double *restrict values = call->values;
    double *restrict found = call->found;
    for (int64_t i = 0; i < count; i++) found[i] = exponential(values[i]);
    return 0;
}

SEEN int32_t artfish_log(const LogCall *call) {
    const int64_t count = call->count;
    const double *restrict values = call->values;
    double *restrict found = call->found;
    int64_t unusual = 0;
    for (int64_t i = 0; i < count; i++) unusual |= !(values[i] >= LEAST_NORMAL) | !(values[i] < INFINITY);
    if (unusual)
        for (int64_t i = 0; i < count; i++) found[i] = logarithm(values[i]);
    else
        for (int64_t i = 0; i < count; i++) found[i] = normal_logarithm(values[i], 0.0);
    return 0;
}

SEEN int32_t artfish_arctan2(const Arctan2Call *call) {
    const int64_t count = call->count;
    const double *restrict ys = call->ys, *restrict xs = call->xs;
    double *restrict found = call->found;
    int64_t unusual = 0;
    for (int64_t i = 0; i < count; i++) unusual |= !(fabs(ys[i]) < FARTHEST_LEG) | !(fabs(xs[i]) < FARTHEST_LEG);
    if (unusual)
        for (int64_t i = 0; i < count; i++) found[i] = arctan2(ys[i], xs[i]);
    else
        for (int64_t i = 0; i < count; i++) found[i] = near_arctan2(ys[i], xs[i]);
    return 0;
}
