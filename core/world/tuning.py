"""The tuned numbers of the world: each with its unit, why it is so, and whose it is."""

from __future__ import annotations

import numpy as np

from ..base.tuning import tuned

# Bodies

BLOCK_FISHES = tuned(200, "fishes", "Most that are moved together: with more, many cost less, but few cost more")
THICK_FLUID = tuned(2.0, "", "Factor on the forces of the water beyond which steps are shorter: its drag is stiff, too")
SWIFT_SHARE = tuned(1.05, "", "Beats over those at full speed, beyond which a fish is moved by finer steps")

# Strokes within a frame

FRAME_SHARE = tuned(
    1 / 3, "beats a frame", "Beats beyond which frames show another stroke than there is: half a beat shows none at all"
)
BEAT_SAMPLES = tuned(
    8.0, "1/beat", "Samples in the fastest beat: a spline through them is off by a thousandth of its amplitude"
)
MOST_FRAME_PARTS = tuned(16, "1/frame", "The most in a frame, which bounds a recording at few frames a second")

# Contact between fishes

CONTACT_SOFTNESS = tuned(0.4, "", "Share of the depth of a contact between fishes that is left after a frame")
MOST_TURNED_LENGTHS = tuned(0.3, "lengths", "Of a node about the middle in a frame, which bends no body out of shape")
FASTEST_BLOW = tuned(5.0, "lengths/s", "That a blow makes a node turn about the middle")
SWIFTEST_YIELD = tuned(10.0, "lengths/s", "At which fishes that overlap come apart; a start in a heap is no explosion")
THINNEST_LENGTHS = tuned(0.01, "lengths", "Radius of the nose and of what has no breadth")

# Containment

CONTACT_ROUNDS = tuned(4, "", "Obstacles between which a fish may be wedged, of which each in turn pushes it out")
SWEPT_ROUNDS = tuned(6, "", "Pushes by what has moved through a fish, half of which turn it, before it goes along")
STARTLING_BLOW = tuned(0.5, "lengths/s", "Speed at which what moves hits a fish, from which on that is a fright")
WEDGED_ROUNDS = tuned(24, "", "Such pushes where rocks and hills may close in on a fish at any angle")
LEAST_LEVEL_LENGTHS = tuned(
    0.1, "lengths", "From nose to tail as seen from above: who stands on its head has no heading"
)
LONGEST_SPAN_LENGTHS = tuned(
    1.2, "lengths", "That a body reaches from wall to wall at most: narrower tanks turn it along"
)
TORN_LENGTHS = tuned(1.5, "lengths", "From the middle of a body to its ends; a sound one has two thirds of one at most")

# Righting

UPRIGHT_COSINE = tuned(0.2, "", "Of the angle that a back may lean from the upright before a fish rights itself")
RIGHTING_RATE = tuned(6.0, "rad/s", "At which a fish turns its back up: from belly up in half a second")
RIGHTING_SECONDS = tuned(0.1, "s", "In which it comes to turn so")

# Lives

GROWING_STEP_SECONDS = tuned(0.125, "s", "Of the film, from one step of growth to the next: eight a second look smooth")
GROWTH_STEP = tuned(0.003, "", "Least step of growth, over the full length")
FULLY_GROWN = tuned(40.0, "growing times", "After which the law's length is the full one to the last bit")
YOUNGEST_AT_FIRST = tuned(0.1, "", "Age of the youngest of a scene's fishes, over its lifespan")
OLDEST_AT_FIRST = tuned(0.5, "", "Age of the oldest of them")
HATCHING_LENGTHS = tuned(0.6, "lengths", "Room about a place where a fry hatches, of its own length then")

# Settling at the start

PLACE_THROWS = tuned(60, "", "Throws for a place before the least crowded one is taken")
MOST_PAIRS = tuned(100_000, "", "Pairs of fishes whose room is looked at together")
FEWEST_NEAR = tuned(8, "fishes", "Near each that are looked at in a crowd that is larger, at the least")
CLEAR_LENGTHS = tuned(0.7, "lengths", "Kept between a fish's middle and what it must not touch")
APART_LENGTHS = tuned(0.3, "lengths", "Kept between two bodies, straight from nose to tail, until soon after")
SOON_SECONDS = tuned((0.0, 0.25, 0.5), "s", "After the start, until which nobody can have turned away from another")
NOSE_AND_TAIL_LENGTHS = tuned((0.36, -0.64), "lengths", "Of nose and tail ahead of a fish's place")
MEETING_LENGTHS = tuned(2.0, "lengths", "Between the middles of two that may meet by then")

# What fits

DRIFTING_LENGTHS = tuned(12.0, "lengths/s", "Fastest that water carries a fish: no scene shows one at more than 15")
SWIFT_STRIDE_LENGTHS = tuned(0.5, "lengths a beat", "At full speed: 0.5 in most of ours, and less in large")
TURNING_LENGTHS = tuned(1.5, "lengths", "Width of a tank in which a fish turns about without touching the walls")
TURNING_DEPTH_LENGTHS = tuned(0.5, "lengths", "Depth of a tank in which a fish rises and dives")
THINNEST_FLUID = tuned(0.3, "", "Viscosity below which a beat hardly moves a fish on, nor do its fins turn it")
THICKEST_FLUID = tuned(3.0, "", "Viscosity above which a fish is stopped between two beats")
STREAM_SAMPLES = tuned(7, "", "Places along each side of the tank at which the water's speed is measured")

# Levels of detail

DRIFT_SECONDS = tuned(0.4, "s", "In which a replica loses the speed sideways that a blow has given it")
FIRST_PACE = tuned(0.3, "share of full speed", "At which replicas swim when a world begins")

# Signs of life

EXERTION_SECONDS = tuned(0.15, "s", "Over which effort is smoothed")
ROWING_WORK = tuned(0.25, "", "Effort of a fish that rows with all the strength of its pectoral fins")
BREATHLESS_SECONDS = tuned(3.0, "s", "In which work takes a fish's breath")
RECOVERY_SECONDS = tuned(12.0, "s", "In which it gets it back")
PALE_BREATH = tuned(0.6, "", "Depth of a calm breath, over that of the deepest")
GAZE_SECONDS = tuned(0.05, "s", "In which an eye turns: a saccade")
SEEN_ANGLE = tuned(
    np.radians(100.0), "rad", "Off an eye's middle, beyond which it does not see what the fish attends to"
)
GLANCE_SHARE = tuned(0.5, "", "Share of how far its eyes turn, by which they lead a turn when it attends to nothing")
CALM_FOLD = tuned(0.25, "", "How far a calm fish folds its dorsal and ventral fin")
FOLDING_SPEEDS = tuned((1.0, 2.5), "lengths/s", "Between which dorsal and ventral fin are laid down")
TUCKING_SPEEDS = tuned((1.5, 3.0), "lengths/s", "Between which pectoral fins are laid on the body")
BURSTING_EFFORTS = tuned(
    (0.55, 0.8), "", "Between which fins are folded, too: who bursts is streamlined before it is fast"
)
BROADSIDE_ANGLE = tuned(np.pi / 3, "rad", "Of a pectoral fin off level, at which a fish brakes with all its fins")
VEERING_SECONDS = tuned(0.2, "s", "Over which the bend of a turn is told from that of the beat")
TURNING_BENDS = tuned((0.15, 0.5), "", "Bends of the body between which it is seen to turn: less keeps its head still")
EASED_SECONDS = tuned(0.15, "s", "In which fins fold and spread")
