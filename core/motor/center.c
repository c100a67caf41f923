// The motor center: what core/motor/center.py, sprint.py, paddling.py, learned.py and controllers.py define and explain,
// compiled.
//
// Operation by operation the same as there, a fish after the other, so the bits are those of NumPy's forms.

#include "compiled/exact.h"

enum { SETS = 4, MOST_SAMPLES = 64, KNOTS = 5 };

static const double PI = 3.141592653589793;

// Of the controllers, the center, sprints and paddles, as center.py lays them out.
typedef struct {
    double dt, calm, steady_share, ease_share, level_angle, lowest_angle, highest_angle, braking_angle, map_angles[SETS], fade_speed;
    double moving, heading_beats, sway_notch, sway_bending, sway_first, sway_last;
    double meant_stride, kick_share, kick_full, kick_none, kick_reserve;
    double on_course, untrim, trim, trimmed, most_trim, rest_yawing;
    double retreat_gain, retreat_angle, turn_least, braking_row, braking_begin, braking_full, bent_head;
    double path_share, slope_gain, slope_error, most_slope, lean;
    double pitch_gain, roll_gain, pitch_damping, roll_damping, most_damping, swift_fins, leaning_angle, leaning_speed;
    double tired, spent, start_beats, again_beats, start_bends, again, recoil_beats, recoil, start_rate;
    double least, change, rest_rate, hurry, haste, push, push_gain, turning, samples;
} Numbers;

// What each fish is: rows of one array, (number, fish); yes and no are 1 and 0.
typedef struct {
    const double *beat, *slow_beat, *slow_amplitude, *lead, *row, *turn, *flap;
    const double *turn_begin, *turn_full, *turn_braking, *leans, *contraction, *release;
    const double *spread, *width;
    const double *burst_beat, *bursts, *flings, *loss, *gain, *rows, *most, *rate, *gait;
    const double *full, *hastes[2], *sharp, *learned[KNOTS];  // Learned.traits
    const double *steadiness;
    const double *front, *middle, *bend_rate;  // (fish, 4) each
} Fishes;

enum { TRAITS = 29 + KNOTS };

// What changes with time, and what commands say.
typedef struct {
    double *slope_trim, *course, *turn_command, *heading, *left, *off, *trim, *yaw_rate, *pitch_rate, *roll_rate;
    double *beating, *phase, *sway, *last, *bent;
    double *reserve, *since, *side, *bends, *command;
    double *stroke, *reach, *tail, *push, *wish;
} State;

typedef struct {
    const double *swim, *turn, *climb, *back, *burst, *cstart;
    const uint8_t *brake;
} Commands;

typedef struct {
    double azimuth, pitch, roll, along, moving;
} Posture;

// MotorCenter._wave.
static inline double wave_of(const Numbers *of, const State *now, int64_t i, int64_t fishes, double *wave) {
    const double frequency = now->beating[i], amplitude = now->beating[fishes + i];
    const double phase = remainder_of(now->phase[i] + 2.0 * PI * frequency * of->dt, 2.0 * PI);
    sin_and_cos(phase, wave, wave + 1);
    wave[0] *= amplitude, wave[1] *= amplitude;
    return phase;
}

// MotorCenter._sense.
static inline void sense(
    const Numbers *of, const Fishes *is, const State *now, int64_t i, int64_t fishes, const Posture *posture
) {
    const double pitching = wrap(posture->pitch - now->last[fishes + i]) / of->dt;
    const double rolling = wrap(posture->roll - now->last[2 * fishes + i]) / of->dt;
    now->last[i] = posture->azimuth;
    now->last[fishes + i] = posture->pitch;
    now->last[2 * fishes + i] = posture->roll;
    double wave[2];
    now->phase[i] = wave_of(of, now, i, fishes, wave);
    double *sway = now->sway + i, *other = sway + fishes;
    const double ahead = wrap(posture->azimuth - now->heading[i]) - (*sway * wave[0] + *other * wave[1]);
    const double notch = least(4.0 * PI * of->sway_notch * now->beating[i] * of->dt, 1.0) * ahead;
    *sway += notch * wave[0], *other += notch * wave[1];
    const double yawed = (1.0 - exponential(-of->dt * is->beat[i] / of->heading_beats)) * ahead;
    now->heading[i] += yawed;
    now->yaw_rate[i] = yawed / (of->dt * is->beat[i]);
    const double share = of->steady_share;
    now->pitch_rate[i] += share * (pitching - now->pitch_rate[i]);
    now->roll_rate[i] += share * (rolling - now->roll_rate[i]);
}

