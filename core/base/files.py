"""Files on disk: finding presets, reading JSON, and writing so that nothing is ever left half written."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from .codec import SceneError, layout, parse
from .stopping import new_folders, shielded, unfinished

PRESETS = Path(__file__).resolve().parents[2] / "presets"


def preset_names(folder: str) -> tuple[str, ...]:
    """The stems of the presets in "species" or "scenes", sorted."""
    return tuple(sorted(path.stem for path in (PRESETS / folder).glob("*.json")))


def preset_folder(folder: str) -> Path:
    """Where the presets in "species" or "scenes" lie."""
    return PRESETS / folder


def read_preset_or_file(folder: str, name_or_path: str | os.PathLike[str]) -> tuple[dict[str, Any], str]:
    """Reads the preset of this name in this folder of presets, or else the file at this path.

    Returns:
        What the file's JSON object holds, and the file's name for messages.

    Raises:
        SceneError: Where there is neither, or the file cannot be read or is no JSON object.
    """
    name, presets = os.fspath(name_or_path), preset_names(folder)
    path, file = (PRESETS / folder / f"{name}.json", f"{name}.json") if name in presets else (Path(name), name)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SceneError("bytes that are no text", "JSON in UTF-8", file=file) from None
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
        presets_too = f"or a preset: {', '.join(presets)}"
        raise SceneError(_reason(error), f"a JSON file {presets_too}", file=file) from None
    return parse(text, file), file


def read_json(path: str | os.PathLike[str]) -> dict[str, Any]:
    """What the JSON object of a file holds.

    Raises:
        SceneError: Where it cannot be read or is no JSON object.
    """
    file = os.fspath(path)
    try:
        return parse(Path(file).read_bytes().decode("utf-8-sig"), file)
    except UnicodeDecodeError:
        raise SceneError("bytes that are no text", "JSON in UTF-8", file=file) from None
    except OSError as error:
        raise SceneError(_reason(error), "a JSON file", file=file) from None


def write_json(path: str | os.PathLike[str], data: dict[str, Any]) -> None:
    """Writes JSON for people, whole or not at all.

    Raises:
        SceneError: Where the file cannot be written.
    """
    with writing(path) as stream:
        stream.write((layout(data) + "\n").encode())


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A binary stream whose bytes become the file at this path when the block ends, and vanish if it fails.

    Raises:
        SceneError: Where the file cannot be written.
    """
    with replacing(path) as part, open(part, "xb", opener=_private if Path(path).exists() else None) as stream:
        yield stream


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A path beside this one, with the same ending; what is written there takes the place of this file at the end.

    A file that was there keeps its owner, its permissions and its names: where it has more than one, what was written
    is copied into it, and stays beside it if even that goes wrong.

    Raises:
        SceneError: Where the file cannot be written.
    """
    target = _target(path)
    part = _beside(target)
    unfinished.add(part)
    try:
        yield part
        with shielded():
            _replace(target, part)
    except OSError as error:
        raise _unwritable(path, _reason(error)) from error
    finally:
        if part in unfinished:
            with suppress(OSError):
                part.unlink()
            unfinished.discard(part)


def _replace(target: Path, part: Path) -> None:
    """Let what was written take the place of a file, if there is one."""
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
        SceneError: Where it is one of them.
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
        SceneError: Where it could not, or where its name does not end in `suffix`.
    """
    if not os.fspath(path).endswith(suffix):
        raise SceneError("another ending", f"a name that ends in {suffix}", file=path)
    target = _target(path)
    probe = _beside(target)
    try:
        probe.touch(exist_ok=False)
        probe.unlink()
    except OSError as error:
        raise _unwritable(path, _reason(error)) from None


def write_arrays(path: str | os.PathLike[str], arrays: Mapping[str, np.ndarray]) -> None:
    """Writes arrays by name as an .npz file, uncompressed and without pickles.

    Raises:
        SceneError: Where the file cannot be written.
    """
    # NumPy's own leaves the archive open where the disk is full, and it complains later, when nobody can help.
    with writing(path) as stream, zipfile.ZipFile(stream, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asanyarray(array), allow_pickle=False)


def read_arrays(path: str | os.PathLike[str], kind: str) -> dict[str, np.ndarray]:
    """The arrays of an .npz file by name, read without pickles.

    Args:
        path: Of the file.
        kind: What messages call what it ought to be, such as "a recording".

    Raises:
        SceneError: Where the file cannot be read, is damaged or is none.
    """
    file = os.fspath(path)
    try:
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except OSError as error:
        raise SceneError(f"{error.strerror or error}", f"{kind} (.npz)", file=file) from None
    except Exception as error:  # damaged bytes fail in zipfile, zlib, NumPy's header parser, or with no memory
        raise SceneError("a damaged or foreign file", f"{kind} (.npz)", file=file) from error


def ensure_folder(path: str | os.PathLike[str]) -> None:
    """Makes a folder, with those above it, unless it is there, and sees that a file can be written into it.

    Raises:
        SceneError: Where that fails.
    """
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise SceneError(_reason(error), "a folder that can be made or written", file=path) from None
    ensure_writable(Path(path) / "probe")


@contextmanager
def new_folder(path: str | os.PathLike[str]) -> Iterator[None]:
    """A folder as `ensure_folder` makes it; if the block fails, one that is new and still empty goes again.

    Raises:
        SceneError: Where it cannot be made or written.
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
        raise _unwritable(path, _reason(error)) from None
    return target


def _beside(target: Path) -> Path:
    # Not the target's own name with more at its end: that may be too long.
    return target.with_name(f".artfish-{os.getpid()}-{secrets.token_hex(4)}{target.suffix}")


def _unwritable(path: str | os.PathLike[str], found: str) -> SceneError:
    return SceneError(found, "a file in an existing folder that can be written", file=os.fspath(path) or "''")


def _reason(error: Exception) -> str:
    match error:
        case FileNotFoundError():
            return "no such file"
        case OSError(strerror=str(reason)):
            return f"an obstacle ({reason[:1].lower()}{reason[1:]})"
    return f"an obstacle ({error})"
