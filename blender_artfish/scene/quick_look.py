"""Quick Look: the fishes in their final look, water and light; another click restores everything.

The scene gets only one collection that is not rendered: the 3D View looks through a camera of its own,
and its shading is restored. Neither is saved in a file.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import bpy

from ..blender import runtime, viewport
from ..blender.handlers import HandlerTurn, hears
from ..blender.words import translated
from ..identity import provenance
from ..identity.roles import objects_of
from ..identity.units import metres, placed
from ..live import pace, timer
from ..live.reading import has_shoals
from ..live.runtime import session_of
from ..stage.surroundings import clear_away, left_over
from .operators import Tool

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

SHADING = (
    *("use_scene_lights", "use_scene_world", "studio_light", "studiolight_intensity"),
    *("studiolight_background_alpha", "studiolight_background_blur", "studiolight_rotate_z"),
)
"""Properties of Material Preview, in the order in which they are set."""
SPACE = "overlay.show_overlays", "show_gizmo", "use_local_camera", "camera"
VIEW = (
    *("view_perspective", "view_location", "view_rotation", "view_distance"),
    *("view_camera_zoom", "view_camera_offset"),
)
AMBIENT = 0.35
"""Strength of ambient light."""
WHOLE_PICTURE_ZOOM = 27.0
"""Zoom of a camera view at which its picture fills the view."""


class QuickLook:
    """The present look, and the view's settings from before.

    Attributes:
        scene: Number of the scene; 0 while there is no look.
        space: The address of the 3D View.
        before: Its settings, by their paths.
        began: Whether live play began with it.
        plays: Whether the animation began to play with it.
    """

    def __init__(self) -> None:
        """Start without a look."""
        self.scene, self.space, self.began, self.plays = 0, 0, False, False
        self.before: dict[str, Any] = {}


class ARTFISH_OT_quick_look(Tool):
    """Show fishes as they swim in their water, with light, colours and a camera; again, and all is as it was"""

    bl_idname = "artfish.quick_look"
    bl_label = "Quick Look"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs fishes, and a 3D View."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated("Add fishes first, and have a 3D View open"))
        return viewport.view_area(context) is not None and (
            is_on() or has_shoals(context.scene) or bool(fishes(context))
        )

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Begins the look, or ends it."""
        if is_on():
            end()
            return {"FINISHED"}
        area = viewport.view_area(context)
        if area is None or not isinstance(space := area.spaces.active, bpy.types.SpaceView3D):
            return self.refuse("Quick Look needs a 3D View")
        try:
            begin(context, space)
        except ValueError as error:
            return self.refuse(error)
        look = runtime.of(QuickLook)
        if look.began and not pace.playing():
            pace.start(context.scene)
            look.plays = True
        self.report({"INFO"}, translated("Quick Look: click again, and all is as it was"))
        return {"FINISHED"}


def is_on() -> bool:
    """True while there is a look."""
    return bool(runtime.of(QuickLook).scene)


