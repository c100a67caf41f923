"""Masks as run lengths: as pycocotools writes them, to the letter, and back."""

import numpy as np
import pytest

from artfish.core.base.codec import SceneError
from artfish.core.dataset.rle import decoded, encoded, encoded_all, extents


def plain(mask: np.ndarray) -> str:
    """The text of a mask by the algorithm of maskApi.c, one letter after another."""
    runs, before, count = [], 0, 0
    for pixel in mask.T.ravel().astype(int).tolist():
        if pixel != before:
            runs.append(count)
            before, count = pixel, 0
        count += 1
    runs.append(count)
    text = ""
    for place, run in enumerate(runs):
        value, more = run - (runs[place - 2] if place > 2 else 0), True
        while more:
            letter = value & 0x1F
            value >>= 5
            more = value != -1 if letter & 0x10 else value != 0
            text += chr(48 + letter + (0x20 if more else 0))
    return text


def box_of(mask: np.ndarray) -> list[int]:
    """Left, top, width and height of a mask; zeros where it is empty."""
    rows, columns = np.nonzero(mask)
    if not len(rows):
        return [0, 0, 0, 0]
    left, top = int(columns.min()), int(rows.min())
    return [left, top, int(columns.max()) - left + 1, int(rows.max()) - top + 1]


def some_masks() -> list[np.ndarray]:
    """Masks of many kinds: empty, full, one pixel in each corner, stripes, noise, single rows and columns."""
    dice = np.random.default_rng(3)
    found = [np.zeros((4, 6), bool), np.ones((4, 6), bool), np.ones((1, 1), bool), np.zeros((1, 1), bool)]
    for row, column in [(0, 0), (0, -1), (-1, 0), (-1, -1)]:
        found.append(np.zeros((5, 3), bool))
        found[-1][row, column] = True
    for shape in [(1, 40), (40, 1), (37, 53), (360, 640)]:
        found += [dice.random(shape) < share for share in (0.02, 0.5, 0.98)]
    found.append(np.indices((9, 9)).sum(axis=0) % 2 == 0)
    large = np.zeros((2000, 3000), bool)
    large[700:1500, 900:2500] = True
    return [*found, large]


@pytest.mark.parametrize("mask", [mask for mask in some_masks() if mask.size < 10_000])
def test_a_mask_is_written_as_coco_does(mask):
    assert encoded(mask) == plain(mask)


@pytest.mark.parametrize("mask", some_masks())
def test_a_mask_comes_back(mask):
    text = encoded(mask)
    assert (decoded(text, mask.shape) == mask).all()
    pixels, boxes = extents([text], mask.shape)
    assert pixels.tolist() == [mask.sum()] and boxes.tolist() == [box_of(mask)]


@pytest.mark.parametrize("mask", some_masks())
def test_pycocotools_writes_and_reads_the_same(mask):
    masks = pytest.importorskip("pycocotools.mask", reason="pycocotools is not installed")
    assert masks.encode(np.asfortranarray(mask, np.uint8))["counts"].decode() == encoded(mask)
    assert (masks.decode({"size": list(mask.shape), "counts": encoded(mask)}) == mask).all()


def test_many_fishes_of_a_picture_are_each_as_if_alone():
    marks = np.random.default_rng(4).integers(0, 30, (12, 40)).astype(np.uint16)
    marks[0, :] = 7
    marks[-1, -1] = 9
    numbers = [9, 3, 7, 500, 1, 29]
    alone = [encoded(marks == number) for number in numbers]
    assert encoded_all(marks, numbers) == alone == [plain(marks == number) for number in numbers]
    pixels, boxes = extents(alone, marks.shape)
    assert pixels.tolist() == [(marks == number).sum() for number in numbers]
    assert boxes.tolist() == [box_of(marks == number) for number in numbers]


def test_no_fishes_have_no_texts():
    assert encoded_all(np.ones((3, 4), np.uint16), []) == []
    assert [values.tolist() for values in extents([], (3, 4))] == [[], []]


@pytest.mark.parametrize("text", ["", " ", "é", "zz", "P", "1", encoded(np.ones((5, 5), bool)), "OO", "P" * 20 + "0"])
def test_what_is_no_mask_of_this_size_is_refused(text):
    with pytest.raises(SceneError, match="run lengths"):
        decoded(text, (3, 4))
