"""Rows 16, 23 and 24 of the table of life: fishes and the reef that they live on, by day and by night."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...core.body.gait import measure
from ...core.habitat.obstacles import Obstacles
from ...core.recording import Recording
from ...core.scene.scene import Scene
from ...core.world.world import World
from . import bodies, motion, staging
from .figure import Figure
from .minded import by_kind

BITES = {"parrotfish": (8.0, "20"), "butterflyfish": (5.0, "3 to 12"), "blue_tang": (5.0, "10 and more")}
"""Bites a minute asked of each species, and those of real ones."""
COUNTED = "Bellwood & Choat 1990; Motta 1989"
REEF_FISHES = ("butterflyfish", "emperor_angelfish", "clownfish", "striped_cardinalfish", "blue_tang", "parrotfish")
ESCAPE, MATE = Recording.INTENTIONS.index("escape"), Recording.INTENTIONS.index("mate")
DAY_FISHES = ("butterflyfish", "emperor_angelfish", "clownfish", "blue_tang", "parrotfish")
NIGHT_FISHES = ("striped_cardinalfish",)
BED_LENGTHS = 3.0
NEAR_METRES = 0.5
HOME_LENGTHS = 5.0
MINUTES = 2.0


def on_the_reef(seeds: range) -> Iterator[Figure]:
    """Row 16: bites at what grows, the nearness of what stands, and clownfish about their anemone."""
    reefs = [staging.preset("reef", seed, 60.0 * MINUTES) for seed in seeds]
    bites = by_kind(reefs, [bites_of(one) / MINUTES for one in reefs])
    for name, (asked, real) in BITES.items():
        yield Figure(16, f"bites a minute, {name}", {name: bites[name]}, asked, None, 0.5, real, COUNTED)
    near = by_kind(reefs, [motion.share_of_time(gaps(one) < NEAR_METRES, one.intention != MATE) for one in reefs])
    told = f"share of time within {NEAR_METRES:g} m of rock, coral or the bottom, but in courtship"
    yield Figure(16, told, {name: near[name] for name in REEF_FISHES}, 0.6, None, 0.5)
    home = [motion.share_of_time(strays(one) < HOME_LENGTHS) for one in reefs]
    told = f"share of time within {HOME_LENGTHS:g} lengths of its anemone"
    yield Figure(16, told, {"clownfish": np.concatenate(home)}, 0.8, None, 0.5, "within a metre", "Fautin & Allen 1992")


def bites_of(recording: Recording) -> np.ndarray:
    """Bites of each fish at what grows, (fish,)."""
    biters = [event["fish"] for event in recording.events if event["kind"] == "browsed"]
    return np.bincount(biters, minlength=len(recording.species)).astype(float)


def gaps(recording: Recording) -> np.ndarray:
    """Metres from each fish's middle to the nearest thing that stands, or the bottom, (frames, fish)."""
    places = bodies.middles(recording.nodes).astype(float)
    return np.minimum(Obstacles.from_scene(recording.scene).distance(places)[0], places[..., 2])


def strays(recording: Recording) -> np.ndarray:
    """Lengths of each clownfish from the nearest anemone's middle, (frames, clownfish)."""
    clowns = np.array(recording.species) == "clownfish"
    anemones = np.array([one.at for one in recording.scene.seaweed if one.form == "tentacles"])
    off = bodies.middles(recording.nodes)[:, clowns, None] - anemones
    return np.linalg.norm(off, axis=-1).min(axis=-1) / recording.body_length[clowns]


