"""The snake grid as a tool of the Image Editor, and what can be done with a grid that lies on a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from bpy_extras.io_utils import ExportHelper

from ..blender.background import aside, at, saying
from ..blender.handlers import together
from ..blender.jobs import Outcome, Work, share
from ..blender.status_bar import say, tell_given_up
from ..species import library
from ..species.editing import take
from .properties import FACINGS, PARTS

if TYPE_CHECKING:
    from collections.abc import Generator
    from concurrent.futures import Future

    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

    from ...core.photo.snake_grid import SnakeGrid

PAUSE = 0.04  # seconds from one step of the grid to the next
NEAR = 14.0  # pixels of the screen within which a node is under the mouse
HELP = "Drag nodes   A: anchor   F: flip   R: begin anew   Space: relax or hold   Enter: accept   Esc: give up"
BORDER, INNER, ANCHOR, DRAG = (1.0, 0.75, 0.1, 1.0), (1.0, 1.0, 1.0, 0.45), (1.0, 0.2, 0.2, 1.0), (0.3, 0.8, 1.0, 1.0)
AT_WORK: list[ARTFISH_OT_snake_grid] = []


def shown(context: bpy.types.Context) -> bpy.types.Image | None:
    """The picture in the Image Editor, if there is any and it holds still."""
    image = getattr(context.space_data, "image", None) if context.space_data else None
    return image if image is not None and image.source in ("FILE", "GENERATED", "TILED", "VIEWER") else None


class OnPicture(bpy.types.Operator):
    """What operators on the picture in the Image Editor have in common."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a picture; a script names one."""
        cls.poll_message_set("Open a picture of a fish in the Image Editor first")
        if context.space_data is not None and context.space_data.type == "IMAGE_EDITOR":
            return shown(context) is not None
        return len(bpy.data.images) > 0

    def picture(self, context: bpy.types.Context) -> bpy.types.Image:
        """The picture that is named, or else the one that is shown.

        Raises:
            ValueError: There is none.
        """
        name = getattr(self, "image", "")
        image = bpy.data.images.get(name) if name else shown(context)
        if image is None:
            raise ValueError(f"There is no image {name!r}" if name else "No picture is shown in an Image Editor")
        if image.library is not None:
            raise ValueError(f"{image.name} is linked from another file: make it local first")
        return image

    def refuse(self, error: Exception) -> set[Result]:
        """Says what is wrong and leaves all as it was."""
        self.report({"ERROR"}, str(error))
        return {"CANCELLED"}


def image_name() -> Any:
    """A property that names a picture."""
    return bpy.props.StringProperty(
        name="Image", description="Name of the picture; the one in the Image Editor if empty", options={"SKIP_SAVE"}
    )


