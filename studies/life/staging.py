"""The scenes of the measurements of life, and their recordings, each made once and shared by rows."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from ...core.motor.commands import Commands
from ...core.recording import ARRAYS, STROKE_ARRAYS, Recording
from ...core.scene.scene import Scene
from ...core.scene.species import Species
from ...core.world.world import World
from ..schools import predator_ahead
from .bodies import headings, middles

SHIPPED = tuple(name for name in Species.names() if name != "thesis")
SMALL_METRES = 0.3  # below which a fish counts as small
PREDATORS = tuple(name for name in SHIPPED if Species.load(name).type == "predator")
PEACEFUL = tuple(name for name in SHIPPED if name not in PREDATORS)
SMALL = tuple(name for name in SHIPPED if Species.load(name).length < SMALL_METRES)
LABRIFORM = ("blue_tang", "butterflyfish", "clownfish", "emperor_angelfish", "parrotfish")
DARTING = ("butterflyfish", "clownfish", "emperor_angelfish")  # species that hover, and dart
ANGUILLIFORM, THUNNIFORM = ("moray",), ("tuna",)  # species that swim with the whole body, and with the rear alone
FILM, SLOW_MOTION = 24, 120  # frames a second: for behavior, and for events under 0.3 s
WIDE = 4000.0  # metres across the water of those that are alone
LONE_METRES, LONE_PREDATOR_METRES = 30.0, 150.0  # from one to the next of them: out of sight
HUNT_SECONDS = 15.0  # duration of a followed hunt
BAIT_AWAY = 40.0  # lengths from a shark to bait, along the stream
STAYING_LENGTHS = 5.0  # from the place where it comes in, that it strays at ease
STREAMS = (0.15, 0.3)  # m/s
STEEPED_SECONDS = 500.0  # for which bait has smelled before the shark comes
PATIENCE_SECONDS = 3.0  # life of fishes before a fright


def wave_lengths(name: str) -> tuple[float, float]:
    """Least and greatest wavelength, in lengths, expected down the body of a species."""
    return (0.6, 0.8) if name in ANGUILLIFORM else (1.1, 1.6) if name in THUNNIFORM else (0.8, 1.1)


def alone(names: Sequence[str], each: int, fps: int) -> Scene:
    """So many fishes of each species in wide water, each out of sight of all others."""
    groups = []
    for number, name in enumerate(name for name in names for _ in range(each)):
        place = np.array([number % 8, number // 8])
        east, north = 1200.0 + LONE_PREDATOR_METRES * place if name in PREDATORS else 400.0 + LONE_METRES * place
        groups.append({"species": name, "at": [float(east), float(north), 0.5 * WIDE], "seed": number})
    substeps = 1 if fps >= 48 else 2
    return Scene.from_dict({"tank": {"size": [WIDE] * 3}, "fps": fps, "substeps": substeps, "fishes": groups})


def of(recording: Recording, values: np.ndarray) -> dict[str, np.ndarray]:
    """Values per fish, (..., fish), split by species along the last axis."""
    species = np.array(recording.species)
    return {name: values[..., species == name] for name in dict.fromkeys(recording.species)}


@cache
def loners(names: tuple[str, ...], seed: int, seconds: float = 120.0, each: int = 2) -> Recording:
    """Fishes of these species that live alone, after ten seconds of start-up."""
    world = World(alone(names, each, FILM), seed=seed)
    world.simulate(10 * FILM)
    return world.simulate(round(seconds * FILM))


@cache
def preset(name: str, seed: int, seconds: float) -> Recording:
    """A preset scene."""
    return World(Scene.load(name), seed=seed).simulate(round(seconds * FILM))


@dataclass(frozen=True, eq=False)
class SuddenFright:
    """Lone fishes, each frightened by a static threat that appears within two lengths.

    Attributes:
        recording: The recording from the first frame after its appearance.
        twin: The same without the fright.
        threat: Position of each one's threat, metres, (fish, 3).
        before: Nodes in the frame of its appearance, (fish, 23, 3).
    """

    recording: Recording
    twin: Recording
    threat: np.ndarray
    before: np.ndarray

    @property
    def seconds(self) -> np.ndarray:
        """Time of each frame since the threat appeared, seconds, (frames,)."""
        return np.arange(1, self.recording.frames + 1) / self.recording.fps


@cache
def frights(names: tuple[str, ...], seed: int, each: int = 8, seconds: float = 2.0, again: float = 0.0) -> SuddenFright:
    """Frightens fishes of these species, from every side but right behind, at 1 to 1.8 lengths.

    Args:
        names: Names of the species.
        seed: Seed of the world, and of the places of the threats.
        each: Fishes of each species.
        seconds: Time for which they are followed.
        again: Period of repeated frights in seconds; 0 for once.
    """
    world = World(alone(names, each, SLOW_MOTION), seed=seed)
    world.simulate(round(PATIENCE_SECONDS * SLOW_MOTION))
    before, length = world.nodes, world.shoal.length
    dice = np.random.default_rng(seed)
    bearing = dice.uniform(-np.radians(150.0), np.radians(150.0), len(length))
    ahead = headings(before)
    azimuth = np.arctan2(ahead[:, 1], ahead[:, 0]) + bearing
    reach = dice.uniform(1.0, 1.8, len(length)) * length
    threat = middles(before) + reach[:, None] * np.stack([np.cos(azimuth), np.sin(azimuth), 0 * azimuth], axis=1)
    moment = world.moment()
    twin = world.simulate(round(SLOW_MOTION * min(seconds, 1.0)))
    world.go_back(moment)
    period = round((again or seconds) * SLOW_MOTION)
    parts = []
    for _ in range(max(1, round(seconds * SLOW_MOTION / period))):
        places = threat if not parts else middles(world.nodes) - 1.2 * length[:, None] * headings(world.nodes)
        for place, far in zip(places, length, strict=True):
            world.frighten(place, 4.0 * far)
        parts.append(world.simulate(period))
    return SuddenFright(joined(parts), twin, threat, before)


def joined(parts: Sequence[Recording], first: int = 0) -> Recording:
    """Recordings of the same fishes as one, each from this frame on; without strokes between frames."""
    of_frames = [name for name, one in ARRAYS.items() if one.shape[0] == "frames"]
    arrays = {name: np.concatenate([getattr(part, name)[first:] for part in parts]) for name in of_frames}
    strokes = {name: getattr(parts[0], name)[:0] for name in STROKE_ARRAYS}
    return dataclasses.replace(parts[0], **arrays, **strokes)


Manoeuvre = Callable[[float, Commands], None]
"""Function that sets the commands of all fishes at a time in seconds."""


def piloted(
    species: Sequence[str],
    manoeuvre: Manoeuvre,
    seconds: float,
    fps: int = 48,
) -> Recording:
    """Fishes, one for each entry's species, that carry out a manoeuvre from rest in wide water."""
    groups = [
        {"species": name, "at": [50.0, 50.0 + 20.0 * row, 0.5 * WIDE], "heading": [1, 0, 0]}
        for row, name in enumerate(species)
    ]
    data = {"tank": {"size": [WIDE] * 3}, "fps": fps, "substeps": 1, "fishes": groups}
    scene = Scene.from_dict(data)

    def pilot(t: float, world: World) -> Commands:
        commands = Commands.still(len(species))
        manoeuvre(t, commands)
        return commands

    models = {name: Species.load(name).alike for name in species}
    return World(scene, pilot=pilot, species=models).simulate(round(seconds * fps))


