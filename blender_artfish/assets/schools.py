"""Schools of the asset library: crowds of one object, which swim on the spot and go round."""

from __future__ import annotations

from functools import partial

import bpy
import numpy as np

from ...core.recording import Recording
from ...core.scene.species import Species
from ...core.studio.school_loops import school_loop
from ..bake.order import CROWD, Order
from ..blender.background import in_thread
from ..blender.jobs import Steps, finished
from ..crowd.nodes import FISH_ROW, LENGTH
from ..crowd.shoals import CrowdParts, crowd_object, make_cast
from ..crowd.table import table, ways
from ..fish.individuality import INDIVIDUAL, individual
from .catalogs import Catalog
from .shelf import LOOP_FPS, Shelf, Shelving

SOCIABLE = 0.6
"""Sociability of species that come as schools."""
SCHOOL_SIZES = 120, 24
"""Numbers of fishes in a large and a small school."""
LOOP_POSES = 64
"""Most poses of a loop, which has no others than its frames: a file with fewer is smaller."""
ORDER = Order(CROWD)


def fill_schools(shelf: Shelf) -> Shelving:
    """Put a large and a small school of every sociable species on a shelf."""
    models = [Species.load(name) for name in shelf.species]
    models = [each for each in models if each.traits is not None and each.traits.sociability >= SOCIABLE]
    for number, species in enumerate(models):
        cast = None
        for row, count in enumerate(SCHOOL_SIZES):
            yield (number + row / len(SCHOOL_SIZES)) / len(models), f"{count} {species.common_name}"
            recording = school_loop(species, count, LOOP_FPS)
            cast = cast or finished(poses(recording, species, shelf.scene))
            _show(shelf, cast, finished(new_crowd(recording, cast)), recording)


def _show(shelf: Shelf, cast: CrowdParts, crowd: bpy.types.Object, recording: Recording) -> None:
    """Put a school on a shelf; its lowest fish swims above the ground it is dropped onto.

    The poses come along as a hidden collection within: else appending it would put them into the scene beside it.
    """
    species, count, seconds = cast.species, len(recording.species), (recording.frames - 1) / LOOP_FPS
    about = (
        f"{count} {species.common_name} as one object, a crowd: they swim on the spot, head along x, and go round in "
        f"{seconds:.1f} s at {LOOP_FPS:.0f} frames a second. Key the object, or have it follow a path"
    )
    made = bpy.data.collections.new(crowd.name)
    made.objects.link(crowd)
    made.children.link(cast.poses)
    low = float(recording.nodes[..., 2].min())
    made.instance_offset = 0.0, 0.0, low - species.length
    wide = float(np.ptp(recording.nodes[0, ..., 0]))
    tags = ["school", "crowd", "loop", species.common_name]
    shelf.show(made, Catalog.SCHOOLS, about, tags, wide, recording.frames - 1)


def poses(recording: Recording, species: Species, scene: bpy.types.Scene) -> Steps[CrowdParts]:
    """The data shared by all crowds of a species that go round, whose poses are out of sight in every scene."""
    cast = yield from make_cast(recording, species, 0, scene, ORDER, LOOP_POSES)
    cast.poses.hide_viewport = cast.poses.hide_render = cast.poses.hide_select = True
    return cast


def new_crowd(recording: Recording, cast: CrowdParts) -> Steps[bpy.types.Object]:
    """The crowd of a recording that goes round."""
    rows = list(range(len(recording.species)))
    going = yield from ways(recording, rows, cast.table)
    kept = yield from in_thread(partial(table, recording, rows, going, ORDER.tolerance))
    numbers = [individual(seed) for seed in recording.seeds]
    fishes = {FISH_ROW: np.array(rows), INDIVIDUAL: np.array(numbers), LENGTH: recording.body_length}
    name = f"{cast.species.common_name} school of {len(rows)}"
    return crowd_object(name, cast, kept, fishes, recording.frames, ORDER, loop=True)
