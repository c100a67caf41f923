"""The tuned numbers of the farm: each with its unit, its reason and its source."""

from __future__ import annotations

from ..base.tuning import tuned

# Wishes

FADE_SECONDS = tuned(1.0, "s", "Off the wished time, at which an event is worth half")
FADE_METRES = tuned(0.5, "m", "Off the wished place, at which an event is worth half")
FADE_PICTURE = tuned(0.25, "picture widths", "Beyond the picture's edge, at which what is there is worth half")
FADE_SHAPE = tuned(0.25, "share of the bound", "Beyond a bound of a school's shape, at which it is worth half")
PICTURES_A_SECOND = tuned(6.0, "1/s", "Moments at which it is looked who is in a picture, and what touches")
SIGHT_POINTS = tuned(12, "", "Places on a line of sight at which it is looked whether something stands in it")

# Searches

TAKES_A_GENERATION = tuned(16, "takes", "Before the search learns from them; more spreads wider, fewer learns sooner")
SEARCH_STEP = tuned(0.25, "share of a range", "First step of the search")

# Trials of bodies

TRIAL_SECONDS = tuned(5.0, "s", "Of a body's swimming from rest, of whose second half figures are taken")
TRIAL_LOOKS = tuned(32, "", "Moments of that half at which a body is looked at")
SLOWEST_TRIED = tuned(0.4, "", "Share of full speed at which the slowest body of a block swims")
LEAST_UPRIGHT = tuned(0.8, "", "Upright part of the up direction below which a body does not swim like a fish")
WORK_BEATS = tuned(3.0, "beats", "Over which the work of muscles is looked at")
REAL_STROUHAL = tuned((0.2, 0.4), "", "Beats times sweep over speed of real fishes", "Taylor, Nudds & Thomas 2003")
STROUHAL_FADE = tuned(0.1, "", "Beyond these bounds, where a stroke counts for half")
WIDEST_SWEEP = tuned(
    0.25, "lengths", "Sweep of the tail up to which a stroke is that of a fish: 0.2", "Bainbridge 1958"
)
SWEEP_FADE = tuned(0.08, "lengths", "Beyond that, where a stroke counts for half")

# Evolution

BROOD = tuned(24, "fishes", "Tried by a job: a fifth of a second")
LEAST_BROODS = tuned(8, "", "Broods of a generation, so that as many workers have something to do")
PARENT_SHARE = tuned(0.3, "", "Share of a generation that may breed")
CHAMPIONS = tuned(2, "fishes", "The best of a generation that live on as they are")
THROWS_FOR_A_LEGAL_CHILD = tuned(12, "", "Throws of gametes until a parent takes the place of a child that is none")
FINALISTS = tuned(4, "fishes", "The best of the last generation of those with minds, tried again on other worlds")
FINAL_LIVES = tuned(4, "", "Times as many lives of each of these, and then of the best and the species elsewhere")

# Trials of lives

SMELL_SECONDS = tuned(60.0, "s", "In which a fish is to find bait by its smell: most do so in half of it")
SMELL_STREAM = tuned(0.3, "lengths/s", "Of the water that carries the smell down to it")
BAIT_LENGTHS = tuned(20.0, "lengths", "From a fish up the stream to bait")
KNOWN_FOOD_LENGTHS = tuned(4.0, "lengths", "From which on it knows of bait without following a trail")
SINKING_SECONDS = tuned(0.5, "s", "In which bait sinks to its place")
CHASE_SECONDS = tuned(10.0, "s", "In which a predator from behind is to be escaped: chases end sooner")
LIFE_SECONDS = tuned(40.0, "s", "Of survival in the small world")
SURVIVORS = tuned(8, "fishes", "Of the species in the small world")
HUNTERS = tuned(3, "fishes", "Predators there: about a quarter of a preset's fishes are eaten")
HUNTER_HANDLING = tuned(2.0, "s", "Time in which one of these grinds its prey, so that food for it does not end")
FED_SHARE = tuned(0.25, "", "Of the score for survival, that counts what is eaten")
LIFE_MEAL_SECONDS = tuned(20.0, "s", "A meal in which is enough to eat for all of that")
