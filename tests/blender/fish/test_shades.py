"""The faces of a fish's mesh have the colours of its markings, for views that draw no shader."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.fish import materials, shades
from artfish.blender_artfish.live import meshes
from artfish.core.form.polygons import POLYGON_PARTS, Polygons
from artfish.core.scene.species import Species


def skin_of(species: Species) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Places of a skin's faces along the body, and their colours."""
    polygons = Polygons(species)
    uv = polygons.uv[polygons.part == POLYGON_PARTS.index("skin")]
    return uv[..., 1].mean(axis=1), shades.skin_shades(species, uv)


def test_a_clownfish_has_three_white_bands_on_orange():
    species = Species.load("clownfish")
    along, found = skin_of(species)
    places = np.unique(along[found["band"]].round(3))
    groups = np.split(places, np.flatnonzero(np.diff(places) > 0.06) + 1)
    assert len(groups) == len(species.looks.bands) == 3
    assert 0.1 < found["band"].mean() < 0.5


@pytest.mark.parametrize("name", Species.names())
def test_every_face_of_every_species_has_one_colour(name):
    species = Species.load(name)
    _, found = skin_of(species)
    many = np.sum(list(found.values()), axis=0)
    assert found.keys() <= shades.colours(species.looks).keys()
    assert many.max() == 1 and many.mean() > 0.95


def test_what_covers_the_skin_is_seen_and_nothing_else():
    plain = Species.from_dict({"name": "plain", "looks": {"side": [1, 0, 0], "back": [1, 0, 0], "belly": [1, 0, 0]}})
    looks = {"pattern": "bars", "pattern_count": 4, "pattern_width": 0.5, "pattern_colour": [0, 0, 1]}
    barred = Species.from_dict({"name": "barred", "looks": {**plain.to_dict()["looks"], **looks}})
    assert list(skin_of(plain)[1]) == ["side"]
    along, found = skin_of(barred)
    assert found["pattern"].mean() == pytest.approx(0.5, abs=0.1)
    middle = np.sort(along[found["pattern"]].round(3))
    assert (np.diff(np.unique(middle)) > 0.06).sum() >= 3  # bars apart


def test_faces_of_a_mesh_have_materials_of_those_colours_that_are_painted_alike():
    species, scene = Species.load("clownfish"), bpy.context.scene
    polygons = Polygons(species)
    mesh, other = bpy.data.meshes.new("Fish"), bpy.data.meshes.new("Other")
    meshes.fill(mesh, polygons)
    meshes.paint(mesh, species, polygons, scene)
    band = bpy.data.materials["clownfish skin band"]
    assert band.diffuse_color[:3] == pytest.approx(species.looks.band_colour, abs=1e-6)
    skin = bpy.data.materials["clownfish skin"]
    assert skin.diffuse_color[:3] == pytest.approx(species.looks.side, abs=1e-6)
    assert {node.bl_idname for node in band.node_tree.nodes} == {node.bl_idname for node in skin.node_tree.nodes}
    used = {mesh.materials[polygon.material_index].name for polygon in mesh.polygons}
    assert {"clownfish skin", "clownfish skin band", "clownfish dorsal"} <= used
    meshes.fill(other, polygons, 3)
    meshes.paint(other, species, polygons, scene)
    indices = [polygon.material_index for polygon in mesh.polygons]
    assert [polygon.material_index for polygon in other.polygons] == 3 * indices
    assert "clownfish skin band.001" not in bpy.data.materials


def test_a_colour_that_changes_is_shown():
    species, scene = Species.load("clownfish"), bpy.context.scene
    band = materials.skin_shade(species, scene, "band")
    data = species.to_dict()
    data["looks"]["band_colour"] = [0.0, 0.5, 0.0]
    materials.retouch(Species.from_dict(data), scene)
    assert band.diffuse_color[:3] == pytest.approx((0.0, 0.5, 0.0))
