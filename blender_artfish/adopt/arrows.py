"""Arrows in the 3D View that show where a model's nose and back are; for a model in a file, its form as well."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import bpy

from ..blender import runtime
from ..blender.words import Message, translated
from ..identity.units import metres
from .operators import looked

if TYPE_CHECKING:
    import numpy as np

    from .adopting import ModelLook

ARROW_COLOURS = (1.0, 0.45, 0.1, 1.0), (0.3, 0.75, 1.0, 1.0)
"""Colours of the nose's arrow and the back's."""
EDGE_COLOUR = (0.8, 0.8, 0.8, 0.35)
ARROW_WORDS: tuple[Message, Message] = "Nose", "Back"
ARROW_LENGTHS = 0.25
"""Length of an arrow beyond the model, over the model's length."""
HEAD_LENGTHS = 0.05
MOST_EDGES = 30_000
"""Most edges drawn of a model in a file."""
ARROW_PIXELS, MODEL_PIXELS, WORD_POINTS = 3.0, 1.0, 13


class Arrows(NamedTuple):
    """The lines and label places that are drawn.

    Attributes:
        arrows: Ends of lines, (2, n, 3), those of the nose's arrow and of the back's.
        edges: Ends of the model's edges, (m, 3).
        tips: Places of the labels, (2, 3).
    """

    arrows: np.ndarray
    edges: np.ndarray
    tips: np.ndarray


class Sketch:
    """The last drawing, with the key of what it was made of."""

    def __init__(self) -> None:
        """Start with nothing drawn."""
        self.key: tuple[Any, ...] = ()
        self.arrows: Arrows | None = None


class ArrowHandlers:
    """The draw handlers that Blender calls at each redraw of a 3D View."""

    def __init__(self) -> None:
        """Start with no handlers."""
        self.handles: list[Any] = []


def arrows_of(seen: ModelLook, ahead: str, up: str, scale: float = 0.0, place: Any = None) -> Arrows:
    """The arrows of a model.

    Args:
        seen: The model.
        ahead: Direction of its nose.
        up: Direction of its back.
        scale: For a model in no scene, scene units in one of its own; it is then drawn as placed, x ahead and z up.
        place: The place of its middle then.
    """
    import numpy as np

    from ...core.adopt.pose import ModelPose

    axes = ModelPose(ahead, up, 1.0).axes
    vertices = seen.model.vertices
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    middle, extent = (low + high) / 2, (high - low) @ np.abs(axes)
    lines, tips = [], []
    for way, across, reach in ((0, 2, extent[0]), (2, 0, extent[2])):
        tip = middle + axes[:, way] * (0.5 * reach + ARROW_LENGTHS * extent[0])
        barbs = [tip - HEAD_LENGTHS * extent[0] * (axes[:, way] + sign * 0.5 * axes[:, across]) for sign in (1, -1)]
        lines.append([middle, tip, tip, barbs[0], tip, barbs[1]])
        tips.append(tip)
    found = [np.array(lines), np.zeros((0, 3)), np.array(tips)]
    if scale:
        triangles = seen.model.triangles
        step = max(1, 3 * len(triangles) // MOST_EDGES)
        found[1] = vertices[triangles[::step][:, [0, 1, 1, 2, 2, 0]]].reshape(-1, 3)
        found = [(of - middle) @ axes * scale + np.array(place) for of in found]
    return Arrows(*(of.astype(np.float32) for of in found))


def current(context: bpy.types.Context) -> Arrows | None:
    """The arrows to draw now, rebuilt only when something has changed; None if they are off."""
    settings = getattr(context.scene, "artfish_adoption", None)
    if settings is None or not settings.show_arrows:
        return None
    there = looked(context)
    if there is None or there.seen is None or settings.ahead[1] == settings.up[1]:
        return None
    filed = settings.source == "FILE"
    scale = settings.length / metres(context.scene) / there.seen.pose.length if filed else 0.0
    place = context.scene.cursor.location.copy().freeze() if filed else None
    key, drawn = (id(there.seen), settings.ahead, settings.up, scale, place), runtime.of(Sketch)
    if drawn.key != key:
        drawn.key, drawn.arrows = key, arrows_of(there.seen, settings.ahead, settings.up, scale, place)
    return drawn.arrows


def draw_arrows() -> None:
    """Draws the arrows in the world; Blender calls it at each redraw of a 3D View."""
    context = bpy.context
    made = current(context) if _shows(context) else None
    if made is None:
        return
    from gpu_extras.batch import batch_for_shader

    gpu: Any = import_module("gpu")
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    gpu.state.blend_set("ALPHA")
    size = gpu.state.viewport_get()[2:]
    batches: list[Any] = [(made.edges, EDGE_COLOUR, MODEL_PIXELS)] if len(made.edges) else []
    batches += [(lines, colour, ARROW_PIXELS) for lines, colour in zip(made.arrows, ARROW_COLOURS, strict=True)]
    for lines, colour, width in batches:
        shader.bind()
        shader.uniform_float("viewportSize", size)
        shader.uniform_float("lineWidth", width * context.preferences.system.ui_scale)
        shader.uniform_float("color", colour)
        batch_for_shader(shader, "LINES", {"pos": lines}).draw(shader)
    gpu.state.blend_set("NONE")


def draw_arrow_words() -> None:
    """Labels each arrow; Blender calls it at each redraw of a 3D View."""
    context = bpy.context
    made = current(context) if _shows(context) else None
    if made is None:
        return
    import blf
    from bpy_extras.view3d_utils import location_3d_to_region_2d

    font = 0
    blf.size(font, WORD_POINTS * context.preferences.system.ui_scale)
    blf.enable(font, blf.SHADOW)
    blf.shadow(font, 0, 0.0, 0.0, 0.0, 0.9)
    for tip, word, colour in zip(made.tips, ARROW_WORDS, ARROW_COLOURS, strict=True):
        at = location_3d_to_region_2d(context.region, context.region_data, tip.tolist())
        if at is not None:
            blf.position(font, at[0] + 6, at[1] + 6, 0)
            blf.color(font, *colour)
            blf.draw(font, translated(word))
    blf.disable(font, blf.SHADOW)


def _shows(context: bpy.types.Context) -> bool:
    space = context.space_data
    return space is not None and space.type == "VIEW_3D" and space.overlay.show_overlays


CLASSES = ()


def register() -> None:
    """Adds the draw handlers."""
    handles = runtime.of(ArrowHandlers).handles
    for callback, when in ((draw_arrows, "POST_VIEW"), (draw_arrow_words, "POST_PIXEL")):
        handles.append(bpy.types.SpaceView3D.draw_handler_add(callback, (), "WINDOW", when))


def unregister() -> None:
    """Removes the draw handlers."""
    for handle in runtime.of(ArrowHandlers).handles:
        bpy.types.SpaceView3D.draw_handler_remove(handle, "WINDOW")
    runtime.drop(ArrowHandlers, Sketch)
