"""Relations come into Blender's scene and out of it as they were, and stay with their shoals."""

from __future__ import annotations

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.direction.panel import ARTFISH_PT_relations, ARTFISH_UL_relations
from artfish.blender_artfish.direction.relations import lack, words
from artfish.blender_artfish.identity.roles import objects_of
from artfish.blender_artfish.scene import reader, writer
from artfish.core import Scene, SceneError
from artfish.tests.blender.drawing import Recorder, drawn

WRITTEN = {
    "tank": {"size": [8, 6, 3]},
    "fishes": [
        {"species": "sardine", "count": 3, "at": [2, 2, 1]},
        {"species": "blue_tang", "count": 2, "at": [6, 4, 1]},
        {"species": "tuna", "at": [4, 4, 1]},
    ],
    "relations": [
        {"fishes": 0, "kind": "fear", "toward": 2, "strength": 0.8},
        {"fishes": 0, "member": 1, "kind": "trust", "toward": 2},
        {"fishes": 1, "kind": "dislike", "toward": 0, "toward_member": 2, "strength": 0.3},
    ],
    "grudges": True,
}


@pytest.fixture
def scene():
    """A scene with relations, in an empty file with the add-on."""
    blender_artfish.register()
    writer.write(bpy.context.scene, Scene.from_dict(WRITTEN), (0.0, 0.0, 0.0))
    bpy.context.view_layer.update()
    yield bpy.context.scene
    blender_artfish.unregister()


def shoals(scene):
    return objects_of(scene, "SHOAL")


def test_they_come_back_as_they_were(scene):
    found = reader.read(scene).scene
    assert found.relations == Scene.from_dict(WRITTEN).relations and found.grudges


def test_a_saved_file_has_them(scene, tmp_path):
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "one.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "one.blend"))
    found = reader.read(bpy.context.scene).scene
    assert found.relations == Scene.from_dict(WRITTEN).relations and found.grudges


def test_another_scene_takes_their_place(scene):
    writer.write(scene, Scene.load("preying"), (0.0, 0.0, 0.0))
    bpy.context.view_layer.update()
    found = reader.read(scene).scene
    assert found.relations == () and not found.grudges


def test_a_scene_that_joins_brings_its_own(scene):
    left_out = writer.join(scene, Scene.from_dict(WRITTEN), (0.0, 0.0, 0.0))
    bpy.context.view_layer.update()
    found = reader.read(scene).scene
    assert [(entry.fishes, entry.toward) for entry in found.relations[3:]] == [(3, 5), (3, 5), (4, 3)]
    assert "grudges" not in left_out
    scene.artfish.grudges = False
    assert "grudges" in writer.join(scene, Scene.from_dict(WRITTEN), (0.0, 0.0, 0.0))


def test_they_stay_with_shoals_that_are_renamed_or_change_their_place_in_the_list(scene):
    sardines, tangs, _ = shoals(scene)
    sardines.name = "The Lost"
    sardines.artfish.order, tangs.artfish.order = tangs.artfish.order, sardines.artfish.order
    found = reader.read(scene).scene
    assert [group.species for group in found.fishes] == ["blue_tang", "sardine", "tuna"]
    assert [(entry.fishes, entry.toward) for entry in found.relations] == [(1, 2), (1, 2), (0, 1)]
    assert words(scene.artfish.relations[0]).startswith("The Lost fears")


def test_those_of_a_shoal_that_is_gone_are_left_out_and_say_so(scene):
    tuna = shoals(scene)[2]
    bpy.data.objects.remove(tuna)
    bpy.context.view_layer.update()
    found = reader.read(scene).scene
    assert [entry.kind for entry in found.relations] == ["dislike"]
    assert lack(scene.artfish.relations[0], shoals(scene)) == "Choose whom it is to"
    scene.artfish.relations[2].toward_member = 9
    assert "has no fish 9" in lack(scene.artfish.relations[2], shoals(scene))
    scene.artfish.relations[2].whom = bpy.data.objects.new("Elsewhere", None)
    assert "Elsewhere is no shoal of this scene" in lack(scene.artfish.relations[2], shoals(scene))


def test_contradictions_name_the_shoal(scene):
    scene.artfish.relations[1].one_fish = False
    with pytest.raises(SceneError) as error:
        reader.read(scene)
    assert "relations[" not in str(error.value) and shoals(scene)[0].name in str(error.value)


def test_one_is_added_for_the_selected_shoal_and_taken_away_again(scene):
    settings, tang = scene.artfish, shoals(scene)[1]
    bpy.context.view_layer.objects.active = tang
    assert bpy.ops.artfish.relation_add() == {"FINISHED"}
    row = settings.relations[settings.active_relation]
    assert len(settings.relations) == 4 and row.who == tang and row.whom not in (None, tang)
    assert row.strength == pytest.approx(0.6)
    assert not lack(row, shoals(scene))
    bpy.ops.artfish.relation_remove()
    assert len(settings.relations) == 3 and settings.active_relation == 2
    settings.active_relation = -1
    assert not bpy.ops.artfish.relation_remove.poll()


def test_the_panel_has_both_buttons_and_says_what_is_missing(scene):
    assert "DEFAULT_CLOSED" in ARTFISH_PT_relations.bl_options
    scene.artfish.active_relation = 0
    shown = drawn(ARTFISH_PT_relations)
    assert shown.buttons == ["artfish.relation_add", "artfish.relation_remove"] and not any(shown.words)
    scene.artfish.relations[0].who = None
    assert "Choose whose relation it is" in " ".join(drawn(ARTFISH_PT_relations).words)


def test_a_row_of_the_list_says_it_in_a_sentence(scene):
    layout = Recorder()
    ARTFISH_UL_relations.draw_item(None, bpy.context, layout, None, scene.artfish.relations[1], None, None, None)
    names = [shoal.name for shoal in shoals(scene)]
    assert layout.words == [f"{names[0]} 1 trusts {names[2]}", "0.60"]
