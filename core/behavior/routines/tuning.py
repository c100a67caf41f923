"""The tuned numbers of behavior routines: each with its unit, its reason and its source."""

from __future__ import annotations

import numpy as np

from ...base.tuning import tuned

# Avoiding

STEEPEST_WAY = tuned(0.45, "rad", "Steepest of the ways that are weighed")
FAN_SIDEWAYS = tuned((0.0, 0.3, 0.6, 1.0, 1.5, 2.2, 3.0), "rad", "Ways to either side, on the level of the wish")
FAN_UPWARDS = tuned((-0.5, 0.0, 0.5), "rad", "Ways to either side, for each of up and down")
FAN_JITTER = tuned(0.12, "rad", "By how much the fan is turned at random, so that neither side is favoured")
LEAST_WEIGHED_SPEED = tuned(0.5, "lengths/s", "Speed below which a fish weighs its ways as at this one")
TANGENT_SECONDS = tuned(2.0, "s", "Time for which each way is felt at the least")
TIGHTEST_TURN_SHARE = tuned(0.4, "", "Radius of a turn over the free way ahead: without room a fish turns on the spot")
STREAM_SPEED = tuned(1.5, "", "Speed over that of the water, at which ways are felt: a fish that must can swim faster")
BLOCKED_COST = tuned(8.0, "", "What a blocked way costs, over a whim")
HALF_TURN_COST = tuned(0.1, "1/rad", "What half of a turn costs, over a whim")
LEAST_FIRMNESS = tuned(0.1, "", "What another way than the present aim costs in free water, over a whim")
DANGER_FIRMNESS = tuned(0.4, "", "What danger adds to that: the closer, the more harm is in a change of mind")
AIM_BONUS = tuned(0.02, "", "What speaks for the present aim where all else is equal")
DETOUR_BLOCKED = tuned(0.3, "", "How far the wish is blocked where another way is called a detour")
WOUND_ANGLE = tuned(2.8, "rad", "Turned to one side of late, from which on a fish avoids turning on")
DIZZINESS = tuned(3.0, "", "What turning on a radian beyond that costs, over a whim")
PRESSING_COST = tuned(3.0, "", "What a turn costs that presses the whole nose into a wall, over a whim")
KEEP_OFF_PUSH = tuned(3.0, "", "Push of a neighbour in touch, over a whim")

# Chasing

CHASE_FAR_LENGTHS = tuned(
    3.0, "lengths", "A target beyond is chased at full speed, and food beyond is approached roughly; far in §7.8.2"
)
CHASE_NEAR_LENGTHS = tuned(0.5, "lengths", "Food within is aimed at as well as can be; near in §7.8.2")
LEAST_TARGET_PACE = tuned(0.35, "share of full speed", "What is left of the pace on the target")
OVERSHOOT = tuned(
    1.0, "", "How far to turn ahead of a target, over the angle that its crossing makes with one's own speed"
)
MOST_OVERSHOOT_ANGLE = tuned(np.pi / 4, "rad", "The most of that")
FOLLOWING_SECONDS = tuned(0.5, "s", "A follower brakes that would be on its companion sooner")
SCHOOL_SIGMA = tuned(np.pi / 5, "rad", "sigma, how far off a school may be before the fish steers", "Tu 1999, §7.8.2")
MATE_SIGMA = tuned(np.pi / 8, "rad", "The same of a mate")
LEAVE_SIGMA = tuned(np.pi / 5, "rad", "The same of a better place")
EAT_FAR_SIGMA = tuned(np.pi / 5, "rad", "The same of food that is far")
EAT_NEAR_SIGMA = tuned(np.pi / 60, "rad", "The same of food that is near")

# Hunting

