"""Written relations as numbers on two axes: the most particular has its way."""

from __future__ import annotations

import numpy as np

from artfish.core import Scene
from artfish.core.behavior.ties import AFFECTION, ALARM, Ties, prevailing

FISHES = [{"species": "sardine", "count": 3, "at": [2, 2, 1]}, {"species": "blue_tang", "count": 2, "at": [6, 4, 1]}]
EVERYONE = np.arange(5)


def ties(*relations: dict, grudges: bool = False) -> Ties | None:
    return Ties.of(Scene.from_dict({"fishes": FISHES, "relations": list(relations), "grudges": grudges}))


def table(of: Ties, axis: int) -> list[list[float]]:
    return of.regard(axis, EVERYONE, np.tile(EVERYONE, (5, 1))).tolist()


def test_there_are_none_in_a_scene_without():
    assert ties() is None
    assert ties(grudges=True).kinds == set()


def test_fear_and_liking_are_above_nothing_and_trust_and_dislike_below():
    found = ties(
        {"fishes": 0, "kind": "fear", "toward": 1, "strength": 0.5},
        {"fishes": 1, "kind": "dislike", "toward": 0, "member": 0, "strength": 0.25},
    )
    assert table(found, ALARM) == [[0, 0, 0, 0.5, 0.5]] * 3 + [[0] * 5] * 2
    assert table(found, AFFECTION) == [[0] * 5] * 3 + [[-0.25] * 3 + [0, 0], [0] * 5]


def test_the_more_particular_wins_in_whatever_order_they_are_written():
    general = {"fishes": 0, "kind": "fear", "toward": 1, "strength": 0.5}
    single = {"fishes": 0, "member": 1, "kind": "trust", "toward": 1, "strength": 0.75}
    pair = {"fishes": 0, "member": 1, "kind": "fear", "toward": 1, "toward_member": 0, "strength": 1.0}
    for order in ((general, single, pair), (pair, general, single)):
        found = table(ties(*order), ALARM)
        assert found[0][3:] == [0.5, 0.5] and found[1][3:] == [1.0, -0.75] and found[2][3:] == [0.5, 0.5]


def test_nobody_has_a_relation_to_itself():
    found = np.array(table(ties({"fishes": 0, "kind": "like", "toward": 0, "strength": 1.0}), AFFECTION))
    assert (found[:3, :3] == 1.0 - np.eye(3)).all()


def test_candidates_are_the_nearest_of_those_that_are_written():
    found = ties({"fishes": 0, "kind": "fear", "toward": 1, "strength": 0.5})
    asked = []

    def near(fishes, among):
        asked.append((fishes.tolist(), among.tolist()))
        return np.repeat(among[None], len(fishes), axis=0)

    assert found.candidates("fear", np.array([1, 4]), near).tolist() == [[3, 4], [4, 4]]
    assert asked == [([1], [3, 4])]
    assert found.candidates("like", np.array([1, 4]), near).shape == (2, 0)
    assert found.who("fear").tolist() == [True] * 3 + [False] * 2 and not found.who("trust").any()


def test_what_comes_by_itself_gives_way_to_the_contrary_that_is_written():
    written, grown = np.array([0.0, 0.6, 0.6, -0.6]), np.array([0.5, 0.5, 0.7, 0.9])
    assert prevailing(written, grown).tolist() == [0.5, 0.6, 0.7, -0.6]
