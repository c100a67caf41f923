"""Property groups follow their declarations: JSON goes in and comes out, within its ranges, as short as it was."""

import json

import bpy
import pytest

from artfish.blender_artfish.blender import declarations


@pytest.fixture
def filled():
    """Fills a group of a declared dataclass with JSON, and returns the JSON that comes out."""
    registered = []

    def fill(of, data, **which):
        cls = declarations.group(f"ArtfishTest{of}", of, "A group of a test.", **which)
        bpy.utils.register_class(cls)
        registered.append(cls)
        bpy.types.Scene.artfish_test = bpy.props.PointerProperty(type=cls)
        group = bpy.context.scene.artfish_test
        declarations.fill(group, data)
        return declarations.json_of(group)

    for row in declarations.CLASSES:
        bpy.utils.register_class(row)
    yield fill
    del bpy.types.Scene.artfish_test
    for cls in (*registered, *declarations.CLASSES):
        bpy.utils.unregister_class(cls)


def defaults(of):
    """The JSON of an object of which nothing is set: the declared defaults."""
    return {
        field["name"]: field["default"]
        for field in declarations.DECLARATIONS[of]
        if not field["optional"] and field["default"] is not None
    }


def test_what_is_left_out_goes_back_to_its_default_and_optional_numbers_are_left_out_again(filled):
    assert filled("DrivesChange", {}) == {}
    assert filled("Temperature", {}) == pytest.approx(defaults("Temperature"))


def test_numbers_come_out_as_short_as_they_went_in(filled):
    assert json.dumps(filled("DrivesChange", {"hunger": 0.1, "p0": 0.3})) == '{"p0": 0.3, "hunger": 0.1}'


def test_a_number_stays_in_its_range_in_spite_of_single_precision(filled):
    field = next(f for f in declarations.DECLARATIONS["DrivesChange"] if f["name"] == "hunger")
    assert filled("DrivesChange", {"hunger": field["high"]}) == {"hunger": field["high"]}


def test_the_name_that_blender_gives_every_group_is_no_field_of_one_that_has_none(filled):
    assert filled("Cylinder", {"deflection": 0.5}, only=("deflection",)) == {"deflection": 0.5}
