"""Species: data in presets, checked, and read back as written."""

import dataclasses
import json
import re
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from artfish.core import SceneError, Species
from artfish.core.base.files import PRESETS


def test_the_presets_are_listed_by_their_stems():
    names = Species.names()
    assert list(names) == sorted(names)
    assert "thesis" in names and len(names) >= 9


@pytest.mark.parametrize("name", Species.names())
def test_a_preset_reads_back_as_written(name, tmp_path):
    species = Species.load(name)
    assert species.name == name
    assert Species.from_dict(species.to_dict()) == species
    species.save(tmp_path / f"{name}.json")
    assert Species.load(tmp_path / f"{name}.json") == species


def numbers(data):
    """The count of numbers that JSON holds."""
    if isinstance(data, dict | list):
        return sum(map(numbers, data.values() if isinstance(data, dict) else data))
    return isinstance(data, int | float) and not isinstance(data, bool)


@pytest.mark.parametrize("name", [name for name in Species.names() if name != "thesis"])
def test_a_preset_says_its_character_and_little_else(name):
    assert numbers(json.loads((PRESETS / "species" / f"{name}.json").read_text())) < 120


@pytest.mark.parametrize("name", [name for name in Species.names() if name != "thesis"])
def test_a_preset_is_the_fish_that_it_was_before_it_had_a_character(name):
    """To the bit, in every number: the case holds all that its file said then, some three hundred of them."""
    before = json.loads((Path(__file__).parent / "cases" / "presets_without_traits.json").read_text())[name]
    assert numbers(before) > 250
    assert dataclasses.replace(Species.load(name), traits=None) == Species.from_dict(before)


def test_what_a_file_leaves_out_takes_its_default(tmp_path):
    (tmp_path / "plain.json").write_text('{"name": "plain", "body": {"viscosity": 0.2}}')
    species = Species.load(tmp_path / "plain.json")
    usual = Species()
    assert species == dataclasses.replace(usual, name="plain", body=dataclasses.replace(usual.body, viscosity=0.2))


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ({"name": "other"}, "name: found 'other', allowed the stem of the file, odd"),
        ({}, "name: found 'fish', allowed the stem of the file, odd"),
        ({"name": "odd", "wings": 2}, "wings: found an unknown key, allowed name, "),
        ({"name": "odd", "length": -1}, "length: found -1, allowed a number from "),
        ({"name": "odd", "body": {"stations": [0.1, 0.2]}}, "body.stations: found [0.1, 0.2], allowed a list of 5 "),
        ({"name": "odd", "model": "../odd"}, "model: found '../odd', allowed the stem of a .blend beside"),
        ({"name": "odd", "kind": "bird"}, "kind: found 'bird', allowed one of thesis, reef, large"),
    ],
)
def test_a_refusal_names_file_key_found_and_allowed(data, found, tmp_path):
    path = tmp_path / "odd.json"
    path.write_text(json.dumps(data))
    with pytest.raises(SceneError) as refused:
        Species.load(path)
    assert str(refused.value).startswith(f"{path}: {found}")


def test_an_unknown_species_is_told_the_known_ones():
    with pytest.raises(SceneError, match="clwonfish: found no such file, allowed a JSON file or a preset: .*clownfish"):
        Species.load("clwonfish")


def test_a_species_is_saved_under_its_own_name_only(tmp_path):
    with pytest.raises(SceneError, match="name: found 'thesis', allowed the stem of the file, tuna"):
        Species.load("thesis").save(tmp_path / "tuna.json")
    assert not list(tmp_path.iterdir())


def test_every_number_of_a_species_is_declared_with_a_line_of_help():
    def undeclared(cls):
        hints = get_type_hints(cls)
        for field in dataclasses.fields(cls):
            sections = [
                one for one in (hints[field.name], *get_args(hints[field.name])) if dataclasses.is_dataclass(one)
            ]
            if sections:
                for section in sections:
                    yield from undeclared(section)
            elif not getattr(field.metadata.get("declared"), "help", ""):
                yield f"{cls.__name__}.{field.name}"

    assert list(undeclared(Species)) == []


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (
            {"pectoral": {"lever": [0, 0, 0]}},
            "pectoral.lever: found [0.0, 0.0, 0.0], 0 in all, allowed shares that make",
        ),
        (
            {"pectoral": {"lever": [1, 1, 1]}},
            "pectoral.lever: found [1.0, 1.0, 1.0], 3 in all, allowed shares that make",
        ),
        (
            {"body": {"stations": [0.2, 0.2, 0.4, 0.6, 0.8]}},
            "body.stations: found .* allowed places that rise by 0.08 len",
        ),
        (
            {"body": {"stations": [0.2, 0.5, 0.4, 0.6, 0.8]}},
            "body.stations: found .* allowed places that rise by 0.08 len",
        ),
        (
            {"body": {"half_widths": [0.1, 0.1, 0.1, 0.1, 0.011]}},
            "body.half_widths: found 0.011 at ring 5, allowed 0.0112 ",
        ),
        (
            {"body": {"reaction": 3.0, "fluid_viscosity": 7.0}},
            "body.reaction: found 3.0, allowed up to 1.53 at this tail",
        ),
        (
            {"body": {"unit_mass": 0.5, "fluid_viscosity": 7.0}},
            "body.fluid_viscosity: found 7.0, allowed up to 5 at this ",
        ),
        ({"body": {"half_heights": [0.3] * 5}}, "body.half_widths: found 0.055 at ring 1, allowed .* at a half height"),
        ({"time_scale": 0.2}, "rhythm.tail_beat: found 2.5, allowed 0.1 to 0.65 at a time scale of 0.2"),
        ({"time_scale": 0.005, "rhythm": {"tail_beat": 0.5}}, "rhythm.tail_beat: found 0.5, allowed 4 to 26 at a time"),
    ],
)
def test_numbers_that_do_not_go_together_are_refused(data, found):
    with pytest.raises(SceneError) as refused:
        Species.from_dict({"name": "odd", **data})
    assert re.match(f"species: {found.replace('[', '.').replace(']', '.')}", str(refused.value))


def test_what_is_bred_from_a_species_is_no_real_fish_and_nothing_else_differs():
    before = dataclasses.replace(Species.load("clownfish"), fitted="tank.csv", model="clownfish.blend")
    bred = before.as_bred("red_gale")
    own = {"name": "red_gale", "common_name": "Red gale", "latin_name": "", "model": "", "fitted": ""}
    assert {key: getattr(bred, key) for key in own} == own
    assert dataclasses.replace(bred, **{key: getattr(before, key) for key in own}) == before
