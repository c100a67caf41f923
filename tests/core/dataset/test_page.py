"""The page: nothing of it comes from elsewhere, its scripts have the labels, and a browser shows them."""

import json
import re
import shutil
import subprocess

import pytest

from artfish.core.dataset import page
from artfish.core.dataset.gathering import gather
from artfish.tests.core.dataset.invented import changed, invent

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = invent(tmp_path_factory.mktemp("labelled"))
    gather(folder, [])
    return folder


def scripts(folder):
    """The frames of each script, by what the page knows it by."""
    found = {}
    for path in sorted((folder / "page").iterdir()):
        name, first, frames = re.fullmatch(
            r'artfish\("(.*?)",(\d+),\[\n(.*)\]\);\n', path.read_text(), re.DOTALL
        ).groups()
        found[name, int(first)] = [json.loads(line.removesuffix(",")) for line in frames.splitlines()]
    return found


def about(folder):
    """The set as the page itself knows it."""
    text = (folder / "index.html").read_text()
    return json.loads(re.search(r'<script id="set" type="application/json">(.*?)</script>', text)[1])


def test_nothing_comes_from_elsewhere(folder):
    text = (folder / "index.html").read_text()
    assert not re.search(r"https?:|//[a-z]|@import|fetch\(|XMLHttpRequest|url\(", text)
    assert "Invented reef" in text


def test_scripts_have_the_labels(folder):
    found = scripts(folder)
    assert list(found) == [(f"s000{n}/{eye}", 0) for n in (7, 8) for eye in ("left", "right")]
    for frames in found.values():
        assert len(frames) == 5
        for frame in frames:
            labels = json.loads((folder / frame["path"].replace("pictures", "labels")).with_suffix(".json").read_text())
            assert [fish["track"] for fish in frame["fishes"]] == [fish["track"] for fish in labels["fishes"]]
            for one, fish in zip(frame["fishes"], labels["fishes"], strict=True):
                assert ("rle" in one) == (fish["seen"] is not None)
                assert one.get("box") == (fish["seen"] and fish["seen"]["box"])
                assert one["intention"] == fish["intention"]
                assert one["hidden"] == pytest.approx(fish["hidden"], abs=1e-4)


def test_long_films_are_in_many_scripts(tmp_path, monkeypatch):
    monkeypatch.setattr(page, "CHUNK_CHARACTERS", 3000)
    folder = invent(tmp_path / "set", 1, ("eye",), range(1, 13), size=(64, 36))
    gather(folder, [])
    found = scripts(folder)
    starts = about(folder)["chunks"]["s0007/eye"]
    assert len(starts) > 3 and [first for _, first in found] == sorted(starts)
    assert sum(map(len, found.values())) == 12
    for (_, first), frames in found.items():
        assert frames[0]["path"].endswith(f"{first + 1:05d}.png")


def test_texts_of_others_are_no_markup(tmp_path):
    folder = invent(tmp_path / "set", 1, ("eye",), (1,), size=(64, 36))
    evil = "</script><script>alert(1)</script>"

    def rename(data):
        data["title"] = evil
        data["species"][0]["name"] = evil

    changed(folder / "dataset.json", rename)
    for path in (folder / "labels").rglob("*.json"):
        changed(
            path, lambda data: [fish.update(species=evil) for fish in data["fishes"] if fish["species"] == "sardine"]
        )
    gather(folder)
    assert evil not in (folder / "index.html").read_text()
    assert about(folder)["species"][0] == evil


PROBE = """<script>
setTimeout(() => {
  const counts = shown.fishes.map(() => 0), box = document.createElement('pre');
  for (const mark of marksOf(shown)) if (mark) counts[mark - 1]++;
  toggle('unseen');
  box.id = 'probe'; box.textContent = JSON.stringify([shown.path, counts, canvas.width > 0, picture.naturalWidth]);
  document.body.append(box);
}, 1500);
</script></body>"""


@pytest.mark.film
def test_a_browser_shows_the_labels(folder):
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        pytest.skip("no Chromium on this machine")
    (folder / "probed.html").write_text((folder / "index.html").read_text().replace("</body>", PROBE))
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=4000", "--dump-dom"]
    address = f"{(folder / 'probed.html').as_uri()}#s0008/right/11"
    shown = subprocess.run([*command, address], capture_output=True, text=True, timeout=60).stdout
    probe = re.search('<pre id="probe">(.*?)</pre>', shown)
    path, counts, painted, wide = json.loads(probe[1])
    labels = json.loads((folder / "labels/s0008/right/00011.json").read_text())["fishes"]
    assert path == "pictures/s0008/right/00011.png" and painted and wide == 160
    assert counts == [fish["seen"]["pixels"] if fish["seen"] else 0 for fish in labels]
    seen = sum(count > 0 for count in counts)
    assert f"{seen} fishes seen, {len(labels) - seen} wholly hidden" in shown
    assert len(re.findall("<li[ >]", shown)) == len(labels)
    assert "frame 11  ·  3 of 5" in shown and ">validation<" in shown and "eaten: #1, #4" in shown
