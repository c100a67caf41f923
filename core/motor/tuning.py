"""The tuned numbers of muscles and fins: each with its unit, its reason and its source."""

from __future__ import annotations

import numpy as np

from ..base.tuning import tuned

# Controllers (Tu 1999, §4.6)

FIN_LEVEL_ANGLE = tuned(np.pi / 2, "rad", "Gamma of a pectoral fin that is edge on to the flow", "Tu 1999, §4.6.2")
FIN_LOWEST_ANGLE = tuned(np.pi / 4, "rad", "Gamma of the steepest dive", "Tu 1999, §4.6.2")
FIN_HIGHEST_ANGLE = tuned(3 * np.pi / 4, "rad", "Gamma of the steepest climb", "Tu 1999, §4.6.2")
FIN_BRAKING_ANGLE = tuned(np.pi, "rad", "Gamma of a fin that is broadside to the flow", "Tu 1999, §4.6.2")
STEERING_MAP_ANGLES = tuned(
    np.radians((30.0, 45.0, 60.0, 90.0)), "rad", "Angles of the steering map's four parameter sets", "Tu 1999, §4.6.1"
)
BEAT_FADE_SPEED = tuned(0.1, "share of full speed", "Speed command below which the beat fades into a glide")

# Muscles

SWIFTEST_BEND = tuned(
    0.3,
    "contractions a book unit of time",
    "The most that a turning muscle contracts; s_max alone would allow some twenty",
)

# Learned controllers

STEERING_BEATS = tuned(0.6, "beats", "Time in which a learned turn is to be done, where it is not too sharp for it")
TURN_DRILL_PACE = tuned(
    0.5, "share of full speed", "Pace of a fish that drills its turns; slower, its beat is less wide"
)
MOST_CONTRACTION = tuned(0.45, "", "How far a muscle can shorten at most, as any of the hand-made controllers may")

# Bursts, kicks and C-starts

BURST_BEAT_STEPS = tuned(18.0, "1/beat", "Steps in the fastest beat of a burst: 14 tear a wide one")
BURSTING_ANGLE = tuned(
    np.pi / 2, "rad", "Left of a turn from which on a fish does not burst: it would go where it faces"
)
MEANT_STRIDE = tuned(0.57, "lengths/beat", "Of the tail: what its beats mean in speed, whatever swims the fish")
KICK_SHARE = tuned(0.5, "", "Share of its burst that a fish gives to come to speed")
KICK_SPEEDS = tuned((0.8, 0.95), "", "Speeds over that meant, up to which it gives all of that, and from which none")
KICK_RESERVE = tuned(0.5, "", "Reserve below which it kicks no more: starts leave it what it needs to flee")

PROLONGED_SECONDS = tuned(
    600.0,
    "s",
    "Time in which the least pace beyond full speed takes the whole reserve; the log of it falls with the speed",
    "Brett 1964; Videler & Wardle 1991: prolonged swimming lasts for minutes to hours at its slow end",
)
PROLONGED_FRAMES = tuned(
    0.36,
    "beats/frame",
    "The quickest beat of prolonged swimming: a fish that steers once a frame weaves with quicker ones",
)
TIRED_RESERVE = tuned(0.3, "", "Reserve below which bursts fade and fishes are slower: the more, the less is left")
SPENT_PACE = tuned(0.7, "share of full speed", "The most that a spent fish swims")
CSTART_BEATS = tuned(0.75, "beats of a burst", "Time in which the body bends", "Domenici & Blake 1997: 25 to 60 ms")
CSTART_BENDS = tuned(3.0, "bends", "The most of one C-start, for turns that one bend does not do")
CSTART_AGAIN_BEATS = tuned(0.55, "beats of a burst", "The same again: short bends drive it on less")
CSTART_AGAIN_ANGLE = tuned(0.6, "rad", "Left of the turn for which the body bends a second time")
CSTART_RECOIL_BEATS = tuned(0.35, "beats of a burst", "Time in which the tail then strikes back")
CSTART_RECOIL = tuned(0.1, "", "Bend to the other side in that time, over the first")
CSTART_RATE = tuned(3.5, "1/beat of a burst", "Full bends of the whole body")

