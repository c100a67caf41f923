"""The fit of fishes and their water: the impossible is refused, and the unpromising is warned of.

Refused are fishes that are longer, broader or taller than their tank, and streams that carry a fish along faster than
any fish of its size goes. Warned of are tanks too narrow to turn in, streams that no fish of the scene swims against,
and fluids in which they hardly get on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product

import numpy as np

from ..base.codec import Place, SceneError, SceneWarning, shown
from ..base.vectors import norm
from ..habitat.bubbles import bubbles_of
from ..habitat.currents import Current, Uniform
from ..habitat.tuning import MANY_BUBBLES
from ..scene.fishes import FishGroup
from ..scene.obstacles import MeshObstacle
from ..scene.scene import Scene
from ..scene.species import Species
from ..scene.water import UniformCurrent
from .tuning import (
    DRIFTING_LENGTHS,
    STREAM_SAMPLES,
    SWIFT_STRIDE_LENGTHS,
    THICKEST_FLUID,
    THINNEST_FLUID,
    TURNING_DEPTH_LENGTHS,
    TURNING_LENGTHS,
)

HARDLY = 1.0 + 1e-6  # an excess by less than this came of rounding
_RIM = np.array([way for way in product((-1.0, 0.0, 1.0), repeat=3) if any(way)])


def refuse_misfits(scene: Scene, species: Mapping[str, Species], *, minds: bool = True) -> None:
    """Refuses fishes that do not fit into their tank, and streams that are too swift for any fish of their size.

    Args:
        scene: Scene of an animator.
        species: The scene's species by name; those that are missing are not checked.
        minds: Whether the fishes have minds; else nothing stops them, and no stream is too swift.

    Raises:
        SceneError: At the first group that is too big, or at the strongest stream, with what to change.
    """
    for error in (*_giants(scene, species), *_strangers(scene, species)):
        raise error
    for error in _torrents(scene, species) if minds else ():
        raise error


def misgivings(scene: Scene, species: Mapping[str, Species]) -> tuple[SceneWarning, ...]:
    """Warnings of what cannot go well in a scene, one line each; the arguments are those of `refuse_misfits`."""
    return (*_cramped(scene, species), *_swept(scene, species), *_stuck(scene), *_coarse(scene), *_costly(scene))


def _costly(scene: Scene) -> Iterator[SceneWarning]:
    """Warnings of anything that takes far more time than all else in the scene."""
    bubbles = sum(bubbles_of(scene.bubbles, scene.tank.size[2])[0].tolist())
    if bubbles > MANY_BUBBLES:
        allowed = f"up to {MANY_BUBBLES} for frames that do not take long: fewer vents, or a lower rate"
        yield SceneWarning(f"{bubbles} bubbles at a time", allowed, "bubbles", scene.source)


def _groups(scene: Scene, species: Mapping[str, Species]) -> Iterator[tuple[int, FishGroup, Species, float, float]]:
    """Row, group, species and how long the smallest and the largest of each group may be in metres."""
    for row, group in enumerate(scene.fishes):
        if group.species in species:
            model = species[group.species]
            sexes = (1.0, model.female_size) if group.sex == "mixed" else (1.0,)
            length = group.size * model.length
            least, most = (length * size for size in (min(sexes), max(sexes)))
            various = group.variety * model.size_variety
            yield row, group, model, least * (1.0 - various), most * (1.0 + various)


def _giants(scene: Scene, species: Mapping[str, Species]) -> Iterator[SceneError]:
    """Groups that are too big for their tank however they lie in it."""
    breadth, length_of, depth = sorted(scene.tank.size[:2])[0], max(scene.tank.size[:2]), scene.tank.size[2]
    for row, group, model, _, length in _groups(scene, species):
        body = model.body
        wide, tall = 2.0 * max(body.half_widths), 2.0 * max(*body.half_heights, body.tail_half_height)
        for share, room, side in ((1.0, length_of, "long"), (wide, breadth, "wide"), (tall, depth, "deep")):
            if share * length > room * HARDLY:
                found = f"{shown(group.size)}, a {group.species} of {length:.3g} m"
                allowed = f"up to {group.size * room / (share * length):.3g} in a tank {room:g} m {side}"
                yield SceneError(found, allowed, f"fishes[{row}].size", scene.source)


def _strangers(scene: Scene, species: Mapping[str, Species]) -> Iterator[SceneError]:
    """Groups with a controller that another body has learned."""
    for row, group, model, _, _ in _groups(scene, species):
        if group.controller is not None:
            try:
                group.controller.refuse_other(model.name, model.body, model.time_scale)
            except SceneError as error:
                yield error.within(Place(scene.source, f"fishes[{row}].controller"))


def _torrents(scene: Scene, species: Mapping[str, Species]) -> Iterator[SceneError]:
    """Streams that carry a fish along at more than `DRIFTING_LENGTHS` a second."""
    swiftest = swiftest_stream(scene)
    for _, group, _, length, _ in _groups(scene, species):
        most = DRIFTING_LENGTHS * length
        if swiftest > most * HARDLY:
            found = f"water at {swiftest:.3g} m/s, {swiftest / length:.3g} lengths a second of a {group.species}"
            allowed = f"up to {most:.3g} m/s, or fishes of {swiftest / DRIFTING_LENGTHS:.3g} m and more"
            yield SceneError(found, allowed, _strongest(scene), scene.source)


def _cramped(scene: Scene, species: Mapping[str, Species]) -> Iterator[SceneWarning]:
    """Tanks that a group cannot turn in."""
    for row, group, _, _, length in _groups(scene, species):
        for side, least, name in zip(
            scene.tank.size, (TURNING_LENGTHS, TURNING_LENGTHS, TURNING_DEPTH_LENGTHS), _SIDES, strict=True
        ):
            if side < least * length / HARDLY:
                found = f"a {group.species} of {length:.3g} m in a tank {side:.3g} m {name}, too tight to turn in"
                better = (
                    f"a tank {least * length:.3g} m {name}, or a size of {group.size * side / (least * length):.3g}"
                )
                yield SceneWarning(found, better, f"fishes[{row}].size", scene.source)
                break


def _swept(scene: Scene, species: Mapping[str, Species]) -> Iterator[SceneWarning]:
    """Streams that a group cannot swim against; one line for the slowest of them."""
    swiftest = swiftest_stream(scene)
    paces = [
        (SWIFT_STRIDE_LENGTHS * model.rhythm.tail_beat * length, group.species)
        for _, group, model, length, _ in _groups(scene, species)
    ]
    pace, name = min(paces, default=(np.inf, ""))
    if swiftest > pace * HARDLY:
        found = f"water at {swiftest:.3g} m/s, faster than a {name} swims: it drifts to the walls"
        yield SceneWarning(found, f"up to {pace:.2g} m/s, or larger fishes", _strongest(scene), scene.source)


def _coarse(scene: Scene) -> Iterator[SceneWarning]:
    """Meshes with more surface in the tank than is measured triangle by triangle."""
    for row, obstacle in enumerate(scene.obstacles):
        if isinstance(obstacle, MeshObstacle) and obstacle.rough:
            found = "more and longer triangles than can be told apart, so that fishes feel it roughly"
            yield SceneWarning(found, "a simpler mesh", f"obstacles[{row}]", scene.source)


def _stuck(scene: Scene) -> Iterator[SceneWarning]:
    """Fluids in which fishes hardly get on; air, of no viscosity, is meant to be none."""
    fluid = scene.fluid_viscosity
    if 0.0 < fluid < THINNEST_FLUID or fluid > THICKEST_FLUID:
        found = f"{shown(fluid)}, in which fishes hardly get on"
        yield SceneWarning(found, f"{THINNEST_FLUID:g} to {THICKEST_FLUID:g}", "fluid_viscosity", scene.source)


_SIDES = "long", "wide", "deep"


def swiftest_stream(scene: Scene) -> float:
    """Speed in m/s that the water of a scene has at most in its tank, near enough: measured at many places of it."""
    current, size = Current.from_scene(scene), np.array(scene.tank.size)
    if current.still:
        return 0.0
    axis = np.linspace(0.0, 1.0, STREAM_SAMPLES)
    places = [size * np.stack(np.meshgrid(axis, axis, axis), axis=-1).reshape(-1, 3)]
    places += [
        np.asarray(flow.at) + flow.radius * _RIM for flow in scene.current if not isinstance(flow, UniformCurrent)
    ]
    for pillar in current.pillars:
        places.append(pillar.middle + pillar.radius * _RIM)
    points = np.concatenate(places)
    points = points[((points >= 0.0) & (points <= size)).all(axis=1)]
    # A stream that goes to and fro may at some time go along with all others.
    swings = [flow for flow in scene.current if isinstance(flow, UniformCurrent) and flow.period]
    steady = tuple(flow for flow, of in zip(current.flows, scene.current, strict=True) if of not in swings)
    speed = norm(replace(current, flows=steady).velocity(points, 0.0))
    dry = tuple(replace(pillar, outflow=0.0) for pillar in current.pillars)
    for flow in swings:
        full = Current((Uniform(flow.direction, flow.strength),), dry)
        speed = speed + norm(full.velocity(points, 0.0))
    return float(speed.max())


def _strongest(scene: Scene) -> str:
    """The key of the strongest stream of a scene."""
    streams = {f"current[{row}].strength": flow.strength for row, flow in enumerate(scene.current)}
    outflows = {
        f"obstacles[{row}].outflow": abs(getattr(one, "outflow", 0.0)) for row, one in enumerate(scene.obstacles)
    }
    streams |= outflows
    return max(streams, key=lambda key: streams[key])
