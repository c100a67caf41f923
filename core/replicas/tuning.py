"""The tuned numbers of replicas: how a species is captured, and how what it does is played back."""

from __future__ import annotations

import numpy as np

from ..base.tuning import tuned

# The programme

CAPTURE_FPS = tuned(24.0, "1/s", "Frames in which the motor center drives bodies that are captured: those of a film")
CAPTURE_SUBSTEPS = tuned(2, "1/frame", "Steps of the body in one, likewise")
PACES = tuned((0.0, 0.1, 0.3, 0.5, 0.75, 1.0), "share of full speed", "At which swimming is captured")
BURST_PACE = tuned(2.0, "", "Where a full burst stands beyond these paces: 1 to 2 is the share of the burst")
TURNS = tuned(
    np.radians((30.0, 60.0, 90.0)), "rad", "Left of the turns that are captured, gradual to sharp", "ours; Yu, §4.3"
)
CLIMBS = tuned(np.radians((-35.0, 35.0)), "rad", "Angles of the paths on which a dive and a climb are captured")
CLIMB_PACE = tuned(0.5, "share of full speed", "At which they are")
CSTART_ANGLE = tuned(np.radians(100.0), "rad", "Of the C-start that is captured")

# The cut

SETTLE_BEATS = tuned(14.0, "beats", "After which a fish that swims has settled to its gait")
WATCHED_BEATS = tuned(8.0, "beats", "In which the cycle is looked for whose ends meet best")
LONGEST_SETTLING_SECONDS = tuned(14.0, "s", "The most of the first: slow beats settle in fewer")
BURST_SHARE = tuned(0.6, "", "Of the time that a burst lasts: until then a rested fish gives all of it")
BURST_TURN_BEATS = tuned((2.0, 8.0), "beats", "After the beginning of a turn in a burst, between which it is captured")
GLIDE_BEATS = tuned(1.0, "beats", "After which a fish that stops beating is straight and still goes ahead")
MOST_OPEN_LENGTHS = tuned(
    0.4, "lengths", "By which the ends of some beats may miss each other before they are joined; in bursts 0.25"
)
INTERPOLATION_POINTS = tuned(6, "", "Samples that a pose is interpolated from: of 14 in a beat, to a thousandth")

# Playback

WARP_SPEED = tuned(
    2.0,
    "lengths/s",
    "Of node 22 in a transition, about that of a tail that beats",
    "ours; Yu, app. A has 2 units a frame",
)
ROLLING_SECONDS = tuned(0.4, "s", "In which a replica that leans comes upright", "ours; Yu, app. B: slowly")
MOST_ROLL = tuned(0.5, "rad", "Beyond which it comes no faster for leaning more")
LEAST_WARP_SECONDS = tuned(0.3, "s", "That a transition takes at the least: in an instant a small one is seen, too")

# The secondary controller

QUICKEST_SECONDS = tuned(0.05, "s", "In which a replica comes to turn and to climb at the soonest")
SHORTEST_LENGTHS = tuned(0.05, "lengths", "In which its speed gives way to another at the soonest")
STEEPEST_LEVEL = tuned(0.2, "", "Cosine of the slope below which a turn about the vertical is no faster for it")
STRAIGHT_ANGLE = tuned(
    0.15, "rad", "Left of a turn, below which a replica that brakes or backs up is as straight as that"
)
ADVICE_SECONDS = tuned(6.0, "s", "In one segment, after which a replica is advised to change", "ours; Yu, §6.1")
ADVICE_SPREAD = tuned(0.5, "", "By how much more or less, at random, over that")
ADVISED_PACES = tuned((0.0, 1.0), "", "From the slowest to the fastest of its own, of which one is recommended then")
AIM_ANGLE = tuned(np.radians(45.0), "rad", "Off its nose, within which a replica is aligned finely", "Yu, §6.2")
AIM_RATE = tuned(np.radians(20.0), "rad/s", "At which it is: less than its segments turn it")

# Levels of detail

FILM_WIDTH_MM = tuned(36.0, "mm", "Width of the sensor that a lens belongs to, as Blender has it")
PICTURE_ASPECT = tuned(16 / 9, "", "Width of the picture over its height")
UNSEEN_LENGTHS = tuned(1.0, "lengths", "By which the picture is larger, as a fish is taken for its place", "Yu, §7.1")
LEVEL_STICKINESS = tuned(1.25, "", "How much larger a dynamic fish counts than it is in the picture")
LEAST_LEVEL_SECONDS = tuned(1.0, "s", "For which a fish stays dynamic, or a replica, unless it becomes busy")
