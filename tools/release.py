"""Make all that goes out of a release into out/release, and check it; nothing is uploaded. RELEASING.md says the rest.

    python tools/release.py [--output out/release] [--platform linux-x64 ...] [--unclean] [--against FOLDER]

Zips of the extension, the sdist and wheels of `artfish`, wheels of its kernel, the documentation site, sample files and
the asset library, release notes, a list of contents (SBOM, CycloneDX) and SHA256SUMS. Two runs on one commit make the
same bytes: times in archives are those of the commit, and their members stand in the order of their names. Blender
writes addresses of its memory into a .blend, so that of samples and assets the content is compared, by the digests in a
file of its own. `--against` compares with another run.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import tomllib
import zipfile
from pathlib import Path

import blends
import contents
import extension
import installing

ROOT = Path(__file__).resolve().parent.parent
SUMS = "SHA256SUMS"
MOST_BYTES = 80_000_000
"""The most that a zip may have on the platform for Blender's extensions, less a little."""
TO_OPEN = "samples", "assets"
"""Zips of files to open, each made by the tool of its name into the folder of its name in out/."""
PLACEHOLDER = "artfish.example"
"""The address until the repository has one."""


class ReleaseError(Exception):
    """The reason why there is no release, in a line."""


def main() -> int:
    """Makes a release, or says in a line why not."""
    parser = argparse.ArgumentParser(description="Makes all that goes out of a release, and checks it.")
    parser.add_argument("--output", type=Path, default=ROOT / "out" / "release", help="folder for it, made anew")
    parser.add_argument("--platform", nargs="+", choices=extension.TARGETS, default=list(extension.TARGETS))
    parser.add_argument("--unclean", action="store_true", help="also with changes that are not committed; for tests")
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="another run, whose sums must be the same")
    arguments = parser.parse_args()
    try:
        make(arguments.output, arguments.platform, arguments.unclean)
        if arguments.against:
            compare(arguments.output, arguments.against)
    except ReleaseError as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    if PLACEHOLDER in (ROOT / "pyproject.toml").read_text():
        print(f"release: the address is still {PLACEHOLDER}; RELEASING.md says where to set it")
    return 0


def make(folder: Path, platforms: list[str], unclean: bool = False) -> None:
    """Makes all files of a release in a folder, which is made anew.

    Raises:
        ReleaseError: The checkout has changes, versions differ, a step fails, or a zip is too large.
    """
    version = agreed_version()
    if not unclean and run("git", "status", "--porcelain"):
        raise ReleaseError("the checkout has changes that are not committed: a release is of a commit")
    moment = int(run("git", "log", "-1", "--format=%ct"))
    os.environ["SOURCE_DATE_EPOCH"] = str(moment)  # for pip's wheels and Sphinx
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for platform in platforms:
        run(sys.executable, "tools/extension.py", "--platform", platform, "--output", str(folder))
        said(f"zips for {platform}")
    run(sys.executable, "-m", "build", "--sdist", "--outdir", str(folder), ".")
    sdist = next(folder.glob("*.tar.gz"))
    even_tar(sdist, moment)
    for platform in platforms:
        wheel = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(sdist)]
        run(*wheel, ARTFISH_PLATFORM=platform)
        shutil.copy(extension.kernel_wheel(platform), folder)
        said(f"wheels for {platform}")
    site = folder / "site"
    run(sys.executable, "tools/site.py", "--output", str(site))
    shutil.make_archive(str(folder / f"artfish-{version}-documentation"), "zip", site)
    shutil.rmtree(site)
    add_files(folder, version)
    for archive in sorted([*folder.glob("*.zip"), *folder.glob("*.whl")]):
        even_zip(archive, moment)
    for archive in folder.glob("*.zip"):
        if archive.stat().st_size > MOST_BYTES:
            raise ReleaseError(f"{archive.name} has {archive.stat().st_size} bytes, allowed {MOST_BYTES}")
        if not archive.stem.endswith(("documentation", *TO_OPEN)):
            extension.run_packager("validate", str(archive))
    if installing.PLATFORM in platforms:
        try:
            for line in installing.install_all(folder):
                said(line)
        except installing.InstallError as error:
            raise ReleaseError(str(error)) from None
    notes(folder / f"artfish-{version}-notes.md", version)
    contents.write(folder, version, moment)
    files = sorted(path for path in folder.iterdir() if path.is_file())
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (folder / SUMS).write_text("".join(sums))
    said(f"{len(files)} files of {version} in {folder}")


