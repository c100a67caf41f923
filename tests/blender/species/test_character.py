"""The character of a species edited in a file: traits move its numbers, and its own stay until given back."""

import bpy
import pytest

from artfish.blender_artfish.blender.glances import glance
from artfish.blender_artfish.species import character, library
from artfish.core.scene.traits import Traits


@pytest.fixture
def shaped(scene, clownfish):
    """A clownfish that follows its traits."""
    assert bpy.ops.artfish.species_character() == {"FINISHED"}
    return clownfish


def test_a_preset_without_character_shows_none_of_its_own(scene, clownfish):
    clownfish.traits.given = False
    assert character.own_keys(clownfish) == frozenset()
    assert not bpy.ops.artfish.species_as_traits.poll()


def test_a_character_is_likely_and_leaves_its_colours(scene, clownfish):
    clownfish.traits.given = False
    before = library.species_of(clownfish)
    bpy.ops.artfish.species_character()
    after = library.species_of(clownfish)
    assert after.traits == before.likely_traits()
    assert after.looks.side == before.looks.side and after.looks.bands == before.looks.bands
    assert after.length == pytest.approx(before.length, rel=0.05)


def test_all_numbers_may_stay(scene, clownfish):
    clownfish.traits.given = False
    before = library.species_of(clownfish).to_dict()
    bpy.ops.artfish.species_character(keep=True)
    after = library.species_of(clownfish).to_dict()
    assert after.pop("traits") and after == {key: before[key] for key in after}
    assert {"looks.back", "about.female_size"} <= character.own_keys(clownfish)


def test_a_trait_that_moves_moves_its_numbers_but_not_its_own(shaped):
    shaped.body.viscosity = 1.5
    assert "body.viscosity" in character.own_keys(shaped)
    heights = shaped.form.body_height
    shaped.traits.build = 0.2
    assert shaped.form.body_height < heights
    assert shaped.body.viscosity == pytest.approx(1.5)
    said = library.species_of(shaped)
    assert said.traits.build == pytest.approx(0.2) and said.body.viscosity == 1.5
    assert said.to_brief()["body"] == {"viscosity": 1.5}


def test_a_number_is_given_back_alone_or_all_are(shaped):
    usual = shaped.body.viscosity
    shaped.body.viscosity, shaped.mind.f0, shaped.about.female_size = 1.5, 0.2, 1.4
    own = character.own_keys(shaped)
    assert {"body.viscosity", "mind.f0", "about.female_size"} <= own
    bpy.ops.artfish.species_as_traits(key="body.viscosity")
    assert shaped.body.viscosity == usual and character.own_keys(shaped) == own - {"body.viscosity"}
    bpy.ops.artfish.species_as_traits(key="about.female_size")
    assert shaped.about.female_size == 1.0
    bpy.ops.artfish.species_as_traits()
    assert character.own_keys(shaped) == frozenset()
    assert library.species_of(shaped).traits is not None


def test_numbers_stay_when_the_character_goes(shaped):
    before = library.species_of(shaped).to_dict()
    bpy.ops.artfish.species_no_character()
    assert library.species_of(shaped).to_dict() == {key: value for key, value in before.items() if key != "traits"}


def test_an_inconsistent_species_is_left_alone(shaped):
    shaped.mind.f0, shaped.mind.f1 = 0.5, 0.2  # fear that is acted upon after one flees
    heights = shaped.form.body_height
    shaped.traits.build = 0.1
    assert shaped.form.body_height == heights
    shaped.mind.f1 = 0.8
    shaped.traits.build = 0.15
    assert shaped.form.body_height < heights


def test_a_species_is_taken_with_its_character(scene, shaped):
    bpy.ops.artfish.species_copy()
    copied = scene.artfish.species[-1]
    assert copied.traits.given and library.species_of(copied).traits == library.species_of(shaped).traits
    assert isinstance(library.species_of(copied).traits, Traits)


def test_what_panels_show_as_own_follows_every_change(scene, shaped):
    def shown():
        settings = scene.artfish
        entry = settings.species[settings.active_species]
        return glance(character.own_keys_shown, scene, settings.active_species, entry.name)

    own = character.own_keys(shaped)
    assert shown() == own and "body.viscosity" not in own
    shaped.body.viscosity = 1.5
    assert shown() == own | {"body.viscosity"}
    bpy.ops.artfish.species_as_traits(key="body.viscosity")
    assert shown() == own
    shaped.traits.build = 0.2
    assert shown() == character.own_keys(shaped)
    bpy.ops.artfish.species_no_character()
    assert shown() == frozenset()
    bpy.ops.artfish.species_pick(name="sardine")
    assert shown() == character.own_keys(scene.artfish.species[scene.artfish.active_species])
