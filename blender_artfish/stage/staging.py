"""The stage for a recording: sand, pillars, corals, sea, light and a camera aimed at the fishes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import bpy
import numpy as np

from ...core.recording import Recording
from ..blender.background import in_thread
from ..blender.jobs import Job, Steps
from ..identity.film_time import FIRST
from .camera import place_camera
from .film import mark_still, set_up_film
from .hull import add_hull
from .light import hang_shafts, make_sky, place_sun, sun_way
from .objects import Span, add
from .planting import plant
from .ride import RIDE_CAMERA, add_ride_camera, film_with, fit_picture
from .sand import sand_material
from .scenery import floor, raise_pillars
from .shapes import mesh
from .snow import let_it_snow
from .view import find_view
from .water import fill_in_water

RIDE_SHAFTS_METRES = 5.0
"""Distance of the shafts of light ahead of a ride."""


@dataclass(frozen=True)
class StageOptions:
    """Parts of the stage to make, and its frames.

    Attributes:
        first: Frame of the scene that shows frame 0 of the recording.
        own: Numbers of the animator's own obstacles, which are not made again.
        own_bed: Whether the sea bed was made by the animator.
        film: Whether the scene is filmed with its camera, under its sky and by its settings; else what the scene
            has stays, and only missing ones are set.
        unit: Metres in a unit of the scene.
        begins: Seconds for which water and light have already moved in frame 0 of the recording.
        whole: The recording it is part of: scenery is planted where nothing swims in the whole of it.
    """

    first: int = FIRST
    own: tuple[int, ...] = ()
    own_bed: bool = False
    film: bool = True
    unit: float = 1.0
    begins: float = 0.0
    whole: Recording | None = None


def build(scene: bpy.types.Scene, recording: Recording) -> bpy.types.Collection:
    """Do what `build_steps` does in one go, and put the stage into the scene."""

    def prepare(job: Job[bpy.types.Collection]) -> Steps[Callable[[], bpy.types.Collection]]:
        stage, finish = yield from build_steps(job, scene, recording)

        def commit() -> bpy.types.Collection:
            scene.collection.children.link(stage)
            finish(True)
            return stage

        return commit

    return Job(prepare).run()


def build_steps(
    job: Job, scene: bpy.types.Scene, recording: Recording, options: StageOptions = StageOptions()
) -> Steps[tuple[bpy.types.Collection, Callable[[bool], None]]]:
    """Make everything but the fishes, in steps.

    Args:
        job: The job this is part of.
        scene: The scene it is for, still unchanged.
        recording: The recording: its tank, pillars and camera make the stage, and its fishes place the camera.
        options: Parts to make.

    Returns:
        The collection "Stage", still in no scene, and a function that gives the scene its camera, its sky, the settings
        of a Cycles film if its argument is true, and a marker at the best frame, by the options.
    """
    stage = bpy.data.collections.new("Stage")
    draws = np.random.default_rng(11)
    job.text = "Looking for a place for the camera"
    yield
    view = yield from in_thread(lambda: find_view(recording))
    light = recording.scene.light
    sand = floor(recording, draws)
    if not options.own_bed and recording.scene.stage.scenery != "open":
        job.text = "Spreading sand"
        yield
        material = yield from sand_material(recording.scene)
        add(stage, "Sand", mesh("Sand", sand, material))
    for number in raise_pillars(stage, recording, draws, options.own, options.first):
        job.text = f"Raising pillar {number}"
        yield
    job.text = "Planting scenery"
    yield
    span = _span(options, recording)
    yield from plant(stage, options.whole or recording, view, span, options.own)
    job.text = "Filling in the water"
    yield
    way = sun_way(view, light)
    yield from fill_in_water(stage, span, recording.scene, options.unit, way)
    let_it_snow(stage, span, recording.scene)
    place_sun(stage, way, recording.scene, span)
    camera = place_camera(stage, span, view, recording, options.unit)
    ride = recording.scene.ride
    rider = next((obj for obj in scene.objects if obj.get(RIDE_CAMERA) and obj.type == "CAMERA"), None)
    if ride is None:
        rider = None
    elif rider is None:
        rider = add_ride_camera(stage, ride, recording.submarine, options.first, unit=options.unit, scaled=True)
        if ride.camera.picture == "flat":
            hang_shafts(stage, rider, RIDE_SHAFTS_METRES, recording.scene, span)
    if ride is not None:
        add_hull(stage, recording, ride, options.first)
    sky = make_sky(recording.scene, span) if options.film or scene.world is None else None

    def finish(settings: bool) -> None:
        if options.film or scene.camera is None:
            scene.camera = rider or camera
        if sky is not None:
            scene.world = sky
        if options.film:
            mark_still(scene, options.first + view.best)
        if options.film and settings:
            set_up_film(scene)
            if ride is not None and rider is not None:
                film_with(scene, rider, ride.camera)
                fit_picture(scene, ride.camera)

    job.text = "Setting up the camera"
    yield
    return stage, finish


def _span(options: StageOptions, recording: Recording) -> Span:
    """The frames of the film of a recording."""
    last = recording.frames - 1
    return Span(options.first, options.first + last, last / recording.fps, options.begins)
