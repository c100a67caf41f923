"""Fishes do what they are told by themselves: the first instruction whose condition holds."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.behavior.instructions import NOTHING
from artfish.core.perception.vision import blocks

FPS = 24
SHARK = {"species": "reef_shark", "size": 0.6, "at": [9, 5, 1.2], "heading": [-1, 0, 0], "mind": {"hunger": 1.0}}
TANG = {"species": "blue_tang", "type": "prey", "at": [3, 5, 1.2], "mind": {"hunger": 0, "libido": 0}}
ROCKS = [
    {"kind": "cylinder", "name": "rock 1", "at": [4, 5, 0], "radius": 0.6, "height": 2.6},
    {"kind": "cylinder", "name": "rock 2", "at": [4, 7.8, 0], "radius": 1.0, "height": 2.6},
]
MARKS = [{"name": "west", "at": [2, 2, 1.2]}, {"name": "east", "at": [8, 2, 1.2]}]


def world(*instructions: dict, others: tuple = (), seed: int = 1, rocks: bool = False, **changes) -> World:
    tank = {"size": [12, 10, 3]}
    scene = {"tank": tank, "fishes": [{**TANG, **changes}, *others], "marks": MARKS, "duration": 60, "fps": FPS}
    scene |= {"obstacles": ROCKS if rocks else []}
    entries = [{"fishes": 0, **entry} for entry in instructions]
    return World(Scene.from_dict({**scene, "instructions": entries}), seed)


def live(of: World, seconds: float) -> np.ndarray:
    """Places frame after frame in metres, (frames, fish, 3)."""
    places = []
    for _ in range(round(seconds * FPS)):
        of.step()
        places.append(of.parts.bodies.shoal.frames()[0])
    return np.array(places)


def follows(of: World) -> int:
    return int(of.parts.minds.mind.instructions.follows[0])


def near(places: np.ndarray, at: tuple, within: float = 0.8) -> bool:
    return float(np.linalg.norm(places - at, axis=-1).min()) < within


@pytest.mark.film
def test_who_is_threatened_hides_and_stays_out_of_sight():
    of = world({"when": "threatened", "do": "hide"}, others=(SHARK,), rocks=True, at=[3.4, 8.9, 1.2])
    live(of, 1.0)
    unseen = []
    for _ in range(8 * FPS):
        of.step()
        nodes = of.parts.bodies.shoal.nodes
        unseen.append(blocks(nodes[1, :1], nodes[0].mean(axis=0)[None], of.parts.water.obstacles)[0])
        assert of.parts.bodies.shoal.alive[0]
    assert follows(of) == 0 and np.mean(unseen) > 0.5


@pytest.mark.film
def test_nobody_hides_who_is_not_threatened_and_else_comes_then():
    of = world({"when": "threatened", "do": "hide"}, {"when": "else", "do": "go_to", "place": "east"}, rocks=True)
    places = live(of, 30.0)
    assert follows(of) == 1 and near(places[-24:, 0], (8, 2, 1.2))


@pytest.mark.film
def test_who_is_told_to_visit_goes_everywhere_and_begins_again():
    of = world({"do": "visit", "among": ["east", "west", "rock"], "stay": 0.5, "pace": 1.0}, rocks=True)
    live(of, 55.0)
    seen = of.parts.minds.mind.instructions.tasks.visited[:, 0]
    assert not np.isnan(seen).any()


@pytest.mark.film
@pytest.mark.parametrize(("do", "there"), [("go_to", True), ("enter", True), ("leave", False), ("wait", True)])
def test_it_goes_to_a_place_and_stays_or_goes_away_from_it(do, there):
    of = world({"do": do, "place": "west"}, at=[3, 3, 1.2])
    end = live(of, 15.0)[-1, 0]
    gap = np.linalg.norm(end - (2, 2, 1.2))
    assert gap < 1.0 if there else gap > 2.5


@pytest.mark.film
def test_who_waits_hovers_where_it_was():
    of = world({"do": "wait"})
    places = live(of, 8.0)[:, 0]
    assert np.linalg.norm(places[-1] - places[FPS // 2]) < 0.6


@pytest.mark.film
def test_an_instruction_waits_for_its_time():
    of = world({"when": {"kind": "after", "time": 4}, "do": "go_to", "place": "east"})
    live(of, 3.5)
    assert follows(of) == NOTHING
    live(of, 1.5)
    assert follows(of) == 0
    (event,) = (event for event in of.events if event["kind"] == "instructed")
    assert event["fish"] == 0 and event["act"] == "go_to" and 4.0 <= event["frame"] / FPS < 4.6
    assert "does as told: go to" in of.simulate(1).described(event)


@pytest.mark.film
def test_it_does_something_else_once_it_is_there():
    there = {"when": {"kind": "at", "place": "west"}, "do": "wait"}
    of = world(there, {"do": "go_to", "place": "west"}, at=[4, 2, 1.2])
    live(of, 0.8)
    assert follows(of) == 1
    live(of, 12.0)
    assert follows(of) == 0


@pytest.mark.film
def test_it_follows_another_and_leads_another():
    other = {**TANG, "at": [7, 7, 1.2]}
    of = world({"do": "follow", "whom": 1, "radius": 0.8, "pace": 1.0}, others=(other,))
    last = live(of, 25.0)[-1]
    assert np.linalg.norm(last[0] - last[1]) < 2.0
    both = ({"do": "lead", "whom": 1, "place": "east", "radius": 1.5},)
    of = world(*both, others=({**other, "at": [3.6, 5, 1.2]},))
    entry = {"fishes": 1, "do": "follow", "whom": 0, "radius": 0.6, "pace": 1.0}
    scene = of.scene.to_dict()
    of = World(Scene.from_dict({**scene, "instructions": [*scene["instructions"], entry]}), 1)
    last = live(of, 50.0)[-1]
    assert near(last[0], (8, 2, 1.2), 1.2) and np.linalg.norm(last[0] - last[1]) < 2.5


@pytest.mark.film
def test_a_guard_drives_off_who_comes_near():
    visitor = {**TANG, "species": "butterflyfish", "at": [2.6, 2, 1.2]}
    guarded = world({"do": "guard", "place": "west", "radius": 1.5}, others=(visitor,), at=[2, 3, 1.2])
    moods = guarded.parts.minds.decision.feelings.mood
    frights = []
    for _ in range(12 * FPS):
        guarded.step()
        frights.append(float(moods.fright[1]))
    places = guarded.parts.bodies.shoal.frames()[0]
    assert max(frights) > 0.9 and np.linalg.norm(places[1] - (2, 2, 1.2)) > 1.3


@pytest.mark.film
def test_who_swaps_sides_ends_where_the_other_was():
    other = {**TANG, "at": [6, 5, 1.2], "heading": [-1, 0, 0]}
    of = world({"do": "swap_sides", "whom": 1, "pace": 1.0}, others=(other,), heading=[1, 0, 0])
    goal = of.parts.bodies.shoal.frames()[0][1]
    assert near(live(of, 15.0)[:, 0], goal, 0.5)


@pytest.mark.film
def test_it_knows_when_it_sees_and_is_seen():
    other = {**TANG, "at": [5.4, 5, 1.2], "heading": [-1, 0, 0]}
    for kind in ("seen_by", "sees"):
        entry = {"when": {"kind": kind, "whom": 1}, "do": "wait"}
        for rocks, found in ((False, 0), (True, NOTHING)):  # with a rock between them
            of = world(entry, others=(other,), heading=[1, 0, 0], rocks=rocks, at=[2.6, 5, 1.2])
            live(of, 0.6)
            assert follows(of) == found


@pytest.mark.film
def test_it_knows_when_a_mate_is_gone():
    of = world({"member": 0, "when": "caught", "do": "wait"}, count=2, spread=0.4)
    live(of, 0.8)
    assert follows(of) == NOTHING
    of.parts.die(np.array([1]))
    live(of, 0.8)
    assert follows(of) == 0


@pytest.mark.film
def test_what_it_does_is_saved_to_the_bit(tmp_path):
    of = world({"when": "threatened", "do": "hide"}, {"do": "visit", "among": "rock"}, others=(SHARK,), rocks=True)
    live(of, 4.0)
    of.save(tmp_path / "world.npz")
    again = World.load(tmp_path / "world.npz")
    assert (live(of, 3.0) == live(again, 3.0)).all()
