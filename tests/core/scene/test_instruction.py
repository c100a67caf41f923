"""Instructions are checked as they are written, and read back as they were."""

from __future__ import annotations

import pytest

from artfish.core import Scene, SceneError
from artfish.core.scene.instruction import Hide, Otherwise, Threatened, Visit, called, stem

WATER = {
    "fishes": [{"species": "sardine", "count": 3, "at": [2, 2, 1]}, {"species": "tuna", "at": [6, 2, 1]}],
    "obstacles": [
        {"kind": "cylinder", "name": "shelter 1", "at": [1, 1, 0]},
        {"kind": "cylinder", "name": "shelter.002", "at": [4, 1, 0]},
        {"kind": "cylinder", "at": [7, 4, 0]},
    ],
    "marks": [{"name": "home", "at": [3, 3, 1]}],
}
ACTS = [
    {"do": "hide"},
    {"do": "hide", "among": ["shelter 1"]},
    {"do": "visit", "among": "shelter", "order": "listed", "stay": 0.5},
    {"do": "wait"},
    {"do": "wait", "place": "home"},
    {"do": "follow", "whom": 1, "radius": 1.0},
    {"do": "lead", "whom": 0, "whom_member": 2, "place": "home"},
    {"do": "guard", "place": "home"},
    {"do": "guard", "whom": 1},
    {"do": "swap_sides", "whom": 1},
    {"do": "enter", "place": "home"},
    {"do": "leave", "place": "shelter", "distance": 1.0},
    {"do": "go_to", "place": "home", "pace": 1.5},
]
CONDITIONS = [
    "threatened",
    {"kind": "threatened", "fear": 0.2, "seconds": 3},
    {"kind": "seen_by", "whom": 1},
    {"kind": "sees", "whom": 1, "whom_member": 0},
    "hungry",
    "caught",
    {"kind": "caught", "whom": 0},
    {"kind": "at", "place": "home"},
    {"kind": "after", "time": 3},
    {"kind": "while_at", "whom": 1, "place": "shelter"},
    "else",
]


def scene(*instructions: dict) -> Scene:
    return Scene.from_dict({**WATER, "instructions": [{"fishes": 0, **entry} for entry in instructions]})


@pytest.mark.parametrize("when", CONDITIONS)
def test_a_condition_is_read_back_as_it_was(when):
    made = scene({"when": when, "do": "hide"})
    assert Scene.from_dict(made.to_dict()) == made and made.instructions[0].when is not None


@pytest.mark.parametrize("act", ACTS)
def test_an_act_is_read_back_as_it_was(act):
    made = scene(act)
    assert Scene.from_dict(made.to_dict()) == made and made.instructions[0].when is None


def test_a_word_stands_for_a_condition_and_a_name_for_a_list():
    first, second = scene(
        {"when": "threatened", "do": "hide"}, {"when": "else", "do": "visit", "among": "home"}
    ).instructions
    assert isinstance(first, Hide) and first.when == Threatened(kind="threatened")
    assert isinstance(second, Visit) and second.when == Otherwise(kind="else") and second.among == ("home",)


@pytest.mark.parametrize(
    ("entry", "key", "found"),
    [
        ({"do": "hid"}, "do", "'hid'"),
        ({"do": "hide", "when": "afraid"}, "when", "'afraid'"),
        ({"do": "hide", "when": {"kind": "afraid"}}, "when.kind", "'afraid'"),
        ({"do": "hide", "when": "sees"}, "when.whom", "nothing"),
        ({"do": "hide", "when": {"kind": "sees", "whom": 2}}, "when.whom", "2"),
        ({"do": "hide", "when": {"kind": "at", "place": "reef"}}, "when.place", "'reef'"),
        ({"do": "hide", "among": "home"}, "among[0]", "'home'"),
        ({"do": "visit", "among": []}, "among", "no names"),
        ({"do": "visit"}, "among", "nothing"),
        ({"do": "guard"}, "place", "neither place nor whom"),
        ({"do": "guard", "place": "home", "whom": 1}, "place", "both"),
        ({"do": "follow", "whom": 1, "whom_member": 1}, "whom_member", "1"),
        ({"do": "hide", "member": 3}, "member", "3"),
        ({"do": "hide", "fishes": 2}, "fishes", "2"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(entry, key, found):
    with pytest.raises(SceneError) as error:
        scene(entry)
    assert error.value.key == f"instructions[0].{key}" and error.value.found == found


def test_a_mark_lies_in_the_water():
    with pytest.raises(SceneError) as error:
        Scene.from_dict({**WATER, "marks": [{"name": "far", "at": [99, 1, 1]}]})
    assert error.value.key == "marks[0].at"


def test_a_name_stands_for_all_that_are_called_so_but_for_a_number():
    names = ["rock 1", "rock.002", None, "rocky", "rock", "7"]
    assert called("rock", names) == [0, 1, 4]
    assert called("rock 1", names) == [0]
    assert stem("7") == "7"
