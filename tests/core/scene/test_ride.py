"""A ride: what is ordered at the helm of a submarine, checked."""

import json

import pytest

from artfish.core import Scene, SceneError
from artfish.core.scene.ride import MANEUVERS, Ride

RIDE = {
    "at": [1, 1, 1],
    "orders": [{"time": 0, "order": "accelerate", "amount": 0.5}, {"time": 2, "order": "left", "seconds": 1}],
    "camera": {"stereo": True},
}


def written(tmp_path, **keys) -> str:
    path = tmp_path / "ride.json"
    path.write_text(json.dumps(RIDE | keys))
    return str(path)


def test_a_ride_is_read_and_written_back(tmp_path):
    ride = Ride.load(written(tmp_path))
    assert [order.order for order in ride.orders] == ["accelerate", "left"] and ride.camera.stereo
    ride.save(tmp_path / "again.json")
    assert Ride.load(tmp_path / "again.json") == ride


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ({"at": [1, 1]}, "at: found "),
        ({"presence": "shark"}, "presence: found 'shark', allowed one of predator, pacifist, lure, none"),
        ({"heading": [0, 0, 1]}, "heading: found "),
        ({"orders": [{"time": 0, "order": "jump"}]}, f"orders[0].order: found 'jump', allowed one of {MANEUVERS[0]},"),
        ({"orders": [{"order": "rise"}]}, "orders[0].time: found nothing"),
        ({"orders": [{"time": 1, "order": "rise", "amount": 2}]}, "orders[0].amount: found 2, allowed a number from 0"),
        (
            {"orders": [{"time": 2, "order": "rise"}, {"time": 1, "order": "dive"}]},
            "orders[1].time: found 1 s after 2 s, allowed times in order",
        ),
        ({"start": 3, "end": 2}, "end: found 2 s, allowed 3 s, its start, or later"),
        ({"camera": {"picture": "round"}}, "camera.picture: found 'round', allowed one of flat,"),
        ({"orderz": []}, "orderz: found an unknown key, allowed at, heading,"),
    ],
)
def test_what_is_wrong_is_one_line_with_its_place(tmp_path, keys, complaint):
    path = written(tmp_path, **keys)
    with pytest.raises(SceneError) as error:
        Ride.load(path)
    assert str(error.value).startswith(f"{path}: {complaint}") and "\n" not in str(error.value)


def test_a_ride_that_there_is_not_is_one_line(tmp_path):
    with pytest.raises(SceneError, match="allowed a JSON file or a preset"):
        Ride.load(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("ride", "complaint"),
    [
        ({"at": [9, 1, 1]}, "ride.at: found [9.0, 1.0, 1.0], allowed in the tank"),
        ({"at": [3, 2, 1]}, "ride.at: found [3.0, 2.0, 1.0] inside obstacles[0]"),
        ({"at": [1, 1, 1], "length": 5}, "ride.length: found a hull of 1.25 m, allowed half of 2 m"),
    ],
)
def test_a_ride_must_fit_into_the_water(ride, complaint):
    pillar = {"kind": "cylinder", "at": [3, 2, 0], "radius": 0.5, "height": 2}
    with pytest.raises(SceneError) as error:
        Scene.from_dict({"tank": {"size": [6, 4, 2]}, "obstacles": [pillar], "ride": ride})
    assert complaint in str(error.value)


@pytest.mark.parametrize("name", Ride.names())
def test_every_preset_is_valid(name):
    assert Ride.load(name).orders
