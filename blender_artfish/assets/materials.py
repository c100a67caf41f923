"""Materials of the asset library: water, light, skin and ground; and the node group of crowds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import bpy
import numpy as np
from mathutils import Euler

from ...core.form.mesh import ControlNet
from ...core.scene.scene import Scene
from ...core.scene.species import Species
from ...core.scene.tank import Tank
from ...core.scene.water import Water
from ...core.studio.school_loops import school_loop
from ..blender.jobs import finished
from ..crowd.nodes import group
from ..fish.adopted import skin_of
from ..fish.armature import rigged_mesh
from ..fish.individuality import INDIVIDUAL, individual
from ..identity.film_time import FIRST
from ..stage.film import set_up_film
from ..stage.kelp import kelp_material
from ..stage.light import SUNLIGHT, make_sky, shaft_material
from ..stage.objects import Span, add
from ..stage.planting import WOOD
from ..stage.sand import sand_material
from ..stage.scenery import rock_material, rust_material
from ..stage.seaweed import seaweed_material
from ..stage.shapes import dome, mesh
from ..stage.water import STRAIGHT_DOWN, fill_in_water, water_material
from .catalogs import Catalog
from .schools import new_crowd, poses
from .shelf import LOOP_FPS, Shelf, Shelving

WATERS = {
    "": "blue water as in the presets",
    "I": "clearest ocean",
    "III": "greenish ocean",
    "3": "coast",
    "7": "murky coast",
}
"""Water by its type after Jerlov, or none."""
SEA_METRES = 8.0, 8.0, 4.0
"""Width, depth and height of the water in pictures of materials."""
BALL_METRES = 0.5
"""Radius of balls that wear a material in a picture."""
SEA_VIEW = (4.0, 0.6, 1.1), Euler((np.radians(86.0), 0.0, 0.0))
"""Place and turn of the camera in that water."""
SHEET_AWAY, SHAFTS_METRES = 2.5, 3.2
"""Distance from that camera of the sheet of light shafts, and its width."""
PICTURED_FISHES = 14
"""Fishes in the picture of the crowd's nodes."""


def fill_materials(shelf: Shelf) -> Shelving:
    """Put all materials, and the sky of a sea, on a shelf."""
    for number, name in enumerate(shelf.species):
        species = Species.load(name)
        yield 0.6 * number / len(shelf.species), f"{species.common_name}: skin"
        _skin(shelf, species)
    scene, span = Scene("sea", LOOP_FPS, 10.0, tank=Tank(size=SEA_METRES)), Span(FIRST, 241, 10.0)
    for number, (kind, about) in enumerate(WATERS.items()):
        yield 0.6 + 0.05 * number, f"Water: {about}"
        _water(
            shelf, Scene("sea", LOOP_FPS, 10.0, tank=Tank(size=SEA_METRES), water=Water(kind) if kind else None), about
        )
    yield 0.85, "Light"
    _light(shelf, scene, span)
    yield 0.9, "Ground"
    _grounds(shelf, scene)


def fill_nodes(shelf: Shelf) -> Shelving:
    """Put the node group of crowds on a shelf."""
    yield 0.0, "Crowd"
    species = Species.load("sardine")
    school = school_loop(species, PICTURED_FISHES, LOOP_FPS)
    crowd = finished(new_crowd(school, finished(poses(school, species, shelf.scene))))
    about = (
        "The modifier of a crowd: plays a mesh whose vertices are a table of places, turns and poses, one object for "
        "thousands of fishes. The schools of this library wear it; see the page Crowd of the manual"
    )
    shelf.mark(tree := group(), Catalog.NODE_GROUPS, about, ["crowd", "school", "geometry nodes", "modifier"])
    shelf.portray(tree, [crowd])
    bpy.data.objects.remove(crowd)


def _skin(shelf: Shelf, species: Species) -> None:
    """The skin of a species, in a picture of a fish that wears it."""
    net = ControlNet(species)
    ((shape, data),) = finished(skin_of(species, net, shelf.scene, ()))
    rigged_mesh(data, shape, shape.vertices(net.rest), None)
    fish = bpy.data.objects.new(species.common_name, data)
    fish.scale, fish[INDIVIDUAL] = (species.length,) * 3, individual(0)
    skin = next(material for material in data.materials if material and material.name == f"{species.name} skin")
    about = (
        f"Skin of a {species.common_name}, painted without pictures by the UV map of Artfish's fishes: try it on "
        f"another fish of the library"
    )
    shelf.mark(skin, Catalog.SKINS, about, ["skin", "fish", species.common_name])
    shelf.portray(skin, [fish])
    bpy.data.objects.remove(fish)
    skin.name = f"{species.common_name} skin"