# Pectoral fins: the push on them, and the motion that they are seen to make (app. B)

FIN_STOPPING_SHARE = tuned(0.25, "share of a fish's motion", "The most that a fin stops in one step: it is stable")
EFFORT_SECONDS = tuned(0.15, "s", "Time in which flapping follows the fins' effort")
MOST_FIN_EFFORT_ANGLE = tuned(np.pi / 4, "rad", "Distance of gamma from level at which a fin flaps its most")
FLAP_BEATS = tuned(1.2, "Hz", "Flapping of a fin that is level: never zero, as in app. B")
FLAP_BEATS_MORE = tuned(2.5, "Hz", "What full effort adds to it, as app. B has rate grow with |gamma - pi/2|")
FLAP_ANGLE = tuned(0.12, "rad", "Amplitude of flapping of a fin that is level")
FLAP_ANGLE_MORE = tuned(0.5, "rad", "What full effort adds to it, as app. B has amplitude grow with |gamma - pi/2|")
OAR_BEATS = tuned(0.7, "Hz", "Oaring of a fish at rest")
OAR_BEATS_MORE = tuned(1.1, "beats a length", "What speed adds to it, as app. B has its rate grow with the speed")
MOST_OARING_SPEED = tuned(3.0, "lengths/s", "Speed from which on oaring is no faster")

# Labriform swimming

PADDLE_LEAST = tuned(0.1, "", "Speed of the slowest rowing, over that of the change of gait")
PADDLE_CHANGE = tuned(0.25, "", "Speed over that of the change of gait, less one, from which on the tail does it all")
PADDLE_EASE_SECONDS = tuned(0.12, "s", "Time in which strokes, and the change to the tail, follow the command")
PADDLE_REST_RATE = tuned(
    0.36, "", "Rate of the strokes at rest over that at the change of gait: a little less than half at 0.3 lengths/s"
)
PADDLE_HURRY = tuned(0.8, "", "How much faster strokes are for speed that is lacking, as if it were meant besides")
PADDLE_HASTE = tuned(12.0, "lengths/s", "How fast fins row beside the way of the water, for what speed is lacking")
PADDLE_PUSH = tuned(0.6, "", "Square of that over the square of the speed, at which fins make up for the drag")
PADDLE_PUSH_GAIN = tuned(0.5, "1/length", "How fast that is learned from the speed that is lacking")
PADDLE_TURNING = tuned(1.5, "1/rad", "How much less the inner fin rows, for what is left of a turn")
STROKE_SAMPLES = tuned(6, "", "Instants of a frame at which the push of a stroke is taken: two thirds may be recovery")
STROKE_WHOLE = tuned(0.1, "", "Share of the widest stroke from which on a fin only strokes")
STROKE_FLAP = tuned(0.6, "", "How far a fin at full stroke is seen to flap, over its length")
STROKE_SWEEP = tuned(0.55, "rad", "How far it is seen to sweep forward and back")

# The motor center

