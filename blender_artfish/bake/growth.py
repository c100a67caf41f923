"""Growth of baked fishes: each is keyed at full length, and the object that carries it is scaled as it grows."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
import numpy as np

from ...core.recording import Recording
from ...core.studio.growing import shown_growth
from ..blender.fcurves import thin, write
from ..blender.versions import channelbag
from ..identity import provenance

SCALE_ERROR = 1e-5
"""Largest error of a fish's scale, over its own."""
SCALE_CHANNELS = [("scale", axis) for axis in range(3)]


def key_growth(top: bpy.types.Collection, recording: Recording, first: int) -> Iterator[None]:
    """Key the scale of those fishes of a bake that grow, in steps.

    Args:
        top: The collection of the bake.
        recording: The recording.
        first: Frame of the scene at which the keys begin.
    """
    grows = (recording.growth != 1.0).any(axis=0)
    for obj in list(top.all_objects) if grows.any() else ():
        row = provenance.row_of(obj)
        if row == provenance.NO_ROW or not grows[row] or obj.animation_data is None:
            continue
        whole = np.array(obj.scale)
        growth = shown_growth(recording, row)
        keys = thin(whole[:, None] * growth, SCALE_ERROR * float(growth.min() * whole.min()))
        obj.scale = keys.first.tolist()
        write(channelbag(obj.animation_data.action, obj), SCALE_CHANNELS, keys, first)
        yield
