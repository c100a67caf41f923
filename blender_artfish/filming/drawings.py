"""Drawings in place of the film: shots that show something else than the scene on its stage."""

from __future__ import annotations

import bpy

from ...core.body.anatomy import NOSE_NODE, rest_nodes
from ...core.recording import Recording
from ...core.studio.camera_work import CameraPath
from ...core.studio.film import FilmShot
from ..bake.order import Order
from ..identity import provenance
from ..identity.film_time import FIRST
from .models import Showing, draw_model
from .studio import furnish
from .wipes import wipes
from .wire import draw_wire

ORDERS = {"film": Order(), "wire": Order(stage=False, bubbles=False)}
MODEL_ORDER = Order(stage=False, plankton=False, bubbles=False, spawn=False, seaweed=False, hook=False)
"""Order of the bake for a drawing: wire, or a model of one fish."""


def redraw(
    scene: bpy.types.Scene, recording: Recording, path: CameraPath, shot: FilmShot, begin: int, frames: int
) -> None:
    """Redraws a baked shot in another manner.

    Args:
        scene: The scene baked by `ORDERS` or `MODEL_ORDER`, with its camera.
        recording: The shot's recording; for a model, of the one fish alone.
        path: Path of the camera.
        shot: The shot.
        begin: Frame of the scene at which the whole of the shot begins, of which the recording may be a part.
        frames: Number of frames of the whole shot.
    """
    into = bpy.data.collections.new("Drawing")
    scene.collection.children.link(into)
    middle = path.look_at.mean(axis=0)
    furnish(scene, into, (float(middle[0]), float(middle[1])), lamps=shot.of_model)
    if not shot.of_model:
        draw_wire(into, recording, FIRST)
        return
    (root,) = [obj for obj in scene.objects if obj.get(provenance.ROW) is not None]
    length = float(recording.body_length[0])
    body = recording.species_models[recording.species[0]].body
    nose = float(rest_nodes(body)[NOSE_NODE, 0]) * length
    turns = wipes(len(shot.shows), frames, recording.fps, begin, nose, length)
    draw_model(into, root, recording, Showing(shot.shows, turns), FIRST)
