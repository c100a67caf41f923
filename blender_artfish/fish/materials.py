"""What a fish looks like: materials of a species for skin, fins and eyes, from the numbers of its `Looks`.

The skin is painted on the coordinates of the body's surfaces (Tu 1999, ch. 5): `along` runs from the nose (0) to
the root of the tail (1), `up` from the belly (0) to the back (1), the same on both flanks, so that the halves meet
without a seam. Every step of the painting is a node group that all species share; a species sets its inputs.
One fish differs from the next by the custom property `individual` of its objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import bpy
import numpy as np

from ...core.scene.species import Looks, Species
from ..blender import shader_graph
from ..blender.shader_graph import Graph, Term, group
from ..identity import provenance

INDIVIDUAL = "individual"
"""Custom property of a fish's objects, 0 to 1, that the materials read."""

PARTS = {
    "body_left": "skin",
    "body_right": "skin",
    "dorsal": "dorsal",
    "ventral": "ventral",
    "caudal": "caudal",
    "pectoral_left": "pectoral",
    "pectoral_right": "pectoral",
    "eye_left": "eye",
    "eye_right": "eye",
}
"""The material that each object of a fish wears."""

FINS = ("dorsal", "ventral", "caudal", "pectoral")


Worn = tuple[set[bpy.types.Material], set[bpy.types.Material]]


def looks_of(species: Species) -> str:
    """What the materials of a species depend on, as a short text."""
    told = species.to_dict()
    return provenance.digest([told["looks"], told["form"], told["length"]])


def species_materials(species: Species, scene: bpy.types.Scene | None = None) -> dict[str, bpy.types.Material]:
    """The materials of a species, made once in a file; for a scene where it looks otherwise than in others, once more.

    Returns:
        Materials by "skin", "dorsal", "ventral", "caudal", "pectoral" and "eye".
    """
    return dict(making(species, scene))


def making(species: Species, scene: bpy.types.Scene | None = None) -> Iterator[tuple[str, bpy.types.Material]]:
    """The same, one after the other."""
    found = there(species, scene)
    for part in _PAINTERS:
        yield part, found.get(part) or _made(species, part)


def there(species: Species, scene: bpy.types.Scene | None = None) -> dict[str, bpy.types.Material]:
    """Those of them that are there."""
    return _found(species.name, looks_of(species), _worn(scene))


def retouch(species: Species, scene: bpy.types.Scene | None = None) -> None:
    """Bring those materials of a species that are in the file up to date with its looks, where they show others.

    Args:
        species: The species.
        scene: Where it looks so; what fishes of other scenes wear stays as it is. All, if left out.
    """
    looks, worn = looks_of(species), _worn(scene)
    for part, material in _found(species.name, looks, worn).items():
        if material.get(provenance.LOOKS) == looks:
            continue
        own = _parted(material, scene) if material in worn[1] else material
        paint = _PAINTERS[part]
        shader_graph.retouch(own, lambda graph, part=part, paint=paint: paint(graph, species, part))  # type: ignore
        _show(own, species.looks, part)
        own[provenance.LOOKS] = looks


def rename(before: str, name: str, scene: bpy.types.Scene) -> None:
    """Let the materials of a species in a scene go by another name, unless there are such already."""
    worn = _worn(scene)
    for part, material in _found(before, "", worn).items():
        if f"{name} {part}" not in bpy.data.materials:
            (_parted(material, scene) if material in worn[1] else material).name = f"{name} {part}"


def _worn(scene: bpy.types.Scene | None) -> Worn:
    """The materials of objects of a scene, and those of objects that are in others alone."""
    here = set(scene.objects if scene else bpy.data.objects)
    others = {thing for each in bpy.data.scenes for thing in each.objects} - here
    mine, theirs = ({slot.material for thing in things for slot in thing.material_slots} for things in (here, others))
    return mine, theirs


