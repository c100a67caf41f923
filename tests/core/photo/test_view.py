"""Views of a photograph: small, and closer where there is more to see."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.photo.view import look, look_closer


def test_a_closer_look_shows_the_same_places_in_more_pixels() -> None:
    rows, columns = np.mgrid[0:900, 0:1400]
    image = np.stack([columns / 1400, rows / 900, np.full(rows.shape, 0.5)], axis=-1)
    view = look(image)
    near = look_closer(image, view, np.array([301.5, 200.0]), np.array([950.0, 480.2]))
    assert near is not None and near.step < view.step
    place = np.array([700.25, 300.5])
    assert near.to_image(near.to_view(place)) == pytest.approx(place, abs=1e-9)
    # Across the picture, colours rise from one pixel that is looked at to the next as they do in the photograph.
    first, last = near.to_image(np.zeros(2)), near.to_image(np.array(near.colour.shape[1::-1]) - 1.0)
    assert (first <= [303, 202]).all() and (first >= [301, 200]).all()
    assert (last >= [948, 478]).all() and (last <= [952, 482]).all()
    whole = image[:400, :600]
    assert look_closer(whole, look(whole), np.zeros(2), np.array([599.0, 399.0])) is None


def test_a_closer_look_at_few_pixels_looks_between_them() -> None:
    rows, columns = np.mgrid[0:100, 0:150]
    image = np.stack([columns / 150, rows / 100, np.full(rows.shape, 0.5)], axis=-1)
    near = look_closer(image, look(image), np.array([20.0, 30.0]), np.array([109.0, 89.0]))
    assert near is not None and max(near.colour.shape) >= 480 and near.step < look(image).step
    at = near.to_image(np.stack(np.meshgrid(*(np.arange(n) for n in near.colour.shape[1::-1])), axis=-1).astype(float))
    # Lightness and the first difference of colour tell x and y, but for a shift and a scale that are the same for all.
    for band, told in ((near.colour[..., 0], at @ (1 / 450, 1 / 300)), (near.colour[..., 1], at @ (1 / 225, -1 / 150))):
        assert np.abs(np.corrcoef(band.ravel(), told.ravel())[0, 1] - 1.0) < 1e-6


@pytest.mark.parametrize("free", [0, 100])
def test_a_cut_out_has_a_margin_and_places_stay(free: int) -> None:
    """Where the ground ends with the fish, or the picture has enough of it; also in a closer look."""
    image = np.zeros((90 + 2 * free, 140 + 2 * free, 4), dtype=np.uint8)
    y, x = np.mgrid[-1:1:90j, -1:1:140j]
    image[free : free + 90, free : free + 140] = np.where((x**2 + y**2 <= 1)[..., None], (200, 90, 30, 255), 0)
    view = look(image)
    near = look_closer(image, view, np.array([free - 5.0, free - 5.0]), np.array([free + 144.0, free + 94.0]))
    assert near is not None and near.step < view.step
    for seen in (view, near):
        assert seen.alpha is not None
        rows, columns = np.nonzero(seen.alpha > 0.5)
        first, last = (seen.to_image(np.array([end(columns), end(rows)], float)) for end in (np.min, np.max))
        assert first == pytest.approx([free, free], abs=8) and last == pytest.approx([free + 139, free + 89], abs=8)
        assert min(columns.min(), rows.min(), *(np.array(seen.alpha.shape) - 1 - (rows.max(), columns.max()))) >= 18
