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
LESSON_HARMONICS = tuned(6, "", "Waves in a course of muscles that are looked at: 15 samples show seven")

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

# Practice

PRACTICE_UNITS = tuned(160.0, "book units of time", "Film of a candidate: eight beats of our fishes")
PRACTICE_LOOKS = tuned(24, "", "How often the senses look at where it is in that film")
LEARNED_PACE = tuned(
    0.026,
    "lengths a book unit of time",
    "How fast it must swim to be at its target in time: 0.02 to 0.03 in our fishes",
)
TURNING_PACE = tuned(0.012, "lengths a book unit of time", "The same on the circle of a turn")
TURNING_RADIUS = tuned(0.6, "lengths", "Radius of that circle")
CURRENT_PACE = tuned(0.015, "lengths a book unit of time", "Current in which it keeps station, if nothing else is said")
SPEED_SHARE = tuned(0.5, "", "Of the pace of swimming that the task speed asks for, if nothing else is said")
PRACTICE_TARGET = tuned((2.5, 1.5, 0.0), "lengths", "Target ahead and to the left, if nothing else is said")
PRACTICE_PATH = tuned(
    (1.2, 0.1, 0.0, 2.3, 0.5, 0.0, 3.2, 1.2, 0.0), "lengths", "Points of a path, if nothing else is said"
)

# The objective

SLOPE_WEIGHT = tuned(0.5, "lengths", "nu_1 of equation 3: the price of controls that change", "Terzopoulos 1994, eq. 3")
BEND_WEIGHT = tuned(
    5.0, "lengths", "nu_2 of equation 3: the price of such as change abruptly", "Terzopoulos 1994, eq. 3"
)
NOSE_WEIGHT = tuned(3.0, "", "Price of a length that the nose is off its way, in lengths: head and eyes keep steady")
UPRIGHT_WEIGHT = tuned(1.0, "lengths", "Price of a tilt by a right angle, all the time")
EXCESS_WEIGHT = tuned(10.0, "lengths", "Price of samples beyond what a muscle can, so that a search turns back")

# The search

CANDIDATES = tuned(64, "", "Bodies that practise side by side: eight registers of eight, and a thread's worth")
BEAT_UNITS = tuned(11.0, "book units of time", "Duration of all samples with which a search begins")
DURATION_RANGE = tuned((8.0, 20.0), "book units of time", "Shortest and longest that it may come to")
DURATION_SPREAD = tuned(1.0, "", "How far the logarithm of the duration goes for a step of a sample by one")
FIRST_CONTRACTION = tuned(0.05, "", "Contraction of all muscles with which a search begins: all alike, at rest")
EVOLUTION_BUMP = tuned(1.5, "samples", "How far a number of CMA-ES reaches in time, either way")
EVOLUTION_STEP = tuned(0.03, "", "First step of CMA-ES")
ANNEALING_STEP = tuned(0.05, "", "How far annealing perturbs a sample")
ANNEALING_BUMP = tuned(2.5, "samples", "How far a perturbation reaches in time, either way")
ANNEALING_HEAT = tuned(0.03, "lengths", "Temperature at the beginning")
ANNEALING_COOLING = tuned(300.0, "steps", "In which it falls to half, and in as many more to a third")
ANNEALING_MEETING = tuned(90, "steps", "After which the worse half of the chains go on from where the better half are")
