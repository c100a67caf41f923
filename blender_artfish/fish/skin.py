"""The skin of a fish: countershading, pattern, patches and bands, scales, the folds of relief, and a film of slime.

It is painted on the coordinates of the body's surfaces (Tu 1999, ch. 5): `along` runs from the nose (0) to the root of
the tail (1), `up` from the belly (0) to the back (1), the same on both flanks, so that the halves meet without a seam.
"""

from __future__ import annotations

from math import pi

import numpy as np

from ...core.form.surfaces import on_body, on_flank, rest_surfaces
from ...core.form.tuning import EYE_SKIN_RADII
from ...core.scene.looks import Looks
from ...core.scene.species import Species
from ..blender import shader_graph
from ..blender.shader_graph import Graph, Outputs, Term, Value, group
from . import pattern
from .individuality import individuality, tint
from .marks import freckled, pigment, scarred
from .relief import carved, in_mouth
from .scales import lateral_line, scales

SCALE_HEIGHT = 0.12
"""Greatest height of a scale's edge, over its size."""
TINY_SCALE = 0.006
"""Size in body lengths up to which a lost scale does not show."""
FLESH_LENGTHS = 0.012
"""Reach of light in flesh, in body lengths."""
SLIME_IOR = 1.2
"""Index of refraction of slime: less than a lacquer's in air, for it lies in water."""
WAVELENGTHS = 610.0, 550.0, 465.0
"""Wavelengths of red, green and blue light, nm."""
GUANINE_IOR = 1.83
"""Index of refraction of the guanine crystals that make skin silvery and iridescent."""


def paint_skin(graph: Graph, species: Species, part: str) -> None:
    """Make the tree of the skin's material from the looks of the species."""
    looks, girth = species.looks, pattern.girth(species)
    place = _place(graph, girth=girth, wobble=looks.marking_wobble, variety=looks.variety)
    along, up = place["Flat along"], place["Flat up"]
    at: dict[str, Value] = {"along": along, "up": up, "girth": girth}
    colour = _with_markings(graph, looks, girth, place, _ground(graph, looks, place))
    tile = scales(
        graph,
        size=looks.scale_size,
        taper=looks.scale_taper,
        start=looks.scale_start,
        variety=looks.scale_variety,
        **at,
    )
    colour = graph.mix(tile["Edge"] * looks.scale_edge, colour, looks.scale_edge_colour)
    relief = tile["Relief"] * looks.scale_relief
    carving = carved(graph, species)
    colour = in_mouth(graph, carving, _around_eye(graph, species, at, colour))
    folds = carving.crease * 0.8
    if looks.lateral_line:
        line = lateral_line(
            graph, size=looks.scale_size, gill=looks.gill, height=looks.lateral_up, drop=looks.lateral_drop, **at
        )
        folds = folds.most(line["Line"] * (0.6 * looks.lateral_line))
    colour = graph.mix(folds, colour, (0.25, 0.18, 0.16), "MULTIPLY")
    colour = tint(graph, colour=colour, variety=looks.variety)["Colour"]
    cells = pigment(graph, colour=colour, grain=looks.grain, **at)
    skin = _wet_skin(
        graph,
        colour=_with_marks(graph, looks, tile, at, cells["Colour"]),
        gloss=looks.gloss,
        silver=up.ramp(1.0, 1.0 - looks.back_reach) * looks.silver,
        chance=tile["Chance"],
        there=tile["There"],
        variety=looks.scale_variety,
        tone=cells["Tone"],
        iridescence=looks.iridescence,
        film=looks.film,
        relief=relief * (SCALE_HEIGHT * looks.scale_size) + carving.bump,
        depth=species.length,
        flesh=looks.flesh,
        flesh_colour=looks.flesh_colour,
        reach=FLESH_LENGTHS * species.length,
    )
    shader_graph.output(graph, Surface=skin["Shader"], Displacement=carving.displacement)


def _with_marks(graph: Graph, looks: Looks, tile: Outputs, at: dict[str, Value], colour: Term) -> Term:
    """The freckles and scars of each fish over a colour."""
    if looks.freckles:
        spots = freckled(graph, colour=colour, freckles=looks.freckles, freckle_colour=looks.freckle_colour, **at)
        colour = spots["Colour"]
    if looks.scars:
        losing = float(np.clip((looks.scale_size - TINY_SCALE) / TINY_SCALE, 0.0, 1.0))
        there = tile["There"] * losing
        colour = scarred(graph, colour=colour, scars=looks.scars, chance=tile["Other"], there=there, **at)["Colour"]
    return colour


def _around_eye(graph: Graph, species: Species, at: dict[str, Value], colour: Term) -> Term:
    """The ring of skin about an eye over a colour, and the shade of its socket."""
    looks = species.looks
    (along, up), (lengthwise, upright) = eye_on_skin(species)
    return _socket(
        graph,
        along=at["along"],
        up=at["up"],
        middle_along=along,
        middle_up=up,
        length=lengthwise,
        height=upright,
        colour=colour,
        ring=looks.eye_ring,
        ring_colour=looks.eye_ring_colour,
    )["Colour"]


def eye_on_skin(species: Species) -> tuple[tuple[float, float], tuple[float, float]]:
    """The eye's position on the skin, (along, up), and the extent of its visible edge along and up."""
    form = species.form
    left = rest_surfaces(species)["body_left"].points
    place = on_flank(species, left, form.eye_station, form.eye_height)
    spans = np.array(left.shape[:2]) - 3.0
    share = place / spans
    steps = 0.25 * np.eye(2)
    there = on_body(left, np.concatenate([place + steps, place - steps]))
    metric = np.linalg.norm(there[:2] - there[2:], axis=1) / (0.5 / spans)
    across, along = (form.eye_radius * EYE_SKIN_RADII / metric).tolist()
    return (float(share[1]), float(1.0 - share[0])), (along, across)


