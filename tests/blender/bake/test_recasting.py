"""Single baked fishes look like others, or have the body of another species, and swim on as they did."""

from dataclasses import replace

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake import bake, recasting
from artfish.blender_artfish.fish.individuality import INDIVIDUAL
from artfish.core.base.codec import SceneError
from artfish.core.scene.species import Species
from artfish.tests.blender.bake.test_handling import corners, every_form, fish

pytestmark = [pytest.mark.versions, pytest.mark.film]


def worn(number: int) -> set[str]:
    return {slot.material.name for obj in fish(number).body for slot in obj.material_slots}


@every_form
def test_one_fish_wears_what_another_species_does(swimming, form, drive):
    bake(swimming("clownfish", "clownfish", frames=3), form=form, drive=drive, stage=False)
    other, number = worn(2), fish(1).body[-1][INDIVIDUAL]
    recasting.paint(fish(1), Species.load("blue_tang"), bpy.context.scene)
    assert worn(1) == {name.replace("clownfish", "blue_tang") for name in other} and worn(2) == other
    assert all(slot.link == "DATA" for obj in fish(1).body for slot in obj.material_slots)
    eye = next((obj for obj in fish(1).body if obj.name.endswith("eye left")), None)
    assert eye is None or {slot.material.name for slot in eye.material_slots} == {"blue_tang eye"}
    recasting.set_number(fish(1), recasting.drawn_number(fish(1), 3))
    assert fish(1).body[-1][INDIVIDUAL] != number
    assert len({obj[INDIVIDUAL] for obj in fish(1).body if INDIVIDUAL in obj}) == 1
    recasting.paint(fish(1), Species.load("clownfish"), bpy.context.scene)
    assert worn(1) == other


@pytest.mark.parametrize("there", [False, True])
def test_one_fish_has_the_body_of_another_species_and_goes_its_way(swimming, there):
    names = ("clownfish", "clownfish", *(["sardine"] if there else []))
    recording = swimming(*names, frames=6)
    bake(recording, form="mesh", stage=False)
    body = fish(1).parts[0]
    meshes, vertices, way = len(bpy.data.meshes), len(body.data.vertices), _way(1)
    recasting.recast(fish(1), Species.load("sardine"), bpy.context.scene)
    assert fish(1).species == "sardine" and len(bpy.data.meshes) == meshes + (not there)
    assert len(body.data.vertices) != vertices and fish(2).parts[0].data != body.data
    assert _way(1) == pytest.approx(way, abs=1e-6)
    assert body["species"] == 1 and {group.name for group in body.vertex_groups} >= {"spine.01", "tail.02", "jaw"}
    length = recording.body_length[0]
    assert np.ptp(corners(fish(1), 1), axis=0).max() == pytest.approx(length, rel=0.2)
    bends = corners(fish(1), 1) - corners(fish(1), 5)
    assert np.ptp(bends, axis=0).max() > 0.01 * length
    recasting.recast(fish(1), Species.load("sardine"), bpy.context.scene, own_length=True)
    own = Species.load("sardine").length
    assert np.ptp(corners(fish(1), 1), axis=0).max() == pytest.approx(own, rel=0.2)
    assert _way(1) == pytest.approx(way, abs=1e-6)
    recasting.recast(fish(1), Species.load("clownfish"), bpy.context.scene)
    assert body.data == fish(2).parts[0].data and fish(1).root.data == fish(2).root.data


def _way(number: int) -> list:
    """Places of a fish's root through the film."""
    found, root = [], fish(number).root
    for frame in (1, 3, 6):
        bpy.context.scene.frame_set(frame)
        found += list((root.matrix_world @ root.pose.bones["root"].matrix).translation)
    return found


@pytest.mark.parametrize("form, drive", [("compact", "armature"), ("mesh", "shapes")])
def test_without_bones_no_other_body_fits(swimming, form, drive):
    bake(swimming("clownfish", frames=3), form=form, drive=drive, stage=False)
    with pytest.raises(SceneError, match="Clownfish 01 without bones, allowed a fish of the form Mesh"):
        recasting.recast(fish(1), Species.load("sardine"), bpy.context.scene)


def test_other_bones_are_named(swimming):
    bake(swimming("clownfish", frames=3), form="mesh", stage=False)
    mine = bpy.data.objects["Clownfish 01"].data
    mine.bones["jaw"].name = "mandible"
    before = [block.name for kind in (bpy.data.meshes, bpy.data.armatures) for block in kind]
    species = replace(Species.load("sardine"), common_name="Herring")
    with pytest.raises(SceneError, match=r"Clownfish 01 and Herring with different bones \(jaw, mandible\)"):
        recasting.recast(fish(1), species, bpy.context.scene)
    assert [block.name for kind in (bpy.data.meshes, bpy.data.armatures) for block in kind] == before
