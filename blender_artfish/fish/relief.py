"""The relief of a skin: heights that displace a rendered surface, and their effect on its colour.

A picture of the heights (`core.form.relief`) lies on the coordinates of the body's surfaces. A NURBS surface is moved
by it when it is rendered; a mesh, whose vertices already have what relief they can show, is only shaded by it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import bpy
import numpy as np

from ...core.farm.png import png_bytes
from ...core.form.relief import pictured
from ...core.scene.species import Species
from ..blender.shader_graph import Graph, Term, group
from ..identity import provenance

CARVED = "carved"
"""Attribute of the vertices of a mesh with relief in them: 1."""
INWARD = "inward"
"""Custom property of a NURBS surface with normals into the fish, as Blender gives the left half: 1."""
INWARD_PARTS = ("body_left",)
GAPE = "gape"
"""Custom property of a fish's objects: gape of the mouth, 0 to 1."""
SHUT_SHARE = 0.02
"""Share of the mouth's inside that still shows when it is shut."""
SEAM_SHARE = 0.03
"""Share of the flank along each seam of back and belly."""
HEIGHT_RANGE_LENGTHS = 0.128
"""Body lengths from black to white in the picture of heights, whose middle is 0."""
QUICK_PACKING = 5
"""Zlib's level for pictures of numbers: 9 takes ten times as long for a twentieth less."""
FLESH = (0.1, 0.022, 0.02)
"""Colour of the inside of a mouth at the lips."""


class Carving(NamedTuple):
    """Relief of a skin at a shaded point.

    Attributes:
        bump: Heights in body lengths to shade, since no vertex has them.
        displacement: Displacement of the surface.
        inside: Whether the point is in the mouth, 0 to 1.
        depth: Depth in the mouth, 0 to 1.
        crease: Light blocked by a fold, 0 to 1.
    """

    bump: Term
    displacement: Term
    inside: Term
    depth: Term
    crease: Term


def carved(graph: Graph, species: Species) -> Carving:
    """The relief of a species at the shaded point."""
    at = graph.coordinates("UV")
    shades = graph.node(
        "ShaderNodeTexImage", {"Vector": at}, image=_picture(species), interpolation="Cubic", extension="EXTEND"
    )
    shade, mouth, crease = graph.parts(shades["Color"])
    height = (shade - 0.5) * HEIGHT_RANGE_LENGTHS
    mesh = graph.attribute(CARVED)
    gape = graph.attribute(GAPE, "OBJECT")
    throat = _throat(graph, mouth=mouth, gape=gape)
    deep = height - throat["Depth"] * gape * species.relief.mouth_depth
    inward = graph.attribute(INWARD, "OBJECT")
    out = deep * (1.0 - mesh) * (1.0 - 2.0 * inward)
    moved = _moved(graph, height=out, length=species.length)["Displacement"]
    return Carving(deep * mesh, moved, throat["Inside"], throat["Depth"], crease)


def in_mouth(graph: Graph, carving: Carving, colour: Term) -> Term:
    """A skin's colour, with flesh where it is the inside of the mouth."""
    flesh = graph.mix(carving.depth, FLESH, (0.004, 0.002, 0.002))
    return graph.mix(carving.inside, colour, flesh)


@group("Artfish throat", mouth=0.0, gape=0.0)
def _throat(graph: Graph, mouth: Term, gape: Term) -> dict[str, Term]:
    """The inside of a mouth at this gape: whether a point is in it, and its depth."""
    edge = 1.0 - (SHUT_SHARE + (1.0 - SHUT_SHARE) * gape.ramp(0.0, 0.5))
    inside = mouth.ramp(edge, edge + 0.06)
    return {"Inside": inside, "Depth": mouth.ramp(edge, 1.05) * gape.ramp(0.0, 0.25)}


@group("Artfish relief", height=0.0, length=0.1)
def _moved(graph: Graph, height: Term, length: Term) -> dict[str, Term]:
    """A surface displaced along its normal, but within the mid-plane, so that the halves do not part.

    Where the halves meet, their normals differ by a facet's turn.
    """
    u = graph.parts(graph.coordinates("UV"))[0]
    seam = (u - 0.5).absolute().ramp(0.5 - SEAM_SHARE, 0.5)
    normal = graph.node(
        "ShaderNodeVectorTransform",
        {"Vector": graph.node("ShaderNodeNewGeometry")["Normal"]},
        vector_type="NORMAL",
        convert_from="WORLD",
        convert_to="OBJECT",
    )["Vector"]
    x, y, z = graph.parts(normal)
    way = graph.vector(x * height, y * (1.0 - seam) * height, z * height)
    inputs = {"Vector": way, "Midlevel": 0.0, "Scale": length}
    return {"Displacement": graph.node("ShaderNodeVectorDisplacement", inputs, space="OBJECT")["Displacement"]}


def shape_of(species: Species) -> list:
    """The numbers of a species that determine its body at rest, on which relief and eyes depend."""
    data = species.to_dict()
    return [data["form"], data["body"]["stations"], data["body"]["rise"]]


def _picture(species: Species) -> bpy.types.Image:
    """The picture of a body's heights."""
    return picture(f"{species.name} relief", form_of(species, "gill", "mouth", "mouth_up"), lambda: _packed(species))


@lru_cache(maxsize=128)
def form_of(species: Species, *looks: str) -> str:
    """A digest of all that a relief picture depends on.

    Args:
        species: The species.
        looks: Names of the looks that count.
    """
    data = species.to_dict()
    return provenance.digest([data["relief"], shape_of(species), [data["looks"][of] for of in looks]])


@lru_cache(maxsize=32)
def _packed(species: Species) -> bytes:
    """The picture of a body's relief as a PNG: height about a middle grey, mouth and crease."""
    field = pictured(species)
    parts = 0.5 + field.height / HEIGHT_RANGE_LENGTHS, field.mouth, field.crease
    return heights_png(np.stack(parts, axis=-1))


def heights_png(parts: np.ndarray) -> bytes:
    """A picture of numbers 0 to 1, (columns, rows from the bottom, 3), as a PNG of 16 bits a channel."""
    return png_bytes(parts.swapaxes(0, 1)[::-1], bits=16, packing=QUICK_PACKING)


def picture(name: str, form: str, made: Callable[[], bytes]) -> bpy.types.Image:
    """A picture of numbers, packed into the file, made once for each form.

    Args:
        name: Its name for a person.
        form: Digest that distinguishes its forms.
        made: Makes the PNG.
    """
    for image in bpy.data.images:
        if provenance.plain(image.name) == name and image.get(provenance.LOOKS) == form and image.library is None:
            return image
    packed = made()
    image = bpy.data.images.new(name, 1, 1, is_data=True)
    image.source = "FILE"
    image.pack(data=packed, data_len=len(packed))
    image.colorspace_settings.is_data = True  # not by name, since a studio's configuration may differ
    image[provenance.LOOKS] = form
    return image
