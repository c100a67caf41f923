"""The tuned numbers of the mind but for its routines: each with its unit, its reason and its source."""

from __future__ import annotations

import numpy as np

from ..base.tuning import tuned

# The loop

TURN_FISHES = tuned(200, "fishes", "From so many on each glances at a time of its own; fewer glance together")
GLANCE_SECONDS = tuned(0.12, "s", "From one glance ahead to the next, and from thought to thought in pursuit or danger")
EARLY_SECONDS = tuned(0.06, "s", "How much sooner fishes of a small world think where one of them has to")
THOUGHT_SECONDS = tuned((0.25, 0.5), "s", "From one thought to the next, at random")
THINKING_EASE = tuned(
    (1.0, 1.5, 4.0), "", "Factor on these times for a dynamic fish, a replica and one in no picture, but in danger"
)
REPLICA_COMFORT = tuned(
    1.2, "", "Size of a replica's sensitivity box unless it schools, over a dynamic fish's", "Yu, §6.2"
)
REPLICA_BERTH = tuned(
    1.2, "", "Distance that a replica's middle keeps off what stands, over a dynamic fish's", "Yu, §6.2"
)
ALARMING_SIGHT = tuned(0.5, "", "Share of its sight, free of obstacles, below which a fish takes thought at once")
ABSENT_METRES = tuned(1e5, "m", "To where nobody is met: who is not there is taken for there")

# Attention

GLANCING_SECONDS = tuned(0.3, "s", "From one glance at some of its kind farther off to the next")
WATCHING_SECONDS = tuned(1.5, "s", "For which a fish watches one schoolmate before it turns to another")

# Intentions

FLIGHT_SHARE = tuned(0.4, "", "Share of its composure for which a fish still flees, whatever hid the foe: it tires")

FEAR_EASE = tuned(0.8, "", "Of f0 and f1, to which fear must fall for who gathers, or flees, to be done with that")
GATHERING_SECONDS = tuned(5.0, "s", "For which a school stays close that has lost sight of what it feared")
WARY_SECONDS = tuned(
    25.0,
    "s",
    "In which the appetite comes back that a flight takes: the hungrier a fish, the sooner it feeds again",
    "ours, after Godin & Sproul 1988",
)
LEAST_BOUT_SECONDS = tuned(
    1.0, "s", "For which a fish stays at what it has begun unless something presses: what it passes is no reason"
)

SEARCH_SECONDS = tuned(
    10.0, "s", "For which a fish goes on looking for what it was after and has lost sight of, if it is not weary of it"
)
ROOM_AHEAD_LENGTHS = tuned(
    1.5, "lengths", "Free way ahead, from which on a fish that avoids what was within one is clear"
)

# Moods

MOOD_FADING_SECONDS = tuned(
    np.array((20.0, 20.0, 5.0)), "s", "Time in which a mood of hunger, libido or fear is down to 1 / e"
)
START_SHOWN_SECONDS = tuned(0.3, "s", "From its beginning, for which a flight is seen as a start by mates")
STARTLING_SECONDS = tuned(
    0.03,
    "s",
    "Time in which the start of a schoolmate frightens: a wave has its speed by it",
    "Domenici & Blake 1997: fishes start within 10 to 50 ms",
)
FAINT_MOOD = tuned(0.01, "", "Of a mood that is over")

# Comfort

LIGHT_STEP_SHARE = tuned(
    0.01, "share of brightness", "What a fish can just tell apart", "Weber's law; the share is ours"
)
WARMTH_STEP_DEGREES = tuned(0.03, "°C", "What a fish can just tell apart", "Bull 1936")
DIMMEST_BRIGHTNESS = tuned(0.01, "", "Brightness below which a fish tells no better")
LIGHT_EASE_SHARE = tuned(0.15, "", "Share of what is left of brightness that it must be better than bearable to stay")
WARMTH_EASE_DEGREES = tuned(0.5, "°C", "How much better than bearable warmth must be to stay")
HAVEN_STEPS = tuned(4.0, "steps", "Of those it can just tell apart, that the memory of a better place counts for")