LEAST_CHASE_PACE = tuned(
    0.9, "share of full speed", "Least pace of a hunt: prey that flees is not caught by slowing down"
)
THRONG_LENGTHS = tuned(0.65, "lengths", "Of the predator, from its prey, within which others of the kind confuse it")
CONFUSION_RATE = tuned(
    4.0, "Hz", "How often the most of them make it lose the one it has", "ours, after Neill & Cullen 1974"
)
STRAGGLING_LENGTHS = tuned(
    (3.0, 8.0),
    "lengths",
    "Of prey, from its nearest mate: who is farther off begins to straggle, and does so fully",
    "ours, after Morgan & Godin 1985",
)
CONFUSING_PREY = tuned(3.0, "fishes", "How many of them do so half as often")
SINGLED_OUT_SECONDS = tuned(0.5, "s", "Time for which a predator has its eye on one before it opens its mouth")
RAM_LENGTHS = tuned(
    5.0, "lengths", "From nose to prey: so near, and ahead, a predator that runs prey down does so with all it can"
)
RAM_ANGLE = tuned(0.5, "rad", "So near the nose")
STALKING_LENGTHS = tuned(1.5, "lengths", "Beyond what it strikes from, within which a predator creeps up")
STALKING_PACE = tuned(0.5, "share of full speed", "Pace of that, beside what prey goes away with")
STRIKE_ANGLES = tuned((0.2, 0.1), "rad", "Off its nose, and above or below, within which a predator strikes at prey")
LUNGE_SECONDS = tuned(1.2, "s", "For which a strike lasts, at the most")
OVERHEAD_ANGLE = tuned(0.7, "rad", "Above or below the level, from which on a stalker swims past prey so near")
PASSING_SLOPE = tuned(0.4, "", "Rise or fall to the level of that prey, over the way on")
LUNGE_SPEED = tuned(2.0, "lengths/s", "Speed that a predator that strikes reckons with")
PASSED_COSINE = tuned(0.3623577544766736, "", "The same, beyond which a strike has missed")
WEARY_SECONDS = tuned(2.5, "s", "For which a predator then glides on and lets its prey be")
WEARY_PACE = tuned(0.3, "share of full speed", "Pace of that")
GAPING_SECONDS = tuned(0.12, "s", "Before it has its prey, a predator opens its mouth")
GAPING_LENGTHS = tuned((0.1, 0.5), "lengths", "From its mouth to its prey, where it opens at any rate, and not before")
ABEAM_ANGLE = tuned(1.2, "rad", "Prey so far off the nose, seen from above, and so near, is gone round")
ABEAM_LENGTHS = tuned(1.5, "lengths", "How near that is")
GOING_ROUND_SECONDS = tuned(
    1.5, "s", "Time of going round its prey after which a predator brakes and turns by its fins"
)
TEMPTED_LENGTHS = tuned(8.0, "lengths", "From a predator, within which bait tempts it that is nearer than its prey")

# Grazing

GRAZING_SIGMA = tuned(0.05, "rad", "Plankton is steered for as closely as that")
PICKING_LENGTHS = tuned(
    3.0, "lengths", "From plankton, within which a fish is slow: fast, it turns in too wide a circle"
)
PICKING_RATE = tuned(0.35, "1/s", "Share of the way left and of its own length that it then comes nearer, at the most")
LEAST_PICKING_PACE = tuned(0.15, "share of full speed", "Pace with which it then swims, at the least")
BITING_PACE = tuned(0.35, "share of full speed", "The same of a fish that bites at what stands")
UNHURRIED_LENGTHS = tuned(2.0, "lengths", "From what stands, beyond which it thinks no more often than others")
RECOIL_SPEED = tuned(1.0, "share of the fastest retreat", "With which it backs off after a bite")
PICKING_PATIENCE_SECONDS = tuned(2.5, "s", "Time for which it turns to what is close, before it swims on to have room")
PASSING_PACE = tuned(0.5, "share of full speed", "Pace with which it does so")
PASSING_CLIMB = tuned(0.2, "", "Share of its own slope that it keeps meanwhile")
BRAKING_LENGTHS = tuned(1.5, "lengths", "From what it turns to, within which it brakes: a glide would lead round it")
STEEP_FOOD_ANGLE = tuned(1.0, "rad", "Above or below the level, from which on no turn leads to food so near")
FACING_ANGLE = tuned(0.25, "rad", "Plankton is turned to until it is so near the nose, once it was awry")

# Following a smell

