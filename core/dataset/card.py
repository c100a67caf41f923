"""The data card of a set, `README.md`: what is in it, how it came about, what it does not have, whose it is.

After Gebru et al. 2021, "Datasheets for Datasets", the questions that have an answer here, in short.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...version import ARTFISH_VERSION
from .counting import PIXEL_BOUNDS, SHARE_BOUNDS, SetCounts, widen
from .growing import GrowingText
from .labelling import DEPTH_STEP, NEAREST_DEPTH, TINY_PIXELS
from .reading import LabelledPicture, LabelledSet

CARD_FILE = "README.md"
MOST_CHOICES = 8
"""Different words of a variation that are listed."""
FORMAT_LINES = {
    "coco": "| `coco.json` | all annotations as COCO has them: boxes, masks, keypoints, tracks, and more; each image's "
    "`split` is `train` or `val`. Scores of COCO count 100 fishes a picture: raise `maxDets` for crowds |",
    "mot": "| `mot/FILM-CAMERA/` | tracks as MOTChallenge has them; `gt/labels.txt` has the classes, `seqmaps/` lists "
    "of the sequences. As classes are species, TrackEval is to run with `DO_PREPROC` off |",
    "yolo": "| `yolo/data.yaml` | boxes as Ultralytics' YOLO reads them; `yolo/images/` are second names (hard links) "
    "of the files in `pictures/` where the disk has such, and take no room there |",
}


class CardWriter:
    """The card, for which pictures are counted.

    Args:
        folder: Folder that it is written into.
        of: The data set.
        formats: Formats that are written beside it.
    """

    def __init__(self, folder: Path, of: LabelledSet, formats: Sequence[str]) -> None:
        self._file, self._of, self._formats = GrowingText(folder / CARD_FILE), of, formats
        self._counts = SetCounts(of.species)

    def add(self, picture: LabelledPicture) -> None:
        """Counts a picture in."""
        self._counts.add(picture)

    def finish(self) -> None:
        """Writes the card."""
        self._file.add(card(self._of, self._counts, self._formats))
        self._file.flush()


def card(of: LabelledSet, counts: SetCounts, formats: Sequence[str]) -> str:
    """The card.

    Args:
        of: The data set.
        counts: Counts over all of its pictures.
        formats: Formats that are written beside it.
    """
    parts = [
        f"# {plain(of.data.get('title') or of.data.get('scene') or 'Labelled fishes')}\n",
        _summary(of, counts),
        "## What is in it\n",
        _species(of, counts),
        _sizes(counts),
        _shares(counts),
        _words("Intention", counts.intentions),
        _words("Sex", counts.sexes),
        _words("Event", counts.events, "events"),
        "## What varies\n",
        _variation(of),
        _ranges(of, counts),
        "## Files\n",
        _files(formats),
        "## How it was made\n",
        _making(of),
        "## What it does not have\n",
        _limits(of, counts),
        "## Whose it is, and how to cite it\n",
        _rights(of),
    ]
    return "\n".join(part for part in parts if part)


def plain(text: Any) -> str:
    """A text as it can stand in a line or a cell of a table."""
    words = " ".join(str(text).split())
    return "".join(f"\\{letter}" if letter in "\\|`*<>[]#" else letter for letter in words)


def _summary(of: LabelledSet, counts: SetCounts) -> str:
    fishes = np.array(counts.fishes)
    if len(of.films) > 1:
        split = "the last films by seed, so that no film is both learned from and judged by"
    else:
        split = (
            "the last frames of the only film. They look much like those before them: make more films, with other "
            "seeds, before you trust a score"
        )
    return (
        f"{_many(counts.pictures, 'picture')} of {of.size[0]} x {of.size[1]} with {int(fishes.sum()):,} labelled "
        f"fishes: {_many(len(of.films), 'film')}, {_many(len(of.cameras), 'camera')} "
        f"({', '.join(map(plain, of.cameras))}), {_per_film(of)} of each. A picture shows {fishes.min()} to "
        f"{fishes.max()} fishes, half of the pictures {int(np.median(fishes))} or more. For validation: "
        f"{_many(counts.validation, 'picture')}, {split}.\n"
    )


def _per_film(of: LabelledSet) -> str:
    many = sorted({len(film.frames) for film in of.films})
    return _many(many[0], "frame") if len(many) == 1 else f"{many[0]} to {many[-1]} frames"


def _species(of: LabelledSet, counts: SetCounts) -> str:
    rows = []
    for number, item in enumerate(of.data["species"], start=1):
        name = item["name"] if isinstance(item, Mapping) else item
        common, latin = ((isinstance(item, Mapping) and item.get(f"{key}_name")) or "" for key in ("common", "latin"))
        length = _span(counts.lengths[name]) if name in counts.lengths else "-"
        latin = f"*{plain(latin)}*" if latin else ""
        tracks, seen = len(counts.tracks[name]), counts.by_species[name]["seen"]
        rows.append((str(number), plain(name), plain(common), latin, f"{seen:,}", f"{tracks:,}", length))
    return table(
        ("COCO id", "species", "common name", "Latin name", "fishes in pictures", "tracks", "length, m"),
        rows,
        right=(0, 4, 5, 6),
    )


def _sizes(counts: SetCounts) -> str:
    names = [f"{_side(low)} to {_side(high)}" for low, high in zip(PIXEL_BOUNDS[1:], PIXEL_BOUNDS[2:], strict=False)]
    names = [f"fewer than {PIXEL_BOUNDS[1]} (tiny)", *names, f"{_side(PIXEL_BOUNDS[-1])} and more"]
    return _spread("pixels seen", names, counts.pixels)


def _side(pixels: int) -> str:
    side = round(pixels**0.5)
    return f"{side} x {side}" if pixels > PIXEL_BOUNDS[1] else str(pixels)


def _shares(counts: SetCounts) -> str:
    ends = [*SHARE_BOUNDS[1:], 1.0]
    names = [f"{100 * low:g} to {100 * high:g} %" for low, high in zip(SHARE_BOUNDS, ends, strict=True)]
    rows = []
    for name, *pair in zip(names, counts.hidden.tolist(), counts.cut_off.tolist(), strict=True):
        rows.append((name, *(f"{count:,} ({_percent(count, sum(counts.fishes))})" for count in pair)))
    unseen = f"{counts.unseen:,} more are in the view and wholly hidden: the labels list them, with `seen` null.\n"
    return table(("share of the fish", "hidden", "cut off by the picture"), rows, right=(1, 2)) + "\n" + unseen


def _words(title: str, counts: Counter[str], of: str = "fishes in pictures") -> str:
    rows = [(plain(word), count) for word, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))]
    total = sum(counts.values())
    lines = [(word, f"{count:,}", _percent(count, total)) for word, count in rows]
    return table((title.lower(), of, ""), lines, right=(1, 2)) if rows else ""


def _spread(title: str, names: Iterable[str], counts: np.ndarray) -> str:
    rows = [
        (name, f"{count:,}", _percent(count, counts.sum())) for name, count in zip(names, counts.tolist(), strict=True)
    ]
    return table((title, "fishes in pictures", ""), rows, right=(1, 2))


def _variation(of: LabelledSet) -> str:
    """The table of what was drawn for each film, beside what was declared."""
    said = of.data.get("vary")
    declared: Mapping[str, Any] = said if isinstance(said, Mapping) else {}
    drawn: dict[str, list[Any]] = {key: [] for key in declared}
    for film in of.films:
        for key, value in film.variation.items():
            drawn.setdefault(key, []).append(value)
    if not drawn:
        return "Nothing is drawn by film but what the seed itself changes: where fishes begin, and what follows.\n"
    rows = [(f"`{key}`", _declared(declared.get(key)), _drawn(values)) for key, values in sorted(drawn.items())]
    return table(("value", "declared", "drawn"), rows) + "\nThe values of each film are in `films/FILM.json`.\n"


def _declared(said: Any) -> str:
    match said:
        case {"range": [low, high]}:
            return f"{_short(low)} to {_short(high)}"
        case {"choices": [*choices]}:
            return f"one of {', '.join(plain(choice) for choice in choices)}"
        case None:
            return ""
    return plain(json.dumps(said, sort_keys=True))


def _drawn(values: Sequence[Any]) -> str:
    ranges: dict[str, tuple[float, float]] = {}
    for value in values:
        widen(ranges, "", value)
    if ranges and all(isinstance(value, int | float) for value in values):
        return _span(ranges[""])
    words = Counter(value if isinstance(value, str) else json.dumps(value, sort_keys=True) for value in values)
    listed = [f"{plain(word)} ({count})" for word, count in sorted(words.items(), key=lambda pair: (-pair[1], pair[0]))]
    more = len(listed) - MOST_CHOICES
    return ", ".join(listed[:MOST_CHOICES]) + (f" and {more} more" if more > 0 else "")


def _ranges(of: LabelledSet, counts: SetCounts) -> str:
    """The table of what else differs between pictures."""
    drawn = {key for film in of.films for key in film.variation}
    rows = [(plain(name), _span(span)) for name, span in sorted(counts.ranges.items()) if name not in drawn]
    return table(("of the pictures", "from and to"), rows) if rows else ""


def _files(formats: Sequence[str]) -> str:
    lines = [
        "| file | what it is |",
        "|---|---|",
        "| `index.html` | pictures with labels to switch on and off, in any browser, without a network |",
        "| `pictures/FILM/CAMERA/FRAME` | the pictures |",
        "| `masks/` | PNG of 16 bits: 0, or the track of the fish at this pixel |",
        f"| `depth/` | PNG of 16 bits: 0 where nothing is, or v for {NEAREST_DEPTH} * {1 + DEPTH_STEP:g} ** (v - 1) "
        "metres along the camera's axis |",
        "| `labels/` | all that is known of a picture and its fishes, a JSON file each |",
        "| `films/FILM.json` | what was drawn for a film |",
        *(line for name, line in FORMAT_LINES.items() if name in formats),
    ]
    return "\n".join(lines) + "\n"


def _making(of: LabelledSet) -> str:
    version, samples = of.data.get("artfish") or ARTFISH_VERSION, of.data.get("samples")
    scene = of.data.get("scene")
    return (
        f"Artfish {plain(version)} simulated the fishes{f' of the scene `{plain(scene)}`' if scene else ''}: bodies of "
        "masses, springs and muscles in water that pushes back, with eyes and minds that decide what to do; fishes of "
        "a crowd play back what such fishes did. Blender's Cycles rendered the pictures"
        f"{f' with {samples} samples a pixel' if samples else ''}. Labels are computed from the same geometry, not "
        "drawn by people: a mask has the pixels whose middle shows the fish. Boxes are left, top, width and height; "
        f"the middle of the first pixel is (0.5, 0.5). The same scene and seeds give the same labels again.\n\n"
        f"Keypoints, in order: {', '.join(f'`{name}`' for name in of.keypoints)}. Their third number is 0 where a fish "
        "has no such point or it is outside the picture, 1 where it is hidden, 2 where it is seen.\n"
    )


def _limits(of: LabelledSet, counts: SetCounts) -> str:
    lines = [
        "It is simulated. What a detector makes of pictures of real water, only pictures of real water can say.",
        "Fishes look and swim like models of their species; individuals differ in size, markings and mind, and less "
        "than real ones do.",
        "Water, light, particles and the camera's noise are models, too; lens dirt, bubbles on glass, diseases and "
        "rubbish are not among them.",
        "No people, and nothing that could say who somebody is.",
    ]
    missing = [name for name in of.species if not counts.by_species[name]["seen"]]
    if missing:
        lines.append(f"Of these species no fish is seen in any picture: {', '.join(map(plain, missing))}.")
    if counts.tiny:
        lines.append(
            f"{_many(counts.tiny, 'fish', 'fishes')} of fewer than {TINY_PIXELS} pixels are listed, and marked as "
            "`tiny`: leave them out of scores."
        )
    return "".join(f"- {line}\n" for line in lines)


def _rights(of: LabelledSet) -> str:
    version = of.data.get("artfish") or ARTFISH_VERSION
    return (
        "The pictures and labels belong to whoever made them with Artfish, who may pass them on under any licence: a "
        "file `LICENSE` beside this one is the place for it. (Artfish itself is free software, GPL-3.0-or-later; that "
        "does not extend to what is made with it. Fishes, textures or meshes of others in a scene stay under their own "
        "licences.)\n\n"
        f"To cite: The Artfish authors, *Artfish*, version {plain(version)} (its `CITATION.cff`), and the book whose "
        "method it follows: Xiaoyuan Tu, *Artificial Animals for Computer Animation: Biomechanics, Locomotion, "
        "Perception, and Behavior*, Springer 1999.\n"
    )


def table(head: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[int] = ()) -> str:
    """A table of Markdown.

    Args:
        head: The titles of its columns.
        rows: Its cells.
        right: Columns of numbers, which end at the same place.
    """
    rule = ["---:" if column in right else "---" for column in range(len(head))]
    return "".join(f"| {' | '.join(row)} |\n" for row in (head, rule, *rows))


def _many(count: int, word: str, words: str = "") -> str:
    return f"{count:,} {word if count == 1 else words or f'{word}s'}"


def _percent(count: int, total: int) -> str:
    return f"{100 * count / total:.1f} %" if total else "-"


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, int | float) else plain(value)


def _span(span: tuple[float, float]) -> str:
    low, high = map(_short, span)
    return low if low == high else f"{low} to {high}"
