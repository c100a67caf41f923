"""Operators on a finished grid: its outline becomes a species."""

import json
from pathlib import Path

import bpy

from artfish.blender_artfish.species import library
from artfish.core.scene.species import Species


def test_the_outline_becomes_a_species_of_its_own(drawn, tmp_path: Path, image_of):
    image = image_of(drawn.image)
    bpy.ops.artfish.fit_grid(image=image.name, part="body")
    path = tmp_path / "my_fish.json"
    assert bpy.ops.artfish.save_profile(image=image.name, filepath=str(path)) == {"FINISHED"}
    shaped = Species.load(path)
    assert shaped.name == "my_fish" and shaped.form.back != Species.load("thesis").form.back
    assert json.loads(path.read_text())["form"]["back"]
    # It is in this file, as the Species panel shows it, and shoals find it.
    settings = bpy.context.scene.artfish
    assert library.edited(bpy.context.scene) == ["my_fish"] and settings.active_species == 0
    assert library.models(bpy.context.scene)["my_fish"].form == shaped.form
    # Saved there again, it is still one; a preset's name gets a number.
    image.artfish.species = "clownfish"
    for name in ("my_fish", "clownfish"):
        path = tmp_path / f"{name}.json"
        assert bpy.ops.artfish.save_profile(image=image.name, filepath=str(path)) == {"FINISHED"}
    assert library.edited(bpy.context.scene) == ["my_fish", "clownfish_2"]
    again = library.models(bpy.context.scene)["my_fish"]
    assert again.form == Species.load(tmp_path / "my_fish.json").form != shaped.form
    assert again.looks == Species.load("clownfish").looks != shaped.looks
