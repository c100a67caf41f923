"""The flow primitives against their closed forms (Tu 1999, §8.1; Milne-Thomson, Theoretical Hydrodynamics)."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene
from artfish.core.habitat.currents import Current
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.plankton import PlanktonCloud
from artfish.core.habitat.tank import WaterBox
from artfish.core.habitat.tuning import PLANKTON_GAP_METRES

MIDDLE = np.array((1.0, 2.0, 0.5))
STRENGTH, RADIUS = 0.4, 0.3
KEYS = {"uniform": ("direction", "period"), "source": ("at",), "sink": ("at",), "vortex": ("at", "direction")}


def current(*kinds: str, direction=(0.0, 0.0, 1.0), period: float = 0.0) -> Current:
    """Primitives of these kinds, as a scene writes them."""
    possible = {"direction": list(direction), "period": period, "at": MIDDLE.tolist()}
    flows = [
        {"kind": kind, "strength": STRENGTH}
        | ({} if kind == "uniform" else {"radius": RADIUS})
        | {key: possible[key] for key in KEYS[kind]}
        for kind in kinds
    ]
    return Current.from_scene(Scene.from_dict({"current": flows}))


def sphere(directions: int = 4000) -> np.ndarray:
    """Points evenly spread over the unit sphere (a Fibonacci lattice)."""
    k = np.arange(directions) + 0.5
    z = 1 - 2 * k / directions
    azimuth = np.pi * (1 + 5**0.5) * k
    flat = np.sqrt(1 - z * z)
    return np.stack((flat * np.cos(azimuth), flat * np.sin(azimuth), z), axis=1)


def jacobian(flow: Current, points: np.ndarray, h: float = 1e-5) -> np.ndarray:
    """Central differences d velocity_i / d x_j, (n, 3, 3)."""
    steps = [(flow.velocity(points + h * e, 0.0) - flow.velocity(points - h * e, 0.0)) / (2 * h) for e in np.eye(3)]
    return np.stack(steps, axis=-1)


def places_outside_the_core(n: int = 200) -> np.ndarray:
    rng = np.random.default_rng(1)
    out = sphere(n)
    out[:, 2] *= 0.5
    far = np.hypot(out[:, 0], out[:, 1])
    return MIDDLE + (out / np.maximum(far, 0.2)[:, None]) * rng.uniform(2 * RADIUS, 6 * RADIUS, (n, 1))


def test_uniform_flow_goes_its_way_at_its_strength_everywhere():
    flow = current("uniform", direction=(3.0, 0.0, 4.0)).velocity(sphere(10), 12.3)
    assert np.allclose(flow, STRENGTH * np.array((0.6, 0.0, 0.8)), atol=1e-15)


def test_uniform_flow_swings_there_and_back_in_its_period():
    flow = current("uniform", direction=(1.0, 0.0, 0.0), period=8.0)
    speeds = [flow.velocity(np.zeros((1, 3)), t)[0, 0] for t in (0.0, 2.0, 4.0, 6.0, 8.0)]
    assert np.allclose(speeds, np.array((0.0, 1.0, 0.0, -1.0, 0.0)) * STRENGTH, atol=1e-12)


@pytest.mark.parametrize("kind, sign", [("source", 1.0), ("sink", -1.0)])
@pytest.mark.parametrize("radius", [1.0, 2.5, 20.0])
def test_the_same_water_leaves_through_every_sphere_around_a_source(kind, sign, radius):
    normals = sphere()
    flow = current(kind).velocity(MIDDLE + radius * RADIUS * normals, 0.0)
    flux = (flow * normals).sum(axis=1).mean() * 4 * np.pi * (radius * RADIUS) ** 2
    assert flux == pytest.approx(sign * 4 * np.pi * RADIUS**2 * STRENGTH, rel=1e-12)


@pytest.mark.parametrize("radius", [1.0, 2.5, 20.0])
@pytest.mark.parametrize("height", [-1.0, 0.0, 3.0])
def test_circulation_around_a_vortex_is_the_same_on_every_circle(radius, height):
    angle = np.linspace(0.0, 2 * np.pi, 64, endpoint=False)
    zero = np.zeros_like(angle)
    around = np.stack((np.cos(angle), np.sin(angle), zero), axis=1)
    along = np.stack((-np.sin(angle), np.cos(angle), zero), axis=1)
    flow = current("vortex").velocity(MIDDLE + radius * RADIUS * around + (0.0, 0.0, height), 0.0)
    circulation = (flow * along).sum(axis=1).mean() * 2 * np.pi * radius * RADIUS
    assert circulation == pytest.approx(2 * np.pi * RADIUS * STRENGTH, rel=1e-12)
    assert np.allclose((flow * around).sum(axis=1), 0.0, atol=1e-15)


@pytest.mark.parametrize("kind", ["uniform", "source", "sink", "vortex"])
def test_flow_outside_the_core_has_no_divergence_and_no_rotation(kind):
    slopes = jacobian(current(kind, direction=(0.2, -0.3, 0.9)), places_outside_the_core())
    assert np.abs(np.trace(slopes, axis1=1, axis2=2)).max() < 1e-8
    assert np.abs(slopes - slopes.transpose(0, 2, 1)).max() < 1e-8


def test_core_of_a_vortex_turns_as_a_solid_without_divergence():
    inside = MIDDLE + 0.4 * RADIUS * sphere(50)
    slopes = jacobian(current("vortex"), inside)
    assert np.abs(np.trace(slopes, axis1=1, axis2=2)).max() < 1e-8
    spin = slopes[:, 1, 0] - slopes[:, 0, 1]
    assert np.allclose(spin, 2 * STRENGTH / RADIUS, atol=1e-8)


@pytest.mark.parametrize("kind", ["source", "sink", "vortex"])
def test_nowhere_faster_than_its_strength(kind):
    points = MIDDLE + np.vstack([radius * sphere(200) for radius in (0.0, 1e-9, 0.1, 0.3, 0.30001, 1.0)])
    speed = np.linalg.norm(current(kind).velocity(points, 0.0), axis=1)
    assert np.isfinite(speed).all() and speed.max() <= STRENGTH * (1 + 1e-12)


def test_primitives_add_up_at_points_of_any_shape():
    kinds = ("uniform", "source", "vortex")
    parts = [current(kind, direction=(0.0, 1.0, 1.0)) for kind in kinds]
    whole = current(*kinds, direction=(0.0, 1.0, 1.0))
    points = np.random.default_rng(0).uniform(-2, 2, (4, 5, 3))
    assert np.allclose(whole.velocity(points, 0.0), sum(part.velocity(points, 0.0) for part in parts), atol=1e-15)


def test_water_without_a_current_is_still():
    assert Current().still and not current("sink").still
    assert current("uniform").even and not current("uniform", "vortex").even
    assert (Current().velocity(np.ones((4, 3)), 1.0) == 0).all()


# Around pillars

PILLAR = {"kind": "cylinder", "at": [1.0, 2.0, 0.0], "radius": 0.3, "height": 1.0}


def parted(strength: float = 0.4, direction=(1.0, 0.5, 0.2), **pillar) -> Current:
    """A pillar in a steady even stream."""
    flow = [{"kind": "uniform", "direction": list(direction), "strength": strength}]
    return Current.from_scene(Scene.from_dict({"current": flow, "obstacles": [PILLAR | pillar]}))


def around(radius: float, height: float = 0.5, n: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """Places on a circle about the pillar's axis, and the unit vectors outwards."""
    angle = np.linspace(0.0, 2 * np.pi, n, endpoint=False)
    out = np.stack((np.cos(angle), np.sin(angle), np.zeros(n)), axis=1)
    return radius * out + (1.0, 2.0, height), out


