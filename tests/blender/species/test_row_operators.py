"""Rows of outlines and markings."""

import bpy
import pytest

from artfish.blender_artfish.species import library


def test_rows_are_added_halfway_and_an_outline_keeps_the_points_it_needs(scene, clownfish):
    form = clownfish.form
    bpy.ops.artfish.row_add(part="form", field="back", index=4)
    assert form.back[5].values[:] == pytest.approx((0.22, 0.1535))
    bpy.ops.artfish.row_add(part="form", field="back", index=len(form.back) - 1)
    assert form.back[-1].values[0] > form.back[-2].values[0]
    bpy.ops.artfish.row_add(part="looks", field="patches", index=-1)
    assert len(clownfish.looks.patches) == 1 and library.trouble(clownfish) == ""
    while len(form.caudal) > 3:
        assert bpy.ops.artfish.row_remove(part="form", field="caudal", index=1) == {"FINISHED"}
    assert bpy.ops.artfish.row_remove(part="form", field="caudal", index=1) == {"CANCELLED"}
    assert library.trouble(clownfish) == ""
