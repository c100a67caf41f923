"""A Blender with its window, on a machine without a screen: Debian's, in a root folder of its own, under Xvfb.

    python tools/gui.py check                       exit 3, with one line that says why, where this machine cannot
    python tools/gui.py setup                       makes the root once: a minute or two and 2 GB
    python tools/gui.py profile FOLDER              a home folder in which this checkout's extension is installed
    python tools/gui.py run DRIVER [--out FOLDER]   one session of Blender, led by a driver (see tests/gui/README.md)

The root is kept outside the checkout, in $ARTFISH_GUI_ROOT or else in the user's cache, and is read-only once
made: sessions have mounts, processes, network and /tmp of their own, so several may run at a time. Deleting its
folder removes it; `setup --renew` makes it anew with Debian's current Blender.
Nothing is installed on the machine itself. Needs nothing but the standard library.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

CHECKOUT = Path(__file__).resolve().parent.parent
TESTS = CHECKOUT / "tests" / "gui"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
ROOT = Path(os.environ.get("ARTFISH_GUI_ROOT") or CACHE / "artfish" / "gui")

SUITE = "sid"  # trixie's Blender is 4.3, older than the extension allows
PACKAGES = (
    *("blender", "xvfb", "xauth", "xdotool", "imagemagick", "procps"),
    *("libgl1-mesa-dri", "libgl1", "libegl1"),
    *("python3-numpy", "python3-scipy"),  # Debian's Blender has no numpy of its own
    *("python3-cattr", "python3-requests", "python3-zstandard"),  # Blender's extension manager wants them
)
COMMANDS = ("apt-get", "chroot", "dpkg-deb", "gpgv", "mount", "unshare", "wget")
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")

CANNOT = 3
SIZE = "1600x1000"
SECONDS = 180
WRONG = (
    r"^Traceback",
    r"\| (ERROR|FATAL)\b",
    r"^Error\b",
    r"UILayout\.\w+\(\): ",
    r"^search for unknown ",
    r"(?i)^(template_|uiTemplate|ui_?item|rna_uiItem)\w*: ",
    r"(?i)\bcrash",
)
"""Patterns of errors in Blender's log: it prints these and goes on, with exit code 0."""

# Mounts that vanish with the session. Not `exec chroot`: bash stays process 1, which `timeout` must not be.
SESSION = r"""
set -e
root=$1 work=$2 tests=$3 shaders=$4; shift 4
mount --bind "$root" "$root"; mount -o remount,bind,ro "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/dev"; mkdir "$root/dev/shm" "$root/dev/pts"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"; ln -s pts/ptmx "$root/dev/ptmx"
for node in null zero full random urandom tty; do
    touch "$root/dev/$node"; mount --bind "/dev/$node" "$root/dev/$node"
done
mount -t tmpfs tmpfs "$root/tmp"; mkdir -m 1777 "$root/tmp/.X11-unix"
mount --bind "$work" "$root/gui/work"
mount --bind "$shaders" "$root/gui/shaders"
mount --bind "$tests" "$root/gui/tests"; mount -o remount,bind,ro "$root/gui/tests"
chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/gui/work/home LC_ALL=C.UTF-8 \
    LIBGL_ALWAYS_SOFTWARE=1 ${LP_NUM_THREADS+LP_NUM_THREADS=$LP_NUM_THREADS} \
    MESA_SHADER_CACHE_DIR=/gui/shaders PYTHONDONTWRITEBYTECODE=1 "$@" || exit $?
"""

# The same, writable and with the network, while the root is being made.
SETUP = r"""
set -e
root=$1; shift
mount -t proc proc "$root/proc"; mkdir -p "$root/dev/shm"; mount -t tmpfs tmpfs "$root/dev/shm"
chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive "$@" || exit $?
"""


class GuiError(Exception):
    """An error of a session, in one line."""


