"""Model of a recorded fish's body, drawn in layers: masses and springs, muscles, control grid, surface, skin.

As in the film at the beginning of the book (Tu 1999, §10.1): balls and rods that move as the body swam, the twelve
muscles coloured by contraction, the control grid of the NURBS surfaces, the surface, and the texture, which is
laid on within the lines of the grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import bmesh
import bpy
import numpy as np

from ...core.body.anatomy import MASSES, MUSCLES, NODES, UNITS, rest_nodes
from ...core.form.coupling import coupling_of
from ...core.recording import Recording
from ...core.studio.film import FISH_MODELS
from ..blender import shader_graph
from ..blender.fcurves import thin, write
from ..blender.shader_graph import Graph, Term
from ..blender.versions import channelbag, shader_tree
from ..stage.objects import add
from ..stage.shapes import join, mesh
from .flipbook import leaf_through, lines_of
from .wipes import Wipe, passed, shown

BALL_LENGTHS, ROD_LENGTHS, MUSCLE_LENGTHS, LINE_LENGTHS = 0.022, 0.0035, 0.016, 0.002
"""Radii of the heaviest mass, of springs, of muscles at their thickest, and of the grid, in body lengths."""
MUSCLE_POINTS = 9
"""Points along a muscle, which is a spindle."""
SWELLING = 1.5
"""Increase of a muscle's drawn thickness over its contraction."""
FULL_CONTRACTION = 0.05
"""Contraction, as a share of its length, at which a muscle's colour saturates."""
CONTRACTION = "contraction"
"""Property of a muscle's object: its shortening as a share of its rest length."""
GLOW_LENGTHS = 0.22
"""Distance behind the front over which the grid's lines still glow on the skin, in body lengths."""
GRID_CELLS = {"skin": (8.0, 20.0), "caudal": (6.0, 4.0), "pectoral": (1.0, 3.0)}
MEDIAN_CELLS = 1.0, 11.0
"""Cells of the control grid of a dorsal or ventral fin along u and v."""
BALL_COLOUR, ROD_COLOUR = (0.9, 0.62, 0.16), (0.22, 0.42, 0.62)
SLACK_COLOUR, TAUT_COLOUR = (0.10, 0.05, 0.32), (1.0, 0.13, 0.04)
LINE_COLOUR, CLAY_COLOUR = (0.15, 0.85, 1.0), (0.30, 0.42, 0.52)
LAYERS = {
    "masses": ("masses", "grid"),
    "muscles": ("muscles", "grid"),
    "grid": ("grid", "grid"),
    "surface": ("surface", "skin"),
    "skin": ("skin", "skin"),
}
"""The first and the last drawing that shows each layer."""


@dataclass(frozen=True)
class Showing:
    """Times when the layers of a fish are shown.

    Attributes:
        drawings: The drawings in order.
        wipes: The wipe from each to the next.
    """

    drawings: Sequence[str]
    wipes: Sequence[Wipe]

    def has(self, layer: str) -> bool:
        """True if a layer is shown at all."""
        return bool(self._rows(layer))

    def turns(self, layer: str) -> tuple[Wipe | None, Wipe | None]:
        """The wipes by which a layer appears and disappears; None if it is there from the beginning, or to the end."""
        rows = self._rows(layer)
        came = self.wipes[rows[0] - 1] if rows[0] else None
        return came, self.wipes[rows[-1]] if rows[-1] < len(self.wipes) else None

    def _rows(self, layer: str) -> list[int]:
        low, high = (FISH_MODELS.index(drawing) for drawing in LAYERS[layer])
        return [row for row, drawing in enumerate(self.drawings) if low <= FISH_MODELS.index(drawing) <= high]


def draw_model(
    into: bpy.types.Collection, root: bpy.types.Object, recording: Recording, showing: Showing, first: int
) -> None:
    """Draws the layers of the one baked fish of a recording.

    Args:
        into: The collection of the drawings.
        root: The empty of the baked fish, whose surfaces are its children.
        recording: The recording of this fish alone.
        showing: When each layer is shown.
        first: Frame of the scene that shows frame 0 of the recording.
    """
    nodes, length = recording.nodes[:, 0].astype(float), float(recording.body_length[0])
    species = recording.species_models[recording.species[0]]
    if showing.has("masses"):
        _add_masses(into, root, nodes, length, showing, first)
    if showing.has("muscles"):
        rest = rest_nodes(species.body) * length
        _add_muscles(into, root, nodes, rest, length, showing, first)
    if showing.has("grid"):
        moving = recording.nodes, recording.fins, recording.body_length, recording.mouth, recording.look([0])
        points = coupling_of(species).control_points(*moving)
        _add_grid(
            into, root, {part: own[:, 0] for part, own in points.items() if part != "eyes"}, length, showing, first
        )
    surfaces = [child for child in root.children if child.type in ("SURFACE", "MESH")]
    if showing.has("surface"):
        _dress(surfaces, root, length, showing)
    else:
        for surface in surfaces:
            surface.hide_render = surface.hide_viewport = True


