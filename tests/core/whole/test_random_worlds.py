"""Random scenes: nothing breaks, and nobody leaves the water or, where there is room to turn, ends up in a pillar.

Those with anything in them that a scene may hold are drawn by studies/endurance.py, which makes ten million steps.
"""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest

from artfish.core import Scene, Species, World
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.scene.temperament import Drives
from artfish.studies import endurance

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


@pytest.mark.film
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.large) for seed in range(2, 6))])
def test_a_random_world_holds_together(seed, seconds=3):
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


@pytest.mark.film
@pytest.mark.parametrize("node", range(23))
def test_a_body_drawn_out_of_the_water_by_any_node_is_brought_together_in_it(node):
    scene = Scene.from_dict({"tank": {"size": [2, 2, 2]}, "fishes": [{"species": "blue_tang", "at": [1, 1, 1.7]}]})
    world = World(scene)
    way = np.zeros((1, 23, 3))
    way[0, node, 2] = 1.0
    world.shoal.displace(np.array([0]), way, np.zeros_like(way))
    assert world.shoal.nodes[0, node, 2] > 2.0
    world.step()
    nodes, length = world.shoal.nodes[0], world.shoal.length[0]
    assert nodes.max() <= 2.0 + TOUCH * length
    assert np.ptp(nodes, axis=0).max() < 3.0 * length


WILD = [(0, 1_000), (8, 1_000), (3001, 500)]  # the last wedges a fish between rocks and a wall


@pytest.mark.film
@pytest.mark.parametrize(("seed", "steps"), WILD)
def test_whatever_a_scene_holds_nothing_breaks(seed, steps):
    scene = endurance.random_scene(seed)
    done, wrong = endurance.endure(seed, steps)
    assert not wrong
    assert done >= min(steps, endurance.LAST * scene.count * scene.substeps)


@pytest.mark.film
def test_random_scenes_hold_all_that_a_scene_may():
    scenes = [endurance.random_scene(seed) for seed in range(40)]
    assert {o.kind for scene in scenes for o in scene.obstacles} == {"cylinder", "mesh"}
    assert {flow.kind for scene in scenes for flow in scene.current} == {"uniform", "source", "sink", "vortex"}
    assert {group.species for scene in scenes for group in scene.fishes} == set(Species.names())
    assert {scene.terrain is None for scene in scenes} == {scene.preroll > 0 for scene in scenes} == {True, False}
    limits = {
        (name, getattr(group.mind, name) == field.metadata["declared"].low)
        for scene in scenes
        for group in scene.fishes
        for name, field in Drives.__dataclass_fields__.items()
        if getattr(group.mind, name) is not None
    }
    free = set(Drives.__dataclass_fields__) - {"f1", "q2_h", "q2_l"}
    assert {name for name, low in limits if low} >= free - {"loops", "turns", "nudges"}
    assert scenes[7] == endurance.random_scene(7)


@pytest.mark.parametrize(
    ("name", "place", "value", "told"),
    [
        ("nodes", (3, 1, 4, 2), np.nan, "nodes that are not finite"),
        ("nodes", (3, 1, 4, 0), -0.2, "fish 1 .* outside along x in frame 3"),
        ("nodes", (2, 0, 9, 2), 2.8, "fish 0 .* outside along z in frame 2"),
        ("fins", (1, 1, 0, 2), np.inf, "fins that are not finite"),
        ("hunger", (5, 0), 1.25, "hunger beyond 0 to 1"),
        ("plankton", (0, 2, 1), 4.5, "plankton .* outside"),
    ],
)
def test_what_is_wrong_is_noticed(name, place, value, told):
    fishes = [{"species": "sardine", "count": 2, "at": [2, 2, 1], "spread": 0.5}]
    scene = Scene.from_dict({"tank": {"size": [5, 4, 2.5]}, "fishes": fishes, "plankton": {"count": 3}})
    recording = World(scene).simulate(6)
    assert endurance.trouble(recording) == ""
    array = getattr(recording, name).copy()
    array[place] = value
    assert re.search(told, endurance.trouble(dataclasses.replace(recording, **{name: array})))
