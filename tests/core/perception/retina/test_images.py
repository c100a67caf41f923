"""Images on retinas: objects where they are, as far away as they are, hidden by what stands before them."""

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.base.codec import SceneError
from artfish.core.base.vectors import local
from artfish.core.perception.retina import render, table
from artfish.core.perception.retina.images import Gaze
from artfish.core.perception.retina.lens import lens_of
from artfish.core.world.persistence import states_of
from artfish.tests.core.kinds import each_scene

SCENE = {
    "name": "seen",
    "tank": {"size": [6, 6, 3]},
    "fishes": [
        {"species": "clownfish", "count": 1, "at": [1, 3, 1.5], "heading": [1, 0, 0]},
        {"species": "emperor_angelfish", "count": 1, "at": [2.5, 3.6, 1.5], "heading": [0, 1, 0]},
        {"species": "grouper", "count": 1, "at": [5.0, 3.0, 1.5], "heading": [0, 1, 0]},
    ],
    "obstacles": [{"kind": "cylinder", "at": [3.0, 3.0, 0.0], "radius": 0.4, "height": 3.0}],
}


@pytest.fixture(scope="module")
def world():
    return World(Scene.from_dict(SCENE), seed=1)


def of_kind(world, kind: str) -> list[int]:
    return [seen.identity for seen in table(world) if seen.kind == kind]


def test_a_fish_is_seen_where_it_is_and_as_far_away(world):
    gaze = Gaze(world)
    view, other = gaze.views(0, "cyclopean")[0], 1
    images = render(world, 0, "cyclopean")
    rows, columns = np.nonzero(images.identity[0] == 1 + other)
    assert len(rows) > 20
    way = local(view.frame, world.nodes[other].mean(axis=0) - view.origin)
    assert np.hypot(*(np.array([rows.mean(), columns.mean()]) + 0.5 - lens_of(200).place(way))) < 3.0
    nodes = np.linalg.norm(world.nodes[other] - view.origin, axis=1)
    near, far = nodes.min() - 0.1 * world.shoal.length[other], nodes.max() + 0.1 * world.shoal.length[other]
    seen = images.range[0][rows, columns]
    assert near < seen.min() < seen.max() < far


def test_a_pillar_hides_what_is_behind_it_and_nobody_sees_itself(world):
    identity = render(world, 0).identity
    assert not (identity == 1).any()
    assert not (identity == 3).any(), "the grouper"
    assert (identity == of_kind(world, "obstacle")[0]).any()
    assert (render(world, 2).identity == 3).sum() == 0


def test_the_two_eyes_see_near_things_apart(world):
    images = render(world, 0)
    assert images.colour.shape == (2, 200, 200, 3)
    assert images.identity.dtype == np.int32
    assert images.range.dtype == np.float32
    left, right = (np.nonzero(one == 2)[1].mean() for one in images.identity)
    assert left > right, "it is ahead to the left: farther to the right in the left eye"
    alone = [render(world, 0, eye) for eye in ("left", "right")]
    for field in range(3):
        assert np.array_equal(np.concatenate([one[field] for one in alone]), images[field])


def test_the_surface_is_above_and_the_bottom_below(world):
    identity = render(world, 0, "cyclopean", 100).identity[0]
    assert identity[12, 50] == of_kind(world, "surface")[0]
    assert identity[88, 50] == of_kind(world, "bottom")[0]
    assert not np.isinf(render(world, 0, "left").range[0][lens_of(200).sees]).any(), "in a box there is no nothing"


def test_colours_fade_and_turn_blue_with_distance(world):
    images = render(world, 0, "cyclopean")
    wall = np.isin(images.identity[0], of_kind(world, "bottom"))
    near = wall & (images.range[0] < 1.8)
    far = wall & (images.range[0] > 4.0)
    shares = [images.colour[0][of].mean(axis=0) for of in (near, far)]
    assert shares[1][0] / shares[1][2] < 0.7 * shares[0][0] / shares[0][2]


def test_food_weed_bed_hook_and_bait_are_seen():
    scene = {
        "name": "all",
        "tank": {"size": [6, 6, 3]},
        "terrain": {"relief": 0.4},
        "fishes": [{"species": "clownfish", "count": 1, "at": [2, 3, 1.5], "heading": [1, 0, 0]}],
        "plankton": {"count": 40, "size": 0.05, "at": [2.6, 3.0, 1.5], "spread": 0.3},
        "seaweed": [{"at": [2.6, 3.4, 0.0], "leaves": 12, "height": 1.5, "width": 0.1}],
        "hook": {"at": [2.3, 2.9, 1.5], "size": 0.04},
    }
    world = World(Scene.from_dict(scene), seed=1)
    hook = world.parts.water.hook
    hook.length = hook.tip[2] - 1.5
    seen = set(np.unique(render(world, 0).identity))
    for kind in ("food", "leaf", "bed", "hook", "bait"):
        assert seen & set(of_kind(world, kind)), kind


def test_looking_changes_nothing(world):
    before = {name: state.copy() for name, state in _flat(states_of(world.parts)).items()}
    render(world, 0)
    for name, state in _flat(states_of(world.parts)).items():
        assert np.array_equal(state, before[name], equal_nan=state.dtype.kind == "f"), name


def _flat(states) -> dict[str, np.ndarray]:
    return {f"{of} {name}": np.asarray(value) for of, members in states.items() for name, value in members.items()}


@pytest.mark.parametrize(
    ("fish", "eye", "size", "message"),
    [
        (3, "both", 200, "found 3, allowed the row of one of 3 fishes"),
        (-1, "both", 200, "found -1"),
        (0, "third", 200, "found 'third', allowed one of both, left, right, cyclopean"),
        (0, "left", 4, "found 4, allowed 8 to 2048 pixels"),
    ],
)
def test_bad_input_is_refused(world, fish, eye, size, message):
    with pytest.raises(SceneError, match=message):
        render(world, fish, eye, size)


@pytest.mark.sampled
@pytest.mark.film
@pytest.mark.parametrize("name", each_scene())
def test_every_scene_can_be_seen(name):
    world = World(Scene.load(name), seed=1)
    world.step()
    images, seen = render(world, int(np.flatnonzero(world.alive)[0]), size=64), table(world)
    numbers = np.unique(images.identity)
    assert [one.identity for one in seen] == list(range(1, len(seen) + 1))
    assert numbers.min() >= 0
    assert numbers.max() <= len(seen)
    assert len(numbers) > 3
    assert (images.range > 0.0).all()
    assert np.isfinite(images.colour).all()


def test_eyes_turn_left_and_up(world):
    straight = render(world, 0, "cyclopean")
    rows, columns = np.nonzero(straight.identity[0] == 2)
    way = lens_of(200).rays.reshape(3, 200, 200)[:, rows, columns].mean(axis=1)
    pan, tilt = np.arctan2(way[1], way[0]), np.arctan2(way[2], np.hypot(way[0], way[1]))
    turned = np.nonzero(render(world, 0, "cyclopean", 200, float(pan), float(tilt)).identity[0] == 2)
    assert np.allclose(np.mean(turned, axis=1), 99.5, atol=2.0), "the angelfish is in the middle"
    up = np.nonzero(render(world, 0, "cyclopean", 200, 0.0, 0.5).identity[0] == 2)
    assert up[0].mean() > rows.mean() + 10, "who looks up sees it lower"
