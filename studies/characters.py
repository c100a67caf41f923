"""Species made by traits alone live: whatever the twelve or so sliders say, such a fish swims, turns, feeds and lasts.

Each seed is a character: every trait anywhere from 0 to 1, or at one of its ends. Three of its fishes swim straight and
to either side as they are led; others live for a minute with minds, hungry beside food, which is plankton, or small
prey for who hunts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np

from ..core.body.anatomy import MASS_SHARES, body_frame
from ..core.form.nurbs import evaluate
from ..core.form.surfaces import eyes, rest_surfaces
from ..core.motor.commands import Commands
from ..core.scene.scene import Scene
from ..core.scene.species import Species
from ..core.scene.traits import Traits
from ..core.world.world import World
from .finding import Finding, counted, each
from .limits import FASTEST, OVER

FPS, LIFE_FPS = 24, 12  # frames a second of a swim that is led, and of a life
AT_AN_END = 0.2  # chance of a trait to be at an end
BEATS = 12  # of a swim that is led
STRIDE = 0.25  # lengths in a beat at full speed, at least: half of what presets do
TURNED = 0.6  # radians after a command to turn by one, at least
UPRIGHT = 0.5  # least upright part of a back that is led
ROAMED = 1.0  # lengths that a fish gets away from where it began, in a minute
MINUTE = 60
SMALLEST = 0.05  # of a group's sizes
UNWARY = 40.0  # book lengths from which prey that is offered fears
HEADS = np.linspace(0.5, 5.5, 21), np.linspace(0.3, 17.7, 121)  # places around and along a body


@dataclass(frozen=True)
class Life:
    """Trial of one character.

    Attributes:
        stride: Lengths ahead in a beat at full speed.
        turned: Radians to the left after a command to turn left, and to the right after one to the right; the less.
        upright: Least upright part of the backs of those that are led.
        finite: Whether all was finite.
        fastest: Greatest speed from frame to frame in a minute of life, lengths a second.
        over: Greatest share of that minute on the back.
        roamed: Greatest distance from where it began, lengths.
        fed: Meals in that minute.
        sound: Whether its surfaces are.
    """

    stride: float
    turned: float
    upright: float
    finite: bool
    fastest: float
    over: float
    roamed: float
    fed: int
    sound: bool

    @property
    def swims(self) -> bool:
        """True if it gets ahead and keeps upright."""
        return self.finite and self.stride >= STRIDE and self.upright >= UPRIGHT

    @property
    def turns(self) -> bool:
        """True if it turns to the side that it is told."""
        return self.turned >= TURNED

    @property
    def survives(self) -> bool:
        """True if a minute of life leaves it a fish."""
        return self.finite and self.fastest <= FASTEST and self.over <= OVER and self.roamed >= ROAMED

    @property
    def lives(self) -> bool:
        """True if it does all that is asked."""
        return self.swims and self.turns and self.survives and self.fed > 0 and self.sound


def random_traits(seed: int) -> Traits:
    """A character; the same for the same seed."""
    dice = np.random.default_rng(seed)
    drawn = dice.random(len(fields(Traits)))
    ends = dice.random(len(drawn)) < AT_AN_END
    values = np.where(ends, np.round(drawn), drawn)
    return Traits(**{field.name: float(value) for field, value in zip(fields(Traits), values, strict=True)})


def lived(seed: int, seconds: float = MINUTE) -> Life:
    """The trial of a character."""
    return tried(Species.of(random_traits(seed)), seed, seconds)


def tried(species: Species, seed: int = 0, seconds: float = MINUTE) -> Life:
    """The trial of a species."""
    stride, turned, upright = led(species)
    finite, fastest, over, roamed, fed = alone(species, seed, seconds)
    return Life(stride, turned, upright, finite, fastest, over, roamed, fed, sound(species))


def led(species: Species) -> tuple[float, float, float]:
    """Stride straight ahead, the lesser turn of two to either side, and the least upright part of a back."""
    seconds = max(BEATS / species.rhythm.tail_beat, 3.0)
    wide = round(200.0 * species.length, 3)
    group = {"species": "fish", "count": 3, "at": [0.5 * wide] * 3, "heading": [1, 0, 0]}
    scene = Scene.from_dict({"tank": {"size": [wide] * 3}, "fishes": [group]}, species=["fish"])

    def pilot(time: float, world: World) -> Commands:
        commands = Commands.still(3)
        commands.swim[:] = 1.0, 0.7, 0.7
        begun = 0.25 * seconds <= time < 0.25 * seconds + 1.01 / FPS
        commands.turn[1:] = (1.0 * begun, -1.0 * begun)
        return commands

    world = World(scene, pilot=pilot, species={"fish": species.alike})
    nodes = world.simulate(round(seconds * FPS)).nodes.astype(float)
    if not np.isfinite(nodes).all():
        return 0.0, 0.0, 0.0
    frames = body_frame(nodes)[1]
    middles = np.einsum("n,tfnc->tfc", MASS_SHARES, nodes) / species.length
    half = len(nodes) // 2
    ahead = frames[half:, 0, :, 0].mean(axis=0)
    stride = (middles[-1, 0] - middles[half, 0]) @ ahead / ((len(nodes) - 1 - half) / FPS * species.rhythm.tail_beat)
    heading = np.unwrap(np.arctan2(frames[..., 1, 0], frames[..., 0, 0]), axis=0)
    tail = max(round(FPS / species.rhythm.tail_beat), 1)
    turned = heading[-tail:].mean(axis=0) - heading[: round(0.25 * seconds * FPS)].mean(axis=0)
    return float(stride), float(min(turned[1], -turned[2])), float(frames[..., 2, 2].min())


def alone(species: Species, seed: int, seconds: float) -> tuple[bool, float, float, float, int]:
    """A life beside food: whether all is finite, the greatest speed, share on its back and way, and the meals."""
    length = species.length
    wide = [round(way * length, 4) for way in (12.0, 10.0, 8.0)]
    middle = [0.5 * way for way in wide]
    at = [middle[0] - 3.0 * length, *middle[1:]]
    eater = {"species": "fish", "count": 2, "at": at, "spread": length, "mind": {"hunger": 1.0}}
    data = {"tank": {"size": wide}, "fishes": [eater], "fps": LIFE_FPS, "substeps": 4}
    food = [middle[0] + length, *middle[1:]]
    if species.type == "predator":
        prey = Species.load("sardine")
        size = max(0.2 * length / prey.length, SMALLEST)
        small = {"species": "sardine", "count": 6, "at": food, "spread": 1.5 * length, "size": size}
        small |= {"mind": {"D0": UNWARY, "vigilance": 0.0}}
        data["fishes"] = [eater, small]
    else:
        data["plankton"] = {"count": 40, "at": food, "spread": 1.5 * length, "growth": 0.0}
    models = {"fish": species, "sardine": Species.load("sardine")}
    scene = Scene.from_dict(data, species=list(models))
    recording = World(scene, seed=seed, species=models).simulate(round(seconds * LIFE_FPS))
    nodes = recording.nodes[:, :2].astype(float)
    if not np.isfinite(recording.nodes).all():
        return False, np.inf, 1.0, 0.0, 0
    places = nodes.mean(axis=2) / recording.body_length[:2, None]
    fastest = np.linalg.norm(np.diff(places, axis=0), axis=2).max() * LIFE_FPS
    over = (body_frame(nodes)[1][..., 2, 2] < 0.0).mean(axis=0).max()
    roamed = np.linalg.norm(places - places[0], axis=2).max()
    meals = sum(event["kind"] in ("fed", "eaten") for event in recording.events)
    return True, float(fastest), float(over), float(roamed), meals


def sound(species: Species) -> bool:
    """True if its body is one skin whose normals point outwards, and its eyes are on it and look out."""
    patches = rest_surfaces(species)
    if not all(np.isfinite(patch.points).all() for patch in patches.values()):
        return False
    body = patches["body_left"]
    around, along = (evaluate(body.points, body.degree_u, body.degree_v, *HEADS, *way) for way in ((1, 0), (0, 1)))
    outward = body.outward * np.cross(around, along)[..., 1] > 0.0
    centres, radius, directions = eyes(species)
    back, belly = (np.array(line) for line in (species.form.back, species.form.belly))
    thick = np.interp(back[:, 0], *back.T) - np.interp(back[:, 0], *belly.T)
    return bool(outward.all() and directions[0, 1] > 0.0 and centres[0, 1] > -radius and thick[1:].min() > 0.0)


def findings(seeds: range = range(300)) -> Iterator[Finding]:
    """Characters that swim, turn, feed and survive."""
    lives = each(lived, seeds)
    failed = {
        "swims: full speed is a fifth of a length a beat, upright": [one.swims for one in lives],
        "turns to the side that it is told": [one.turns for one in lives],
        "feeds within a minute, hungry beside food": [one.fed > 0 for one in lives],
        "survives the minute: finite, upright, not too fast, and gets about": [one.survives for one in lives],
        "has sound surfaces": [one.sound for one in lives],
        "lives: all of that": [one.lives for one in lives],
    }
    for claim, outcomes in failed.items():
        wrong = [str(seed) for seed, outcome in zip(seeds, outcomes, strict=True) if not outcome]
        yield counted(f"a species by traits {claim}", outcomes, 1.0, f"not {', '.join(wrong[:12])}" if wrong else "")
