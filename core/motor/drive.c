// The motor center (Tu 1999, §4.6), with its nine controllers, a fish after the other: core/motor/center.py, sprint.py,
// paddling.py and learned.py explain what it is made of.

#include <stdlib.h>

#include "compiled/exact.h"
#include "declared.h"

enum { SETS = 4, KNOTS = 5 };

static const double PI = 3.141592653589793;

typedef struct {
    double azimuth, pitch, roll, along, moving;
} Posture;

// Phase of the beat at the end of the frame, and its sine and cosine with its amplitude.
static inline double wave_of(const Motor *motor, const DriveCall *now, int64_t i, int64_t fishes, double *wave) {
    const double frequency = now->beating[i], amplitude = now->beating[fishes + i];
    const double phase = remainder_of(now->phase[i] + 2.0 * PI * frequency * motor->dt, 2.0 * PI);
    sin_and_cos(phase, wave, wave + 1);
    wave[0] *= amplitude, wave[1] *= amplitude;
    return phase;
}

// Updates the smoothed heading, the rate of yaw in radians a beat and those of pitch and roll a second.
static inline void sense(
    const Motor *motor, const DriveFish *fish, const DriveCall *now, int64_t i, int64_t fishes, const Posture *posture
) {
    if (now->begins) {
        now->last[fishes + i] = posture->pitch;
        now->last[2 * fishes + i] = posture->roll;
        now->heading[i] = now->course[i] = posture->azimuth;
    }
    const double pitching = wrap(posture->pitch - now->last[fishes + i]) / motor->dt;
    const double rolling = wrap(posture->roll - now->last[2 * fishes + i]) / motor->dt;
    now->last[i] = posture->azimuth;
    now->last[fishes + i] = posture->pitch;
    now->last[2 * fishes + i] = posture->roll;
    // With every beat the head sways; the fish, who knows its beat, takes that for no turn.
    double wave[2];
    now->phase[i] = wave_of(motor, now, i, fishes, wave);
    double *sway = now->sway + i, *other = sway + fishes;
    const double ahead = wrap(posture->azimuth - now->heading[i]) - (*sway * wave[0] + *other * wave[1]);
    const double notch = least(4.0 * PI * motor->sway_notch * now->beating[i] * motor->dt, 1.0) * ahead;
    *sway += notch * wave[0], *other += notch * wave[1];
    const double yawed = (1.0 - exponential(-motor->dt * fish->beat[i] / motor->heading_beats)) * ahead;
    now->heading[i] += yawed;
    now->yaw_rate[i] = yawed / (motor->dt * fish->beat[i]);
    const double share = motor->steady_share;
    now->pitch_rate[i] += share * (pitching - now->pitch_rate[i]);
    now->roll_rate[i] += share * (rolling - now->roll_rate[i]);
}

// Swim-MC: beats a second, and their share of the best contractions, at a share of full speed. The book's optimal
// parameters are those at speed 1; a slower swim beats more slowly and less widely, both in proportion to the speed
// above what is left of them at the slowest. Who has learned to swim beats as it learned.
static inline double beats_of(
    const Motor *motor, const DriveFish *fish, const DriveCall *now, int64_t i, double speed, double *width
) {
    if (fish->full[i] > 0.0) {
        const double at = least(speed, 1.0) * (double)(KNOTS - 1);
        const int64_t knot = at < KNOTS - 2 ? (int64_t)at : KNOTS - 2;
        const double below = now->learned[knot * now->fishes + i];
        *width = speed;
        return below + (at - (double)knot) * (now->learned[(knot + 1) * now->fishes + i] - below);
    }
    const double slow = fish->slow_amplitude[i], slowest = fish->slow_beat[i];
    *width = (slow + (1.0 - slow) * speed) * least(speed / motor->fade_speed, 1.0);
    return fish->beat[i] * (slowest + (1.0 - slowest) * speed);
}

// Share of its burst that a fish gives to gather speed: one that starts beats faster than it will.
static inline double kick_of(
    const Motor *motor, const DriveFish *fish, const DriveCall *now, int64_t i, double swim, double along
) {
    double width;
    const double beats = beats_of(motor, fish, now, i, swim, &width), none = motor->kick_none;
    const double full = fish->full[i], meant = full > 0.0 ? greatest(swim * full, 1e-9) : motor->meant_stride * beats;
    const double lack = (none - along / meant) / (none - motor->kick_full);
    const double kick = motor->kick_share * within(lack, 0.0, 1.0);
    const int kicks = fish->rows[i] == 0.0 && width > 0.0 && now->reserve[i] > motor->kick_reserve;
    return kicks ? least(width, 1.0) * kick : 0.0;
}

