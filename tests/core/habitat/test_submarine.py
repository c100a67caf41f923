"""The submarine: its inertia and drag in closed form, its orders, and what it keeps off."""

import numpy as np
import pytest

from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.submarine import BRAKE, ENGINE, LIFT, PLANES, RUDDER, Submarine
from artfish.core.habitat.tank import WaterBox
from artfish.core.habitat.tuning import HULL_SIDE_DRAG, LIFT_SHARE, PLANES_RADIANS, PLANES_RATE, RUDDER_SECONDS
from artfish.core.scene.ride import MANEUVERS, HelmOrder, Ride

WIDE = WaterBox([200.0, 200.0, 100.0])
STILL = np.zeros(3)
DT = 1.0 / 24.0


def sail(
    seconds: float,
    *orders: tuple[float, str, float],
    at: tuple = (100.0, 100.0, 50.0),
    water: np.ndarray = STILL,
    tank: WaterBox = WIDE,
    obstacles: Obstacles | None = None,
    dt: float = DT,
    **ride,
) -> tuple[Submarine, np.ndarray, np.ndarray]:
    """A submarine after so many seconds, and its poses (n, 5) and velocities (n, 3) on the way."""
    given = tuple(HelmOrder(time=time, order=order, amount=amount) for time, order, amount in orders)
    vessel, stands = Submarine(Ride(at=at, orders=given, **ride)), obstacles or Obstacles()
    poses, velocities = [vessel.pose], [vessel.velocity.copy()]
    for step in range(round(seconds / dt)):
        vessel.advance(step * dt, dt, water, tank, stands.distance)
        poses.append(vessel.pose)
        velocities.append(vessel.velocity.copy())
    return vessel, np.array(poses), np.array(velocities)


def test_from_rest_it_speeds_up_as_a_hyperbolic_tangent():
    a, top = 0.4, 0.8
    for dt in (DT, DT / 10):
        _, _, velocity = sail(6.0, (0.0, "accelerate", 1.0), thrust=a, speed=top, dt=dt)
        t = dt * np.arange(len(velocity))
        assert velocity[:, 0] == pytest.approx(top * np.tanh(a * t / top), abs=0.35 * a * dt)
        assert np.all(velocity[:, 1:] == 0.0)


@pytest.mark.parametrize(("order", "sign"), [("accelerate", 1.0), ("reverse", -1.0)])
def test_its_engine_brings_it_to_its_speed(order, sign):
    vessel, _, velocity = sail(40.0, (0.0, order, 0.25), at=(100.0, 100.0, 50.0))
    assert velocity[-1] == pytest.approx([sign * 0.8 * np.sqrt(0.25), 0.0, 0.0], abs=1e-6)
    assert vessel.speed == pytest.approx(sign * 0.4, abs=1e-6)


def test_it_coasts_as_drag_has_it():
    a, top = 0.4, 0.8
    _, poses, velocity = sail(20.0, (0.0, "accelerate", 1.0), (5.0, "accelerate", 0.0), thrust=a, speed=top)
    begin = round(5.0 / DT)
    v, t, k = velocity[begin:, 0], DT * np.arange(len(velocity) - begin), a / top**2
    assert v == pytest.approx(v[0] / (1.0 + k * v[0] * t), rel=1e-12)
    way = poses[begin:, 0] - poses[begin, 0]
    assert way == pytest.approx(np.log(1.0 + k * v[0] * t) / k, abs=v[0] * DT)


def test_it_drifts_with_the_water():
    water = np.array([0.0, 0.3, 0.0])
    _, _, velocity = sail(60.0, water=water)
    k = HULL_SIDE_DRAG * 0.4 / 0.8**2
    t = DT * np.arange(len(velocity))
    assert velocity[:, 1] == pytest.approx(0.3 - 0.3 / (1.0 + k * 0.3 * t), abs=1e-12)


@pytest.mark.parametrize("order", ["decelerate", "full_stop"])
def test_it_brakes_to_rest_and_stays_there(order):
    _, poses, velocity = sail(12.0, (0.0, "accelerate", 1.0), (5.0, order, 1.0))
    speed = np.linalg.norm(velocity, axis=1)
    still = np.flatnonzero(speed == 0.0)
    still = still[still > round(5.0 / DT)]
    assert still[0] * DT - 5.0 < 0.8 / 0.4  # drag helps
    assert np.all(poses[still[0] :] == poses[still[0]])


@pytest.mark.parametrize(("order", "sign"), [("left", 1.0), ("right", -1.0)])
def test_the_rudder_turns_it_to_its_rate(order, sign):
    _, poses, _ = sail(6.0, (0.0, order, 1.0), turn_rate=0.5)
    t = DT * np.arange(len(poses))
    exact = sign * 0.5 * (t - RUDDER_SECONDS * (1.0 - np.exp(-t / RUDDER_SECONDS)))
    assert poses[:, 3] == pytest.approx(exact, abs=0.5 * DT)
    _, poses, _ = sail(20.0, (0.0, order, 1.0), (3.0, order, 0.0))
    assert np.ptp(poses[-24:, 3]) < 1e-6  # amidships it goes straight


