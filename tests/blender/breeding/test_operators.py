"""Nine children are bred, bred on, kept and taken back."""

from itertools import chain
from typing import Any

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.breeding.brood import BROOD_SIZE
from artfish.blender_artfish.identity.provenance import ROW
from artfish.blender_artfish.identity.roles import choose, objects_of
from artfish.blender_artfish.species import library
from artfish.core.genetics.genome import bred
from artfish.core.scene.species import Species

FIRST = [f"blue_tang_clownfish_{number}" for number in range(1, 10)]


def shoals() -> list[str]:
    return [shoal.artfish.shoal.species for shoal in objects_of(bpy.context.scene, "SHOAL")]


def leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [*value, *chain.from_iterable(map(leaves, value.values()))]
    return [*chain.from_iterable(map(leaves, value))] if isinstance(value, list | tuple) else [value]


def plain_and_numbers(species: Species) -> tuple[list[Any], list[float]]:
    """The keys and words of a species, and its numbers, which Blender keeps in single precision."""
    found = leaves(species.to_dict())
    return [each for each in found if not isinstance(each, float)], [each for each in found if isinstance(each, float)]


def breed_on(mother: bpy.types.Object, father: bpy.types.Object) -> None:
    for shoal, role in ((mother, "MOTHER"), (father, "FATHER")):
        choose(bpy.context, shoal)
        assert bpy.ops.artfish.breed_parent(role=role) == {"FINISHED"}
    assert bpy.ops.artfish.breed() == {"FINISHED"}


def test_nine_children_are_those_of_the_core(scene, brood):
    assert shoals() == library.edited(scene) == FIRST
    tang, clownfish = Species.load("blue_tang"), Species.load("clownfish")
    for row, entry in enumerate(scene.artfish.species):
        child, core = library.species_of(entry), bred(tang, clownfish, FIRST[row], row)
        assert child.ancestry == core.ancestry
        assert plain_and_numbers(child)[0] == plain_and_numbers(core)[0]
        np.testing.assert_allclose(plain_and_numbers(child)[1], plain_and_numbers(core)[1], rtol=1e-5, atol=1e-6)
    assert len({str(library.species_of(entry).form) for entry in scene.artfish.species}) == BROOD_SIZE


def test_a_seed_gives_the_same_children_and_another_gives_others(scene, brood):
    def forms() -> list[str]:
        children = [library.species_of(entry).to_dict() for entry in scene.artfish.species]
        return [str([each["form"], each["looks"]]) for each in children]

    first = forms()
    bpy.ops.artfish.breed()
    assert forms() == first
    scene.artfish_breeding.seed = 100
    bpy.ops.artfish.breed()
    assert not {*forms()} & {*first}


def test_a_second_brood_takes_the_place_of_the_first(scene, brood):
    bpy.ops.artfish.add_shoal(species="sardine", count=2)
    bpy.ops.artfish.add_shoal(species=FIRST[4], count=3)
    breed_on(brood[2], brood[6])
    second = [f"blue_tang_clownfish_{number}" for number in range(10, 19)]
    assert sorted(library.edited(scene)) == sorted([FIRST[2], FIRST[4], FIRST[6], *second])
    assert sorted(shoals()) == sorted(["sardine", FIRST[4], *second])
    ancestry = library.models(scene)[second[0]].ancestry
    assert (ancestry.mother, ancestry.father) == (FIRST[2], FIRST[6])


def test_who_is_kept_stays_as_a_species_and_its_children_know_it(scene, brood):
    breed_on(brood[0], brood[1])
    child = scene.artfish_breeding.brood[3]
    choose(bpy.context, child.shoal)
    assert bpy.ops.artfish.breed_keep(name="Harlequin Fish") == {"FINISHED"}
    assert (child.name, child.shoal.artfish.shoal.species) == ("harlequin_fish", "harlequin_fish")
    assert library.models(scene)["harlequin_fish"].common_name == "Harlequin fish"
    bpy.ops.artfish.breed()
    assert "harlequin_fish" in library.edited(scene) and "harlequin_fish" not in shoals()
    assert library.models(scene)["harlequin_fish"].ancestry.mother == FIRST[0]