// Sprints.burst and Sprints.prolonged.
static inline double burst_of(
    const Motor *motor, const DriveFish *fish, const DriveCall *now, int64_t i, double wish, int prolonged
) {
    const double strength = least(now->reserve[i] / motor->tired, 1.0);
    const double given = fish->bursts[i] != 0.0 ? within(wish, 0.0, 1.0) * strength : 0.0;
    const double toil = prolonged ? exponential((given - 1.0) * fish->lasting[i]) : given;
    const double reserve = now->reserve[i] + motor->dt * (given > 0.0 ? -toil * fish->loss[i] : fish->gain[i]);
    now->reserve[i] = within(reserve, 0.0, 1.0);
    return given;
}

// Sprints.cstart: the whole body bends to one side, and while the tail strikes back a little to the other; whoever
// still faces the threat bends again. Gives 1 if it begins.
static inline int curl_of(
    const Motor *motor, const DriveFish *fish, const DriveCall *now, int64_t i, double command, double *curl
) {
    const int begun = command != 0.0 && command != now->command[i] && fish->flings[i] != 0.0;
    const double before = now->since[i], whole = motor->start_beats + motor->recoil_beats;
    now->command[i] = command;
    double since = least(before + motor->dt * fish->burst_beat[i], 1e3);
    const int done = before < whole && since >= whole;
    const int again = done && now->bends[i] > 0.0 && now->side[i] * now->left[i] > motor->again;
    since = now->since[i] = begun ? 0.0 : again ? motor->start_beats - motor->again_beats : since;
    now->bends[i] = (begun ? motor->start_bends : now->bends[i]) - (begun || again ? 1.0 : 0.0);
    now->side[i] = begun ? sign(command) : now->side[i];
    *curl = now->side[i] * (since < motor->start_beats ? 1.0 : since < whole ? -motor->recoil : 0.0);
    return begun;
}

// Paddles.speed.
static inline double meant(
    const Motor *motor, const DriveFish *fish, int64_t i, double swim, double burst, double beats
) {
    const double slow = motor->least + (1.0 - motor->least) * swim;
    const double rowed = fish->gait[i] * slow * least(swim / motor->fade_speed, 1.0);
    return burst > 0.0 ? greatest(rowed, motor->meant_stride * beats) : rowed;
}

// Paddles.advance: moves strokes on, and gives the speed at which fins push against the water; `powers` is room for one
// of each sample.
static inline double strokes_on(
    const Motor *motor, const DriveFish *fish, const DriveCall *now, int64_t i, double speed, double along,
    double *powers
) {
    const double able = fish->rows[i], gait = fish->gait[i], wish = speed * able, slowest = greatest(gait, 1e-9);
    const double share = motor->ease_share;
    const double over = within((wish - gait) / (motor->change * slowest), 0.0, 1.0);
    now->tail[i] += share * ((able != 0.0 ? over : 1.0) - now->tail[i]);
    const double meant = now->wish[i] += share * (least(wish, gait) - now->wish[i]), lack = meant - along;
    const double pace = (meant + motor->hurry * within(lack, 0.0, 1.0)) / slowest;
    const double rate = fish->rate[i] * (motor->rest_rate + (1.0 - motor->rest_rate) * pace);
    const double turned = 2.0 * PI * rate * motor->dt * able;
    const int rows = able != 0.0 && meant > 0.0;
    const double push = now->push[i] + (rows ? motor->push_gain * motor->dt * within(lack, -0.5, 0.5) : 0.0);
    now->push[i] = within(push, 0.0, 4.0 * motor->push);
    const double excess = sqrt(greatest(now->push[i] * (meant * meant) + motor->haste * lack, 0.0));
    const double swiftest = 2.0 * PI * rate * fish->most[i];
    const double sweep = (rows ? least(greatest(along, 0.0) + excess, swiftest) : 0.0) * (1.0 - now->tail[i]);
    now->reach[i] += share * (sweep / greatest(swiftest, 1e-9) - now->reach[i]);
    const int64_t many = (int64_t)motor->samples;
    for (int64_t k = 0; k < many; k++) {
        double sine, cosine = 1.0;  // of a fin that does not sweep it does not matter
        const double angle = now->stroke[i] + turned * (((double)k + 0.5) / motor->samples);
        if (sweep != 0.0) sin_and_cos(angle, &sine, &cosine);
        const double power = greatest(sweep * cosine - along, 0.0) * able;
        powers[k] = power * power;
    }
    now->stroke[i] = remainder_of(now->stroke[i] + turned, 2.0 * PI);
    fold(powers, many, 1);
    return sqrt(powers[0] / motor->samples);
}

