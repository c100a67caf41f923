"""The pictures that a model brings: those beside or below it, copied away under names of our own, and nothing else.

A model names files as it likes: whole paths of its maker's machine or of yours, addresses on the net, devices. To look
such a name up is already to call where it points, so names are first judged as they are written.
"""

from __future__ import annotations

import ntpath
import os
import re
from collections.abc import Callable
from pathlib import Path

from ..base.codec import SceneError, cut
from ..base.files import lies_below, read_bytes

MOST_MODEL_BYTES = 1 << 30
"""Most bytes of a model's own file, and of all files that it brings, together."""
MOST_PICTURES = 4096
TILES = range(1001, 1101)
"""Numbers of the tiles that `TILE_WORDS` stand for in the name of a picture."""
TILE_WORDS = "<UDIM>", "<UVTILE>"
DEVICES = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:[ .:].*)?", re.IGNORECASE)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_BEGINNINGS = (
    (".png", b"\x89PNG\r\n\x1a\n"),
    (".jpg", b"\xff\xd8\xff"),
    (".bmp", b"BM"),
    (".tif", b"II*\0"),
    (".tif", b"MM\0*"),
    (".exr", b"\x76\x2f\x31\x01"),
    (".hdr", b"#?RADIANCE"),
    (".hdr", b"#?RGBE"),
    (".dds", b"DDS "),
    (".psd", b"8BPS"),
    (".jp2", b"\0\0\0\x0cjP  "),
    (".jp2", b"\xff\x4f\xff\x51"),
    (".dpx", b"SDPX"),
    (".dpx", b"XPDS"),
    (".cin", b"\x80\x2a\x5f\xd7"),
)
_TARGA_DEPTHS = 8, 15, 16, 24, 32


def picture_suffix(content: bytes) -> str:
    """The ending of a picture's name by its content; "" where it is no picture."""
    if content[:2] == b"BM" and (len(content) < 26 or content[6:10] != bytes(4)):
        return ""  # a text that begins so
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return ".webp"
    found = next((suffix for suffix, beginning in _BEGINNINGS if content.startswith(beginning)), "")
    return found or (".tga" if _is_targa(content) else "")


