"""A rehearsal shows what a plain run shows, goes back to the bit, and goes on otherwise where it is interfered with."""

import numpy as np
import pytest

from artfish.core import Scene, SceneError, World
from artfish.core.recording import ARRAYS
from artfish.core.scene.ride import Ride
from artfish.core.studio import rehearsal as module
from artfish.core.studio.rehearsal import Act, BreakdownError, Rehearsal

SCENE = {
    "name": "rehearsed",
    "preroll": 0.25,
    "tank": {"size": [4, 4, 2]},
    "plankton": {"count": 20},
    "fishes": [
        {"species": "clownfish", "count": 4, "at": [2, 2, 1], "spread": 0.8},
        {"species": "blue_tang", "count": 2, "at": [2, 2, 1], "spread": 0.8},
    ],
}
FRAMES = 60


def scene() -> Scene:
    return Scene.from_dict(SCENE)


def same(one, other, frames: int) -> bool:
    """True if two recordings hold the same bits in these frames."""
    return all(
        np.array_equal(getattr(one, name)[:frames], getattr(other, name)[:frames])
        for name, held in ARRAYS.items()
        if held.shape[0] == "frames" and not name.startswith("plankton")
    )


def feed(world: World) -> None:
    """Drops food into the water, with a splash that frightens."""
    world.feed((2.0, 2.0, 1.0))
    world.frighten((2.0, 2.0, 1.0), 3.0)


@pytest.fixture(scope="module")
def plain():
    return World(scene(), seed=3).simulate(FRAMES)


@pytest.mark.film
def test_without_acts_it_is_the_run(plain):
    rehearsal = Rehearsal(scene(), seed=3)
    assert rehearsal.advance(FRAMES - 1)
    recording = rehearsal.recording()
    assert recording.frames == FRAMES
    assert same(recording, plain, FRAMES)
    assert recording.events == plain.events
    assert np.array_equal(rehearsal[7]["nodes"], plain.nodes[7])


def test_stops_when_time_is_up():
    rehearsal = Rehearsal(scene(), seed=3)
    assert rehearsal.ahead == 6
    steps = 0
    while not rehearsal.advance(2, seconds=0.0):
        steps += 1
    # The last of six frames of pre-roll leads to the first frame.
    assert steps == 6 + 1
    with pytest.raises(IndexError, match="found 3, allowed 0 to 2"):
        rehearsal[3]


@pytest.mark.film
def test_acting_at_an_earlier_frame_drops_what_follows_and_is_as_if_done_in_time(plain):
    late, early = Rehearsal(scene(), seed=3), Rehearsal(scene(), seed=3)
    late.advance(FRAMES - 1)
    late.act(30, feed)
    assert late.frames == 31
    early.advance(30)
    early.act(30, feed)
    for rehearsal in (late, early):
        rehearsal.advance(FRAMES - 1)
    assert same(late.recording(), early.recording(), FRAMES)
    assert np.array_equal(late.recording().plankton, early.recording().plankton)
    assert same(late.recording(), plain, 30)
    assert not same(late.recording(), plain, FRAMES)
    assert late.recording().plankton.shape[1] > plain.plankton.shape[1]


@pytest.mark.film
def test_taking_an_act_back_is_as_if_it_had_never_been_done(plain):
    rehearsal = Rehearsal(scene(), seed=3)
    rehearsal.advance(10)
    rehearsal.act(10, feed)
    rehearsal.advance(40)
    done = rehearsal.recording().nodes.copy()
    acts = rehearsal.acts
    rehearsal.lead(())
    assert rehearsal.frames <= 11
    rehearsal.advance(FRAMES - 1)
    assert same(rehearsal.recording(), plain, FRAMES)
    rehearsal.lead(acts)
    rehearsal.advance(40)
    assert np.array_equal(rehearsal.recording().nodes, done)


