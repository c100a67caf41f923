"""The page and the table of a fit: each figure of both halves and of ours, those that are off marked."""

import re
from html import escape
from xml.etree import ElementTree

import numpy as np
import pytest

from artfish.core.fitting.arena import Arena
from artfish.core.fitting.figures import FIGURES, all_quartiles, measured
from artfish.core.fitting.fit import FittedFigures
from artfish.core.fitting.intervals import intervals
from artfish.core.fitting.page import lines, page, write_page
from artfish.core.scene.species import Species

ROUND = Arena.of((0.0, 0.0, 8.0))
RATE = 16.0


@pytest.fixture(scope="module")
def found():
    """A fit of fishes on circles: what was found goes as the judged half, what was before much faster."""
    t = np.arange(0.0, 12.0, 1.0 / RATE)
    dice = np.random.default_rng(2)

    def motion(speed):
        radius = 3.0 + 0.3 * dice.random(3)
        angle = speed / radius * t[:, None] + [0.0, 0.4, 0.9] + 0.05 * np.sin(7.0 * t)[:, None]
        return radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1).transpose(0, 1, 2)

    paths = {"fitted": motion(2.0), "judged": motion(2.0), "before": motion(5.0)}
    paths["after"] = paths["judged"]
    samples = {key: measured(of, RATE, ROUND) for key, of in paths.items()}
    quantiles = {key: all_quartiles(of) for key, of in samples.items()}
    ends = intervals(samples["judged"], RATE, 1)
    return FittedFigures(
        Species.load("sardine"),
        {"cruise": 0.4},
        *(quantiles[key] for key in ("fitted", "judged")),
        ends,
        *(quantiles[key] for key in ("before", "after")),
        samples,
        paths,
        (2.0, 0.1),
        16,
    )


def test_every_known_figure_is_drawn_with_its_help_and_both_halves(found):
    text = page(found, "my_fish", "a <b>.csv", ROUND)
    known = [figure for figure, is_known in zip(FIGURES, found.known, strict=True) if is_known]
    assert len(known) >= 9
    for figure in known:
        assert escape(figure.help) in text
    plots = re.findall(r"<figure><svg.*?</svg>", text)
    assert len(plots) == len(known) + 4
    for plot in plots:
        drawn = ElementTree.fromstring(plot.removeprefix("<figure>"))
        assert len(drawn.findall("polyline")) in (3, 4)
    assert "a &lt;b&gt;.csv" in text and "a <b>.csv" not in text
    assert "nan" not in text


def test_what_is_off_is_marked_and_what_is_within_is_not(found):
    rows = {line.split()[0]: line for line in lines(found)}
    assert len(rows) == int(found.known.sum()) + 1
    assert rows["speed"].count("*") == 3  # of before, none of the others
    assert "cruise" in page(found, "f", "t.csv", ROUND)


def test_the_page_is_written_whole(found, tmp_path):
    path = tmp_path / "fish.html"
    write_page(path, found, "f", "t.csv", ROUND)
    assert path.read_text() == page(found, "f", "t.csv", ROUND)
    assert path.stat().st_size < 300_000
