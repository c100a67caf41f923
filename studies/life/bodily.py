"""Rows 1 to 3, 5, 6 and 9 of the table of life: swimming, fleeing, rowing, starting, stopping and body waves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from ...core.body.gait import measure
from . import bodies, motion, staging
from .figure import Figure
from .staging import LABRIFORM, SHIPPED, SMALL, of

QUICK_SECONDS = 0.04  # sigma of the filter on speeds that rise in tenths of a second
LEVELS = (0.1, 0.2, 0.3, 0.4, 0.55, 0.7, 0.85, 1.0)
BURSTS = (0.2, 0.35, 0.5, 0.65, 0.8, 1.0)
TAILED = 0.2  # share of a burst at which a rowing fish swims by its tail alone
BINS = (5, 7, 9, 12)  # Hz, of the beats of bursts
STIRRED = 0.01  # lengths from where it would be, at which a startled fish has moved
BURST, LINE = "Videler & Wardle 1991", "Bainbridge 1958"
STARTLE = "Domenici & Blake 1997; Webb 1978"


def gathered(parts: Iterator[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """Values of several seeds, concatenated by species."""
    several = list(parts)
    return {name: np.concatenate([np.ravel(part[name]) for part in several]) for name in several[0]}


def quick_speeds(recording: staging.Recording) -> np.ndarray:
    """Speeds in lengths a second, filtered lightly enough to show a burst, (frames, fish)."""
    return motion.speeds(bodies.middles(recording.nodes), recording.fps, recording.body_length, QUICK_SECONDS)


def top_speed(seeds: range) -> Iterator[Figure]:
    """Row 1: the speed of fleeing or striking fishes."""
    flights = [staging.frights(SMALL, seed) for seed in seeds]
    second = round(flights[0].recording.fps)
    speeds = [quick_speeds(one.recording) for one in flights]
    pairs = list(zip(flights, speeds, strict=True))
    within = gathered(of(one.recording, fast[:second].max(axis=0)) for one, fast in pairs)
    peak = gathered(of(one.recording, fast.max(axis=0)) for one, fast in pairs)
    real = "about 10 in a burst"
    yield Figure(1, "fastest within 1 s of a fright, lengths/s", within, 4.0, None, 0.5, real, BURST)
    yield Figure(1, "fastest within 2 s of a fright, lengths/s", peak, 6.0, None, 0.5, real, BURST)
    full, level = staging.ladder(SHIPPED, LEVELS)
    gait = measure(full.nodes, full.fps, full.body_length)
    cruise = {name: speed[-1:] for name, speed in of(full, gait.speed).items()}
    yield Figure(1, "kept up at full speed of a cruise, lengths/s", cruise, real="1 to 3", source=BURST)
    for hunter, prey in (("grouper", "cardinalfish"), ("reef_shark", "parrotfish")):
        peaks = [np.max(quick_speeds(staging.hunt(hunter, prey, seed, staging.HUNT_SECONDS))[:, 0]) for seed in seeds]
        least = 2.5 if hunter == "reef_shark" else None
        yield Figure(1, f"fastest of a {hunter} on a hunt, lengths/s", {hunter: peaks}, least)


def beats(seeds: range) -> Iterator[Figure]:
    """Row 2: speed against the beat, and the stride."""
    steady, level = staging.ladder(SHIPPED, LEVELS)
    gait = measure(steady.nodes, steady.fps, steady.body_length)
    tailed = [name for name in SHIPPED if name not in LABRIFORM]
    strides = {name: stride[2:] for name, stride in of(steady, gait.stride).items() if name in tailed}
    yield Figure(2, "stride at cruise, lengths a beat", strides, 0.55, 0.8, 0.5, "0.6 to 0.7", LINE)
    fast = staging.bursting(SMALL, BURSTS)
    beat = motion.frequencies(bodies.tail_swing(fast.nodes, fast.body_length), fast.fps)
    speed = motion.speeds(bodies.middles(fast.nodes), fast.fps, fast.body_length).mean(axis=0)
    ratio = speed / (0.75 * np.maximum(beat, 2.0) - 1.0)
    bins = {f"{low} to {high} Hz": ratio[(beat >= low) & (beat < high)] for low, high in pairwise(BINS)}
    every = {name: values if len(values) else np.array([np.nan]) for name, values in bins.items()}
    yield Figure(2, "speed over 0.75 f - 1, in bursts", every, 0.8, 1.2, 0.5, "1", LINE)
    flights = [staging.frights(SMALL, seed).recording for seed in seeds]
    fleeing = []
    for one in flights:
        part = one.nodes[round(0.25 * one.fps) : round(0.85 * one.fps)]
        swept = np.gradient(bodies.tail_swing(part, one.body_length), axis=0)  # the bend of its turn is wider, and slow
        fleeing.append(of(one, motion.frequencies(swept, one.fps)))
    yield Figure(2, "beat of a fish that flees, Hz", gathered(iter(fleeing)), 5.0, None, 0.5, "5 to 15", LINE)


def start(seeds: range) -> Iterator[Figure]:
    """Row 3: the startle, from a static threat within two lengths."""
    frights = [staging.frights(SMALL, seed) for seed in seeds]

    def all_of(measured: list[np.ndarray]) -> dict[str, np.ndarray]:
        return gathered(of(one.recording, values) for one, values in zip(frights, measured, strict=True))

    stirs = [startled(one) for one in frights]
    latency = all_of([1000.0 * stir for stir in stirs])
    yield Figure(3, "from a threat to the first motion, ms", latency, None, 50.0, 0.9, "10 to 50", STARTLE)
    bends = [np.abs(bodies.bend(one.recording.nodes[: one.recording.frames // 6])).max(axis=0) for one in frights]
    yield Figure(3, "most bend within 1/3 s, degrees", all_of(bends), 60.0, None, 0.5, "90 and more", STARTLE)
    turned = [turned_within(one, 0.0 * stir, 0.1) for one, stir in zip(frights, stirs, strict=True)]
    said = "most that the head is turned within 100 ms of the threat, degrees"
    yield Figure(3, said, all_of(turned), 60.0, None, 0.5, "", STARTLE)
    turned = [turned_within(one, stir, 0.1) for one, stir in zip(frights, stirs, strict=True)]
    said = "the most within 100 ms of the first motion, degrees"
    yield Figure(3, said, all_of(turned), 60.0, None, 0.5, "60 and more", STARTLE)
    rates = [np.abs(motion.rotation(bodies.headings(one.recording.nodes), one.recording.fps)) for one in frights]
    peaks = all_of([rate[: len(rate) // 4].max(axis=0) for rate in rates])
    yield Figure(3, "fastest turn of the head, degrees/s", peaks, 1000.0, None, 0.5, "430 to 1030 and more", STARTLE)
    pushes = all_of([acceleration(one.recording)[: one.recording.frames // 4].max(axis=0) for one in frights])
    yield Figure(3, "most acceleration, m/s²", pushes, None, None, 0.5, "20 to 40", STARTLE)
    away = all_of([turns_away(one) for one in frights])
    beside = {name: values[np.isfinite(values)] > 0.5 for name, values in away.items()}
    yield Figure(3, "who has it ahead or beside turns away within 0.3 s", beside, right=True, share=0.9)
    nearer = all_of([nearness(one, 0.5) for one in frights])
    yield Figure(3, "distance from it after 0.5 s over that before", nearer)
    closer = {name: values < 1.0 for name, values in nearer.items()}
    yield Figure(3, "nearer to it after 0.5 s", closer, right=False, share=1.0)
    spent = staging.frights(SMALL, 0, 2, 20.0, 1.0).recording
    fast = quick_speeds(spent)
    early, late = (fast[round(a * spent.fps) : round(b * spent.fps)].mean(axis=0) for a, b in ((1, 4), (16, 20)))
    tired = of(spent, late / early)
    yield Figure(3, "speed when frightened for 20 s over that at first", tired, None, 0.75, 0.5, "bursts tire", BURST)


def startled(fright: staging.SuddenFright) -> np.ndarray:
    """Seconds until each moves from where it would have been without its fright, (fish,); NaN if it never does."""
    twin = fright.twin
    line, undisturbed = bodies.midline(fright.recording.nodes[: twin.frames]), bodies.midline(twin.nodes)
    first = motion.departures(line, undisturbed, STIRRED * twin.body_length)
    return (first + 1.0) / twin.fps


def turned_within(fright: staging.SuddenFright, begin: np.ndarray, seconds: float) -> np.ndarray:
    """Largest horizontal turn of each head within `seconds` of its beginning, degrees, (fish,); NaN for none.

    The first stage of a start ends when the head turns back, as the tail strikes back (Domenici & Blake 1997).
    """
    ahead = np.concatenate([bodies.headings(fright.before)[None], bodies.headings(fright.recording.nodes)])
    azimuth = np.degrees(np.unwrap(np.arctan2(ahead[..., 1], ahead[..., 0]), axis=0))
    fps, fish = fright.recording.fps, np.arange(azimuth.shape[1])
    first = np.nan_to_num(np.round(begin * fps)).astype(int)
    turned = np.abs(azimuth - azimuth[first, fish])
    frame = np.arange(len(azimuth))[:, None]
    counts = (frame >= first) & (frame <= first + round(seconds * fps))
    return np.where(np.isnan(begin), np.nan, np.where(counts, turned, 0.0).max(axis=0))


def acceleration(recording: staging.Recording, sigma: float = 0.5 * QUICK_SECONDS) -> np.ndarray:
    """Acceleration of the middles, m/s², (frames, fish), of paths that are smoothed by `sigma` seconds."""
    velocity = motion.velocities(bodies.middles(recording.nodes), recording.fps, 1.0, sigma)
    return np.linalg.norm(np.gradient(velocity, axis=0), axis=-1) * recording.fps


def turns_away(fright: staging.SuddenFright, seconds: float = 0.3) -> np.ndarray:
    """1 if each head points farther from the threat by then, else 0, (fish,).

    NaN for a fish with the threat behind it, which gets away straight on as well.
    """
    frame = round(seconds * fright.recording.fps)
    before = bodies.headings(fright.before)
    after = bodies.headings(fright.recording.nodes[frame])
    bearing = fright.threat - bodies.middles(fright.before)
    bearing /= np.linalg.norm(bearing, axis=1, keepdims=True)
    was, now = (bearing * before).sum(axis=1), (bearing * after).sum(axis=1)
    return np.where(was > np.cos(np.radians(120.0)), (now < was - 0.02).astype(float), np.nan)


def nearness(fright: staging.SuddenFright, seconds: float) -> np.ndarray:
    """Distance of each middle from its threat `seconds` after, over that as it appears, (fish,)."""
    after = bodies.middles(fright.recording.nodes[round(seconds * fright.recording.fps) - 1])
    before = bodies.middles(fright.before)
    return np.linalg.norm(after - fright.threat, axis=1) / np.linalg.norm(before - fright.threat, axis=1)


def pectorals(seeds: range) -> Iterator[Figure]:
    """Row 5: rowing with the pectoral fins, and its speeds."""
    source = "Korsmeyer et al. 2002"
    steady, _ = staging.ladder(SHIPPED, LEVELS)
    gait = measure(steady.nodes, steady.fps, steady.body_length)
    sweeps, rates = {}, {}
    flap = motion.frequencies(steady.fins[..., 1].mean(axis=2), steady.fps)
    by = of(steady, np.stack([gait.speed, gait.amplitude, flap]))
    for name in LABRIFORM:
        speed, swept, rate = by[name]
        slow = (speed > 0.1) & (speed < 1.5)
        sweeps[name] = swept[slow] if slow.any() else np.array([np.nan])
        order = np.argsort(speed)
        low, high = np.interp([0.3, 1.5], speed[order], rate[order])
        rates[name] = np.array([high / low])
    yield Figure(5, "tail sweep below 1.5 lengths/s, lengths", sweeps, None, 0.05, 0.9, "the tail rests", source)
    yield Figure(5, "beat of the fins at 1.5 over that at 0.3 lengths/s", rates, 2.0, None, 0.5, "about 2", source)
    jolts = {}
    for name, push in of(*ramped()).items():
        if name in LABRIFORM:
            jolts[name] = push
    yield Figure(5, "most gain of speed in a slow ramp, lengths/s²", jolts, None, 3.0)
    oars = np.abs(np.diff(steady.fins[..., 2], axis=0)).mean(axis=(0, 2)) * steady.fps
    wings = np.ptp(steady.fins[..., 1], axis=0).mean(axis=1)
    for what, values in (("oaring, rad/s", oars), ("flapping, lengths of a fin", wings)):
        still = {"reef_shark": of(steady, values)["reef_shark"][2:]}
        yield Figure(5, f"fins of a cruising shark: {what}", still, None, 0.1, 0.5, "held as wings", source)


def ramped() -> tuple[staging.Recording, np.ndarray]:
    """A fish of each species whose speed rises to the full over 16 s, and its largest gain in a second, (fish,)."""

    def slowly(t: float, commands: staging.Commands) -> None:
        commands.swim[:] = min(t / 16.0, 1.0)

    recording = staging.piloted(SHIPPED, slowly, 18.0)
    speed = motion.speeds(bodies.middles(recording.nodes), recording.fps, recording.body_length)
    return recording, np.gradient(speed, axis=0).max(axis=0) * recording.fps


def starts_and_stops(seeds: range) -> Iterator[Figure]:
    """Row 6: the time to reach speed, and to lose it."""
    sprint = 16.0

    def go_and_glide(t: float, commands: staging.Commands) -> None:
        commands.swim[:] = 1.0 if t < sprint else 0.0

    recording = staging.piloted(SHIPPED, go_and_glide, 2 * sprint)
    ahead = motion.speeds(bodies.middles(recording.nodes), recording.fps, recording.body_length)
    frames = round(sprint * recording.fps)
    rise, fall = motion.rise_seconds(ahead[:frames], recording.fps), motion.fall_seconds(ahead[frames:], recording.fps)
    for who, names, most in (("small", SMALL, 1.0), ("large", [n for n in SHIPPED if n not in SMALL], 2.0)):
        values = {name: value for name, value in of(recording, rise).items() if name in names}
        yield Figure(6, f"from rest to 90 % of full speed, {who} fish, s", values, None, most)
    yield Figure(6, "gliding to half of it, s", of(recording, fall), 1.0, 4.0)


def waves(seeds: range) -> Iterator[Figure]:
    """Row 9: the wave down the body at full speed; for rowers, above their change of gait."""
    source = "Videler & Hess 1984"
    steady, level = staging.ladder(SHIPPED, LEVELS)
    full = level == 1.0
    swum = passed(steady.nodes[:, full], np.array(steady.species)[full], steady.body_length[full], steady.fps)
    tailed = staging.bursting(LABRIFORM, (TAILED,))
    swum |= passed(tailed.nodes, np.array(tailed.species), tailed.body_length, tailed.fps)

    def every(what: str) -> dict[str, np.ndarray]:
        return {name: swum[name][what] for name in SHIPPED}

    for span in dict.fromkeys(map(staging.wave_lengths, SHIPPED)):
        alike = {name: long for name, long in every("length").items() if staging.wave_lengths(name) == span}
        who = f" of a {next(iter(alike))}" if len(alike) == 1 else ""
        yield Figure(9, f"length of the wave{who}, lengths", alike, *span, 0.5, "0.7 to 1", source)
    for what, low, high in (("least", 0.1, None), ("steepest", None, 2.5)):
        said = f"{what} rise of its size from 0.36 lengths on, over the mean rise"
        yield Figure(9, said, every(what), low, high, 0.5, "smooth", source)
    yield Figure(9, "phase over the trunk, degrees", every("trunk"), 100.0, None, 0.5, "", source)
    yield Figure(9, "speed over that of the wave", every("slip"), 0.5, None, 0.5, "0.6 to 0.8", source)
    yield Figure(9, "sweep of the tail, lengths", every("sweep"), 0.1, 0.3, 0.5, "about 0.2", LINE)


def passed(nodes: np.ndarray, who: np.ndarray, length: np.ndarray, fps: float) -> dict[str, dict[str, np.ndarray]]:
    """Waves that fishes pass down their bodies, by species and measure, (fish,) each.

    Args:
        nodes: Nodes of fishes that swim straight on, (frames, fish, 23, 3).
        who: Name of each one's species, (fish,).
        length: Body lengths in metres, (fish,).
        fps: Frames a second.
    """
    stations = bodies.stations_of(nodes, length)
    found = bodies.wave(bodies.sideways(nodes) / length[:, None], stations, fps)
    rise = bodies.rises(found.amplitude, stations)
    measured = {
        "length": found.length,
        "least": rise.min(axis=1),
        "steepest": rise.max(axis=1),
        "trunk": found.trunk,
        "slip": measure(nodes, fps, length).speed / (found.frequency * found.length),
        "sweep": 2.0 * found.amplitude[:, bodies.TAIL],
    }
    return {name: {what: values[who == name] for what, values in measured.items()} for name in dict.fromkeys(who)}


def heads(seeds: range) -> Iterator[Figure]:
    """Row 22: the yaw of heads, and where bodies bend, at full speed; for rowers, above their change of gait."""
    source, (steady, level) = "Videler & Hess 1984", staging.ladder(SHIPPED, LEVELS)
    rows = np.flatnonzero((level == 1.0) & ~np.isin(steady.species, LABRIFORM))
    names, nodes, length = np.array(steady.species)[rows], steady.nodes[:, rows], steady.body_length[rows]
    yaws = dict(zip(names.tolist(), bodies.yaw(nodes)[:, None], strict=True))
    yield Figure(22, "yaw of the head at cruise, degrees", yaws, 3.0, 7.0, 1.0, "4 to 7", source)
    tailed = staging.bursting(LABRIFORM, (TAILED,))
    rowers = dict(zip(tailed.species, bodies.yaw(tailed.nodes)[:, None], strict=True))
    yield Figure(22, "the same of rowers that beat their tails, degrees", rowers, None, None, 0.5, "4 to 7")
    bends, stations = bodies.joints(nodes), bodies.stations_of(nodes, length)[:, 1 : bodies.PEDUNCLE + 1]
    most = stations[np.arange(len(bends)), bends.argmax(axis=1)]
    fore = np.where(stations < 0.6, bends, 0.0).max(axis=1) / bends.max(axis=1)
    for what, values, low, high in (
        ("where it bends most, lengths", most, 0.7, None),
        ("bend ahead of 0.6 over the most", fore, None, 0.5),
    ):
        tunas = {name: values[names == name] for name in staging.THUNNIFORM}
        yield Figure(22, f"tuna: {what}", tunas, low, high, 0.5, "behind 0.7", "Shadwick & Syme 2008")
    swum = passed(nodes, names, length, steady.fps)
    waves = {name: swum[name]["length"] for name in swum if "cardinal" in name}
    yield Figure(22, "wave of a cardinalfish, lengths", waves, 0.9, 1.1, 1.0, "0.7 to 1", source)


ROWS = {1: top_speed, 2: beats, 3: start, 5: pectorals, 6: starts_and_stops, 9: waves, 22: heads}