def main() -> int:
    """Runs the command of the command line."""
    parser = argparse.ArgumentParser(description="A Blender with its window, on a machine without a screen.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("check", help="say why this machine cannot, with exit code 3")
    command = commands.add_parser("setup", help="make the root, unless it is there")
    command.add_argument("--renew", action="store_true", help="make it anew")
    command = commands.add_parser("profile", help="make a home folder with this checkout's extension installed")
    command.add_argument("folder", type=Path)
    command = commands.add_parser("run", help="run one session of Blender, led by a driver")
    command.add_argument("driver", help="a file, or the name of one in tests/gui/drivers")
    command.add_argument("--out", type=Path, help="folder for pictures, results and the log, by default out/gui/DRIVER")
    command.add_argument("--profile", type=Path, help="what `profile` made; by default one is made for this session")
    command.add_argument("--size", default=SIZE, help=f"of the screen, by default {SIZE}")
    command.add_argument("--seconds", type=float, default=SECONDS, help=f"to live, by default {SECONDS}")
    command.add_argument("--allow", action="append", default=[], help="regular expression of lines that may look wrong")
    arguments = parser.parse_args()
    try:
        if arguments.command == "check":
            require_able()
        elif arguments.command == "setup":
            print(make_root(arguments.renew))
        elif arguments.command == "profile":
            make_profile(arguments.folder)
        else:
            driver = find_driver(arguments.driver)
            out = arguments.out or CHECKOUT / "out" / "gui" / driver.stem
            run(driver, out, arguments.profile, arguments.size, arguments.seconds, arguments.allow)
    except GuiError as error:
        say(str(error))
        return CANNOT if arguments.command in ("check", "setup") else 1
    return 0


# --- the root -----------------------------------------------------------------------------------------------------


def stamp() -> Path:
    """The file that marks a whole root, made for these packages."""
    made_for = hashlib.sha256(repr((SUITE, PACKAGES)).encode()).hexdigest()[:12]
    return ROOT / SUITE / f".artfish-{made_for}"


def require_able() -> None:
    """Checks that this machine can make and use a root.

    Raises:
        GuiError: It cannot; the message says why.
    """
    if not sys.platform.startswith("linux"):
        raise GuiError("GUI tests need Linux")
    if os.geteuid() != 0:
        raise GuiError("GUI tests need root, for chroot and private mounts")
    lacking = [command for command in COMMANDS if shutil.which(command) is None]
    if lacking:
        raise GuiError(f"GUI tests need {', '.join(lacking)}, which this machine lacks")
    if subprocess.run(["unshare", "--mount", "--pid", "--fork", "--net", "true"], capture_output=True).returncode:
        raise GuiError("GUI tests need private mounts, which this machine (a container?) does not allow")
    if stamp().exists():
        return
    if not KEYRING.exists():
        raise GuiError(f"GUI tests need {KEYRING} (package debian-archive-keyring) to check what they install")
    try:
        urllib.request.urlopen(f"{mirror()}/dists/{SUITE}/InRelease", timeout=30).close()
    except (urllib.error.URLError, OSError) as error:
        raise GuiError(f"GUI tests need Blender from {mirror()}, which cannot be reached ({error})") from error


def mirror() -> str:
    """The Debian mirror of this machine's apt, which may be the only one within reach.

    Raises:
        GuiError: Its apt uses none.
    """
    folder = Path("/etc/apt")
    files = [folder / "sources.list", *sorted(folder.glob("sources.list.d/*"))]
    text = "\n".join(file.read_text(errors="replace") for file in files if file.is_file())
    addresses = re.findall(r"^(?:URIs:|deb\s+(?:\[.*?\]\s+)?)\s*(https?://\S+)", text, re.MULTILINE)
    ours = [url.rstrip("/") for url in addresses if re.search(r"/debian/?$", url) and "security" not in url]
    if not ours:
        raise GuiError(f"GUI tests need a mirror of Debian, and {folder} on this machine names none")
    return ours[0]


def make_root(renew: bool = False) -> Path:
    """Makes the root unless it is there; whole or not at all, and once for parallel callers.

    Raises:
        GuiError: It cannot be made.
    """
    require_able()
    ROOT.mkdir(parents=True, exist_ok=True)
    final = ROOT / SUITE
    with locked(ROOT / "lock"):
        if stamp().exists() and not renew:
            return final
        part, log = ROOT / f"{SUITE}.part", ROOT / "setup.log"
        say(f"making {final} (once; some 2 GB; {log} tells how it goes)")
        begun = time.monotonic()
        remove(part)
        with log.open("wb") as out:
            try:
                bootstrap(part, out)
            except subprocess.CalledProcessError as error:
                last = log.read_text(errors="replace").strip().splitlines()[-1:]
                raise GuiError(f"setup failed at {Path(error.cmd[0]).name}: {' '.join(last)} ({log})") from error
        (part / stamp().name).touch()
        remove(final)
        part.rename(final)
        say(f"made in {time.monotonic() - begun:.0f} s: {version(final)}")
    return final


def bootstrap(part: Path, log: IO[bytes]) -> None:
    """Installs Debian's base, Blender and the packages to run it without a screen, into `part`."""

    def step(*command: str | Path, cwd: str | None = None) -> None:
        subprocess.run(list(map(str, command)), check=True, stdout=log, stderr=subprocess.STDOUT, cwd=cwd)

    def inside(*command: str) -> None:
        step("unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c", SETUP, "-", part, *command)

    with tempfile.TemporaryDirectory() as folder:
        debootstrap = shutil.which("debootstrap")
        if debootstrap is None:  # unpacked beside, not installed: the machine stays as it is
            step("apt-get", "update")
            step("apt-get", "download", "debootstrap", cwd=folder)
            (package,) = Path(folder).glob("*.deb")
            step("dpkg-deb", "--extract", package, folder)
            debootstrap = f"{folder}/usr/sbin/debootstrap"
            os.environ["DEBOOTSTRAP_DIR"] = f"{folder}/usr/share/debootstrap"
        options = ["--variant=minbase", "--include=ca-certificates", f"--keyring={KEYRING}"]
        step(debootstrap, *options, SUITE, part, mirror())
    # A machine with a wrong clock, or an outdated mirror, still gets packages signed by Debian.
    rules = ["Acquire::Check-Valid-Until", "Acquire::Check-Date"]
    (part / "etc/apt/apt.conf.d/99artfish").write_text("".join(f'{rule} "false";\n' for rule in rules))
    policy = part / "usr/sbin/policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 101\n")  # no package starts a service
    policy.chmod(0o755)
    inside("apt-get", "update")
    inside("apt-get", "install", "-y", "--no-install-recommends", *PACKAGES)
    inside("apt-get", "clean")
    mounts = part / "etc/mtab"
    mounts.unlink(missing_ok=True)
    mounts.symlink_to("/proc/self/mounts")
    for folder in ("gui/work", "gui/tests", "gui/shaders"):
        (part / folder).mkdir(parents=True)


