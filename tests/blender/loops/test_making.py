"""Loops as files: actions that go round on a rig, marked as assets, and clips that other programs read."""

import json
import struct

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.export import exporting, pictures
from artfish.blender_artfish.loops.making import GAIT_NAMES, LOOP_SUFFIXES, SPEED, TURN, loop_file
from artfish.cli import FISH_SUFFIXES, LOOP_GAITS, main
from artfish.core.base.codec import SceneError
from artfish.core.scene.species import Species
from artfish.core.studio.loops import LOOPS, loop

pytestmark = [pytest.mark.versions, pytest.mark.film]


def vertices(body: bpy.types.Object, frame: float) -> np.ndarray:
    whole = int(np.floor(frame))
    bpy.context.scene.frame_set(whole, subframe=frame - whole)
    mesh = body.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    places = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", places)
    return places.reshape(-1, 3)


@pytest.fixture
def unpainted(monkeypatch):
    """Exports without pictures, which tests of exports look at."""
    monkeypatch.setattr(exporting, "paint", lambda meshes, stack: iter(exporting.simplify(meshes, stack) or ()))


@pytest.fixture(scope="module")
def loops(tmp_path_factory):
    path = tmp_path_factory.mktemp("loops") / "sardine.blend"
    assert main(["loop", "sardine", "--gait", "all", "-o", str(path)]) == 0
    return path


def test_the_names_of_loops_are_everywhere_the_same():
    assert tuple(LOOPS) == tuple(GAIT_NAMES) == LOOP_GAITS[:-1]
    assert LOOP_SUFFIXES == (".blend", *FISH_SUFFIXES)


def test_a_file_has_a_rig_with_all_loops_as_assets(loops):
    bpy.ops.wm.open_mainfile(filepath=str(loops))
    assert sorted(action.name for action in bpy.data.actions) == sorted(
        f"Sardine {name}" for name in GAIT_NAMES.values()
    )
    root, body = bpy.data.objects["Sardine"], bpy.data.objects["Sardine mesh"]
    for block in (*bpy.data.actions, root):
        assert block.asset_data is not None
        size = block.preview.image_size
        pixels = np.array(block.preview.image_pixels_float).reshape(size[1], size[0], 4)
        assert 0.03 < (pixels[..., 3] > 0.5).mean() < 0.7, "a fish before nothing"
        assert np.ptp(pixels[pixels[..., 3] > 0.9][:, :3]) > 0.2
    assert bpy.data.actions["Sardine Swim"][SPEED] > 0.1
    assert bpy.data.actions["Sardine Turn Left"][TURN] == -bpy.data.actions["Sardine Turn Right"][TURN]
    action = bpy.data.actions["Sardine Swim"]
    assert action.use_cyclic
    assert root.animation_data.action == action
    first, last = map(int, action.frame_range)
    assert bpy.context.scene.frame_end == last - 1
    span = last - first
    for frame in (first, first + 5.5, last - 0.5):
        assert np.abs(vertices(body, frame) - vertices(body, frame + span)).max() < 1e-5, "it goes on beyond its end"
    steps = [np.abs(vertices(body, frame + 1) - vertices(body, frame)).max() for frame in range(first, last + 2)]
    assert steps[-2] < 1.2 * max(steps[:-3])


def test_clips_for_games_have_names_and_length_and_pictures(tmp_path, monkeypatch):
    monkeypatch.setattr(pictures, "SIZES", {"skin": 32, "eye": 16})
    monkeypatch.setattr(pictures, "FIN_SIZE", 16)
    loop_file(Species.load("sardine"), "all", tmp_path / "sardine.glb", fps=8.0)
    data = (tmp_path / "sardine.glb").read_bytes()
    content = json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])
    names = sorted(animation["name"] for animation in content["animations"])
    assert names == sorted(f"Sardine {name}" for name in GAIT_NAMES.values())
    assert len(content["meshes"]) == len(content["skins"]) == 1
    worn = [material["pbrMetallicRoughness"] for material in content["materials"]]
    assert len(worn) == 6 and all("baseColorTexture" in one for one in worn)
    assert len(content["images"]) == 6


@pytest.mark.sampled
@pytest.mark.parametrize("fps", [8.0, 23.976])
def test_clips_begin_at_once_and_end_as_they_begin(tmp_path, unpainted, fps):
    """A game that played them over and over would pause for a frame otherwise."""
    loop_file(Species.load("sardine"), "all", tmp_path / "sardine.glb", fps=fps)
    data = (tmp_path / "sardine.glb").read_bytes()
    (size,) = struct.unpack_from("<I", data, 12)
    content, moved = json.loads(data[20 : 20 + size]), 0.0

    def numbers(accessor: dict) -> np.ndarray:
        view = content["bufferViews"][accessor["bufferView"]]
        count = accessor["count"] * {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        found = np.frombuffer(data, np.float32, count, 28 + size + view.get("byteOffset", 0))
        return found.reshape(accessor["count"], -1)

    assert len(content["animations"]) == len(GAIT_NAMES)
    for animation in content["animations"]:
        frames = loop(
            Species.load("sardine"), animation["name"].removeprefix("Sardine ").lower().replace(" ", "_"), fps
        )
        for sampler in animation["samplers"]:
            times, values = (numbers(content["accessors"][sampler[way]]) for way in ("input", "output"))
            np.testing.assert_allclose(times[[0, -1], 0], [0.0, (frames.recording.frames - 1) / fps], atol=1e-4)
            np.testing.assert_allclose(values[0] * np.sign(values[0] @ values[-1] or 1.0), values[-1], atol=1e-4)
            moved = max(moved, np.ptp(values, axis=0).max())
    assert moved > 0.05


def test_one_loop_is_written_for_each_program(tmp_path, unpainted):
    for suffix in (".abc", ".fbx"):
        loop_file(Species.load("sardine"), "glide", tmp_path / f"sardine{suffix}", fps=12.0)
        assert (tmp_path / f"sardine{suffix}").stat().st_size > 100_000


def test_an_adopted_fish_has_loops(adopted, tmp_path, unpainted):
    path = tmp_path / "salmon.glb"
    assert main(["loop", str(adopted / "salmon.json"), "--gait", "swim", "--fps", "8", "-o", str(path)]) == 0
    data = path.read_bytes()
    content = json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])
    assert [animation["name"] for animation in content["animations"]] == ["Salmon Swim"]
    assert len(content["meshes"]) == len(content["skins"]) == 1


def test_bad_input_is_refused(tmp_path, capsys):
    with pytest.raises(SceneError, match="all in a .blend or .glb"):
        loop_file(Species.load("sardine"), "all", tmp_path / "sardine.fbx")
    with pytest.raises(SceneError, match="a name ending in .blend, .abc"):
        loop_file(Species.load("sardine"), "swim", tmp_path / "sardine.txt")
    assert main(["loop", "sardine", "-o", str(tmp_path / "sardine.obj")]) == 2
    assert "a name ending in .blend, .abc" in capsys.readouterr().err