@cache
def ladder(names: tuple[str, ...], levels: tuple[float, ...], seconds: float = 4.0) -> tuple[Recording, np.ndarray]:
    """Fishes of each species that swim straight on at each level of speed, and these levels, (fish,).

    They are recorded for some seconds after twelve seconds of start-up.
    """
    everyone = [name for name in names for _ in levels]
    level = np.tile(levels, len(names))

    def steady(t: float, commands: Commands) -> None:
        commands.swim[:] = level

    recording = piloted(everyone, steady, 12.0 + seconds, SLOW_MOTION)
    return _last(recording, seconds), level


@cache
def bursting(names: tuple[str, ...], shares: tuple[float, ...], seconds: float = 0.8) -> Recording:
    """Fishes of each species that give each share of a burst, from full speed on; recorded once under way."""
    everyone = [name for name in names for _ in shares]
    share = np.tile(shares, len(names))

    def burst(t: float, commands: Commands) -> None:
        commands.swim[:] = 1.0
        commands.burst[:] = share * (t >= 5.0)

    return _last(piloted(everyone, burst, 6.2 + seconds, SLOW_MOTION), seconds)


def _last(recording: Recording, seconds: float) -> Recording:
    """The last seconds of a recording."""
    return joined([recording], recording.frames - round(seconds * recording.fps))