def version(root: Path) -> str:
    """The version of the root's Blender package."""
    text = (root / "var/lib/dpkg/status").read_text()
    found = re.search(r"^Package: blender\n(?:.+\n)*?Version: (\S+)", text, re.MULTILINE)
    return f"Blender {found[1]}" if found else "no Blender"


def remove(folder: Path) -> None:
    """Deletes a root; never across a mount point."""
    subprocess.run(["rm", "-rf", "--one-file-system", str(folder)], check=True)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Holds a lock file within the block."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


# --- sessions -----------------------------------------------------------------------------------------------------


def shaders(root: Path) -> Path:
    """Folder in which sessions keep Mesa's compiled shaders: it saves some 4 s at each start."""
    return root.with_name(f"{root.name}.shaders")


def make_profile(folder: Path) -> None:
    """Builds the extension and has Blender install it into an empty home folder.

    Raises:
        GuiError: Blender refuses the extension.
    """
    root = make_root()
    with tempfile.TemporaryDirectory() as place:
        work = Path(place)
        (work / "home").mkdir()
        build = [sys.executable, str(CHECKOUT / "tools/extension.py"), "--platform", "linux-x64", "--without-scipy"]
        built = subprocess.run([*build, "--output", place], capture_output=True, text=True, check=False)
        if built.returncode:
            raise GuiError(f"the extension cannot be built:\n{built.stdout}{built.stderr}")
        (archive,) = work.glob("*.zip")
        install = ["--offline-mode", "--command", "extension", "install-file", "--repo", "user_default", "--enable"]
        code, said = in_session(root, work, ["blender", *install, f"/gui/work/{archive.name}"], 120)
        if code or wrong_lines(said, []):
            raise GuiError(f"Blender does not install the extension (exit code {code}):\n{said}")
        shutil.copytree(work / "home", folder, symlinks=True)


