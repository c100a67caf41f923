"""Colours of moods and intentions as icons for panels, and pictures in panels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import bpy.utils.previews

from ..blender import runtime
from ..blender.words import Message

if TYPE_CHECKING:
    import numpy as np

Colour = tuple[float, float, float]

MOODS: dict[str, Colour] = {
    "effort": (0.58, 0.80, 0.36),
    "hunger": (1.0, 0.62, 0.13),
    "libido": (0.95, 0.36, 0.70),
    "fear": (0.30, 0.72, 1.0),
}
"""Display colours of the moods' curves."""
MOOD_WORDS: dict[str, Message] = {"effort": "Effort", "hunger": "Hunger", "libido": "Libido", "fear": "Fear"}
INTENTIONS: dict[str, Colour] = {
    "avoid": (0.98, 0.86, 0.27),
    "escape": (0.93, 0.27, 0.25),
    "school": (0.24, 0.74, 0.64),
    "eat": (1.0, 0.62, 0.13),
    "mate": (0.95, 0.36, 0.70),
    "leave": (0.61, 0.50, 0.94),
    "wander": (0.45, 0.54, 0.63),
}
"""Colour of each intention, in the order of `Recording.INTENTIONS`."""
RELATION_COLOURS: dict[str, Colour] = {
    "fear": (0.30, 0.72, 1.0),
    "trust": (0.95, 0.92, 0.55),
    "like": (0.45, 0.95, 0.35),
    "dislike": (1.0, 0.30, 0.25),
}
"""Colour of each kind of relation."""
ICON_PIXELS = 32  # along a side of an icon


class Icons:
    """The collection of previews, made at the first use."""

    previews: Any = None


def icon(name: str, colour: Colour | None = None) -> int:
    """A disc in the colour of a mood or an intention, or in another colour with its own name, for `icon_value`."""
    previews = _previews()
    if name not in previews:
        previews.new(name).icon_size = (ICON_PIXELS, ICON_PIXELS)
        previews[name].icon_pixels_float = _disc(colour or (INTENTIONS | MOODS)[name])
    return int(previews[name].icon_id)


def picture(name: str, pixels: np.ndarray, anew: bool = True) -> int:
    """The icon of a picture, for `template_icon`.

    Args:
        name: Name of the picture.
        pixels: (height, width, 4) from the bottom up, 0 to 1, float32.
        anew: Whether they have changed since the last time.
    """
    previews = _previews()
    if name not in previews or anew:
        preview = previews[name] if name in previews else previews.new(name)
        size = (pixels.shape[1], pixels.shape[0])
        if tuple(preview.image_size) != size:
            preview.image_size = size
        preview.image_pixels_float.foreach_set(pixels.ravel())
    return int(previews[name].icon_id)


def _previews() -> Any:
    icons = runtime.of(Icons)
    if icons.previews is None:
        icons.previews = bpy.utils.previews.new()
    return icons.previews


def _disc(colour: Colour) -> Sequence[float]:
    """Pixels of a disc with a soft edge on a transparent ground."""
    middle, radius = 0.5 * (ICON_PIXELS - 1), 0.36 * ICON_PIXELS
    pixels: list[float] = []
    for y in range(ICON_PIXELS):
        for x in range(ICON_PIXELS):
            away = ((x - middle) ** 2 + (y - middle) ** 2) ** 0.5
            cover = min(max(radius + 0.5 - away, 0.0), 1.0)
            pixels += (*(cover * part for part in colour), cover)  # icons are drawn with premultiplied alpha
    return pixels


CLASSES = ()


def unregister() -> None:
    """Removes the icons."""
    previews = runtime.of(Icons).previews
    if previews is not None:
        bpy.utils.previews.remove(previews)
    runtime.drop(Icons)
