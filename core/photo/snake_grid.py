"""The snake grid: coupled active contours that lay a species' surfaces over a photograph (Tu 1999, §5.2.1, app. A).

A grid of m x n nodes is m + n deformable contours that share their nodes, as many as the surface has control points:
9 x 21 for the body, row 0 the back, column 0 the nose. Its border is drawn to the edges in the picture, tension and
rigidity hold the rest in the form that the surface has in side view, and the mouse and anchors pull at nodes by
springs. Positions are pixels of the photograph, x to the right and y down, the middle of the first pixel at 0.

An anchor is (row, column, x, y): the node (row, column) is held at (x, y). On the body's grid these are the most
telling: the nose (4, 0), the middle of the tail's root (4, 20), back and belly half way (0, 10) and (8, 10).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from scipy.interpolate import PchipInterpolator
from scipy.linalg import cho_factor, cho_solve
from scipy.ndimage import distance_transform_edt, gaussian_filter, map_coordinates

from ..base.declaration import number
from ..form.nurbs import basis, greville, through
from ..form.surfaces import BELLY_ROW, BODY_COLUMNS, BODY_ROWS, column_stations, rest_surfaces, section
from ..scene.species import Form, Species
from .outline import Outline, first_guess
from .segmentation import Known
from .view import View, look, white

FIN_PARTS = ("dorsal", "ventral", "caudal", "pectoral")
GRID_SHAPES = {
    "body": (BODY_ROWS, BODY_COLUMNS),
    "dorsal": (2, 12),
    "ventral": (2, 12),
    "caudal": (7, 5),
    "pectoral": (2, 4),
}
"""Rows and columns of each grid, those of the surface's control points."""
GRID_DEGREES = {"body": (3, 3), "dorsal": (1, 3), "ventral": (1, 3), "caudal": (3, 3), "pectoral": (1, 2)}
NOSE_HEIGHT_SHARE = 0.03
"""Height of the first column over the body's greatest, for the surface ends in a point and a grid must not."""
STILL_PIXELS = 0.01
"""A grid is at rest when no node moves further than this in a step, in pixels of the reduced picture."""
REACH = 0.12
"""How far from the outline an anchor of the first guess may lie and still say how the outline runs, in lengths."""


@dataclass(frozen=True)
class Elasticity:
    """What the contours are made of (Tu 1999, app. A); forces are in pixels of a picture some 400 wide."""

    tension: float = number(0.5, 0.0, 10.0, "", "How strongly the springs between nodes keep their lengths (a)")
    rigidity: float = number(1.0, 0.0, 50.0, "", "How strongly contours resist bending (b)")
    attraction: float = number(1.5, 0.0, 20.0, "", "How strongly edges in the picture draw the border")
    blur: float = number(1.5, 0.3, 20.0, "px", "Width of the blur that lets edges be felt from afar (sigma)")
    damping: float = number(1.0, 0.1, 20.0, "", "How slowly the grid moves (gamma)")
    spring: float = number(40.0, 0.1, 1000.0, "", "Stiffness of the springs of mouse and anchors (lambda)")


def fit_grid(
    image: np.ndarray,
    anchors: Iterable = (),
    facing: str = "auto",
    species: Species | None = None,
    elasticity: Elasticity | None = None,
) -> np.ndarray:
    """Find the body of a fish in a photograph.

    Args:
        image: (h, w, 3 or 4) or (h, w), of any size from 8 pixels and any kind of number; a fourth channel is opacity.
        anchors: Each (row, column, x, y): the node is held there, exactly unless that would fold cells.
        facing: Where the nose points in the picture: "left", "right" or "auto".
        species: Whose surface the grid is for; it decides how columns and rows are spaced.
        elasticity: Of the contours.

    Returns:
        (9, 21, 2) pixel positions, x to the right and y down, row 0 the back and column 0 the nose. No cell is
        folded. Seen along rows and then columns, cells run clockwise if the fish faces left, else the other way.

    Raises:
        ValueError: The image is none or very long for its breadth, an anchor is no node of the grid, nose and tail's
            root are anchored at one place, or `facing` is no such word.
    """
    grid = SnakeGrid.over(image, anchors, facing, species, elasticity)
    grid.relax()
    return grid.points