def contractions(nodes: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """Contraction of the twelve muscles as a share of their rest length, (frames, 12), from nodes (frames, 23, 3)."""
    ends, own = nodes[:, UNITS[MUSCLES]], rest[UNITS[MUSCLES]]
    length = np.linalg.norm(ends[:, :, 1] - ends[:, :, 0], axis=-1)
    return 1.0 - length / np.linalg.norm(own[:, 1] - own[:, 0], axis=-1)


def _add_masses(
    into: bpy.types.Collection, root: bpy.types.Object, nodes: np.ndarray, length: float, showing: Showing, first: int
) -> None:
    """The masses as balls, larger the heavier they are, and the springs between them as rods."""
    ball = bmesh.new()
    bmesh.ops.create_icosphere(ball, subdivisions=2, radius=1.0)
    vertices = np.array([vertex.co for vertex in ball.verts])
    faces = np.array([[vertex.index for vertex in face.verts] for face in ball.faces])
    ball.free()
    radii = BALL_LENGTHS * length * np.cbrt(MASSES / MASSES.max())
    balls = radii[:, None, None] * vertices
    paint = _solid("Masses", BALL_COLOUR, root, showing.turns("masses"))
    shape = join([(balls[node] + nodes[0, node], faces) for node in range(NODES)])
    obj = add(into, "Masses", mesh("Masses", shape, paint))
    leaf_through(obj, (nodes[:, :, None] + balls).reshape(len(nodes), -1, 3), first)
    springs = nodes[:, UNITS]
    paint = _solid("Springs", ROD_COLOUR, root, showing.turns("masses"))
    rods = lines_of("Springs", springs[0], ROD_LENGTHS * length, paint)
    leaf_through(add(into, "Springs", rods), springs.reshape(len(nodes), -1, 3), first)


def _add_muscles(
    into: bpy.types.Collection,
    root: bpy.types.Object,
    nodes: np.ndarray,
    rest: np.ndarray,
    length: float,
    showing: Showing,
    first: int,
) -> None:
    """The twelve muscles as spindles that swell and glow as they contract."""
    share = np.linspace(0.0, 1.0, MUSCLE_POINTS)
    spindle = 0.3 + 0.7 * np.sin(np.pi * share)
    paint = _muscle(root, showing.turns("muscles"))
    for number, (unit, short) in enumerate(zip(UNITS[MUSCLES], contractions(nodes, rest).T, strict=True), 1):
        ends = nodes[:, unit]
        points = ends[:, :1] + share[:, None] * (ends[:, 1:] - ends[:, :1])
        name = f"Muscle {number:02d}"
        curve = lines_of(name, points[:1], MUSCLE_LENGTHS * length, paint)
        curve.bevel_resolution = 2
        obj = add(into, name, curve)
        leaf_through(obj, points, first, spindle * (1.0 + SWELLING * short)[:, None])
        obj[CONTRACTION] = float(short[0])
        write(channelbag(bpy.data.actions.new(name), obj), [(f'["{CONTRACTION}"]', 0)], thin(short[None], 2e-3), first)


def _add_grid(
    into: bpy.types.Collection,
    root: bpy.types.Object,
    points: dict[str, np.ndarray],
    length: float,
    showing: Showing,
    first: int,
) -> None:
    """The control grids of the surfaces, (frames, u, v, 3) by name, as thin rods."""
    lines = [
        line for own in points.values() for grid in (own, np.swapaxes(own, 1, 2)) for line in np.moveaxis(grid, 1, 0)
    ]
    paint = _glow("Control grid", LINE_COLOUR, root, showing.turns("grid"))
    curve = lines_of("Control grid", [line[0] for line in lines], LINE_LENGTHS * length, paint)
    curve.bevel_resolution = 0
    leaf_through(add(into, "Control grid", curve), np.concatenate(lines, axis=1), first)


def _dress(surfaces: Sequence[bpy.types.Object], root: bpy.types.Object, length: float, showing: Showing) -> None:
    """Shows the surfaces, bare at first, and then their textures, with glowing lines of the grid at the front."""
    came, _ = showing.turns("surface")
    laid = showing.turns("skin")[0] if showing.has("skin") else None
    for paint in {slot.material for surface in surfaces for slot in surface.material_slots if slot.material}:
        graph = Graph(shader_tree(paint))
        end = next(node for node in graph.tree.nodes if node.bl_idname == "ShaderNodeOutputMaterial")
        shader = Term(graph, end.inputs["Surface"].links[0].from_socket)
        kind = paint.name.rpartition(" ")[2]
        if laid is not None or not showing.has("skin"):
            bare = _bare(graph, kind)
            if laid is not None:
                fresh = passed(graph, root, laid, "Laid on")
                old = passed(graph, root, laid, "Fades", GLOW_LENGTHS * length)
                glow = graph.node("ShaderNodeEmission", {"Color": LINE_COLOUR, "Strength": 1.6})["Emission"]
                shader = graph.blend(_lines(graph, kind) * (fresh - old).most(0.0) * 0.8, shader, glow)
                bare = graph.blend(fresh, bare, shader)
            shader = bare
        if came is not None:
            clear = graph.node("ShaderNodeBsdfTransparent")["BSDF"]
            shader = graph.blend(passed(graph, root, came, "Comes"), clear, shader)
        graph.put(shader, end.inputs["Surface"])


def _bare(graph: Graph, kind: str) -> Term:
    """An untextured surface: satin with faint grid lines; an eye is dark."""
    if kind == "eye":
        return graph.node("ShaderNodeBsdfPrincipled", {"Base Color": (0.02, 0.03, 0.04), "Roughness": 0.15})["BSDF"]
    colour = graph.mix(_lines(graph, kind) * 0.75, CLAY_COLOUR, LINE_COLOUR)
    return graph.node("ShaderNodeBsdfPrincipled", {"Base Color": colour, "Roughness": 0.35})["BSDF"]


def _lines(graph: Graph, kind: str) -> Term:
    """Mask of a surface's grid lines, 0 to 1; 0 on an eye."""
    if kind == "eye":
        return graph.math("MULTIPLY", 0.0, 0.0)
    u, v, _ = graph.parts(graph.coordinates("UV"))
    along, across = GRID_CELLS.get(kind, MEDIAN_CELLS)
    return graph.grid(u * along, v * across, 0.10, 0.03)


def _solid(
    name: str, colour: tuple, root: bpy.types.Object, turns: tuple[Wipe | None, Wipe | None]
) -> bpy.types.Material:
    """A satin colour that appears and disappears."""
    paint, graph = shader_graph.material(name)
    inputs = {"Base Color": colour, "Roughness": 0.3, "Emission Color": colour, "Emission Strength": 0.12}
    shader = graph.node("ShaderNodeBsdfPrincipled", inputs)["BSDF"]
    shader_graph.output(graph, Surface=shown(graph, root, shader, *turns))
    return paint


def _muscle(root: bpy.types.Object, turns: tuple[Wipe | None, Wipe | None]) -> bpy.types.Material:
    """A material that is dark where a muscle is slack, and glows red where it is contracted."""
    paint, graph = shader_graph.material("Muscles")
    short = graph.attribute(CONTRACTION, "OBJECT")
    taut = short.ramp(0.0, FULL_CONTRACTION)
    colour = graph.mix(taut, SLACK_COLOUR, TAUT_COLOUR)
    inputs = {"Base Color": colour, "Roughness": 0.3, "Emission Color": colour, "Emission Strength": 0.1 + 0.5 * taut}
    shader = graph.node("ShaderNodeBsdfPrincipled", inputs)["BSDF"]
    shader_graph.output(graph, Surface=shown(graph, root, shader, *turns))
    return paint


def _glow(
    name: str, colour: tuple, root: bpy.types.Object, turns: tuple[Wipe | None, Wipe | None]
) -> bpy.types.Material:
    """An emissive colour that appears and disappears."""
    paint, graph = shader_graph.material(name)
    shader = graph.node("ShaderNodeEmission", {"Color": colour, "Strength": 0.8})["Emission"]
    shader_graph.output(graph, Surface=shown(graph, root, shader, *turns))
    return paint
