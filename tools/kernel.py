"""Builds the C files of core/ as one library a platform.

    python tools/kernel.py                        this machine's, by its own C compiler or else by ziglang
    python tools/kernel.py --all                  those of all platforms, by ziglang
    python tools/kernel.py --platform windows-x64 --compiler zig
    python tools/kernel.py --platform linux-x64 --wheel dist

A wheel of the library alone carries it into Blender, which takes wheels but no bare libraries; libraries for other
machines are built by zig where that is here, with as old a C library as the wheel's tag says.

A library holds a build of the bodies' step for each width of the processor's registers, and says which the processor
can run. It lands in core/compiled, where the core looks for it, and is made anew only when a source has changed. Where
there is no compiler it exits with 3 and one line on standard error: without a library the core makes no world.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path

import declared

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "core"
FOLDER = CORE / "compiled"
"""The folder for libraries."""
PE_POINTER, PE_TIME = 0x3C, 8
"""Where a library of Windows says where its header is, and where in that its time stands."""
STEP = CORE / "body" / "kernel" / "kernel.c"
"""The C file that is compiled once for each width of a register; every other one of the core is compiled once."""
EXACT = "-std=gnu11", "-O3", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-fvisibility=hidden"
"""No operation is fused with another or reordered: all builds give the same bits."""
STRICT = "-Wall", "-Wextra", "-Wconversion", "-Wshadow=local", "-Wno-maybe-uninitialized", "-Werror"
"""For the builds of tests: with a compiler that nobody here has tried, a new warning is no reason to have no kernel."""
TOLERANT = "-Wno-psabi", "-Wno-unknown-warning-option", "-Wno-bitwise-conditional-parentheses"
SANITIZE = {
    "memory": ("-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer", "-g1"),
    "threads": ("-fsanitize=thread", "-fno-omit-frame-pointer", "-g1"),
}
"""For the builds of make sanitize: an access beyond an array, behavior not defined in C, or two threads of which one
writes what the other reads or writes, ends the program."""
OWN_FLAGS = {".so": ("-fPIC",), ".dylib": ("-fPIC", "-mmacosx-version-min=11.0"), ".dll": ()}
"""For a machine's own compiler, in place of zig's target: the oldest macOS that a wheel's tag says, and the like."""
NO_COMPILER = 3
PACKAGE = b'"""The compiled library of Artfish, which artfish.core.compiled loads."""\n'
METADATA = """Metadata-Version: 2.4
Name: artfish-kernel
Version: {version}
Summary: The compiled library of Artfish's fishes
License-Expression: GPL-3.0-or-later
License-File: LICENSE
"""
WHEEL = """Wheel-Version: 1.0
Generator: artfish
Root-Is-Purelib: false
Tag: py3-none-{tag}
"""


@dataclass(frozen=True)
class Build:
    """One compilation of the step: so many fishes in a register, for processors with these instructions.

    Attributes:
        name: As `artfish.core.body.kernel.name` says it.
        lanes: Fishes in a register.
        flags: For GCC and clang alike.
    """

    name: str
    lanes: int
    flags: tuple[str, ...] = ()


X64 = (
    Build("sse2", 4),
    Build("avx2", 8, ("-mavx2",)),
    Build(
        "avx512",
        16,
        ("-mavx512f", "-mavx512dq", "-mavx512bw", "-mavx512vl", "-mavx512cd", "-mprefer-vector-width=512"),
    ),
)
ARM64 = (Build("neon", 4),)


@dataclass(frozen=True)
class Platform:
    """A platform that a library is built for.

    Attributes:
        target: As zig calls it; the C library is the oldest that Blender's own builds need.
        suffix: Of the library's name.
        builds: The builds of the step in it.
        tag: Of its wheel, as Python's packagers call the platform.
    """

    target: str
    suffix: str
    builds: tuple[Build, ...]
    tag: str


PLATFORMS = {
    "linux-x64": Platform("x86_64-linux-gnu.2.28", ".so", X64, "manylinux_2_28_x86_64"),
    "linux-arm64": Platform("aarch64-linux-gnu.2.28", ".so", ARM64, "manylinux_2_28_aarch64"),
    "windows-x64": Platform("x86_64-windows-gnu", ".dll", X64, "win_amd64"),
    "windows-arm64": Platform("aarch64-windows-gnu", ".dll", ARM64, "win_arm64"),
    "macos-arm64": Platform("aarch64-macos.11.0", ".dylib", ARM64, "macosx_11_0_arm64"),
    "macos-x64": Platform("x86_64-macos.11.0", ".dylib", X64, "macosx_11_0_x86_64"),
}


