"""Deleted species come back with undo."""

import json

import bpy

from artfish import blender_artfish
from artfish.blender_artfish.species import library


def test_undo_brings_a_deleted_species_back_and_redo_deletes_it_again(scene, clownfish, tmp_path):
    bpy.ops.artfish.species_save_as(name="mine")
    file = tmp_path / "mine.json"
    before = file.read_bytes()
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.artfish.species_delete("EXEC_DEFAULT", True)
    assert not file.exists()
    bpy.ops.artfish.species_copy("EXEC_DEFAULT", True)
    bpy.ops.ed.undo()
    assert not file.exists()  # only the copy is taken back
    bpy.ops.ed.undo()
    assert file.read_bytes() == before and "mine" in library.own()
    bpy.ops.ed.redo()
    assert not file.exists()
    bpy.ops.ed.undo()
    bpy.context.scene.artfish.species[0].about.length = 0.3
    bpy.ops.artfish.species_save("EXEC_DEFAULT", True)
    newer = file.read_bytes()
    assert newer != before
    bpy.ops.ed.undo()
    assert file.read_bytes() == newer  # what was saved stays saved


def test_undo_leaves_what_was_saved_under_a_deleted_name(scene, clownfish, tmp_path):
    bpy.ops.artfish.species_save_as(name="mine")
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.artfish.species_delete("EXEC_DEFAULT", True)
    bpy.ops.artfish.species_save("EXEC_DEFAULT", True)
    file = tmp_path / "mine.json"
    for step in (bpy.ops.ed.undo, bpy.ops.ed.undo, bpy.ops.ed.redo):
        step()
        assert file.exists()


def test_undo_brings_back_what_was_deleted_after_the_add_on_was_enabled_again(scene, clownfish, tmp_path):
    bpy.ops.artfish.species_save_as(name="mine")
    file = tmp_path / "mine.json"
    bpy.ops.artfish.species_delete()
    bpy.ops.artfish.species_save()
    blender_artfish.unregister()
    blender_artfish.register()
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.artfish.species_delete("EXEC_DEFAULT", True)
    assert not file.exists()
    bpy.ops.ed.undo()
    assert file.exists()


def test_a_model_goes_with_the_last_species_that_wears_it_and_comes_back_with_undo(scene, clownfish, tmp_path):
    (tmp_path / "model.blend").write_bytes(b"a model")
    for name in ("mine", "yours"):
        bpy.ops.artfish.species_save_as(name=name)
        made = json.loads((tmp_path / f"{name}.json").read_text()) | {"model": "model"}
        (tmp_path / f"{name}.json").write_text(json.dumps(made))
    assert sorted(library.delete("mine")) == ["mine.json"]
    contents = library.delete("yours")
    assert sorted(contents) == ["model.blend", "yours.json"] and library.own() == []
    assert not (tmp_path / "model.blend").exists()
    library.put_back(contents)
    assert (tmp_path / "model.blend").read_bytes() == b"a model" and library.own() == ["yours"]
