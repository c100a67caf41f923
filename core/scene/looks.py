"""The look of a species: colours, markings, scales, fins and eyes."""

from __future__ import annotations

from dataclasses import dataclass

from ..base.declaration import choice, colour, number, vector


@dataclass(frozen=True)
class Looks:
    """Colours, markings, scales, fins and eyes.

    Places on the skin: `along` is 0 at the nose and 1 at the root of the tail, `up` is 0 on the belly and 1 on
    the back. Markings are painted in this order: shading, face, rear, pattern, patches, bands.
    """

    back: tuple = colour((0.05, 0.08, 0.12), "Colour of the back")
    side: tuple = colour((0.35, 0.38, 0.4), "Colour of the flanks")
    belly: tuple = colour((0.75, 0.75, 0.72), "Colour of the belly")
    back_reach: float = number(0.3, 0.0, 1.0, "", "Share of the flank, from above, that the back's colour covers")
    belly_reach: float = number(0.3, 0.0, 1.0, "", "Share of the flank, from below, that the belly's colour covers")
    shading_softness: float = number(0.4, 0.01, 1.0, "", "Width of the passage between these colours, of the flank")
    rear: tuple = colour((0.8, 0.6, 0.05), "Colour of the rear of the body")
    rear_reach: float = number(0.0, 0.0, 1.0, "", "Share of the body, from behind, that the rear's colour covers")
    face: tuple = colour((0.7, 0.7, 0.7), "Colour of the face")
    face_reach: float = number(0.0, 0.0, 0.5, "", "Share of the body, from the nose, that the face's colour covers")

    pattern: str = choice("none", ("none", "bars", "stripes", "spots", "mottling"), "What covers the skin all over")
    pattern_colour: tuple = colour((0.1, 0.1, 0.1), "Colour of the pattern")
    pattern_strength: float = number(1.0, 0.0, 1.0, "", "How much the pattern hides what lies under it")
    pattern_count: float = number(8.0, 0.5, 60.0, "", "Bars or spots along the body, or stripes over its height")
    pattern_width: float = number(0.4, 0.0, 1.0, "", "Share of the skin that the pattern covers")
    pattern_slant: float = number(0.0, -1.6, 1.6, "rad", "Turns the pattern; above 0 stripes rise towards the tail")
    pattern_bend: float = number(0.0, -2.0, 2.0, "", "Bends the pattern; above 0 bars bulge back and stripes sag")
    pattern_softness: float = number(0.2, 0.01, 1.0, "", "0 is a sharp edge")
    pattern_wobble: float = number(0.1, 0.0, 1.0, "", "How irregular the pattern is")
    pattern_along: tuple = vector((0.0, 1.0), -0.5, 1.5, "", "Where along the body the pattern begins and ends")
    pattern_up: tuple = vector((0.0, 1.0), -0.5, 1.5, "", "Where over the height the pattern begins and ends")

    bands: tuple = vector(
        (), -2.0, 2.0, "", "Single bands across the body: along, width, slant, bend of each", shape=(None, 4)
    )
    band_colour: tuple = colour((0.9, 0.9, 0.9), "Colour of the bands")
    band_edge_colour: tuple = colour((0.02, 0.02, 0.02), "Colour of the lines that edge the bands")
    band_edge: float = number(0.0, 0.0, 0.1, "", "Width of the lines that edge the bands")
    patches: tuple = vector(
        (),
        -2.0,
        2.0,
        "",
        "Single round patches: along, up, half length, half height, slant of each, and 1 to paint or -1 to leave free",
        shape=(None, 6),
    )
    patch_colour: tuple = colour((0.02, 0.02, 0.02), "Colour of the patches")
    patch_edge_colour: tuple = colour((0.9, 0.9, 0.9), "Colour of the lines that edge the patches")
    patch_edge: float = number(0.0, 0.0, 0.5, "", "Width of the lines that edge the patches, over the patches' size")
    marking_softness: float = number(0.02, 0.001, 0.3, "", "Width of the passage at the edge of bands and patches")
    marking_wobble: float = number(0.015, 0.0, 0.2, "", "How far the edges of bands and patches wander")

    gill: float = number(0.24, 0.05, 0.6, "", "Where along the body the gill cover ends")
    mouth: float = number(0.055, 0.0, 0.3, "", "Length of the mouth, of the body")
    mouth_up: float = number(0.42, 0.0, 1.0, "", "Height of the mouth, 0 at the belly's edge and 1 at the back's")
    scale_size: float = number(0.018, 0.002, 0.1, "lengths", "Size of a scale on the flank")
    scale_taper: float = number(0.6, 0.2, 1.0, "", "Size of the scales at the head, over that on the flank")
    scale_start: float = number(0.2, 0.0, 0.6, "", "Share of the body, from the nose, that is bare of scales")
    scale_variety: float = number(0.4, 0.0, 1.0, "", "How much one scale differs from the next in tint, tilt and shine")
    scale_relief: float = number(0.4, 0.0, 1.0, "", "How much the scales stand out")
    scale_edge: float = number(0.15, 0.0, 1.0, "", "How much the scales' edges show in their own colour")
    scale_edge_colour: tuple = colour((0.05, 0.05, 0.05), "Colour of the scales' edges")
    lateral_line: float = number(0.4, 0.0, 1.0, "", "How much the lateral line shows")
    lateral_up: float = number(0.68, 0.0, 1.0, "", "Height of the lateral line behind the gill cover, 1 at the back")
    lateral_drop: float = number(0.15, -0.5, 0.5, "", "How far the lateral line comes down on its way to the tail")
    gloss: float = number(0.6, 0.0, 1.0, "", "How wet the skin shines")
    silver: float = number(0.0, 0.0, 1.0, "", "How much flanks and belly mirror the water")
    iridescence: float = number(0.1, 0.0, 1.0, "", "How much the colours shimmer with the angle of view")
    film: float = number(380.0, 150.0, 1000.0, "nm", "Thickness of the crystals that the colours shimmer by")
    flesh: float = number(0.1, 0.0, 1.0, "", "How much light enters the flesh and comes out beside where it went in")
    flesh_colour: tuple = colour((0.8, 0.3, 0.2), "Colour of the light that has gone through flesh")
    grain: float = number(0.25, 0.0, 1.0, "", "How uneven the colours are up close, by the cells that have the pigment")
    freckles: float = number(0.0, 0.0, 1.0, "", "How many small spots each fish has of its own")
    freckle_colour: tuple = colour((0.03, 0.025, 0.02), "Colour of these spots")
    scars: float = number(0.15, 0.0, 1.0, "", "How many scratches and worn places each fish has of its own")

    dorsal: tuple = colour((0.3, 0.3, 0.3), "Colour of the dorsal fin")
    ventral: tuple = colour((0.3, 0.3, 0.3), "Colour of the ventral fin")
    caudal: tuple = colour((0.3, 0.3, 0.3), "Colour of the caudal fin")
    pectoral: tuple = colour((0.5, 0.5, 0.5), "Colour of the pectoral fins")
    fin_edge_colour: tuple = colour((0.05, 0.05, 0.05), "Colour of the fins' outer edge")
    fin_edge: float = number(0.0, 0.0, 1.0, "", "Share of a fin, from its outer edge, that the edge's colour covers")
    fin_pattern: float = number(0.0, 0.0, 1.0, "", "How much of the body's pattern goes on over dorsal and ventral fin")
    fin_clarity: float = number(0.4, 0.0, 1.0, "", "How clear the skin between the rays is")
    pectoral_clarity: float = number(0.6, 0.0, 1.0, "", "How clear it is in the pectoral fins")
    fin_clear: float = number(0.6, 0.0, 1.0, "", "How much clearer fins are at their outer edge than at their root")
    fin_rays: float = number(16.0, 3.0, 60.0, "", "Rays of a fin")
    fin_ray_shade: float = number(0.35, -1.0, 1.0, "", "How much darker rays are than the skin between; else paler")
    fin_fray: float = number(0.3, 0.0, 1.0, "", "How ragged and torn the outer edge of fins is")
    fin_flesh: float = number(0.2, 0.0, 1.0, "", "Share of a fin, from its root, over which the body's skin goes up it")

    iris: tuple = colour((0.6, 0.5, 0.2), "Colour of the iris")
    iris_rim: tuple = colour((0.08, 0.06, 0.04), "Colour of the iris towards its outer edge")
    pupil: float = number(0.5, 0.1, 0.9, "", "Width of the pupil, over that of the eye as it is seen")
    pupil_ring: float = number(0.12, 0.0, 0.5, "", "Width of the ring about the pupil, over the radius of the eye")
    pupil_ring_colour: tuple = colour((0.9, 0.75, 0.4), "Colour of that ring")
    eye_ring: float = number(0.3, 0.0, 1.5, "", "Width of the ring of skin about the eye, over the eye's radius")
    eye_ring_colour: tuple = colour((0.2, 0.17, 0.13), "Colour of that ring of skin")
    variety: float = number(0.3, 0.0, 1.0, "", "How much one fish differs from the next in tint and markings")
