"""The JSON that declared dataclasses take and give back."""

import json
import math
from copy import copy
from dataclasses import dataclass, field, fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from artfish.core.base.codec import (
    OPTIONAL,
    REQUIRED,
    Height,
    ListItem,
    Place,
    SceneError,
    Spot,
    allowed,
    decode,
    encode,
    layout,
    parse,
    shown,
)
from artfish.core.base.declaration import choice, colour, flag, integer, number, text, vector


@dataclass(frozen=True)
class Fin:
    rays: int = integer(9, 1, 40, "", "Rays")
    tint: tuple = colour((0.5, 0.5, 0.5), "Colour")


@dataclass(frozen=True)
class Round:
    kind: str = choice(REQUIRED, ("round", "oval"), "Shape")
    radius: float = number(1.0, 0.0, 5.0, "m", "Radius")


@dataclass(frozen=True)
class Square:
    kind: str = choice(REQUIRED, ("square",), "Shape")
    side: float = number(1.0, 0.0, 5.0, "m", "Side")


@dataclass(frozen=True)
class Thing:
    name: str = text("thing", "Name")
    wet: bool = flag(True, "Whether it is wet")
    weight: float = number(1.0, -1e3, 1e3, "kg", "Weight")
    outline: tuple = vector(((0.0, 0.0), (1.0, 0.0)), -9.0, 9.0, "m", "Outline", shape=(None, 2))
    aim: tuple | None = vector(OPTIONAL, -1.0, 1.0, "", "Aim", shape=(3,))
    fin: Fin = field(default_factory=Fin)
    spare: Fin | None = None
    shapes: tuple[Round | Square, ...] = ()
    low: float = number(0.0, 0.0, 10.0, "", "Low end")
    high: float = number(10.0, 0.0, 10.0, "", "High end")

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise SceneError(f"{self.low:g}", f"up to high, {self.high:g}", "low")


def numbers(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high, allow_nan=False)


FINS = st.builds(Fin, rays=st.integers(1, 40), tint=st.tuples(*[numbers(0, 1)] * 3))
SHAPES = st.builds(Round, kind=st.sampled_from(["round", "oval"]), radius=numbers(0, 5)) | st.builds(
    Square, kind=st.just("square"), side=numbers(0, 5)
)
THINGS = st.builds(
    Thing,
    name=st.text(),
    wet=st.booleans(),
    weight=numbers(-1e3, 1e3),
    outline=st.lists(st.tuples(numbers(-9, 9), numbers(-9, 9)), max_size=5).map(tuple),
    aim=st.none() | st.tuples(*[numbers(-1, 1)] * 3),
    fin=FINS,
    spare=st.none() | FINS,
    shapes=st.lists(SHAPES, max_size=3).map(tuple),
    low=numbers(0, 5),
    high=numbers(5, 10),
)


def refusal(data: object) -> str:
    with pytest.raises(SceneError) as refused:
        decode(Thing, data, Place("x.json"))
    assert len(str(refused.value).splitlines()) == 1
    return str(refused.value)


@pytest.mark.film
@given(THINGS)
def test_whatever_is_written_reads_back_equal(thing):
    assert decode(Thing, parse(layout(encode(thing)), "x"), Place("x")) == thing
    assert json.loads(layout(encode(thing))) == encode(thing)


@given(st.floats(-1e3, 1e3))
def test_a_float_keeps_every_bit(weight):
    read = decode(Thing, parse(layout(encode(Thing(weight=weight))), "x"), Place("x")).weight
    assert math.copysign(1, read) == math.copysign(1, weight) and read == weight


def test_what_is_left_out_takes_its_default():
    assert decode(Thing, {}, Place("x")) == Thing()


def test_what_is_made_already_is_taken_as_it_is():
    fin, round_ = Fin(rays=3), Round("oval", 2.0)
    thing = decode(Thing, {"fin": fin, "shapes": [round_, {"kind": "square"}]}, Place("x"))
    assert thing.fin is fin and thing.shapes[0] is round_ and thing.shapes[1] == Square("square")


@pytest.mark.parametrize("number", [True, "1", math.nan, math.inf, 10**400, 9.5, None, (1.0,)])
def test_one_number_that_is_none_is_found_among_many(number):
    rows = [[0, 1.5]] * 50 + [[2, number]] + [[0, 1.5]] * 50
    with pytest.raises(SceneError, match=r"x\.json: outline\[50\]\[1\]: found .*, allowed a number from -9 to 9 m"):
        decode(Thing, {"outline": rows}, Place("x.json"))


def test_arrays_and_tuples_stand_for_lists():
    thing = decode(Thing, {"aim": np.array([0, 1, 0]), "weight": np.float32(2), "outline": ((1, 2),)}, Place("x"))
    assert thing == replace(Thing(), aim=(0.0, 1.0, 0.0), weight=2.0, outline=((1.0, 2.0),))
    assert type(thing.aim[0]) is float


