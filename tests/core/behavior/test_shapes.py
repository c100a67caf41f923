"""Schools take shapes, at the density and in the order that are said, and stay schools of fishes while they do."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Recording, Scene, World
from artfish.core.base.dice import Dice
from artfish.core.base.nearest import nearest
from artfish.core.behavior.shapes import Members, census, heading, shape_of, whims
from artfish.core.perception.tuning import GIRTH_LENGTHS
from artfish.core.scene.direction import Ball, Fill, Stream

LENGTH = 0.18  # of a sardine, in metres
FISHES = 120
MIDDLE = np.array((5.0, 5.0, 3.0))
CORNERS = [[x, y, z] for z in (2, 4) for x, y in ((2, 2), (6, 2), (6, 4), (2, 4))]
SIDES = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]
BOX = {"kind": "fill", "vertices": CORNERS, "faces": SIDES}


def radius_of(density: float, fishes: int = FISHES) -> float:
    """Metres."""
    return LENGTH * np.cbrt(0.75 / np.pi * fishes / density)


def film(seconds: float, direction: list[dict], current: list[dict] | tuple = (), **more) -> Recording:
    shoal = {"species": "sardine", "count": FISHES, "at": MIDDLE.tolist(), "spread": 0.8, "mind": {"hunger": 0}}
    scene = {"tank": {"size": [10, 10, 6]}, "fishes": [{**shoal, **more}], "current": list(current)}
    led = [{"fishes": 0, **entry} for entry in direction]
    return World(Scene.from_dict({**scene, "direction": led}), seed=1).simulate(round(24 * seconds))


def middles(recording: Recording) -> np.ndarray:
    """Metres, (frames, fish, 3)."""
    return recording.nodes.mean(axis=2)


def headings(places: np.ndarray) -> np.ndarray:
    """Ways of places (frames, fish, 3) from frame to frame, (frames - 1, fish, 3)."""
    ways = np.diff(places, axis=0)
    return ways / np.maximum(np.linalg.norm(ways, axis=-1, keepdims=True), 1e-9)


def polarisation(places: np.ndarray) -> float:
    return float(np.linalg.norm(headings(places).mean(axis=1), axis=-1).mean())


def circling(places: np.ndarray, about: np.ndarray) -> float:
    """Degree to which fishes circle anticlockwise, -1 to 1."""
    arm = (places[1:] - about) * (1.0, 1.0, 0.0)
    arm /= np.linalg.norm(arm, axis=-1, keepdims=True)
    return float(np.cross(arm, headings(places))[..., 2].mean())


@pytest.mark.film
def test_a_ball_has_its_size_density_and_order_by_keys():
    """Four fishes of five and more are within half a length of it; the bounds of order are what schools come to."""
    density = [[0, 0.5], [6, 0.5], [7, 1.2]]
    order, milling = [[6, 0.1], [6, 0]], [[6, 0], [6, 0.8]]
    places = middles(
        film(12, [{"kind": "ball", "at": MIDDLE.tolist(), "density": density, "order": order, "milling": milling}])
    )
    away = np.linalg.norm(places - MIDDLE, axis=2)
    for second, dense in ((6, 0.5), (12, 1.2)):
        assert (away[24 * (second - 1) : 24 * second] < radius_of(dense) + 0.5 * LENGTH).mean() > 0.8
        half = np.median(away[24 * (second - 1) : 24 * second])
        assert 0.5 * FISHES * LENGTH**3 / (4 / 3 * np.pi * half**3) == pytest.approx(dense, rel=0.25)
    swarm, mill = places[3 * 24 : 6 * 24], places[9 * 24 :]
    assert polarisation(swarm) < 0.4 and abs(circling(swarm, MIDDLE)) < 0.2
    assert circling(mill, MIDDLE) > 0.55
    apart = np.linalg.norm(places[-1][nearest(places[-1], places[-1], np.array([2]))[:, 0]] - places[-1], axis=1)
    assert np.quantile(apart, 0.01) > GIRTH_LENGTHS * LENGTH


@pytest.mark.film
def test_a_ball_that_is_polar_moves_with_its_path():
    path = [[0, *MIDDLE], [1, *MIDDLE], [9, 6.2, 5, 3]]
    places = middles(film(9, [{"kind": "ball", "path": path, "density": 0.5, "order": 1.0}]))
    assert (np.linalg.norm(places[-1] - (6.2, 5, 3), axis=1) < radius_of(0.5) + 2 * LENGTH).mean() > 0.85
    assert polarisation(places[5 * 24 :]) > 0.75


@pytest.mark.film
def test_a_school_is_long_where_it_points():
    """Its spread along its length is to that across as those of an ellipsoid, but for what fishes go beyond it."""
    entry = {"kind": "ball", "at": MIDDLE.tolist(), "density": 0.4, "elongation": 3, "turn": 0.8, "order": 0.1}
    places = middles(film(10, [entry]))[6 * 24 :] - MIDDLE
    along, across = (places @ (np.cos(turn), np.sin(turn), 0.0) for turn in (0.8, 0.8 + np.pi / 2))
    assert 2.0 < along.std() / across.std() < 4.0


@pytest.mark.film
def test_a_school_that_is_headed_keeps_its_place_in_a_current():
    """Against a current of nearly two lengths a second; without, it is carried off."""
    current = [{"kind": "uniform", "direction": [1, 0, 0], "strength": 0.3}]
    ball = {"kind": "ball", "at": MIDDLE.tolist(), "density": 0.5, "order": 1.0}
    headed = {**ball, "headed": True, "turn": np.pi, "speed": 0.3}
    off = [(middles(film(9, [entry], current)) - MIDDLE)[6 * 24 :].mean(axis=(0, 1)) for entry in (headed, ball)]
    assert np.linalg.norm(off[0]) < 0.5 < off[1][0]


@pytest.mark.film
def test_a_school_swims_as_fast_as_is_said():
    def speed(**more) -> float:
        ball = {"kind": "ball", "at": MIDDLE.tolist(), "density": 0.3, "milling": 0.9, **more}
        ways = np.diff(middles(film(8, [ball]))[5 * 24 :], axis=0)
        return float(np.median(np.linalg.norm(ways, axis=-1))) * 24

    slow, fast = speed(speed=0.2), speed(speed=0.45)
    assert slow == pytest.approx(0.2, rel=0.25) and fast == pytest.approx(0.45, rel=0.25)


@pytest.mark.film
def test_a_mesh_is_filled_and_fishes_draw_together_in_it():
    def inside(places: np.ndarray) -> np.ndarray:
        return (np.abs(places - (4, 3, 3)) < np.array((2, 1, 1)) + 0.5 * LENGTH).all(axis=-1)

    places = middles(film(15, [{**BOX, "order": 0.1, "density": [[10, 0.001], [11, 0.4]]}], at=[4, 3, 3]))
    assert inside(places[10 * 24]).mean() > 0.95
    parts = np.histogram(places[10 * 24, :, 0], 4, (2, 6))[0]
    assert parts.min() > 0.5 * FISHES / 4
    volume = np.prod([np.ptp(np.quantile(places[at], (0.05, 0.95), axis=0), axis=0) for at in (10 * 24, -1)], axis=1)
    assert volume[1] < 0.6 * volume[0]


@pytest.mark.film
def test_a_stream_keeps_its_width_and_goes_on():
    ring = [[5 + 3 * np.cos(a), 5 + 3 * np.sin(a), 3] for a in np.linspace(0, 2 * np.pi, 12, endpoint=False)]
    entry = {"kind": "stream", "points": ring, "closed": True, "width": [[0, 1.4], [7, 1.4], [8, 0.9]]}
    places = middles(film(11, [entry], at=[5, 2, 3]))
    off = np.hypot(np.linalg.norm(places[..., :2] - 5, axis=2) - 3, places[..., 2] - 3)
    for second, width in ((7, 1.4), (11, 0.9)):
        assert (off[24 * second - 1] < 0.5 * width + 0.5 * LENGTH).mean() > 0.85
    assert circling(places[5 * 24 :], MIDDLE) > 0.8


@pytest.mark.long
@pytest.mark.film
def test_a_school_parts_into_two_and_joins_again_and_nobody_is_lost():
    left, right = MIDDLE - (1.2, 0, 0), MIDDLE + (1.2, 0, 0)
    one = {"kind": "ball", "at": left.tolist(), "density": 0.8}
    two = {"kind": "ball", "at": right.tolist(), "density": 0.8, "share": [[2, 0], [2, 0.5], [12, 0.5], [12, 0]]}
    recording = film(20, [one, two], at=left.tolist())
    places = middles(recording)
    assert recording.alive.all()

    def near(second: float, at: np.ndarray) -> float:
        return (np.linalg.norm(places[round(24 * second)] - at, axis=1) < 1.0).mean()

    assert near(2, left) > 0.9
    assert near(11.9, left) == pytest.approx(2 / 3, abs=0.06) and near(11.9, right) == pytest.approx(1 / 3, abs=0.06)
    assert near(19.9, left) > 0.9  # 13 lengths there in ten seconds, and back in eight


@pytest.mark.film
def test_fear_is_stronger_than_a_shape():
    ball = [{"kind": "ball", "at": MIDDLE.tolist(), "density": 1.0}]
    events = [{"kind": "fright", "time": 2.0, "at": MIDDLE.tolist(), "radius": 3.0}]
    shoal = {"species": "sardine", "count": 60, "at": MIDDLE.tolist(), "spread": 0.6, "mind": {"hunger": 0}}
    scene = {"tank": {"size": [10, 10, 6]}, "fishes": [shoal], "direction": [{"fishes": 0, **ball[0]}]}
    calm, frightened = (
        middles(World(Scene.from_dict({**scene, "events": some}), seed=1).simulate(24 * 4)) for some in ([], events)
    )
    away = [np.linalg.norm(places[3 * 24 :] - MIDDLE, axis=2).mean() for places in (calm, frightened)]
    assert away[1] > 1.5 * away[0]


@pytest.mark.film
def test_replicas_take_shapes_too():
    shoal = {"species": "sardine", "count": 60, "at": MIDDLE.tolist(), "spread": 1.0, "mind": {"hunger": 0}}
    scene = {
        "tank": {"size": [10, 10, 6]},
        "fishes": [shoal],
        "camera": {"at": [5, -3, 3], "look_at": MIDDLE.tolist()},
        "detail": {"dynamic": 5},
        "direction": [{"fishes": 0, "kind": "ball", "at": MIDDLE.tolist(), "density": 0.5, "milling": 0.8}],
    }
    recording = World(Scene.from_dict(scene), seed=1).simulate(24 * 9)
    places = middles(recording)[6 * 24 :]
    assert (recording.level[-1] > 0).sum() >= 55
    assert (np.linalg.norm(places - MIDDLE, axis=2) < radius_of(0.5, 60) + LENGTH).mean() > 0.8
    assert circling(places, MIDDLE) > 0.5


def test_order_and_milling_lead_from_whims_to_one_heading():
    """The mean heading is about as long as the order says: a swarm has a fifth at the most, who is in order all."""
    dice = Dice(1, np.arange(2000))
    own, common = whims(dice, 3.0, np.arange(2000)), np.array((1.0, 0.0, 0.0))
    about = np.broadcast_to((0.0, 1.0, 0.0), own.shape)
    for order in (0.0, 0.25, 0.5, 0.75, 1.0):
        mean = heading(order, 0.0, common, about, own).mean(axis=0)
        assert mean[0] == pytest.approx(order, abs=0.2)
        assert heading(0.0, -order, common, about, own).mean(axis=0)[1] == pytest.approx(-order, abs=0.2)


SHAPES = {
    "ball": Ball(fishes=0, kind="ball", at=(5, 5, 3), radius=1.0),
    "fill": Fill(fishes=0, vertices=CORNERS, faces=SIDES, kind="fill"),
    "stream": Stream(fishes=0, points=((2, 5, 3), (8, 5, 3)), width=2.0, kind="stream"),
}


@pytest.mark.parametrize("kind", SHAPES)
def test_who_is_outside_is_led_in(kind):
    """From a length outside on no heading counts more than the way in; and the same bits whoever else takes thought."""
    shape, fishes = shape_of(SHAPES[kind]), np.arange(40)
    place = np.random.default_rng(1).uniform((0, 0, 0), (10, 10, 6), (40, 3))
    ahead, length = np.tile((1.0, 0.0, 0.0), (40, 1)), np.full(40, LENGTH)
    school = census(fishes, place, ahead, length)
    far = shape.gap(0.0, 40, LENGTH, place) > (1.0 if kind == "stream" else 0.0) + 3 * LENGTH
    members = Members(fishes, place, 0.1 * ahead, length, ahead)
    wish, need, pace = shape.wish(0.0, school, members, np.full(40, 0.0))
    assert np.linalg.norm(wish, axis=1) == pytest.approx(1.0)
    nearer = shape.gap(0.0, 40, LENGTH, place + 0.01 * wish) < shape.gap(0.0, 40, LENGTH, place)
    assert far.sum() > 10 and (nearer | (need == 0.0))[far].all()
    some = fishes[::3]
    part = Members(some, place[some], 0.1 * ahead[some], length[some], ahead[some])
    assert np.array_equal(shape.wish(0.0, school, part, np.full(40, 0.0))[0], wish[some])