TRAIL_PACE = tuned(0.6, "share of full speed", "Of who follows a smell")
SEARCHING_PACE = tuned(0.35, "share of full speed", "Of who does so in still water, where it has to turn more closely")
TRAIL_PULL = tuned(0.6, "", "How much the side where it smells more counts, over the way upstream")
TRAIL_SLOPE = tuned(0.15, "", "Rise or fall on its way, as it looks for more above or below")
CASTING_UPSTREAM = tuned(0.3, "", "What is left of the way upstream for who has lost it, over that across")
CAST_SECONDS = tuned(3.0, "s", "Of the first leg of that, after which it turns back; the next takes twice as long")
FELT_STREAM_SPEED = tuned(0.01, "m/s", "Of water that a fish feels to stream, by what passes by")

# Escaping

CLOSE_PREDATOR_LENGTHS = tuned(1.5, "lengths", "Of both fishes, one behind the other: close in §7.9.2")
BURST_LENGTHS = tuned(4.0, "lengths", "Of both fishes, one behind the other: so near a predator, prey bursts")
CSTART_LENGTHS = tuned(8.0, "lengths", "So near a predator a fish starts: it flings itself round")
CSTART_LEAST_ANGLE = tuned(np.radians(30.0), "rad", "Least turn away from a predator that is begun by a C-start")
ESCAPE_FRONT_ANGLE = tuned(np.pi / 4, "rad", "To either side of the nose: in front in §7.9.2")
ESCAPE_BEHIND_ANGLE = tuned(np.pi / 4, "rad", "To either side of the tail: behind in §7.9.2")
RIGHT_AHEAD_SINE = tuned(0.07, "", "Sine of the bearing within which a predator is on neither side: 4 degrees")
ROOM_TO_TURN_LENGTHS = tuned(1.0, "lengths", "Room to a side, without which no fish turns about over it")
ROUGHLY_ANGLE = tuned(np.pi / 6, "rad", "By which a heading may differ from one that is the same or perpendicular")
LEAST_ESCAPE_TURN = tuned(np.pi / 9, "rad", "A turn to a side is at least so much")
ASTERN_ANGLE = tuned(np.pi - 0.1, "rad", "The most that is turned at once: more would not tell which way round")
REAR_VIEW_SINE = tuned(
    0.25, "", "Sine of the angle by which a predator's course misses a fish, from which on it is kept in view in full"
)
STEEPEST_ESCAPE = tuned(0.4, "", "Rise or fall, of the length of a wish")

# Leaving

LEAVING_HURRY = tuned(2.0, "", "Factor on the pace of wandering of who leaves", "ours, after Berdahl et al. 2013")
AT_HOME_EASE = tuned(
    0.5, "", "The same of who has found a place that it likes: slower there", "ours, after Berdahl et al. 2013"
)
LEAVING_SPELL_SECONDS = tuned((1.0, 3.0), "s", "From one random turn to the next")
LEAVING_TURN_ANGLE = tuned(1.2, "rad", "The widest random turn")
STEEPEST_LEAVING = tuned(0.4, "rad", "Of a rise or a dive")

# Schooling

FRONT_COSINE = tuned(0.7071067811865476, "", "Cosine of the bearing beyond which a schoolmate is in front")
BEHIND_COSINE = tuned(-0.7071067811865475, "", "Cosine of the bearing below which it is behind; to the sides between")
IN_FRONT_LENGTHS = tuned(
    2.0, "lengths", "Between places, where bodies are about a length apart", "ours, after Tu 1999, §7.9.2"
)
BESIDE_LENGTHS = tuned(1.3, "lengths", "The same for those to the sides", "ours, after Tu 1999, §7.9.2")
ENOUGH_SCHOOLMATES = tuned(2, "fishes", "In front, and to the sides")
ALIKE_COSINE = tuned(
    0.8090169943749475, "", "Cosine of the angle within which headings are generally the same direction"
)
LEADER_WEIGHT = tuned(2.0, "", "How much more than another schoolmate a leader counts")
TRAIN_LENGTHS = tuned(4.0, "lengths", "Behind a leader, at which one makes for it; half of that at which one begins to")
REMOTE_WEIGHT = tuned(4.0, "", "How much more those from 6 lengths off count in the heading; none of it within 2")
CONSENT_HEADING = tuned(0.5, "", "Length of the mean heading from which on it counts in full: rings open")
LEAST_MIDDLE_LENGTHS = tuned(2.0, "lengths", "Distance of the school's middle, from which on it draws in full")
PARTY_LENGTHS = tuned(
    7.0, "lengths", "From one glanced at, beyond which it draws, in full from twice that: else large schools are dense"
)
KEEPING_UP = tuned(0.4, "", "Share of the pace that being slower than the school, and being behind it, add each")
MOST_KEEPING_UP = tuned(0.6, "", "The most of both, faster or slower")
CATCH_UP_PACE = tuned(0.8, "", "Share of the pace that the farthest behind a leader, or from anybody, add to theirs")
CLOSING_SECONDS = tuned(0.4, "s", "Who would be on the one in front sooner brakes")
LEAST_ROOM_LENGTHS = tuned(0.1, "lengths", "Room in front that counts at the least, for that")
LEADER_PATIENCE_LENGTHS = tuned(1.0, "lengths", "The school may be so far behind before its leader slows down")
LEADER_SLOWING = tuned(0.4, "1/length", "Share of the pace by which a leader is slower for a length beyond that")
MOST_LEADER_SLOWING = tuned(0.8, "", "The most of that")
LEAF_PULLS = tuned(
    np.array([0.2, 0.2, 0.0, 0.0]), "", "How much the target of each leaf of fig. 7.13 counts, over the mean of all kin"
)
LEAF_SPURTS = tuned(np.array([0.25, 0.0, 0.0, 0.0]), "", "Share of the pace that each leaf of fig. 7.13 adds")

