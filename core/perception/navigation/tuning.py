"""The tuned numbers of finding the way: each with its unit, its reason and its source."""

from __future__ import annotations

from ...base.tuning import tuned

# The lattice

LATTICE_LENGTHS = tuned(0.5, "lengths", "Edge of a cell of the lattice in which ways are planned")
LATTICE_CELLS = tuned(100_000, "cells", "Of a lattice: in larger water they are larger, or planning would take longer")
PASSING_LENGTHS = tuned(0.45, "lengths", "From a fish's middle to what stands, without which there is no way through")
EASY_LENGTHS = tuned(0.9, "lengths", "From there to what stands, within which a way costs more")
OPAQUE_CELLS = tuned(0.7, "cells", "From the surface, and behind it, to the middle of a cell that nobody sees through")
SHUT_CELLS = tuned(0.87, "cells", "The same without a way through at the least: no step leads past a surface unnoticed")
THINNED_SPACINGS = tuned(
    2.0, "", "Width of the surface that each place stands for by which it is remembered, over their spacing"
)

# What a way costs, over the same way through open water that was seen

EASY_WEIGHT = tuned(1, "", "Of a way with room to all sides")
TIGHT_WEIGHT = tuned(4, "", "Of one close to what stands")
LEVEL_COSTS = tuned((0, 10, 14), "", "Of a step on the level, along no axis, one or two")
RISING_COSTS = tuned((90, 36, 32), "", "Of one that rises or sinks as well: no fish climbs straight up")
UNSEEN_WEIGHT = tuned(2, "", "Added where it has not looked yet: a known way may be three times as long as a hoped one")

# Paths

MOST_PATH_POINTS = tuned(256, "points", "Of a path, a cell apart; a longer one is planned on from its end")
AHEAD_CELLS = tuned(96, "cells", "Of a path that are looked at for a shorter way at once")
STEEPEST_LEG = tuned(0.45, "", "Rise over the level way of what is made straight: a fish climbs no more steeply")
TURN_RADIUS_LENGTHS = tuned(0.8, "lengths", "Radius of the turn by which a path goes round a corner")
CORNER_POINTS = tuned(4, "points", "On the curve round a corner")
NARROWEST_CORNER_CELLS = tuned(0.25, "cells", "Of a corner, below which it stays as it is")
STRAYED_LENGTHS = tuned(2.0, "lengths", "From its path, from which on a fish plans anew")
AIM_LENGTHS = tuned(1.2, "lengths", "Along its path, from the place nearest to a fish to that it makes for")
PASSED_LENGTHS = tuned(2.5, "lengths", "Along its path, in which the place nearest to a fish is sought")
ENDED_LENGTHS = tuned(0.8, "lengths", "From the end of a path that leads to no goal, within which it is at its end")

# When it is planned anew

GOAL_SHIFT_LENGTHS = tuned(1.0, "lengths", "By which a goal has moved, from which on its way is planned anew")
PLAN_SECONDS = tuned(4.0, "s", "After which a way is planned anew though nothing has spoken against it")
LEAST_PLAN_SECONDS = tuned(0.25, "s", "From one plan of a fish to its next, at the least")
LOST_SECONDS = tuned(1.0, "s", "After which who found no way looks for one again")
PLANS_AT_ONCE = tuned(1, "plans", "In one frame, of all fishes: others follow what they have until it is their turn")
ROUND_LOOK_SECONDS = tuned(0.2, "s", "From one look round of a fish that explores to the next")

# Looking round

AHEAD_BONUS_CELLS = tuned(
    6.0, "cells", "How much farther what lies right ahead may be than what lies right behind, to be explored before it"
)
LENGTH_STEP = tuned(1.1, "", "Of one length to the next for which there is a lattice: it is that of the longer one")

# Shelter

BITING_LENGTHS = tuned(0.8, "lengths", "Of a foe, from its middle, to which it reaches where it does not get in")
REFUGE_LENGTHS = tuned(40.0, "lengths", "Of a way to a shelter, the most")
