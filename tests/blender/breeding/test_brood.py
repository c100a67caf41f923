"""Children have places side by side in the water, and names after their founders."""

from dataclasses import replace

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.breeding.brood import brood_names, extent, places
from artfish.blender_artfish.scene.operators import ensure_tank
from artfish.blender_artfish.scene.tank import size_of
from artfish.blender_artfish.species import library
from artfish.core.scene.species import Species


@pytest.mark.parametrize("length", [0.02, 0.3, 50.0])
def test_places_are_apart_and_within_the_water(scene, length):
    ensure_tank(bpy.context)
    low, size = size_of(scene)
    found = np.array([place[:] for place in places(scene, length)])
    assert ((found > low[:]) & (found < np.add(low[:], size[:]))).all()
    assert (np.diff(found.reshape(3, 3, 3)[..., 0], axis=1) > 0.0).all(), "from left to right"
    assert (np.diff(found.reshape(3, 3, 3)[..., 2], axis=0) < 0.0).all(), "the first row is the top one"


def test_children_are_named_after_their_founders(scene, brood):
    assert brood_names(scene, "sardine", "clownfish")[0] == "sardine_clownfish_1"
    assert brood_names(scene, "sardine", "sardine")[8] == "sardine_9"
    assert brood_names(scene, "blue_tang_clownfish_3", "clownfish")[0] == "blue_tang_clownfish_10"
    assert brood_names(scene, "blue_tang_clownfish_3", "sardine")[0] == "blue_tang_clownfish_sardine_1"


def test_children_begin_side_by_side_headed_alike(brood):
    assert all(shoal.artfish.shoal.use_heading and shoal.artfish.shoal.count == 1 for shoal in brood)
    assert {shoal.rotation_euler[:] for shoal in brood} == {(0.0, 0.0, 0.0)}


def test_all_of_each_child_is_brought_into_view(scene, brood):
    low, high = extent(scene)
    reach = 0.45 * max(entry.about.length for entry in scene.artfish.species)
    for child in brood:
        assert all(low[axis] < x - reach and x + reach < high[axis] for axis, x in enumerate(child.location))


def test_who_became_ones_own_stays(scene, brood):
    """A child saved for other files, one that was made another fish, and the species that the panel shows."""
    bpy.ops.artfish.species_pick(name="sardine")
    scene.artfish.active_species = 2
    bpy.ops.artfish.species_save()
    brood[7].artfish.shoal.species = "clownfish"
    scene.artfish.active_species = library.edited(scene).index("sardine")
    bpy.ops.artfish.breed()
    assert {"sardine", "blue_tang_clownfish_3"} < {*library.edited(scene)}
    assert scene.artfish.species[scene.artfish.active_species].name == "sardine"
    assert brood[7].name in scene.objects
    assert library.load("blue_tang_clownfish_3").ancestry.mother == "blue_tang"


def test_a_child_that_was_deleted_leaves_the_next_brood_whole(scene, brood):
    bpy.data.objects.remove(brood[0])
    bpy.ops.artfish.breed()
    assert len(library.edited(scene)) == len([obj for obj in scene.objects if obj.artfish.kind == "SHOAL"]) == 9


def test_a_parent_may_be_ones_own(scene, tmp_path):
    replace(Species.load("sardine"), name="mine").save(tmp_path / "mine.json")
    scene.artfish_breeding.mother, scene.artfish_breeding.father = "mine", "clownfish"
    assert bpy.ops.artfish.breed() == {"FINISHED"}
    assert library.edited(scene)[0] == "mine_clownfish_1"
