"""Releases: the same bytes each time, one version everywhere, and a list of contents that is true."""

import hashlib
import io
import json
import os
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from artfish.tests.project.tools import tool

ROOT = Path(__file__).resolve().parents[2]
MOMENT = 1_700_000_000


@pytest.fixture(scope="module")
def release():
    """tools/release.py, without the list of contents, whose library is there for releases only."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "tools"))
        patch.setitem(sys.modules, "contents", object())
        yield tool("release")


def zipped(path, names, moment):
    """A zip of files with these names, made at a time."""
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(zipfile.ZipInfo(name, (moment, 1, 1, 0, 0, 0)), name.encode() * 20)
    return path


def test_zips_with_the_same_files_become_the_same_bytes(release, tmp_path):
    names = ["b/two.py", "a.py", "x-1.dist-info/RECORD", "x-1.dist-info/WHEEL"]
    one, other = zipped(tmp_path / "1.zip", names, 2001), zipped(tmp_path / "2.zip", names[::-1], 2025)
    assert one.read_bytes() != other.read_bytes()
    for archive in (one, other):
        release.even_zip(archive, MOMENT)
    assert one.read_bytes() == other.read_bytes()
    with zipfile.ZipFile(one) as archive:
        assert archive.namelist() == ["a.py", "b/two.py", "x-1.dist-info/WHEEL", "x-1.dist-info/RECORD"]
        assert archive.read("b/two.py") == b"b/two.py" * 20
        assert {member.date_time[0] for member in archive.infolist()} == {2023}


def test_tars_with_the_same_files_become_the_same_bytes(release, tmp_path):
    paths = []
    for mtime, names in ((1, ("b", "a")), (2_000_000_000, ("a", "b"))):
        paths.append(tmp_path / f"{mtime}.tar.gz")
        with tarfile.open(paths[-1], "w:gz") as archive:
            for name in names:
                member = tarfile.TarInfo(name)
                member.size, member.mtime, member.uid, member.uname = 1, mtime, mtime % 7, str(mtime)
                archive.addfile(member, io.BytesIO(name.encode()))
        release.even_tar(paths[-1], MOMENT)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    with tarfile.open(paths[0]) as archive:
        assert [(each.name, each.mtime) for each in archive] == [("a", MOMENT), ("b", MOMENT)]
        assert archive.extractfile("b").read() == b"b"


def test_all_files_say_the_same_version(release):
    version = release.agreed_version()
    assert (ROOT / "docs" / "releases" / f"{version}.md").exists()


def test_another_version_somewhere_is_refused(release, tmp_path, monkeypatch):
    for name in ("pyproject.toml", "blender_manifest.toml", "CITATION.cff"):
        (tmp_path / name).write_text((ROOT / name).read_text())
    monkeypatch.setattr(release, "ROOT", tmp_path)
    cited = tmp_path / "CITATION.cff"
    cited.write_text(cited.read_text().replace("version: 1", "version: 9"))
    with pytest.raises(release.ReleaseError, match=r"CITATION.cff has 9\."):
        release.agreed_version()


def test_runs_that_differ_are_refused_by_the_name_of_the_file(release, tmp_path):
    for folder, digest in (("a", "1"), ("b", "2")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / release.SUMS).write_text(f"0  same.zip\n{digest}  other.whl\n")
    with pytest.raises(release.ReleaseError, match=r"other\.whl$"):
        release.compare(tmp_path / "a", tmp_path / "b")
    release.compare(tmp_path / "a", tmp_path / "a")


def test_of_files_to_open_the_content_is_compared(release, tmp_path):
    for folder, zipped_as, content in (("a", "1", "5"), ("b", "2", "5"), ("c", "3", "6")):
        (tmp_path / folder).mkdir()
        lines = f"{zipped_as}  artfish-1.0-assets.zip\n{content}  artfish-1.0-content.txt\n"
        (tmp_path / folder / release.SUMS).write_text(lines)
    release.compare(tmp_path / "a", tmp_path / "b")
    with pytest.raises(release.ReleaseError, match=r"artfish-1\.0-content\.txt$"):
        release.compare(tmp_path / "a", tmp_path / "c")


def test_files_to_open_are_zipped_with_digests_of_their_content(release, tmp_path, monkeypatch):
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(release, "TO_OPEN", ("samples",))

    def make(*command):
        (tmp_path / "out" / "samples").mkdir(parents=True)
        for name in ("fry.json", "README.txt"):
            (tmp_path / "out" / "samples" / name).write_text(name)

    (tmp_path / "out" / "samples").mkdir(parents=True)
    (tmp_path / "out" / "samples" / "of_before.json").write_text("")
    monkeypatch.setattr(release, "run", make)
    folder = tmp_path / "release"
    folder.mkdir()
    release.add_files(folder, "1.0")
    with zipfile.ZipFile(folder / "artfish-1.0-samples.zip") as archive:
        assert sorted(archive.namelist()) == ["README.txt", "fry.json"]
    digest = hashlib.sha256(b"fry.json").hexdigest()
    assert (folder / "artfish-1.0-content.txt").read_text() == f"{digest}  samples/fry.json\n"


def test_the_list_of_contents_has_every_wheel_of_the_zips(tmp_path):
    pytest.importorskip("cyclonedx")
    contents = tool("contents")
    wheel = io.BytesIO()
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("scipy-1.2.3.dist-info/METADATA", "Metadata-Version: 2.1\nName: scipy\nVersion: 1.2.3\n")
    with zipfile.ZipFile(tmp_path / "artfish.zip", "w") as archive:
        archive.writestr("wheels/scipy-1.2.3-any.whl", wheel.getvalue())
    found = json.loads(contents.write(tmp_path, "1.0.0", MOMENT).read_text())
    (part,) = found["components"]
    assert (part["name"], part["version"]) == ("scipy", "1.2.3")
    assert part["hashes"][0]["content"] == hashlib.sha256(wheel.getvalue()).hexdigest()
    assert part["licenses"][0]["license"]["id"] == "BSD-3-Clause"
    again = contents.write(tmp_path, "1.0.0", MOMENT).read_text()
    assert json.loads(again) == found


def test_workflows_run_what_is_there():
    makefile = (ROOT / "Makefile").read_text()
    text = "\n".join(path.read_text() for path in (ROOT / ".github" / "workflows").glob("*.yml"))
    for target in ("release", "site"):
        assert f"make {target}" in text and f"\n{target}:" in makefile
    assert "bash .ci/run" in text and os.access(ROOT / ".ci" / "run", os.R_OK)
    assert "tools/same_bits.py" in text
