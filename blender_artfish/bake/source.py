"""The source of a bake: the scene that is simulated, as read from objects, a preset or a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:
    from ...core.recording import Recording
    from ...core.scene.scene import Scene
    from ...core.scene.species import Species


@dataclass(frozen=True)
class BakeSource:
    """The source of a bake, as read.

    Attributes:
        name: Its name for a person.
        scene: The scene to simulate.
        models: Its species by name.
        recording: A recording simulated elsewhere.
        origin: Position of the scene's origin, metres.
        own: Numbers of the obstacles made by the animator.
        own_bed: Whether the sea bed was made by the animator.
        folders: Folders to look for models of its species.
        remarks: Warnings: visible parts of obstacles that do not count, and what cannot go well, a line each.
        shoals: The objects of its shoals, where it was read from objects.
        saying: A context in which errors in the scene name its objects.
        objects: The objects of the items of each list of the scene, such as "fishes", where it was read from objects.
    """

    name: str
    scene: Scene
    models: dict[str, Species]
    recording: Recording | None = None
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    own: tuple[int, ...] = ()
    own_bed: bool = False
    folders: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    shoals: tuple[bpy.types.Object, ...] = ()
    saying: Callable[[], AbstractContextManager[None]] = nullcontext
    objects: Mapping[str, Sequence[bpy.types.Object]] = field(default_factory=dict)