# Wishes, and what each counts over a whim

GATHERING_PULL = tuned(1.5, "", "How much a whole habit of schooling draws, over a whim")
LEVELLING = tuned(
    np.array((1.0, 1.0, 0.18)),
    "",
    "What counts of going to others along each axis: fishes keep to their level",
)
CROWD_LEVELLING = tuned(np.array((1.0, 1.0, 0.1)), "", "The same of going off them: they make room on the level")
SCHOOLING_WHIM_LOSS = tuned(0.7, "", "How much of its whims a whole habit of schooling takes")
CURIOUS_LENGTHS = tuned(4.0, "lengths", "From which a pacifist looks at who has come; within them it draws back")
CURIOUS_SECONDS = tuned(25.0, "s", "Of looking from near, until it is no longer curious", "ours, after Yu 1999, §9.1")
SATED_SECONDS = tuned(60.0, "s", "Until it is curious again")
CURIOSITY = tuned(1.5, "", "How much who is curious is drawn, over a whim")
LURED_PACE = tuned(0.7, "", "Share of full speed with which who would eat goes to a lure")
LURED_SLOWING_LENGTHS = tuned(3.0, "lengths", "From the lure, within which it slows down")
CROWDED_PUSH = tuned(0.7, "", "Push out of a box from which on a fish is said to avoid another")
CROWDED_SHARE = tuned(0.4, "", "Share of its composure for which it bears that among its own kind")
PUSH_AS_THREAT = tuned(0.5, "", "Strength of what it may run into, for the motor preferences, over the push off it")
SHYNESS = tuned(0.5, "", "How much who hunts, feeds, courts or flees still minds what is in its box")
WARINESS = tuned(1.5, "", "How much a school that sees a predator makes away from it")
ALARM_HURRY = tuned(1.6, "", "Its pace then, over that at ease")
PLAN_WEIGHT = tuned(2.0, "", "How much it counts where a pressing intention leads")
TARGET_ZEAL = tuned(6.0, "", "How much more than a whim a target is steered for")
UPSTREAM_PULL = tuned(1.0, "", "How much who is close to what the stream would carry it to makes up the stream")
RESTING_PUSH = tuned(0.3, "", "Push of others, or of walls, up to which a fish rests if it likes to, over a whim")
RESTING_DRIFT = tuned(0.1, "lengths/s", "Speed of the water up to which it does")
SLOWING_SHARE = tuned(0.8, "", "Share of the push from ahead that slows a fish down rather than turn it back")
SLOWING_PACE = tuned(0.5, "", "Share of its pace that such a push takes, at the most")
CLEARANCE_LEAST_WISH = tuned(1e-6, "", "Of its heading in its wish: who wishes nothing goes straight on")
CLOSE_PICKING_LENGTHS = tuned(2.0, "lengths", "From what a fish would pick, within which it keeps less off what stands")
SLEEPING_COMFORT = tuned(0.4, "", "Size of the sensitivity box of who sleeps, over that at ease")
PICKING_BERTH_LENGTHS = tuned(0.4, "lengths", "That it then keeps off")
TOUCHING_BERTH_LENGTHS = tuned(
    0.05, "lengths", "The same where it would bite at what stands: its nose goes all the way"
)
TOUCHED_LENGTHS = tuned(0.9, "lengths", "Before what it would bite at, where it no longer minds what that grows on")
SHORTEST_SIGHT_LENGTHS = tuned(0.1, "lengths", "Ahead, that it minds in any case")

# Steering: turns

SAME_AIM_ANGLE = tuned(0.06, "rad", "A course nearer than this to the last aim is no new turn")
OFF_AIM_ANGLE = tuned(0.15, "rad", "A heading farther than this from its aim after a turn is turned again")
TURN_SECONDS = tuned(1.2, "s", "Time after which a turn must have reached its aim")
LEAST_TURN_ANGLE = tuned(1e-3, "rad", "A turn by nothing would not end the one that is under way")
WINDING_SECONDS = tuned(6.0, "s", "Time over which turns to one side add up until going round and round is enough")
OFF_COURSE_ANGLE = tuned(0.4, "rad", "How far off its aim a fish turns with all that it may")

