// Sums over the neighbours of a fish, in the order of core/base/sums.py.

#pragma once

#include "compiled/exact.h"

// sums.total of so many numbers, which it uses up.
static inline double total(double *terms, int64_t count) {
    fold(terms, count, 1);
    return count ? terms[0] : 0.0;
}

// sums.weighted: shares (k,), vectors (k, 3), and room for as many terms.
static inline void weighted(const double *shares, const double *vectors, int64_t count, double *terms, double *sum) {
    for (int axis = 0; axis < 3; axis++) {
        for (int64_t i = 0; i < count; i++) terms[i] = shares[i] * vectors[3 * i + axis];
        sum[axis] = total(terms, count);
    }
}
