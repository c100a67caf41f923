"""What a shoal swims by: the controllers of its species, made by hand, or one that was learned, out of a file.

The shoal keeps what the file holds, so that a .blend needs no other file.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy_extras.io_utils import ImportHelper

from ..identity.roles import LINKED, is_linked
from ..scene.operators import Tool
from ..species import library

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result


class _Shoal(Tool):
    """What operators on the selected shoal have in common."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a shoal, in any mode."""
        linked = is_linked(context.scene)
        cls.poll_message_set(LINKED if linked else "Select a shoal first")
        return not linked and context.object is not None and context.object.artfish.kind == "SHOAL"


class ARTFISH_OT_controller_choose(_Shoal, ImportHelper):  # type: ignore[misc]
    """Have these fishes swim and turn as one of their kind has learned, out of a file that artfish learn wrote"""

    bl_idname = "artfish.controller_choose"
    bl_label = "Choose Controller"
    filename_ext = ".json"
    filter_glob: bpy.props.StringProperty(default="*.json", options={"HIDDEN"})

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Reads and checks it whole, and that the species has the body that learned it, before anything is changed."""
        from ...core.base.codec import SceneError, encode
        from ...core.scene.controller import Controller

        shoal, path = context.object, Path(bpy.path.abspath(self.filepath)).absolute()
        try:
            learned, models = Controller.load(str(path)), library.models(context.scene)
            name = shoal.artfish.shoal.species
            if name in models:
                learned.refuse_other(name, models[name].body, models[name].time_scale)
        except SceneError as error:
            return self.refuse(error)
        shoal.artfish.shoal.controller = json.dumps(encode(learned))
        self.report({"INFO"}, f"{shoal.name} swims as {path.name} says")
        return {"FINISHED"}


class ARTFISH_OT_controller_drop(_Shoal):
    """Have these fishes swim and turn by the hand-made controllers of their species again"""

    bl_idname = "artfish.controller_drop"
    bl_label = "Back to Hand-Made"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a shoal that has one."""
        if not super().poll(context):
            return False
        cls.poll_message_set("This shoal swims by the controllers of its species already")
        return bool(context.object.artfish.shoal.controller)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Forgets what the file held."""
        context.object.artfish.shoal.controller = ""
        return {"FINISHED"}


CLASSES = (ARTFISH_OT_controller_choose, ARTFISH_OT_controller_drop)
