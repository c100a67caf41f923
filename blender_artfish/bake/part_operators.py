"""Keys on any part of a baked fish, which stands for the fish: X, Shift D, Alt D, G, Ctrl C and Ctrl V.

On anything else the keys do what Blender has them do: an operator or a menu that may not run lets the key pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ..blender import runtime
from ..blender.words import counted, translated
from ..identity import provenance
from ..scene.operators import Tool
from . import whole_fish
from .fish_operators import ARTFISH_OT_delete_fish, ARTFISH_OT_hide_fish, OnFishes, named
from .whole_fish import WholeFish

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result


class FishKeys:
    """Items added to Blender's keymap, and whether fishes were copied last."""

    def __init__(self) -> None:
        """Start with none."""
        self.items: list[tuple[bpy.types.KeyMap, bpy.types.KeyMapItem]] = []
        self.copied = False


def is_fish(context: bpy.types.Context) -> bool:
    """True if all that is selected are parts of baked fishes, or their offsets."""
    chosen = context.selected_objects
    ours = (provenance.is_offset(obj) or whole_fish.root_of(obj) is not None for obj in chosen)
    return context.mode == "OBJECT" and bool(chosen) and all(ours)


class OnFishesOnly(OnFishes):
    """Base of the operators on fishes that leave keys to Blender where anything else is selected, too."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Nothing else may be selected."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated("Select nothing but fishes, by any of their parts"))
        return is_fish(context)


class ARTFISH_OT_move_fish(OnFishesOnly):
    """Move whole fishes and all of their ways, by any of their parts"""

    bl_idname = "artfish.move_fish"
    bl_label = "Move Fish"

    move: bpy.props.FloatVectorProperty(name="Move", description="How far", subtype="TRANSLATION")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Selects the offsets, which the mouse then moves."""
        from . import handling

        if self.properties.is_property_set("move"):
            return self.execute(context)
        handling.select_offsets(context, whole_fish.fishes_of(context.scene, whole_fish.meant(context)))
        bpy.ops.transform.translate("INVOKE_DEFAULT")
        return {"FINISHED"}

    def do(self, context: bpy.types.Context, fishes: list[WholeFish]) -> str:
        """Moves the offsets."""
        from . import handling

        for fish in fishes:
            handling.carry(fish, self.move)
        return translated("Moved {fishes}", fishes=named(fishes))


class ARTFISH_OT_copy_fish(OnFishesOnly):
    """Copy whole fishes, by any of their parts; Ctrl V puts them into this or another file"""

    bl_idname = "artfish.copy_fish"
    bl_label = "Copy Fish"
    bl_options = {"REGISTER"}

    def do(self, context: bpy.types.Context, fishes: list[WholeFish]) -> str:
        """Copies all objects of the fishes; the selection stays."""
        chosen, active = list(context.selected_objects), context.view_layer.objects.active
        every = {obj for fish in fishes for obj in fish.objects}
        for obj in {*chosen, *every}:
            obj.select_set(obj in every)
        bpy.ops.view3d.copybuffer()
        for obj in {*chosen, *every}:
            obj.select_set(obj in chosen)
        context.view_layer.objects.active = active
        runtime.of(FishKeys).copied = True
        return translated("Copied {fishes}", fishes=named(fishes))


