"""Relations: whether fear, trust, like and dislike show in what fishes do, and grudges, each beside none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..core.behavior.intention import ESCAPE
from ..core.scene.relation import DISLIKE, FEAR, LIKE, TRUST
from ..core.scene.scene import Scene
from ..core.world.world import World
from .finding import Finding, counted, each

SECONDS = 30
"""Of each pool with a butterflyfish and a surgeonfish, and of what follows a chase."""
HUNT_SECONDS = 60
"""In which a fish must have been chased in vain."""
POOL: dict[str, Any] = {
    "tank": {"size": [10, 8, 3]},
    "fishes": [
        {"species": "butterflyfish", "at": [4, 4, 1.5], "spread": 0.4, "mind": {"hunger": 0.0}},
        {"species": "blue_tang", "at": [5.5, 4, 1.5], "spread": 0.4, "mind": {"hunger": 0.0}},
    ],
}


@dataclass(frozen=True)
class Pool:
    """The mean gap between the two in metres, the seconds that the first fled, and the metres that the second moved."""

    gap: float
    flees: float
    carried: float


def pool(kind: str, strength: float, hunts: bool, seed: int) -> Pool:
    """A pool in which the first has a relation to the second, perhaps a predator; none at strength 0."""
    fish, other = POOL["fishes"]
    fishes = [fish, {**other, "type": "predator"} if hunts else other]
    entry = {"fishes": 0, "kind": kind, "toward": 1, "strength": strength}
    world = World(Scene.from_dict({**POOL, "fishes": fishes, "relations": [entry]}), seed)
    begins, gap, flees = world.nodes.mean(axis=1)[1], 0.0, 0
    frames = round(SECONDS * world.scene.fps)
    for _ in range(frames):
        world.step()
        middle = world.nodes.mean(axis=1)
        gap += float(np.linalg.norm(middle[0] - middle[1])) / frames
        flees += int(world.parts.minds.decision.generator.intention[0] == ESCAPE)
    return Pool(gap, flees / world.scene.fps, float(np.linalg.norm(middle[1] - begins)))


def grudge(seed: int) -> tuple[float, float] | None:
    """Distances in metres that a fish keeps from the shark that chased it, with its grudge and without; None if none.

    The preset Hunt is lived through until a chase has failed, and from there on twice.
    """
    world = World(replace(Scene.load("hunt"), grudges=True), seed)
    held: list[dict[str, Any]] = []
    for _ in range(round(HUNT_SECONDS * world.scene.fps)):
        world.step()
        held = [event for event in world.events if event["kind"] == "grudge"]
        if held:
            break
    if not held:
        return None
    fish, shark, then = held[0]["fish"], held[0]["other"], world.moment()
    gaps = []
    for remembers in (True, False):
        world.go_back(then)
        if not remembers:
            world.retune(grudges=False)
        gap = []
        for _ in range(round(SECONDS * world.scene.fps)):
            world.step()
            if not world.alive[fish]:
                break
            gap.append(float(np.linalg.norm(world.nodes.mean(axis=1)[fish] - world.nodes.mean(axis=1)[shark])))
        gaps.append(float(np.mean(gap)))
    return gaps[0], gaps[1]


def findings(seeds: range = range(10)) -> Iterator[Finding]:
    """Four kinds of relation, each beside the same scene without, and grudges beside a world that forgets."""
    calm = each(pool, [FEAR], [0.0], [False], seeds)
    threatened = each(pool, [TRUST], [0.0], [True], seeds)
    for strength in (0.6, 1.0):
        some = each(pool, [FEAR], [strength], [False], seeds)
        yield counted(
            f"who is feared by {strength:g} is farther off",
            [one.gap > other.gap for one, other in zip(some, calm, strict=True)],
            0.8,
            _note(some, calm, "gap", "m"),
        )
    some = each(pool, [TRUST], [1.0], [True], seeds)
    frightened = [row for row, one in enumerate(threatened) if one.flees > 0.0]
    yield counted(
        "a predator that is trusted, which it fled otherwise, is not fled",
        [some[row].flees == 0.0 for row in frightened],
        0.9,
        _note(some, threatened, "flees", "s of flight"),
    )
    for strength in (0.6, 1.0):
        some = each(pool, [LIKE], [strength], [False], seeds)
        yield counted(
            f"who is liked by {strength:g} is nearer",
            [one.gap < other.gap for one, other in zip(some, calm, strict=True)],
            0.8,
            _note(some, calm, "gap", "m"),
        )
    some = each(pool, [DISLIKE], [1.0], [False], seeds)
    yield counted(
        "who is disliked by 1 is carried farther from where it was",
        [one.carried > other.carried for one, other in zip(some, calm, strict=True)],
        0.8,
        _note(some, calm, "carried", "m"),
    )
    found = [one for one in each(grudge, seeds) if one is not None]
    note = ""
    if found:
        with_it, without = np.median(np.array(found), axis=0).tolist()
        note = f"{with_it:.2f} m in the middle, {without:.2f} without"
    yield counted(
        f"who has got away from a shark keeps farther off it for {SECONDS} s than if it forgot",
        [remembering > forgetting for remembering, forgetting in found],
        None,
        note,
    )


def _note(some: list[Pool], others: list[Pool], of: str, unit: str) -> str:
    """The middle of a measure with the relation, and without."""
    one, other = (np.median([getattr(each, of) for each in pools]) for pools in (some, others))
    return f"{one:.2f} {unit} in the middle, {other:.2f} without"