@contextmanager
def _sea(
    scene: Scene, water: bpy.types.Material | None = None
) -> Iterator[tuple[bpy.types.Scene, bpy.types.Collection]]:
    """A film in a sea with sand, a ball and a sun; its camera is under water."""
    film = bpy.data.scenes.new("film")
    span = Span(FIRST, 241, 10.0)
    try:
        wide, deep, high = SEA_METRES
        film.world = make_sky(scene, span)
        top = film.collection
        finished(fill_in_water(top, span, scene))
        if water is not None:
            top.objects["Water"].data.materials[0] = water
        corners = np.array([[x, y, 0.0] for x, y in ((-20, -20), (28, -20), (28, 28), (-20, 28))])
        add(top, "Sand", mesh("Sand", (corners, np.array([[0, 1, 2, 3]])), finished(sand_material(scene))))
        ball = dome((BALL_METRES,) * 3, 0.3, 0.6, np.random.default_rng(5))
        for x, y in ((3.4, 2.6), (4.9, 4.6), (3.2, 7.6)):
            add(top, "Stone", mesh("Stone", ball, rock_material()), (x, y, 0.0))
        sun = bpy.data.lights.new("Sun", "SUN")
        sun.energy, sun.color = SUNLIGHT, (1.0, 0.84, 0.6)
        add(top, "Sun", sun).rotation_euler = 0.5, 0.3, 0.0
        film.camera = add(top, "Camera", bpy.data.cameras.new("Camera"), SEA_VIEW[0])
        film.camera.rotation_euler, film.camera.data.lens = SEA_VIEW[1], 24.0
        set_up_film(film)
        yield film, top
    finally:
        for obj in list(film.collection.objects):
            bpy.data.objects.remove(obj)
        bpy.data.scenes.remove(film)


def _water(shelf: Shelf, scene: Scene, about: str) -> None:
    """Water of a type, in a picture taken below its surface."""
    span = Span(FIRST, 241, 10.0)
    made = finished(water_material(span, scene, 1.0, STRAIGHT_DOWN))
    kind = scene.water.type if scene.water else ""
    made.name = f"Water {kind}".strip()
    words = (
        f"Water, {about}{f', type {kind} after Jerlov' if kind else ''}: for a box up to the surface. It takes light "
        f"by the metre, red first, glows, casts caustics and moves"
    )
    shelf.mark(made, Catalog.WATERS, words, ["water", "sea", "volume", "caustics"])
    with _sea(scene, made) as (film, _):
        shelf.photograph(made, film)
    shelf.tidy()


def _light(shelf: Shelf, scene: Scene, span: Span) -> None:
    """Shafts of light, and the sky of a sea."""
    shafts = shaft_material(span, scene)
    about = (
        "Shafts of light that play with the waves: for a sheet before the camera, one unit wide, its middle the origin"
    )
    shelf.mark(shafts, Catalog.WATERS, about, ["light", "god rays", "shafts", "sea"])
    with _sea(scene) as (film, top):
        corners = np.array([[x, y, 0.0] for x, y in ((-0.8, -0.5), (0.8, -0.5), (0.8, 0.5), (-0.8, 0.5))])
        sheet = add(top, "Sheet", mesh("Sheet", (corners, np.array([[0, 1, 2, 3]])), shafts))
        place = np.array(SEA_VIEW[0]) + (0.0, SHEET_AWAY, 0.0)
        sheet.location, sheet.rotation_euler, sheet.scale = place.tolist(), SEA_VIEW[1], (SHAFTS_METRES,) * 3
        sheet.visible_shadow = sheet.visible_diffuse = False
        shelf.photograph(shafts, film)
    shelf.tidy()
    with _sea(scene) as (film, top):
        sky = film.world
        about = "Sky of a sea for what is under water: bright above and deep blue around"
        shelf.mark(sky, Catalog.WATERS, about, ["world", "sky", "light", "sea"])
        for obj in [each for each in top.objects if each.type == "MESH"]:
            bpy.data.objects.remove(obj)
        film.camera.rotation_euler.x, film.camera.data.lens = np.radians(115.0), 14.0
        shelf.photograph(sky, film)
    shelf.tidy()


def _grounds(shelf: Shelf, scene: Scene) -> None:
    """Sand, rock, rust and leaves, each in a picture of a ball that wears it."""
    makers: dict[str, tuple[Callable[[], bpy.types.Material], str]] = {
        "Sand": (lambda: finished(sand_material(scene)), "Sand in ripples, with tracks and shell grit"),
        "Rock": (rock_material, "Rock under water, with crusts of algae"),
        "Rust": (lambda: rust_material(WOOD), "Iron or wood long under water: rust, crusts, and green above"),
        "Kelp": (kelp_material, "Brown and golden translucent blades"),
        "Seaweed": (lambda: seaweed_material((0.16, 0.2, 0.03), 0.5), "A translucent leaf with a midrib, by a UV map"),
    }
    for name, (make, about) in makers.items():
        made = make()
        made.name = name
        shelf.mark(made, Catalog.GROUNDS, about, ["ground", name.lower()])
        ball = bpy.data.objects.new(
            name, mesh(name, dome((BALL_METRES,) * 3, 0.05, 0.6, np.random.default_rng(5)), made)
        )
        shelf.portray(made, [ball])
        bpy.data.objects.remove(ball)