def fishes(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Visible fishes, live or baked."""
    return [obj for obj in context.scene.objects if isinstance(obj.get(provenance.ROW), int) and obj.visible_get()]


def begin(context: bpy.types.Context, space: bpy.types.SpaceView3D) -> None:
    """Adds the sea around the fishes, and shows it in a 3D View.

    Raises:
        ValueError: There are no fishes, or the scene is invalid; the message names the object.
    """
    scene, look = context.scene, runtime.of(QuickLook)
    look.began = False
    if not fishes(context) and session_of(scene) is None:
        timer.begin(scene)
        scene.artfish_live.on = look.began = True
    context.view_layer.update()
    camera = _furnish(context)
    look.scene, look.space = scene.session_uid, space.as_pointer()
    look.before = {"shading.type": space.shading.type}
    space.shading.type = "MATERIAL"
    paths = [*(f"shading.{name}" for name in SHADING), *SPACE, *(f"region_3d.{name}" for name in VIEW)]
    look.before = {path: _copied(space.path_resolve(path)) for path in paths if _has(space, path)} | look.before
    _dive(space, camera)


def end() -> None:
    """Removes the sea, and restores the view."""
    look = runtime.of(QuickLook)
    scene = next((each for each in bpy.data.scenes if each.session_uid == look.scene), None)
    space = _space(look.space)
    if space is not None:
        for path, value in look.before.items():
            holder, _, name = path.rpartition(".")
            with suppress(TypeError, ValueError, ReferenceError):  # a camera or studio light that is gone
                setattr(space.path_resolve(holder) if holder else space, name, value)
    _clear_away()
    plays = pace.playing()
    session = None if scene is None or not look.began else session_of(scene)
    if scene is not None and session is not None and (look.plays if plays else session.rehearsal.frames <= 1):
        pace.stop(scene, back=True)
        timer.end(scene)
        scene.artfish_live.on = False
    runtime.drop(QuickLook)


def _furnish(context: bpy.types.Context) -> bpy.types.Object:
    """Adds the sea to the scene; returns its camera."""
    import numpy as np

    from ..stage import quick_look as stage
    from .tank import size_of

    scene = context.scene
    unit = metres(scene)
    low, size = (np.array(each) for each in size_of(scene))
    there, shoals = fishes(context), objects_of(scene, "SHOAL")
    if there:
        group = stage.group_of(there, unit)
    else:  # they appear once the scene is read
        group = stage.group_about(placed(shoals[0], unit).translation[:], shoals[0].artfish.shoal.spread)
    view = stage.view_of(group, low, size, scene, unit)
    rocks = [obj for obj in objects_of(scene, "OBSTACLE") if obj.type == "MESH" and obj.visible_get()]
    bare = [obj for obj in rocks if obj.artfish.made and not any(slot.material for slot in obj.material_slots)]
    return stage.furnish(scene, low, size, view, bare, unit)[1]


def _dive(space: bpy.types.SpaceView3D, camera: bpy.types.Object) -> None:
    """Has a 3D View look through its own camera, at materials lit by the sea alone."""
    shading = space.shading
    shading.use_scene_lights, shading.use_scene_world = True, False
    shading.studiolight_intensity, shading.studiolight_background_alpha = AMBIENT, 0.0
    space.overlay.show_overlays = space.show_gizmo = False
    space.use_local_camera, space.camera = True, camera
    view = space.region_3d
    if view is not None:
        view.view_perspective = "CAMERA"
        view.view_camera_zoom, view.view_camera_offset = WHOLE_PICTURE_ZOOM, (0.0, 0.0)


def _clear_away() -> None:
    for collection in left_over():
        clear_away(collection)


def _space(address: int) -> bpy.types.SpaceView3D | None:
    """The 3D View at an address, if it still exists."""
    spaces = [space for screen in bpy.data.screens for area in screen.areas for space in area.spaces]
    found = [space for space in spaces if space.as_pointer() == address]
    return next((space for space in found if isinstance(space, bpy.types.SpaceView3D)), None)


def _has(space: bpy.types.SpaceView3D, path: str) -> bool:
    """True if a view has such a setting: without a window it has no region."""
    try:
        space.path_resolve(path)
    except ValueError:
        return False
    return True


def _copied(value: Any) -> Any:
    """A copy of a value, since Blender's vectors change with their property."""
    return value.copy() if hasattr(value, "copy") and not isinstance(value, bpy.types.ID) else value


@hears(HandlerTurn.WORK, "save_pre", "load_pre")
def leave(*_: Any) -> None:
    """Before a file is saved or left: restores the animator's view and scene."""
    if is_on():
        end()


@hears(HandlerTurn.WORK, "undo_post", "redo_post", "load_post")
def tidy(*_: Any) -> None:
    """After undo steps, and in a file saved during a look: removes a sea without a look, ends a look without a sea."""
    there = bool(left_over())
    if is_on() and not there:
        end()
    elif there and not is_on():
        cameras = {obj for collection in left_over() for obj in collection.objects if obj.type == "CAMERA"}
        for space in [space for screen in bpy.data.screens for area in screen.areas for space in area.spaces]:
            if isinstance(space, bpy.types.SpaceView3D) and space.camera in cameras:
                space.use_local_camera, space.camera, space.shading.type = False, None, "SOLID"
                space.overlay.show_overlays = space.show_gizmo = True
                space.region_3d.view_perspective = "PERSP"
        _clear_away()


CLASSES = (ARTFISH_OT_quick_look,)


def unregister() -> None:
    """Ends the look."""
    if is_on():
        end()
