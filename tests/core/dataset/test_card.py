"""The data card: its counts are those of the labels, and it says whose the set is and how to cite it."""

import json
import re

import numpy as np
import pytest

from artfish.core.dataset.card import plain, table
from artfish.core.dataset.gathering import gather
from artfish.core.dataset.labelling import depths_of
from artfish.tests.core.dataset.invented import changed, invent


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = invent(tmp_path_factory.mktemp("labelled"), films=3)
    gather(folder)
    return folder


@pytest.fixture(scope="module")
def card(folder):
    return (folder / "README.md").read_text()


@pytest.fixture(scope="module")
def fishes(folder):
    """The labels of all fishes."""
    pictures = [json.loads(path.read_text()) for path in (folder / "labels").rglob("*.json")]
    return [{**fish, "film": picture["film"]} for picture in pictures for fish in picture["fishes"]]


def cells(card, first):
    """The cells of the row of a table whose first or second cell this is."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in card.splitlines() if line[:1] == "|"]
    return next(row for row in rows if first in row[:2])


def test_it_counts_pictures_fishes_and_species(card, fishes):
    seen = [fish for fish in fishes if fish["seen"]]
    assert f"30 pictures of 160 x 90 with {len(seen)} labelled fishes: 3 films, 2 cameras (left, right)" in card
    assert "For validation: 10 pictures, the last films by seed" in card
    for number, name in enumerate(("sardine", "grouper"), start=1):
        own = [fish for fish in seen if fish["species"] == name]
        row = cells(card, name)
        assert row[0] == str(number) and row[4] == str(len(own))
        assert row[5] == str(len({(fish["film"], fish["track"]) for fish in own}))
        assert row[6] == f"{min(fish['length'] for fish in own):.4g} to {max(fish['length'] for fish in own):.4g}"
    assert cells(card, "sardine")[3] == "*Sardina pilchardus*"


def test_it_counts_sizes_and_hiding(card, fishes):
    seen = [fish for fish in fishes if fish["seen"]]
    tiny = sum(fish["tiny"] for fish in seen)
    assert cells(card, "fewer than 4 (tiny)")[1] == str(tiny)
    middle = sum(12 * 12 <= fish["seen"]["pixels"] < 32 * 32 for fish in seen)
    assert cells(card, "12 x 12 to 32 x 32")[1] == str(middle)
    for column, key in enumerate(("hidden", "cut_off"), start=1):
        count = sum(0.25 <= fish[key] < 0.5 for fish in seen)
        assert cells(card, "25 to 50 %")[column].split()[0] == str(count)
    assert f"{len(fishes) - len(seen)} more are in the view and wholly hidden" in card
    assert f"{tiny} fishes of fewer than 4 pixels are listed" in card


def test_its_depths_are_those_of_the_pictures(card):
    near, step = map(float, re.search(r"v for ([0-9.]+) \* ([0-9.]+) \*\* \(v - 1\)", card).groups())
    assert near * step ** (900 - 1) == pytest.approx(depths_of(np.array([900]))[0])


def test_it_says_what_varies(card):
    assert cells(card, "`picture.noise`")[1:] == ["0 to 0.06", "0 to 0.02"]
    assert cells(card, "`water.kind`")[1:] == ["one of coast, ocean", "coast (2), ocean (1)"]
    assert cells(card, "visibility in the water, m")[1] == "12 to 14" and cells(card, "turbidity")[1] == "0.2"
    assert "| picture.noise |" not in card  # once is enough


def test_it_says_whose_it_is_and_how_to_cite_it(card):
    assert "belong to whoever made them" in card and "CITATION.cff" in card and "Artificial Animals" in card
    headings = re.findall("^## (.*)", card, re.MULTILINE)
    assert headings == [
        "What is in it",
        "What varies",
        "Files",
        "How it was made",
        "What it does not have",
        "Whose it is, and how to cite it",
    ]


def test_a_species_that_is_never_seen_is_named(tmp_path):
    folder = invent(tmp_path / "set", 1, ("eye",), (1, 2), size=(64, 36))
    changed(folder / "dataset.json", lambda data: data["species"].append({"name": "reef_shark"}))
    gather(folder, [])
    card = (folder / "README.md").read_text()
    assert r"no fish is seen in any picture: reef_shark" in card
    assert "the last frames of the only film" in card


def test_a_set_without_fishes_has_a_card(tmp_path):
    folder = invent(tmp_path / "set", 1, ("eye",), (1, 2), size=(64, 36))
    for path in (folder / "labels").rglob("*.json"):
        changed(path, lambda data: data.update(fishes=[]))
    gather(folder)
    assert "with 0 labelled fishes" in (folder / "README.md").read_text()


def test_texts_of_others_make_no_marks():
    assert plain("a|b\n<script>*") == r"a\|b \<script\>\*"
    assert table(("a", "b"), [("1", "2")], right=(1,)) == "| a | b |\n| --- | ---: |\n| 1 | 2 |\n"
