"""Rows 13 to 15, 17 to 21, 25, 26 and 29 to 31 of the table of life: what an audience and a biologist still see."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...core.recording import Recording
from ...core.scene.species import Species
from ..finding import times
from . import bodies, company, motion, staging, tracks
from .bodily import acceleration, quick_speeds, startled
from .figure import Figure
from .minded import CALM, ESCAPE, STEEP, TRACKED, alarmed, by_kind, lone, paces
from .staging import SHIPPED, of

AVOID = Recording.INTENTIONS.index("avoid")
TINY_METRES = 0.15
TINY = tuple(name for name in SHIPPED if Species.load(name).length < TINY_METRES)
BREATHING = ("tuna", "reef_shark")
"""Species that must swim to breathe."""
SHY = ("sardine", "cardinalfish")
STRAIGHT = 5.0  # degrees a second, below which a path is straight
LEVEL = 45.0  # degrees, from which on a neighbour is above or below rather than beside
DISORDER = 0.7
FINDING_SECONDS = 90.0
GLIDE_SECONDS = 8.0
START_SECONDS = 0.008  # sigma of the filter on the path of a start
START = "Domenici & Blake 1997"


def punch(seeds: range) -> Iterator[Figure]:
    """Row 13: the punch of an escape, of fishes below 15 cm."""
    flights = [staging.frights(TINY, seed) for seed in seeds]
    recorded = [one.recording for one in flights]
    first = by_kind(recorded, [1000.0 * first_stage(one) for one in flights])
    yield Figure(13, "first stage of a start, ms", first, None, 60.0, 0.5, "25 to 60", START)
    pushes = by_kind(recorded, [acceleration(one, START_SECONDS)[: one.frames // 4].max(axis=0) for one in recorded])
    yield Figure(13, "its most acceleration, m/s²", pushes, 25.0, None, 0.5, "20 to 60", START)
    fast = by_kind(recorded, [speed_after(one, 0.1) for one in flights])
    yield Figure(13, "speed 0.1 s after it begins, lengths/s", fast, 5.0, None, 0.5, "6 to 12", START)


def first_stage(fright: staging.SuddenFright) -> np.ndarray:
    """Seconds from each one's first motion until its head turns back, (fish,); NaN if it never moves."""
    turning = motion.rotation(bodies.headings(fright.recording.nodes), fright.recording.fps)
    begin, found = startled(fright), np.full(turning.shape[1], np.nan)
    for fish, seconds in enumerate(begin):
        if np.isnan(seconds):
            continue
        rate = turning[round(seconds * fright.recording.fps) - 1 :, fish]
        strongest = int(np.abs(rate[: len(rate) // 4]).argmax())
        back = np.flatnonzero(rate[strongest:] * np.sign(rate[strongest]) <= 0.0)
        found[fish] = (strongest + back[0]) / fright.recording.fps if len(back) else np.nan
    return found


def speed_after(fright: staging.SuddenFright, seconds: float) -> np.ndarray:
    """Speed of each so many seconds after its first motion, lengths a second, (fish,); NaN if it never moves."""
    fast, begin = quick_speeds(fright.recording), startled(fright)
    frame = np.nan_to_num(np.round((begin + seconds) * fright.recording.fps)).astype(int) - 1
    there = fast[np.clip(frame, 0, len(fast) - 1), np.arange(fast.shape[1])]
    return np.where(np.isnan(begin), np.nan, there)


def attack(seeds: range) -> Iterator[Figure]:
    """Row 14: a bait ball under attack."""
    balls = [staging.preset("bait_ball", seed, 40.0) for seed in seeds]
    slowest = by_kind(balls, [paces(one).min(axis=0) for one in balls])
    slow = {name: slowest[name] for name in BREATHING}
    yield Figure(14, "slowest of who swims to breathe, lengths/s", slow, 0.6, None, 1.0, "0.5 to 14", "Yuen 1966")
    room, mills = [], []
    for one in balls:
        hunts = np.isin(one.species, BREATHING)
        prey = np.array(one.species) == "sardine"
        places, heads = bodies.middles(one.nodes), bodies.headings(one.nodes)
        there = np.where(one.alive[:, prey, None], places[:, prey], np.nan)
        mills.append(float(np.nanmax(company.milling(there, heads[:, prey]))))
        for hunter in np.flatnonzero(hunts):
            gap = np.nanmin(np.linalg.norm(there - places[:, None, hunter], axis=-1), axis=1) / one.body_length[hunter]
            close = gap < 2.0
            if close.any():
                room.append(float(np.median(gap[close])))
    yield Figure(14, "room around an attacker, its lengths", {"all": room or [np.nan]}, 0.5, None, 0.5, "0.5 to 2")
    yield Figure(14, "most rotation of the ball", {"sardine": mills}, 0.5, None, 0.5, "mills under attack")


def carousel(seeds: range) -> Iterator[Figure]:
    """Row 15: the shark of the reef."""
    reefs = [staging.preset("reef", seed, 40.0) for seed in seeds]
    shares, tight = [], []
    for one in reefs:
        shark = np.array(one.species) == "reef_shark"
        shares += motion.share_of_time(one.intention[:, shark] == AVOID).tolist()
        places = bodies.middles(one.nodes)[:, shark]
        rate = np.radians(motion.turning(places, one.fps, one.body_length[shark]))
        radius = paces(one)[:, shark] / np.maximum(rate, 1e-9)
        tight += motion.share_of_time(radius < 2.0).tolist()
    yield Figure(15, "share of time that it avoids", {"reef_shark": shares}, None, 0.25)
    yield Figure(15, "share of time in turns within 2 lengths", {"reef_shark": tight}, None, 0.1)


def courses(seeds: range) -> Iterator[Figure]:
    """Row 17: straight legs."""
    alone = lone(seeds)
    rates = [motion.turning(bodies.middles(one.nodes), one.fps, one.body_length) for one in alone]
    real = {one.name: motion.turning(one.places, one.fps, one.length) for one in tracks.tracked()}
    median = by_kind(alone, [np.nanmedian(rate, axis=0) for rate in rates])
    theirs = {name: np.nanmedian(rate, axis=0) for name, rate in real.items()}
    yield Figure(17, "turning, median, degrees/s", median, 15.0, None, 0.5, "30 to 55", TRACKED, theirs)
    straight = by_kind(alone, [motion.share_of_time(rate < STRAIGHT, np.isfinite(rate)) for rate in rates])
    theirs = {name: motion.share_of_time(rate < STRAIGHT, np.isfinite(rate)) for name, rate in real.items()}
    said = f"share of time that the path turns by less than {STRAIGHT:.0f} degrees/s"
    yield Figure(17, said, straight, None, 0.25, 0.5, "0.09 to 0.12", TRACKED, theirs)


def heights(seeds: range) -> Iterator[Figure]:
    """Row 18: how far those that are alone go up and down."""
    alone = lone(seeds)
    values = by_kind(alone, [motion.flatness(bodies.middles(one.nodes)) for one in alone])
    yield Figure(18, "way up and down over that along", values, 0.25, None, 0.5, "all heights")


def parade(seeds: range) -> Iterator[Figure]:
    """Row 19: looseness of a school of sardines, over ten minutes."""
    lows, varied, steep, coupled = [], [], [], []
    theirs = {}
    for one in tracks.tracked():
        speed = motion.speeds(one.places, one.fps, one.length)
        theirs[one.name] = company.coupling(speed, company.nearest(one.places))
    for seed in seeds:
        school = staging.school("sardine", 30, seed, 600.0)
        places, speed = bodies.middles(school.nodes), paces(school)
        order = company.order(bodies.headings(school.nodes))
        minute = round(60.0 * school.fps)
        lows += [float(order[begin : begin + minute].min()) for begin in range(0, len(order), minute)]
        varied += motion.variation(speed, school.fps).tolist()
        some = slice(None, None, round(school.fps))
        mates = company.nearest(places)
        steep += (company.steepness(places[some], mates[some]) > LEVEL).mean(axis=0).tolist()
        coupled += company.coupling(speed, mates).tolist()
    some_minutes = {"sardine": np.array(lows)}
    yield Figure(19, "lowest order within each minute", some_minutes, None, DISORDER, 0.2, "0.2 to 0.3")
    yield Figure(19, "variation of speed in 5 s, in a school", {"sardine": varied}, 0.15)
    yield Figure(19, "share of nearest neighbours above or below 45 degrees", {"sardine": steep}, None, 0.35)
    said = "correlation of speeds of nearest neighbours"
    yield Figure(19, said, {"sardine": coupled}, 0.3, None, 0.5, "0.44", TRACKED, theirs)


def alarm(seeds: range) -> Iterator[Figure]:
    """Row 20: speed and reach of an alarm."""
    for count, many in ((80, times(2, seeds)), (1000, seeds[:1])):
        speeds, shares = [], []
        for seed in many:
            delay, places = alarmed("sardine", seed, count)
            speeds.append(company.wave_speed(delay / staging.SLOW_MOTION, places))
            shares.append(float(np.isfinite(delay).mean()))
        source = "Radakov 1973; Gerlotto et al. 2006"
        yield Figure(20, f"alarm of {count}, m/s", {"sardine": speeds}, 4.0, None, 0.5, "7.45, anchovy", source)
        yield Figure(20, f"share of {count} that takes it up", {"sardine": shares}, 0.95, None, 0.5, "all")


def rises(seeds: range) -> Iterator[Figure]:
    """Row 21: rises of speed of those that are alone."""
    theirs: dict[str, list[motion.Gains]] = {}
    for one in tracks.tracked():
        speed = motion.speeds(one.places, one.fps, one.length)
        theirs[one.name] = [motion.gains(mine, one.fps) for mine in speed.T]
    ours: dict[str, list[motion.Gains]] = {}
    for alone in lone(seeds):
        for name, speed in of(alone, paces(alone)).items():
            ours.setdefault(name, []).extend(motion.gains(mine, alone.fps) for mine in speed.T)

    def lasting(found: dict[str, list[motion.Gains]]) -> dict[str, np.ndarray]:
        took = {name: np.concatenate([one.seconds for one in several]) for name, several in found.items()}
        return {name: values if len(values) else np.array([np.nan]) for name, values in took.items()}

    def often(found: dict[str, list[motion.Gains]]) -> dict[str, np.ndarray]:
        return {name: np.array([one.minute for one in several]) for name, several in found.items()}

    yield Figure(21, "rise of speed, s", lasting(ours), None, 0.3, 0.5, "0.19 to 0.25", TRACKED, lasting(theirs))
    small = {name: values for name, values in often(ours).items() if name in staging.SMALL}
    yield Figure(21, "rises a minute, small fish", small, 30.0, None, 0.5, "43 to 97", TRACKED, often(theirs))


def braking(seeds: range) -> Iterator[Figure]:
    """Row 25: the end of a stop, of those whose fins can stop them, and gliding."""
    sprint, able = 12.0, tuple(name for name in SHIPPED if name not in BREATHING)

    def stop(t: float, commands: staging.Commands) -> None:
        commands.swim[:], commands.brake[:] = float(t < sprint), t >= sprint

    def glide(t: float, commands: staging.Commands) -> None:
        commands.swim[:] = float(t < sprint)

    for what, species, manoeuvre, share, most in (
        ("braking to a tenth of full speed, s", able, stop, 0.1, 1.5),
        ("gliding to half of full speed, s", SHIPPED, glide, 0.5, 3.0),
    ):
        one = staging.piloted(species, manoeuvre, sprint + GLIDE_SECONDS)
        speed = motion.speeds(bodies.middles(one.nodes), one.fps, one.body_length)
        took = motion.fall_seconds(speed[round(sprint * one.fps) :], one.fps, share)
        yield Figure(25, what, of(one, took), None, most, 0.5, "1 to 3")


def backing(seeds: range) -> Iterator[Figure]:
    """Row 26: swimming backwards on command."""

    def back(t: float, commands: staging.Commands) -> None:
        commands.back[:] = 1.0

    one = staging.piloted(SHIPPED, back, 6.0)
    velocity = motion.velocities(bodies.middles(one.nodes), one.fps, one.body_length)
    backwards = -(velocity * bodies.headings(one.nodes)).sum(axis=-1)[round(3.0 * one.fps) :].mean(axis=0)
    every = of(one, backwards)
    never = {name: values for name, values in every.items() if name in BREATHING}
    others = {name: values for name, values in every.items() if name not in BREATHING}
    yield Figure(26, "retreat, lengths/s", others, None, 0.2)
    yield Figure(26, "retreat of who swims to breathe, lengths/s", never, None, 0.02, 1.0, "none")


def trail(seeds: range) -> Iterator[Figure]:
    """Row 29: bait in a stream, which a shark smells from below and not from above."""
    many, far = times(10, seeds), f"bait {staging.BAIT_AWAY:.0f} lengths"
    below, above = (
        [staging.finding(seed, away, FINDING_SECONDS) for seed in many]
        for away in (staging.BAIT_AWAY, -staging.BAIT_AWAY)
    )
    without = [staging.finding(seed, staging.BAIT_AWAY, FINDING_SECONDS, scent=0.0) for seed in many]
    source = "Hodgson & Mathewson 1971; Gardiner & Atema 2010"
    for what, found, right, share, real in (
        (f"{far} up the stream, found within {FINDING_SECONDS:.0f} s", below, True, 0.9, "from below"),
        (f"{far} down the stream, found so", above, False, 1.0, "not from above"),
        (f"{far} up the stream, found so without a nose for it", without, False, 0.9, ""),
    ):
        outcomes = {"reef_shark": np.isfinite(found)}
        yield Figure(29, what, outcomes, None, None, share, real, source if real else "", right=right)
    yield Figure(29, "time to that up the stream, s", {"reef_shark": below})


def toward(seeds: range) -> Iterator[Figure]:
    """Row 30: who of a shoal of eight is nearer to a threat after half a second."""
    nearer = {}
    for name in SHY:
        shares = []
        for seed in times(5, seeds):
            world = staging.settled(name, 8, seed, 12.0, staging.SLOW_MOTION)
            places, length = bodies.middles(world.nodes), float(world.shoal.length[0])
            side = np.random.default_rng(seed).uniform(-np.pi, np.pi)
            reach = np.linalg.norm(places - places.mean(axis=0), axis=1).max() + 1.5 * length
            threat = places.mean(axis=0) + reach * np.array([np.cos(side), np.sin(side), 0.0])
            world.frighten(threat, 2.0 * reach)
            after = bodies.middles(world.simulate(staging.SLOW_MOTION // 2).nodes[-1])
            was, now = (np.linalg.norm(one - threat, axis=1) for one in (places, after))
            shares += (now < was).tolist()
        nearer[name] = np.array(shares)
    yield Figure(30, "in a shoal of eight, nearer to a threat after 0.5 s", nearer, right=False, share=0.9)


def steep_swimmers(seeds: range) -> Iterator[Figure]:
    """Row 31: steep swimmers on the reef."""
    reefs = [staging.preset("reef", seed, 40.0) for seed in seeds]
    steep = [np.abs(bodies.pitch(one.nodes)) > STEEP for one in reefs]
    calm = [one.alive & np.isin(one.intention, CALM) for one in reefs]
    others = [one.alive & (one.intention != ESCAPE) for one in reefs]
    for what, want, counts in (
        ("share of fish-frames pitched beyond 20 degrees but in flight", 0.03, others),
        ("the same of those at ease", None, calm),
    ):
        shares = [float(beyond[which].mean()) for beyond, which in zip(steep, counts, strict=True)]
        yield Figure(31, what, {"all": shares}, None, want)


ROWS = {
    13: punch,
    14: attack,
    15: carousel,
    17: courses,
    18: heights,
    19: parade,
    20: alarm,
    21: rises,
    25: braking,
    26: backing,
    29: trail,
    30: toward,
    31: steep_swimmers,
}
