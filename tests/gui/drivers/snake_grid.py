"""The snake grid with a real mouse: given up, relaxed, dragged, anchored, flipped, accepted, undone."""

import bpy
import numpy as np
from bl_ext.user_default.artfish.blender_artfish.snake_grid import tool as grid_tool
from driver import (
    EXTENSION,
    area,
    box,
    capture,
    centre,
    click_operator,
    drag,
    inside,
    move,
    open_tab,
    press,
    region,
    result,
    running,
    ticks,
    wait_redraw,
    wait_until,
)

EDIT, FIT = "ARTFISH_OT_snake_grid", "ARTFISH_OT_fit_grid"
WHERE = "IMAGE_EDITOR"


def picture() -> bpy.types.Image:
    """A striped fish with fins before a plain, grainy ground, drawn here: the extension brings no pictures."""
    height, width = 260, 480
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    s, h = (x - 60) / 290, (130 - y) / 290
    inside_ = np.clip(s, 0, 1)
    half = 0.27 * np.sqrt(inside_) * (1 - inside_) ** 0.8 * 1.6 + 0.05 * inside_
    body = (s > 0) & (s < 1) & (np.abs(h) < half)
    tail = (s >= 1) & (s < 1.25) & (np.abs(h) < 0.05 + 0.5 * (s - 1))
    fin = (s > 0.3) & (s < 0.75) & (h > 0) & (h < half + 0.1 * np.sin(np.pi * np.clip((s - 0.3) / 0.45, 0, 1)))
    pixels = np.empty((height, width, 4), dtype=np.float32)
    pixels[:] = (0.15, 0.4, 0.6, 1.0)
    pixels[fin | tail] = (0.9, 0.5, 0.1, 1.0)
    pixels[body] = (0.9, 0.85, 0.6, 1.0)
    pixels[body & (np.sin(40 * s) > 0.3)] = (0.25, 0.2, 0.5, 1.0)
    pixels[np.hypot(s - 0.1, h - 0.03) < 0.02] = (0.0, 0.0, 0.0, 1.0)
    pixels[..., :3] += np.random.default_rng(1).normal(0, 0.01, pixels[..., :3].shape)
    image = bpy.data.images.new("striped fish", width, height)
    image.pixels.foreach_set(pixels[::-1].ravel())
    image.pack()
    return image


def grid(name: str = "striped fish") -> list:
    """The grid of the body as it is kept."""
    return [round(value, 3) for value in bpy.data.images[name].get("artfish grid body", ())]


def at(node: tuple) -> tuple:
    """Place on the screen of a node of the grid under edit."""
    x, y = grid_tool.AT_WORK[-1].places()[node]
    left, top, _, height = box(region("WINDOW", WHERE))
    return left + float(x), top + height - float(y)


def counted():
    """Events of forgotten timers; they are counted over a 3D View."""
    room = area(WHERE)
    room.type = "VIEW_3D"
    yield from wait_redraw(0.5)
    count = yield from ticks()
    room.type = WHERE
    yield from wait_redraw(0.5)
    return count


def begin():
    """Begin to edit and wait for the first guess and for rest."""
    yield from click_operator("artfish.snake_grid", where=WHERE)
    yield from wait_until(lambda: running(EDIT), what="the tool to begin")
    yield from wait_until(lambda: grid_tool.AT_WORK[-1].grid is not None, 90, "the first guess")
    yield from wait_until(lambda: not grid_tool.AT_WORK[-1].relaxing, 90, "rest")


def main():
    """Fits a grid, then relaxes, pulls, anchors, flips and accepts one, and undoes each step."""
    area().type = WHERE
    yield from wait_redraw(0.5)
    area(WHERE).spaces.active.image = picture()
    bpy.ops.ed.undo_push(message="Picture")
    yield from open_tab("Artfish", WHERE)
    with inside(WHERE):
        bpy.ops.image.view_all(fit_view=True)
    yield from capture("before")

    yield from click_operator("artfish.fit_grid", where=WHERE)
    yield from wait_until(lambda: running(FIT), what="the fit to begin")
    yield from press("Escape")
    yield from wait_until(lambda: not running(FIT), what="the fit to end")
    result("fitted_when_given_up", grid())
    yield from click_operator("artfish.fit_grid", where=WHERE)
    yield from wait_until(lambda: running(FIT), what="the fit to begin")
    yield from wait_until(lambda: not running(FIT), 90, "the fit to end")
    result("fitted", len(grid()))
    yield from move(*centre(region("WINDOW", WHERE)))
    yield from press("ctrl+z")
    result("fitted_when_undone", len(grid()))
    result("ticks_when_fitted", (yield from counted()))

    yield from begin()
    yield from capture("relaxed")
    yield from press("Escape")
    yield from wait_until(lambda: not running(EDIT), what="the tool to end")
    result("kept_when_given_up", grid())
    result("ticks_when_given_up", (yield from counted()))

    yield from begin()
    tool = grid_tool.AT_WORK[-1]
    first = tool.grid.points.copy()
    result("faces_left", bool(first[4, 0, 0] < first[4, 20, 0]))
    x, y = at((0, 10))
    yield from drag(x, y, x, y - 40)
    result("pulled", float(first[0, 10, 1] - tool.grid.points[0, 10, 1]))
    if tool.relaxing:
        yield from press("space")
    yield from wait_until(lambda: not tool.relaxing, what="the pulled grid to be held")
    yield from move(*at((4, 10)))  # a node that stands alone; at the nose the rows come together
    yield from press("a")
    result("anchors", [list(node) for node in tool.grid.anchors])
    yield from capture("anchored")
    yield from press("a")
    result("anchors_freed", len(tool.grid.anchors))
    yield from press("f")
    yield from wait_until(lambda: tool.grid is not None and not tool.relaxing, 90, "the flipped grid")
    result("faces_right_when_flipped", bool(tool.grid.points[4, 0, 0] > tool.grid.points[4, 20, 0]))
    yield from press("f")
    yield from wait_until(lambda: tool.grid is not None and not tool.relaxing, 90, "the grid flipped back")
    yield from press("r")
    yield from wait_until(lambda: tool.grid is not None and not tool.relaxing, 90, "the new grid")
    yield from move(*centre(region("WINDOW", WHERE)))
    yield from press("Return")
    yield from wait_until(lambda: not running(EDIT), what="the tool to end")
    result("kept", len(grid()))
    result("ticks_when_accepted", (yield from counted()))
    yield from capture("accepted")

    yield from click_operator("artfish.wear_picture", where=WHERE)
    result("materials", sorted(material.name for material in bpy.data.materials if "skin" in material.name))
    yield from move(*centre(region("WINDOW", WHERE)))
    yield from press("ctrl+z")
    result("materials_when_undone", sorted(m.name for m in bpy.data.materials if "skin" in m.name))
    result("kept_when_worn_undone", len(grid()))
    yield from press("ctrl+z")
    result("kept_when_undone", len(grid()))

    yield from begin()
    bpy.ops.preferences.addon_disable(module=EXTENSION)
    yield 0.5
    result("running_when_disabled", running(EDIT))
    result("ticks_when_disabled", (yield from counted()))
