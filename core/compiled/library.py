"""Finds and loads the compiled step: which builds of it are here, and the one to use."""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import os
import platform
from pathlib import Path
from typing import Any

from ..base.codec import SceneError
from ..base.threads import Crew
from .declarations import Declaration, Record

LANES = {"sse2": 4, "avx2": 8, "avx512": 16, "neon": 4}
"""The builds there are, narrow ones first, and how many fishes a register holds in each."""
CREW = "share", "settled", "help", "alone"
"""The functions that share work out among threads, crew.c."""
FOLDER_CHOICE = "ARTFISH_LIBRARY"
"""The environment variable that names a folder in which the library is looked for first; for tests."""
KERNEL_CHOICE = "ARTFISH_KERNEL"
"""The environment variable that names the build to use; for tests."""
DIGEST_SUFFIX = ".sha256"
"""Ending of the file beside the library that holds its digest."""
INSTALLATION = (
    "a whole one, for Linux, Windows or macOS on x64 or arm64: install Artfish anew, or in a checkout run make kernel"
)
"""The installation that is needed, and how to get it."""
WHEEL = "artfish_kernel"
"""The package that carries the library into Blender."""

_SUFFIXES = {"Linux": ".so", "Windows": ".dll", "Darwin": ".dylib"}
_SYSTEMS = {"Linux": "linux", "Windows": "windows", "Darwin": "macos"}
_MACHINES = {"x86_64": "x64", "amd64": "x64", "arm64": "arm64", "aarch64": "arm64"}
_PLATFORMS = "linux-x64", "linux-arm64", "windows-x64", "windows-arm64", "macos-arm64", "macos-x64"


class Missing(Exception):
    """There is no library, or it cannot be used; the message says why in a line."""


