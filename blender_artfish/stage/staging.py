"""The stage for a recording: sand, pillars, corals, sea, light and a camera that finds the fishes.

Depth comes from the water itself, which swallows light, red first, and glows blue-green: a homogeneous volume
without scattering, which Cycles computes exactly and so without noise. The surface throws caustics by letting
more light through in some places than in others.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...core.geometry.bed import Bed
from ...core.recording import Recording
from ...core.scene.scene import Light
from ..blender import shader_graph
from ..blender.background import aside, saying
from ..blender.fcurves import FIRST
from ..blender.shader_graph import Graph, Term
from ..blender.versions import channelbags, shader_tree
from . import scenery
from .camera import SENSOR, SHUTTER, View, find_view

STILL = "Still"
"""Marker at the frame that shows most."""
REACH = 26.0
"""How far sand and water go on beyond the tank, m; nothing can be seen through as much water."""
ABSORPTION = (0.30, 0.09, 0.07)
"""Share of red, green and blue light lost on the way, 1/m, in water of the default attenuation."""
GLOW = (0.001, 0.085, 0.21)
"""Colour of endless water."""
SUNLIGHT, SKYLIGHT = 7.5, 2.4
DRIFT = np.array([0.02, 0.012, -0.008])
"""How flakes drift, m/s."""
CLINGING = ("Violet coral", "Sea fan", "Tube sponge", "Brain coral")
"""What grows on the sides of pillars."""
BLUR = 0.0025
"""What is far away is out of focus by this share of the picture's width."""
BRIGHTEST = 5.0
"""Caustics are cut off at this many times the light without them."""


@dataclass(frozen=True)
class StageOptions:
    """Which parts of the stage to make, and for which frames.

    Attributes:
        first: Frame of the scene that shows frame 0 of the recording.
        own: Numbers of the obstacles that the animator has made, which are not made again.
        own_bed: Whether the animator has made the bed.
        film: Whether the scene is filmed with its camera, under its sky and by its settings; else what the scene
            has stays, and only what it lacks is set.
    """

    first: int = FIRST
    own: tuple[int, ...] = ()
    own_bed: bool = False
    film: bool = True


@dataclass(frozen=True)
class _Span:
    """Frames of the scene from the first to the last, and seconds between them."""

    first: int
    last: int
    seconds: float


def build(scene: bpy.types.Scene, recording: Recording) -> bpy.types.Collection:
    """Do what `build_steps` does at one go, and put it into the scene."""
    steps = build_steps(scene, recording)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            stage, finish = end.value
            scene.collection.children.link(stage)
            finish(True)
            return stage


def build_steps(
    scene: bpy.types.Scene, recording: Recording, options: StageOptions = StageOptions()
) -> Generator[str, None, tuple[bpy.types.Collection, Callable[[bool], None]]]:
    """Make everything but the fishes, bit by bit.

    Args:
        scene: The scene that it is for; nothing of it is changed yet.
        recording: Its tank, pillars and camera make the stage; where its fishes are places the camera.
        options: Which parts of it to make.

    Yields:
        What is being made.

    Returns:
        The collection "Stage", still in no scene, and what gives the scene its camera, its sky, the settings of a
        Cycles film where its argument is true, and a marker at the best frame, as far as the options go.
    """
    stage = bpy.data.collections.new("Stage")
    draws = np.random.default_rng(11)
    view = yield from saying("Looking for a place for the camera", aside(lambda: find_view(recording)))
    size = np.array(recording.scene.tank.size)
    bed = Bed.from_scene(recording.scene)
    floor = scenery.sand(size, draws, REACH) if bed is None else scenery.hills(bed, draws, REACH)
    if not options.own_bed:
        yield "Spreading sand"
        _add(stage, "Sand", scenery.mesh("Sand", floor, scenery.sand_material()))
    for number in _pillars(stage, recording, draws, options.own):
        yield f"Raising pillar {number}"
    yield from saying("Planting corals", _dressing(stage, recording, view, draws, options.own))
    light, span = recording.scene.light, _span(options.first, recording)
    yield from saying("Filling in the water", _water(stage, span, size, light))
    _light(stage, view, size, light)
    camera = _camera(stage, span, view, recording)

    sky = _sky(light) if options.film or scene.world is None else None

    def finish(settings: bool) -> None:
        if options.film or scene.camera is None:
            scene.camera = camera
        if sky is not None:
            scene.world = sky
        if options.film:
            _mark_best(scene, options.first + view.best)
        if options.film and settings:
            _film(scene)

    yield "Setting up the camera"
    return stage, finish