class SnakeGrid:
    """A grid over a photograph, relaxed step by step.

    Attributes:
        part: "body", or one of `FIN_PARTS`.
        species: Whose surface it is for.
        elasticity: Of the contours.
        anchors: Places (x, y) by node (row, column).
        drags: Likewise, where the mouse pulls at nodes.
    """

    def __init__(
        self,
        image: np.ndarray | View,
        points: np.ndarray,
        anchors: Iterable = (),
        part: str = "body",
        species: Species | None = None,
        elasticity: Elasticity | None = None,
    ) -> None:
        """Lay a grid over a photograph.

        Args:
            image: As of `fit_grid`, or what `look` made of it.
            points: Where the nodes are (rows, columns, 2), in pixels.
            anchors: As of `fit_grid`.
            part: What the grid is for.
            species: As of `fit_grid`.
            elasticity: As of `fit_grid`.
        """
        self.part = part
        self.species = species or Species()
        self.view = image if isinstance(image, View) else look(image)
        self._nodes = self.view.to_view(np.array(points, dtype=float))
        if self._nodes.shape != (*GRID_SHAPES[part], 2):
            raise ValueError(f"points: found {self._nodes.shape}, allowed {(*GRID_SHAPES[part], 2)}")
        self.elasticity = elasticity or Elasticity()
        self.anchors = read_anchors(anchors, GRID_SHAPES[part])
        self.drags: dict[tuple[int, int], tuple[float, float]] = {}
        self._rest = self._nodes.copy()
        self._border = _border(*GRID_SHAPES[part], part)
        self._stretch, self._bend = _differences(*GRID_SHAPES[part])
        self._force = _edge_force(self.view, self.elasticity.blur)
        self._factored: tuple = ()

    @classmethod
    def over(
        cls,
        image: np.ndarray,
        anchors: Iterable = (),
        facing: str = "auto",
        species: Species | None = None,
        elasticity: Elasticity | None = None,
    ) -> SnakeGrid:
        """A grid for the body where a first guess says that the fish is; arguments as of `fit_grid`."""
        if facing not in ("left", "right", "auto"):
            raise ValueError(f'facing: found {facing!r}, allowed "left", "right" or "auto"')
        species = species or Species()
        held = read_anchors(anchors, GRID_SHAPES["body"])
        outline, view = first_guess(image, _known(held), facing)
        return cls(view, lay_out(outline, species, held), _listed(held), "body", species, elasticity)

    @property
    def points(self) -> np.ndarray:
        """Where the nodes are (rows, columns, 2), in pixels of the photograph."""
        return self.view.to_image(self._nodes)

    @points.setter
    def points(self, places: np.ndarray) -> None:
        self._nodes = self.view.to_view(np.array(places, dtype=float))

    def step(self, dt: float = 1.0) -> float:
        """Move the grid on by a step of equation A.1, with the elastic forces taken at the step's end.

        The springs' lengths (A.2) pull along the directions that they have at the step's beginning, so that the
        matrix is the same for every step and factored once.

        Returns:
            How far the fastest node moved, in pixels of the photograph.
        """
        made_of = self.elasticity
        if self.drags and self.view.frontier is not None:  # who drags knows better where the outline is
            self.view = replace(self.view, frontier=None)
            self._force = _edge_force(self.view, made_of.blur)
        self._rest = self._shape_at_rest()
        nodes, rest = self._nodes.reshape(-1, 2), self._rest.reshape(-1, 2)
        edges = self._stretch @ nodes
        length = np.linalg.norm(edges, axis=1, keepdims=True)
        natural = np.linalg.norm(self._stretch @ rest, axis=1, keepdims=True)
        directions = np.where(length > 1e-9, edges / np.maximum(length, 1e-9), self._stretch @ rest)
        force = made_of.tension * self._stretch.T @ (natural * directions)
        force += made_of.rigidity * self._bend.T @ (self._bend @ rest)
        force += made_of.attraction * self._image_force()
        held, places = self._held()
        force[held] += made_of.spring * places
        key = (made_of, dt, held.tobytes())
        if not self._factored or self._factored[0] != key:
            matrix = made_of.damping / dt * np.eye(len(nodes))
            matrix += made_of.tension * self._stretch.T @ self._stretch + made_of.rigidity * self._bend.T @ self._bend
            matrix[held, held] += made_of.spring
            self._factored = (key, cho_factor(matrix))
        new = cho_solve(self._factored[1], made_of.damping / dt * nodes + force)
        moved = float(np.abs(new - nodes).max())
        self._nodes = new.reshape(self._nodes.shape)
        return moved * self.view.step

    def relax(self, steps: int = 60) -> int:
        """Step until the grid is at rest, then see to it that no cell is folded and that anchored nodes are in place.

        Returns:
            How many steps it took.
        """
        taken = 0
        while taken < steps:
            taken += 1
            if self.step() < STILL_PIXELS * self.view.step:
                break
        self.unfold()
        self.hold()
        return taken

    def hold(self) -> None:
        """Move anchored nodes, which springs leave a little off, to their anchors, and the nodes around as smoothly.

        Where that would fold cells, wider surroundings go along; if they fold nevertheless, nodes stay.
        """
        if not self.anchors or folded(self.points).any():
            return
        nodes, points = np.array(list(self.anchors)), self.points
        off = np.array(list(self.anchors.values())) - points[tuple(nodes.T)]
        places = np.moveaxis(np.indices(points.shape[:2]), 0, -1)
        for width in (2.0, 3.0, 5.0, 8.0):
            share, spread = (
                np.exp(-0.5 * ((at[..., None, :] - nodes) ** 2).sum(axis=-1) / width**2) for at in (nodes, places)
            )
            moved = points + spread @ np.linalg.solve(share, off)
            if not folded(moved).any():
                self.points = moved
                return

    def unfold(self) -> None:
        """Lay a grid of which cells are folded out anew, between the outline that it has."""
        for _ in range(3):
            if not folded(self.points).any():
                return
            self._nodes = self._shape_at_rest()

    def anchor(self, row: int, column: int, place: tuple[float, float] | None = None) -> None:
        """Hold a node at a place, by default where it is."""
        held = (float(v) for v in (self.points[row, column] if place is None else place))
        self.anchors[row, column] = (next(held), next(held))

    def flip(self) -> None:
        """Turn the grid over for a fish that faces the other way; anchors stay with their nodes' new places."""
        self._nodes = self._nodes[:, ::-1].copy()
        count = self._nodes.shape[1]
        self.anchors = {(row, count - 1 - column): at for (row, column), at in self.anchors.items()}
        self.drags = {}

    def _held(self) -> tuple[np.ndarray, np.ndarray]:
        """Numbers (n,) of the nodes that springs hold, and where (n, 2) in the reduced picture."""
        columns = self._nodes.shape[1]
        springs = self.anchors | self.drags
        numbers = np.array([row * columns + column for row, column in springs], dtype=int)
        return numbers, self.view.to_view(np.array(list(springs.values()), dtype=float).reshape(-1, 2))

    def _image_force(self) -> np.ndarray:
        """What draws the border to edges, (nodes, 2): the gradient of the blurred strength of edges.

        Only its part across the contour counts: along it nodes are spaced by their springs.
        """
        force = np.zeros((self._nodes[..., 0].size, 2))
        nodes = self._nodes.reshape(-1, 2)
        for contour in self._border:
            at = nodes[contour]
            along = np.gradient(at, axis=0)
            along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
            pull = np.stack([map_coordinates(f, at.T[::-1], order=1, mode="nearest") for f in self._force], axis=1)
            force[contour] += pull - (pull * along).sum(axis=1, keepdims=True) * along
        return force

    def _shape_at_rest(self) -> np.ndarray:
        """The form (rows, columns, 2) that tension and rigidity hold, in the reduced picture.

        The body takes the form of the surface in side view between the outline that it has now; a fin the form
        that it had at first.
        """
        if self.part != "body":
            return self._rest
        held = {node: tuple(self.view.to_view(np.array(at))) for node, at in self.anchors.items()}
        return lay_out(read_outline(self._nodes), self.species, held)


