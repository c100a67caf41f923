"""Species are kept, deleted, exported and imported."""

from dataclasses import replace

import bpy
import pytest

from artfish.blender_artfish.scene import reader as scene_reader
from artfish.blender_artfish.species import library
from artfish.core import SceneError
from artfish.core.scene.species import Species


def test_save_restore_and_delete_a_species_of_ones_own(scene, clownfish, tmp_path, near):
    clownfish.form.bluntness = 0.25
    assert bpy.ops.artfish.species_save_as(name="Nemo's kin") == {"FINISHED"}
    assert clownfish.name == "nemo_s_kin" and clownfish.about.common_name == "Nemo's kin"
    saved = Species.load(tmp_path / "nemo_s_kin.json")
    assert saved.form.bluntness == 0.25 and saved == library.load("nemo_s_kin") == library.species_of(clownfish)
    assert "nemo_s_kin" in library.own() and "nemo_s_kin" in library.names()
    clownfish.form.bluntness, clownfish.about.length = 0.5, 1.0
    bpy.ops.artfish.species_restore(to="SAVED")
    assert library.species_of(clownfish) == saved
    clownfish.form.bluntness = 0.5
    bpy.ops.artfish.species_save()
    assert library.load("nemo_s_kin").form.bluntness == 0.5
    bpy.ops.artfish.species_restore(to="PRESET")
    preset = Species.load("clownfish")
    expected = replace(preset, name="nemo_s_kin", common_name="Nemo's kin")
    assert near(library.species_of(clownfish).to_dict(), expected.to_dict())
    bpy.ops.artfish.species_delete()
    assert library.own() == [] and clownfish.name == "nemo_s_kin"
    assert not bpy.ops.artfish.species_delete.poll()


def test_names_are_unique_and_presets_are_never_overwritten(scene, clownfish, tmp_path):
    assert not bpy.ops.artfish.species_save.poll()
    for name in ("clownfish", "Sardine", "blue tang"):
        with pytest.raises(RuntimeError, match="already"):
            bpy.ops.artfish.species_save_as(name=name)
    with pytest.raises(RuntimeError, match="letters or digits"):
        bpy.ops.artfish.species_save_as(name="../*")
    assert list(tmp_path.iterdir()) == []
    bpy.ops.artfish.species_copy()
    assert library.edited(scene) == ["clownfish", "clownfish_2"]
    with pytest.raises(SceneError, match="preset"):
        library.save(Species.load("sardine"))


def test_shoals_follow_the_name_under_which_a_species_is_saved(scene, clownfish):
    bpy.ops.artfish.add_shoal(species="clownfish")
    clownfish.about.length = 0.2
    assert scene_reader.read(scene).models["clownfish"].length == 0.2
    bpy.ops.artfish.species_save_as(name="giant")
    assert bpy.context.object.artfish.shoal.species == "giant"
    assert scene_reader.read(scene).models["giant"].length == 0.2
    bpy.ops.artfish.species_delete()
    bpy.ops.artfish.species_drop()
    with pytest.raises(SceneError, match="giant"):
        scene_reader.read(scene)


def test_export_and_import_go_on_to_the_same_species(scene, clownfish, tmp_path, near):
    clownfish.form.body_height = 0.2
    path = tmp_path / "elsewhere" / "flat_fish.json"
    path.parent.mkdir()
    bpy.ops.artfish.species_export(filepath=str(path))
    expected = replace(library.species_of(clownfish), name="flat_fish")
    assert Species.load(path) == expected
    bpy.ops.artfish.species_import(filepath=str(path))
    assert near(library.species_of(scene.artfish.species[1]).to_dict(), expected.to_dict())
    bpy.ops.artfish.species_import(filepath=str(path))
    assert library.edited(scene)[2] == "flat_fish_2"
    with pytest.raises(RuntimeError, match="nothing.json"):
        bpy.ops.artfish.species_import(filepath=str(tmp_path / "nothing.json"))
