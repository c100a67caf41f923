"""The snake grid on Blender's images: fitting at one go, files that remember, materials that wear pictures."""

import json
from pathlib import Path
from time import perf_counter
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

import artfish.blender_artfish as addon
from artfish.benchmarks.fish_pictures import Picture, draw
from artfish.blender_artfish.blender import status_bar
from artfish.blender_artfish.fish import materials
from artfish.blender_artfish.snake_grid import grids
from artfish.blender_artfish.snake_grid.operators import ARTFISH_OT_fit_grid
from artfish.blender_artfish.species import library
from artfish.core.photo.grid_form import folded
from artfish.core.photo.snake_grid import fit_grid
from artfish.core.scene.species import Species

SEED = 3


@pytest.fixture(autouse=True)
def registered(fresh_file):
    """The add-on at work."""
    addon.register()
    yield
    addon.unregister()


@pytest.fixture(scope="module")
def drawn() -> Picture:
    return draw(SEED, "plain", 240, facing="right")


def image_of(array: np.ndarray, name: str = "fish", **how) -> bpy.types.Image:
    """A Blender image with these pixels."""
    height, width = array.shape[:2]
    image = bpy.data.images.new(name, width, height, alpha=True, **how)
    full = np.ones((height, width, 4), dtype=np.float32)
    full[..., :3] = array[..., :3] if array.ndim == 3 else array[..., None]
    image.pixels.foreach_set(full[::-1].ravel())
    return image


class Modal(SimpleNamespace):
    """Stands in for the operator Fit and for the parts of Blender's window that its modal form uses."""

    modal, stop, show, left, tell, refuse, work, picture, too_much = (
        getattr(ARTFISH_OT_fit_grid, name)
        for name in ("modal", "stop", "show", "left", "tell", "refuse", "work", "picture", "too_much")
    )
    bl_label, part, facing, anchors = "Fit", "body", "PANEL", ""

    def __init__(self, image: bpy.types.Image):
        super().__init__(image=image.name, reports=[], timers=[], said=[])
        manager = SimpleNamespace(
            event_timer_add=lambda pause, window: self.timers.append(pause) or pause,
            event_timer_remove=self.timers.remove,
            modal_handler_add=lambda operator: None,
            progress_begin=lambda low, high: None,
            progress_update=lambda done: None,
            progress_end=lambda: None,
        )
        self.context = SimpleNamespace(scene=bpy.context.scene, window=None, window_manager=manager)
        assert ARTFISH_OT_fit_grid.invoke(self, self.context, None) == {"RUNNING_MODAL"}

    @property
    def texts(self):
        """What is in the status bar."""
        return [*status_bar._said.values()]

    def report(self, kind, text):
        self.reports.append((kind, text))

    def send(self, kind):
        return self.modal(self.context, SimpleNamespace(type=kind))

    def end(self):
        """Ticks until it ends, and how long the longest of them took."""
        longest, result = 0.0, {"RUNNING_MODAL"}
        while result == {"RUNNING_MODAL"}:
            self.said += self.texts
            begun = perf_counter()
            result = self.send("TIMER")
            longest = max(longest, perf_counter() - begun)
        assert not self.timers + self.texts
        return result, longest


def test_pixels_come_with_the_first_row_on_top():
    array = np.linspace(0, 1, 12 * 10 * 3).reshape(12, 10, 3).astype(np.float32)
    np.testing.assert_allclose(grids.pixels(image_of(array))[..., :3], array, atol=0.5 / 255 + 1e-6)


def test_linear_light_comes_as_it_is_shown():
    """A float image's 0.2140 is the 0.5 that a byte image holds."""
    array = np.full((9, 9, 3), 0.21404114, dtype=np.float32)
    np.testing.assert_allclose(grids.pixels(image_of(array, float_buffer=True))[..., :3], 0.5, atol=1e-5)


def test_the_direct_form_is_the_cores_grid_and_stays_on_the_image(drawn):
    image = image_of(drawn.image)
    assert bpy.ops.artfish.fit_grid(image=image.name, part="body") == {"FINISHED"}
    grid = grids.grid_of(image, "body")
    np.testing.assert_allclose(grid, fit_grid(grids.pixels(image), species=Species.load("thesis")), atol=1e-3)
    assert not folded(grid).any()
    assert np.hypot(*(grid[4, 0] - drawn.nose)) < 0.05 * np.hypot(*(drawn.nose - drawn.tail[0]))


