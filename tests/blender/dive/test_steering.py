"""Keys, mouse and 3D mouse become orders at the helm."""

import pytest

from artfish.blender_artfish.dive.steering import HELM_KEYS, WHEELS, Pilot
from artfish.core.scene.ride import MANEUVERS


@pytest.mark.parametrize(
    ("key", "order", "end"),
    [
        ("W", ("accelerate", 1.0), ("accelerate", 0.0)),
        ("S", ("decelerate", 1.0), ("accelerate", 0.0)),
        ("X", ("reverse", 1.0), ("accelerate", 0.0)),
        ("LEFT_ARROW", ("left", 1.0), ("left", 0.0)),
        ("D", ("right", 1.0), ("left", 0.0)),
        ("R", ("pitch_up", 1.0), ("pitch_up", 0.0)),
        ("PAGE_DOWN", ("pitch_down", 1.0), ("pitch_up", 0.0)),
        ("E", ("rise", 1.0), ("rise", 0.0)),
        ("Q", ("dive", 1.0), ("rise", 0.0)),
    ],
)
def test_a_key_orders_while_it_is_down(key, order, end):
    pilot = Pilot()
    pilot.down.add(key)
    assert pilot.orders() == [order] and pilot.orders() == []
    assert pilot.said == order[0].replace("_", " ")
    pilot.down.discard(key)
    assert pilot.orders() == [end] and pilot.said == "steady"


def test_opposite_keys_order_nothing():
    pilot = Pilot()
    pilot.down |= {"A", "D", "W", "X"}
    assert pilot.orders() == []


def test_every_key_orders_something():
    for key in HELM_KEYS:
        pilot = Pilot()
        pilot.down.add(key)
        ((maneuver, amount),) = pilot.orders()
        assert maneuver in MANEUVERS and amount == 1.0


def test_the_wheel_sets_the_engine_and_it_stays():
    assert WHEELS["WHEELUPMOUSE"] > 0.0 > WHEELS["WHEELDOWNMOUSE"]
    pilot = Pilot()
    pilot.turn_wheel(1.0)
    pilot.turn_wheel(1.0)
    assert pilot.orders() == [("accelerate", 0.4)] and pilot.orders() == []
    for _ in range(20):
        pilot.turn_wheel(-1.0)
    assert pilot.orders() == [("reverse", 1.0)]


def test_a_dragged_mouse_is_a_wheel_in_hand():
    pilot = Pilot()
    pilot.drag = 0.5, -0.25
    assert pilot.orders() == [("right", 0.5), ("pitch_down", 0.25)]
    pilot.drag = 0.505, -0.26  # a hand that trembles
    assert pilot.orders() == []
    pilot.drag = -9.0, 0.0
    assert pilot.orders() == [("left", 1.0), ("pitch_up", 0.0)]


def test_a_3d_mouse_is_pushed_and_turned():
    pilot = Pilot()
    pilot.push((0.0, 0.5, -0.8), (0.3, -0.6, 0.9))
    assert pilot.orders() == [("accelerate", 0.8), ("right", 0.6), ("pitch_up", 0.3), ("rise", 0.5)]
    pilot.push((0.0, 0.0, 0.05), (0.0, 0.02, 0.0))  # at rest it is never quite still
    assert pilot.orders() == [("accelerate", 0.0), ("left", 0.0), ("pitch_up", 0.0), ("rise", 0.0)]


def test_a_full_stop_ends_all_and_holds_until_the_engine_has_an_order():
    pilot = Pilot()
    pilot.down |= {"W", "A"}
    pilot.orders()
    assert pilot.full_stop() == [("full_stop", 1.0)] and pilot.said == "full stop"
    assert pilot.orders() == []
    pilot.down.add("A")
    assert pilot.orders() == [("left", 1.0)] and pilot.said == "full stop, left"
    pilot.down.add("W")
    assert pilot.orders() == [("accelerate", 1.0)]
