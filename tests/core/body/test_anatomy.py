"""The body plan (Tu 1999, §4.2, tables 4.1 and 4.2): counts, constants, and a skin that is closed and faces out."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.body.anatomy import (
    ELASTICITY,
    FACES,
    LEFT_MUSCLES,
    MASSES,
    MUSCLES,
    NODES,
    NOSE_NODE,
    RING_NODES,
    UNITS,
    body_frame,
    frame_from,
    rest_nodes,
)
from artfish.core.scene.physique import Body

every_species = pytest.mark.parametrize("name", Species.names())


def rest(name: str) -> np.ndarray:
    return rest_nodes(Species.load(name).body)


def triangles(nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Middles and outward unit normals, (42, 3) each."""
    a, b, c = nodes[FACES].transpose(1, 0, 2)
    normals = np.cross(b - a, c - a)
    return (a + b + c) / 3.0, normals / np.linalg.norm(normals, axis=1, keepdims=True)


def winding(point: np.ndarray, nodes: np.ndarray) -> float:
    """Number of times that the skin goes around a point: 1 inside, 0 outside (van Oosterom and Strackee 1983)."""
    a, b, c = (nodes[FACES] - point).transpose(1, 0, 2)
    la, lb, lc = (np.linalg.norm(arm, axis=1) for arm in (a, b, c))
    volume = np.einsum("fi,fi->f", a, np.cross(b, c))
    ab, bc, ca = (np.einsum("fi,fi->f", *pair) for pair in ((a, b), (b, c), (c, a)))
    return float(np.arctan2(volume, la * lb * lc + ab * lc + bc * la + ca * lb).sum() / (2.0 * np.pi))


def rotations(n: int) -> np.ndarray:
    """Random proper rotations, (n, 3, 3)."""
    turned = np.linalg.qr(np.random.default_rng(3).normal(size=(n, 3, 3)))[0]
    return turned * np.linalg.det(turned)[:, None, None]


def test_as_many_nodes_units_and_muscles_as_in_the_book():
    assert NODES == 23
    assert UNITS.shape == (91, 2)
    assert len(MUSCLES) == 12
    assert len({frozenset(unit) for unit in UNITS.tolist()}) == 91
    assert (UNITS[:, 0] < UNITS[:, 1]).all()
    assert set(UNITS.ravel().tolist()) == set(range(23))


def test_numbering_gives_the_books_half_bandwidth():
    assert np.ptp(UNITS, axis=1).max() == 7


def test_muscles_join_each_node_to_its_like_in_the_next_ring():
    assert UNITS[MUSCLES].tolist() == [[i, i + 4] for i in range(1, 13)]
    # Three segments of four, front to back; in each the muscles of the left side are those on the fish's left.
    left = rest("thesis")[UNITS[MUSCLES], 1].mean(axis=1) > 0
    assert left.tolist() == LEFT_MUSCLES.tolist()
    assert LEFT_MUSCLES.reshape(3, 4).sum(axis=1).tolist() == [2, 2, 2]
    middles = rest("thesis")[UNITS[MUSCLES], 0].mean(axis=1).reshape(3, 4)
    assert (np.diff(middles.mean(axis=1)) < 0).all()
    assert np.ptp(middles, axis=1) == pytest.approx(0.0, abs=1e-15)


def test_masses_are_those_of_table_4_1():
    wanted = {0: 1.1, 21: 0.165, 22: 0.165}
    wanted |= dict.fromkeys((*range(1, 5), *range(9, 13)), 6.6)
    wanted |= dict.fromkeys(range(5, 9), 11.0)
    wanted |= dict.fromkeys(range(13, 21), 1.1)  # node 20, which the table leaves out, weighs as its ring
    assert MASSES.tolist() == [wanted[node] for node in range(23)]
    assert MASSES.sum() == pytest.approx(107.03, abs=1e-12)


def test_elasticities_are_those_of_table_4_2():
    ring = np.array([0, *np.repeat(np.arange(1, 6), 4), 6, 6])
    side = np.array([-1, *np.tile(np.arange(4), 5), -1, -1])
    for row, (i, j) in enumerate(UNITS):
        between_rings = 1 <= ring[i] and ring[j] <= 5
        if row in MUSCLES:
            wanted = 28.0
        elif between_rings and ring[i] == ring[j] and (side[j] - side[i]) % 4 == 2:
            wanted = 38.0  # diagonals of a ring
        elif between_rings and ring[i] != ring[j] and side[i] != side[j]:
            wanted = 38.0  # diagonals of the faces between two rings
        else:
            wanted = 30.0
        assert ELASTICITY[row] == wanted, (i, j)
    assert Counter(ELASTICITY.tolist()) == {38.0: 42, 28.0: 12, 30.0: 37}


def test_the_thesis_keeps_every_figure_that_the_book_gives():
    body = Species.load("thesis").body
    factors = (body.unit_mass, body.stiffness, body.viscosity, body.fluid_viscosity, body.streamlining)
    assert factors == (1.0, 1.0, 0.1, 1.0, 0.0)
    fins = Species.load("thesis").pectoral
    assert fins.lever == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert fins.flap == 0.0
    assert Species.load("thesis").rhythm.lag == pytest.approx(np.pi)


def test_skin_is_closed():
    assert FACES.shape == (42, 3)
    edges = Counter((int(face[k]), int(face[(k + 1) % 3])) for face in FACES for k in range(3))
    assert set(edges.values()) == {1}
    assert all((b, a) in edges for a, b in edges)
    # One sphere: nodes - edges + faces = 2 (Euler), and every node is on it.
    assert len(set(FACES.ravel().tolist())) - len(edges) // 2 + len(FACES) == 2
    assert len(set(FACES.ravel().tolist())) == NODES