def _found(name: str, looks: str, worn: Worn) -> dict[str, bpy.types.Material]:
    """The materials of a species for a scene: what is worn there, or else looks so, or else is worn in no other.

    Those of other files, which nothing here can colour, are not among them.
    """
    mine, theirs = worn
    found: dict[str, list[bpy.types.Material]] = {f"{name} {part}": [] for part in _PAINTERS}
    for material in [each for each in bpy.data.materials if each.library is None]:
        same = material.get(provenance.LOOKS) == looks
        if provenance.plain(material.name) in found and (material in mine or same or material not in theirs):
            found[provenance.plain(material.name)].append(material)

    def rank(material: bpy.types.Material) -> tuple[bool, bool, str]:
        other = material not in mine
        return other, other and material.get(provenance.LOOKS) != looks, material.name

    return {part: min(every, key=rank) for part, every in zip(_PAINTERS, found.values(), strict=True) if every}


def _parted(material: bpy.types.Material, scene: bpy.types.Scene | None) -> bpy.types.Material:
    """A copy of a material that all objects of a scene wear in its stead; those of other scenes keep theirs."""
    own = material.copy()
    for thing in scene.objects if scene else ():
        for slot in thing.material_slots:
            if slot.material == material:
                slot.material = own
    return own


def _made(species: Species, part: str) -> bpy.types.Material:
    material, graph = shader_graph.material(f"{species.name} {part}")
    _PAINTERS[part](graph, species, part)
    _show(material, species.looks, part)
    material[provenance.LOOKS] = looks_of(species)
    return material


def _show(material: bpy.types.Material, looks: Looks, part: str) -> None:
    """The colour in a viewport that draws no shaders."""
    colour = {"skin": looks.side, "eye": looks.iris}.get(part) or getattr(looks, part)
    material.diffuse_color = (*colour, 1.0)


def dress(fish_objects: Mapping[str, bpy.types.Object], wear: Mapping[str, bpy.types.Material], seed: int) -> None:
    """Give the objects of one fish their materials and their individuality.

    Args:
        fish_objects: Its objects by the names in `PARTS`.
        wear: The materials of its species, as `species_materials` gives them.
        seed: Draws how this fish differs from others of its species.
    """
    individual = float(np.random.default_rng(seed).random())
    for name, thing in fish_objects.items():
        thing[INDIVIDUAL] = individual
        if not thing.data.materials:
            thing.data.materials.append(None)
        # On the object, so that fishes may share a mesh for their eyes.
        thing.material_slots[0].link = "OBJECT"
        thing.material_slots[0].material = wear[PARTS[name]]


def _skin(graph: Graph, species: Species, part: str) -> None:
    looks = species.looks
    girth = _girth(species)
    place = _place(graph, girth=girth, wobble=looks.marking_wobble, variety=looks.variety)
    along, up = place["Along"], place["Up"]
    colour = _shading(
        graph,
        up=up,
        back=looks.back,
        side=looks.side,
        belly=looks.belly,
        back_reach=looks.back_reach,
        belly_reach=looks.belly_reach,
        softness=looks.shading_softness,
    )["Colour"]
    if looks.face_reach:
        colour = graph.mix(along.ramp(1.3 * looks.face_reach, 0.7 * looks.face_reach), colour, looks.face)
    if looks.rear_reach:
        start = 1.0 - looks.rear_reach
        colour = graph.mix(along.ramp(start - 0.06, start + 0.06), colour, looks.rear)
    if looks.pattern != "none":
        amount = _pattern(graph, looks, girth, along, up, place["Individual"]) * _window(looks, along, up)
        colour = graph.mix(amount * looks.pattern_strength, colour, looks.pattern_colour)
    if looks.patches:
        colour = _with_patches(graph, looks, girth, along, up, colour)
    for band in looks.bands:
        colour = _with_band(graph, looks, band, along, up, colour)
    scales = _scales(graph, along=place["Flat along"], up=place["Flat up"], girth=girth, size=looks.scale_size)
    colour = graph.mix(scales["Edge"] * looks.scale_edge, colour, looks.scale_edge_colour)
    head = _head(
        graph, along=place["Flat along"], up=place["Flat up"], gill=looks.gill, mouth=looks.mouth, level=looks.mouth_up
    )
    colour = graph.mix(head["Shade"], colour, (0.25, 0.18, 0.16), "MULTIPLY")
    skin = _wet_skin(
        graph,
        colour=_tint(graph, colour=colour, variety=looks.variety)["Colour"],
        gloss=looks.gloss,
        silver=place["Flat up"].ramp(1.0, 1.0 - looks.back_reach) * looks.silver,
        glint=scales["Glint"],
        iridescence=looks.iridescence,
        relief=scales["Relief"] * looks.scale_relief - 4.0 * head["Shade"],
        depth=0.1 * looks.scale_size * species.length,
    )
    shader_graph.output(graph, Surface=skin["Shader"])


