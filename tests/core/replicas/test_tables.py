"""Segments of several species and of their mirror images, looked up by pace and turn."""

import dataclasses

import numpy as np

from artfish.core.replicas.repertoire import POSES
from artfish.core.replicas.tables import LEFT_SIDE, RETREAT, RIGHT_SIDE, SegmentTables


def test_a_turn_to_the_right_is_the_mirror_image_of_one_to_the_left(made_up):
    tables = SegmentTables([made_up])
    assert tables.turns.tolist() == [-1.0, 0.0, 1.0] and tables.paces.tolist() == [0.0, 1.0]
    right, straight, left = tables.grid[0, 1]
    assert tables.motion[left, 2] == 1.0 == -tables.motion[right, 2] and tables.motion[straight, 2] == 0.0
    assert np.allclose(tables.motion[left, 1], -tables.motion[right, 1])
    assert np.allclose(
        tables.poses[left, :, 0], np.roll(tables.poses[right, :, 0, :], -POSES // 2, axis=0)[:, MIRRORED]
    )


MIRRORED = [0, *(ring * 4 + side for ring in range(5) for side in (2, 1, 4, 3)), 21, 22, 23]


def test_each_species_has_rows_of_its_own(made_up):
    other = dataclasses.replace(made_up, velocity=2.0 * made_up.velocity)
    tables = SegmentTables([made_up, other])
    ahead = tables.motion[tables.grid[:, 1, 1], 0]
    assert ahead.tolist() == [1.0, 2.0] and len(tables.poses) == 12


def test_what_was_not_captured_is_the_nearest_that_was(made_up):
    """The made up fish neither turns on the spot nor backs up."""
    tables = SegmentTables([made_up])
    assert tables.grid[0, 0, 2] in tables.grid[0, :, [1, 2]]
    assert tables.gaits[0, RETREAT, LEFT_SIDE] == tables.grid[0, 0, 1] and len(tables.seconds) == 6
    assert tables.gaits[0, RETREAT, RIGHT_SIDE] < 6


def test_between_paces_and_turns_four_segments_are_mixed(made_up):
    tables = SegmentTables([made_up])
    kind, pace, turn = np.zeros(4, dtype=int), np.array([0.25, 1.0, 3.0, -1.0]), np.array([0.0, -0.5, 9.0, 0.0])
    corners, shares, motion = tables.mixed(kind, pace, turn)
    assert np.allclose(shares.sum(axis=1), 1.0) and (shares >= 0.0).all()
    assert np.allclose(
        motion[:, 0], (0.25, 0.5 * (1.0 + np.hypot(0.0, tables.motion[tables.grid[0, 1, 0], 0])), 0.8, 0.0)
    )
    assert motion[1, 2] == -0.5 and motion[2, 2] == 1.0
    assert (corners[2] == [*tables.grid[0, 0, 1:], *tables.grid[0, 1, 1:]]).all()


def test_compiled_they_are_mixed_to_the_same_bits(made_up, alike):
    tables, random = SegmentTables([made_up, made_up]), np.random.default_rng(2)
    given = random.integers(0, 2, 500), random.uniform(-0.5, 1.5, 500), random.uniform(-1.5, 1.5, 500)
    given[1][:4], given[2][:6] = (0.0, 1.0, 0.5, 1.0), (-1.0, 0.0, 1.0, 0.5, -0.5, 0.0)
    alike(lambda: tables.mixed(*given), "mix")


def test_of_one_pace_straight_on_nothing_else_is_mixed(made_up, alike):
    """A repertoire may hold as little; older ones in tests/field do."""
    tables = SegmentTables([dataclasses.replace(made_up, pace=0 * made_up.pace + 1.0, turn=0 * made_up.turn)])
    assert tables.grid.shape == (1, 1, 1)
    corners, shares, motion = alike(lambda: tables.mixed(np.zeros(3, int), np.arange(3.0), np.arange(3.0) - 1.0), "mix")
    assert (corners == tables.grid[0, 0, 0]).all() and shares[:, 0].tolist() == [1.0] * 3
    assert (motion == tables.motion[tables.grid[0, 0, 0]]).all()
