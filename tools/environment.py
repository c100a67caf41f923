"""Makes a virtual environment with bpy and this checkout in it, or finds the one made before.

    python3 tools/environment.py EXTRA ...              the default: .venv
    python3 tools/environment.py --bpy 5.0 EXTRA ...    one bpy of several: .venv-5.0
    python3 tools/environment.py --others               the series of bpy that are not the default; makes nothing
    python3 tools/environment.py --newer                the series that PyPI has and this file does not know

Prints the path of the environment's Python. Exit 3, with one line on standard error, if this machine lacks the
Python that a bpy was built for. Needs nothing but the standard library, of any Python from 3.8.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON_OF_BPY = {"4.5": "3.11", "5.0": "3.11", "5.1": "3.13", "5.2": "3.13", "5.3": "3.13"}
DEFAULT_BPY = {"3.11": "4.5", "3.13": "5.2"}
PYTHON_MISSING = 3
NEWEST_PYTHON = 20
"""The newest minor version of Python 3 for which a newer bpy is looked for."""
ENVIRONMENT_BYTES = 2_000_000_000
"""Disk space of an environment: 1.2 GB, and as much again while pip unpacks the largest package."""


class UnmadeError(Exception):
    """The reason why an environment cannot be made, in one line."""


def main() -> int:
    """Makes the environment of the command line."""
    parser = argparse.ArgumentParser(description="Makes a virtual environment with bpy and this checkout in it.")
    parser.add_argument("--bpy", choices=sorted(PYTHON_OF_BPY), help="series of bpy, by default the one for python3")
    parser.add_argument("--others", action="store_true", help="print the other series of bpy and make nothing")
    parser.add_argument("--newer", action="store_true", help="say which newer series of bpy there are; make nothing")
    parser.add_argument("extras", nargs="*", metavar="EXTRA", help="extras of pyproject.toml to install")
    arguments = parser.parse_args()
    if arguments.others:
        print(*(series for series in PYTHON_OF_BPY if series != default_bpy()))
        return 0
    if arguments.newer:
        for line in newer_series():
            print(line)
        return 0
    bpy = arguments.bpy or default_bpy()
    interpreter = find_python(PYTHON_OF_BPY[bpy])
    if interpreter is None:
        say(f"bpy {bpy} needs Python {PYTHON_OF_BPY[bpy]}, which is not on this machine")
        return PYTHON_MISSING
    folder = ROOT / (f".venv-{arguments.bpy}" if arguments.bpy else ".venv")
    extras = [*arguments.extras, *([] if has_compiler() else ["zig"])]
    python, anew = make(folder, interpreter, bpy, extras)
    build_kernel(python, anew)
    print(python)
    return 0


def default_bpy() -> str:
    """The bpy for the Python that runs this file, else for any installed Python."""
    running = "{}.{}".format(*sys.version_info[:2])
    if running in DEFAULT_BPY and version_of(sys.executable) == running:
        return DEFAULT_BPY[running]
    here = [python for python in DEFAULT_BPY if find_python(python)]
    return DEFAULT_BPY[here[0] if here else "3.11"]


def find_python(version: str) -> str | None:
    """An interpreter of this version that can make environments, on the path or among those of pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    candidates = [sys.executable, shutil.which(f"python{version}")]
    candidates += sorted(map(str, pyenv.glob(f"versions/{version}*/bin/python")), reverse=True)
    candidates += [f"{folder}/python{version}" for folder in ("/usr/local/bin", "/usr/bin", "/opt/homebrew/bin")]
    return next((path for path in candidates if path and version_of(path) == version), None)


def version_of(interpreter: str) -> str | None:
    """Major and minor version of an interpreter; None if it does not run (a shim) or cannot make environments."""
    question = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"
    try:
        answer = subprocess.run([interpreter, "-c", question], capture_output=True, text=True, check=False)
    except OSError:
        return None
    return answer.stdout.strip() if answer.returncode == 0 else None


