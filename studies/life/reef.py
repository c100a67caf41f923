"""Rows 16 and 23 of the table of life: what fishes have to do with the reef that they live on, by day and by night."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

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
MATE = Recording.INTENTIONS.index("mate")
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
            off = bodies.middles(recording.nodes) - world.parts.decision.waters.sleep.bed
            lengths = np.linalg.norm(off, axis=-1)[30 * staging.FILM :] / recording.body_length
            who = np.isin(recording.species, sleepers)
            in_bed += motion.share_of_time(lengths[:, who] < BED_LENGTHS).tolist()
            bites.append(float(bites_of(recording)[who].sum()))
        yield Figure(23, f"share of time within {BED_LENGTHS:g} lengths of its bed, {told}", {"all": in_bed}, 0.8, None)
        yield Figure(23, f"bites of who sleeps, {told}", {"all": bites}, None, 0.0)


ROWS = {16: on_the_reef, 23: day_and_night}