def _span(first: int, recording: Recording) -> _Span:
    return _Span(first, first + recording.frames - 1, (recording.frames - 1) / recording.fps)


def _add(stage: bpy.types.Collection, name: str, data: bpy.types.ID | None, at: tuple = (0, 0, 0)) -> bpy.types.Object:
    thing = bpy.data.objects.new(name, data)
    thing.location = at
    stage.objects.link(thing)
    return thing


def _pillars(
    stage: bpy.types.Collection, recording: Recording, draws: np.random.Generator, own: Sequence[int]
) -> Iterator[int]:
    """Raise pillars and rocks, but for those whose numbers are the animator's own."""
    rock = scenery.rock_material()
    for number, obstacle in enumerate(recording.scene.obstacles, start=1):
        if obstacle.kind == "mesh":
            vertices, faces = obstacle.placed
            name, shape = f"Rock {number:02d}", (vertices - obstacle.at, faces)
        else:
            name, shape = f"Pillar {number:02d}", scenery.pillar(obstacle.radius, obstacle.height, draws)
        if number - 1 not in own:
            _add(stage, name, scenery.mesh(name, shape, rock), obstacle.at)
        yield number


def _dressing(
    stage: bpy.types.Collection, recording: Recording, view: View, draws: np.random.Generator, own: Sequence[int]
) -> Generator[None, None, None]:
    """Corals and sponges around and on the pillars and in gardens on the sand; far boulders around the tank."""
    reef = bpy.data.collections.new("Corals")
    stage.children.link(reef)
    bed = Bed.from_scene(recording.scene)
    weed = [(np.array(cluster.at[:2]), cluster.spread) for cluster in recording.scene.seaweed]
    kinds = {}
    for kind, colony in scenery.colonies(draws):
        kinds[kind] = colony
        yield
    garden = _Garden(reef, kinds, view, draws, weed)
    for number, obstacle in enumerate(recording.scene.obstacles):
        if number in own:
            continue
        if obstacle.kind == "mesh":
            garden.over(*obstacle.placed)
        else:
            garden.around(np.array(obstacle.at), obstacle.radius, obstacle.height)
        yield
    size = np.array(recording.scene.tank.size)
    beds = [draws.uniform(-1.0, size[:2] + 1.0) for _ in range(6)] + [_in_view(view, draws) for _ in range(6)]
    for middle in beds:
        for _ in range(8):
            at = np.append(middle + 0.28 * draws.normal(size=2), -0.04)
            garden.plant(at + (0.0, 0.0, _ground(bed, at)), draws.uniform(0.08, 0.36))
    yield
    for _ in range(26):
        away = _unit(draws.uniform(0, 2 * np.pi))[:2]
        at = 0.5 * size[:2] + away * (0.5 * np.linalg.norm(size[:2]) + draws.uniform(0.6, 7.0))
        if np.linalg.norm(at - view.at[:2]) > 3.0:
            garden.plant(np.append(at, _ground(bed, at) - 0.1), draws.uniform(0.4, 1.5), kinds=("Boulder",))


def _ground(bed: Bed | None, at: np.ndarray) -> float:
    """Height of the sand in and about the tank."""
    return 0.0 if bed is None else float(bed.height(at[0], at[1]))