def test_the_modal_form_makes_the_same_and_leaves_the_window_awake(drawn):
    direct, image = image_of(drawn.image), image_of(drawn.image, "other")
    bpy.ops.artfish.fit_grid(image=direct.name, part="body")
    operator = Modal(image)
    with pytest.raises(RuntimeError, match="Something is at work"):
        bpy.ops.artfish.fit_grid(image=image.name, part="body")
    result, longest = operator.end()
    assert result == {"FINISHED"} and longest < 0.4  # a fifth of a second, and a crowded machine
    np.testing.assert_array_equal(grids.grid_of(image, "body"), grids.grid_of(direct, "body"))
    assert "came to rest" in operator.reports[0][1]
    assert any("Looking for the fish" in text and "Esc: give up" in text for text in operator.said)


@pytest.mark.parametrize("ticks", [0, 1, 3])
def test_esc_leaves_the_picture_as_it_was(drawn, ticks):
    image = image_of(drawn.image)
    operator = Modal(image)
    for _ in range(ticks):
        assert operator.send("TIMER") == {"RUNNING_MODAL"}
    assert operator.send("ESC") == {"CANCELLED"}
    assert grids.grid_of(image, "body") is None and not image.use_fake_user
    assert operator.reports == [({"INFO"}, "Fit given up: everything is as it was")]
    assert not operator.timers + operator.texts


def test_a_picture_that_is_deleted_or_changed_while_it_is_fitted_is_said(drawn):
    for change, said in (
        (bpy.data.images.remove, "something it needs was deleted"),
        (lambda image: image.scale(50, 40), "the picture has changed"),
    ):
        operator = Modal(image := image_of(drawn.image))
        operator.send("TIMER")
        change(image)
        assert operator.end()[0] == {"CANCELLED"}
        assert f"Fit given up: {said} meanwhile" in operator.reports[0][1]


def test_another_file_opened_while_it_is_fitted_gives_it_up(drawn):
    operator = Modal(image_of(drawn.image))
    operator.send("TIMER")
    ARTFISH_OT_fit_grid.cancel(operator, operator.context)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert not operator.timers + operator.texts
    assert bpy.app.timers.is_registered(status_bar._tell)
    assert status_bar._tell() == status_bar.WHILE
    assert operator.texts == ["Fit given up: another file was opened, or its window closed"]
    assert status_bar._tell() is None and not operator.texts
    image = image_of(drawn.image)
    assert bpy.ops.artfish.fit_grid(image=image.name, part="body") == {"FINISHED"}


def test_the_modal_form_hears_what_is_wrong(drawn):
    operator = Modal(image_of(drawn.image))
    operator.part = "dorsal"
    assert operator.end()[0] == {"CANCELLED"}
    ((kind, text),) = operator.reports
    assert kind == {"ERROR"} and "no grid of the body" in text


def test_anchors_are_held_and_remembered(drawn):
    image = image_of(drawn.image)
    wanted = drawn.nose + (6.0, -3.0)
    anchors = f"4 0 {wanted[0]} {wanted[1]}"
    assert bpy.ops.artfish.fit_grid(image=image.name, part="body", anchors=anchors) == {"FINISHED"}
    assert np.hypot(*(grids.grid_of(image, "body")[4, 0] - wanted)) < 1.0
    ((row, column, x, y),) = grids.anchors_of(image, "body")
    assert (row, column) == (4, 0)
    np.testing.assert_allclose((x, y), wanted, rtol=1e-5)


def test_a_script_hears_what_is_wrong(drawn):
    image = image_of(drawn.image)
    for arguments, said in (
        ({"image": "nothing"}, "There is no image 'nothing'"),
        ({"image": image.name, "part": "dorsal"}, "no grid of the body"),
        ({"image": image.name, "part": "body", "anchors": "1 2 3"}, "allowed four numbers"),
        ({"image": image.name, "part": "body", "anchors": "9 2 3 4"}, "allowed rows 0 to 8"),
    ):
        with pytest.raises(RuntimeError, match=said):
            bpy.ops.artfish.fit_grid(**arguments)
    with pytest.raises(RuntimeError, match="found no grid"):
        bpy.ops.artfish.wear_picture(image=image.name)
    image.artfish.species = "unicorn"
    with pytest.raises(RuntimeError, match="unicorn"):
        bpy.ops.artfish.fit_grid(image=image.name, part="body")