def test_a_parent_that_is_renamed_is_known_to_its_children(scene, brood):
    choose(bpy.context, brood[8])
    for role in ("MOTHER", "FATHER"):
        bpy.ops.artfish.breed_parent(role=role)
    bpy.ops.artfish.breed_keep(name="pearl")
    assert scene.artfish_breeding.mother == scene.artfish_breeding.father == "pearl"
    bpy.ops.artfish.breed()
    scene.artfish.active_species = library.edited(scene).index("pearl")
    bpy.ops.artfish.species_save_as(name="opal")
    ancestry = library.models(scene)["pearl_1"].ancestry
    assert (ancestry.mother, ancestry.father) == ("opal", "opal")


def test_a_live_fish_becomes_a_parent(scene, brood):
    fish = bpy.data.objects.new("Fish", None)
    scene.collection.objects.link(fish)
    fish[ROW] = 5
    choose(bpy.context, fish)
    bpy.context.view_layer.objects.active = fish
    bpy.ops.artfish.breed_parent(role="FATHER")
    assert scene.artfish_breeding.father == FIRST[5]


@pytest.mark.film
def test_children_at_play_wear_their_own_skins(scene, brood):
    bpy.ops.artfish.live_play()
    worn = [{paint.name for paint in mesh.materials} for mesh in bpy.data.meshes if mesh.name.endswith(" live")]
    assert len(worn) == BROOD_SIZE
    skins = {name.partition(" ")[0] for names in worn for name in names if name.endswith(" skin")}
    assert skins == {*FIRST}
    bpy.ops.artfish.live_end()


def test_the_file_can_be_read_whole(scene, brood, tmp_path):
    scene.artfish_breeding.mutation = 5.0
    breed_on(brood[0], brood[8])
    assert bpy.ops.artfish.save_scene(filepath=str(tmp_path / "brood.json")) == {"FINISHED"}


def test_undo_goes_back_through_the_family(scene):
    scene.artfish_breeding.mother = scene.artfish_breeding.father = "sardine"
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.artfish.breed("EXEC_DEFAULT", True)
    first = library.edited(bpy.context.scene)
    choose(bpy.context, bpy.context.scene.artfish_breeding.brood[4].shoal)
    bpy.ops.artfish.breed_parent("EXEC_DEFAULT", True, role="MOTHER")
    bpy.ops.artfish.breed("EXEC_DEFAULT", True)
    assert library.edited(bpy.context.scene) == [first[4], *(f"sardine_{number}" for number in range(10, 19))]
    bpy.ops.ed.undo()
    assert library.edited(bpy.context.scene) == first == sorted(shoals())
    assert bpy.context.scene.artfish_breeding.mother == first[4]
    bpy.ops.ed.undo()
    assert bpy.context.scene.artfish_breeding.mother == "sardine"
    bpy.ops.ed.undo()
    assert library.edited(bpy.context.scene) == shoals() == []
    assert len(bpy.context.scene.artfish_breeding.brood) == 0


def test_bad_input_is_refused_in_one_line(scene, brood):
    settings = scene.artfish_breeding
    settings.father = "herring"
    with pytest.raises(RuntimeError, match="There is no species herring: pick another father"):
        bpy.ops.artfish.breed()
    settings.father = FIRST[0]
    entry = scene.artfish.species[0]
    entry.ancestry = entry.ancestry.replace('"gene": "', '"gene": "un', 1)
    with pytest.raises(RuntimeError, match=f"blue_tang and {FIRST[0]} have no children: ") as refusal:
        bpy.ops.artfish.breed()
    assert str(refusal.value).strip().count("\n") == 0
    settings.mother = ""
    assert not bpy.ops.artfish.breed.poll()
    choose(bpy.context, brood[3])
    with pytest.raises(RuntimeError, match="There is a sardine already"):
        bpy.ops.artfish.breed_keep(name="sardine")
    with pytest.raises(RuntimeError, match="A name needs letters or digits"):
        bpy.ops.artfish.breed_keep(name="?!")
    brood[3].artfish.shoal.species = "herring"
    with pytest.raises(RuntimeError, match="which is not there"):
        bpy.ops.artfish.breed_parent(role="MOTHER")
    bpy.ops.artfish.add_shoal(species="sardine", count=2)
    assert not bpy.ops.artfish.breed_keep.poll()
    assert library.edited(scene) == FIRST
