"""The skin of a fish: countershading, pattern, patches and bands, scales, the folds of the head, and slime over it all.

It is painted on the coordinates of the body's surfaces (Tu 1999, ch. 5): `along` runs from the nose (0) to the root of
the tail (1), `up` from the belly (0) to the back (1), the same on both flanks, so that the halves meet without a seam.
"""

from __future__ import annotations

from ...core.scene.looks import Looks
from ...core.scene.species import Species
from ..blender import shader_graph
from ..blender.shader_graph import Graph, Outputs, Term, group
from . import pattern
from .individuality import individuality, tint


def paint_skin(graph: Graph, species: Species, part: str) -> None:
    """Make the tree of the skin's material, as the looks of the species say."""
    looks, girth = species.looks, pattern.girth(species)
    place = _place(graph, girth=girth, wobble=looks.marking_wobble, variety=looks.variety)
    along, up = place["Flat along"], place["Flat up"]
    colour = _with_markings(graph, looks, girth, place, _ground(graph, looks, place))
    scales = _scales(graph, along=along, up=up, girth=girth, size=looks.scale_size)
    colour = graph.mix(scales["Edge"] * looks.scale_edge, colour, looks.scale_edge_colour)
    head = _head(graph, along=along, up=up, gill=looks.gill, mouth=looks.mouth, level=looks.mouth_up)
    colour = graph.mix(head["Shade"], colour, (0.25, 0.18, 0.16), "MULTIPLY")
    skin = _wet_skin(
        graph,
        colour=tint(graph, colour=colour, variety=looks.variety)["Colour"],
        gloss=looks.gloss,
        silver=up.ramp(1.0, 1.0 - looks.back_reach) * looks.silver,
        glint=scales["Glint"],
        iridescence=looks.iridescence,
        relief=scales["Relief"] * looks.scale_relief - 4.0 * head["Shade"],
        depth=0.1 * looks.scale_size * species.length,
    )
    shader_graph.output(graph, Surface=skin["Shader"])


def _ground(graph: Graph, looks: Looks, place: Outputs) -> Term:
    """The colour below all markings: shaded from back to belly, with those of the face and the rear."""
    colour = _shading(
        graph,
        up=place["Up"],
        back=looks.back,
        side=looks.side,
        belly=looks.belly,
        back_reach=looks.back_reach,
        belly_reach=looks.belly_reach,
        softness=looks.shading_softness,
    )["Colour"]
    if looks.face_reach:
        colour = graph.mix(place["Along"].ramp(1.3 * looks.face_reach, 0.7 * looks.face_reach), colour, looks.face)
    if looks.rear_reach:
        start = 1.0 - looks.rear_reach
        colour = graph.mix(place["Along"].ramp(start - 0.06, start + 0.06), colour, looks.rear)
    return colour


def _with_markings(graph: Graph, looks: Looks, girth: float, place: Outputs, colour: Term) -> Term:
    """The pattern, patches and bands over a colour."""
    along, up = place["Along"], place["Up"]
    if looks.pattern != "none":
        amount = pattern.amount(graph, looks, girth, along, up, place["Individual"]) * pattern.window(looks, along, up)
        colour = graph.mix(amount * looks.pattern_strength, colour, looks.pattern_colour)
    if looks.patches:
        colour = _with_patches(graph, looks, girth, along, up, colour)
    for band in looks.bands:
        colour = _with_band(graph, looks, band, along, up, colour)
    return colour


def _with_patches(graph: Graph, looks: Looks, girth: float, along: Term, up: Term, colour: Term) -> Term:
    """Paint all patches as one figure, so that those that leave the skin free cut into the others."""
    distance: Term | None = None
    for x, y, length, height, slant, sign in looks.patches:
        patch = _patch(
            graph, along=along, up=up, girth=girth, place=x, level=y, length=length, height=height, slant=slant
        )["Distance"]
        if distance is None:
            distance = patch
        elif sign > 0:
            distance = distance.least(patch)
        else:
            distance = distance.most(0.0 - patch)
    assert distance is not None
    soft = 5.0 * looks.marking_softness
    if looks.patch_edge:
        colour = graph.mix((distance - looks.patch_edge).ramp(soft, -soft), colour, looks.patch_edge_colour)
    return graph.mix(distance.ramp(soft, -soft), colour, looks.patch_colour)


def _with_band(graph: Graph, looks: Looks, row: tuple, along: Term, up: Term, colour: Term) -> Term:
    place, width, slant, bend = row
    distance = _band(graph, along=along, up=up, place=place, width=width, slant=slant, bend=bend)["Distance"]
    soft = 0.5 * looks.marking_softness
    if looks.band_edge:
        colour = graph.mix((distance - looks.band_edge).ramp(soft, -soft), colour, looks.band_edge_colour)
    return graph.mix(distance.ramp(soft, -soft), colour, looks.band_colour)


@group("Artfish place", girth=0.3, wobble=0.01, variety=0.3)
def _place(graph: Graph, girth: Term, wobble: Term, variety: Term) -> dict[str, Term]:
    """Where a point lies on the skin; markings follow a place that strays a little from the flat one."""
    u, along, _ = graph.parts(graph.coordinates("UV"))
    up = 1.0 - u
    individual = individuality(graph)
    at = graph.vector(along, up * girth, individual * 40.0)
    x, y, _ = graph.parts(graph.node("ShaderNodeTexNoise", {"Vector": at, "Scale": 9.0})["Color"])
    return {
        "Along": along + (x - 0.5) * wobble * 2.0 + (individual - 0.5) * variety * 0.03,
        "Up": up + (y - 0.5) * wobble * 2.0 / girth,
        "Flat along": along,
        "Flat up": up,
        "Individual": individual,
    }


