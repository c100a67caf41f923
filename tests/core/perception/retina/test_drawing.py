"""Drawing: each pixel has what its ray hits first, by an oracle that asks every ray of every shape."""

import numpy as np
import pytest

from artfish.core.base.attitude import matrices, normalised
from artfish.core.base.vectors import local
from artfish.core.geometry.pillar import Pillar
from artfish.core.perception.retina.drawing import NOTHING, EyeView, Shapes, draw
from artfish.core.perception.retina.lens import Lens

NONE = {
    "vertices": np.zeros((0, 3)),
    "triangles": np.zeros((0, 3), int),
    "both": np.zeros(0, bool),
    "balls": np.zeros((0, 4)),
    "pillars": np.zeros((0, 5)),
}


def view(dice: np.random.Generator, low: float = 1.0, high: float = 3.0) -> EyeView:
    return EyeView(dice.uniform(low, high, 3), matrices(normalised(dice.normal(size=4))))


def crowd(dice: np.random.Generator) -> Shapes:
    """Small and wide triangles, balls, pillars and walls in a box of 4 metres."""
    middles = dice.uniform(0.0, 4.0, (150, 1, 3))
    corners = middles + dice.normal(0.0, 0.15, (150, 3, 3))
    corners[:12] = dice.uniform(0.0, 4.0, (12, 3, 3))
    balls = np.column_stack([dice.uniform(0.0, 4.0, (20, 3)), dice.uniform(0.01, 0.2, 20)])
    feet = np.column_stack([dice.uniform(0.0, 4.0, (4, 2)), np.zeros(4)])
    pillars = np.column_stack([feet, dice.uniform(0.1, 0.4, 4), dice.uniform(0.5, 4.0, 4)])
    rows = np.arange(450).reshape(-1, 3)
    box = np.array([[0.0, 0.0, 0.0], [4.0, 4.0, 4.0]])
    return Shapes(corners.reshape(-1, 3), rows, dice.random(150) < 0.5, balls, pillars, box)


def ranges(ways: np.ndarray, origin: np.ndarray, shapes: Shapes) -> np.ndarray:
    """Metres along rays (n, 3) to every shape, (n, shapes), by textbook forms in double precision."""
    found = []
    for (a, b, c), both in zip(shapes.vertices[shapes.triangles], shapes.both, strict=True):
        one, two, arm = b - a, c - a, origin - a  # Moeller & Trumbore 1997
        across = np.cross(ways, two)
        whole = across @ one
        u = across @ arm / whole
        v = ways @ np.cross(arm, one) / whole
        far = two @ np.cross(arm, one) / whole
        hit = (u >= 0) & (v >= 0) & (u + v <= 1) & (far > 0) & (both | (whole > 0))
        found.append(np.where(hit, far, np.inf))
    for *middle, radius in shapes.balls:
        arm = np.array(middle) - origin
        along = ways @ arm
        square = along**2 - arm @ arm + radius**2
        far = along - np.sqrt(np.maximum(square, 0.0))
        found.append(np.where((square > 0) & (far > 0) & (arm @ arm > radius**2), far, np.inf))
    for *foot, radius, height in shapes.pillars:
        enter, leave = Pillar(foot, radius, height).span(np.broadcast_to(origin, ways.shape), ways, 0.0)
        found.append(np.where((enter < leave) & (enter > 0), enter, np.inf))
    if shapes.box is not None:
        for axis in range(3):
            for end, sign in ((shapes.box[0], -1.0), (shapes.box[1], 1.0)):
                way = ways[:, axis]
                found.append(np.where(way * sign > 0, (end[axis] - origin[axis]) / way, np.inf))
    return np.stack(found, axis=1)


@pytest.mark.parametrize("seed", range(4))
def test_pixels_have_what_their_rays_hit_first(seed):
    dice, lens = np.random.default_rng(seed), Lens(60)
    shapes, eye = crowd(dice), view(dice)
    marks, far = draw(eye, lens, shapes)
    ways = lens.rays.T.astype(float) @ eye.frame.T
    with np.errstate(divide="ignore", invalid="ignore"):
        every = ranges(ways, eye.origin, shapes)
    sees = lens.sees.ravel()
    assert (marks.ravel()[~sees] == NOTHING).all()
    nearest, marks, far = every.min(axis=1)[sees], marks.ravel()[sees], far.ravel()[sees]
    alike = np.isclose(far, nearest, rtol=1e-4)
    assert alike.mean() > 0.998, "all but rays that graze an edge, which single precision sees on either side"
    assert (marks == every.argmin(axis=1)[sees])[alike].mean() > 0.998


