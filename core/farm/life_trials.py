"""Trials of lives: worlds in which fishes of a species live with their minds, and how they fare there.

A world is made of nothing but the species, a seed and what the trial says, and ends as soon as its outcome is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.codec import SceneError, shown
from ..base.sums import total
from ..scene.scene import Scene
from ..scene.species import Species
from ..world.world import World
from .takes import SceneSource, scene_of
from .tuning import (
    BAIT_LENGTHS,
    CHASE_SECONDS,
    FED_SHARE,
    HUNTER_HANDLING,
    HUNTERS,
    KNOWN_FOOD_LENGTHS,
    LIFE_MEAL_SECONDS,
    LIFE_SECONDS,
    SINKING_SECONDS,
    SMELL_SECONDS,
    SMELL_STREAM,
    SURVIVORS,
)
from .wishes import WishList

LIFE_TASKS = ("smell", "survival")
"""Tasks for which a fish needs a mind and a world, as it does to escape from a given predator."""
USUAL_HUNTER = "grouper"
"""The predator of the small world of survival where none is given."""
TRIAL_FPS = 24.0


@dataclass(frozen=True, eq=False)
class LifeTrial:
    """One kind of life that species are tried in.

    Attributes:
        task: "smell", "survival" or "escape".
        seconds: Longest life; 0 is the task's own, or the scene's.
        predator: Who hunts; None where nobody is given.
        behind: Lengths of the predator that it begins behind a fish that escapes it.
        scene: World of survival; None for a small one of ours.
    """

    task: str
    seconds: float = 0.0
    predator: Species | None = None
    behind: float = 0.0
    scene: Scene | None = None

    def refuse(self, species: Species) -> None:
        """Refuses a species that cannot be tried so.

        Raises:
            SceneError: It follows no smell, is its own predator, or is not in the scene.
        """
        if self.task == "smell" and species.mind.scent <= 0.0:
            found = f"{species.name}, which follows no smell (mind.scent 0)"
            raise SceneError(found, "a species with mind.scent above 0, such as tuna, or a file of yours", "species")
        if self.predator is not None and self.predator.name == species.name:
            raise SceneError(f"{species.name} as its own predator", "another species", "predator")
        if self.scene is not None and not self._own(species):
            raise SceneError(f"{shown(self.scene.source)} without {species.name}", "a scene in which it lives", "scene")

    def score(self, species: Species, seeds: Sequence[int]) -> float:
        """The mean over lives, one for each seed, each from 0 to 1; see `life`."""
        return float(total(np.array([self.life(species, seed) for seed in seeds]))) / len(seeds)

    def life(self, species: Species, seed: int) -> float:
        """The fortune of a species in one life, 0 to 1.

        Args:
            species: The species.
            seed: Seed of its world.

        Returns:
            For smell the share of its time that is left when it takes the bait, 0 if it never does; for escape the
            share of the time that it lives; for survival the mean of that over all fishes of the species, of which a
            part counts by how much they ate.
        """
        match self.task:
            case "smell":
                return self._smelling(species, seed)
            case "escape":
                return self._chased(species, seed)
        return self._surviving(species, seed)

    def _smelling(self, species: Species, seed: int) -> float:
        """Bait hangs up a stream, beyond what the fish knows of; its smell has drifted down to it."""
        long, away = species.length, BAIT_LENGTHS
        size = np.array([away + 12.0, 12.0, 6.0])
        bait = np.array([4.0, 6.0, 3.0])
        mind = {"hunger": 0.9, "smell": KNOWN_FOOD_LENGTHS}
        fish = {"species": species.name, "type": "pacifist", "at": _metres(bait + [away, 0.0, 0.0], long)}
        scene = {
            "tank": {"size": _metres(size, long)},
            "current": [{"kind": "uniform", "direction": [1, 0, 0], "strength": SMELL_STREAM * long}],
            "hook": {"at": _metres(bait, long), "start": 0.0, "speed": 10.0},
            "fishes": [{**fish, "spread": 2.0 * long, "mind": mind}],
        }
        world, seconds = _world(scene, seed, species), self.seconds or SMELL_SECONDS
        for _ in range(round(SINKING_SECONDS * TRIAL_FPS)):  # until the bait is down
            world.step()
        if world.parts.water.plume is not None:
            for second in range(round(size[0] / SMELL_STREAM)):  # and its smell has filled the stream
                world.parts.water.plume.advance(world.t + second, 1.0)
        found = _lasts(world, seconds, lambda: any(event["kind"] == "hooked" for event in world.events))
        return 1.0 - found

    def _chased(self, species: Species, seed: int) -> float:
        """A hungry predator comes from behind."""
        hunter = self.predator
        assert hunter is not None
        long = max(species.length, hunter.length)
        gap = self.behind * hunter.length + 0.5 * (hunter.length + species.length)
        begin = np.array([12.0, 10.0, 4.0]) * long
        prey = {"species": species.name, "type": "prey", "spread": 0.5 * species.length, "mind": {"hunger": 0.0}}
        scene = {
            "tank": {"size": (np.array([32.0, 20.0, 8.0]) * long + [gap, 0.0, 0.0]).tolist()},
            "fishes": [
                {**prey, "at": (begin + [gap, 0.0, 0.0]).tolist(), "heading": [1, 0, 0]},
                {**_hunting(hunter), "at": begin.tolist(), "heading": [1, 0, 0]},
            ],
        }
        world = _world(scene, seed, species, hunter)
        return _lasts(world, self.seconds or CHASE_SECONDS, lambda: not world.alive[0])

    def _surviving(self, species: Species, seed: int) -> float:
        """Among predators and food, in a scene or in a small world of ours."""
        if self.scene is not None:
            known = dict(self.scene.models)
            world = World(self.scene, seed=seed, species={**known, species.name: species})
            rows = np.concatenate([np.array(self.scene.rows_of(group), dtype=int) for group in self._own(species)])
            seconds = self.seconds or self.scene.duration
        else:
            hunter = self.predator or Species.load(USUAL_HUNTER)
            world, rows = _world(_small_world(species, hunter), seed, species, hunter), np.arange(SURVIVORS)
            seconds = self.seconds or LIFE_SECONDS
        frames, lived = max(1, round(seconds * world.scene.fps)), np.zeros(len(rows))
        for _ in range(frames):
            world.step()
            lived += world.alive[rows]
        ate = sum(event["kind"] in ("fed", "browsed") and event["fish"] in rows for event in world.events)
        meals = min(ate / (len(rows) * max(seconds / LIFE_MEAL_SECONDS, 1.0)), 1.0)
        return (1.0 - FED_SHARE) * float(total(lived)) / (frames * len(rows)) + FED_SHARE * meals

    def _own(self, species: Species) -> list[int]:
        """Groups of its scene that are of a species."""
        assert self.scene is not None
        return [row for row, group in enumerate(self.scene.fishes) if group.species == species.name]

    def to_dict(self) -> dict[str, Any]:
        """It as plain data, of which `from_dict` makes it again."""
        return {
            "task": self.task,
            "seconds": self.seconds,
            "predator": None if self.predator is None else self.predator.to_dict(),
            "behind": self.behind,
            "scene": None if self.scene is None else SceneSource.of(self.scene, WishList()).to_dict(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> LifeTrial:
        """A trial of plain data."""
        predator = None if data["predator"] is None else Species.from_dict(dict(data["predator"]))
        scene = None if data["scene"] is None else scene_of(data["scene"])[0]
        return cls(data["task"], data["seconds"], predator, data["behind"], scene)


def _small_world(species: Species, hunter: Species) -> dict[str, Any]:
    """A small world with some fishes of a species, food, and predators that are hungry at all times."""
    long = max(hunter.length, 2.0 * species.length)
    size = np.array([9.0, 6.0, 4.0]) * long
    middle = 0.5 * size
    hunters = _hunting(hunter, handling=HUNTER_HANDLING, confusion=0.0)
    hunters |= {"count": HUNTERS, "at": (size * [0.2, 0.5, 0.5]).tolist(), "spread": 1.5 * hunter.length}
    group = {"species": species.name, "type": "prey", "count": SURVIVORS, "spread": long, "mind": {"hunger": 0.9}}
    return {
        "tank": {"size": size.tolist()},
        "plankton": {"count": 60, "at": middle.tolist(), "spread": long, "growth": 1.0},
        "fishes": [{**group, "at": middle.tolist()}, hunters],
    }


def _hunting(hunter: Species, **mind: float) -> dict[str, Any]:
    """A group of a predator that stays hungry."""
    return {"species": hunter.name, "type": "predator", "mind": {"hunger": 1.0, "appetite": 100.0, **mind}}


def _world(scene: dict[str, Any], seed: int, *species: Species) -> World:
    models = {one.name: one for one in species}
    return World(Scene.from_dict({"fps": TRIAL_FPS, **scene}, "trial", models), seed=seed, species=models)


def _metres(lengths: np.ndarray, long: float) -> list[float]:
    return (lengths * long).tolist()


def _lasts(world: World, seconds: float, over: Callable[[], bool]) -> float:
    """Share of so many seconds that pass in a world until something is over, 1 if it is not."""
    frames = max(1, round(seconds * world.scene.fps))
    for frame in range(frames):
        if over():
            return frame / frames
        world.step()
    return 1.0
