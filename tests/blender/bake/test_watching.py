"""An object that is set to look at a baked fish looks at it at every frame, also after the next bake."""

import bpy
import pytest
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector

from artfish.blender_artfish.bake.rows import rows_of
from artfish.tests.blender.bake import test_edits
from artfish.tests.blender.bake.test_edits import FORMS, HERO, fish, select, words
from artfish.tests.blender.bake.test_some import bake

added = test_edits.added
pytestmark = [pytest.mark.versions, pytest.mark.film]


@pytest.fixture
def camera():
    """The scene's camera, which looks elsewhere."""
    obj = bpy.data.objects.new("Eye", bpy.data.cameras.new("Eye"))
    obj.location = (6.0, -5.0, 3.0)
    bpy.context.scene.collection.objects.link(obj)
    bpy.context.scene.camera = obj
    return obj


def body() -> Vector:
    """The middle of what is drawn of the fish."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    parts = [obj.evaluated_get(depsgraph) for obj in fish().body if obj.type in ("MESH", "SURFACE")]
    corners = [part.matrix_world @ Vector(corner) for part in parts[:1] for corner in part.bound_box]
    return sum(corners, Vector()) / len(corners)


def off(camera) -> float:
    """The largest distance of the fish from the middle of the picture over its width, over the film."""
    found = []
    for frame in (1, 12, 24):
        bpy.context.scene.frame_set(frame)
        u, v, depth = world_to_camera_view(bpy.context.scene, camera, body())
        assert depth > 0.0
        found.append(max(abs(u - 0.5), abs(v - 0.5)))
    return max(found)


@pytest.mark.parametrize("form", FORMS)
def test_the_camera_looks_at_the_fish_and_at_the_one_that_takes_its_place(camera, form):
    bpy.context.scene.artfish.bake.form = form
    bake()
    assert off(camera) > 0.05
    select(bpy.data.objects[HERO])
    assert bpy.ops.artfish.watch_fish() == {"FINISHED"}
    assert off(camera) < 0.02 and words() == ["Looked at by Eye"]
    bake()
    assert off(camera) < 0.02 and words() == ["Looked at by Eye"]
    assert len(camera.constraints) == 1


def test_the_look_is_switched_off_and_on_and_taken_away_also_off_through_a_bake(camera):
    bake()
    select(bpy.data.objects[HERO])
    bpy.ops.artfish.watch_fish()
    bpy.ops.artfish.switch_edit(row=0)
    assert off(camera) > 0.05 and not rows_of(fish())[0].on
    bake()
    assert off(camera) > 0.05 and not rows_of(fish())[0].on
    select(bpy.data.objects[HERO])
    bpy.ops.artfish.switch_edit(row=0)
    assert off(camera) < 0.02
    bpy.ops.artfish.remove_edit(row=0)
    assert words() == [] and not camera.constraints


def test_another_form_is_looked_at_where_it_moves(camera):
    bpy.context.scene.artfish.bake.form = "compact"
    bake()
    select(bpy.data.objects[HERO])
    bpy.ops.artfish.watch_fish()
    for form in ("mesh", "compact"):
        bpy.context.scene.artfish.bake.form = form
        bake()
        assert off(camera) < 0.02


def test_what_is_selected_beside_the_fish_looks_and_later_at_another(camera):
    bake()
    lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "SPOT"))
    bpy.context.scene.collection.objects.link(lamp)
    select(bpy.data.objects[HERO])
    lamp.select_set(True)
    bpy.ops.artfish.watch_fish()
    assert words() == ["Looked at by Lamp"] and not camera.constraints
    select(bpy.data.objects["Sardine 01"])
    bpy.ops.artfish.watch_fish(by="Lamp")
    assert words() == [] and words("Sardine 01") == ["Looked at by Lamp"] and len(lamp.constraints) == 1


def test_who_cannot_look_is_said(camera):
    bake()
    select(bpy.data.objects[HERO])
    with pytest.raises(RuntimeError, match="no Nobody in this scene"):
        bpy.ops.artfish.watch_fish(by="Nobody")
    with pytest.raises(RuntimeError, match="part of a baked fish"):
        bpy.ops.artfish.watch_fish(by="Sardine 01")
    bpy.context.scene.camera = None
    with pytest.raises(RuntimeError, match="no camera in the scene"):
        bpy.ops.artfish.watch_fish()


def test_one_undo_takes_it_back(camera):
    bake()
    select(bpy.data.objects[HERO])
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.artfish.watch_fish()
    bpy.ops.ed.undo_push(message="Look at Fish")
    assert len(bpy.data.objects["Eye"].constraints) == 1
    bpy.ops.ed.undo()
    assert not bpy.data.objects["Eye"].constraints and words() == []
