"""The tuned numbers of the habitat: each with its unit, its reason and its source."""

from __future__ import annotations

import numpy as np

from ..base.tuning import tuned

# Light

PENUMBRA_RADIANS = tuned(
    0.1, "rad", "By which rays must pass an obstacle to be whole: the sun seen through a rippled surface"
)
SHORTEST_RAY_STEP_METRES = tuned(0.001, "m", "The shortest step along a ray, so that it gets on near an obstacle")
MOST_RAY_STEPS = tuned(64, "steps", "The most of a ray; one that is not at the surface by then is as dimmed as it is")

# Bubbles

BUBBLE_SIZES = tuned((0.6, 1.4), "times the mean of the vent", "Smallest and largest diameter of a vent's bubbles")
WINDING_PITCH_SIZES = tuned(10.0, "sizes of the bubble", "Rise in a turn of a winding path")
WINDING_RADIUS_SIZES = tuned(0.5, "sizes of the bubble", "Radius of a winding path")
WINDING_METRES = tuned(
    (0.0015, 0.02), "m", "Sizes of bubbles that wind; smaller ones rise straight, larger ones are caps"
)
BUBBLE_GAP_METRES = tuned(0.005, "m", "What bubbles keep from walls and pillars")
BUBBLE_LIFE_RISES = tuned(
    4.0, "times the way up in still water", "Age at which a bubble is gone wherever it is, should a current hold it"
)
MOST_BUBBLES = tuned(20_000, "bubbles", "The most of one vent at a time")
MOST_FILLED = tuned(5_000_000, "bubbles moved by a step", "Before the start: more bubbles move in fewer, longer steps")
LEAST_FILLING_STEPS = tuned(8, "steps", "In which any number of bubbles fills the water")
MANY_BUBBLES = tuned(100_000, "bubbles", "At a time, beyond which a line says that frames take long")
MOST_FILLING_STEPS = tuned(500, "steps", "The most before the start, in which the water fills with bubbles")

# Growth on rock and coral

GROWTH_GAP_METRES = tuned(0.008, "m", "From what it grows on to the middle of a tuft")
GROWTH_ROOM_METRES = tuned(0.15, "m", "Off it, where there must be open water for a fish to get at it")
GROWTH_SECONDS = tuned(90.0, "s", "For which a spot is bare that has been bitten: none comes back to it at once")
MOST_TUFTS = tuned(4000, "tufts", "The most in a scene; with more, each of them is sparser")

# Eggs and milt

EGGS = tuned(96, "eggs", "Of one spawning: fewer than are real, but seen as a cloud or a patch")
MILT_PUFFS = tuned(48, "puffs", "Of milt of one spawning")
LAYINGS = tuned(3, "spawnings", "Whose eggs are there at a time: the next takes those of the oldest")
PUFF_LENGTHS = tuned(0.06, "lengths", "Of the fish, about its vent, within which eggs or milt come out")
PUFF_SPEED_LENGTHS = tuned(0.5, "lengths/s", "Of the fish, the fastest at which they do")
SPAWN_DRAG = tuned(4.0, "1/s", "How soon water stops them")
EGG_RISE_SPEED = tuned(
    0.001, "m/s", "Of eggs that float", "pelagic eggs of 1 mm, some 1 to 2 kg/m³ lighter than the sea"
)
MILT_SECONDS = tuned((6.0, 28.0), "s", "Shortest and longest until a puff is too thin to be seen")
SPAWN_DIFFUSION = tuned(
    5e-5, "m²/s", "By which eddies spread a cloud of some decimetres", "Okubo 1971, 0.01 l^1.15 cm²/s, l of 30 cm"
)
SPAWN_GAP_METRES = tuned(0.003, "m", "What they keep from walls and what stands")
CLUTCH_REACH_METRES = tuned(1.0, "m", "From her vent, within which there must be ground to lay eggs on")
CLUTCH_GAP_METRES = tuned(0.0012, "m", "From the ground to the middle of an egg that stands on it")
EGGS_APART_METRES = tuned(0.0022, "m", "From the middle of a clutch to its k-th egg, over the root of k")

# The hook; the book shows one and says nothing of how it moves

HOOK_DRAG = tuned(2.0, "1/s", "Of the water on hook and line")
ROD_METRES = tuned(2.0, "m", "From the water's surface up to the tip from which the line hangs")
HOOK_HOME_METRES = tuned(0.3, "m", "Above the surface, where the hook waits")
SHORTEST_LINE_METRES = tuned(0.1, "m", "Of line that are never reeled in")
HOOK_PAUSE_SECONDS = tuned(4.0, "s", "From a landing to the next descent, where there is one")
BAIT_HOOK_SIZES = tuned(0.4, "sizes of the hook", "Size of the bait")
SLACK_REEL_SPEEDS = tuned(3.0, "times as fast as a catch", "How fast slack line is taken in")
LINE_STRETCH_LENGTHS = tuned(0.1, "lengths of the catch", "What the line stretches before it draws all of the catch")
LINE_SPRING_RATE = tuned(8.0, "1/s", "How soon the line pulls straight what it lacks in length")

# Plankton

