"""Fixtures of the tests of the snake grid: the add-on at work, a drawn fish, and Blender images."""

from collections.abc import Callable, Iterator
from typing import Any

import bpy
import numpy as np
import pytest

import artfish.blender_artfish as addon
from artfish.benchmarks.fish_pictures import FishPicture, draw
from artfish.core.photo import snake_grid

SEED = 3


@pytest.fixture(autouse=True)
def registered(fresh_file: None) -> Iterator[None]:
    """The add-on at work."""
    addon.register()
    yield
    addon.unregister()


@pytest.fixture(scope="session")
def guesses() -> dict[tuple, Any]:
    """The network's guesses by picture."""
    return {}


@pytest.fixture(autouse=True)
def seen_once(guesses: dict[tuple, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Has the network, which takes most of a fit, look once at each picture; its guess is kept for the next fit."""
    look = snake_grid.first_guess

    def guess(image: np.ndarray, known: Any, facing: str) -> Any:
        key = image.shape, image.tobytes(), repr(known), facing
        if key not in guesses:
            guesses[key] = look(image, known, facing)
        return guesses[key]

    monkeypatch.setattr(snake_grid, "first_guess", guess)


@pytest.fixture(scope="session")
def drawn() -> FishPicture:
    """A fish drawn before a plain ground."""
    return draw(SEED, "plain", 240, facing="right")


@pytest.fixture(scope="session")
def image_of() -> Callable[..., bpy.types.Image]:
    """Makes Blender images of pixels."""

    def make(array: np.ndarray, name: str = "fish", **how: bool) -> bpy.types.Image:
        height, width = array.shape[:2]
        image = bpy.data.images.new(name, width, height, alpha=True, **how)
        full = np.ones((height, width, 4), dtype=np.float32)
        full[..., :3] = array[..., :3] if array.ndim == 3 else array[..., None]
        image.pixels.foreach_set(full[::-1].ravel())
        return image

    return make
