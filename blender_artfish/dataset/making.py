"""The films of a data set, and their pictures: what its jobs do in Blender."""

from __future__ import annotations

import os
from collections.abc import Sequence

import bpy
import numpy as np

from ...core.base.files import ensure_folder, write_json
from ...core.dataset.cameras import CameraList, placed
from ...core.dataset.conditions import PictureConditions
from ...core.dataset.facts import FilmFacts
from ...core.dataset.plan import CROWDED, DatasetFolder
from ...core.form.mesh import BoundMesh, ControlNet
from ...core.habitat.optics import Optics
from ...core.recording import Recording
from ...core.scene.scene import Scene
from ...core.scene.water import Water
from ...core.world.world import World
from ..bake.order import CROWD, MESH, Order
from ..bake.writer import bake_steps
from ..blender.jobs import finished
from ..fish.adopted import LEVEL_MODEL_VERTICES, adopted_skins
from ..stage.objects import SHAFTS
from ..stage.render import open_to_render
from .grounds import stand_before
from .pictures import Picturing, view_of

CONTRAST_LEFT = 0.02
"""Share of a contrast at which it is no longer seen (Koschmieder 1924): visibility is where it is left."""


def make_film(folder: str | os.PathLike[str], name: str) -> None:
    """Simulates and bakes a film of a data set.

    Args:
        folder: The data set's folder.
        name: The film's name.

    Raises:
        SceneError: The values drawn for it make no scene.
    """
    of = DatasetFolder(folder)
    ensure_folder(of.root / "films")
    film = of.film(name)
    scene, _ = of.scene_of(name)
    frames = film["frames"]
    recording = World(scene, seed=film["seed"], species=scene.models or None).simulate(frames[-1])
    recording.save(of.film_file(name, ".npz"))
    begin = frames[0] - 1
    order = Order(
        form=form_of(recording),
        first=frames[0],
        begins=begin / recording.fps,
        whole=recording,
        folders=tuple(of.source["folders"]),
    )
    for _ in bake_steps(recording.part(begin, frames[-1]), of.film_file(name, ".blend"), order):
        pass
    species = {key: model.to_dict() for key, model in recording.species_models.items()}
    write_json(
        of.film_file(name, ".json"), {**film, "digest": of.digest(name), "events": recording.events, "species": species}
    )


def form_of(recording: Recording) -> str:
    """The form in which fishes of a data set are baked: many as a crowd, and what wears a model as meshes."""
    if len(recording.species) >= CROWDED:
        return CROWD
    return MESH if any(model.model for model in recording.species_models.values()) else "points"


def make_pictures(folder: str | os.PathLike[str], name: str, chosen: list[tuple[str, int]]) -> None:
    """Makes some pictures of a film, with their labels.

    Args:
        folder: The data set's folder.
        name: The film's name.
        chosen: A camera's name and a frame, from 1, of each.
    """
    of = DatasetFolder(folder)
    film, (lived, conditions) = of.film(name), of.scene_of(name)
    recording = Recording.load(of.film_file(name, ".npz"))
    size = tuple(of.source["size"])
    scene = open_to_render(of.film_file(name, ".blend"), of.source["samples"], size)
    own = scene.camera
    set_up(scene, recording, conditions)
    facts = FilmFacts(recording, worn(recording, of.source["folders"]))
    about = {"film": name, "seed": film["seed"], "water": water(lived), "conditions": film["variation"]}
    picturing = Picturing(of, film, facts, conditions, about)
    cameras = of.cameras
    for frame in sorted({frame for _, frame in chosen}):
        scene.frame_set(frame)
        standing = {one.name: one for one in placed(cameras, recording, view_of(own))}
        for camera in [camera for camera, at in chosen if at == frame]:
            _show_shafts(scene, cameras, camera)
            picturing.make(scene, standing[camera], frame, size)


def set_up(scene: bpy.types.Scene, recording: Recording, conditions: PictureConditions) -> None:
    """Prepare an open file for pictures under some conditions."""
    stand_before(scene, recording, conditions.background)
    scene.render.use_motion_blur = conditions.shutter > 0.0
    scene.render.motion_blur_shutter = max(conditions.shutter, 0.01)
    scene.view_settings.exposure += conditions.exposure
    for curve in bpy.data.curves:  # what is evaluated is what is rendered
        curve.resolution_u = curve.render_resolution_u or curve.resolution_u
        if isinstance(curve, bpy.types.SurfaceCurve):
            curve.resolution_v = curve.render_resolution_v or curve.resolution_v


def water(scene: Scene) -> dict[str, object]:
    """The water of a scene as labels have it: absorption and scattering, 1/m, and visibility, metres."""
    of = Optics.of(scene.water or Water())
    return {
        "absorption": np.round(of.attenuation - of.backscatter, 4).tolist(),
        "scattering": np.round(of.scattering, 4).tolist(),
        "visibility": round(float(-np.log(CONTRAST_LEFT) / of.attenuation.min()), 2),
    }


def worn(recording: Recording, folders: Sequence[str]) -> dict[str, BoundMesh]:
    """The models that adopted species wear, by the species' names."""
    found: dict[str, BoundMesh] = {}
    for name, model in recording.species_models.items():
        if model.model:
            skins = finished(adopted_skins(model, ControlNet(model), folders, LEVEL_MODEL_VERTICES[:1]))
            found[name] = skins[0].shape
            bpy.data.batch_remove([skin.mesh for skin in skins if not skin.mesh.users])
    return found


def _show_shafts(scene: bpy.types.Scene, cameras: CameraList, name: str) -> None:
    """Shafts of light hang before the scene's own camera alone."""
    own = any(camera.kind == "scene" and camera.name == name for camera in cameras.cameras)
    for obj in scene.objects:
        if obj.name.startswith(SHAFTS):
            obj.hide_render = not own
