"""A Wavefront .obj of another maker, and its .mtl: written anew with nothing but geometry, materials and own names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from math import isfinite
from pathlib import Path

from ..base.codec import SceneError
from ..base.files import read_bytes
from .belongings import MOST_MODEL_BYTES, Belongings

FARTHEST_PLACE = 1e9
"""Largest distance from the origin along an axis, in a model's own unit."""
_SHAPING = {b"vt", b"vn", b"vp", b"o", b"g", b"s", b"usemtl", b"cstype", b"deg", b"curv", b"parm", b"end"}
_CORNERED = {b"f", b"l", b"p", b"fo"}
_SHADES = {
    *(b"newmtl", b"Ns", b"Ka", b"Kd", b"Ks", b"Ke", b"Ni", b"d", b"Tr", b"Tf", b"illum"),
    *(b"Pr", b"Pm", b"Ps", b"Pc", b"Pcr", b"aniso", b"anisor"),
}
_MAPS = {
    *(b"map_Kd", b"map_Ks", b"map_Ns", b"map_d", b"map_Ke", b"map_Ka", b"map_refl", b"map_Pr", b"map_Pm", b"map_Ps"),
    *(b"map_Bump", b"map_bump", b"bump", b"refl", b"norm", b"disp", b"map_disp", b"decal"),
}
_OPTION_WORDS = {
    **dict.fromkeys((b"-o", b"-s", b"-t"), 3),
    **dict.fromkeys(
        (b"-blendu", b"-blendv", b"-boost", b"-texres", b"-clamp", b"-bm", b"-imfchan", b"-type", b"-cc"), 1
    ),
    b"-mm": 2,
}
_MODEL = "a Wavefront .obj file"


def examine_wavefront(path: Path, folder: Path, belongings: Belongings) -> Path:
    """Write a copy of a model into a folder, with a copy of its materials.

    Raises:
        SceneError: If it cannot be read, or a line of it makes no sense.
    """
    content = read_bytes(path, MOST_MODEL_BYTES, _MODEL, os.fspath(path))
    libraries: list[str] = []
    kept: list[bytes] = []
    counts = {b"v": 0, b"vt": 0, b"vn": 0}
    for number, line in _lines(content):
        words = line.split(None, 1)
        kind, rest = words[0], words[1] if len(words) > 1 else b""
        if kind == b"v":
            _ensure_place(rest, number, path)
        elif kind in _CORNERED:
            _ensure_corners(rest, counts, number, path)
        elif kind == b"mtllib":
            libraries.append(_text(rest))
            continue
        elif kind not in _SHAPING:
            continue
        if kind in counts:
            counts[kind] += 1
        kept.append(b"f " + rest if kind == b"fo" else line)
    if not counts[b"v"]:
        raise SceneError("no vertices", _MODEL, file=os.fspath(path))
    copy = folder / "model.obj"
    copy.write_bytes(b"mtllib model.mtl\n" + b"\n".join(kept) + b"\n")
    (folder / "model.mtl").write_bytes(b"\n".join(_materials(path, libraries, belongings)) + b"\n")
    return copy


def _lines(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Each line that says something, with its number; continued ones are joined, comments left out."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        content = content.decode("utf-16", "replace").encode()
    begun = b""
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").splitlines(), start=1):
        text = line.partition(b"#")[0].rstrip()
        begun += text.removesuffix(b"\\") + b" " if text.endswith(b"\\") else text
        if not text.endswith(b"\\"):
            if begun.strip():
                yield number, begun.strip()
            begun = b""
    if begun.strip():
        yield number, begun.strip()


def _ensure_place(rest: bytes, number: int, path: Path) -> None:
    try:
        x, y, z = map(float, rest.split()[:3])
    except ValueError:
        raise _nonsense(number, path) from None
    if not (isfinite(x + y + z) and max(abs(x), abs(y), abs(z)) <= FARTHEST_PLACE):
        raise SceneError(
            f"a vertex without a place in line {number}", f"numbers up to {FARTHEST_PLACE:g}", file=os.fspath(path)
        )


def _ensure_corners(rest: bytes, counts: dict[bytes, int], number: int, path: Path) -> None:
    """Corners are counted from 1, or back from the last so far, of what there is."""
    vertices = counts[b"v"]
    for word in rest.split():
        try:
            corner = int(word.partition(b"/")[0])
        except ValueError:
            raise _nonsense(number, path) from None
        if not 0 < abs(corner) <= vertices:
            raise SceneError(
                f"the vertex {corner} in line {number}",
                f"1 to {vertices}, or back to -{vertices}, the vertices above that line",
                file=os.fspath(path),
            )


def _nonsense(number: int, path: Path) -> SceneError:
    return SceneError(f"no sense in line {number}", _MODEL, file=os.fspath(path))


def _materials(path: Path, libraries: list[str], belongings: Belongings) -> Iterator[bytes]:
    """The lines of all materials that a model names, and of those in the file of its own name, if it has one."""
    for named in dict.fromkeys([*libraries, *([f"{path.stem}.mtl"] if path.with_suffix(".mtl").is_file() else [])]):
        try:
            content = belongings.file(named, (".mtl",), "a file of materials beside the model or below", "mtllib")
        except SceneError as error:
            belongings.leave_out("file of materials", named, str(error.found).partition(", which ")[2])
            continue
        for _, line in _lines(content):
            words = line.split(None, 1)
            if words[0] in _SHADES:
                yield line
            elif words[0] in _MAPS and len(words) == 2:
                yield from _mapped(words[0], words[1], belongings)


def _mapped(kind: bytes, rest: bytes, belongings: Belongings) -> Iterator[bytes]:
    """The line of a picture, which goes by the name of its copy; none of one that is left out."""
    options: list[bytes] = []
    while rest.startswith(b"-"):
        word, _, after = rest.partition(b" ")
        if word not in _OPTION_WORDS:
            break
        values = after.split()[: _OPTION_WORDS[word]]
        if word in (b"-o", b"-s", b"-t"):  # one to three numbers
            many = next((at for at, value in enumerate(values) if not _is_number(value)), len(values))
            values = values[:many]
        for value in values:
            after = after.lstrip()[len(value) :]
        options += [word, *values]
        rest = after.strip()
    copy = belongings.picture(_text(rest).strip().strip('"'))
    if copy in belongings.left_out:
        belongings.notes.append(belongings.left_out[copy])
    else:
        yield b" ".join([kind, *options, copy.encode()])


def _is_number(word: bytes) -> bool:
    try:
        return isfinite(float(word))
    except ValueError:
        return False


def _text(word: bytes) -> str:
    try:
        return word.decode()
    except UnicodeDecodeError:
        return word.decode("latin-1")
