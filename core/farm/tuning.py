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
