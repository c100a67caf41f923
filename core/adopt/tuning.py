"""The tuned numbers of adopting: each with its unit, its reason and its source."""

from __future__ import annotations

from ..base.tuning import tuned

# Looking at a model

MODEL_SAMPLES = tuned(160_000, "points", "Spread over a model's faces, from which it is measured")
WELD_EXTENT = tuned(1e-6, "of the extent", "Vertices that lie nearer are one, as at the seams of an .obj file")

# How it lies

MIRROR_SAMPLES = tuned(2_000, "points", "By which a model is compared with its mirror image")
LONG_ASYMMETRY = tuned(0.05, "of the extent", "How little the evenness of two axes counts beside their lengths")
THIN_ACROSS = tuned(0.02, "", "What the thinness of an axis counts, where more than one mirrors the model")
SURE_ASYMMETRY = tuned(0.02, "of the extent", "How much more even the mirror plane is than others, to be sure of it")
TAPER_SURE = tuned(0.08, "lengths", "How far the thickness lies off the middle for the nose to be sure")
MODEL_UP_VOTE = tuned(0.1, "", "What it counts that models are made with their backs along +Z, or +Y in other programs")
RING_STATION = tuned(0.35, "lengths", "Station of the second ring of nodes, the origin, of every adopted species")

# What it measures

WING_LEAST_LENGTHS = tuned(
    0.18, "lengths", "Half the width of a body from which on its sides may be the wings of a ray"
)
WING_FLATNESS = tuned(1.5, "", "Half the width of such a body over its height, from which on they are")
WING_ROOT_SHARE = tuned(0.3, "of the widest", "Where the wings of a ray begin")
COLUMN_LENGTHS = tuned(0.01, "lengths", "Width of a column of the grid by which it is measured")
CELL_LENGTHS = tuned(0.005, "lengths", "Height of a cell of that grid")
BODY_SHELL_SPAN = tuned(0.35, "lengths", "Length of a connected piece from which on it is part of the body")
RIM_SHARE = tuned(0.15, "of the widest", "Half the width of a station up to which the rim of a body is a fin")
RIM_LENGTHS = tuned(0.004, "lengths", "Half the width up to which anything is a fin")
MOUTH_REGION_LENGTHS = tuned(0.2, "lengths", "From the nose, where a gap in the flank is the mouth")
BUMP_LENGTHS = tuned(0.17, "lengths", "Shorter than which a bump of the flank is a fin")
BUMP_RATIO = tuned(1.25, "", "Width of such a bump over that of the body beside it")
FIN_LEAST_LENGTHS = tuned(0.015, "lengths", "Height of a thin rim from which on it is a fin")
FIN_LEAST_SHARE = tuned(0.08, "of the body's height", "The same of a high body, whose rim is thin by itself")
SMOOTHED_COLUMNS = tuned(5, "columns", "Over which outlines are smoothed")
LAST_RING_STATIONS = tuned((0.62, 0.95), "lengths", "Between which the tail's fin may begin")
TAIL_THIN_SHARE = tuned(0.45, "of the height", "What of a station is thick, below which it is the tail's fin")
TAIL_WIDENS = tuned(1.25, "", "Height of a tail over that of its waist, from which on the waist is its root")

# Fins and eyes

EYE_STATIONS = tuned((0.01, 0.35), "lengths", "Between which eyes are looked for")
EYE_LARGEST_LENGTHS = tuned(0.16, "lengths", "Across, of what may be an eye")
EYE_ROUNDNESS = tuned(0.6, "", "Middle extent of an eye over its longest")
EYE_ALONE = tuned(0.7, "of the largest", "Size of another pair of balls, from which on both are teeth and no eyes")
EYE_FLATTEST = tuned(0.25, "", "Least extent of an eye over its longest: less is a fin")
ANAL_STATION = tuned(0.45, "lengths", "Before which fins under the belly are pelvic ones")
FIN_SHORTEST_LENGTHS = tuned(0.03, "lengths", "Root of a median fin; shorter ones are bumps")
TAIL_FLARE_LENGTHS = tuned(0.05, "lengths", "Before the tail's root, within which it only widens")
PECTORAL_STATIONS = tuned((0.08, 0.55), "lengths", "Between which pectoral fins are rooted")
PECTORAL_LEAST_LENGTHS = tuned(0.03, "lengths", "Size of what may be a pectoral fin")
FLANK_CLEARANCE_LENGTHS = tuned(0.012, "lengths", "How far off the measured flank a vertex is no more of it")
FLANK_CLEARANCE_SHARE = tuned(0.2, "of the half width", "The same of a wide body, whose section may be boxy")

# A species of it

SHORTEST_METRES = tuned(0.02, "m", "The shortest fish that a model is taken for, if nobody says its length")
LONGEST_METRES = tuned(15.0, "m", "The longest one")
RING_RATIOS = tuned((0.6, 1.6), "", "Between which a ring of nodes is as tall or wide, over that of the nearest preset")
WING_STROKE = tuned(0.12, "lengths", "How far the middle of a ray's wing swings either way")
WING_RATE = tuned(2.0, "Hz", "Strokes a second of a ray's wings at full speed, of a ray as long as its kin")
LAST_RING_LEEWAY = tuned(0.04, "lengths", "How far the last ring may lie from where that of the nearest preset does")
TRIAL_BEATS = tuned(14.0, "beats", "For which an adopted fish swims before it is let into the water")
LEAST_STRIDE_SHARE = tuned(0.75, "of its kin's", "Way ahead in a beat below which it swims badly")
TRIAL_LEAST_UP = tuned(0.9, "", "Cosine of the tilt of its back, beyond which it tumbles")

# How it is bound

CHUNK_VERTICES = tuned(50_000, "vertices", "Bound at a time, so that memory stays small")
FIN_BLEND_LENGTHS = tuned(0.03, "lengths", "Reach of a fin up to which it goes over into the body")
WING_BLEND_LENGTHS = tuned(0.2, "lengths", "The same of a ray's wing, which bends along it")
SECTION_LEAST_LENGTHS = tuned(0.02, "lengths", "Breadth and height of a section below which it has no direction")
FRAME_STATIONS = tuned((0.1, 0.9), "of the body", "Between which sections have a direction where none is so large")

# What is wrong with it

FEWEST_VERTICES = tuned(24, "vertices", "Fewer cannot bend")
MOST_VERTICES = tuned(2_000_000, "vertices", "Of a model; half a million take some seconds")
THINNEST_EXTENT = tuned(1e-3, "of its length", "Extent below which a model is a sheet")
SECOND_BODY_SHARE = tuned(0.5, "of the largest area", "From which on a piece that lies apart is another fish")
INSIDE_OUT_SHARE = tuned(-0.3, "of all", "Of the volume under its faces, that of those that look out less the others")
OPEN_SHARE = tuned(0.002, "of all edges", "At which its skin ends, from which on it is said")

# Bones of its own

BONE_LEAST_SHARE = tuned(1e-3, "", "Share in a vertex, or in all of them, below which a bone moves nothing")
OWN_PART_SHARE = tuned(0.6, "", "Of what a bone moves that is one fin or eye, from which on it goes with that")
JAW_BONE_SHARE = tuned(
    0.35, "of the most", "How far what a bone moves opens with the mouth, from which on it is the jaw"
)
BENDING_STATIONS = tuned(3, "", "Bones one behind the other without which a body does not bend")
