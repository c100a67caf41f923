"""Schools form, part at a pillar and meet again, scatter from a predator and are safer than loners (Tu 1999, §7.9.2).

Measures take recorded nodes, so that tests, studies and an animator's own scene are judged alike; collisions
and hold-ups are measured here too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from scipy.ndimage import label
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from ..core.body.anatomy import MASSES, body_frame
from ..core.habitat.obstacles import Obstacles
from ..core.habitat.tank import WaterBox
from ..core.recording import Recording
from ..core.scene.scene import Scene
from ..core.world.contact import center_lines, near
from ..core.world.world import World
from .finding import Finding, counted, each

THROUGH = 0.05  # of the smaller length; centre lines nearer than this have one body inside the other
APART = 0.1  # lengths farther than that before another meeting of the same two counts anew
LINK = 3.0  # lengths from one fish to the next within one school
PATIENCE = 5.0  # seconds
RESTING_EFFORT = 0.06  # on average; a fish held up works more
TOUCH = 0.03  # lengths from a node to a wall or pillar that it is against
SPOT = 1.0  # diameter in lengths of the place within which a stuck fish stays
RING = 3.0  # diameter in lengths of a circling fish's path
TRAVELLING = tuple(Recording.INTENTIONS.index(name) for name in ("avoid", "escape", "school", "leave", "wander"))


def middles(recording: Recording) -> np.ndarray:
    """Centers of mass in metres, (frames, fish, 3)."""
    return np.einsum("n,tfnc->tfc", MASSES / MASSES.sum(), recording.nodes)


def polarisation(recording: Recording) -> np.ndarray:
    """Polarisation, 0 to 1, (frames,): the length of the mean heading."""
    return np.linalg.norm(body_frame(recording.nodes.astype(float))[1][..., 0].mean(axis=1), axis=1)


def neighbour_distances(place: np.ndarray, length: np.ndarray) -> np.ndarray:
    """Distance from each fish to its nearest neighbour, in its own lengths, (fish,), of places (fish, 3)."""
    return np.asarray(cKDTree(place).query(place, k=2)[0])[:, 1] / length


def groups(place: np.ndarray, length: np.ndarray, link: float = LINK) -> np.ndarray:
    """School number of each fish, (fish,): linked by neighbours within `link` mean lengths."""
    pairs = cKDTree(place).query_pairs(link * float(np.mean(length)), output_type="ndarray")
    of = coo_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(place), len(place)))
    return connected_components(of, directed=False)[1]


def depth(recording: Recording) -> tuple[float, float]:
    """Greatest depth of any living fish's node in a pillar and outside the tank, in lengths; not positive if clear."""
    nodes, length = recording.nodes.astype(float), recording.body_length[None, :, None]
    alive = recording.alive[..., None]
    pillars, tank = Obstacles.from_scene(recording.scene), WaterBox.from_scene(recording.scene)
    inside = outside = -np.inf
    for start in range(0, len(nodes), 240):
        part = slice(start, start + 240)
        gaps = (
            np.where(alive[part], solid(nodes[part])[0] / length, np.inf) for solid in (pillars.distance, tank.distance)
        )
        inside, outside = (max(most, -gap.min()) for most, gap in zip((inside, outside), gaps, strict=True))
    return float(inside), float(outside)


@dataclass
class Meeting:
    """Two fishes whose centre lines come nearer than `THROUGH`.

    Attributes:
        fishes: Their rows.
        frame: Its first frame.
        frames: Its duration in frames.
        nearest: Least distance of their center lines, in lengths of the smaller.
    """

    fishes: tuple[int, int]
    frame: int
    frames: int
    nearest: float


