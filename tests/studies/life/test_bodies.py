"""Bends, leans and waves of bodies are measured as they are: on nodes that are bent, turned and waved by formula."""

import numpy as np
import pytest

from artfish.core.body.anatomy import rest_nodes
from artfish.core.scene.species import Species
from artfish.studies.life import bodies

REST = rest_nodes(Species.load("sardine").body)
FPS = 120.0


def curled(degrees: float) -> np.ndarray:
    """The nodes of a fish whose axis is an arc of so many degrees a length, curled to the left, (23, 3)."""
    curvature = np.radians(degrees)
    angle = -curvature * REST[:, 0]  # of the axis at each node's place along it; behind the origin it has turned more
    along = np.sin(-angle) / curvature
    beside = (1 - np.cos(angle)) / curvature
    left = np.stack([np.sin(angle), np.cos(angle)], axis=1) * REST[:, 1:2]
    return np.stack([along, beside, REST[:, 2]], axis=1) + np.pad(left, ((0, 0), (0, 1)))


@pytest.mark.parametrize("degrees", [30.0, -80.0, 150.0])
def test_the_bend_of_an_arc_is_that_from_its_first_chord_to_its_last(degrees):
    x = bodies.midline(REST)[: bodies.PEDUNCLE + 1, 0]
    chords = 0.5 * (x[:-1] + x[1:])  # a chord of an arc points along the arc at its middle
    # A resting sardine's nose is a degree or so off the level, by whose cosine an angle seen from above it is off.
    assert bodies.bend(curled(degrees)) == pytest.approx(degrees * (chords[0] - chords[-1]), rel=1e-3)


def test_a_straight_fish_is_not_bent_however_it_is_turned():
    turn = rotation(40.0, 20.0, 10.0)
    assert bodies.bend(REST @ turn.T) == pytest.approx(0.0, abs=1e-6)


def rotation(yaw: float, pitch: float, roll: float) -> np.ndarray:
    """Leaning to the left, then pitching up, then turning left, in degrees."""
    (cy, cp, cr), (sy, sp, sr) = np.cos(np.radians((yaw, pitch, roll))), np.sin(np.radians((yaw, pitch, roll)))
    lean = np.array([[1, 0, 0], [0, cr, sr], [0, -sr, cr]])
    nose_up = np.array([[cp, 0, -sp], [0, 1, 0], [sp, 0, cp]])
    return np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]]) @ nose_up @ lean


@pytest.mark.parametrize(("pitch", "roll"), [(15.0, 0.0), (-30.0, 12.0), (5.0, -40.0)])
def test_pitch_and_lean_are_those_that_a_fish_was_turned_by(pitch, roll):
    nodes = REST @ rotation(70.0, pitch, roll).T
    # The nose of a resting sardine is not quite level with its second ring.
    level = REST @ rotation(70.0, 0.0, 0.0).T
    assert bodies.pitch(nodes) - bodies.pitch(level) == pytest.approx(pitch, abs=1.5)
    assert bodies.roll(nodes) == pytest.approx(roll, abs=1.0)


@pytest.mark.parametrize(("length", "beat"), [(0.8, 3.2), (1.0, 7.0), (1.7, 2.1)])
def test_a_travelling_wave_has_its_length_size_and_phase(length, beat):
    stations = np.array([[0.0, 0.18, 0.36, 0.54, 0.71, 0.86, 1.0]])
    size = 0.02 + 0.08 * stations**2
    t = np.arange(480)[:, None] / FPS
    side = (size[0] * np.sin(2 * np.pi * (beat * t - stations[0] / length)) + 0.01 * t)[:, None]
    found = bodies.wave(side, stations, FPS)
    assert found.frequency == pytest.approx(beat, rel=0.005)
    assert found.length == pytest.approx(length, rel=0.01)
    assert found.amplitude == pytest.approx(size, rel=0.02)
    assert found.trunk == pytest.approx(360.0 * 0.35 / length, rel=0.01)
    steps = bodies.rises(found.amplitude, stations)
    assert np.all(np.diff(steps) > 0)  # the size grows with the square
    assert steps[0, 0] == pytest.approx((0.54**2 - 0.36**2) / 0.18 / ((1 - 0.36**2) / 0.64), rel=0.1)


def test_an_even_rise_is_one_everywhere_and_a_hinge_is_not():
    stations = np.array([[0.0, 0.2, 0.4, 0.55, 0.7, 0.85, 1.0]])
    assert bodies.rises(0.1 * stations, stations) == pytest.approx(1.0)
    hinged = np.array([[0.0, 0.0, 0.0, 0.0, 0.0, 0.05, 0.1]])
    assert bodies.rises(hinged, stations)[0] == pytest.approx([0.0, 0.0, 2.0, 2.0])


def test_the_swing_of_the_tail_is_measured_apart_from_a_turn_of_the_whole_fish():
    t = np.arange(120) / FPS
    beat = 0.1 * np.sin(2 * np.pi * 6.0 * t)
    nodes = np.repeat(REST[None], len(t), axis=0)
    nodes[:, -2:, 1] += beat[:, None]
    turned = np.array([frame @ rotation(90.0 * when, 0.0, 0.0).T for frame, when in zip(nodes, t, strict=True)])
    assert np.allclose(bodies.tail_swing(turned[:, None], np.ones(1))[:, 0], beat, atol=1e-9)


def test_the_stations_of_a_resting_fish_end_with_its_length():
    stations = bodies.stations_of(np.repeat(REST[None, None], 2, axis=0), np.ones(1))
    # The middles of the rings lie a little above and below each other.
    assert stations[0, [0, 6]] == pytest.approx([0.0, 1.0], abs=0.01)
