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
