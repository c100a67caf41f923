"""The order of a bake: its contents and their form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..identity.film_time import FIRST

if TYPE_CHECKING:
    from ...core.recording import Recording

FORMS = ("points", "compact")
"""Forms in which every fish is an object with its own surfaces."""
MESH = "mesh"
"""The form in which every fish is one mesh."""
ARMATURE, SHAPES = DRIVES = "armature", "shapes"
"""Drives of such a mesh."""
CACHE = "cache"
"""The form in which every fish is one mesh whose vertices lie in a file beside the .blend."""
CROWD = "crowd"
"""The form in which a whole shoal is one object."""
FINE_LENGTHS, COARSE_LENGTHS = 12.0, 45.0
"""Distances beyond which fishes of a crowd have fewer vertices, and only a few, in lengths of a fish."""


@dataclass(frozen=True)
class Order:
    """The contents of a bake and their form.

    Attributes:
        form: "points" keys every control point; "compact" a few shape keys a surface, which play faster; "crowd"
            makes one object a shoal, whose fishes take poses of a table, for more of them than one looks at; "mesh"
            makes one mesh a fish; "cache" makes one, too, and writes its motion into a file beside the .blend.
        tolerance: Largest error of a control point at any frame, in body lengths; 0 keys
            every frame.
        heroes: With a crowd, most fishes that are objects of their own, in the compact form, while nearer
            to the camera than `near`: those that come nearest, for their size.
        near: Distance from the camera, in lengths of a fish, up to which it has all its vertices.
        far: Distance beyond which it has only a few, in the same lengths.
        drive: Drive of a mesh: bones of an "armature", or shape keys, "shapes".
        stretch: Whether bones may leave their places on one another, as bodies that swim are shortened by muscles.
        fishes: Whether to make fishes; likewise `plankton`, `bubbles`, `spawn`, `seaweed` and `hook`.
        stage: Whether to make sand, pillars, light, water and a camera.
        film: Whether the scene is filmed with that camera, by settings of its own; else those that the scene has
            stay, and only missing ones are set.
        time: Whether the scene gets the recording's frames, its rate, and metres.
        first: Frame of the scene that shows frame 0 of the recording.
        begins: Seconds for which water and light have already moved at the first frame, in a recording
            that is part of another.
        whole: The recording it is part of, whose stage is the same for all parts.
        origin: Position of the recording's origin in the scene, metres.
        unit: Metres in a unit of the scene.
        own: Numbers of the obstacles made by the animator.
        folders: Folders to look for models of adopted fishes.
        own_bed: Whether the sea bed was made by the animator.
        id: This bake's id; a new one if left out.
        instead: Id of the bake of this scene that it replaces.
        rows: Rows of the fishes to make, in place of those that this bake has; all if None.
        alone: Whether all else of that bake stays, too.
        shoals: The number of each shoal of the recording's scene among those of its species; their order if left out.
        numbered: Whether those numbers stand on the shoals' objects.
        file: The .blend that the form "cache" writes beside; "" if it was never saved.
        about: Its record, as JSON holds it.
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
    spawn: bool = True
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
    rows: tuple[int, ...] | None = None
    alone: bool = False
    shoals: tuple[int, ...] = ()
    numbered: bool = False
    file: str = ""
    about: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.form not in (*FORMS, MESH, CACHE, CROWD):
            raise ValueError(f"form: found {self.form!r}, allowed {', '.join((*FORMS, MESH, CACHE))} or {CROWD}")
        if self.drive not in DRIVES:
            raise ValueError(f"drive: found {self.drive!r}, allowed {' or '.join(DRIVES)}")
        if not 0 <= self.tolerance < 1:
            raise ValueError(f"tolerance: found {self.tolerance!r}, allowed 0 up to 1 body length")
