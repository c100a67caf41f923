"""The making of the asset library: a folder with a .blend a kind, and the file of their catalogs."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import bpy

from ...core.base.files import ensure_writable
from ...core.scene.species import Species
from ..bake.commit import save
from ..blender.layout import clear_views
from ..identity.film_time import FIRST
from .catalogs import write_catalogs
from .fishes import fill_fishes
from .growth import fill_corals, fill_rocks
from .materials import fill_materials, fill_nodes
from .schools import fill_schools
from .shelf import LOOP_FPS, PICTURE_PIXELS, Filler, Shelf
from .stages import fill_stages
from .weeds import fill_weeds

LIBRARY_FILES: dict[str, tuple[Filler, float]] = {
    "fishes": (fill_fishes, 5.0),
    "schools": (fill_schools, 4.0),
    "corals": (fill_corals, 1.5),
    "rocks": (fill_rocks, 0.5),
    "weeds": (fill_weeds, 1.0),
    "stages": (fill_stages, 1.5),
    "materials": (fill_materials, 3.0),
    "nodes": (fill_nodes, 0.5),
}
"""Files of the library by their stems: what fills each, and the time that it takes, over that of the others."""
SHELF_LAST_FRAME = 250
"""Last frame of the scene of each file."""


def make_library(
    folder: str | os.PathLike[str],
    kinds: Sequence[str] = tuple(LIBRARY_FILES),
    progress: Callable[[float, str], None] | None = None,
    species: Sequence[str] | None = None,
    pixels: int = PICTURE_PIXELS,
) -> list[Path]:
    """Write the asset library, or some of its files; the file open in this Blender is discarded.

    Args:
        folder: The folder, made if it is not there; files of the same names are replaced.
        kinds: Some of `LIBRARY_FILES`.
        progress: Called with the share that is done, 0 to 1, and a text.
        species: Names of preset species; all if left out.
        pixels: Width and height of the pictures; 0 for none.

    Returns:
        The files.

    Raises:
        SceneError: A file cannot be written.
    """
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    whole, done, made = sum(LIBRARY_FILES[kind][1] for kind in kinds), 0.0, []
    for kind in kinds:
        path, (fill, weight) = place / f"{kind}.blend", LIBRARY_FILES[kind]
        ensure_writable(path, ".blend")
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True, load_ui=False)
        clear_views()
        scene = bpy.context.scene
        scene.unit_settings.system, scene.render.fps = "METRIC", round(LOOP_FPS)
        scene.frame_start, scene.frame_end = FIRST, SHELF_LAST_FRAME
        shelf = Shelf(scene, tuple(Species.names() if species is None else species), pixels)
        for share, text in fill(shelf):
            if progress:
                progress((done + weight * share) / whole, text)
        scene.frame_set(FIRST)
        shelf.tidy()
        save(path)
        made.append(path)
        done += weight
    write_catalogs(place)
    return made
