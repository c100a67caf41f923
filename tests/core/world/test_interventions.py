"""A world that runs is acted upon: feelings, food, frights, other settings; and all of it is saved."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from artfish.core import Recording, Scene, SceneError, Species, World
from artfish.core.behavior.intention import ENABLED, ESCAPE
from artfish.core.behavior.tuning import MOOD_FADING_SECONDS
from artfish.core.perception.tuning import PASSED_ON_FRIGHT
from artfish.core.scene.ride import HelmOrder, Ride
from artfish.core.world.persistence import states_of

SCENE = {
    "tank": {"size": [8, 6, 3]},
    "fishes": [
        {"species": "sardine", "count": 6, "at": [3, 3, 1.5], "spread": 0.8, "mind": {"hunger": 0.2}},
        {
            "species": "clownfish",
            "type": "pacifist",
            "sex": "male",
            "size": 1.8,
            "at": [6, 2, 1.2],
            "mind": {"hunger": 0},
        },
        {
            "species": "clownfish",
            "type": "pacifist",
            "sex": "female",
            "size": 2.2,
            "at": [6, 3, 1.2],
            "mind": {"hunger": 0},
        },
    ],
}


def scene(**more) -> Scene:
    return Scene.from_dict({**SCENE, **more})


def run(world: World, frames: int) -> None:
    for _ in range(frames):
        world.step()


@pytest.mark.film
def test_who_is_made_to_feel_something_feels_it_at_once_and_it_wears_off_as_nature_has_it():
    world, nature = World(scene(), seed=1), World(scene(), seed=1)
    for each in (world, nature):
        run(each, 30)
    world.feel(0, hunger=0.9)
    world.feel([6, 7], libido=1.0)
    world.feel(1, fear=0.8)
    feelings = world.parts.minds.decision.feelings
    assert feelings.hunger[0] == pytest.approx(0.9)
    assert feelings.libido[6:8] == pytest.approx(1.0)
    assert feelings.fear[1] == pytest.approx(0.8)
    # What is shown of the others is felt anew now, not when the next of them takes thought.
    assert feelings.hunger[1:] == pytest.approx(nature.parts.minds.decision.feelings.hunger[1:], abs=1e-3)
    run(world, 120)
    assert feelings.hunger[0] >= 0.9  # nobody fed it
    assert feelings.libido[6:8].min() > 0.9
    # Told anew twice a second; and its mates, which it frightens, may frighten it in turn, once.
    fades = np.exp(-120 / 24 / MOOD_FADING_SECONDS[2])
    assert 0.8 * fades - 0.05 <= feelings.fear[1] <= PASSED_ON_FRIGHT * np.exp(-4.5 / MOOD_FADING_SECONDS[2]) + 0.05
    world.feel(0, hunger=0.0)
    assert feelings.hunger[0] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.long
@pytest.mark.film
def test_libido_can_be_given_to_who_has_none_by_nature():
    """The book's formula leaves a starving fish without any, and p1 = 0 a fish of no libido at all."""
    fishes = [
        {"species": "clownfish", "at": [4, 3, 1], "mind": {"hunger": 1.0}},
        {"species": "clownfish", "at": [2, 3, 1], "mind": {"p1": 0.0}},
    ]
    world = World(Scene.from_dict({"fishes": fishes}), seed=1)
    world.feel([0, 1], libido=0.7)
    assert world.parts.minds.decision.feelings.libido == pytest.approx([0.7, 0.7])
    run(world, int(24 * 2.2 * MOOD_FADING_SECONDS[1]))
    assert (world.parts.minds.decision.feelings.libido < 0.1).all()


@pytest.mark.film
def test_raised_libido_starts_a_courtship():
    world = World(scene(), seed=1)
    quiet = world.simulate(5 * 24)
    world.feel([6, 7], libido=1.0)
    told = world.simulate(12 * 24)
    assert any(event["kind"] == "courtship" for event in told.events)
    assert not any(event["kind"] == "courtship" for event in quiet.events)


@pytest.mark.film
def test_food_can_be_dropped_where_there_was_none_and_is_eaten():
    world = World(scene(), seed=2)
    run(world, 24)
    world.feel(range(6), hunger=1.0)
    middle = world.nodes[:6].mean(axis=(0, 1))
    rows = world.feed(middle, 20, spread=0.2)
    place = world.parts.water.plankton.place[rows]
    assert len(set(rows.tolist())) == 20 and world.parts.water.plankton.alive[rows].all()
    assert np.linalg.norm(place - middle, axis=1).max() <= 0.2
    recording = world.simulate(12 * 24)
    fed = [event["other"] for event in recording.events if event["kind"] == "fed"]
    assert len(fed) >= 3 and set(fed) <= set(rows.tolist())  # five to twelve over twelve seeds
    assert recording.plankton_alive[0].sum() == 20
    assert recording.plankton_alive[-1].sum() == 20 - len(fed)


