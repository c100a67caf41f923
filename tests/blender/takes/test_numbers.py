"""Numbers that vary: each that is offered is one of the scene's own, in words and in its range, and goes back there."""

import bpy
import pytest

from artfish.blender_artfish.blender.declarations import USE_PREFIX
from artfish.blender_artfish.scene.reader import read, to_data
from artfish.blender_artfish.takes import numbers
from artfish.core import Scene
from artfish.core.farm.varying import variations


def allowed(number, scene):
    """Ends of a range, or choices, that the search may try at first."""
    if number.field["kind"] in ("choice", "flag"):
        return {"choices": [value for value, _ in number.choices().values()]}
    ends = [number.factor() * end for end in number.first_range(scene)]
    return {"range": [int(end) if number.field["kind"] == "integer" else end for end in ends]}


def at(scene: bpy.types.Scene, key: str):
    """A value of a scene as JSON has it."""
    found = to_data(scene)[0]
    for step in key.replace("]", "").replace("[", ".").split("."):
        found = found[int(step)] if step.isdigit() else found[step]
    return found


@pytest.mark.film
@pytest.mark.sampled
@pytest.mark.parametrize("preset", ["directed", *sorted({*Scene.names()} - {"directed", "diver"})])
def test_each_number_of_a_scene_is_where_it_is_said_to_be_and_goes_back_to_the_last_digit(scene, preset):
    """But for the diver's, whose moving limbs would be looked at anew for each: a minute."""
    bpy.ops.artfish.load_preset(preset=preset)
    reading = read(scene)
    objects = reading.objects
    some = [number for number in numbers.offered(scene) if number.keys(objects)]
    assert len({number.name for number in some}) == len(some) > 50
    for number in some:
        assert numbers.found(scene, number.owner, number.path) == number
        group, name = number.group(scene), number.field["name"]
        before = {each: getattr(group, each) for each in (name, USE_PREFIX + name) if hasattr(group, each)}
        keys = number.keys(objects)
        (variation,) = variations({keys[0]: allowed(number, scene)}, reading.scene)
        assert variation.searchable == (number.field["kind"] in ("number", "keyed"))
        value = variation.choices[-1] if variation.choices else variation.at(0.3712837)
        value = int(value) if variation.whole else value
        number.put(scene, value)
        assert [at(scene, key) for key in keys] == [value] * len(keys), keys
        for each, old in before.items():
            setattr(group, each, old)


def test_numbers_are_said_in_words_with_their_units(scene):
    some = {number.name: number for number in numbers.offered(scene)}
    said = lambda name: f"{some[name].whose()}, {some[name].words()}"  # noqa: E731
    assert said("Clownfish|shoal.pace") == "Clownfish, Pace (lengths/s)"
    assert said("Clownfish|mind.hunger") == "Clownfish, Hunger at first"
    assert said("Clownfish|habits.schooling") == "Clownfish, Company"
    assert said("|temperature.depth") == "Warmth, Depth (m)"
    assert some["Clownfish|habits.schooling"].shown(True) == "Yes"
    assert some["Clownfish|shoal.sex"].shown("female") == "Female"
    assert some["Clownfish|shoal.pace"].shown(1.23456) == "1.23"
    assert not any("_" in number.words() for number in some.values())


def test_single_fishes_have_numbers_of_their_own(scene):
    bpy.ops.artfish.member_add()
    bpy.context.object.artfish.members[0].index = 2
    number = next(one for one in numbers.offered(scene) if one.path == "members[0].mind.hunger")
    assert number.whose() == "Clownfish, fish 3"
    number.put(scene, 0.75)
    assert read(scene).scene.fishes[0].members[0].mind.hunger == 0.75
    assert number.keys(read(scene).objects) == ["fishes[0].members[0].mind.hunger"]


def test_a_spread_is_that_of_the_scene_whatever_the_scale_of_its_object(scene):
    obj = bpy.context.object
    obj.scale = (1.7, 1.7, 1.7)
    bpy.context.view_layer.update()
    number = next(one for one in numbers.offered(scene) if one.path == "shoal.spread")
    assert number.factor() == pytest.approx(1.7)
    number.put(scene, 0.654321)
    assert read(scene).scene.fishes[0].spread == 0.654321
    assert obj.artfish.shoal.spread == pytest.approx(0.654321 / 1.7)
    assert number.shown(0.654321) == "0.385"


def test_what_has_keys_or_is_driven_is_not_offered(scene):
    mind = bpy.context.object.artfish
    mind.shoal.keyframe_insert("pace")
    scene.artfish.light.driver_add("brightness")
    names = {number.name for number in numbers.offered(scene)}
    assert not names & {"Clownfish|shoal.pace", "|light.brightness"} and "Clownfish|shoal.size" in names


def test_only_what_is_in_use_is_offered(scene):
    settings = scene.artfish
    of = lambda: {number.path.partition(".")[0] for number in numbers.offered(scene) if number.owner is None}  # noqa: E731
    assert of() == {"water", "light", "temperature"}
    settings.hills = settings.sea.on = settings.generations.on = settings.still_water = True
    assert of() == set(numbers.SCENE_GROUPS)
    assert "|water.fluid_viscosity" not in {number.name for number in numbers.offered(scene)}


def test_a_direction_that_leads_every_shoal_has_a_place_for_each(scene):
    bpy.ops.artfish.add_shoal(species="grouper", count=1)
    bpy.ops.artfish.add_direction(kind="arrival")
    bpy.context.object.artfish.direction.fishes = None
    objects = read(scene).objects
    number = next(one for one in numbers.offered(scene) if one.path == "arrival.time")
    assert number.keys(objects) == ["direction[0].time", "direction[1].time"]
    number.put(scene, 3.5)
    assert [one.time for one in read(scene).scene.direction] == [3.5, 3.5]


def test_what_is_gone_is_found_no_more(scene):
    obj = bpy.context.object
    assert numbers.found(scene, obj, "shoal.pace") is not None
    assert numbers.found(scene, None, "shoal.pace") is None
    for collection in tuple(obj.users_collection):
        collection.objects.unlink(obj)
    assert numbers.found(scene, obj, "shoal.pace") is None
