// Sums along an axis in the order of core/base/sums.py, which defines it: halves are folded until one is left.

#include <stdlib.h>

#include "compiled/exact.h"
#include "declared.h"

enum { ROOM = 4096 };  // numbers that are folded without asking for memory

// total: the sums over the middle axis.
SEEN int32_t artfish_total(const TotalCall *call, int64_t begin, int64_t end) {
    TAKE_TOTAL(call);
    const int64_t size = (count + 1) / 2 * inner;
    double few[ROOM], *left = size > ROOM ? malloc((size_t)size * sizeof *few) : few;
    if (!left) return 1;
    for (int64_t row = begin; row < end; row++) {
        int64_t many = count;
        const double *from = terms + row * count * inner, *first = from;
        while (many > 1) {
            const int64_t kept = (many + 1) / 2, folded = many / 2 * inner;
            for (int64_t i = 0; i < folded; i++) left[i] = from[i] + from[kept * inner + i];
            if (kept * inner > folded && from == first)
                memcpy(left + folded, from + folded, (size_t)inner * sizeof *left);
            from = left, many = kept;
        }
        for (int64_t i = 0; i < inner; i++) sums[row * inner + i] = many ? from[i] : 0.0;
    }
    if (left != few) free(left);
    return 0;
}

// weighted: the sums of vectors, each times its share; all rows have one set of shares, or each its `own`.
SEEN int32_t artfish_weighted(const WeightedCall *call, int64_t begin, int64_t end) {
    TAKE_WEIGHTED(call);
    const int64_t size = count * inner;
    double few[ROOM], *left = size > ROOM ? malloc((size_t)size * sizeof *few) : few;
    if (!left) return 1;
    for (int64_t row = begin; row < end; row++) {
        const double *vector = vectors + row * size, *share = shares + row * own * count;
        for (int64_t k = 0; k < count; k++)
            for (int64_t i = 0; i < inner; i++) left[k * inner + i] = share[k] * vector[k * inner + i];
        fold(left, count, inner);
        for (int64_t i = 0; i < inner; i++) sums[row * inner + i] = count ? left[i] : 0.0;
    }
    if (left != few) free(left);
    return 0;
}

// scaled: vectors, each times its factor.
SEEN int32_t artfish_scaled(const ScaledCall *call, int64_t begin, int64_t end) {
    TAKE_SCALED(call);
    for (int64_t row = begin; row < end; row++)
        for (int64_t i = row * inner; i < (row + 1) * inner; i++) found[i] = vectors[i] * factors[row];
    return 0;
}
