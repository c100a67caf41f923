"""The tuned numbers of the studio: each with its unit, its reason and its source."""

from __future__ import annotations

import numpy as np

from ..base.tuning import tuned

# Following tracks of real fish

TRACK_MARGIN = tuned(3.0, "body lengths", "Water around all tracks of a tank that is made for them")
LEAD_SECONDS = tuned(0.3, "s", "How far ahead on its track the place is that a fish heads for")
GLIDING_SPEED = tuned(0.15, "lengths/s", "Of a track, below which a fish does not beat, nor turn to where it goes")
PACE_GAIN = tuned(1.5, "1/lengths", "How fast a fish beats harder, for each length a second that it is too slow")
FULL_STRIDE = tuned(0.55, "lengths", "A tail beat brings a fish on, from which its first guess of a pace is made")
CARRYING_SECONDS = tuned(0.25, "s", "In which the water carries a fish two thirds of what it is off its track")
FARTHEST_OFF = tuned(0.15, "lengths", "A fish may be off its track; the water carries it the rest at once")

# Paces

PACES_SECONDS = tuned((2.0, 5.0, 10.0, 30.0), "s", "For which the speeds are measured that a species keeps")
PACES_EFFORTS = tuned(11.0, "fishes", "Side by side, from a cruise to a burst")
PACES_RUN_UP_SECONDS = tuned(4.0, "s", "Of cruising before that")

# Checks of a scene before it is simulated

CHECKED_SECONDS = tuned(30.0, "s", "For which a speed has to be kept that is asked for without an end")
CHECKED_METRES = tuned(0.1, "m", "From one place on a curve to the next, of which it is seen where they lie")
UNSAID_METRES = tuned(0.5, "m", "By which a curve may leave the water, or lead into what stands, unsaid")

# Loops

LOOP_PACE = tuned(0.5, "share of full speed", "At which a fish swims and turns in a loop: one that replicas know")
LOOP_TURN = tuned(np.radians(60.0), "rad", "Left of the turn all the time in a loop that turns: likewise")
LOOP_TANK_LENGTHS = tuned(100.0, "body lengths", "Width of the water in which they are watched, far from its walls")
LOOP_SETTLING_SECONDS = tuned(16.0, "s", "For which fishes do what is looped before they are watched")
LOOP_GLIDE_SECONDS = tuned(0.6, "s", "After which a fish that stops beating is watched: it still goes ahead")
LOOP_WATCHED_SECONDS = tuned(1.0, "s", "For which they are watched, to see how fast fins and gills move")
SHORTEST_LOOP_SECONDS = tuned(1.5, "s", "In which fins and gills move about twice")
LONGEST_LOOP_SECONDS = tuned(6.0, "s", "Within which one is looked for that all of the fish's rhythms fit into")
LOOP_MISFIT = tuned(0.04, "", "Of its rate, by which each rhythm may be bent to fit into a loop that is shorter")
LEAST_LOOP_CYCLES = tuned(0.25, "cycles", "In a loop, below which a rhythm stands still in it")

# Schools that go round

SCHOOL_LOOP_SECONDS = tuned(15.0, "s", "After which a school's places are taken: it has found its order by then")
SCHOOL_LOOP_SPREAD = tuned(0.8, "body lengths", "Distance of neighbours when they begin, over which they are spread")
SCHOOL_LOOP_TANK = tuned(60.0, "body lengths", "Water around them on every side, so that no wall leads them")
SCHOOL_LOOP_SPARE = tuned(0.2, "", "Share of more fishes that are simulated, of which the outermost are left out")
SCHOOL_LOOP_STRAY = tuned(np.radians(20.0), "rad", "Most that a heading keeps of its way off the school's")
SCHOOL_LOOP_DRIFT = tuned(0.08, "body lengths", "Amplitude by which each sways about its place, once or twice round")

# Schools that part

COMPANY_LENGTHS = tuned(2.2, "lengths", "From one to the next of a school, beyond which it has come apart there")
LEAST_COMPANY = tuned(3, "fishes", "Of a part of a school: one or two are stragglers")
PARTED_SECONDS = tuned(0.25, "s", "From one look at a school to the next; two that agree count")

# Camera work

