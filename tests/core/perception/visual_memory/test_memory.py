"""Visual memory: its content and duration, its rules, and that it is saved, rewound and resumed to the bit."""

import numpy as np
import pytest

from artfish.core import Scene, SceneError, World

WALL = {"at": [6.5, 5, 1.5]}
DOOR = {"at": [5.5, 6.5, 1.5], "motion": []}
OTHER = {"species": "clownfish", "at": [6, 5, 2]}
SPANS = {"obstacle": 30.0, "fish": 2.0, "food": 5.0, "movable": 8.0, "predator": 12.0}


def kinds(watcher):
    return sorted({one["kind"] for one in watcher.world.visual_memory(0)})


def lasts(watch, rules, **scene):
    """For how many seconds each kind is remembered by a fish that looks once, and then hides its head."""
    watcher = watch([WALL, DOOR], rules, others=[OTHER], plankton={"count": 1, "at": [5.1, 5, 2], "spread": 0}, **scene)
    watcher.put((5.6, 5, 2), (0, 1, 0), fish=1)
    watcher.look()
    found, memory = {}, watcher.memory
    times = {"fish": memory.fish_time, "food": memory.food_time}
    own = memory.pieces.obstacle
    for second in range(1, 40):
        memory.forget_old(watcher.t + second)
        known = {kind: not np.isnan(time).all() for kind, time in times.items()}
        known |= {
            name: not np.isnan(memory.piece_time[0, own == row]).all() for row, name in enumerate(("wall", "door"))
        }
        found |= {kind: second for kind in known if not known[kind] and kind not in found}
    return found


def test_the_basic_model_forgets_nothing_by_itself(watch):
    assert lasts(watch, {"model": "basic", "forget": SPANS}) == {}


def test_the_temporal_model_forgets_by_age(watch):
    found = lasts(watch, {"model": "temporal", "forget": SPANS})
    assert found == {"fish": 3, "food": 6, "wall": 31, "door": 31}


def test_the_logical_model_forgets_by_what_was_seen(watch):
    found = lasts(watch, {"model": "logical", "forget": SPANS})
    assert found == {"fish": 3, "food": 6, "wall": 31, "door": 9}


def test_null_is_never(watch):
    never = dict.fromkeys(SPANS)
    assert lasts(watch, {"model": "logical", "forget": never}) == {}
    assert lasts(watch, {"model": "temporal", "forget": {**never, "fish": 2.0}}) == {"fish": 3}


def test_prey_remembers_a_predator_for_longer(watch):
    watcher = watch(rules={"model": "logical", "forget": SPANS}, others=[{"species": "reef_shark", "at": [7, 5, 2]}])
    watcher.put((7, 5, 2), (0, 1, 0), fish=1)
    watcher.look()
    watcher.memory.forget_old(watcher.t + 11.0)
    assert kinds(watcher) == ["fish"]
    watcher.memory.forget_old(watcher.t + 13.0)
    assert kinds(watcher) == []


def test_who_finds_no_way_doubts_what_can_move_and_nothing_else(watch):
    watcher = watch([WALL, DOOR])
    assert watcher.look() == {0, 1}
    watcher.memory.doubt(np.array([0]), watcher.t + 3.0, seconds=5.0)
    assert watcher.known() == {0, 1}
    revision = int(watcher.memory.revision[0])
    watcher.memory.doubt(np.array([0]), watcher.t + 6.0, seconds=5.0)
    assert watcher.known() == {0} and watcher.memory.revision[0] == revision + 1


def test_a_group_has_its_own_rules_before_those_of_its_species(watch):
    watcher = watch(rules={"model": "temporal", "forget": {"fish": 7.0}}, others=[OTHER])
    assert watcher.memory.row_of.tolist() == [0, -1]
    assert watcher.memory.rules[0].forget.fish == 7.0


def test_revision_counts_what_is_new_of_obstacles_only(watch):
    watcher = watch([WALL, DOOR], others=[OTHER])
    watcher.look()
    first = int(watcher.memory.revision[0])
    assert first == 1
    watcher.look()
    assert watcher.memory.revision[0] == first


