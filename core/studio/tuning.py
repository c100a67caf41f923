"""The tuned numbers of the studio: each with its unit, its reason and its source."""

from __future__ import annotations

from ..base.tuning import tuned

# Following tracks of real fish

TRACK_MARGIN = tuned(3.0, "body lengths", "Water around all tracks of a tank that is made for them")
LEAD_SECONDS = tuned(0.3, "s", "How far ahead on its track the place is that a fish heads for")
GLIDING_SPEED = tuned(0.15, "lengths/s", "Of a track, below which a fish does not beat, nor turn to where it goes")
PACE_GAIN = tuned(1.5, "1/lengths", "How fast a fish beats harder, for each length a second that it is too slow")
FULL_STRIDE = tuned(0.55, "lengths", "A tail beat brings a fish on, from which its first guess of a pace is made")
CARRYING_SECONDS = tuned(0.25, "s", "In which the water carries a fish two thirds of what it is off its track")
FARTHEST_OFF = tuned(0.15, "lengths", "A fish may be off its track; the water carries it the rest at once")
