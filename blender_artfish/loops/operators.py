"""Operator that puts a rigged fish with its loops into the scene, and the loops into the asset browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..blender.jobs import Job, JobOutcome, Steps, Work
from ..blender.words import Message, translated
from ..identity.film_time import clock
from ..identity.roles import LINKED, is_linked
from ..species import library
from ..species.editing import active_species

if TYPE_CHECKING:
    from collections.abc import Callable


class ARTFISH_OT_make_loops(Work, bpy.types.Operator):
    """Put a rigged fish at the 3D cursor, whose motions are actions that go round, and assets of this file"""

    bl_idname = "artfish.make_loops"
    bl_label = "Make Loops"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> Message:
        """A species must be chosen; rigs are made in Object Mode only."""
        if is_linked(context.scene):
            return LINKED
        if context.mode != "OBJECT":
            return "Go to Object Mode first"
        return "" if active_species(context) is not None else "Pick a species first"

    def new_job(self, context: bpy.types.Context) -> Job[JobOutcome]:
        """A job that makes all loops of the chosen species at the scene's frame rate."""
        from ...core.studio.loops import LOOPS
        from .making import make_loops

        scene, species = context.scene, library.species_of(active_species(context))

        def prepare(job: Job[JobOutcome]) -> Steps[Callable[[], JobOutcome]]:
            commit = yield from make_loops(job, species, list(LOOPS), clock(scene).fps, scene)

            def end() -> JobOutcome:
                root = commit()
                return JobOutcome(
                    translated(
                        "{root} has {count} loops, which are in the Asset Browser under Current File",
                        root=root.name,
                        count=len(LOOPS),
                    )
                )

            return end

        return Job(prepare)


CLASSES = (ARTFISH_OT_make_loops,)
