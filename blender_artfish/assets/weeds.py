"""Weeds of the asset library that sway and go round: kelp, clusters of leaves and anemones."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np

from ...core.recording import Recording
from ...core.scene.inventory import Seaweed
from ...core.scene.scene import Scene
from ...core.scene.tank import Tank
from ...core.scene.water import UniformCurrent
from ...core.world.world import World
from ..blender.jobs import finished
from ..blender.versions import channelbags
from ..identity.film_time import FIRST
from ..stage.corals import Colony
from ..stage.kelp import CALM_PERIOD, FLUTTER, KELP_PLANTS, MOST_SWAY, kelp, kelp_material, sway
from ..stage.objects import Span
from ..stage.seaweed import make_seaweed
from .catalogs import Catalog
from .growth import fill_greens, standing
from .shelf import LOOP_FPS, Shelf, Shelving

KELP_METRES = 5.0, 3.5
"""Heights of kelp, one after the other."""
KELP_SWAY = 0.3
"""Sway of kelp over the most that it sways."""
SWELL_SECONDS, SWELL_SPEED = 6.0, 0.09
"""Period and speed, m/s, of the water to and fro in which leaves sway."""
SETTLING_SWELLS = 3
"""Swells until leaves sway alike in each."""
LED_SHARE = 0.25
"""Share of a loop over which its end is led into its beginning."""
LEAF_TOLERANCE = 0.05
"""Largest error of a key, over the width of a leaf."""
CLUSTERS = {
    "Seaweed": Seaweed(at=(2.0, 2.0, 0.0)),
    "Sea grass": Seaweed(
        at=(2.0, 2.0, 0.0), leaves=60, height=0.45, width=0.012, spread=0.3, colour=(0.07, 0.17, 0.02)
    ),
    "Red weed": Seaweed(at=(2.0, 2.0, 0.0), leaves=18, height=0.5, width=0.05, spread=0.18, colour=(0.22, 0.03, 0.03)),
    "Tall weed": Seaweed(at=(2.0, 2.0, 0.0), leaves=30, height=1.6, width=0.06, spread=0.3, colour=(0.2, 0.15, 0.03)),
    "Sea anemone": Seaweed(
        at=(2.0, 2.0, 0.0), form="tentacles", leaves=90, height=0.12, width=0.011, spread=0.09, splay=0.8,
        stiffness=0.3, colour=(0.55, 0.36, 0.2),
    ),
}  # fmt: skip
"""Clusters of leaves and tentacles that were simulated in a swell."""


def fill_weeds(shelf: Shelf) -> Shelving:
    """Put all weeds on a shelf."""
    rest = len(CLUSTERS) + KELP_PLANTS + 1
    for number, (name, cluster) in enumerate(CLUSTERS.items()):
        yield number / rest, name
        _cluster(shelf, name, cluster)
    material, frames = kelp_material(), round(CALM_PERIOD * LOOP_FPS)
    for number in range(KELP_PLANTS):
        yield (len(CLUSTERS) + number) / rest, "Kelp"
        _kelp(shelf, number, material, frames)
    for share, name in fill_greens(shelf):
        yield (rest - 1 + share) / rest, name


def _kelp(shelf: Shelf, number: int, material: bpy.types.Material, frames: int) -> None:
    """A plant of kelp whose sway goes round."""
    title, height = f"Kelp {number + 1}", KELP_METRES[number % len(KELP_METRES)]
    shape = kelp(np.random.default_rng([37, number]))
    colony = Colony.of(title, shape, material)
    turn = 2.0 * np.pi * (np.arange(frames + 1) % frames) / frames
    swing = KELP_SWAY * MOST_SWAY * np.stack([np.sin(turn + number), FLUTTER * np.sin(2.0 * turn + 2.0 * number)])
    sway(colony.data, shape[0], swing, Span(FIRST, FIRST + frames, frames / LOOP_FPS))
    goes_on(colony.data.shape_keys)
    obj = standing(title, colony, height, sunk=0.0)
    about = f"Giant kelp {height:g} m high that sways along x and goes round in {frames / LOOP_FPS:g} s"
    shelf.collection(title, [obj], Catalog.WEEDS, about, ["weed", "kelp", "sways", "loop"], frames)


def _cluster(shelf: Shelf, name: str, cluster: Seaweed) -> None:
    """A cluster that was simulated in a swell, and goes round with it."""
    recording = swelling(cluster)
    made = bpy.data.collections.new(name)
    finished(make_seaweed(recording, made, LEAF_TOLERANCE))
    for grown in list(made.children):
        for obj in list(grown.objects):
            grown.objects.unlink(obj)
            made.objects.link(obj)
            if obj.parent is None and obj.type == "CURVE" and not obj.hide_render:
                obj.location, obj.name = (0.0, 0.0, 0.0), name
                goes_on(obj.data)
        bpy.data.collections.remove(grown)
    seconds = (recording.frames - 1) / LOOP_FPS
    high = 100 * cluster.height
    about = f"{cluster.leaves} leaves up to {high:.0f} cm that sway in a swell along x and go round in {seconds:g} s"
    if cluster.form == "tentacles":
        about = f"{cluster.leaves} tentacles of {high:.0f} cm on a disc that sway and go round in {seconds:g} s"
    tags = ["weed", "sways", "loop", *name.lower().split()]
    shelf.show(made, Catalog.WEEDS, about, tags, loop=recording.frames - 1)


def swelling(cluster: Seaweed) -> Recording:
    """A recording of a cluster through one swell, whose last frame is its first again."""
    swell = UniformCurrent(kind="uniform", direction=(1.0, 0.0, 0.0), strength=SWELL_SPEED, period=SWELL_SECONDS)
    frames = round(SWELL_SECONDS * LOOP_FPS)
    seam = round(LED_SHARE * frames)
    begin = SETTLING_SWELLS * frames
    tank = Tank(size=(4.0, 4.0, max(2.0, 1.5 * cluster.height)))
    scene = Scene(
        "weed", LOOP_FPS, (begin + frames + seam + 1) / LOOP_FPS, tank=tank, seaweed=(cluster,), current=(swell,)
    )
    whole = World(scene).simulate()
    leaves = whole.seaweed[begin : begin + frames + seam].astype(float)
    closed, share = leaves[:frames].copy(), (np.arange(seam) / seam)[:, None, None, None]
    closed[:seam] = share * leaves[:seam] + (1.0 - share) * leaves[frames:]
    part = whole.part(begin, begin + frames + 1)
    return replace(part, seaweed=np.concatenate([closed, closed[:1]]).astype(np.float32))


def goes_on(owner: bpy.types.ID) -> None:
    """Have what moves a data block go round for ever."""
    for bag in channelbags(owner):
        for curve in bag.fcurves:
            curve.modifiers.new("CYCLES")
