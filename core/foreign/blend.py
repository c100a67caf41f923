"""A .blend of another maker: no path in it leads anywhere but to the pictures that it may bring.

A .blend says itself how its structures are laid out, so that every long text in it, which is what paths are kept as, is
found without Blender. https://projects.blender.org/blender/blender describes the format in source/blender/makesdna.
"""

from __future__ import annotations

import os
import re
import struct
import zlib
from math import prod
from pathlib import Path
from typing import NamedTuple

from ..base.codec import SceneError
from ..base.files import read_bytes
from .belongings import MOST_MODEL_BYTES, Belongings, Unpack

_MODEL = "a .blend that this Blender reads"
PATH_BYTES = 256
"""Least length of an array of letters that may be a path."""
NAME_BYTES = 258
"""Length of a name of a data block, with its kind, from Blender 5.0 on."""
_KEPT = {"bNodeSocketValueString", "TextLine"}
"""Structures whose long texts are none."""
_CALLED = {
    "Library": "library",
    "VFont": "font",
    "Volume": "volume",
    "CacheFile": "cache",
    "MeshCacheModifierData": "cache",
    "bSound": "sound",
    "MovieClip": "movie",
}
"""Words for omitted files in notes, by the structure that names them."""
_ZSTD, _GZIP = b"\x28\xb5\x2f\xfd", b"\x1f\x8b"


class _Field(NamedTuple):
    """A long text in a structure: its structure, and where it begins, and its size."""

    owner: str
    at: int
    size: int


class _Block(NamedTuple):
    """A block of a file: its code, its address, its structure's number, where its bytes lie, and how many it holds."""

    code: bytes
    address: int
    kind: int
    start: int
    end: int
    many: int


class _Layout(NamedTuple):
    """The layout of a file.

    Attributes:
        names: Names of its structures, by number.
        sizes: Their sizes.
        texts: The long texts in each.
        scene: Offset of the scene shown in the file's globals; -1 if there is none.
        name: Offset of a data block's name in its ID; -1 if there is none.
    """

    names: list[str]
    sizes: list[int]
    texts: list[list[_Field]]
    scene: int
    name: int


def examine_blend(path: Path, folder: Path, belongings: Belongings) -> Path:
    """Write a copy of a .blend into a folder, with copies of its pictures.

    Raises:
        SceneError: If it cannot be read or is damaged.
    """
    data = bytearray(_unpacked(read_bytes(path, MOST_MODEL_BYTES, _MODEL, os.fspath(path)), path, belongings.unzstd))
    blocks, pointer = _blocks(data, path)
    try:
        layout = _layout(data, blocks, pointer)
    except (struct.error, ValueError, IndexError, RecursionError):
        raise _damaged(path) from None
    for block in blocks:
        if block.kind >= len(layout.names):
            raise _damaged(path)
        if block.code == b"LI\0\0":
            if layout.names[block.kind] != "Library":
                raise _damaged(path)
            _cut_off(data, block, layout, belongings)
            continue
        size = layout.sizes[block.kind]
        for field in layout.texts[block.kind]:
            for number in range(block.many):
                at = block.start + number * size + field.at
                if at >= block.end:
                    break
                _redirect(data, field.owner, at, min(at + field.size, block.end), belongings)
    belongings.scene = _scene(data, blocks, layout, pointer)
    copy = folder / "model.blend"
    copy.write_bytes(data)
    return copy


def _redirect(data: bytearray, owner: str, start: int, end: int, belongings: Belongings) -> None:
    """Have a path lead to the copy of a picture, or nowhere."""
    text = bytes(data[start:end]).split(b"\0")[0].decode("utf-8", "replace")
    after = b""
    if text and owner == "Image":
        after = b"//" + belongings.picture(text.removeprefix("//")).encode()
    elif text and owner in _CALLED and text != "<builtin>":
        belongings.leave_out(_CALLED[owner], text, "is no picture")
    if text == "<builtin>":
        after = text.encode()
    data[start:end] = after[: end - start].ljust(end - start, b"\0")


def _cut_off(data: bytearray, block: _Block, layout: _Layout, belongings: Belongings) -> None:
    """Have a library be one that is not there: what it says besides its name is blank but for where it lies."""
    own = [field for field in layout.texts[block.kind] if field.owner == "Library"]
    named, first = "", layout.sizes[layout.names.index("ID")] if "ID" in layout.names else 0
    for field in own:
        text = bytes(data[block.start + field.at : block.start + field.at + field.size]).split(b"\0")[0]
        named = named or text.decode("utf-8", "replace")
    data[block.start + first : block.end] = bytes(max(0, block.end - block.start - first))
    for field in own:
        stand_in = f"//left out {block.start}.blend".encode()
        at = block.start + field.at
        if at >= block.start + first and at + len(stand_in) < block.end:
            data[at : at + len(stand_in)] = stand_in
    belongings.leave_out("library", named, "is no picture")


def _scene(data: bytearray, blocks: list[_Block], layout: _Layout, pointer: int) -> str:
    """Name of the scene that a file shows; "" where it does not say."""
    shown = next((block for block in blocks if block.code == b"GLOB"), None)
    if shown is None or min(layout.scene, layout.name) < 0 or shown.start + layout.scene + pointer > shown.end:
        return ""
    at = shown.start + layout.scene
    address = int.from_bytes(data[at : at + pointer], "little")
    for block in blocks:
        if block.code == b"SC\0\0" and block.address == address:
            name = bytes(data[block.start + layout.name : block.end][:258]).split(b"\0")[0]
            return name.decode("utf-8", "replace").removeprefix("SC")
    return ""


