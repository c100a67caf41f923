// Fishes in each other's sensitivity boxes (Tu 1999, section 6.6.1); tests/plain/perception/threats.py says the same in NumPy.

#include "compiled/exact.h"
#include "declared.h"

// threats.threats; boxes reach ahead, behind, sideways and up, and in lengths of them a line is clipped from nose to tail.
SEEN int32_t artfish_threats(const ThreatsCall *call, int64_t begin, int64_t end) {
    TAKE_THREATS(call);
    for (int64_t row = begin; row < end; row++) {
        const double *frame = frames + 9 * row, *box = boxes + 4 * row, mine = own[row];
        const double long_side = greatest(box[0], box[1]), corner = sqrt(long_side * long_side + 1 + box[3] * box[3]);
        const double high[3] = {box[0], box[2], box[3]}, low[3] = {-box[1], -box[2], -box[3]};
        for (int64_t pair = others * row; pair < others * (row + 1); pair++) {
            const double *offset = offsets + 3 * pair, *motion = motions + 3 * pair, *ahead = headings + 3 * pair;
            const double other = lengths[pair];
            const double sideways = comforts[row] * least(mine, other) + body->girth * (mine + other);
            const double swiftness = dot(motion, motion);
            const double reach = corner * sideways - body->tail * other + body->foreseen * sqrt(swiftness);
            portions[pair] = urgencies[pair] = 0.0;
            memset(aways + 3 * pair, 0, 3 * sizeof *aways);
            if (!there[pair] || !(sqrt(dot(offset, offset)) <= reach)) continue;
            const double when = -dot(offset, motion) / greatest(swiftness, 1e-12);
            const double moment = within(when, 0.0, body->foreseen);
            double nose[3], line[3], start[3], way[3], enter = 0.0, leave = 1.0;
            for (int axis = 0; axis < 3; axis++) {
                nose[axis] = offset[axis] + moment * motion[axis] + body->nose * other * ahead[axis];
                line[axis] = (body->tail - body->nose) * other * ahead[axis];
            }
            local(frame, nose, start), local(frame, line, way);
            for (int axis = 0; axis < 3; axis++) {
                start[axis] /= sideways, way[axis] /= sideways;
                way[axis] = fabs(way[axis]) < 1e-12 ? 1e-12 : way[axis];
                const double first = (low[axis] - start[axis]) / way[axis];
                const double second = (high[axis] - start[axis]) / way[axis];
                enter = greatest(enter, least(first, second));
                leave = least(leave, greatest(first, second));
            }
            const double nearest = -dot(start, way) / greatest(dot(way, way), 1e-12);
            const double share = greatest(least(nearest, leave), enter);
            double deepest = -INFINITY, from[3];
            for (int axis = 0; axis < 3; axis++) {
                const double at = start[axis] + share * way[axis];
                deepest = greatest(deepest, greatest(at / high[axis], at / low[axis]));
                from[axis] = -(nose[axis] + share * line[axis]);
            }
            portions[pair] = greatest(leave - enter, 0.0);
            urgencies[pair] = leave > enter ? greatest(1 - deepest, 0.0) : 0.0;
            const double far = greatest(sqrt(dot(from, from)), 1e-9);
            for (int axis = 0; axis < 3; axis++) aways[3 * pair + axis] = from[axis] / far;
        }
    }
    return 0;
}
