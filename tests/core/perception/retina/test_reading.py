"""Reading: what images say of objects, held against where these are."""

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.base.vectors import local
from artfish.core.perception.retina import render
from artfish.core.perception.retina.drawing import EyeView, Shapes, draw
from artfish.core.perception.retina.images import Gaze
from artfish.core.perception.retina.lens import Lens, lens_of
from artfish.core.perception.retina.reading import (
    brightness,
    collides,
    colours,
    contact,
    disparity,
    motion,
    objects,
)

LENS = Lens(400)


def balls(*given: tuple[float, ...]) -> Shapes:
    """Balls, each by its middle and radius."""
    return Shapes(np.zeros((0, 3)), np.zeros((0, 3), int), np.zeros(0, bool), np.array(given), np.zeros((0, 5)))


def read(shapes: Shapes, eye: np.ndarray | tuple[float, ...] = (0.0, 0.0, 0.0), frame: np.ndarray | None = None):
    marks, far = draw(EyeView(np.array(eye), np.eye(3) if frame is None else frame), LENS, shapes)
    return objects(marks[None] + 1, far[None], LENS, len(shapes))


def test_an_object_is_where_as_large_and_as_far_as_it_is():
    seen = read(balls((0.6, 0.8, 0.0, 0.1), (-0.5, 0.2, 1.0, 0.05)))
    assert seen.seen[0].tolist() == [False, True, True]
    assert np.degrees(seen.bearing[0, 1]) == pytest.approx((53.13, 0.0), abs=0.2)
    assert seen.size[0, 1] == pytest.approx(2 * np.arcsin(0.1), rel=0.03)
    assert seen.angle[0, 1] == pytest.approx(2 * np.pi * (1 - np.sqrt(1 - 0.01)), rel=0.05)
    assert seen.nearest[0, 1] == pytest.approx(0.9, abs=1e-3)
    assert 0.9 < seen.range[0, 1] < 1.0
    rows = np.unravel_index(seen.nearest_pixel[0, 1], (400, 400))
    assert np.hypot(*(np.array(rows) + 0.5 - LENS.place(np.array([0.6, 0.8, 0.0])))) < 4.0
    assert seen.range[0, 0] == np.inf
    assert seen.nearest_pixel[0, 0] == -1


def test_all_pixels_together_cover_the_field():
    angles = Lens(300).angles
    assert angles.sum() == pytest.approx(2 * np.pi * (1 - np.cos(np.radians(150.0))), rel=2e-3)
    narrow = Lens(100, np.radians(60.0))
    assert narrow.angles.sum() == pytest.approx(2 * np.pi * (1 - np.cos(np.radians(30.0))), rel=3e-3)


@pytest.mark.parametrize("highest", [45, 20])
def test_the_compiled_form_has_the_same_bits(alike, highest):
    dice, lens = np.random.default_rng(5), Lens(50)
    identity = dice.integers(0, 40, (3, 50, 50)).astype(np.int32) * lens.sees
    far = dice.integers(1, 9, (3, 50, 50)).astype(np.float32) / 4
    found = alike(lambda: objects(identity, far, lens, highest), "objects")
    assert found.pixels.shape == (3, highest + 1) and found.seen[:, 1 : min(highest + 1, 40)].all()


def test_two_eyes_tell_how_far_things_are():
    arm = np.array([0.0, -0.06, 0.0])
    shapes = balls((0.5, 0.1, 0.1, 0.06), (1.0, -0.4, 0.0, 0.1), (0.2, 0.5, -0.1, 0.05))
    left, right = read(shapes, (0.0, 0.03, 0.0)), read(shapes, (0.0, -0.03, 0.0))
    found = disparity(left.way[0, 1:], right.way[0, 1:], arm)
    assert found == pytest.approx(np.linalg.norm(shapes.balls[:, :3], axis=1), rel=0.06)


