"""The panel says what a direction asks of its fishes and what they can do, and its buttons make the two fit."""

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.direction.doubts import doubts
from artfish.blender_artfish.direction.times import demand, demands
from artfish.blender_artfish.scene.reader import read
from artfish.blender_artfish.scene.writer import write
from artfish.core import Scene
from artfish.core.studio.checking import timed_directions


@pytest.fixture(autouse=True)
def addon():
    """The add-on in an empty file."""
    blender_artfish.register()
    yield
    blender_artfish.unregister()


def written(*direction: dict) -> bpy.types.Scene:
    fishes = [{"species": "sardine", "count": 2, "at": [2, 2, 2]}]
    content = {"name": "t", "duration": 30, "tank": {"size": [30, 6, 4]}, "fishes": fishes}
    scene = bpy.context.scene
    write(scene, Scene.from_dict({**content, "direction": [{"fishes": 0, **entry} for entry in direction]}))
    bpy.context.view_layer.update()
    return scene


def choose(name: str) -> bpy.types.Object:
    obj = bpy.context.view_layer.objects.active = bpy.data.objects[name]
    return obj


FAST = {"kind": "curve", "points": [[2, 2, 2], [10, 2, 2]], "duration": 4, "name": "Path"}
FAR = {"kind": "arrival", "at": [20, 2, 2], "time": 5, "name": "Mark"}


@pytest.mark.parametrize("entry", [FAST, FAR])
@pytest.mark.parametrize("button", ["fit_time", "fit_length"])
def test_a_button_makes_it_fit_and_nothing_else_is_said(entry, button):
    scene = written(entry)
    obj = choose(entry["name"])
    asks = demand(scene, obj)
    assert not asks.feasible and doubts(scene) == [asks.line()]
    assert asks.line() == timed_directions(read(scene).scene)[0].line()
    assert obj.name in asks.line() and "give it" in asks.line()
    getattr(bpy.ops.artfish, button)()
    bpy.context.view_layer.update()
    fitted = demand(scene, obj)
    assert fitted.feasible and fitted.needed > 0.9 * fitted.possible
    assert doubts(scene) == []
    if button == "fit_length":
        assert fitted.seconds == pytest.approx(asks.seconds) and fitted.metres < asks.metres
    else:
        assert fitted.metres == pytest.approx(asks.metres, rel=1e-4)


def test_a_curve_keeps_its_first_point_when_it_is_shortened():
    scene = written(FAST)
    choose("Path")
    bpy.ops.artfish.fit_length()
    bpy.context.view_layer.update()
    assert read(scene).scene.direction[0].points[0] == pytest.approx((2, 2, 2), abs=1e-4)


def test_who_asks_for_a_speed_gets_the_one_that_is_possible():
    scene = written({"kind": "target", "at": [20, 2, 2], "speed": 3, "name": "There"})
    assert "m/s" in demand(scene, choose("There")).line()
    bpy.ops.artfish.fit_time()
    assert demand(scene, choose("There")).feasible


def test_what_is_not_timed_asks_for_nothing():
    scene = written({"kind": "target", "at": [20, 2, 2], "name": "There"})
    assert demands(scene) == []
    choose("There" if "There" in bpy.data.objects else scene.objects[-1].name)
    assert not bpy.ops.artfish.fit_time.poll()


def test_what_begins_after_the_last_frame_is_named():
    scene = written({**FAR, "at": [4, 2, 2]})
    obj = choose("Mark")
    obj.artfish.arrival.time = 40.0
    (text,) = doubts(scene)
    assert text.startswith("Mark begins at frame ") and "after the last" in text
