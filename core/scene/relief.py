"""The relief of a fish's surfaces: gill covers, mouth, nostrils, eyes, ridges, fin rays."""

from __future__ import annotations

from dataclasses import dataclass

from ..base.declaration import integer, number


@dataclass(frozen=True)
class Relief:
    """Features of the surfaces that are finer than their control points; heights and widths in body lengths.

    Where gill covers end and where mouths are is said with the looks (`gill`, `mouth`, `mouth_up`), as they are
    painted as well.
    """

    gill_edge: float = number(0.005, 0.0, 0.03, "lengths", "How far the rear edge of the gill cover stands out")
    gill_height: float = number(0.7, 0.02, 1.0, "", "Height of the gill opening, over that of the flank")
    gill_bow: float = number(0.05, 0.0, 0.3, "", "How far the gill opening is bowed back, of the body")
    gill_slits: int = integer(0, 0, 7, "", "Open gill slits, as a shark has; 0 for a gill cover")
    cheek: float = number(0.003, -0.02, 0.03, "lengths", "How far the cheeks bulge")
    cheek_edge: float = number(0.0015, 0.0, 0.02, "lengths", "Depth of the groove between cheek and gill cover")
    brow: float = number(0.0, -0.02, 0.03, "lengths", "How far the brows over the eyes stand out")

    lips: float = number(0.004, 0.0, 0.03, "lengths", "How far the lips stand out")
    lip_width: float = number(0.01, 0.001, 0.05, "lengths", "Width of a lip")
    jaw_bone: float = number(0.001, 0.0, 0.02, "lengths", "How far the plate of the upper jaw stands out")
    mouth_slant: float = number(-0.05, -0.5, 0.5, "", "How far the mouth rises to its corner, of the flank")
    mouth_under: float = number(
        0.0, 0.0, 0.3, "", "Where the mouth begins under the snout, of the body; 0 at its tip, as most fishes have it"
    )
    mouth_depth: float = number(0.015, 0.0, 0.1, "lengths", "How deep one sees into a mouth that is wide open")

    nostril: float = number(0.0035, 0.0, 0.02, "lengths", "Radius of the nostrils")
    eye_rim: float = number(0.12, 0.0, 0.5, "", "How far the rim of the eye socket stands out, over the eye's radius")

    back_ridge: float = number(0.0, -0.02, 0.03, "lengths", "Height of the ridge along the back; less than 0 a furrow")
    belly_ridge: float = number(
        0.0, -0.02, 0.03, "lengths", "Height of the keel along the belly; less than 0 flattens it"
    )
    tail_keel: float = number(0.0, 0.0, 0.03, "lengths", "Height of the keels on either side of the tail's root")

    fin_ray: float = number(0.001, 0.0, 0.01, "lengths", "How far the rays stand out of the fins; 0 for fins without")
    fin_fork: float = number(0.35, 0.0, 1.0, "", "Where on their way out rays begin to fork; 1 for rays that do not")
    dorsal_spines: int = integer(0, 0, 30, "", "Stiff spines in front of the dorsal fin, as perches have them")
    dorsal_spiny: float = number(0.5, 0.0, 1.0, "", "Share of the dorsal fin, from its front, where those spines are")
    ventral_spines: int = integer(0, 0, 12, "", "Stiff spines in front of the ventral fin")
    spine: float = number(0.004, 0.0005, 0.02, "lengths", "Thickness of a spine at its root")
    spine_notch: float = number(0.2, 0.0, 0.9, "", "How deep the skin behind a spine is cut in, of the fin's height")


NO_RELIEF = Relief(
    gill_edge=0.0,
    cheek=0.0,
    cheek_edge=0.0,
    lips=0.0,
    jaw_bone=0.0,
    mouth_depth=0.0,
    nostril=0.0,
    eye_rim=0.0,
    fin_ray=0.0,
)
"""Relief of surfaces that are as their control points have them."""
