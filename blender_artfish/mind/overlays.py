"""Overlays in the 3D View: a fish's sight, focus and preferences, drawn over the scene while it plays.

The geometry is recomputed when the frame, the fish or a switch changes; otherwise it is only redrawn.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import bpy

from ..blender import runtime
from ..blender.handlers import HandlerTurn, hears
from ..blender.words import translated
from . import swatches
from .source import Observation, observe

if TYPE_CHECKING:
    from .drawings import Drawing

SPACE_OVERLAYS = ("field", "seen", "focus", "relations", "memory", "way", "preferences", "currents")
"""Overlays that are lines and faces in the world."""
LINE_WIDTH_PIXELS = 1.6  # times the scale of the interface
LETTER_POINTS = 11  # height of words, likewise
CHART_MARGIN_PIXELS = 14  # between the chart and the corner, likewise
LEGEND_PIXELS = 200, 8
"""Size of the colour bar of memories' ages, likewise."""


class DrawnOverlay:
    """The last drawing.

    Attributes:
        key: Key of what it was made of.
        drawing: The lines and faces.
        batches: The same for the graphics card, once it was drawn there.
        chart: The texture of the chart, likewise.
    """

    def __init__(self) -> None:
        """Start with no drawing."""
        self.key: tuple[Any, ...] | None = None
        self.drawing: Drawing | None = None
        self.batches: list[tuple[Any, Any, bool]] | None = None
        self.chart: Any = None


class DrawHandlers:
    """The draw handlers that Blender calls at each redraw of a 3D View."""

    def __init__(self) -> None:
        """Start with no handlers."""
        self.handles: list[Any] = []


def drawing(observed: Observation, names: tuple[str, ...]) -> Drawing:
    """The drawing of these overlays, rebuilt only if something has changed."""
    from .drawings import draw

    key = (
        observed.frame,
        observed.row,
        names,
        observed.fingerprint,
        observed.matrix.copy().freeze(),
        observed.recording.scene,
    )
    drawn = runtime.of(DrawnOverlay)
    if drawn.drawing is None or drawn.key != key:
        drawn.key, drawn.drawing, drawn.batches = key, draw(observed, names), None
    return drawn.drawing


def draw_spaces() -> None:
    """Draws lines and faces, in the world; Blender calls it at each redraw of a 3D View."""
    context = bpy.context
    names = _switched_on(context, SPACE_OVERLAYS)
    observed = observe(context) if names else None
    if observed is None:
        return
    gpu = _gpu()
    made, drawn = drawing(observed, names), runtime.of(DrawnOverlay)
    if drawn.batches is None:
        drawn.batches = _batches(made)
    gpu.state.blend_set("ALPHA")
    scale = context.preferences.system.ui_scale
    for shader, batch, is_line in drawn.batches:
        shader.bind()
        if is_line:
            shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
            shader.uniform_float("lineWidth", LINE_WIDTH_PIXELS * scale)
        batch.draw(shader)
    gpu.state.blend_set("NONE")


def draw_words() -> None:
    """Draws words and the chart, on the screen; Blender calls it at each redraw of a 3D View."""
    context = bpy.context
    names = _switched_on(context, ("words", "chart", "memory"))
    observed = observe(context) if names else None
    if observed is None:
        return
    if "words" in names:
        _write_words(context, observed)
    if "chart" in names and observed.row >= 0:
        _draw_chart(context, observed)
    if "memory" in names and observed.row in observed.recording.memory_fish:
        _draw_legend(context)


