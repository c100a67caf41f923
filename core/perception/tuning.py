"""The tuned numbers of the senses: each with its unit, its reason and its source."""

from __future__ import annotations

import numpy as np

from ..base.tuning import tuned

# Sight

FIELD_ANGLE = tuned(np.radians(300.0), "rad", "What the one eye takes in, the same all round", "Tu 1999, §6.3.1")
FEARED_PREDATORS = tuned(4, "fishes", "How many predators, the nearest, a fish looks at")
STARTLE_LENGTHS = tuned(2.0, "lengths", "How near a predator startles, whatever else a fish knows of it")
LOOMING_SPEED = tuned(
    0.8, "lengths/s", "Of a predator, from which on it is feared in full", "ours, after Dill 1974: prey goes by looming"
)
NEAR_SURFACE_SHARE = tuned(0.9, "", "Of the way to the surface of who is seen, on which nothing else may be")
START_LENGTHS = tuned(2.5, "lengths", "How near a schoolmate is whose start startles", "ours, after Rosenthal 2015")
PASSED_ON_FRIGHT = tuned(0.9, "", "Share of its fright that who starts gives to the next: a wave dies down")
WEIGHED_PREY = tuned(12, "fishes", "How many of its prey, the nearest, a predator looks at")
ADMIRED_MATES = tuned(8, "fishes", "How many of the other sex, the nearest, a fish looks at")

# Neighbours

ATTENDED_NEIGHBOURS = tuned(
    6, "fishes", "How many of one size a fish attends to", "Ballerini 2008: six or seven starlings"
)
FARTHER_RANK = tuned(12, "rank", "One farther off that it attends to as well: without, small parties stay apart")
GLANCES = tuned(3, "fishes", "At how many of its kind in sight it glances as well: without, a crowd falls into parties")

# Sensitivity boxes

NOSE_END_LENGTHS = tuned(0.36, "lengths", "From the fish's place to the end of its nose, along its axis")
TAIL_END_LENGTHS = tuned(-0.64, "lengths", "From the fish's place to the end of its tail, along its axis")
GIRTH_LENGTHS = tuned(0.15, "lengths", "From a fish's axis to its skin, about; the comfort of a box begins there")
FORESEEN_SECONDS = tuned(0.6, "s", "Time over which the ways of others are foreseen, the moving box of §7.8.1")

# The antenna

BERTH_LENGTHS = tuned(0.7, "lengths", "Kept between a fish's place and walls or pillars; the nose is the most of it")
LEAST_BERTH_LENGTHS = tuned(0.5, "lengths", "Kept by who follows walls as near as can be: the nose, and room to turn")
MINDED_PILLARS = tuned(3, "pillars", "How many, the nearest, a fish minds at once")
FORESEEN_PACE = tuned(2.0, "lengths/s", "At which a fish reckons to go when it foresees where it meets what moves")
MOST_FORESEEN_LENGTHS = tuned(12.0, "lengths", "Of its own way, up to which it foresees that")
NOSE_ROOM_LENGTHS = tuned(0.1, "lengths", "From the tip of the nose to a wall, the room that a turn takes")
SWING_STEPS = tuned(6, "steps", "Of a half turn to either side, at which it is felt whether the nose has room")
LEAST_ABOUT_SPEED = tuned(0.2, "lengths/s", "Speed below which a turn about is felt as at this one")

# Smell

SMELLED_PARTICLES = tuned(24, "particles", "How many, the nearest, a fish weighs")
FOOD_TURN_COST = tuned(
    4.0, "", "What a half turn adds to the distance of food, as a share of it: turns cost grazers much"
)

# Browsing

STAYING_LENGTHS = tuned(0.8, "lengths", "From the nose to what grows, within which a fish takes no other for nearer")
FORAY_BITES = tuned(6.0, "bites", "On average in a foray", "Bellwood 1995: five to six")
RECOIL_SECONDS = tuned(1.0, "s", "For which a fish backs off after a bite, to have room for the next")
FORAY_PAUSE_SECONDS = tuned((3.0, 9.0), "s", "From one foray to the next, at random")
SNIFF_SECONDS = tuned(0.5, "s", "From sniff to sniff of what drifts by; in between a fish goes by the last one")
NOSTRIL_LENGTHS = tuned(0.03, "lengths", "From the tip of the nose to either nostril, sideways")
NOSTRIL_CONTRAST = tuned(0.03, "", "Share by which a nostril smells more than both on average, to be sure of the side")
GAINING_SHARE = tuned(1.02, "", "Of the strongest smell on a trail, beyond which a fish gets on, and does not tire")
WANING_SHARE = tuned(0.9, "", "Of the strongest smell since it turned up or down, below which it does so again")
GIVING_UP_SECONDS = tuned(25.0, "s", "For which a fish looks for a smell that it has lost")

# The focuser

