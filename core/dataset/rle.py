"""Masks as run lengths in text, as COCO has them: runs down the columns, five bits a letter, as differences.

The text of a mask is the same to the letter as that of pycocotools (`rleEncode` and `rleToString` of its maskApi.c).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.codec import SceneError

RLE_BITS = 5
"""Bits of a number in a letter; one more says that another letter follows."""
MOST_LETTERS = 12
"""Letters of a number that fits into 64 bits with a sign."""
FIRST_LETTER = ord("0")
FIRST_DIFFERENCE = 3
"""The first run of a mask that is written as the difference to the run two before it."""


def encoded(mask: np.ndarray) -> str:
    """The text of a mask.

    Args:
        mask: True where the fish is, (height, width).
    """
    return encoded_all(np.asarray(mask, dtype=bool), [1])[0]


def encoded_all(marks: np.ndarray, numbers: Sequence[int] | np.ndarray) -> list[str]:
    """The texts of many masks of one picture, in one pass over it.

    Args:
        marks: The number of the fish at each pixel, (height, width).
        numbers: The numbers whose masks are to be written, (n,), each once; one that is nowhere has an empty mask.
    """
    flat, numbers = np.asarray(marks).T.ravel(), np.asarray(numbers)
    if not len(numbers):
        return []
    starts = np.append(np.flatnonzero(np.append(True, flat[1:] != flat[:-1])), flat.size)
    starts, ends = starts[:-1], starts[1:]
    fish = _rows_of(flat[starts], numbers)
    here = np.flatnonzero(fish >= 0)
    here = here[np.argsort(fish[here], kind="stable")]
    edges, first = _edges(fish[here], starts[here], ends[here], len(numbers), flat.size)
    runs = np.diff(edges, prepend=0)
    kept = runs > 0  # a mask that reaches the last pixel ends with it
    kept[first + 1] = True  # and one that has the first begins with a run of nothing
    kept[first] = False
    return _texts(runs[kept], np.add.reduceat(kept, first))


def decoded(counts: str, size: Sequence[int]) -> np.ndarray:
    """The mask of a text.

    Args:
        counts: The text.
        size: Height and width.

    Returns:
        True where the fish is, (height, width).

    Raises:
        SceneError: It is no text of run lengths, or not that of a mask of this size.
    """
    runs, _ = runs_of([counts], size)
    inside = np.arange(len(runs)) % 2 == 1
    return np.repeat(inside, runs).reshape(size[1], size[0]).T


def extents(texts: Sequence[str], size: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """The pixels in each of some masks, (n,), and the boxes about them, (n, 4): left, top, width, height.

    An empty mask has no pixels, and a box of zeros. Arguments and errors as of `runs_of`.
    """
    runs, first = runs_of(texts, size)
    ends = np.cumsum(runs)
    fish = np.repeat(np.arange(len(texts)), np.diff(np.append(first, len(runs))))
    inside = ((np.arange(len(runs)) - first[fish]) % 2 == 1) & (runs > 0)
    fish, runs, ends = fish[inside], runs[inside], ends[inside] - fish[inside] * size[0] * size[1]
    (left, top), (right, foot) = np.divmod(ends - runs, size[0]), np.divmod(ends - 1, size[0])
    long = right > left  # a run over the foot of a column goes on at the top of the next
    top, foot = np.where(long, 0, top), np.where(long, size[0] - 1, foot)
    boxes, heads = np.zeros((len(texts), 4), dtype=np.int64), np.flatnonzero(np.diff(fish, prepend=-1))
    if len(heads):
        low = [np.minimum.reduceat(values, heads) for values in (left, top)]
        high = [np.maximum.reduceat(values, heads) for values in (right, foot)]
        boxes[fish[heads]] = np.stack([*low, high[0] - low[0] + 1, high[1] - low[1] + 1], axis=1)
    return np.bincount(fish, runs, len(texts)).astype(np.int64), boxes


def runs_of(texts: Sequence[str], size: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """The run lengths of some masks of one size.

    Args:
        texts: The texts of n masks.
        size: Height and width.

    Returns:
        The lengths, by turns of pixels outside and inside, one mask after another; and the first row of each, (n,).

    Raises:
        SceneError: One is no text of run lengths, or not that of a mask of this size.
    """
    values, rows = _values(texts)
    first = np.searchsorted(rows, np.arange(len(texts)))
    places = np.arange(len(values)) - first[rows]
    # Each run from the fourth on adds to the one two before it: two chains a mask, summed all at once.
    runs = values.copy()
    for odd in (0, 1):
        chain = np.flatnonzero((places % 2 == odd) & (places > 0))
        if len(chain):
            sums = np.cumsum(values[chain])
            heads = np.flatnonzero(places[chain] <= 2)
            before = sums[heads] - values[chain[heads]]
            runs[chain] = sums - np.repeat(before, np.diff(np.append(heads, len(chain))))
    total = int(size[0]) * int(size[1])
    sums = np.bincount(rows, runs, len(texts))
    if (runs < 0).any() or (sums != total).any():
        raise SceneError("run lengths of another size", f"those of {size[0]} x {size[1]} = {total} pixels")
    return runs, first


def _rows_of(values: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """The row of each value among the numbers; -1 where it is none of them."""
    if not len(numbers):
        return np.full(len(values), -1)
    order = np.argsort(numbers, kind="stable")
    found = np.minimum(np.searchsorted(numbers, values, sorter=order), len(numbers) - 1)
    return np.where(numbers[order[found]] == values, order[found], -1)


def _edges(
    fish: np.ndarray, starts: np.ndarray, ends: np.ndarray, count: int, total: int
) -> tuple[np.ndarray, np.ndarray]:
    """The places at which masks begin and end: of each 0, then both ends of its runs, then the last of all pixels.

    Returns:
        The places, one mask after another, and the first row of each mask.
    """
    many = np.bincount(fish, minlength=count)
    sizes = 2 * many + 2
    first = np.cumsum(sizes) - sizes
    edges = np.zeros(sizes.sum(), dtype=np.int64)
    within = np.arange(len(fish)) - np.repeat(np.cumsum(many) - many, many)
    places = first[fish] + 1 + 2 * within
    edges[places], edges[places + 1] = starts, ends
    edges[first + sizes - 1] = total
    return edges, first


def _texts(runs: np.ndarray, many: np.ndarray) -> list[str]:
    """The texts of run lengths, of which so many belong to each mask."""
    first = np.cumsum(many) - many
    places = np.arange(len(runs)) - np.repeat(first, many)
    values = runs.astype(np.int64)
    late = np.flatnonzero(places >= FIRST_DIFFERENCE)
    values[late] -= runs[late - 2]
    letters, used, rest = [], [], values
    more = np.ones(len(values), dtype=bool)
    while more.any():
        used.append(more)
        five = rest & 31
        rest = rest >> RLE_BITS
        more = more & np.where(five & 16, rest != -1, rest != 0)
        letters.append(FIRST_LETTER + five + 32 * more)
    kept = np.stack(used, axis=1)
    text = np.stack(letters, axis=1)[kept].astype(np.uint8).tobytes().decode("ascii")
    ends = np.concatenate(([0], np.cumsum(kept.sum(axis=1))))[np.append(first, len(runs))]
    return [text[begin:end] for begin, end in zip(ends, ends[1:], strict=False)]


def _values(texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """The numbers written in texts, one after another, and the row of each one's text."""
    try:
        letters = np.frombuffer("".join(texts).encode("ascii"), np.uint8).astype(np.int64) - FIRST_LETTER
    except UnicodeEncodeError:
        letters = np.array([-1])
    ends = np.flatnonzero(letters & 32 == 0)
    lengths = np.diff(np.concatenate(([-1], ends)))
    text_ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    broken = (letters < 0).any() or (letters > 63).any() or (lengths > MOST_LETTERS).any()
    if broken or not np.isin(text_ends - 1, ends).all() or "" in texts:
        raise SceneError("no run lengths", "COCO's compressed run lengths as text")
    starts = ends - lengths + 1
    shifts = RLE_BITS * (np.arange(len(letters)) - np.repeat(starts, lengths))
    values = np.add.reduceat((letters & 31) << shifts, starts) if len(starts) else ends
    negative = letters[ends] & 16 > 0
    values = np.where(negative, values - (np.int64(1) << RLE_BITS * lengths), values)
    return values, np.searchsorted(text_ends, ends, side="right")
