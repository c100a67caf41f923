"""Loops: bodies, fins and breath come round to where they began, at the speed of the gait that they show."""

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.base.codec import SceneError
from artfish.core.body.anatomy import body_frame, tail_bend
from artfish.core.motor.commands import Commands
from artfish.core.replicas.capture import remembered
from artfish.core.scene.fishes import FishGroup
from artfish.core.scene.scene import Scene
from artfish.core.scene.tank import Tank
from artfish.core.studio.loops import LOOPS, fitting, loop
from artfish.core.studio.tuning import LONGEST_LOOP_SECONDS, LOOP_MISFIT, LOOP_PACE, SHORTEST_LOOP_SECONDS
from artfish.core.world.world import World

SPECIES = "sardine", "clownfish", "reef_shark"


def seam(values: np.ndarray) -> float:
    """The change of velocity at the seam, over the most that there is between any two frames."""
    steps = np.diff(np.concatenate([values, values[1:2]]), axis=0)
    change = np.abs(np.diff(steps, axis=0)).reshape(len(steps) - 1, -1).max(axis=1)
    return float(change[-1] / max(change[:-1].max(), 1e-9))


@pytest.mark.sampled
@pytest.mark.film
@pytest.mark.parametrize("name", SPECIES)
@pytest.mark.parametrize("gait", LOOPS)
def test_the_last_frame_is_the_first_and_nothing_jerks_between_them(name, gait):
    recording = loop(Species.load(name), gait).recording
    for array in ("nodes", "fins", "breath", "tail", "fold", "mouth", "gaze"):
        assert np.array_equal(getattr(recording, array)[0], getattr(recording, array)[-1]), array
    assert seam(recording.nodes[:, 0].astype(float)) < 1.5
    assert seam(recording.breath[:, 0].astype(float)) < 1.5
    swing = np.concatenate([f(recording.fins[:, 0, :, 1:].astype(float)) for f in (np.sin, np.cos)], axis=-1)
    assert seam(swing) < 1.5


@pytest.mark.sampled
@pytest.mark.film
@pytest.mark.parametrize("name", SPECIES)
def test_a_fish_stays_on_the_spot_with_its_nose_along_x(name):
    for gait in LOOPS:
        made = loop(Species.load(name), gait)
        origin, frames = body_frame(made.recording.nodes[:, 0].astype(float))
        assert np.abs(origin).max() < 0.2 * made.recording.body_length[0]
        assert frames[:, 0, 0].mean() > 0.85


@pytest.mark.film
def test_turns_mirror_each_other_and_beats_are_those_of_the_species():
    left, right, swims = (loop(Species.load("sardine"), gait) for gait in ("turn_left", "turn_right", "swim"))
    assert left.yaw == -right.yaw > 0.5
    assert left.speed == right.speed
    bends = [tail_bend(of.recording.nodes[:, 0].astype(float)).mean() for of in (left, right)]
    assert abs(bends[0] + bends[1]) < 0.05 * abs(bends[0])
    bend = tail_bend(swims.recording.nodes[:, 0].astype(float))
    assert np.count_nonzero(np.diff(np.sign(bend - bend.mean()))) == pytest.approx(2 * swims.beats, abs=1)
    repertoire = remembered(Species.load("sardine").alike)
    seconds = repertoire.seconds[repertoire.names.index("swim 0.5")]
    assert (swims.recording.frames - 1) / 24 == pytest.approx(swims.beats * seconds, rel=LOOP_MISFIT)


def test_fins_row_where_the_tail_does_not_beat():
    fins = loop(Species.load("clownfish"), "swim").recording.fins[:, 0].astype(float)
    assert np.ptp(np.sin(fins[..., 2])) > 0.3


@pytest.mark.parametrize(("period", "rates"), [(0.33, [1.25, 1.5]), (1.3, [0.77, -0.39, 0.0]), (0.5, [])])
def test_all_rhythms_fit(period, rates):
    beats, frames = fitting(period, rates, 24.0)
    seconds = frames / 24.0
    assert SHORTEST_LOOP_SECONDS <= seconds <= LONGEST_LOOP_SECONDS + period
    assert seconds == pytest.approx(beats * period, rel=LOOP_MISFIT)
    for rate in filter(None, rates):
        cycles = abs(rate) * seconds
        assert round(cycles) / cycles == pytest.approx(1.0, abs=LOOP_MISFIT)


def test_what_fits_nowhere_is_bent_as_little_as_can_be():
    beats, frames = fitting(5.0, [0.31], 24.0)
    assert (beats, frames) == (1, 120)


def test_other_gaits_are_refused():
    with pytest.raises(SceneError, match="found 'hop', allowed one of swim, glide, turn_left, turn_right, idle"):
        loop(Species.load("sardine"), "hop")


@pytest.mark.film
@pytest.mark.parametrize("name", ["butterflyfish", "blue_tang", "sardine"])
def test_fins_stroke_as_often_as_where_it_swims(name):
    species = Species.load(name).alike
    made = loop(species, "swim")
    size = (60.0 * species.length,) * 3
    group = FishGroup(species=name, count=1, at=tuple(0.5 * x for x in size))
    swims = Scene("swims", 24.0, 30.0, tank=Tank(size=size), fishes=(group,))
    commands = Commands.still(1)
    commands.swim[:] = LOOP_PACE
    world = World(swims, pilot=lambda t, _: commands, species={name: species})
    seen = world.simulate(frames=720).fins[-240:, 0, 0, 1].astype(float)
    looped = made.recording.fins[:-1, 0, 0, 1].astype(float)
    assert np.ptp(looped) == pytest.approx(np.ptp(seen), rel=0.1)
    rates = []
    for flap, seconds in ((seen, 10.0), (looped, len(looped) / 24.0)):
        middle = flap - 0.5 * (flap.max() + flap.min())
        rates.append(np.count_nonzero(np.diff(np.sign(middle)) > 0) / seconds)
    assert rates[1] == pytest.approx(rates[0], abs=0.5 / SHORTEST_LOOP_SECONDS)  # whole strokes, in a loop so short
