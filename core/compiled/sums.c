// Sums along an axis in the order of core/base/sums.py, which defines it: halves are folded until one is left.

#include "compiled/exact.h"
#include "declared.h"

enum { ROOM = 4096 };  // numbers that are folded at once; more are left to NumPy's form

// total: the sums over the middle axis.
SEEN int32_t artfish_total(const TotalCall *call, int64_t begin, int64_t end) {
    TAKE_TOTAL(call);
    if (count < 1 || inner < 1 || count > ROOM / inner) return 1;
    double left[ROOM];
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
        memcpy(sums + row * inner, from, (size_t)inner * sizeof *sums);
    }
    return 0;
}

// weighted: the sums of vectors, each times its share; all rows have one set of shares, or each its `own`.
SEEN int32_t artfish_weighted(const WeightedCall *call, int64_t begin, int64_t end) {
    TAKE_WEIGHTED(call);
    if (count < 1 || inner < 1 || count > ROOM / inner || voices != (own ? outer * count : count)) return 1;
    double left[ROOM], each[ROOM];
    for (int64_t row = begin; row < end; row++) {
        const double *vector = vectors + row * count * inner;
        if (own || row == begin)
            for (int64_t i = 0; i < count * inner; i++) each[i] = shares[row * own * count + i / inner];
        for (int64_t i = 0; i < count * inner; i++) left[i] = each[i] * vector[i];
        fold(left, count, inner);
        memcpy(sums + row * inner, left, (size_t)inner * sizeof *sums);
    }
    return 0;
}

// scaled: vectors, each times its factor.
SEEN int32_t artfish_scaled(const ScaledCall *call, int64_t begin, int64_t end) {
    TAKE_SCALED(call);
    for (int64_t row = begin; row < end; row++)
        for (int64_t i = row * inner; i < (row + 1) * inner; i++) found[i] = vectors[i] * factors[row];
    return 0;
}
