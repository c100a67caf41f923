"""Files on disk: finding presets, reading JSON, and writing so that nothing is ever left half written."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from .codec import Place, SceneError, layout, parse, parse_any, shown
from .stopping import new_folders, shielded, unfinished

PRESETS = Path(__file__).resolve().parents[2] / "presets"
MOST_TEXT_BYTES = 64 << 20
"""Most bytes of a text file; a scene with some meshes of as many triangles as one may have is smaller."""
MOST_UNPACKED_BYTES = 1 << 30
"""Most bytes of the arrays in a file that is itself smaller than they are; we write them unpacked."""
MOST_LINKS = 1000
"""On the way down to a file, links followed."""
ROUNDING_SLACK = 1e-5
"""Amount by which a value may miss a range."""


def preset_names(folder: str) -> tuple[str, ...]:
    """The stems of the presets in "species" or "scenes", sorted."""
    return tuple(sorted(path.stem for path in (PRESETS / folder).glob("*.json")))


def preset_folder(folder: str) -> Path:
    """The folder of the presets in "species" or "scenes"."""
    return PRESETS / folder


def read_preset_or_file(folder: str, name_or_path: str | os.PathLike[str]) -> tuple[dict[str, Any], str]:
    """Reads the preset of this name in this folder of presets, or else the file at this path.

    Returns:
        The file's JSON object, and the file's name for messages.

    Raises:
        SceneError: If there is neither, or the file cannot be read or is no JSON object.
    """
    name, presets = os.fspath(name_or_path), preset_names(folder)
    path, file = (PRESETS / folder / f"{name}.json", f"{name}.json") if name in presets else (name, name)
    return parse(_json_text(path, file, f"a JSON file or a preset: {', '.join(presets)}"), file), file


def read_json(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The JSON object of a file.

    Raises:
        SceneError: If it cannot be read or is no JSON object.
    """
    file = os.fspath(path)
    return parse(_json_text(path, file, "a JSON file"), file)


def read_any_json(path: str | os.PathLike[str], allowed: str) -> Any:
    """The JSON value of a file.

    Args:
        path: The file.
        allowed: The kind of file expected, for messages, such as "a JSON file of wishes".

    Raises:
        SceneError: If it cannot be read or is no JSON.
    """
    file = os.fspath(path)
    return parse_any(_json_text(path, file, allowed), file)