@cache
def school(species: str, count: int, seed: int, seconds: float, settle: float = 20.0) -> Recording:
    """A school in wide water, some seconds after its fishes began close together with random headings."""
    return settled(species, count, seed, settle).simulate(round(seconds * FILM))


def settled(species: str, count: int, seed: int, settle: float, fps: int = FILM) -> World:
    """The world of `school` once its fishes have found each other."""
    spread = 0.9 * Species.load(species).length * count ** (1 / 3)
    group = {"species": species, "count": count, "at": [0.5 * WIDE] * 3, "spread": spread}
    substeps = 1 if fps >= 48 else 2
    data = {"tank": {"size": [WIDE] * 3}, "fps": fps, "substeps": substeps, "fishes": [group]}
    world = World(Scene.from_dict(data), seed=seed)
    if settle > 0.0:
        world.simulate(round(settle * fps))
    return world


@cache
def tank_school(species: str, count: int, seed: int, seconds: float) -> Recording:
    """A school in a tank of fifty by forty lengths, ten seconds after its fishes began close together."""
    length = Species.load(species).length
    size = [50.0 * length, 40.0 * length, 20.0 * length]
    group = {"species": species, "count": count, "at": [0.5 * side for side in size], "spread": 5.0 * length}
    world = World(Scene.from_dict({"tank": {"size": size}, "fps": FILM, "fishes": [group]}), seed=seed)
    world.simulate(10 * FILM)
    return world.simulate(round(seconds * FILM))


@cache
def chased(seed: int, seconds: float, fps: int = FILM) -> Recording:
    """A school of twenty that swims towards a hungry predator in wide water."""
    scene = dataclasses.replace(predator_ahead(), fps=fps, substeps=1 if fps >= 48 else 2)
    return World(scene, seed=seed).simulate(round(seconds * fps))


@cache
def hunt(predator: str, prey: str, seed: int, seconds: float) -> Recording:
    """A tireless predator among prey small enough to swallow, at 120 frames a second."""
    long = Species.load(predator).length
    size = 0.3 * long / Species.load(prey).length
    tireless = {"hunger": 1.0, "appetite": 30.0, "confusion": 0.0, "fatigue": 1e5}
    middle = [6.0 * long, 6.0 * long, 2.0 * long]
    hunter = {"species": predator, "at": [2.0 * long, 6.0 * long, 2.0 * long], "heading": [1, 0, 0], "mind": tireless}
    hunted = {"species": prey, "count": 14, "size": size, "at": middle, "spread": 2.0 * long}
    tank = {"size": [12.0 * long, 12.0 * long, 4.0 * long]}
    scene = {"tank": tank, "fps": SLOW_MOTION, "substeps": 1, "fishes": [hunter, hunted]}
    return World(Scene.from_dict(scene), seed=seed).simulate(round(seconds * SLOW_MOTION))


