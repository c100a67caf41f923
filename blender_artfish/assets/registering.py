"""The folder of the asset library, and its entry among Blender's own asset libraries.

The entry is there while the add-on is on and its preferences say so: switching the add-on off takes it out.
"""

from __future__ import annotations

from pathlib import Path

import bpy

from ..blender import runtime
from ..blender.package import EXTENSION

LIBRARY = "Artfish"
"""Name of the library in the Asset Browser."""
CATALOG_FILE = "blender_assets.cats.txt"
"""Name of the file by which Blender knows the catalogs of a folder."""


def own_folder() -> Path:
    """The folder that the library is made in unless another is chosen; it may not exist yet."""
    try:
        return Path(bpy.utils.extension_path_user(EXTENSION, path="assets"))
    except ValueError:  # not installed as an extension, as in tests and in scripts
        return Path(bpy.utils.user_resource("DATAFILES", path="artfish/assets"))


def chosen_folder(chosen: str) -> Path:
    """The folder of the library, by what was chosen in the preferences; its own where nothing was."""
    return Path(bpy.path.abspath(chosen)) if chosen else own_folder()


def is_library(folder: Path) -> bool:
    """True if a folder has files of assets, and their catalogs."""
    return (folder / CATALOG_FILE).is_file() and any(folder.glob("*.blend"))


def entry(folder: Path) -> bpy.types.UserAssetLibrary | None:
    """The entry of a folder among Blender's asset libraries."""
    libraries = bpy.context.preferences.filepaths.asset_libraries
    return next((each for each in libraries if each.path and Path(each.path) == folder), None)


class ShownLibrary:
    """The folder that the Asset Browser shows for the add-on; none at first."""

    def __init__(self) -> None:
        """It shows none."""
        self.folder: Path | None = None


def show_only(folder: Path) -> bool:
    """Have the Asset Browser show a folder in place of the last; returns whether there is a library to show."""
    hide()
    if not is_library(folder):
        return False
    if entry(folder) is None:
        bpy.context.preferences.filepaths.asset_libraries.new(name=LIBRARY, directory=str(folder))
        bpy.context.preferences.is_dirty = True
    runtime.of(ShownLibrary).folder = folder
    return True


def hide() -> None:
    """Have the Asset Browser show it no longer; its files stay."""
    shown = runtime.of(ShownLibrary)
    found = entry(shown.folder) if shown.folder is not None else None
    if found is not None:
        bpy.context.preferences.filepaths.asset_libraries.remove(found)
        bpy.context.preferences.is_dirty = True
    shown.folder = None
