"""The images on the retinas of the active fish, as pictures in a panel: live, or from a bake's recording.

They are redrawn when the view changes; during playback they take a limited share of its time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

import bpy

from ..blender import runtime
from ..blender.handlers import HandlerTurn, hears
from ..blender.layout import redraw_sidebars
from ..blender.words import Message, counted, translated
from ..live import pace
from ..mind import swatches
from ..mind.source import Observation
from .properties import MAP_CHOICES

if TYPE_CHECKING:
    import numpy as np

    from ...core.perception.retina import Images
    from ...core.studio.recorded_world import RecordedWorld

MAPS = tuple(name for name, *_ in MAP_CHOICES)
EYE_NAMES = {"BOTH": "both", "LEFT": "left", "RIGHT": "right", "MIDDLE": "cyclopean"}
"""The core's name of each choice of eyes."""
PLAYING_SHARE = 0.15
"""Share of playback time for drawing retinas."""
LOOKING_SECONDS = 0.125
"""Least interval between drawings during playback: as often as minds look."""
RECENT_SECONDS = 1.0
"""Time since the panel was last drawn for which it counts as visible."""
IN_SIGHT: dict[str, tuple[Message, Message]] = {
    "fish": ("{count} fish", "{count} fishes"),
    "obstacle": ("{count} obstacle", "{count} obstacles"),
    "submarine": ("{count} submarine", "{count} submarines"),
    "bait": ("{count} bait", "{count} baits"),
    "food": ("{count} piece of food", "{count} pieces of food"),
    "leaf": ("{count} leaf", "{count} leaves"),
}
"""Kinds that the panel counts: singular and plural."""


class Unseen(Exception):
    """There are no images; the text says why."""


@dataclass(frozen=True)
class SeenRetinas:
    """Images of a fish's eyes at a frame.

    Attributes:
        key: Key of the view it shows.
        pictures: Icons by map, one an eye, the left one first.
        sights: Number of objects of each kind in sight.
    """

    key: tuple[Any, ...]
    pictures: dict[str, list[int]]
    sights: dict[str, int]


class DrawnEyes:
    """The last drawing.

    Attributes:
        world: World that shows frames of the last scene.
        retinas: The panel's retinas.
        when: Time of the drawing, by `perf_counter`.
        took: Its duration in seconds.
        looked: Time when the panel was last drawn.
    """

    def __init__(self) -> None:
        """Start with no drawing."""
        self.world: RecordedWorld | None = None
        self.retinas: SeenRetinas | None = None
        self.when = self.took = 0.0
        self.looked = 0.0


def retinas(observed: Observation, view: Any, hurried: bool) -> SeenRetinas:
    """The retinas of the active fish, redrawn if anything has changed.

    Args:
        observed: The fishes, one of them active.
        view: Settings of the scene (`properties.ArtfishView`).
        hurried: Whether the animation plays: then a recent drawing may do.

    Raises:
        Unseen: The fish is not there.
    """
    from ...core.base.codec import SceneError

    drawn = runtime.of(DrawnEyes)
    drawn.looked = perf_counter()
    shown = tuple(name for name in MAPS if name in view.maps)
    key = (observed.row, view.eyes, view.pan, view.tilt, view.pixels, shown, observed.frame, observed.fingerprint)
    before = drawn.retinas
    if before is not None and (before.key == key or hurried and before.key[:6] == key[:6] and _may_wait(drawn)):
        return before
    if not observed.recording.alive[observed.frame, observed.row]:
        raise Unseen(translated("{fish} is not there at this frame", fish=observed.name(observed.row)))
    try:
        images, table = _rendered(observed, view)
    except SceneError as error:
        raise Unseen(str(error)) from error
    length = float(observed.recording.body_length[observed.row])
    pictures: dict[str, list[int]] = {name: [] for name in shown}
    for name in shown:
        for number, pixels in enumerate(painted(name, images, table, length)):
            pictures[name].append(swatches.picture(f"retina {number} {name}", pixels))
    drawn.retinas = SeenRetinas(key, pictures, _sights(images, table))
    drawn.when = perf_counter()
    drawn.took = drawn.when - drawn.looked
    return drawn.retinas


def painted(name: str, images: Images, table: Sequence[Any], length: float) -> np.ndarray:
    """A map of `MAPS` as pictures for Blender.

    Args:
        name: Name of the map.
        images: Images of the eyes.
        table: Objects by identity.
        length: Length of the fish in metres.

    Returns:
        Pixels from the bottom up, 0 to 1, transparent in the blind corners, (eyes, size, size, 4) float32.
    """
    import numpy as np

    from ...core.perception.retina import pictures
    from ...core.perception.retina.lens import lens_of

    made = np.zeros((*images.identity.shape, 4), np.float32)
    if name == "PICTURE":
        made[..., :3] = pictures.lit(images.colour)
    elif name == "IDENTITY":
        made[..., :3] = pictures.false_colours(table)[images.identity]
    else:
        made[..., :3] = pictures.greys(images.range, length)[..., None]
    made[..., 3] = 1.0
    made *= lens_of(images.identity.shape[1]).sees[..., None]
    return np.ascontiguousarray(made[:, ::-1])


def _rendered(observed: Observation, view: Any) -> tuple[Images, Sequence[Any]]:
    """The images, and the objects by identity."""
    from ...core.perception.retina.images import Gaze
    from ...core.studio.recorded_world import RecordedWorld

    drawn, recording = runtime.of(DrawnEyes), observed.recording
    if drawn.world is None or drawn.world.scene is not recording.scene:
        drawn.world = RecordedWorld(recording)
    gaze = Gaze(drawn.world.show(recording, observed.frame))
    images = gaze.render(observed.row, EYE_NAMES[view.eyes], view.pixels, view.pan, view.tilt)
    return images, gaze.scenery.table


def _sights(images: Images, table: Sequence[Any]) -> dict[str, int]:
    """Number of objects of each kind in the images."""
    import numpy as np

    seen = np.bincount(images.identity.ravel(), minlength=1 + len(table)) > 0
    counts = dict.fromkeys(IN_SIGHT, 0)
    for one in table:
        if one.kind in counts and seen[one.identity]:
            counts[one.kind] += 1
    return {kind: count for kind, count in counts.items() if count}


def _may_wait(drawn: DrawnEyes) -> bool:
    """True if it is too early to redraw retinas during playback."""
    return perf_counter() - drawn.when < max(drawn.took / PLAYING_SHARE, LOOKING_SECONDS)


def said(sights: dict[str, int]) -> str:
    """The objects in sight, as a line of text."""
    words = [counted(count, *IN_SIGHT[kind]) for kind, count in sights.items()]
    return translated("In sight: {what}", what=", ".join(words) or translated("nobody"))


@hears(HandlerTurn.DISPLAY, "frame_change_post")
def _follow(scene: bpy.types.Scene, *_: Any) -> None:
    """Redraws the panel during playback, which by itself redraws the view alone."""
    if not pace.hurried(scene):
        return
    drawn = runtime.of(DrawnEyes)
    if drawn.retinas is None or perf_counter() - drawn.looked > RECENT_SECONDS + drawn.took / PLAYING_SHARE:
        return  # nobody sees the panel
    if _may_wait(drawn):
        return
    redraw_sidebars(bpy.context.window_manager.windows, "VIEW_3D")


@hears(HandlerTurn.DISPLAY, "load_pre")
def _forget(*_: Any) -> None:
    """Drops the last drawing when another file is opened."""
    runtime.drop(DrawnEyes)


CLASSES = ()