// MotorCenter._swim.
static inline double beats_of(const Numbers *of, const Fishes *is, int64_t i, double speed, double *width) {
    if (is->full[i] > 0.0) {
        const double at = least(speed, 1.0) * (double)(KNOTS - 1);
        int64_t knot = (int64_t)at;
        knot = knot < KNOTS - 2 ? knot : KNOTS - 2;
        const double below = is->learned[knot][i];
        *width = speed;
        return below + (at - (double)knot) * (is->learned[knot + 1][i] - below);
    }
    const double slow = is->slow_amplitude[i], slowest = is->slow_beat[i];
    *width = (slow + (1.0 - slow) * speed) * least(speed / of->fade_speed, 1.0);
    return is->beat[i] * (slowest + (1.0 - slowest) * speed);
}

// MotorCenter._kick.
static inline double kick_of(
    const Numbers *of, const Fishes *is, const State *now, int64_t i, double swim, double along
) {
    double width;
    const double beats = beats_of(of, is, i, swim, &width), none = of->kick_none;
    const double full = is->full[i], meant = full > 0.0 ? greatest(swim * full, 1e-9) : of->meant_stride * beats;
    const double lack = (none - along / meant) / (none - of->kick_full);
    const double kick = of->kick_share * within(lack, 0.0, 1.0);
    const int kicks = is->rows[i] == 0.0 && width > 0.0 && now->reserve[i] > of->kick_reserve;
    return kicks ? least(width, 1.0) * kick : 0.0;
}

// Sprints.burst.
static inline double burst_of(const Numbers *of, const Fishes *is, const State *now, int64_t i, double wish) {
    const double strength = least(now->reserve[i] / of->tired, 1.0);
    const double given = is->bursts[i] != 0.0 ? within(wish, 0.0, 1.0) * strength : 0.0;
    const double reserve = now->reserve[i] + of->dt * (given > 0.0 ? -given * is->loss[i] : is->gain[i]);
    now->reserve[i] = within(reserve, 0.0, 1.0);
    return given;
}

// Sprints.cstart; whether it begins.
static inline int curl_of(
    const Numbers *of, const Fishes *is, const State *now, int64_t i, double command, double *curl
) {
    const int begun = command != 0.0 && command != now->command[i] && is->flings[i] != 0.0;
    const double before = now->since[i], whole = of->start_beats + of->recoil_beats;
    now->command[i] = command;
    double since = least(before + of->dt * is->burst_beat[i], 1e3);
    const int done = before < whole && since >= whole;
    const int again = done && now->bends[i] > 0.0 && now->side[i] * now->left[i] > of->again;
    since = now->since[i] = begun ? 0.0 : again ? of->start_beats - of->again_beats : since;
    now->bends[i] = (begun ? of->start_bends : now->bends[i]) - (begun || again ? 1.0 : 0.0);
    now->side[i] = begun ? sign(command) : now->side[i];
    *curl = now->side[i] * (since < of->start_beats ? 1.0 : since < whole ? -of->recoil : 0.0);
    return begun;
}

// Paddles.speed.
static inline double meant(const Numbers *of, const Fishes *is, int64_t i, double swim, double burst, double beats) {
    const double slow = of->least + (1.0 - of->least) * swim;
    const double rowed = is->gait[i] * slow * least(swim / of->fade_speed, 1.0);
    return burst > 0.0 ? greatest(rowed, of->meant_stride * beats) : rowed;
}