class MissingLibraryError(SceneError):
    """A world was asked for where there is no library."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"no compiled part of Artfish, without which no fish swims ({reason})", INSTALLATION)


def file_name() -> str:
    """The library's name on this machine.

    Raises:
        Missing: No library is built for it.
    """
    system, machine = platform.system(), platform.machine()
    name = f"{_SYSTEMS.get(system)}-{_MACHINES.get(machine.lower())}"
    if name not in _PLATFORMS:
        raise Missing(f"no kernel is built for {system} on {machine}")
    return f"artfish_kernel-{name}{_SUFFIXES[system]}"


def find() -> Path:
    """The library: where `FOLDER_CHOICE` says, where a checkout builds it, or in the wheel that Blender has installed.

    Raises:
        Missing: If it is in neither.
    """
    name = file_name()
    folders = [Path(__file__).parent]
    if choice := os.environ.get(FOLDER_CHOICE, ""):
        folders.insert(0, Path(choice))
    wheel = importlib.util.find_spec(WHEEL)
    if wheel is not None and wheel.submodule_search_locations:
        folders += map(Path, wheel.submodule_search_locations)
    for folder in folders:
        if (folder / name).is_file():
            return folder / name
    raise Missing(f"{name} is not here")


class Library:
    """The loaded library.

    Attributes:
        widest: The name of the widest build that this processor runs.
        builds: Builds that it runs, by name: the functions that move a block by some steps,
        swims: and the functions that move a whole shoal by a frame.
        crew: The functions that share out rows among threads.
    """

    def __init__(self, path: Path):
        """Loads it.

        A part of a library may load and end the whole program later, so its digest, in a file beside it, comes first.

        Raises:
            Missing: If it is damaged, or cannot be loaded.
        """
        try:
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            if path.with_name(path.name + DIGEST_SUFFIX).read_text().strip() != digest:
                raise Missing(f"{path.name} is damaged")
            handle = ctypes.CDLL(str(path))
            widest, declared = handle.artfish_widest, handle.artfish_declared
        except (OSError, AttributeError, UnicodeDecodeError) as error:
            raise Missing(f"{path.name} cannot be loaded ({str(error).splitlines()[0][:200]})") from None
        widest.restype = declared.restype = ctypes.c_char_p
        self._handle, self._name = handle, path.name
        self._layouts = dict(line.split() for line in declared().decode().splitlines())
        self.widest = widest().decode()
        order = list(LANES)
        runs = ["neon"] if self.widest == "neon" else order[: order.index(self.widest) + 1]
        self.builds = {name: getattr(handle, f"artfish_move_{name}") for name in runs}
        for function in self.builds.values():
            function.restype = None
            function.argtypes = [ctypes.c_void_p, *[ctypes.c_int64] * 4, *[ctypes.c_void_p] * 5]
        self.swims = {name: getattr(handle, f"artfish_swim_{name}") for name in runs}
        for function in self.swims.values():
            function.restype, function.argtypes = None, [ctypes.c_void_p]
        share, settled, lend, alone = (getattr(handle, f"artfish_{name}") for name in CREW)
        for function in (share, settled):
            function.restype = ctypes.c_int32
        share.argtypes = [*[ctypes.c_void_p] * 2, *[ctypes.c_int64] * 2]
        lend.restype, lend.argtypes, alone.restype = None, [ctypes.c_int64], None
        self.crew = Crew(share, settled, lend, alone)

    def check(self, declaration: Record, there: bool = True) -> None:
        """Refuses a declaration that is not `there`, or of which it has another.

        Raises:
            Missing: The library has none of this name, or of another layout.
        """
        if not there or self._layouts.get(declaration.name) != declaration.digest:
            raise Missing(f"{self._name} is of another version of Artfish, as its {declaration.name} tells")

    def function(self, declaration: Declaration) -> Any:
        """A function, as it is declared.

        Raises:
            Missing: As `check`.
        """
        function: Any = getattr(self._handle, f"artfish_{declaration.name}", None)
        self.check(declaration, function is not None)
        span = [ctypes.c_int64, ctypes.c_int64] if declaration.over else []
        function.restype, function.argtypes = ctypes.c_int32, [ctypes.c_void_p, *span]
        function.place = ctypes.cast(function, ctypes.c_void_p).value
        return function


def load() -> tuple[Library | None, str, str]:
    """The library, the name of the build to use, and why there is none; `KERNEL_CHOICE` may choose.

    Raises:
        ValueError: `KERNEL_CHOICE` names no build, or one that is not here.
    """
    choice = os.environ.get(KERNEL_CHOICE, "")
    if choice and choice not in LANES:
        raise ValueError(f"{KERNEL_CHOICE}: found {choice[:40]!r}, allowed {', '.join(LANES)}")
    try:
        library = Library(find())
    except Missing as reason:
        if choice:
            raise ValueError(f"{KERNEL_CHOICE}: found {choice!r}, but {reason}") from None
        return None, "", str(reason)
    if choice and choice not in library.builds:
        raise ValueError(f"{KERNEL_CHOICE}: found {choice!r}, allowed on this processor {', '.join(library.builds)}")
    return library, choice or library.widest, ""


class Use:
    """The part of the library that is in use.

    Attributes:
        loaded: The library, if one is here that this processor can run.
        name: The build that moves bodies: "avx512", "avx2", "sse2" or "neon"; empty where no library is. The
            environment variable `ARTFISH_KERNEL` chooses one of them when this package is imported.
        reason: Why no library is here, in a line; empty where one is.
    """

    def __init__(self) -> None:
        """Loads it.

        Raises:
            ValueError: See `load`.
        """
        self.loaded, self.name, self.reason = load()

    def required(self, *records: Record) -> Library:
        """The library, which a world needs, and which has these records as they are declared.

        Raises:
            MissingLibraryError: There is none, or of another version.
        """
        if self.loaded is None:
            raise MissingLibraryError(self.reason)
        try:
            for one in records:
                self.loaded.check(one)
        except Missing as reason:
            raise MissingLibraryError(str(reason)) from None
        return self.loaded

    def function(self, declaration: Declaration) -> Any:
        """A function of the library, or None where it is not in use, as from now on where it is of another version.

        Raises:
            ValueError: It is, though `KERNEL_CHOICE` names a build of it.
        """
        if self.loaded is None:
            return None
        try:
            return self.loaded.function(declaration)
        except Missing as reason:
            if choice := os.environ.get(KERNEL_CHOICE):
                raise ValueError(f"{KERNEL_CHOICE}: found {choice!r}, but {reason}") from None
            self.loaded, self.name, self.reason = None, "", str(reason)
            return None


use = Use()
