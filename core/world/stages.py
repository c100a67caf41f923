"""The stages of a frame, in the order in which `World.step` takes them; each moves the parts of a world on.

Places and velocities come in and go out as plain arrays with the fish axis first; what happens is returned as events,
as in `Recording.events` less the frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..base.constants import constant
from ..base.sums import mean
from ..base.vectors import dot, norm
from ..behavior.intention import ESCAPE, MATE
from ..behavior.routines.tuning import AGAPE_OPENING
from ..habitat.seaweed import CenterLines
from ..habitat.slack import Slack
from ..habitat.submarine import Submarine
from ..motor.center import Drive
from ..motor.commands import Commands
from ..perception.swimmers import NO_FISH, Swimmers
from ..perception.tuning import LOOK_AROUND_SECONDS
from ..perception.visual_memory.looking import gather
from ..perception.visual_memory.memory import VisibleObjects
from ..perception.visual_memory.pictures import CyclopeanImages
from ..replicas.levels import DYNAMIC, CameraView
from ..scene.direction import Food
from .angling import landed
from .contact import keep_apart
from .parts import Parts
from .righting import right
from .signs import Bodies
from .spawning import spawn
from .strokes import too_fast
from .tuning import STARTLING_BLOW, THINNEST_LENGTHS

Event = dict[str, Any]
OUT_OF_THE_WAY = constant(np.array([0.0, 0.0, -1e5]))
"""Place of a submarine that is not in the water, in metres."""


@dataclass(frozen=True)
class WaterAtFishes:
    """The water at all fishes.

    Attributes:
        water: Velocity of the water in m/s, (fish, 3).
        through: Velocity of the fishes through it in m/s, (fish, 3).
    """

    water: np.ndarray
    through: np.ndarray


def perceive(parts: Parts) -> Swimmers:
    """All fishes as they perceive each other, with velocities over ground."""
    bodies = parts.bodies
    nodes = bodies.shoal.nodes
    return Swimmers(nodes, *bodies.shoal.frames(nodes), bodies.shoal.velocity, bodies.motor.sprints.reserve)


def see(parts: Parts, swimmers: Swimmers) -> None:
    """Lets those look whose turn it is, of the fishes that see with images."""
    minds = parts.minds
    if minds.retinas is not None and minds.mind is not None:
        minds.retinas.look(parts, swimmers)


def remember(parts: Parts, swimmers: Swimmers) -> None:
    """Lets those look around that remember what they see, each in its turn (Kuffner & Latombe 1999, §5)."""
    minds, model = parts.minds, parts.model
    memory, eyes = minds.memory, minds.lookout
    if memory is None or eyes is None:
        return
    memory.forget_old(parts.t)
    every = max(1, round(LOOK_AROUND_SECONDS * model.scene.fps))
    due = (parts.frame + model.scene.preroll_frames + np.arange(len(memory))) % every == 0
    looks: list[tuple[np.ndarray, CyclopeanImages | None]] = []
    if minds.retinas is not None and minds.mind is not None:  # fishes that see with images remember these
        due &= minds.retinas.index[memory.fishes] < 0
        seen = CyclopeanImages.of(minds.retinas, memory.row_of, 0.5 * model.scene.plankton.size)
        looks += [] if seen is None else [seen]
    looks.append((np.flatnonzero(due & parts.bodies.shoal.alive[memory.fishes]), None))
    looks = [look for look in looks if len(look[0])]
    if looks:
        around = surroundings_of(parts, swimmers)
        for rows, pictures in looks:
            eyes.look(rows, parts.t, around, swimmers, pictures)


def surroundings_of(parts: Parts, swimmers: Swimmers) -> VisibleObjects:
    """The places and motions of all things that fishes can remember."""
    assert parts.minds.memory is not None
    shoal, surroundings = parts.bodies.shoal, (parts.water.obstacles.movers, parts.water.plankton)
    return gather(
        swimmers, shoal.node_velocities, shoal.alive, *surroundings, parts.minds.memory.pieces, parts.t, parts.period
    )


def steer(parts: Parts, commands: Commands) -> Commands:
    """The same commands but for those fishes that are steered by hand."""
    return parts.bodies.helms.command(commands, parts.bodies.shoal.alive & ~parts.minds.decision.hooked, parts.period)


def carry(parts: Parts, swimmers: Swimmers) -> WaterAtFishes:
    """Has water that speeds up take fishes along, and tells how they then move through it."""
    t, half, velocity = parts.t, 0.5 * parts.period, swimmers.velocity
    slack, where = (
        Slack(parts.water.current, parts.water.tank, parts.water.obstacles),
        (swimmers.place, swimmers.nodes, parts.bodies.shoal.length),
    )
    water = slack.velocity(*where, t + half)
    if not parts.water.current.steady:
        velocity = velocity + _carry_along(parts, water - slack.velocity(*where, t - half))
    return WaterAtFishes(water, velocity - water)


def sail(parts: Parts) -> None:
    """Moves the submarine, by its helm and out of the way of all else, and its hull among the movers."""
    vessel, movers, t = parts.water.submarine, parts.water.obstacles.movers, parts.t
    if vessel is None:
        return
    hull = len(movers) - 1  # the ride comes last
    if not vessel.is_there(t):
        movers.put(hull, OUT_OF_THE_WAY, vessel.turn)
        if vessel.is_there(t - parts.period):
            _look_from(parts, None)
        return
    movers.put(hull, vessel.place, vessel.turn)
    water = parts.water.current.velocity(vessel.place, t)
    others = partial(parts.water.obstacles.distance, but=movers.solids[hull])
    vessel.advance(t, parts.period, water, parts.water.tank, others)
    movers.lead(hull, vessel.place, vessel.turn)
    _look_from(parts, vessel)


def swim(parts: Parts, commands: Commands, swimmers: Swimmers, stream: WaterAtFishes) -> Drive:
    """Moves all bodies by a frame, as muscles and fins are driven in that time."""
    bodies, minds, model = parts.bodies, parts.minds, parts.model
    shoal, motor, detail, period = bodies.shoal, bodies.motor, bodies.detail, parts.period
    if detail is not None:
        detail.choose(shoal, motor, commands, swimmers.place, stream.water, _busy(parts), parts.t, period)
    drive = motor.drive(commands, swimmers.frames, stream.through, shoal.length, period)
    drive.slacken(landed(parts))
    lives = shoal.alive & ~shoal.idle
    right(shoal, np.flatnonzero(lives & ~minds.decision.hooked), swimmers.frames[:, :, 2], period)
    seen = lives & too_fast(drive, model.scene.fps)
    bodies.strokes = shoal.move(drive, stream.water, model.scene.substeps, seen)
    if detail is not None:
        detail.aim(_goals(parts, swimmers.middle), period)
        detail.move(shoal, motor, commands, stream.water, period)
        if minds.mind is not None:
            minds.mind.heed(*detail.advise(shoal))
    speed = norm(stream.through) / shoal.length
    backwards = np.asarray(commands.brake, dtype=bool) | (np.asarray(commands.back) > 0) | minds.decision.guarding.fans
    bodies.fins.advance(period, drive.gamma, speed, _bend(parts), backwards, drive.stroke)
    bodies.gamma = drive.gamma
    parts.frame += 1
    parts.water.obstacles.movers.advance(parts.t)
    parts.water.obstacles.movers.expect((parts.frame + 1) / model.scene.fps)
    return drive


def contain(parts: Parts, before: np.ndarray) -> None:
    """Keeps bodies out of walls, pillars and movers: a fish that touches one is stopped or pushed by it.

    Minds steer clear, but water may carry a fish, and a tank may be too small to turn in. Fishes that touch push each
    other apart, which nothing that stands does. Nodes were at `before` a frame ago, (fish, 23, 3) in metres.
    """
    bodies = parts.bodies
    shoal, nodes = bodies.shoal, bodies.bounds.mend(bodies.shoal.nodes)
    seizing = np.where(bodies.mouth > AGAPE_OPENING, parts.minds.decision.focus.target, NO_FISH)
    bodies.touched[:] = False
    pushed = keep_apart(shoal, bodies.skins, nodes, shoal.alive, seizing, parts.period)
    if len(pushed):
        bodies.touched[pushed] = True
        nodes = shoal.nodes
    if len(parts.water.obstacles.movers):
        met = bodies.bounds.sweep(before)
        nodes = shoal.nodes
    bodies.touched[bodies.bounds.hold(nodes)] = True
    if len(parts.water.obstacles.movers):
        bodies.touched[met] = True
        bodies.bounds.sweep(before, np.flatnonzero(bodies.touched))
        _startle(parts)


def court(parts: Parts) -> list[Event]:
    """Couples go on from stage to stage, and spawn."""
    if not parts.minds.decision.courtship.at_work:
        return []
    nodes = parts.bodies.shoal.nodes
    _, frames = parts.bodies.shoal.frames(nodes)
    events = parts.minds.decision.court(parts.period, nodes, frames)
    spawn(parts, events, nodes)
    return events


def arrive(parts: Parts) -> list[Event]:
    """The events of fishes that have come to their goals, do something else that they are told, or hold a grudge."""
    minds = parts.minds
    if minds.mind is None:
        return []
    happened: list[Event] = []
    director, relations = minds.mind.director, minds.decision.relations
    grudges = None if relations is None else relations.grudges
    for kept in (director.journeys, director.timing, minds.mind.instructions, grudges):
        if kept is not None:
            happened += kept.happened
            kept.happened = []
    return happened


def feel_keys(parts: Parts) -> None:
    """Lets fishes feel what keys say now, and has it be as bright as the hour says."""
    minds = parts.minds
    minds.decision.waters.sleep.ambient.at(parts.t)
    if minds.mind is not None and minds.mind.director.keys:
        minds.mind.director.moods(parts.t, minds.decision.feelings.mood.keyed)
        minds.decision.feel_keys()


def drift(parts: Parts) -> None:
    """Moves plankton, bubbles, smells, eggs, milt and seaweed, and has growth grow."""
    water = parts.water
    t, period, shoal = parts.t, parts.period, parts.bodies.shoal
    for cloud in (water.plankton, water.bubbles, water.spawn):
        if len(cloud):
            cloud.advance(t, period)
    if len(water.growth):
        water.growth.advance(period)
    if water.plume is not None and parts.minds.decision.trails is not None:
        seconds = water.plume.advance(t, period)
        if seconds:
            parts.minds.decision.trails.give_off(mean(shoal.nodes, axis=1), seconds)
    if len(water.weed):
        there = shoal.alive
        lines = CenterLines.of(shoal.nodes[there], shoal.node_velocities[there], shoal.length[there])
        water.weed.advance(t, period, lines)


def keep_time(parts: Parts) -> list[Event]:
    """Carries out the scene's events of this time; a fish that has not entered stays at its door."""
    waiting = np.flatnonzero(parts.schedule.waiting)
    if len(waiting):
        nodes, velocity = (of[waiting] for of in parts.bodies.doors)
        parts.bodies.shoal.pose(waiting, nodes, velocity + adrift(parts, waiting, nodes))
    events: list[Event] = []
    for rows in parts.schedule.entering(parts.t):
        parts.enter(rows)
        events.append({"kind": "entered", "fish": int(rows[0]), "other": int(rows[-1])})
    for event in parts.schedule.happening(parts.t):
        if isinstance(event, Food):
            rows = parts.drop_food(np.asarray(event.at, dtype=float), int(event.count), event.spread)
        else:
            rows = parts.frighten(np.asarray(event.at, dtype=float), event.radius)
        events.append({"kind": event.kind, "fish": NO_FISH, "other": len(rows)})
    return events