# Steering: pace

SCRAPE_LENGTHS = tuned(0.5, "lengths", "From what stands, within which a course that leads there slows a fish down")
RAMMING_LENGTHS = tuned(2.0, "lengths", "From what stands, within which who strikes is slower for it")
RAMMING_CLIMB = tuned(1.0, "", "How much more steeply than meant who strikes climbs, for what its nose is off that")
MOST_RAMMING_CLIMB = tuned(0.7, "rad", "The most of it")
LEAST_ROOM_PACE = tuned(0.1, "", "Share of its pace that is left without any room")
TURNING_AWAY_PACE = tuned(0.7, "share of full speed", "With which a fish turns away from what is close ahead")
AT_REST_SPEED = tuned(
    0.5, "lengths/s", "The less of it a fish has, the nearer to full speed that is: at rest it hardly turns"
)
ABOUT_FACE_PACE = tuned(0.35, "share of full speed", "Least pace of turning about: who creeps for company hardly turns")
ABOUT_FACE_ANGLE = tuned(1.0, "rad", "Off its aim, from which on a fish turns about, and a radian more fully")
STARTING_GAIN = tuned(2.0, "", "How fast a cruising fish that lacks speed nears full speed: large ones start slowly")
BRAKING_SPEED = tuned(0.4, "lengths/s", "Above which a fish brakes whose nose is at what stands")
HOVERING_SPEED = tuned(0.2, "lengths/s", "Above which who hovers brakes, and below which it rows against its way")
LEEWAY_LENGTHS = tuned(
    1.5, "lengths", "Down the stream from what stands, within which who heads up it swims all it can"
)
BURST_FADE_SECONDS = tuned(0.5, "s", "In which a burst fades that is no longer needed")
CSTART_PAUSE_SECONDS = tuned(1.5, "s", "From one C-start to the next, at the least")
EASE_SECONDS = tuned(0.1, "s", "Time in which swimming and climbing follow what was resolved")

# The director

OBEYED_STRENGTH = tuned(0.95, "", "Strength from which on even fishes that flee obey")
LED_AT_EASE_PACE = tuned(0.25, "share of full speed", "Of who is where it was led")
LED_HURRY_LENGTHS = tuned(3.0, "lengths", "To a place, from which on a fish makes for it at full speed")
LED_DRIFT_PACE = tuned(0.3, "", "Share of full speed for a length a second that the place itself moves")
TURNABLE_LENGTHS = tuned(
    1.5, "lengths", "Within which a fish cannot turn to a place off its course, and does not hurry"
)
TURNABLE_COSINE = tuned(0.5, "", "Cosine of the bearing below which a place is off its course")
CURVE_AHEAD_LENGTHS = tuned(1.2, "lengths", "Along a curve, from the place nearest to a fish to that it makes for")
CURVE_SEARCH_LENGTHS = tuned(4.0, "lengths", "Along a curve, within which its nearest place is sought once it is on it")
CURVE_SPACING_LENGTHS = tuned(0.25, "lengths", "From one of the places that are searched to the next")
CURVE_STRAYED_LENGTHS = tuned(6.0, "lengths", "From a curve, from which on all of it is searched again")
CURVE_JOINED_LENGTHS = tuned(2.0, "lengths", "To the moving place on a curve, within which a fish is with it")
CURVE_LOST_LENGTHS = tuned(5.0, "lengths", "To the moving place on a curve, from which on it is not")
CURVE_AHEAD_SECONDS = tuned(0.8, "s", "The same of who follows a curve in time: the faster, the farther on")
CURVE_LAG_SECONDS = tuned(1.0, "s", "In which a fish means to make up what it is behind where a curve is, or a place")
CURVE_END_LENGTHS = tuned(0.5, "lengths", "From the end of a curve, where it has been followed")
BORDER_LENGTHS = tuned(2.5, "lengths", "From the border of a region, within which a fish begins to turn away from it")
BORDER_SHARE = tuned(
    0.6, "", "Of the half of a region, the most of that: what is small has no room for so wide a border"
)
BORDER_FORESIGHT_SECONDS = tuned(1.0, "s", "By which it foresees where it comes")
LED_HOLD_STRENGTH = tuned(0.5, "", "Strength from which on who is led does not hover, and forgets its home")