# Struggling on a hook

WRENCH_SECONDS = tuned((0.2, 0.4), "s", "From one wrench to the next")
WRENCH_ANGLES = tuned(np.radians((120.0, 180.0)), "rad", "How far it turns in a bout")
LEAST_LEVEL_SHARE = tuned(0.2, "", "Share of the heading that is level, below which a fish bends no farther")
WRENCH_SLOPES = tuned((-0.8, 0.3), "rad", "Above the horizontal, where it tries to go")

# Wandering

LEAST_TACK = tuned(0.5, "", "Least turn of a leader's zigzag, over the widest change of course")
SHARP_TURN_ANGLES = tuned(
    np.radians((70.0, 160.0)), "rad", "Least and widest of the sharp turns between straight glides"
)
SCHOOLS_SLOPE = tuned(0.3, "", "What is left of a whim to climb or dive in a school: its fishes point alike")
MEANDER_SECONDS = tuned(0.7, "s", "Time in which the drift of a course is forgotten")
REST_MEANDER = tuned(0.15, "", "Drift of the heading of a fish that hovers, over that of its course under way")
SLOPE_KEPT = tuned(0.6, "", "How often it keeps its slope at a change of course: so it comes to other heights")
LEAST_SLOPE = tuned(0.4, "", "Least slope that it takes, over the steepest")
WHIM_SPREAD = tuned((0.5, 1.5), "", "Shortest and longest time between whims, over that of the temperament")
HOST_DEPTH_SHARE = tuned(0.8, "", "Height among the tentacles at which a fish lives, over theirs")
SLEEPING_BRIGHTNESS = tuned(
    (0.15, 0.35), "", "At the surface, below which fishes of the day go to bed, the first and the last"
)
WAKING_SHARE = tuned(1.3, "", "Of that, at which who is in bed is up again, or who is about goes home")
BEDS_A_SQUARE_METRE = tuned(20.0, "1/m²", "Places on what stands that are looked at for beds")
CREVICE_METRES = tuned(0.25, "m", "Height above the ground up to which the foot of a rock is a crevice")
LEDGE_TILT = tuned(-0.3, "", "How far down rock must face, as its outward vector, to be a ledge")
OFF_BED_LENGTHS = tuned(0.75, "lengths", "That who sleeps keeps off the rock: as near as it comes")
LEAST_BED_ROOM = tuned(0.7, "", "Room about a bed, over that")
BED_GAP_LENGTHS = tuned(1.2, "lengths", "From one bed to the next")
BEDDED_LENGTHS = tuned(1.6, "lengths", "From its bed, within which a fish has come to it")
HUGGING_PULL = tuned(1.5, "", "Pull of the reef at twice the distance that it likes, and the most of it, over a whim")
WALL_PULL = tuned(
    2.0, "", "Pull to a wall from twice the distance that a fish likes on, the most of it, over a whim: half a school's"
)
WALL_REACH_LENGTHS = tuned(10.0, "lengths", "Within which a wall draws who likes to follow it, in full up to half")
HOMESICKNESS = tuned(2.0, "", "Pull home at twice the range, and the most of it, over a whim")

