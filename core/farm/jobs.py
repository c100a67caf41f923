"""A job: the module path of a pure function, and plain data that goes into it; its result is plain data or bytes.

A job says nothing of where it runs. Its digest is that of all that its result depends on: the function, the data, what
many jobs have in common, and the code of Artfish itself; so a file of that name is its result, whoever made it.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ...version import ARTFISH_VERSION
from ..base.codec import SceneError
from ..base.threads import THREADS_CHOICE

PACKAGE = __name__.removesuffix(".core.farm.jobs")
"""Name of this package here: "artfish", but in Blender's extension another."""
COMMON_KEY = "artfish"
"""First part of a module path of ours, whatever the package is called where the job runs."""
CODE = ("*.py", "*.c", "*.h", "*.json", "*.npz")
"""Files on which results depend."""

_common: dict[str, Any] = {}
_one_at_a_time = threading.Lock()


class OtherVersionError(Exception):
    """A worker has another version of Artfish than who sent the job; its argument is the worker's `build`."""


@dataclass(frozen=True)
class FarmJob:
    """One independent piece of work.

    Attributes:
        call: Module path of a function of the data, such as "artfish.core.farm.takes:take".
        data: What the function is given, as JSON can hold it.
        name: What a person calls it in messages.
        common: Digest of what many jobs share, such as a scene with its meshes, which the function is given as well;
            None without.
        suffix: Ending of the file of its result: ".json" for data, another for bytes.
    """

    call: str
    data: Mapping[str, Any]
    name: str = field(default="", compare=False)
    common: str | None = None
    suffix: str = ".json"

    @property
    def digest(self) -> str:
        """32 hexadecimal digits of all that its result depends on."""
        return digest_of([self.call, build_of(self.call), self.data, self.common, self.suffix])


def digest_of(data: Any) -> str:
    """32 hexadecimal digits of plain data."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


@cache
def build() -> str:
    """The version of Artfish with 12 digits of a digest of its simulation's code and presets.

    Two installations that agree in it give the same results.
    """
    root, found = Path(__file__).resolve().parents[2], hashlib.sha256()
    for room in ("core", "presets"):
        for path in sorted(path for kind in CODE for path in (root / room).rglob(kind)):
            text = path.suffix != ".npz"
            content = path.read_bytes()
            found.update(path.relative_to(root).as_posix().encode())
            found.update(content.replace(b"\r\n", b"\n") if text else content)
    return f"{ARTFISH_VERSION}-{found.hexdigest()[:12]}"


@cache
def build_of(call: str) -> str:
    """`build`, with the digest of the file of a function that is not of the simulation."""
    module = call.partition(":")[0]
    if module.startswith(f"{COMMON_KEY}.core."):
        return build()
    spec = importlib.util.find_spec(_here(module))
    origin = None if spec is None else spec.origin
    content = Path(origin).read_bytes() if origin and os.path.isfile(origin) else b""
    return f"{build()}-{hashlib.sha256(content).hexdigest()[:12]}"


def function_of(call: str) -> Callable[..., Any]:
    """The function of a module path."""
    module, _, name = call.partition(":")
    return getattr(importlib.import_module(_here(module)), name)


def _here(module: str) -> str:
    first, dot, rest = module.partition(".")
    return f"{PACKAGE}{dot}{rest}" if first == COMMON_KEY else module


def receive(common: Mapping[str, Any]) -> None:
    """Keeps what jobs have in common, by digests, in this process, in place of what was there."""
    _common.clear()
    _common.update(common)


def perform(call: str, data: Mapping[str, Any], common: str | None, expected: str) -> bytes:
    """Runs a job in this process, one at a time, with one thread unless `ARTFISH_THREADS` says otherwise.

    Args:
        call: As of `FarmJob`.
        data: As of `FarmJob`.
        common: As of `FarmJob`; `receive` has kept what it stands for.
        expected: The `build` of who sent it.

    Returns:
        The content of the result's file: JSON, or the bytes that the function returned.

    Raises:
        OtherVersionError: This process has another build.
    """
    with _alone(expected):
        function = function_of(call)
        result = function(data) if common is None else function(data, _common[common])
    return result if isinstance(result, bytes) else result_bytes(result)


def call(function: Callable[..., Any], arguments: Sequence[Any], expected: str) -> Any:
    """Calls a function that can be imported, as `perform` runs a job, and hands back what it returns as it is.

    Raises:
        OtherVersionError: This process has another build.
    """
    with _alone(expected):
        return function(*arguments)


@contextmanager
def _alone(expected: str) -> Iterator[None]:
    """Within this block nothing else runs here; raises `OtherVersionError` where this process has another build."""
    if expected != build():
        raise OtherVersionError(build())
    os.environ.setdefault(THREADS_CHOICE, "1")
    with _one_at_a_time:
        yield


def other_version(found: str, expected: str) -> SceneError:
    """The refusal of workers that have another build than the one expected."""
    return SceneError(found, f"{expected}, as here, on every machine", key="--on")


def result_bytes(result: Any) -> bytes:
    """Plain data as the bytes that its file holds."""
    return (json.dumps(result, sort_keys=True, allow_nan=False, indent=1) + "\n").encode()
