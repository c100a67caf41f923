"""One fish is simulated anew and the others do again what they did."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from artfish.core import Commands, Recording, Scene, SceneError, World, resimulate
from artfish.core.recording import ARRAYS
from artfish.core.studio.replay import FISH_ARRAYS, PARTICLE_ARRAYS

HUNTS = {"hunger": 1.0, "handling": 0.0, "confusion": 0.0, "strike": 0.0}  # runs down what it aims at among many
SCENE = {
    "tank": {"size": [5, 4, 2.5]},
    "fishes": [
        {"species": "grouper", "at": [1.5, 2, 1.2], "heading": [1, 0, 0], "mind": HUNTS},
        {
            "species": "cardinalfish",
            "count": 8,
            "at": [2.6, 2, 1.2],
            "spread": 0.4,
            "mind": {"hunger": 1.0, "D0": 0.0},
        },
    ],
    "plankton": {"count": 60, "at": [3, 2, 1.2], "spread": 0.8, "growth": 1.0},
}
GROUPER, SEED, FRAMES = 0, 5, 120
VICTIM = 5  # whom the grouper eats


@pytest.fixture(scope="module")
def recording() -> Recording:
    """The grouper soon eats 5; others eat plankton later."""
    recording = World(Scene.from_dict(SCENE), seed=SEED).simulate(FRAMES)
    meal = recording.events[0]
    assert (meal["kind"], meal["fish"], meal["other"]) == ("eaten", GROUPER, VICTIM) and 8 < meal["frame"] < 40
    return recording


@pytest.fixture
def eaten(recording) -> int:
    """The frame in which it does."""
    return recording.events[0]["frame"]


def others_the_same(anew: Recording, recording: Recording, fish: int, names: list[str] = FISH_ARRAYS) -> bool:
    others = np.arange(len(recording.species)) != fish
    return all(np.array_equal(getattr(anew, name)[:, others], getattr(recording, name)[:, others]) for name in names)


def told(recording: Recording, fish: int) -> list[dict]:
    """Events in which a fish takes no part."""
    return [e for e in recording.events if e["fish"] != fish and (e["kind"] == "fed" or e["other"] != fish)]


@pytest.mark.film
@pytest.mark.parametrize(
    ("fish", "frame"), [(6, 30), *(pytest.param(*case, marks=pytest.mark.large) for case in ((0, 0), (4, FRAMES - 1)))]
)
def test_with_nothing_changed_all_happens_again_to_the_bit(recording, fish, frame):
    anew = resimulate(recording, fish, frame, seed=SEED)
    for name in ARRAYS:
        assert np.array_equal(getattr(anew, name), getattr(recording, name)), name
    assert anew.events == recording.events


@pytest.mark.film
def test_a_sated_predator_does_otherwise_and_the_others_the_same(recording, eaten):
    anew = resimulate(recording, GROUPER, 3, seed=SEED, change={"mind": {"hunger": 0.0, "p0": 0.0, "alpha_h": 0.0}})
    assert others_the_same(anew, recording, GROUPER)
    assert np.array_equal(anew.nodes[:4], recording.nodes[:4])
    assert not np.allclose(anew.nodes[60:, GROUPER], recording.nodes[60:, GROUPER], atol=0.1)
    later = eaten + 9
    assert recording.hunger[later, GROUPER] > 0.3 > anew.hunger[later, GROUPER]
    # It eats nobody; whom it had eaten is gone all the same, for nothing else was recorded.
    assert told(anew, GROUPER) == anew.events == told(recording, GROUPER)
    assert not anew.alive[later:, VICTIM].any()


@pytest.mark.film
def test_a_predator_that_was_sated_eats_and_who_is_eaten_is_gone():
    sated = {**SCENE, "fishes": [{**SCENE["fishes"][0], "mind": {**HUNTS, "hunger": 0.0}}, SCENE["fishes"][1]]}
    recording = World(Scene.from_dict(sated), seed=1).simulate(FRAMES)
    assert recording.alive.all()
    anew = resimulate(recording, GROUPER, 0, seed=1, change={"mind": HUNTS})
    eaten = {event["other"]: event["frame"] for event in anew.events if event["kind"] == "eaten"}
    assert eaten
    assert others_the_same(anew, recording, GROUPER, [name for name in FISH_ARRAYS if name != "alive"])
    for fish in range(1, 9):
        assert np.array_equal(anew.alive[:, fish], np.arange(FRAMES) < eaten.get(fish, FRAMES))
    for event in anew.events:
        assert event["frame"] <= eaten.get(event["fish"], FRAMES)


@pytest.mark.film
def test_prey_that_goes_elsewhere_is_not_eaten_and_its_hunter_does_not_mind():
    def away(t: float, world: World) -> Commands:
        commands = Commands.still(9)
        commands.swim[:], commands.turn[:], commands.climb[:] = 1.0, -2.0, 0.4
        return commands

    prey = {**SCENE["fishes"][1], "at": [3.4, 2, 1.2], "spread": 0.6}
    scene = Scene.from_dict({**SCENE, "fishes": [SCENE["fishes"][0], prey]})
    for seed in range(2, 8):  # of the first, it catches one that begins too near to get away
        recording = World(scene, seed=seed).simulate(80)
        if eaten := [event["other"] for event in recording.events if event["kind"] == "eaten"]:
            break
    victim = eaten[0]
    anew = resimulate(recording, victim, 0, seed=seed, pilot=away)
    assert not recording.alive[-1, victim] and anew.alive[:, victim].all()
    assert others_the_same(anew, recording, victim)
    assert told(anew, victim) == anew.events == told(recording, victim)
    assert len(anew.events) == len(recording.events) - 1


@pytest.mark.film
def test_a_recorded_mouth_swallows_who_swims_into_it(eaten):
    """Fish 7, held where the victim was when it was eaten, is eaten in its place."""
    before = eaten - 2
    scene = Scene.from_dict(SCENE)
    world = World(scene, seed=SEED)
    while world.frame < before:
        world.step()
    held = world.shoal.nodes[[VICTIM]], world.shoal.node_velocities[[VICTIM]]
    world.shoal.pose(np.array([7]), *held)
    story = World(scene, seed=SEED).simulate(FRAMES)
    nodes = story.nodes.copy()
    nodes[before, 7] = nodes[before, VICTIM]
    moved = dataclasses.replace(story, nodes=nodes)
    anew = resimulate(moved, 7, before, world=world)
    assert not anew.alive[eaten + 3, 7]
    assert {event["fish"] for event in anew.events if event["kind"] == "eaten" and event["other"] == 7} == {GROUPER}
    assert others_the_same(anew, moved, 7)


@pytest.mark.long
@pytest.mark.film
def test_other_dice_another_story_of_one_fish(recording):
    stories = [resimulate(recording, 1, 20, seed=SEED, luck=luck) for luck in (1, 2, 2)]
    assert others_the_same(stories[1], recording, 1)
    assert np.array_equal(stories[1].nodes, stories[2].nodes)
    assert not np.allclose(stories[1].nodes[-1, 1], recording.nodes[-1, 1], atol=1e-5)
    assert stories[0].events[:1] == recording.events[:1]


@pytest.mark.film
def test_its_food_comes_back_no_sooner_than_the_recording_has_it(recording):
    greedy = resimulate(recording, 4, 0, seed=SEED, change={"mind": {"persistence": 100.0}}, luck=3)
    for event in greedy.events:
        if event["kind"] == "fed" and event["fish"] == 4:
            assert not greedy.plankton_alive[event["frame"], event["other"]]
    assert (greedy.plankton_alive <= recording.plankton_alive).all()
    near = np.linalg.norm(greedy.plankton - recording.plankton, axis=-1) > 0
    ate = {event["other"] for event in greedy.events if event["fish"] == 4}
    assert near.any(axis=0).sum() <= 10 and greedy.plankton_alive[:, sorted(ate)].all(axis=0).sum() == 0


def test_food_that_is_fed_later_has_room_in_memories_too():
    group = {"species": "sardine", "count": 2, "at": [0.8, 0.8, 0.6], "spread": 0.2, "visual_memory": {}}
    world = World(Scene.from_dict({"tank": {"size": [4, 3, 1.2]}, "fishes": [group]}), seed=2)
    run = world.run(8)
    for _ in range(6):
        next(run)
    world.feed((3.0, 1.0, 0.5), count=4)
    with pytest.raises(StopIteration) as end:
        while True:
            next(run)
    recording = end.value.value
    again = resimulate(recording, 0, 4, seed=2)
    assert recording.plankton.shape[1] >= 4 and np.array_equal(again.nodes, recording.nodes)


@pytest.mark.film
def test_it_begins_from_a_saved_world(recording, tmp_path):
    world = World(Scene.from_dict(SCENE), seed=SEED)
    world.simulate(31)
    world.save(tmp_path / "world.npz")
    recording = recording.until(60)
    change = {"habits": {"schooling": True}, "type": "pacifist"}
    saved = World.load(tmp_path / "world.npz")
    before = saved.nodes
    told_twice = [
        resimulate(recording, 3, 30, **how, change=change)
        for how in ({"seed": SEED}, {"world": saved}, {"world": saved})
    ]
    for anew in told_twice[1:]:
        assert all(
            np.array_equal(getattr(anew, name), getattr(told_twice[0], name))
            for name in (*FISH_ARRAYS, *PARTICLE_ARRAYS)
        )
    assert np.array_equal(saved.nodes, before)


@pytest.mark.film
def test_a_second_run_s_recording_is_replayed_too():
    world = World(Scene.from_dict({**SCENE, "preroll": 0.5}), seed=SEED)
    world.simulate(10)
    other = World(Scene.from_dict({**SCENE, "preroll": 0.5}), seed=SEED)
    other.simulate(15)
    second = world.simulate(20)
    anew = resimulate(second, 2, 4, world=other)
    assert all(np.array_equal(getattr(anew, name), getattr(second, name)) for name in (*FISH_ARRAYS, *PARTICLE_ARRAYS))
    assert anew.events == second.events


def test_piloted_fishes_are_replayed_too():
    scene = Scene.from_dict({"fishes": [{"species": "sardine", "count": 3, "at": [5, 4, 2], "spread": 1}]})

    def flown(swim: float):
        def pilot(t: float, world: World) -> Commands:
            commands = Commands.still(3)
            commands.swim[:] = swim
            return commands

        return pilot

    recording = World(scene, pilot=flown(0.5)).simulate(24)
    begun = World(scene, pilot=flown(0.5))
    assert np.array_equal(resimulate(recording, 1, world=begun).nodes, recording.nodes)
    anew = resimulate(recording, 1, world=begun, pilot=flown(1.0))
    assert others_the_same(anew, recording, 1)
    assert np.linalg.norm(anew.nodes[-1, 1] - recording.nodes[-1, 1], axis=-1).min() > 0.01


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"fish": 9}, "fish: found 9, allowed 0 to 8"),
        ({"frame": -1}, f"frame: found -1, allowed 0 to {FRAMES - 1}"),
        ({"fish": VICTIM, "frame": 50}, f"fish: found {VICTIM}, dead in frame 50, allowed one that is alive then"),
        ({"seed": 7}, "seed: found 7, allowed what the recording was made of, standing at frame 0 of it"),
        ({"change": {"size": 2.0}}, "change.size: found a key that may not change, allowed habits, mind, type"),
        ({"change": {"mind": {"hunger": 2.0}}}, r"change: fishes\[0\].mind.hunger: found 2.0, allowed"),
    ],
)
def test_what_cannot_be_is_one_line(recording, how, message):
    with pytest.raises(SceneError, match=message):
        resimulate(recording, **{"fish": 1, "seed": SEED, **how})
