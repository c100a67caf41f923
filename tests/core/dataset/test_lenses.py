"""Lenses: pixels and rays are each other's inverse, and distortions are OpenCV's."""

import numpy as np
import pytest

from artfish.core.dataset.lenses import LensOptics

SIZE = 640, 360
LENSES = {
    "none": LensOptics.of(SIZE, 35.0),
    "brown_conrady": LensOptics.of(SIZE, 28.0, "brown_conrady", (-0.28, 0.07, 0.001, -0.002, 0.0)),
    "fisheye": LensOptics.of(SIZE, 17.0, "fisheye", (-0.02, 0.004, 0.0, 0.0)),
}


@pytest.mark.parametrize("lens", LENSES)
def test_rays_lead_back_to_their_pixels(lens):
    optics = LENSES[lens]
    pixels = np.stack(np.meshgrid(np.linspace(1, 639, 21), np.linspace(1, 359, 15)), axis=-1)
    rays = optics.rays(pixels)
    there = ~np.isnan(rays).any(axis=-1)
    assert there.mean() > 0.95
    points = 2.5 * np.concatenate([rays, np.ones((*rays.shape[:2], 1))], axis=-1)
    assert np.allclose(optics.pixels(points)[there], pixels[there], atol=1e-3)


def test_a_pinhole_sees_the_width_of_its_sensor():
    # 36 mm at 35 mm: tan of half the angle is 18 / 35.
    edge = LENSES["none"].pixels(np.array([[18.0 / 35.0, 0.0, 1.0], [0.0, 0.0, 1.0]]))
    assert np.allclose(edge, [[640.0, 180.0], [320.0, 180.0]])


def test_brown_and_conrady_as_written_out():
    k1, k2, p1, p2, k3 = LENSES["brown_conrady"].k
    x, y = 0.3, -0.2
    square = x * x + y * y
    factor = 1 + k1 * square + k2 * square**2 + k3 * square**3
    focal = 640 * 28 / 36
    truth = [
        320 + focal * (x * factor + 2 * p1 * x * y + p2 * (square + 2 * x * x)),
        180 + focal * (y * factor + p1 * (square + 2 * y * y) + 2 * p2 * x * y),
    ]
    assert np.allclose(LENSES["brown_conrady"].pixels(np.array([x, y, 1.0])), truth)


def test_a_fisheye_without_coefficients_is_equidistant():
    optics = LensOptics.of(SIZE, 14.0, "fisheye", (0.0, 0.0, 0.0, 0.0))
    angles = np.radians([10.0, 30.0, 60.0])
    points = np.stack([np.sin(angles), 0.0 * angles, np.cos(angles)], axis=1)
    assert np.allclose(optics.pixels(points)[:, 0], 320.0 + optics.focal[0] * angles)


def test_what_is_behind_or_beyond_has_no_pixel():
    behind = np.array([0.1, 0.1, -1.0])
    assert all(np.isnan(optics.pixels(behind)).all() for optics in LENSES.values())
    far = np.array([5.0, 0.0, 1.0])  # 79 degrees off the axis
    assert np.isnan(LENSES["fisheye"].pixels(far)).all()


def test_what_bends_a_picture_bends_points_alike():
    """A bright dot of the undistorted picture comes to lie where the lens puts its point."""
    optics = LENSES["brown_conrady"]
    source = optics.source
    assert source.width > optics.width
    for point in ([0.35, 0.1, 1.0], [-0.3, 0.2, 1.0], [0.02, -0.22, 1.0]):
        columns, rows = np.meshgrid(np.arange(source.width) + 0.5, np.arange(source.height) + 0.5)
        at = source.pixels(np.array(point))
        dot = np.exp(-((columns - at[0]) ** 2 + (rows - at[1]) ** 2) / 8.0)
        bent = optics.bent_picture(dot[..., None])[..., 0]
        columns, rows = np.meshgrid(np.arange(optics.width) + 0.5, np.arange(optics.height) + 0.5)
        found = np.array([(bent * columns).sum(), (bent * rows).sum()]) / bent.sum()
        # The dot of 2 pixels is sheared by the lens: its middle moves by second derivatives of 0.3 / focal at most.
        assert np.allclose(found, optics.pixels(np.array(point)), atol=0.1)


@pytest.mark.parametrize("lens", [*LENSES, "shifted"])
def test_what_may_be_seen_is_not_ruled_out(lens):
    optics = LensOptics(*SIZE, (90.0, 70.0), (-20.0, 1.3 * SIZE[1])) if lens == "shifted" else LENSES[lens]
    dice = np.random.default_rng(3)
    for middle in dice.uniform(-3.0, 3.0, (200, 3)):
        points = middle + dice.uniform(-0.2, 0.2, (8, 3))
        pixels = optics.pixels(points)
        with np.errstate(invalid="ignore"):
            inside = ((pixels > 0) & (pixels < SIZE)).all(axis=1).any()
        assert optics.may_see(points) or not inside
    assert not optics.may_see(np.array([[0.0, 0.0, -1.0], [0.1, 0.0, -2.0]]))


def test_what_a_shifted_lens_leaves_out_is_ruled_out():
    optics = LensOptics(100, 60, (80.0, 80.0), (0.0, 30.0))  # it sees from straight ahead to the right
    assert optics.may_see(np.array([[1.2, 0.0, 1.0]])) and not optics.may_see(np.array([[-0.1, 0.0, 1.0]]))
    assert not optics.may_see(np.array([[1.3, 0.0, 1.0]]))