@pytest.mark.parametrize("deflection", [0.0, 0.4, 1.0])
def test_no_water_flows_through_the_mantle_of_a_pillar_but_what_it_lets_through(deflection):
    places, out = around(0.3)
    flow, stream = parted(deflection=deflection).velocity(places, 0.0), parted(deflection=0.0).velocity(places, 0.0)
    assert (flow * out).sum(axis=1) == pytest.approx((1.0 - deflection) * (stream * out).sum(axis=1), abs=1e-12)


def test_water_around_a_pillar_is_that_of_potential_flow():
    flow = parted()
    level = 0.4 * np.hypot(1.0, 0.5) / np.linalg.norm((1.0, 0.5, 0.2))
    speed = np.linalg.norm(flow.velocity(around(0.3)[0], 0.0)[:, :2], axis=1)
    assert speed.max() == pytest.approx(2 * level, rel=1e-3) and speed.min() < 0.02 * level  # at the sides; in front
    outside = np.concatenate([around(radius, height)[0] for radius in (0.31, 0.5, 2.0) for height in (0.1, 0.9)])
    slopes = jacobian(flow, outside)
    assert np.abs(np.trace(slopes, axis1=1, axis2=2)).max() < 1e-8
    assert np.abs(slopes - slopes.transpose(0, 2, 1)).max() < 1e-8
    far = flow.velocity(around(30.0)[0], 0.0)
    assert np.allclose(far, parted(deflection=0.0).velocity(around(30.0)[0], 0.0), atol=2e-4 * level)


