"""The tuned numbers of a character: what its traits say of a body's size and beat, and how near a body plan is."""

from __future__ import annotations

from ...base.tuning import tuned

# Size and beat

SMALLEST_METRES = tuned(0.03, "m", "Length of a species of size 0; one of size 1 is a hundred times as long")
SIZE_SPAN = tuned(100.0, "", "Length of a species of size 1 over that of one of size 0")
LARGE_METRES = tuned(0.4, "m", "Length from which on a species is a large one, as among the presets")
BEAT_BY_LENGTH = tuned(-0.3, "", "Power of the length that tail beats go by, as among the presets")
BURST_BY_LENGTH = tuned(-0.27, "", "Power of the length that beats of a burst go by, as among the presets")
REST_BY_LENGTH = tuned(0.4, "", "Power of the length that the rest after bursts goes by, as among the presets")
BREATH_BY_LENGTH = tuned(-0.2, "", "Power of the length that breaths go by, as among the presets")
PACE_DOUBLINGS = tuned(1.4, "", "Doublings of the beat from the slowest pace to the quickest")
BURST_DOUBLINGS = tuned(0.4, "", "Doublings of a burst's beat from the slowest pace to the quickest")
BEAT_SPAN_HZ = tuned((0.4, 6.0), "Hz", "Beats at full speed that bodies of two steps a frame hold")
BURST_SPAN_HZ = tuned((4.0, 14.0), "Hz", "Beats of a burst, as among the presets")

# Bodies

PLAN_WEIGHTS = tuned(
    (1.0, 0.4, 0.6), "", "How much build, flatness and stamina count in how near a body plan is to a character"
)
PLANS_NEAR = tuned(4, "plans", "Body plans that a character is between, at the most")
SLENDEREST = tuned(0.045, "lengths", "Half the height of a body of build 0")
DEEPEST = tuned(0.235, "lengths", "Half the height of a body of build 1")
WIDEST_SHARE = tuned(1.0, "", "Width of a round body over its height")
FLATTEST_SHARE = tuned(0.25, "", "Width of a flat body over its height")
MOST_STRETCH = tuned(
    (0.95, 1.35), "", "How far the rings of nodes follow a body that is higher than its plans; lower ones roll over"
)
SWEPT_WATER = tuned(0.12, "", "Water that a derived tail sweeps, over the body's mass: as a shark's, or less")
EYE_BY_LENGTH = tuned(-0.1, "", "Power of the length that eyes go by: small fishes have large ones")
NIGHT_EYES = tuned(0.4, "", "How much larger the eyes of who is about by night are than of who is by day")
EYE_SHARE = tuned(0.42, "", "Radius of the largest eye, over half the height and over the half width of the head")

# Manner

HUNTER_TEMPER = tuned(0.75, "", "Temper from which on a species hunts")
BREATHING_BEATS = tuned(0.3, "lengths", "Way in a beat of one that must swim to breathe, when it is slowest")