// Paddles.advance.
static inline double strokes_on(
    const Numbers *of, const Fishes *is, const State *now, int64_t i, double speed, double along
) {
    const double able = is->rows[i], gait = is->gait[i], wish = speed * able, slowest = greatest(gait, 1e-9);
    const double share = of->ease_share;
    const double over = within((wish - gait) / (of->change * slowest), 0.0, 1.0);
    now->tail[i] += share * ((able != 0.0 ? over : 1.0) - now->tail[i]);
    const double meant = now->wish[i] += share * (least(wish, gait) - now->wish[i]), lack = meant - along;
    const double pace = (meant + of->hurry * within(lack, 0.0, 1.0)) / slowest;
    const double rate = is->rate[i] * (of->rest_rate + (1.0 - of->rest_rate) * pace);
    const double turned = 2.0 * PI * rate * of->dt * able;
    const int rows = able != 0.0 && meant > 0.0;
    const double push = now->push[i] + (rows ? of->push_gain * of->dt * within(lack, -0.5, 0.5) : 0.0);
    now->push[i] = within(push, 0.0, 4.0 * of->push);
    const double excess = sqrt(greatest(now->push[i] * (meant * meant) + of->haste * lack, 0.0));
    const double swiftest = 2.0 * PI * rate * is->most[i];
    const double sweep = (rows ? least(greatest(along, 0.0) + excess, swiftest) : 0.0) * (1.0 - now->tail[i]);
    now->reach[i] += share * (sweep / greatest(swiftest, 1e-9) - now->reach[i]);
    double powers[MOST_SAMPLES];
    const int64_t many = (int64_t)of->samples;
    for (int64_t k = 0; k < many; k++) {
        double sine, cosine = 1.0;  // of a fin that does not sweep it does not matter
        const double angle = now->stroke[i] + turned * (((double)k + 0.5) / of->samples);
        if (sweep != 0.0) sin_and_cos(angle, &sine, &cosine);
        const double power = greatest(sweep * cosine - along, 0.0) * able;
        powers[k] = power * power;
    }
    now->stroke[i] = remainder_of(now->stroke[i] + turned, 2.0 * PI);
    fold(powers, many, 1);
    return sqrt(powers[0] / of->samples);
}

// controllers.left_turn for one of the map's columns.
static inline double mapped(const double *sets, int64_t place, double share) {
    const double before = place > 0 ? sets[place - 1] : 0.0;
    return before + share * (sets[place] - before);
}

// MotorCenter._steer; contractions of both segments, and their rate.
static inline double steer(
    const Numbers *of, const Fishes *is, const State *now, int64_t i, int64_t fishes, double turn, double level,
    double moving, double *bends
) {
    const int begun = turn != 0.0 && turn != now->turn_command[i];
    now->turn_command[i] = turn;
    const double heading = now->heading[i], beat = is->beat[i];
    const double base = fabs(now->course[i] - heading) < of->on_course ? now->course[i] : heading;
    now->course[i] = begun ? base + turn : now->course[i];
    const double remainder = level * (now->course[i] - heading);
    now->off[i] = fabs(remainder);
    now->left[i] = remainder - level * (of->heading_beats + is->lead[i]) * now->yaw_rate[i];
    const double haste = remainder * now->trim[i] < 0.0 ? of->untrim : of->trim;
    const double gain = haste * of->dt * beat * remainder * (now->off[i] < of->trimmed ? 1.0 : 0.0);
    now->trim[i] = within(begun ? 0.0 : now->trim[i] + gain, -of->most_trim, of->most_trim);
    const double small = of->rest_yawing * (1.0 - moving);
    double bend = now->left[i] - within(now->left[i], -small, small) + now->trim[i], wave[2];
    wave_of(of, now, i, fishes, wave);
    const double quick = (of->sway_last - now->beating[i] * of->dt) / (of->sway_last - of->sway_first);
    bend -= of->sway_bending * is->steadiness[i] * moving * within(quick, 0.0, 1.0) * (now->sway[i] * wave[0] + now->sway[fishes + i] * wave[1]);
    const double angle = fabs(bend), side = sign(bend);
    int64_t place = 0;
    for (int64_t k = 0; k < SETS; k++) place += !(angle < of->map_angles[k]);
    place = place < SETS ? place : SETS - 1;
    const double from = place ? of->map_angles[place - 1] : 0.0;
    const double share = least((angle - from) / (of->map_angles[place] - from), 1.0);
    const double *rate = is->bend_rate + SETS * i;
    bends[0] = side * mapped(is->front + SETS * i, place, share);
    bends[1] = side * mapped(is->middle + SETS * i, place, share);
    return greatest(mapped(rate, place, share), rate[0]);
}

// MotorCenter._follow_bend.
static inline void follow_bend(
    const Numbers *of, const Fishes *is, const State *now, int64_t i, double bend, double rate
) {
    const double to = bend * is->contraction[i], slow = fabs(to) < fabs(now->bent[i]) ? is->release[i] : 1.0;
    const double pace = rate * of->dt * is->contraction[i] * slow;
    now->bent[i] += within(to - now->bent[i], -pace, pace);
}