@pytest.mark.parametrize(("order", "sign"), [("pitch_up", 1.0), ("pitch_down", -1.0)])
def test_the_planes_pitch_it_without_overshooting_and_it_levels_out(order, sign):
    _, poses, _ = sail(12.0, (0.0, order, 0.5), (6.0, order, 0.0))
    goal, t = 0.5 * PLANES_RADIANS, DT * np.arange(round(6.0 / DT) + 1)
    exact = goal * (1.0 - (1.0 + PLANES_RATE * t) * np.exp(-PLANES_RATE * t))
    pitch = sign * poses[:, 4]
    assert pitch[: len(t)] == pytest.approx(exact, abs=0.05 * goal)
    assert pitch.max() <= goal and pitch.min() >= 0.0 and pitch[-1] < 0.01 * goal


@pytest.mark.parametrize(("order", "sign"), [("rise", 1.0), ("dive", -1.0)])
def test_it_rises_and_dives_level(order, sign):
    _, poses, velocity = sail(20.0, (0.0, order, 1.0))
    assert velocity[-1] == pytest.approx([0.0, 0.0, sign * LIFT_SHARE * 0.8], abs=1e-6)
    assert np.all(poses[:, 3:] == 0.0) and np.all(poses[:, :2] == poses[0, :2])


def test_a_turn_under_way_skids_and_follows_the_heading():
    vessel, _, _ = sail(30.0, (0.0, "accelerate", 1.0), (5.0, "left", 0.5))
    heading = vessel.ahead
    along, across = vessel.velocity @ heading, np.linalg.norm(np.cross(vessel.velocity, heading))
    assert 0.02 < across / along < 0.5


@pytest.mark.parametrize("order", MANEUVERS)
def test_an_order_ends_when_its_time_is_over(order):
    vessel = Submarine(Ride(at=(100, 100, 50), orders=(HelmOrder(time=0.0, order=order, seconds=1.0),)))
    for step in range(48):
        assert vessel.controls.any() == (0 < step <= 24)
        vessel.advance(step * DT, DT, STILL, WIDE, Obstacles().distance)


def test_each_order_concerns_its_own_control():
    vessel = Submarine(Ride(at=(1, 1, 1)))
    for order in ("accelerate", "left", "pitch_down", "rise"):
        vessel.obey(HelmOrder(time=0.0, order=order, amount=0.5))
    assert vessel.controls[[ENGINE, BRAKE, RUDDER, PLANES, LIFT]].tolist() == [0.5, 0.0, 0.5, -0.5, 0.5]
    vessel.obey(HelmOrder(time=0.0, order="decelerate"))
    assert vessel.controls.tolist() == [0.0, 1.0, 0.5, -0.5, 0.5]
    vessel.obey(HelmOrder(time=0.0, order="full_stop"))
    assert vessel.controls.tolist() == [0.0, 1.0, 0.0, 0.0, 0.0]


TANK = WaterBox([8.0, 6.0, 3.0])
AHEAD = ("accelerate", 1.0)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("orders", "at", "heading", "axis", "end"),
    [
        ([AHEAD], (2, 3, 1.5), (1, 0, 0), 0, 8.0),
        ([AHEAD], (2, 3, 1.5), (0, -1, 0), 1, 0.0),
        ([("rise", 1.0)], (4, 3, 1.5), (1, 0, 0), 2, 3.0),
        ([("dive", 1.0)], (4, 3, 1.5), (1, 0, 0), 2, 0.0),
        ([("reverse", 1.0)], (2, 3, 1.5), (1, 0, 0), 0, 0.0),
        ([AHEAD, ("pitch_down", 1.0)], (2, 3, 1.5), (1, 0, 0), 2, 0.0),
    ],
)
def test_it_keeps_off_walls_bed_and_surface_and_brakes_before_them(orders, at, heading, axis, end):
    given = [(0.0, order, amount) for order, amount in orders]
    vessel, poses, velocity = sail(40.0, *given, at=at, heading=heading, tank=TANK)
    half = 0.5 * (vessel.ride.length - vessel.ride.girth) * np.abs(vessel.ahead[axis])
    gap = abs(poses[:, axis] - end) - half - 0.5 * vessel.ride.girth
    assert gap.min() > 0.4 * vessel.ride.girth
    slowing = np.abs(np.diff(np.linalg.norm(velocity, axis=1))) / DT
    assert slowing.max() < 1.3 * vessel.ride.thrust + HULL_SIDE_DRAG * 0.1


def test_it_glides_along_a_pillar_that_it_meets_aside():
    pillar = Obstacles([[4.0, 3.1, 0.0]], [0.5], [3.0])
    _, poses, _ = sail(20.0, (0.0, "accelerate", 1.0), at=(1, 2.9, 1.5), tank=TANK, obstacles=pillar)
    gaps = pillar.distance(poses[:, :3])[0]
    assert gaps.min() > 0.5 * 0.15
    assert poses[-1, 0] > 5.0


def test_it_does_what_it_did_after_its_state_was_put_back():
    orders = ((0.0, "accelerate", 1.0), (1.0, "left", 1.0), (3.0, "dive", 0.5))
    vessel, _, _ = sail(2.0, *orders, tank=TANK, at=(2, 3, 1.5))
    other = Submarine(vessel.ride)
    other.restore(vessel.state())
    for each in (vessel, other):
        for step in range(48, 120):
            each.advance(step * DT, DT, STILL, TANK, Obstacles().distance)
    assert np.array_equal(vessel.pose, other.pose) and vessel.pose[3] > 1.0