def overlaps(recording: Recording, through: float = THROUGH) -> list[Meeting]:
    """Each passage of one fish through another, except when one was then eaten.

    The center line of a fish runs through the middles of its seven groups of nodes. Two whose lines come nearer than
    `through` lengths of the smaller meet until they are `APART` lengths farther from each other: a meeting counts
    once, however long it lasts.
    """
    length = recording.body_length
    eaten = {(event["other"], event["fish"]): event["frame"] for event in recording.events if event["kind"] == "eaten"}
    going: dict[tuple[int, int], Meeting] = {}
    found: list[Meeting] = []
    for frame in range(recording.frames):
        alive = np.flatnonzero(recording.alive[frame])
        lines = center_lines(recording.nodes[frame, alive].astype(float))
        met = near(lines, length[alive], 0.5 * (through + APART) * length[alive])
        first, second = alive[met.first], alive[met.second]
        share = met.distance / np.minimum(length[first], length[second])
        close = zip(first.tolist(), second.tolist(), share.tolist(), strict=True)
        now = {(a, b): apart for a, b, apart in close if apart < through + APART}
        going = {pair: meeting for pair, meeting in going.items() if pair in now}
        for pair, apart in now.items():
            if apart >= through:
                continue
            if pair not in going:
                going[pair] = Meeting(pair, frame, 0, apart)
                found.append(going[pair])
            going[pair].frames += 1
            going[pair].nearest = min(going[pair].nearest, apart)
    second_of_grace = round(recording.fps)

    def meal(meeting: Meeting) -> bool:
        a, b = meeting.fishes
        ends = [eaten[pair] for pair in ((a, b), (b, a)) if pair in eaten]
        return any(end - 2 * second_of_grace <= meeting.frame + meeting.frames <= end + 2 for end in ends)

    return [meeting for meeting in found if not meal(meeting)]


@dataclass
class Stuck:
    """The longest time that any fish was held up, in seconds, and its row, -1 for none.

    Attributes:
        wall: With a node always against a wall, the bed or a pillar.
        spot: Within a place `SPOT` lengths across.
        circling: Round and round within a circle `RING` lengths across.
        upside_down: With its back below its belly.
    """

    wall: tuple[float, int]
    spot: tuple[float, int]
    circling: tuple[float, int]
    upside_down: tuple[float, int]


def stuck(recording: Recording) -> Stuck:
    """Hold-ups of living fishes that mean to travel: all but those that eat, mate or rest on the spot."""
    fps, length = recording.fps, recording.body_length
    window = round(PATIENCE * fps)
    means_to = np.isin(recording.intention, TRAVELLING) & recording.alive
    place = middles(recording).astype(float)
    frames = body_frame(recording.nodes.astype(float))[1]
    upside_down = (frames[..., 2, 2] < 0) & recording.alive

    tank, pillars = WaterBox.from_scene(recording.scene), Obstacles.from_scene(recording.scene)
    against = np.zeros(place.shape[:2], dtype=bool)
    for start in range(0, len(place), 240):
        part = slice(start, start + 240)
        nodes = recording.nodes[part].astype(float)
        gap = np.minimum(tank.distance(nodes)[0], pillars.distance(nodes)[0]).min(axis=2)
        against[part] = gap < TOUCH * length
    heading = np.unwrap(np.arctan2(frames[..., 1, 0], frames[..., 0, 0]), axis=0)
    views = sliding_window_view(place, window, axis=0)  # (windows, fish, 3, window)
    across = np.empty(views.shape[:2])
    for start in range(0, len(views), 100):
        part = slice(start, start + 100)
        across[part] = np.linalg.norm(views[part].max(axis=3) - views[part].min(axis=3), axis=2) / length
    willing = sliding_window_view(means_to, window, axis=0).all(axis=2)
    effort = sliding_window_view(recording.effort.astype(float), window, axis=0).mean(axis=2)
    turned = np.abs(heading[window - 1 :] - heading[: len(across)])
    held = sliding_window_view(against, window, axis=0).all(axis=2)
    return Stuck(
        wall=_longest(willing & held, window, fps),
        spot=_longest(willing & (across < SPOT) & (effort > RESTING_EFFORT), window, fps),
        circling=_longest(willing & (across < RING) & (turned > 2 * np.pi), window, fps),
        upside_down=_longest(upside_down, 1, fps),
    )


