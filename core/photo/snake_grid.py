"""The snake grid: coupled active contours that lay a species' surfaces over a photograph (Tu 1999, §5.2.1, app. A).

A grid of m x n nodes is m + n deformable contours that share their nodes, as many as the surface has control points:
9 x 21 for the body, row 0 the back, column 0 the nose. Its border is drawn to the edges in the picture, tension and
rigidity hold the rest in the form that the surface has in side view, and the mouse and anchors pull at nodes by
springs. Positions are pixels of the photograph, x to the right and y down, the middle of the first pixel at 0.

An anchor is (row, column, x, y): the node (row, column) stays at (x, y). On the body's grid these say most: the nose
(4, 0), the middle of the tail's root (4, 20), back and belly half way (0, 10) and (8, 10).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.ndimage import map_coordinates

from ..base.declaration import number
from ..scene.species import Species
from .anchors import Anchors, known_by, read_anchors
from .contours import border, differences, edge_force
from .first_guess import first_guess
from .grid_form import GRID_SHAPES, folded, lay_out, read_outline
from .view import ReducedPhotograph, look

STILL_PIXELS = 0.01
"""A grid is at rest when no node moves further than this in a step, in pixels of the reduced picture."""


@dataclass(frozen=True)
class Elasticity:
    """The elasticity of the contours (Tu 1999, app. A); forces are in pixels of a picture some 400 wide."""

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
        anchors: Each (row, column, x, y): the node stays there, exactly unless that would fold cells.
        facing: Direction of the nose in the picture: "left", "right" or "auto".
        species: Species whose surface the grid is for; it decides how columns and rows are spaced.
        elasticity: Elasticity of the contours.

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
        species: Species whose surface it is for.
        elasticity: Elasticity of the contours.
        anchors: Places (x, y) by node (row, column).
        drags: Likewise, where the mouse pulls at nodes.
    """

    def __init__(
        self,
        image: np.ndarray | ReducedPhotograph,
        points: np.ndarray,
        anchors: Iterable = (),
        part: str = "body",
        species: Species | None = None,
        elasticity: Elasticity | None = None,
    ) -> None:
        """Lay a grid over a photograph.

        Args:
            image: Image as of `fit_grid`, or a view of it by `look`.
            points: Positions of the nodes (rows, columns, 2), in pixels.
            anchors: Anchors as of `fit_grid`.
            part: Part that the grid is for.
            species: Species as of `fit_grid`.
            elasticity: Elasticity as of `fit_grid`.
        """
        self.part = part
        self.species = species or Species()
        self.view = image if isinstance(image, ReducedPhotograph) else look(image)
        self._nodes = self.view.to_view(np.array(points, dtype=float))
        if self._nodes.shape != (*GRID_SHAPES[part], 2):
            raise ValueError(f"points: found {self._nodes.shape}, allowed {(*GRID_SHAPES[part], 2)}")
        self.elasticity = elasticity or Elasticity()
        self.anchors: Anchors = read_anchors(anchors, GRID_SHAPES[part])
        self.drags: Anchors = {}
        self._rest = self._nodes.copy()
        self._border = border(*GRID_SHAPES[part], part)
        self._stretch, self._bend = differences(*GRID_SHAPES[part])
        self._field = edge_force(self.view, self.elasticity.blur)
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
        anchored = read_anchors(anchors, GRID_SHAPES["body"])
        outline, view = first_guess(image, known_by(anchored), facing)
        return cls(view, lay_out(outline, species, anchored), anchored, "body", species, elasticity)

    @property
    def points(self) -> np.ndarray:
        """Positions of the nodes (rows, columns, 2), in pixels of the photograph."""
        return self.view.to_image(self._nodes)

    @points.setter
    def points(self, places: np.ndarray) -> None:
        self._nodes = self.view.to_view(np.array(places, dtype=float))

    def step(self, dt: float = 1.0) -> float:
        """Move the grid on by a step of equation A.1, with the elastic forces taken at the step's end.

        The springs' lengths (A.2) pull along the directions that they have at the step's beginning, so that the
        matrix is the same for every step and factored once.

        Returns:
            The motion of the fastest node, in pixels of the photograph.
        """
        self._follow_drags()
        self._rest = self._shape_at_rest()
        made_of = self.elasticity
        nodes, rest = self._nodes.reshape(-1, 2), self._rest.reshape(-1, 2)
        force = made_of.tension * self._stretch.T @ self._natural_edges(nodes, rest)
        force += made_of.rigidity * self._bend.T @ (self._bend @ rest)
        force += made_of.attraction * self._image_force()
        pulled, places = self._springs()
        force[pulled] += made_of.spring * places
        new = cho_solve(self._factored_matrix(dt, pulled), made_of.damping / dt * nodes + force)
        moved = float(np.abs(new - nodes).max())
        self._nodes = new.reshape(self._nodes.shape)
        return moved * self.view.step

    def relax(self, steps: int = 60) -> int:
        """Step until the grid is at rest, then see to it that no cell is folded and that anchored nodes are in place.

        Returns:
            The number of steps taken.
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
        """Fix a node to a place, by default where it is."""
        x, y = self.points[row, column] if place is None else place
        self.anchors[row, column] = (float(x), float(y))

    def flip(self) -> None:
        """Turn the grid over for a fish that faces the other way; anchors stay with their nodes' new places."""
        self._nodes = self._nodes[:, ::-1].copy()
        count = self._nodes.shape[1]
        self.anchors = {(row, count - 1 - column): at for (row, column), at in self.anchors.items()}
        self.drags = {}

    def _follow_drags(self) -> None:
        """Lets all edges draw once the mouse pulls: the person who drags knows the outline better."""
        if self.drags and self.view.frontier is not None:
            self.view = replace(self.view, frontier=None)
            self._field = edge_force(self.view, self.elasticity.blur)

    def _natural_edges(self, nodes: np.ndarray, rest: np.ndarray) -> np.ndarray:
        """Edges (edges, 2) of natural length l_i in the directions r_i / |r_i| that they have now (A.2)."""
        edges = self._stretch @ nodes
        length = np.linalg.norm(edges, axis=1, keepdims=True)
        natural = np.linalg.norm(self._stretch @ rest, axis=1, keepdims=True)
        return natural * np.where(length > 1e-9, edges / np.maximum(length, 1e-9), self._stretch @ rest)

    def _factored_matrix(self, dt: float, pulled: np.ndarray) -> tuple:
        """The Cholesky factor of the step's matrix, kept until elasticity, step or pulled nodes change."""
        made_of = self.elasticity
        key = (made_of, dt, pulled.tobytes())
        if not self._factored or self._factored[0] != key:
            matrix = made_of.damping / dt * np.eye(self._nodes[..., 0].size)
            matrix += made_of.tension * self._stretch.T @ self._stretch + made_of.rigidity * self._bend.T @ self._bend
            matrix[pulled, pulled] += made_of.spring
            self._factored = (key, cho_factor(matrix))
        return self._factored[1]

    def _springs(self) -> tuple[np.ndarray, np.ndarray]:
        """Numbers (n,) of the nodes at which springs pull, and where to (n, 2) in the reduced picture."""
        columns = self._nodes.shape[1]
        springs = self.anchors | self.drags
        numbers = np.array([row * columns + column for row, column in springs], dtype=int)
        return numbers, self.view.to_view(np.array(list(springs.values()), dtype=float).reshape(-1, 2))

    def _image_force(self) -> np.ndarray:
        """The pull of edges on the border, (nodes, 2): the gradient of the blurred strength of edges.

        Only its part across the contour counts: along it nodes are spaced by their springs.
        """
        force = np.zeros((self._nodes[..., 0].size, 2))
        nodes = self._nodes.reshape(-1, 2)
        for contour in self._border:
            at = nodes[contour]
            along = np.gradient(at, axis=0)
            along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
            pull = np.stack([map_coordinates(f, at.T[::-1], order=1, mode="nearest") for f in self._field], axis=1)
            force[contour] += pull - (pull * along).sum(axis=1, keepdims=True) * along
        return force

    def _shape_at_rest(self) -> np.ndarray:
        """The form (rows, columns, 2) that tension and rigidity hold, in the reduced picture.

        The body takes the form of the surface in side view between the outline that it has now; a fin the form
        that it had at first.
        """
        if self.part != "body":
            return self._rest
        anchors = {node: tuple(self.view.to_view(np.array(at))) for node, at in self.anchors.items()}
        return lay_out(read_outline(self._nodes), self.species, anchors)