def day_and_night(seeds: range) -> Iterator[Figure]:
    """Row 23: who is in bed at noon and at ten in the night, half a minute after the film begins."""
    for hour, sleepers, told in ((12.0, NIGHT_FISHES, "at noon"), (22.0, DAY_FISHES, "at ten in the night")):
        in_bed, bites = [], []
        for seed in seeds:
            scene = Scene.load("reef").to_dict() | {"light": {"daytime": hour}}
            world = World(Scene.from_dict(scene), seed=seed)
            recording = world.simulate(60 * staging.FILM)
            off = bodies.middles(recording.nodes) - world.parts.minds.decision.waters.sleep.bed
            lengths = np.linalg.norm(off, axis=-1)[30 * staging.FILM :] / recording.body_length
            who = np.isin(recording.species, sleepers)
            in_bed += motion.share_of_time(lengths[:, who] < BED_LENGTHS).tolist()
            bites.append(float(bites_of(recording)[who].sum()))
        yield Figure(23, f"share of time within {BED_LENGTHS:g} lengths of its bed, {told}", {"all": in_bed}, 0.8, None)
        yield Figure(23, f"bites of who sleeps, {told}", {"all": bites}, None, 0.0)


def lurking(seeds: range) -> Iterator[Figure]:
    """Row 24: a sated moray keeps to its hole, a hungry one goes along the bottom, and others mob it."""
    fast = measure(*_burst("moray")).speed
    yield Figure(24, "burst of a moray, lengths/s", {"moray": fast}, 2.0, None, 0.5, "2 and more")
    within, height, flights, mobs = [], [], [], []
    for seed in seeds:
        world = World(_with_a_moray(0.0), seed=seed)
        recording = world.simulate(60 * staging.FILM)
        dens, moray = world.parts.minds.decision.waters.dens, len(recording.species) - 1
        place, long = bodies.middles(recording.nodes)[:, moray], recording.body_length[moray]
        ahead = (bodies.headings(recording.nodes)[:, moray] * dens.out[moray]).sum(axis=-1)
        home = (np.linalg.norm(place - dens.place[moray], axis=-1) < 0.5 * long) & (ahead > 0.7)
        within.append(float(home[30 * staging.FILM :].mean()))
        world = World(_with_a_moray(1.0), seed=seed)
        facing = []
        for _ in range(60):
            part = world.simulate(staging.FILM)
            facing.append(np.count_nonzero(world.parts.minds.decision.mobbing.foe == moray))
            height.append(float(gaps(part)[-1, moray] / part.body_length[moray]))
            places = bodies.middles(part.nodes)
            near = np.linalg.norm(places - places[:, moray, None], axis=-1) < 2.5
            near[:, moray] = False
            flights.append((int((near & (part.intention == ESCAPE)).sum()), int(near.sum())))
        mobs.append(float(max(facing)))
    source = "Hobson 1974; Motta 1983"
    yield Figure(24, "share of time of a sated one in its hole, head out", {"all": within}, 0.8, None, 0.5, "", source)
    yield Figure(24, "height of a hungry one off the ground, lengths", {"all": height}, None, 1.0, 0.8, "", source)
    fled, there = np.array(flights).sum(axis=0)
    yield Figure(
        24, "share of those within 2.5 m that flee", {"all": [fled / max(there, 1)]}, None, 0.3, 0.5, "", source
    )
    yield Figure(24, "most at a time that mob it", {"all": mobs}, 2.0, None, 0.5, "several", source)


def _burst(name: str) -> tuple[np.ndarray, float, np.ndarray]:
    """Nodes, frames a second and lengths of a fish of this species in a full burst."""
    recording = staging.bursting((name,), (1.0,))
    return recording.nodes, recording.fps, recording.body_length


def _with_a_moray(hunger: float) -> Scene:
    """The reef with a moray beside a rock, as hungry all the time."""
    scene = Scene.load("reef").to_dict()
    scene["fishes"] = [*scene["fishes"], {"species": "moray", "at": [7.4, 6.9, 0.3], "heading": [-1, 0, 0]}]
    return Scene.from_dict(scene | {"wants": [{"fishes": len(scene["fishes"]) - 1, "want": "hunger", "keys": hunger}]})


ROWS = {16: on_the_reef, 23: day_and_night, 24: lurking}
