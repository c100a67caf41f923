"""The navigator: what fishes do not remember is no obstacle, and what they learn has them plan anew."""

import numpy as np
import pytest

from artfish.core import Scene, SceneError, World
from artfish.core.perception.navigation.lattice import EASY, SHUT
from artfish.core.perception.navigation.navigator import BOUND, EXPLORING, LOST

SIZE = [4.0, 3.0, 1.2]
CUBE = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
SIDES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


def box(at, size, **more) -> dict:
    vertices = [[float(s * v) for s, v in zip(size, corner, strict=True)] for corner in CUBE]
    return {"kind": "mesh", "at": at, "vertices": vertices, "faces": SIDES, **more}


def world(obstacles=(), goal=(3.5, 1.5, 0.6), at=(0.5, 1.5, 0.6), way="planned", **more) -> World:
    group = {"species": "sardine", "size": 0.6, "at": at, "heading": [1, 0, 0], "visual_memory": {}}
    target = {"kind": "target", "fishes": 0, "at": list(goal), "radius": 0.25, "way": way, "name": "there"} | more
    data = {"tank": {"size": SIZE}, "fishes": [group | {"mind": {"hunger": 0.0}}], "obstacles": list(obstacles)}
    return World(Scene.from_dict(data | {"direction": [target]}), seed=2)


def run_until(w: World, done, seconds: float = 40.0) -> bool:
    for _ in range(int(24 * seconds)):
        w.step()
        if done(w):
            return True
    return False


def think(w: World) -> None:
    """Lets it come to its first thoughts."""
    for _ in range(12):
        w.step()


def arrived(w: World) -> bool:
    return any(event["kind"] == "arrived" for event in w.events)


def test_who_knows_of_no_obstacle_plans_straight_on():
    w = world()
    think(w)
    navigator = w.parts.minds.mind.navigator
    path = navigator.way(0)
    assert navigator.at[0] == BOUND and np.abs(path[:, 1:] - (1.5, 0.6)).max() < 0.15
    assert path[-1] == pytest.approx((3.5, 1.5, 0.6))


def test_what_it_does_not_remember_is_no_obstacle():
    behind = box([0.1, 1.0, 0.0], [0.1, 1.0, 1.2])  # right astern of it, where it is blind
    w = world([behind])
    w.step()
    memory, navigator = w.parts.minds.memory, w.parts.minds.mind.navigator
    known = np.isnan(memory.piece_time[0])
    chart = navigator.chart(0)
    memory.piece_time[0] = np.nan
    memory.revision += 1
    assert known.any() or (navigator.chart(0) < chart).any()
    cell = navigator.lattice(0).cells(np.array([2.0, 1.5, 0.6]))
    assert navigator.chart(0)[cell] == EASY


@pytest.mark.film
def test_it_swims_round_a_wall_that_it_sees_and_arrives():
    wall = box([1.9, 0.0, 0.0], [0.2, 2.1, 1.2])
    w = world([wall], goal=(3.4, 0.6, 0.6), at=(0.6, 0.6, 0.6))
    assert run_until(w, arrived)
    event = next(event for event in w.events if event["kind"] == "arrived")
    assert event["goal"] == "there" and event["run"] == 1 and event["fish"] == 0 and event["other"] == -1


@pytest.mark.long
@pytest.mark.film
def test_a_wall_that_is_put_in_its_way_has_it_plan_anew():
    door = box([1.9, 50.0, 0.0], [0.2, 2.2, 1.2], name="door", motion=[])
    w = world([door])
    think(w)
    before = w.parts.minds.mind.navigator.way(0)
    w.move_obstacle("door", (1.9, 0.0, 0.0), jumps=True)
    assert run_until(w, lambda w: w.parts.minds.mind.navigator.way(0)[:, 1].max(initial=0.0) > 2.2, 12.0)
    assert before[:, 1].max() < 1.8
    assert run_until(w, arrived)


@pytest.mark.film
def test_a_goal_that_moves_is_followed():
    w = world(goal=(3.4, 0.6, 0.6))
    think(w)
    there = w.parts.minds.mind.navigator.way(0)[-1]
    data = w.scene.to_dict()
    data["direction"][0]["at"] = [3.4, 2.4, 0.6]
    w.retune(Scene.from_dict(data))
    for _ in range(12):
        w.step()
    assert there == pytest.approx((3.4, 0.6, 0.6))
    assert w.parts.minds.mind.navigator.way(0)[-1] == pytest.approx((3.4, 2.4, 0.6))