def test_a_pillar_adds_no_more_than_the_stream_anywhere_and_nothing_above_its_top():
    points = np.random.default_rng(3).uniform((0, 1, -1), (2, 3, 3), (5000, 3))
    added = parted().velocity(points, 0.0) - parted(deflection=0.0).velocity(points, 0.0)
    assert np.linalg.norm(added, axis=1).max() <= 0.4
    assert (added[:, 2] == 0).all()
    assert (added[points[:, 2] > 1.3] == 0).all()


def test_the_same_water_leaves_through_every_cylinder_around_a_pillar_that_water_streams_out_of():
    flow = parted(strength=0.0, outflow=0.2)
    for radius in (0.3, 0.7, 5.0):
        places, out = around(radius)
        assert (flow.velocity(places, 0.0) * out).sum(axis=1) * radius == pytest.approx(0.2 * 0.3)
    still = Current.from_scene(Scene.from_dict({"obstacles": [PILLAR]}))
    assert still.still and still.even and (still.velocity(places, 0.0) == 0).all()
    assert not flow.even and not parted().even and parted(deflection=0.0).even


def test_plankton_goes_around_a_pillar_where_it_would_stick_without_deflection():
    stuck = []  # seconds for which a particle lies against the pillar, on average
    for deflection in (0.0, 1.0):
        scene = {"tank": {"size": [6, 4, 1]}, "plankton": {"count": 200, "at": [0.5, 2, 0.5], "spread": 0.25}}
        flow = [{"kind": "uniform", "direction": [1, 0, 0], "strength": 0.2}]
        pillar = PILLAR | {"deflection": deflection, "at": [1.5, 2, 0]}
        scene = Scene.from_dict({**scene, "current": flow, "obstacles": [pillar]})
        obstacles, water = Obstacles.from_scene(scene), Current.from_scene(scene)
        cloud = PlanktonCloud(scene.plankton, WaterBox.from_scene(scene), obstacles, water, 0)
        lying = 0.0
        for frame in range(24 * 10):
            cloud.advance(frame / 24, 1 / 24)
            lying += np.mean(obstacles.distance(cloud.place)[0] < 1.2 * PLANKTON_GAP_METRES) / 24
        assert np.median(cloud.place[:, 0]) > 1.8
        stuck.append(lying)
    assert stuck[0] > 3.0 and stuck[1] < 0.3
