"""Empties above baked fishes and shoals, which have no keys: they nudge, turn and scale what is keyed."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
from mathutils import Matrix, Vector

from ...core.body.anatomy import body_frame
from ...core.recording import Recording
from ..fish.surfaces import AXES_LENGTHS
from ..identity import provenance
from .identities import shoals_of


def hang(top: bpy.types.Collection, recording: Recording, numbers: Sequence[int] = ()) -> None:
    """Put an offset above every fish of a bake, and one above every group that swims together.

    Each stands at its fish, or at the middle of its shoal, at the first frame, and moves nothing.

    Args:
        top: The collection of the bake.
        recording: The recording.
        numbers: The number of each shoal, as for `shoals_of`.
    """
    roots = {row: obj for obj in top.all_objects if (row := provenance.row_of(obj)) != provenance.NO_ROW}
    if not roots:
        return
    places = body_frame(recording.nodes[0].astype(float))[0]
    many: dict[str, int] = {}
    for shoal in shoals_of(recording, numbers):
        species, rows = shoal.species, [row for row in shoal.rows if row in roots]
        many[species] = many.get(species, 0) + 1
        if not rows:
            continue
        middle, above = Vector(places[rows].mean(axis=0)), None
        if len(rows) > 1:
            name = f"{recording.species_models[species].common_name} shoal {many[species]:02d}"
            above = _offset(name, middle, float(recording.body_length[rows].max()), top)
            above[provenance.ROLE] = f"shoal {shoal.name} {provenance.OFFSET}"
        for row in rows:
            fish, place = roots[row], Vector(places[row])
            carrier = _offset(fish.name, place, float(recording.body_length[row]), top)
            carrier[provenance.ROLE] = f"{fish[provenance.ROLE]} {provenance.OFFSET}"
            fish.parent, fish.matrix_parent_inverse = carrier, Matrix.Translation(-place)
            if above is not None:
                carrier.parent, carrier.matrix_parent_inverse = above, Matrix.Translation(-middle)


def _offset(carried: str, place: Vector, length: float, top: bpy.types.Collection) -> bpy.types.Object:
    """An empty in the collection of a bake, with axes that stay hidden within the body."""
    made = bpy.data.objects.new(provenance.offset_name(carried), None)
    made.empty_display_size, made.location = AXES_LENGTHS * length, place
    top.objects.link(made)
    return made
