"""Overlays are made anew only where something changes, and leave nothing behind."""

import bpy
import numpy as np
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.blender import runtime
from artfish.blender_artfish.mind import overlays, source, swatches
from artfish.tests.blender.mind.school import changed, observed_of


def test_the_drawing_is_made_anew_only_when_something_changes(recording):
    one = overlays.drawing(observed_of(recording, 0, 3), ("field",))
    assert overlays.drawing(observed_of(recording, 0, 3), ("field",)) is one
    for observed, wanted in (
        (observed_of(recording, 0, 4), ("field",)),
        (observed_of(recording, 1, 3), ("field",)),
        (observed_of(recording, 0, 3), ("field", "seen")),
        (observed_of(recording, 0, 3, (1, 0, 0)), ("field",)),
        (observed_of(changed(recording, 3, 0, target=2), 0, 3), ("field",)),
    ):
        other = overlays.drawing(observed, wanted)
        assert other is not one
        one = other


def test_nothing_is_left_behind(recording):
    handles = list(runtime.of(overlays.DrawHandlers).handles)
    assert len(handles) == 2
    assert overlays.drawing(observed_of(recording, 0, 3), ("field",)) is runtime.of(overlays.Drawn).drawing
    assert runtime.of(source.Memory).insight is not None
    swatches.picture("chart", np.zeros((8, 8, 4), np.float32))
    assert swatches.icon("eat") == swatches.icon("eat")
    bpy.ops.wm.read_homefile(use_empty=True)
    assert runtime.of(overlays.Drawn).drawing is None  # nothing of the former file is kept
    assert runtime.of(source.Memory).insight is None
    blender_artfish.unregister()
    assert not runtime.of(overlays.DrawHandlers).handles and runtime.of(swatches.Icons).previews is None
    runtime.drop()
    for handle in handles:
        with pytest.raises(ValueError):
            bpy.types.SpaceView3D.draw_handler_remove(handle, "WINDOW")
    assert not hasattr(bpy.types.Scene, "artfish_overlays")
    for name in ("load_pre", "load_post", "frame_change_post"):
        left = [f for f in getattr(bpy.app.handlers, name) if "artfish" in f.__module__]
        assert not left, name
    blender_artfish.register()
