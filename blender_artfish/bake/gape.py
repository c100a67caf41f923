"""The gape of a fish's mouth, keyed where its skin reads it, so that the inside of the mouth shows."""

from __future__ import annotations

from collections.abc import Iterable

import bpy
import numpy as np

from ...core.form.look import gape
from ...core.recording import Recording
from ..blender.fcurves import thin, write
from ..blender.versions import channelbag
from ..fish.relief import GAPE

GAPE_GRAIN = 1 / 128
"""Largest error of the gape, as a share of wide open."""


def gape_of(recording: Recording, row: int) -> np.ndarray:
    """Gape of a fish's mouth at every frame, (frames,) float32, 0 to 1: for a bite or for a breath."""
    bearing = recording.species_models[recording.species[row]].bearing
    return gape(bearing, recording.mouth[:, row], recording.breath[:, row]).astype(np.float32)


def key_gape(action: bpy.types.Action, objects: Iterable[bpy.types.Object], mouth: np.ndarray, first: int) -> None:
    """Set the gape on a fish's objects, and key it if it changes.

    Args:
        action: The fish's action.
        objects: The objects that wear its skin.
        mouth: The gape, as `gape_of` returns it.
        first: Frame of the scene at which the keys begin.
    """
    keys = thin(mouth[None], GAPE_GRAIN)
    for obj in objects:
        obj[GAPE] = float(mouth[0])
        if np.ptp(mouth) > GAPE_GRAIN:
            write(channelbag(action, obj), [(f'["{GAPE}"]', 0)], keys, first)