// One of the columns of the steering map, between two of its sets.
static inline double mapped(const double *sets, int64_t place, double share) {
    const double before = place > 0 ? sets[place - 1] : 0.0;
    return before + share * (sets[place] - before);
}

// Contractions of both turning segments, and their rate, for what is left of the turn; a change to a non-zero value
// begins a new one. Left-turn-MC and right-turn-MC: an angle becomes contractions by the four parameter sets of the
// steering map, beyond 90 degrees by the last; the turn goes on until it is done, as the chained turns of the book.
// Neither course nor heading is wrapped: a turn of 180 degrees and more goes the way of the command.
static inline double steer(
    const Motor *motor, const DriveFish *fish, const DriveCall *now, int64_t i, int64_t fishes, double turn,
    double level, double moving, double *bends
) {
    const int begun = turn != 0.0 && turn != now->turn_command[i];
    now->turn_command[i] = turn;
    const double heading = now->heading[i], beat = fish->beat[i];
    const double base = fabs(now->course[i] - heading) < motor->on_course ? now->course[i] : heading;
    now->course[i] = begun ? base + turn : now->course[i];
    // A degree of azimuth is less of a turn for a fish that climbs.
    const double remainder = level * (now->course[i] - heading);
    now->off[i] = fabs(remainder);
    now->left[i] = remainder - level * (motor->heading_beats + fish->lead[i]) * now->yaw_rate[i];
    // A trim that has gone too far is taken back faster than it came.
    const double haste = remainder * now->trim[i] < 0.0 ? motor->untrim : motor->trim;
    const double gain = haste * motor->dt * beat * remainder * (now->off[i] < motor->trimmed ? 1.0 : 0.0);
    now->trim[i] = within(begun ? 0.0 : now->trim[i] + gain, -motor->most_trim, motor->most_trim);
    // To bend is of little use to a fish that rests or retreats: its head only wags the more.
    const double small = motor->rest_yawing * (1.0 - moving);
    double bend = now->left[i] - within(now->left[i], -small, small) + now->trim[i], wave[2];
    wave_of(motor, now, i, fishes, wave);
    // Against the part of its sway that it can foresee the fish bends, and so keeps its head still.
    const double quick = (motor->sway_last - now->beating[i] * motor->dt) / (motor->sway_last - motor->sway_first);
    const double swayed = now->sway[i] * wave[0] + now->sway[fishes + i] * wave[1];
    bend -= motor->sway_bending * fish->steadiness[i] * moving * within(quick, 0.0, 1.0) * swayed;
    const double angle = fabs(bend), side = sign(bend);
    int64_t place = 0;
    for (int64_t k = 0; k < SETS; k++) place += !(angle < motor->map_angles[k]);
    place = place < SETS ? place : SETS - 1;
    const double from = place ? motor->map_angles[place - 1] : 0.0;
    const double share = least((angle - from) / (motor->map_angles[place] - from), 1.0);
    const double *rate = now->bend_rates + SETS * i;
    bends[0] = side * mapped(now->fronts + SETS * i, place, share);
    bends[1] = side * mapped(now->middles + SETS * i, place, share);
    return greatest(mapped(rate, place, share), rate[0]);
}

// Updates the bend that the turning segments will have at the end of the frame, as muscles bend.
static inline void follow_bend(
    const Motor *motor, const DriveFish *fish, const DriveCall *now, int64_t i, double bend, double rate
) {
    const double to = bend * fish->contraction[i], slow = fabs(to) < fabs(now->bent[i]) ? fish->release[i] : 1.0;
    const double pace = rate * motor->dt * fish->contraction[i] * slow;
    now->bent[i] += within(to - now->bent[i], -pace, pace);
}

