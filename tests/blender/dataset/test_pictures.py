"""Pictures are those of their cameras, as their lenses, sensors and files make them."""

import bpy
import numpy as np
import pytest
from mathutils import Vector

from artfish.blender_artfish.dataset.making import make_pictures
from artfish.blender_artfish.dataset.pictures import aim, camera_of, read_pixels, view_of, write_jpeg
from artfish.core.base.files import read_json
from artfish.core.dataset.labelling import depths_of
from artfish.core.dataset.lenses import LensOptics
from artfish.core.dataset.rle import decoded
from artfish.core.farm.png import png_bytes
from artfish.tests.blender.dataset.conftest import SIZE

pytestmark = pytest.mark.film


def test_blender_sees_a_place_where_the_optics_say(opened):
    from bpy_extras.object_utils import world_to_camera_view

    scene = opened.scene
    axes = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
    matrix = np.concatenate([axes, -(axes @ [1.5, -0.6, 0.8])[:, None]], axis=1)
    optics = LensOptics.of(SIZE, 40.0)
    aim(scene, matrix, optics)
    bpy.context.view_layer.update()
    for place in ([1.5, 1.6, 0.8], [1.2, 1.5, 1.0], [1.9, 2.2, 0.4]):
        x, y, depth = world_to_camera_view(scene, camera_of(scene), Vector(place))
        local = matrix @ [*place, 1.0]
        assert np.allclose(optics.pixels(local), [x * SIZE[0], (1.0 - y) * SIZE[1]], atol=1e-3)
        assert depth == pytest.approx(local[2], rel=1e-5)


def test_a_view_is_that_of_the_camera(opened):
    camera = opened.scene.objects[camera_of(opened.scene).name]
    camera.location, camera.rotation_euler = (1.0, 2.0, 3.0), (0.5 * np.pi, 0.0, 0.0)  # which looks along y
    bpy.context.view_layer.update()
    view = view_of(camera)
    assert np.allclose(view.at, [[1, 2, 3]], atol=1e-6)
    assert np.allclose(view.axes[0], [[1, 0, 0], [0, 0, -1], [0, 1, 0]], atol=1e-6)


def test_pictures_go_to_files_and_back(tmp_path):
    ramp = np.stack([*np.meshgrid(np.linspace(0, 1, 64), np.linspace(0, 1, 48)), np.full((48, 64), 0.5)], axis=-1)
    (tmp_path / "a.png").write_bytes(png_bytes(ramp))
    assert np.abs(read_pixels(tmp_path / "a.png") - ramp).max() <= 0.5 / 255 + 1e-6
    write_jpeg(tmp_path / "a.jpg", ramp, 95)
    assert (tmp_path / "a.jpg").read_bytes()[:2] == b"\xff\xd8"
    assert np.abs(read_pixels(tmp_path / "a.jpg") - ramp).max() < 0.05


def test_a_picture_has_its_labels_beside_it(begun, plan):
    make_pictures(begun.root, "s0003", [("front", 2), ("bent", 2), ("front", 5)])
    conditions = begun.scene_of("s0003")[1]
    suffix = ".jpg" if conditions.quality else ".png"
    for camera, frame in (("front", 2), ("bent", 2), ("front", 5)):
        files = begun.picture_files("s0003", camera, frame, suffix)
        assert all(path.exists() for path in files.values())
        labels = read_json(files["labels"])
        assert (begun.root / labels["picture"]).samefile(files["pictures"])
        assert labels["frame"] == frame and labels["time"] == pytest.approx((frame - 1) / 24, abs=1e-5)
        assert labels["conditions"]["picture.noise"] == 0.02 and labels["water"]["visibility"] > 1.0
        pixels = read_pixels(files["pictures"])
        assert pixels.shape == (SIZE[1], SIZE[0], 3) and 0.02 < pixels.mean() < 0.98 and pixels.std() > 0.02
        size = sum(path.stat().st_size for kind, path in files.items() if kind != "pictures")
        assert size < 120_000
        marks = read_grey(files["masks"])
        depths = depths_of(read_grey(files["depth"]))
        seen = [fish for fish in labels["fishes"] if fish["seen"]]
        assert len(seen) >= 5
        for fish in seen:
            mask = decoded(fish["seen"]["rle"]["counts"], fish["seen"]["rle"]["size"])
            assert (mask == (marks == fish["track"])).all()
            away = np.linalg.norm(np.subtract(fish["pose"]["place"], [1.5, -0.6, 0.8]))
            assert abs(np.median(depths[mask]) - away) < 0.5


def read_grey(path) -> np.ndarray:
    """A grey picture of 16 bits, by Blender's own reader."""
    image = bpy.data.images.load(str(path))
    image.colorspace_settings.name = "Non-Color"
    columns, rows = image.size
    pixels = np.empty(rows * columns * image.channels, np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return np.rint(pixels.reshape(rows, columns, -1)[::-1, :, 0] * 65535).astype(int)
