"""A fish without shaders, as in Blender's Solid view: a few plain colours, each for some faces of its mesh.

A NURBS surface has one material, so each part of a baked fish has one colour; a mesh shows the markings as far
as the size of its faces allows.
"""

from __future__ import annotations

import numpy as np

from ...core.scene.looks import Looks
from ...core.scene.species import Species
from . import pattern

SAMPLES = 3
"""Samples of the colour across and along a face."""
SPOT_JITTER = 0.4
"""Jitter of spots about a regular grid, over its spacing."""
SMALL_SHARE = 0.004
"""Share of the skin below which a colour is left out."""


def colours(looks: Looks) -> dict[str, tuple]:
    """The possible colours of a skin, by name."""
    found = {"side": looks.side, "back": looks.back, "belly": looks.belly}
    if looks.face_reach:
        found["face"] = looks.face
    if looks.rear_reach:
        found["rear"] = looks.rear
    if looks.pattern != "none" and looks.pattern_strength:
        found["pattern"] = looks.pattern_colour
    if looks.patches:
        found["patch"] = looks.patch_colour
    if looks.bands:
        found["band"] = looks.band_colour
    return found


def skin_shades(species: Species, uv: np.ndarray) -> dict[str, np.ndarray]:
    """Assignment of a skin's faces to those of its `colours` that appear.

    Args:
        species: The species.
        uv: Coordinates (n, 4, 2) of the corners of faces: u from the back (0) to the belly (1), v from nose to tail.

    Returns:
        Masks (n,) of the faces, by the names of their colours.
    """
    share = (np.arange(SAMPLES) + 0.5) / SAMPLES
    weight = np.stack([np.outer(a, b) for a in (1 - share, share) for b in (1 - share, share)])[[0, 2, 3, 1]]
    places = np.einsum("ncd,cij->nijd", uv, weight)
    seen = skin_colour(species, places[..., 1], 1.0 - places[..., 0]).mean(axis=(1, 2))
    known = colours(species.looks)
    distance = np.stack([((seen - colour) ** 2).sum(axis=1) for colour in known.values()])
    which = distance.argmin(axis=0)
    masks = {name: which == number for number, name in enumerate(known)}
    return {name: mask for name, mask in masks.items() if mask.mean() > SMALL_SHARE}


def skin_colour(species: Species, along: np.ndarray, up: np.ndarray) -> np.ndarray:
    """The colours (..., 3) of a skin at points on it, as painted by `skin.paint_skin` without noise."""
    looks, girth = species.looks, pattern.girth(species)
    half = 0.5 * looks.shading_softness
    low, high = looks.belly_reach, 1.0 - looks.back_reach
    colour = _mix(_ramp(up, low + half, low - half), np.array(looks.side), looks.belly)
    colour = _mix(_ramp(up, high - half, high + half), colour, looks.back)
    if looks.face_reach:
        colour = _mix(_ramp(along, 1.3 * looks.face_reach, 0.7 * looks.face_reach), colour, looks.face)
    if looks.rear_reach:
        start = 1.0 - looks.rear_reach
        colour = _mix(_ramp(along, start - 0.06, start + 0.06), colour, looks.rear)
    if looks.pattern != "none":
        amount = _pattern(looks, girth, along, up) * _window(looks, along, up)
        colour = _mix(amount * looks.pattern_strength, colour, looks.pattern_colour)
    if looks.patches:
        colour = _mix(_ramp(_patches(looks, girth, along, up), 0.01, -0.01), colour, looks.patch_colour)
    for place, width, slant, bend in looks.bands:
        height = up - 0.5
        distance = np.abs(along - place - slant * height - bend * (0.08 - height * height)) - 0.5 * width
        colour = _mix(_ramp(distance, 0.001, -0.001), colour, looks.band_colour)
    return colour


def _ramp(x: np.ndarray, zero: float, one: float) -> np.ndarray:
    """A linear ramp, 0 at `zero` and 1 at `one`."""
    return np.asarray(np.clip((x - zero) / (one - zero), 0.0, 1.0))


def _mix(amount: np.ndarray, under: np.ndarray, over: tuple) -> np.ndarray:
    return np.asarray(under + amount[..., None] * (np.array(over) - under))


def _window(looks: Looks, along: np.ndarray, up: np.ndarray) -> np.ndarray:
    """Mask of the patterned region."""
    (begin, end), (low, high) = looks.pattern_along, looks.pattern_up
    return ((along > begin) & (along < end) & (up > low) & (up < high)).astype(float)


def _pattern(looks: Looks, girth: float, along: np.ndarray, up: np.ndarray) -> np.ndarray:
    """Coverage of the pattern at points."""
    count, width, height = looks.pattern_count, looks.pattern_width, up - 0.5
    if looks.pattern in ("spots", "mottling"):
        return _blots(count, width, along, up * girth)
    if looks.pattern == "bars":
        lean = height * looks.pattern_slant * girth - height * height * looks.pattern_bend
        phase = (along - lean) * count
    else:
        rise = (along - 0.5) * looks.pattern_slant / girth + (along - 0.5) ** 2 * looks.pattern_bend
        phase = (up - rise) * count
    half = 0.5 * looks.pattern_softness
    return _ramp(2.0 * np.abs(phase % 1.0 - 0.5), width + half, width - half)


def _blots(count: float, width: float, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Round spots, `count` along the body, that cover this share of it."""
    column, row = np.floor(x * count), np.floor(y * count)
    noise = [np.sin(column * a + row * b) * 43758.5453 % 1.0 for a, b in ((12.9, 78.2), (39.3, 11.1))]
    stray = [SPOT_JITTER * (share - 0.5) for share in noise]
    distance = np.hypot(x * count - column - 0.5 - stray[0], y * count - row - 0.5 - stray[1])
    return (distance < np.sqrt(0.32 * width)).astype(float)


def _patches(looks: Looks, girth: float, along: np.ndarray, up: np.ndarray) -> np.ndarray:
    """Distance from the edge of all patches as one figure, negative inside."""
    figure = np.full(along.shape, np.inf)
    for x, y, length, height, slant, sign in looks.patches:
        ahead = along - x
        patch = np.hypot(ahead / length, (up - y - slant * ahead / girth) / height) - 1.0
        figure = np.minimum(figure, patch) if sign > 0 else np.maximum(figure, -patch)
    return figure