def _fin(graph: Graph, species: Species, part: str) -> None:
    looks = species.looks
    u, v, _ = graph.parts(graph.coordinates("UV"))
    across, out = (u, v) if part == "caudal" else (v, u)
    colour: shader_graph.Value = getattr(looks, part)
    if part in ("dorsal", "ventral") and looks.pattern != "none" and looks.fin_pattern:
        # The median fins carry the pattern on where the body's back or belly leaves it.
        up = 1.0 + 0.4 * out if part == "dorsal" else -0.4 * out
        amount = _pattern(graph, looks, _girth(species), 0.25 + 0.7 * across, up, 0.5)
        colour = graph.mix(amount * looks.pattern_strength * looks.fin_pattern, colour, looks.pattern_colour)
    fin = _membrane(
        graph,
        across=across,
        out=out,
        colour=_tint(graph, colour=colour, variety=looks.variety)["Colour"],
        edge_colour=looks.fin_edge_colour,
        edge=looks.fin_edge,
        clarity=looks.fin_clarity,
        rays=looks.fin_rays,
        depth=0.003 * species.length,
    )
    shader_graph.output(graph, Surface=fin["Shader"])


def _eye(graph: Graph, species: Species, part: str) -> None:
    eye = _eyeball(graph, iris=species.looks.iris, pupil=species.looks.pupil)
    shader_graph.output(graph, Surface=eye["Shader"])


_PAINTERS = {"skin": _skin} | dict.fromkeys(FINS, _fin) | {"eye": _eye}
"""What makes each material's tree."""


def _girth(species: Species) -> float:
    """Way over the flank from belly to back where the body is highest, in body lengths."""
    back, belly = np.array(species.form.back), np.array(species.form.belly)
    return 1.1 * float(back[:, 1].max() - belly[:, 1].min())


def _window(looks: Looks, along: Term, up: Term) -> Term:
    """Where the pattern is, 0 to 1."""
    (begin, end), (low, high) = looks.pattern_along, looks.pattern_up
    lengthwise = along.ramp(begin - 0.03, begin + 0.03) * along.ramp(end + 0.03, end - 0.03)
    return lengthwise * up.ramp(low - 0.05, low + 0.05) * up.ramp(high + 0.05, high - 0.05)


def _pattern(
    graph: Graph,
    looks: Looks,
    girth: float,
    along: shader_graph.Value,
    up: shader_graph.Value,
    individual: shader_graph.Value,
) -> Term:
    """How much the pattern covers a place, 0 to 1."""
    common = {
        "along": along,
        "up": up,
        "girth": girth,
        "count": looks.pattern_count,
        "width": looks.pattern_width,
        "softness": looks.pattern_softness,
        "wobble": looks.pattern_wobble,
        "individual": individual,
    }
    if looks.pattern == "mottling":
        return _mottling(graph, **common)["Amount"]
    if looks.pattern == "spots":
        return _spots(graph, **common)["Amount"]
    lines = _bars if looks.pattern == "bars" else _stripes
    return lines(graph, slant=looks.pattern_slant, bend=looks.pattern_bend, **common)["Amount"]


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


def _individual(graph: Graph) -> Term:
    return graph.node("ShaderNodeAttribute", attribute_type="OBJECT", attribute_name=INDIVIDUAL)["Fac"]


@group("Artfish place", girth=0.3, wobble=0.01, variety=0.3)
def _place(graph: Graph, girth: Term, wobble: Term, variety: Term) -> dict[str, Term]:
    """Where a point lies on the skin; markings follow a place that strays a little from the flat one."""
    u, along, _ = graph.parts(graph.coordinates("UV"))
    up = 1.0 - u
    individual = _individual(graph)
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


