"""Persistence: saving a world and loading it again, keeping a moment of it and going back there, to the bit.

A file holds arrays under the name of a part and that of an attribute, such as `wants/target`, and one text, `told`,
with all that is no array.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sized
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.codec import Place, SceneError, parse, shown
from ..base.files import read_arrays, refuse_beyond, write_arrays
from ..base.formats import FORMAT_KEY, FORMATS, format_of_arrays, stamped_arrays
from ..base.state import Stateful, Together
from ..events import check_events
from ..habitat.plume import MATES
from ..scene.limits import MOST_PARTICLES
from ..scene.scene import Scene
from ..scene.species import Species
from .assembly import assemble, models_of
from .parts import Parts

LATEST_FRAME = 10_000_000  # at which a world may stand: later than the longest film at the most frames a second
LARGEST_STATE = 1e9  # of any number in a state, whichever its unit

States = dict[str, dict[str, np.ndarray]]
"""States as returned by `Stateful.state`, by the name of the part."""


def parts_by_key(parts: Parts) -> dict[str, Stateful]:
    """The stateful parts by their names in a file; "" is that of arrays of the world itself."""
    keys = stateful_parts(parts)
    water, dread = parts.water, parts.minds.decision.dread
    absent: dict[str, Sized] = {
        "tufts": water.growth,
        "spawn": water.spawn,
        "seaweed": water.weed,
        "bubbles": water.bubbles,
    }
    absent |= {"births": water.bubbles, "movers": water.obstacles.movers, "presences": dread.presences}
    return {key: part for key, part in keys.items() if key not in absent or len(absent[key])}


def stateful_parts(parts: Parts) -> dict[str, Stateful]:
    """As `parts_by_key`, and those of which a world has none."""
    water, bodies, minds = parts.water, parts.bodies, parts.minds
    decision, mind, hook, struggle = minds.decision, minds.mind, water.hook, minds.decision.struggle
    keys: dict[str, Stateful] = {
        "": parts.bodies,
        **bodies.shoal.blocks(),
        "motor": Together(bodies.motor, bodies.motor.sprints, bodies.motor.paddles),
        "fins": bodies.fins,
        "signs": bodies.signs,
        "choices": minds.choices,
        "chances": minds.chances,
        "wants": Together(bodies.shoal, *decision.parts),
        "feelings": decision.feelings,
        "intentions": decision.generator,
        "mood": decision.feelings.mood,
        "helms": bodies.helms,
        "schedule": parts.schedule,
        "courtship": decision.courting,
        "dangers": decision.dangers,
        "wariness": decision.dread.wariness,
        "plankton": water.plankton,
        "growth": water.plankton.dice,
        "tufts": water.growth,
        "spawn": Together(water.spawn, water.spawn.dice),
        "seaweed": water.weed,
        "bubbles": water.bubbles,
        "births": water.bubbles.dice,
        "movers": water.obstacles.movers,
        "presences": decision.dread,
        "comfort": minds.comfort,
        "leaving": minds.leave,
        "turns": minds.leave.dice,
    }
    if bodies.lives is not None:
        keys["lives"] = bodies.lives
    if decision.waters.sleep.anybody:
        keys["sleep"] = decision.waters.sleep
    if decision.relations is not None:
        keys["relations"] = decision.relations.saved
    if decision.guarding.nests:
        keys["nests"] = decision.guarding
    if hook is not None and struggle is not None:
        keys |= {"hook": hook, "struggle": struggle, "wrenches": struggle.dice}
    if decision.trails is not None:
        keys |= dict(zip(("plume", "eddies", "scent"), decision.trails.parts, strict=True))
    if water.submarine is not None:
        keys["submarine"] = water.submarine
    if bodies.detail is not None:
        keys |= bodies.detail.parts()
    if minds.retinas is not None:
        keys["retinas"] = minds.retinas
    if minds.memory is not None:
        keys["memory"] = minds.memory
    if mind is not None:
        keys["mind"] = Together(mind, mind.steering, mind.turns)
        keys |= {"wander": mind.wander, "direction": mind.director}
        if mind.director.timing is not None:
            keys["direction"] = Together(mind.director, mind.director.timing, mind.director.timing.pacing)
        if mind.instructions is not None:
            keys |= {"instructions": mind.instructions, "tasks": mind.instructions.tasks}
        ways = mind.navigator, mind.director.journeys, mind.haunts
        if mind.navigator is not None:
            keys["ways"] = Together(*(part for part in ways if part is not None))
    return keys


def last_of(parts: Parts) -> dict[str, int]:
    """The numbers that words for the most of a field of the state stand for; see `StateField.high`."""
    smells = MATES + 2 * len(parts.model.models)
    return {
        "fish": len(parts.bodies.shoal) - 1,
        "morsel": len(parts.water.plankton) + len(parts.water.growth),
        "smell": smells - 1,
        "frame": LATEST_FRAME,
    }


@dataclass(frozen=True, eq=False)
class WorldMoment:
    """A world as it was; nothing in it may be changed.

    Attributes:
        scene: Scene at that time.
        models: The species by name.
        states: States of all parts.
        frame: Frame of the world.
        recorded: Whether that was recorded.
        events: Events until then.
    """

    scene: Scene
    models: dict[str, Species]
    states: States
    frame: int
    recorded: bool
    events: tuple[dict[str, Any], ...]

    @property
    def size(self) -> int:
        """Bytes that it takes."""
        return sum(array.nbytes for state in self.states.values() for array in state.values())


def states_of(parts: Parts) -> States:
    """The states of all parts, as copies."""
    return {key: part.state() for key, part in parts_by_key(parts).items()}


def take_over(parts: Parts, states: Mapping[str, dict[str, np.ndarray]]) -> None:
    """Goes on from these states of the parts.

    Raises:
        KeyError: Something is missing.
        ValueError: Something has another shape.
    """
    parts.enlarge(len(states["plankton"]["alive"]))
    for key, part in parts_by_key(parts).items():
        part.restore(states[key])


def save(parts: Parts, path: str | os.PathLike[str]) -> None:
    """Writes a world, so that `load` goes on from here to the bit; without pickles.

    Raises:
        SceneError: If the file cannot be written, or `load` would refuse it.
    """
    states, place = states_of(parts), Place(os.fspath(path))
    _check(states, parts, place)
    arrays = {f"{key}/{name}".lstrip("/"): array for key, state in states.items() for name, array in state.items()}
    text = {
        "scene": parts.written.to_dict(),
        "species": {name: model.to_dict() for name, model in parts.model.models.items()},
        "events": parts.events,
        "seed": parts.model.seed,
        "frame": parts.frame,
        "seen": parts.recorded,
    }
    _read(text, place)
    _refuse_late(text, -LATEST_FRAME, len(parts.bodies.shoal), place)
    write_arrays(path, {**stamped_arrays("world"), "told": np.array(json.dumps(text)), **arrays})


def load(path: str | os.PathLike[str], *, minds: bool) -> Parts:
    """Reads what `save` wrote.

    Args:
        path: Path of the file.
        minds: Whether the fishes have minds, as they had before; else a pilot leads them.

    Raises:
        SceneError: If the file cannot be read, is cut short or is no world of this version.
    """
    file = os.fspath(path)
    arrays = read_arrays(path, "a world")
    try:
        return _loaded(arrays, file, minds)
    except SceneError:
        raise
    except Exception as error:  # missing arrays, or of another shape, fail in JSON, in the parts, or in the world
        raise SceneError("a damaged or foreign file", "a world (.npz)", file=file) from error


def _loaded(arrays: dict[str, np.ndarray], file: str, minds: bool) -> Parts:
    """The world that these arrays of a file are of."""
    place = Place(file)
    text = parse(str(arrays["told"].item()), file)
    if FORMAT_KEY not in arrays or (format := format_of_arrays("world", arrays, file)) != FORMATS["world"]:
        found = "a world saved by an older Artfish" + ("" if FORMAT_KEY not in arrays else f", in format {format}")
        again = "one of this version: make it again from its scene and its seed, run it to the same frame and save it"
        raise SceneError(found, again, file=file)
    scene, models = _read(text, place)
    stored: States = {}
    for name, array in arrays.items():
        key, _, own = name.rpartition("/")
        stored.setdefault(key, {})[own] = array
    parts = assemble(scene, text["seed"], models_of(scene, models), minds=minds, lived=stored.get("lives"))
    _refuse_late(text, parts.frame, len(parts.bodies.shoal), place)
    states: States = {**{key: {} for key in parts_by_key(parts)}, **stored}
    for key, part in (("signs", parts.bodies.signs), ("wariness", parts.minds.decision.dread.wariness)):
        states[key] = states[key] or part.state()  # a world of before there were any
    parts.enlarge(min(len(states["plankton"]["alive"]), MOST_PARTICLES))
    _check(states, parts, place)
    take_over(parts, states)
    parts.frame, parts.recorded, parts.events = text["frame"], text["seen"], text["events"]
    return parts


def _read(text: Mapping[str, Any], place: Place) -> tuple[Scene, dict[str, Species]]:
    """The scene of a world, and the species by name, as its text tells them."""
    file = place.file
    models = {name: Species.from_dict(data, f"{file}: {name}") for name, data in text["species"].items()}
    scene = Scene.from_dict(text["scene"], f"{file}: scene", models, None)
    if type(text["seed"]) is not int:
        place.under("seed").refuse(shown(text["seed"]), "a whole number")
    return scene, models


def _refuse_late(text: Mapping[str, Any], first: int, fishes: int, place: Place) -> None:
    """Refuses a frame before the first one or after all, and what cannot have happened by then to so many fishes."""
    frame = text["frame"]
    if type(frame) is not int or not first <= frame <= LATEST_FRAME:
        place.under("frame").refuse(shown(frame), f"a whole number from {first} to {LATEST_FRAME}")
    if type(text["seen"]) is not bool:
        place.under("seen").refuse(shown(text["seen"]), "true or false")
    check_events(text["events"], (first, frame), fishes, place.under("events"))


def _check(states: States, parts: Parts, place: Place) -> None:
    """Refuses arrays of another shape or kind than a world of these parts has, and numbers that it cannot have."""
    particles, last = len(states["plankton"]["alive"]), last_of(parts)
    if particles > MOST_PARTICLES:
        place.under("plankton/alive").refuse(f"{particles} particles", f"up to {MOST_PARTICLES}")
    for key, part in parts_by_key(parts).items():
        fresh = part.state()
        for own, field in part.declared().items():
            array, where = states[key][own], place.under(f"{key}/{own}".lstrip("/"))
            late = field.late and array.size > 0
            shape = field.sized({"fish": len(parts.bodies.shoal)}) if late else fresh[own].shape
            if array.shape != shape:
                where.refuse(f"the shape {array.shape}", f"{shape}")
            kind = np.dtype(field.kind)
            if array.dtype.kind != kind.kind:
                where.refuse("numbers of another kind", f"those of {kind}")
            low, high = field.low, field.most(last)
            low, high = -LARGEST_STATE if low is None else low, LARGEST_STATE if high is None else high
            if field.unset is not None:
                array = np.where(np.isnan(array) if np.isnan(field.unset) else array == field.unset, low, array)
            if kind.kind == "f" or field.low is not None:
                refuse_beyond(array, low, high, where)


def moment(parts: Parts) -> WorldMoment:
    """A world as it is now, as copies, some kilobytes a fish."""
    now = parts.frame, parts.recorded, tuple(parts.events)
    return WorldMoment(parts.written, parts.model.models, states_of(parts), *now)


def go_back(parts: Parts, then: WorldMoment) -> Parts:
    """A world as it was at a moment: these parts, or others if these cannot be that again."""
    try:
        model = parts.model
        if parts.bodies.lives is not None or model.scene is not then.scene or model.models is not then.models:
            raise ValueError("another scene, or fishes of another age")
        take_over(parts, then.states)
    except ValueError:  # or a moment when there was less plankton, or something was not yet known
        lived = then.states.get("lives")
        parts = assemble(then.scene, parts.model.seed, then.models, minds=parts.minds.mind is not None, lived=lived)
        take_over(parts, then.states)
    parts.frame, parts.recorded, parts.events = then.frame, then.recorded, list(then.events)
    return parts
