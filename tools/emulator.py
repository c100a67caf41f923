"""Find the emulator of arm64, or fetch Debian's into .cache/qemu; nothing is installed on the machine itself.

    python3 tools/emulator.py

Prints its path. Exit 3, with one line that says why, if it is not available. Needs nothing but the standard library.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / ".cache" / "qemu"
NAMES = "qemu-aarch64-static", "qemu-aarch64"
PACKAGE = "qemu-user-static"
COMMANDS = "apt-get", "dpkg-deb"
CANNOT = 3


def main() -> int:
    """Prints where the emulator is, or why there is none."""
    try:
        print(find() or fetched())
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", None) or str(error)
        print(f"emulator: no qemu-aarch64 here, and none to be had: {said.strip().splitlines()[-1]}", file=sys.stderr)
        return CANNOT
    return 0


def find() -> str | None:
    """The emulator on the path, or one fetched before."""
    path = f"{FOLDER / 'usr' / 'bin'}"
    return next((found for name in NAMES if (found := shutil.which(name) or shutil.which(name, path=path))), None)


def fetched() -> str:
    """Debian's emulator, unpacked into a folder of ours.

    Raises:
        OSError: This is no Debian, or its package holds no such program.
        subprocess.CalledProcessError: Its mirror does not answer.
    """
    missing = [name for name in COMMANDS if shutil.which(name) is None]
    if missing:
        raise OSError(f"{' and '.join(missing)} missing, so Debian's {PACKAGE} cannot be fetched")
    FOLDER.mkdir(parents=True, exist_ok=True)
    subprocess.run(["apt-get", "-qq", "download", PACKAGE], cwd=FOLDER, check=True, capture_output=True, text=True)
    package = str(max(FOLDER.glob(f"{PACKAGE}_*.deb")))
    subprocess.run(["dpkg-deb", "-x", package, str(FOLDER)], check=True, capture_output=True, text=True)
    if (program := find()) is None:
        raise OSError(f"Debian's {PACKAGE} holds none of {', '.join(NAMES)}")
    return program


if __name__ == "__main__":
    sys.exit(main())
