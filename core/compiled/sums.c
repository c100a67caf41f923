// Sums along an axis in the order of core/base/sums.py, which defines it: halves are folded until one is left.

#include "compiled/exact.h"

enum { ROOM = 4096 };  // numbers that are folded at once; more are left to NumPy's form

// Of terms (outer, count, inner) the sums over the middle axis, (outer, inner). Numbers: from which of the outer, to
// which, count, inner.
SEEN int32_t artfish_total(void **arrays, const int64_t *numbers) {
    const int64_t first = numbers[0], outer = numbers[1], count = numbers[2], inner = numbers[3];
    if (count < 1 || inner < 1 || count > ROOM / inner) return 1;
    const double *terms = (double *)arrays[0] + first * count * inner;
    double *sums = (double *)arrays[1] + first * inner, left[ROOM];
    for (int64_t row = first; row < outer; row++, terms += count * inner, sums += inner) {
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
// sums, (outer, inner). Numbers: from which of the outer, to which, count, inner, whether each row has its own shares.
SEEN int32_t artfish_weighted(void **arrays, const int64_t *numbers) {
    const int64_t first = numbers[0], outer = numbers[1], count = numbers[2], inner = numbers[3], own = numbers[4];
    if (count < 1 || inner < 1 || count > ROOM / inner) return 1;
    const double *shares = arrays[0], *vectors = (double *)arrays[1] + first * count * inner;
    double *sums = (double *)arrays[2] + first * inner, left[ROOM], each[ROOM];
    for (int64_t row = first; row < outer; row++, vectors += count * inner, sums += inner) {
        if (own || row == first)
            for (int64_t i = 0; i < count * inner; i++) each[i] = shares[row * own * count + i / inner];
        for (int64_t i = 0; i < count * inner; i++) left[i] = each[i] * vectors[i];
        fold(left, count, inner);
        memcpy(sums, left, inner * sizeof *sums);
    }
    return 0;
}

// Vectors (outer, inner), each times its factor (outer), into an array of that shape. Numbers: from which of the outer,
// to which, inner.
SEEN int32_t artfish_scaled(void **arrays, const int64_t *numbers) {
    const double *vectors = arrays[0], *factors = arrays[1];
    double *found = arrays[2];
    const int64_t inner = numbers[2];
    for (int64_t row = numbers[0]; row < numbers[1]; row++)
        for (int64_t i = row * inner; i < (row + 1) * inner; i++) found[i] = vectors[i] * factors[row];
    return 0;
}