// MotorCenter._fins: gamma of the left and the right fin.
static inline void fins(
    const Numbers *of, const Fishes *is, const State *now, int64_t i, double climb, const Posture *posture,
    const double *velocity, double length, double *gamma
) {
    const double level = sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1]);
    const double speed = sqrt(level * level + velocity[2] * velocity[2]), path = arctan2(velocity[2], level);
    const double pitch = posture->pitch, trust = of->path_share * posture->moving;
    const double error = within(climb - path, -of->slope_error, of->slope_error);
    const double trim = now->slope_trim[i] + of->slope_gain * of->dt * trust * error;
    now->slope_trim[i] = within(trim, -of->most_slope, of->most_slope);
    double steepness = climb - (1.0 - trust) * pitch - trust * path + posture->moving * now->slope_trim[i];
    steepness = within(pitch + steepness, climb - of->lean, climb + of->lean) - pitch;
    const double swift = speed / length, rest = 1.0 / (swift * swift + is->flap[i] * is->flap[i] + 1e-9);
    const double fast = least(of->swift_fins * of->swift_fins * rest, 1.0);
    const double pitch_damping = least(of->pitch_damping * rest, of->most_damping);
    const double roll_damping = least(of->roll_damping * rest, of->most_damping);
    const double calm = is->steadiness[i] * of->calm;
    const double angle = calm * (of->pitch_gain * fast * steepness - pitch_damping * now->pitch_rate[i]);
    const double both = angle > 0.0 ? of->level_angle + 0.5 * within(angle, 0.0, PI / 2)
                                    : of->level_angle - 0.5 * within(-angle, 0.0, PI / 2);
    const double swings = within(speed / (of->leaning_speed * length), 0.0, 1.0) * is->leans[i];
    const double upright = posture->roll + swings * within(now->left[i] / of->leaning_angle, -1.0, 1.0);
    const double roll = calm * (of->roll_gain * fast * upright + roll_damping * now->roll_rate[i]);
    gamma[0] = within(both - 0.5 * roll, of->lowest_angle, of->highest_angle);
    gamma[1] = within(both + 0.5 * roll, of->lowest_angle, of->highest_angle);
}