def _longest(windows: np.ndarray, window: int, fps: float) -> tuple[float, int]:
    """The longest run of windows (windows, fish) in seconds, of `window` frames each, and its fish."""
    most, whose = 0.0, -1
    for fish in np.flatnonzero(windows.any(axis=0)):
        runs, _ = label(windows[:, fish])
        seconds = (np.bincount(runs)[1:].max() + window - 1) / fps
        if seconds > most:
            most, whose = float(seconds), int(fish)
    return most, whose


@dataclass
class Parting:
    """Passage of a school by a pillar.

    Attributes:
        left: Number that passed left of it, with it to their right.
        right: Number that passed on the other side.
        groups: Most separate schools on the way.
        cleared: Seconds from the beginning until the last had passed.
        rejoined: Seconds from then until nine in ten were one school again for a second; infinite if they never were.
    """

    left: int
    right: int
    groups: int
    cleared: float
    rejoined: float

    def splits(self) -> bool:
        """True if some passed on either side."""
        return self.left > 0 and self.right > 0


def parting(recording: Recording, way: np.ndarray, pillar: int = 0, within: float = 30.0) -> Parting:
    """Follows a school past a pillar.

    Args:
        recording: Recording of a school that comes upon it.
        way: Initial horizontal direction of the school, (2,).
        pillar: Row of the obstacle in the scene.
        within: Seconds from the beginning within which a fish that passes counts.
    """
    at, fps, length = recording.scene.obstacles[pillar].at, recording.fps, recording.body_length
    ahead = np.asarray(way, dtype=float) / np.linalg.norm(way)
    place = middles(recording).astype(float)
    offset = place[..., :2] - np.array(at[:2])
    along, aside = offset @ ahead, offset @ np.array([-ahead[1], ahead[0]])
    beyond = along[: round(within * fps)] > 0
    crossed = np.flatnonzero(beyond.any(axis=0) & ~beyond[0])
    first = beyond.argmax(axis=0)[crossed]
    side = aside[first, crossed]
    cleared = int(first.max()) if len(first) else len(place) - 1
    together, most = np.empty(len(place), dtype=bool), 1
    for frame in range(len(place)):
        school = groups(place[frame], length)
        most = max(most, int(school.max()) + 1)
        together[frame] = np.bincount(school).max() >= 0.9 * len(length)
    lasting = sliding_window_view(together, round(fps)).all(axis=1)
    again = np.flatnonzero(lasting[cleared:])
    rejoined = float(again[0] / fps) if len(again) else np.inf
    return Parting(int((side > 0).sum()), int((side < 0).sum()), most, cleared / fps, rejoined)


def pillar_ahead(fishes: int = 24) -> Scene:
    """A school, led by a larger one, with a pillar right ahead of it, in a tank that leaves room to pass."""
    start = {"species": "sardine", "at": [2.4, 4.0, 2.0], "heading": [1, 0, 0]}
    lead, follow = {**start, "size": 1.6, "leader": True}, {**start, "count": fishes - 1, "spread": 0.65}
    pillar = _pillar((3.25, 4.0, 0.0), 0.15, 4.0)
    return Scene.from_dict({"tank": {"size": [16, 8, 4]}, "fishes": [lead, follow], "obstacles": [pillar]})


def _pillar(at: tuple[float, float, float], radius: float, height: float) -> dict[str, Any]:
    return {"kind": "cylinder", "at": at, "radius": radius, "height": height}


LONERS = 11  # first row of the loners among the prey in `hunt`; the predator is row 0


