"""Rows 4, 7, 8 and 10 to 12 of the table of life: pace, turns, pitch, the hunt, schools and love."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...core.recording import Recording
from .. import schools
from ..finding import times
from . import bodies, company, minds, motion, staging, tracks
from .bodily import quick_speeds
from .figure import Figure
from .staging import DARTING, SHIPPED, SMALL, of

PIKE = "Webb & Skadsen 1980"
TRACKED = "idtracker.ai tracks of trajectorytools"
CALM = tuple(Recording.INTENTIONS.index(name) for name in ("school", "leave", "wander"))
MATE, ESCAPE = (Recording.INTENTIONS.index(name) for name in ("mate", "escape"))
STEEP, HALF_TURN = 20.0, np.pi


def lone(seeds: range) -> list[Recording]:
    """Fishes of all species that live alone."""
    return [staging.loners(SHIPPED, seed) for seed in seeds]


def by_kind(recordings: list[Recording], values: list[np.ndarray]) -> dict[str, np.ndarray]:
    """Values of several recordings, concatenated by species."""
    found: dict[str, list[np.ndarray]] = {name: [] for name in SHIPPED}
    for recording, value in zip(recordings, values, strict=True):
        for name, part in of(recording, value).items():
            found[name].append(part.ravel())
    return {name: np.concatenate(parts) for name, parts in found.items() if parts}


def paces(recording: Recording) -> np.ndarray:
    """Speeds in lengths a second, with the filter used for tracked fish, (frames, fish)."""
    return motion.speeds(bodies.middles(recording.nodes), recording.fps, recording.body_length)


def pace(seeds: range) -> Iterator[Figure]:
    """Row 4: variation of the pace, and pauses.

    Each species has its own style, in its temperament: most burst and coast, and hover in between. A reef shark
    neither rests nor coasts, for it must swim to breathe: its steadiness is no fault, and it is left in.
    """
    real = {one.name: motion.speeds(one.places, one.fps, one.length) for one in tracks.tracked()}
    rates = {one.name: one.fps for one in tracks.tracked()}
    varied = {name: motion.variation(speed, rates[name]) for name, speed in real.items()}
    what = "variation of speed in 5 s"
    alone = lone(seeds)
    values = by_kind(alone, [motion.variation(paces(one), one.fps) for one in alone])
    yield Figure(4, f"{what}, alone", values, 0.2, None, 0.5, "0.31 and 0.44", TRACKED, varied)
    reef = [staging.preset("reef", seed, 40.0) for seed in seeds[:1]]
    values = by_kind(reef, [motion.variation(paces(one), one.fps) for one in reef])
    yield Figure(4, f"{what}, on the reef", values, 0.2, None, 0.5, "0.31 and 0.44", TRACKED, varied)
    slow = {name: motion.share_of_time(speed < 0.3) for name, speed in real.items()}
    values = by_kind(alone, [motion.share_of_time(paces(one) < 0.3) for one in alone])
    yield Figure(4, "share of time below 0.3 lengths/s", values, tracked=slow)
    calm = [np.isin(one.intention, CALM) for one in alone]
    still = by_kind(
        alone, [motion.share_of_time(paces(one) < 0.2, at_ease) for one, at_ease in zip(alone, calm, strict=True)]
    )
    yield Figure(4, "share of calm time below 0.2", {name: still[name] for name in DARTING}, 0.2)


def turns(seeds: range) -> Iterator[Figure]:
    """Row 7: turning rates of fishes, spontaneous and commanded."""
    real = {one.name: motion.turning(one.places, one.fps, one.length) for one in tracks.tracked()}
    alone = lone(seeds)
    rates = [motion.turning(bodies.middles(one.nodes), one.fps, one.body_length) for one in alone]

    def percentiles(q: float) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        ours = by_kind(alone, [np.nanpercentile(rate, q, axis=0) for rate in rates])
        return ours, {name: np.nanpercentile(rate, q, axis=0) for name, rate in real.items()}

    ours, theirs = percentiles(50.0)
    yield Figure(7, "turning, median, degrees/s", ours, None, None, 0.5, "44 to 57", TRACKED, theirs)
    ours, theirs = percentiles(99.0)
    small = {name: ours[name] for name in SMALL}
    yield Figure(7, "turning, 99th percentile, degrees/s", small, 200.0, None, 0.5, "317 to 433", TRACKED, theirs)
    reef = [staging.preset("reef", seed, 40.0) for seed in seeds[:1]]
    busy = [motion.turning(bodies.middles(one.nodes), one.fps, one.body_length) for one in reef]
    ours = by_kind(reef, [np.nanpercentile(rate, 99.0, axis=0) for rate in busy])
    yield Figure(7, "the same on the reef", ours, 200.0, None, 0.5, "317 to 433", TRACKED, theirs)
    recording, begin, side = told_to_turn()
    nodes = recording.nodes[begin:]
    took = motion.turn_seconds(bodies.headings(nodes), recording.fps)
    quick = {name: took for name, took in of(recording, took).items() if name in SMALL}
    yield Figure(7, "90 degrees of a turn, small fish, s", quick, None, 0.7, 0.9)
    lean = (bodies.roll(nodes[: round(1.5 * recording.fps)]) * side).max(axis=0)
    leaning = {name: value for name, value in of(recording, lean).items() if name in SMALL}
    yield Figure(7, "lean into it, degrees", leaning, 5.0, 20.0)


def told_to_turn() -> tuple[Recording, int, np.ndarray]:
    """Two fishes of each species commanded to turn left and right at half speed, the frame, and the side."""
    everyone = [name for name in SHIPPED for _ in range(2)]
    side = np.tile([1.0, -1.0], len(SHIPPED))
    fps, at = 48, 6.0

    def turn_about(t: float, commands: staging.Commands) -> None:
        commands.swim[:] = 0.5
        commands.turn[:] = side * HALF_TURN * (at <= t + 1e-9 < at + 1.0 / fps)

    return staging.piloted(everyone, turn_about, at + 6.0, fps), round(at * fps), side


def pitching(seeds: range) -> Iterator[Figure]:
    """Row 8: steadiness of the pitch."""
    alone = lone(seeds)
    calm = [np.isin(one.intention, CALM) for one in alone]
    pitches = [bodies.pitch(one.nodes) for one in alone]
    steep = [motion.share_of_time(np.abs(angle) > STEEP, ease) for angle, ease in zip(pitches, calm, strict=True)]
    yield Figure(8, "share of calm time pitched beyond 20 degrees", by_kind(alone, steep), None, 0.03, 0.9)
    swings = by_kind(alone, [np.std(angle, axis=0) for angle in pitches])
    yield Figure(8, "pitch, standard deviation, degrees", swings)
    apart = {}
    for name in ("sardine", "cardinalfish"):
        pitch = bodies.pitch(staging.school(name, 30, 0, 30.0).nodes)
        gap = np.abs(pitch[:, :, None] - pitch[:, None, :])
        rows = np.triu_indices(pitch.shape[1], 1)
        apart[name] = np.median(gap[:, rows[0], rows[1]], axis=1)[:: staging.FILM]
    yield Figure(8, "schoolmates' pitch apart, degrees", apart, None, 5.0)
    recording, begin = told_to_climb()
    velocity = motion.velocities(bodies.middles(recording.nodes), recording.fps, recording.body_length)
    level = np.linalg.norm(velocity[..., :2], axis=-1)
    slope = np.degrees(np.arctan2(velocity[..., 2], level))[begin:]
    for what, angle in (("path", slope), ("body", bodies.pitch(recording.nodes[begin:]))):
        beyond = of(recording, motion.overshoot(angle))
        yield Figure(8, f"the {what}'s overshoot of a climb, share of the step", beyond, None, 0.15, 0.9)


def told_to_climb() -> tuple[Recording, int]:
    """A fish of each species commanded to climb at 20 degrees at half speed, and the frame at which it begins."""
    fps, at = 48, 8.0

    def climb(t: float, commands: staging.Commands) -> None:
        commands.swim[:], commands.climb[:] = 0.5, np.radians(STEEP) * (t >= at - 1e-9)

    return staging.piloted(SHIPPED, climb, at + 20.0, fps), round(at * fps)


def hunts(seeds: range) -> Iterator[Figure]:
    """Row 10: the strike, and changes of mind.

    One hunt has a strike or two, so that there are four for each seed. A preset is one story, shared by all of a
    school, so that there are several of them, too.
    """
    hunting = [staging.hunt("grouper", "cardinalfish", seed, staging.HUNT_SECONDS) for seed in times(4, seeds)]
    strikes = np.concatenate([strike_speeds(one) for one in hunting])
    fast = {"grouper": strikes if len(strikes) else np.array([np.nan])}
    yield Figure(10, "grouper's fastest from 0.3 s before its mouth opens, lengths/s", fast, 3.0)
    meals = [sum(event["kind"] == "eaten" for event in one.events) for one in hunting]
    caught = np.arange(len(strikes)) < sum(meals)
    yield Figure(10, "strikes that catch", {"grouper": caught}, right=True, real="70 % of a pike's", source=PIKE)
    preying = [staging.preset("preying", seed, 40.0) for seed in times(2, seeds)]
    shows = [*(staging.preset("reef", seed, 40.0) for seed in seeds), *preying, *lone(seeds)]
    restless = [minds.changes_a_minute(one.intention, one.alive, one.fps)[:1] for one in (*hunting, *preying)]
    hunter = {"grouper": np.concatenate(restless)}
    yield Figure(10, "changes of intention a minute, of a grouper on a hunt", hunter, None, 10.0, 0.9)
    changes = by_kind(shows, [minds.changes_a_minute(one.intention, one.alive, one.fps) for one in shows])
    yield Figure(10, "changes of intention a minute", changes, None, 10.0, 0.9)
    short: dict[str, list[bool]] = {name: [] for name in SHIPPED}
    for one in (*shows, *hunting):
        for name in dict.fromkeys(one.species):
            mine = np.array(one.species) == name
            few, all_bouts = minds.short_share(one.intention[:, mine], one.alive[:, mine], one.fps)
            short[name].extend([True] * few + [False] * (all_bouts - few))
    some = {name: values for name, values in short.items() if values}
    yield Figure(10, "bouts under half a second", some, right=False, share=0.9)


def strike_speeds(recording: Recording, hunter: int = 0, before: float = 0.3, after: float = 0.1) -> np.ndarray:
    """Top speed of a hunter around each wide opening of its mouth, in lengths a second, (strikes,)."""
    fast = quick_speeds(recording)[:, hunter]
    opens = np.flatnonzero(np.diff((recording.mouth[:, hunter] > 0.5).astype(int)) == 1) + 1
    first, last = (round(seconds * recording.fps) for seconds in (before, after))
    return np.array([fast[max(0, frame - first) : frame + last].max() for frame in opens])


def schooling(seeds: range) -> Iterator[Figure]:
    """Row 11: order, parties, and the spread of alarm and turns.

    The order of a loose school comes and goes, as in real ones, so that its median over time is used; and from one
    school to the next that differs by 0.1, so that there are four for each seed.
    """
    real, theirs = {}, {}
    for one in tracks.tracked():
        velocity = motion.velocities(one.places, one.fps, one.length)
        heads = velocity / np.maximum(np.linalg.norm(velocity, axis=-1), 1e-9)[..., None]
        real[one.name] = company.order(heads)
        theirs[one.name] = company.states(real[one.name], company.milling(one.places, heads))
    etroplus = {15: 0.84, 30: 0.74, 60: 0.62}
    for count, median in etroplus.items():
        orders = {}
        for name, schools_each in (("sardine", seeds), ("cardinalfish", times(4, seeds))):
            heads = [bodies.headings(staging.school(name, count, seed, 40.0).nodes) for seed in schools_each]
            orders[name] = np.stack([company.order(head) for head in heads])
        source = "Jhawar et al. 2020, Etroplus"
        tight, loose = ({name: np.median(orders[name], axis=1)} for name in ("sardine", "cardinalfish"))
        what = f"order of {count}"
        yield Figure(11, f"{what}, a tight school", tight, 0.9, None, 0.5, str(median), source, real)
        yield Figure(11, f"{what}, a loose one", loose, median - 0.15, median + 0.1, 0.5, str(median), source, real)
        lowest = {name: [float(order.min())] for name, order in orders.items()}
        yield Figure(11, f"lowest order of {count}", lowest, real="0.2 to 0.3", source=source)
    halves = {name: states_of(staging.school(name, 30, seeds.start, 40.0)) for name in ("sardine", "cardinalfish")}
    for state in ("polar", "mill", "swarm"):
        ours = {name: [shares[state]] for name, shares in halves.items()}
        same = {name: [shares[state]] for name, shares in theirs.items()}
        source = "Tunstrom et al. 2013"
        yield Figure(11, f"share of time that 30 are in the state {state}", ours, None, None, 0.5, "", source, same)
    for count, seconds in ((300, 40.0), (1000, 15.0)):
        recording = staging.school("sardine", count, seeds.start, seconds)
        last = bodies.middles(recording.nodes[-1])
        share = [company.largest_party(last, recording.body_length)]
        yield Figure(11, f"share of {count} in the largest party", {"sardine": share}, 0.9)
    alarms = [alarm_wave("sardine", seed) for seed in times(2, seeds)]
    yield Figure(11, "share of a school of 40 that takes an alarm up", {"sardine": [share for share, _ in alarms]})
    grows = {"sardine": [correlation for _, correlation in alarms]}
    yield Figure(11, "correlation of its delay with the distance from who began", grows, 0.5)
    chased = [staging.chased(seed, 20.0, staging.SLOW_MOTION) for seed in times(4, seeds)]
    waves = [flight_wave(one) for one in chased]
    passed, spread = ({"sardine": [one[k] for one in waves]} for k in range(2))
    yield Figure(11, "the same of a flight from a predator", passed, 0.5)
    yield Figure(11, "the same of it, with the distance from the predator", spread)
    turned = [one for seed in seeds for one in company.turn_waves(*travelling(seed))]
    calm = {"sardine": turned or [np.nan]}
    yield Figure(11, "the same of a calm turn of 40 in a tank", calm, 0.5)
    hunted = [staging.chased(seed, 30.0) for seed in times(4, seeds)]
    passages = [passage_of(one) for one in hunted]
    seen, source = "split and fountain", "Hall et al. 1986"
    lesser = {"sardine": [one.lesser for one in passages]}
    yield Figure(
        11, "share of a school that passes a predator on its lesser side", lesser, 0.15, None, 0.5, seen, source
    )
    against = {"sardine": [one.against for one in passages]}
    yield Figure(11, "share of those passed that head against its way", against, 0.5, None, 0.5, seen, source)
    spreads = [schools.scattering(one, np.arange(20)) for one in hunted]
    growth = {"sardine": [one.spread for one in spreads]}
    yield Figure(11, "growth of a school around a predator", growth, 1.5)
    polar = {"sardine": [one.polarisation for one in spreads]}
    yield Figure(11, "its lowest order meanwhile", polar, None, 0.75)


def states_of(recording: Recording) -> dict[str, float]:
    """Shares of time that a recorded school is polar, mills or swarms."""
    heads = bodies.headings(recording.nodes)
    return company.states(company.order(heads), company.milling(bodies.middles(recording.nodes), heads))


def alarm_wave(species: str, seed: int, count: int = 40, lengths: float = 0.3) -> tuple[float, float]:
    """Spread of an alarm through a school, when a fish at its edge is frightened.

    Each fish takes it up when it is `lengths` from where it would be without the alarm. Headings are no measure: fishes
    turn so fast that one in five is ten degrees off within a second if it only decides a little sooner.

    Returns:
        The share that takes it up within two seconds, and the correlation of delay with distance from the first.
    """
    delay, places = alarmed(species, seed, count, lengths)
    return float(np.isfinite(delay).mean()), company.wave_correlation(delay, places)


def alarmed(species: str, seed: int, count: int, lengths: float = 0.3) -> tuple[np.ndarray, np.ndarray]:
    """Frames until each fish of a school takes an alarm up, NaN if it never does, (fish,), and their places."""
    world = staging.settled(species, count, seed, 12.0, staging.SLOW_MOTION)
    moment, places = world.moment(), bodies.middles(world.nodes)
    twin = bodies.middles(world.simulate(2 * staging.SLOW_MOTION).nodes)
    world.go_back(moment)
    out = places - places.mean(axis=0)
    edge = int(np.linalg.norm(out, axis=1).argmax())
    length = float(world.shoal.length[edge])
    world.frighten(places[edge] + 0.4 * length * out[edge] / np.linalg.norm(out[edge]), 1.3 * length)
    moved = bodies.middles(world.simulate(2 * staging.SLOW_MOTION).nodes)
    return motion.departures(moved[:, :, None], twin[:, :, None], lengths * world.shoal.length), places


def travelling(seed: int, count: int = 40, seconds: float = 60.0) -> tuple[np.ndarray, np.ndarray, float]:
    """Headings and positions of a free school that turns at the edge of the water, and frames a second."""
    recording = staging.tank_school("sardine", count, seed, seconds)
    return bodies.headings(recording.nodes), bodies.middles(recording.nodes), recording.fps


def passage_of(recording: Recording) -> company.Passage:
    """The passage of a recording's single predator through its sardines."""
    prey = np.array(recording.species) == "sardine"
    places, heads = bodies.middles(recording.nodes), bodies.headings(recording.nodes)
    hunter = int(np.flatnonzero(~prey)[0])
    there = np.where(recording.alive[:, prey, None], places[:, prey], np.nan)
    length = float(recording.body_length[hunter])
    return company.passage(there, heads[:, prey], places[:, hunter], heads[:, hunter], length, recording.fps)


