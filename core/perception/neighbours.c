// Neighbours of fishes; tests/plain/perception/neighbours.py says the same in NumPy.

#include "compiled/exact.h"
#include "declared.h"

// Neighbourhood.around: what the rows say of the fishes that are near others; so many of the rows are near.
SEEN int32_t artfish_around(const AroundCall *call, int64_t begin, int64_t end) {
    TAKE_AROUND(call);
    for (int64_t pair = begin * many; pair < end * many; pair++) {
        const int64_t me = fishes[pair / many], other = rows[pair];
        for (int axis = 0; axis < 3; axis++) {
            offsets[3 * pair + axis] = places[3 * other + axis] - places[3 * me + axis];
            motions[3 * pair + axis] = velocities[3 * other + axis] - velocities[3 * me + axis];
            headings[3 * pair + axis] = ways[3 * other + axis];
        }
        sizes[pair] = lengths[other];
        const int near = pair % many < close, seen = sqrt(dot(offsets + 3 * pair, offsets + 3 * pair)) <= sights[me];
        kin[pair] = species[other] == species[me] && other != me && seen;
        leaders[pair] = leads[other];
        others[pair] = other != me && near;
    }
    return 0;
}
