"""Generations: the preset's fishes have children and grandchildren within its minute, and stay within their bounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..core.events import DEATHS
from ..core.recording import Recording
from ..core.scene.scene import Scene
from ..core.world.world import World
from .finding import Finding, counted, each

GRANDCHILDREN = 2  # generations after the first


@dataclass(frozen=True)
class Descent:
    """The descent of a population.

    Attributes:
        born: How many were born in each generation, the fishes of the scene being the first.
        most: The most that lived at once.
        balanced: Whether those that were there and were born, less those that died, are alive at the end.
        died: How many died of each of `DEATHS`.
    """

    born: tuple[int, ...]
    most: int
    balanced: bool
    died: tuple[int, ...]


def generations(recording: Recording) -> np.ndarray:
    """The generation of each fish, (fish,), 0 for those of the scene: one more than the later of its parents."""
    found = np.zeros(len(recording.species), dtype=int)
    for event in recording.events:
        if event["kind"] == "hatched":
            found[event["fish"]] = 1 + max(found[event["other"]], found[event["father"]])
    return found


def descent(seed: int) -> Descent:
    """Follows the preset to its end."""
    scene = Scene.load("generations")
    recording = World(scene, seed=seed).simulate()
    deaths = [event["cause"] for event in recording.events if event["kind"] == "died"]
    alive = recording.alive.sum(axis=1)
    return Descent(
        tuple(np.bincount(generations(recording)).tolist()),
        int(alive.max()),
        len(recording.species) - len(deaths) == int(alive[-1]),
        tuple(deaths.count(cause) for cause in DEATHS),
    )


def findings(seeds: range = range(10)) -> Iterator[Finding]:
    """Generations in an hour of lives, and bounds."""
    all_of, breeding = each(descent, seeds), Scene.load("generations").breeding
    assert breeding is not None
    born = np.array([sum(one.born[1:]) for one in all_of])
    note = f"{np.median(born):.0f} are born in the middle, {born.min()} to {born.max()}"
    yield counted("fishes have children", [len(one.born) > 1 for one in all_of], 0.95, note)
    last = np.bincount([len(one.born) - 1 for one in all_of])
    note = ", ".join(f"{count} with {number}" for number, count in enumerate(last.tolist()) if count)
    note = f"seeds by generations after the first: {note}"
    yield counted("and grandchildren", [len(one.born) > GRANDCHILDREN for one in all_of], 0.8, note)
    died = np.array([one.died for one in all_of]).sum(axis=0).tolist()
    note = ", ".join(f"{count} of {cause}" for count, cause in zip(died, DEATHS, strict=True))
    yield counted("who was born less who died is alive", [one.balanced for one in all_of], 1.0, f"died: {note}")
    within = [one.most <= breeding.population for one in all_of]
    yield counted("never more live than may", within, 1.0, f"{max(one.most for one in all_of)} at the most")
