"""The wishes of the panel as those of a wish file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ..blender.declarations import json_of
from ..blender.words import Message, translated
from ..identity.film_time import clock
from ..identity.precision import short
from ..identity.roles import objects_of
from ..identity.units import metres, placed
from ..scene.tank import size_of
from .properties import SEEN_BY

if TYPE_CHECKING:
    from ...core.base.codec import SceneError

OF_FISHES = {"event": ("fishes", "whom"), "untouched": ()}
"""The properties of each kind of wish that name shoals, where it is not the fishes alone."""


def wishes_data(scene: bpy.types.Scene) -> list[dict[str, Any]]:
    """The wishes of a scene's panel, as JSON holds them in a wish file, after the cameras that they name.

    Raises:
        SceneError: A wish names a shoal or a camera that is not in this scene or lacks one that it needs, or has frames
            out of order; or a camera has no perspective.
    """
    wishes = [WishReader(scene, number, wish) for number, wish in enumerate(scene.artfish_takes.wishes, 1)]
    found = [wish.data() for wish in wishes]
    cameras = {wish.camera.name: wish for wish in wishes if wish.camera is not None}
    return [*(wish.camera_data() for wish in cameras.values()), *found]


class WishReader:
    """A wish of the panel.

    Attributes:
        camera: The camera that it names, if any.
    """

    def __init__(self, scene: bpy.types.Scene, number: int, wish: Any) -> None:
        """The wish of this number, from 1, of a scene."""
        self._scene, self._number, self._wish = scene, number, wish
        self.camera: bpy.types.Object | None = wish.camera if wish.kind in SEEN_BY else None

    def data(self) -> dict[str, Any]:
        """It as JSON holds it; errors as of `wishes_data`."""
        wish = self._wish
        data: dict[str, Any] = {"kind": wish.kind, "weight": short(wish.weight)}
        if wish.kind == "untouched":
            data |= {"of": wish.touched, "gap": short(wish.gap)}
        elif wish.kind != "unhidden":
            data |= json_of(getattr(wish, wish.kind))
        data |= self._fishes()
        if wish.kind == "event" and wish.place is not None:
            data |= {"at": self._in_water(wish.place), "radius": short(wish.radius)}
        if self.camera is not None:
            if self.camera.name not in self._scene.objects:
                raise self._fault(translated("{obj}, which is not in this scene", obj=self.camera.name), "one that is")
            data["camera"] = _called(self.camera)
            if wish.kind == "event":
                data["size"] = short(wish.size)
        elif SEEN_BY.get(wish.kind):
            raise self._fault(translated("no camera"), "the camera in whose picture it is to be")
        if wish.use_time:
            if wish.begin > wish.end:
                frames = translated("frames {begin} to {end}", begin=wish.begin, end=wish.end)
                raise self._fault(frames, "two frames in order")
            seconds = clock(self._scene).seconds
            data["time"] = [max(seconds(frame), 0.0) for frame in (wish.begin, wish.end)]
        return data

    def camera_data(self) -> dict[str, Any]:
        """Its camera as it stands now, as if it were level.

        Raises:
            SceneError: It has no perspective.
        """
        from ...core.studio.camera_work import FILM_WIDTH_MM

        camera: Any = self.camera
        if camera.data.type != "PERSP":
            raise self._fault(
                translated("{obj}, a camera without perspective", obj=camera.name), "a camera of the type Perspective"
            )
        right, _, left, _ = camera.data.view_frame(scene=self._scene)  # upper and lower, then lower and upper
        middle, width, height = (right + left) / 2, right.x - left.x, right.y - left.y
        return {
            "kind": "camera",
            "name": _called(camera),
            "at": self._in_water(camera),
            "look_at": self._in_water(camera, middle / middle.length / metres(self._scene)),
            "lens": short(FILM_WIDTH_MM * middle.length / width),
            "ratio": short(width / height),
        }

    def _fishes(self) -> dict[str, int]:
        """The shoals that it names, by their numbers."""
        shoals, found = objects_of(self._scene, "SHOAL"), {}
        for name in OF_FISHES.get(self._wish.kind, ("fishes",)):
            obj = getattr(self._wish, name)
            if obj is not None:
                if obj not in shoals:
                    raise self._fault(translated("{obj}, which is no shoal of this scene", obj=obj.name), "one that is")
                found[name] = shoals.index(obj)
        if self._wish.kind == "shape" and not found:
            raise self._fault(translated("no shoal"), "the shoal that is to have the shape")
        return found

    def _in_water(self, obj: bpy.types.Object, point: Any = None) -> list[float]:
        """The place of an object, or of a point in its own frame, from the lowest corner of the water, in metres."""
        matrix = placed(obj, metres(self._scene))
        place = matrix.translation if point is None else matrix @ point
        return [short(x) for x in place - size_of(self._scene)[0]]

    def _fault(self, found: str, allowed: Message) -> SceneError:
        """The error of it: what was found, and what is allowed."""
        from ...core.base.codec import SceneError

        return SceneError(found, allowed, key=f"wish {self._number}")


def _called(camera: bpy.types.Object) -> str:
    """The name of a camera in wishes; no other is called so, as the scene's own is."""
    return f"camera {camera.name}"
