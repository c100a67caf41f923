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

# The relief of the body

GILL_MIDDLE = tuned(0.37, "of the flank", "Height of the middle of the gill opening, from the belly")
GILL_PLATE_LENGTHS = tuned(0.06, "body lengths", "Over which a gill cover rises to its edge")
GILL_STEP_LENGTHS = tuned(0.004, "body lengths", "Over which its edge falls to the flank")
GILL_TURN = tuned(2.2, "", "How much more than the gill opening the groove before the cover is bowed")
CHEEK_SHARE = tuned(0.3, "of the head", "From the rear edge of the gill cover ahead to the groove behind the cheek")
SLIT_SPACING_GILLS = tuned(0.085, "of the head", "From one gill slit to the next")
POLE_SHARE = tuned(0.006, "of the body", "Behind the nose, where all rows meet, over which the relief begins")
LIP_TIP_WIDTHS = tuned(1.6, "widths of a lip", "From the tip of the snout to where the lips are as high as they get")
LIP_CREST = tuned(0.5, "widths of a lip", "From the line between shut lips to where they are highest: they touch")
LIP_WANES = tuned(0.45, "of the mouth", "From its middle, beyond which lips wane towards its corner")
SLIT_DEPTH_LIPS = tuned(0.4, "of the lips", "Depth of the line between shut lips")
SLIT_LENGTHS = tuned(0.0028, "body lengths", "Half the width of the line between shut lips")
MOUTH_OPENING_LIPS = tuned(0.95, "widths of a lip", "From between the lips to where the inside of an open mouth ends")
JAW_BONE_MOUTHS = tuned(0.62, "lengths of the mouth", "Half the length of the plate of the upper jaw")
NOSTRIL_SHARES = tuned((0.5, 0.68), "of the way", "From the snout to the eye, where the nostrils are")
EYE_SKIN_RADII = tuned(0.742, "radii of the eye", "Where an eye that is two thirds sunk comes out of the skin")
CORNEA_RADII = tuned(0.12, "radii of the eye", "How far the cornea bulges out of the eyeball")
CORNEA_ANGLE = tuned(0.95, "rad", "From the middle of the pupil to where the bulge ends")
RIDGE_FLANK_SHARE = tuned(0.09, "of the flank", "Over which a ridge goes down to it")
KEEL_HALF_WIDTH = tuned(0.12, "of the flank", "Half the height of the keel of a tail's root")

# The relief of fins

RAY_HALF_WIDTH = tuned(0.15, "gaps", "Half the width of a ray at its root, over the distance from one to the next")
RAY_STRAY = tuned(0.22, "gaps", "How far rays are from evenly spaced")
RAY_TIP_SHARE = tuned(0.4, "of the root's", "Height of a ray at the outer edge of the fin")
SPINE_TIP_SHARE = tuned(0.15, "of the root's", "Thickness of a spine at its tip")
JOINT_HEIGHTS = tuned(30, "a fin", "Joints of a ray")
JOINT_DEPTH_SHARE = tuned(0.35, "of a ray", "Depth of its joints")
ROOT_COVER = tuned(0.08, "of the fin", "Over which rays come out of the body's skin")
ANAL_SPINE_RAYS = tuned(1.1, "gaps", "From one spine of the ventral fin to the next, in distances of rays")
SHOULDER_SHARE = tuned(0.22, "of the fin", "From the root of a pectoral fin to where it is as broad as it gets")
