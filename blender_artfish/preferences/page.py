"""The page of the add-on in Blender's preferences: files, threads, times, language, keys."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy

from ..assets.operators import draw_library, own_preferences
from ..assets.registering import chosen_folder, show_only
from ..bake import history
from ..blender import runtime
from ..blender.handlers import HandlerTurn, hears
from ..blender.package import EXTENSION
from ..blender.repertoires import REPERTOIRE_CACHE
from ..blender.words import Message, counted, translated
from ..languages import following
from ..species import library
from .keys import draw_keys

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

THREADS_VARIABLE = "ARTFISH_THREADS"
"""The variable's name in core.base.threads, repeated here so that registering does not load it."""
MOST_THREADS = 256
FRAMES, SECONDS = "FRAMES", "SECONDS"
TIME_ITEMS = (
    (FRAMES, "Frames", "Times of the film are shown as frames"),
    (SECONDS, "Seconds", "Times of the film are shown as seconds"),
)
BLENDERS, ENGLISH = "BLENDER", "ENGLISH"
LANGUAGE_ITEMS = (
    (BLENDERS, "As Blender", "The language of Blender's interface, if Artfish has it"),
    (ENGLISH, "English", "English, whatever the language of Blender's interface"),
)


class Threads:
    """True once the number of threads is set by this page."""

    def __init__(self) -> None:
        """Not yet."""
        self.ours = False


def _set_threads(preferences: Any, context: bpy.types.Context) -> None:
    """Has the simulation take so many threads, unless that was said outside of Blender."""
    threads = runtime.of(Threads)
    if THREADS_VARIABLE in os.environ and not threads.ours:
        return
    threads.ours = preferences.threads > 0
    if threads.ours:
        os.environ[THREADS_VARIABLE] = str(preferences.threads)
    else:
        os.environ.pop(THREADS_VARIABLE, None)


def _set_time(preferences: Any, context: bpy.types.Context) -> None:
    """Shows the times of the open file in this unit."""
    for scene in bpy.data.scenes:
        if scene.library is None:
            scene.artfish.show_seconds = preferences.time == SECONDS


def _move_assets(preferences: Any, context: bpy.types.Context) -> None:
    """Has the Asset Browser show the library of another folder in place of the last, where it shows that."""
    if preferences.shows_assets:
        preferences.shows_assets = show_only(chosen_folder(preferences.asset_folder))


def _set_language(preferences: Any, context: bpy.types.Context) -> None:
    """Has Artfish speak this language."""
    following.keep_english(preferences.language == ENGLISH)


class ArtfishPreferences(bpy.types.AddonPreferences):
    """Files, threads, times, language and keys of Artfish."""

    bl_idname = EXTENSION

    threads: bpy.props.IntProperty(
        name="Threads",
        description="Threads in which fishes swim, no more than processors; 0 takes all. What they do is the same",
        min=0,
        max=MOST_THREADS,
        update=_set_threads,
    )
    time: bpy.props.EnumProperty(
        name="Times",
        description="Unit in which times of the film are shown, in this file and in new ones",
        items=TIME_ITEMS,
        update=_set_time,
    )
    language: bpy.props.EnumProperty(
        name="Language", description="Language of Artfish's words", items=LANGUAGE_ITEMS, update=_set_language
    )

    asset_folder: bpy.props.StringProperty(
        name="Asset library",
        description="Folder of the asset library: where you unpacked one, or one that is made; empty is Artfish's own",
        subtype="DIR_PATH",
        update=_move_assets,
    )
    shows_assets: bpy.props.BoolProperty(
        name="Show in the Asset Browser",
        description="Whether the Asset Browser shows the asset library while Artfish is on",
        options={"HIDDEN"},
    )

    def draw(self, context: bpy.types.Context) -> None:
        """All of them."""
        layout = self.layout
        layout.use_property_split, layout.use_property_decorate = True, False
        self._draw_files(layout)
        row = layout.row()
        said = os.environ.get(THREADS_VARIABLE, "")
        if said and not runtime.of(Threads).ours:
            row.label(text=translated("{count} threads, as {variable} says", count=said, variable=THREADS_VARIABLE))
        else:
            row.prop(self, "threads")
        layout.row().prop(self, "time", expand=True)
        layout.row().prop(self, "language", expand=True)
        draw_library(layout.column(), self)
        layout.label(text=translated("Keys in the 3D View"), translate=False)
        draw_keys(layout.column(), context)

    def _draw_files(self, layout: bpy.types.UILayout) -> None:
        """The folders, each with its size."""
        folders: tuple[tuple[Message, Path | None], ...] = (
            ("Your species", library.folder()),
            ("Recordings of bakes", history.folder()),
        )
        for name, place in folders:
            if place is None:
                continue
            row = layout.row()
            home = Path.home()
            seen = Path("~", place.relative_to(home)) if place.is_relative_to(home) else place
            row.label(
                text=translated("{name}: {files}, in {folder}", name=translated(name), files=sized(place), folder=seen)
            )
            if place.is_dir():
                row.operator("wm.path_open", text="", icon="FILE_FOLDER").filepath = str(place)
        layout.operator(ARTFISH_OT_clear_cache.bl_idname, icon="TRASH")


