"""Builds the compiled step of the body along with the package; without a C compiler the package runs on NumPy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent


class BuildWithKernel(build_py):
    """The package's modules, and the library where a compiler is here."""

    def run(self) -> None:
        """Builds the library beside its source, from where it is packed as data."""
        result = subprocess.run([sys.executable, str(ROOT / "tools" / "kernel.py")], check=False)
        if result.returncode:
            self.announce("artfish: no kernel was built, so bodies are moved by NumPy, more slowly", level=3)
        super().run()


class PlatformWheel(bdist_wheel):
    """A wheel for any Python 3 of this platform: the library knows no Python."""

    def get_tag(self) -> tuple[str, str, str]:
        """The wheel's tag."""
        return "py3", "none", super().get_tag()[2]


class Compiled(Distribution):
    """What is packed is not pure Python."""

    def has_ext_modules(self) -> bool:
        """The library counts as one."""
        return True


setup(distclass=Compiled, cmdclass={"build_py": BuildWithKernel, "bdist_wheel": PlatformWheel})