@dataclass(frozen=True)
class _Garden:
    """Plants colonies, of which there is one mesh a kind, where they stand neither before the camera nor in seaweed."""

    collection: bpy.types.Collection
    colonies: dict[str, bpy.types.Mesh]
    view: View
    draws: np.random.Generator
    weed: list[tuple[np.ndarray, float]]

    def plant(self, at: np.ndarray, height: float, up: tuple = (0, 0, 1), kinds: tuple[str, ...] = ()) -> None:
        """Plant a colony of any kind, or of one of these, turned at random about `up`."""
        if np.linalg.norm(at - self.view.at) < 0.5 + 2.0 * height:
            return
        if any(np.linalg.norm(at[:2] - middle) < spread + height for middle, spread in self.weed):
            return
        kind = str(self.draws.choice(kinds or tuple(self.colonies)))
        upright = Vector(up).to_track_quat("Z", "Y").to_matrix().to_4x4()
        turn = Matrix.Rotation(self.draws.uniform(0, 2 * np.pi), 4, "Z")
        thing = _add(self.collection, kind, self.colonies[kind])
        thing.matrix_world = Matrix.Translation(Vector(at.tolist())) @ upright @ turn @ Matrix.Scale(height, 4)

    def around(self, foot: np.ndarray, radius: float, height: float) -> None:
        """Plant the foot, the sides and the top of a pillar."""
        draw = self.draws.uniform
        for _ in range(12):
            away = _unit(draw(0, 2 * np.pi))
            self.plant(foot + (1.05 * radius + draw(0.0, 0.3)) * away + (0, 0, -0.03), draw(0.12, 0.38))
        for _ in range(int(9 * height)):
            away = _unit(draw(0, 2 * np.pi))
            at = foot + 0.97 * radius * away + (0, 0, draw(0.12, 0.97) * height)
            self.plant(at, draw(0.07, 0.2), (away[0], away[1], 0.9), CLINGING)
        for _ in range(5):
            away = draw(0, 0.7) * radius * _unit(draw(0, 2 * np.pi))
            self.plant(foot + away + (0, 0, height + 0.02), draw(0.1, 0.28))

    def over(self, vertices: np.ndarray, faces: np.ndarray) -> None:
        """Plant the upper sides of a rock, some 14 colonies a square metre."""
        corners = vertices[faces]
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        area = 0.5 * np.linalg.norm(normal, axis=1)
        upward = normal[:, 2] / np.maximum(2.0 * area, 1e-12)
        weight = area * np.clip(upward + 0.3, 0.0, 1.0)
        for _ in range(min(int(14 * weight.sum()), 120)):
            row = self.draws.choice(len(faces), p=weight / weight.sum())
            share = self.draws.dirichlet(np.ones(3))
            up = normal[row] / (2.0 * area[row]) + (0.0, 0.0, 0.8)
            kinds = () if upward[row] > 0.7 else CLINGING
            self.plant(share @ corners[row] - 0.02 * up, self.draws.uniform(0.06, 0.19), tuple(up), kinds)


def _unit(turn: float) -> np.ndarray:
    """The level direction (3,) at an angle in radians."""
    return np.array([np.cos(turn), np.sin(turn), 0.0])


def _in_view(view: View, draws: np.random.Generator) -> np.ndarray:
    """A place on the sand (x, y) that the camera sees."""
    ray = (view.target - view.at)[:2]
    away = draws.uniform(0.8, 3.0) * ray
    side = 0.45 * draws.uniform(-1.0, 1.0) * SENSOR / view.lens * np.array([-away[1], away[0]])
    return view.at[:2] + away + side


def _water(stage: bpy.types.Collection, span: _Span, size: np.ndarray, light: Light) -> Generator[None, None, None]:
    """The sea, a box up to its surface, and flakes adrift in it."""
    low, high = np.array([-REACH, -REACH, -3.0]), size + (REACH, REACH, 0.0)
    corners = np.array([[x, y, z] for z in (low[2], high[2]) for y in (low[1], high[1]) for x in (low[0], high[0])])
    faces = np.array([[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]])
    water = scenery.mesh("Water", (corners, faces), (yield from _water_material(span, light)))
    _add(stage, "Water", water).display_type = "BOUNDS"
    yield
    drift = scenery.specks(np.array([-1.5, -1.5, 0.1]), size + (1.5, 1.5, 0.0), 1500, np.random.default_rng(5))
    flakes = _add(stage, "Specks", scenery.mesh("Specks", drift, scenery.speck_material(light.brightness)))
    flakes.visible_shadow = flakes.visible_diffuse = flakes.visible_glossy = False
    _move(flakes, "location", [(0.0, 0.0, 0.0), tuple(span.seconds * DRIFT)], span)