def read_anchors(anchors: Iterable, shape: tuple[int, int]) -> dict[tuple[int, int], tuple[float, float]]:
    """Anchors (row, column, x, y), or ((row, column), (x, y)), by their nodes.

    Raises:
        ValueError: One is no node of a grid of this shape, or no place.
    """
    held = {}
    if isinstance(anchors, Mapping):
        anchors = anchors.items()
    for anchor in anchors:
        try:
            row, column, x, y = np.concatenate([np.ravel(part) for part in anchor]).astype(float)
        except ValueError:
            raise ValueError(f"anchors: found {anchor!r}, allowed (row, column, x, y)") from None
        if not (0 <= row < shape[0] and 0 <= column < shape[1] and row % 1 == column % 1 == 0):
            allowed = f"rows 0 to {shape[0] - 1} and columns 0 to {shape[1] - 1}"
            raise ValueError(f"anchors: found node ({row:g}, {column:g}), allowed {allowed}")
        if not np.isfinite([x, y]).all():
            raise ValueError(f"anchors: found place ({x}, {y}), allowed finite numbers")
        held[int(row), int(column)] = (float(x), float(y))
    return held


def _listed(held: Mapping[tuple[int, int], tuple[float, float]]) -> list[tuple[int, int, float, float]]:
    return [(*node, *place) for node, place in held.items()]