@pytest.mark.parametrize(
    ("data", "line"),
    [
        ([], "x.json: found [], allowed an object of keys and values"),
        ({"wieght": 1}, "x.json: wieght: found an unknown key, allowed name, wet, weight,"),
        ({"weight": "1"}, "x.json: weight: found '1', allowed a number from -1000 to 1000 kg"),
        ({"weight": True}, "x.json: weight: found true, allowed a number"),
        ({"weight": None}, "x.json: weight: found null, allowed a number"),
        ({"weight": math.nan}, "x.json: weight: found NaN, allowed a number"),
        ({"weight": -math.inf}, "x.json: weight: found -Infinity, allowed a number"),
        ({"weight": 10**400}, "x.json: weight: found a whole number of more than 40 digits, allowed a number"),
        ({"wet": 1}, "x.json: wet: found 1, allowed true or false"),
        ({"name": ["a"]}, "x.json: name: found ['a'], allowed a text"),
        ({"aim": [0, 1]}, "x.json: aim: found [0, 1], allowed a list of 3 numbers from -1 to 1"),
        ({"aim": None}, "x.json: aim: found null, allowed a list of 3 numbers"),
        ({"aim": [0, 2, 0]}, "x.json: aim[1]: found 2, allowed a number from -1 to 1"),
        ({"outline": [[0, 0], [1]]}, "x.json: outline[1]: found [1], allowed a list of 2 numbers from -9 to 9 m"),
        ({"outline": 4}, "x.json: outline: found 4, allowed a list of any number of x 2 numbers"),
        ({"fin": {"rays": 2.0}}, "x.json: fin.rays: found 2.0, allowed a whole number from 1 to 40"),
        ({"fin": {"rays": 0}}, "x.json: fin.rays: found 0, allowed a whole number from 1 to 40"),
        ({"fin": {"tint": [0, 0, 1.5]}}, "x.json: fin.tint[2]: found 1.5, allowed a number from 0 to 1"),
        ({"fin": 3}, "x.json: fin: found 3, allowed an object of keys and values"),
        ({"spare": {"rays": -1}}, "x.json: spare.rays: found -1, allowed"),
        ({"shapes": {}}, "x.json: shapes: found an object of keys and values, allowed a list of objects"),
        ({"shapes": [{}]}, "x.json: shapes[0].kind: found nothing, allowed one of round, oval, square"),
        ({"shapes": [{"kind": "flat"}]}, "x.json: shapes[0].kind: found 'flat', allowed one of round, oval, square"),
        (
            {"shapes": [{"kind": "square", "radius": 1}]},
            "x.json: shapes[0].radius: found an unknown key, allowed kind,",
        ),
        ({"low": 8, "high": 7}, "x.json: low: found 8, allowed up to high, 7"),
        ({"nam\ne": 8}, "x.json: nam\\ne: found an unknown key"),
        ({3: 8}, "x.json: 3: found an unknown key"),
    ],
)
def test_a_refusal_names_file_key_found_and_allowed(data, line):
    assert refusal(data).startswith(line)


def test_a_slip_of_the_pen_is_recognised():
    assert refusal({"wieght": 1}).endswith("(did you mean weight?)")


def test_a_check_across_fields_names_the_section_it_stands_in():
    @dataclass(frozen=True)
    class Outer:
        inner: Thing = field(default_factory=Thing)

    Outer.__annotations__["inner"] = Thing
    with pytest.raises(SceneError, match=r"^x\.json: inner\.low: found 8, allowed"):
        decode(Outer, {"inner": {"low": 8, "high": 7}}, Place("x.json"))


@pytest.mark.parametrize(
    ("text_", "line"),
    [
        ('{"a": 1, "a": 2}', "x.json: a: found the key twice, allowed each key once"),
        ('{"a": [0, {"b": {"c": 1, "d": 2, "c": 1}}]}', "x.json: a[1].b.c: found the key twice"),
        ("[1, 2]", "x.json: found [1, 2], allowed an object of keys and values"),
        ('{"a": 1', "x.json: line 1, column 8: found no JSON"),
        ("", "x.json: line 1, column 1: found no JSON"),
        ("[" * 100_000, "x.json: found lists or objects nested too deeply"),
        ('{"a": ' * 5_000 + "1" + "}" * 5_000, "x.json: found lists or objects nested too deeply"),
        (f'{{"a": {"9" * 5000}}}', "x.json: found a number of too many digits"),
    ],
)
def test_what_is_no_json_object_is_refused(text_, line):
    with pytest.raises(SceneError) as refused:
        parse(text_, "x.json")
    assert str(refused.value).startswith(line)


PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
KEYS = st.text() | st.sampled_from([field.name for field in fields(Thing)])


@pytest.mark.film
@given(st.recursive(PLAIN, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner)))
def test_any_json_text_is_read_or_refused_in_one_line(data):
    try:
        decode(Thing, parse(json.dumps(data), "x.json"), Place("x.json"))
    except SceneError as error:
        assert len(str(error).splitlines()) == 1


@given(st.text())
def test_a_message_is_always_one_printable_line(message):
    assert str(SceneError(message, message, message, message.replace("\0", ""))).isprintable()


def test_a_message_is_made_of_what_the_error_says():
    found = Spot((1, 2, 0)), " inside ", ListItem("rocks", 3)
    error = SceneError(found, ("z of ", Height(0.5), " m or more"), "at").within(Place("x.json", "fishes[2]"))
    assert (error.file, error.key, error.found) == ("x.json", "fishes[2].at", found)
    assert str(error) == "x.json: fishes[2].at: found [1, 2, 0] inside rocks[3], allowed z of 0.5 m or more"
    assert str(SceneError("none", "one")) == "found none, allowed one"
    assert str(copy(error)) == str(error)


def test_a_long_value_is_shown_short():
    assert len(shown("x" * 1000)) < 70
    assert shown([[1, 2]] * 9) == "a list of 9"
    assert shown(object()) == "a value of type object"


def test_open_ranges_are_said_in_words():
    def words(low: float, high: float, unit: str = "") -> str:
        return allowed(number(1.0, low, high, unit, "").metadata["declared"])

    assert words(-math.inf, math.inf) == "a number"
    assert words(-math.inf, math.inf, "m") == "a number in m"
    assert words(0, math.inf, "m") == "a number of 0 m or more"
    assert words(-math.inf, 4) == "a number up to 4"
    assert words(1, 100_000) == "a number from 1 to 100000"