@every_species
def test_skin_faces_out(name):
    nodes = rest(name)
    a, b, c = nodes[FACES].transpose(1, 0, 2)
    assert np.einsum("fi,fi->", a, np.cross(b, c)) / 6.0 > 0.0  # the volume, by the divergence theorem
    # One small step along a normal leaves the body, one against it enters. A hundredth of the thinnest ring is small.
    step = 0.01 * min(Species.load(name).body.half_widths)
    for middle, normal in zip(*triangles(nodes), strict=True):
        assert winding(middle + step * normal, nodes) == pytest.approx(0.0, abs=1e-9)
        assert winding(middle - step * normal, nodes) == pytest.approx(1.0, abs=1e-9)


@every_species
def test_normals_point_away_from_the_long_axis(name):
    nodes = rest(name)
    middles, normals = triangles(nodes)
    axis = np.array([nodes[NOSE_NODE], *nodes[RING_NODES].mean(axis=1), nodes[21:].mean(axis=0)])
    height = np.interp(-middles[:, 0], -axis[:, 0], axis[:, 2])
    arms = np.stack([middles[:, 1], middles[:, 2] - height], axis=1)
    assert (np.einsum("fi,fi->f", arms, normals[:, 1:]) > 0).all()


@every_species
def test_left_mirrors_right(name):
    nodes = rest(name)
    mirror = np.array([0, *(first + k for first in range(1, 18, 4) for k in (1, 0, 3, 2)), 21, 22])
    assert nodes[mirror] == pytest.approx(nodes * (1.0, -1.0, 1.0), abs=1e-15)
    flanks = FACES[(nodes[FACES, 1] >= 0).all(axis=1) | (nodes[FACES, 1] <= 0).all(axis=1)]
    assert len(flanks) == 22  # a side: one at the nose, two in each of four segments, two at the tail
    assert {frozenset(face) for face in mirror[flanks].tolist()} == {frozenset(face) for face in flanks.tolist()}


@every_species
def test_a_resting_fish_is_one_length_long_and_looks_along_x(name):
    body, nodes = Species.load(name).body, rest(name)
    assert np.ptp(nodes[:, 0]) == pytest.approx(1.0, abs=1e-12)
    assert nodes[:, 0].argmax() == NOSE_NODE
    assert nodes[RING_NODES[1]].mean(axis=0) == pytest.approx(0.0, abs=1e-15)
    assert nodes[NOSE_NODE, 0] - nodes[RING_NODES, 0] == pytest.approx(
        np.repeat(np.array(body.stations)[:, None], 4, axis=1)
    )
    left_top, right_top, right_bottom, left_bottom = nodes[RING_NODES].transpose(1, 0, 2)
    assert (left_top[:, 1] > 0).all() and (left_bottom[:, 1] > 0).all()
    assert (right_top[:, 1] < 0).all() and (right_bottom[:, 1] < 0).all()
    assert (left_top[:, 2] > left_bottom[:, 2]).all() and (right_top[:, 2] > right_bottom[:, 2]).all()
    assert nodes[21, 2] > nodes[22, 2]


@every_species
def test_own_frame_of_a_resting_fish_is_that_of_the_world(name):
    nodes = rest(name)
    origin, frame = body_frame(nodes)
    assert origin == pytest.approx(0.0, abs=1e-15)
    # Seen from the second ring, the nose lies as far below x as the ring rises above the long axis.
    slope = np.arctan2(nodes[NOSE_NODE, 2], nodes[NOSE_NODE, 0])
    assert abs(slope) < np.radians(10.0)
    pitched = np.array([[np.cos(slope), 0, -np.sin(slope)], [0, 1, 0], [np.sin(slope), 0, np.cos(slope)]])
    assert frame == pytest.approx(pitched, abs=1e-14)


def test_own_frame_turns_and_travels_with_the_fish():
    nodes = rest_nodes(Body())
    turns = rotations(20)
    places = np.random.default_rng(1).normal(size=(20, 1, 3))
    origin, frame = body_frame(nodes @ turns.transpose(0, 2, 1) + places)
    assert origin == pytest.approx(places[:, 0], abs=1e-14)
    assert frame == pytest.approx(turns, abs=1e-14)


def test_own_frame_is_right_handed_however_the_body_is_bent():
    nodes = rest_nodes(Body()) + np.random.default_rng(2).normal(0.0, 0.03, (50, NODES, 3))
    _, frame = body_frame(nodes)
    assert frame.transpose(0, 2, 1) @ frame == pytest.approx(np.broadcast_to(np.eye(3), frame.shape), abs=1e-13)
    assert np.linalg.det(frame) == pytest.approx(1.0, abs=1e-13)


def test_a_frame_points_ahead_and_as_far_up_as_it_can():
    ahead, up = np.random.default_rng(4).normal(size=(2, 50, 3))
    frame = frame_from(ahead, up)
    assert frame[..., 0] == pytest.approx(ahead / np.linalg.norm(ahead, axis=1, keepdims=True), abs=1e-14)
    assert np.einsum("fi,fi->f", frame[..., 1], up) == pytest.approx(0.0, abs=1e-13)
    assert (np.einsum("fi,fi->f", frame[..., 2], up) > 0).all()


def test_compiled_frames_have_the_bits_of_the_others(alike):
    nodes = np.random.default_rng(1).normal(size=(50, NODES, 3)) * np.geomspace(1e-3, 1e3, 50)[:, None, None]
    origin, frames = alike(lambda: body_frame(nodes), "body_frame")
    assert origin.shape == (50, 3) and frames.shape == (50, 3, 3)
    alike(lambda: body_frame(nodes[7]), "body_frame")
