"""The tuned numbers of the body: what keeps a step sound that the book's scheme would let explode."""

from __future__ import annotations

from ..base.tuning import tuned

# Steps

LONGEST_BOOK_STEP = tuned(
    1.4, "book units of time", "The longest step that holds: fourteen or so in a tail beat; longer ones are several"
)

# The solve

SWIFT_SPEED = tuned(
    0.015, "body lengths a book unit of time", "Speed of the tail at full swim, at which the solve takes the drag"
)
BRACING = tuned(0.0018, "unit stiffnesses", "Stiffness that the solve has in all directions, as units turn in a group")

# Fishes whose body a step would tear

JUMP_LENGTHS = tuned(
    0.1, "body lengths", "Change of a node's way in one step from which a fish is unsound; no command reaches it"
)
CREEP_LENGTHS = tuned(0.05, "body lengths", "The most that a node of an unsound fish creeps back in one step")
MOST_SPIN_RADIANS = tuned(0.3, "rad", "The most that an unsound fish's spin turns it in one step; the rest is lost")

# Forces that would throw a triangle or a fish back within one step

MOST_STOPPED_SHARE = tuned(0.5, "share of a fish's motion", "The most that its skin stops in one step")
FACE_OVERLAP = tuned(4.0, "", "Compliance of a triangle over that when it is pushed alone: its neighbours are too")