def test_the_remembered_surface_is_that_of_the_obstacle_where_it_was(watch):
    watcher = watch([WALL, DOOR])
    watcher.look()
    watcher.move(0, [1, 1, 1])
    know = watcher.memory.remembered(0)
    for row, (x, y, z) in enumerate((WALL["at"], DOOR["at"])):
        mine = watcher.memory.pieces.obstacle[know.piece][know.owner] == row
        arm = know.points[mine] - (x, y, z)
        off = np.hypot(arm[:, 0], arm[:, 1])
        assert ((np.abs(off - 0.2) < 1e-9) | (np.isin(arm[:, 2], (0.0, 1.0)) & (off < 0.2))).all()
        boxes = know.at[know.owner[mine]], know.half[know.owner[mine]]
        assert (np.abs(know.points[mine] - boxes[0]) <= boxes[1] + 1e-9).all()


def scene(**keys):
    fishes = [
        {"species": "clownfish", "count": 4, "at": [2, 2, 1.5], "spread": 0.8, **keys},
        {"species": "reef_shark", "size": 0.3, "at": [4, 4, 1.5]},
    ]
    obstacles = [{"kind": "cylinder", "at": [3, 2, 0], "radius": 0.3, "height": 2, "motion": []}]
    plankton = {"count": 10, "growth": 0.5}
    return Scene.from_dict(
        {"tank": {"size": [5, 5, 3]}, "fishes": fishes, "obstacles": obstacles, "plankton": plankton}
    )


def steps(world, frames):
    for _ in range(frames):
        world.step()
    return [world.visual_memory(fish) for fish in range(4)], world.nodes


def same(one, other):
    return one[0] == other[0] and (one[1] == other[1]).all()


@pytest.fixture(scope="module")
def later():
    """A world half a second old, its memories then and half a second later, and a moment before that."""
    world = World(scene(visual_memory={"forget": {"fish": 0.5}}), seed=3)
    steps(world, 12)
    world.move_obstacle(0, (1.0, 3.0, 0.0))
    world.feed((2.0, 2.0, 1.5), 5)
    return world


def test_a_memory_is_saved_rewound_and_resumed_to_the_bit(later, tmp_path):
    later.save(tmp_path / "world.npz")
    moment = later.moment()
    found = steps(later, 12)
    assert any(found[0])
    assert same(steps(World.load(tmp_path / "world.npz"), 12), found)
    later.go_back(moment)
    assert same(steps(later, 12), found)


def test_a_memory_by_itself_changes_nothing_that_fishes_do():
    with_memory, without = World(scene(visual_memory={}), seed=1), World(scene(), seed=1)
    for _ in range(24):
        with_memory.step()
        without.step()
    assert (with_memory.nodes == without.nodes).all()


def test_each_fish_looks_around_in_its_turn():
    world = World(scene(visual_memory={}), seed=1)
    world.step()
    assert (world.parts.minds.memory.revision > 0).tolist() == [True, False, False, False]
    steps(world, 5)
    assert world.visual_memory(3) != []


def test_a_fish_without_a_memory_is_one_clear_line():
    world = World(scene(visual_memory={}))
    with pytest.raises(SceneError, match=r"visual_memory: found fish 4 without, allowed one whose group or species"):
        world.visual_memory(4)
    with pytest.raises(SceneError, match="fish: found 9, allowed 0 to 4"):
        world.visual_memory(9)


def test_a_memory_goes_on_in_another_scene_without_what_is_gone_from_it():
    world = World(scene(visual_memory={"model": "basic"}), seed=3)
    steps(world, 8)
    known = world.visual_memory(0)
    assert {one["kind"] for one in known} == {"fish", "obstacle", "food"}
    world.retune(fluid_viscosity=1.1)
    assert world.visual_memory(0) == known
    revision = int(world.parts.minds.memory.revision[0])
    world.retune(obstacles=())
    assert {one["kind"] for one in world.visual_memory(0)} == {"fish", "food"}
    assert world.parts.minds.memory.revision[0] == revision + 1
    world.retune(plankton=scene().plankton.__class__(count=3))
    assert {one["kind"] for one in world.visual_memory(0)} == {"fish"}