# Dens

DENS_A_SQUARE_METRE = tuned(12.0, "1/m²", "Places on what stands that are looked at for dens")
DENS_LOOKED_AT = tuned(300, "places", "Nearest to where a fish begins, that are looked at")
DEN_OFF_LENGTHS = tuned(0.15, "lengths", "From the wall of a den to the middle of who lies in it")
DEN_ROOM_LENGTHS = tuned(0.05, "lengths", "Least room about who lies there")
DEN_WALL_LENGTHS = tuned(0.3, "lengths", "Within which it feels for walls")
DEN_FAR_LENGTHS = tuned(30.0, "lengths", "Farther for a den that is as narrow as can be")
DEN_CHASE_LENGTHS = tuned(1.5, "lengths", "Height of prey above the ground up to which it hunts it")
DEN_FACING = tuned(0.7, "", "Cosine of the most that its head is off the way out where it backs in and lies still")
DEN_REACHED_LENGTHS = tuned(0.3, "lengths", "From its place in the den, within which it lies still")
DEN_GATE_LENGTHS = tuned(1.2, "lengths", "Before that, where it turns its back to the den")
DEN_TURN_LENGTHS = tuned(0.4, "lengths", "From there, within which it does")
DEN_TURN_PACE = tuned(0.1, "share of full speed", "With which it turns")
DEN_BACKED_LENGTHS = tuned(4.0, "lengths", "Before its place, from which it backs in")
DEN_HALF_WIDTH = tuned(
    0.3, "lengths", "Beside the axis of the den, up to which it does, more by as much for each length before"
)
DEN_PACE = tuned(0.6, "share of full speed", "With which it goes home")

# Guarding a nest

NEST_LENGTHS = tuned(4.0, "lengths", "From a nest, within which its guard drives others off")
RESPECTED_LENGTHS = tuned(4.0, "lengths", "Of the guard, from which on others are too large for him")
DRIVEN_OFF_PACE = tuned(0.9, "share of full speed", "With which who is charged makes off, if he does not flee")
FANNING_LENGTHS = tuned(0.9, "lengths", "From a nest to the middle of him who fans it")
FANNING_SLOPE = tuned(1.0, "", "How far he stands beside it, over how far above it")
FACING = tuned(0.5, "", "Cosine of the most that it is off his nose where he faces his nest")
FANNING_BACK = tuned(
    0.5, "", "Share of the speed of a retreat with which he, who faces it, backs up where he is nearer"
)
FANNING_REACHED_LENGTHS = tuned(0.3, "lengths", "From where he is to stand, within which he begins to hover there")
FANNING_STRAY_LENGTHS = tuned(0.6, "lengths", "From there, beyond which he goes back")

# Courting: choosing (Tu 1999, §7.9.3; what it names without a number is ours)

FOREIGN_APPEAL = tuned(
    0.6, "", "How much less a mate of another species appeals: shares of the sight, or of the chooser's length"
)
LOOPED_APPEAL = tuned(0.15, "lengths", "Of the female: appeal that a male gains who has looped to the end")
LOYALTY_APPEAL = tuned(0.05, "lengths", "Of the female: appeal that another male must have more to be taken instead")
COURTING_PATIENCE_SECONDS = tuned(25.0, "s", "Time for which a male loops before a female that has not chosen him")
SULKING_SECONDS = tuned(40.0, "s", "Time in which he then leaves her alone")
SETBACK_SECONDS = tuned(60.0, "s", "Time after which a couple that gets no further in a stage parts")
PARTING_SECONDS = tuned(8.0, "s", "Time for which a couple stays one although either has something else in mind")

# Courting: looping, circling, ascending, nuzzling

