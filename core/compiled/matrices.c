// Products and inverses of matrices, each sum in sequence, as core/base/matrices.py says.

#include <stdlib.h>

#include "compiled/exact.h"
#include "declared.h"

// product: the rows of the second, each times its number in a row of the first, added in their order.
SEEN int32_t artfish_product(const ProductCall *call) {
    TAKE_PRODUCT(call);
    for (int64_t i = 0; i < m; i++) {
        double *row = found + i * n;
        for (int64_t j = 0; j < n; j++) row[j] = 0.0;
        for (int64_t p = 0; p < k; p++) {
            const double factor = first[i * k + p], *from = second + p * n;
            for (int64_t j = 0; j < n; j++) row[j] += factor * from[j];
        }
    }
    return 0;
}

// inverse: elimination row by row, of the matrix beside the identity.
SEEN int32_t artfish_inverse(const InverseCall *call) {
    TAKE_INVERSE(call);
    double *left = malloc((size_t)(n * n) * sizeof *left + sizeof *left);
    if (!left) return 1;
    for (int64_t i = 0; i < n * n; i++) left[i] = matrix[i], found[i] = i % (n + 1) ? 0.0 : 1.0;
    for (int64_t row = 0; row < n; row++) {
        double *own = left + row * n, *mine = found + row * n;
        const double pivot = own[row];
        for (int64_t j = 0; j < n; j++) own[j] /= pivot, mine[j] /= pivot;
        for (int64_t i = 0; i < n; i++) {
            if (i == row) continue;
            double *other = left + i * n, *theirs = found + i * n;
            const double factor = other[row];
            for (int64_t j = 0; j < n; j++) other[j] -= factor * own[j], theirs[j] -= factor * mine[j];
        }
    }
    free(left);
    return 0;
}
