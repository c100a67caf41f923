"""The measure of a gait, tried on motions whose figures are known beforehand."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from artfish.core.body.anatomy import MASSES, NOSE_NODE, body_frame, rest_nodes
from artfish.core.body.gait import Gait, measure
from artfish.core.scene.physique import Body

FPS = 24.0
TAIL = [21, 22]


@dataclasses.dataclass
class Swimmer:
    """A fish of this length that glides along x while its tail and nose wag."""

    length: float = 0.3
    speed: float = 1.2  # lengths a second
    frequency: float = 2.7
    tail: float = 0.2  # peak to peak, lengths
    nose: float = 0.05
    roll: float = 0.0
    azimuth: float = 0.0
    backwards: bool = False
    seconds: float = 5.0
    bounce: float = 0.0  # a share of the wag at double the frequency

    def nodes(self, fps: float = FPS) -> np.ndarray:
        """(frames, 1, 23, 3)."""
        t = np.arange(round(self.seconds * fps)) / fps
        nodes = np.tile(rest_nodes(Body()) * self.length, (len(t), 1, 1))
        phase = 2 * np.pi * self.frequency * t + 0.4
        wag = 0.5 * (np.sin(phase) + self.bounce * np.sin(2 * phase))
        nodes[:, TAIL, 1] += self.length * self.tail * wag[:, None]
        nodes[:, NOSE_NODE, 1] -= self.length * self.nose * 0.5 * np.sin(phase)
        nodes = nodes @ rotation(0, self.roll).T @ rotation(2, np.pi * self.backwards).T
        nodes[..., 0] += (self.length * self.speed * t)[:, None]
        return (nodes @ rotation(2, self.azimuth).T + (3.0, -2.0, 1.0))[:, None]

    def gait(self, fps: float = FPS) -> Gait:
        return measure(self.nodes(fps), fps, np.array([self.length]))


def rotation(axis: int, angle: float) -> np.ndarray:
    """By an angle around x, y or z."""
    turn = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    turn[[i, j], [i, j]] = np.cos(angle)
    turn[i, j], turn[j, i] = -np.sin(angle), np.sin(angle)
    return turn


# The fit is exact for a wag that is a sine and its octave; what is left is how finely the frequency is looked for, a
# part in a thousand or so, and a sweep read off 200 points of a beat.
CLOSE = 3e-3


@pytest.mark.parametrize("frequency", [0.5, 1.3, 2.7, 5.1, 9.7])
@pytest.mark.parametrize("seconds", [6.0, 7.3])
def test_a_known_swim_has_its_known_figures(frequency, seconds):
    gait = Swimmer(frequency=frequency, seconds=seconds).gait()
    assert gait.speed == pytest.approx(1.2, rel=1e-2 / seconds)  # the wagging nodes shift the center of mass a little
    assert gait.frequency == pytest.approx(frequency, rel=CLOSE)
    assert gait.amplitude == pytest.approx(0.2, rel=CLOSE)
    assert gait.nose == pytest.approx(0.05, rel=CLOSE)
    assert gait.strouhal == pytest.approx(frequency * 0.2 / 1.2, rel=2 * CLOSE)
    assert gait.stride == pytest.approx(1.2 / frequency, rel=2 * CLOSE)
    assert gait.straightness == pytest.approx(1.0, abs=1e-3)
    assert gait.tilt == pytest.approx(0.0, abs=1e-6)
    assert gait.forward == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("fps", [10.0, 24.0, 60.0])
def test_figures_do_not_depend_on_when_the_frames_are_taken(fps):
    # 2.4 beats a second at 24 frames: the same ten instants of a beat over and over, none of them its turning points.
    gait = Swimmer(frequency=2.4, bounce=0.1).gait(fps)
    fine = Swimmer(frequency=2.4, bounce=0.1).gait(240.0)
    for field in dataclasses.fields(Gait):
        if field.name != "tilt":
            assert getattr(gait, field.name) == pytest.approx(getattr(fine, field.name), rel=0.01), field.name


def test_a_sweep_counts_both_harmonics():
    phase = np.linspace(0, 2 * np.pi, 100001)
    wag = 0.5 * (np.sin(phase) + 0.3 * np.sin(2 * phase))
    assert Swimmer(bounce=0.3).gait().amplitude == pytest.approx(0.2 * np.ptp(wag), rel=CLOSE)


def test_figures_are_those_of_the_fish_whatever_its_size_place_and_course():
    plain = Swimmer().gait()
    for other in (Swimmer(length=1.6), Swimmer(azimuth=2.0), Swimmer(azimuth=-1.2, length=0.08)):
        gait = other.gait()
        for field in dataclasses.fields(Gait):
            assert getattr(gait, field.name) == pytest.approx(getattr(plain, field.name), abs=1e-6), field.name


def test_fishes_are_measured_each_for_itself():
    pair = Swimmer(), Swimmer(frequency=1.1, tail=0.12, speed=0.4, length=0.5)
    together = measure(np.concatenate([one.nodes() for one in pair], axis=1), FPS, np.array([0.3, 0.5]))
    for row, alone in enumerate(one.gait() for one in pair):
        for field in dataclasses.fields(Gait):
            wanted = getattr(alone, field.name)[0]
            assert getattr(together, field.name)[row] == pytest.approx(wanted, abs=1e-12), field.name


def test_a_slow_drift_of_the_course_is_no_sweep():
    nodes = Swimmer(seconds=8.0).nodes()
    t = np.linspace(-1.0, 1.0, len(nodes))
    nodes[..., 1] += (0.1 * t**3 - 0.05 * t**2)[:, None, None]
    gait = measure(nodes, FPS, np.array([0.3]))
    assert gait.amplitude == pytest.approx(0.2, rel=0.02)
    assert gait.nose == pytest.approx(0.05, rel=0.05)


@pytest.mark.parametrize("roll", [0.3, -1.0, np.pi])
def test_tilt_is_the_angle_of_a_roll_and_the_largest_counts(roll):
    assert Swimmer(roll=roll).gait().tilt == pytest.approx(abs(roll), abs=1e-6)
    nodes = Swimmer().nodes()
    nodes[40] = nodes[40] @ rotation(0, 0.4).T
    assert measure(nodes, FPS, np.array([0.3])).tilt == pytest.approx(0.4, abs=1e-6)


def test_a_fish_that_backs_off_goes_the_other_way():
    gait = Swimmer(backwards=True).gait()
    assert gait.forward == pytest.approx(-1.0, abs=1e-3)
    assert gait.speed == pytest.approx(1.2, rel=1e-2)


@pytest.mark.parametrize("arc", [0.5, 1.5, 3.0])
def test_straightness_is_chord_over_arc(arc):
    t = np.linspace(0.0, 1.0, 400)
    circle = np.stack([np.sin(arc * t) / arc, (1 - np.cos(arc * t)) / arc, np.zeros(400)], axis=1)
    nodes = rest_nodes(Body()) * 0.3 + 4.0 * circle[:, None]
    gait = measure(nodes[:, None], FPS, np.array([0.3]))
    assert gait.straightness == pytest.approx(np.sin(arc / 2) / (arc / 2), rel=1e-5)


def test_a_fish_that_goes_nowhere_has_no_stride_and_an_infinite_strouhal_number():
    nodes = Swimmer(speed=0.0, seconds=5.0, frequency=2.0).nodes()
    middle = np.einsum("n,tfnc->tfc", MASSES / MASSES.sum(), nodes)
    still = measure(nodes - middle[:, :, None], FPS, np.array([0.3]))
    # Its own wag apart, which the center of mass has been freed of, it stays where it is.
    assert still.speed == pytest.approx(0.0, abs=1e-12)
    assert still.strouhal[0] > 1e9
    assert still.stride == pytest.approx(0.0, abs=1e-12)
    assert still.amplitude == pytest.approx(0.2, rel=0.02)


def test_too_short_a_recording_is_refused():
    nodes = Swimmer().nodes()
    with pytest.raises(ValueError, match="found 11 frames, allowed 12 or more"):
        measure(nodes[:11], FPS, np.array([0.3]))


def test_single_precision_and_a_far_place_do_not_disturb():
    nodes = (Swimmer().nodes() + 2000.0).astype(np.float32)  # rounded to a tenth of a millimetre
    gait, exact = measure(nodes, FPS, np.array([0.3])), Swimmer().gait()
    assert gait.amplitude == pytest.approx(exact.amplitude, rel=5e-3)
    assert gait.speed == pytest.approx(exact.speed, rel=1e-3)
    assert np.isfinite(gait.tilt).all()
    assert np.isfinite(body_frame(nodes)[1]).all()
