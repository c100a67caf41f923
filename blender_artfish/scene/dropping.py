"""Files that are dropped into the 3D View: a line of what will happen, and then it does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import bpy

from ..blender import parts
from ..blender.words import Message, translated
from ..languages.sentences import understood
from ..species import library
from .operators import Tool

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

DONE_WITH: dict[str, Message] = {
    "scene": "It takes the place of what Artfish made in the water; your own objects stay",
    "species": "It becomes one of the species of this file, to be shaped and added",
    "recording": "It is baked into this scene, frame by frame as it was recorded",
    "model": "It becomes a species in the panel Adopt a Fish, once you have looked where its nose points",
}
"""The consequence of each kind of file, in an artist's words."""


class Dropped(Tool):
    """Base of the operators on files that were dropped."""

    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    filepath: bpy.props.StringProperty(name="File", description="The file", subtype="FILE_PATH", options={"SKIP_SAVE"})
    kind = ""
    content = ""

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Says what is in the file and what will happen, with a button to do it."""
        if not self._recognise(context):
            return {"CANCELLED"}
        return context.window_manager.invoke_props_dialog(self, width=420, confirm_text=self.bl_label)

    def draw(self, context: bpy.types.Context) -> None:
        """The two lines."""
        column = self.layout.column(align=True)
        column.label(text=self.content[:1].upper() + self.content[1:], icon="FILE")
        column.label(text=translated(DONE_WITH[self.kind]), translate=False)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Does what is done with a file of its kind, which is known already where that was said before."""
        if not self.kind and not self._recognise(context):
            return {"CANCELLED"}
        file = self.filepath
        if self.kind == "scene":
            return bpy.ops.artfish.load_scene(filepath=file)
        if self.kind == "species":
            parts.show(context, parts.MAKE)
            return bpy.ops.artfish.species_import(filepath=file)
        if self.kind == "model":
            parts.show(context, parts.MORE)
            return bpy.ops.artfish.adopt_look(file=file)
        bake = context.scene.artfish.bake
        bake.source, bake.file = "FILE", file
        parts.show(context, parts.DELIVER)
        return bpy.ops.artfish.bake("INVOKE_DEFAULT" if not bpy.app.background else "EXEC_DEFAULT")

    def _recognise(self, context: bpy.types.Context) -> bool:
        """Finds out what the file is; reports an error if that cannot be made anything of."""
        from ...core.base.codec import SceneError
        from ...core.studio.recognising import recognised

        try:
            found = recognised(Path(bpy.path.abspath(self.filepath)).absolute(), library.names(context.scene))
        except SceneError as error:
            self.refuse(error)
            return False
        self.kind, self.content = found.kind, understood(found.content)
        return True


class ARTFISH_OT_drop_file(Dropped):
    """Take a scene, a species or a recording out of a file that was dropped into the view"""

    bl_idname = "artfish.drop_file"
    bl_label = "Take Into Artfish"


class ARTFISH_OT_drop_model(Dropped):
    """Have a model that was dropped into the view become a species"""

    bl_idname = "artfish.drop_model"
    bl_label = "Adopt as a Fish"


class OverView:
    """Base of what takes files over a 3D View, where fishes are."""

    @classmethod
    def poll_drop(cls, context: bpy.types.Context) -> bool:
        """Over a 3D View."""
        return context.area is not None and context.area.type == "VIEW_3D"


class ARTFISH_FH_files(OverView, bpy.types.FileHandler):
    """Scenes, species and recordings that are dropped into a 3D View"""

    bl_idname = "ARTFISH_FH_files"
    bl_label = "Artfish"
    bl_import_operator = "artfish.drop_file"
    bl_file_extensions = ".json;.npz"


class ARTFISH_FH_models(OverView, bpy.types.FileHandler):
    """Models that are dropped into a 3D View, beside Blender's own importers"""

    bl_idname = "ARTFISH_FH_models"
    bl_label = "Artfish, models"
    bl_import_operator = "artfish.drop_model"
    bl_file_extensions = ".obj;.glb;.gltf;.fbx"


CLASSES = (ARTFISH_OT_drop_file, ARTFISH_OT_drop_model, ARTFISH_FH_files, ARTFISH_FH_models)
