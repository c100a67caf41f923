"""Muscles: the beat, the bend, and how fast either comes (Tu 1999, §4.6.1)."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.body.anatomy import (
    BOOK_RATE,
    BOOK_STEP,
    LEFT_MUSCLES,
    PEDUNCLE_MUSCLES,
    UNITS,
    UPPER_TIP_NODE,
)
from artfish.core.body.dynamics import BodyModel
from artfish.core.motor.muscles import Muscles
from artfish.core.scene.physique import Body
from artfish.core.scene.species import Rhythm

every_species = pytest.mark.parametrize("name", Species.names())
KNOTS = np.radians([30.0, 45.0, 60.0, 90.0])


DT = BOOK_STEP


class Pulling:
    """Rest lengths of a fish's muscles over time, (steps, m), relative to their natural lengths."""

    def __init__(self, name: str, steps: int, **drive):
        model = BodyModel(Species.load(name).body)
        self.muscles = Muscles(Species.load(name), model, 1, DT)
        self.natural = model.natural[model.muscles]
        self.relative = np.empty((0, len(model.muscles)))
        self.go_on(steps, **drive)

    def go_on(self, steps: int, frequency=0.0, amplitude=0.0, bend=(0.0, 0.0), rate=0.0) -> None:
        told = np.array([[frequency], [rate]]), np.array([amplitude, *bend])[:, None]
        lengths = [self.muscles.advance(*told)[0, :, 0] for _ in range(steps)]
        self.relative = np.concatenate([self.relative, np.array(lengths) / self.natural])

    @property
    def sides(self) -> np.ndarray:
        """Contraction of left minus right in each of the segments, (steps, segments)."""
        contraction = (1.0 - self.relative).reshape(len(self.relative), -1, 4)
        return np.where(LEFT_MUSCLES[:4], contraction, -contraction).sum(axis=2) / 2.0


BEAT = 800  # steps
SWIMMING = {"frequency": 1.0 / (BEAT * DT), "amplitude": 1.0}


def wave(side: np.ndarray) -> complex:
    """Amplitude and phase of a motion over one whole beat at its own frequency."""
    return 2.0 * np.mean(side * np.exp(-2j * np.pi * np.arange(BEAT) / BEAT))


@every_species
def test_the_segments_beat_one_after_another_from_head_to_tail(name):
    sides = Pulling(name, 2 * BEAT, **SWIMMING).sides[BEAT:]
    rhythm = Species.load(name).rhythm
    widths = rhythm.shoulder, rhythm.anterior, rhythm.posterior, rhythm.peduncle
    found = [wave(side) for side in sides.T]
    # The beat is still swelling a little at its first maximum: a part in a hundred.
    for width, beat in zip(widths, found, strict=False):
        assert abs(beat) == pytest.approx(rhythm.contraction * width, rel=0.02, abs=1e-12)
    lags = rhythm.shoulder_lead, rhythm.lag, rhythm.peduncle_lag
    for lag, ahead, behind in zip(lags, found, found[1:], strict=False):
        if abs(ahead) > 1e-12:
            assert np.angle(ahead / behind) % (2 * np.pi) == pytest.approx(lag, abs=0.02)


def test_the_books_own_fish_has_twelve_muscles_and_two_segments_that_beat():
    pulling = Pulling("thesis", 2 * BEAT, **SWIMMING)
    assert pulling.relative.shape[1] == 12
    assert (pulling.sides[:, 0] == 0.0).all()
    assert np.ptp(pulling.sides[BEAT:], axis=0)[1:].min() > 0.1


def test_a_peduncle_with_muscles_beats_and_only_follows_turns_and_starts():
    with_muscles = dataclasses.replace(Species.load("thesis"), body=Body(peduncle_muscles=1))
    still = Muscles(with_muscles, BodyModel(with_muscles.body), 1, DT)
    turning = np.array([[0.0], [0.1]]), np.array([[0.0], [1.0], [1.0]])
    lengths = still.advance(*turning, steps=BEAT, curl=np.ones((2, 1)))
    assert lengths.shape[1] == 16
    assert lengths[-1, 12:, 0] == pytest.approx(BodyModel(with_muscles.body).natural[PEDUNCLE_MUSCLES], abs=1e-12)
    species = dataclasses.replace(with_muscles, rhythm=Rhythm(peduncle=0.5, peduncle_lag=1.0))
    beating = Muscles(species, BodyModel(species.body), 1, DT)
    swimming = np.array([[1.0 / (BEAT * DT)], [0.0]]), np.array([[1.0], [0.0], [0.0]])
    lengths = beating.advance(*swimming, steps=2 * BEAT)[BEAT:, :, 0]
    assert lengths[:, 12:].min() == pytest.approx(lengths[:, 12:].max() * (1.0 - 0.5 * species.rhythm.contraction))


def test_the_fin_of_a_soft_tail_is_softer_than_the_books_and_nothing_else_is():
    soft, book = BodyModel(Body(tail_stiffness=0.25)), BodyModel(Body())
    tail = (UNITS >= UPPER_TIP_NODE).any(axis=1)
    assert soft.elasticity[tail] == pytest.approx(0.25 * book.elasticity[tail])
    assert (soft.elasticity[~tail] == book.elasticity[~tail]).all()