class ARTFISH_OT_fit_grid(Work, OnPicture):
    """Find the fish, or the fin, in the picture at one go"""

    bl_idname = "artfish.fit_grid"
    bl_label = "Fit"
    too_much = "There is too little memory: try a smaller picture"

    image: image_name()
    part: bpy.props.EnumProperty(
        name="Part",
        description="What the grid covers",
        items=[("AUTO", "As in the panel", "What the panel says"), *PARTS],
        default="AUTO",
        options={"SKIP_SAVE"},
    )
    facing: bpy.props.EnumProperty(
        name="Facing",
        description="Where the nose points in the picture",
        items=[("PANEL", "As in the panel", "What the panel says"), *FACINGS],
        default="PANEL",
        options={"SKIP_SAVE"},
    )
    anchors: bpy.props.StringProperty(
        name="Anchors",
        description="Rows of four numbers, row, column, x and y, parted by semicolons; those on the picture if empty",
        options={"SKIP_SAVE"},
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a picture, and nothing else at work."""
        if share() is not None:
            cls.poll_message_set("Something is at work: wait for it, or give it up by Esc")
            return False
        return super().poll(context)

    def work(self, context: bpy.types.Context) -> Generator[tuple[float, str], None, Outcome]:
        """Reads what is known of the picture, and computes in a thread; the grid is kept when it is at rest."""
        from . import grids as on_image

        image = self.picture(context)
        part = image.artfish.part if self.part == "AUTO" else self.part
        size = tuple(image.size)
        known = (
            on_image.pixels(image),
            part,
            on_image.species_of(image, context.scene),
            on_image.elasticity_of(image),
            image.artfish.facing if self.facing == "PANEL" else self.facing,
            read_anchors(self.anchors) or on_image.anchors_of(image, part),
            on_image.grid_of(image, "body"),
        )

        def fit() -> tuple[SnakeGrid, int]:
            grid = on_image.begin(*known)
            return grid, grid.relax()

        grid, steps = yield from at(0.0, saying("Looking for the fish", aside(fit)))
        if tuple(image.size) != size:
            raise ValueError("Fit given up: the picture has changed meanwhile")
        on_image.keep(image, grid)
        return Outcome(f"The grid came to rest after {steps} steps")


def read_anchors(text: str) -> list[tuple[float, ...]]:
    """Anchors as a script writes them.

    Raises:
        ValueError: It is no such text.
    """
    try:
        rows = [tuple(map(float, row.replace(",", " ").split())) for row in text.split(";") if row.strip()]
    except ValueError:
        rows = [()]
    if any(len(row) != 4 for row in rows):
        raise ValueError(f"anchors: found {text!r}, allowed four numbers an anchor, such as 4 0 12.5 80; 4 20 310 84")
    return rows


class ARTFISH_OT_snake_grid(OnPicture):
    """Watch the grid come to rest on the picture, pull at its nodes and anchor them"""

    bl_idname = "artfish.snake_grid"
    bl_label = "Edit Grid"

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Without a window there is nothing to watch: fits at one go."""
        return bpy.ops.artfish.fit_grid()

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Begins with the grid that lies on the picture, or with the first guess."""
        from . import grids as on_image

        if AT_WORK:
            self.report({"WARNING"}, "A grid is being edited already: accept it or give it up first")
            return {"CANCELLED"}
        try:
            image = self.picture(context)
            self.species = on_image.species_of(image, context.scene)
            self.array = on_image.pixels(image)
            self.part, self.image_name = image.artfish.part, image.name
            points = on_image.grid_of(image, self.part)
            self.body = on_image.grid_of(image, "body")
            if self.part != "body" and self.body is None and points is None:
                raise ValueError("Fit a grid to the body first: the fin stands on it")
        except ValueError as error:
            return self.refuse(error)
        self.size = tuple(image.size)
        self.grid: SnakeGrid | None = None
        self.elasticity, self.facing = on_image.elasticity_of(image), image.artfish.facing
        self.relaxing, self.node, self.mouse = points is None, None, (0, 0)
        from concurrent.futures import ThreadPoolExecutor

        self.worker = ThreadPoolExecutor(1)
        self.coming = self.look(points, on_image.anchors_of(image, self.part))
        self.area, self.region = context.area, next(r for r in context.area.regions if r.type == "WINDOW")
        self.timer = context.window_manager.event_timer_add(PAUSE, window=context.window)
        AT_WORK.append(self)
        self.handler = bpy.types.SpaceImageEditor.draw_handler_add(draw, (), "WINDOW", "POST_PIXEL")
        context.window_manager.modal_handler_add(self)
        say(id(self), "Looking for the fish   Esc: give up")
        return {"RUNNING_MODAL"}

    def look(self, points: Any, anchors: list) -> Future:
        """A grid, made while Blender stays awake: what is known of the picture is arrays by now, and no Blender."""
        from ...core.photo.snake_grid import SnakeGrid
        from .grids import begin

        arguments = (self.array, self.part, self.species, self.elasticity, self.facing, anchors, self.body)
        if points is None:
            return self.worker.submit(begin, *arguments)
        return self.worker.submit(SnakeGrid, self.array, points, anchors, self.part, self.species, self.elasticity)

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """A step at each tick; mouse and keys pull, anchor, flip, begin anew, accept and give up."""
        image = bpy.data.images.get(self.image_name)
        if image is None or tuple(image.size) != self.size or self.area not in list(context.screen.areas):
            self.report({"WARNING"}, "The picture is gone or has changed: the grid was given up")
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
        """What a key or the mouse's button does over the picture."""
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
                self.report({"INFO"}, "Put the mouse over a node to anchor it or to free it")
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
        """Looks for a fish that faces the other way; with anchors, or a fin, turns over what is there."""
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
        """Take over a grid that was being made; or a step of the one that is there."""
        if self.grid is None:
            if not self.coming.done():
                return {"RUNNING_MODAL"}
            if self.coming.exception() is not None:
                self.report({"ERROR"}, str(self.coming.exception()))
                return self.stop(context, "CANCELLED")
            self.grid = self.coming.result()
            self.area.tag_redraw()
        if self.relaxing:
            still = self.grid.step() < 0.02 * self.grid.view.step
            self.relaxing = self.node is not None or not still
            self.area.tag_redraw()
        state = "at rest" if not self.relaxing else "relaxing"
        say(id(self), f"Snake grid, {state}   {HELP}")
        return {"PASS_THROUGH"}

    def accept(self, context: bpy.types.Context, image: bpy.types.Image) -> set[Result]:
        """Keeps the grid on the picture, in one step of undo."""
        from . import grids as on_image

        assert self.grid is not None
        self.grid.unfold()
        on_image.keep(image, self.grid)
        return self.stop(context, "FINISHED")

    def cancel(self, context: bpy.types.Context) -> None:
        """Called by Blender when another file is opened meanwhile, or the window closed."""
        self.stop(context, "CANCELLED")
        tell_given_up(self.bl_label)

    def stop(self, context: bpy.types.Context, result: Result) -> set[Result]:
        """Leaves no timer, no thread and nothing that draws."""
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
        """Where in the picture the mouse is, in pixels from the upper left."""
        x, y = self.region.view2d.region_to_view(*self.mouse)
        return x * self.size[0] - 0.5, (1.0 - y) * self.size[1] - 0.5

    def under_mouse(self) -> tuple[int, int] | None:
        """The node within reach of the mouse."""
        import numpy as np

        assert self.grid is not None
        away = np.linalg.norm(on_screen(self) - self.mouse, axis=2)
        if away.min() > NEAR * bpy.context.preferences.system.ui_scale:
            return None
        row, column = np.unravel_index(np.argmin(away), away.shape)
        return int(row), int(column)


def on_screen(tool: ARTFISH_OT_snake_grid) -> Any:
    """Where the nodes are in the region of the Image Editor (rows, columns, 2)."""
    import numpy as np

    view, (width, height) = tool.region.view2d, tool.size
    origin = np.array(view.view_to_region(0.0, 0.0, clip=False), dtype=float)
    reach = np.array(view.view_to_region(100.0, 100.0, clip=False)) - origin
    share = (tool.grid.points + 0.5) / (width, height)
    return origin + 0.01 * reach * np.stack([share[..., 0], 1.0 - share[..., 1]], axis=-1)


def draw() -> None:
    """Draws the grid that is being edited over its picture."""
    import gpu
    import numpy as np
    from gpu_extras.batch import batch_for_shader

    if not AT_WORK or AT_WORK[-1].grid is None:
        return
    tool = AT_WORK[-1]
    if bpy.context.area != tool.area or getattr(bpy.context.space_data.image, "name", "") != tool.image_name:
        return
    places = on_screen(tool).astype(np.float32)
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
    lines([*places, *places.swapaxes(0, 1)], INNER)
    lines([places[0], places[-1], places[:, 0], places[:, -1]], BORDER)
    points(list(places.reshape(-1, 2)), BORDER, 4.0)
    points([places[node] for node in tool.grid.anchors], ANCHOR, 9.0)
    points([places[node] for node in tool.grid.drags], DRAG, 9.0)
    gpu.state.point_size_set(1.0)
    gpu.state.blend_set("NONE")


class ARTFISH_OT_forget_grid(OnPicture):
    """Take the grid of the part that is chosen off the picture"""

    bl_idname = "artfish.forget_grid"
    bl_label = "Remove Grid"

    image: image_name()

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Forgets grid and anchors."""
        from . import grids as on_image

        try:
            image = self.picture(context)
        except ValueError as error:
            return self.refuse(error)
        on_image.forget(image, image.artfish.part)
        return {"FINISHED"}


class ARTFISH_OT_wear_picture(OnPicture):
    """Put the picture on the skin and fins of its species, in this file"""

    bl_idname = "artfish.wear_picture"
    bl_label = "Put on the Species"

    image: image_name()

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Makes a packed texture and lets the materials read it."""
        from . import grids as on_image

        try:
            image = self.picture(context)
            species = on_image.species_of(image, context.scene)
            texture = on_image.wear(image, species, context.scene)
        except ValueError as error:
            return self.refuse(error)
        self.report({"INFO"}, f"Fishes of the species {species.name} wear {texture.name}")
        return {"FINISHED"}


class ARTFISH_OT_take_off_picture(OnPicture):
    """Let the species show its own colours again"""

    bl_idname = "artfish.take_off_picture"
    bl_label = "Take Off"

    image: image_name()

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Takes the texture out of the materials; the image stays in the file."""
        from . import grids as on_image

        try:
            on_image.take_off(on_image.species_of(self.picture(context), context.scene), context.scene)
        except ValueError as error:
            return self.refuse(error)
        return {"FINISHED"}


class ARTFISH_OT_save_profile(OnPicture, ExportHelper):  # type: ignore[misc]
    """Save a species whose side view is the outline of the grid, and take it into this file"""

    bl_idname = "artfish.save_profile"
    bl_label = "Save as Species"
    filename_ext = ".json"
    filter_glob: bpy.props.StringProperty(default="*.json", options={"HIDDEN"})
    image: image_name()

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Writes the species' file; one of its name here becomes it, unless a preset's: then it gets a number."""
        from . import grids as on_image

        try:
            path = Path(bpy.path.abspath(self.filepath)).absolute()
            species = on_image.save_profile(self.picture(context), context.scene, str(path))
        except ValueError as error:
            return self.refuse(error)
        edited, name = context.scene.artfish.species, species.name
        index = edited.find(name)
        if index >= 0 and not edited[index].origin and name not in library.presets():
            with together(edited[index], context):
                library.fill(edited[index], species)
                context.scene.artfish.active_species = index
        else:
            name = library.free_name(name, context.scene)
            take(context, species, name, "")
        self.report({"INFO"}, f"Saved {path.name}" + (f", here as {name}" if name != species.name else ""))
        return {"FINISHED"}


def unregister() -> None:
    """Gives up what is being edited."""
    for tool in tuple(AT_WORK):
        tool.stop(bpy.context, "CANCELLED")


CLASSES = (
    ARTFISH_OT_fit_grid,
    ARTFISH_OT_snake_grid,
    ARTFISH_OT_forget_grid,
    ARTFISH_OT_wear_picture,
    ARTFISH_OT_take_off_picture,
    ARTFISH_OT_save_profile,
)