def test_a_species_wears_the_picture_and_takes_it_off(drawn):
    image = image_of(drawn.image)
    image.artfish.species = "clownfish"
    for part in ("body", "dorsal", "caudal"):
        bpy.ops.artfish.fit_grid(image=image.name, part=part)
    species = Species.load("clownfish")
    before = len(materials.species_materials(species)["skin"].node_tree.nodes)
    for _ in range(2):  # the second takes the first one's place
        assert bpy.ops.artfish.wear_picture(image=image.name) == {"FINISHED"}
        made = {part: photographs(f"clownfish {part}") for part in ("skin", "dorsal", "caudal", "ventral")}
        assert [len(found) for found in made.values()] == [1, 1, 1, 0]
    texture = made["skin"][0].image
    assert texture.packed_file is not None
    # On the texture is the fish: its middle has the colours that the picture has at the grid's middle.
    held = np.array(texture.pixels).reshape(texture.size[1], texture.size[0], 4)[::-1]
    x, y = np.round(grids.grid_of(image, "body")[4, 10]).astype(int)
    near = drawn.image[y - 2 : y + 3, x - 2 : x + 3].reshape(-1, 3)
    seen = held[texture.size[1] // 3, texture.size[0] // 2, :3]
    assert np.abs(near - seen).max(axis=1).min() < 0.15
    assert bpy.ops.artfish.take_off_picture(image=image.name) == {"FINISHED"}
    assert not photographs("clownfish skin")
    tree = bpy.data.materials["clownfish skin"].node_tree
    assert len(tree.nodes) == before
    tint = next(node for node in tree.nodes if node.type == "GROUP" and "tint" in node.node_tree.name)
    assert tint.inputs["Colour"].is_linked


def test_a_file_needs_neither_the_add_on_nor_the_photograph(drawn, tmp_path):
    image = image_of(drawn.image)
    image.pack()
    bpy.ops.artfish.fit_grid(image=image.name, part="body")
    bpy.ops.artfish.wear_picture(image=image.name)
    grid = grids.grid_of(image, "body")
    bpy.data.materials["thesis skin"].use_fake_user = True
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "worn.blend"))
    addon.unregister()
    try:
        bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "worn.blend"))
        (photograph,) = photographs("thesis skin")
        assert photograph.image.packed_file is not None
        assert np.array(photograph.image.pixels).std() > 0.01
        assert not any(thing.library for thing in bpy.data.images)
        np.testing.assert_array_equal(grids.grid_of(bpy.data.images["fish"], "body"), grid)
    finally:
        addon.register()


def test_the_outline_becomes_a_species_of_its_own(drawn, tmp_path: Path):
    image = image_of(drawn.image)
    bpy.ops.artfish.fit_grid(image=image.name, part="body")
    path = tmp_path / "my_fish.json"
    assert bpy.ops.artfish.save_profile(image=image.name, filepath=str(path)) == {"FINISHED"}
    shaped = Species.load(path)
    assert shaped.name == "my_fish" and shaped.form.back != Species.load("thesis").form.back
    assert json.loads(path.read_text())["form"]["back"]
    # It is in this file, as the Species panel shows it, and shoals find it.
    settings = bpy.context.scene.artfish
    assert library.edited(bpy.context.scene) == ["my_fish"] and settings.active_species == 0
    assert library.models(bpy.context.scene)["my_fish"].form == shaped.form
    # Saved there again, it is still one; a preset's name gets a number.
    image.artfish.species = "clownfish"
    for name in ("my_fish", "clownfish"):
        path = tmp_path / f"{name}.json"
        assert bpy.ops.artfish.save_profile(image=image.name, filepath=str(path)) == {"FINISHED"}
    assert library.edited(bpy.context.scene) == ["my_fish", "clownfish_2"]
    again = library.models(bpy.context.scene)["my_fish"]
    assert again.form == Species.load(tmp_path / "my_fish.json").form != shaped.form
    assert again.looks == Species.load("clownfish").looks != shaped.looks


def test_the_species_is_as_the_scene_has_it(drawn, tmp_path: Path):
    """What was edited in this file, its own names among it, is what grids are laid for and outlines saved with."""
    image, scene = image_of(drawn.image), bpy.context.scene
    bpy.ops.artfish.species_pick(name="clownfish")
    scene.artfish.species[0].about.common_name = "Edited"
    image.artfish.species = "clownfish"
    assert grids.species_of(image, scene).common_name == "Edited"
    scene.artfish.species[0].name = "nemo"
    image.artfish.species = "nemo"
    assert grids.species_of(image, scene).name == "nemo"
    assert bpy.ops.artfish.fit_grid(image=image.name, part="body") == {"FINISHED"}


def photographs(material: str) -> list[bpy.types.Node]:
    """The nodes of a material that read a picture."""
    return [node for node in bpy.data.materials[material].node_tree.nodes if node.type == "TEX_IMAGE"]
