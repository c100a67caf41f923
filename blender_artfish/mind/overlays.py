"""Overlays in the 3D View: what a fish sees, is after and would do, drawn over the scene while it plays.

The drawing is computed again when the frame, the fish or a switch changes; otherwise it is only drawn again.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import bpy

from ..blender.handlers import Stage, hears
from . import swatches
from .source import Telling, telling

if TYPE_CHECKING:
    from .drawings import Drawing

SPACES = ("field", "seen", "focus", "preferences", "currents")
"""Overlays that are lines and faces in the world."""
WIDTH = 1.6  # of lines in pixels, times the scale of the interface
LETTERS = 11  # height of words in points, likewise
made_by: Any = bpy.props  # whose functions return nothing, say the stubs
MARGIN = 14  # pixels between the chart and the corner, likewise

_handles: list[Any] = []
_held: dict[str, Any] = {}  # the drawing and the chart that were made last, and what they were made of


def _redraw(settings: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()


def _switch(name: str, description: str) -> Any:
    return made_by.BoolProperty(name=name, description=description, update=_redraw)


class ArtfishOverlays(bpy.types.PropertyGroup):
    """Which overlays are drawn in the 3D Views of a scene."""

    __annotations__ = {
        "field": _switch("Field of View", "The 300 degrees that the active fish takes in, as far as it sees its like"),
        "seen": _switch("Seen", "Lines to all fishes that the active one sees"),
        "focus": _switch("Focus", "What the active fish is after, flees from or courts"),
        "words": _switch("Intentions", "What each fish is about, as a word above it"),
        "preferences": _switch("Motor Preferences", "Where each fish is most inclined to go, or least, in red"),
        "currents": _switch("Currents", "How the water flows"),
        "chart": _switch("Chart", "Hunger, libido and fear of the active fish, in the corner of the view"),
        "chart_height": made_by.IntProperty(
            name="Height",
            description="Height of the chart in the view",
            default=190,
            min=80,
            max=1000,
            subtype="PIXEL",
            update=_redraw,
        ),
    }


def drawing(told: Telling, wanted: tuple[str, ...]) -> Drawing:
    """What is to be drawn of these overlays, made anew only where something has changed."""
    from .drawings import draw

    key = (told.frame, told.row, wanted, told.fingerprint, told.matrix.copy().freeze(), told.recording.scene)
    if _held.get("key") != key:
        _held.update(key=key, drawing=draw(told, wanted))
        _held.pop("batches", None)
    return _held["drawing"]


def draw_spaces() -> None:
    """Draws lines and faces, in the world; Blender calls it at each redraw of a 3D View."""
    context = bpy.context
    wanted = _wanted(context, SPACES)
    told = telling(context) if wanted else None
    if told is None:
        return
    gpu = _gpu()
    made = drawing(told, wanted)
    if "batches" not in _held:
        _held["batches"] = _batches(made)
    gpu.state.blend_set("ALPHA")
    scale = context.preferences.system.ui_scale
    for shader, batch, is_line in _held["batches"]:
        shader.bind()
        if is_line:
            shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
            shader.uniform_float("lineWidth", WIDTH * scale)
        batch.draw(shader)
    gpu.state.blend_set("NONE")


def draw_words() -> None:
    """Draws words and the chart, on the screen; Blender calls it at each redraw of a 3D View."""
    context = bpy.context
    wanted = _wanted(context, ("words", "chart"))
    told = telling(context) if wanted else None
    if told is None:
        return
    if "words" in wanted:
        _write_words(context, told)
    if "chart" in wanted and told.row >= 0:
        _draw_chart(context, told)


def _wanted(context: bpy.types.Context, names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of these overlays that are switched on here."""
    space = context.space_data
    if space is None or space.type != "VIEW_3D" or not space.overlay.show_overlays:
        return ()
    settings = context.scene.artfish_overlays
    return tuple(name for name in names if getattr(settings, name))


