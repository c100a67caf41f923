"""Operators on whole baked fishes: selecting any part of a fish selects it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ..blender.jobs import BUSY, at_work
from ..blender.words import Message, translated
from ..identity.provenance import is_offset
from ..identity.roles import choose, linked
from ..scene.operators import Tool, species_items
from . import whole_fish
from .whole_fish import WholeFish

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

OWN_LOOK = "AS_IS"
"""Stands in place of a species when none is chosen."""


def look_items(self: Any, context: bpy.types.Context | None) -> list[tuple[str, str, str]]:
    """The species a fish may look like, and the choice of none."""
    items = [
        (OWN_LOOK, translated("As It Is"), translated("Leaves the materials as they are")),
        *species_items(self, context),
    ]
    look_items.kept = items  # Blender keeps no reference to the strings
    return items


class OnFishes(Tool):
    """Base of the operators on whole baked fishes."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a baked fish, or any part of one."""
        if not super().poll(context):
            return False
        missing = BUSY if at_work() else whole_fish.missing(context)
        cls.poll_message_set(translated(missing) if missing else cls.bl_label)
        return not missing

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Acts on all selected fishes, or on none."""
        from ...core.base.codec import SceneError

        fishes = whole_fish.fishes_of(context.scene, whole_fish.meant(context))
        if word := linked([obj for fish in fishes for obj in fish.objects]):
            return self.refuse(word)
        if not fishes:
            return self.refuse("Nothing hangs on this offset any more: delete it")
        try:
            self.report({"INFO"}, self.do(context, fishes))
        except SceneError as error:
            return self.refuse(error)
        return {"FINISHED"}

    def do(self, context: bpy.types.Context, fishes: list[WholeFish]) -> str:
        """Acts on the fishes; returns the report."""
        raise NotImplementedError


def named(fishes: list[WholeFish]) -> str:
    """Fishes in words: the name of a single fish, or their number."""
    return fishes[0].root.name if len(fishes) == 1 else translated("{count} fishes", count=len(fishes))


class ARTFISH_OT_select_whole_fish(OnFishes):
    """Select all objects of the fishes of which any part is selected"""

    bl_idname = "artfish.select_whole_fish"
    bl_label = "Select Whole Fish"

    shoal: bpy.props.BoolProperty(name="Shoal", description="Also all others of their shoals")

    def do(self, context: bpy.types.Context, fishes: list[WholeFish]) -> str:
        """Selects the fishes' objects, and nothing else."""
        from . import handling

        if self.shoal:
            roots = {one.root: one for fish in fishes for one in handling.of_shoal(context.scene, fish)}
            fishes = list(roots.values())
        handling.select(context, fishes)
        return translated("Selected {fishes}", fishes=named(fishes))


class ARTFISH_OT_select_offset(OnFishes):
    """Select the Offset empties of these fishes: they have no keys, so move, turn and scale them"""

    bl_idname = "artfish.select_offset"
    bl_label = "Select Offset"

    shoal: bpy.props.BoolProperty(name="Shoal", description="Those of their shoals instead")

    def do(self, context: bpy.types.Context, fishes: list[WholeFish]) -> str:
        """Selects the offsets, and nothing else."""
        from ...core.base.codec import SceneError

        offsets = [fish.offset.parent if self.shoal and fish.offset else fish.offset for fish in fishes]
        found = list(dict.fromkeys(each for each in offsets if is_offset(each)))
        if not found:
            what: Message = "no offset of a shoal" if self.shoal else "no offset"
            raise SceneError(
                translated("{name} with {what}", name=fishes[0].root.name, what=translated(what)),
                "a fish as bakes make them now: bake again",
            )
        choose(context, found[0])
        for each in found:
            each.select_set(True)
        return (
            translated("Selected {name}", name=found[0].name)
            if len(found) == 1
            else translated("Selected {count} offsets", count=len(found))
        )


class ARTFISH_OT_delete_fish(OnFishes):
    """Delete the fishes of which any part is selected, with all their objects and offsets; the list brings them back"""

    bl_idname = "artfish.delete_fish"
    bl_label = "Delete Fish"

    def do(self, context: bpy.types.Context, fishes: list[WholeFish]) -> str:
        """Deletes the fishes; objects parented to them stay."""
        from . import handling

        words = named(fishes)
        handling.delete(fishes)
        return translated("Deleted {words}", words=words)


class ARTFISH_OT_hide_fish(OnFishes):
    """Hide the fishes of which any part is selected, in views and renders, whatever their keys say"""

    bl_idname = "artfish.hide_fish"
    bl_label = "Hide Fish"

    def do(self, context: bpy.types.Context, fishes: list[WholeFish]) -> str:
        """Hides the fishes."""
        from . import editing
        from .edits import FishEdit

        for fish in fishes:
            editing.put(fish, context.scene, FishEdit("hidden"))
        return translated("Hid {fishes}", fishes=named(fishes))


