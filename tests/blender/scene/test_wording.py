"""Faults of a scene are named in the words of an animator."""

from __future__ import annotations

import bpy
import pytest

from artfish.blender_artfish.identity import roles
from artfish.blender_artfish.scene import objects as scene_objects
from artfish.blender_artfish.scene import reader as scene_reader
from artfish.core import SceneError, World


def test_what_is_wrong_is_said_with_the_name_of_the_object(scene):
    shoal = scene_objects.add(scene, "SHOAL", (0, 0, 1))
    shoal.name = "Lost ones"
    shoal.location.x = 99
    bpy.context.view_layer.update()
    with pytest.raises(SceneError, match=r"^Lost ones\.at: found \[99.*allowed in the tank, \[-5") as raised:
        scene_reader.read(scene)
    assert "\n" not in str(raised.value)
    shoal.location.x = 0
    shoal.artfish.shoal.species = "unicorn"
    bpy.context.view_layer.update()
    with pytest.raises(SceneError, match=r"Lost ones\.species: found .unicorn., allowed one of"):
        scene_reader.read(scene)


def test_what_is_wrong_with_tank_and_bed_is_said_with_their_names(scene):
    bpy.ops.artfish.add_shoal(species="clownfish")
    (tank,) = roles.objects_of(scene, "TANK")
    tank.name = "Aquarium"
    tank.scale.z = 0.0
    bpy.context.view_layer.update()
    with pytest.raises(SceneError, match=r"^Aquarium\.size\[2\]: found 0"):
        scene_reader.read(scene)
    tank.scale.z = 2.0
    tank.modifiers.new("Walls", "SUBSURF")
    bpy.context.view_layer.update()
    with pytest.raises(SceneError, match=r"^Aquarium\.faces: found no face, allowed those of a closed mesh"):
        scene_reader.read(scene)
    tank.modifiers.clear()
    bpy.ops.mesh.primitive_plane_add(size=20, location=(0, 0, 1.9))
    bpy.context.object.name, bpy.context.object.artfish.kind = "Sand", "BED"
    bpy.context.view_layer.update()
    with pytest.raises(SceneError, match=r"^Sand: found hills up to 1\.9 m"):
        scene_reader.read(scene)


def test_what_cannot_be_or_cannot_go_well_is_said_with_the_name_of_the_object(scene):
    bpy.ops.artfish.add_shoal(species="clownfish")
    (shoal,) = roles.objects_of(scene, "SHOAL")
    shoal.name = "Giants"
    draft = scene_reader.draft(scene)
    formed = draft.form()
    assert draft.warnings(formed) == ()
    (tank,) = roles.objects_of(scene, "TANK")
    shoal.artfish.shoal.size, tank.scale.y = 20, tank.scale.y * 2.0 / formed.tank.size[1]
    bpy.context.view_layer.update()
    draft = scene_reader.draft(scene)
    (line,) = draft.warnings(draft.form())
    assert line.startswith("Giants, size: found a clownfish of 2.48 m in a tank 2 m wide") and ", better a tank" in line
    tank.scale.y *= 0.05
    bpy.context.view_layer.update()
    draft = scene_reader.draft(scene)
    refusal = pytest.raises(SceneError, match=r"^Giants\.size: found 20.*allowed up to .* in a tank 0\.1 m wide")
    with refusal, draft.saying():
        World(draft.form(), species=draft.models)
