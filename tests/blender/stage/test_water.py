"""The sea moves with time, and takes light by its law."""

from math import pi

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.blender.versions import even_volume
from artfish.blender_artfish.stage.objects import Span, add
from artfish.blender_artfish.stage.shapes import mesh
from artfish.blender_artfish.stage.water import fill_in_water, optics
from artfish.core.habitat.optics import forward
from artfish.core.scene.scene import Scene

pytestmark = pytest.mark.versions
DISTANCES = 1.0, 3.0, 9.0


def test_light_flows_over_the_sand_as_time_goes(reef, build_stage):
    scene = build_stage(reef)
    clock = bpy.data.materials["Water"].node_tree.nodes["Seconds"].outputs[0]
    times = []
    for frame in (scene.frame_start, scene.frame_end):
        scene.frame_set(frame)
        times.append(clock.default_value)
    assert times == pytest.approx([0.0, (reef.frames - 1) / reef.fps], abs=1e-5)


def filmed(path, camera, side: int) -> np.ndarray:
    """Mean colour (3,) of this camera's picture, as light, without a picture's curve."""
    scene = bpy.context.scene
    scene.camera, scene.render.engine = camera, "CYCLES"
    scene.render.resolution_x = scene.render.resolution_y = side
    scene.cycles.samples, scene.cycles.use_denoising, scene.cycles.pixel_filter_type = 4, False, "BOX"
    scene.cycles.max_bounces, scene.cycles.transparent_max_bounces = 0, 8
    scene.render.image_settings.file_format, scene.render.filepath = "OPEN_EXR", str(path)
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(str(path))
    pixels = np.empty(4 * side * side, dtype=np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return pixels.reshape(-1, 4)[:, :3].mean(axis=0)


def card(name: str, at: tuple, size: float, shines: bool):
    """A card that lies level and faces up: grey, or white that shines by itself."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    nodes = material.node_tree.nodes
    nodes.clear()
    kind, channel = ("ShaderNodeEmission", "Emission") if shines else ("ShaderNodeBsdfDiffuse", "BSDF")
    shader, output = nodes.new(kind), nodes.new("ShaderNodeOutputMaterial")
    shader.inputs["Color"].default_value = (1.0, 1.0, 1.0, 1.0) if shines else (0.18, 0.18, 0.18, 1.0)
    material.node_tree.links.new(shader.outputs[channel], output.inputs["Surface"])
    corners = 0.5 * size * np.array([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]])
    return add(bpy.context.scene.collection, name, mesh(name, (corners, np.array([[0, 1, 2, 3]])), material), at)


def sea(kind: str, brightness: float) -> Scene:
    """A scene 12 m deep, whose water of this type is on the stage; by night it sends nothing of its own."""
    data = {"tank": {"size": [4.0, 4.0, 12.0]}, "water": {"type": kind}, "light": {"brightness": brightness}}
    scene = Scene.from_dict(data)
    for _ in fill_in_water(bpy.context.scene.collection, Span(1, 2, 1 / 24), scene):
        pass
    return scene


@pytest.fixture
def camera():
    """A camera that looks along an axis at the middle."""
    data = bpy.data.cameras.new("Eye")
    data.type, data.clip_start = "ORTHO", 1e-3  # from which on the water is seen
    return add(bpy.context.scene.collection, "Eye", data)


@pytest.mark.film
@pytest.mark.parametrize("kind", ["II", "5"])
def test_a_card_fades_with_distance_by_the_law_of_beer_and_lambert(kind, camera, tmp_path):
    """The light of a card that shines, and that of the water before it."""
    taken, _, glow = optics(sea(kind, 1.0))
    white = card("Card", (2.0, 2.0, 1.0), 4.0, True)
    camera.data.ortho_scale = 0.5
    seen = []
    for distance in DISTANCES:
        camera.location = (2.0, 2.0, white.location.z + distance)
        seen.append(filmed(tmp_path / "card.exr", camera, 4))
    left = np.exp(-np.outer(DISTANCES, taken))
    # Where a volume may differ by where one looks, it is the darker the farther one looks away from the sun.
    share = forward(-1.0) if even_volume(bpy.data.materials["Water"]) else 1.0
    assert np.array(seen) == pytest.approx(left + share * glow * (1.0 - left), rel=5e-3)


@pytest.mark.film
@pytest.mark.parametrize("kind", ["II", "5"])
def test_a_grey_card_fades_with_depth_by_the_law_of_beer_and_lambert(kind, camera, tmp_path):
    """Filmed from close by in the light of a sun above it, wide enough for as much light as shade of caustics."""
    water = sea(kind, 0.0)
    grey, surface = card("Card", (2.0, 2.0, 0.0), 8.0, False), water.tank.size[2]
    sun = bpy.data.lights.new("Sun", "SUN")
    sun.energy, sun.angle = pi, 0.0
    add(bpy.context.scene.collection, "Sun", sun, (2.0, 2.0, surface + 1.0))
    camera.data.ortho_scale = 6.0
    seen = []
    for depth in DISTANCES:
        grey.location.z = surface - depth
        camera.location = (2.0, 2.0, surface - depth + 0.1)
        seen.append(filmed(tmp_path / "card.exr", camera, 64))
    law = np.exp(-np.outer(DISTANCES, optics(water)[0]))
    assert np.array(seen) / seen[0] == pytest.approx(law / law[0], rel=0.1)
