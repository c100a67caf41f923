"""Meshes and materials of live play: of fishes, and of all that drifts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import bpy
import numpy as np

from ...core.form.polygons import POLYGON_PARTS, Polygons
from ...core.scene.scene import Seaweed
from ...core.scene.species import Species
from ..blender import shader_graph
from ..fish import materials, shades
from ..identity.provenance import plain

GRAIN_CORNERS = np.array([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)], dtype=float)
GRAIN_FACES = [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)]
"""Faces of a particle of plankton or a bubble: an octahedron of radius 1."""
BLADE_WIDTHS = 0.25, 0.8, 1.0, 0.95, 0.85, 0.75, 0.62, 0.48, 0.32, 0.05
"""Width of a leaf of seaweed at each of its masses, over the widest."""
LINE_HOOK_LENGTHS = 0.02
"""Radius of the line over the length of the hook."""
SPAWN_METRES = 0.002
"""Radius of an egg, or of a puff of milt."""

ABSENT_PROPERTY = "artfish_absent"
"""Custom property of an object absent from the current frame, such as an eaten fish or a taken bait:
whether the animator had hidden it, in the viewport and in renders."""


def fill(mesh: bpy.types.Mesh, polygons: Polygons, fishes: int = 1) -> None:
    """Gives an empty mesh so many fishes of a species, one after the other, with UVs."""
    corner = np.ones((len(polygons.faces), 4), dtype=bool)
    corner[polygons.faces[:, 2] == polygons.faces[:, 3], 3] = False
    sizes = np.tile(corner.sum(axis=1), fishes)
    first = np.arange(fishes)[:, None] * polygons.count
    mesh.vertices.add(polygons.count * fishes)
    mesh.loops.add(int(sizes.sum()))
    mesh.polygons.add(len(sizes))
    mesh.polygons.foreach_set("loop_start", (np.cumsum(sizes) - sizes).astype(np.int32))
    mesh.loops.foreach_set("vertex_index", (first + polygons.faces[corner]).astype(np.int32).ravel())
    mesh.update(calc_edges=True)
    mesh.shade_smooth()
    uv = mesh.uv_layers.new(name="UVMap")
    uv.uv.foreach_set("vector", np.tile(polygons.uv[corner].astype(np.float32).ravel(), fishes))


def octahedra(count: int) -> tuple[int, np.ndarray]:
    """Vertices and faces of so many octahedra."""
    faces = np.array(GRAIN_FACES) + len(GRAIN_CORNERS) * np.arange(count)[:, None, None]
    return count * len(GRAIN_CORNERS), faces.reshape(-1, 3)


def scattered(places: np.ndarray, radius: np.ndarray) -> np.ndarray:
    """Vertices of octahedra at positions (n, 3), of radius (n,); those of radius 0 are points."""
    return places[:, None] + radius[:, None, None] * GRAIN_CORNERS


def around(points: np.ndarray, radius: float) -> np.ndarray:
    """Vertices (4 n, 3) of a square tube about an upright line."""
    ring = radius * np.array([(1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0)])
    return points[:, None] + ring


def blades(clusters: Sequence[Seaweed], leaves: int) -> np.ndarray:
    """Offsets of the two edges of seaweed leaves from their masses, metres, (leaves, masses, 2, 3)."""
    width = np.repeat([cluster.width for cluster in clusters], [cluster.leaves for cluster in clusters])
    turn = np.random.default_rng(leaves).uniform(0.0, np.pi, leaves)
    across = 0.5 * width[:, None] * np.stack([np.cos(turn), np.sin(turn), np.zeros(leaves)], axis=1)
    half = np.array(BLADE_WIDTHS)[None, :, None] * across[:, None]
    return np.stack([-half, half], axis=2)


def strips(leaves: int) -> tuple[int, np.ndarray]:
    """Vertices and faces of so many leaves."""
    masses = len(BLADE_WIDTHS)
    corner = 2 * np.arange(masses - 1)
    strip = np.stack([corner, corner + 1, corner + 3, corner + 2], axis=1)
    faces = (2 * masses * np.arange(leaves)[:, None, None] + strip).reshape(-1, 4)
    return 2 * masses * leaves, faces


def tube(rings: int) -> tuple[int, np.ndarray]:
    """Vertices and faces of a tube of so many rings."""
    ring = 4 * np.arange(rings - 1)[:, None] + np.arange(4)
    after = 4 * np.arange(rings - 1)[:, None] + np.roll(np.arange(4), -1)
    return 4 * rings, np.stack([ring, after, after + 4, ring + 4], axis=-1).reshape(-1, 4)


def reshape(obj: bpy.types.Object, vertices: np.ndarray) -> bool:
    """Moves the vertices of an object; returns whether it still exists with its original mesh."""
    try:
        mesh = obj.data
        if mesh.is_editmode:  # in Edit Mode its changes are not visible here
            return True
        if 3 * len(mesh.vertices) != vertices.size:
            return False
    except (ReferenceError, AttributeError):
        return False
    flat = np.ascontiguousarray(vertices, dtype=np.float32).ravel()
    mesh.attributes["position"].data.foreach_set("vector", flat)
    mesh.vertices[0].co = flat[:3].tolist()  # tells Blender to update normals and bounds
    return True


def hide(obj: bpy.types.Object, hidden: bool) -> None:
    """Hides an object, or shows it again unless the animator has hidden it."""
    if hidden:
        obj[ABSENT_PROPERTY] = [obj.hide_viewport, obj.hide_render]
        obj.hide_viewport = obj.hide_render = True
    elif obj.get(ABSENT_PROPERTY) is not None:
        try:
            viewport, render = map(bool, obj[ABSENT_PROPERTY])
        except (TypeError, ValueError):  # overwritten by somebody
            viewport = render = False
        obj.hide_viewport, obj.hide_render = viewport, render
        del obj[ABSENT_PROPERTY]


def live_materials(species: Species, scene: bpy.types.Scene) -> dict[str, bpy.types.Material]:
    """Materials by the names in `POLYGON_PARTS`; eyes are plain, since those of a bake need separate eyeballs."""
    made = materials.species_materials(species, scene)
    looks = species.looks
    return {
        **{part: made[part] for part in POLYGON_PARTS if part in made},
        "iris": plain_material(f"{species.name} live iris", looks.iris),
        "pupil": plain_material("Artfish live pupil", (0.004, 0.004, 0.005)),
    }


def paint(mesh: bpy.types.Mesh, species: Species, polygons: Polygons, scene: bpy.types.Scene) -> None:
    """Gives a mesh of fishes their materials, with enough shades of skin to show markings in Solid view."""
    wear = live_materials(species, scene)
    mesh.materials.clear()
    for part in POLYGON_PARTS:
        mesh.materials.append(wear[part])
    which, skin = polygons.part.astype(np.int32), np.flatnonzero(polygons.part == POLYGON_PARTS.index("skin"))
    for name, faces in shades.skin_shades(species, polygons.uv[skin]).items():
        if name != "side":  # that of the skin's own material
            which[skin[faces]] = len(mesh.materials)
            mesh.materials.append(materials.skin_shade(species, scene, name))
    mesh.polygons.foreach_set("material_index", np.tile(which, len(mesh.polygons) // len(which)))


def plain_material(name: str, colour: Iterable[float]) -> bpy.types.Material:
    """A material of one colour, made once in a file."""
    shown = (*colour, 1.0)
    for each in bpy.data.materials:
        if plain(each.name) == name and np.allclose(each.diffuse_color[:], shown, atol=1e-6):
            return each
    made, graph = shader_graph.material(name)
    skin = graph.node("ShaderNodeBsdfPrincipled", {"Base Color": tuple(colour), "Roughness": 0.3})
    shader_graph.output(graph, Surface=skin["BSDF"])
    made.diffuse_color = shown
    return made
