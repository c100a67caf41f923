// Glances and paces: what core/behavior/steering.py defines and explains, compiled.
//
// Operation by operation the same as there, a fish after the other, so the bits are those of NumPy's forms.

#include "compiled/exact.h"

// vectors.unit; its length before.
static inline double unit_of(const double *vector, double *unit) {
    const double length = sqrt(dot(vector, vector)), by = greatest(length, LEAST_LENGTH);
    for (int axis = 0; axis < 3; axis++) unit[axis] = vector[axis] / by;
    return length;
}

// Steering.look_ahead, up to what is free: seconds since the last glance, what is left of windings and how much farther who
// is carried looks (3,); frames (fish, 3, 3), velocity and water (fish, 3), caution, foresight and length, (fish,) each;
// azimuths of the last glance; aims, windings, seconds since turns, and pitches, (fish,) each, which change; azimuths, speeds
// and sights, (fish,) each, ways over ground and downstream, (fish, 3) both. Numbers: first fish, the one
// after the last.
SEEN int32_t artfish_glance(void **arrays, const int64_t *numbers) {
    const double *of = arrays[0], *frames = arrays[1], *velocities = arrays[2], *waters = arrays[3];
    const double *cautions = arrays[4], *foresights = arrays[5], *lengths = arrays[6], *before = arrays[7];
    double *aims = arrays[8], *wound = arrays[9], *turning = arrays[10], *pitches = arrays[11];
    double *azimuths = arrays[12], *speeds = arrays[13], *sights = arrays[14], *onwards = arrays[15];
    double *downstreams = arrays[16];
    for (int64_t i = numbers[0]; i < numbers[1]; i++) {
        const double *frame = frames + 9 * i, *water = waters + 3 * i, *velocity = velocities + 3 * i;
        const double azimuth = azimuths[i] = arctan2(frame[3], frame[0]), steep = within(frame[6], -1.0, 1.0);
        pitches[i] = arctan2(steep, other_leg(steep));
        aims[i] = aims[i] != aims[i] ? azimuth : aims[i];
        wound[i] = of[1] * wound[i] + (before[i] != before[i] ? 0.0 : wrap(azimuth - before[i]));
        turning[i] += of[0];
        double through[3], onward[3];
        for (int axis = 0; axis < 3; axis++) through[axis] = velocity[axis] - water[axis];
        const double speed = speeds[i] = sqrt(dot(through, through));
        for (int axis = 0; axis < 3; axis++) onward[axis] = frame[3 * axis] * speed + water[axis];
        unit_of(onward, onwards + 3 * i);
        const double drift = unit_of(water, downstreams + 3 * i);
        sights[i] = cautions[i] * lengths[i] + foresights[i] * speed + of[2] * drift;
    }
    return 0;
}

typedef struct {
    double fading, least_room, ramming, off_course, fade_speed, starting, stride, turning_away, at_rest, about_pace;
    double about_angle, nose, braking, hovering, off_aim;
} Numbers;

// Steering.resolve_pace, once it is known what is free: Numbers; azimuths, speeds, sights, what is free ahead and over ground,
// lee and what only grazes, (fish,) each, downstream, drift and velocity (fish, 3), frames (fish, 3, 3), length, own paces,
// beats at full speed and what is left of beats and contractions, aims, paces and hurry, (fish,) each; who is walled, rams,
// hovers and must check, (fish,) each; bursts, swimming, rowing and who brakes, (fish,) each, which change. Numbers: first
// fish, the one after the last.
SEEN int32_t artfish_pace(void **arrays, const int64_t *numbers) {
    const Numbers *of = arrays[0];
    const double *azimuths = arrays[1], *speeds = arrays[2], *sights = arrays[3], *aheads = arrays[4], *frees = arrays[5];
    const double *lees = arrays[6], *grazed = arrays[7], *downstreams = arrays[8], *drifts = arrays[9];
    const double *velocities = arrays[10], *frames = arrays[11], *lengths = arrays[12], *owns = arrays[13];
    const double *beats = arrays[14], *slow_beats = arrays[15], *slow_widths = arrays[16];
    const double *aims = arrays[17], *paces = arrays[18], *hurries = arrays[19];
    const uint8_t *walled = arrays[20], *rams = arrays[21], *holds = arrays[22], *checks = arrays[23];
    double *bursts = arrays[24], *swims = arrays[25], *rows = arrays[26];
    uint8_t *brakes = arrays[27];
    for (int64_t i = numbers[0]; i < numbers[1]; i++) {
        const double *frame = frames + 9 * i, ahead[3] = {frame[0], frame[3], frame[6]}, length = lengths[i];
        const double meant = paces[i], speed = speeds[i], caution = least(aheads[i] / sights[i], 1.0);
        const int own = meant != meant, hold = holds[i];
        const double pace = own ? owns[i] * hurries[i] : meant;
        const double room = rams[i] ? least(aheads[i] / (of->ramming * length), 1.0)
                                    : greatest(caution, least(grazed[i] / sights[i], 1.0));
        double swim = least(pace * (of->least_room + (1.0 - of->least_room) * sqrt(room)), 1.0), through[3];
        const double off = fabs(wrap(aims[i] - azimuths[i]));
        for (int axis = 0; axis < 3; axis++) through[axis] = velocities[3 * i + axis] - drifts[3 * i + axis];
        const double onward = dot(through, ahead) / length;

        const double beat = beats[i] * (slow_beats[i] + (1.0 - slow_beats[i]) * swim);
        const double width = (slow_widths[i] + (1.0 - slow_widths[i]) * swim) * least(swim / of->fade_speed, 1.0);
        const double lack = within(of->starting * (1.0 - onward / (of->stride * beat)), 0.0, 1.0);
        const double idle = own && !hold && width > 0.0 ? lack : 0.0;
        swim += (1.0 - swim) * idle * room * greatest(1.0 - off / of->off_course, 0.0);

        const double rested = greatest(1.0 - speed / (of->at_rest * length), 0.0);
        double away = (of->turning_away + (1.0 - of->turning_away) * rested) * (1.0 - caution);
        away = greatest(away, of->about_pace * within(off - of->about_angle, 0.0, 1.0)) * (meant != 0.0 ? 1.0 : 0.0);
        swim = greatest(swim, away * least(off / of->off_course, 1.0));
        swim = walled[i] && off > of->off_course ? 0.0 : swim;

        const double burst = own ? 0.0 : within(pace - 1.0, 0.0, 1.0);
        bursts[i] = least(greatest(burst, bursts[i] - of->fading), room);
        const double against = greatest(-dot(downstreams + 3 * i, ahead), 0.0);
        double headway = greatest(caution - frees[i] / sights[i], 0.0);
        headway = greatest(headway, (caution - 1.0 + lees[i]) * against);
        swims[i] = hold ? 0.0 : swim + (1.0 - swim) * headway;
        brakes[i] = (aheads[i] < of->nose * length && speed > of->braking * length) || (checks[i] && own)
            || (hold && onward > of->hovering);
        rows[i] = hold && off < of->off_aim ? within(onward, 0.0, of->hovering) : 0.0;
    }
    return 0;
}