class ARTFISH_OT_clear_cache(bpy.types.Operator):
    """Delete recordings of bakes but those of this file, and captured motion; baked fishes stay as they are"""

    bl_idname = "artfish.clear_cache"
    bl_label = "Clear Recordings"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be files to delete."""
        cls.poll_message_set(translated("There are no recordings but those of this file"))
        return bool(clearable())

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Asks before."""
        return context.window_manager.invoke_confirm(self, event)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Deletes them."""
        gone, size = 0, 0
        for path in clearable():
            try:
                here = path.stat().st_size
                path.unlink()
            except OSError:  # in use, or gone already
                continue
            gone, size = gone + 1, size + here
        self.report(
            {"INFO"},
            counted(gone, "Deleted {count} file, {size}", "Deleted {count} files, {size}", size=in_words(size)),
        )
        return {"FINISHED"}


def clearable() -> list[Path]:
    """Files that come again when they are needed: recordings of bakes of other files, captured motion of species."""
    place, kept = history.folder(), history.used()
    found = [path for path in place.glob("*.npz") if path.stem not in kept] if place is not None else []
    captured = os.environ.get(REPERTOIRE_CACHE, "")
    if captured and place is not None and Path(captured).parent == place.parent:
        found += Path(captured).glob("*.npz")
    return sorted(found)


def sized(folder: Path) -> str:
    """The size of the files in a folder, in words."""
    found = [path.stat().st_size for path in folder.glob("*") if path.is_file()] if folder.is_dir() else []
    return counted(len(found), "{count} file, {size}", "{count} files, {size}", size=in_words(sum(found)))


def in_words(size: int) -> str:
    """So many bytes, in words."""
    return translated("{size:.1f} GB", size=size / 1e9) if size >= 1e9 else translated("{size:.1f} MB", size=size / 1e6)


@hears(HandlerTurn.IDENTITY, "load_post")
def _in_a_new_file(*_: Any) -> None:
    """Shows the times of a new file in the unit of the preferences; a saved one has its own."""
    own = own_preferences()
    if own is not None and not bpy.data.filepath:
        _set_time(own, bpy.context)


CLASSES = (ARTFISH_OT_clear_cache, ArtfishPreferences)


def register() -> None:
    """Takes over threads and language, and has the Asset Browser show the library where that was chosen."""
    own = own_preferences()
    if own is not None:
        _set_threads(own, bpy.context)
        _set_language(own, bpy.context)
        if own.shows_assets:
            show_only(chosen_folder(own.asset_folder))


def unregister() -> None:
    """Takes it back."""
    if runtime.of(Threads).ours:
        os.environ.pop(THREADS_VARIABLE, None)
    runtime.drop(Threads)