LOOPING_LENGTHS = tuned(2.5, "lengths", "Of both, one behind the other, within which a male loops rather than follows")
COURTING_ROOM_LENGTHS = tuned(2.0, "lengths", "Room beside her that a female seeks before she waits for a male")
POINT_AHEAD_LENGTHS = tuned(0.75, "lengths", "Of the female, from her nose to the moving point that he makes for")
POINT_ABOVE_LENGTHS = tuned(0.1, "lengths", "Of the female, height of its middle above her nose")
POINT_SWING_LENGTHS = tuned(0.3, "lengths", "Of the female, by which it moves up and down")
POINT_SECONDS = tuned(6.0, "s", "From one of its rises to the next")
POINT_REACH_LENGTHS = tuned(0.35, "lengths", "Of the male, from the point, within which he has reached it")
LOOP_RISE = tuned(0.4, "", "Rise over level distance of a male that passes, the most")
LOOP_KEENNESS = tuned(1.5, "", "How much more than straight at the point he turns: he swims on while he turns")
NEAR_COURTING_SIGMA = tuned(0.1, "rad", "How far off the other may be before a fish in a stage steers")
NOD_ANGLE = tuned(0.3, "rad", "By which a waiting female nods up and down")
NOD_SECONDS = tuned(1.6, "s", "From nod to nod")
ASCENT_SPIRAL_ANGLE = tuned(0.8, "rad", "By which she turns in it, to stay where there is room")
SURFACE_LENGTHS = tuned(2.5, "lengths", "That she keeps from the surface")
SINKING_ANGLE = tuned(0.12, "rad", "By which she points down, the most, when she was pushed up higher")
FOLLOWED_LENGTHS = tuned(1.5, "lengths", "Of both, one behind the other, within which the male has followed her up")
RISE_KEENNESS = tuned(1.0, "", "How much more steeply than straight at her abdomen he rises: he swims on meanwhile")
NUDGE_LENGTHS = tuned(0.16, "lengths", "Of the female, from her abdomen, within which his mouth is on her skin")
RETREAT_SECONDS = tuned(1.6, "s", "Time for which he backs off after a nudge")
WAIT_SECONDS = tuned(1.2, "s", "Time for which he then waits")
ASCENT_PACE = tuned(0.9, "share of full speed", "Of her ascent")
CIRCLING_PACE = tuned(0.5, "share of full speed", "Of circling")
LOOPING_PACE = tuned(0.3, "share of full speed", "Of looping and nuzzling, at the most")

# Eating: mouths

MOUTH_OPENING_LENGTHS = tuned(0.5, "lengths", "Of the eater from its mouth to food, at which it opens")
MOUTH_OPENING_RATE = tuned(20.0, "1/s", "Share of what is missing that a mouth opens in a second")
MOUTH_CLOSING_RATE = tuned(8.0, "1/s", "Share of what is left that it closes in a second")
AGAPE_OPENING = tuned(0.05, "", "Opening of a mouth from which on it may touch its prey")
GAPING_OPENING = tuned(0.5, "", "Opening above which a mouth swallows")
SUCKING_LENGTHS = tuned(0.35, "lengths", "From an open mouth, within which it draws")
SWALLOWING_LENGTHS = tuned(0.08, "lengths", "From an open mouth, within which it swallows")
SUCTION_ANGLE = tuned(np.pi / 3, "rad", "To every side of straight ahead, within which a mouth draws")
SUCTION_FLOOR_LENGTHS = tuned(0.05, "lengths", "From the mouth, within which the pull no longer grows")
SUCTION_PULL = tuned(12.0, "m/s²", "Of a wide open mouth on what is right before it")
MOUTHFUL_LENGTHS = tuned(0.35, "lengths", "Of the eater, of the largest morsel that it swallows")
STRETCHED_LENGTHS = tuned(2.0, "lengths", "No node is farther from the nose, however a body is bent and drawn")

# Travelling

TRAVEL_PACE = tuned(1.0, "share of full speed", "Of who knows its way")
EXPLORING_PACE = tuned(0.45, "share of full speed", "Of who looks for it: fishes that know a maze swim it faster")
GOAL_SLOWING_LENGTHS = tuned(4.0, "lengths", "From a goal, within which a fish slows down")
GOAL_LEFT_RADII = tuned(1.5, "radii of a goal", "From a goal at which a fish has arrived, beyond which it has left it")
LEAST_TRAVEL_PACE = tuned(0.35, "share of full speed", "What is left of the pace there")

# Haunts