# Times that are kept

PACING_GAIN = tuned(1.0, "", "How much faster a fish means to be for what it lacks of its speed, over that")
PACING_LACK_GAIN = tuned(0.8, "1/s", "Share of that which it comes to reckon with in a second")
PACING_MOST_LACK = tuned(0.5, "", "The most of it, over its speed")
PACING_AGAIN_SECONDS = tuned(2.0, "s", "After which a fish feels anew what its beats make of a speed")
PACING_FAST_SHARE = tuned(1.5, "", "Speed over full speed beyond which who slows down beats a little faster yet")
PACING_FAST_BEAT = tuned(0.1, "", "How much faster, over its beat at full speed: its body is not calm yet")
PACING_FORESIGHT_BEATS = tuned(1.0, "beats", "In which a body follows these: who slows down begins so much sooner")
HEADING_COSINE = tuned(0.7, "", "Cosine of its bearing below which a fish does not go where it means to, but turns")
ENDURING_SECONDS = tuned(30.0, "s", "For which strength has to last that is needed without an end")
SETTING_OUT_PACE = tuned(0.8, "share of full speed", "That a way takes in its time, from which on a fish sets out")
LEAST_SETTING_OUT_PACE = tuned(0.3, "share of full speed", "The same of one that may set out early: slower is no swim")
ARRIVING_BEATS = tuned(3.0, "beats", "Before it is there, for which a fish slows down")
ARRIVING_PACE = tuned(0.6, "", "Share of its speed that it then has left")
SWINGING_SHARE = tuned(1.05, "", "Speed over that of its plan from which on a fish goes round that cannot go slowly")
LEAST_SWING_COSINE = tuned(0.25, "", "Cosine of the most that it then turns off its way")
ARRIVED_LENGTHS = tuned(0.1, "lengths", "From its place, within which a fish is there that has not passed it")
SHOAL_ARRIVES_LENGTHS = tuned(0.7, "lengths", "Radius in which a shoal arrives, over the cube root of its number")
HEADED_SHARE = tuned(0.5, "", "Of the rest of its way, before its place, to where a fish goes that is to arrive headed")

# Shapes of schools

SHAPE_STRENGTH = tuned(0.9, "", "Of a shape that leads in full: the rest is each fish's own, its schooling above all")
SHAPE_WARY_SHARE = tuned(0.4, "", "Share of that which is left while a fish keeps away from what it fears")
SHAPE_ALIKE = tuned(1.8, "", "What the common heading counts over whims, for a little of order")
SHAPE_ALIKE_END = tuned(1.04, "", "Third power of the order with which it would count for everything")
SHAPE_WHIM_SECONDS = tuned(2.5, "s", "For which a fish of a swarm keeps to a course of its own")
SHAPE_WHIM_SLOPE = tuned(0.35, "rad", "The steepest of these courses")
SHAPE_HOMING = tuned(1.0, "", "How much the way back to its middle counts over a school's heading, at its rim")
SHAPE_FORESIGHT_SECONDS = tuned(1.0, "s", "By which a shape that moves is foreseen")
SHAPE_CATCH_UP_PACE = tuned(
    0.15, "share of full speed a length", "Added for what a school is behind a shape that moves"
)
SHAPE_CELL_FISHES = tuned(8.0, "fishes", "In a cell of the grid by which a school evens itself out")
SHAPE_MOST_CELLS = tuned(16, "cells", "Along each edge of that grid")
SHAPE_EVENING = tuned(1.0, "", "How much room counts over a heading, for twice as many on one side as on the other")
SHAPE_INWARD = tuned(2.0, "", "How much the way in counts over a heading on the border, from a length inside on")
SHAPE_LATITUDE = tuned(0.5, "", "How much less its border turns fishes back one by one that head all as one")
SHAPE_SLOW_ORDER = tuned(0.7, "", "Order from which on a school in one place swims slowly: it has nowhere to go")
SHAPE_SLOW_PACE = tuned(0.05, "share of full speed", "Pace of that, and of who has only just left its shape")
SHAPE_EASY_DENSITY = tuned(
    0.7, "fishes/length³", "Density up to which a school is at its ease: in closer ones each bears others nearer"
)
STREAM_PACE = tuned(0.5, "share of full speed", "Of who is where it should be in a stream")
STREAM_CATCH_UP_PACE = tuned(0.1, "share of full speed a length", "Added for what it is behind")
STREAM_PACES = tuned((0.25, 0.95), "share of full speed", "The least and the most of it")