@every_species
def test_the_two_sides_beat_exactly_out_of_phase(name):
    relative = Pulling(name, 2 * BEAT, **SWIMMING).relative[BEAT:].reshape(BEAT, -1, 4)
    left, right = relative[..., LEFT_MUSCLES[:4]].mean(axis=2), relative[..., ~LEFT_MUSCLES[:4]].mean(axis=2)
    assert np.roll(left, BEAT // 2, axis=0) == pytest.approx(right, abs=1e-9)
    assert np.ptp(relative[..., LEFT_MUSCLES[:4]], axis=2).max() < 1e-12  # two muscles of a side are alike


@every_species
def test_many_steps_at_once_are_as_many_one_by_one(name):
    told = {**SWIMMING, "bend": (0.8, -0.4), "rate": 0.05}
    single = Pulling(name, 300, **told)
    at_once = Muscles(Species.load(name), BodyModel(Species.load(name).body), 1, DT)
    arguments = np.array([[told["frequency"]], [told["rate"]]]), np.array([1.0, *told["bend"]])[:, None]
    lengths = np.concatenate([at_once.advance(*arguments, steps=steps)[..., 0] for steps in (1, 99, 200)])
    assert lengths / single.natural == pytest.approx(single.relative, abs=1e-12)


@every_species
def test_muscles_only_ever_shorten_and_no_farther_than_they_can(name):
    species = Species.load(name)
    busy = Pulling(name, 2 * BEAT, **SWIMMING)
    busy.go_on(BEAT, **SWIMMING, bend=(1.0, 1.0), rate=0.1)
    assert busy.relative.max() <= 1.0 + 1e-12
    most = max(species.rhythm.contraction, species.steering.contraction)
    assert busy.relative.min() >= 1.0 - most - 1e-12


@every_species
def test_no_rest_length_changes_faster_than_the_books_limit(name):
    busy = Pulling(name, 200, frequency=0.5, amplitude=1.0, bend=(1.0, 1.0), rate=50.0)
    busy.go_on(200, frequency=0.5, amplitude=1.0, bend=(-1.0, -1.0), rate=50.0)
    lengths = busy.relative * busy.natural
    fastest = np.abs(np.diff(lengths, axis=0)).max()
    assert fastest <= BOOK_RATE + 1e-12  # s_max in one step of 0.055
    assert fastest > 0.25 * BOOK_RATE  # and this comes near it, as near as the swiftest bend lets it


def test_a_bend_shortens_its_own_side_at_its_rate():
    species = Species.load("thesis")
    rate = 0.1
    bending = Pulling("thesis", round(5 / rate / DT), bend=(1.0, 0.5), rate=rate)
    sides = bending.sides
    assert sides[-1, :2] == pytest.approx(species.steering.contraction * np.array([1.0, 0.5]))
    assert (bending.relative[:, ~LEFT_MUSCLES] == 1.0).all()
    done = (sides[:, 0] >= sides[-1, 0] * (1 - 1e-9)).argmax() * DT
    assert done == pytest.approx(1.0 / rate, abs=2 * DT)
    assert np.abs(np.diff(sides[:, 0])).max() == pytest.approx(species.steering.contraction * rate * DT, rel=1e-6)


def test_a_bend_to_the_right_mirrors_one_to_the_left():
    left, right = (Pulling("thesis", 300, **SWIMMING, bend=(sign, 0.6 * sign), rate=0.1) for sign in (1.0, -1.0))
    assert left.sides[:, 0] == pytest.approx(-right.sides[:, 0], abs=1e-12)


@every_species
def test_after_a_glide_all_muscles_have_their_natural_lengths(name):
    pulling = Pulling(name, BEAT, **SWIMMING, bend=(1.0, 1.0), rate=0.5)
    assert pulling.relative[-1].min() < 0.99
    pulling.go_on(2 * BEAT, frequency=SWIMMING["frequency"], rate=0.5)
    assert pulling.relative[-1] == pytest.approx(1.0, abs=1e-12)
    # The body straightens without a jolt: never faster than it was bent and beaten.
    speeds = np.abs(np.diff(pulling.relative, axis=0)).max(axis=1)
    assert speeds[BEAT:].max() <= 1.05 * speeds[:BEAT].max()


@pytest.mark.parametrize("name", ["sardine", "reef_shark", "thesis"])
@pytest.mark.parametrize("steps", [1, 7])
@pytest.mark.parametrize("curls", [False, True])
def test_the_compiled_form_has_the_bits_of_the_other(alike, name, steps, curls):
    fishes, species = 600, Species.load(name)

    def go_on():
        dice = np.random.default_rng(steps)
        muscles, found = Muscles(species, BodyModel(species.body), fishes, 3 * DT), []
        muscles.phase[:] = dice.uniform(-50.0, 50.0, fishes)
        some = None
        for _ in range(6):
            rates, swing = dice.uniform(0.0, 0.4, (2, fishes)), dice.uniform(-1.0, 1.0, (3, fishes))
            swing *= dice.uniform(0.0, 1.0, fishes) < 0.8  # and some glide
            curl = np.stack((dice.choice((-1.0, 0.0, 0.6), fishes), dice.uniform(0.0, 2.0, fishes))) if curls else None
            found.append(muscles.advance(rates, swing, steps, curl))
            found += [muscles.phase.copy(), muscles.beat.copy(), muscles.bend.copy(), muscles.curl.copy()]
            columns = np.arange(40, 300, 3)
            some = muscles.some(columns, DT)
            found.append(some.advance(rates[:, columns], swing[:, columns], steps))
            muscles.put(columns, some)
        return tuple(found)

    alike(go_on, "muscles")


def test_a_phase_of_long_ago_is_beaten_on_from(alike):
    species = Species.load("sardine")

    def go_on():
        muscles = Muscles(species, BodyModel(species.body), 5, DT)
        muscles.phase[:] = 0.0, 1.0, 1e9, -1e12, 1.6e6
        return muscles.advance(np.full((2, 5), 0.1), np.full((3, 5), 0.5), 2), muscles.phase

    lengths, phase = alike(go_on, "muscles")
    assert np.isfinite(lengths).all()
    assert phase == pytest.approx([0.0, 1.0, 1e9, -1e12, 1.6e6], abs=0.2)
