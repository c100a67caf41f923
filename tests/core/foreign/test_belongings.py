"""Belongings that a model may bring: pictures beside it or below, whatever it calls them."""

import os

import pytest

from artfish.core.base.codec import SceneError
from artfish.core.foreign.belongings import Belongings, picture_suffix

PNG = b"\x89PNG\r\n\x1a\n and so on"


@pytest.fixture
def home(tmp_path):
    """A model's folder with a picture in it, beside a secret; and a folder for copies."""
    folder = tmp_path / "model"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "skin.png").write_bytes(PNG)
    (tmp_path / "secret.png").write_bytes(PNG)
    (tmp_path / "copies").mkdir()
    return folder


def brought(home, named):
    belongings = Belongings(home / "fish.obj", home.parent / "copies")
    copy = belongings.picture(named)
    return belongings, home.parent / "copies" / copy


@pytest.mark.parametrize("named", ["sub/skin.png", "sub\\skin.png", "./sub//skin.png"])
def test_a_picture_below_the_model_is_copied(home, named):
    belongings, copy = brought(home, named)
    assert copy.read_bytes() == PNG and belongings.names[copy.name] == "skin.png" and not belongings.left_out


def test_a_whole_path_into_the_folder_is_one_below_it(home):
    assert brought(home, str(home / "sub" / "skin.png"))[1].is_file()


def test_a_path_of_another_machine_stands_for_the_picture_of_that_name_beside_the_model(home):
    (home / "skin.png").write_bytes(PNG)
    for named in ("C:\\Users\\me\\skin.png", "/home/me/skin.png", "../textures/skin.png"):
        assert brought(home, named)[1].is_file()


@pytest.mark.parametrize(
    "named",
    [
        *("../secret.png", "sub/../../secret.png", "{}/secret.png", "//host/skin.png", "\\\\host\\a\\skin.png"),
        *("http://host/skin.png", "file:///sub/skin.png", "/dev/zero", "CON", "nul.png", "sub/skin.png:x", "", "\0"),
        *("sub", "~/skin.png", "nowhere.png"),
    ],
)
def test_everything_else_is_left_out_with_a_note(home, named):
    belongings, copy = brought(home, named.format(home.parent))
    assert not copy.exists() and copy.name in belongings.left_out
    assert belongings.left_out[copy.name].endswith("so it comes without it")


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_a_link_that_leads_out_is_left_out(home):
    (home / "link.png").symlink_to(home.parent / "secret.png")
    (home / "way").symlink_to(home.parent)
    (home / "own.png").symlink_to(home / "sub" / "skin.png")
    assert not brought(home, "link.png")[1].exists() and not brought(home, "way/secret.png")[1].exists()
    assert brought(home, "own.png")[1].read_bytes() == PNG


def test_what_is_called_a_picture_and_is_none_is_left_out(home):
    (home / "notes.png").write_bytes(b"BM means something to me")
    belongings, copy = brought(home, "notes.png")
    assert not copy.exists() and "is no picture" in belongings.left_out[copy.name]


def test_all_tiles_of_a_picture_come(home):
    for number in (1001, 1002, 1011):
        (home / "sub" / f"skin.{number}.png").write_bytes(PNG)
    copy = brought(home, "sub/skin.<UDIM>.png")[1]
    tiles = sorted(path.name for path in copy.parent.iterdir())
    assert tiles == [copy.name.replace("<UDIM>", str(number)) for number in (1001, 1002, 1011)]


def test_a_file_without_which_there_is_no_model_is_named(home):
    belongings = Belongings(home / "fish.gltf", home.parent / "copies")
    (home / "fish.bin").write_bytes(b"1234")
    assert belongings.file("fish.bin", (".bin",), "vertices", "uri") == b"1234"
    for named in ("../secret.png", "sub/skin.png", "no.bin"):
        with pytest.raises(SceneError, match="allowed vertices"):
            belongings.file(named, (".bin",), "vertices", "uri")


@pytest.mark.parametrize(
    ("content", "suffix"),
    [
        (PNG, ".png"),
        (b"\xff\xd8\xff\xe0", ".jpg"),
        (b"RIFF\0\0\0\0WEBPVP8 ", ".webp"),
        (bytes([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 24, 0]) + bytes(6), ".tga"),
        (b"root:x:0:0:root:/root:/bin/bash\n", ""),
        (b"-----BEGIN OPENSSH PRIVATE KEY-----", ""),
        (b"", ""),
    ],
)
def test_pictures_are_known_by_what_they_hold(content, suffix):
    assert picture_suffix(content) == suffix
