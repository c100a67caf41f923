"""A snake grid drawn over its picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np

BORDER_COLOUR, INNER_COLOUR = (1.0, 0.75, 0.1, 1.0), (1.0, 1.0, 1.0, 0.45)
ANCHOR_COLOUR, DRAG_COLOUR = (1.0, 0.2, 0.2, 1.0), (0.3, 0.8, 1.0, 1.0)


def on_screen(region: bpy.types.Region, size: tuple[int, int], points: np.ndarray) -> np.ndarray:
    """Positions in a region of the Image Editor of points in a picture.

    Args:
        region: The region.
        size: Width and height of the picture in pixels.
        points: (rows, columns, 2), in pixels from the upper left corner of the picture.

    Returns:
        (rows, columns, 2), in pixels from the lower left corner of the region.
    """
    import numpy as np

    view, (width, height) = region.view2d, size
    origin = np.array(view.view_to_region(0.0, 0.0, clip=False), dtype=float)
    reach = np.array(view.view_to_region(100.0, 100.0, clip=False)) - origin
    share = (points + 0.5) / (width, height)
    return origin + 0.01 * reach * np.stack([share[..., 0], 1.0 - share[..., 1]], axis=-1)


def draw_grid(places: np.ndarray, anchors: Iterable[tuple[int, int]], drags: Iterable[tuple[int, int]]) -> None:
    """Draws a grid with nodes at these positions of the region, (rows, columns, 2), some anchored, some dragged."""
    import gpu
    import numpy as np
    from gpu_extras.batch import batch_for_shader

    places = places.astype(np.float32)
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    gpu.state.blend_set("ALPHA")

    def lines(contours: list, colour: tuple) -> None:
        pairs = [np.repeat(contour, 2, axis=0)[1:-1] for contour in contours]
        shader.uniform_float("color", colour)
        batch_for_shader(shader, "LINES", {"pos": np.concatenate(pairs)}).draw(shader)

    def points(nodes: list, colour: tuple, size: float) -> None:
        if nodes:
            gpu.state.point_size_set(size * bpy.context.preferences.system.ui_scale)
            shader.uniform_float("color", colour)
            batch_for_shader(shader, "POINTS", {"pos": [tuple(node) for node in nodes]}).draw(shader)

    shader.bind()
    lines([*places, *places.swapaxes(0, 1)], INNER_COLOUR)
    lines([places[0], places[-1], places[:, 0], places[:, -1]], BORDER_COLOUR)
    points(list(places.reshape(-1, 2)), BORDER_COLOUR, 4.0)
    points([places[node] for node in anchors], ANCHOR_COLOUR, 9.0)
    points([places[node] for node in drags], DRAG_COLOUR, 9.0)
    gpu.state.point_size_set(1.0)
    gpu.state.blend_set("NONE")
