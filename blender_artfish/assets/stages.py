"""Stages of the asset library: what stands around the fishes of preset scenes, with the sea and its light."""

from __future__ import annotations

import bpy

from ...core.scene.scene import Scene
from ...core.world.world import World
from ..stage.staging import build
from .catalogs import Catalog
from .shelf import Shelf, Shelving

PRESET_STAGES = {
    "Reef": ("reef", "coral reef"),
    "Kelp forest": ("hunt", "forest of giant kelp"),
    "Wreck": ("wreck", "wreck and what lies around it"),
}
"""Stages by name: the preset scene each is of, and its contents."""
FILM_PARTS = "Light shafts", "Marine snow", "Camera"
"""Objects that follow the camera of a film."""
APART_METRES = 80.0
"""Distance of stages in the file."""


def fill_stages(shelf: Shelf) -> Shelving:
    """Put all stages on a shelf."""
    for number, (name, (preset, about)) in enumerate(PRESET_STAGES.items()):
        yield number / len(PRESET_STAGES), name
        _stage(shelf, name, Scene.load(preset), about)


def _stage(shelf: Shelf, name: str, scene: Scene, about: str) -> None:
    """The stage of a scene as a collection, with the picture that the scene's camera takes of it."""
    film = bpy.data.scenes.new("film")
    recording = World(scene, seed=1).simulate(frames=2)
    stage = build(film, recording)
    shelf.photograph(stage, film)
    sky = film.world
    bpy.data.scenes.remove(film)
    if sky is not None:
        bpy.data.worlds.remove(sky)
    for obj in [each for each in stage.all_objects if each.name.startswith(FILM_PARTS)]:
        bpy.data.objects.remove(obj)
    for inner in stage.children_recursive:
        inner.name = f"{name} growth"
    stage.name = name
    wide, deep, high = scene.tank.size
    stage.instance_offset = 0.5 * wide, 0.5 * deep, 0.0
    words = (
        f"A {about} around water of {wide:g} by {deep:g} by {high:g} m, with sand as far as one sees, the sea above it "
        f"and its sun. Its middle on the sand is where you drop it. The asset Sea is the sky for it"
    )
    shelf.show(stage, Catalog.STAGES, words, ["stage", "underwater", *name.lower().split()], wide=APART_METRES)
    shelf.tidy()