def _unpacked(content: bytes, path: Path, unzstd: Unpack) -> bytes:
    """The bytes of a file that may be compressed."""
    if content.startswith(_GZIP):
        inflated = zlib.decompressobj(31)
        try:
            whole = inflated.decompress(content, MOST_MODEL_BYTES)
        except zlib.error:
            raise _damaged(path) from None
        left = bool(inflated.unconsumed_tail)
    elif content.startswith(_ZSTD):
        try:
            whole = unzstd(content, MOST_MODEL_BYTES + 1)
        except ImportError:
            raise SceneError("a compressed file", "one saved without Compress", file=os.fspath(path)) from None
        except ValueError:
            raise _damaged(path) from None
        left = len(whole) > MOST_MODEL_BYTES
    else:
        return content
    if left:
        raise SceneError("a file that unpacks to too much", _MODEL, file=os.fspath(path))
    return whole


def _blocks(data: bytearray, path: Path) -> tuple[list[_Block], int]:
    """All blocks of a file, and the size of an address in it."""
    head = re.match(rb"BLENDER(?:([_-])([vV])\d{3}|17-(\d\d)v\d{4})", bytes(data[:17]))
    if head is None:
        raise SceneError("another kind of file", _MODEL, file=os.fspath(path))
    if head[2] == b"V":
        raise SceneError("a file of a machine that counts the other way round", _MODEL, file=os.fspath(path))
    large, pointer = head[3] is not None, 4 if head[1] == b"_" else 8
    layout = struct.Struct("<4siQqq" if large else f"<4si{'Q' if pointer == 8 else 'I'}ii")
    found, at = [], head.end()
    while at + layout.size <= len(data):
        values = layout.unpack_from(data, at)
        code, address = values[0], values[2]
        kind, length, count = (values[1], *values[3:]) if large else (values[3], values[1], values[4])
        at += layout.size
        if code == b"ENDB":
            return found, pointer
        if length < 0 or count < 0 or kind < 0 or at + length > len(data):
            break
        found.append(_Block(code, address, kind, at, at + length, count))
        at += length
    raise _damaged(path)


def _layout(data: bytearray, blocks: list[_Block], pointer: int) -> _Layout:
    """The layout of a file by its own description of its structures.

    Raises:
        ValueError, IndexError, struct.error, RecursionError: It makes no sense.
    """
    dna = next((block for block in blocks if block.code == b"DNA1"), None)
    if dna is None:
        raise ValueError
    raw = bytes(data[dna.start : dna.end])
    names, at = _words(raw, b"NAME", 4)
    types, at = _words(raw, b"TYPE", at)
    at = raw.index(b"TLEN", at) + 4
    lengths = struct.unpack_from(f"<{len(types)}h", raw, at)
    at = raw.index(b"STRC", at + 2 * len(types))
    (many,) = struct.unpack_from("<i", raw, at + 4)
    at += 8
    made: list[tuple[int, list[tuple[int, int]]]] = []
    for _ in range(many):
        kind, count = struct.unpack_from("<hh", raw, at)
        fields = list(struct.iter_unpack("<hh", raw[at + 4 : at + 4 + 4 * count]))
        if len(fields) != count:
            raise ValueError
        made.append((kind, fields))
        at += 4 + 4 * count
    numbers = {kind: number for number, (kind, _) in enumerate(made)}
    places = {b"*curscene": -1, b"name": -1}
    known: dict[int, list[_Field]] = {}

    def texts(number: int, depth: int) -> list[_Field]:
        if number in known:
            return known[number]
        if depth > 64:
            raise ValueError
        kind, fields = made[number]
        owner, found, place = types[kind].decode("latin-1"), [], 0
        for of, name in fields:
            word = names[name]
            many = prod(int(size) for size in re.findall(rb"\[(\d+)\]", word))
            size = many * (pointer if word[:1] in (b"*", b"(") else lengths[of])
            for field, holder in ((b"*curscene", "FileGlobal"), (b"name", "ID")):
                if owner == holder and word.split(b"[")[0] == field:
                    places[field] = place
            if word[:1] not in (b"*", b"("):
                if of in numbers:
                    inner = texts(numbers[of], depth + 1)
                    if len(inner) * many > 100_000:
                        raise ValueError
                    found += [
                        _Field(each.owner, place + row * lengths[of] + each.at, each.size)
                        for row in range(many if inner else 0)
                        for each in inner
                    ]
                elif types[of] in (b"char", b"uchar", b"int8_t") and _is_path(size) and owner not in _KEPT:
                    found.append(_Field(owner, place, size))
            place += size
        known[number] = found
        return found

    every = [texts(number, 0) for number in range(len(made))]
    owners, sizes = [types[kind].decode("latin-1") for kind, _ in made], [lengths[kind] for kind, _ in made]
    return _Layout(owners, sizes, every, places[b"*curscene"], places[b"name"])


def _is_path(size: int) -> bool:
    """True if a text of so many bytes may be a path; names of data blocks have a length of their own."""
    return size >= PATH_BYTES and size != NAME_BYTES


def _words(raw: bytes, code: bytes, at: int) -> tuple[list[bytes], int]:
    """The words of a list, and where it ends."""
    at = raw.index(code, at) + 4
    (many,) = struct.unpack_from("<i", raw, at)
    if not 0 <= many <= len(raw):
        raise ValueError
    at += 4
    found = []
    for _ in range(many):
        end = raw.index(b"\0", at)
        found.append(raw[at:end])
        at = end + 1
    return found, at


def _damaged(path: Path) -> SceneError:
    return SceneError("a damaged file", _MODEL, file=os.fspath(path))
