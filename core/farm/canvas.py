"""A canvas on which fishes are drawn fast, as flat forms, without Blender: forms, dots and small letters."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

LETTER_GLYPHS: Mapping[str, str] = dict(
    zip(
        "0123456789abcdefghijklmnopqrstuvwxyz.:-_%/()",
        (
            *("75557", "26227", "71747", "71717", "55711", "74717", "74757", "71111", "75757", "75717"),
            *("75755", "65656", "74447", "65556", "74747", "74744", "74557", "55755", "72227", "11157"),
            *("55655", "44447", "57755", "65555", "25552", "75744", "75571", "65655", "34216", "72222"),
            *("55557", "55552", "55775", "55255", "55222", "71247"),
            *("00002", "02020", "00700", "00007", "51245", "11244", "12221", "42224"),
        ),
        strict=True,
    )
)
"""Letters of three columns and five rows: each row an octal digit."""
LETTER_ROWS, LETTER_COLUMNS = 5, 4


class Canvas:
    """A picture that is drawn on.

    Attributes:
        pixels: Red, green and blue, (rows, columns, 3), 0 to 1; row 0 is at the top.
    """

    def __init__(self, rows: int, columns: int, ground: tuple[float, float, float]) -> None:
        """A picture of one colour."""
        self.pixels = np.empty((rows, columns, 3))
        self.pixels[:] = ground

    def form(self, corners: np.ndarray, colour: np.ndarray) -> None:
        """Fills the convex hull of places (n, 2) in columns and rows, as far as it is in the picture."""
        hull = convex_hull(corners)
        rows, columns = self.pixels.shape[:2]
        low = np.maximum(np.floor(hull.min(axis=0)).astype(int), 0)
        high = np.minimum(np.ceil(hull.max(axis=0)).astype(int) + 1, (columns, rows))
        if (low >= high).any() or not np.isfinite(hull).all():
            return
        x, y = np.arange(low[0], high[0]) + 0.5, (np.arange(low[1], high[1]) + 0.5)[:, None]
        inside = np.ones((high[1] - low[1], high[0] - low[0]), dtype=bool)
        for begin, end in zip(hull, np.roll(hull, -1, axis=0), strict=True):
            way = end - begin
            inside &= way[0] * (y - begin[1]) - way[1] * (x - begin[0]) >= 0.0
        self.pixels[low[1] : high[1], low[0] : high[0]][inside] = colour

    def dots(self, places: np.ndarray, colours: np.ndarray) -> None:
        """Sets pixels at places (n, 2) in columns and rows, those in the picture, to colours (n, 3); later ones win."""
        rows, columns = self.pixels.shape[:2]
        at = np.floor(np.nan_to_num(places, nan=-1.0, posinf=-1.0, neginf=-1.0)).astype(int)
        there = (at >= 0).all(axis=1) & (at[:, 0] < columns) & (at[:, 1] < rows)
        self.pixels[at[there, 1], at[there, 0]] = colours[there]

    def write(self, words: str, column: int, row: int, colour: tuple[float, float, float], scale: int = 2) -> None:
        """Writes small letters from a column and a row on; those it has none of are blank."""
        for place, letter in enumerate(words.lower()):
            bits = np.array(
                [[int(line) >> shift & 1 for shift in (2, 1, 0)] for line in LETTER_GLYPHS.get(letter, "00000")]
            )
            ys, xs = np.nonzero(np.kron(bits, np.ones((scale, scale), dtype=int)))
            at = np.stack((xs + column + place * LETTER_COLUMNS * scale, ys + row), axis=1)
            self.dots(at.astype(float), np.broadcast_to(np.array(colour), (len(at), 3)))


def convex_hull(places: np.ndarray) -> np.ndarray:
    """The corners of the convex hull of places (n, 2), around it (Andrew 1979)."""
    ordered = [tuple(place) for place in places[np.lexsort((places[:, 1], places[:, 0]))].tolist()]

    def chain(some: list) -> list:
        found: list = []
        for x, y in some:
            while len(found) > 1:
                (ax, ay), (bx, by) = found[-2:]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0.0:
                    break
                found.pop()
            found.append((x, y))
        return found[:-1]

    return np.array(chain(ordered) + chain(ordered[::-1]) or ordered[:1])