// Gamma of the left and the right fin, which bring the path to the angle of the command and the body upright. Ascend-MC
// and descend-MC, and balance-MC: the roll to be undone becomes two angles around a common one.
static inline void fins(
    const Motor *motor, const DriveFish *fish, const DriveCall *now, int64_t i, double climb, const Posture *posture,
    const double *velocity, double length, double *gamma
) {
    const double level = sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1]);
    const double speed = sqrt(level * level + velocity[2] * velocity[2]), path = arctan2(velocity[2], level);
    const double pitch = posture->pitch, trust = motor->path_share * posture->moving;
    // A resting or retreating fish has no path to follow, nor does what its path was trimmed by tilt it. However the
    // water carries a fish, its body points about where it means to go.
    const double error = within(climb - path, -motor->slope_error, motor->slope_error);
    const double trim = now->slope_trim[i] + motor->slope_gain * motor->dt * trust * error;
    now->slope_trim[i] = within(trim, -motor->most_slope, motor->most_slope);
    double steepness = climb - (1.0 - trust) * pitch - trust * path + posture->moving * now->slope_trim[i];
    steepness = within(pitch + steepness, climb - motor->lean, climb + motor->lean) - pitch;
    // Fins push with the square of the flow, so a resting fish must be damped more than a swimming one.
    const double swift = speed / length, rest = 1.0 / (swift * swift + fish->flap[i] * fish->flap[i] + 1e-9);
    const double fast = least(motor->swift_fins * motor->swift_fins * rest, 1.0);
    const double pitch_damping = least(motor->pitch_damping * rest, motor->most_damping);
    const double roll_damping = least(motor->roll_damping * rest, motor->most_damping);
    const double calm = fish->steadiness[i] * motor->calm;
    const double angle = calm * (motor->pitch_gain * fast * steepness - pitch_damping * now->pitch_rate[i]);
    const double both = angle > 0.0 ? motor->level_angle + 0.5 * within(angle, 0.0, PI / 2)
                                    : motor->level_angle - 0.5 * within(-angle, 0.0, PI / 2);
    // A fish that hardly moves does not lean: nothing would right it again once its fins rest.
    const double swings = within(speed / (motor->leaning_speed * length), 0.0, 1.0) * fish->leans[i];
    const double upright = posture->roll + swings * within(now->left[i] / motor->leaning_angle, -1.0, 1.0);
    const double roll = calm * (motor->roll_gain * fast * upright + roll_damping * now->roll_rate[i]);
    gamma[0] = within(both - 0.5 * roll, motor->lowest_angle, motor->highest_angle);
    gamma[1] = within(both + 0.5 * roll, motor->lowest_angle, motor->highest_angle);
}