@pytest.mark.sampled
@pytest.mark.film
@pytest.mark.parametrize("way", ["planned", "sought"])
def test_another_fish_is_followed_by_ways_that_are_planned_anew_as_it_moves(way):
    ahead = {"species": "sardine", "size": 0.6, "at": [1.1, 1.3, 0.6], "heading": [1, 0, 0], "mind": {"hunger": 0.0}}
    direction = [
        {"kind": "leader", "fishes": 0, "leader": 1, "leader_member": 0, "radius": 0.25, "way": way},
        {"kind": "target", "fishes": 1, "at": [2.2, 2.2, 0.6], "radius": 0.2},
    ]
    data = {"tank": {"size": SIZE}, "fishes": [ahead | {"at": [0.4, 0.8, 0.6], "visual_memory": {}}, ahead]}
    w = World(Scene.from_dict(data | {"direction": direction}), seed=2)
    navigator, ends = w.parts.minds.mind.navigator, []
    for frame in range(10 * 24):
        w.step()
        if frame % 48 == 47 and len(navigator.way(0)):
            ends.append(np.linalg.norm(navigator.way(0)[-1] - w.center_of_mass[1]))
    assert len(ends) > 2 and max(ends) < 0.35 and np.linalg.norm(navigator.destination[0] - (1.1, 1.3, 0.6)) > 0.5
    assert np.linalg.norm(w.center_of_mass[0] - w.center_of_mass[1]) < 0.6


def test_a_fish_follows_by_one_way_at_a_time():
    leader = {"kind": "leader", "fishes": 0, "leader": 0, "leader_member": 0, "way": "planned"}
    data = world().scene.to_dict()
    data["direction"].append(leader)
    with pytest.raises(SceneError, match=r"direction\[1\].way.*another entry leads by a way"):
        World(Scene.from_dict(data), seed=2)


@pytest.mark.long
@pytest.mark.film
def test_a_goal_that_it_does_not_know_is_looked_for():
    wall = box([1.9, 0.0, 0.0], [0.2, 2.1, 1.2])
    w = world([wall], goal=(3.4, 0.5, 0.6), at=(0.8, 0.6, 0.6), way="sought")
    think(w)
    assert w.parts.minds.mind.navigator.at[0] == EXPLORING
    assert run_until(w, arrived, 60.0)


def test_where_no_way_is_left_what_can_move_is_doubted():
    door = box([1.9, 0.0, 0.0], [0.2, 3.0, 1.2], name="door", motion=[])
    w = world([door])
    navigator, memory = w.parts.minds.mind.navigator, w.parts.minds.memory
    for _ in range(30):
        w.step()
    assert navigator.at[0] == LOST  # shut from wall to wall, and it has only just seen that
    cell = navigator.lattice(0).cells(np.array([2.0, 1.5, 0.6]))
    assert navigator.chart(0)[cell] >= SHUT
    w.move_obstacle("door", (1.9, 0.0, -9.0), jumps=True)
    memory.piece_time[0] -= 60.0  # long ago
    navigator.begin(w.t)
    navigator._plan(0, np.array([3.5, 1.5, 0.6]), True, w.center_of_mass[0], np.array([1.0, 0.0, 0.0]))
    assert navigator.at[0] == BOUND


@pytest.mark.film
def test_a_world_with_ways_goes_on_to_the_bit(tmp_path):
    wall = box([1.9, 0.0, 0.0], [0.2, 2.1, 1.2])
    w = world([wall], goal=(3.4, 0.6, 0.6), at=(0.8, 0.6, 0.6))
    for _ in range(30):
        w.step()
    w.save(tmp_path / "world.npz")
    again, moment = World.load(tmp_path / "world.npz"), w.moment()
    one = w.simulate(frames=30).nodes
    assert np.array_equal(again.simulate(frames=30).nodes, one)
    w.go_back(moment)
    assert np.array_equal(w.simulate(frames=30).nodes, one)


def test_a_shelter_is_where_a_foe_does_not_get_in():
    room = [box([2.5, 0.9, 0.0], [1.2, 0.1, 1.2]), box([2.5, 2.0, 0.0], [1.2, 0.1, 1.2])]
    ends = [box([3.6, 0.9, 0.0], [0.1, 1.2, 1.2]), box([2.5, 0.9, 0.0], [0.1, 0.4, 1.2])]
    ends += [box([2.5, 1.65, 0.0], [0.1, 0.4, 1.2])]
    w = world([*room, *ends], goal=(3.2, 1.5, 0.6), at=(1.9, 1.5, 0.6))
    for _ in range(10):
        w.step()
    navigator = w.parts.minds.mind.navigator
    found = navigator.refuge(0, w.center_of_mass[0], np.array([1.0, 1.5, 0.6]), 0.8)
    assert found is not None and 2.5 < found[0] < 3.6 and 0.9 < found[1] < 2.1
