"""A whole scene as wire: fishes, pillars and weeds as glowing lines, like the first films of this kind."""

from __future__ import annotations

import bpy
import numpy as np

from ...core.recording import Recording
from ...core.scene.obstacles import Cylinder
from ..blender import shader_graph
from ..identity import provenance
from ..stage.scenery import raise_pillars
from .flipbook import lines_of

FISH_COLOURS = (
    *((1.0, 0.72, 0.12), (1.0, 0.33, 0.12), (0.25, 0.65, 1.0)),
    *((0.65, 0.45, 1.0), (0.25, 1.0, 0.65), (1.0, 0.45, 0.75)),
)
"""Line colours of fishes, by species."""
PILLAR_COLOUR, WEED_COLOUR, REST_COLOUR = (0.16, 0.5, 0.85), (0.06, 0.3, 0.1), (0.8, 0.85, 0.7)
CELLS = {"skin": (4.0, 14.0), "caudal": (6.0, 3.0)}
FIN_CELLS = 1.0, 7.0
"""Grid cells of a surface along u and v."""
CAGE_STAVES, CAGE_RINGS_METRES, CAGE_METRES, CAGE_SIDES = 14, 0.15, 0.004, 28
"""Staves of a pillar, spacing of its rings in metres, radius of its lines in metres, and corners of a ring."""


def draw_wire(into: bpy.types.Collection, recording: Recording, first: int) -> None:
    """Redraws the recording baked in the open file, without a stage, as wire, with its pillars.

    Args:
        into: The collection for pillars and rocks.
        recording: The baked recording.
        first: Frame of the scene that shows frame 0 of it.
    """
    species = list(dict.fromkeys(recording.species))
    for row, name in enumerate(species):
        shown = recording.species_models[name].common_name
        for obj in bpy.data.objects:
            if (fish := provenance.fish_of(obj)) is not None and fish.part and fish.species == name:
                _redraw_fish(obj, FISH_COLOURS[row % len(FISH_COLOURS)], shown)
    collections = {"Seaweed": WEED_COLOUR, "Plankton": REST_COLOUR, "Hook": REST_COLOUR, "Bubbles": PILLAR_COLOUR}
    collections |= dict.fromkeys(("Eggs", "Milt", "Laid Eggs"), REST_COLOUR)
    for name, colour in collections.items():
        there = bpy.data.collections.get(name)
        paint = _shine(f"Wire {name.lower()}", colour) if there else None
        for obj in there.all_objects if there else ():
            for slot in obj.material_slots:
                slot.material = paint
    cages = [obstacle for obstacle in recording.scene.obstacles if isinstance(obstacle, Cylinder)]
    pillars = _shine("Wire pillars", PILLAR_COLOUR, 0.55)
    for number, cylinder in enumerate(cages, 1):
        if cylinder.motion is None:
            into.objects.link(_cage(f"Pillar {number:02d}", cylinder, pillars))
    own = [row for row, each in enumerate(recording.scene.obstacles) if each in cages and each.motion is None]
    rocks = bpy.data.collections.new("Rocks")
    into.children.link(rocks)
    for _ in raise_pillars(rocks, recording, np.random.default_rng(11), own, first):
        pass
    edges = _edges() if rocks.objects else None
    for obj in rocks.objects:
        obj.data.materials.clear()
        obj.data.materials.append(edges)


def _redraw_fish(obj: bpy.types.Object, colour: tuple, name: str) -> None:
    """Gives a part of a fish its line material."""
    if obj.type not in ("SURFACE", "MESH"):
        return
    for slot in obj.material_slots:
        kind = slot.material.name.rpartition(" ")[2].split(".")[0] if slot.material else "skin"
        slot.material = bpy.data.materials.get(f"{name} wire {kind}") or _lines(f"{name} wire {kind}", colour, kind)


def _lines(name: str, colour: tuple, kind: str) -> bpy.types.Material:
    """Lines of a surface along u and v, transparent in between; an eye glows."""
    if kind == "eye":
        return _shine(name, colour)
    paint, graph = shader_graph.material(name)
    u, v, _ = graph.parts(graph.coordinates("UV"))
    along, across = CELLS.get(kind, FIN_CELLS)
    near = graph.grid(u * along, v * across, 0.12, 0.05)
    shine = graph.node("ShaderNodeEmission", {"Color": colour, "Strength": 1.0})["Emission"]
    clear = graph.node("ShaderNodeBsdfTransparent")["BSDF"]
    shader_graph.output(graph, Surface=graph.blend(near, clear, shine))
    return paint


def _shine(name: str, colour: tuple, strength: float = 0.8) -> bpy.types.Material:
    paint, graph = shader_graph.material(name)
    shader = graph.node("ShaderNodeEmission", {"Color": colour, "Strength": strength})["Emission"]
    shader_graph.output(graph, Surface=shader)
    return paint


def _edges() -> bpy.types.Material:
    """The edges of a mesh as lines, one or two pixels wide."""
    paint, graph = shader_graph.material("Wire rocks")
    edge = graph.node("ShaderNodeWireframe", {"Size": 1.0}, use_pixel_size=True).first
    shine = graph.node("ShaderNodeEmission", {"Color": PILLAR_COLOUR, "Strength": 0.4})["Emission"]
    clear = graph.node("ShaderNodeBsdfTransparent")["BSDF"]
    shader_graph.output(graph, Surface=graph.blend(edge, clear, shine))
    return paint


def _cage(name: str, cylinder: Cylinder, paint: bpy.types.Material) -> bpy.types.Object:
    """A pillar as staves and rings."""
    rings = max(2, round(cylinder.height / CAGE_RINGS_METRES) + 1)
    turn = np.linspace(0.0, 2.0 * np.pi, CAGE_SIDES + 1)
    around = cylinder.radius * np.stack((np.cos(turn), np.sin(turn)), axis=1)
    levels = np.linspace(0.0, cylinder.height, rings)
    lines = [np.column_stack((around, np.full(len(around), level))) for level in levels]
    for stave in np.linspace(0.0, 2.0 * np.pi, CAGE_STAVES, endpoint=False):
        foot = cylinder.radius * np.array([np.cos(stave), np.sin(stave)])
        lines.append(np.array([[*foot, 0.0], [*foot, cylinder.height]]))
    curve = lines_of(name, lines, CAGE_METRES, paint)
    curve.bevel_resolution = 0
    obj = bpy.data.objects.new(name, curve)
    obj.location = cylinder.at
    return obj
