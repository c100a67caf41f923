"""Seaweed: balance of buoyancy and drag in closed form, sway, strain, and fishes that pass through it."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Recording, Scene, SceneError, Species, World
from artfish.core.base.vectors import dot, norm
from artfish.core.body.anatomy import rest_nodes
from artfish.core.geometry.bed import Bed
from artfish.core.habitat.currents import Current
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.seaweed import LEAF_NODES, CenterLines, Weed
from artfish.core.habitat.tank import WaterBox
from artfish.core.habitat.tuning import BUOYED_STRETCH, LEAF_BUOYANCY, LEAF_GAP_METRES, MOST_STRAIN

PILLAR = {"kind": "cylinder", "at": [5.3, 5.0, 0.0], "radius": 0.2, "height": 1.0}
CLUSTER = {"at": [5, 5, 0], "leaves": 20}
EXACT = {"splay": 0.0, "flutter": 0.0}


def weed(*clusters: dict, seed=0, obstacles=(), current=()) -> Weed:
    tank = {"size": [10, 10, 4]}
    scene = Scene.from_dict({"tank": tank, "obstacles": obstacles, "current": current, "seaweed": clusters})
    parts = WaterBox.from_scene(scene), Obstacles.from_scene(scene), Current.from_scene(scene)
    return Weed(scene.seaweed, *parts, seed)


def stream(strength: float, direction=(1.0, 0.0, 0.0), period: float = 0.0) -> list[dict]:
    return [{"kind": "uniform", "direction": list(direction), "strength": strength, "period": period}]


def links(leaves: Weed) -> np.ndarray:
    return np.diff(leaves.place, axis=1)


def strain(leaves: Weed) -> float:
    return float(np.abs(norm(links(leaves)) / leaves.rest - 1).max())


def above(of: np.ndarray) -> np.ndarray:
    """Sum over each mass and those above it, (leaf, 9)."""
    return of[:, ::-1].cumsum(axis=1)[:, ::-1]


def test_distances_and_masses_decrease_from_the_root_to_the_tip():
    leaves = weed(CLUSTER)
    assert leaves.place.shape == (20, LEAF_NODES, 3)
    assert (np.diff(leaves.rest, axis=1) < 0).all() and (np.diff(leaves.mass, axis=1) < 0).all()
    assert leaves.rest.sum(axis=1).max() <= 0.8 and leaves.rest.sum(axis=1).min() >= 0.8 * 0.6
    assert leaves.mass.sum(axis=1) == pytest.approx(1.0)


def test_in_still_water_it_stands_upright_each_spring_as_long_as_its_load_makes_it():
    leaves = weed({**CLUSTER, **EXACT})
    for frame in range(48):
        leaves.advance(frame / 24, 1 / 24)
    found = links(leaves)
    assert np.abs(found[..., :2]).max() < 1e-9
    # One spring constant for all springs of a leaf: a middle one that carries all is longer by BUOYED_STRETCH.
    constant = LEAF_BUOYANCY / (BUOYED_STRETCH * leaves.rest.mean(axis=1))
    assert found[..., 2] == pytest.approx(
        leaves.rest + LEAF_BUOYANCY * above(leaves.mass) / constant[:, None], rel=1e-9
    )


@pytest.mark.parametrize("fps", [1, 24, 240])
@pytest.mark.parametrize("speed", [0.03, 0.15, 1.0, 10.0])
def test_in_a_steady_current_every_spring_leans_as_drag_over_buoyancy(speed, fps):
    leaves = weed({**CLUSTER, **EXACT}, current=stream(speed))
    for frame in range(min(2 * fps, 48)):
        leaves.advance(frame / fps, 1 / fps)
    found = links(leaves)
    lean = np.arctan2(found[..., 0], found[..., 2])
    # tan = sum of the drags above / sum of the buoyancies above
    assert lean == pytest.approx(np.arctan2(speed * above(leaves.drag), LEAF_BUOYANCY * above(leaves.mass)), abs=1e-8)
    assert np.abs(found[..., 1]).max() < 1e-9
    assert np.tan(lean[:, 0]) == pytest.approx(speed / 0.15, rel=1e-6)  # what the stiffness says
    assert (np.diff(lean, axis=1) > 0).all()  # more flexible towards the tip


def test_leaves_find_that_balance_from_wherever_they_are():
    leaves, bent = (weed({**CLUSTER, **EXACT}, current=current) for current in (stream(0.2), stream(0.5, (0, -1, 0.2))))
    bent.current = leaves.current
    for frame in range(24 * 40):
        bent.advance(frame / 24, 1 / 24)
    assert bent.place == pytest.approx(leaves.place, abs=1e-6)


def test_leaves_lean_apart_at_rest_by_their_splay():
    leaves = weed({**CLUSTER, "splay": 0.3, "leaves": 200})
    root, out = links(leaves)[:, 0], leaves.place[:, 0, :2] - (5, 5)
    tangent = np.hypot(root[:, 0], root[:, 1]) / root[:, 2]
    assert tangent.min() >= 0.15 and tangent.max() <= 0.45 and np.mean(tangent) == pytest.approx(0.3, rel=0.1)
    assert (np.sum(root[:, :2] * out, axis=1) > 0).all()


def test_it_sways_in_the_period_of_the_current():
    fps, period = 24, 4.0
    leaves = weed({**CLUSTER, **EXACT}, current=stream(0.3, period=period))
    tips = []
    for frame in range(int(10 * period * fps)):
        leaves.advance(frame / fps, 1 / fps)
        tips.append(leaves.place[:, -1, 0] - leaves.place[:, 0, 0])
    last, before = (np.array(tips).reshape(10, -1, 20)[turn] for turn in (9, 8))
    assert last == pytest.approx(before, abs=0.002)
    assert (np.ptp(last, axis=0) > 0.2).all()
    spectrum = np.abs(np.fft.rfft(last, axis=0))[1:]
    assert (spectrum.argmax(axis=0) == 0).all()


@pytest.mark.film
def test_halving_the_step_halves_the_error():
    ends = []
    for fps in (24, 48, 96, 768):
        leaves = weed({**CLUSTER, "flutter": 0.0}, current=stream(0.3, period=4.0))
        for frame in range(3 * fps):
            leaves.advance(frame / fps, 1 / fps)
        ends.append(leaves.place)
    errors = [np.abs(end - ends[-1]).max() for end in ends[:-1]]
    assert errors[0] < 0.01
    assert errors[0] / errors[1] == pytest.approx(2.0, abs=0.4) and errors[1] / errors[2] == pytest.approx(2.0, abs=0.4)


@pytest.mark.parametrize("fps", [1, pytest.param(24, marks=pytest.mark.large), 240])
@pytest.mark.parametrize("direction", [(1, 0.3, 0), (0, 0, -1), (0, 0, 1), (0.2, 0.1, -1)])
@pytest.mark.parametrize("stiffness", [0.01, pytest.param(0.15, marks=pytest.mark.large), 10.0])
def test_it_never_explodes(fps, direction, stiffness):
    leaves = weed({**CLUSTER, "stiffness": stiffness, "flutter": 1.0}, current=stream(10.0, direction, 1.7))
    for frame in range(min(4 * fps, 240)):
        leaves.advance(frame / fps, 1 / fps)
        assert strain(leaves) <= MOST_STRAIN + 1e-9
        assert leaves.place[..., 2].min() >= -1e-9


def test_eddies_come_with_the_current_only_and_leaves_do_not_flutter_in_step():
    still, moving = weed(CLUSTER), weed(CLUSTER, current=stream(0.15))
    start = still.place.copy(), moving.place.copy()
    offsets = []
    for frame in range(120):
        still.advance(frame / 24, 1 / 24)
        moving.advance(frame / 24, 1 / 24)
        offsets.append((moving.place - start[1])[:, -1, 1])
    assert still.place == pytest.approx(start[0], abs=1e-9)
    spread = np.array(offsets)
    assert np.ptp(spread, axis=0).min() > 0.005
    assert np.corrcoef(spread.T)[0, 1:].min() < 0.5


# Fishes


def fish_at(x: float, speed: float, length: float = 0.5) -> CenterLines:
    nodes = length * rest_nodes(Species.load("grouper").body)[None] + (x, 5.03, 0.45)
    return CenterLines.of(nodes, np.broadcast_to([speed, 0.0, 0.0], nodes.shape), np.array([length]))


def gap(leaves: Weed, body: CenterLines) -> np.ndarray:
    """From the skin of the one body, by its elliptic cross sections, to all masses, in metres, negative inside."""
    part = np.linspace(0.0, 1.0, 40)
    fine = [
        np.stack([np.interp(part * 6, np.arange(7), of[0, :, axis]) for axis in range(3)], axis=1)
        for of in (body.middle, body.left, body.up)
    ]
    points = leaves.place[:, 1:].reshape(-1, 3)
    offset = points[:, None] - fine[0]
    nearest = dot(offset, offset).argmin(axis=1)
    offset = offset[np.arange(len(points)), nearest]
    left, up = fine[1][nearest], fine[2][nearest]
    across, high = dot(offset, left) / dot(left, left), dot(offset, up) / dot(up, up)
    rest = offset - across[:, None] * left - high[:, None] * up
    share = np.sqrt(across**2 + high**2 + dot(rest, rest) / dot(left, left))
    return norm(offset) * (1.0 - 1.0 / share)


@pytest.mark.sampled
@pytest.mark.film
@pytest.mark.parametrize("fps", [24, pytest.param(96, marks=pytest.mark.large)])
@pytest.mark.parametrize("speed", [0.3, 1.0])
def test_a_fish_that_passes_pushes_leaves_aside_and_they_come_back(fps, speed):
    leaves = weed({**CLUSTER, "leaves": 60, "spread": 0.3})
    start, most = leaves.place.copy(), 0.0
    for frame in range(int(2.8 / speed * fps)):
        body = fish_at(3.6 + speed * (frame + 1) / fps, speed, 1.0)
        leaves.advance(frame / fps, 1 / fps, body)
        assert gap(leaves, body).min() > -speed / 24  # a leaf meets the fish where that was a frame ago
        assert strain(leaves) <= MOST_STRAIN + 1e-9
        most = max(most, norm(leaves.place - start).max())
    assert most > 0.1
    for frame in range(30 * 24):
        leaves.advance(frame / 24, 1 / 24)
    assert leaves.place == pytest.approx(start, abs=0.002)


def test_leaves_do_not_stay_in_a_body():
    leaves, body = weed({**CLUSTER, "leaves": 60, "spread": 0.3}), fish_at(5.0, 0.0, 1.0)
    assert gap(leaves, body).min() < -0.03
    for frame in range(12):
        leaves.advance(frame / 24, 1 / 24, body)
    assert gap(leaves, body).min() > -0.003


def test_water_goes_along_with_a_fish_that_does_not_touch():
    near, far = (weed({"at": [5.0, y, 0], "leaves": 1, "spread": 0.0, **EXACT}) for y in (5.095, 5.5))
    start = near.place.copy()
    for frame in range(12):
        for leaves in (near, far):
            leaves.advance(frame / 24, 1 / 24, fish_at(4.8 + 0.4 * frame / 24, 0.4))
    moved = near.place - start
    assert gap(near, fish_at(5.0, 0.4)).min() > 0.005
    assert moved[0, :, 0].max() > 0.005 and moved[0, :, 1].max() > 0.002  # along, and aside
    assert np.abs(far.place - (start + (0.0, 0.405, 0.0))).max() < 1e-9


# In the world


def test_leaves_are_rooted_around_their_place_clear_of_pillars_and_keep_out_of_them():
    leaves = weed({**CLUSTER, "leaves": 200, "spread": 0.4}, obstacles=[PILLAR], current=stream(0.5, period=3.0))
    pillar = Obstacles([PILLAR["at"]], [PILLAR["radius"]], [PILLAR["height"]])
    feet = leaves.place[:, 0]
    away = np.hypot(*(feet[:, :2] - (5, 5)).T)
    assert away.max() <= 0.4 and np.median(away) > 0.2 and (feet[:, 2] == 0).all()
    assert pillar.distance(feet)[0].min() > 0
    for frame in range(96):
        leaves.advance(frame / 24, 1 / 24)
        assert pillar.distance(leaves.place)[0].min() > -0.02


def test_on_hills_every_leaf_is_rooted_on_the_bed_below_it():
    tank, terrain = {"size": [10, 10, 4]}, {"relief": 0.6, "scale": 1.0, "seed": 3}
    cluster = {"at": [5, 5, 0], "leaves": 60, "spread": 0.5}
    scene = Scene.from_dict({"tank": tank, "terrain": terrain, "seaweed": [cluster]})
    leaves = Weed(scene.seaweed, WaterBox.from_scene(scene), Obstacles.from_scene(scene), Current.from_scene(scene), 0)
    bed, feet = Bed.from_scene(scene), leaves.place[:, 0]
    assert np.ptp(feet[:, 2]) > 0.05  # a hill
    assert feet[:, 2] == pytest.approx(bed.height(feet[:, 0], feet[:, 1]) + 2 * LEAF_GAP_METRES)
    assert np.median(np.hypot(*(feet[:, :2] - (5, 5)).T)) > 0.25


def test_no_leaf_grows_out_of_the_water():
    assert weed({**CLUSTER, "height": 50.0, "at": [5, 5, 1]}).place[..., 2].max() <= 4.0


def test_a_leaf_more_moves_no_other():
    few, more = weed(CLUSTER, CLUSTER), weed({**CLUSTER, "leaves": 21}, CLUSTER)
    assert np.array_equal(more.place[:20], few.place[:20]) and np.array_equal(more.place[21:], few.place[20:])
    assert few.cluster.tolist() == [0] * 20 + [1] * 20
    assert not np.array_equal(weed(CLUSTER, seed=1).place, weed(CLUSTER).place)


SCENE = {
    "tank": {"size": [4, 3, 2]},
    "fishes": [{"species": "clownfish", "count": 6, "at": [2, 1.5, 0.4], "spread": 0.5}],
    "obstacles": [{**PILLAR, "at": [2.8, 1.5, 0]}],
    "current": stream(0.1, period=5.0),
}


def test_a_world_records_seaweed_and_fishes_are_as_without(tmp_path):
    planted = Scene.from_dict({**SCENE, "seaweed": [{"at": [2, 1.5, 0], "leaves": 15}]})
    with_weed, without = World(planted, seed=2).simulate(36), World(Scene.from_dict(SCENE), seed=2).simulate(36)
    assert with_weed.seaweed.shape == (36, 15, LEAF_NODES, 3) and without.seaweed.shape[1] == 0
    assert np.array_equal(with_weed.nodes, without.nodes)
    assert np.ptp(with_weed.seaweed, axis=0).max() > 0.01
    with_weed.save(tmp_path / "rec.npz")
    assert np.array_equal(Recording.load(tmp_path / "rec.npz").seaweed, with_weed.seaweed)


def test_a_recording_of_before_there_was_seaweed_is_read(tmp_path):
    World(Scene.from_dict(SCENE)).simulate(2).save(tmp_path / "rec.npz")
    with np.load(tmp_path / "rec.npz") as held:
        old = {name: held[name] for name in held.files if name not in ("seaweed", "bubbles", "bubbles_alive")}
    np.savez(tmp_path / "old.npz", **{name: held for name, held in old.items() if name != "bubbles_size"})
    assert Recording.load(tmp_path / "old.npz").seaweed.shape[:2] == (2, 0)


@pytest.mark.film
def test_a_world_with_seaweed_and_bubbles_goes_on_from_its_file_to_the_bit(tmp_path):
    more = {"seaweed": [{"at": [2, 1.5, 0], "leaves": 15}], "bubbles": [{"at": [1, 1, 0], "rate": 7.3}]}
    world = World(Scene.from_dict({**SCENE, **more}), seed=5)
    world.simulate(30)
    world.save(tmp_path / "world.npz")
    ahead, loaded = world.simulate(30), World.load(tmp_path / "world.npz").simulate(30)
    for name in ("seaweed", "bubbles", "bubbles_alive"):
        assert np.array_equal(getattr(loaded, name), getattr(ahead, name))
    assert (ahead.bubbles_alive != ahead.bubbles_alive[0]).any()


@pytest.mark.parametrize("section", ["seaweed", "bubbles"])
def test_places_outside_the_tank_or_inside_a_pillar_are_refused(section):
    with pytest.raises(SceneError, match=rf"{section}\[0\]\.at: found \[9.*allowed in the tank"):
        Scene.from_dict({**SCENE, section: [{"at": [9, 1, 0]}]})
    with pytest.raises(SceneError, match=rf"{section}\[0\]\.at: found .* inside obstacles\[0\]"):
        Scene.from_dict({**SCENE, section: [{"at": [2.8, 1.5, 0.5]}]})


def test_what_moves_through_leaves_bends_them_out_of_its_way():
    diver = {"kind": "cylinder", "at": [3.5, 5, 0], "radius": 0.2, "height": 2.0}
    diver["motion"] = [{"time": 0}, {"time": 1, "at": [4.75, 5, 0]}]
    leaves = weed(CLUSTER, obstacles=[diver])
    movers = leaves._obstacles.movers
    for frame in range(1, 25):
        movers.advance(frame / 24)
        leaves.advance(frame / 24, 1 / 24)
    gap = movers.solids[0].distance(leaves.place[:, 4:].reshape(-1, 3))[0]
    assert gap.min() > -0.02
    assert np.abs(links(leaves)[..., :2]).max() > 0.02
