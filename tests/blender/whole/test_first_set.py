"""The manual's page about data sets leads to a set: its scene, its command and its Python, as they stand there."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from artfish.core.dataset.gathering import gather

PAGE = Path(__file__).resolve().parents[3] / "docs" / "manual" / "dataset.md"


def blocks(heading: str) -> list[tuple[str, str]]:
    """The blocks of code below a heading, with the words for their kinds."""
    section = PAGE.read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"```(\w*)\n(.*?)```", section, re.DOTALL)


@pytest.mark.film
def test_a_first_set_is_made_as_the_page_says(tmp_path):
    pytest.importorskip("pycocotools")
    (kind, scene), (plain, command), (language, code) = blocks("A first set")
    assert (kind, plain, language) == ("json", "", "python")
    (tmp_path / "pond.json").write_text(scene, encoding="utf-8")
    words = shlex.split(command)
    assert words[:2] == ["artfish", "dataset"]
    run = [sys.executable, "-m", f"{gather.__module__.removesuffix('.core.dataset.gathering')}.cli", *words[1:]]
    subprocess.run(run, cwd=tmp_path, check=True, timeout=300, capture_output=True)
    said = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, check=True, timeout=60, capture_output=True, text=True
    ).stdout
    lines = re.findall(r"^(\S+\.png) \[(.*)\]$", said, re.MULTILINE)
    assert [name for name, _ in lines] == [
        f"pictures/s000{seed}/camera/{frame}.png" for seed in (0, 1) for frame in ("00001", "00013")
    ]
    counts = [re.findall(r"\d+", sizes.replace("np.uint64", "").replace("int64", "")) for _, sizes in lines]
    assert all(len(one) >= 4 and min(map(int, one)) > 0 for one in counts)
    assert (tmp_path / "pond" / "index.html").exists() and (tmp_path / "pond" / "README.md").exists()
