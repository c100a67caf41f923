// Glances and paces of all fishes: core/behavior/steering.py explains what they are for.

#include "compiled/exact.h"
#include "declared.h"

// vectors.unit; its length before.
static inline double unit_of(const double *vector, double *unit) {
    const double length = sqrt(dot(vector, vector)), by = greatest(length, LEAST_LENGTH);
    for (int axis = 0; axis < 3; axis++) unit[axis] = vector[axis] / by;
    return length;
}

// Steering.look_ahead, up to what is free: what has been wound lasts by so much, and who is carried looks farther by
// the seconds of half a turn.
SEEN int32_t artfish_glance(const GlanceCall *call, int64_t begin, int64_t end) {
    TAKE_GLANCE(call);
    for (int64_t i = begin; i < end; i++) {
        const double *frame = frames + 9 * i, *water = waters + 3 * i, *velocity = velocities + 3 * i;
        const double azimuth = azimuths[i] = arctan2(frame[3], frame[0]), steep = within(frame[6], -1.0, 1.0);
        pitches[i] = arctan2(steep, other_leg(steep));
        aims[i] = aims[i] != aims[i] ? azimuth : aims[i];
        wound[i] = lasting * wound[i] + (before[i] != before[i] ? 0.0 : wrap(azimuth - before[i]));
        turning[i] += unseen;
        double through[3], onward[3];
        for (int axis = 0; axis < 3; axis++) through[axis] = velocity[axis] - water[axis];
        const double speed = speeds[i] = sqrt(dot(through, through));
        for (int axis = 0; axis < 3; axis++) onward[axis] = frame[3 * axis] * speed + water[axis];
        unit_of(onward, onwards + 3 * i);
        const double drift = unit_of(water, downstreams + 3 * i);
        sights[i] = cautions[i] * lengths[i] + foresights[i] * speed + half_turn * drift;
    }
    return 0;
}

// Steering.resolve_pace, once it is known what is free; a burst fades by so much in a frame.
SEEN int32_t artfish_pace(const PaceCall *call, int64_t begin, int64_t end) {
    TAKE_PACE(call);
    for (int64_t i = begin; i < end; i++) {
        const double *frame = frames + 9 * i, ahead[3] = {frame[0], frame[3], frame[6]}, length = lengths[i];
        const double meant = paces[i], speed = speeds[i], caution = least(aheads[i] / sights[i], 1.0);
        const int own = meant != meant, hold = holds[i];
        const double pace = own ? owns[i] * hurries[i] : meant;
        const double room = rams[i] ? least(aheads[i] / (pacing->ramming * length), 1.0)
                                    : greatest(caution, least(grazed[i] / sights[i], 1.0));
        double swim = least(pace * (pacing->least_room + (1.0 - pacing->least_room) * sqrt(room)), 1.0), through[3];
        const double off = fabs(wrap(aims[i] - azimuths[i]));
        for (int axis = 0; axis < 3; axis++) through[axis] = velocities[3 * i + axis] - drifts[3 * i + axis];
        const double onward = dot(through, ahead) / length;

        const double beat = beats[i] * (slow_beats[i] + (1.0 - slow_beats[i]) * swim);
        const double width = (slow_widths[i] + (1.0 - slow_widths[i]) * swim) * least(swim / pacing->fade_speed, 1.0);
        const double lack = within(pacing->starting * (1.0 - onward / (pacing->stride * beat)), 0.0, 1.0);
        const double idle = own && !hold && width > 0.0 ? lack : 0.0;
        swim += (1.0 - swim) * idle * room * greatest(1.0 - off / pacing->off_course, 0.0);

        const double rested = greatest(1.0 - speed / (pacing->at_rest * length), 0.0);
        double away = (pacing->turning_away + (1.0 - pacing->turning_away) * rested) * (1.0 - caution);
        away = greatest(away, pacing->about_pace * within(off - pacing->about_angle, 0.0, 1.0));
        away *= meant != 0.0 ? 1.0 : 0.0;
        swim = greatest(swim, away * least(off / pacing->off_course, 1.0));
        swim = walled[i] && off > pacing->off_course ? 0.0 : swim;

        // A kick between coasting ends with its beat; any other burst that is over fades.
        const double burst = within(pace - 1.0, 0.0, own ? kicks[i] : 1.0);
        const double left = own && bursts[i] <= kicks[i] ? 0.0 : bursts[i] - fading;
        bursts[i] = least(greatest(burst, left), room);
        const double against = greatest(-dot(downstreams + 3 * i, ahead), 0.0);
        double headway = greatest(caution - frees[i] / sights[i], 0.0);
        headway = greatest(headway, (caution - 1.0 + lees[i]) * against);
        swims[i] = hold ? 0.0 : swim + (1.0 - swim) * headway;
        swims[i] = greatest(swims[i], breathing[i]);
        brakes[i] = (aheads[i] < pacing->nose * length && speed > pacing->braking * length) || (checks[i] && own)
            || (hold && onward > pacing->hovering);
        brakes[i] &= breathing[i] == 0.0;
        rows[i] = hold && off < pacing->off_aim ? within(onward, 0.0, pacing->hovering) : 0.0;
    }
    return 0;
}