@group(
    "Artfish shading",
    up=0.5,
    back=(0.1, 0.1, 0.1),
    side=(0.5, 0.5, 0.5),
    belly=(0.8, 0.8, 0.8),
    back_reach=0.3,
    belly_reach=0.3,
    softness=0.3,
)
def _shading(
    graph: Graph, up: Term, back: Term, side: Term, belly: Term, back_reach: Term, belly_reach: Term, softness: Term
) -> dict[str, Term]:
    """Countershading: dark above, light below."""
    half = softness * 0.5
    above = up.ramp(1.0 - back_reach - half, 1.0 - back_reach + half)
    below = up.ramp(belly_reach + half, belly_reach - half)
    return {"Colour": graph.mix(above, graph.mix(below, side, belly), back)}


@group("Artfish band", along=0.5, up=0.5, place=0.5, width=0.1, slant=0.0, bend=0.0)
def _band(graph: Graph, along: Term, up: Term, place: Term, width: Term, slant: Term, bend: Term) -> dict[str, Term]:
    """Distance from a band across the body, below 0 inside it."""
    height = up - 0.5
    middle = place + slant * height + bend * (0.08 - height * height)
    return {"Distance": (along - middle).absolute() - width * 0.5}


@group("Artfish patch", along=0.5, up=0.5, girth=0.3, place=0.5, level=0.5, length=0.1, height=0.1, slant=0.0)
def _patch(
    graph: Graph, along: Term, up: Term, girth: Term, place: Term, level: Term, length: Term, height: Term, slant: Term
) -> dict[str, Term]:
    """Distance from an ellipse over its size: -1 in its middle, 0 at its edge."""
    x = along - place
    y = up - level - slant * x / girth
    return {"Distance": ((x / length) ** 2.0 + (y / height) ** 2.0).root() - 1.0}


@group("Artfish head", along=0.5, up=0.5, gill=0.24, mouth=0.05, level=0.42)
def _head(graph: Graph, along: Term, up: Term, gill: Term, mouth: Term, level: Term) -> dict[str, Term]:
    """The folds of mouth and gill cover: how deep each place lies in them, 0 to 1."""
    height = (up - 0.45) / 0.4
    behind = along - gill + 0.05 * height * height
    # The cover's edge is sharp behind and fades into the cheek ahead.
    cover = behind.ramp(-0.022, 0.0) * behind.ramp(0.007, 0.0) * height.absolute().ramp(1.0, 0.75)
    lips = (up - level - along * 0.6).absolute().ramp(0.035, 0.005) * along.ramp(mouth * 1.05, mouth * 0.85)
    return {"Shade": (cover * 0.45).most(lips)}


@group("Artfish scales", along=0.5, up=0.5, girth=0.3, size=0.02)
def _scales(graph: Graph, along: Term, up: Term, girth: Term, size: Term) -> dict[str, Term]:
    """Scales laid like tiles: each row's round edge lies over the next row, which is shifted by half a scale.

    Relief rises from 0 under the scale ahead to 1 at a scale's own edge.
    """
    x, y = along / size, up * girth / size
    rows = []
    for shift in (0.0, 0.5):
        level = ((y + shift).fraction() - 0.5) * 2.0
        rows.append((x * 0.5 + shift + 0.5 * level.absolute() ** 2.6).fraction())
    relief = rows[0].least(rows[1]) * 2.0
    # No scales on the face and in the fold of the back and the belly, where the surface runs together.
    there = along.ramp(0.16, 0.24) * up.ramp(0.0, 0.06) * up.ramp(1.0, 0.94)
    glint = graph.noise(graph.vector(x * 0.5, y), 1.0, 0.0)
    edge = relief.ramp(0.35, 0.0) * there
    return {"Relief": relief * there, "Edge": edge, "Glint": glint}


@group(
    "Artfish wet skin",
    colour=(0.5, 0.5, 0.5),
    gloss=0.6,
    silver=0.0,
    glint=0.5,
    iridescence=0.1,
    relief=0.0,
    depth=0.001,
)
def _wet_skin(
    graph: Graph,
    colour: Term,
    gloss: Term,
    silver: Term,
    glint: Term,
    iridescence: Term,
    relief: Term,
    depth: Term,
) -> dict[str, Term]:
    """Skin under a film of slime; guanine turns it to a mirror, and a little to the colours of the rainbow."""
    normal = graph.bump(relief, depth)
    facing = graph.node("ShaderNodeLayerWeight", {"Blend": 0.5, "Normal": normal})["Facing"]
    hue = 0.5 + (facing - 0.4) * iridescence * 0.25 + (glint - 0.5) * iridescence * 0.08
    shimmer = {"Hue": hue, "Value": 1.0 + (glint - 0.5) * (iridescence + silver) * 0.4, "Color": colour}
    skin = graph.node(
        "ShaderNodeBsdfPrincipled",
        {
            "Base Color": graph.node("ShaderNodeHueSaturation", shimmer)["Color"],
            "Metallic": silver,
            "Roughness": 0.5 - 0.2 * gloss - 0.1 * silver,
            "Specular IOR Level": 0.5 * gloss,
            "Coat Weight": 0.5 * gloss,
            "Coat Roughness": 0.12,
            "Normal": normal,
        },
    )
    return {"Shader": skin["BSDF"], "Colour": colour}
