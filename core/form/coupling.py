"""The coupling of the surfaces with the body of nodes and springs (Tu 1999, §5.4).

The body has six segments B0 (nose to first ring) to B5 (last ring to tips), each with four quadrilateral faces;
at nose and tips nodes count twice. Every control point has a patch-node on a face, P(s, t), and an offset from it
in the face's local axes. Both are linear in the nodes and the axes, so that a control point is one row of a fixed
matrix times the 23 nodes and the faces' axes, for all fishes and frames at once.

Departures from the book, all switched off by `smooth=False`:

* Lengthwise, where the book's patches are bilinear, P(s, t) follows the cubic spline through nose, rings and tips,
  and the axes change along the body as the spline through those of the segments. Across (s) it stays linear. With
  the book's patches the surface creases at each ring when the fish bends.
* The axes are those of the left and the right face of a segment together. Faces of back and belly may be as narrow as a
  fiftieth of a length and then tilt at the slightest push.

Where surfaces share points (back, belly, nose and tail root of the halves) they share the mean of their rows.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from scipy.interpolate import CubicSpline

from ..base.constants import constant
from ..base.vectors import LEAST_SINGLE
from ..body.anatomy import LOWER_TIP_NODE, NODES, NOSE_NODE, RING_NODES, UPPER_TIP_NODE, frame_from, rest_nodes
from ..scene.species import Species
from .look import Look, gape, gill_cover, laid_down, tail_side, trailed
from .nurbs import basis, greville
from .pectorals import PectoralFin
from .surfaces import (
    BACK_ROW,
    BELLY_ROW,
    BODY_COLUMNS,
    BODY_ROWS,
    CAUDAL_ROWS,
    FIN_RAYS,
    MIRROR,
    caudal_root_shares,
    column_stations,
    eyes,
    fin_rays,
    on_flank,
    pectoral,
    rest_surfaces,
    root_shares,
)
from .tuning import JAW_DROP_REACHES, JAW_REACH_MOUTHS, JAW_THRUST_REACHES, LIP_FLANK_SHARE, TUCKED_SPREAD

SECTION_NODES = constant(
    np.array([[NOSE_NODE] * 4, *RING_NODES, [UPPER_TIP_NODE, UPPER_TIP_NODE, LOWER_TIP_NODE, LOWER_TIP_NODE]])
)
"""The nodes where segments begin and end, (7, 4), each left-top, right-top, right-bottom, left-bottom."""
SEGMENTS, SEGMENT_FACES = 6, 4
TOP_FACE, RIGHT_FACE, BOTTOM_FACE, LEFT_FACE = range(SEGMENT_FACES)
"""A segment's faces; face i lies between corners i and i + 1."""
BOTH_FLANKS = constant(np.array([0.0, 0.5, 0.0, 0.5]))
ROW_CORNERS = constant(0.5 - 0.25 * np.arange(BODY_ROWS))
"""Places of the nine rows of the left half around a section, counted in corners: from mid back 0.5 over left-top 0 and
left-bottom -1 to mid belly -1.5, a quarter of a face apart. The right half lies at 1 less these."""
PECTORALS = ("pectoral_left", "pectoral_right")


def face_axes(nodes: np.ndarray) -> np.ndarray:
    """Local axes of every face (§5.4, step 2).

    The book's u is the normal, v an edge and w their cross product. Here the lengthwise one, through the middle of
    the face, comes first and the others are named so that all four faces of a straight fish agree.

    Args:
        nodes: (..., 23, 3) positions.

    Returns:
        Unit vectors (..., 6, 4, 3 axes, 3), by segment and face: ahead, left and up.
    """
    corners = nodes[..., SECTION_NODES, :]
    front, back = corners[..., :-1, :, :], corners[..., 1:, :, :]
    one = front - np.roll(back, -1, axis=-2)
    other = np.roll(front, -1, axis=-2) - back
    ahead = _unit(one + other)
    normal = _unit(np.cross(other, one))
    edge = np.cross(normal, ahead)
    left = np.stack(
        [edge[..., TOP_FACE, :], -normal[..., RIGHT_FACE, :], -edge[..., BOTTOM_FACE, :], normal[..., LEFT_FACE, :]],
        axis=-2,
    )
    up = np.stack(
        [normal[..., TOP_FACE, :], edge[..., RIGHT_FACE, :], -normal[..., BOTTOM_FACE, :], -edge[..., LEFT_FACE, :]],
        axis=-2,
    )
    return np.stack([ahead, left, up], axis=-2)