SHELTERED_SECONDS = tuned(1.5, "s", "For which a fish keeps to a shelter before it asks whether another is better")
NO_REFUGE_SECONDS = tuned(0.5, "s", "After which who flees and knew of no shelter thinks of one again")
REFUGES_AT_ONCE = tuned(1, "shelters", "That are sought in one frame, of all fishes: others keep to theirs till then")
REFUGE_REACHED_LENGTHS = tuned(0.8, "lengths", "From a shelter, within which a fish is in it and hovers")
FORAGING_PACE = tuned(0.6, "share of full speed", "Of who goes back to where it remembers food")
INTRUDER_SECONDS = tuned(1.0, "s", "Since it was seen, for which another of its kind counts as about a fish's home")
CHARGE_PACE = tuned(1.0, "share of full speed", "With which it is driven off")
CHARGE_LENGTHS = tuned(2.0, "lengths", "From which on who is charged takes fright")

# Hiding

RING_POINTS = tuned(24, "places", "Round an obstacle, at which a fish asks whether it is out of sight there")
RING_STEPS = tuned(5, "steps", "By which places at its clearance are found from outside; a pillar needs one")
HIDDEN_STATIONS = tuned(
    np.array((-0.5, 0.0, 0.4)), "lengths", "Along a body from its middle, none of which a foe may see of who is hidden"
)
HIDING_BERTH_LENGTHS = tuned(0.85, "lengths", "From the surface to who hides behind it: as near as it goes at ease")
HIDING_PASSING_LENGTHS = tuned(0.6, "lengths", "From what stands, without which there is no way to there")
HIDING_AWAY_ANGLE = tuned(0.45, "rad", "Off the far side of an obstacle, up to which who is hidden stays where it is")
HIDING_ROOM_LENGTHS = tuned(0.8, "lengths", "From its hiding place, within which it hovers")
HIDING_KEPT = tuned(0.3, "", "Of the way to another obstacle, at which it leaves that behind which it hides")
HIDING_CROSSING = tuned(3.0, "", "How much longer a way counts that leads towards the foe")
HIDING_HEAD_STARTS = tuned(
    (0.5, 0.9), "", "Of the time of the foe to a place, up to which it is there in good time, and beyond which too late"
)
HIDING_HURRY = tuned(2.0, "", "How much longer a way counts on which it would only just be there in time")
HIDING_CREEPING_PACE = tuned(0.3, "share of full speed", "Of who is hidden and goes round, at the least")
HIDING_CHASED_LENGTHS = tuned(2.5, "lengths", "Of a foe, within which who is seen flees through gaps if there are any")
HIDING_SPEED = tuned(4.0, "lengths/s", "At which a fish reckons to come to where it hides")
HIDING_FOE_CRUISES = tuned(1.5, "lengths/s", "At which it reckons that a foe comes on, at the least")
HIDING_THERE_LENGTHS = tuned(3.0, "lengths", "Of the way on behind an obstacle, which it is sure to get")
HIDING_SPRINTED_LENGTHS = tuned(
    2.0, "lengths", "Of the way to a hiding place, from which on who is seen goes as fast as it can"
)
HIDING_CHARGED_SPEED = tuned(2.0, "lengths/s", "Of a foe, from which on who is seen goes as fast as it can")
HIDING_PACE = tuned(1.2, "share of full speed", "Of who is seen from afar on its way to where it hides")
GAP_AT_HAND_LENGTHS = tuned(6.0, "lengths", "To a gap, up to which who is chased takes it rather than hide")
GAP_ROOM_LENGTHS = tuned(0.45, "lengths", "From its middle to either side of a gap that it fits through")
GAPS_REACH_LENGTHS = tuned(15.0, "lengths", "To a gap, the most, of who has nowhere to hide")
GAP_REACHED_LENGTHS = tuned(1.0, "lengths", "From the middle of a gap, within which it goes on through it")
FELT_FOE_LENGTHS = tuned(
    4.0,
    "lengths",
    "Of a foe, within which who hides feels where it swims without seeing it",
    "ours, after Sand & Karlsen 2000: fishes hear the infrasound of who swims",
)
FORESEEN_FOE_SECONDS = tuned(2.0, "s", "For which a foe that is out of sight is taken to swim on as it did")
