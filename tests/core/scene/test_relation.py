"""Relations are checked as they are written, and read back as they were."""

from __future__ import annotations

import pytest

from artfish.core import Scene, SceneError
from artfish.core.scene.relation import RELATION_KINDS, particularity

FISHES = [
    {"species": "sardine", "count": 3, "at": [2, 2, 1]},
    {"species": "tuna", "at": [6, 2, 1]},
    {"species": "blue_tang", "count": 2, "at": [6, 4, 1]},
]


def scene(*relations: dict, **more) -> Scene:
    return Scene.from_dict({"fishes": FISHES, "relations": list(relations), **more})


@pytest.mark.parametrize("kind", RELATION_KINDS)
@pytest.mark.parametrize("whom", [{}, {"toward_member": 1}, {"member": 2}, {"member": 2, "toward_member": 1}])
def test_a_relation_is_read_back_as_it_was(kind, whom):
    made = scene({"fishes": 0, "kind": kind, "toward": 2, "strength": 0.3, **whom})
    again = Scene.from_dict(made.to_dict())
    assert again == made and again.relations[0].kind == kind and again.relations[0].strength == 0.3
    assert particularity(again.relations[0]) == len(whom)


def test_a_scene_has_none_and_no_grudges_unless_it_says_so():
    made = Scene.from_dict({"fishes": FISHES})
    assert made.relations == () and not made.grudges
    assert Scene.from_dict(scene(grudges=True).to_dict()).grudges


@pytest.mark.parametrize(
    ("entry", "key", "found"),
    [
        ({"kind": "love"}, "kind", "'love'"),
        ({"fishes": 3}, "fishes", "3"),
        ({"member": 3}, "member", "3"),
        ({"toward": 3}, "toward", "3"),
        ({"toward_member": 2}, "toward_member", "2"),
        ({"strength": 1.5}, "strength", "1.5"),
        ({"member": 1, "toward": 0, "toward_member": 1}, "toward", "the fish itself"),
        ({"fishes": 1, "toward": 1}, "toward", "the fish itself"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(entry, key, found):
    with pytest.raises(SceneError) as error:
        scene({"fishes": 0, "kind": "fear", "toward": 2, **entry})
    assert error.value.key == f"relations[0].{key}" and str(error.value.found) == found
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("first", "second", "refused"),
    [
        ({"kind": "fear"}, {"kind": "trust"}, True),
        ({"kind": "like"}, {"kind": "dislike"}, True),
        ({"kind": "like"}, {"kind": "like"}, True),
        ({"kind": "fear"}, {"kind": "like"}, False),
        ({"kind": "fear"}, {"kind": "trust", "member": 1}, False),
        ({"kind": "fear", "toward_member": 1}, {"kind": "trust"}, False),
        ({"kind": "fear", "member": 1}, {"kind": "trust", "toward_member": 1}, True),
        ({"kind": "fear", "member": 1}, {"kind": "trust", "member": 2}, False),
        ({"kind": "fear"}, {"kind": "trust", "toward": 1}, False),
        ({"kind": "fear", "fishes": 2, "toward": 0}, {"kind": "trust"}, False),
    ],
)
def test_relations_that_contradict_are_refused_unless_one_is_more_particular(first, second, refused):
    both = [{"fishes": 0, "toward": 2, **entry} for entry in (first, second)]
    if not refused:
        assert len(scene(*both).relations) == 2
        return
    with pytest.raises(SceneError) as error:
        scene(*both)
    line = str(error.value)
    assert error.value.key == "relations[1].kind" and f"where relations[0] says {first['kind']}" in line


def test_a_group_may_be_related_to_its_own():
    assert scene({"fishes": 0, "kind": "like", "toward": 0}).relations[0].toward == 0
