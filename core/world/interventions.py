"""Interventions of a person in a running world, each checked before anything changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..base.codec import SceneError, shown
from ..motor.helm import Helm
from ..perception.swimmers import NO_FISH
from ..perception.visual_memory.memory import NO_MEMORY
from ..replicas.levels import CameraView
from ..scene.limits import FARTHEST, refuse_no_turn
from ..scene.obstacles import alike_but_for_motion
from ..scene.ride import MANEUVERS, HelmOrder
from ..scene.scene import Scene
from ..scene.species import Species
from . import stages
from .assembly import assemble, models_of, whole
from .parts import Parts
from .persistence import States, states_of, take_over
from .tuning import FIRST_PACE

MOST_FED = 10_000
"""Particles of food that are dropped at once."""


def feel(parts: Parts, fish: int | ArrayLike, hunger: float | None, libido: float | None, fear: float | None) -> None:
    """As `World.feel`."""
    rows = _rows(parts, fish)
    for name, value in (("hunger", hunger), ("libido", libido), ("fear", fear)):
        if value is not None:
            _refuse_beyond(name, value, 0.0, 1.0)
    parts.minds.decision.feel(rows, hunger, libido, fear)


def feed(parts: Parts, at: ArrayLike, count: int, spread: float) -> np.ndarray:
    """As `World.feed`."""
    if not whole(count):
        raise SceneError(shown(count), f"a whole number from 1 to {MOST_FED}", key="count")
    _refuse_beyond("count", count, 1, MOST_FED)
    _refuse_beyond("spread", spread, 0.0, FARTHEST)
    return parts.drop_food(_place("at", at), int(count), spread)


def frighten(parts: Parts, at: ArrayLike, radius: float) -> np.ndarray:
    """As `World.frighten`."""
    _refuse_beyond("radius", radius, 0.0, FARTHEST)
    return parts.frighten(_place("at", at), radius)


def steer(parts: Parts, fish: int, helm: Helm | None) -> None:
    """As `World.steer`."""
    if helm is not None and not isinstance(helm, Helm):
        raise SceneError(shown(helm), "a Helm, or None to let go", key="helm")
    parts.bodies.helms.take(_row(parts, fish), helm)


def order(parts: Parts, maneuver: str, amount: float) -> None:
    """As `World.order`."""
    water = parts.water
    if water.submarine is None or not water.submarine.is_there(parts.t):
        raise SceneError("no submarine", "a ride that has begun", key="order")
    if maneuver not in MANEUVERS:
        raise SceneError(shown(maneuver), f"one of {', '.join(MANEUVERS)}", key="order")
    _refuse_beyond("amount", amount, 0.0, 1.0)
    water.submarine.obey(HelmOrder(time=parts.t, order=maneuver, amount=float(amount)))


def move_obstacle(parts: Parts, which: int | str, at: ArrayLike | None, turn: ArrayLike, jumps: bool) -> None:
    """As `World.move_obstacle`."""
    obstacles, movers = parts.model.scene.obstacles, parts.water.obstacles.movers
    names = {obstacle.name: row for row, obstacle in enumerate(obstacles) if obstacle.name}
    row = names.get(which, -1) if isinstance(which, str) else int(which) if whole(which) else -1
    if not 0 <= row < len(obstacles):
        known = f"0 to {len(obstacles) - 1}" if obstacles else "none: the scene has no obstacle"
        raise SceneError(shown(which), known + "".join(f", {name!r}" for name in names), key="which")
    mover = np.flatnonzero(movers.rows == row)
    if not len(mover):
        raise SceneError(f"{shown(which)}, which stands", "an obstacle with motion: an empty list will do", key="which")
    if movers.deforms(int(mover[0])):
        raise SceneError(f"{shown(which)}, whose vertices have keys", "an obstacle that keeps its form", key="which")
    if at is None:
        movers.release(int(mover[0]))
        return
    quaternion = np.asarray(turn, dtype=float)
    if quaternion.shape != (4,) or not np.isfinite(quaternion).all():
        raise SceneError(shown(turn), "a quaternion w, x, y, z", key="turn")
    refuse_no_turn("turn", quaternion.tolist())
    move = movers.put if jumps else movers.lead
    move(int(mover[0]), _place("at", at), quaternion)


def visual_memory(parts: Parts, fish: int) -> list[dict[str, Any]]:
    """See `World.visual_memory`."""
    minds = parts.minds
    row = _row(parts, fish)
    if minds.memory is None or minds.memory.row_of[row] == NO_MEMORY:
        raise SceneError(f"fish {row} without", "one whose group or species has it", key="visual_memory")
    return minds.memory.observations(row)


def look_from(parts: Parts, at: ArrayLike | None, look_at: ArrayLike, lens: float) -> None:
    """As `World.look_from`."""
    if at is None:
        view = None
    else:
        _refuse_beyond("lens", lens, 1.0, 500.0)
        view = CameraView(tuple(_place("at", at).tolist()), tuple(_place("look_at", look_at).tolist()), float(lens))
    if parts.bodies.detail is not None:
        parts.bodies.detail.look(view)


def retune(parts: Parts, scene: Scene, species: Mapping[str, Species]) -> Parts:
    """The parts of another scene, with fishes, water and moods as they are in these.

    Args:
        parts: Parts so far, of which seaweed and bubbles may be taken over.
        scene: Scene to go on as.
        species: Species that win over those that live here, by name.

    Raises:
        SceneError: If the other scene has other fishes or frames, or cannot be made.
    """
    bodies = parts.bodies
    _refuse_others(parts.written, scene)
    other = _assembled(parts, scene, species)
    if scene.plankton.count == parts.model.scene.plankton.count:  # with as much in reserve
        parts.enlarge(len(other.water.plankton))
    other.schedule.skip(parts.t)
    if bodies.detail is not None and other.bodies.detail is None:
        bodies.detail.promote(bodies.shoal, np.flatnonzero(bodies.detail.level))
    take_over(other, _states(parts, other))
    if other.bodies.lives is not None:
        other.bodies.shoal.go_on(bodies.shoal, np.arange(len(other.bodies.shoal)))
    if bodies.detail is None and other.bodies.detail is not None:
        other.bodies.detail.begin(other.bodies.shoal, parts.t, FIRST_PACE, other.period)
    other.frame, other.recorded, other.events = parts.frame, parts.recorded, parts.events
    if other.water.submarine is not None:
        other.water.submarine.skip(parts.t)
    stages.feel_keys(other)
    return other


def _assembled(parts: Parts, scene: Scene, species: Mapping[str, Species]) -> Parts:
    """The other scene at its beginning, with the seaweed and bubbles that there are where they are to be the same."""
    model = parts.model
    same = _alike(model.scene, scene, "tank", "obstacles", "terrain")
    kept = [name for name in ("bubbles", "seaweed") if same and _alike(model.scene, scene, name)]
    none: dict[str, Any] = dict.fromkeys(kept, ())  # the kept sections take long to make
    models = models_of(scene, {**model.models, **species})
    lived = None if parts.bodies.lives is None else parts.bodies.lives.state()
    other = assemble(replace(scene, **none), model.seed, models, minds=parts.minds.mind is not None, lived=lived)
    lives = other.bodies.lives
    if lives is not None:
        lives.scene = scene
    other.model = replace(other.model, scene=scene if lives is None else lives.peopled(scene))
    if "bubbles" in kept:
        other.water.bubbles = parts.water.bubbles
        other.water.bubbles.current = other.water.current
    if "seaweed" in kept:
        other.water.weed = parts.water.weed
        other.water.weed.current = other.water.current
    return other


def _states(parts: Parts, other: Parts) -> States:
    """The states from which the other parts go on: those of these parts where they fit and the scene says the same."""
    model = parts.model
    mine, fresh, hook = states_of(parts), states_of(other), parts.water.hook
    for key in other.bodies.shoal.blocks() if other.bodies.lives is not None else ():
        mine.pop(key, None)  # bodies of other fishes, and of other lengths
    states = {name: mine[name] if fits(mine.get(name), state) else state for name, state in fresh.items()}
    same_food = other.model.scene.plankton.count == model.scene.plankton.count
    states |= {name: (mine if same_food else fresh)[name] for name in ("plankton", "growth")}
    if not same_food:
        states["wants"]["food"][...] = NO_FISH
    if "memory" in mine and "memory" in fresh:
        there = _alike(model.scene, other.model.scene, "ride")
        there &= alike_but_for_motion(model.scene.obstacles, other.model.scene.obstacles)
        states["memory"] = _remembered(mine["memory"], fresh["memory"], {"food": same_food, "piece": there})
    if not _alike(model.scene, other.model.scene, "hook") and "hook" in fresh and not (hook and hook.fish != NO_FISH):
        states["hook"] = fresh["hook"]
    if not _alike(model.scene, other.model.scene, "direction") and "direction" in fresh:
        states["direction"] = fresh["direction"]
    if "movers" in fresh and "movers" in mine and _alike(model.scene, other.model.scene, "obstacles"):
        for name, array in states["movers"].items():  # a submarine comes or goes after all others
            array[: len(mine["movers"][name])] = mine["movers"][name][: len(array)]
    if other.water.submarine is not None and not _sails_on(parts, other):
        states["submarine"] = fresh["submarine"]
    if not _alike(model.scene, other.model.scene, "events"):
        states["schedule"]["done"] = other.schedule.done
    if not other.model.scene.wants:  # earlier keyed values hold no longer
        states["mood"]["keyed"][...] = np.nan
    return states


def _remembered(
    mine: dict[str, np.ndarray], fresh: dict[str, np.ndarray], same: dict[str, bool]
) -> dict[str, np.ndarray]:
    """Memories for another scene, of the same food and obstacles or not: nothing of the vanished ones."""
    if len(mine["revision"]) != len(fresh["revision"]):
        return fresh
    kept = {name: mine[name] if same.get(name.partition("_")[0], True) else array for name, array in fresh.items()}
    return kept | {"revision": mine["revision"] + (not same["piece"])}


def _sails_on(parts: Parts, other: Parts) -> bool:
    """True if the submarine of other parts is the one that is in the water already, perhaps with other orders."""
    here = parts.water.submarine
    if here is None or other.water.submarine is None or not here.is_there(parts.t):
        return False
    ride, now = here.ride, other.water.submarine.ride
    return (ride.at, ride.heading, ride.start) == (now.at, now.heading, now.start)


def _alike(one: Scene, other: Scene, *names: str) -> bool:
    """True if two scenes have the same under these names."""
    return all(getattr(one, name) == getattr(other, name) for name in names)


def fits(state: dict[str, np.ndarray] | None, other: dict[str, np.ndarray]) -> bool:
    """True if a part may go from one state to the other: an empty array may stand for a value not yet known."""
    if state is None or set(state) != set(other):
        return False
    return all(state[name].shape == other[name].shape or not other[name].size for name in state)


def _refuse_others(now: Scene, scene: Scene) -> None:
    """Fishes and frames must be the same."""
    fishes, others = ([(group.species, group.count) for group in of.fishes] for of in (now, scene))
    if fishes != others:
        raise SceneError("other species or numbers of them", "the same in a running world", key="fishes")
    if [group.controller for group in now.fishes] != [group.controller for group in scene.fishes]:
        raise SceneError("another controller", "the same in a running world", key="fishes")
    if (now.breeding and now.breeding.born) != (scene.breeding and scene.breeding.born):
        raise SceneError("other fishes that may be born", "the same in a running world", key="breeding.born")
    if scene.fps != now.fps:
        raise SceneError(f"{scene.fps:g}", f"{now.fps:g}, that of the running world", key="fps")


def _rows(parts: Parts, fish: int | ArrayLike) -> np.ndarray:
    """Rows of fishes, (n,)."""
    rows, fishes = np.atleast_1d(np.asarray(fish)), len(parts.bodies.shoal)
    if rows.dtype.kind not in "iu" or rows.ndim != 1 or not ((rows >= 0) & (rows < fishes)).all():
        raise SceneError(shown(fish), f"0 to {fishes - 1}", key="fish")
    return rows


def _row(parts: Parts, fish: int) -> int:
    """The row of one fish."""
    if not whole(fish) or not 0 <= fish < len(parts.bodies.shoal):
        raise SceneError(shown(fish), f"0 to {len(parts.bodies.shoal) - 1}", key="fish")
    return int(fish)


def _refuse_beyond(name: str, value: float, low: float, high: float) -> None:
    if not (isinstance(value, Real) and not isinstance(value, bool) and low <= value <= high):
        raise SceneError(shown(value), f"{low:g} to {high:g}", key=name)


def _place(name: str, at: ArrayLike) -> np.ndarray:
    """A place in metres, (3,)."""
    place = np.asarray(at, dtype=float)
    if place.shape != (3,) or not np.isfinite(place).all():
        raise SceneError(shown(at), "three numbers in metres", key=name)
    return place
