"""Operators that show a species as a fish while it is shaped, and turn the view to it."""

from __future__ import annotations

from math import atan2
from typing import TYPE_CHECKING

import bpy
from mathutils import Matrix, Vector

from ..blender.words import translated
from ..identity.units import metres
from ..scene.placing import clear_above
from . import library, preview
from .editing import active_species
from .operators import Shaping

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

PREVIEW_DISTANCE_LENGTHS = 1.7
"""Distance from which the view looks at a preview."""
PREVIEW_REACH_LENGTHS = 0.7
"""Distance from its middle within which a preview keeps clear of meshes, whatever its direction, with a margin."""


class ARTFISH_OT_preview(Shaping):
    """Show this species as a fish in the scene that follows your changes, or take that fish away"""

    bl_idname = "artfish.preview"
    bl_label = "Preview"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Surfaces are made in Object Mode only."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated("Go to Object Mode first"))
        return context.mode == "OBJECT"

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Makes the preview, or removes the present one."""
        from ...core.base.codec import SceneError

        if preview.remove(context.scene):
            return {"FINISHED"}
        try:
            species = library.species_of(active_species(context))
            root = preview.make(context.scene, species)
        except SceneError as error:
            return self.refuse(error)
        unit = metres(context.scene)
        root.location = clear_above(context, unit * root.location, PREVIEW_REACH_LENGTHS * species.length) / unit
        return {"FINISHED"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Also turns the view to its left flank: most previews are too small to be seen from afar."""
        result, root = self.execute(context), preview.find(context.scene)
        if root is not None and context.space_data is not None and context.space_data.type == "VIEW_3D":
            look_at(context, root)
            towards = context.space_data.region_3d.view_rotation @ Vector((0.0, 0.0, 1.0))
            root.rotation_quaternion = Matrix.Rotation(atan2(-towards.x, towards.y), 3, "Z").to_quaternion()
        return result


class ARTFISH_OT_preview_look(Shaping):
    """Turn the view to the preview"""

    bl_idname = "artfish.preview_look"
    bl_label = "Look at the Preview"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a preview and a view."""
        cls.poll_message_set(translated("There is no preview in this scene"))
        seen = context.space_data is not None and context.space_data.type == "VIEW_3D"
        return seen and preview.find(context.scene) is not None

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Keeps the view's direction, at a distance at which the fish fills it."""
        look_at(context, preview.find(context.scene))
        return {"FINISHED"}


def look_at(context: bpy.types.Context, root: bpy.types.Object) -> None:
    """Turn the view to a preview, from its present direction."""
    context.view_layer.update()  # a new object has no place yet
    view = context.space_data.region_3d
    length = preview.LENGTH_PER_AXES * root.empty_display_size * root.scale.x
    view.view_location = root.matrix_world.translation
    view.view_distance = PREVIEW_DISTANCE_LENGTHS * length
    if view.view_perspective == "CAMERA":
        view.view_perspective = "PERSP"


CLASSES = (
    ARTFISH_OT_preview,
    ARTFISH_OT_preview_look,
)
