// Sums along an axis in the order of core/base/sums.py, which defines it: halves are folded until one is left.

#include "exact.h"

enum { ROOM = 4096 };  // numbers that are folded at once; more are left to NumPy's form

// Of terms (outer, count, inner) the sums over the middle axis, (outer, inner).
SEEN int32_t artfish_total(void **arrays, const int64_t *numbers) {
    const double *terms = arrays[0];
    double *sums = arrays[1], left[ROOM];
    const int64_t outer = numbers[0], count = numbers[1], inner = numbers[2];
    if (count < 1 || inner < 1 || count > ROOM / inner) return 1;
    for (int64_t row = 0; row < outer; row++, terms += count * inner, sums += inner) {
        int64_t many = count;
        const double *from = terms;
        while (many > 1) {
            const int64_t kept = (many + 1) / 2, folded = many / 2 * inner;
            for (int64_t i = 0; i < folded; i++) left[i] = from[i] + from[kept * inner + i];
            if (kept * inner > folded && from == terms) memcpy(left + folded, from + folded, inner * sizeof *left);
            from = left, many = kept;
        }
        memcpy(sums, from, inner * sizeof *sums);
    }
    return 0;
}

// Of vectors (outer, count, inner), each times its share, (outer, count) or one set of shares for all, (count,), the
// sums, (outer, inner). Numbers: outer, count, inner, whether each row has its own shares.
SEEN int32_t artfish_weighted(void **arrays, const int64_t *numbers) {
    const double *shares = arrays[0], *vectors = arrays[1];
    double *sums = arrays[2], left[ROOM], each[ROOM];
    const int64_t outer = numbers[0], count = numbers[1], inner = numbers[2], own = numbers[3];
    if (count < 1 || inner < 1 || count > ROOM / inner) return 1;
    for (int64_t row = 0; row < outer; row++, vectors += count * inner, sums += inner) {
        if (own || row == 0)
            for (int64_t i = 0; i < count * inner; i++) each[i] = shares[row * own * count + i / inner];
        for (int64_t i = 0; i < count * inner; i++) left[i] = each[i] * vectors[i];
        fold(left, count, inner);
        memcpy(sums, left, inner * sizeof *sums);
    }
    return 0;
}
