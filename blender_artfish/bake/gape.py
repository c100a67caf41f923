"""How far a fish's mouth is open, keyed where its skin reads it: what is between the lips then shows."""

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
"""How far it may be off, of wide open."""


def gape_of(recording: Recording, row: int) -> np.ndarray:
    """How far a fish's mouth is open at every frame, (frames,) float32, 0 to 1: for a bite or for a breath."""
    bearing = recording.species_models[recording.species[row]].bearing
    return gape(bearing, recording.mouth[:, row], recording.breath[:, row]).astype(np.float32)


def key_gape(action: bpy.types.Action, objects: Iterable[bpy.types.Object], mouth: np.ndarray, first: int) -> None:
    """Set how far the mouth is open on a fish's objects, and key it if it moves.

    Args:
        action: Of the fish.
        objects: Those that wear its skin.
        mouth: As `gape_of` has it.
        first: Frame of the scene at which the keys begin.
    """
    keys = thin(mouth[None], GAPE_GRAIN)
    for obj in objects:
        obj[GAPE] = float(mouth[0])
        if np.ptp(mouth) > GAPE_GRAIN:
            write(channelbag(action, obj), [(f'["{GAPE}"]', 0)], keys, first)
