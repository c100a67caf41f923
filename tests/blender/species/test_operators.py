"""Species are picked and restored, each in one step."""

import bpy

from artfish.blender_artfish.blender import handlers
from artfish.blender_artfish.species import library, preview
from artfish.core.scene.species import Species


def test_one_change_is_heard_of_once(clownfish, monkeypatch):
    heard = []
    with monkeypatch.context() as patch:
        patch.setattr(handlers, "listeners", [lambda context, group: heard.append(group)])
        clownfish.form.body_height = 0.5
        assert len(heard) == 1
        bpy.ops.artfish.species_restore(to="PRESET")
        assert len(heard) == 2


def test_one_undo_takes_a_step_back(scene, clownfish, near):
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.artfish.species_pick("EXEC_DEFAULT", True, name="sardine")
    assert library.edited(bpy.context.scene) == ["clownfish", "sardine"]
    bpy.ops.ed.undo()
    assert library.edited(bpy.context.scene) == ["clownfish"]
    bpy.ops.artfish.preview("EXEC_DEFAULT", True)
    assert preview.find(bpy.context.scene) is not None
    bpy.ops.ed.undo()
    assert preview.find(bpy.context.scene) is None
    bpy.ops.artfish.row_remove("EXEC_DEFAULT", True, part="form", field="back", index=2)
    assert len(bpy.context.scene.artfish.species[0].form.back) == len(Species.load("clownfish").form.back) - 1
    bpy.ops.ed.undo()
    assert near(library.species_of(bpy.context.scene.artfish.species[0]).to_dict(), Species.load("clownfish").to_dict())