_PATTERN = {
    "along": 0.5,
    "up": 0.5,
    "girth": 0.3,
    "count": 8.0,
    "width": 0.4,
    "softness": 0.2,
    "wobble": 0.1,
    "individual": 0.5,
}


def _lines(graph: Graph, phase: Term, stray: Term, width: Term, softness: Term, wobble: Term) -> dict[str, Term]:
    """Lines one unit of phase apart, led astray by noise."""
    wave = ((phase + (stray - 0.5) * wobble * 2.5).fraction() - 0.5).absolute() * 2.0
    half = softness * 0.5
    return {"Amount": wave.ramp(width + half, width - half)}


@group("Artfish stripes", slant=0.0, bend=0.0, **_PATTERN)
def _stripes(
    graph: Graph,
    slant: Term,
    bend: Term,
    along: Term,
    up: Term,
    girth: Term,
    count: Term,
    width: Term,
    softness: Term,
    wobble: Term,
    individual: Term,
) -> dict[str, Term]:
    """Stripes along the body, `count` over its height."""
    rise = (along - 0.5) * slant / girth + (along - 0.5) * (along - 0.5) * bend
    stray = graph.noise(graph.vector(along * 2.0, up * 3.0 * girth, individual * 30.0), 3.0)
    return _lines(graph, (up - rise) * count, stray, width, softness, wobble)


@group("Artfish bars", slant=0.0, bend=0.0, **_PATTERN)
def _bars(
    graph: Graph,
    slant: Term,
    bend: Term,
    along: Term,
    up: Term,
    girth: Term,
    count: Term,
    width: Term,
    softness: Term,
    wobble: Term,
    individual: Term,
) -> dict[str, Term]:
    """Bars across the body, `count` along it."""
    height = up - 0.5
    lean = height * slant * girth - height * height * bend
    stray = graph.noise(graph.vector(along, up * 1.5 * girth, individual * 30.0), 4.0)
    return _lines(graph, (along - lean) * count, stray, width, softness, wobble)


@group("Artfish spots", **_PATTERN)
def _spots(
    graph: Graph,
    along: Term,
    up: Term,
    girth: Term,
    count: Term,
    width: Term,
    softness: Term,
    wobble: Term,
    individual: Term,
) -> dict[str, Term]:
    """Round spots, `count` along the body."""
    at = graph.vector(along, up * girth, individual * 30.0)
    cells = {"Vector": at, "Scale": count, "Randomness": 0.4 + 0.6 * wobble}
    # The squared share of a spot of this radius in its cell of side 1.
    radius = (width * 0.32).root()
    distance = graph.node("ShaderNodeTexVoronoi", cells, voronoi_dimensions="2D")["Distance"]
    size = radius * (0.6 + 0.8 * graph.noise(at, count * 0.7))
    return {"Amount": distance.ramp(size * (1.0 + softness), size * (1.0 - softness))}


@group("Artfish mottling", **_PATTERN)
def _mottling(
    graph: Graph,
    along: Term,
    up: Term,
    girth: Term,
    count: Term,
    width: Term,
    softness: Term,
    wobble: Term,
    individual: Term,
) -> dict[str, Term]:
    """Blotches, about `count` along the body, ragged as they wobble."""
    at = graph.vector(along, up * girth * 0.8, individual * 30.0)
    cloud = graph.noise(at, count, 1.0) + (graph.noise(at, count * 4.0, 3.0) - 0.5) * wobble
    edge = 0.7 - 0.4 * width
    half = softness * 0.15
    return {"Amount": cloud.ramp(edge - half, edge + half)}


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


@group("Artfish tint", colour=(0.5, 0.5, 0.5), variety=0.3)
def _tint(graph: Graph, colour: Term, variety: Term) -> dict[str, Term]:
    """What makes one fish a little paler, darker or warmer than the next."""
    individual = _individual(graph)
    other = (individual * 7.31).fraction()
    hue = 0.5 + (individual - 0.5) * variety * 0.06
    value = 1.0 + (other - 0.5) * variety * 0.5
    inputs = {"Hue": hue, "Saturation": 1.0, "Value": value, "Color": colour}
    return {"Colour": graph.node("ShaderNodeHueSaturation", inputs)["Color"]}


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
    return {"Shader": skin["BSDF"]}


