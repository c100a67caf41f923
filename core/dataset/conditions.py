"""The conditions of pictures: lens, height, light, motion blur, noise, compression and ground, and what varies of them.

What a scene declares varies by its own keys, as for takes: "water.turbidity", "light.brightness", "stage.snow" or
"fishes[0].count". What a data set adds begins with "picture.": "picture.noise".
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..base.codec import Place, decode
from ..base.declaration import choice, integer, number
from ..base.files import read_json
from ..farm.varying import Variation, variations, varied
from ..scene.scene import Scene

PICTURE = "picture."
"""Beginning of the keys of conditions."""
BACKGROUNDS = "scene", "tank", "net_cage", "white"
"""Grounds before which fishes swim: the scene's stage, a bare tank, a net cage, and nothing but white."""
MIDDLE_GREY = 0.5
"""Value at which noise has the strength that is said; it grows with the root of the light, as photons have it."""


@dataclass(frozen=True, kw_only=True)
class PictureConditions:
    """The conditions of the pictures of one film."""

    lens: float = number(1.0, 0.1, 10.0, "", "Factor on the focal length of every camera")
    rise: float = number(0.0, -100.0, 100.0, "m", "How much higher every camera stands")
    exposure: float = number(0.0, -6.0, 6.0, "stops", "How much longer the picture is exposed")
    shutter: float = number(0.0, 0.0, 1.0, "frames", "How long the shutter is open: motion blur; 0 is none")
    noise: float = number(0.0, 0.0, 0.5, "", "Noise at a middle grey, over white")
    quality: int = integer(0, 0, 100, "", "Quality of a JPEG; 0 writes PNG, which loses nothing")
    background: str = choice("scene", BACKGROUNDS, "What fishes swim before")


@dataclass(frozen=True)
class Varies:
    """Values that vary from film to film.

    Attributes:
        of_scene: Values of the scene.
        of_pictures: Conditions of the pictures, by keys without "picture.".
        said: All of it, as the file says it.
    """

    of_scene: tuple[Variation, ...] = ()
    of_pictures: tuple[Variation, ...] = ()
    said: Mapping[str, Any] = field(default_factory=dict)

    def drawn(self, seed: int) -> dict[str, Any]:
        """The values of the film of a seed, by their keys; those of one key do not depend on the others."""
        found = {}
        for prefix, some in (("", self.of_scene), (PICTURE, self.of_pictures)):
            for one in some:
                key = prefix + one.key
                dice = np.random.default_rng([seed, *key.encode()])
                found[key] = one.drawn(dice)
        return found


def read_varies(path: str | os.PathLike[str], scene: Scene) -> Varies:
    """The variations of a file.

    Raises:
        SceneError: If it cannot be read, or is not as declared for this scene and for pictures.
    """
    return varies_of(read_json(path), scene, os.fspath(path))


def varies_of(data: Mapping[str, Any], scene: Scene, file: str = "variations") -> Varies:
    """Variations as JSON holds them; errors as of `read_varies`."""
    pictures = {key.removeprefix(PICTURE): value for key, value in data.items() if key.startswith(PICTURE)}
    rest = {key: value for key, value in data.items() if not key.startswith(PICTURE)}
    found = Varies(
        variations(rest, scene, file) if rest or not pictures else (),
        variations(pictures, PictureConditions(), file) if pictures else (),
        dict(data),
    )
    for one in found.of_pictures:
        for value in one.choices:
            decode(PictureConditions, {one.key: value}, Place(file, PICTURE + one.key))
    return found


def applied(
    scene: Mapping[str, Any], values: Mapping[str, Any], place: Place
) -> tuple[dict[str, Any], PictureConditions]:
    """A scene as JSON holds it with the values of a film, and the film's conditions.

    Raises:
        SceneError: A value is not as declared.
    """
    pictures = {key.removeprefix(PICTURE): value for key, value in values.items() if key.startswith(PICTURE)}
    rest = {key: value for key, value in values.items() if not key.startswith(PICTURE)}
    return varied(scene, rest), decode(PictureConditions, pictures, place)


def noisy(pixels: np.ndarray, noise: float, seed: tuple[int, ...]) -> np.ndarray:
    """Pixels (rows, columns, 3), 0 to 1, with noise that grows with the root of the light; the same for a seed."""
    if noise <= 0.0:
        return pixels
    spread = noise * np.sqrt(np.maximum(pixels, 0.02) / MIDDLE_GREY)
    return (pixels + spread * np.random.default_rng(seed).standard_normal(pixels.shape)).clip(0.0, 1.0)
