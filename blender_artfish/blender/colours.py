"""Colours under any colour management: a studio's own configuration has other names for spaces, views and looks."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

PLAIN_VIEWS = "Standard", "Un-tone-mapped", "Raw"
"""Views that show colours unchanged, the best first."""


def choose(settings: Any, name: str, *values: str) -> bool:
    """Set a setting to the first of these values that Blender has; returns whether it has any."""
    for value in values:
        try:
            setattr(settings, name, value)
        except TypeError:  # only trying shows the available values
            continue
        return True
    return False


def show_plainly(scene: bpy.types.Scene) -> None:
    """Have a scene show colours unchanged, without a film look, as far as its colour management can."""
    choose(scene.view_settings, "view_transform", *PLAIN_VIEWS)
    choose(scene.view_settings, "look", "None")


def encoded(linear: np.ndarray) -> np.ndarray:
    """Linear light as sRGB, the encoding of pictures for other programs, in which edges in shade are visible too."""
    linear = np.maximum(np.nan_to_num(linear), 0.0)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
