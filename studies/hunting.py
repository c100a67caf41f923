"""A hunt: a predator catches prey, schooling saves some, and frightened prey flees (Tu 1999, §7.3 and §10.3)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..core.recording import Recording
from ..core.scene.scene import Scene
from ..core.world.world import World
from .finding import Finding, counted, each

ESCAPE = Recording.INTENTIONS.index("escape")
AFRAID = 0.61  # fear at which prey flees
PROMPT = 13  # frames, half a second


def preying(schooling: bool = True) -> Scene:
    """The preset, with or without schools."""
    scene = Scene.load("preying").to_dict()
    if not schooling:
        for group in scene["fishes"]:
            group["habits"] = {**group.get("habits", {}), "schooling": False}
    return Scene.from_dict(scene)


def eaten(recording: Recording) -> list[dict]:
    """Its captures."""
    return [event for event in recording.events if event["kind"] == "eaten"]


def meals(schooling: bool, seed: int, seconds: float = 120.0) -> int:
    """Number of prey eaten."""
    return len(eaten(World(preying(schooling), seed=seed).simulate(round(24 * seconds))))


def frights(seed: int, seconds: float = 10.0) -> list[bool]:
    """For each time that one of the prey was afraid for half a second, whether it meant to flee within it."""
    recording = World(Scene.load("preying"), seed=seed).simulate(round(24 * seconds))
    afraid = (recording.fear[:, 1:] > AFRAID) & recording.alive[:, 1:]
    fleeing = recording.intention[:, 1:] == ESCAPE
    found = []
    for fish in range(20):
        begins = np.flatnonzero(np.diff(afraid[:, fish].astype(int), prepend=0) == 1)
        for begin in begins[begins < len(afraid) - PROMPT]:
            if afraid[begin : begin + PROMPT, fish].all():
                found.append(bool(fleeing[begin : begin + PROMPT, fish].any()))
    return found


def findings(seeds: range = range(20)) -> Iterator[Finding]:
    """Outcomes of the hunt."""
    schools, loners = (each(meals, [schooling], seeds) for schooling in (True, False))
    yield counted("a predator catches prey within two minutes", [count > 0 for count in schools], 0.8, f"{schools}")
    note = f"{sum(schools)} against {sum(loners)} in all; fewer is asked"
    fewer = [a <= b for a, b in zip(schools, loners, strict=True)]
    yield counted("of prey that school no more are eaten than of loners", fewer, None, note)
    fled = [one for found in each(frights, seeds[:5]) for one in found]
    yield counted("prey that is afraid means to flee within half a second", fled, 1.0)
