"""Things that a fish sees, remembers and misses: the scenes of Kuffner & Latombe (1999), figures 5, 7 and 9 to 11."""

import numpy as np
import pytest

from artfish.core.world import stages

AHEAD, LEFT, FAR, BEHIND = [6.5, 5, 1.5], [5.5, 6.5, 1.5], [8.5, 5, 1.5], [3.5, 5, 1.5]
MOVES = {"motion": []}


def test_a_fish_remembers_what_it_has_seen_and_nothing_else(watch):
    watcher = watch([{"at": AHEAD}, {"at": BEHIND}, {"at": FAR}])
    assert watcher.look() == {0}  # one is in its blind sector, the other behind the first
    assert watcher.look(heading=(-1, 0, 0)) == {0, 1}
    assert watcher.look(at=(7.2, 5, 2)) == {0, 1, 2}


def test_what_moves_and_is_seen_again_first_is_where_it_is_now(watch):
    """Fig. 5, left."""
    watcher = watch([{"at": AHEAD, **MOVES}])
    assert watcher.look() == {0} and watcher.where(0) == [tuple(AHEAD)]
    watcher.move(0, LEFT)
    assert watcher.look() == {0} and watcher.where(0) == [tuple(LEFT)]


def test_what_has_gone_while_its_place_is_seen_is_missing(watch):
    """Fig. 5, right."""
    watcher = watch([{"at": AHEAD, **MOVES}])
    watcher.look()
    watcher.move(0, BEHIND)
    assert watcher.look() == set()
    assert watcher.look(heading=(-1, 0, 0)) == {0} and watcher.where(0) == [tuple(BEHIND)]


def test_what_something_new_hides_is_remembered(watch):
    """Fig. 7, left: obscured; whether it is still there cannot be seen."""
    watcher = watch([{"at": FAR, **MOVES}, {"at": [9.5, 9.5, 1.5], "radius": 0.4, **MOVES}], {})
    watcher.look()
    assert 0 in watcher.known()
    watcher.move(1, AHEAD)
    assert watcher.look() == {0, 1} and watcher.where(0) == [tuple(FAR)]
    watcher.move(0, BEHIND)
    assert watcher.look() == {0, 1} and watcher.where(0) == [tuple(FAR)]


def test_what_is_gone_while_something_new_stands_elsewhere_is_missing(watch):
    """Fig. 7, right."""
    watcher = watch([{"at": FAR, **MOVES}, {"at": [3, 5, 1.5], "radius": 0.4, **MOVES}])
    assert watcher.look() == {0}
    watcher.move(0, BEHIND)
    watcher.move(1, LEFT)
    assert watcher.look() == {1}


def test_what_is_moved_behind_its_back_stays_in_mind_until_it_looks(watch):
    """Fig. 9 to 11: the fish plans around the table where it was, and sees the truth when it turns."""
    watcher = watch([{"at": BEHIND, **MOVES}])
    assert watcher.look(heading=(-1, 0, 0)) == {0}
    watcher.look(heading=(1, 0, 0))
    watcher.move(0, [2.5, 5.6, 1.5])
    for _ in range(5):
        assert watcher.look(heading=(1, 0, 0)) == {0} and watcher.where(0) == [tuple(BEHIND)]
    revision = watcher.memory.revision[0]
    watcher.look(heading=(-1, 0, 0))
    assert watcher.where(0) == [(2.5, 5.6, 1.5)] and watcher.memory.revision[0] > revision


def test_what_is_remembered_elsewhere_hides_what_was_behind_it(watch):
    """Both have gone, but V_M has the one before the other: the other is missed only at the next look."""
    watcher = watch([{"at": AHEAD, "radius": 0.4, **MOVES}, {"at": FAR, **MOVES}])
    assert watcher.look(at=(5.0, 3.6, 2.0), heading=(1, 0.5, 0)) == {0, 1}
    for pillar in (0, 1):
        watcher.move(pillar, BEHIND)
    assert watcher.look() == {1}
    assert watcher.look() == set()


