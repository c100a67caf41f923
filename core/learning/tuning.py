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

LESSON_SAMPLES = tuned(60, "", "Places in a course of muscles that repeats itself, at which it is looked at")
LESSON_ROUNDS = tuned(6, "", "How often it is repeated for that")

# Routine drills

DRILL_SHARES = tuned((0.25, 0.5, 0.75, 1.0), "", "Of full speed and of the sharpest turn, in the routine drills")
DRILL_BEATS = tuned(14.0, "beats", "Of a drill until it is steady")
WATCHED_DRILL_BEATS = tuned(8.0, "beats", "In which what it comes to is then measured")
LEAST_DRILL_SPEED = tuned(0.05, "lengths/s", "Slower than that nothing has been learned")
LEAST_DRILL_RATE = tuned(0.05, "rad/s", "A turn that is slower than that is none")
IMITATED_TURN = tuned(1.2, "rad", "What is left of its turn all the time to a fish that imitates hand-made turns")

# Errands

REACHED_LENGTHS = tuned(0.5, "lengths", "How near a nose comes to a goal that it has reached")
LOOKING_TURN = tuned(1.5, "rad", "How far a fish turns to look for a goal that it does not see")
STEEPEST_ERRAND = tuned(0.9, "rad", "The steepest path up or down to a goal")
PATH_LEAD_LENGTHS = tuned(1.5, "lengths", "How far ahead on a path a fish looks that follows it")
STATION_GAIN = tuned(0.7, "1/s", "Speed through the water for each length that a fish is off its station")

# Practice of target tracking

PLACEMENT_LENGTHS = tuned((2.0, 8.0), "lengths", "Distances of targets that are practised on")
PLACEMENT_RISE = tuned(0.35, "rad", "How far above or below the level they lie, at the most")
PLACEMENT_ROOM = tuned(30.0, "lengths", "From one fish that practises to the next: none minds another")
PLACEMENT_PACE = tuned(0.3, "share of full speed", "Pace with which a try begins")
PLACEMENT_PATIENCE = tuned(4.0, "", "Time of a try, over that of the way straight ahead at full speed")
REFLEXES_AT_ONCE = tuned(6, "", "Reflexes that are tried side by side, on the same targets")
FIRST_REFLEX_STEP = tuned(0.15, "", "By how much a reflex is varied at first; by a third of it at last")
FIRST_TEMPERATURE = tuned(0.05, "", "Of the annealing, as time over that straight ahead at full speed, at first")
LAST_TEMPERATURE = tuned(0.005, "", "The same at last")
