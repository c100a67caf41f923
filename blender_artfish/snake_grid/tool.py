"""The snake grid as a tool of the Image Editor: it relaxes on the picture while nodes are pulled and anchored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ..blender.status_bar import say, tell_given_up
from ..blender.words import Message, label_of, translated
from . import drawing
from .pictures import OnPicture

if TYPE_CHECKING:
    from concurrent.futures import Future

    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

    from ...core.photo.snake_grid import SnakeGrid

GRID_TICK_SECONDS = 0.04
"""Interval between ticks."""
STEPS_A_TICK = 4
"""Steps of the grid in a tick while it relaxes: some 10 ms."""
MOUSE_PIXELS = 14.0
"""Radius on the screen within which a node is under the mouse, pixels."""
REST_SHARE = 0.02
"""Largest move of a node at rest, over the largest allowed step."""
MOST_CREEPING_STEPS = 600
"""Steps after which the grid is at rest though it still creeps, as when it faces the wrong way; Space goes on."""
KEYS_HELP: Message = (
    "Drag nodes   A: anchor   F: flip   R: start again   Space: relax or hold   Enter: accept   Esc: give up"
)
AT_WORK: list[ARTFISH_OT_snake_grid] = []
"""Open tools, at most one."""


class ARTFISH_OT_snake_grid(OnPicture):
    """Watch the grid come to rest on the picture, pull at its nodes and anchor them"""

    bl_idname = "artfish.snake_grid"
    bl_label = "Edit Grid"

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Fits in one go, for scripts without a window."""
        try:
            return bpy.ops.artfish.fit_grid()
        except RuntimeError as error:  # the other operator's report
            return self.refuse(ValueError(str(error).removeprefix("Error: ").strip()))

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Begins with the picture's grid, or with the first guess."""
        from . import grids

        if AT_WORK:
            self.report({"WARNING"}, translated("A grid is being edited already: accept it or give it up first"))
            return {"CANCELLED"}
        try:
            image = self.picture(context)
            self.species = grids.species_of(image, context.scene)
            self.array = grids.pixels(image)
            self.part, self.image_name = image.artfish.part, image.name
            points = grids.grid_of(image, self.part)
            self.body = grids.grid_of(image, "body")
            if self.part != "body" and self.body is None and points is None:
                raise ValueError("Fit a grid to the body first: the fin stands on it")
        except ValueError as error:
            return self.refuse(error)
        self.size: tuple[int, int] = (image.size[0], image.size[1])
        self.grid: SnakeGrid | None = None
        self.elasticity, self.facing, self.steps = grids.elasticity_of(image), image.artfish.facing, 0
        self.relaxing, self.mouse = points is None, (0, 0)
        self.node: tuple[int, int] | None = None
        from concurrent.futures import ThreadPoolExecutor

        self.worker = ThreadPoolExecutor(1)
        self.coming = self.look(points, grids.anchors_of(image, self.part))
        self.area, self.region = context.area, next(r for r in context.area.regions if r.type == "WINDOW")
        self.timer = context.window_manager.event_timer_add(GRID_TICK_SECONDS, window=context.window)
        AT_WORK.append(self)
        self.handler = bpy.types.SpaceImageEditor.draw_handler_add(draw, (), "WINDOW", "POST_PIXEL")
        context.window_manager.modal_handler_add(self)
        say(id(self), translated("Looking for the fish   Esc: give up"))
        return {"RUNNING_MODAL"}

    def look(self, points: Any, anchors: list) -> Future:
        """A grid made in a thread, from arrays, while Blender stays responsive."""
        from ...core.photo.snake_grid import SnakeGrid
        from . import grids

        arguments = (self.array, self.part, self.species, self.elasticity, self.facing, anchors, self.body)
        if points is None:
            return self.worker.submit(grids.begin, *arguments)
        return self.worker.submit(SnakeGrid, self.array, points, anchors, self.part, self.species, self.elasticity)

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """A step at each tick; mouse and keys pull, anchor, flip, start again, accept and give up."""
        image = bpy.data.images.get(self.image_name)
        if image is None or tuple(image.size) != self.size or self.area not in list(context.screen.areas):
            self.report({"WARNING"}, translated("The picture is gone or has changed: the grid was given up"))
            return self.stop(context, "CANCELLED")
        if event.type == "ESC" and event.value == "PRESS":
            return self.stop(context, "CANCELLED")
        if event.type == "TIMER":
            return self.tick(context)
        if self.grid is None:
            return {"PASS_THROUGH"}
        if event.type in ("RET", "NUMPAD_ENTER") and event.value == "PRESS":
            return self.accept(context, image)
        self.mouse = (event.mouse_x - self.region.x, event.mouse_y - self.region.y)
        within = all(
            0 <= at < size for at, size in zip(self.mouse, (self.region.width, self.region.height), strict=True)
        )
        if event.type == "MOUSEMOVE" and self.node is not None:
            self.grid.drags = {self.node: self.place()}
            self.relaxing = True
            return {"RUNNING_MODAL"}
        if event.type == "LEFTMOUSE" and event.value == "RELEASE" and self.node is not None:
            self.grid.drags, self.node = {}, None
            return {"RUNNING_MODAL"}
        if not within or event.value != "PRESS":
            return {"PASS_THROUGH"}
        return self.press(event.type)

    def press(self, key: str) -> set[Result]:
        """Handles a key or the mouse's button over the picture."""
        grid = self.grid
        assert grid is not None
        if key == "LEFTMOUSE":
            self.node = self.under_mouse()
            if self.node is None:
                return {"PASS_THROUGH"}
            grid.drags, self.relaxing = {self.node: self.place()}, True
        elif key == "A":
            node = self.node or self.under_mouse()
            if node is None:
                self.report({"INFO"}, translated("Put the mouse over a node to anchor it or to free it"))
            elif node in grid.anchors and self.node is None:
                del grid.anchors[node]
            else:
                grid.anchor(*node, place=self.place() if self.node else None)
        elif key == "F":
            self.flip()
        elif key == "R":
            self.grid, self.node, self.relaxing = None, None, True
            self.coming = self.look(None, [])
        elif key == "SPACE":
            self.relaxing = not self.relaxing
        else:
            return {"PASS_THROUGH"}
        self.area.tag_redraw()
        return {"RUNNING_MODAL"}

    def flip(self) -> None:
        """Looks for a fish that faces the other way; with anchors, or a fin, mirrors the present grid."""
        grid = self.grid
        assert grid is not None
        if self.part != "body" or grid.anchors:
            grid.flip()
            self.relaxing = True
            return
        nose, tail = grid.points[:, 0, 0].mean(), grid.points[:, -1, 0].mean()
        self.facing = "right" if nose < tail else "left"
        self.grid, self.node, self.relaxing = None, None, True
        self.coming = self.look(None, [])

    def tick(self, context: bpy.types.Context) -> set[Result]:
        """Takes over a finished grid; or does a step of the present one."""
        if self.grid is None:
            if not self.coming.done():
                return {"RUNNING_MODAL"}
            if self.coming.exception() is not None:
                self.report({"ERROR"}, translated(str(self.coming.exception())))
                return self.stop(context, "CANCELLED")
            self.grid, self.steps = self.coming.result(), 0
            self.area.tag_redraw()
        if self.relaxing:
            moved = max(self.grid.step() for _ in range(STEPS_A_TICK))
            self.steps = 0 if self.node is not None else self.steps + STEPS_A_TICK
            still = moved < REST_SHARE * self.grid.view.step or self.steps >= MOST_CREEPING_STEPS
            self.relaxing = self.node is not None or not still
            self.area.tag_redraw()
        else:
            self.steps = 0
        state = translated("Snake grid, relaxing") if self.relaxing else translated("Snake grid, at rest")
        say(id(self), f"{state}   {translated(KEYS_HELP)}")
        return {"PASS_THROUGH"}

    def accept(self, context: bpy.types.Context, image: bpy.types.Image) -> set[Result]:
        """Keeps the grid on the picture, as one undo step."""
        from . import grids

        assert self.grid is not None
        self.grid.unfold()
        grids.keep(image, self.grid)
        return self.stop(context, "FINISHED")

    def cancel(self, context: bpy.types.Context) -> None:
        """Called by Blender when another file is opened meanwhile, or the window is closed."""
        self.stop(context, "CANCELLED")
        tell_given_up(label_of(self))

    def stop(self, context: bpy.types.Context, result: Result) -> set[Result]:
        """Removes timer, thread and draw handler."""
        if self in AT_WORK:
            AT_WORK.remove(self)
            bpy.types.SpaceImageEditor.draw_handler_remove(self.handler, "WINDOW")
            context.window_manager.event_timer_remove(self.timer)
            self.worker.shutdown(wait=False, cancel_futures=True)
            say(id(self), None)
            for area in context.screen.areas if context.screen else ():
                area.tag_redraw()
        return {result}

    def place(self) -> tuple[float, float]:
        """Position of the mouse in the picture, in pixels from the upper left."""
        x, y = self.region.view2d.region_to_view(*self.mouse)
        return x * self.size[0] - 0.5, (1.0 - y) * self.size[1] - 0.5

    def places(self) -> Any:
        """Positions of the nodes in the region of the Image Editor, (rows, columns, 2)."""
        assert self.grid is not None
        return drawing.on_screen(self.region, self.size, self.grid.points)

    def under_mouse(self) -> tuple[int, int] | None:
        """The node within reach of the mouse."""
        import numpy as np

        away = np.linalg.norm(self.places() - self.mouse, axis=2)
        if away.min() > MOUSE_PIXELS * bpy.context.preferences.system.ui_scale:
            return None
        row, column = np.unravel_index(np.argmin(away), away.shape)
        return int(row), int(column)


def draw() -> None:
    """Draws the grid under edit over its picture."""
    if not AT_WORK or AT_WORK[-1].grid is None:
        return
    tool = AT_WORK[-1]
    if bpy.context.area == tool.area and getattr(bpy.context.space_data.image, "name", "") == tool.image_name:
        drawing.draw_grid(tool.places(), tool.grid.anchors, tool.grid.drags)


def unregister() -> None:
    """Ends the open tool."""
    for tool in tuple(AT_WORK):
        tool.stop(bpy.context, "CANCELLED")


CLASSES = (ARTFISH_OT_snake_grid,)