PITCH_GAIN = tuned(6.5, "rad/rad", "Fin angle for a radian that the path is off that of the command")
ROLL_GAIN = tuned(2.0, "rad/rad", "Fin angle for a radian of roll")
PITCH_DAMPING = tuned(2.0, "s", "Fin angle for a radian a second of pitch, at a flow of a length a second")
ROLL_DAMPING = tuned(0.4, "s", "The same for roll")
SWIFT_FINS = tuned(3.5, "lengths/s", "Flow from which on fins tilt less, the faster it is: they would roll it over")
MOST_DAMPING = tuned(4.0, "s", "The most of either, of a fish at rest, where fins push little")
LONGEST_PUSH_SECONDS = tuned(
    0.1, "s", "For which fins may push as water lets them; longer, or in thick water, they do less"
)
STEADYING_SECONDS = tuned(0.06, "s", "Time over which the rates of pitch and roll are smoothed")
PATH_SHARE = tuned(
    0.1, "", "Share of the path's own angle, over that of the body, in what the fins correct: it lags, so more sways"
)
BENT_HEAD = tuned(1.2, "rad", "By which a turning muscle's contraction by its whole length would turn the head")
HEADING_BEATS = tuned(0.5, "beats", "Time over which the heading is smoothed, since the head sways with the beat")
SWAY_NOTCH = tuned(0.2, "", "Damping of the filter that tells the head's sway with the beat from the heading")
SWAY_FRAMES = tuned(
    (1 / 6, 1 / 3), "beats/frame", "So quick a beat that a fish bends less against its sway, and not at all: too late"
)
SWAY_BENDING = tuned(1.0, "", "Share of that sway that the fish bends against")
TURN_BRAKING_ANGLES = tuned((0.5, 1.0), "rad", "Left of a turn where fins begin to brake who turns, and do fully")
FIN_TURN_LEAST = tuned(0.5, "", "Least share of a fin's turning speed that still balances")
LEANING_ANGLE = tuned(np.radians(30.0), "rad", "Left of a turn from which on a fish leans into it all it does")
LEANING_SPEED = tuned(0.7, "lengths/s", "Speed from which on it does, and below which less")
SLOPE_TRIM_GAIN = tuned(0.4, "1/s", "Share of what the path is too flat or steep that its trim gains in a second")
SLOPE_TRIM_ERROR = tuned(0.2, "rad", "The most that the path counts as off for its trim")
MOST_SLOPE_TRIM = tuned(np.radians(20.0), "rad", "The most that the path's angle is trimmed by")
LEAN = tuned(np.radians(20.0), "rad", "The most that the body leans off the path of the command, to reach it")
MOVING_SPEED = tuned(0.3, "lengths/s", "Speed ahead from which on a fish goes by its path and bends, fully")
REST_YAWING = tuned(np.radians(1.0), "rad", "What a fish at rest is off its course before it bends: its head only wags")
ON_COURSE_ANGLE = tuned(np.radians(10.0), "rad", "So near its course a fish turns from there, else from its heading")
TRIMMED_ANGLE = tuned(np.radians(12.0), "rad", "Left of a turn below which a lasting remainder is trimmed away")
TRIM_GAIN = tuned(0.07, "1/beat", "Share of the remainder that the trim gains in a beat")
UNTRIM_GAIN = tuned(0.3, "1/beat", "The same of a trim that has gone too far, which is taken back faster")
MOST_TRIM = tuned(np.radians(30.0), "rad", "The most that a course is trimmed by")
STANDING_SPEED = tuned(0.1, "lengths/s", "Speed below which fins that stop a fish row backwards less and less")
BRAKING_ROW = tuned(0.1, "lengths/s", "How fast fins that turn a fish row backwards, too, while it brakes")
RETREAT_YAW_GAIN = tuned(2.0, "1/rad", "How much more the inner fin rows in a retreat that is a radian off its course")
RETREAT_YAW_ANGLE = tuned(0.5, "rad", "The most that a retreat counts as off its course for that")

# A person at the helm

PRESSED_TURN_SECONDS = tuned(0.125, "s", "From one beginning of a turn to the next, while its key is down")
STRAIGHT_TURN = tuned(1e-3, "rad", "A turn that ends another; one by nothing would not end the one that is under way")
TURN_NUDGE = tuned(1e-6, "rad", "By how much a turn that is begun again differs from the one before")

# What senses and minds reckon with

TURNING_RATE = tuned(1.5, "rad/s", "What a fish manages that swims")
ABOUT_TURN_RATE = tuned(1.0, "rad/s", "The same where it turns about with little room")
AWRY_ANGLE = tuned(0.4, "rad", "A target farther off the nose, and within the turning circle, cannot be turned to")
TURNING_CIRCLE_LENGTHS = tuned(1.0, "lengths", "Distance within which a fish cannot turn to what lies awry")
RUN_UP_LENGTHS = tuned(2.2, "lengths", "Distance at which it has room again to turn to it")
STRIDE_LENGTHS = tuned(0.38, "lengths/beat", "How far a beat brings a fish on")
