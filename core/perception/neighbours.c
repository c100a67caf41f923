// Who is around whom: what core/perception/neighbours.py defines and explains, compiled, with the same bits.

#include "compiled/exact.h"

// What the rows say of the fishes that are near others, see perception/neighbours.py. Arrays: fishes that look around
// (n), rows of others (n, k); places, headings, velocities (fish, 3), lengths, species, who leads, how far each
// sees (fish); and to be filled offsets, motions, headings (n, k, 3), lengths, who is kin, who leads, who is another
// (n, k). Numbers: from which of those that look around, to which, k, how many of these are near.
SEEN int32_t artfish_around(void **arrays, const int64_t *numbers) {
    const int64_t *fishes = arrays[0], *rows = arrays[1], *species = arrays[6], many = numbers[2];
    const double *places = arrays[2], *ways = arrays[3], *velocities = arrays[4], *lengths = arrays[5];
    const uint8_t *leads = arrays[7];
    const double *sights = arrays[8];
    double *offsets = arrays[9], *motions = arrays[10], *headings = arrays[11], *sizes = arrays[12];
    uint8_t *kin = arrays[13], *leaders = arrays[14], *others = arrays[15];
    for (int64_t pair = numbers[0] * many; pair < numbers[1] * many; pair++) {
        const int64_t me = fishes[pair / many], other = rows[pair];
        for (int axis = 0; axis < 3; axis++) {
            offsets[3 * pair + axis] = places[3 * other + axis] - places[3 * me + axis];
            motions[3 * pair + axis] = velocities[3 * other + axis] - velocities[3 * me + axis];
            headings[3 * pair + axis] = ways[3 * other + axis];
        }
        sizes[pair] = lengths[other];
        const double *arm = offsets + 3 * pair;
        const int near = pair % many < numbers[3];
        const int seen = sqrt(arm[0] * arm[0] + arm[1] * arm[1] + arm[2] * arm[2]) <= sights[me];
        kin[pair] = species[other] == species[me] && other != me && seen;
        leaders[pair] = leads[other];
        others[pair] = other != me && near;
    }
    return 0;
}
