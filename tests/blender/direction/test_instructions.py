"""Instructions and marks are kept in a Blender scene, and obstacles have the names of their objects."""

from __future__ import annotations

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.scene import reader as scene_reader
from artfish.blender_artfish.scene import writer as scene_writer
from artfish.core import Scene, SceneError


@pytest.fixture
def scene():
    """The scene of an empty file with the add-on."""
    blender_artfish.register()
    yield bpy.context.scene
    blender_artfish.unregister()


def test_they_come_back_with_the_names_of_objects(scene):
    loaded = Scene.load("hide_and_seek")
    scene_writer.write(scene, loaded, (0.0, 0.0, 0.0))
    bpy.context.view_layer.update()
    found = scene_reader.read(scene).scene
    assert found.instructions == loaded.instructions
    assert [one.name for one in found.obstacles] == [one.name for one in loaded.obstacles]
    scene.objects["rock 1"].name = "stone"
    assert [one.name for one in scene_reader.read(scene).scene.obstacles][0] is None


def test_a_scene_without_any_has_none_and_names_nothing(scene):
    scene_writer.write(scene, Scene.load("hide_and_seek"), (0.0, 0.0, 0.0))
    scene_writer.write(scene, Scene.load("preying"), (0.0, 0.0, 0.0))
    bpy.context.view_layer.update()
    found = scene_reader.read(scene).scene
    assert found.instructions == () and all(one.name is None for one in found.obstacles)


@pytest.mark.parametrize("text", ["{", '{"instructions": [{"fishes": 0, "do": "fly"}]}'])
def test_what_cannot_be_read_is_said(scene, text):
    scene_writer.write(scene, Scene.load("hide_and_seek"), (0.0, 0.0, 0.0))
    bpy.context.view_layer.update()
    scene.artfish.instructions = text
    with pytest.raises(SceneError):
        scene_reader.read(scene)


EVERY = {
    "name": "every",
    "tank": {"size": [10, 8, 3]},
    "fishes": [
        {"species": "clownfish", "count": 2, "at": [2, 2, 1]},
        {"species": "reef_shark", "at": [8, 6, 2]},
        {"species": "sardine", "count": 5, "at": [5, 4, 1]},
    ],
    "obstacles": [{"kind": "cylinder", "name": "rock 1", "at": [5, 5, 0], "radius": 0.5, "height": 2}],
    "marks": [{"name": "home", "at": [2, 6, 1]}, {"name": "cave", "at": [8, 2, 0.5], "radius": 0.75}],
    "instructions": [
        {"fishes": 0, "when": {"kind": "threatened", "fear": 0.25, "seconds": 10}, "do": "hide", "among": "rock"},
        {
            "fishes": 0,
            "member": 1,
            "when": {"kind": "seen_by", "whom": 1, "whom_member": 0},
            "do": "leave",
            "place": "cave",
        },
        {"fishes": 0, "when": {"kind": "sees", "whom": 2}, "do": "follow", "whom": 2, "whom_member": 3, "radius": 1.25},
        {
            "fishes": 0,
            "when": "hungry",
            "do": "visit",
            "among": ["home", "cave", "rock 1"],
            "order": "listed",
            "stay": 4,
        },
        {"fishes": 0, "when": "caught", "do": "swap_sides", "whom": 1, "pace": 1.5},
        {"fishes": 2, "when": {"kind": "caught", "whom": 0}, "do": "enter", "place": "cave"},
        {"fishes": 0, "when": {"kind": "at", "place": "home"}, "do": "wait"},
        {"fishes": 0, "when": {"kind": "after", "time": 4.5}, "do": "lead", "whom": 2, "place": "home", "radius": 2},
        {"fishes": 1, "when": {"kind": "while_at", "whom": 0, "place": "cave"}, "do": "guard", "place": "cave"},
        {"fishes": 1, "do": "guard", "whom": 0, "radius": 2.5},
        {"fishes": 2, "when": "else", "do": "go_to", "place": "home"},
    ],
}


def test_every_act_and_condition_comes_back(scene):
    """With names as lists, as a scene has them once it is read."""
    loaded = Scene.from_dict(EVERY)
    scene_writer.write(scene, loaded, (1.0, 2.0, 0.0))
    bpy.context.view_layer.update()
    found = scene_reader.read(scene).scene
    assert found.instructions == loaded.instructions
    assert [(one.name, one.radius) for one in found.marks] == [
        ("home", pytest.approx(0.3)),
        ("cave", pytest.approx(0.75)),
    ]
    assert [pytest.approx(one.at, abs=1e-4) for one in loaded.marks] == [one.at for one in found.marks]


def test_a_text_of_an_earlier_version_counts_before_them(scene):
    loaded = Scene.load("hide_and_seek")
    scene_writer.write(scene, loaded, (0.0, 0.0, 0.0))
    bpy.context.view_layer.update()
    scene.artfish.instructions = (
        '{"marks": [{"name": "x", "at": [1, 1, 1]}], "instructions": [{"fishes": 0, "do": "wait", "place": "x"}]}'
    )
    found = scene_reader.read(scene).scene
    assert [one.do for one in found.instructions] == ["wait", "hide", "visit"]
    assert [one.name for one in found.marks] == ["x"]


def test_the_list_is_made_by_its_buttons(scene):
    scene_writer.write(scene, Scene.from_dict({**EVERY, "instructions": []}), (0.0, 0.0, 0.0))
    bpy.context.view_layer.update()
    shoal = next(obj for obj in scene.objects if obj.artfish.kind == "SHOAL")
    bpy.context.view_layer.objects.active = shoal
    bpy.ops.artfish.add_instruction()
    bpy.ops.artfish.add_instruction()
    rows = scene.artfish.instruction_rows
    assert [row.fishes for row in rows] == [shoal, shoal]
    rows[1].do, rows[1].when, rows[1].among = "visit", "always", "home, cave"
    assert rows[1].stay == pytest.approx(2.0) and rows[1].pace == pytest.approx(0.6)  # as declared
    bpy.ops.artfish.move_instruction(up=True)
    assert [row.do for row in rows] == ["visit", "hide"] and scene.artfish.active_instruction == 0
    assert bpy.ops.artfish.move_instruction(up=True) == {"CANCELLED"}
    rows[0].fishes = None
    found = scene_reader.read(scene).scene.instructions
    assert [(one.fishes, one.do) for one in found] == [(0, "visit"), (1, "visit"), (2, "visit"), (0, "hide")]
    assert found[0].among == ("home", "cave")
    bpy.ops.artfish.remove_instruction()
    bpy.ops.artfish.remove_instruction()
    assert not rows and not bpy.ops.artfish.remove_instruction.poll()


def test_an_instruction_about_nobody_is_refused_in_words(scene):
    scene_writer.write(scene, Scene.from_dict({**EVERY, "instructions": []}), (0.0, 0.0, 0.0))
    bpy.context.view_layer.update()
    bpy.ops.artfish.add_instruction()
    scene.artfish.instruction_rows[0].do = "follow"
    with pytest.raises(SceneError, match="nobody.*whom it is about: Follow when threatened"):
        scene_reader.read(scene)