@pytest.mark.film
def test_acts_that_change_the_scene_are_taken_back_too(plain):
    rehearsal = Rehearsal(scene(), seed=3)
    rehearsal.advance(30)
    rehearsal.act(30, lambda world: world.retune(fluid_viscosity=0.3))
    rehearsal.act(30, lambda world: world.steer(0, None))
    rehearsal.advance(FRAMES - 1)
    assert rehearsal.world.scene.fluid_viscosity == 0.3
    rehearsal.lead(())
    rehearsal.advance(FRAMES - 1)
    assert rehearsal.world.scene.fluid_viscosity == 1.0
    assert same(rehearsal.recording(), plain, FRAMES)


@pytest.mark.film
@pytest.mark.parametrize("frame", [20, 40])
def test_what_the_world_refuses_leaves_everything_as_it_was(plain, frame):
    rehearsal = Rehearsal(scene(), seed=3)
    rehearsal.advance(40)
    with pytest.raises(SceneError, match="hunger: found 7, allowed 0 to 1"):
        rehearsal.act(frame, lambda world: world.feel(0, hunger=7))
    assert not rehearsal.acts
    rehearsal.advance(FRAMES - 1)
    assert same(rehearsal.recording(), plain, FRAMES)


def test_memory_for_moments_is_bounded(monkeypatch, plain):
    rehearsal = Rehearsal(scene(), seed=3)
    rehearsal.advance(0)
    room = 3 * rehearsal._moments[0].size
    monkeypatch.setattr(module, "MOMENTS_BYTES", room)
    rehearsal._every = 4
    rehearsal.advance(50)
    assert sum(moment.size for moment in rehearsal._moments.values()) <= room
    rehearsal.lead((Act(45, feed),))
    rehearsal.lead(())
    rehearsal.advance(FRAMES - 1)
    assert same(rehearsal.recording(), plain, FRAMES)


def test_memory_for_frames_is_bounded(monkeypatch):
    rehearsal = Rehearsal(scene(), seed=3)
    rehearsal.advance(5)
    monkeypatch.setattr(module, "FRAMES_BYTES", 0)
    assert not rehearsal.advance(6)
    assert rehearsal.full and rehearsal.frames == 6


def test_a_world_whose_numbers_break_down_stands_at_the_last_frame_that_is_there(plain, monkeypatch):
    rehearsal, step = Rehearsal(scene(), seed=3), World.step

    def break_down(world, *given):
        step(world, *given)
        if world.frame == 30:
            raise FloatingPointError("overflow encountered in multiply")

    monkeypatch.setattr(World, "step", break_down)
    for _ in range(2):
        with pytest.raises(BreakdownError) as broken:
            rehearsal.advance(FRAMES - 1)
        assert broken.value.frame == 29
        assert rehearsal.frames == 30
    monkeypatch.undo()
    rehearsal.advance(FRAMES - 1)
    assert same(rehearsal.recording(), plain, FRAMES)


def test_a_dive_is_wound_back_and_begun_anew():
    scene = Scene.from_dict({"fishes": [{"species": "sardine", "count": 2, "at": [6, 4, 2], "spread": 1}]})
    rehearsal = Rehearsal(scene, seed=1)
    rehearsal.advance(6)
    ride = Ride(at=(5, 4, 2), start=6 / 24)
    rehearsal.act(6, lambda world: world.retune(ride=ride))
    rehearsal.act(6, lambda world: world.order("accelerate"))
    rehearsal.advance(30)
    dived = rehearsal.recording().submarine.copy()
    assert not dived[:6].any() and dived[6, 0] == 5 and dived[-1, 0] > 5.1
    rehearsal.act(20, lambda world: world.order("full_stop"))
    rehearsal.advance(30)
    stopped = rehearsal.recording().submarine
    assert (stopped[:21] == dived[:21]).all() and stopped[-1, 0] < dived[-1, 0]
    rehearsal.lead(())
    rehearsal.advance(10)
    assert not rehearsal.recording().submarine.any()


@pytest.mark.film
def test_frames_that_were_simulated_ahead_are_the_same(plain):
    rehearsal = Rehearsal(scene(), seed=3)
    for frame in range(FRAMES):
        assert rehearsal.advance(frame)
        rehearsal.look_ahead()
        assert rehearsal.frames == frame + 1 == rehearsal.recording().frames
        assert all(event["frame"] <= frame for event in rehearsal.recording().events)
    assert same(rehearsal.recording(), plain, FRAMES)