FRONT_ANGLE = tuned(
    np.radians(30.0), "rad", "How far off its long axis an object is in front of a fish; the book has no number"
)
SIDE_WEIGHT = tuned(
    0.2, "", "p, how much the preference for its side adds to the desirability of food", "Tu 1999, §6.5.3"
)
CONTENDERS = tuned(3, "targets", "N, how many of the best contend", "Tu 1999, §6.5.3")
OUTRIGHT_LEAD = tuned(0.3, "", "By how much the best exceeds the next to win outright; our number for the book's >>")
MOST_DISLIKE = tuned(
    1.5, "", "A turn that is disliked by tau is made by min(1, this - tau) of its angle", "Tu 1999, §6.5.3"
)
SCHOOL_COST = tuned(0.5, "", "beta_1, what being in a school adds to the cost of prey", "Tu 1999, §7.9.1")
PREY_TURN_COST = tuned(0.2, "", "beta_2, what a half turn adds to the cost of prey", "Tu 1999, §7.9.1")

# Visual memory

PIECE_METRES = tuned(
    0.6,
    "m",
    "Edge of the pieces into which obstacles are cut that a fish sees and remembers one by one",
    "ours, after Kuffner & Latombe 1999, §3: small to medium-sized objects",
)
SURFACE_METRES = tuned(0.08, "m", "Between points on the surfaces of pieces; farther apart on large obstacles")
PIECE_POINTS = tuned(64, "points", "Of a piece, by any of which it is missed; by every fourth of them it is seen")
LOOK_AROUND_SECONDS = tuned(
    0.2,
    "s",
    "From one look around to the next of who remembers what it sees",
    "ours; Kuffner & Latombe 1999, §5: at regular intervals",
)

# Images on retinas

DRAWN_SIDES = tuned(24, "sides", "Of a pillar that moves, as it is drawn; one that stands is round")
HOOK_WIDTH = tuned(0.1, "", "Of hook and line as they are drawn, over the hook's size")
ABSORPTION = tuned(np.array([0.245, 0.057, 0.009]), "1/m", "Of pure water: red, green, blue", "Pope & Fry 1997")
WATER_COLOUR = tuned(np.array([0.02, 0.12, 0.2]), "", "Linear colour that the water itself has where it is deep")
FARTHEST_SEEN = tuned(200.0, "m", "Beyond which nothing but water is seen")
LEAST_SHADE = tuned(0.35, "", "Brightness of what faces down, over what faces up")
COLOURS = tuned(
    {
        "obstacle": (0.3, 0.27, 0.24),
        "submarine": (0.6, 0.5, 0.1),
        "wall": (0.02, 0.12, 0.2),
        "bottom": (0.55, 0.5, 0.38),
        "surface": (0.5, 0.75, 0.85),
        "bed": (0.55, 0.5, 0.38),
        "leaf": (0.1, 0.3, 0.06),
        "food": (0.8, 0.6, 0.3),
        "bubble": (0.8, 0.9, 0.95),
        "hook": (0.6, 0.62, 0.65),
        "bait": (0.6, 0.12, 0.1),
    },
    "",
    "Linear colours of what is no fish",
)
FALSE_COLOURS = tuned(
    {
        "fish": (0.95, 0.18, 0.13),
        "obstacle": (0.25, 0.42, 1.0),
        "submarine": (0.65, 0.25, 0.85),
        "bait": (1.0, 0.5, 0.08),
        "hook": (0.85, 0.8, 0.9),
        "food": (0.98, 0.85, 0.2),
        "leaf": (0.2, 0.72, 0.25),
        "bubble": (0.3, 0.85, 0.9),
        "wall": (0.2, 0.23, 0.28),
        "surface": (0.6, 0.68, 0.72),
        "bottom": (0.4, 0.34, 0.26),
        "bed": (0.4, 0.34, 0.26),
    },
    "",
    "Colours of a screen for kinds of objects in identity maps; the book has fishes in reds and obstacles in blues",
    "Tu 1999, §6.7",
)
UNKNOWN_COLOUR = tuned((0.5, 0.5, 0.5), "", "Of any other kind")
GREY_LENGTHS = tuned(10.0, "lengths", "Range that range maps show in a middle grey")

# Minds that see with images

SEEN_SECONDS = tuned(0.125, "s", "From look to look: images that follow each other faster flow into one")
RETINA_PIXELS = tuned(200, "pixels", "Across the image of a mind", "Kuffner & Latombe 1999, §3")
FOVEA_PIXELS = tuned(80, "pixels", "Across the finer image of the middle: half a degree each, for food")
FOVEA_ANGLE = tuned(np.radians(40.0), "rad", "What the finer image takes in")
CELL_PIXELS = tuned(4, "pixels", "Across the squares of an image whose nearest surface is kept")
SURFACE_SPREAD = tuned(1.0, "squares", "How far around the nearest surface in such a square there is taken to be more")
LISTED_FISHES = tuned(48, "fishes", "How many in sight, those that look largest, are known")
RETINA_FOOD_SECONDS = tuned(1.5, "s", "For which food that slipped out of sight is still gone for")