def main() -> int:
    """Builds the libraries and wheels of the command line."""
    parser = argparse.ArgumentParser(description="Builds the compiled library of the core.")
    parser.add_argument("--platform", choices=sorted(PLATFORMS), default=this_machine(), help="by default this machine")
    parser.add_argument("--all", action="store_true", help="every platform")
    said = "by default zig for all or for wheels where it is here, else cc for this machine"
    parser.add_argument("--compiler", choices=("cc", "zig"), help=said)
    parser.add_argument("--wheel", type=Path, metavar="FOLDER", help="make the wheels with them, too, in this folder")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the libraries, by default core/compiled")
    parser.add_argument("--strict", action="store_true", help="a warning is an error")
    parser.add_argument("--sanitize", choices=SANITIZE, help="with the sanitizers of cc")
    parser.add_argument("--tell", choices=("compiler", "library_name", "tag"), help="for setup.py: build nothing")
    arguments = parser.parse_args()
    if arguments.tell:
        return tell(arguments)
    names = sorted(PLATFORMS) if arguments.all else [arguments.platform]
    if names == [None]:
        return say(f"found {platform.system()} on {platform.machine()}, which the kernel is not built for")
    for name in names:
        command = command_of(name, arguments.compiler, for_others=arguments.all or arguments.wheel is not None)
        if command is None:
            return say("no C compiler (cc) and no ziglang here: no world can be simulated")
        strict = STRICT if arguments.strict or arguments.sanitize else ()
        print(build(name, [*command, *strict, *SANITIZE.get(arguments.sanitize, ())], arguments.out))
        if arguments.wheel:
            print(f"kernel: {pack(name, arguments.out, arguments.wheel).name}")
    return 0


def tell(arguments: argparse.Namespace) -> int:
    """Prints compiler, name or tag of a platform's library for setup.py; exit 3 where nothing can build it."""
    name = arguments.platform
    if name is None:
        return say(f"found {platform.system()} on {platform.machine()}, which the kernel is not built for")
    if arguments.tell == "compiler":
        command = command_of(name, arguments.compiler)
        print(command[0] if command else "")
        return 0 if command else NO_COMPILER
    print(library_name(name) if arguments.tell == "library_name" else tag_of(name, arguments.out / library_name(name)))
    return 0


def say(line: str) -> int:
    """Says why there is no library; returns the exit code for it."""
    print(f"kernel: {line}", file=sys.stderr)
    return NO_COMPILER


def this_machine() -> str | None:
    """The name of the platform that this runs on; none where it has none."""
    system = {"Linux": "linux", "Windows": "windows", "Darwin": "macos"}.get(platform.system())
    machine = {"x86_64": "x64", "amd64": "x64", "arm64": "arm64", "aarch64": "arm64"}.get(platform.machine().lower())
    name = f"{system}-{machine}"
    return name if name in PLATFORMS else None


def library_name(name: str) -> str:
    """The file of a platform's library."""
    return f"artfish_kernel-{name}{PLATFORMS[name].suffix}"


def command_of(name: str, compiler: str | None = None, *, for_others: bool = False) -> list[str] | None:
    """The command of a compiler for this platform: the one named, else this machine's own, else zig; or none.

    Libraries `for_others` are built by zig where it is here, since it links with a C library as old as theirs.
    """
    own = shutil.which(os.environ.get("CC", "cc")) or shutil.which("gcc") or shutil.which("clang")
    if for_others and compiler is None and importlib.util.find_spec("ziglang"):
        compiler = "zig"
    if compiler != "zig" and own and name == this_machine():
        return [own, *OWN_FLAGS[PLATFORMS[name].suffix]]
    if compiler != "cc" and importlib.util.find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "cc", "-target", PLATFORMS[name].target]
    return None


