// Grazing: what core/behavior/routines/graze.py and chase.py define and explain, compiled, with the same bits.

#include "compiled/exact.h"

typedef struct {
    double sigma, awry, run_up, facing, picking, braking, steep_sine, patience, rate, least_pace, climb, passing_pace;
} Picking;

// chase.chase of what does not move, without interception.
static inline void go_for(const double *offset, double distance, const double *ahead, double sigma, double *wish) {
    double aim[3], course[2] = {ahead[0], ahead[1]}, bearing[2] = {offset[0], offset[1]};
    for (int axis = 0; axis < 3; axis++)
        aim[axis] = (distance > 1e-9 ? offset[axis] / greatest(distance, LEAST_LENGTH) : ahead[axis]) + 0.0;
    shorten(aim, 3);
    shorten(course, 2);
    shorten(bearing, 2);
    const double across = fabs(course[0] * bearing[1] - course[1] * bearing[0]);
    const double off = arctan2(across, course[0] * bearing[0] + course[1] * bearing[1]);
    const int keeps = off <= sigma && (course[0] != 0.0 || course[1] != 0.0);
    const double level = sqrt(aim[0] * aim[0] + aim[1] * aim[1]);
    wish[0] = keeps ? level * course[0] : aim[0];
    wish[1] = keeps ? level * course[1] : aim[1];
    wish[2] = aim[2];
}

// Grazing.moves: Picking; rows (n,), food (n, 3), seconds since the last thought (n,); of all fishes noses, headings,
// velocities (fish, 3) and lengths (fish,); for how long each has turned and who passes, (fish,) both, which change; where
// to (n, 3), how fast and whether on the spot, (n,) both.
SEEN int32_t artfish_graze(void **arrays, const int64_t *numbers) {
    const Picking *of = arrays[0];
    const int64_t *rows = arrays[1];
    const double *foods = arrays[2], *seconds = arrays[3], *noses = arrays[4], *aheads = arrays[5];
    const double *velocities = arrays[6], *lengths = arrays[7];
    double *turned = arrays[8], *ways = arrays[10], *paces = arrays[11];
    uint8_t *passing = arrays[9], *holds = arrays[12];
    for (int64_t i = numbers[0]; i < numbers[1]; i++) {
        const int64_t me = rows[i];
        const double *ahead = aheads + 3 * me, length = lengths[me], speed = dot(velocities + 3 * me, ahead);
        double offset[3], toward[3], *way = ways + 3 * i;
        for (int axis = 0; axis < 3; axis++) toward[axis] = offset[axis] = foods[3 * i + axis] - noses[3 * me + axis];
        const double distance = shorten(toward, 3), cosine = within(dot(toward, ahead), -1.0, 1.0);
        const double off = arctan2(other_leg(cosine), cosine), before = turned[me];
        const int nearby = distance < of->picking * length, close = distance < of->braking * length;
        const int steep = close && fabs(offset[2]) > of->steep_sine * distance, weary = before > of->patience;
        const int leaves = off > of->awry && (passing[me] || steep || weary) && distance < of->run_up * length;
        const int turns = nearby && !leaves && off > (before > 0.0 ? of->facing : of->awry);
        const int hasty = nearby && speed > of->rate * (length + distance);
        passing[me] = leaves;
        turned[me] = turns ? (close ? 1.0 : 0.0) * before + seconds[i] : 0.0;
        paces[i] = leaves ? of->passing_pace
            : turns || hasty ? 0.0
                             : within(distance / (of->picking * length), of->least_pace, 1.0);
        holds[i] = turns && close;
        go_for(offset, distance, ahead, of->sigma, way);
        if (!leaves) continue;
        for (int axis = 0; axis < 3; axis++) way[axis] = ahead[axis] * (axis == 2 ? of->climb : 1.0);
        shorten(way, 3);
    }
    return 0;
}
