"""The operator that steps through the film by the intentions of a fish."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ..blender.words import Message, translated
from ..identity.provenance import NO_ROW
from .source import observe
from .swatches import INTENTIONS

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

INTENTION_HELP: dict[str, Message] = {
    "avoid": "To steer clear of what it is about to bump into",
    "escape": "To get away from what it fears",
    "school": "To keep with its school",
    "eat": "To get at food",
    "mate": "To court a mate",
    "leave": "To go where water and light please it more",
    "wander": "To swim about",
}
"""Description of each intention."""
made_by: Any = bpy.props  # by the stubs its functions return nothing


class ARTFISH_OT_next_intention(bpy.types.Operator):
    """Go on to the next time at which the active fish is about this; past the last, to the first"""

    bl_idname = "artfish.next_intention"
    bl_label = "Go to Intention"
    bl_options = {"REGISTER", "UNDO"}

    __annotations__ = {
        "intention": made_by.EnumProperty(
            name="Intention",
            description="What the fish shall be about",
            items=[(name, name.title(), help_) for name, help_ in INTENTION_HELP.items()],
        )
    }

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """A fish must be known."""
        cls.poll_message_set(translated("Select a fish that is live or baked"))
        observed = observe(context)
        return observed is not None and observed.row != NO_ROW

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Sets the frame of the scene."""
        observed = observe(context)
        assert observed is not None
        number = list(INTENTIONS).index(self.intention)
        about = observed.recording.intention[:, observed.row] == number
        begins = about.copy()
        begins[1:] &= ~about[:-1]
        frames = begins.nonzero()[0]
        if not len(frames):
            self.report(
                {"INFO"},
                translated(
                    "{fish} is never about that in these {count} frames.",
                    fish=observed.name(observed.row),
                    count=len(about),
                ),
            )
            return {"CANCELLED"}
        later = frames[frames > observed.frame]
        context.scene.frame_set(observed.scene_frame(int((later if len(later) else frames)[0])))
        return {"FINISHED"}


CLASSES = (ARTFISH_OT_next_intention,)
