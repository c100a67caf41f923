"""A school parts by shares, the nearest go, nobody is lost, and nobody changes who need not."""

from __future__ import annotations

import numpy as np

from artfish.core.behavior.parties import part

PLACES = np.arange(10.0)
SHAPES = np.array((0.0, 9.0, 4.0))
EVERYONE = np.ones(10, dtype=bool)


def gap(row: int, fishes: np.ndarray) -> np.ndarray:
    return np.abs(PLACES[fishes] - SHAPES[row])


def parties(along: np.ndarray) -> list[list[int]]:
    return [np.flatnonzero(~np.isnan(row)).tolist() for row in along]


def test_each_shape_has_its_share_and_the_nearest_go_to_it():
    along = np.full((2, 10), np.nan)
    part((1.0, 1.0), along, EVERYONE, gap)
    assert parties(along) == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]
    part((0.7, 0.3), along, EVERYONE, gap)
    assert parties(along) == [[0, 1, 2, 3, 4, 5, 6], [7, 8, 9]]


def test_nobody_changes_who_need_not_and_nobody_is_lost():
    along = np.full((3, 10), np.nan)
    part((1.0, 0.0, 0.0), along, EVERYONE, gap)
    along[0] = np.arange(10.0)  # metres along a stream
    part((0.5, 0.2, 0.3), along, EVERYONE, gap)
    assert parties(along)[1] == [8, 9] and len(parties(along)[2]) == 3
    stayed = parties(along)[0]
    assert len(stayed) == 5 and along[0, stayed].tolist() == stayed
    part((0.0, 0.0, 1.0), along, EVERYONE, gap)
    assert parties(along) == [[], [], list(range(10))]


def test_who_is_gone_belongs_to_none_and_without_shares_nobody_does():
    along = np.full((2, 10), np.nan)
    part((1.0, 1.0), along, PLACES > 5.0, gap)
    assert parties(along) == [[6, 7], [8, 9]]
    part((0.0, 0.0), along, EVERYONE, gap)
    assert parties(along) == [[], []]
