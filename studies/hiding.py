"""Hiding: whether the fish of the preset Hide and Seek lives for two minutes, with its instructions and without."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..core.scene.scene import Scene
from ..core.world.world import World
from .finding import Finding, counted, each


@dataclass(frozen=True)
class Hunt:
    """A hunt: whether the hunted fish lived, and the seconds for which the shark was after it."""

    lives: bool
    chased: float


def hunt(instructed: bool, seed: int) -> Hunt:
    """The hunt of the preset, with the instructions of its fish or without."""
    scene = Scene.load("hide_and_seek")
    world = World(scene if instructed else replace(scene, instructions=()), seed)
    chased = 0
    for _ in range(scene.frames):
        world.step()
        chased += bool((world.parts.minds.decision.focus.target[1:] == 0).any())
        if not world.parts.bodies.shoal.alive[0]:
            break
    return Hunt(bool(world.parts.bodies.shoal.alive[0]), chased / scene.fps)


def findings(seeds: range = range(20)) -> Iterator[Finding]:
    """Hunts with instructions, of which four fifths are survived, and without, of which two fifths are at most."""
    for instructed, claim, least in (
        (True, "it lives for two minutes that hides when threatened and else visits hiding places", 0.8),
        (False, "it does not that has no instructions", 0.6),
    ):
        hunts = each(hunt, [instructed], seeds)
        note = f"the shark is after it for {np.median([one.chased for one in hunts]):.0f} s in the middle"
        yield counted(claim, [one.lives == instructed for one in hunts], least, note)
