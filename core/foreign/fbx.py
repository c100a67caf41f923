"""An FBX of another maker: its strings lose what makes a path of them, so that none leads out of its folder.

The file stays as it is but for those letters, so that Blender reads what it would have read; the pictures that it names
are put beside it under the names that are left.
"""

from __future__ import annotations

import os
import re
import struct
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..base.codec import SceneError
from ..base.files import read_bytes
from .belongings import DEVICES, MOST_MODEL_BYTES, Belongings, stem_of

_MODEL = "an FBX file that is whole"
_MAGIC = b"Kaydara FBX Binary  \0"
_SCALARS = {ord("Y"): 2, ord("C"): 1, ord("B"): 1, ord("I"): 4, ord("F"): 4, ord("D"): 8, ord("L"): 8}
_ARRAYS = {ord("f"): "<f4", ord("d"): "<f8", ord("l"): "<i8", ord("i"): "<i4", ord("b"): "u1", ord("c"): "u1"}
_NAMING = {b"FileName", b"Filename", b"filename", b"RelativeFilename"}
_SEPARATORS = re.compile(rb"[/\\]|(?<!:):(?!:)")
LONGEST_NAME = 240
"""Bytes that the name of a file may have."""
DEEPEST_RECORDS = 64
"""Levels of a file's nodes."""
_WRITTEN = re.compile(rb'(\w+)\s*:|"([^"]*)"|;[^\n]*')
"""The name of a node, a string, or a comment, in a file that is text."""


class _Text(NamedTuple):
    """A string of a file.

    Attributes:
        node: Name of the node whose it is.
        start: Its first byte.
        end: Behind its last.
    """

    node: bytes
    start: int
    end: int


def examine_fbx(path: Path, folder: Path, belongings: Belongings) -> Path:
    """Write a copy of a model into a folder, whose strings lead nowhere else.

    Raises:
        SceneError: If it cannot be read, is damaged, or has a vertex without a place.
    """
    content = read_bytes(path, MOST_MODEL_BYTES, _MODEL, os.fspath(path))
    data = bytearray(content)
    if content.startswith(_MAGIC[:20]):
        texts = list(_binary_texts(content, path))
    elif b"FBXHeaderExtension" in content[:4096] or b"FBX" in content[:64]:
        texts = list(_written_texts(content))
    else:
        raise SceneError("another kind of file", _MODEL, file=os.fspath(path))
    named: dict[str, str] = {}
    for text in texts:
        before = content[text.start : text.end]
        after = _SEPARATORS.sub(b"_", before)
        if DEVICES.fullmatch(_decoded(after)):
            after = b"_" * len(after)
        data[text.start : text.end] = after
        if text.node in _NAMING and before.strip(b"\0"):
            named.setdefault(_decoded(after), _decoded(before))
    copy = folder / "model.fbx"
    copy.write_bytes(data)
    for mangled, name in named.items():
        _bring(mangled, name, named.values(), folder, belongings)
    return copy


def _bring(mangled: str, name: str, others: Iterable[str], folder: Path, belongings: Belongings) -> None:
    """Put the copy of a picture where Blender looks for it: a file names each by a whole path and by one from here."""
    copies = [belongings.picture(other) for other in (name, *others) if stem_of(other) == stem_of(name)]
    found = next((copy for copy in copies if copy not in belongings.left_out), "")
    target = folder / mangled
    if found and len(mangled.encode()) <= LONGEST_NAME and not os.path.lexists(target):
        target.write_bytes((folder / found).read_bytes())
        belongings.names[mangled] = belongings.names[found]
        for copy in copies:
            belongings.left_out.pop(copy, None)
    elif not found:
        belongings.names[mangled] = belongings.names[copies[0]]
        belongings.left_out[mangled] = belongings.left_out[copies[0]]


def _binary_texts(content: bytes, path: Path) -> Iterator[_Text]:
    """All strings of a binary file."""
    if len(content) < 40:
        raise _damaged(path)
    (version,) = struct.unpack_from("<I", content, 23)
    head = struct.Struct("<QQQB" if version >= 7500 else "<IIIB")
    waiting = [(27, len(content), 0)]
    while waiting:
        at, end, depth = waiting.pop()
        while at + head.size <= end:
            stop, count, size, letters = head.unpack_from(content, at)
            if stop == 0:
                break
            name_at = at + head.size
            first = name_at + letters
            if depth > DEEPEST_RECORDS or not (first + size <= stop <= end) or count > size:
                raise _damaged(path)
            name = content[name_at:first]
            yield from _properties(content, name, first, first + size, count, path)
            if first + size < stop:
                waiting.append((first + size, stop, depth + 1))
            at = stop


def _properties(content: bytes, name: bytes, at: int, end: int, count: int, path: Path) -> Iterator[_Text]:
    for _ in range(count):
        if at >= end:
            raise _damaged(path)
        kind, at = content[at], at + 1
        if kind in (ord("S"), ord("R")):
            size = _number(content, at, end, path)
            at += 4
            if at + size > end:
                raise _damaged(path)
            if kind == ord("S"):
                yield _Text(name, at, at + size)
            at += size
        elif kind in _SCALARS:
            at += _SCALARS[kind]
        elif kind in _ARRAYS:
            length, packed, size = (_number(content, at + 4 * part, end, path) for part in range(3))
            at += 12
            if at + size > end:
                raise _damaged(path)
            if name == b"Vertices":
                _ensure_places(content[at : at + size], _ARRAYS[kind], length, packed, path)
            at += size
        else:
            raise _damaged(path)


def _ensure_places(data: bytes, kind: str, length: int, packed: int, path: Path) -> None:
    """All numbers of an array of vertices are finite."""
    whole = length * np.dtype(kind).itemsize
    if whole > MOST_MODEL_BYTES:
        raise SceneError("more vertices", _MODEL, file=os.fspath(path))
    if packed:
        try:
            data = zlib.decompressobj().decompress(data, whole)
        except zlib.error:
            raise _damaged(path) from None
    if len(data) < whole:
        raise _damaged(path)
    if whole and not np.isfinite(np.frombuffer(data[:whole], kind)).all():
        raise SceneError("a vertex without a place", "numbers", "Vertices", os.fspath(path))


def _written_texts(content: bytes) -> Iterator[_Text]:
    """All strings of a file that is text, but for those that hold bytes of a picture."""
    node = b""
    for match in _WRITTEN.finditer(content):
        if match[1] is not None:
            node = match[1]
        elif match[2] is not None and node != b"Content":
            yield _Text(node, match.start(2), match.end(2))


def _number(content: bytes, at: int, end: int, path: Path) -> int:
    if at + 4 > end:
        raise _damaged(path)
    return int.from_bytes(content[at : at + 4], "little")


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "replace").rstrip("\0")


def _damaged(path: Path) -> SceneError:
    return SceneError("a damaged file", _MODEL, file=os.fspath(path))
