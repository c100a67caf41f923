"""The tuned numbers of learning: each with its unit, its reason and its source."""

from __future__ import annotations

from ..base.tuning import tuned

# Abstraction

NEGLIGIBLE_SHARE = tuned(0.03, "", "Share of a signal's power, below which a mode of it is dropped")
WINDOW_SHARE = tuned(0.5, "", "Length of a window of the short-time FFT, over that of the signal")
WINDOW_HOPS = tuned(4, "1/window", "How often a window begins anew")
FINE_SPECTRUM = tuned(8, "", "Points of the spectrum for one of a window's own, by which a peak is found")
SLOWEST_MODE = tuned(1.5, "beats/window", "Slower than that nothing is a mode: it is drift")
WHOLE_HARMONIC = tuned(0.12, "beats", "So near a whole number of beats a mode is taken for that")

# Routine drills

DRILL_SHARES = tuned((0.25, 0.5, 0.75, 1.0), "", "Of full speed and of the sharpest turn, in the routine drills")
DRILL_BEATS = tuned(14.0, "beats", "Of a drill until it is steady")
WATCHED_DRILL_BEATS = tuned(8.0, "beats", "In which what it comes to is then measured")
LEAST_DRILL_SPEED = tuned(0.05, "lengths/s", "Slower than that nothing has been learned")
LEAST_DRILL_RATE = tuned(0.05, "rad/s", "A turn that is slower than that is none")
IMITATED_TURN = tuned(1.2, "rad", "What is left of its turn all the time to a fish that imitates hand-made turns")