def show(parts: Parts, drive: Drive, stream: WaterAtFishes) -> None:
    """Has fishes look at what they attend to, breathe, and fold and spread their fins."""
    shoal, decision, nodes = parts.bodies.shoal, parts.minds.decision, parts.bodies.shoal.nodes
    place, frames = shoal.frames(nodes)
    target, food = parts.attention()
    goal = np.where((target >= 0)[:, None], place[target], np.nan)
    grazes = (food >= 0) & (target < 0)
    goal[grazes] = parts.minds.decision.morsels.place[food[grazes]]
    alarm = np.clip(decision.feelings.fear / parts.model.characters.drives["f0"] - 1.0, 0.0, 1.0)
    display = np.where(decision.generator.intention == MATE, 1.0, alarm)
    speed = norm(stream.through) / shoal.length
    bodies = Bodies(nodes, shoal.node_velocities, place, frames, shoal.length, _bend(parts), speed)
    parts.bodies.signs.advance(parts.period, bodies, drive, goal, display, parts.bodies.motor.sprints.reserve)


def record(parts: Parts, events: list[Event]) -> None:
    """Adds the events of this frame, which is yet to be recorded."""
    parts.events += [{"frame": parts.frame, **event} for event in events]
    parts.recorded = False


def adrift(parts: Parts, fishes: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """The velocity in m/s (n, 1, 3) that fishes (n,) adrift have where they come into the water, nodes (n, 23, 3)."""
    water = parts.water
    slack = Slack(water.current, water.tank, water.obstacles)
    t = parts.t - 0.5 * parts.period
    return _grip(parts) * slack.velocity(mean(nodes, axis=1), nodes, parts.bodies.shoal.length[fishes], t)[:, None]


def _look_from(parts: Parts, vessel: Submarine | None) -> None:
    """Has levels of detail go by the camera of a submarine, or by the scene's again, if they have none of their own."""
    detail, wish = parts.bodies.detail, parts.model.scene.detail
    if detail is None or wish is None or wish.camera is not None:
        return
    if vessel is None:
        detail.ride(None)
        return
    camera, at = vessel.ride.camera, vessel.place + 0.5 * vessel.ride.length * vessel.ahead
    lens = camera.lens if camera.picture == "flat" else 0.0
    detail.ride(CameraView(tuple(at.tolist()), tuple((at + vessel.ahead).tolist()), lens))


def _startle(parts: Parts) -> None:
    """Frightens fishes hit by movers; predators fear nothing."""
    bodies, minds = parts.bodies, parts.minds
    fearful = minds.decision.drawn()
    hit = fearful[bodies.touched[fearful]]
    nodes = bodies.shoal.nodes_of(hit)
    for mover in parts.water.obstacles.movers.solids:
        if mover.travel > 0.0 and len(hit):
            gap, away = mover.distance(nodes)
            rows, nearest = np.arange(len(hit)), gap.argmin(axis=1)
            at, out = nodes[rows, nearest], away[rows, nearest]
            length = bodies.shoal.length[hit]
            fast = dot(mover.velocity(at), out) > STARTLING_BLOW * length
            struck = fast & (gap[rows, nearest] < THINNEST_LENGTHS * length)
            minds.decision.feelings.mood.startle(hit[struck], at[struck])
            minds.decision.feel_again()


def _busy(parts: Parts) -> tuple[np.ndarray, np.ndarray]:
    """Fishes that must be dynamic for their intention, and those that should be for a touch, (fish,) bool each."""
    decision, mind = parts.minds.decision, parts.minds.mind
    other, _ = decision.about()
    paired = np.flatnonzero((other != NO_FISH) & (decision.generator.intention != ESCAPE))  # hunting or courting
    busy = decision.hooked | parts.bodies.helms.steered
    busy[paired] = busy[other[paired]] = True
    if mind is not None and not mind.director.idle:
        busy |= mind.director.led(parts.t)
    return busy, parts.bodies.touched


def _goals(parts: Parts, middle: np.ndarray) -> np.ndarray:
    """The goals of fishes with middles at (fish, 3), other fishes or morsels; metres, NaN for none."""
    decision = parts.minds.decision
    other, food = decision.about()
    other = np.where(decision.generator.intention == ESCAPE, NO_FISH, other)
    goals = np.where((other != NO_FISH)[:, None], middle[other], np.nan)
    grazes = (food >= 0) & (other == NO_FISH)
    goals[grazes] = parts.minds.decision.morsels.place[food[grazes]]
    return goals


def _bend(parts: Parts) -> np.ndarray:
    """Contraction of the front turning segments, left positive, (fish,), or its counterpart in a replica."""
    bodies = parts.bodies
    bend = bodies.shoal.bend
    return bend if bodies.detail is None else bodies.detail.bend(bend)


def _grip(parts: Parts) -> float:
    """The share of the water's motion in things that float: thin fluids carry them less, and air not at all."""
    return min(parts.model.scene.fluid_viscosity, 1.0)


def _carry_along(parts: Parts, gain: np.ndarray) -> np.ndarray:
    """Speeds every fish up as the water about it has, by `gain` in m/s, (fish, 3); returns by how much it does.

    Water that speeds up takes along what is as heavy as it is, without having to stream past it: the pressure that
    moves the water moves the body (Maxey & Riley 1983, the force of the undisturbed flow). Of that force this is the
    part of flows that change with time; in steady ones it is little on the scale of a fish.
    """
    bodies = parts.bodies
    carried = _grip(parts) * gain  # replicas go with the water anyway
    everyone = np.ones(len(gain), dtype=bool)
    dynamic = np.flatnonzero(everyone if bodies.detail is None else bodies.detail.level == DYNAMIC)
    bodies.shoal.push(dynamic, carried[dynamic, None])
    return carried
