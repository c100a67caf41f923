// Sines, exponentials, logarithms and arctangents: what core/base/elementary.py defines and explains, compiled.
//
// Operation by operation the same, and every one of them fixed by IEEE 754, so the bits are those of NumPy's form. Loops
// are without branches and calls, which lets a compiler take several numbers at a time. A function takes arrays of so
// many numbers, those of arguments before the one that it fills; it gives 0, or 1 where it leaves them to NumPy's form.

#include "compiled/exact.h"

SEEN int32_t artfish_sin_and_cos(void **arrays, const int64_t *numbers) {
    const int64_t count = numbers[0];
    const double *restrict angles = arrays[0];
    double *restrict sines = arrays[1], *restrict cosines = sines + count;
    int64_t far = 0;
    for (int64_t i = 0; i < count; i++) far |= !(fabs(angles[i]) < FARTHEST_ANGLE);
    if (far) return 1;
    for (int64_t i = 0; i < count; i++) sin_and_cos(angles[i], sines + i, cosines + i);
    return 0;
}

SEEN int32_t artfish_exp(void **arrays, const int64_t *numbers) {
    const int64_t count = numbers[0];
    const double *restrict values = arrays[0];
    double *restrict found = arrays[1];
    for (int64_t i = 0; i < count; i++) found[i] = exponential(values[i]);
    return 0;
}

SEEN int32_t artfish_log(void **arrays, const int64_t *numbers) {
    const int64_t count = numbers[0];
    const double *restrict values = arrays[0];
    double *restrict found = arrays[1];
    int64_t unusual = 0;
    for (int64_t i = 0; i < count; i++) unusual |= !(values[i] >= 2.2250738585072014e-308) | !(values[i] < INFINITY);
    if (unusual) return 1;
    for (int64_t i = 0; i < count; i++) found[i] = logarithm(values[i]);
    return 0;
}

SEEN int32_t artfish_arctan2(void **arrays, const int64_t *numbers) {
    const int64_t count = numbers[0];
    const double *restrict ys = arrays[0], *restrict xs = arrays[1];
    double *restrict found = arrays[2];
    int64_t unusual = 0;
    for (int64_t i = 0; i < count; i++) unusual |= !(fabs(ys[i]) < FARTHEST_LEG) | !(fabs(xs[i]) < FARTHEST_LEG);
    if (unusual) return 1;
    for (int64_t i = 0; i < count; i++) found[i] = arctan2(ys[i], xs[i]);
    return 0;
}