@pytest.mark.film
def test_what_is_done_meanwhile_is_done_to_the_frame_that_is_shown():
    one, other = Rehearsal(scene(), seed=3), Rehearsal(scene(), seed=3)
    for frame in range(FRAMES):
        for rehearsal in (one, other):
            rehearsal.advance(frame)
        one.look_ahead()
        if frame in (5, 6, 40):
            for rehearsal in (one, other):
                rehearsal.act(frame, feed)
        if frame == 50:
            assert one.world.frame == other.world.frame == 50
    assert same(one.recording(), other.recording(), FRAMES)
    assert one.recording().events == other.recording().events


def test_a_frame_that_cannot_be_is_found_out_where_it_is_needed(monkeypatch):
    rehearsal, step = Rehearsal(scene(), seed=3), World.step
    rehearsal.advance(2)

    def fail(world: World) -> None:
        step(world)
        if world.frame == 3:
            raise FloatingPointError

    monkeypatch.setattr(World, "step", fail)
    rehearsal.look_ahead()
    with pytest.raises(BreakdownError):
        rehearsal.advance(3)
    monkeypatch.undo()
    assert rehearsal.frames == 3 and rehearsal.advance(8)
    assert same(rehearsal.recording(), World(scene(), seed=3).simulate(9), 9)


def test_a_picture_of_the_next_frame_is_made_of_what_is_recorded_of_it():
    rehearsal = Rehearsal(scene(), seed=3)
    rehearsal.advance(1)
    rehearsal.look_ahead(lambda arrays: arrays["nodes"].copy())
    assert rehearsal.picture(1) is None and rehearsal.advance(2)
    assert np.array_equal(rehearsal.picture(2), rehearsal[2]["nodes"])
    rehearsal.act(2, feed)
    assert rehearsal.picture(2) is None
    rehearsal.look_ahead(lambda arrays: arrays["nodes"].copy())
    rehearsal.lead((*rehearsal.acts, Act(3, feed)))  # who is to be drawn then is another
    assert rehearsal.advance(3) and rehearsal.picture(3) is None


def test_what_comes_from_outside_comes_again_and_is_nothing_to_take_back():
    rehearsal = Rehearsal(scene(), seed=3)
    rehearsal.advance(4)
    rehearsal.surround(lambda world: world.feel(0, fear=1.0))
    assert rehearsal.acts == () and rehearsal[4]["fear"][0] < 1.0
    rehearsal.look_ahead()
    rehearsal.surround(lambda world: world.feel(1, fear=1.0))  # too late: the next frame is being made
    rehearsal.advance(6)
    before = rehearsal[6]["fear"].copy()
    assert before[0] > 0.5 > before[1]
    rehearsal.act(2, lambda world: None)
    rehearsal.advance(6)
    assert np.array_equal(rehearsal[6]["fear"], before)


def test_memory_of_a_film_is_there_from_the_first_frame_on_and_grows_after_its_last(monkeypatch):
    monkeypatch.setattr(module, "FIRST_FRAMES", 2)
    rehearsal, film = Rehearsal(Scene.from_dict(SCENE | {"duration": 0.25}), seed=3), 6
    plain = World(scene(), seed=3).simulate(9)
    rehearsal.advance(0)
    first = rehearsal.recording().nodes.base
    rehearsal.advance(film - 1)
    assert rehearsal.recording().nodes.base is first
    rehearsal.advance(8)
    assert rehearsal.recording().nodes.base is not first
    assert same(rehearsal.recording(), plain, 9)


def test_moments_that_were_taken_ahead_are_those_of_the_frame_before_anything_was_done_to_it(monkeypatch):
    one, other = Rehearsal(scene(), seed=3), Rehearsal(scene(), seed=3)
    for rehearsal, looks in ((one, True), (other, False)):
        rehearsal.lead((Act(24, feed),))
        for frame in range(30):
            rehearsal.advance(frame)
            if looks:
                rehearsal.look_ahead()
        rehearsal.act(26, feed)  # goes back to frame 24
        rehearsal.advance(35)
    assert same(one.recording(), other.recording(), 36)
