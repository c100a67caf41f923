"""Memory and inhibitory gain keep fishes from dithering (Tu 1999, §7.7)."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene, World

SEEDS, SECONDS = 30, 60


def changes(seed: int, memory: int, gain: float) -> float:
    """How often a fish that would court changes its mind in a minute, among food that tempts it."""
    mind = {"memory": memory, "gain": gain, "hunger": 0.5, "libido": 0.8, "p1": 0.0001, "appetite": 60}
    mind |= {"fatigue": 1000, "book_metres": 0.04}  # it hardly tires; food tempts from afar
    groups = [
        {"species": "butterflyfish", "type": "pacifist", "sex": sex, "count": 4, "size": 1.3, "at": at, "spread": 1.2}
        for sex, at in (("male", [2.5, 2.5, 1.2]), ("female", [3.5, 2.5, 1.2]))
    ]
    scene = {
        "tank": {"size": [6, 5, 3]},
        "fishes": [{**group, "mind": mind} for group in groups],
        "plankton": {"count": 400, "growth": 2.0},
    }
    world = World(Scene.from_dict(scene), seed=seed)
    held = []
    for _ in range(24 * SECONDS):
        world.step()
        held.append(world._wants.generator.intention.copy())
    return float((np.diff(np.array(held), axis=0) != 0).sum() / len(held[0]) * 60 / SECONDS)


@pytest.mark.slow
def test_memory_and_gain_lower_the_number_of_changes_of_intention():
    """Over thirty seeds, for one of them tells little (2.0 changes of deviation); the figures are in the changelog."""
    both = [changes(seed, 1, 0.2) for seed in range(SEEDS)]
    neither = [changes(seed, 0, 0.0) for seed in range(SEEDS)]
    print(f"changes a fish and minute: {np.mean(both):.1f} with memory and gain, {np.mean(neither):.1f} without")
    assert np.mean(both) < 0.95 * np.mean(neither)