# Mobbing

MOBBED_MENACE = tuned(0.5, "", "Menace below which a predator may be mobbed")
MOBBING_LENGTHS = tuned(15.0, "lengths", "Farther than it keeps from it, from which on a fish that sees it comes")
MOBBING_REACH = tuned(1.5, "", "Of that distance, beyond which it lets it go")
MOBBING_GAP = tuned(1.3, "", "Distance that it keeps from it, over that at which it would flee")
MOBBING_CLOSE = tuned(0.85, "", "Share of that from which on it backs off")
MOBBING_BACK = tuned(0.6, "", "Share of the speed of a retreat with which it does")
MOBBING_PACE = tuned(0.8, "share of full speed", "With which it follows")
MOBBING_REST_SECONDS = tuned(40.0, "s", "After which one that had enough begins again")

# Instructions

AT_SPOT_LENGTHS = tuned(1.5, "lengths", "From the border of a named place, within which a fish is there")
SPOT_LEFT_LENGTHS = tuned(2.0, "lengths", "Farther off than that, beyond which who is to stay comes back")
SWAPPED_LENGTHS = tuned(1.0, "lengths", "From where another was, within which a fish has changed places with it")
SWAPPING_BERTH_LENGTHS = tuned(1.5, "lengths", "By which it keeps to the side of whom it changes places with")
LEADING_AHEAD = tuned(0.6, "", "Of the distance at which who leads waits, at which it goes on")
GUARD_CHARGE_LENGTHS = tuned(2.0, "lengths", "From which on whom a guard charges takes fright")

# Relations to particular others

RELATED_FISHES = tuned(3, "fishes", "Of a group that a fish has a relation to, how many, the nearest, it looks at")
LIKED_LENGTHS = tuned(
    3.0, "lengths", "Of both in the middle, that who likes another whole-heartedly keeps near; farther by the strength"
)
LIKED_EASE = tuned(0.6, "", "Share of that at which it is near enough, once it has gone there")
LIKED_PACE = tuned(0.5, "share of full speed", "With which it closes up from just beyond, and more the farther it is")
DISLIKED_LENGTHS = tuned(
    20.0, "lengths", "Its own, within which who dislikes another whole-heartedly drives it off; nearer by the strength"
)
DRIVING_PACE = tuned(
    1.5, "share of full speed", "With which it does: half a burst; and who it charges makes off so, once it is close"
)
DRIVING_SECONDS = tuned(8.0, "s", "For which it drives another off before it has enough for a while")
DRIVING_REST_SECONDS = tuned(5.0, "s", "After which it begins again")
GRUDGES_KEPT = tuned(4, "fishes", "Against which a fish holds a grudge at a time: it forgets the faintest for another")
GRUDGE_GAIN = tuned(0.5, "", "Share of what is left to a whole grudge that a chase, or a meal lost, adds")
GRUDGE_SECONDS = tuned(120.0, "s", "Time in which a grudge is down to 1 / e")
FAINT_GRUDGE = tuned(0.02, "", "Of a grudge that is over")
LEAST_CHASE_SECONDS = tuned(0.5, "s", "For which a fish must be chased to hold it against the other")