def test_dropped_food_takes_the_place_of_what_was_eaten_before_more_is_made():
    world = World(scene(plankton={"count": 10}), seed=2)
    first = world.feed([4, 3, 1], 30)
    assert first.min() == 10
    world.parts.water.plankton.eaten(first)
    assert np.array_equal(world.feed([4, 3, 1], 30), first)
    assert len(set(world.feed([4, 3, 1], 100).tolist()) | set(first.tolist())) == 130


def test_a_recording_grows_where_food_is_dropped_while_it_is_made(tmp_path):
    world = World(scene(plankton={"count": 3}, hook={"at": [4, 3, 1], "start": 0}), seed=2)
    steps = world.run(20)
    told: list[Recording] = []
    for frame in range(30):
        if frame == 12:
            world.feed([4, 3, 1], 5)
        try:
            next(steps)
        except StopIteration as end:
            told.append(end.value)
            break
    recording = told[0]
    assert recording.plankton_alive[:12, 3:].sum() == 0
    assert (recording.plankton_alive[12:].sum(axis=1) == 8).all()
    recording.save(tmp_path / "rec.npz")
    assert Recording.load(tmp_path / "rec.npz").plankton.shape == recording.plankton.shape


@pytest.mark.film
def test_frightened_fishes_flee_from_the_place_and_others_do_not():
    world, nature = World(scene(), seed=3), World(scene(), seed=3)
    for each in (world, nature):
        run(each, 24)
    middle = world.nodes.mean(axis=1)
    at = middle[:6].mean(axis=0) + (0.0, 0.0, -0.3)
    who = world.frighten(at, 2.0)
    near = np.linalg.norm(middle - at, axis=1)
    assert np.array_equal(who, np.flatnonzero(near < 2.0)) and set(range(6)) <= set(who.tolist())
    assert (world.parts.minds.decision.feelings.fear[who] >= 0.3).all()  # f0, above which it acts
    fled = np.zeros(8, dtype=bool)
    for _ in range(96):
        world.step()
        fled |= world.parts.minds.decision.generator.intention == ESCAPE
    run(nature, 96)
    away, left = (np.linalg.norm(of.nodes.mean(axis=1) - at, axis=1) for of in (world, nature))
    assert fled[:6].any()
    assert not fled[~ENABLED[world.characters.types, ESCAPE]].any()
    assert away[:6].mean() > max(near[:6].mean(), left[:6].mean()) + 0.3
    run(world, 24 * 20)
    assert (world.parts.minds.decision.feelings.fear == 0).all()


def test_predators_fear_nothing():
    world = World(Scene.from_dict({"fishes": [{"species": "grouper", "at": [4, 3, 1]}]}))
    assert not len(world.frighten([4, 3, 1], 5.0))


@pytest.mark.film
def test_all_of_it_is_saved(tmp_path):
    world = World(scene(), seed=4)
    run(world, 20)
    world.feel(0, hunger=1.0)
    world.feel(3, libido=0.8, fear=0.5)
    world.feed([3, 3, 1.5], 15)
    world.frighten([3, 3, 1], 1.0)
    world.retune(fluid_viscosity=0.8)
    run(world, 5)
    world.save(tmp_path / "world.npz")
    again = World.load(tmp_path / "world.npz")
    first, second = world.simulate(36), again.simulate(36)
    assert first.events == second.events
    for name in ("nodes", "hunger", "libido", "fear", "plankton", "plankton_alive", "food"):
        assert np.array_equal(getattr(first, name), getattr(second, name)), name


@pytest.mark.film
def test_retuning_to_the_same_changes_no_bit():
    """Not even with everything there is in the water; so a change changes nothing but what follows from it."""
    world, left = World(Scene.load("cousto"), seed=2), World(Scene.load("cousto"), seed=2)
    for each in (world, left):
        run(each, 20)
    world.retune()
    first, second = world.simulate(12), left.simulate(12)
    for what in ("nodes", "plankton", "seaweed", "bubbles", "hunger", "intention"):
        assert np.array_equal(getattr(first, what), getattr(second, what)), what


def test_directions_go_on_unless_they_are_changed():
    """A leg that was begun is kept where nothing of it was changed; else all begins anew, from what is asked then."""
    along = [{"kind": "curve", "points": [[3, 3, 1.5], [6, 3, 1.5], [6, 5, 1.5]], "duration": 6.0, "fishes": 0}]
    back = [{**along[0], "points": along[0]["points"][::-1]}]
    world, left, fresh = (World(scene(direction=along), seed=1) for _ in range(3))
    run(world, 30)
    run(left, 30)
    world.retune()
    now, begun = states_of(world.parts)["direction"], states_of(left.parts)["direction"]
    assert all(np.array_equal(now[name], begun[name], equal_nan=True) for name in begun)
    anew = states_of(fresh.parts)["direction"]
    assert not all(np.array_equal(begun[name], anew[name], equal_nan=True) for name in begun), "it had begun"
    world.retune(direction=scene(direction=back).direction)
    now = states_of(world.parts)["direction"]
    assert all(np.array_equal(now[name], anew[name], equal_nan=True) for name in anew)