def make(folder: Path, interpreter: str, bpy: str, extras: list[str]) -> tuple[Path, bool]:
    """Makes or completes the environment in `folder`; does nothing if pyproject.toml has not changed since.

    Returns:
        Its Python, and True if anything was installed.
    """
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    version = PYTHON_OF_BPY[bpy]
    free = shutil.disk_usage(ROOT).free
    if not (folder / "bpy.installed").exists() and free < ENVIRONMENT_BYTES:
        gigabytes = f"{free / 1e9:.1f} GB free on the disk of {ROOT}"
        raise UnmadeError(f"found {gigabytes}, needed {ENVIRONMENT_BYTES / 1e9:.0f} GB for {folder.name}")
    if not python.exists() or version_of(str(python)) != version:
        say(f"making {folder.name} with Python {version}")
        subprocess.run([interpreter, "-m", "venv", "--clear", str(folder)], check=True, stdout=sys.stderr)
    state = hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + bpy.encode()).hexdigest()
    stamps = [folder / f"{extra}.installed" for extra in ("bpy", *extras)]
    anew = any(not stamp.exists() or stamp.read_text() != state for stamp in stamps)
    if anew:
        what = ", ".join(["artfish", *extras])
        say(f"installing bpy {bpy}, {what} into {folder.name} (the first time 1.2 GB, 500 MB of it fetched)")
        checkout = f"{ROOT}[{','.join(extras)}]" if extras else str(ROOT)
        install(python, f"bpy=={bpy}.*", "--editable", checkout)
        for stamp in stamps:
            stamp.write_text(state)
    return python, anew


def install(python: Path, *what: str) -> None:
    """Installs packages with pip, which leaves it to Python to compile what is imported: a tenth of all files.

    Raises:
        UnmadeError: It fails, with the cause from its output.
    """
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile", *what]
    result = subprocess.run(command, stdout=sys.stderr, stderr=subprocess.PIPE, text=True, check=False)
    if result.returncode:
        raise UnmadeError(f"pip cannot install {' '.join(what)}: {cause(result.stderr)}")


def cause(said: str) -> str:
    """Why pip failed, in a line, with a hint if one helps.

    The error raised by a build says more than pip's own; of pip's own errors the first is the most specific.
    """
    raised = re.findall(r"^ +((?:[\w.]+Error|error): .*\S)", said, re.MULTILINE)
    lines = [line.partition("ERROR:")[2].strip() for line in said.splitlines() if "ERROR:" in line]
    why = next((line for line in lines if line), (said.strip().splitlines() or ["it does not say why"])[-1])
    why = f"{why} ({raised[-1]})" if raised else why
    if os.environ.get("PIP_NO_INDEX"):
        return f"{why} (PIP_NO_INDEX is set, so that it looks nowhere)"
    if "No matching distribution" in said or "Could not find a version" in said:
        return f"{why} (is there a network, and does the index that pip is set to have it?)"
    return why


def newer_series() -> list[str]:
    """A line for each series of bpy that the index has for any Python and this file lacks, or why there is none."""
    newest = max(tuple(map(int, series.split("."))) for series in PYTHON_OF_BPY)
    found = set()
    for minor in range(11, NEWEST_PYTHON + 1):
        ask = [sys.executable, "-m", "pip", "index", "versions", "bpy", "--python-version", f"3.{minor}"]
        answer = subprocess.run(ask, capture_output=True, text=True, check=False).stdout
        found |= {(int(major), int(minor)) for major, minor in re.findall(r"\b(\d+)\.(\d+)\.\d+\b", answer)}
    if not found:
        return ["no index of packages answers: which bpy is the newest is not known"]
    newer = sorted(series for series in found if series > newest)
    return [f"bpy {major}.{minor} is out, which PYTHON_OF_BPY does not have yet" for major, minor in newer] or [
        "bpy {}.{} is the newest series".format(*newest)
    ]


def has_compiler() -> bool:
    """True if this machine has a C compiler of its own."""
    return any(shutil.which(name) for name in (os.environ.get("CC", "cc"), "gcc", "clang"))


def build_kernel(python: Path, anew: bool) -> None:
    """Builds the compiled step of the body if it is not up to date.

    Reports which compiler built it, or why none did, if that is news. A package installed `anew` was built by pip,
    which shows nothing.
    """
    build = [str(python), str(ROOT / "tools" / "kernel.py")]
    result = subprocess.run(build, capture_output=True, text=True, check=False)
    if anew or "up to date" not in result.stdout:
        say((result.stdout + result.stderr).strip().removeprefix("kernel: "))


def say(line: str) -> None:
    """Prints progress to standard error; standard output holds the answer."""
    print(f"artfish: {line}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UnmadeError as error:
        say(f"stopped: {error}")
        sys.exit(1)
    except subprocess.CalledProcessError as error:
        say(f"stopped: {' '.join(map(str, error.cmd))} failed")
        sys.exit(1)
