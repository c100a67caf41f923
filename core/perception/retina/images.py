"""The images of a fish's eyes: colours, which object each pixel shows, and how far away it is (fig. 6.9)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...base.codec import SceneError, shown
from ...base.elementary import exp, sin_and_cos
from ...base.sums import mean
from ...base.vectors import LEAST_LENGTH, cross, norm
from ...body.anatomy import body_frame
from ..tuning import ABSORPTION, FARTHEST_SEEN, LEAST_SHADE, WATER_COLOUR
from .drawing import EyeView, draw
from .lens import lens_of
from .scenery import RetinaScenery, SeenIdentity, skin_of

RETINAS = "both", "left", "right", "cyclopean"
"""Eyes to choose from; the cyclopean one is between the two, where the book's fish sees from."""
SMALLEST, LARGEST = 8, 2048
"""Pixels across an image."""


class Images(NamedTuple):
    """The images of eyes, the left one first.

    Each is one equidistant fisheye over 300 degrees, ahead at its centre, as the fish itself would see it: up is up and
    left is left. Its corners see nothing.

    Attributes:
        colour: Linear red, green and blue as they are after the way through the water, (eyes, size, size, 3) float32.
        identity: Object in each pixel, (eyes, size, size) int32: 0 nothing, 1 + row of a fish, then obstacles and the
            rest as `table` has them.
        range: Metres to it, (eyes, size, size) float32; infinite where nothing is.
    """

    colour: np.ndarray
    identity: np.ndarray
    range: np.ndarray


def render(world: Any, fish: int, eye: str = "both", size: int = 200, pan: float = 0.0, tilt: float = 0.0) -> Images:
    """The images on a fish's retinas. It does not see itself.

    Args:
        world: A world (`artfish.core.World`) at its present moment, which this does not change.
        fish: Row of the fish that looks.
        eye: One of `RETINAS`.
        size: Pixels across.
        pan: Angle of the eyes to the left of the fish's heading, in radians.
        tilt: Angle by which they are then turned up, in radians.

    Raises:
        SceneError: If there is no such fish or eye, or the size is out of range.
    """
    return Gaze(world).render(fish, eye, size, pan, tilt)


def table(world: Any) -> tuple[SeenIdentity, ...]:
    """The object of each identity in the images of a world, from 1 on."""
    return RetinaScenery(world.parts).table


class Gaze:
    """A world at a moment, for many eyes to look at.

    Attributes:
        scenery: Scenery of the world.
    """

    def __init__(self, world: Any) -> None:
        """Gathers visible things; the world must not go on until all have looked."""
        self._parts, self.scenery = world.parts, RetinaScenery(world.parts)

    def render(self, fish: int, eye: str = "both", size: int = 200, pan: float = 0.0, tilt: float = 0.0) -> Images:
        """See `render` of this module."""
        views = self.views(fish, eye, pan, tilt)
        maps = [self.maps(view, fish, size) for view in views]
        colour = [self._coloured(view, size, marks, far) for view, (marks, _, far) in zip(views, maps, strict=True)]
        return Images(np.stack(colour), np.stack([of for _, of, _ in maps]), np.stack([of for _, _, of in maps]))

    def views(self, fish: int, eye: str = "both", pan: float = 0.0, tilt: float = 0.0) -> list[EyeView]:
        """The places and directions of a fish's eyes; see `render` of this module.

        Raises:
            SceneError: If there is no such fish or eye.
        """
        parts = self._parts
        shoal = parts.bodies.shoal
        if not 0 <= fish < len(shoal) or not shoal.alive[fish]:
            raise SceneError(shown(fish), f"the row of one of {len(shoal)} fishes that is there", key="fish")
        if eye not in RETINAS:
            raise SceneError(shown(eye), f"one of {', '.join(RETINAS)}", key="eye")
        nodes, length = shoal.nodes[fish], shoal.length[fish : fish + 1]
        frame = _turned(body_frame(nodes)[1], pan, tilt)
        coupling = skin_of(parts.model.models[parts.species[fish]]).coupling
        places = coupling.control_points(nodes[None, None], np.zeros((1, 1, 2, 3)), length)["eyes"][0, 0]
        chosen = {"both": places, "left": places[:1], "right": places[1:], "cyclopean": mean(places, axis=0)[None]}[eye]
        return [EyeView(place, frame) for place in chosen]

    def maps(self, view: EyeView, fish: int, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Marks of shapes, identities and ranges that an eye of a fish sees, (size, size) each.

        Raises:
            SceneError: The size is out of range.
        """
        if not SMALLEST <= size <= LARGEST:
            raise SceneError(shown(size), f"{SMALLEST} to {LARGEST} pixels", key="size")
        marks, far = draw(view, lens_of(size), self.scenery.shapes, range(*self.scenery.own[fish].tolist()))
        return marks, self.scenery.owner[marks], far

    def _coloured(self, view: EyeView, size: int, marks: np.ndarray, far: np.ndarray) -> np.ndarray:
        """Colours (size, size, 3): lit from above, and less and bluer the farther away."""
        scenery, lens = self.scenery, lens_of(size)
        base = scenery.colour[marks] * self._shades()[marks][..., None]
        kept = exp(-ABSORPTION * np.minimum(far, FARTHEST_SEEN)[..., None])
        return ((base * kept + WATER_COLOUR * (1.0 - kept)) * lens.sees[..., None]).astype(np.float32)

    def _shades(self) -> np.ndarray:
        """Brightness of each shape, lit from above, and of nothing, (shapes + 1,)."""
        scenery = self.scenery
        one, two, three = np.moveaxis(scenery.shapes.vertices[scenery.shapes.triangles], 1, 0)
        normal = cross(two - one, three - one)
        up = normal[:, 2] / np.maximum(norm(normal), LEAST_LENGTH)
        up = np.where(scenery.shapes.both, np.abs(up), up)
        lit = np.ones(len(scenery.owner))
        lit[: len(up)] = LEAST_SHADE + (1.0 - LEAST_SHADE) * (0.5 + 0.5 * up)
        return lit


def _turned(frame: np.ndarray, pan: float, tilt: float) -> np.ndarray:
    """A frame (3, 3) turned to its left, then up, by angles in radians."""
    (side, along), (rise, level) = sin_and_cos(np.array(pan)), sin_and_cos(np.array(tilt))
    ahead, left, up = frame.T
    forth = along * ahead + side * left
    return np.stack([level * forth + rise * up, along * left - side * ahead, level * up - rise * forth], axis=1)
