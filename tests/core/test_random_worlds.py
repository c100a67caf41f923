"""Random scenes with all that may be in them: nothing breaks, and nobody leaves the water or ends up in a pillar."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene, Species, World
from artfish.core.habitat.obstacles import Obstacles

NAMES = [name for name in Species.names() if name != "thesis"]
TOUCH = 0.05  # lengths that a node may be inside something


def random_scene(seed: int) -> Scene:
    """Some species in a tank that they can turn in, with pillars, current, plankton and habits at their limits."""
    rng, more = np.random.default_rng(seed), np.random.default_rng((seed, 1))
    size = rng.uniform([4, 4, 2.5], [10, 8, 5])
    pillars = []
    for _ in range(rng.integers(0, 5)):
        at = [*rng.uniform(1.0, size[:2] - 1.0), 0.0]
        pillars.append({"kind": "cylinder", "at": at, "radius": rng.uniform(0.1, 0.4), "height": rng.uniform(0.5, 3)})
    blocked = Obstacles(*([pillar[key] for pillar in pillars] for key in ("at", "radius", "height")))
    places = rng.uniform(0.8, size - 0.8, (200, 3))
    places = places[blocked.distance(places)[0] > 0.05] if pillars else places
    groups = []
    for at in places[: rng.integers(1, 6)]:
        mind = {"hunger": rng.random(), "p0": rng.choice([0.0, 0.00067, 1.0]), "D0": rng.choice([0.0, 200.0, 1e5])}
        mind |= {"persistence": rng.choice([0.0, 100.0]), "fatigue": rng.choice([1.0, 60.0])}
        group = {"species": str(rng.choice(NAMES)), "count": int(rng.integers(1, 15)), "at": at.tolist()}
        group |= {"spread": rng.uniform(0.0, 1.5), "size": rng.uniform(0.5, 1.0), "mind": mind}
        if rng.random() < 0.5:
            group["type"] = str(rng.choice(["predator", "prey", "pacifist"]))
        likes = {habit: bool(more.random() < 0.3) for habit in ("brightness", "darkness", "cold", "warmth")}
        groups.append({**group, "habits": {"schooling": bool(rng.random() < 0.5), **likes}})
    flow = {"kind": "uniform", "direction": rng.normal(size=3).tolist(), "strength": rng.uniform(0.0, 0.1)}
    plankton = {"count": int(rng.choice([0, 1, 40])), "growth": rng.choice([0.0, 5.0])}
    light = {"brightness": more.random(), "attenuation": more.uniform(0, 2), "direction": [*more.normal(size=2), -1]}
    source = {"at": more.uniform(0, size).tolist(), "strength": more.uniform(-50, 100)}
    warmth = {"surface": more.uniform(-2, 60), "thickness": more.uniform(0.001, 2), "sources": [source]}
    scene = {"tank": {"size": size.tolist()}, "obstacles": pillars, "fishes": groups, "plankton": plankton}
    return Scene.from_dict(
        {**scene, "light": light, "temperature": warmth, "current": [flow] if rng.random() < 0.5 else []}
    )


QUICK = [(seed, 5) for seed in range(6)]
LONG = [pytest.param(seed, 30, marks=pytest.mark.slow) for seed in range(6, 40)]  # about 1.5 million fish-steps


@pytest.mark.parametrize(("seed", "seconds"), [*QUICK, *LONG])
def test_a_random_world_holds_together(seed, seconds):
    scene = random_scene(seed)
    obstacles = Obstacles.from_scene(scene)
    world = World(scene, seed=seed)
    for _ in range(seconds):
        recording = world.simulate(24)
        nodes, length = recording.nodes.astype(float), recording.body_length[None, :, None]
        assert np.isfinite(nodes).all()
        beyond = np.maximum(-nodes, nodes - scene.tank.size).max(axis=-1)
        assert (beyond <= TOUCH * length).all()
        if len(obstacles):
            assert (obstacles.distance(nodes)[0] >= -TOUCH * length).all()
        assert np.isfinite(recording.plankton).all()