def test_disparity_agrees_with_the_range_map_in_a_scene():
    scene = {
        "name": "stereo",
        "tank": {"size": [6, 6, 3]},
        "fishes": [
            {"species": "grouper", "count": 1, "at": [1, 3, 1.5], "heading": [1, 0, 0]},
            {"species": "emperor_angelfish", "count": 1, "at": [1.9, 3.2, 1.5], "heading": [0, 1, 0]},
            {"species": "emperor_angelfish", "count": 1, "at": [2.3, 2.6, 1.4], "heading": [0, 1, 0]},
        ],
    }
    world = World(Scene.from_dict(scene), seed=1)
    images, (one, other) = render(world, 0, size=800), Gaze(world).views(0)
    seen = objects(images.identity, images.range, lens_of(800), int(images.identity.max()))
    arm = local(one.frame, other.origin - one.origin)
    for fish in (2, 3):
        stereo = disparity(seen.way[0, fish], seen.way[1, fish], arm)
        assert stereo == pytest.approx(seen.range[:, fish].mean(), rel=0.12)


def test_what_passes_moves_across_the_image_and_what_the_eyes_turn_is_taken_off():
    before, after = read(balls((1.0, 0.0, 0.0, 0.1))), read(balls((1.0, 0.05, 0.02, 0.1)))
    assert motion(before, after, 0.1)[0, 1] == pytest.approx((0.5, 0.2), abs=0.03)
    sine, cosine = np.sin(0.1), np.cos(0.1)
    turned = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    after = read(balls((1.0, 0.0, 0.0, 0.1)), frame=turned)
    assert motion(before, after, 0.1)[0, 1] == pytest.approx((-1.0, 0.0), abs=0.03)
    assert motion(before, after, 0.1, turned[None])[0, 1] == pytest.approx((0.0, 0.0), abs=0.03)
    assert np.isnan(motion(before, read(balls((-1.0, 0.0, 0.0, 0.1))), 0.1)[0, 1]).all()


@pytest.mark.parametrize(("near", "speed"), [(1.0, 0.5), (0.6, 1.0), (2.0, 2.0)])
def test_looming_tells_when_what_comes_is_there(near, speed):
    before, after = read(balls((near + 0.4 * speed, 0.0, 0.0, 0.3))), read(balls((near, 0.0, 0.0, 0.3)))
    assert contact(before, after, 0.4)[0, 1] == pytest.approx(near / speed, rel=0.1)
    assert contact(after, before, 0.4)[0, 1] == np.inf, "what goes away is never there"


def test_what_comes_straight_on_is_a_danger_and_what_passes_is_none():
    straight = [read(balls((x, 0.0, 0.0, 0.1))) for x in (1.1, 1.0)]
    passing = [read(balls((x, 0.5, 0.0, 0.1))) for x in (1.1, 1.0)]
    assert collides(*straight, 0.1, within=2.0)[0, 1]
    assert not collides(*passing, 0.1, within=2.0)[0, 1]
    assert not collides(*straight, 0.1, within=0.5)[0, 1], "not yet"


def test_brightness_is_the_mean_intensity_and_colours_are_those_of_objects():
    colour, identity = np.zeros((2, 40, 40, 3)), np.zeros((2, 40, 40), int)
    colour[0], colour[1, 10:20, 10:20] = 0.5, (1.0, 0.0, 0.2)
    identity[1, 10:20, 10:20] = 3
    assert brightness(colour)[0] == pytest.approx(0.5)
    assert 0.0 < brightness(colour)[1] < 0.1
    found = colours(colour, identity, 4)
    assert found[1, 3] == pytest.approx((1.0, 0.0, 0.2))
    assert not found[:, [0, 1, 2, 4]].any()


def test_the_deep_is_darker_than_the_shallows():
    scene = {
        "name": "deep",
        "tank": {"size": [20, 20, 12]},
        "fishes": [
            {"species": "clownfish", "count": 1, "at": [10, 10, 11.5], "heading": [1, 0, 0]},
            {"species": "clownfish", "count": 1, "at": [10, 10, 6.0], "heading": [1, 0, 0]},
        ],
    }
    world = World(Scene.from_dict(scene), seed=1)
    shallow, deep = (float(brightness(render(world, fish, "cyclopean", 60).colour)[0]) for fish in (0, 1))
    assert shallow > 1.2 * deep
