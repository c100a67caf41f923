"""Small pictures: the fish in the studio fills them, and the studio leaves nothing behind."""

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake.footprint import ids
from artfish.blender_artfish.export.portrait import PORTRAIT_MARGIN, PORTRAIT_PIXELS, studio


@pytest.mark.film
@pytest.mark.parametrize("size", [0.02, 30.0])
def test_a_picture_shows_what_stands_there(size):
    bpy.ops.mesh.primitive_cube_add(size=size, location=(5.0, 0.0, 0.0))
    cube = bpy.context.object
    before = set(ids())
    with studio([cube]) as place:
        place.portray(cube, 1)
    assert set(ids()) == before
    pixels = np.array(cube.preview.image_pixels_float).reshape(PORTRAIT_PIXELS, PORTRAIT_PIXELS, 4)
    rows, columns = np.nonzero(pixels[..., 3] > 0.5)
    assert max(np.ptp(rows), np.ptp(columns)) == pytest.approx(PORTRAIT_PIXELS / PORTRAIT_MARGIN, rel=0.05)