def test_another_fish_is_remembered_where_it_was_until_its_place_is_seen_empty(watch):
    other = {"species": "clownfish", "at": [6.5, 5, 2]}
    watcher = watch(others=[other])
    watcher.put((6.5, 5, 2), (0, 1, 0), fish=1)
    watcher.look()
    (seen,) = watcher.world.visual_memory(0)
    assert (seen["id"], seen["kind"], seen["time"]) == (2, "fish", watcher.t)
    assert np.allclose(seen["at"], watcher.parts.bodies.shoal.frames()[0][1])
    watcher.put((6.8, 5.2, 2), (0, 1, 0), fish=1)
    watcher.look(heading=(-1, 0, 0))  # its back is turned on both places
    assert watcher.world.visual_memory(0) == [seen]
    watcher.look()
    (again,) = watcher.world.visual_memory(0)
    assert again["at"] != seen["at"] and again["time"] == watcher.t
    watcher.put((3.0, 5.0, 2), (0, 1, 0), fish=1)
    watcher.look()
    assert watcher.world.visual_memory(0) == []


def test_food_that_was_eaten_is_missed_by_who_smells_its_place(watch):
    watcher = watch(plankton={"count": 1, "at": [5.2, 5, 2], "spread": 0})
    watcher.look()
    assert [one["kind"] for one in watcher.world.visual_memory(0)] == ["food"]
    watcher.parts.water.plankton.eaten(np.array([0]))
    watcher.look(at=(1, 1, 1))
    assert len(watcher.world.visual_memory(0)) == 1
    watcher.look()
    assert watcher.world.visual_memory(0) == []


@pytest.mark.parametrize("spin", [0.0, 1.5])
def test_a_body_is_remembered_with_how_it_moved(watch, spin):
    watcher = watch(others=[{"species": "clownfish", "at": [6, 5, 2]}])
    watcher.put((6, 5, 2), (0, 1, 0), fish=1)
    shoal, fish = watcher.parts.bodies.shoal, np.array([1])
    arm = shoal.nodes[1] - shoal.center_of_mass[1]
    whirl = spin * np.stack((-arm[:, 1], arm[:, 0], 0.0 * arm[:, 2]), axis=1)
    shoal.pose(fish, shoal.nodes[fish], (whirl + (0.1, -0.2, 0.05))[None])
    watcher.look()
    (seen,) = watcher.world.visual_memory(0)
    assert np.allclose(seen["velocity"], (0.1, -0.2, 0.05), atol=1e-6)
    assert np.allclose(seen["spin"], (0, 0, spin), atol=1e-2)


def test_an_obstacle_that_moves_is_remembered_with_its_motion(watch):
    watcher = watch([{"at": AHEAD, **MOVES}])
    movers, half = watcher.parts.water.obstacles.movers, np.array([np.cos(0.05), 0.0, 0.0, np.sin(0.05)])
    movers.lead(0, np.array(AHEAD) + (0.0, 0.02, 0.0), half)
    movers.advance(0.0)
    movers.lead(0, np.array(AHEAD) + (0.0, 0.04, 0.0), half)
    watcher.look()
    seen = watcher.world.visual_memory(0)
    assert {one["kind"] for one in seen} == {"obstacle"} and len(seen) == 2
    for one in seen:
        assert np.allclose(one["velocity"], (0, 0.02 * 24, 0), atol=1e-9)
        assert np.allclose(one["spin"], (0, 0, 0.1 * 24)) and np.allclose(one["turn"], half)


def test_fishes_that_look_together_see_and_miss_what_each_does_alone(watch):
    pillars = [{"at": at, **MOVES} for at in (AHEAD, LEFT, BEHIND, [4.5, 6, 1.5], [6, 6, 1.5])]
    mates = {"species": "clownfish", "count": 3, "at": [5, 4, 2], "spread": 0.5, "visual_memory": {"model": "basic"}}
    states = []
    for together in (True, False):
        watcher = watch(pillars, others=[mates], plankton={"count": 8, "at": [5, 5, 2], "spread": 2})
        for turn in range(4):
            for row in range(0, 5, 2):
                watcher.move(row, [2.0 + row + turn, 3.0 + 0.5 * turn + row / 3, 1.5])
            swimmers = stages.perceive(watcher.parts)
            now = stages.surroundings_of(watcher.parts, swimmers)
            for rows in [[0, 1, 2, 3]] if together else [[2], [0], [3], [1]]:
                watcher.parts.minds.lookout.look(np.array(rows), 0.2 * turn, now, swimmers)
        states.append(watcher.memory.state())
    assert np.isnan(states[0]["piece_time"]).any() and not np.isnan(states[0]["piece_time"]).all()
    for name, array in states[0].items():
        assert np.array_equal(array, states[1][name], equal_nan=array.dtype.kind == "f"), name
