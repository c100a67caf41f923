"""The prey that predators choose, as far as it is a matter of whom they like or fear."""

from __future__ import annotations

from artfish.core import Scene, World
from artfish.core.behavior.intention import EAT
from artfish.core.perception.swimmers import NO_FISH

PREY = {"species": "blue_tang", "type": "prey", "spread": 0.0}
FISHES = [
    {"species": "reef_shark", "size": 0.6, "at": [2, 4, 1.5], "heading": [1, 0, 0], "mind": {"hunger": 1.0}},
    {**PREY, "at": [4.5, 4, 1.5]},
    {**PREY, "at": [6.5, 4, 1.5]},
]


def hunted(*relations: dict) -> set[int]:
    """The prey that a hungry shark goes for within two seconds."""
    world = World(Scene.from_dict({"tank": {"size": [12, 8, 3]}, "fishes": FISHES, "relations": list(relations)}), 2)
    found = set()
    for _ in range(48):
        world.step()
        decision = world.parts.minds.decision
        if decision.generator.intention[0] == EAT:
            found.add(int(decision.focus.target[0]))
    return found - {NO_FISH}


def test_without_relations_it_takes_the_nearest():
    assert 1 in hunted()


def test_one_that_it_likes_with_all_its_heart_is_not_hunted():
    assert hunted({"fishes": 0, "kind": "like", "toward": 1, "strength": 1.0}) == {2}


def test_nor_is_one_that_it_fears():
    assert 1 not in hunted({"fishes": 0, "kind": "fear", "toward": 1, "strength": 1.0})


def test_one_that_it_likes_a_little_is_taken_if_it_is_much_nearer():
    assert 1 in hunted({"fishes": 0, "kind": "like", "toward": 1, "strength": 0.3})
