"""Operators that breed nine children, make a fish a parent of the next, and keep one as a species."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..blender import viewport
from ..blender.handlers import together
from ..blender.messages import plain
from ..blender.words import translated
from ..habits.operators import chosen
from ..scene.operators import Tool
from ..scene.properties import settings_of
from ..species import library
from ..species.editing import rename
from . import brood

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result


class ARTFISH_OT_breed(Tool):
    """Breed nine children that swim side by side; the last nine go, but for who was kept and who is a parent"""

    bl_idname = "artfish.breed"
    bl_label = "Breed"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs both parents."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated("Pick a mother and a father first"))
        settings = context.scene.artfish_breeding
        return bool(settings.mother and settings.father)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Breeds all nine before anything is changed."""
        from ...core.base.codec import SceneError

        settings = context.scene.artfish_breeding
        for role in ("mother", "father"):
            name = getattr(settings, role)
            if name not in library.names(context.scene):
                return self.refuse(translated("There is no species {name}: pick another {role}", name=name, role=role))
        try:
            children = brood.conceive(context.scene)
        except SceneError as error:
            return self.refuse(
                translated(
                    "{mother} and {father} have no children: {error}",
                    mother=settings.mother,
                    father=settings.father,
                    error=plain(error),
                )
            )
        brood.put(context, children)
        return {"FINISHED"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """A first brood is brought into view."""
        first = len(context.scene.artfish_breeding.brood) == 0
        result = self.execute(context)
        if first and result == {"FINISHED"}:
            viewport.frame(context, *brood.extent(context.scene))
        return result


class ARTFISH_OT_breed_parent(Tool):
    """Make the species of the selected fish a parent of the next nine children"""

    bl_idname = "artfish.breed_parent"
    bl_label = "Make Parent"

    role: bpy.props.EnumProperty(
        name="Role",
        description="Which parent it is to be",
        items=[
            ("MOTHER", "Mother", "The mother of the next children"),
            ("FATHER", "Father", "The father of the next children"),
        ],
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a shoal, or one of its fishes."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated("Select a shoal, or a fish of one, first"))
        return chosen(context)[0] is not None

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Picks its species."""
        shoal = chosen(context)[0]
        name = shoal.artfish.shoal.species
        if name not in library.names(context.scene):
            return self.refuse(
                translated(
                    "{shoal} is of the species {name}, which is not there: pick another for it",
                    shoal=shoal.name,
                    name=name,
                )
            )
        setattr(context.scene.artfish_breeding, self.role.lower(), name)
        return {"FINISHED"}


class ARTFISH_OT_breed_keep(Tool):
    """Keep this child as a species of this file, under a name of its own; its fish goes with the others"""

    bl_idname = "artfish.breed_keep"
    bl_label = "Keep"

    name: bpy.props.StringProperty(
        name="Name", description="Of the species; the child's own if left out", options={"SKIP_SAVE"}
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a child of the last brood."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated("Select one of the nine children first"))
        child = brood.child_of(context)
        return child is not None and child.name in library.edited(context.scene)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Asks for the name."""
        self.name = brood.child_of(context).name
        return context.window_manager.invoke_props_dialog(self)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Renames the species, its shoal and whoever descends from it, and notes that it stays."""
        child, settings = brood.child_of(context), context.scene.artfish_breeding
        before, name = child.name, library.stem(self.name or child.name)
        if not name:
            return self.refuse("A name needs letters or digits")
        if name != before and name in library.names(context.scene):
            return self.refuse(translated("There is a {name} already; choose another name", name=name))
        entry = next(each for each in settings_of(context).species if each.name == before)
        with together(entry, context):
            if name != before:
                rename(context, entry, name)
                entry.about.common_name = child.shoal.name = library.label(name)
            child.name, child.kept = name, True
            for role in ("mother", "father"):
                if getattr(settings, role) == before:
                    setattr(settings, role, name)
        self.report(
            {"INFO"},
            translated(
                "{species} stays in this file: shape and save it in the panel Species", species=entry.about.common_name
            ),
        )
        return {"FINISHED"}


CLASSES = (ARTFISH_OT_breed, ARTFISH_OT_breed_parent, ARTFISH_OT_breed_keep)