def test_the_current_can_be_switched_on_and_off():
    stream = [{"kind": "uniform", "direction": [1, 0, 0], "strength": 0.3}]
    still = scene(plankton={"count": 50, "at": [3, 3, 1.5], "spread": 0.3})
    world = World(still, seed=1)
    flowing = scene(plankton={"count": 50, "at": [3, 3, 1.5], "spread": 0.3}, current=stream)

    def drifted() -> float:
        before = world.parts.water.plankton.place[:, 0].mean()
        run(world, 24)
        return world.parts.water.plankton.place[:, 0].mean() - before

    assert abs(drifted()) < 0.05
    world.retune(current=flowing.current)
    assert drifted() == pytest.approx(0.3, abs=0.05)
    world.retune(current=())
    assert abs(drifted()) < 0.05


def test_temper_habits_and_species_can_change_while_it_runs():
    world = World(scene(), seed=1)
    run(world, 12)
    groups = world.scene.fishes
    quiet = replace(groups[0], habits=replace(groups[0].habits, schooling=False, darkness=True))
    before = world.nodes.copy()
    world.retune(fishes=(quiet, *groups[1:]))
    assert not world.characters.schooling[:6].any() and (world.characters.light[:6] == -1).all()
    assert np.array_equal(world.nodes, before)
    sardine = Species.load("sardine")
    lazy = replace(sardine, temperament=replace(sardine.temperament, cruise=0.1))
    world.retune(species={"sardine": lazy})
    assert (world.characters.temperament["cruise"][:6] == 0.1).all()
    assert world.simulate(2).species_models["sardine"].temperament.cruise == 0.1


@pytest.mark.parametrize(
    ("act", "line"),
    [
        (lambda world: world.feel(9, hunger=0.5), "fish: found 9, allowed 0 to 7"),
        (lambda world: world.feel(0, hunger=1.5), "hunger: found 1.5, allowed 0 to 1"),
        (lambda world: world.feed([1, 2], 3), "at: found [1, 2], allowed three numbers in metres"),
        (lambda world: world.feed([1, 2, float("nan")], 3), "at: found [1, 2, NaN], allowed three numbers in metres"),
        (lambda world: world.feed([1, 2, 1], 0), "count: found 0, allowed 1 to 10000"),
        (lambda world: world.frighten([1, 2, 1], -1), "radius: found -1, allowed 0 to 10000"),
        (lambda world: world.retune(fishes=()), "fishes: found other species or numbers of them, allowed the same"),
        (lambda world: world.retune(fps=25.0), "fps: found 25, allowed 24"),
    ],
)
def test_what_cannot_be_is_one_line(act, line):
    with pytest.raises(SceneError) as error:
        act(World(scene()))
    assert str(error.value).startswith(line)


RIDE = Ride(at=(1.0, 3.0, 1.5), length=0.4)


def test_orders_given_by_hand_sail_as_those_of_a_ride():
    given = [(4, "accelerate", 1.0), (8, "left", 0.5), (12, "left", 0.0), (12, "dive", 1.0)]
    orders = tuple(HelmOrder(time=frame / 24, order=order, amount=amount) for frame, order, amount in given)
    scripted, by_hand = World(scene(ride=replace(RIDE, orders=orders)), seed=1), World(scene(ride=RIDE), seed=1)
    for frame in range(24):
        for at, order, amount in given:
            if at == frame:
                by_hand.order(order, amount)
        scripted.step()
        by_hand.step()
    assert np.array_equal(scripted.submarine.pose, by_hand.submarine.pose)
    assert np.array_equal(scripted.nodes, by_hand.nodes)


@pytest.mark.parametrize(
    ("order", "amount", "complaint"),
    [("jump", 1.0, "order: found 'jump'"), ("left", 2.0, "amount: found 2"), ("left", "hard", "amount: found 'hard'")],
)
def test_an_order_that_is_none_is_refused(order, amount, complaint):
    with pytest.raises(SceneError) as error:
        World(scene(ride=RIDE)).order(order, amount)
    assert complaint in str(error.value)


@pytest.mark.parametrize("ride", [None, replace(RIDE, start=1.0), replace(RIDE, end=0.0)])
def test_nobody_obeys_without_a_submarine(ride):
    with pytest.raises(SceneError, match="no submarine"):
        World(replace(scene(), ride=ride)).order("rise")


def test_a_ride_begins_in_a_running_world_and_goes_on_with_what_was_ordered():
    world = World(scene(), seed=1)
    run(world, 5)
    begun = replace(RIDE, start=world.t)
    world.retune(ride=begun)
    world.order("accelerate")
    run(world, 12)
    pose = world.submarine.pose
    orders = (HelmOrder(time=begun.start, order="accelerate"), HelmOrder(time=world.t + 0.5, order="full_stop"))
    world.retune(ride=replace(begun, orders=orders))
    assert np.array_equal(world.submarine.pose, pose) and pose[0] > RIDE.at[0]
    again = World(scene(ride=replace(begun, orders=orders)), seed=1)
    run(again, world.frame)
    assert np.array_equal(again.submarine.pose, pose)
    for each in (world, again):
        run(each, 24)
    assert np.array_equal(world.submarine.pose, again.submarine.pose)
    assert np.array_equal(world.nodes, again.nodes)