CAMERA_ANGLES = tuned(tuple(np.arange(-180.0, 180.0, 15.0)), "°", "At which a place for a camera is looked for")
ELEVATIONS = tuned((-10.0, 4.0, 15.0, 28.0), "°", "Likewise above the level")
CAMERA_SECONDS = tuned(3.0, "s", "Of a swing of the subject, half of which a camera goes along with")
MOST_SWING_DEGREES = tuned(25.0, "°/s", "Around a subject that it goes with; one that turns faster shows another side")
MOST_PAN_DEGREES = tuned(50.0, "°/s", "By which a camera turns: at 24 frames/s, what turns faster is seen to jump")
MOST_PUSH = tuned(1.2, "m/s²", "Of a camera that nothing is in the way of: about as much as a diver can")
PAN_SECONDS = tuned(0.9, "s", "Of a swing of the subject, half of which a camera turns after: less, and it twitches")
HANDLE_SECONDS = tuned(3.0, "s", "Before and behind a shot, for which its camera's way is found, too")
EYE_SECONDS = tuned(0.7, "s", "Of a swing of its head, half of which is seen through a fish's eyes: its beat is not")
DISTANCE_SECONDS = tuned(3.0, "s", "Of a change of a pair's extent, half of which a camera goes nearer or back with")
CAMERA_CLEAR_METRES = tuned(0.2, "m", "Between a camera and rock, wall or bed")
WATER_MARGIN_METRES = tuned(0.12, "m", "Between a camera and the surface, and the floor of the tank")
BEYOND_TANK_METRES = tuned(1.5, "m", "How far outside a tank that is a box a camera may stand: the sand goes on")
SCENERY_CELL_METRES = tuned(0.06, "m", "Between points by which cameras know scenery")
MOST_SCENERY_POINTS = tuned(150_000, "points", "Of scenery; where there is more of it, they are farther apart")
SMALLEST_SCENERY_METRES = tuned(0.1, "m", "Of a mesh, below which a camera need not keep clear of it")
FISH_ROOM = tuned(0.6, "body lengths", "Between a camera and the middle of a fish")
LEAD_ROOM = tuned(0.35, "body lengths", "Ahead of a fish, at which a camera looks that goes with it")
PAIR_REACH = tuned(
    2.5, "body lengths", "Of the larger of two, within which both are in the picture; from twice it, one"
)
GROUP_SHARE = tuned(0.85, "", "Of a group, that is in the picture: stragglers are not waited for")
BACKGROUND_DEGREES = tuned(
    30.0, "°", "By which what is to be behind the subject may be off, at the cost of a turn by 90"
)
SHOULDER = tuned((1.3, 0.35, 0.35), "body lengths", "Behind, beside and above a fish over whose back is looked")
SIGHT_MOMENTS = tuned(16, "places", "Of a line of sight that are looked at for what stands in it")
PRESENT_SHARE = tuned(0.5, "share of a shot", "For which its subject is there, or the shot is refused")
EVENT_WORTH = tuned(
    {
        "spawned": 8.0,
        "eaten": 6.0,
        "hooked": 6.0,
        "fright": 4.0,
        "courtship": 3.0,
        "food": 2.0,
        "arrived": 2.0,
        "entered": 1.5,
        "instructed": 1.0,
        "grudge": 1.0,
        "hatched": 3.0,
        "died": 2.0,
        "fed": 1.0,
        "browsed": 0.6,
    },
    "meals",
    "How much an event is worth to a film",
)
FLIGHT_WORTH = tuned(3.0, "meals", "Likewise many that begin to flee at once")
CALM_WORTH = tuned(0.5, "meals", "Likewise a fish that swims by itself")
SAME_SHOT_SECONDS = tuned(1.0, "s", "In which fear that rises is of one flight")

# Edits

SHORTEST_EDIT_SECONDS = tuned(0.3, "s", "Of a shot of an edit: in less, an eye finds no subject")
CUT_SWAY = tuned(0.5, "", "Of a shot's share of an edit, by which it may be longer or shorter, for what happens in it")
UNEVENNESS = tuned(0.3, "calm moments", "That a shot is worth less for being twice as long as its share")
LEAST_CALM_SHARE = tuned(0.25, "", "Of an edit of four shots or more, that shows fishes that swim by themselves")
MOST_OF_A_KIND = tuned(0.5, "", "Of an edit, that is of one kind of event")
LEAST_PRESENCE = tuned(0.6, "", "Of a shot, for which its subject must be there")
LAG_SHARE = tuned(0.15, "", "Of a shot, that goes on after what happens in it")
