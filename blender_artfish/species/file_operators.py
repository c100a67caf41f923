"""Operators that save and delete the animator's own species, and import and export species files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy_extras.io_utils import ImportHelper

from ..blender.file_names import FileSaver
from ..blender.handlers import together
from ..blender.words import translated
from ..identity.roles import LINKED, is_linked
from ..scene.operators import Tool
from . import deletion, library
from .editing import active_species, common_name, rename, take
from .operators import Shaping

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result


class ARTFISH_OT_species_save(Shaping):
    """Keep this species among your own, for every file"""

    bl_idname = "artfish.species_save"
    bl_label = "Save"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """A preset is never overwritten."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated("This is the name of a preset: save it as one of your own"))
        return active_species(context).name not in library.presets()

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Writes the species, whole or not at all."""
        from ...core.base.codec import SceneError

        try:
            species = library.species_of(active_species(context))
            library.save(species)
            library.keep_model(species)
        except SceneError as error:
            return self.refuse(error)
        self.report({"INFO"}, translated("Saved {name} among your species", name=active_species(context).name))
        return {"FINISHED"}


class ARTFISH_OT_species_save_as(Shaping):
    """Keep this species among your own under a new name, for every file; its shoals here take the name"""

    bl_idname = "artfish.species_save_as"
    bl_label = "Save as Your Own"

    name: bpy.props.StringProperty(name="Name", description="Of the new species")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Asks for the name."""
        name = active_species(context).name
        saved = name in library.presets() or name in library.own()
        self.name = library.free_name(name, context.scene) if saved else name
        return context.window_manager.invoke_props_dialog(self)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Writes the species, whole or not at all, then renames it."""
        from ...core.base.codec import SceneError
        from ...core.scene.species import Species

        entry, name = active_species(context), library.stem(self.name)
        if not name:
            self.report({"ERROR"}, translated("A name needs letters or digits"))
            return {"CANCELLED"}
        if name in library.names(context.scene) and (name != entry.name or name in library.presets()):
            self.report({"ERROR"}, translated("There is a {name} already; choose another name", name=name))
            return {"CANCELLED"}
        try:
            data = library.species_of(entry).to_dict() | {"name": name}
            if entry.about.common_name == common_name(entry.origin) and name != entry.name:
                data["common_name"] = self.name.strip() if self.name != name else library.label(name)
            species = Species.from_dict(data, name)
            library.save(species)
            library.keep_model(species)
        except SceneError as error:
            return self.refuse(error)
        with together(entry, context):
            rename(context, entry, name)
            entry.about.common_name = data["common_name"]
        self.report({"INFO"}, translated("Saved {name} among your species", name=name))
        return {"FINISHED"}


class ARTFISH_OT_species_delete(Shaping):
    """Delete this species from your own; this file keeps it until it is taken out here, too"""

    bl_idname = "artfish.species_delete"
    bl_label = "Delete From Your Own"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a saved species."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated("It is not among your species"))
        return active_species(context).name in library.own()

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Asks for confirmation, as other files may need it."""
        return context.window_manager.invoke_confirm(self, event)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Removes the file, not the species in the open file."""
        from ...core.base.codec import SceneError

        name = active_species(context).name
        try:
            library.keep_in_file(library.species_of(active_species(context)))
            deletion.delete(name)
        except SceneError as error:
            return self.refuse(error)
        self.report({"INFO"}, translated("Deleted {name} from your species; this file keeps it", name=name))
        return {"FINISHED"}


class ARTFISH_OT_species_import(Tool, ImportHelper):  # type: ignore[misc]
    """Take a species out of a file, to be shaped here"""

    bl_idname = "artfish.species_import"
    bl_label = "Import Species"
    filename_ext = ".json"
    filter_glob: bpy.props.StringProperty(default="*.json", options={"HIDDEN"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Works in any mode, for a scene of this file."""
        cls.poll_message_set(translated(LINKED))
        return not is_linked(context.scene)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Reads and checks the file completely before anything is changed; a taken name gets a number."""
        from ...core.base.codec import SceneError
        from ...core.scene.species import Species

        try:
            path = Path(bpy.path.abspath(self.filepath)).absolute()
            species = Species.load(str(path))
            library.bring_model(species, path.parent)
        except SceneError as error:
            return self.refuse(error)
        name = library.free_name(species.name, context.scene)
        take(context, species, name, "")
        self.report(
            {"INFO"},
            translated("Imported {species}", species=species.name)
            + (translated(" as {name}", name=name) if name != species.name else ""),
        )
        return {"FINISHED"}


class ARTFISH_OT_species_export(Shaping, FileSaver):  # type: ignore[misc]
    """Write this species as a file, the same kind as the presets; it is named after the file"""

    bl_idname = "artfish.species_export"
    bl_label = "Export Species"
    bl_options = {"REGISTER"}
    filename_ext = ".json"
    filter_glob: bpy.props.StringProperty(default="*.json", options={"HIDDEN"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:  # type: ignore[override]
        """Suggests the species' own name."""
        self.filepath = f"{active_species(context).name}.json"
        return FileSaver.invoke(self, context, event)  # type: ignore[func-returns-value]

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Writes the species, whole or not at all."""
        from ...core.base.codec import SceneError
        from ...core.scene.species import Species

        path = Path(self.file)
        try:
            data = library.species_of(active_species(context)).to_dict() | {"name": path.stem}
            species = Species.from_dict(data, path.name)
            species.save(path)
            if species.model:
                from ..fish.adopted import hand_over

                hand_over(species.model, library.model_folders(), path.parent)
        except SceneError as error:
            return self.refuse(error)
        self.report({"INFO"}, translated("Wrote {path}", path=path.name))
        return {"FINISHED"}


CLASSES = (
    ARTFISH_OT_species_save,
    ARTFISH_OT_species_save_as,
    ARTFISH_OT_species_delete,
    ARTFISH_OT_species_import,
    ARTFISH_OT_species_export,
)