def flight_wave(recording: Recording) -> tuple[float, float]:
    """Correlation of flight delays with the distance from the first fish to flee, and with that from the predator.

    A whole front of a school sees the predator at once, and flees in a twentieth of a second.
    """
    prey = np.array(recording.species) == "sardine"
    delay = motion.first_frame(recording.intention[:, prey] == ESCAPE)
    begun = 0 if np.isnan(delay).all() else int(np.nanmin(delay))
    places = bodies.middles(recording.nodes[begun])
    by_mates = company.wave_correlation(delay, places[prey])
    return by_mates, company.wave_correlation(delay, places[prey], places[~prey][0])


def love(seeds: range) -> Iterator[Figure]:
    """Row 12: courtship, its pairs and times."""
    strange = [minds.foreign(one.events, one.species) for one in (staging.courting(s, 90.0) for s in seeds)]
    stages = np.array([one for several in strange for one in several], dtype=bool)
    yield Figure(12, "stages of courtship between species", {"all": stages}, right=False, share=1.0, real="own kind")
    together, onsets = [], []
    for seed in seeds:
        one = staging.unprimed(seed, 120.0)
        onset = minds.onsets(one.intention == MATE, one.fps)
        onsets.append(np.isfinite(onset))
        together.append(float(minds.most_at_once(onset)))
    amorous = {"all": np.concatenate(onsets)}
    yield Figure(12, "unprimed fishes amorous within two minutes", amorous, right=False, share=0.9)
    yield Figure(12, "most of them in the same second", {"all": together}, None, 2.0, 0.9)
    larger: list[bool] = []
    for seed in times(3, seeds):
        one = staging.clownfish(seed, 90.0)
        couples = {(event["fish"], event["other"]) for event in one.events if event.get("stage") == "circling"}
        larger += [bool(one.body_length[female] > one.body_length[male]) for male, female in couples]
    yield Figure(12, "clownfish that circle, the female the larger", {"clownfish": larger}, right=True, share=0.9)


ROWS = {4: pace, 7: turns, 8: pitching, 10: hunts, 11: schooling, 12: love}