class ARTFISH_OT_paste_fishes(Tool):
    """Paste what was copied; fishes among it get names, numbers and individual looks of their own"""

    bl_idname = "artfish.paste_fishes"
    bl_label = "Paste Fishes"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a fish that was copied."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated("Copy a fish first"))
        return runtime.of(FishKeys).copied

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Pastes, and settles the fishes."""
        from . import handling

        before = {obj.session_uid for obj in context.scene.objects}
        bpy.ops.view3d.pastebuffer()
        new = [obj for obj in context.scene.objects if obj.session_uid not in before]
        fishes = whole_fish.fishes_of(context.scene, new)
        for fish in fishes:
            handling.settle(fish, provenance.plain(fish.root.name))
        if fishes:
            handling.select(context, fishes)
            self.report({"INFO"}, translated("Pasted {fishes}", fishes=named(fishes)))
        return {"FINISHED"}


class ARTFISH_MT_delete_fish(bpy.types.Menu):
    """Delete the whole fish, or the selected parts alone"""

    bl_idname = "ARTFISH_MT_delete_fish"
    bl_label = "Delete"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Only on baked fishes."""
        return is_fish(context)

    def draw(self, context: bpy.types.Context) -> None:
        """The whole fish first."""
        fishes = whole_fish.fishes_of(context.scene, context.selected_objects)
        self.layout.operator(
            ARTFISH_OT_delete_fish.bl_idname, text=translated("Delete {fishes}", fishes=named(fishes)), icon="TRASH"
        )
        self.layout.operator(
            ARTFISH_OT_hide_fish.bl_idname, text=translated("Hide {fishes}", fishes=named(fishes)), icon="HIDE_ON"
        )
        parts = len(context.selected_objects)
        alone = self.layout.operator(
            "object.delete", text=counted(parts, "Delete {count} Object Only", "Delete {count} Objects Only")
        )
        alone.use_global = alone.confirm = False


class ARTFISH_OT_grab_copy(OnFishesOnly):
    """Make copies of whole fishes, by any of their parts, and move them with the mouse"""

    bl_idname = "artfish.grab_copy"
    bl_label = "Duplicate Fish and Move"

    shared: bpy.props.BoolProperty(name="Share Keys", description="As linked duplicates do")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Has the mouse move the copies."""
        made = self.execute(context)
        if made == {"FINISHED"}:
            bpy.ops.transform.translate("INVOKE_DEFAULT")
        return made

    def do(self, context: bpy.types.Context, fishes: list[WholeFish]) -> str:
        """Makes the copies, and selects their offsets."""
        from . import handling

        made = [handling.duplicate(fish, self.shared) for fish in fishes]
        handling.select(context, made)
        handling.select_offsets(context, made)
        return translated("Made {fishes}", fishes=named(made))


CLASSES = (
    ARTFISH_OT_move_fish,
    ARTFISH_OT_copy_fish,
    ARTFISH_OT_paste_fishes,
    ARTFISH_OT_grab_copy,
    ARTFISH_MT_delete_fish,
)
KEYS: tuple[tuple[str, Any, dict[str, Any], dict[str, Any]], ...] = (
    ("wm.call_menu", "X", {}, {"name": ARTFISH_MT_delete_fish.bl_idname}),
    ("wm.call_menu", "DEL", {}, {"name": ARTFISH_MT_delete_fish.bl_idname}),
    (ARTFISH_OT_grab_copy.bl_idname, "D", {"shift": True}, {"shared": False}),
    (ARTFISH_OT_grab_copy.bl_idname, "D", {"alt": True}, {"shared": True}),
    (ARTFISH_OT_move_fish.bl_idname, "G", {}, {}),
    (ARTFISH_OT_copy_fish.bl_idname, "C", {"ctrl": True}, {}),
    (ARTFISH_OT_paste_fishes.bl_idname, "V", {"ctrl": True}, {}),
)
"""Operator or menu, key, what is held down with it, and settings."""


def register() -> None:
    """Adds the keys for the 3D View in Object Mode; a Blender without windows has no keys."""
    config = bpy.context.window_manager.keyconfigs.addon
    if config is None:
        return
    keys = config.keymaps.new(name="Object Mode")
    for operator, key, pressed, settings in KEYS:
        item = keys.keymap_items.new(operator, key, "PRESS", **pressed)
        for name, value in settings.items():
            setattr(item.properties, name, value)
        runtime.of(FishKeys).items.append((keys, item))


def unregister() -> None:
    """Takes the keys out."""
    for keys, item in runtime.of(FishKeys).items:
        keys.keymap_items.remove(item)
    runtime.of(FishKeys).items.clear()
