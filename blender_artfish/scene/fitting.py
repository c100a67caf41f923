"""The tank, fitted to the scene's meshes, to what is selected, or to what the camera sees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from mathutils import Vector

from ..blender.handlers import together
from ..blender.words import counted, translated
from ..identity import provenance
from ..identity.roles import objects_of, world
from ..identity.units import metres
from . import sight
from .operators import Tool
from .placing import BACKDROP, Box, extents, gives_way
from .presets import may_grow, stretch
from .properties import settings_of

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

ROOM_SHARE = 0.25
"""Water about what the tank is fitted to, over the largest side of that."""
LEAST_ROOM = 0.5
"""Metres of it at least."""
LEAST_SIDE = 0.5
"""Metres: no side of a fitted tank is shorter."""
FIT_ITEMS = (
    ("SCENE", "Scene", "Round all meshes that are seen, but for grounds and backdrops, with room to swim"),
    ("SELECTION", "Selection", "Round the selected objects, with room to swim"),
    ("CAMERA", "Camera", "What the camera sees, from near it to the surfaces that it looks at"),
)


class ARTFISH_OT_fit_tank(Tool):
    """Size and place the tank round the scene's meshes, what is selected, or what the camera sees"""

    bl_idname = "artfish.fit_tank"
    bl_label = "Fit Tank"

    to: bpy.props.EnumProperty(name="To", description="What the tank is fitted to", items=FIT_ITEMS)

    @classmethod
    def description(cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        """The line of what it is fitted to."""
        return next(
            translated("Fit the tank: {line}", line=translated(line))
            for name, _, line in FIT_ITEMS
            if name == properties.to
        )

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Fits the tank, or makes one; what Artfish made and would be outside comes along."""
        from ...core.scene.limits import FARTHEST

        context.view_layer.update()
        try:
            box = {"SCENE": _of_scene, "SELECTION": _of_selection, "CAMERA": _of_camera}[self.to](context)
            if max(box.size[:]) > FARTHEST:
                lengths = " × ".join(f"{length:.4g}" for length in box.size[:])
                raise ValueError(
                    translated(
                        "The tank would be {lengths} m, and may be {farthest:.0f} m at the most",
                        lengths=lengths,
                        farthest=FARTHEST,
                    )
                )
            with together(settings_of(context), context):
                came = fit(context, box)
        except ValueError as error:
            return self.refuse(error)
        lengths = " × ".join(f"{length:.3g}" for length in box.size[:])
        said = translated("The water is {lengths} m", lengths=lengths)
        if came:
            said += counted(len(came), "; {name} came along", "; {count} objects came along", name=came[0].name)
        self.report({"INFO"}, said)
        return {"FINISHED"}


def draw_fits(layout: bpy.types.UILayout) -> None:
    """A row of buttons that fit the tank."""
    layout.label(text=translated("Fit Tank to"), translate=False)
    row: Any = layout.row(align=True)
    for to, name, _ in FIT_ITEMS:
        row.operator(ARTFISH_OT_fit_tank.bl_idname, text=name).to = to


def fit(context: bpy.types.Context, box: Box) -> list[bpy.types.Object]:
    """Has the tank fill a box in metres, and takes along what would be outside.

    Args:
        context: The context of the scene.
        box: The new extent of the water.

    Returns:
        The objects that came along, which Artfish made, each to the same place within the water as before.

    Raises:
        ValueError: The tank is one that cannot be stretched.
    """
    from .tank import add_tank, size_of

    scene, unit = context.scene, metres(context.scene)
    low, size = size_of(scene)
    before, tanks = Box(low, low + size), objects_of(scene, "TANK")
    if not tanks:
        add_tank(scene, 0.5 * (box.low + box.high), box.size)
    elif not may_grow(tanks[0]):
        raise ValueError(
            translated(
                "{name} is a mesh of its own, turned, keyed or hung on something: only a plain box is fitted",
                name=tanks[0].name,
            )
        )
    else:
        stretch(tanks[0], before, box, unit)
    came = [obj for obj in objects_of(scene) if _comes_along(obj) and not box.holds(unit * world(obj).translation)]
    for obj in came:
        place = unit * world(obj).translation - before.low
        share = [min(max(way / length, 0.0), 1.0) for way, length in zip(place[:], before.size[:], strict=True)]
        obj.location = (box.low + Vector(share) * box.size) / unit
    context.view_layer.update()
    return came


def _comes_along(obj: bpy.types.Object) -> bool:
    """True for an empty or a mesh of ours, but the tank, that nothing but its own place holds where it is."""
    if obj.type not in ("EMPTY", "MESH") or obj.artfish.kind == "TANK" or not obj.artfish.made:
        return False
    animated = obj.animation_data is not None and obj.animation_data.action is not None
    return not (obj.parent or obj.constraints or obj.library or obj.override_library or animated)


def _of_scene(context: bpy.types.Context) -> Box:
    """The box round all meshes that are seen.

    Raises:
        ValueError: There are none.
    """

    def counts(obj: bpy.types.Object) -> bool:
        return not provenance.of(obj, provenance.BAKE)

    found = extents(context, counts, BACKDROP) or extents(context, counts)
    if not found:
        raise ValueError("There is no mesh to fit the tank to: add one, or show it")
    return _with_margins(list(found.values()))


def _of_selection(context: bpy.types.Context) -> Box:
    """The box round what is selected.

    Raises:
        ValueError: Nothing is.
    """
    chosen = [obj for obj in context.selected_objects if obj.artfish.kind != "TANK"]
    if not chosen:
        raise ValueError("Nothing is selected to fit the tank to: select one or more objects")
    found, unit = extents(context, chosen.__contains__), metres(context.scene)
    points = [unit * world(obj).translation for obj in chosen if obj not in found]
    return _with_margins([*found.values(), *(Box(point, point) for point in points)])


def _of_camera(context: bpy.types.Context) -> Box:
    """The box round what the camera sees.

    Raises:
        ValueError: There is no camera.
    """
    camera, unit = context.scene.camera, metres(context.scene)
    if camera is None or camera.type != "CAMERA":
        raise ValueError("The scene has no camera to fit the tank to: add one")
    points = [unit * point for point in sight.seen_points(context, camera, _is_no_wall)]
    low, high = (Vector([end(point[axis] for point in points) for axis in range(3)]) for end in (min, max))
    return _large_enough(Box(low, high))


def _is_no_wall(obj: bpy.types.Object) -> bool:
    """True for fishes and whatever else of ours one looks past."""
    return gives_way(obj) or bool(provenance.of(obj, provenance.BAKE))


def _with_margins(boxes: list[Box]) -> Box:
    """A box round others, with water to all sides but below."""
    whole = boxes[0]
    for box in boxes[1:]:
        whole = whole.with_other(box)
    margin = max(ROOM_SHARE * max(whole.size[:]), LEAST_ROOM)
    room = Vector((margin, margin, margin))
    return _large_enough(Box(whole.low - Vector((margin, margin, 0.0)), whole.high + room))


def _large_enough(box: Box) -> Box:
    """A box with sides that a tank may have, about the same middle."""
    more = Vector([0.5 * max(LEAST_SIDE - length, 0.0) for length in box.size[:]])
    return Box(box.low - more, box.high + more)


CLASSES = (ARTFISH_OT_fit_tank,)