class ARTFISH_OT_show_fishes(Tool):
    """Show fishes again that were hidden as a whole; where they are keyed to be absent, they stay so"""

    bl_idname = "artfish.show_fishes"
    bl_label = "Show Hidden Fishes"

    name: bpy.props.StringProperty(name="Name", description="Of a single fish; all that are hidden, if left empty")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a hidden fish."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated("No fish was hidden with Hide Fish"))
        return bool(whole_fish.hidden(context.scene))

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Shows the fishes."""
        from . import edits, handling

        fishes = [fish for fish in whole_fish.hidden(context.scene) if self.name in ("", fish.root.name)]
        if not fishes:
            return self.refuse(translated("No fish called {name} is hidden", name=self.name))
        if word := linked([obj for fish in fishes for obj in fish.objects]):
            return self.refuse(word)
        for fish in fishes:
            handling.show(fish, context.scene.frame_current)
            edits.drop(fish.root, "hidden")
        self.report({"INFO"}, translated("Showed {fishes}", fishes=named(fishes)))
        return {"FINISHED"}


class ARTFISH_OT_duplicate_fish(OnFishes):
    """Make copies of these fishes that do the same, each with a name and an individual look of its own"""

    bl_idname = "artfish.duplicate_fish"
    bl_label = "Duplicate Fish"

    shared: bpy.props.BoolProperty(
        name="Share Keys", description="The copies share keys and surfaces with their originals: in a smaller file"
    )
    move: bpy.props.FloatVectorProperty(
        name="Move", description="How far the copies are from their originals", subtype="TRANSLATION"
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Puts the copy beside the original, unless an offset is given."""
        if not self.properties.is_property_set("move"):
            fish = whole_fish.fishes_of(context.scene, whole_fish.meant(context))[:1]
            across = max(max(part.dimensions[:]) for part in fish[0].body) if fish else 0.0
            self.move = (0.0, 0.5 * across, 0.0)
        return self.execute(context)

    def do(self, context: bpy.types.Context, fishes: list[WholeFish]) -> str:
        """Makes the copies and selects them."""
        from . import handling

        made = [handling.duplicate(fish, self.shared, self.move) for fish in fishes]
        handling.select(context, made)
        return translated("Made {fishes}", fishes=named(made))


class ARTFISH_OT_retime_fish(OnFishes):
    """Have these fishes do what they do later or earlier, faster or slower, counted from what was baked"""

    bl_idname = "artfish.retime_fish"
    bl_label = "Retime Fish"

    frames: bpy.props.FloatProperty(
        name="Frames Later", description="Than baked; earlier if negative", soft_min=-250.0, soft_max=250.0, step=100
    )
    speed: bpy.props.FloatProperty(
        name="Speed",
        description="How many times as fast as baked, counted from the film's first frame",
        default=1.0,
        min=0.01,
        max=100.0,
        soft_min=0.25,
        soft_max=4.0,
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Opens the dialog with the timing of the first fish."""
        from .key_edits import timing_of

        for fish in whole_fish.fishes_of(context.scene, whole_fish.meant(context))[:1]:
            now = timing_of(fish.action)
            self.frames, self.speed = now.frames, now.speed
        return context.window_manager.invoke_props_dialog(self)

    def do(self, context: bpy.types.Context, fishes: list[WholeFish]) -> str:
        """Moves the fishes' keys."""
        from . import retiming

        for fish in fishes:
            retiming.retime(fish, self.frames, self.speed)
        if self.frames == 0.0 and self.speed == 1.0:
            return translated("{fishes} as baked", fishes=named(fishes))
        return translated(
            "{fishes}: {frames:+g} frames, speed {speed:.3g}",
            fishes=named(fishes),
            frames=self.frames,
            speed=self.speed,
        )


class ARTFISH_OT_swap_look(OnFishes):
    """Let these fishes look otherwise: like fishes of another species, or with individual patterns drawn anew"""

    bl_idname = "artfish.swap_look"
    bl_label = "Swap Look"

    species: bpy.props.EnumProperty(name="Species", description="Whose materials they wear", items=look_items)
    dice: bpy.props.IntProperty(
        name="Dice", description="Draws the individual numbers of these fishes anew; 0 leaves them as they are", min=0
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Opens the dialog."""
        return context.window_manager.invoke_props_dialog(self)

    def do(self, context: bpy.types.Context, fishes: list[WholeFish]) -> str:
        """Paints the fishes."""
        from ...core.base.codec import SceneError
        from . import editing, edits, recasting

        if self.species == OWN_LOOK and not self.dice:
            raise SceneError("nothing to change", "a species, or dice other than 0")
        for fish in fishes:
            before = next((edit.values for edit in edits.of(fish.root) if edit.kind == "look"), {})
            look = {
                "species": before.get("species", "") if self.species == OWN_LOOK else self.species,
                "dice": self.dice or before.get("dice", 0),
                "number": recasting.drawn_number(fish, self.dice) if self.dice else before.get("number", 0.0),
                "was": before.get("was", recasting.number_of(fish)),
            }
            editing.put(fish, context.scene, edits.FishEdit("look", look))
        return translated("Swapped the look of {fishes}", fishes=named(fishes))


class ARTFISH_OT_swap_species(OnFishes):
    """Give these fishes the bodies of another species; they go on moving as they did (form Mesh, with bones)"""

    bl_idname = "artfish.swap_species"
    bl_label = "Swap Species"

    species: bpy.props.EnumProperty(name="Species", description="Whose bodies they get", items=species_items)
    own_length: bpy.props.BoolProperty(
        name="Its Length", description="Each is as long as the species is, not as the fish was"
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Opens the dialog."""
        return context.window_manager.invoke_props_dialog(self)

    def do(self, context: bpy.types.Context, fishes: list[WholeFish]) -> str:
        """Gives the fishes the bodies of another species."""
        from . import editing
        from .edits import FishEdit

        model = editing.model_of(context.scene, self.species)
        for fish in fishes:
            body = {"species": self.species, "own_length": self.own_length}
            editing.put(fish, context.scene, FishEdit("body", body))
        return translated("{fishes} with the body of {species}", fishes=named(fishes), species=model.common_name)


CLASSES = (
    ARTFISH_OT_select_whole_fish,
    ARTFISH_OT_select_offset,
    ARTFISH_OT_delete_fish,
    ARTFISH_OT_hide_fish,
    ARTFISH_OT_show_fishes,
    ARTFISH_OT_duplicate_fish,
    ARTFISH_OT_retime_fish,
    ARTFISH_OT_swap_look,
    ARTFISH_OT_swap_species,
)