@contextmanager
def reading(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A binary stream of a regular file, so that nothing waits for a pipe or reads a device that has no end.

    Raises:
        OSError: If it cannot be read, or is no regular file.
    """
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise _NoFileError
        # Another may have taken its place since: opening a pipe must not wait either.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except ValueError as error:  # a path with a NUL in it
        raise OSError(str(error)) from None
    with open(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise _NoFileError
        yield stream


def read_bytes(path: str | os.PathLike[str], most: int, allowed: str, file: str) -> bytes:
    """The content of a regular file, if it is not too much.

    Args:
        path: Path of the file.
        most: Bytes that it may hold.
        allowed: The kind of file expected, for messages.
        file: Name of the file in messages.

    Raises:
        SceneError: If it cannot be read, is no regular file or holds more.
    """
    try:
        with reading(path) as stream:
            content = stream.read(most + 1)
    except OSError as error:
        raise SceneError(reason(error), allowed, file=file) from None
    if len(content) > most:
        raise SceneError("a larger file", f"{allowed}, up to {most >> 20} MB", file=file)
    return content


def lies_below(path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> bool:
    """True if a path leads into a folder or below it, both as written and behind all links."""
    try:
        # Looked at as it is written, first, and link by link: to follow a name on the net is to call there.
        roots = os.path.realpath(folder), os.path.abspath(folder)
        if not _stays_within(os.path.abspath(path), roots):
            return False
        return _is_within(os.path.realpath(path), roots[0])
    except (OSError, ValueError):  # a NUL in it, or another drive
        return False


def write_json(path: str | os.PathLike[str], data: dict[str, Any]) -> None:
    """Writes JSON for people, whole or not at all.

    Raises:
        SceneError: If the file cannot be written.
    """
    with writing(path) as stream:
        stream.write((layout(data) + "\n").encode())


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A binary stream whose bytes become the file at this path when the block ends, and vanish if it fails.

    Raises:
        SceneError: If the file cannot be written.
    """
    with replacing(path) as part, open(part, "xb", opener=_private if Path(path).exists() else None) as stream:
        yield stream


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A path beside this one, with the same ending; its content takes the place of this file at the end.

    A file that was there keeps its owner, its permissions and its names: where it has more than one, the content is
    copied into it, and stays beside it if even that goes wrong.

    Raises:
        SceneError: If the file cannot be written.
    """
    target = _target(path)
    part = _beside(target)
    unfinished.add(part)
    try:
        yield part
        with shielded():
            _replace(target, part)
    except OSError as error:
        raise _unwritable(path, reason(error)) from error
    finally:
        if part in unfinished:
            with suppress(OSError):
                part.unlink()
            unfinished.discard(part)


def _replace(target: Path, part: Path) -> None:
    """Let the new content take the place of a file, if there is one."""
    try:
        there = target.stat()
    except FileNotFoundError:
        os.replace(part, target)
        return
    if there.st_nlink > 1:
        _pour(part, target)
        return
    if hasattr(os, "chown"):
        with suppress(OSError):  # only root gives files to others
            os.chown(part, there.st_uid, there.st_gid)
    part.chmod(stat.S_IMODE(there.st_mode))
    os.replace(part, target)


def _pour(part: Path, target: Path) -> None:
    """Copy a file into another that keeps all its names, once there is room for it."""
    size = part.stat().st_size
    with open(part, "rb") as source, open(target, "r+b") as goal:
        before = os.fstat(goal.fileno()).st_size
        if size > before and hasattr(os, "posix_fallocate"):
            try:
                os.posix_fallocate(goal.fileno(), 0, size)
            except OSError:
                goal.truncate(before)
                raise
        unfinished.discard(part)  # from here on it is the only whole one
        shutil.copyfileobj(source, goal, 1 << 20)
        goal.truncate(size)
        goal.flush()
        os.fsync(goal.fileno())
    part.unlink()


def _private(path: str, flags: int) -> int:
    """Opens a file that nobody else reads before it has the permissions of the one it replaces."""
    return os.open(path, flags, 0o600)


def ensure_other(output: str | os.PathLike[str], *inputs: str | os.PathLike[str]) -> None:
    """Sees that an output is none of the files that are read, under whatever name.

    Raises:
        SceneError: If it is one of them.
    """
    for path in inputs:
        try:
            same = os.path.samefile(output, path)
        except (OSError, ValueError):  # one of them is not there
            continue
        if same:
            raise SceneError(f"the same file as {os.fspath(path)}", "a file that is not read", file=output)


def ensure_writable(path: str | os.PathLike[str], suffix: str = "") -> None:
    """Finds out before long work begins whether a file could be written; leaves everything as it was.

    Raises:
        SceneError: If it could not, or its name does not end in `suffix`.
    """
    if not os.fspath(path).endswith(suffix):
        raise SceneError("another ending", f"a name that ends in {suffix}", file=path)
    target = _target(path)
    probe = _beside(target)
    try:
        probe.touch(exist_ok=False)
        probe.unlink()
    except OSError as error:
        raise _unwritable(path, reason(error)) from None


def write_arrays(path: str | os.PathLike[str], arrays: Mapping[str, np.ndarray], packed: bool = False) -> None:
    """Writes arrays by name as an .npz file, without pickles, compressed where that is asked for.

    Raises:
        SceneError: If the file cannot be written.
    """
    kind = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
    # NumPy's own leaves the archive open where the disk is full, and it complains later, when nobody can help.
    with writing(path) as stream, zipfile.ZipFile(stream, "w", kind) as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asanyarray(array), allow_pickle=False)


def read_arrays(path: str | os.PathLike[str], kind: str) -> dict[str, np.ndarray]:
    """The arrays of an .npz file by name, read without pickles.

    Args:
        path: Path of the file.
        kind: The kind of file expected, for messages, such as "a recording".

    Raises:
        SceneError: If the file cannot be read, is damaged or is none.
    """
    file = os.fspath(path)
    try:
        with reading(path) as stream, zipfile.ZipFile(stream) as archive:
            members = archive.infolist()
            size = os.fstat(stream.fileno()).st_size
            if sum(member.file_size for member in members) > max(size, MOST_UNPACKED_BYTES):
                raise SceneError("a file that unpacks to too much", f"{kind} (.npz)", file=file)
            return {member.filename.removesuffix(".npy"): _array(archive, member) for member in members}
    except SceneError:
        raise
    except OSError as error:
        raise SceneError(reason(error), f"{kind} (.npz)", file=file) from None
    except Exception as error:  # damaged bytes fail in zipfile, zlib, NumPy's header parser, or with no memory
        raise SceneError("a damaged or foreign file", f"{kind} (.npz)", file=file) from error


def refuse_beyond(values: np.ndarray, low: float, high: float, place: Place) -> None:
    """Refuses the first value that is no finite number from `low` to `high`.

    Raises:
        SceneError: With the row of the value.
    """
    if not values.size or (
        low - ROUNDING_SLACK <= values.min() and values.max() <= high + ROUNDING_SLACK
    ):  # NaN fails both
        return
    at = np.unravel_index(
        int(np.argmin((values >= low - ROUNDING_SLACK) & (values <= high + ROUNDING_SLACK))), values.shape
    )
    where = replace(place, key=place.key + (str([int(row) for row in at]) if at else ""))
    where.refuse(shown(values[at].item()), f"a number from {low:g} to {high:g}")


def ensure_folder(path: str | os.PathLike[str]) -> None:
    """Makes a folder, with those above it, unless it is there, and sees that a file can be written into it.

    Raises:
        SceneError: If that fails.
    """
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise SceneError(reason(error), "a folder that can be made or written", file=path) from None
    ensure_writable(Path(path) / "probe")


@contextmanager
def new_folder(path: str | os.PathLike[str]) -> Iterator[None]:
    """A folder as `ensure_folder` makes it; if the block fails, one that is new and still empty goes again.

    Raises:
        SceneError: If it cannot be made or written.
    """
    folder = Path(os.path.abspath(path))
    new = not folder.exists()
    ensure_folder(path)
    if new:
        new_folders.add(folder)
    try:
        yield
    except BaseException:
        if new:
            with suppress(OSError):  # something was made in it
                folder.rmdir()
        raise
    finally:
        new_folders.discard(folder)


def _stays_within(path: str, roots: tuple[str, str]) -> bool:
    """True if no link on the way down to a path leads out of a folder, given resolved and as written."""
    at, waiting = roots[0], [path]
    for _ in range(MOST_LINKS):
        if not waiting:
            return True
        step = waiting.pop(0)
        if os.path.isabs(step):
            root = next((root for root in roots if _is_within(os.path.normpath(step), root)), None)
            if root is None:
                return False
            at, step = roots[0], os.path.relpath(step, root)
        if step.count(os.sep) or os.path.altsep and step.count(os.path.altsep):
            waiting[:0] = os.path.normpath(step).split(os.sep)
            continue
        below = os.path.normpath(os.path.join(at, step))
        if not _is_within(below, roots[0]):
            return False
        if os.path.islink(below):
            waiting.insert(0, os.readlink(below))
        else:
            at = below
    return False


def _is_within(path: str, root: str) -> bool:
    path, root = os.path.normcase(path), os.path.normcase(root)
    return os.path.commonpath((path, root)) == root


def _json_text(path: str | os.PathLike[str], file: str, allowed: str) -> str:
    try:
        return read_bytes(path, MOST_TEXT_BYTES, allowed, file).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SceneError("bytes that are no text", "JSON in UTF-8", file=file) from None


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> np.ndarray:
    """One array of an archive; what its head says of its size is believed only where there are as many bytes."""
    with archive.open(member) as stream:
        if np.lib.format.read_magic(stream) != (1, 0):
            raise ValueError("a version that is not written here")
        shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
    if prod(shape) * max(dtype.itemsize, 1) > member.file_size:
        raise ValueError("more than there is")
    with archive.open(member) as stream:
        return np.lib.format.read_array(stream, allow_pickle=False)


class _NoFileError(OSError):
    """A folder, a device, a pipe or a socket in place of a file."""


def _target(path: str | os.PathLike[str]) -> Path:
    """The regular file, behind links if there are any, that this path stands for."""
    try:
        target = Path(os.path.realpath(path))
        if not target.parent.is_dir():
            raise _unwritable(path, f"no folder {os.path.dirname(path) or target.parent}")
        if target.exists() and not target.is_file():  # a folder, but also /dev/null, which must not be replaced
            raise _unwritable(path, "something there that is no file")
        if target.exists() and not os.access(target, os.W_OK):
            raise _unwritable(path, "a file that is protected from writing")
    except SceneError:
        raise
    except (OSError, ValueError) as error:
        raise _unwritable(path, reason(error)) from None
    return target


def _beside(target: Path) -> Path:
    # Not the target's own name with more at its end: that may be too long.
    return target.with_name(f".artfish-{os.getpid()}-{secrets.token_hex(4)}{target.suffix}")


def _unwritable(path: str | os.PathLike[str], found: str) -> SceneError:
    return SceneError(found, "a file in an existing folder that can be written", file=os.fspath(path) or "''")


def reason(error: Exception) -> str:
    """Why a file could not be read or written, in words that follow "found"."""
    match error:
        case FileNotFoundError():
            return "no such file"
        case _NoFileError():
            return "something there that is no file"
        case OSError(strerror=str(why)):
            return f"an obstacle ({why[:1].lower()}{why[1:]})"
    return f"an obstacle ({error})"