@cache
def courting(seed: int, seconds: float) -> Recording:
    """Keen fishes of five species in one tank, two of each, the sexes as they come."""
    keen = {"type": "pacifist", "mind": {"libido": 1.0, "hunger": 0.0}}
    groups = [
        {"species": name, "count": 2, "at": [1.5 + row, 2.5, 1.5], "spread": 0.5, **keen}
        for row, name in enumerate(LABRIFORM)
    ]
    scene = {"tank": {"size": [7, 5, 3]}, "fishes": groups}
    return World(Scene.from_dict(scene), seed=seed).simulate(round(seconds * FILM))


@cache
def unprimed(seed: int, seconds: float) -> Recording:
    """Two of each species but the predators, all able to court, in one tank, none made amorous."""
    groups = [
        {"species": name, "count": 2, "at": [1.2 + row, 2.5, 1.5], "spread": 0.5, "type": "pacifist"}
        for row, name in enumerate(PEACEFUL)
    ]
    scene = {"tank": {"size": [9, 5, 3]}, "fishes": groups}
    return World(Scene.from_dict(scene), seed=seed).simulate(round(seconds * FILM))


@cache
def clownfish(seed: int, seconds: float) -> Recording:
    """Keen clownfish, three females and three males of different sizes, to see the pairs they form."""
    keen = {"type": "pacifist", "mind": {"libido": 1.0, "hunger": 0.0}}
    sizes = (("female", (1.0, 1.4, 1.8)), ("male", (1.2, 1.6, 2.0)))
    groups = [
        {
            "species": "clownfish",
            "sex": sex,
            "size": size,
            "at": [0.8 + 0.5 * row, 1.0 + 0.5 * (sex == "male"), 0.8],
            **keen,
        }
        for sex, several in sizes
        for row, size in enumerate(several)
    ]
    return World(Scene.from_dict({"tank": {"size": [3, 2.5, 1.6]}, "fishes": groups}), seed=seed).simulate(
        round(seconds * FILM)
    )


def baited(seed: int, away: float, **mind: float) -> World:
    """A hungry reef shark that comes into a stream in open water where bait hangs.

    It keeps about its place, so that nothing but what it smells leads it away.

    Args:
        seed: Seed of the world, of the stream and of the shark's place and heading.
        away: Lengths from the bait down the stream to the shark, which is up to 3 off it sideways and 1 up or down.
        mind: More of its mind.
    """
    model, dice = Species.load("reef_shark"), np.random.default_rng(seed)
    model = dataclasses.replace(model, temperament=dataclasses.replace(model.temperament, roam=STAYING_LENGTHS))
    long = model.length
    bait, azimuth = np.array([120.0, 60.0, 15.0]), dice.uniform(-np.pi, np.pi)
    at = bait + long * np.array([away, dice.uniform(-3.0, 3.0), dice.uniform(-1.0, 1.0)])
    heading = [np.cos(azimuth), np.sin(azimuth), 0.0]
    shark = {"species": "reef_shark", "at": at.tolist(), "heading": heading, "enters": 4.0}
    scene = {
        "tank": {"size": [240.0, 120.0, 30.0]},
        "fps": FILM,
        "current": [{"kind": "uniform", "direction": [1, 0, 0], "strength": dice.uniform(*STREAMS)}],
        "hook": {"at": bait.tolist(), "start": 0.0, "speed": 10.0},
        "fishes": [{**shark, "mind": {"hunger": 0.9, **mind}}],
    }
    world = World(Scene.from_dict(scene), seed=seed, species={model.name: model})
    world.simulate(3 * FILM)
    if world.parts.water.plume is not None:
        for second in range(round(STEEPED_SECONDS)):
            world.parts.water.plume.advance(world.t + second, 1.0)
    world.simulate(FILM)
    return world


def finding(seed: int, away: float, seconds: float, **mind: float) -> float:
    """Seconds until the shark of `baited` takes the bait, NaN if it does not in so many."""
    world = baited(seed, away, **mind)
    for frame in range(1, round(seconds * FILM) + 1):
        world.step()
        if any(event["kind"] == "hooked" for event in world.events):
            return frame / FILM
    return np.nan
