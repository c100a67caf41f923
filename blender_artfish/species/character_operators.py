"""Operators that give a species a character, take it away, and give its numbers back to its traits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..blender.words import translated
from . import character
from .editing import active_species
from .operators import Shaping

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result


class ARTFISH_OT_species_character(Shaping):
    """Shape this species by traits, such as bold, deep or nimble; its colours and markings stay"""

    bl_idname = "artfish.species_character"
    bl_label = "Give Character"

    keep: bpy.props.BoolProperty(
        name="Keep Its Numbers",
        description="Leave all numbers as they are: those that its traits would not give are its own",
    )

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Gives it the traits that are likely to be its own."""
        from ...core.base.codec import SceneError

        try:
            character.give(context, active_species(context), self.keep)
        except SceneError as error:
            return self.refuse(error)
        return {"FINISHED"}


class Characterful(Shaping):
    """Base of the operators on a species that has a character."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a character."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated("Give it a character first"))
        return bool(active_species(context).traits.given)


class ARTFISH_OT_species_no_character(Characterful):
    """Keep the numbers of this species, which no longer follow any traits"""

    bl_idname = "artfish.species_no_character"
    bl_label = "Keep Numbers Only"

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Takes the traits away."""
        character.take_away(context, active_species(context))
        return {"FINISHED"}


class ARTFISH_OT_species_as_traits(Characterful):
    """Let this be again as its traits give it"""

    bl_idname = "artfish.species_as_traits"
    bl_label = "As Its Traits Give"

    key: bpy.props.StringProperty(name="Number", description="As part.field; all numbers if left out")

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Gives back one number, or all."""
        from ...core.base.codec import SceneError

        try:
            character.give_back(context, active_species(context), self.key)
        except SceneError as error:
            return self.refuse(error)
        return {"FINISHED"}


CLASSES = (
    ARTFISH_OT_species_character,
    ARTFISH_OT_species_no_character,
    ARTFISH_OT_species_as_traits,
)