@group(
    "Artfish fin",
    across=0.5,
    out=0.5,
    colour=(0.5, 0.5, 0.5),
    edge_colour=(0.1, 0.1, 0.1),
    edge=0.0,
    clarity=0.4,
    rays=16.0,
    depth=0.001,
)
def _membrane(
    graph: Graph,
    across: Term,
    out: Term,
    colour: Term,
    edge_colour: Term,
    edge: Term,
    clarity: Term,
    rays: Term,
    depth: Term,
) -> dict[str, Term]:
    """Skin between rays, that lets light through and is frayed where it ends."""
    wave = ((across * rays).fraction() - 0.5).absolute() * 2.0
    # A ray splits in two on its way out.
    split = ((across * rays * 2.0).fraction() - 0.5).absolute() * 2.0
    forked = wave + (split - wave) * out.ramp(0.45, 0.75)
    ray = forked.ramp(0.45, 0.9)
    at_edge = out.ramp(1.0 - edge - 0.05, 1.0 - edge + 0.05) * edge.ramp(0.0, 0.01)
    paint = graph.mix(at_edge, graph.mix(ray * 0.35, colour, (0.0, 0.0, 0.0), "MULTIPLY"), edge_colour)
    skin = graph.node(
        "ShaderNodeBsdfPrincipled",
        {
            "Base Color": paint,
            "Roughness": 0.45,
            "Specular IOR Level": 0.3,
            "Normal": graph.bump(ray, depth),
        },
    )["BSDF"]
    through = graph.node("ShaderNodeBsdfTranslucent", {"Color": paint})["BSDF"]
    clear = graph.node("ShaderNodeBsdfTransparent", {"Color": graph.mix(0.5, paint, (1.0, 1.0, 1.0))})["BSDF"]
    lit = graph.blend(0.5, skin, through)
    thin = clarity * (0.35 + 0.65 * out) * (1.0 - 0.75 * ray) * (1.0 - 0.6 * at_edge)
    frayed = (out + 0.04 * (1.0 - forked)).ramp(0.995, 1.0)
    gone = graph.node("ShaderNodeBsdfTransparent")["BSDF"]
    return {"Shader": graph.blend(frayed, graph.blend(thin, lit, clear), gone)}


@group("Artfish eye", iris=(0.6, 0.5, 0.2), pupil=0.5)
def _eyeball(graph: Graph, iris: Term, pupil: Term) -> dict[str, Term]:
    """A round pupil in a metallic iris under a clear cornea, looking along the eye's own z."""
    at = graph.coordinates("Object")
    outward = graph.node("ShaderNodeVectorMath", {}, operation="NORMALIZE").feed([at])["Vector"]
    x, y, _ = graph.parts(outward)
    radius = (x * x + y * y).root()
    fibres = graph.noise(graph.vector(x / (radius + 0.05), y / (radius + 0.05), radius * 0.3), 6.0)
    shade = radius.ramp(0.95, 0.55, 0.25, 1.0) * (0.55 + 0.9 * fibres)
    ring = graph.mix(radius.ramp(pupil + 0.1, pupil + 0.03) * 0.7, iris, (1.0, 0.95, 0.8))
    colour = graph.mix(1.0, ring, graph.node("ShaderNodeCombineColor").feed([shade, shade, shade]).first, "MULTIPLY")
    black = radius.ramp(pupil + 0.02, pupil - 0.02)
    eye = graph.node(
        "ShaderNodeBsdfPrincipled",
        {
            "Base Color": graph.mix(black, colour, (0.002, 0.002, 0.003)),
            "Metallic": 0.4 - 0.4 * black,
            "Roughness": 0.35,
            "Coat Weight": 1.0,
            "Coat Roughness": 0.02,
        },
    )
    return {"Shader": eye["BSDF"]}
