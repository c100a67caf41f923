"""Files as people have them, and files that are none."""

from __future__ import annotations

import codecs
import os
from itertools import product

import numpy as np
import pytest

from artfish.cli import main
from artfish.core import Recording, Scene, SceneError, World
from artfish.core.base.files import write_json
from artfish.core.geometry.obj import read_obj

CUBE = list(product((0.0, 1.0), repeat=3))
SIDES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
VERTICES = [f"v {x} {y} {z}" for x, y, z in CUBE]
FACES = [" ".join(["f", *(str(corner + 1) for corner in side)]) for side in SIDES]
TEXT = "\n".join(VERTICES + FACES)

DIALECTS = {
    "byte order mark": codecs.BOM_UTF8 + TEXT.encode(),
    "UTF-16 of a Windows shell": TEXT.encode("utf-16"),
    "continued lines": TEXT.replace("f 1 2 ", "f 1 2 \\\n  ").replace("v 1.0 1.0 ", "v 1.0 \\\r\n1.0 ").encode(),
    "a continued line without a space": TEXT.replace("f 1 2 ", "f 1 2\\\n").encode(),
    "comments after faces": "\n".join([*VERTICES, *(f"{face} # side" for face in FACES)]).encode(),
    "comments without a space": "\n".join([*VERTICES, *(f"{face}#side\\" for face in FACES)]).encode(),
    "Windows line ends": TEXT.replace("\n", "\r\n").encode(),
    "line ends of an old Macintosh": TEXT.replace("\n", "\r").encode(),
    "a form feed in a comment": f"# page\f one\u2028two\n{TEXT}".encode(),
    "tabs, weights and colours": TEXT.replace(" ", "\t").replace("1.0\n", "1.0 0.5 0.5 0.5\n").encode(),
    "the last line continued": TEXT.encode() + b" \\",
    "names in Latin-1": b"o Fels\xe9\n" + TEXT.encode(),
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_says_the_same_cube(tmp_path, dialect):
    """Byte order marks, continued lines and the like (tinyobjloader pull request 394, trimesh issue 1103)."""
    (tmp_path / "cube.obj").write_bytes(DIALECTS[dialect])
    vertices, faces = read_obj(tmp_path / "cube.obj")
    assert np.array_equal(vertices, CUBE) and faces == SIDES


def pipe(path):
    os.mkfifo(path)


def endless(path):
    path.symlink_to("/dev/zero")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
@pytest.mark.parametrize("make", [pipe, endless, os.mkdir])
@pytest.mark.parametrize("read", [Scene.load, Recording.load, World.load, read_obj])
def test_what_is_no_file_is_one_line(tmp_path, make, read):
    """A pipe or a device must not be waited for (less issue 184, odeke-em/drive issue 208)."""
    make(tmp_path / "scene")
    with pytest.raises(SceneError, match="something there that is no file"):
        read(tmp_path / "scene")


@pytest.mark.parametrize("ending", ["obj", "json"])
def test_a_file_too_large_is_refused_before_it_is_parsed(tmp_path, ending):
    """Text without an end in sight."""
    with open(tmp_path / f"large.{ending}", "wb") as stream:
        stream.truncate((64 << 20) + 1)
    with pytest.raises(SceneError, match="a larger file.* up to 64 MB"):
        (read_obj if ending == "obj" else Scene.load)(tmp_path / f"large.{ending}")


@pytest.mark.parametrize("text", ["[" * 5_000_000, '{"tank": [' + "{}," * 4_000_000 + "0]}"], ids=["deep", "wide"])
def test_lists_without_number_are_refused_before_they_are_made(tmp_path, text):
    """Small JSON that takes all the stack, or all the memory (omi issue 13507, raven issue 425)."""
    (tmp_path / "scene.json").write_text(text)
    with pytest.raises(SceneError, match="more lists and objects"):
        Scene.load(tmp_path / "scene.json")


def test_a_long_key_is_cut_short(tmp_path):
    """An error quotes little of its input."""
    write_json(tmp_path / "scene.json", {"key" * 100_000: 1})
    with pytest.raises(SceneError) as refused:
        Scene.load(tmp_path / "scene.json")
    assert len(str(refused.value)) < 1000


@pytest.fixture
def scene(tmp_path):
    """Writes a scene with a rock from this file into somebody's folder, and returns its path."""
    (tmp_path / "library").mkdir()
    (tmp_path / "theirs" / "rocks").mkdir(parents=True)
    for place in ("library", "theirs/rocks"):
        (tmp_path / place / "cube.obj").write_text(TEXT)

    def scene(file: str):
        write_json(tmp_path / "theirs" / "scene.json", {"obstacles": [{"kind": "mesh", "at": [1, 1, 1], "file": file}]})
        return tmp_path / "theirs" / "scene.json"

    return scene


def test_a_scene_names_files_beside_or_below_itself_only(tmp_path, scene):
    """A stranger's scene must not read its reader's files (better-godot-mcp pull request 47, Wick issue 25)."""
    assert Scene.load(scene("rocks/cube.obj")) == Scene.load(scene(str(tmp_path / "theirs" / "rocks" / "cube.obj")))
    (tmp_path / "theirs" / "link.obj").symlink_to(tmp_path / "library" / "cube.obj")
    absolute = str(tmp_path / "library" / "cube.obj")
    for file in (absolute, "../library/cube.obj", "rocks/../../library/cube.obj", "link.obj", "/etc/passwd", "a\0b"):
        with pytest.raises(SceneError, match=r"obstacles\[0\]\.file: found a file elsewhere, allowed .*--files-from"):
            Scene.load(scene(file))


def test_a_user_may_allow_folders(tmp_path, scene):
    """Somebody may keep one library of meshes for many scenes."""
    inside = Scene.load(scene("rocks/cube.obj"))
    for files_from in (tmp_path / "library", str(tmp_path / "library"), [tmp_path / "library"]):
        assert Scene.load(scene("../library/cube.obj"), files_from=files_from) == inside
    with pytest.raises(SceneError, match="a file elsewhere"):
        Scene.load(scene("../library/cube.obj"), files_from=tmp_path / "theirs")


@pytest.mark.film
def test_the_commands_take_the_folders(tmp_path, scene, capsys):
    """The same at the command line."""
    words = ["simulate", str(scene("../library/cube.obj")), "-o", str(tmp_path / "rec.npz"), "--frames", "1"]
    assert main(words) == 2 and "--files-from" in capsys.readouterr().err
    assert main([*words, "--files-from", str(tmp_path / "library")]) == 0
    recorded = Recording.load(tmp_path / "rec.npz").scene.to_dict()["obstacles"][0]
    assert "file" not in recorded and len(recorded["vertices"]) == 8
