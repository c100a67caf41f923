"""The motor center, its sprints, strokes and controllers (Tu 1999, §4.6)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from artfish.core.base.elementary import arcsin, arctan2, cos, exp, hypot, sin_and_cos
from artfish.core.base.sums import mean, total
from artfish.core.base.vectors import dot, wrap
from artfish.core.motor.controllers import ascend, descend

Array = np.ndarray


def drive(**declared: Any) -> None:
    """Parameters of muscles and fins of all fishes; takes what core/motor/drive.py declares."""
    now = SimpleNamespace(**declared)
    motor, fish = now.motor, now.fish
    ahead = now.frames[:, :, 0]
    # A bent body turns its head, and the fish, who knows its bend, takes that for no turn either.
    azimuth = arctan2(ahead[:, 1], ahead[:, 0]) - motor.bent_head * now.bent
    pitch = arcsin(np.clip(ahead[:, 2], -1.0, 1.0))
    roll = arctan2(now.frames[:, 2, 1], now.frames[:, 2, 2])
    sense(now, azimuth, pitch, roll)

    back = np.clip(now.back, 0.0, 1.0) + 0.0  # so that no zero has a sign
    stopped, along = now.brake | (back > 0.0), dot(now.velocities, ahead) / now.lengths
    fresh = motor.spent + (1.0 - motor.spent) * np.minimum(now.reserve / motor.tired, 1.0)
    share = np.where(stopped, 0.0, np.minimum(np.clip(now.swim, 0.0, 1.0), fresh))  # spent fishes are slower
    # Who has to turn about turns first: a burst would take it where it faces.
    sprint = np.maximum(now.burst, fish.steadiness * kick(now, share, along))
    quickest = (motor.prolonged_frames / motor.dt - fish.beat) / np.maximum(fish.burst_beat - fish.beat, 1e-9)
    keeps = np.minimum(now.prolonged, np.maximum(quickest, 0.0))
    prolonged = keeps > sprint
    wish = np.where(prolonged, keeps, sprint)
    bursts = burst(now, np.where(stopped | (np.abs(now.left) > motor.bursting), 0.0, wish), prolonged)
    speed = np.maximum(share, bursts)
    frequency, amplitude = swim(now, speed)
    haste = np.where(now.left > 0.0, now.hastes[0], now.hastes[1])
    frequency = frequency * (1.0 + np.minimum(np.abs(now.left) / fish.sharp, 1.0) * (haste - 1.0))
    frequency = frequency + bursts * (fish.burst_beat - frequency)
    # A fish that only gathers speed beats quicker, not wider.
    wide = np.where(prolonged, keeps, now.burst)
    amplitude = amplitude * (1.0 + np.clip(wide, 0.0, bursts) * (fish.width - 1.0))
    flung, curled = cstart(now), now.curl != 0.0
    amplitude = np.where(curled, 0.0, amplitude)
    push = paddle(now, meant(now, speed, bursts, frequency), along)
    amplitude = amplitude * now.tail
    now.beating[:] = frequency, amplitude
    moving = np.clip(along / motor.moving, 0.0, 1.0)
    level = fish.steadiness * hypot(ahead[:, 0], ahead[:, 1])
    bend, rate = steer(now, np.where(flung, now.cstart, now.turn), level, moving)
    now.bend[:] = bend = np.where(curled, 0.0, bend)

    gamma = fins(now, pitch, roll, moving)
    # Fins that turn row against each other, whatever the flow along the fish; in a burst or C-start they are folded.
    yaw = np.clip(now.left, -motor.retreat_angle, motor.retreat_angle)
    # Who brakes rows backwards until it stands.
    stops = np.where(now.brake & (along > 0.0), np.minimum(along / motor.standing, 1.0), 0.0)
    rowed = np.where(back > stops, back, stops)  # NumPy's maximum takes 0.0 or -0.0, as its release will have it
    row = rowed * fish.row * (1.0 + motor.retreat_gain * np.stack([yaw, -yaw]))
    oars = turning_oars(now) * (bursts <= motor.kick_share)
    turning = (oars != 0.0) & (back == 0.0) & ~curled
    hard = (np.abs(now.left) - motor.braking_begin) / (motor.braking_full - motor.braking_begin)
    braking = fish.turn_braking * np.clip(hard, 0.0, 1.0)
    row = np.where(turning, oars - (1.0 - braking) * along + motor.braking_row * stopped, row)
    inner = np.clip(motor.turning * now.left, -1.0, 1.0)
    pushes = push * np.stack([1.0 - np.maximum(inner, 0.0), 1.0 + np.minimum(inner, 0.0)])
    paddling = ~turning & ~stopped & (pushes > 0.0) & ~curled
    row = np.where(paddling, -along - pushes, row)
    # In a glide they are held out, and give way: the water meets them at a share of its speed.
    idle = ~turning & ~stopped & (speed < motor.fade_speed) & (pushes == 0.0) & ~curled
    gliding = idle & (fish.spread > 0.0) & (along > 0.0)
    now.row[:] = row = np.where(gliding, (fish.spread - 1.0) * along, row)
    # Broadside fins balance too: tilted off the flow, they lift as much as fins along it. Where they row forward, or a
    # fish is pushed backwards faster than its fins flap, the flow comes from behind and lifts the other way.
    flow = along + row
    behind = ~turning & (flow * np.abs(flow) + np.square(fish.flap) < 0.0)
    tilt = np.where(turning, np.sign(oars), np.where(behind, -1.0, 1.0)) * (gamma - motor.level_angle)
    broadside = stopped | turning | paddling | gliding
    now.gamma[:] = np.where(broadside, motor.braking_angle - tilt, motor.level_angle + tilt)

    now.frequency[:], now.amplitude[:] = frequency, amplitude
    now.rate[:] = rate * np.maximum(fish.beat, frequency)
    follow_bend(now, bend)
    now.fling[:] = motor.start_rate * fish.burst_beat
    now.strokes[:] = now.stroke, now.reach


def wave_of(now: SimpleNamespace) -> tuple[Array, Array]:
    """Phase of the beat at the end of the frame, (fish,), and its sine and cosine with its amplitude, (2, fish)."""
    phase = (now.phase + 2.0 * np.pi * now.beating[0] * now.motor.dt) % (2.0 * np.pi)
    return phase, now.beating[1] * np.stack(sin_and_cos(phase))


def sense(now: SimpleNamespace, azimuth: Array, pitch: Array, roll: Array) -> None:
    """Updates the smoothed heading, the rate of yaw in radians a beat and those of pitch and roll a second."""
    motor, posture = now.motor, np.stack([azimuth, pitch, roll])
    if now.begins:
        now.last[:], now.heading[:], now.course[:] = posture, azimuth, azimuth
    pitching, rolling = wrap(posture[1:] - now.last[1:]) / motor.dt
    now.last[:] = posture
    # With every beat the head sways; the fish, who knows its beat, takes that for no turn.
    now.phase[:], wave = wave_of(now)
    ahead = wrap(azimuth - now.heading) - total(now.sway * wave, axis=0)
    now.sway += np.minimum(4.0 * np.pi * motor.sway_notch * now.beating[0] * motor.dt, 1.0) * ahead * wave
    yawed = (1.0 - exp(-motor.dt * now.fish.beat / motor.heading_beats)) * ahead
    now.heading += yawed
    now.yaw_rate[:] = yawed / (motor.dt * now.fish.beat)
    now.pitch_rate += motor.steady_share * (pitching - now.pitch_rate)
    now.roll_rate += motor.steady_share * (rolling - now.roll_rate)


def swim(now: SimpleNamespace, speed: Array) -> tuple[Array, Array]:
    """Swim-MC: beats a second and their share of the best contractions at a share of full speed, (fish,) each.

    The book's optimal parameters are those at speed 1; a slower swim beats more slowly and less widely, both in
    proportion to the speed above what is left of them at the slowest. Who has learned to swim beats as it learned.
    """
    fish, knots = now.fish, len(now.learned) - 1
    frequency = fish.beat * (fish.slow_beat + (1.0 - fish.slow_beat) * speed)
    width = fish.slow_amplitude + (1.0 - fish.slow_amplitude) * speed
    width = width * np.minimum(speed / now.motor.fade_speed, 1.0)
    at = np.minimum(speed, 1.0) * knots
    knot, each = np.minimum(np.floor(at), knots - 1).astype(int), np.arange(len(speed))
    below = now.learned[knot, each]
    learned = below + (at - knot) * (now.learned[knot + 1, each] - below)
    return np.where(fish.full > 0.0, learned, frequency), np.where(fish.full > 0.0, speed, width)


def kick(now: SimpleNamespace, share: Array, along: Array) -> Array:
    """Share of its burst that each fish gives to gather speed, (fish,): one that starts beats faster than it will."""
    motor, full = now.motor, now.fish.full
    beats, width = swim(now, share)
    goes = np.where(full > 0.0, np.maximum(share * full, 1e-9), motor.meant_stride * beats)
    lack = np.clip((motor.kick_none - along / goes) / (motor.kick_none - motor.kick_full), 0.0, 1.0)
    kicks = (now.fish.rows == 0.0) & (width > 0.0) & (now.reserve > motor.kick_reserve)
    return np.where(kicks, np.minimum(width, 1.0) * (motor.kick_share * lack), 0.0)


def burst(now: SimpleNamespace, wish: Array, prolonged: Array) -> Array:
    """Share of its burst that each fish gives, 0 to 1, (fish,), for that which it wishes; it tires or rests."""
    strength = np.minimum(now.reserve / now.motor.tired, 1.0)
    given = np.where(now.fish.bursts != 0.0, np.clip(wish, 0.0, 1.0) * strength, 0.0)
    toil = np.where(prolonged, exp((given - 1.0) * now.fish.lasting), given)
    change = np.where(given > 0.0, -toil * now.fish.loss, now.fish.gain)
    now.reserve[:] = np.clip(now.reserve + now.motor.dt * change, 0.0, 1.0)
    return given


def cstart(now: SimpleNamespace) -> Array:
    """Sets the curls of C-starts, and gives the mask of those that begin, (fish,).

    The whole body bends to one side, and while the tail strikes back a little to the other; whoever still faces the
    threat bends again.
    """
    motor, command = now.motor, now.cstart
    begun = (command != 0.0) & (command != now.command) & (now.fish.flings != 0.0)
    now.command[:] = command
    before, whole = now.since.copy(), motor.start_beats + motor.recoil_beats
    since = np.minimum(before + motor.dt * now.fish.burst_beat, 1e3)
    done = (before < whole) & (since >= whole)
    again = done & (now.bends > 0.0) & (now.side * now.left > motor.again)
    now.since[:] = np.where(begun, 0.0, np.where(again, motor.start_beats - motor.again_beats, since))
    now.bends[:] = np.where(begun, motor.start_bends, now.bends) - (begun | again)
    now.side[:] = np.where(begun, np.sign(command), now.side)
    recoils = np.where(now.since < whole, -motor.recoil, 0.0)
    now.curl[:] = now.side * np.where(now.since < motor.start_beats, 1.0, recoils)
    return begun


def meant(now: SimpleNamespace, share: Array, bursts: Array, beats: Array) -> Array:
    """The speed in lengths a second that shares of full speed and of a burst stand for, (fish,)."""
    motor = now.motor
    rowed = now.fish.gait * (motor.least + (1.0 - motor.least) * share) * np.minimum(share / motor.fade_speed, 1.0)
    return np.where(bursts > 0.0, np.maximum(rowed, motor.meant_stride * beats), rowed)


def paddle(now: SimpleNamespace, wish: Array, along: Array) -> Array:
    """Moves strokes on, and gives the root mean square of the speed at which fins push against the water, (fish,)."""
    motor, able, gait = now.motor, now.fish.rows != 0.0, now.fish.gait
    wish, slowest = wish * able, np.maximum(gait, 1e-9)
    over = np.clip((wish - gait) / (motor.change * slowest), 0.0, 1.0)
    now.tail += motor.ease_share * (np.where(able, over, 1.0) - now.tail)
    now.wish += motor.ease_share * (np.minimum(wish, gait) - now.wish)
    lack = now.wish - along
    pace = (now.wish + motor.hurry * np.clip(lack, 0.0, 1.0)) / slowest
    rate = now.fish.rate * (motor.rest_rate + (1.0 - motor.rest_rate) * pace)
    turned, rows = 2.0 * np.pi * rate * motor.dt * able, able & (now.wish > 0.0)
    change = np.where(rows, motor.push_gain * motor.dt * np.clip(lack, -0.5, 0.5), 0.0)
    now.push[:] = np.clip(now.push + change, 0.0, 4.0 * motor.push)
    excess = np.sqrt(np.maximum(now.push * np.square(now.wish) + motor.haste * lack, 0.0))
    swiftest = 2.0 * np.pi * rate * now.fish.most
    sweep = np.where(rows, np.minimum(np.maximum(along, 0.0) + excess, swiftest), 0.0) * (1.0 - now.tail)
    now.reach += motor.ease_share * (sweep / np.maximum(swiftest, 1e-9) - now.reach)
    samples = (np.arange(motor.samples) + 0.5) / motor.samples
    power = np.maximum(sweep * cos(now.stroke + turned * samples[:, None]) - along, 0.0) * able
    now.stroke[:] = (now.stroke + turned) % (2.0 * np.pi)
    return np.sqrt(mean(np.square(power), axis=0))


def steer(now: SimpleNamespace, turn: Array, level: Array, moving: Array) -> tuple[Array, Array]:
    """Bend (2, fish) and its rate for what is left of the turn; a change to a non-zero value begins a new one."""
    motor, beat = now.motor, now.fish.beat
    begun = (turn != 0.0) & (turn != now.turn_command)
    now.turn_command[:] = turn
    base = np.where(np.abs(now.course - now.heading) < motor.on_course, now.course, now.heading)
    now.course[:] = np.where(begun, base + turn, now.course)
    # Neither course nor heading is wrapped: a turn of 180 degrees and more goes the way of the command.
    # A degree of azimuth is less of a turn for a fish that climbs.
    remainder = level * (now.course - now.heading)
    now.off[:] = np.abs(remainder)
    now.left[:] = remainder - level * (motor.heading_beats + now.fish.lead) * now.yaw_rate
    # A trim that has gone too far is taken back faster than it came.
    haste = np.where(remainder * now.trim < 0.0, motor.untrim, motor.trim)
    gain = haste * motor.dt * beat * remainder * (now.off < motor.trimmed)
    now.trim[:] = np.clip(np.where(begun, 0.0, now.trim + gain), -motor.most_trim, motor.most_trim)
    # To bend is of little use to a fish that rests or retreats: its head only wags the more.
    small = motor.rest_yawing * (1.0 - moving)
    bend = now.left - np.clip(now.left, -small, small) + now.trim
    # Against the part of its sway that it can foresee the fish bends, and so keeps its head still.
    _, wave = wave_of(now)
    quick = (motor.sway_last - now.beating[0] * motor.dt) / (motor.sway_last - motor.sway_first)
    timely = now.fish.steadiness * moving * np.clip(quick, 0.0, 1.0)
    bend -= motor.sway_bending * timely * total(now.sway * wave, axis=0)
    contraction, rate = left_turn(now, np.abs(bend))
    return np.sign(bend) * contraction, rate


def left_turn(now: SimpleNamespace, angle: Array) -> tuple[Array, Array]:
    """Left-turn-MC: an angle becomes contractions (2, fish) of the two turning segments and their rate, (fish,).

    Interpolates the four parameter sets of the steering map. Angles above 90 degrees take the last set; the turn goes
    on until it is done, as the chained turns of the book. A turn to the right is the mirror image.
    """
    knots, each = np.concatenate([[0.0], now.motor.map_angles]), np.arange(len(angle))
    place = np.clip(np.searchsorted(knots, angle, side="right") - 1, 0, len(knots) - 2)
    share = np.minimum((angle - knots[place]) / (knots[place + 1] - knots[place]), 1.0)

    def mapped(values: Array) -> Array:
        before = np.where(place > 0, values[each, place - 1], 0.0)
        return before + share * (values[each, place] - before)

    rate = np.maximum(mapped(now.bend_rates), now.bend_rates[:, 0])
    return np.stack([mapped(now.fronts), mapped(now.middles)]), rate


def turning_oars(now: SimpleNamespace) -> Array:
    """Speed at which each fin meets the water to help a turn along, in lengths a second, (2, fish), left first."""
    share = np.clip(np.abs(now.left) / now.fish.turn_full, now.motor.turn_least, 1.0)
    speed = now.fish.turn * np.where(now.off > now.fish.turn_begin, share, 0.0) * np.sign(now.left)
    return np.stack([speed, -speed])


def fins(now: SimpleNamespace, pitch: Array, roll: Array, moving: Array) -> Array:
    """Fin angles (2, fish) that bring the path to the angle of the command and the body upright.

    Ascend-MC, descend-MC and balance-MC: the roll to be undone becomes two angles around a common one.
    """
    motor, velocity, length, climb = now.motor, now.velocities, now.lengths, now.climb
    level = hypot(velocity[:, 0], velocity[:, 1])
    speed, path = hypot(level, velocity[:, 2]), arctan2(velocity[:, 2], level)
    trust = motor.path_share * moving  # a resting or retreating fish has no path to follow
    error = np.clip(climb - path, -motor.slope_error, motor.slope_error)
    trim = now.slope_trim + motor.slope_gain * motor.dt * trust * error
    now.slope_trim[:] = np.clip(trim, -motor.most_slope, motor.most_slope)
    # Nor does what its path was trimmed by tilt it: a fish that hovers is level.
    steepness = climb - (1.0 - trust) * pitch - trust * path + moving * now.slope_trim
    # However the water carries a fish, its body points about where it means to go.
    steepness = np.clip(pitch + steepness, climb - motor.lean, climb + motor.lean) - pitch
    # Fins push with the square of the flow, so a resting fish must be damped more than a swimming one.
    rest = 1.0 / (np.square(speed / length) + np.square(now.fish.flap) + 1e-9)
    pitch_damping = np.minimum(motor.pitch_damping * rest, motor.most_damping)
    roll_damping = np.minimum(motor.roll_damping * rest, motor.most_damping)
    calm, fast = now.fish.steadiness * motor.calm, np.minimum(np.square(motor.swift_fins) * rest, 1.0)
    angle = calm * (motor.pitch_gain * fast * steepness - pitch_damping * now.pitch_rate)
    both = np.where(angle > 0.0, ascend(angle), descend(-angle))
    # A fish that hardly moves does not lean: nothing would right it again once its fins rest.
    swings = np.clip(speed / (motor.leaning_speed * length), 0.0, 1.0) * now.fish.leans
    upright = roll + swings * np.clip(now.left / motor.leaning_angle, -1.0, 1.0)
    undo = calm * (motor.roll_gain * fast * upright + roll_damping * now.roll_rate)
    return np.clip(np.stack([both - 0.5 * undo, both + 0.5 * undo]), motor.lowest_angle, motor.highest_angle)


def follow_bend(now: SimpleNamespace, bend: Array) -> None:
    """Updates the bend that the turning segments will have at the end of the frame, as muscles bend."""
    fish = now.fish
    to = mean(bend, axis=0) * fish.contraction
    slow = np.where(np.abs(to) < np.abs(now.bent), fish.release, 1.0)
    pace = now.rate * now.motor.dt * fish.contraction * slow
    now.bent += np.clip(to - now.bent, -pace, pace)
