"""Declarations: the field that each makes, and what it says of what may be set."""

from dataclasses import dataclass, fields

import pytest

from artfish.core.base.declaration import choice, colour, flag, integer, number, text, vector, words


@dataclass(frozen=True)
class Lamp:
    power: float = number(5.0, 0.0, 60.0, "W", "How bright")
    count: int = integer(2, 1, 9, "", "How many")
    at: tuple = vector(((0.0, 1.0), (2.0, 3.0)), -1.0, 9.0, "m", "Where")
    path: tuple = vector((), -1.0, 9.0, "m", "Where it goes", shape=(None, 3))
    tint: tuple = colour((1.0, 0.5, 0.0), "Which colour")
    kind: str = choice("bulb", ("bulb", "tube"), "Which kind")
    name: str = text("", "What it is called")
    tags: tuple = words((), "What it is filed under")
    lit: bool = flag(True, "Whether it is lit")


DECLARED = {field.name: field.metadata["declared"] for field in fields(Lamp)}


def test_defaults_are_those_of_a_plain_dataclass():
    assert Lamp().power == 5.0 and Lamp().kind == "bulb" and Lamp(power=7.0).power == 7.0


@pytest.mark.parametrize(
    ("name", "kind"),
    list(
        zip(
            DECLARED,
            ("number", "integer", "vector", "vector", "colour", "choice", "text", "words", "flag"),
            strict=True,
        )
    ),
)
def test_each_says_of_which_kind_it_is_and_what_for(name, kind):
    assert DECLARED[name].kind == kind and DECLARED[name].help


def test_ranges_units_choices_and_shapes_are_said():
    assert (DECLARED["power"].low, DECLARED["power"].high, DECLARED["power"].unit) == (0.0, 60.0, "W")
    assert DECLARED["kind"].choices == ("bulb", "tube")
    assert DECLARED["at"].shape == (2, 2), "that of the default, where none is given"
    assert DECLARED["path"].shape == (None, 3)
    assert (DECLARED["tint"].shape, DECLARED["tint"].low, DECLARED["tint"].high) == ((3,), 0.0, 1.0)