def find_driver(name: str) -> Path:
    """A driver by its path, or by its name in tests/gui/drivers."""
    for path in (Path(name), TESTS / "drivers" / name, TESTS / "drivers" / f"{name}.py"):
        if path.is_file():
            return path.resolve()
    raise GuiError(f"driver: found {name!r}, allowed a file or one of {', '.join(sorted(drivers()))}")


def drivers() -> list[str]:
    """The names of the drivers in tests/gui/drivers."""
    return [path.stem for path in (TESTS / "drivers").glob("*.py")]


def run(driver: Path, out: Path, profile: Path | None, size: str, seconds: float, allow: list[str]) -> None:
    """Runs one session; `out` then holds blender.log, results.json and the pictures.

    Raises:
        GuiError: The driver failed, Blender ended badly, or its log shows an error.
    """
    root = make_root()
    remove(out)
    out.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as place:
        work = Path(place)
        if profile is None:
            make_profile(work / "home")
        else:
            shutil.copytree(profile, work / "home", symlinks=True)
        (work / "out").mkdir()
        shutil.copyfile(driver, work / "driver.py")
        width, height = size.split("x")
        start = "import sys; sys.path.append('/gui/tests'); import driver; driver.start('/gui/work/driver.py')"
        screen = ["xvfb-run", "--auto-servernum", f"--server-args=-screen 0 {size}x24 -nolisten tcp"]
        blender = [
            "stdbuf",
            "--output=L",
            "blender",
            "--offline-mode",
            "--window-geometry",
            "0",
            "0",
            width,
            height,
            "--python-expr",
            start,
        ]
        code, said = in_session(root, work, [*screen, *blender], seconds)
        (out / "blender.log").write_text(said)
        shutil.copytree(work / "out", out, dirs_exist_ok=True)
    name, hint = driver.stem, f"see {out / 'blender.log'}"
    if code == 124:
        raise GuiError(f"{name} was not done in {seconds:g} s, {hint}:\n{tail(said)}")
    if code:
        raise GuiError(f"{name} failed (exit code {code}), {hint}:\n{tail(said)}")
    if lines := wrong_lines(said, allow):
        raise GuiError(f"{name}: Blender's log says that something is wrong, {hint}:\n" + "\n".join(lines))
    results = out / "results.json"
    if not results.exists() or not json.loads(results.read_text())["finished"]:
        raise GuiError(f"{name} did not come to its end, {hint}:\n{tail(said)}")


def in_session(root: Path, work: Path, command: list[str], seconds: float) -> tuple[int, str]:
    """Exit code of a command inside the root, 124 if it took too long, and its output."""
    shaders(root).mkdir(exist_ok=True)
    unshare = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--net", "bash", "-c", SESSION, "-"]
    timeout = ["timeout", "--kill-after", "5", f"{seconds:g}"]
    done = subprocess.run(
        [*unshare, str(root), str(work), str(TESTS), str(shaders(root)), *timeout, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.returncode, done.stdout.decode(errors="replace")


def wrong_lines(said: str, allow: list[str]) -> list[str]:
    """Lines of Blender's log that show an error, each with the traceback that follows."""
    lines = said.splitlines()
    found = []
    for number, line in enumerate(lines):
        if any(re.search(wrong, line) for wrong in WRONG) and not any(re.search(fine, line) for fine in allow):
            found += lines[number : number + 12] if line.startswith("Traceback") else [line]
    return found


def tail(said: str) -> str:
    """The last lines of a log."""
    return "\n".join(said.splitlines()[-30:])


def say(line: str) -> None:
    """Prints progress and complaints to standard error."""
    print(f"artfish: {line}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