def build(name: str, command: list[str], folder: Path) -> str:
    """Builds a platform's library into a folder, unless it is up to date there; returns a line about it."""
    kind, library = PLATFORMS[name], folder / library_name(name)
    header = declared.header()
    stamp = hashlib.sha256(repr((command[1:], kind, EXACT, header)).encode())
    for source in (*sources(), *sorted(CORE.rglob("*.h")), Path(__file__)):
        stamp.update(source.read_bytes())
    made_of, digest = (library.with_name(library.name + suffix) for suffix in (".made", ".sha256"))
    made = made_of.read_text().splitlines() if library.exists() and digest.exists() and made_of.exists() else []
    if made[:1] == [stamp.hexdigest()]:
        return f"kernel: {library.name} is up to date, built by {made[-1]}"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        objects, command = [], [*command, f"-I{work}"]
        (Path(work) / "declared.h").write_text(header)
        for one in kind.builds:
            names = (f"-D{function.upper()}=artfish_{function}_{one.name}" for function in ("move", "swim"))
            macros = f"-DLANES={one.lanes}", *names
            objects.append(compiled(command, STEP, Path(work) / f"{one.name}.o", *one.flags, *macros))
        for source in sources():
            if source != STEP:
                objects.append(compiled(command, source, Path(work) / f"{len(objects)}.o"))
        whole = Path(work) / library.name
        strip = [] if sanitizes(command) else ["-s"]
        # A library of macOS holds its own name, which would be that of the folder in which it was built.
        named = [f"-Wl,-install_name,@rpath/{library.name}"] if kind.suffix == ".dylib" else []
        subprocess.run([*command, "-shared", *strip, *named, "-o", str(whole), *objects], check=True)
        if kind.suffix == ".dll":
            forget_time(whole)
        digest.write_text(hashlib.sha256(whole.read_bytes()).hexdigest())
        whole.replace(library)
    compiler = "zig" if "ziglang" in command else command[0]
    made_of.write_text(f"{stamp.hexdigest()}\n{compiler}\n")
    return f"kernel: {library.name} built by {compiler}"


def sanitizes(command: list[str]) -> bool:
    """True if a command is that of a build with sanitizers."""
    return any(flag.startswith("-fsanitize=") for flag in command)


def sources() -> list[Path]:
    """All C files of the core."""
    return sorted(CORE.rglob("*.c"))


def compiled(command: list[str], source: Path, out: Path, *flags: str) -> str:
    """Compiles one source; returns the path of the object file."""
    soon = ["-O1"] if sanitizes(command) else []  # what is tried alone need not be fast, but built soon
    words = [*command, *EXACT, *soon, f"-I{CORE}", *flags, *TOLERANT]
    subprocess.run([*words, "-c", str(source), "-o", str(out)], check=True)
    return str(out)


def forget_time(library: Path) -> None:
    """Sets the time at which a library of Windows was built, in the header of its PE format, to 0; zig cannot."""
    content = bytearray(library.read_bytes())
    header = int.from_bytes(content[PE_POINTER : PE_POINTER + 4], "little")
    if content[header : header + 4] != b"PE\0\0":
        raise ValueError(f"{library.name} is no PE file")
    content[header + PE_TIME : header + PE_TIME + 4] = bytes(4)
    library.write_bytes(content)


def pack(name: str, folder: Path, out: Path) -> Path:
    """Makes the wheel with the library that was built into a folder: a package that holds it and does nothing.

    A library that needs a newer C library than its platform's tag says, as one of this machine's compiler may, has a
    wheel whose tag says so.

    The same library gives the same wheel, byte for byte.
    """
    library = folder / library_name(name)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    info, tag = f"artfish_kernel-{version}.dist-info", tag_of(name, library)
    files = {
        "artfish_kernel/__init__.py": PACKAGE,
        f"artfish_kernel/{library.name}": library.read_bytes(),
        f"artfish_kernel/{library.name}.sha256": library.with_name(library.name + ".sha256").read_bytes(),
        f"{info}/licenses/LICENSE": (ROOT / "LICENSE").read_bytes(),
        f"{info}/METADATA": METADATA.format(version=version).encode(),
        f"{info}/WHEEL": WHEEL.format(tag=tag).encode(),
    }
    record = f"{info}/RECORD"
    rows = [f"{file},sha256={_urlsafe(data)},{len(data)}" for file, data in files.items()]
    files[record] = "\n".join([*rows, f"{record},,", ""]).encode()
    out.mkdir(parents=True, exist_ok=True)
    wheel = out / f"artfish_kernel-{version}-py3-none-{tag}.whl"
    with tempfile.TemporaryDirectory(dir=out) as work:
        made = Path(work) / wheel.name
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            for file, data in files.items():
                entry = zipfile.ZipInfo(file)  # of a fixed date
                entry.external_attr, entry.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
                archive.writestr(entry, data)
        made.replace(wheel)  # whole or not at all, whoever else makes it now
    return wheel


def tag_of(name: str, library: Path) -> str:
    """A wheel's tag: its platform's, or that of the newest version of glibc that the library needs."""
    tag = PLATFORMS[name].tag
    if not (said := re.fullmatch(r"manylinux_(\d+)_(\d+)_(\w+)", tag)):
        return tag
    needed = [(int(major), int(minor)) for major, minor in re.findall(rb"\0GLIBC_(\d+)\.(\d+)", library.read_bytes())]
    major, minor = max([(int(said[1]), int(said[2])), *needed])
    return f"manylinux_{major}_{minor}_{said[3]}"


def _urlsafe(data: bytes) -> str:
    """A digest as a wheel's RECORD has it."""
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    sys.exit(main())
