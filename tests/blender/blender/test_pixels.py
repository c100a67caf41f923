"""Pixels of images are read with their rows from the bottom up, and files that are read leave nothing in the .blend."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.blender.pixels import loaded, pixels_of

RAMP = np.random.default_rng(0).integers(0, 256, (3, 5, 4)).astype(np.float32) / 255.0
RAMP[..., 3] = 1.0


@pytest.fixture
def image() -> bpy.types.Image:
    """An image three pixels high and five wide."""
    made = bpy.data.images.new("ramp", 5, 3)
    made.pixels.foreach_set(RAMP.ravel())
    return made


def test_the_bottom_row_is_the_first(image):
    assert np.allclose(pixels_of(image), RAMP, atol=0.5 / 255)
    image.pixels[0] = 1.0  # the lower left pixel
    assert pixels_of(image)[0, 0, 0] == 1.0


def test_a_file_is_read_and_forgotten(image, tmp_path):
    image.filepath_raw, image.file_format = str(tmp_path / "ramp.png"), "PNG"
    image.save()
    before = [*bpy.data.images]
    with loaded(tmp_path / "ramp.png") as read:
        assert np.allclose(pixels_of(read), RAMP, atol=0.5 / 255)
    assert [*bpy.data.images] == before


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(RuntimeError), loaded(tmp_path / "none.png"):
        pass