def _is_targa(content: bytes) -> bool:
    """True if these are the bytes of a Targa picture, which has no mark of its own: its head must add up."""
    if len(content) < 19 or content[1] > 1 or content[2] not in (1, 2, 3, 9, 10, 11):
        return False
    width, height = (int.from_bytes(content[at : at + 2], "little") for at in (12, 14))
    colours = int.from_bytes(content[5:7], "little") * ((content[7] + 7) // 8) if content[1] else 0
    depth, most = content[16], len(content) - 18 - content[0] - colours
    if not (width and height) or depth not in _TARGA_DEPTHS or content[17] & 0xC0 or most < 0:
        return False
    whole = width * height * ((depth + 7) // 8)
    return most >= whole if content[2] < 9 else most >= whole // 128


def tile_name(word: str, number: int) -> str:
    """The replacement of one of `TILE_WORDS` in the name of a tile."""
    return str(number) if word == "<UDIM>" else f"u{(number - 1001) % 10 + 1}_v{(number - 1001) // 10 + 1}"


Unpack = Callable[[bytes, int], bytes]
"""Unpacks bytes into so many at the most; ValueError where they are damaged, ImportError where nothing can."""


def no_unpacking(content: bytes, most: int) -> bytes:
    """Unpacks nothing, where Python has nothing for it."""
    raise ImportError


class Belongings:
    """The pictures of one model, as copies in a folder of our own.

    Attributes:
        names: The model's name of each picture, by the name of its copy, whether that exists or was left out.
        left_out: Why there is no copy of a picture, a line each, by the name that its copy would have.
        notes: Notes on everything else left out, a line each.
        scene: Name of the scene that a model's file shows, where it has several; "" where it does not say.
        unzstd: Function that unpacks Zstandard.
    """

    def __init__(self, model: Path, folder: Path, unzstd: Unpack = no_unpacking) -> None:
        """Nothing yet.

        Args:
            model: The model's file; files named by it are looked for beside and below it.
            folder: Folder for the copies.
            unzstd: Function that unpacks Zstandard.
        """
        self.unzstd = unzstd
        self.names: dict[str, str] = {}
        self.left_out: dict[str, str] = {}
        self.notes: list[str] = []
        self.scene = ""
        self._model, self._folder = model, folder
        self._beside = Path(os.path.abspath(model)).parent
        self._copies: dict[str, str] = {}
        self._bytes = 0

    def picture(self, named: str) -> str:
        """The name of the copy of a picture, which is not there if the model may not bring it.

        Args:
            named: Name in the model; `TILE_WORDS` in it stand for many pictures, and so they do in the result.
        """
        if named in self._copies:
            return self._copies[named]
        try:
            copy = self._tiled(named) if any(word in named for word in TILE_WORDS) else self._copied(named)
        except _StrayError as error:
            copy = self._leave_out(named, error.args[0])
        self._copies[named] = copy
        return copy

    def keep(self, content: bytes, called: str) -> str:
        """The same of a picture that the model holds itself."""
        suffix = picture_suffix(content)
        if not suffix:
            return self._leave_out(called, "is no picture")
        return self._put(content, called, suffix)

    def leave_out(self, what: str, named: str, why: str) -> None:
        """Say that something else than a picture stays behind, such as "library"."""
        note = f"its {what} {shown_name(named)} {why}, so it comes without it"
        if note not in self.notes:
            self.notes.append(note)

    def file(self, named: str, endings: tuple[str, ...], allowed: str, key: str) -> bytes:
        """The bytes of a file without which there is no model, such as its vertices.

        Args:
            named: Name in the model.
            endings: Endings that its name may have.
            allowed: The kind of file expected, for messages.
            key: Key of the model that names it.

        Raises:
            SceneError: The model may not bring it.
        """
        try:
            path = self._place(named)
            if path.suffix.lower() not in endings:
                raise _StrayError(f"ends in none of {', '.join(endings)}")
            return self._read(path)
        except _StrayError as error:
            found = f"{shown_name(named)}, which {error.args[0]}"
            raise SceneError(found, allowed, key, os.fspath(self._model)) from None

    def _leave_out(self, named: str, why: str) -> str:
        copy = f"left out {len(self.names)}.png"
        self.names[copy] = stem_of(named)
        self.left_out[copy] = f"its picture {shown_name(named)} {why}, so it comes without it"
        return copy

    def _copied(self, named: str) -> str:
        content = self._read(self._place(named))
        suffix = picture_suffix(content)
        if not suffix:
            raise _StrayError("is no picture")
        return self._put(content, named, suffix)

    def _tiled(self, named: str) -> str:
        """Copies of all tiles that are there."""
        word = next(word for word in TILE_WORDS if word in named)
        pattern = self._place(named.replace(word, "\0", 1).replace(word, "").replace("\0", "1001", 1), "1001")
        copy, suffix = f"{len(self.names)}.<UDIM>", ""
        for number in TILES:
            path = pattern.with_name(pattern.name.replace("1001", tile_name(word, number)))
            if not os.path.lexists(path):
                continue
            content = self._read(path)
            suffix = suffix or picture_suffix(content)
            if not suffix or picture_suffix(content) != suffix:
                raise _StrayError("is no picture")
            (self._folder / f"{len(self.names)}.{number}{suffix}").write_bytes(content)
        if not suffix:
            raise _StrayError("is not beside the model or below")
        self.names[copy + suffix] = stem_of(named)
        return copy + suffix

    def _put(self, content: bytes, named: str, suffix: str) -> str:
        if len(self.names) >= MOST_PICTURES:
            raise SceneError("more pictures", f"up to {MOST_PICTURES}", file=os.fspath(self._model))
        copy = f"{len(self.names)}{suffix}"
        (self._folder / copy).write_bytes(content)
        self.names[copy] = stem_of(named)
        return copy

    def _place(self, named: str, tile: str = "") -> Path:
        """The file that a name leads to, if that is beside the model or below.

        One that begins elsewhere stands for the picture of that name beside the model, as its maker had it there.
        """
        if not named or not named.isprintable():
            raise _StrayError("has a name that is none")
        text = named.replace("\\", "/")
        whole = ntpath.isabs(text) or text.startswith(("/", "~")) or _SCHEME.match(text) is not None
        words = [word for word in text.split("/") if word not in ("", ".")]
        stray = whole or ".." in words
        if stray:
            if _SCHEME.match(text) and not re.match(r"[A-Za-z]:", text):
                raise _StrayError("is an address on the net or elsewhere")
            words = _below(text, self._beside) or words[-1:]
        if not words or any(DEVICES.fullmatch(word) or ":" in word for word in words) or ".." in words:
            raise _StrayError("is no file")
        path = self._beside.joinpath(*words)
        if not lies_below(path, self._beside):
            raise _StrayError("lies elsewhere")
        if not tile and not os.path.lexists(path):
            raise _StrayError("lies elsewhere" if stray else "is nowhere to be found")
        return path

    def _read(self, path: Path) -> bytes:
        if not lies_below(path, self._beside):
            raise _StrayError("lies elsewhere")
        try:
            content = read_bytes(path, MOST_MODEL_BYTES - self._bytes, "a file", "")
        except SceneError as error:
            raise _StrayError(f"cannot be read ({error.found})") from None
        self._bytes += len(content)
        return content


class _StrayError(Exception):
    """Why a model does not bring a named file, in words that follow its name."""


def shown_name(named: str) -> str:
    """The name of a file in a note: the last part of its path, without what cannot be printed."""
    return cut(stem_of(named) or "without a name")


def stem_of(named: str) -> str:
    """The last part of a path, however it is written."""
    last = re.split(r"[/\\]", named.rstrip("/\\"))[-1]
    return "".join(letter for letter in last if letter.isprintable())[:63]


def _below(text: str, folder: Path) -> list[str]:
    """The words of a whole path from a folder on, where it is spelled as one in it; none else."""
    root = folder.as_posix().rstrip("/") + "/"
    return [word for word in text[len(root) :].split("/") if word] if text.startswith(root) else []
