"""Build of the compiled library along with the package: a wheel of Artfish is for one platform, with its library.

The checkout itself is the package, as Blender loads the same folder as its extension; so the package's contents are
found here by rule: every folder of its rooms, with the files that are no Python and that git does not ignore. The
environment variable ARTFISH_PLATFORM, as in windows-arm64, builds a wheel for another machine than this one.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from setuptools import Distribution, find_packages, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.errors import BaseError

ROOT = Path(__file__).resolve().parent
TOOL = ROOT / "tools" / "kernel.py"
ROOMS = ("benchmarks", "blender_artfish", "core", "studies")
DATA = ("*.json", "*.npz", "*.po")
"""Files of a room beside Python; the library is the platform's own, and is added where it is built."""
ZIG = "zig"
"""The extra of pyproject.toml with a compiler for every platform."""


class NoKernelError(BaseError):
    """The library could not be built; a package without it would be another, slower one."""


class BuildWithKernel(build_py):
    """The package's modules and data, and the library of its platform."""

    def run(self) -> None:
        """Builds the library beside its source; a wheel gets a copy of that library only."""
        build_library()
        super().run()
        if not self.editable_mode:
            name = built("library_name")
            for file in (name, f"{name}.sha256"):
                source = ROOT / "core" / "compiled" / file
                self.copy_file(str(source), os.path.join(self.build_lib, "artfish", "core", "compiled", file))


class PlatformWheel(bdist_wheel):
    """A wheel for any Python 3 on a platform: the library does not depend on Python."""

    def get_tag(self) -> tuple[str, str, str]:
        """The wheel's tag, which depends on the C library that the library needs; so that is built first."""
        build_library()
        return "py3", "none", built("tag")


class Compiled(Distribution):
    """A distribution that is not pure Python."""

    def has_ext_modules(self) -> bool:
        """True, as the library counts as one."""
        return True


def build_library() -> None:
    """Builds the library beside its source, unless it is there and up to date.

    Raises:
        NoKernelError: It cannot be built.
    """
    if subprocess.run([sys.executable, str(TOOL), *platform_options()], check=False).returncode:
        raise NoKernelError("artfish: the kernel cannot be built, and there is no package without it")


def platform_options() -> list[str]:
    """Options that give tools/kernel.py the platform; libraries for other machines are built by zig."""
    name = os.environ.get("ARTFISH_PLATFORM")
    return ["--platform", name, "--compiler", "zig"] if name else []


def built(what: str) -> str:
    """An answer of tools/kernel.py about the library: its file's name, or the tag of a wheel with it."""
    ask = [sys.executable, str(TOOL), *platform_options(), "--tell", what]
    return subprocess.run(ask, check=True, capture_output=True, text=True).stdout.strip()


def compilers() -> list[str]:
    """Requirements of the build: a compiler, if this machine has none for the platform."""
    if subprocess.run([sys.executable, str(TOOL), *platform_options(), "--tell", "compiler"], check=False).returncode:
        return list(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"][ZIG])
    return []


def description() -> str:
    """README.md for PyPI, which has none of its files: links and pictures lead to the repository."""
    address = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]["Repository"]
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    text = re.sub(r"(!\[[^]]*\])\((?!https?:)([^)]+)\)", rf"\1({address}/raw/main/\2)", text)
    return re.sub(r"(?<!!)(\[[^]]*\])\((?!https?:|#)([^)]+)\)", rf"\1({address}/blob/main/\2)", text)


packages = ["artfish", *(f"artfish.{name}" for name in find_packages(str(ROOT)) if name.partition(".")[0] in ROOMS)]
data = {name: list(DATA) for name in packages if name != "artfish"}
presets = [f"presets/{depth}*.{kind}" for depth in ("*/", "*/*/") for kind in ("json", "obj", "png")]
setup(
    long_description=description(),
    long_description_content_type="text/markdown",
    package_dir={"artfish": "."},
    packages=packages,
    package_data={"artfish": ["py.typed", *presets], **data, "artfish.benchmarks": ["*.c"]},
    include_package_data=False,
    setup_requires=compilers(),
    distclass=Compiled,
    cmdclass={"build_py": BuildWithKernel, "bdist_wheel": PlatformWheel},
)
