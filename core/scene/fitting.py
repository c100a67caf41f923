"""What fishes need of their water: room to turn, and a stream that they can stand against."""

from __future__ import annotations

from collections.abc import Mapping

from ..base.codec import SceneError, shown
from .scene import Scene
from .species import Species

LEAST_ROOM = 1.5, 1.5, 0.5  # lengths of a fish that its tank is long, wide and deep: it turns in a circle of one
SWIFTEST_LENGTHS = 3.0  # lengths a second of all currents together; more presses fishes to the walls and rolls them
SIDES = "long", "wide", "deep"


def refuse_misfits(scene: Scene, species: Mapping[str, Species]) -> None:
    """Refuses fishes that cannot turn in their tank, and currents that no fish of the scene stands against.

    Args:
        scene: What an animator wrote.
        species: The scene's species by name.

    Raises:
        SceneError: At the first group that is too big, or at the swiftest current, with what to change.
    """
    refuse_cramped(scene, species)
    refuse_swift(scene, species)


def refuse_cramped(scene: Scene, species: Mapping[str, Species]) -> None:
    """Refuses fishes that cannot turn in their tank; arguments and errors as of `refuse_misfits`."""
    for row, group in enumerate(scene.fishes):
        usual = species[group.species].length
        length = group.size * usual
        for side, least, name in zip(scene.tank.size, LEAST_ROOM, SIDES, strict=True):
            if side < least * length * (1.0 - 1e-6):
                found = f"{shown(group.size)}, a {group.species} of {length:.3g} m in a tank {side:.3g} m {name}"
                allowed = f"up to {side / (least * usual):.3g}, or a tank {least * length:.3g} m {name}, to turn in"
                raise SceneError(found, allowed, key=f"fishes[{row}].size", file=scene.source)


def refuse_swift(scene: Scene, species: Mapping[str, Species]) -> None:
    """Refuses currents that press fishes to the walls; arguments and errors as of `refuse_misfits`."""
    streams = [flow.strength for flow in scene.current] + [getattr(one, "outflow", 0.0) for one in scene.obstacles]
    swift = sum(map(abs, streams))
    for group in scene.fishes:
        length = group.size * species[group.species].length
        most = SWIFTEST_LENGTHS * length
        if swift > most * (1.0 + 1e-6):
            found = f"{swift:.3g} m/s in all, {swift / length:.3g} lengths a second of a {group.species}"
            swiftest = max(range(len(streams)), key=lambda place: abs(streams[place]))
            place = swiftest - len(scene.current)
            key = f"current[{swiftest}].strength" if place < 0 else f"obstacles[{place}].outflow"
            allowed = f"up to {most:.3g} m/s in all, or fishes of {swift / SWIFTEST_LENGTHS:.3g} m and more"
            raise SceneError(found, allowed, key=key, file=scene.source)
