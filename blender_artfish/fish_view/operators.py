"""Operators that look through the eyes of a fish, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..blender.words import translated
from .eyes import NoEye, camera_of, fish_of, look_back, look_through, looks, make_camera, seat

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result


class ARTFISH_OT_look_through(bpy.types.Operator):
    """Look through the eyes of the active fish: a camera is put there unless there is one"""

    bl_idname = "artfish.look_through"
    bl_label = "Look Through"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """A fish must be active."""
        cls.poll_message_set(translated("Select a fish first, one that is live or baked"))
        return fish_of(context) is not None

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Places the camera and films with it."""
        root = fish_of(context)
        assert root is not None
        try:
            camera = camera_of(root)
            if camera is None:
                camera = make_camera(root, context)
            else:
                seat(camera, context)
        except NoEye as error:
            self.report({"ERROR"}, f"{error}.")
            return {"CANCELLED"}
        look_through(camera, context)
        self.report({"INFO"}, translated("You look through the eyes of {root}.", root=root.name))
        return {"FINISHED"}


class ARTFISH_OT_look_back(bpy.types.Operator):
    """Look as before: with the former camera and the former view"""

    bl_idname = "artfish.look_back"
    bl_label = "Back"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """A fish's eye must be looked through."""
        cls.poll_message_set(translated("The scene's camera is in no fish's eye"))
        return looks(context.scene)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Restores the former camera and view."""
        look_back(context)
        return {"FINISHED"}


CLASSES = (ARTFISH_OT_look_through, ARTFISH_OT_look_back)
