"""What a bake is to make, and how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..identity.film_time import FIRST

if TYPE_CHECKING:
    from ...core.recording import Recording

FORMS = ("points", "compact")
"""Forms in which every fish is an object with surfaces of its own."""
MESH = "mesh"
"""The form in which every fish is one mesh."""
ARMATURE, SHAPES = DRIVES = "armature", "shapes"
"""What moves such a mesh."""
CROWD = "crowd"
"""The form in which a whole shoal is one object."""
FINE_LENGTHS, COARSE_LENGTHS = 12.0, 45.0
"""From how far on fishes of a crowd have fewer vertices, and only a few, in lengths of a fish."""


@dataclass(frozen=True)
class Order:
    """What a bake is to make, and how.

    Attributes:
        form: "points" keys every control point; "compact" a few shape keys a surface, which play faster; "crowd"
            makes one object a shoal, whose fishes take poses of a table, for more of them than one looks at; "mesh"
            makes one mesh a fish.
        tolerance: How far a control point may be from the recording's at any frame, in body lengths; 0 keys
            every frame.
        heroes: With a crowd, how many fishes may be objects of their own, in the compact form, while they are nearer
            to the camera than `near`: those that come nearest, for their size.
        near: Up to how many lengths of a fish from the camera it has all its vertices.
        far: From how many on it has only a few left.
        drive: What moves a mesh: bones of an "armature", or shape keys, "shapes".
        stretch: Whether bones may leave their places on one another, as bodies that swim are shortened by muscles.
        fishes: Whether to make fishes; likewise `plankton`, `bubbles`, `seaweed` and `hook`.
        stage: Whether to make sand, pillars, light, water and a camera.
        film: Whether the scene is filmed with that camera, by settings of its own; else those that the scene has
            stay, and only what it lacks is set.
        time: Whether the scene gets the recording's frames, its rate, and metres.
        first: Frame of the scene that shows frame 0 of the recording.
        begins: Seconds that water and light have moved for already then: those of what came before, in a recording
            that is a part of another.
        whole: The recording of which it is a part, whose stage is the same for all of its parts.
        origin: Where the recording's origin stands in the scene, metres.
        unit: Metres in a unit of the scene.
        own: Numbers of the obstacles that the animator has made.
        folders: Where models of adopted fishes may lie.
        own_bed: Whether the animator has made the bed of the sea.
        id: Of this bake; a new one if left out.
        instead: Id of a bake of this scene whose place this one takes.
        about: What to write down about it, as JSON holds it.
    """

    form: str = "points"
    tolerance: float = 0.002
    heroes: int = 0
    near: float = FINE_LENGTHS
    far: float = COARSE_LENGTHS
    drive: str = ARMATURE
    stretch: bool = True
    fishes: bool = True
    plankton: bool = True
    bubbles: bool = True
    seaweed: bool = True
    hook: bool = True
    stage: bool = True
    film: bool = True
    time: bool = True
    first: int = FIRST
    begins: float = 0.0
    whole: Recording | None = None
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    unit: float = 1.0
    own: tuple[int, ...] = ()
    folders: tuple[str, ...] = ()
    own_bed: bool = False
    id: str = ""
    instead: str = ""
    about: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.form not in (*FORMS, MESH, CROWD):
            raise ValueError(f"form: found {self.form!r}, allowed {', '.join((*FORMS, MESH))} or {CROWD}")
        if self.drive not in DRIVES:
            raise ValueError(f"drive: found {self.drive!r}, allowed {' or '.join(DRIVES)}")
        if not 0 <= self.tolerance < 1:
            raise ValueError(f"tolerance: found {self.tolerance!r}, allowed 0 up to 1 body length")
