"""Handles in the 3D View: arrows and a ring at the selected thing in the water, dragged with the mouse."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import cos, sin, tau
from operator import ne
from typing import TYPE_CHECKING, Any

import bpy
from bpy_extras import view3d_utils
from mathutils import Matrix, Vector
from mathutils.geometry import intersect_line_line

from ..blender.words import translated
from ..identity.roles import is_linked
from .handles import HANDLE_LENGTH, Handle, Reach, extent_about, handles_of, key

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

HANDLE_COLOUR, LIT_COLOUR = (0.25, 0.75, 0.95), (1.0, 1.0, 1.0)
EXTENT_COLOUR = (0.95, 0.6, 0.2)
"""As Blender outlines what is selected."""
CIRCLE_STEPS = 64
ARROW_SIZE, RING_SIZE = 0.48, 0.28
INSIDE_SHARE = 0.7
"""Half the edge of a square in a ring over its radius."""
PRECISE_SHARE = 0.1
"""Share of a drag that counts while Shift is held."""
FACING_COSINE = 0.98
"""Of the angle to the line of sight up to which a way leads at the viewer."""
SNAP_UNITS = 0.1
"""Steps in scene units while Ctrl is held."""


class ARTFISH_GT_handle(bpy.types.Gizmo):
    """A knob at the end of a length, or a ring about a place"""

    bl_idname = "ARTFISH_GT_handle"
    __slots__ = ("begun", "handle", "owner", "start")

    def setup(self) -> None:
        """Takes no space until it has a handle."""
        self.handle: Handle | None = None

    def refresh(self, obj: bpy.types.Object, handle: Handle, base: Matrix) -> None:
        """Puts it where a handle of an object is, which has its way from there."""
        self.owner, self.handle = obj.name, handle
        if handle.kind == HANDLE_LENGTH:
            base = base @ Matrix.Translation((0.0, 0.0, handle.get(obj)))
        self.matrix_basis = base

    def draw(self, context: bpy.types.Context) -> None:
        """Draws it."""
        self._shape(context)

    def draw_select(self, context: bpy.types.Context, select_id: int) -> None:  # type: ignore[override]
        """Draws it for the mouse to find."""
        self._shape(context, select_id)

    def _shape(self, context: bpy.types.Context, select_id: int | None = None) -> None:
        if self.handle is None:
            return
        more: dict[str, Any] = {} if select_id is None else {"select_id": select_id}
        if self.handle.kind == HANDLE_LENGTH:
            self.draw_preset_arrow(self.matrix_world, axis="POS_Z", **more)
        else:
            view = context.region_data.view_rotation.to_matrix().to_4x4()
            self.draw_preset_circle(self.matrix_world @ view, axis="POS_Z", **more)
            if select_id is not None:  # what is inside the ring is the ring's
                self.draw_preset_box(self.matrix_world @ view @ Matrix.Scale(INSIDE_SHARE, 4), select_id=select_id)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Begins a drag."""
        obj = self._object()
        if obj is None or self.handle is None:
            return {"CANCELLED"}
        base = self.handle.base(obj)
        value = self.handle.get(obj) if self.handle.kind == HANDLE_LENGTH else base.translation.copy()
        self.start = base.copy(), value, obj.matrix_world.copy()
        self.begun = self._under(context, event)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event, tweak: set[str] | None) -> set[Result]:  # type: ignore[override]
        """Follows the mouse; Shift goes slowly, Ctrl in steps."""
        obj, handle, tweak = self._object(), self.handle, tweak or set()
        now = self._under(context, event)
        if obj is None or handle is None or now is None or self.begun is None:
            return {"RUNNING_MODAL"}
        _, value, _ = self.start
        way = (now - self.begun) * (PRECISE_SHARE if "PRECISE" in tweak else 1.0)
        new = value + way
        if "SNAP" in tweak:
            new = _stepped(new)
        handle.set(obj, new)
        context.view_layer.update()
        text = f"{new:.3f}" if handle.kind == HANDLE_LENGTH else ", ".join(f"{x:.3f}" for x in new)
        context.area.header_text_set(f"{translated(handle.name)}: {text}")
        return {"RUNNING_MODAL"}

    def exit(self, context: bpy.types.Context, cancel: bool) -> None:
        """Ends a drag; one that is given up leaves all as it was."""
        context.area.header_text_set(None)
        obj, handle = self._object(), self.handle
        if obj is None or handle is None:
            return
        if cancel:
            _, value, matrix = self.start
            handle.set(obj, value)
            obj.matrix_world = matrix
            return
        key(obj, handle)
        bpy.ops.ed.undo_push(message=f"Drag {handle.name}")

    def _object(self) -> bpy.types.Object | None:
        return bpy.data.objects.get(self.owner)

    def _under(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        """The length along the handle's way, or the place in its plane, under the mouse; None if there is none."""
        base = self.start[0]
        mouse = event.mouse_region_x, event.mouse_region_y
        region, view = context.region, context.region_data
        from_, ray = (
            find(region, view, mouse)
            for find in (view3d_utils.region_2d_to_origin_3d, view3d_utils.region_2d_to_vector_3d)
        )
        if self.handle is None or self.handle.kind != HANDLE_LENGTH:
            return view3d_utils.region_2d_to_location_3d(region, view, mouse, base.translation)
        along = base.col[2].xyz.normalized()
        met = intersect_line_line(base.translation, base.translation + along, from_, from_ + ray)
        return None if met is None else (met[0] - base.translation).dot(along)


def _faces(context: bpy.types.Context, handle: Handle, base: Matrix) -> bool:
    """True if a handle's way leads at the viewer, who then cannot drag along it."""
    view = context.region_data
    if view is None or handle.kind != HANDLE_LENGTH:
        return False
    ahead = view.view_rotation @ Vector((0.0, 0.0, 1.0))
    return abs(base.col[2].xyz.normalized().dot(ahead)) > FACING_COSINE


def _stepped(value: float | Vector) -> Any:
    if isinstance(value, Vector):
        return Vector([round(x / SNAP_UNITS) * SNAP_UNITS for x in value])
    return round(value / SNAP_UNITS) * SNAP_UNITS


class ARTFISH_GGT_handles(bpy.types.GizmoGroup):
    """Handles of the active thing in the water"""

    bl_idname = "ARTFISH_GGT_handles"
    bl_label = "Artfish Handles"
    bl_space_type = "VIEW_3D"
    bl_region_type = "WINDOW"
    bl_options = {"3D", "PERSISTENT", "SHOW_MODAL_ALL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Something with handles must be active and selected, where it may be changed."""
        obj = context.object
        if obj is None or context.mode != "OBJECT" or not obj.select_get() or is_linked(context.scene):
            return False
        return obj.library is None and bool(handles_of(obj))

    def setup(self, context: bpy.types.Context) -> None:
        """Makes none: `draw_prepare` makes as many as there are handles."""

    def draw_prepare(self, context: bpy.types.Context) -> None:
        """Puts a gizmo at each handle, wherever the object is at this redraw."""
        obj = context.object
        handles = handles_of(obj) if obj is not None else ()
        while len(self.gizmos) < len(handles):
            made = self.gizmos.new(ARTFISH_GT_handle.bl_idname)
            made.color, made.alpha = HANDLE_COLOUR, 0.7
            made.color_highlight, made.alpha_highlight = LIT_COLOUR, 1.0
            made.use_draw_modal = True
        for gizmo in self.gizmos[len(handles) :]:
            gizmo.hide = True
        for gizmo, handle in zip(self.gizmos, handles, strict=False):
            base = handle.base(obj)
            gizmo.hide = _faces(context, handle, base)
            if not gizmo.hide:
                gizmo.scale_basis = ARROW_SIZE if handle.kind == HANDLE_LENGTH else RING_SIZE
                gizmo.refresh(obj, handle, base)


class ARTFISH_GT_extent(bpy.types.Gizmo):
    """Three circles, or a box, as far as something reaches; the mouse goes through it"""

    bl_idname = "ARTFISH_GT_extent"
    __slots__ = ("ball", "box", "extent")

    def setup(self) -> None:
        """Makes its forms."""
        self.ball, self.box = (self.new_custom_shape("LINES", form) for form in (_circles(), _edges()))
        self.extent: Reach | None = None
        self.hide_select = True

    def draw(self, context: bpy.types.Context) -> None:
        """Draws it."""
        if self.extent is not None:
            self.draw_custom_shape(self.box if self.extent.box else self.ball, matrix=self.extent.place)


class ARTFISH_GGT_extents(bpy.types.GizmoGroup):
    """Circles as far as that which is selected in the water reaches"""

    bl_idname = "ARTFISH_GGT_extents"
    bl_label = "Artfish Extents"
    bl_space_type = "VIEW_3D"
    bl_region_type = "WINDOW"
    bl_options = {"3D", "PERSISTENT", "SHOW_MODAL_ALL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Something in the water must be selected."""
        return context.mode == "OBJECT" and any(obj.artfish.kind != "NONE" for obj in context.selected_objects)

    def setup(self, context: bpy.types.Context) -> None:
        """Makes none: `draw_prepare` makes as many as there are extents."""

    def draw_prepare(self, context: bpy.types.Context) -> None:
        """Draws the extents where they are at this redraw."""
        every = [extent_about(obj) for obj in context.selected_objects if obj.artfish.kind != "NONE"]
        extents = [extent for extent in every if extent is not None]
        while len(self.gizmos) < len(extents):
            made = self.gizmos.new(ARTFISH_GT_extent.bl_idname)
            made.color, made.alpha, made.line_width = EXTENT_COLOUR, 0.6, 1.0
            made.use_draw_scale, made.use_draw_modal = False, True
        for gizmo in self.gizmos[len(extents) :]:
            gizmo.hide = True
        for gizmo, extent in zip(self.gizmos, extents, strict=False):
            gizmo.hide, gizmo.extent = False, extent


def _circles() -> list[tuple[float, float, float]]:
    """The ends of the lines of three circles of radius 1 about the axes."""
    rim = [(cos(tau * step / CIRCLE_STEPS), sin(tau * step / CIRCLE_STEPS)) for step in range(CIRCLE_STEPS + 1)]
    ends = [end for pair in pairwise(rim) for end in pair]
    return [(0.0, a, b) for a, b in ends] + [(a, 0.0, b) for a, b in ends] + [(a, b, 0.0) for a, b in ends]


def _edges() -> list[tuple[float, float, float]]:
    """The ends of the edges of a box from -1 to 1."""
    corners = [(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]
    pairs = [pair for pair in combinations(corners, 2) if sum(map(ne, *pair)) == 1]
    return [end for pair in pairs for end in pair]


CLASSES = (ARTFISH_GT_handle, ARTFISH_GGT_handles, ARTFISH_GT_extent, ARTFISH_GGT_extents)