def _known(held: Mapping[tuple[int, int], tuple[float, float]]) -> Known:
    """What anchors of the body's grid say about its outline."""

    def places(nodes: Iterable[tuple[int, int]]) -> np.ndarray:
        return np.array([held[node] for node in nodes], dtype=float).reshape(-1, 2)

    nose = places(node for node in held if node[1] == 0)
    last = BODY_COLUMNS - 1
    upper, lower, middle = (places(n for n in held if n == (row, last)) for row in (0, BELLY_ROW, BODY_ROWS // 2))
    tail = None
    if len(middle):
        tail = middle[0]
    elif len(upper) and len(lower):
        tail = 0.5 * (upper[0] + lower[0])
    back = places(node for node in held if node[0] == 0 and node[1] > 0)
    belly = places(node for node in held if node[0] == BELLY_ROW and node[1] > 0)
    return Known(nose.mean(axis=0) if len(nose) else None, tail, back, belly)


# The form at rest


def node_stations(species: Species) -> np.ndarray:
    """How far along the body each column's nodes are (21,), from the nose at 0 to the tail's root at 1."""
    stations = basis(BODY_COLUMNS, 3, greville(BODY_COLUMNS, 3)) @ column_stations(species)
    return (stations - stations[0]) / (stations[-1] - stations[0])


def node_shares(species: Species) -> np.ndarray:
    """How far from back to belly each row's nodes are in side view (9,), from 0 to 1."""
    form = species.form
    above, below = (
        basis(BODY_ROWS, 3, greville(BODY_ROWS, 3)) @ part for part in section(form.back_section, form.belly_section)
    )
    shares = 1.0 - form.widest - above * (1.0 - form.widest) + below * form.widest
    shares[0], shares[-1] = 0.0, 1.0
    return shares


def lay_out(
    outline: Outline, species: Species, held: Mapping[tuple[int, int], tuple[float, float]] | None = None
) -> np.ndarray:
    """The grid (9, 21, 2) of the form that the body's surface has in side view between these outlines.

    A surface whose profile is the outline is then the picture's body turned and scaled, so that straight lines stay
    straight. Anchored columns are at their anchors, and those between them spread smoothly.
    """
    stations, shares = node_stations(species), node_shares(species)
    stations = _through_anchors(stations, outline, held or {})
    back, belly = outline.heights(stations)
    thin = NOSE_HEIGHT_SHARE * float((outline.back - outline.belly).max())
    least = np.minimum(0.5 * thin * np.maximum(1.0, 1.0 + 4.0 * np.arange(BODY_COLUMNS)), 2.0 * thin)
    middle, half = 0.5 * (back + belly), np.maximum(0.5 * (back - belly), least)
    half[0] = min(max(0.5 * thin, 0.25 * half[1]), 0.4 * half[1])
    heights = middle + half * (1.0 - 2.0 * shares[:, None])
    return outline.points(np.broadcast_to(stations, heights.shape), heights)


def _through_anchors(stations: np.ndarray, outline: Outline, held: Mapping) -> np.ndarray:
    """Stations of the columns, moved so that anchored ones are at their anchors."""
    wanted: dict[int, list[float]] = {}
    for (_, column), place in held.items():
        if 0 < column < BODY_COLUMNS - 1:
            wanted.setdefault(column, []).append(float(outline.places(np.array(place))[0]))
    knots = [(0.0, 0.0)]
    for column in sorted(wanted):
        at = float(np.mean(wanted[column]))
        if knots[-1][1] + 0.01 < at < 0.99:
            knots.append((float(stations[column]), at))
    old, new = np.array([*knots, (1.0, 1.0)]).T
    return PchipInterpolator(old, new)(stations) if len(old) > 2 else stations


def read_outline(points: np.ndarray) -> Outline:
    """The outline of a body's grid (9, 21, 2), back and belly as functions of the station."""
    nose, tail = points[:, 0].mean(axis=0), 0.5 * (points[0, -1] + points[-1, -1])
    axis = tail - nose
    side = float(_cross(axis, points[0].mean(axis=0) - points[-1].mean(axis=0)))
    up = -1 if side > 0 else 1
    stations = np.linspace(0.0, 1.0, 81) ** 2
    flat = Outline(nose, tail, up, stations, 0 * stations, 0 * stations)
    lines = []
    for row in (0, -1):
        along, above = flat.places(points[row])
        along = np.clip(along, 0.0, 1.0)
        along[0], along[-1], above = 0.0, 1.0, above.copy()
        above[0] = 0.0
        order = np.argsort(along, kind="stable")
        along, first = np.unique(along[order], return_index=True)
        lines.append(PchipInterpolator(np.sqrt(along), above[order][first])(np.sqrt(stations)))
    return replace(flat, back=np.maximum(lines[0], lines[1]), belly=np.minimum(*lines))


def folded(points: np.ndarray) -> np.ndarray:
    """Which cells (rows - 1, columns - 1) are folded: a corner turns another way than most of the grid does."""
    across, along = np.diff(points, axis=0), np.diff(points, axis=1)
    turns = np.stack(
        [
            _cross(along[:-1], across[:, :-1]),
            _cross(along[:-1], across[:, 1:]),
            _cross(along[1:], across[:, :-1]),
            _cross(along[1:], across[:, 1:]),
        ]
    )
    return (turns * np.sign(np.median(turns)) <= 0).any(axis=0)


# Contours


def _border(rows: int, columns: int, part: str) -> list[np.ndarray]:
    """The contours that edges in the picture draw: of the body back, belly and tail's root, of a fin all but its root.

    The body's nose is a point, where back and belly meet.
    """
    number = np.arange(rows * columns).reshape(rows, columns)
    if part == "body":
        return [number[0], number[-1]]
    if part == "caudal":
        return [number[0], number[-1], number[:, -1]]
    return [number[-1]]


def _differences(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """First and second differences along all contours, as matrices (differences, nodes)."""
    number = np.arange(rows * columns).reshape(rows, columns)
    unit = np.eye(rows * columns)
    first, second = [], []
    for lines in (number, number.T):
        first.append(unit[lines[:, 1:].ravel()] - unit[lines[:, :-1].ravel()])
        ends = (lines[:, :-2].ravel(), lines[:, 1:-1].ravel(), lines[:, 2:].ravel())
        second.append(unit[ends[0]] - 2.0 * unit[ends[1]] + unit[ends[2]])
    return np.concatenate(first), np.concatenate(second)


def _edge_force(view: View, blur: float) -> np.ndarray:
    """The force (2, h, w) towards edges, x and y: the gradient of P = G_sigma * |grad I|, at most about 1.

    Where it is known which edges may be the outline, only those draw, not those of markings.
    """
    strength = _slope(gaussian_filter(view.colour, (0.7, 0.7, 0.0)))
    # What is strong compared with its surroundings draws, in shade as in light.
    strength = strength / (gaussian_filter(strength, 25.0) + 0.25 * strength.max() + 1e-9)
    if view.frontier is not None:
        strength = strength * view.frontier
    down, right = np.gradient(gaussian_filter(strength, blur))
    return np.stack([right, down]) / (np.percentile(np.hypot(right, down), 99.0) + 1e-9)


def _slope(picture: np.ndarray) -> np.ndarray:
    """How fast a picture (h, w, c) changes from pixel to pixel, (h, w)."""
    steps = [np.gradient(band) for band in np.moveaxis(picture, 2, 0)]
    return np.sqrt(sum(down**2 + right**2 for down, right in steps))


# What comes of it


def at_places(points: np.ndarray, part: str, u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Pixel positions (m, n, 2) that belong to places of a part's surface.

    The nodes belong to the places where the surface's control points have their say; between them the picture is
    stretched as the surface is.

    Args:
        points: The grid.
        part: "body" or one of `FIN_PARTS`.
        u: Across the rows (m,), from 0 to 1.
        v: Along the columns (n,), from 0 to 1.
    """
    degree_u, degree_v = GRID_DEGREES[part]
    rows, columns = points.shape[:2]
    half_way = through(points.reshape(rows, -1), degree_u).reshape(points.shape)
    control = through(np.swapaxes(half_way, 0, 1).reshape(columns, -1), degree_v).reshape(columns, rows, 2)
    across = basis(rows, degree_u, np.asarray(u) * (rows - degree_u))
    along = basis(columns, degree_v, np.asarray(v) * (columns - degree_v))
    return np.einsum("mr,nc,crd->mnd", across, along, control, optimize=True)


def rectified(
    image: np.ndarray, points: np.ndarray, part: str = "body", size: tuple[int, int] = (512, 1024)
) -> np.ndarray:
    """The picture of a part on a rectangle, its coordinates the surface's: u from the top down, v to the right.

    Args:
        image: As of `fit_grid`.
        points: The grid.
        part: "body" or one of `FIN_PARTS`.
        size: Rows and columns of the texture.

    Returns:
        (rows, columns, 4) float32: colour and opacity, 0 to 1, the first row the back's.
    """
    image = np.asarray(image)
    if image.ndim == 2:
        image = image[..., None]
    whole = white(image)
    u, v = ((np.arange(count) + 0.5) / count for count in size)
    at = at_places(np.asarray(points, float), part, u, v)
    # Pixels that fall between two of the texture are averaged first, in the part of the picture that is needed.
    low = np.maximum(np.floor(at.min(axis=(0, 1))).astype(int) - 2, 0)
    high = np.minimum(np.ceil(at.max(axis=(0, 1))).astype(int) + 3, image.shape[1::-1])
    low = np.minimum(low, np.maximum(high - 1, 0))
    cut = image[low[1] : max(high[1], low[1] + 1), low[0] : max(high[0], low[0] + 1)].astype(np.float32) / whole
    skip = np.array([np.abs(np.diff(at, axis=axis)).max(axis=2).mean() for axis in (0, 1)])
    if skip.min() > 1.2:
        blur = 0.4 * float(skip.min())
        cut = gaussian_filter(cut, (blur, blur, 0.0), truncate=2.5)
    spots = (at[..., 1] - low[1], at[..., 0] - low[0])
    bands = [map_coordinates(band, spots, order=1, mode="nearest") for band in np.moveaxis(cut, 2, 0)]
    opacity = np.clip(bands.pop(), 0, 1) if len(bands) in (2, 4) else np.ones(size, dtype=np.float32)
    colour = np.stack(bands * 3 if len(bands) == 1 else bands, axis=-1)
    if opacity.min() < 0.5 < opacity.max():
        nearest = distance_transform_edt(opacity < 0.9 * opacity.max(), return_distances=False, return_indices=True)
        colour = colour[tuple(nearest)]
    return np.dstack([np.clip(np.nan_to_num(colour), 0.0, 1.0), opacity]).astype(np.float32)


def packed(
    image: np.ndarray, grids: Mapping[str, np.ndarray], width: int = 1024
) -> tuple[np.ndarray, dict[str, tuple[float, float, float, float]]]:
    """One texture for the body and the fins that have grids: the body above, fins in a row below.

    Args:
        image: As of `fit_grid`.
        grids: Grids by part.
        width: Columns of the texture.

    Returns:
        (rows, width, 4) float32, the first row the highest; and by part the left, lower, right and upper end of its
        rectangle, from 0 to 1, upwards.
    """
    rows = {"body": width // 2, "fins": width // 4}
    fins = [part for part in FIN_PARTS if part in grids]
    height = rows["body"] * ("body" in grids) + rows["fins"] * bool(fins)
    texture = np.zeros((height, width, 4), dtype=np.float32)
    places = {}
    if "body" in grids:
        texture[: rows["body"]] = rectified(image, grids["body"], "body", (rows["body"], width))
        places["body"] = (0.0, 1.0 - rows["body"] / height, 1.0, 1.0)
    for index, part in enumerate(fins):
        left, right = (width * (index + k) // len(fins) for k in (0, 1))
        texture[-rows["fins"] :, left:right] = rectified(image, grids[part], part, (rows["fins"], right - left))
        places[part] = (left / width, 0.0, right / width, rows["fins"] / height)
    return texture, places


def side_profile(species: Species, points: np.ndarray) -> Species:
    """The species with the grid's outline as its side view (the wish of §5.3), checked.

    The line from the nose to the middle of the tail's root becomes the long axis, at the height of the tail's root.
    Eyes and pectoral fins keep their places between belly and back.

    Args:
        species: As it was.
        points: The body's grid (9, 21, 2).

    Raises:
        SceneError: A number is not as declared; the body is too high, say.
    """
    form = species.form
    end = float(species.body.stations[-1])
    level = round(0.5 * (form.back[-1][1] + form.belly[-1][1]), 4)
    outline = read_outline(np.asarray(points, float))
    lines = {}
    for name, row in (("back", 0), ("belly", -1)):
        along, above = outline.places(points[row])
        along[0], above[0], along[-1] = 0.0, 0.0, 1.0
        rows: list[tuple[float, float]] = []
        for s, h in zip(along, above, strict=True):
            if not rows or round(float(s) * end, 4) > rows[-1][0]:
                rows.append((round(float(s) * end, 4), round(level + float(h) * end, 4)))
        lines[name] = tuple(rows)
    new = replace(species, form=replace(form, back=lines["back"], belly=lines["belly"]))
    eye = _same_share(form, new.form, form.eye_station, form.eye_height)
    pectoral = _same_share(form, new.form, form.pectoral_station, form.pectoral_height)
    form = replace(new.form, eye_height=eye, pectoral_height=pectoral)
    return Species.from_dict(replace(new, form=form).to_dict(), species.name)


def _same_share(old: Form, new: Form, station: float, height: float) -> float:
    """The height in another form that is as far between belly and back as this one was."""

    def ends(form: Form) -> list[float]:
        lines = (np.array(form.belly), np.array(form.back))
        return [float(np.interp(station, line[:, 0], line[:, 1])) for line in lines]

    (low, high), (lower, higher) = ends(old), ends(new)
    return round(lower + (height - low) / max(high - low, 1e-6) * (higher - lower), 4)


def fin_grid(part: str, body: np.ndarray, species: Species) -> np.ndarray:
    """Where a fin's grid begins: as the species has the fin, on the body that the body's grid shows.

    Args:
        part: One of `FIN_PARTS`.
        body: The body's grid (9, 21, 2).
        species: Whose fins.

    Returns:
        (rows, columns, 2): of dorsal, ventral and pectoral fin the first row is the root, of the caudal the first
        column.
    """
    outline = read_outline(np.asarray(body, float))
    patch = rest_surfaces(species)["pectoral_left" if part == "pectoral" else part]
    rows, columns = patch.points.shape[:2]
    across = basis(rows, patch.degree_u, greville(rows, patch.degree_u))
    along = basis(columns, patch.degree_v, greville(columns, patch.degree_v))
    shape = np.einsum("mr,nc,rcd->mnd", across, along, patch.points)
    form, end = species.form, float(species.body.stations[-1])
    station = (species.body.stations[1] - shape[..., 0]) / end
    height = (shape[..., 2] + species.body.rise[1]) / end

    def moved(height: np.ndarray, root: np.ndarray) -> np.ndarray:
        """Heights as far from the picture's outline as they are from the species', each by its root."""
        ends = [
            np.interp(root, np.array(line)[:, 0] / end, np.array(line)[:, 1] / end) for line in (form.belly, form.back)
        ]
        upper, lower = outline.heights(root)
        if part == "dorsal":
            return height + (upper - ends[1])
        if part == "ventral":
            return height + (lower - ends[0])
        share = (upper - lower) / np.maximum(ends[1] - ends[0], 1e-6)
        return lower + (height - ends[0]) * (share if part == "caudal" else 1.0)

    root = np.broadcast_to(station[:1] if part != "caudal" else station[:, :1], station.shape)
    if part == "pectoral":
        root = np.full_like(station, form.pectoral_station / end)
    height = moved(height, np.clip(root, 0.0, 1.0))
    if part in ("dorsal", "ventral"):  # a first ray of no height would fold its cell
        side = 1.0 if part == "dorsal" else -1.0
        height[1] = height[0] + side * np.maximum(side * (height[1] - height[0]), 0.01)
    return outline.points(station, height)


def _cross(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The cross product in the plane, of vectors (..., 2), (...)."""
    return np.asarray(one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0])
