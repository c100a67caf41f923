"""The tuned numbers of fits: each with its unit, its reason and its source."""

from __future__ import annotations

from ..base.tuning import tuned

# Figures

LOOK_RATE = tuned(16.0, "1/s", "Places a second from which figures are taken, of tracks and of ours alike")
SMOOTH_SECONDS = tuned(0.06, "s", "Width of the bell that smooths tracks: a pixel's noise at 30 a second is no speed")
SLOW_SPEED = tuned(0.3, "lengths/s", "Below which where a fish goes is noise: it has no turning and no bearing")
WINDOW_SECONDS = tuned(5.0, "s", "In which the variation of speed and the share of gliding are looked at", "issue 17")
WINDOW_STEP_SECONDS = tuned(0.5, "s", "From one such window to the next")
POLAR_SECONDS = tuned(1.0, "s", "Over which the change of polarisation is taken")
BURST_RISE = tuned(0.2, "", "Rise of speed over its mean from which on it is a burst")
JUDGED_SHARES = tuned((0.25, 0.5, 0.75), "", "Of a distribution, that are judged: its quartiles")
LOOKS_AT_ONCE = tuned(64, "frames", "Of which all distances between fishes are in memory together")

# Intervals

RESAMPLES = tuned(400, "", "Halves that are drawn with replacement")
CONFIDENCE = tuned(0.95, "", "Share of these between the ends of an interval")
BLOCK_SECONDS = tuned(2.0, "s", "Blocks of time that are drawn: longer than a fish remembers what it did")
MOST_BLOCK = tuned(0.2, "", "Share of a half that a block may be")
SHORTEST_TRACK_SECONDS = tuned(4.0, "s", "Of all of a table, from which there are two halves to speak of")

# Arenas

ARENA_MARGIN = tuned(0.15, "lengths", "From the outermost place of a fish's middle to the wall")
ENCLOSING_STEPS = tuned(
    2000, "", "Steps towards the smallest circle around all places, each nearer by a harmonic share"
)
CIRCLE_SIDES = tuned(32, "", "Sides of a round tank: 0.5 % of the radius within its circle at the most")
ARENA_DEPTH = tuned(3.0, "lengths", "Of the water, in which fishes are tracked from above")

# The search

FIT_CANDIDATES = tuned(16, "", "Species that are tried before the search learns from them")
SWEPT_SHARES = tuned((0.03, 0.35, 0.65, 0.97), "", "Of each number's range, that are tried before the search begins")
SLOWER_BEATS = tuned((1.0, 0.7, 0.5), "", "Factors on beats with which each manner of fish is tried before all that")
FIT_STEP = tuned(0.15, "share of a range", "First step of the search")
SETTLING_SECONDS = tuned(4.0, "s", "In which fishes of a trial find together before they are looked at")
TRIAL_RANGE_SECONDS = tuned((8.0, 15.0), "s", "Least and most length of a trial; as long as a half between")
JUDGED_WORLDS = tuned(6, "", "Worlds of other seeds in which what was found is judged")
START_SPREAD = tuned(0.5, "", "Share of an arena's least half width in which fishes begin")
QUICKEST = tuned(4.0, "", "Factor on all beats up to which a fit may go, and one over it down to which")
LEAST_FIGURE_SCALE = tuned(
    0.1, "", "Of a figure's interval in the fitted half, over its value, so that none counts endlessly"
)

# The page

PAGE_BINS = tuned(40, "", "Bars of which the curve of a distribution is made")
PAGE_SHARES = tuned((0.01, 0.99), "", "Of all samples of the tracks, between which a figure is drawn")
