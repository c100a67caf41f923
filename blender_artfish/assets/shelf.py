"""A file of the asset library: data blocks marked as assets, with words, a catalog and a picture each."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

import bpy
import numpy as np

from ..export.portrait import studio
from ..identity.film_time import FIRST
from .catalogs import Catalog, uuid_of

AUTHOR, LICENCE, COPYRIGHT = "The Artfish authors", "GPL-3.0-or-later", "2026 The Artfish authors"
LOOP_FPS = 24.0
"""Frames a second of loops in the library."""
LOOP_FRAMES = "loop_frames"
"""Custom property of an asset that goes round: in how many frames."""
PICTURE_PIXELS = 192
"""Width and height of a picture of an asset: twice what Blender shows, for screens of fine grain."""


@dataclass
class Shelf:
    """The assets of a file, on show in its scene.

    Attributes:
        scene: The scene.
        pixels: Width and height of pictures; 0 for none.
        species: Names of the species to make fishes of.
        x: Where in the scene the next is put, metres.
    """

    scene: bpy.types.Scene
    species: Sequence[str]
    pixels: int = PICTURE_PIXELS
    x: float = field(default=0.0, init=False)

    def mark(self, block: Any, catalog: Catalog, about: str, tags: Sequence[str]) -> None:
        """Mark a data block as an asset: its catalog, what it is in a sentence, and words it is found by."""
        block.asset_mark()
        data = block.asset_data
        data.author, data.license, data.copyright = AUTHOR, LICENCE, COPYRIGHT
        data.description, data.catalog_id = about, uuid_of(catalog)
        for tag in dict.fromkeys(("Artfish", *tags)):
            data.tags.new(tag)

    def collection(
        self,
        name: str,
        objects: Sequence[bpy.types.Object],
        catalog: Catalog,
        about: str,
        tags: Sequence[str],
        loop: int = 0,
    ) -> None:
        """Put objects, which are in no collection yet, into one that is an asset, and `show` it."""
        made = bpy.data.collections.new(name)
        for obj in objects:
            made.objects.link(obj)
        self.show(made, catalog, about, tags, loop=loop)

    def show(
        self,
        made: bpy.types.Collection,
        catalog: Catalog,
        about: str,
        tags: Sequence[str],
        wide: float | None = None,
        loop: int = 0,
    ) -> None:
        """Mark a collection as an asset, and put it into the scene.

        Args:
            made: The collection, with a picture or without.
            catalog: Its catalog.
            about: What it is in a sentence.
            tags: Words it is found by.
            wide: Its width in metres; measured if left out.
            loop: Frames in which it goes round, if it does.
        """
        self.mark(made, catalog, about, tags)
        if loop:
            made[LOOP_FRAMES] = loop
        if made.preview is None or not made.preview.image_size[0]:
            self.portray(made, made.objects[:])
        show = bpy.data.objects.new(made.name, None)
        show.instance_type, show.instance_collection, show.empty_display_size = "COLLECTION", made, 0.05
        self.scene.collection.objects.link(show)
        self._place(show, extent(made.all_objects[:]) if wide is None else wide)

    def object(self, obj: bpy.types.Object, catalog: Catalog, about: str, tags: Sequence[str]) -> None:
        """Mark an object as an asset, and put it into the scene."""
        self.mark(obj, catalog, about, tags)
        self.portray(obj, [obj])
        self.scene.collection.objects.link(obj)
        self._place(obj, largest(obj))

    def portray(self, owner: bpy.types.ID, objects: Sequence[bpy.types.Object]) -> None:
        """Give a data block a picture of objects."""
        if not self.pixels:
            return
        with studio(objects, self.pixels) as place:
            place.portray(owner, FIRST)

    def photograph(self, owner: bpy.types.ID, scene: bpy.types.Scene) -> None:
        """Give a data block the picture that a scene's own camera takes of it."""
        if not self.pixels:
            return
        with studio([], self.pixels) as place:
            place.shoot(owner, scene)

    def tidy(self) -> None:
        """Remove what no asset needs, so that its names are free."""
        purge: Any = bpy.data.orphans_purge  # its stubs know no arguments
        purge(do_local_ids=True, do_linked_ids=True, do_recursive=True)

    def _place(self, obj: bpy.types.Object, wide: float) -> None:
        """Stand an object beside the last one."""
        obj.location.x = self.x + 0.5 * wide
        self.x += 1.3 * wide


Shelving = Generator[tuple[float, str], None, None]
"""Work on a shelf that yields the share that is done, and what comes next."""
Filler = Callable[[Shelf], Shelving]
"""Puts all assets of a kind on a shelf."""


def largest(obj: bpy.types.Object) -> float:
    """Largest dimension of an object, metres."""
    return max(obj.dimensions[:])


def extent(objects: Sequence[bpy.types.Object]) -> float:
    """Largest dimension of the objects of a collection, metres."""
    return max((largest(obj) for obj in objects if obj.type in ("MESH", "CURVE")), default=1.0)


def lowest(objects: Sequence[bpy.types.Object], frames: Sequence[int], scene: bpy.types.Scene) -> float:
    """Height of the lowest vertex of meshes at some frames, metres; they must be in the scene."""
    found = []
    for frame in frames:
        scene.frame_set(frame)
        graph = scene.view_layers[0].depsgraph
        for obj in objects:
            if obj.type == "MESH":
                seen: Any = obj.evaluated_get(graph)
                places = np.empty(3 * len(seen.data.vertices), np.float32)
                seen.data.vertices.foreach_get("co", places)
                matrix = np.array(seen.matrix_world)
                found.append(float((places.reshape(-1, 3) @ matrix[2, :3]).min() + matrix[2, 3]))
    return min(found)