def _water_material(span: _Span, light: Light) -> Generator[None, None, bpy.types.Material]:
    """Water that swallows light and glows; its surface a web of caustics for the sun, moving ripples for the eye."""
    absorption = np.multiply(ABSORPTION, light.attenuation / Light().attenuation)
    material, graph = shader_graph.material("Water")
    water = graph.node("ShaderNodeVolumeCoefficients")
    water.node.inputs["Absorption Coefficients"].default_value = absorption
    water.node.inputs["Scatter Coefficients"].default_value = (0.0, 0.0, 0.0)
    water.node.inputs["Emission Coefficients"].default_value = absorption * GLOW * light.brightness
    clock = graph.node("ShaderNodeValue")
    clock.node.label = clock.node.name = "Seconds"
    _move(material.node_tree, 'nodes["Seconds"].outputs[0].default_value', [0.0, span.seconds], span)
    time, at = clock["Value"], graph.coordinates("Object")
    image = yield from _caustics_image()
    web = _caustics(graph, at, time, image)
    shade = graph.node("ShaderNodeCombineColor").feed([web * 0.96, web, web * 1.04]).first
    through = graph.node("ShaderNodeBsdfTransparent", {"Color": shade})["BSDF"]
    # Waves too far to be told apart would only glitter.
    near = graph.node("ShaderNodeCameraData")["View Distance"].ramp(16.0, 3.0)
    normal = graph.bump(graph.noise(at, 1.6, 2.0, time * 0.5), 0.5, near)
    facing = graph.node("ShaderNodeLayerWeight", {"Blend": 0.5, "Normal": normal})["Facing"]
    bright = facing.ramp(0.6, 0.1)
    colour = graph.mix(bright, (0.006, 0.15, 0.26), (0.55, 0.95, 1.0))
    glare = 0.7 * light.brightness + bright * (0.9 * light.brightness)
    seen = graph.node("ShaderNodeEmission", {"Color": colour, "Strength": glare})["Emission"]
    surface = graph.blend(graph.node("ShaderNodeLightPath")["Is Camera Ray"], through, seen)
    shader_graph.output(graph, Surface=surface, Volume=water["Volume"])
    return material


def _caustics(graph: Graph, at: Term, time: Term, web: bpy.types.Image) -> Term:
    """How much of the sun's light the surface sends through each place, about 1 on average.

    Two layers of one web drift over each other; where their lines meet, light flares up and goes.
    """
    x, y, _ = graph.parts(at)
    layers = []
    for size, dx, dy in ((2.6, 0.05, 0.02), (-2.1, 0.03, -0.045)):
        place = graph.vector(x / size + time * dx, y / size + time * dy)
        layers.append(graph.node("ShaderNodeTexImage", {"Vector": place}, image=web)["Color"])
    both = graph.parts(graph.node("ShaderNodeVectorMath", {}, operation="MULTIPLY").feed(layers)["Vector"])[0]
    return 0.3 + BRIGHTEST * both


def _caustics_image() -> Generator[None, None, bpy.types.Image]:
    """The web of light as an image that tiles, packed into the file; its square root, over the brightest's."""
    light = yield from aside(scenery.caustics)
    pixels = np.sqrt(np.minimum(light, BRIGHTEST) / BRIGHTEST)
    side = len(pixels)
    image = bpy.data.images.new("Caustics", side, side, is_data=True)
    image.pixels.foreach_set(np.repeat(pixels.ravel()[:, None], 4, axis=1).astype(np.float32).ravel())
    image.pack()
    return image


def _light(stage: bpy.types.Collection, view: View, size: np.ndarray, light: Light) -> None:
    """A sun, high behind the camera's shoulder unless the scene says."""
    ahead = np.append((view.target - view.at)[:2], 0.0)
    ahead /= np.linalg.norm(ahead) + 1e-9
    left = np.array([-ahead[1], ahead[0], 0.0])
    sun = bpy.data.lights.new("Sun", "SUN")
    sun.energy, sun.angle, sun.color = SUNLIGHT * light.brightness, 0.0093, (1.0, 0.84, 0.6)
    shining = Vector(light.direction or (0.7 * ahead - 0.45 * left + (0.0, 0.0, -1.0)).tolist())
    lamp = _add(stage, "Sun", sun, (0.5 * size[0], 0.5 * size[1], size[2] + 2.0))
    lamp.rotation_euler = shining.to_track_quat("-Z", "Y").to_euler()