// MotorCenter.drive: Numbers, traits (34, fish), steering map (3, fish, 4), frames (fish, 3, 3), velocity (fish, 3),
// length (fish), commands swim, turn, climb, back, burst, cstart and brake, (fish) each; what changes with time, as
// State has it; and the drive, (13, fish). Numbers: fishes.
SEEN int32_t artfish_drive(void **arrays, const int64_t *numbers) {
    const int64_t fishes = numbers[2];
    const Numbers *of = arrays[0];
    Fishes is;
    for (int trait = 0; trait < TRAITS; trait++) (&is.beat)[trait] = (const double *)arrays[1] + trait * fishes;
    for (int map = 0; map < 3; map++) (&is.front)[map] = (const double *)arrays[2] + map * SETS * fishes;
    const double *frames = arrays[3], *velocities = arrays[4], *lengths = arrays[5];
    const Commands to = {arrays[6], arrays[7], arrays[8], arrays[9], arrays[10], arrays[11], arrays[12]};
    State state;
    memcpy(&state, arrays + 13, sizeof state);
    const State *now = &state;
    double *drive = arrays[13 + sizeof state / sizeof(void *)];
    if (!(of->samples <= MOST_SAMPLES)) return 1;
    for (int64_t i = numbers[0]; i < numbers[1]; i++) {
        const double *frame = frames + 9 * i, *velocity = velocities + 3 * i, length = lengths[i];
        const double steep = within(frame[6], -1.0, 1.0), ahead[3] = {frame[0], frame[3], frame[6]};
        Posture posture = {arctan2(ahead[1], ahead[0]), arctan2(steep, other_leg(steep)), arctan2(frame[7], frame[8]), 0.0, 0.0};
        posture.azimuth -= of->bent_head * now->bent[i];
        sense(of, &is, now, i, fishes, &posture);
        const double back = within(to.back[i], 0.0, 1.0), along = dot(velocity, ahead) / length;
        const int stopped = to.brake[i] || back > 0.0;
        const double fresh = of->spent + (1.0 - of->spent) * least(now->reserve[i] / of->tired, 1.0);
        const double swim = stopped ? 0.0 : least(within(to.swim[i], 0.0, 1.0), fresh);
        const double wish = greatest(to.burst[i], is.steadiness[i] * kick_of(of, &is, now, i, swim, along));
        const double burst = burst_of(of, &is, now, i, stopped ? 0.0 : wish), speed = greatest(swim, burst);
        double amplitude, curl, bends[2], gamma[2];
        double frequency = beats_of(of, &is, i, speed, &amplitude);
        const double before = now->left[i], sharp = least(fabs(before) / is.sharp[i], 1.0);
        frequency *= 1.0 + sharp * (is.hastes[before > 0.0 ? 0 : 1][i] - 1.0);
        frequency += burst * (is.burst_beat[i] - frequency);
        amplitude *= 1.0 + within(to.burst[i], 0.0, burst) * (is.width[i] - 1.0);
        const int flung = curl_of(of, &is, now, i, to.cstart[i], &curl), curls = curl != 0.0;
        amplitude = curls ? 0.0 : amplitude;
        const double push = strokes_on(of, &is, now, i, meant(of, &is, i, speed, burst, frequency), along);
        amplitude *= now->tail[i];
        now->beating[i] = frequency, now->beating[fishes + i] = amplitude;
        const double moving = posture.moving = within(along / of->moving, 0.0, 1.0);
        const double level = is.steadiness[i] * sqrt(ahead[0] * ahead[0] + ahead[1] * ahead[1]);
        const double turn = flung ? to.cstart[i] : to.turn[i];
        const double rate = steer(of, &is, now, i, fishes, turn, level, moving, bends);
        fins(of, &is, now, i, to.climb[i], &posture, velocity, length, gamma);

        const double left = now->left[i], yaw = within(left, -of->retreat_angle, of->retreat_angle);
        const int helps = now->off[i] > is.turn_begin[i] && burst <= of->kick_share;
        const double helping = helps ? within(fabs(left) / is.turn_full[i], of->turn_least, 1.0) : 0.0;
        const double hard = (fabs(left) - of->braking_begin) / (of->braking_full - of->braking_begin);
        const double braking = is.turn_braking[i] * within(hard, 0.0, 1.0);
        const double oar = is.turn[i] * helping * sign(left), inner = within(of->turning * left, -1.0, 1.0);
        const double pushes[2] = {push * (1.0 - greatest(inner, 0.0)), push * (1.0 + least(inner, 0.0))};
        for (int fin = 0; fin < 2; fin++) {
            const double oars = fin ? -oar : oar;
            const int turning = oars != 0.0 && back == 0.0 && !curls;
            const int paddling = !turning && !stopped && pushes[fin] > 0.0 && !curls;
            double row = back * is.row[i] * (1.0 + of->retreat_gain * (fin ? -yaw : yaw));
            row = turning ? oars - (1.0 - braking) * along + of->braking_row * (stopped ? 1.0 : 0.0) : row;
            row = paddling ? -along - pushes[fin] : row;
            const int idle = !turning && !stopped && speed < of->fade_speed && pushes[fin] == 0.0 && !curls;
            const int gliding = idle && is.spread[i] > 0.0 && along > 0.0;
            row = gliding ? (is.spread[i] - 1.0) * along : row;
            const double flow = along + row;
            const int behind = !turning && flow * fabs(flow) + is.flap[i] * is.flap[i] < 0.0;
            const double tilt = (turning ? sign(oars) : behind ? -1.0 : 1.0) * (gamma[fin] - of->level_angle);
            const int broadside = stopped || turning || paddling || gliding;
            drive[(7 + fin) * fishes + i] = broadside ? of->braking_angle - tilt : of->level_angle + tilt;
            drive[(9 + fin) * fishes + i] = row;
        }
        drive[i] = frequency;
        drive[fishes + i] = amplitude;
        for (int segment = 0; segment < 2; segment++) drive[(2 + segment) * fishes + i] = curls ? 0.0 : bends[segment];
        const double swift = drive[4 * fishes + i] = rate * greatest(is.beat[i], frequency);
        follow_bend(of, &is, now, i, curls ? 0.0 : (bends[0] + bends[1]) / 2.0, swift);
        drive[5 * fishes + i] = curl;
        drive[6 * fishes + i] = of->start_rate * is.burst_beat[i];
        drive[11 * fishes + i] = now->stroke[i];
        drive[12 * fishes + i] = now->reach[i];
    }
    return 0;
}
