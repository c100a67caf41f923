"""An .obj is written anew, without whatever else its lines could name."""

import pytest

from artfish.core.base.codec import SceneError
from artfish.core.foreign.examining import examined

PNG = b"\x89PNG\r\n\x1a\n and so on"
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nusemtl skin\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf -3 -1 -2\n"


def examine(tmp_path, text, shades=""):
    (tmp_path / "model").mkdir(exist_ok=True)
    (tmp_path / "copy").mkdir(exist_ok=True)
    (tmp_path / "model" / "fish.obj").write_bytes(text.encode())
    (tmp_path / "model" / "fish.mtl").write_text(shades)
    (tmp_path / "model" / "my skin.png").write_bytes(PNG)
    copy, belongings = examined(tmp_path / "model" / "fish.obj", tmp_path / "copy")
    return copy.read_text(), copy.with_suffix(".mtl").read_text(), belongings


def test_geometry_stays_and_other_lines_go(tmp_path):
    text, _, _ = examine(tmp_path, f"mtllib /etc/passwd\ncall /etc/passwd\n  mtllib ../x.mtl\n{TETRAHEDRON}")
    assert text == f"mtllib model.mtl\n{TETRAHEDRON}"


def test_a_name_that_is_continued_over_lines_is_judged_as_a_whole(tmp_path):
    text, _, _ = examine(tmp_path, f"mtl\\\nlib /etc/passwd\nmtllib /etc/\\\npasswd\n{TETRAHEDRON}")
    assert "passwd" not in text


def test_pictures_go_by_the_names_of_their_copies_with_their_options(tmp_path):
    shades = "newmtl skin\nKd 1 0 0\nmap_Kd -s 2 2 -bm 0.5 my skin.png\nmap_Bump /etc/passwd\nevil /etc/passwd\n"
    _, made, belongings = examine(tmp_path, TETRAHEDRON, shades)
    assert made.splitlines() == ["newmtl skin", "Kd 1 0 0", "map_Kd -s 2 2 -bm 0.5 0.png"]
    assert (tmp_path / "copy" / "0.png").read_bytes() == PNG
    assert belongings.notes == ["its picture passwd lies elsewhere, so it comes without it"]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("v nan 0 0", "a vertex without a place in line 10"),
        ("v 1e999 0 0", "a vertex without a place in line 10"),
        ("v 1 2", "no sense in line 10"),
        ("f 1 2 9", "the vertex 9 in line 10"),
        ("f 1 2 -9", "the vertex -9 in line 10"),
        ("f 1 2 0", "the vertex 0 in line 10"),
        ("f 1 2 x", "no sense in line 10"),
    ],
)
def test_a_line_that_makes_no_sense_is_refused_with_its_number(line, found, tmp_path):
    with pytest.raises(SceneError, match=found):
        examine(tmp_path, f"{TETRAHEDRON}{line}\n")


def test_a_file_without_vertices_is_none(tmp_path):
    with pytest.raises(SceneError, match="no vertices"):
        examine(tmp_path, "f\n")