def _ground(graph: Graph, looks: Looks, place: Outputs) -> Term:
    """The colour below all markings: shaded from back to belly, with the markings of face and rear."""
    colour = shaded(graph, looks, place["Up"])
    if looks.face_reach:
        colour = graph.mix(place["Along"].ramp(1.3 * looks.face_reach, 0.7 * looks.face_reach), colour, looks.face)
    if looks.rear_reach:
        start = 1.0 - looks.rear_reach
        colour = graph.mix(place["Along"].ramp(start - 0.06, start + 0.06), colour, looks.rear)
    return colour


def shaded(graph: Graph, looks: Looks, up: Term) -> Term:
    """The colour of back, side or belly at a height, 0 to 1."""
    return _shading(
        graph,
        up=up,
        back=looks.back,
        side=looks.side,
        belly=looks.belly,
        back_reach=looks.back_reach,
        belly_reach=looks.belly_reach,
        softness=looks.shading_softness,
    )["Colour"]


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
    """Paint all patches as one figure, so that those that spare the skin cut into the others."""
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
    """A point's coordinates on the skin, slightly distorted for markings."""
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


@group(
    "Artfish eye socket",
    along=0.5,
    up=0.5,
    middle_along=0.1,
    middle_up=0.6,
    length=0.02,
    height=0.1,
    colour=(0.5, 0.5, 0.5),
    ring=0.3,
    ring_colour=(0.2, 0.17, 0.13),
)
def _socket(
    graph: Graph,
    along: Term,
    up: Term,
    middle_along: Term,
    middle_up: Term,
    length: Term,
    height: Term,
    colour: Term,
    ring: Term,
    ring_colour: Term,
) -> dict[str, Term]:
    """A ring of skin about the eye, darkest at the socket."""
    x, y = (along - middle_along) / length, (up - middle_up) / height
    away = (x * x + y * y).root() - 1.0
    ringed = graph.mix(away.ramp(ring, ring * 0.5) * ring.ramp(0.0, 0.05), colour, ring_colour)
    return {"Colour": graph.mix(away.ramp(0.16, -0.02) * 0.75, ringed, (0.02, 0.016, 0.014))}


@group(
    "Artfish slimy skin",
    colour=(0.5, 0.5, 0.5),
    gloss=0.6,
    silver=0.0,
    chance=0.5,
    there=1.0,
    variety=0.4,
    tone=0.5,
    iridescence=0.1,
    film=380.0,
    relief=0.0,
    depth=0.001,
    flesh=0.1,
    flesh_colour=(0.8, 0.3, 0.2),
    reach=0.005,
)
def _wet_skin(
    graph: Graph,
    colour: Term,
    gloss: Term,
    silver: Term,
    chance: Term,
    there: Term,
    variety: Term,
    tone: Term,
    iridescence: Term,
    film: Term,
    relief: Term,
    depth: Term,
    flesh: Term,
    flesh_colour: Term,
    reach: Term,
) -> dict[str, Term]:
    """Skin under a film of slime, with guanine crystals whose thickness tints their reflection.

    Slime refracts light hardly more than water, so it shines little; each scale has its own shine and tint.
    """
    normal = graph.bump(relief, depth)
    facing = graph.node("ShaderNodeLayerWeight", {"Blend": 0.5, "Normal": normal})["Facing"]
    own = (chance - 0.5) * variety * there
    thickness = film * (1.0 + own * 0.3 + (tone - 0.5) * 0.2)
    shimmer = {
        "Hue": 0.5 + ((facing - 0.4) * 0.2 + own * 0.12) * iridescence,
        "Value": 1.0 + own * (0.35 + 0.5 * silver),
        "Color": colour,
    }
    plain = graph.node("ShaderNodeHueSaturation", shimmer)["Color"]
    mirrored = graph.mix(iridescence * silver * 0.7, plain, _interference(graph, thickness, facing), "OVERLAY")
    skin = graph.node(
        "ShaderNodeBsdfPrincipled",
        {
            "Base Color": mirrored,
            "Metallic": silver * (0.85 + own),
            "Roughness": 0.56 - 0.16 * gloss - 0.1 * silver + own * 0.2 + (tone - 0.5) * 0.3,
            "Specular IOR Level": (0.2 + 0.3 * gloss) * (1.0 + own) + 0.5 * iridescence,
            "Subsurface Weight": flesh,
            "Subsurface Radius": flesh_colour,
            "Subsurface Scale": reach,
            "Coat Weight": gloss * tone.ramp(0.25, 0.75, 0.25, 0.9),
            "Coat Roughness": 0.16 + (0.5 - tone) * 0.2,
            "Coat IOR": SLIME_IOR,
            "Thin Film Thickness": thickness,
            "Thin Film IOR": 1.0 + (GUANINE_IOR - 1.0) * iridescence,
            "Normal": normal,
        },
        subsurface_method="BURLEY",
    )
    return {"Shader": skin["BSDF"], "Colour": colour}


def _interference(graph: Graph, thickness: Term, facing: Term) -> Term:
    """The colour a crystal reflects, by its thickness in nm and 1 minus the cosine of the viewing angle."""
    cosine = 1.0 - facing
    within = (1.0 - (1.0 - cosine * cosine) * GUANINE_IOR**-2).root()
    turns = thickness * within * (2.0 * GUANINE_IOR)
    # Light reflected at the denser crystal lags by half a wave.
    waves = [0.5 - 0.5 * graph.math("COSINE", turns * (2.0 * pi / length)) for length in WAVELENGTHS]
    return graph.node("ShaderNodeCombineColor").feed(waves).first