PLANKTON_SWAY_SPEED = tuned(0.012, "m/s", "How fast a particle strays from the water about it")
PLANKTON_SWAY_RATE = tuned(0.9, "rad/s", "How fast that changes its direction")
PLANKTON_DRAG = tuned(6.0, "1/s", "How soon water stops a particle that was drawn away from it")
PLANKTON_GAP_METRES = tuned(0.01, "m", "What plankton keeps from walls and pillars")
PLANKTON_TRIES = tuned(20, "throws", "For a place clear of pillars")
PLANKTON_RESERVE = tuned(64, "particles", "By which, or a multiple, a cloud grows for food that is dropped into it")

# Plumes of smell

PUFFS = tuned(512, "puffs", "The most at a time: bait in a slow stream then smells for eight minutes downstream")
PUFF_SECONDS = tuned(1.0, "s", "From one puff to the next of what smells, and from move to move of all")
PUFF_METRES = tuned(0.15, "m", "Spread of a new puff")
PUFF_REACH = tuned(
    3.5, "spreads", "From its middle, within which a puff is smelled: 0.2 % of that in the middle is left"
)
PUFF_GAP_METRES = tuned(0.05, "m", "What the middles of puffs keep from obstacles")
EDDY_DIFFUSION = tuned(0.003, "m²/s", "By which puffs spread", "Okubo 1971, for eddies of some 10 m")
STRAYING_SPEED = tuned(np.array([0.015, 0.015, 0.005]), "m/s", "How fast puffs stray from the water, less up and down")
STRAYING_SECONDS = tuned(20.0, "s", "How soon that changes its direction")
FAINTEST_PUFF = tuned(0.002, "1/m³", "Concentration in the middle of a puff, below which it is gone")
FOOD_ODOUR = tuned(0.1, "1/s", "What a particle of dropped food gives off, over what bait does")
MATE_ODOUR = tuned(0.3, "1/s", "What a fish in love gives off, over what bait does")
BLOOD_ODOUR = tuned(5.0, "", "What a fish that is eaten gives off at once, over what bait does in a second")

# Leaves of seaweed

LAST_SPRING_SHARE = tuned(0.4, "", "Length of a leaf's last spring over that of the first: distances decrease")
TIP_WIDTH_SHARE = tuned(0.35, "", "Width of the tip over that of the root, for drag and mass: masses decrease")
LEAF_BUOYANCY = tuned(1.0, "m/s²", "Upward acceleration of a free leaf, nine tenths as dense as water")
BUOYED_STRETCH = tuned(0.01, "", "Strain of a spring in the middle of a leaf that carries all of its buoyancy")
MOST_STRAIN = tuned(0.03, "", "The most that a spring is longer or shorter than at rest")
LONGEST_LEAF_STEP_SECONDS = tuned(1 / 20, "s", "The longest step: a frame that is longer is taken as several")
NEWTON_CORRECTIONS = tuned(1, "", "Corrections of the tensions in a step; the cut of the strain does the rest")
SETTLING_STEP_SECONDS = tuned(100.0, "s", "A step on the way to the balance at the start; implicit, so it may be long")
SETTLING_STEPS = tuned(12, "steps", "To the balance at the start")
LEAF_GAP_METRES = tuned(0.01, "m", "What leaves keep from walls and pillars")
ROOT_TRIES = tuned(20, "throws", "For a root clear of pillars")
EDDY_LEAVES = tuned(0.5, "leaves", "Length of the eddies along a leaf")

# Leaves and fishes

SHARED_WATER_LENGTHS = tuned(0.15, "lengths of the fish", "From its skin, within which water goes along with it")
PUSHED_WATER_SHARE = tuned(0.5, "speeds of the fish", "At which that water is pushed out of its way")
SKIN_HALF_WIDTH = tuned(1.1, "", "Half width of the skin over that of the rings of nodes")
SKIN_HALF_HEIGHT = tuned(1.45, "", "Half height of the skin over that of the rings of nodes")
POINTED_END_SHARE = tuned(0.25, "", "Girth of nose and tail over that of the nearest ring")
TOUCHED_WEIGHT = tuned(1e4, "times the mass's own", "Weight of what a mass touches: it does not give way")

# Slack water before walls

PRESSING_LENGTHS = tuned(
    0.5, "lengths/s", "Stream that presses a fish to a wall: a third of what most swim at full speed"
)
STRAIN_RATE = tuned(10.0, "1/s", "What a stream may gain with the way to the wall that it leads to; stagnating flow")

# What is moved by hand

HAND_SPEED = tuned(3.0, "m/s", "With which an obstacle without keys glides to where it is put")
HAND_TURN = tuned(6.0, "rad/s", "With which it turns at the most meanwhile")

# The submarine; the paper names its maneuvers and says nothing of how it moves

HULL_SIDE_DRAG = tuned(12.0, "times that along it", "Of the hull sideways and upwards: turns skid, but not far")
LIFT_SHARE = tuned(0.35, "speeds", "How fast it rises and dives in the end, over how fast it goes ahead")
RUDDER_SECONDS = tuned(0.7, "s", "In which a turn comes to three fifths of its rate, and fades as fast")
PLANES_RADIANS = tuned(0.6, "rad", "Pitch with the planes hard over: steeper makes a viewer ill")
PLANES_RATE = tuned(1.6, "1/s", "How fast it comes to its pitch, without overshooting; in two seconds it is there")
HULL_MARGIN_GIRTHS = tuned(0.5, "girths", "What it keeps from all that stands, beyond its hull")

# Walls

WALL_GLANCES = tuned(16, "", "Level directions in which a wall that is no side of a box is looked for")
