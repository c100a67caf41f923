"""A contact sheet has a still for each shot, in rows."""

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.filming.contact import A_ROW, SEAM, WIDE, contact_sheet

pytestmark = pytest.mark.versions


def test_stills_are_laid_out_from_the_upper_left(tmp_path):
    paths = []
    for number in range(A_ROW + 1):
        image = bpy.data.images.new("Flat", 2 * WIDE, WIDE)
        image.pixels.foreach_set(np.tile([number / A_ROW, 0.5, 0.5, 1.0], 2 * WIDE * WIDE).astype(np.float32))
        image.filepath_raw, image.file_format = str(tmp_path / f"{number}.png"), "PNG"
        image.save()
        paths.append(tmp_path / f"{number}.png")
    contact_sheet(paths, tmp_path / "sheet.png")
    sheet = bpy.data.images.load(str(tmp_path / "sheet.png"))
    high = WIDE // 2
    assert tuple(sheet.size) == (
        A_ROW * (WIDE + SEAM) + SEAM,
        2 * (high + SEAM) + SEAM,
    )
    pixels = np.empty(sheet.size[0] * sheet.size[1] * 4, dtype=np.float32)
    sheet.pixels.foreach_get(pixels)
    red = pixels.reshape(sheet.size[1], sheet.size[0], 4)[::-1, :, 0]
    for number in range(A_ROW + 1):
        row, column = divmod(number, A_ROW)
        middle = red[
            SEAM + row * (high + SEAM) + high // 2,
            SEAM + column * (WIDE + SEAM) + WIDE // 2,
        ]
        assert middle == pytest.approx(number / A_ROW, abs=0.01)
    assert red[0, 0] == 0.0
