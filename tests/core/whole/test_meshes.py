"""Fishes among meshes: nobody swims through any, and a world of them goes on to the bit."""

import numpy as np
import pytest

from artfish.core import Recording, Scene, World
from artfish.core.habitat.obstacles import Obstacles


def torus(large: float, small: float, n: int = 60) -> tuple[np.ndarray, list[list[int]]]:
    u, v = np.meshgrid(*[2 * np.pi * np.arange(n) / n] * 2, indexing="ij")
    out = large + small * np.cos(v)
    vertices = np.stack([out * np.cos(u), out * np.sin(u), small * np.sin(v)], axis=-1).reshape(-1, 3)
    at = lambda i, j: i % n * n + j % n  # noqa: E731
    return vertices, [[at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)] for i in range(n) for j in range(n)]


def grotto(**more) -> Scene:
    """Small and middling fishes, in water that carries them to and fro, around a rock with a hole through it."""
    vertices, faces = torus(0.6, 0.28, 24)
    rock = {"kind": "mesh", "at": [2.0, 1.5, 0.8], "vertices": vertices[:, [0, 2, 1]].tolist()}
    groups = [
        ("clownfish", 10, [0.7, 0.8, 1.0]),
        ("sardine", 8, [3.3, 2.3, 1.2]),
        ("butterflyfish", 4, [0.8, 2.3, 1.2]),
    ]
    return Scene.from_dict(
        {
            "tank": {"size": [4, 3, 2]},
            "fishes": [{"species": name, "count": n, "at": at, "spread": 0.5} for name, n, at in groups],
            "obstacles": [rock | {"faces": [face[::-1] for face in faces]}],
            "current": [{"kind": "uniform", "direction": [1, 0.5, -0.5], "strength": 0.4, "period": 11}],
            "plankton": {"count": 60},
        }
        | more
    )


@pytest.mark.film
def test_nobody_swims_through_rock_or_bed():
    asked = grotto(terrain={"relief": 0.5, "scale": 0.8, "seed": 4})
    world = World(asked, seed=3)  # somebody gets wedged between rock and sand
    recording = world.simulate(frames=120)
    solids = Obstacles.from_scene(asked)
    nodes = recording.nodes.astype(float)
    depth = solids.distance(nodes)[0] / recording.body_length[None, :, None]
    assert depth.min() > -0.05
    assert depth.min() < 0.3  # somebody came near enough for this to mean something
    assert (nodes > -0.05 * recording.body_length[:, None, None]).all()
    assert (nodes < np.array(asked.tank.size) + 0.05 * recording.body_length[:, None, None]).all()
    assert np.abs(nodes - nodes[:1]).max() > 0.5
    assert solids.distance(recording.plankton.astype(float))[0].min() > -0.05


@pytest.mark.film
def test_a_world_with_rock_and_hills_goes_on_to_the_bit(tmp_path):
    asked = grotto(terrain={"relief": 0.4, "scale": 0.8})
    world = World(asked, seed=1)
    world.simulate(frames=8)
    world.save(tmp_path / "world.npz")
    again = World.load(tmp_path / "world.npz")
    assert again.scene == asked
    one, two = world.simulate(frames=8), again.simulate(frames=8)
    assert np.array_equal(one.nodes, two.nodes) and np.array_equal(one.plankton, two.plankton)
    one.save(tmp_path / "swim.npz")
    assert Recording.load(tmp_path / "swim.npz").scene == asked
