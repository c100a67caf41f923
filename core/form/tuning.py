"""The tuned numbers of the surfaces: each with its unit, its reason and its source."""

from __future__ import annotations

from ..base.tuning import tuned

ROOT_DEPTH_LENGTHS = tuned(
    0.001, "body lengths", "How deep roots of dorsal and ventral fin lie under the body's edge: no light shows between"
)

# The mouth opens (Tu 1999, §7.9.1)

JAW_REACH_MOUTHS = tuned(1.6, "lengths of the mouth", "Reach of the lower jaw from the nose")
LIP_FLANK_SHARE = tuned(0.15, "of the flank", "Over which the moving jaw goes over into the still one")
JAW_DROP_REACHES = tuned(0.6, "reaches of the jaw", "How far a wide open jaw comes down")
JAW_THRUST_REACHES = tuned(0.2, "reaches of the jaw", "How far it comes forward then")

# What is seen of a living fish

FOLDED_ANGLE = tuned(1.2, "rad", "Off the upright of its root, at which a ray of a median fin lies flat")
GILL_REACH = tuned(0.14, "of the body", "From the edge of a gill cover ahead to where it is hinged")
BREATH_PEAK = tuned(1.6, "rad", "Of a breath, by which the mouth is ahead of the gill covers", "Hughes & Shelton 1958")
GIVING_SPEED = tuned(2.5, "lengths/s", "Of the tail sideways, at which its rear edge trails seven tenths of its most")
TUCKED_SPREAD = tuned(0.05, "rad", "How far a pectoral fin stands off the flank that is laid on it")

# Poses that stand for others

POSE_AXES_SHARE = tuned(
    0.999, "of the squares", "Of where vertices are, that the axes hold on which poses are compared"
)
