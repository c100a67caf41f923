"""Icons and pictures have the colours that they are given."""

import numpy as np

from artfish.blender_artfish.blender import runtime
from artfish.blender_artfish.mind import swatches


def test_icons_are_discs_of_their_colours():
    swatches.icon("fear")
    shown = runtime.of(swatches.Icons).previews["fear"].icon_pixels_float
    pixels = np.array(shown).reshape(swatches.ICON_PIXELS, swatches.ICON_PIXELS, 4)
    assert np.allclose(pixels[16, 16], (*swatches.MOODS["fear"], 1.0), atol=1 / 255)
    assert pixels[0, 0, 3] == 0


def test_a_picture_is_kept_as_it_is_given():
    given = np.random.default_rng(1).random((6, 9, 4)).astype(np.float32)
    swatches.picture("chart", given)
    preview = runtime.of(swatches.Icons).previews["chart"]
    assert tuple(preview.image_size) == (9, 6)
    got = np.array(preview.image_pixels_float[:], np.float32).reshape(6, 9, 4)
    assert np.allclose(got, given, atol=0.51 / 255)