// MotorCenter.drive.
SEEN int32_t artfish_drive(const DriveCall *call, int64_t begin, int64_t end) {
    const Motor *motor = call->motor;
    const DriveFish fish = drive_fish(call);
    const int64_t fishes = call->fishes;
    double *powers = malloc((size_t)(motor->samples + 1.0) * sizeof *powers);
    if (!powers) return 1;
    for (int64_t i = begin; i < end; i++) {
        const double *frame = call->frames + 9 * i, *velocity = call->velocities + 3 * i, length = call->lengths[i];
        const double steep = within(frame[6], -1.0, 1.0), ahead[3] = {frame[0], frame[3], frame[6]};
        Posture posture = {.azimuth = arctan2(ahead[1], ahead[0]), .pitch = arctan2(steep, other_leg(steep))};
        posture.roll = arctan2(frame[7], frame[8]);
        // A bent body turns its head, and the fish, who knows its bend, takes that for no turn either.
        posture.azimuth -= motor->bent_head * call->bent[i];
        sense(motor, &fish, call, i, fishes, &posture);
        const double back = within(call->back[i], 0.0, 1.0), along = dot(velocity, ahead) / length;
        const int stopped = call->brake[i] || back > 0.0;
        const double fresh = motor->spent + (1.0 - motor->spent) * least(call->reserve[i] / motor->tired, 1.0);
        const double swim = stopped ? 0.0 : least(within(call->swim[i], 0.0, 1.0), fresh);
        const double sprint = greatest(call->burst[i], fish.steadiness[i] * kick_of(motor, &fish, call, i, swim, along));
        const double quickest = motor->prolonged_frames / motor->dt - fish.beat[i];
        const double share = quickest / greatest(fish.burst_beat[i] - fish.beat[i], 1e-9);
        const double keeps = least(call->prolonged[i], greatest(share, 0.0));
        const int prolonged = keeps > sprint;
        const double wish = prolonged ? keeps : sprint;
        // Who has to turn about turns first: a burst would take it where it faces.
        const int turns = fabs(call->left[i]) > motor->bursting;
        const double burst = burst_of(motor, &fish, call, i, stopped || turns ? 0.0 : wish, prolonged);
        const double speed = greatest(swim, burst);
        double amplitude, curl, bends[2], gamma[2];
        double frequency = beats_of(motor, &fish, call, i, speed, &amplitude);
        const double before = call->left[i], sharp = least(fabs(before) / fish.sharp[i], 1.0);
        frequency *= 1.0 + sharp * (call->hastes[(before > 0.0 ? 0 : fishes) + i] - 1.0);
        frequency += burst * (fish.burst_beat[i] - frequency);
        // A fish that only gathers speed beats quicker, not wider.
        const double wide = prolonged ? keeps : call->burst[i];
        amplitude *= 1.0 + within(wide, 0.0, burst) * (fish.width[i] - 1.0);
        const int flung = curl_of(motor, &fish, call, i, call->cstart[i], &curl), curls = curl != 0.0;
        amplitude = curls ? 0.0 : amplitude;
        const double wished = meant(motor, &fish, i, speed, burst, frequency);
        const double push = strokes_on(motor, &fish, call, i, wished, along, powers);
        amplitude *= call->tail[i];
        call->beating[i] = frequency, call->beating[fishes + i] = amplitude;
        const double moving = posture.moving = within(along / motor->moving, 0.0, 1.0);
        const double level = fish.steadiness[i] * sqrt(ahead[0] * ahead[0] + ahead[1] * ahead[1]);
        const double turn = flung ? call->cstart[i] : call->turn[i];
        const double rate = steer(motor, &fish, call, i, fishes, turn, level, moving, bends);
        fins(motor, &fish, call, i, call->climb[i], &posture, velocity, length, gamma);

        // Fins that turn row against each other, whatever the flow along the fish; in a burst or C-start they are
        // folded.
        const double left = call->left[i], yaw = within(left, -motor->retreat_angle, motor->retreat_angle);
        const int helps = call->off[i] > fish.turn_begin[i] && burst <= motor->kick_share;
        const double helping = helps ? within(fabs(left) / fish.turn_full[i], motor->turn_least, 1.0) : 0.0;
        const double hard = (fabs(left) - motor->braking_begin) / (motor->braking_full - motor->braking_begin);
        const double braking = fish.turn_braking[i] * within(hard, 0.0, 1.0);
        const double oar = fish.turn[i] * helping * sign(left), inner = within(motor->turning * left, -1.0, 1.0);
        // Who brakes rows backwards until it stands.
        const double stops = call->brake[i] && along > 0.0 ? least(along / motor->standing, 1.0) : 0.0;
        const double rowed = greatest(back, stops);
        const double pushes[2] = {push * (1.0 - greatest(inner, 0.0)), push * (1.0 + least(inner, 0.0))};
        for (int fin = 0; fin < 2; fin++) {
            const double oars = fin ? -oar : oar;
            const int turning = oars != 0.0 && back == 0.0 && !curls;
            const int paddling = !turning && !stopped && pushes[fin] > 0.0 && !curls;
            double row = rowed * fish.row[i] * (1.0 + motor->retreat_gain * (fin ? -yaw : yaw));
            row = turning ? oars - (1.0 - braking) * along + motor->braking_row * (stopped ? 1.0 : 0.0) : row;
            row = paddling ? -along - pushes[fin] : row;
            // In a glide they are held out, and give way: the water meets them at a share of its speed.
            const int idle = !turning && !stopped && speed < motor->fade_speed && pushes[fin] == 0.0 && !curls;
            const int gliding = idle && fish.spread[i] > 0.0 && along > 0.0;
            row = gliding ? (fish.spread[i] - 1.0) * along : row;
            // Broadside fins balance too: tilted off the flow, they lift as much as fins along it. Where they row
            // forward, or a fish is pushed backwards faster than its fins flap, the flow comes from behind and lifts
            // the other way.
            const double flow = along + row;
            const int behind = !turning && flow * fabs(flow) + fish.flap[i] * fish.flap[i] < 0.0;
            const double tilt = (turning ? sign(oars) : behind ? -1.0 : 1.0) * (gamma[fin] - motor->level_angle);
            const int broadside = stopped || turning || paddling || gliding;
            call->gamma[fin * fishes + i] = broadside ? motor->braking_angle - tilt : motor->level_angle + tilt;
            call->row[fin * fishes + i] = row;
        }
        call->frequency[i] = frequency;
        call->amplitude[i] = amplitude;
        for (int segment = 0; segment < 2; segment++) call->bend[segment * fishes + i] = curls ? 0.0 : bends[segment];
        const double swift = call->rate[i] = rate * greatest(fish.beat[i], frequency);
        follow_bend(motor, &fish, call, i, curls ? 0.0 : (bends[0] + bends[1]) / 2.0, swift);
        call->curl[i] = curl;
        call->fling[i] = motor->start_rate * fish.burst_beat[i];
        call->strokes[i] = call->stroke[i];
        call->strokes[fishes + i] = call->reach[i];
    }
    free(powers);
    return 0;
}
