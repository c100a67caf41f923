"""The species at hand: edited, own and presets, each as its file or panel says."""

import json

import bpy
import pytest

from artfish.blender_artfish.blender import declarations
from artfish.blender_artfish.species import library
from artfish.core import SceneError
from artfish.core.genetics.genome import bred
from artfish.core.scene.species import Species


@pytest.mark.parametrize("name", Species.names())
def test_a_panel_says_of_every_preset_what_its_file_says(scene, name, near):
    bpy.ops.artfish.species_pick(name=name)
    assert near(Species.load(name).to_dict(), library.species_of(scene.artfish.species[0]).to_dict())


def test_what_is_edited_goes_before_own_and_presets_and_is_checked_when_it_is_needed(scene, clownfish, tmp_path):
    clownfish.mind.f1 = 0.2
    models = library.models(scene)
    assert "clownfish" in models and len(models) == len(Species.names())
    assert models["sardine"] == Species.load("sardine")
    with pytest.raises(SceneError, match="f1"):
        models["clownfish"]
    with pytest.raises(KeyError):
        models["nobody"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("import os", "found no JSON"),
        ('{"name": "spoilt", "length": -1}', "length: found -1"),
        ('{"name": "other"}', "found 'other', allowed the stem of the file, spoilt"),
        ('{"name": "spoilt", "mind": {"f0": 0.5, "f1": 0.2}}', "f1: found 0.2"),
        ("\0\xff", "spoilt.json"),
    ],
)
def test_a_damaged_file_is_passed_over_with_a_clear_word(scene, tmp_path, text, line):
    (tmp_path / "spoilt.json").write_text(text, encoding="latin-1")
    assert line in library.damaged()["spoilt"] and "\n" not in library.damaged()["spoilt"]
    assert str(tmp_path) not in library.damaged()["spoilt"]
    with pytest.raises(RuntimeError, match="spoilt"):
        bpy.ops.artfish.species_pick(name="spoilt")
    assert len(scene.artfish.species) == 0
    Species.from_dict({"name": "spoilt"}).save(tmp_path / "spoilt.json")
    assert library.damaged() == {}


def test_the_folder_of_ones_own_is_made_when_it_is_needed(scene, clownfish, tmp_path, monkeypatch):
    monkeypatch.setattr(library, "folder", lambda: tmp_path / "profile" / "species")
    assert library.own() == [] and library.damaged() == {} and not (tmp_path / "profile").exists()
    bpy.ops.artfish.species_save_as(name="nemo")
    assert library.own() == ["nemo"]
    (tmp_path / "a_file").write_text("")
    monkeypatch.setattr(library, "folder", lambda: tmp_path / "a_file")
    assert library.own() == [] and library.damaged(look=False) == {}
    with pytest.raises(RuntimeError, match="a_file: found an obstacle"):
        bpy.ops.artfish.species_save()


def test_a_file_with_the_name_of_a_preset_does_not_hide_it(scene, tmp_path):
    (tmp_path / "sardine.json").write_text(json.dumps({"name": "sardine", "length": 5.0}))
    assert "preset" in library.damaged()["sardine"]
    assert library.load("sardine") == Species.load("sardine")


@pytest.mark.parametrize("name", Species.names())
def test_declared_groups_hold_every_species(scene, name, same):
    data = Species.load(name).to_dict()
    entry = scene.artfish.species.add()
    for part in ("body", "rhythm", "steering", "pectoral", "form", "looks", "temperament", "mind"):
        declarations.fill(getattr(entry, part), data[part])
        assert same(data[part], declarations.json_of(getattr(entry, part))) == []
    declarations.fill(entry.about, data)
    assert same({key: data[key] for key in declarations.json_of(entry.about)}, declarations.json_of(entry.about)) == []


def test_who_was_bred_keeps_its_ancestry_when_it_is_edited(scene):
    made = bred(Species.load("clownfish"), Species.load("blue_tang"), "fry", 2)
    entry = scene.artfish.species.add()
    entry.name = "fry"
    library.fill(entry, made)
    assert library.species_of(entry).ancestry == made.ancestry
    library.fill(entry, Species.load("clownfish"))
    assert library.species_of(entry).ancestry is None
