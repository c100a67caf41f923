"""Scenes at the limits of their ranges: fishes stay whole, about upright and no faster than real ones."""

from __future__ import annotations

from typing import Any

import pytest

from artfish.core import Scene, SceneError, World
from artfish.studies import limits


def lived(seconds: float, **keys: Any) -> limits.LimitSwim:
    scene = Scene.from_dict({"duration": seconds, **keys})
    return limits.judged(World(scene, seed=3).simulate(), "a scene")


def group(species: str, at: list[float], count: int = 3, **keys: Any) -> dict[str, Any]:
    return {"species": species, "count": count, "at": at, "spread": 0.8 * min(at)} | keys


def vortex(at: list[float], direction: list[float], strength: float, radius: float) -> dict[str, Any]:
    return {"kind": "vortex", "at": at, "direction": direction, "strength": strength, "radius": radius}


SCENES = {
    "a vortex in a shaft": {
        "tank": {"size": [1, 1, 3]},
        "substeps": 4,
        "fishes": [group("thesis", [0.5, 0.5, 1.5])],
        "current": [vortex([0.41, 0.67, 1.88], [-0.6, -0.68, -0.23], 3.0, 0.5)],
    },
    "a stream in a channel": {
        "tank": {"size": [0.18, 1.8, 0.18]},
        "fluid_viscosity": 0.3,
        "fishes": [group("thesis", [0.09, 0.9, 0.09])],
        "current": [{"kind": "uniform", "strength": 3.0, "direction": [0.87, 0.29, -0.93], "period": 6.0}],
    },
    "a vortex in thin water": {
        "tank": {"size": [3, 8, 3]},
        "fps": 12.0,
        "fluid_viscosity": 0.1,
        "fishes": [group("emperor_angelfish", [1.5, 4, 1.5], 8)],
        "current": [vortex([2.48, 1.89, 2.48], [-0.21, -1.05, -0.37], 3.0, 1.5)],
    },
    "thick water in long frames": {
        "tank": {"size": [1, 1, 1]},
        "fps": 5.0,
        "fluid_viscosity": 10.0,
        "fishes": [group("blue_tang", [0.5, 0.5, 0.5], 4)],
    },
}


@pytest.mark.film
@pytest.mark.parametrize("name", SCENES)
def test_fishes_stay_upright_and_slow_in(name):
    """Simulated animals must not explode where forces are large (DeepMimic issue 45)."""
    swum = lived(4.0, **SCENES[name])
    assert swum.finite
    assert swum.fastest < limits.FASTEST
    assert swum.over <= limits.OVER


def test_a_fish_far_bigger_than_its_tank_is_refused_rather_than_flung_about():
    """One object far too large breaks a whole simulation (Gazebo issue 1154, Rapier issue 629)."""
    tank = {"size": [4.0, 0.1, 2.0]}
    scene = Scene.from_dict({"tank": tank, "fishes": [group("clownfish", [2.0, 0.05, 1.0], 1, size=20, sex="male")]})
    with pytest.raises(
        SceneError, match=r"fishes\[0\].size: found 20.0, a clownfish of 1.98 m, allowed up to .* m wide"
    ):
        World(scene)  # the longest of its kind is a tenth longer