BODY_HALVES = ("body_left", "body_right")


@lru_cache(maxsize=32)
def coupling_of(species: Species) -> Coupling:
    """The coupling of a species' surfaces with its nodes, found once."""
    return Coupling(species)


class Coupling:
    """The surfaces of one species, moved by its nodes.

    Attributes:
        species: The species.
        smooth: Whether it departs from the book as the module says.
        rest: The surfaces at rest, by name (`surfaces.rest_surfaces`).
        jaw_swing: Share of the lower jaw's motion in each control point of a half of the body, (9, 21) in body lengths.
        gill_cover: Motion of each outwards when the gill cover is lifted, likewise.
    """

    def __init__(self, species: Species, smooth: bool = True) -> None:
        """Finds patch-nodes and offsets (§5.4, steps 1 to 3)."""
        self.species, self.smooth = species, smooth
        self.rest = rest_surfaces(species)
        self._fin = pectoral(species)
        self._tucked = pectoral(replace(species, form=replace(species.form, pectoral_spread=TUCKED_SPREAD))).rays
        along = greville(BODY_COLUMNS, 3) / (BODY_COLUMNS - 3.0)
        self.gill_cover = species.bearing.gill * gill_cover(along, species.looks.gill, BODY_ROWS)
        self._stations = np.array([0.0, *species.body.stations, 1.0])
        self._nodes = rest_nodes(species.body)
        self.jaw_swing = self._jaw_swing()
        self._axes = face_axes(self._nodes)
        blocks = self._rows()
        ends = np.cumsum([len(rows) for rows in blocks.values()])
        self._blocks = {
            name: slice(end - len(rows), end) for (name, rows), end in zip(blocks.items(), ends, strict=True)
        }
        rows = np.concatenate(list(blocks.values()))
        shares = rows[:, NODES:].reshape(len(rows), SEGMENTS * SEGMENT_FACES, 3)
        self._used = np.flatnonzero(shares.any(axis=(0, 2)))
        self._matrix = np.hstack([rows[:, :NODES], shares[:, self._used].reshape(len(rows), -1)])
        rest = self._matrix @ self._basis(self._nodes[None, None], np.ones(1))[0, 0]
        self._rest_frames = [self._frame(rest, side) for side in PECTORALS]

    def control_points(
        self,
        nodes: np.ndarray,
        fins: np.ndarray,
        body_length: np.ndarray,
        mouth: np.ndarray | None = None,
        look: Look | None = None,
    ) -> dict[str, np.ndarray]:
        """Control points of all fishes over all frames (§5.4, step 4), and the eyes.

        Args:
            nodes: Positions (frames, fish, 23, 3) in metres.
            fins: Pectoral fins (frames, fish, 2, 3), left and right: gamma in radians, which is not shown (app. B),
                flap over the fin's length, oar in radians.
            body_length: (fish,) in metres.
            mouth: Opening of mouths, (frames, fish), 0 to 1; shut if left out.
            look: Looks of the fishes, (frames, fish); none if left out.

        Returns:
            By the names of `rest`, world coordinates (frames, fish, u, v, 3) float64 in metres; and "eyes", their
            centres (frames, fish, 2, 3), left and right.
        """
        nodes, fins = np.asarray(nodes, float), np.asarray(fins, float)
        length = np.asarray(body_length, float)
        moved = self._matrix @ self._basis(nodes, length)
        points = {}
        for name, patch in self.rest.items():
            if name in PECTORALS:
                tuck = None if look is None else self.species.bearing.tuck * np.asarray(look.fold[..., 1], float)
                points[name] = self._pectoral(name, moved, fins[..., PECTORALS.index(name), :], length, tuck)
            else:
                points[name] = moved[..., self._blocks[name], :].reshape(*nodes.shape[:-2], *patch.points.shape)
        if look is not None:
            mouth = self._live(points, nodes, length, mouth, look)
        if mouth is not None and np.any(mouth):
            drop = self._jaw_drop(nodes) * (np.asarray(mouth, float) * length)[..., None, None, None]
            for name in BODY_HALVES:
                points[name] = points[name] + drop
        return points | {"eyes": moved[..., self._blocks["eyes"], :]}

    def _live(
        self,
        points: dict[str, np.ndarray],
        nodes: np.ndarray,
        length: np.ndarray,
        mouth: np.ndarray | None,
        look: Look,
    ) -> np.ndarray:
        """Folds fins, bends the tail and lifts the gill covers of these control points; how far mouths are open."""
        bearing = self.species.bearing
        if bearing.fold:
            for name in ("dorsal", "ventral"):
                points[name] = laid_down(points[name], bearing.fold * np.asarray(look.fold[..., 0], float))
        if bearing.give:
            bend = bearing.give * np.asarray(look.tail, float)
            points["caudal"] = trailed(points["caudal"], bend, tail_side(nodes))
        breath = np.asarray(look.breath, float) * (bearing.breath > 0.0)
        if breath.any():
            ring = nodes[..., RING_NODES[0], :]
            left = _unit(ring[..., [0, 3], :].sum(axis=-2) - ring[..., [1, 2], :].sum(axis=-2))
            out = (
                (breath[..., 0] * length)[..., None, None, None] * self.gill_cover[..., None] * left[..., None, None, :]
            )
            points["body_left"], points["body_right"] = points["body_left"] + out, points["body_right"] - out
        return gape(bearing, np.zeros(()) if mouth is None else np.asarray(mouth, float), breath)

    def _jaw_drop(self, nodes: np.ndarray) -> np.ndarray:
        """The lower jaw's motion when the mouth opens, (frames, fish, 9, 21, 3) in body lengths; alike on both halves.

        It swings down from behind the corner of the mouth and is thrust forward a little (Tu 1999, §7.9.1).
        """
        ring = nodes[..., RING_NODES[0], :]
        ahead = nodes[..., NOSE_NODE, :] - ring.mean(axis=-2)
        head = frame_from(ahead, ring[..., :2, :].sum(axis=-2) - ring[..., 2:, :].sum(axis=-2))
        way = JAW_THRUST_REACHES * head[..., 0] - JAW_DROP_REACHES * head[..., 2]
        return self.jaw_swing[..., None] * way[..., None, None, :]

    def _jaw_swing(self) -> np.ndarray:
        looks, points, under = self.species.looks, self.rest["body_left"].points, self.species.relief.mouth_under
        reach = JAW_REACH_MOUTHS * looks.mouth
        behind = self._nodes[NOSE_NODE, 0] - points[..., 0] - under
        before = np.clip(1.0 - behind / reach, 0.0, 1.0)
        if under:  # the snout stays
            before = before * np.clip(1.0 + behind / under, 0.0, 1.0)
        below = np.clip((looks.mouth_up - np.linspace(1.0, 0.0, BODY_ROWS)) / LIP_FLANK_SHARE + 0.5, 0.0, 1.0)
        return before * below[:, None] * reach

    def flank_rows(self) -> dict[str, np.ndarray]:
        """The shares of the nodes in each control point, and of the axes of the right and left face of each segment.

        Returns:
            By the names of surfaces, then of what else rides on the body, (points, 23 + 36).
        """
        axes = np.zeros((len(self._matrix), SEGMENTS * SEGMENT_FACES, 3))
        axes[:, self._used] = self._matrix[:, NODES:].reshape(len(self._matrix), -1, 3)
        flanks = axes.reshape(len(axes), SEGMENTS, SEGMENT_FACES, 3)[:, :, [RIGHT_FACE, LEFT_FACE]]
        shares = np.hstack([self._matrix[:, :NODES], flanks.reshape(len(axes), -1)])
        return {name: shares[block] for name, block in self._blocks.items()}

    @property
    def pectoral_rest(self) -> tuple[PectoralFin, np.ndarray, list[np.ndarray]]:
        """The left pectoral fin, its rays (4, 3) when it is laid on the flank, and the flanks' frames at rest."""
        return self._fin, self._tucked, self._rest_frames

    def _basis(self, nodes: np.ndarray, length: np.ndarray) -> np.ndarray:
        """The vectors that every point is a sum of, (frames, fish, columns, 3): nodes, and axes as long as the fish."""
        axes = face_axes(nodes).reshape(*nodes.shape[:-2], SEGMENTS * SEGMENT_FACES, 3, 3)[..., self._used, :, :]
        axes = axes.reshape(*nodes.shape[:-2], -1, 3) * length[:, None, None]
        return np.concatenate([nodes, axes], axis=-2)

    def _pectoral(
        self, name: str, moved: np.ndarray, fins: np.ndarray, length: np.ndarray, tuck: np.ndarray | None = None
    ) -> np.ndarray:
        """Control points (frames, fish, 2, 4, 3): the root on the flank, the outer points as app. B moves them."""
        side = PECTORALS.index(name)
        root = moved[..., self._blocks[name], :]
        rays = self._fin.swing(fins[..., 1], fins[..., 2])
        if tuck is not None and tuck.any():
            laid = rays + tuck[..., None, None] * (self._tucked - rays)
            rays = _unit(laid) * np.linalg.norm(self._fin.rays, axis=-1, keepdims=True)
        rays = rays * (MIRROR if side else 1.0)
        turn = self._frame(moved, name) @ self._rest_frames[side].T
        outer = root[..., 4:, :] + length[:, None, None] * (rays @ np.swapaxes(turn, -1, -2))
        return np.stack([root[..., :4, :], outer], axis=-3)

    def _frame(self, moved: np.ndarray, name: str) -> np.ndarray:
        """The rotation (..., 3, 3) of the flank at a pectoral fin's root, so that the rays keep their lengths."""
        ahead, up = np.moveaxis(moved[..., self._blocks[name + "_axes"], :], -2, 0)
        return frame_from(ahead, up)

    def _rows(self) -> dict[str, np.ndarray]:
        """Each control point's shares (points, 23 + 72) in the nodes and in the axes of all faces, by surface."""
        left, right = (
            self._attach(self.rest[name].points.reshape(-1, 3), np.repeat(around, BODY_COLUMNS)).reshape(
                BODY_ROWS, BODY_COLUMNS, -1
            )
            for name, around in (("body_left", ROW_CORNERS), ("body_right", 1.0 - ROW_CORNERS))
        )
        mean = (left + right) / 2
        for half in (left, right):
            half[[0, -1]], half[:, -1], half[:, 0] = mean[[0, -1]], mean[:, -1], mean[:, 0].mean(axis=0)
        rows = {"body_left": left, "body_right": right}
        rows["dorsal"] = self._median_fin("dorsal", self.species.form.dorsal, BACK_ROW, left)
        rows["ventral"] = self._median_fin("ventral", self.species.form.ventral, BELLY_ROW, left)
        rows["caudal"] = self._caudal(left[:, -1])
        for name, half in zip(PECTORALS, (left, right), strict=True):
            places = np.vstack([self._fin.root, self._fin.middle])
            shares = basis(BODY_ROWS, 3, places[:, 0])[:, :, None] * basis(BODY_COLUMNS, 3, places[:, 1])[:, None]
            rows[name] = np.tensordot(shares, half, 2)
            rows[name + "_axes"] = self._flank_axes(self._fin.middle, right=half is right)
        form = self.species.form
        height = on_flank(self.species, self.rest["body_left"].points, form.eye_station, form.eye_height)[0]
        around = 0.5 - height / 3
        rows["eyes"] = self._attach(eyes(self.species)[0], np.array([around, 1.0 - around]))
        return {name: block.reshape(-1, block.shape[-1]) for name, block in rows.items()}

    def _median_fin(self, name: str, outline: tuple, row: int, left: np.ndarray) -> np.ndarray:
        """Rows (24, shares) of a fin whose root is the body's edge and whose rays stand on the mid-plane."""
        stations = fin_rays(outline, self.species)[:, 0]
        root = np.tensordot(root_shares(self.rest["body_left"].points, row, stations, self.species), left, 2)
        rays = self._attach(self.rest[name].points[1], np.full(FIN_RAYS, ROW_CORNERS[row]), rearmost=self._stations[-2])
        return np.vstack([root, rays])

    def _caudal(self, end: np.ndarray) -> np.ndarray:
        """Rows of the caudal fin, on the mid-plane between the last ring's back and belly and the two tips."""
        points = self.rest["caudal"].points
        height = np.linspace(0.0, 1.0, CAUDAL_ROWS).repeat(points.shape[1])[:, None]
        upper, lower = np.array([0.5, 0.5, 0.0, 0.0]), np.array([0.0, 0.0, 0.5, 0.5])
        corners = (1 - height) * upper + height * lower
        rows = self._shares(points.reshape(-1, 3), corners, np.tile(BOTH_FLANKS, (len(height), 1)))
        rows = rows.reshape(*points.shape[:2], -1)
        rows[:, 0] = caudal_root_shares() @ end
        return rows

    def _attach(self, points: np.ndarray, around: np.ndarray, rearmost: float = np.inf) -> np.ndarray:
        """Rows (n, shares) of points (n, 3) that ride on the body at places (n,) around it, as ROW_CORNERS counts them.

        `rearmost` is the last station that a point rides on; those behind are carried by it.
        """
        ahead = np.floor(around)
        corners = np.zeros((len(points), SEGMENT_FACES))
        faces = np.zeros((len(points), SEGMENT_FACES))
        every = np.arange(len(points))
        for corner, share in ((ahead, 1.0 - (around - ahead)), (ahead + 1, around - ahead)):
            corners[every, corner.astype(int) % SEGMENT_FACES] += share
        for face in (ahead, np.ceil(around) - 1):  # on a corner, the mean of the faces that meet there
            faces[every, face.astype(int) % SEGMENT_FACES] += 0.5
        return self._shares(points, corners, self._axes_of(faces), rearmost)

    def _axes_of(self, faces: np.ndarray) -> np.ndarray:
        """Shares of the faces' axes in an offset, (n, 4): in the book the own face's, else left and right alike."""
        return np.tile(BOTH_FLANKS, (len(faces), 1)) if self.smooth else faces

    def _shares(
        self, points: np.ndarray, corners: np.ndarray, faces: np.ndarray, rearmost: float = np.inf
    ) -> np.ndarray:
        """Shares (n, 23 + 72) of points (n, 3), given those of a section's corners (n, 4) and faces (n, 4)."""
        station = np.minimum(self._nodes[NOSE_NODE, 0] - points[:, 0], rearmost)
        along, segments = self._along(station)
        in_nodes = np.zeros((len(points), NODES))
        for section, nodes in enumerate(SECTION_NODES):
            for corner, node in enumerate(nodes):
                in_nodes[:, node] += along[:, section] * corners[:, corner]
        in_axes = segments[:, :, None] * faces[:, None, :]
        axes = np.einsum("nsf,sfad->nda", in_axes, self._axes)
        offset = np.linalg.solve(axes, (points - in_nodes @ self._nodes)[..., None])[..., 0]
        return np.hstack([in_nodes, (in_axes[..., None] * offset[:, None, None]).reshape(len(points), -1)])

    def _along(self, station: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Shares of the seven sections (n, 7) and of the six segments (n, 6) at stations (n,)."""
        middles = (self._stations[:-1] + self._stations[1:]) / 2
        if self.smooth:
            sections = CubicSpline(self._stations, np.eye(SEGMENTS + 1), bc_type="natural")(station)
            segments = CubicSpline(middles, np.eye(SEGMENTS), bc_type="clamped")
            return sections, segments(np.clip(station, middles[0], middles[-1]))
        sections = np.stack([np.interp(station, self._stations, one) for one in np.eye(SEGMENTS + 1)], axis=-1)
        segment = np.clip(np.searchsorted(self._stations, station, side="right") - 1, 0, SEGMENTS - 1)
        return sections, np.eye(SEGMENTS)[segment]

    def _flank_axes(self, middle: np.ndarray, right: bool) -> np.ndarray:
        """Shares (2, 23 + 72) of the flank's directions ahead and up where a pectoral fin's root lies."""
        station = basis(BODY_COLUMNS, 3, middle[1:]) @ column_stations(self.species)
        faces = self._axes_of(np.eye(SEGMENT_FACES)[[RIGHT_FACE if right else LEFT_FACE]])[0]
        shares = np.zeros((2, SEGMENTS, SEGMENT_FACES, 3))
        shares[(0, 1), :, :, (0, 2)] = self._along(station)[1][0][:, None] * faces
        return np.hstack([np.zeros((2, NODES)), shares.reshape(2, -1)])


def local_points(points: np.ndarray, origin: np.ndarray, rotation: np.ndarray) -> np.ndarray:
    """World points in each fish's own frame.

    Args:
        points: (frames, fish, ..., 3).
        origin: (frames, fish, 3), and
        rotation: (frames, fish, 3, 3) with columns ahead, left and up, as `anatomy.body_frame` gives them.

    Returns:
        (frames, fish, ..., 3) in the unit of the points.
    """
    between = (slice(None),) * 2 + (None,) * (points.ndim - 3)
    flat = (points - origin[between]).reshape(*points.shape[:2], -1, 3)
    return (flat @ rotation).reshape(points.shape)


def _unit(vector: np.ndarray) -> np.ndarray:
    """Unit vectors; zeros stay, where a body has no such direction."""
    return vector / np.maximum(np.linalg.norm(vector, axis=-1, keepdims=True), LEAST_SINGLE)
