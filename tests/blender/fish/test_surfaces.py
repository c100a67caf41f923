"""Surfaces of fishes are rendered as smooth as they are, in every form, and finely where they fill the picture."""

from collections import Counter

import numpy as np
import pytest

from artfish.blender_artfish.bake.writer import bake
from artfish.blender_artfish.fish import surfaces
from artfish.core import Scene, Species, World
from artfish.core.form.relief import eyeball

pytestmark = pytest.mark.versions


@pytest.mark.parametrize(("form", "drive"), [("compact", ""), ("mesh", "armature"), ("mesh", "shapes"), ("crowd", "")])
def test_shadows_on_fishes_have_no_teeth(form, drive):
    """Cycles' rays to lights begin off the facets of every object that shows a fish's skin."""
    fishes = [{"species": "clownfish", "at": [1.5, 1.5, 1.0]}]
    tank = {"name": "One", "duration": 1, "tank": {"size": [3, 3, 2]}, "fishes": fishes}
    top = bake(World(Scene.from_dict(tank), seed=1).simulate(2), form=form, stage=False, drive=drive or "armature")
    shown = [obj for obj in top.all_objects if obj.type in ("SURFACE", "MESH") and "eye" not in obj.name]
    assert shown
    for obj in shown:
        assert obj.cycles.shadow_terminator_geometry_offset == surfaces.SHADOW_OFFSET, obj.name


def test_a_fish_is_refined_as_a_whole_and_alone(resting):
    one, other = (resting(Species.load("clownfish")) for _ in range(2))

    def facets(fish):
        return {(each.data.render_resolution_u, each.data.render_resolution_v) for each in fish.surfaces.values()}

    surfaces.refine(one.root, 0.1)
    assert facets(one) == {surfaces.RENDERED_SURFACE_FACETS}
    for least, finer in reversed(surfaces.FACETS_BY_SHARE):
        surfaces.refine(one.root, 1.01 * least)
        assert facets(one) == {finer}
        surfaces.refine(one.root, 0.1)  # of another shot, which takes nothing away
        assert facets(one) == {finer}
    assert facets(other) == {surfaces.RENDERED_SURFACE_FACETS}


def test_an_eyeball_is_closed_and_faces_outwards_in_an_order_of_its_own():
    """From its pole to the other, whatever addresses a process has: files of one content are to be alike."""
    mesh = surfaces._eye("eye")
    places = np.array([vertex.co for vertex in mesh.vertices])
    edges = Counter(edge for face in mesh.polygons for edge in face.edge_keys)
    assert set(edges.values()) == {2} and len(places) - len(edges) + len(mesh.polygons) == 2
    middles, normals = (np.array([getattr(face, name) for face in mesh.polygons]) for name in ("center", "normal"))
    assert ((middles * normals).sum(axis=1) > 0.8).all()
    assert (np.diff(middles[:, 2]) < 1e-6).all()
    away = np.arccos(places[:, 2] / np.linalg.norm(places, axis=1))
    assert np.allclose(np.linalg.norm(places, axis=1), eyeball(away), atol=1e-6)
    assert all(face.use_smooth for face in mesh.polygons)
