"""Fishes of the asset library: of every species a rigged one whose swimming goes round, and a still mesh."""

from __future__ import annotations

from functools import partial

import bpy

from ...core.scene.species import Species
from ..blender.jobs import Job
from ..fish.individuality import INDIVIDUAL
from ..loops.making import make_loops
from .catalogs import Catalog
from .shelf import LOOP_FPS, Shelf, Shelving, lowest

HOVER_LENGTHS = 0.15
"""Height of a swimming fish's lowest fin above the ground it is dropped onto, in body lengths."""
WATCHED_FRAMES = 6
"""Every so many frames of a loop are looked at for its lowest fin."""


def fill_fishes(shelf: Shelf) -> Shelving:
    """Put all species on a shelf."""
    for number, name in enumerate(shelf.species):
        species = Species.load(name)
        yield number / len(shelf.species), species.common_name
        _swimming(shelf, species)


def _swimming(shelf: Shelf, species: Species) -> None:
    """A collection of an armature that swims on the spot and its mesh, and an object of the same mesh without bones."""
    scene, title, length = shelf.scene, species.common_name, species.length
    make = partial(make_loops, species=species, gaits=["swim"], fps=LOOP_FPS, scene=scene, assets=False)
    root = Job(make).run()
    (home,) = root.users_collection
    body = next(obj for obj in home.objects if obj.type == "MESH")
    action = root.animation_data.action
    begin, end = (int(frame) for frame in action.frame_range)
    low = lowest([body], range(begin, end, WATCHED_FRAMES), scene)
    scene.collection.children.unlink(home)
    home.instance_offset = 0.0, 0.0, low - HOVER_LENGTHS * length
    latin, words = species.latin_name or "", ["fish", "swims", "loop", "rigged", title]
    seconds = (end - begin) / LOOP_FPS
    about = (
        f"{title}, {latin or 'no living species'}, {100 * length:.0f} cm: swims on the spot and goes round in "
        f"{seconds:.1f} s at {LOOP_FPS:.0f} frames a second. Head along x. At this pace it would go "
        f"{100 * action['speed']:.0f} cm a second"
    )
    shelf.show(home, Catalog.SWIMMING, about, [*words, latin] if latin else words, length, end - begin)
    still = bpy.data.objects.new(f"{title} still", body.data)
    still.scale, still[INDIVIDUAL] = root.scale, root[INDIVIDUAL]
    about = f"{title}, {latin or 'no living species'}, {100 * length:.0f} cm: one mesh at rest, without bones"
    shelf.object(still, Catalog.STILL, about, ["fish", "still", title, *([latin] if latin else [])])
