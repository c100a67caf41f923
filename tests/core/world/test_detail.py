"""A world with levels of detail: who is dynamic, what is recorded of the others, and that bits stay the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from artfish.core import Helm, Recording, Scene, SceneError, Species, World
from artfish.core.base import threads
from artfish.core.behavior.intention import SCHOOL, WANDER
from artfish.core.behavior.plan import Plan
from artfish.core.body.anatomy import body_frame
from artfish.core.recording import ARRAYS
from artfish.core.replicas.levels import DYNAMIC, FRAME_ONLY, REPLICA
from artfish.core.studio.replay import resimulate
from artfish.core.world.shoal import AS_IT_IS, PLAYED, RESTING, Shoal, Stance

CHANGING = [name for name, one in ARRAYS.items() if one.shape[0] == "frames"]
CAMERA = {"at": [2.5, 0.5, 2], "look_at": [2.5, 4, 2]}
KEYS = [{"time": 0, **CAMERA}, {"time": 1, "at": [7.5, 0.5, 2], "look_at": [7.5, 4, 2]}]
FISHES = 24

pytestmark = pytest.mark.film


def scene(fishes=FISHES, camera=CAMERA, **detail) -> Scene:
    """A shoal, half of it before a camera and half of it out of the picture."""
    groups = [{"species": "sardine", "count": fishes // 2, "at": [x, 4, 2], "spread": 1.0} for x in (2.5, 7.5)]
    wish = {"dynamic": 4, "near": 0.05, **detail}
    return Scene.from_dict({"tank": {"size": [10, 8, 4]}, "fishes": groups, "camera": camera, "detail": wish})


def moving() -> Scene:
    """The same with a camera that pans from one half to the other within a second."""
    data = scene().to_dict()
    return Scene.from_dict({**data, "detail": {**data["detail"], "camera": KEYS}})


def same(first: Recording, second: Recording) -> bool:
    return first.events == second.events and all(
        np.array_equal(getattr(first, name), getattr(second, name)) for name in CHANGING
    )


@pytest.fixture(scope="module")
def recording():
    return World(scene(), seed=1).simulate(48)


def test_every_fish_has_a_level_and_no_more_are_dynamic_than_the_animator_allows(recording):
    assert recording.level.dtype == np.int8
    assert set(np.unique(recording.level)) == {DYNAMIC, REPLICA, FRAME_ONLY}
    assert ((recording.level == DYNAMIC).sum(axis=1) <= 4).all()


def test_who_is_near_is_dynamic_and_who_is_out_of_the_picture_a_frame_only(recording):
    middle = recording.nodes[0].mean(axis=1)
    dynamic = recording.level[0] == DYNAMIC
    assert (recording.level[0, middle[:, 0] > 5.0] == FRAME_ONLY).all()
    seen = recording.level[0] == REPLICA
    assert middle[dynamic, 1].max() < np.median(middle[seen, 1])


def test_a_frame_only_fish_is_recorded_as_a_resting_body_where_it_is(recording):
    fps, length = recording.fps, recording.body_length
    frame, fish = np.nonzero(recording.level[1:] == FRAME_ONLY)
    nodes = recording.nodes[frame + 1, fish].astype(float)
    origins, frames = body_frame(nodes)
    own = np.einsum("nkj,nji->nki", nodes - origins[:, None], frames) / length[fish, None, None]
    assert np.abs(own - own[0]).max() < 1e-4  # float32, in metres
    way = np.linalg.norm(np.diff(recording.nodes.mean(axis=2), axis=0), axis=2) * fps / length
    assert 0.2 < np.median(way[recording.level[1:] == FRAME_ONLY]) < 3.0  # and swims on


def test_replicas_beat_and_swim(recording):
    replica = (recording.level == REPLICA).all(axis=0)
    assert replica.any()
    origins, frames = body_frame(recording.nodes[:, replica].astype(float))
    tail = np.einsum("fnj,fnj->fn", recording.nodes[:, replica, 22] - origins, frames[..., 1])
    assert (np.ptp(tail, axis=0) > 0.03 * recording.body_length[replica]).all()
    assert (np.linalg.norm(np.ptp(origins, axis=0), axis=1) > recording.body_length[replica]).all()


def test_a_scene_without_detail_has_nobody_but_dynamic_fishes():
    data = {name: value for name, value in scene(4).to_dict().items() if name != "detail"}
    assert not World(Scene.from_dict(data), seed=1).simulate(3).level.any()


def test_if_all_may_be_dynamic_all_is_as_without_levels():
    everyone = scene(6, dynamic=6, near=0.0, camera={"at": [5, -30, 2], "look_at": [5, 4, 2]})
    data = {name: value for name, value in everyone.to_dict().items() if name != "detail"}
    one, other = (World(of, seed=2).simulate(24) for of in (everyone, Scene.from_dict(data)))
    assert not one.level.any() and same(one, other)


@pytest.mark.parametrize("frames", [0, 9])
def test_it_is_saved_and_goes_on_to_the_bit(frames, tmp_path):
    world = World(moving(), seed=3)
    if frames:
        world.simulate(frames)
    world.save(tmp_path / "world.npz")
    ahead = world.simulate(30)
    assert (np.diff(ahead.level == DYNAMIC, axis=0)).any()
    assert same(World.load(tmp_path / "world.npz").simulate(30), ahead)


def test_it_is_rewound_to_the_bit():
    world = World(moving(), seed=3)
    world.simulate(10)
    then = world.moment()
    first = world.simulate(20)
    world.go_back(then)
    assert same(world.simulate(20), first)


def test_it_is_the_same_on_one_thread_and_on_several(monkeypatch):
    found = []
    for count in ("1", "3"):
        threads.close()
        monkeypatch.setenv("ARTFISH_THREADS", count)
        found.append(World(moving(), seed=1).simulate(24))
    threads.close()
    assert same(*found)


def test_who_is_steered_by_hand_is_dynamic_wherever_it_is():
    world = World(scene(), seed=1)
    world.step()
    far = int(np.flatnonzero(world.level == FRAME_ONLY)[0])
    world.steer(far, Helm(swim=0.5))
    world.step()
    assert world.level[far] == DYNAMIC
    rec = world.simulate(12)
    assert (rec.level[:, far] == DYNAMIC).all()
    world.steer(far, None)
    assert world.simulate(36).level[-1, far] == FRAME_ONLY


def test_hunters_and_hunted_are_dynamic():
    groups = [
        {"species": "sardine", "count": 12, "at": [5, 4, 2], "spread": 0.5},
        {"species": "grouper", "at": [3, 4, 2], "heading": [1, 0, 0], "mind": {"hunger": 1.0}},
    ]
    away = {"at": [5, -1, 2], "look_at": [5, -9, 2]}
    data = {"tank": {"size": [10, 8, 4]}, "fishes": groups, "camera": away, "detail": {"dynamic": 2}}
    rec = World(Scene.from_dict(data), seed=1).simulate(60)
    frames = np.flatnonzero((rec.intention[:, -1] == Recording.INTENTIONS.index("eat")) & (rec.target[:, -1] >= 0))[1:]
    assert len(frames) > 10
    prey = rec.target[frames, -1]
    assert (rec.level[frames, -1] == DYNAMIC).all() and (rec.level[frames, prey] == DYNAMIC).all()


def test_a_camera_that_is_moved_changes_no_fish_unless_levels_follow_it():
    found = []
    for follow, move in ((False, False), (False, True), (True, True)):
        world = World(scene(follow_camera=follow), seed=1)
        world.simulate(4)
        if move:
            world.look_from([9, 0.5, 2], [9, 4, 2], 50.0)
        found.append(world.simulate(12))
    assert same(found[0], found[1]) and not np.array_equal(found[0].level, found[2].level)


def test_a_camera_that_is_none_is_refused():
    with pytest.raises(SceneError, match="lens: found 0"):
        World(scene(2), seed=1).look_from([0, 0, 0], [1, 0, 0], 0)


def test_a_camera_with_keys_moves_through_the_film():
    rec = World(moving(), seed=1).simulate(36)
    first, last = (rec.nodes[frame][rec.level[frame] != FRAME_ONLY, :, 0].mean() for frame in (0, -1))
    assert last > first + 1.0


def test_a_world_is_retuned_to_have_levels_and_to_have_none():
    world = World(scene(8), seed=1)
    world.simulate(6)
    before = world.nodes
    world.retune(detail=None)
    rec = world.simulate(6)
    assert not rec.level.any() and np.abs(rec.nodes[0] - before).max() < 0.05
    world.retune(detail=scene(8).detail)
    rec = world.simulate(6)
    assert rec.level.any() and np.abs(np.diff(rec.nodes, axis=0)).max() < 0.1


def test_who_enters_later_and_who_is_moved_by_a_blow_go_on_from_there():
    data = scene(8).to_dict()
    data["fishes"].append({"species": "sardine", "count": 4, "at": [8, 4, 2], "enters": 0.5})
    rec = World(Scene.from_dict(data), seed=1).simulate(36)
    assert not rec.alive[10, 8:].any() and rec.alive[20, 8:].all()
    steps = np.linalg.norm(np.diff(rec.nodes.mean(axis=2), axis=0), axis=2)
    assert steps[12:, 8:].max() < 0.1


def test_who_is_demoted_before_the_first_frame_swims_on():
    world = World(scene(dynamic=1), seed=1)
    near = int(np.flatnonzero(world.level == DYNAMIC)[0])
    world.steer((near + 1) % FISHES, Helm(swim=0.5))
    rec = world.simulate(12)
    assert rec.level[2, near] != DYNAMIC and np.isfinite(rec.nodes).all()


@pytest.mark.sampled
@pytest.mark.parametrize("kind", ["sardine", "clownfish"])
def test_no_node_shows_where_fishes_change_over(kind):
    """The 99.9th percentile of accelerations at switches is at most 1.5 times that without; places are kept."""
    keys = [
        {"time": float(k), "at": [7 if k % 2 else 3, -1, 2], "look_at": [7 if k % 2 else 3, 4, 2]} for k in range(9)
    ]
    groups = [{"species": kind, "count": 36, "at": [5, 4, 2], "spread": 2.5}]
    detail = {"dynamic": 12, "near": 0.01, "camera": keys}
    data = {"tank": {"size": [10, 8, 4]}, "fishes": groups, "detail": detail}
    hard, jerks = [], []
    for seed in (11, 12):
        rec = World(Scene.from_dict(data), seed).simulate(192)
        dynamic, seen = rec.level == DYNAMIC, rec.level != FRAME_ONLY
        seen = seen[2:] & seen[1:-1] & seen[:-2]
        switches, around = np.zeros((2, *seen.shape), dtype=bool)
        for frame, fish in zip(*np.nonzero(dynamic[1:] != dynamic[:-1]), strict=True):
            switches[max(frame - 3, 0) : frame + 4, fish] = around[max(frame - 12, 0) : frame + 12, fish] = True
        assert (dynamic[1:] != dynamic[:-1]).sum() > 50
        size = rec.body_length[:, None]
        nodes = np.linalg.norm(np.diff(rec.nodes.astype(float), 2, axis=0), axis=3) / size
        places = np.linalg.norm(np.diff(rec.nodes.mean(axis=2), 2, axis=0), axis=2) / rec.body_length
        hard.append([nodes[seen & own].ravel() for own in (switches, ~around)])
        jerks.append([places[seen & own] for own in (switches, ~around)])
    for share, found in ((99.9, hard), (99, jerks)):
        at_switches, without = (np.percentile(np.concatenate(both), share) for both in zip(*found, strict=True))
        assert at_switches < 1.5 * without


def test_replicas_that_keep_to_one_segment_are_advised_to_swim_at_another_pace():
    """So that no two swim in step (Yu & Terzopoulos 1999, §6.1); each stays within the paces of its own."""
    sardine = Species.load("sardine")
    calm = {"schooling": 0.0, "whim": 1000.0, "rest": 0.0, "coast": 0.0, "sharp": 0.0, "cruise": 0.5, "variation": 0.2}
    steady = replace(sardine, temperament=replace(sardine.temperament, **calm))
    world = World(scene(), seed=1, species={"sardine": steady})
    world.simulate(12)
    begin = pace = world.parts.minds.mind.wander.pace.copy()
    for _ in range(150):
        world.step()
        before, pace = pace, world.parts.minds.mind.wander.pace.copy()
        assert (pace == before)[world.level == DYNAMIC].all()
    changed = pace != begin
    assert changed.sum() > 8 and len(np.unique(pace[changed])) == changed.sum()
    assert (pace >= 0.4).all() and (pace <= 0.6).all()


def test_one_fish_lived_again_among_the_others_is_the_same_to_the_bit():
    rec = World(moving(), seed=5).simulate(36)
    again = resimulate(rec, 3, 12, seed=5)
    assert same(again, rec)


def test_replicas_reach_food_and_eat_it():
    data = scene(6, dynamic=0).to_dict()
    data["plankton"] = {"count": 300}
    for group in data["fishes"]:
        group["mind"] = {"hunger": 0.9}
    world = World(Scene.from_dict(data), seed=1)
    rec = world.simulate(240)
    assert rec.level.all() and sum(event["kind"] == "fed" for event in rec.events) > 5


def test_replicas_keep_more_room_than_dynamic_fishes():
    mind = World(scene(), seed=1).parts.minds.mind
    fishes, schooling = np.arange(FISHES), np.arange(FISHES) < 12
    plan = Plan.empty(np.where(schooling, SCHOOL, WANDER).astype(np.int8), np.ones(len(schooling), dtype=bool))
    mind.turns.levels[:], mind._social[:] = fishes % 2, schooling
    replica, scale = mind.turns.levels > 0, mind._comfort_scale(fishes, np.zeros(FISHES, dtype=bool), plan)
    _, berth = mind._clearance(fishes, np.full(FISHES, 5.0), plan)
    assert (scale[replica & ~schooling] > scale[~replica & ~schooling]).all() and np.ptp(scale[schooling]) == 0.0
    assert (berth[replica] > berth[~replica]).all()


def test_all_stand_where_playback_has_them_compiled_and_plainly(alike):
    def stood() -> tuple[np.ndarray, ...]:
        dice, model = np.random.default_rng(2), Species.load("sardine")
        shoal = Shoal([model], np.zeros(9, dtype=int), np.full(9, 0.18), 1 / 48)
        how, rested = (np.arange(9) % 3).astype(np.uint8), np.arange(9) > 4
        frames = np.linalg.qr(dice.normal(size=(9, 3, 3)))[0]
        bodies = dice.normal(size=(9, 23, 3)), dice.normal(size=(9, 3)), frames, dice.normal(size=(1, 23, 3))
        before = shoal.nodes
        shoal.stand(Stance(how, rested, *bodies, dice.normal(size=(9, 3))), 1 / 24)
        assert np.array_equal(shoal.nodes[how == AS_IT_IS], before[how == AS_IT_IS])
        assert np.allclose(shoal.nodes[how == PLAYED], bodies[0][how == PLAYED])
        assert (rested[how == RESTING]).all() and not rested[how == PLAYED].any()
        return shoal.nodes, shoal.node_velocities, rested

    alike(stood, "stand")
