// Playback of captured cycles (Yu & Terzopoulos 1999, §5, app. A and B): core/replicas/playback.py explains it.

#include "compiled/exact.h"
#include "declared.h"

enum { CORNERS = 4, SWAY = 7, PADDED = 24, NODES = 23 };

typedef struct { double w, x, y, z; } Turn;

static inline void matrix_of(const Turn *turn, double m[3][3]) {
    const double w = turn->w, x = turn->x, y = turn->y, z = turn->z;
    m[0][0] = 1.0 - 2.0 * (y * y + z * z), m[0][1] = 2.0 * (x * y - w * z), m[0][2] = 2.0 * (x * z + w * y);
    m[1][0] = 2.0 * (x * y + w * z), m[1][1] = 1.0 - 2.0 * (x * x + z * z), m[1][2] = 2.0 * (y * z - w * x);
    m[2][0] = 2.0 * (x * z - w * y), m[2][1] = 2.0 * (y * z + w * x), m[2][2] = 1.0 - 2.0 * (x * x + y * y);
}

static inline Turn compose(const Turn *one, const Turn *two) {
    const double w = one->w, x = one->x, y = one->y, z = one->z;
    const double a = two->w, b = two->x, c = two->y, d = two->z;
    return (Turn){
        ((w * a - x * b) - y * c) - z * d,
        ((w * b + x * a) + y * d) - z * c,
        ((w * c - x * d) + y * a) + z * b,
        ((w * d + x * c) - y * b) + z * a,
    };
}

typedef float Four __attribute__((vector_size(16)));

typedef struct { const float *pose; float share; } Part;

static inline Four four_at(const float *from) {
    Four found;
    memcpy(&found, from, sizeof found);
    return found;
}

// The sum of some poses, each times its share, one after the other; half of an axis stays in registers meanwhile.
static inline void sum_of(const Part *parts, int count, float *sum) {
    for (int begin = 0; begin < 3 * PADDED; begin += PADDED / 2) {
        Four one = {0.0f}, two = {0.0f}, three = {0.0f};
        for (int part = 0; part < count; part++) {
            const float *pose = parts[part].pose + begin, of = parts[part].share;
            const Four share = {of, of, of, of};
            one += share * four_at(pose), two += share * four_at(pose + 4), three += share * four_at(pose + 8);
        }
        memcpy(sum + begin, &one, sizeof one);
        memcpy(sum + begin + 4, &two, sizeof two);
        memcpy(sum + begin + 8, &three, sizeof three);
    }
}

// Playback.advance; nodes are those of who is shown. A moment that is none counts as the first.
SEEN int32_t artfish_replay(const ReplayCall *call, int64_t begin, int64_t end) {
    TAKE_REPLAY(call);
    for (int64_t fish = begin; fish < end; fish++) {
        const double *from = before + 6 * fish, *motion = motions + 4 * fish, length = lengths[fish];
        double *carrier = carriers + 6 * fish, sine, cosine, steep, flat, lean, upright;
        // The carrier moves on along its middle heading (eq. 11, with alpha, which it lacks).
        sin_and_cos(from[0] + 0.5 * (motion[3] * seconds), &sine, &cosine);
        sin_and_cos(from[1], &steep, &flat);
        const double way = length * seconds;
        carrier[0] = from[0] + motion[3] * seconds, carrier[1] = from[1], carrier[2] = from[2];
        carrier[3] = from[3] + way * ((motion[0] * (flat * cosine) - motion[1] * sine) - motion[2] * (steep * cosine));
        carrier[4] = from[4] + way * ((motion[0] * (flat * sine) + motion[1] * cosine) - motion[2] * (steep * sine));
        carrier[5] = from[5] + way * (motion[0] * steep + motion[2] * flat);

        // It turns by its heading to the left, then by its slope upwards, then by its roll.
        sin_and_cos(0.5 * carrier[0], &sine, &cosine);
        sin_and_cos(0.5 * carrier[1], &steep, &flat);
        sin_and_cos(0.5 * carrier[2], &lean, &upright);
        const double w = cosine * flat, x = sine * steep, y = -(cosine * steep), z = sine * flat;
        const Turn level = {
            w * upright - x * lean, w * lean + x * upright, y * upright + z * lean, z * upright - y * lean,
        };

        const double moment = moments[fish], whole = floor(moment), later = moment - whole;
        int64_t now = whole >= 0.0 && whole < (double)count ? (int64_t)whole : 0, next = now + 1;
        if (next >= count) next = once[fish] ? count - 1 : 0;
        // Attitude, not yet of length 1, and place of the own frame in the carrier.
        double sway[SWAY] = {0.0};
        Part parts[2 * CORNERS + 1];
        int mixed = 0;
        for (int corner = 0; corner < CORNERS; corner++) {
            const double share = shares[CORNERS * fish + corner];
            if (share == 0.0) continue;
            const int64_t row = corners[CORNERS * fish + corner] * count;
            const double one = share * (1.0 - later), two = share * later;
            const double *a = sways + SWAY * (row + now), *b = sways + SWAY * (row + next);
            for (int i = 0; i < SWAY; i++) sway[i] = (sway[i] + one * a[i]) + two * b[i];
            parts[mixed++] = (Part){poses + 3 * PADDED * (row + now), (float)one};
            parts[mixed++] = (Part){poses + 3 * PADDED * (row + next), (float)two};
        }
        const double size = sqrt(((sway[0] * sway[0] + sway[1] * sway[1]) + sway[2] * sway[2]) + sway[3] * sway[3]);
        const Turn swung = {sway[0] / size, sway[1] / size, sway[2] / size, sway[3] / size};
        const Turn own = compose(&level, &swung);
        double axes[3][3], frame[3][3], *origin = origins + 3 * fish;
        matrix_of(&level, axes);
        matrix_of(&own, frame);
        for (int i = 0; i < 3; i++) {
            const double swayed = (axes[i][0] * sway[4] + axes[i][1] * sway[5]) + axes[i][2] * sway[6];
            origin[i] = carrier[3 + i] + length * swayed;
        }
        memcpy(frames + 9 * fish, frame, sizeof frame);
        if (!shown[fish]) continue;
        if (fading[fish] != 0.0) parts[mixed++] = (Part){offsets + 3 * PADDED * fish, (float)fading[fish]};
        float turn[3][3], pose[3 * PADDED], placed[3][PADDED];
        sum_of(parts, mixed, pose);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) turn[i][j] = (float)(length * frame[i][j]);
        for (int i = 0; i < 3; i++)
            for (int node = 0; node < PADDED; node++)
                placed[i][node] = (turn[i][0] * pose[node] + turn[i][1] * pose[PADDED + node])
                    + turn[i][2] * pose[2 * PADDED + node];
        double *own_nodes = nodes + 3 * NODES * fish;
        for (int node = 0; node < NODES; node++)
            for (int i = 0; i < 3; i++) own_nodes[3 * node + i] = origin[i] + (double)placed[i][node];
    }
    return 0;
}
