"""The lens: an equidistant fisheye over 300 degrees, ahead at its centre."""

import numpy as np
import pytest

from artfish.core.perception.retina.lens import Lens

FIELD = np.radians(300.0)


def test_rays_are_as_far_off_the_axis_as_their_pixels_are_off_the_middle():
    lens = Lens(101)
    rays = lens.rays.reshape(3, 101, 101).astype(float)
    assert rays[:, 50, 50] == pytest.approx((1.0, 0.0, 0.0))
    for row, column in ((50, 3), (50, 97), (4, 50), (80, 66)):
        away = np.hypot(row - 50, column - 50) / 50.5
        assert np.arccos(rays[0, row, column]) == pytest.approx(away * FIELD / 2, abs=1e-6)
    assert rays[1, 50, 10] > 0.8 > 0.0 > rays[1, 50, 90], "left is left"
    assert rays[2, 10, 50] > 0.8 > 0.0 > rays[2, 90, 50], "up is up"


def test_corners_see_nothing():
    sees = Lens(64).sees
    assert not sees[0, 0]
    assert sees[32].all()
    assert sees.mean() == pytest.approx(np.pi / 4, abs=0.01)


def test_a_direction_is_found_where_the_ray_of_its_pixel_looks():
    lens = Lens(80)
    rays = lens.rays.reshape(3, 80, 80).astype(float)
    rows, columns = np.nonzero(lens.sees)
    places = lens.place(rays[:, rows, columns].T)
    assert np.abs(places - 0.5 - np.stack([rows, columns], axis=1)).max() < 1e-3