def _sky(light: Light) -> bpy.types.World:
    """A sky bright above and deep blue around."""
    world = bpy.data.worlds.new("Sea")
    tree = shader_tree(world)
    tree.nodes.clear()
    graph = Graph(tree)
    _, _, up = graph.parts(graph.coordinates("Generated"))
    colour = graph.mix(up.ramp(-0.3, 0.25), (0.01, 0.06, 0.09), (0.02, 0.22, 0.36))
    colour = graph.mix(up.ramp(0.3, 0.95), colour, (0.55, 0.92, 1.0))
    sky = graph.node("ShaderNodeBackground", {"Color": colour, "Strength": SKYLIGHT * light.brightness})["Background"]
    shader_graph.output(graph, "ShaderNodeOutputWorld", Surface=sky)
    # Even as it is, the sky needs no rays of its own; all go to the sun and its caustics.
    world.cycles.sampling_method = "NONE"
    return world


def _camera(stage: bpy.types.Collection, span: _Span, view: View, recording: Recording) -> bpy.types.Object:
    """A camera that drifts a little to the side, kept on its target."""
    target = _add(stage, "Camera target", None, tuple(view.target))
    target.empty_display_type, target.empty_display_size = "SPHERE", 0.05
    data = bpy.data.cameras.new("Camera")
    data.lens, data.clip_start, data.clip_end = view.lens, 0.01, 200.0
    distance = float(np.linalg.norm(view.target - view.at))
    data.dof.use_dof, data.dof.focus_object = True, target
    data.dof.aperture_fstop = view.lens**2 / (1000.0 * distance * SENSOR * BLUR)
    camera = _add(stage, "Camera", data, tuple(view.at))
    aim = camera.constraints.new("TRACK_TO")
    aim.target, aim.track_axis, aim.up_axis = target, "TRACK_NEGATIVE_Z", "UP_Y"
    _shafts(stage, camera, 1.8 * distance, recording.scene.light.brightness)
    if recording.scene.camera is None:
        ray = view.target - view.at
        side = 0.05 * np.cross(ray, (0.0, 0.0, 1.0))
        _move(camera, "location", [tuple(view.at - side), tuple(view.at + side)], span)
    return camera


def _shafts(stage: bpy.types.Collection, camera: bpy.types.Object, away: float, brightness: float) -> None:
    """A sheet of light behind the nearest fishes, that goes with the camera and throws nothing."""
    corners = np.array([[x, y, 0.0] for x, y in ((-0.8, -0.3), (0.8, -0.3), (0.8, 0.5), (-0.8, 0.5))])
    sheet = scenery.mesh("Light shafts", (corners, np.array([[0, 1, 2, 3]])), scenery.shaft_material(brightness))
    shafts = _add(stage, "Light shafts", sheet, (0.0, 0.0, -away))
    shafts.parent = camera
    shafts.scale = (away * SENSOR / camera.data.lens,) * 3
    shafts.visible_shadow = shafts.visible_diffuse = shafts.visible_glossy = shafts.visible_transmission = False
    shafts.hide_select, shafts.display_type = True, "BOUNDS"


def _move(owner: bpy.types.ID, path: str, values: list, span: _Span) -> None:
    """Let a property go evenly from its first value at the first frame to its second at the last."""
    for frame, value in zip((span.first, span.last), values, strict=True):
        holder, _, name = path.rpartition(".")
        setattr(owner.path_resolve(holder) if holder else owner, name, value)
        owner.keyframe_insert(path, frame=frame)
    for bag in channelbags(owner):
        for curve in bag.fcurves:
            curve.extrapolation = "LINEAR"
            for key in curve.keyframe_points:
                key.interpolation = "LINEAR"


def _film(scene: bpy.types.Scene) -> None:
    """Cycles with few bounces, enough for water and fins, and the look of film."""
    scene.render.engine = "CYCLES"
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 960, 540, 100
    scene.render.use_motion_blur, scene.render.motion_blur_shutter = True, SHUTTER
    cycles = scene.cycles
    cycles.samples, cycles.use_adaptive_sampling, cycles.adaptive_threshold = 64, True, 0.02
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 2, 1, 1
    cycles.transmission_bounces, cycles.volume_bounces, cycles.transparent_max_bounces = 1, 0, 12
    # One sun needs no tree of lights.
    cycles.use_light_tree = False
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = 4.0
    scene.view_settings.view_transform = "Filmic"
    scene.view_settings.look = "Very High Contrast"
    scene.view_settings.exposure = 0.2


def _mark_best(scene: bpy.types.Scene, frame: int) -> None:
    marker = scene.timeline_markers.get(STILL) or scene.timeline_markers.new(STILL)
    marker.frame = frame
