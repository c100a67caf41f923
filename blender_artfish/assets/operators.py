"""Operators of the asset library, and its part of the add-on's page in Blender's preferences."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy

from ..blender import runtime
from ..blender.package import EXTENSION
from ..blender.words import translated
from .registering import ShownLibrary, chosen_folder, hide, is_library, show_only
from .workshop import LOOK_AGAIN_SECONDS, AssetWorkshop, tick

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result


def own_preferences() -> Any:
    """The add-on's preferences; None where it is no installed extension."""
    addon = bpy.context.preferences.addons.get(EXTENSION)
    return None if addon is None else addon.preferences


def folder_now() -> Path:
    """The folder of the library by the preferences."""
    own = own_preferences()
    return chosen_folder("" if own is None else own.asset_folder)


def show_library(folder: Path) -> None:
    """Have the Asset Browser show a library from now on."""
    shown, own = show_only(folder), own_preferences()
    if own is not None:
        own.shows_assets = shown


class ARTFISH_OT_show_assets(bpy.types.Operator):
    """Have Blender's Asset Browser show the library of fishes, corals and materials; again, and it no longer does"""

    bl_idname = "artfish.show_assets"
    bl_label = "Show in the Asset Browser"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """The folder must have a library, or still be shown."""
        cls.poll_message_set(translated("There is no asset library in that folder: make it, or choose another folder"))
        return is_library(folder_now()) or runtime.of(ShownLibrary).folder is not None

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Enters it among Blender's libraries, or takes it out."""
        own = own_preferences()
        if runtime.of(ShownLibrary).folder is None:
            show_library(folder_now())
            self.report({"INFO"}, translated("The Asset Browser shows the library Artfish"))
        else:
            hide()
            if own is not None:
                own.shows_assets = False
            self.report({"INFO"}, translated("The Asset Browser no longer shows the library Artfish; its files stay"))
        return {"FINISHED"}


class ARTFISH_OT_make_assets(bpy.types.Operator):
    """Make the asset library in that folder, in the background: some minutes; again, and that is given up"""

    bl_idname = "artfish.make_assets"
    bl_label = "Make Asset Library"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Without a window nobody would look when it is done."""
        cls.poll_message_set(
            translated("This Blender has no window: artfish assets makes the library from the command line")
        )
        return not bpy.app.background

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Begins to make it, or gives that up."""
        shop = runtime.of(AssetWorkshop)
        if shop.busy:
            shop.stop()
            self.report({"INFO"}, translated("Make Asset Library given up"))
            return {"FINISHED"}
        try:
            shop.begin(folder_now(), show_library)
        except OSError as error:
            self.report({"ERROR"}, translated("The asset library cannot be made: {error}", error=error))
            return {"CANCELLED"}
        bpy.app.timers.register(tick, first_interval=LOOK_AGAIN_SECONDS, persistent=True)
        return {"FINISHED"}


def draw_library(layout: bpy.types.UILayout, own: bpy.types.AddonPreferences) -> None:
    """Draw the folder of the library, and the buttons that make and show it."""
    layout.prop(own, "asset_folder")
    folder, shop, row = folder_now(), runtime.of(AssetWorkshop), layout.row()
    if shop.busy:
        row.progress(factor=shop.share, text=shop.text)
        row.operator(ARTFISH_OT_make_assets.bl_idname, text="Give Up", icon="X")
        return
    shown = runtime.of(ShownLibrary).folder is not None
    if shown or is_library(folder):
        row.operator(
            ARTFISH_OT_show_assets.bl_idname,
            text="Remove From the Asset Browser" if shown else "Show in the Asset Browser",
            icon="ASSET_MANAGER",
            depress=shown,
        )
    row.operator(ARTFISH_OT_make_assets.bl_idname, icon="FILE_NEW")
    if shop.failed:
        layout.label(text=translated("It was not made: {why}", why=shop.failed), icon="ERROR")


CLASSES = (ARTFISH_OT_show_assets, ARTFISH_OT_make_assets)


def unregister() -> None:
    """Gives up what is being made, and has the Asset Browser show the library no longer."""
    if bpy.app.timers.is_registered(tick):
        bpy.app.timers.unregister(tick)
    runtime.of(AssetWorkshop).stop()
    hide()
    runtime.drop(AssetWorkshop, ShownLibrary)
