"""Operators that take, duplicate, drop and restore the species edited in the open file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..blender.handlers import together
from ..blender.words import translated
from ..identity.roles import LINKED, is_linked
from ..scene.operators import Tool
from ..scene.properties import settings_of
from . import library, preview
from .editing import active_species, take, users

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result


class Shaping(Tool):
    """Base of the operators on the species in the panel."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a species in this file."""
        linked = is_linked(context.scene)
        cls.poll_message_set(translated(LINKED if linked else "Pick a species first"))
        return not linked and active_species(context) is not None


class ARTFISH_OT_species_pick(Tool):
    """Take this species into the file, to be shaped here; the preset stays as it is"""

    bl_idname = "artfish.species_pick"
    bl_label = "Pick Species"

    name: bpy.props.StringProperty(name="Species", description="A preset, or one of your own")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Works in any mode, for a scene of this file."""
        cls.poll_message_set(translated(LINKED))
        return not is_linked(context.scene)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Shows the species if it is in the file already, or else reads it."""
        from ...core.base.codec import SceneError

        settings = settings_of(context)
        if not self.name:
            self.report({"WARNING"}, translated("Choose a species from the menu of the panel Species"))
            return {"CANCELLED"}
        if self.name in library.edited(context.scene):
            settings.active_species = library.edited(context.scene).index(self.name)
            return {"FINISHED"}
        try:
            species = library.load(self.name)
        except SceneError as error:
            return self.refuse(error)
        take(context, species, self.name, self.name if self.name in library.presets() else "")
        return {"FINISHED"}


class ARTFISH_OT_species_copy(Shaping):
    """Make another species that begins as this one"""

    bl_idname = "artfish.species_copy"
    bl_label = "Duplicate"

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Adds a copy under a new name."""
        from ...core.base.codec import SceneError

        entry = active_species(context)
        try:
            species = library.species_of(entry)
        except SceneError as error:
            return self.refuse(error)
        # Adding may move the entries of a collection, so this one is read before.
        name, origin = library.free_name(entry.name, context.scene), entry.origin
        made = take(context, species, name, origin)
        made.about.common_name = f"{species.common_name} {name.rpartition('_')[2]}"
        return {"FINISHED"}


class ARTFISH_OT_species_drop(Shaping):
    """Take this species out of the file; fishes of its name are again as its preset, or as you saved it"""

    bl_idname = "artfish.species_drop"
    bl_label = "Take Out of This File"

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Removes the edited species; reports shoals left without a species."""
        settings, name = settings_of(context), active_species(context).name
        with together(settings, context):
            settings.species.remove(settings.active_species)
            settings.active_species = min(settings.active_species, len(settings.species) - 1)
        preview.forget(context.scene, name)
        if name not in library.names():
            left = [shoal.name for shoal in users(name)]
            if left:
                self.report(
                    {"WARNING"},
                    translated(
                        "There is no {name} any more, but {names} asks for it", name=name, names=", ".join(left)
                    ),
                )
        return {"FINISHED"}


class ARTFISH_OT_species_restore(Shaping):
    """Undo all changes to this species in this file"""

    bl_idname = "artfish.species_restore"
    bl_label = "Restore"

    to: bpy.props.EnumProperty(
        name="To",
        description="What it is to be again",
        items=[
            ("SAVED", "As Saved", "As it is among your own species"),
            ("PRESET", "To the Preset", "As the preset that it was made from"),
        ],
        default="PRESET",
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a version to restore."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated("It was made from no preset and is not saved"))
        entry = active_species(context)
        return entry.origin in library.presets() or entry.name in library.own()

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Reads that version completely before anything is changed."""
        from ...core.base.codec import SceneError

        entry = active_species(context)
        name = entry.name if self.to == "SAVED" else entry.origin
        if name not in (library.own() if self.to == "SAVED" else library.presets()):
            what = (
                translated("{entry} is not among your species", entry=entry.name)
                if self.to == "SAVED"
                else translated("It was made from no preset")
            )
            self.report({"WARNING"}, what)
            return {"CANCELLED"}
        try:
            species = library.load(name)
        except SceneError as error:
            return self.refuse(error)
        called = entry.about.common_name
        with together(entry, context):
            library.fill(entry, species)
            if name != entry.name:
                entry.about.common_name = called
        return {"FINISHED"}


CLASSES = (
    ARTFISH_OT_species_pick,
    ARTFISH_OT_species_copy,
    ARTFISH_OT_species_drop,
    ARTFISH_OT_species_restore,
)