def _batches(made: Drawing) -> list[tuple[Any, Any, bool]]:
    """Shader and batch of the faces and of the lines, where there are any."""
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
    """The module that draws; it is not there in a Blender without a window, and the stubs know it in part only."""
    return import_module("gpu")


def _write_words(context: bpy.types.Context, told: Telling) -> None:
    """The intention above each fish."""
    import blf

    from .drawings import projected, words

    places, said, colours = words(told)
    region = context.region
    pixels, visible = projected(places, context.region_data.perspective_matrix, region.width, region.height)
    font, scale = 0, context.preferences.system.ui_scale
    blf.size(font, LETTERS * scale)
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
    """Lets letters stand out from whatever is behind them; a soft shadow would cost ten times as much."""
    import blf

    blf.enable(font, blf.SHADOW)
    blf.shadow(font, 0, 0.0, 0.0, 0.0, 0.9)
    blf.shadow_offset(font, 1, -1)


def _draw_chart(context: bpy.types.Context, told: Telling) -> None:
    """The chart in the lower left corner, with its legend above."""
    import blf
    from gpu_extras.presets import draw_texture_2d

    from .chart import painted

    gpu, scale = _gpu(), context.preferences.system.ui_scale
    height = round(context.scene.artfish_overlays.chart_height * scale)
    width = min(round(1.8 * height), context.region.width - 2 * MARGIN)
    pixels, anew = painted("view", told, width, height)
    if anew or "chart" not in _held:
        data = gpu.types.Buffer("FLOAT", pixels.size, pixels.ravel())
        texture = gpu.types.GPUTexture((width, height), format="RGBA8", data=data)
        _held["chart"] = texture
    left, bottom = _left_edge(context) + MARGIN * scale, MARGIN * scale
    gpu.state.blend_set("ALPHA")
    draw_texture_2d(_held["chart"], (left, bottom), width, height)
    gpu.state.blend_set("NONE")
    font, x, y = 0, left, bottom + height + 7 * scale
    blf.size(font, LETTERS * scale)
    recording, frame, row = told.recording, told.frame, told.row
    intention = recording.INTENTIONS[recording.intention[frame, row]]
    said: list[tuple[str, swatches.Colour]] = [(f"{told.name(row)}:", (0.9, 0.9, 0.9))]
    said.append((intention, swatches.INTENTIONS[intention]))
    said += [(f"{mood} {getattr(recording, mood)[frame, row]:.2f}", colour) for mood, colour in swatches.MOODS.items()]
    _cast_shadow(font)
    for text, colour in said:
        blf.position(font, x, y, 0)
        blf.color(font, *colour, 1.0)
        blf.draw(font, text)
        x += blf.dimensions(font, text)[0] + LETTERS * scale
    blf.disable(font, blf.SHADOW)


def _left_edge(context: bpy.types.Context) -> int:
    """How much of the view the tool bar covers, where regions overlap."""
    if not context.preferences.system.use_region_overlap:
        return 0
    return sum(region.width for region in context.area.regions if region.type == "TOOLS" and region.width > 1)


@hears(Stage.DISPLAY, "load_pre")
def _forget(*_: Any) -> None:
    """Lets go of what was drawn, when another file is opened."""
    _held.clear()


CLASSES = (ArtfishOverlays,)


def register() -> None:
    """The switches of each scene, and what draws."""
    bpy.types.Scene.artfish_overlays = bpy.props.PointerProperty(type=ArtfishOverlays)  # type: ignore
    for callback, when in ((draw_spaces, "POST_VIEW"), (draw_words, "POST_PIXEL")):
        _handles.append(bpy.types.SpaceView3D.draw_handler_add(callback, (), "WINDOW", when))


def unregister() -> None:
    """Nothing is drawn any more."""
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")
    _held.clear()
    del bpy.types.Scene.artfish_overlays
