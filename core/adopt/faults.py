"""Faults of a model, each in a line of plain words, with the vertices or edges that it concerns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .model import Model
from .tuning import (
    FEWEST_VERTICES,
    INSIDE_OUT_SHARE,
    MOST_VERTICES,
    OPEN_SHARE,
    SECOND_BODY_SHARE,
    THINNEST_EXTENT,
)


class Fault(NamedTuple):
    """One fault of a model.

    Attributes:
        kind: One of "empty", "few", "many", "broken", "flat", "two", "open" and "inside_out".
        text: The fault and its remedy, in one line.
        fatal: Whether the model cannot be adopted as it is.
        vertices: Rows of the vertices concerned, (n,).
        edges: Rows of the ends of the edges concerned, (e, 2).
    """

    kind: str
    text: str
    fatal: bool
    vertices: np.ndarray
    edges: np.ndarray


def faults(model: Model) -> tuple[Fault, ...]:
    """The faults of a model, the fatal ones first; most models have none."""
    if not model.count or not len(model.triangles):
        return (_fault("empty", "it has no faces: choose a mesh with faces, or apply its modifiers", fatal=True),)
    found = [*_numbers(model)]
    if any(fault.fatal for fault in found):
        return tuple(found)
    found += [*_flat(model), *_two(model), *_inside_out(model), *_open(model)]
    return tuple(sorted(found, key=lambda fault: not fault.fatal))


def _fault(
    kind: str, text: str, *, fatal: bool = False, vertices: np.ndarray | None = None, edges: np.ndarray | None = None
) -> Fault:
    none = np.zeros(0, dtype=np.int64)
    return Fault(
        kind, text, fatal, none if vertices is None else vertices, none.reshape(0, 2) if edges is None else edges
    )


def _numbers(model: Model) -> list[Fault]:
    count, found = model.count, []
    wrong = np.flatnonzero(~np.isfinite(model.vertices).all(axis=1))
    if len(wrong):
        text = f"{len(wrong)} of its vertices have no place (not a number): delete them, or export it anew"
        found.append(_fault("broken", text, fatal=True, vertices=wrong))
    if count < FEWEST_VERTICES:
        text = f"it has {count} vertices, too few to bend: subdivide it to {FEWEST_VERTICES} or more"
        found.append(_fault("few", text, fatal=True))
    if count > MOST_VERTICES:
        text = f"it has {count:,} vertices, more than the {MOST_VERTICES:,} that are read: decimate it"
        found.append(_fault("many", text, fatal=True))
    return found


def _flat(model: Model) -> list[Fault]:
    extents = np.ptp(model.vertices, axis=0)
    if extents.min() < THINNEST_EXTENT * extents.max():
        return [_fault("flat", "it is a flat sheet without a body: give it some thickness", fatal=True)]
    return []


def _two(model: Model) -> list[Fault]:
    """Two pieces of like size, side by side: more than one fish."""
    shells = model.shells
    area = np.bincount(shells[model.triangles[:, 0]], model.areas)
    if len(area) < 2 or area[1] < SECOND_BODY_SHARE * area[0]:
        return []
    one, other = (model.vertices[shells == number] for number in (0, 1))
    apart = np.maximum(one.min(axis=0) - other.max(axis=0), other.min(axis=0) - one.max(axis=0)).max()
    span = min(np.ptp(one, axis=0).max(), np.ptp(other, axis=0).max())
    if apart < 0.02 * span:
        return []
    text = "two bodies of like size lie apart in it: adopt one fish at a time, and delete the other"
    return [_fault("two", text, fatal=True, vertices=np.flatnonzero(shells == 1))]


def _inside_out(model: Model) -> list[Fault]:
    """A body whose faces look inwards, as after a mirror by a negative scale."""
    own = model.shells[model.triangles[:, 0]] == 0
    corners = model.vertices[model.triangles[own, 0]]
    volumes = ((corners - corners.mean(axis=0)) * model.crosses[own]).sum(axis=1)
    if volumes.sum() > INSIDE_OUT_SHARE * np.abs(volumes).sum():
        return []
    text = "its faces look inwards: turn them round in Edit Mode by Mesh > Normals > Recalculate Outside"
    return [_fault("inside_out", text, vertices=np.unique(model.triangles[own]))]


def _open(model: Model) -> list[Fault]:
    """Edges at which its skin ends, other than at the rims of fins, which are sheets."""
    places = model.welded
    edges = np.concatenate([places[model.triangles[:, [i, (i + 1) % 3]]] for i in range(3)])
    ends = np.concatenate([model.triangles[:, [i, (i + 1) % 3]] for i in range(3)])
    low, high = edges.min(axis=1), edges.max(axis=1)
    keys = low * (int(places.max()) + 1) + high
    _, first, count = np.unique(keys, return_index=True, return_counts=True)
    gaps = ends[first[(count == 1)]]
    gaps = gaps[places[gaps[:, 0]] != places[gaps[:, 1]]]
    if len(gaps) < OPEN_SHARE * len(count):
        return []
    text = f"it is open at {len(gaps):,} edges: it swims, but holes show; fill them, or merge doubled vertices"
    return [_fault("open", text, vertices=np.unique(gaps), edges=gaps)]
