// Grazing: going for plankton, or bait, slower the nearer it is (Tu 1999, §7.8; the numbers are ours).

#include "compiled/exact.h"
#include "declared.h"

// chase.chase of what does not move, without interception: what is within sigma of the heading, seen from above, is not
// steered for.
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

// Grazing.moves, which explains them.
SEEN int32_t artfish_graze(const GrazeCall *call, int64_t begin, int64_t end) {
    TAKE_GRAZE(call);
    for (int64_t i = begin; i < end; i++) {
        const int64_t me = rows[i];
        const double *ahead = aheads + 3 * me, length = lengths[me], speed = dot(velocities + 3 * me, ahead);
        double offset[3], toward[3], *way = ways + 3 * i;
        for (int axis = 0; axis < 3; axis++) toward[axis] = offset[axis] = foods[3 * i + axis] - noses[3 * me + axis];
        const double distance = shorten(toward, 3), cosine = within(dot(toward, ahead), -1.0, 1.0);
        const double off = arctan2(other_leg(cosine), cosine), before = turned[me];
        const int nearby = distance < picking->picking * length, close = distance < picking->braking * length;
        const int steep = close && fabs(offset[2]) > picking->steep_sine * distance, weary = before > picking->patience;
        const int gives_up = passing[me] || steep || weary;
        const int leaves = off > picking->awry && gives_up && distance < picking->run_up * length;
        const int turns = nearby && !leaves && off > (before > 0.0 ? picking->facing : picking->awry);
        const int hasty = nearby && speed > picking->rate * (length + distance);
        passing[me] = leaves != 0;
        turned[me] = turns ? (close ? 1.0 : 0.0) * before + seconds[i] : 0.0;
        paces[i] = leaves ? picking->passing_pace
            : turns || hasty ? 0.0
                             : within(distance / (picking->picking * length), picking->least_pace, 1.0);
        holds[i] = turns && close;
        go_for(offset, distance, ahead, picking->sigma, way);
        if (!leaves) continue;
        for (int axis = 0; axis < 3; axis++) way[axis] = ahead[axis] * (axis == 2 ? picking->climb : 1.0);
        shorten(way, 3);
    }
    return 0;
}