def hunt() -> Scene:
    """A tireless predator, ten prey that school and ten of the same kind that do not."""
    tireless = {"hunger": 1.0, "appetite": 30.0, "fatigue": 1e5}
    hunter = {"species": "grouper", "at": [1.4, 4.0, 2.0], "heading": [1, 0, 0], "mind": tireless}
    prey = {"species": "cardinalfish", "size": 1.2, "at": [7.5, 4.5, 2.0], "spread": 1.0, "count": LONERS - 1}
    obstacles = [_pillar((3.4, 3.9, 0.0), 0.35, 2.1), _pillar((5.6, 1.2, 0.0), 0.3, 1.4)]
    fishes = [hunter, *({**prey, "habits": {"schooling": habit}} for habit in (True, False))]
    return Scene.from_dict({"tank": {"size": [12, 8, 4]}, "fishes": fishes, "obstacles": obstacles})


def eaten(recording: Recording) -> tuple[int, int]:
    """Numbers eaten in a `hunt` of fishes that school, and of loners."""
    who = [event["other"] for event in recording.events if event["kind"] == "eaten"]
    return sum(row < LONERS for row in who), sum(row >= LONERS for row in who)


@dataclass
class Scattering:
    """Effect of a predator on a school.

    Attributes:
        fled: Largest share of the living that meant to escape at once.
        spread: Largest root mean square radius of the school, over that at the beginning.
        polarisation: Least polarisation until it was formed again.
        formed: Seconds from the greatest spread until nine in ten of the living were one polarised school again, for
            a second; infinite if they never were.
    """

    fled: float
    spread: float
    polarisation: float
    formed: float


def scattering(recording: Recording, prey: np.ndarray, aligned: float = 0.8) -> Scattering:
    """Follows a school, the fishes `prey` (n,), that a predator comes upon."""
    place, fps = middles(recording).astype(float), recording.fps
    heading = body_frame(recording.nodes.astype(float))[1][..., 0]
    escape = Recording.INTENTIONS.index("escape")
    fled, spread, together, polar = (np.empty(len(place)) for _ in range(4))
    for frame in range(len(place)):
        here = prey[recording.alive[frame, prey]]
        at = place[frame, here]
        fled[frame] = (recording.intention[frame, here] == escape).mean()
        spread[frame] = np.sqrt(((at - at.mean(axis=0)) ** 2).sum(axis=1).mean())
        polar[frame] = np.linalg.norm(heading[frame, here].mean(axis=0))
        together[frame] = np.bincount(groups(at, recording.body_length[here])).max() / len(here)
    widest = int(spread.argmax())
    formed = sliding_window_view((together >= 0.9) & (polar > aligned), round(fps)).all(axis=1)
    again = np.flatnonzero(formed[widest:])
    until = widest + int(again[0]) if len(again) else len(place)
    least = float(polar[:until].min())
    seconds = (until - widest) / fps if len(again) else np.inf
    return Scattering(float(fled.max()), float(spread.max() / spread[0]), least, seconds)


def predator_ahead() -> Scene:
    """A school of twenty that swims towards a hungry predator in wide water."""
    prey = {"species": "sardine", "count": 20, "at": [5.0, 4.0, 2.0], "spread": 0.5, "heading": [1, 0, 0]}
    hungry = {"hunger": 1.0, "appetite": 1.0}
    hunter = {"species": "grouper", "at": [8.0, 4.0, 2.0], "heading": [-1, 0, 0], "mind": hungry}
    return Scene.from_dict({"tank": {"size": [14, 8, 4]}, "fishes": [prey, hunter]})


def gathering() -> Scene:
    """Twenty sardines with random initial headings."""
    group = {"species": "sardine", "count": 20, "at": [5.0, 5.0, 2.5], "spread": 1.2}
    return Scene.from_dict({"tank": {"size": [14, 10, 5]}, "fishes": [group]})


