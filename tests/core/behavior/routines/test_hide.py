"""Hiding: behind which obstacle, where behind it, by which way, and through which gap."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene
from artfish.core.behavior.routines.hide import NO_SHELTER, Hiding, Searchers
from artfish.core.behavior.routines.tuning import HIDING_BERTH_LENGTHS
from artfish.core.behavior.spots import Spots
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.tank import WaterBox
from artfish.core.perception.collision import Antenna
from artfish.core.perception.vision import blocks

LENGTH, FOE = 0.3, 1.6  # metres
ROCK = {"kind": "cylinder", "at": [6, 5, 0], "radius": 0.8, "height": 2.5}


def hiding(*obstacles: dict) -> tuple[Hiding, Obstacles]:
    scene = Scene.from_dict({"tank": {"size": [12, 10, 3]}, "obstacles": list(obstacles)})
    stands, tank = Obstacles.from_scene(scene), WaterBox.from_scene(scene)
    return Hiding(Spots(scene, stands), tank, stands, Antenna(tank, stands)), stands


def chosen(of: Hiding, place: tuple, eye: tuple, behind: int = NO_SHELTER):
    at, foe = np.array([place], dtype=float), Searchers(np.array([eye], dtype=float), np.array([FOE]), np.array([2.0]))
    known = np.ones((1, len(of._spots.solids)), dtype=bool)
    ahead = np.array([[1.0, 0.0, 0.0]])
    return of.choose(np.array([0]), at, ahead, np.array([LENGTH]), foe, known, np.array([behind]))


@pytest.mark.parametrize("form", ["cylinder", "mesh"])
def test_a_ring_runs_at_the_clearance_of_a_body(form):
    x, y = np.meshgrid([-1, 1], [-1, 1])
    corners = [[a, b, c] for a, b in zip(x.ravel().tolist(), y.ravel().tolist(), strict=True) for c in (0, 2)]
    faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
    box = {"kind": "mesh", "at": [6, 5, 0], "vertices": corners, "faces": faces}
    of, stands = hiding(ROCK if form == "cylinder" else box)
    points, room = of.ring(0, np.array([[2.0, 5, 1]]), np.array([LENGTH]))
    gap = stands.distance(points[0])[0]
    assert room.all() and np.allclose(gap, HIDING_BERTH_LENGTHS * LENGTH, atol=0.03)
    assert np.allclose(points[..., 2], 1.0)


def test_it_goes_to_the_far_side_and_nobody_sees_it_there():
    of, stands = hiding(ROCK)
    hideout = chosen(of, (4.0, 5.2, 1.0), (2.0, 5.0, 1.0))
    assert hideout.behind[0] == 0 and not hideout.hidden[0]
    at = (6.0 + 0.8 + HIDING_BERTH_LENGTHS * LENGTH, 5.0, 1.0)
    there = chosen(of, at, (2.0, 5.0, 1.0))
    assert there.hidden[0] and there.left[0] < 0.5 * LENGTH
    assert blocks(np.array([[2.0, 5, 1]]), np.array([at]), stands)[0]


def test_the_way_leads_round_on_the_side_that_is_off_the_foe():
    of, _ = hiding(ROCK)
    at = np.array((6.0, 5.0 + 0.8 + HIDING_BERTH_LENGTHS * LENGTH, 1.0))  # north of it
    for foe, side in (((2.0, 5.0, 1.0), 1.0), ((10.0, 5.0, 1.0), -1.0)):
        hideout = chosen(of, tuple(at), foe, 0)
        assert side * (hideout.place[0] - at)[0] > 0.1
        assert hideout.place[0, 1] > 5.0 - 0.8


def test_as_the_foe_comes_round_it_keeps_the_rock_between():
    of, stands = hiding(ROCK)
    at, unseen = np.array((7.05, 5.0, 1.0)), 0
    for turn in np.linspace(0.0, 2.0 * np.pi, 200):
        eye = np.array((6.0 - 3.0 * np.cos(turn), 5.0 - 3.0 * np.sin(turn), 1.0))
        hideout = chosen(of, tuple(at), tuple(eye), 0)
        way = hideout.place[0] - at
        step = min(0.06, float(hideout.left[0]))  # twice as fast as the far side moves
        at = at + step * way / max(np.linalg.norm(way), 1e-9)
        unseen += int(blocks(eye[None], at[None], stands)[0])
        assert stands.distance(at[None])[0][0] > 0.4 * LENGTH
    assert unseen == 200


def test_of_two_rocks_it_takes_the_one_between_it_and_its_foe_and_keeps_to_that():
    other = {**ROCK, "at": [2.5, 5, 0]}
    of, _ = hiding(ROCK, other)
    assert chosen(of, (4.1, 5.0, 1.0), (9.5, 5.5, 1.0)).behind[0] == 0
    assert chosen(of, (4.4, 5.0, 1.0), (0.3, 5.5, 1.0)).behind[0] == 1
    for row in (0, 1):
        assert chosen(of, (4.25, 5.0, 1.0), (4.25, 1.0, 1.0), row).behind[0] == row


def test_it_knows_when_its_foe_would_be_there_first():
    of, _ = hiding(ROCK)
    assert chosen(of, (2.0, 5.2, 1.0), (7.0, 7.5, 1.0)).late[0]
    assert not chosen(of, (6.0, 6.2, 1.0), (0.5, 5.0, 1.0)).late[0]


def test_without_anything_to_hide_behind_it_has_nowhere():
    of, _ = hiding({**ROCK, "radius": 0.02})
    assert chosen(of, (4.0, 5.2, 1.0), (2.0, 5.0, 1.0)).behind[0] == NO_SHELTER


@pytest.mark.parametrize(("width", "goes"), [(0.25, False), (0.4, True), (0.6, False)])
def test_it_flees_through_a_gap_that_it_fits_through_and_its_foe_does_not(width, goes):
    rocks = [{**ROCK, "at": [6, 5 + side * (0.8 + 0.5 * width), 0]} for side in (-1, 1)]
    of, _ = hiding(*rocks)
    foe = Searchers(np.array([[2.0, 5.0, 1.0]]), np.array([FOE]), np.array([2.0]))
    off, way = of.through_gap(np.array([[5.0, 5.2, 1.0]]), np.array([LENGTH]), foe)
    assert np.isfinite(off[0]) == goes
    if goes:
        assert way[0, 0] > 0.8 and way[0, 1] < 0.0
        behind = Searchers(
            np.array([[9.0, 5.0, 1.0]]), np.array([FOE]), np.array([2.0])
        )  # the gap would lead to the foe
        assert np.isinf(of.through_gap(np.array([[5.0, 5.2, 1.0]]), np.array([LENGTH]), behind)[0][0])