def _switched_on(context: bpy.types.Context, names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of these overlays that are enabled here."""
    space = context.space_data
    if space is None or space.type != "VIEW_3D" or not space.overlay.show_overlays:
        return ()
    settings = context.scene.artfish_overlays
    return tuple(name for name in names if getattr(settings, name))


def _batches(made: Drawing) -> list[tuple[Any, Any, bool]]:
    """Shader and batch of the faces and of the lines, if there are any."""
    from gpu_extras.batch import batch_for_shader

    gpu, batches = _gpu(), []
    if len(made.faces):
        shader = gpu.shader.from_builtin("FLAT_COLOR")
        content: dict[str, Any] = {"pos": made.faces, "color": made.face_colours}
        batches.append((shader, batch_for_shader(shader, "TRIS", content), False))
    if len(made.lines):
        shader = gpu.shader.from_builtin("POLYLINE_FLAT_COLOR")
        content = {"pos": made.lines, "color": made.line_colours}
        batches.append((shader, batch_for_shader(shader, "LINES", content), True))
    return batches


def _gpu() -> Any:
    """The drawing module; it is missing without a window, and the stubs cover it only in part."""
    return import_module("gpu")


def _write_words(context: bpy.types.Context, observed: Observation) -> None:
    """The intention above each fish."""
    import blf

    from .drawings import projected, words

    places, names, colours = words(observed)
    said = [translated(name.capitalize()) for name in names]
    region = context.region
    pixels, visible = projected(places, context.region_data.perspective_matrix, region.width, region.height)
    font, scale = 0, context.preferences.system.ui_scale
    blf.size(font, LETTER_POINTS * scale)
    _cast_shadow(font)
    wide = {word: blf.dimensions(font, word)[0] for word in set(said)}
    for row in visible.nonzero()[0]:
        x, y = pixels[row]
        red, green, blue = colours[row].tolist()
        blf.position(font, x - 0.5 * wide[said[row]], y, 0)
        blf.color(font, red, green, blue, 1.0)
        blf.draw(font, said[row])
    blf.disable(font, blf.SHADOW)


def _cast_shadow(font: int) -> None:
    """Sets off letters from the background; a soft shadow would cost ten times as much."""
    import blf

    blf.enable(font, blf.SHADOW)
    blf.shadow(font, 0, 0.0, 0.0, 0.0, 0.9)
    blf.shadow_offset(font, 1, -1)


def _draw_chart(context: bpy.types.Context, observed: Observation) -> None:
    """The chart in the lower left corner, with its legend above."""
    import blf
    from gpu_extras.presets import draw_texture_2d

    from .chart import painted

    gpu, scale = _gpu(), context.preferences.system.ui_scale
    height = round(context.scene.artfish_overlays.chart_height * scale)
    width = min(round(1.8 * height), context.region.width - 2 * CHART_MARGIN_PIXELS)
    pixels, anew = painted("view", observed, width, height)
    drawn = runtime.of(DrawnOverlay)
    if anew or drawn.chart is None:
        data = gpu.types.Buffer("FLOAT", pixels.size, pixels.ravel())
        drawn.chart = gpu.types.GPUTexture((width, height), format="RGBA8", data=data)
    left, bottom = _left_edge(context) + CHART_MARGIN_PIXELS * scale, CHART_MARGIN_PIXELS * scale
    gpu.state.blend_set("ALPHA")
    draw_texture_2d(drawn.chart, (left, bottom), width, height)
    gpu.state.blend_set("NONE")
    font, x, y = 0, left, bottom + height + 7 * scale
    blf.size(font, LETTER_POINTS * scale)
    recording, frame, row = observed.recording, observed.frame, observed.row
    intention = recording.INTENTIONS[recording.intention[frame, row]]
    said: list[tuple[str, swatches.Colour]] = [(f"{observed.name(row)}:", (0.9, 0.9, 0.9))]
    said.append((translated(intention.capitalize()), swatches.INTENTIONS[intention]))
    for mood, colour in swatches.MOODS.items():
        said.append((f"{translated(swatches.MOOD_WORDS[mood])} {getattr(recording, mood)[frame, row]:.2f}", colour))
    _cast_shadow(font)
    for text, colour in said:
        blf.position(font, x, y, 0)
        blf.color(font, *colour, 1.0)
        blf.draw(font, text)
        x += blf.dimensions(font, text)[0] + LETTER_POINTS * scale
    blf.disable(font, blf.SHADOW)


def _draw_legend(context: bpy.types.Context) -> None:
    """Legend of the memories' colours: a bar in the lower right corner."""
    import blf
    import numpy as np
    from gpu_extras.batch import batch_for_shader

    from .drawings import AGE_COLOURS, age_shares

    gpu, scale = _gpu(), context.preferences.system.ui_scale
    width, height = (scale * side for side in LEGEND_PIXELS)
    left = context.region.width - width - (3 * CHART_MARGIN_PIXELS + LETTER_POINTS) * scale
    bottom = CHART_MARGIN_PIXELS * scale
    shares = age_shares(np.array(list(AGE_COLOURS))).tolist()
    ends = [(left + width * share, bottom + y) for share in shares for y in (0.0, height)]
    colours = [(*colour, 1.0) for colour in AGE_COLOURS.values() for _ in range(2)]
    shader = gpu.shader.from_builtin("SMOOTH_COLOR")
    batch_for_shader(shader, "TRI_STRIP", {"pos": ends, "color": colours}).draw(shader)
    font, y = 0, bottom + height + 6 * scale
    blf.size(font, LETTER_POINTS * scale)
    _cast_shadow(font)
    blf.color(font, 0.9, 0.9, 0.9, 1.0)
    for age, share in zip(AGE_COLOURS, shares, strict=True):
        text = translated("{age:g} s", age=age) if age else translated("seen now")
        x = left + width * share - 0.5 * blf.dimensions(font, text)[0]
        blf.position(font, x, y, 0)
        blf.draw(font, text)
    blf.disable(font, blf.SHADOW)


def _left_edge(context: bpy.types.Context) -> int:
    """Width of the view covered by the tool bar, if regions overlap."""
    if not context.preferences.system.use_region_overlap:
        return 0
    return sum(region.width for region in context.area.regions if region.type == "TOOLS" and region.width > 1)


@hears(HandlerTurn.DISPLAY, "load_pre")
def _forget(*_: Any) -> None:
    """Drops the drawing when another file is opened."""
    runtime.drop(DrawnOverlay)


CLASSES = ()


def register() -> None:
    """Adds the draw handlers."""
    handles = runtime.of(DrawHandlers).handles
    for callback, when in ((draw_spaces, "POST_VIEW"), (draw_words, "POST_PIXEL")):
        handles.append(bpy.types.SpaceView3D.draw_handler_add(callback, (), "WINDOW", when))


def unregister() -> None:
    """Removes the draw handlers."""
    for handle in runtime.of(DrawHandlers).handles:
        bpy.types.SpaceView3D.draw_handler_remove(handle, "WINDOW")
    runtime.drop(DrawHandlers, DrawnOverlay)