def ring(seed: int = 0) -> Scene:
    """Twenty sardines that swim round in a ring, about five lengths across."""
    rng, length, middle = np.random.default_rng(seed), 0.18, np.array([5.0, 5.0, 2.5])
    radius, way = length * rng.uniform(2.2, 3.4), rng.choice([-1.0, 1.0])
    fishes = []
    for place in range(20):
        angle = 2 * np.pi * (place + rng.uniform(-0.3, 0.3)) / 20
        out, along = np.array([np.cos(angle), np.sin(angle), 0]), np.array([-np.sin(angle), np.cos(angle), 0])
        at = middle + (radius + rng.uniform(-0.6, 0.6) * length) * out + [0, 0, rng.uniform(-0.6, 0.6) * length]
        fishes.append({"species": "sardine", "at": at.tolist(), "heading": (way * along).tolist()})
    return Scene.from_dict({"tank": {"size": [14, 10, 5]}, "fishes": fishes})


def led_to(scene: Scene, seed: int, seconds: float) -> Recording:
    """The recording of a scene."""
    return World(scene, seed=seed).simulate(round(24 * seconds))


def gathers(seed: int, seconds: float = 30.0) -> bool:
    """True if fishes with random headings head one way within the time and keep about a length apart."""
    recording = led_to(gathering(), seed, seconds)
    together = polarisation(recording)
    assert together[0] < 0.6  # random headings
    apart = np.median(neighbour_distances(middles(recording)[-1], recording.body_length))
    return bool((together > 0.8).any() and 0.7 <= apart <= 1.5)


def dissolves(seed: int, seconds: float = 30.0) -> bool:
    """True if a school that turns in a ring heads one way for a second within the time, and is one in the end.

    Its order at any one moment says less: it comes and goes, and falls where a school turns at a wall.
    """
    recording = led_to(ring(seed), seed, seconds)
    together = polarisation(recording)
    assert together[:12].max() < 0.4  # it does turn, for half a second
    travels = sliding_window_view(together > 0.8, round(recording.fps)).all(axis=1).any()
    one = np.bincount(groups(middles(recording)[-1], recording.body_length)).max() >= 18
    return bool(travels and one)


def parts(seed: int, seconds: float = 40.0) -> Parting:
    """The passage of a school by a pillar."""
    return parting(led_to(pillar_ahead(), seed, seconds), np.array([1.0, 0.0]))


def scatters(seed: int, seconds: float = 40.0) -> Scattering:
    """The effect of a predator on a school."""
    return scattering(led_to(predator_ahead(), seed, seconds), np.arange(20))


def hunted(seed: int, seconds: float = 60.0) -> tuple[int, int]:
    """Numbers eaten of fishes that school, and of loners."""
    return eaten(led_to(hunt(), seed, seconds))


def findings(seeds: range = range(20)) -> Iterator[Finding]:
    """Claims about schools."""
    yield counted("twenty fishes become a school in half a minute", each(gathers, seeds), 1.0)
    yield counted("a school that turns in a ring travels on in half a minute", each(dissolves, seeds), 1.0)
    passed = each(parts, seeds)
    yield counted(
        "a school parts at a pillar and is one again in 20 s",
        [one.splits() and one.rejoined <= 20.0 for one in passed],
        0.9,
    )
    fled = each(scatters, seeds)
    yield counted(
        "a school scatters from a predator",
        [one.fled > 0.8 and one.spread > 1.5 and one.polarisation < 0.75 for one in fled],
        1.0,
    )
    seconds = sorted(round(one.formed, 1) for one in fled)
    yield counted("and is one again in 20 s", [one.formed <= 20.0 for one in fled], 0.8, f"after {seconds} s")
    caught = each(hunted, seeds)
    company, alone = (sum(pair[row] for pair in caught) for row in (0, 1))
    note = f"{company} with and {alone} without company in all; at most half as many is asked"
    yield counted("of prey in one tank no more are eaten that keep company", [a <= b for a, b in caught], None, note)