@pytest.mark.parametrize("seed", range(6))
def test_only_pixels_near_a_shape_are_asked_and_none_is_missed(alike, seed):
    dice = np.random.default_rng(100 + seed)
    lens, shapes, eye = Lens(90), crowd(dice), view(dice, 0.1, 3.9)
    marks, _ = alike(lambda: draw(eye, lens, shapes, range(20, 60)), "retina")
    assert len(np.unique(marks)) > 20


def test_what_is_nowhere_is_not_seen(alike):
    shapes, eye = crowd(np.random.default_rng(9)), view(np.random.default_rng(9))
    shapes.vertices[:30], shapes.balls[0, 0], shapes.pillars[0, 1] = np.nan, np.nan, np.nan
    marks, far = alike(lambda: draw(eye, Lens(40), shapes), "retina")
    first = len(shapes.triangles)
    hidden = np.flatnonzero((shapes.triangles < 30).any(axis=1))
    assert not np.isin(marks, [*hidden, first, first + len(shapes.balls)]).any() and not np.isnan(far).any()


def test_a_picture_may_be_as_large_as_there_is_memory():
    pillar = Shapes(**NONE | {"pillars": np.array([[2.0, 0.0, -1.0, 0.1, 2.0]])})
    marks, _ = draw(EyeView(np.zeros(3), np.eye(3)), Lens(2100, 1.0), pillar)
    assert (marks[1050, 1000:1100] == 0).all()


def test_a_closed_surface_has_no_holes_along_its_edges():
    dice = np.random.default_rng(3)
    north, east = np.meshgrid(
        np.linspace(0.0, np.pi, 13), np.linspace(0.0, 2 * np.pi, 24, endpoint=False), indexing="ij"
    )
    ball = np.stack([np.sin(north) * np.cos(east), np.sin(north) * np.sin(east), np.cos(north)], axis=-1)
    rows = np.arange(13 * 24).reshape(13, 24)
    a, b = rows[:-1], rows[1:]
    c, d = np.roll(b, -1, axis=1), np.roll(a, -1, axis=1)
    triangles = np.concatenate([np.stack(of, axis=-1).reshape(-1, 3) for of in ((a, b, c), (a, c, d))])
    lens = Lens(120)
    within = NONE | {"vertices": ball.reshape(-1, 3), "triangles": triangles, "both": np.ones(len(triangles), bool)}
    for _ in range(3):
        marks, far = draw(
            EyeView(0.15 * dice.normal(size=3), matrices(normalised(dice.normal(size=4)))), lens, Shapes(**within)
        )
        assert (marks[lens.sees] != NOTHING).all(), "from within it is all around"
    without = within | {"vertices": 0.5 * ball.reshape(-1, 3) + (2.0, 0.0, 0.0), "both": np.zeros(len(triangles), bool)}
    marks, far = draw(EyeView(np.zeros(3), np.eye(3)), lens, Shapes(**without))
    ways = lens.rays.T.astype(float).reshape(120, 120, 3)
    core = lens.sees & (np.arccos(np.clip(ways[..., 0], -1, 1)) < 0.9 * np.arcsin(0.25))
    assert (marks[core] != NOTHING).all()
    assert far[60, 60] == pytest.approx(1.5, abs=0.02), "the near side, not the far one"


def test_a_ball_is_as_wide_as_its_distance_makes_it():
    lens = Lens(400)
    marks, far = draw(
        EyeView(np.zeros(3), np.eye(3)), lens, Shapes(**NONE | {"balls": np.array([[0.0, 2.0, 0.0, 0.5]])})
    )
    rows, columns = np.nonzero(marks == 0)
    angle = 2 * np.arcsin(0.25) / np.radians(300.0) * 400
    assert np.ptp(columns) + 1 == pytest.approx(angle, abs=1.5)
    assert far.min() == pytest.approx(1.5, abs=1e-3)
    assert columns.mean() + 0.5 == pytest.approx(200 * (1 - 90 / 150), abs=0.5)
    middle = local(np.eye(3), np.array([0.0, 2.0, 0.0]))
    assert lens.place(middle) == pytest.approx((200.0, 80.0))