def agreed_version() -> str:
    """The version, on which all files that say one must agree.

    Raises:
        ReleaseError: One says another.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text())
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    versions = {
        "pyproject.toml": project["version"],
        "blender_manifest.toml": manifest["version"],
        "CITATION.cff": cited[1] if cited else "none",
    }
    if len(set(versions.values())) > 1:
        raise ReleaseError("versions differ: " + ", ".join(f"{name} has {one}" for name, one in versions.items()))
    if manifest["website"] != project["urls"]["Repository"]:
        raise ReleaseError("blender_manifest.toml has another website than pyproject.toml has as Repository")
    return project["version"]


def add_files(folder: Path, version: str) -> None:
    """Adds a zip of samples and one of the asset library, and a file of digests of what is in them."""
    digests = []
    for name in TO_OPEN:
        place = ROOT / "out" / name
        shutil.rmtree(place, ignore_errors=True)
        run(sys.executable, f"tools/{name}.py")
        shutil.make_archive(str(folder / f"artfish-{version}-{name}"), "zip", place)
        made = [path for path in sorted(place.iterdir()) if path.name != "README.txt"]  # which says sizes
        digests += [f"{blends.digest(path)}  {name}/{path.name}\n" for path in made]
        said(f"{len(made)} files of {name}")
    (folder / f"artfish-{version}-content.txt").write_text("".join(digests))


def notes(path: Path, version: str) -> None:
    """Writes the notes of a release: its page for people, and below it all fragments of changes.

    Raises:
        ReleaseError: There is no such page.
    """
    page = ROOT / "docs" / "releases" / f"{version}.md"
    if not page.exists():
        raise ReleaseError(f"there is no {page.relative_to(ROOT)}: a page for people, which RELEASING.md describes")
    all_of_it = run(sys.executable, "-m", "towncrier", "build", "--draft", "--version", version, "--date", "in full")
    path.write_text(f"{page.read_text()}\n{all_of_it}", encoding="utf-8")


def even_zip(path: Path, moment: int) -> None:
    """Writes a zip or a wheel anew: members by their names, at one time, with the rights of ordinary files.

    A wheel's list of its contents stays last, as its format asks.
    """
    date = time.gmtime(moment)[:6]
    buffer = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
        for name in sorted(old.namelist(), key=lambda name: (name.endswith(".dist-info/RECORD"), name)):
            if name.endswith("/"):
                continue
            member = zipfile.ZipInfo(name, date)
            member.compress_type, member.external_attr = old.getinfo(name).compress_type, 0o644 << 16
            member.create_system = 3  # the rights are those of Unix
            new.writestr(member, old.read(name))
    replace(path, buffer.getvalue())


def even_tar(path: Path, moment: int) -> None:
    """Writes a .tar.gz anew: members by their names, at one time, of nobody."""
    buffer = io.BytesIO()
    with (
        tarfile.open(path) as old,
        gzip.GzipFile(fileobj=buffer, mode="wb", filename="", mtime=moment) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as new,
    ):
        for member in sorted(old.getmembers(), key=lambda member: member.name):
            member.mtime, member.uid, member.gid, member.uname, member.gname = moment, 0, 0, "", ""
            member.mode, member.pax_headers = 0o755 if member.isdir() else 0o644, {}
            new.addfile(member, old.extractfile(member) if member.isfile() else None)
    replace(path, buffer.getvalue())


def replace(path: Path, data: bytes) -> None:
    """Puts a file in the place of another, whole or not at all."""
    beside = path.with_name(f"{path.name}.part")
    beside.write_bytes(data)
    beside.replace(path)


def compare(folder: Path, other: Path) -> None:
    """Compares the sums of two runs; those of .blend files in zips stand in a file of their own.

    Raises:
        ReleaseError: A file differs, or is in one of them only.
    """
    opened = tuple(f"-{name}.zip" for name in TO_OPEN)
    ours, theirs = (
        dict(line.split()[::-1] for line in (each / SUMS).read_text().splitlines() if not line.endswith(opened))
        for each in (folder, other)
    )
    differing = sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name))
    if differing:
        raise ReleaseError(f"not the same bytes as in {other}: {', '.join(differing)}")
    said(f"the same bytes as in {other}, {len(ours)} files")


def run(*command: str, **environment: str) -> str:
    """The output of a command.

    Raises:
        ReleaseError: It fails, with the last line that it said.
    """
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    if done.returncode:
        last = ((done.stdout + done.stderr).strip().splitlines() or ["it does not say why"])[-1]
        raise ReleaseError(f"{' '.join(command[:4])} failed: {last}")
    return done.stdout.strip()


def said(line: str) -> None:
    """Prints progress."""
    print(f"release: {line}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
