"""The armature of a species, and where its bones are when its surfaces move.

A vertex of the mesh follows up to four bones with smooth shares, as every program for animation does it (linear blend
skinning). Where a bone is at a moment follows from the vertices that it moves: of all rigid motions the one that brings
them nearest to where the surfaces have them, each by its share (Kabsch 1976). Vertices are sums of control points, and
so are the sums in that fit; what the blending of neighbours leaves is shared out in further rounds. All fishes and
frames are fitted at once, by two matrices of a few hundred rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from ..base.attitude import matrices, nearby, normalised, of_frames
from ..base.constants import constant
from ..body.anatomy import rest_nodes
from .coupling import SECTION_NODES
from .mesh import EYES, BoundMesh, ControlNet, FishMesh
from .tuning import GILL_REACH, JAW_REACH_MOUTHS

SEGMENT_BONES = 1, 2, 2, 2, 2, 2
"""Bones of the spine in each segment of the body, from the head to the tail."""
SPINE = "head", *(f"spine.{number:02d}" for number in range(1, 9)), "tail.01", "tail.02"
MEDIAN_BONES = 3
"""Bones of a median fin, from the front."""
MEDIAN_NAMES = {"dorsal": "dorsal", "ventral": "anal"}
NAME_ENDS = {"left": "L", "right": "R"}
"""Endings of the names of bones, by which Blender mirrors them."""
ROOT = "root"
BESIDE = 0.01
"""Share of its length by which a bone of the spine ends under the next one's head: where they meet, Blender's importer
of FBX connects them, and a connected bone has lost its place."""
FIT_ROUNDS = 2
"""After the first fit."""
LEAST_SHARE = 1e-4
"""Least share of a bone in a vertex; less is none."""
NO_SHARE = 1e-9
HINGE_SHARE = 0.9
"""Place of the hinge of a gill cover, as a share of the way out to the skin."""
STEEP = 0.9
"""Cosine of the angle to the upright from which on a bone counts as upright."""
OUTWARD = constant(np.array([way for way in product((-1.0, 0.0, 1.0), repeat=3) if any(way)]))
"""Directions in which vertices are farthest out, (26, 3)."""

BonePose = tuple[np.ndarray, np.ndarray]
"""Rotations of a bone from rest, and places of its head."""


@dataclass(frozen=True)
class Bone:
    """One bone at rest, in body lengths in the fish's own frame.

    Attributes:
        name: Unique; bones of the left end in ".L", their mirror images in ".R".
        parent: Row of the bone that carries it; -1 for the root.
        head: Its beginning, about which it turns, (3,).
        tail: Its end, (3,).
        axes: (3, 3), columns x, y and z: y along the bone, z as far up as it can be; ahead if it is
            upright.
    """

    name: str
    parent: int
    head: np.ndarray
    tail: np.ndarray
    axes: np.ndarray


class Rig:
    """The bones of a species.

    Attributes:
        bones: All, parents before those that they carry; the first is the root, which moves no vertex.
        weights: Shares of the bones in the mesh's vertices, (vertices, bones), four or fewer of each above 0.
    """

    def __init__(self, net: ControlNet, mesh: BoundMesh) -> None:
        """Lays out bones and shares.

        Args:
            net: The species' control net.
            mesh: Mesh that the bones move. They are fitted to the mesh of the species' own surfaces, if this is
                another: it may have any number of vertices anywhere.
        """
        self._mesh, self._rest = mesh, mesh.vertices(net.rest)
        fitted = _Layout(net, mesh if isinstance(mesh, FishMesh) else FishMesh(net))
        own = fitted if isinstance(mesh, FishMesh) else _Layout(net, mesh, fitted)
        names = [name for name in fitted.names if name in SPINE or name == ROOT or own.moves(name)]
        self.bones = fitted.bones(names)
        shares = own.weights(names)
        self.weights = _shared(shares if mesh.worn is None else mesh.worn(self.bones, shares))
        moving = [name for name in fitted.names if name in SPINE or fitted.moves(name)]
        self._fit = _Fit(fitted.mesh, fitted.rest, _shared(fitted.weights(moving)))
        self._fitted = [moving.index(name) for name in names[1:]]

    def poses(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The places and turns of the bones.

        Args:
            points: Control points of the net, (..., points, 3) in body lengths in the fish's own frame.

        Returns:
            Rotations (..., bones, 3, 3) from rest, and the bones' heads (..., bones, 3), in the same frame. The root
            rests in it.
        """
        flat = points.reshape(-1, *points.shape[-2:])
        turn, moved = (of[:, self._fitted] for of in self._fit.motions(flat))
        head = (turn @ np.stack([bone.head for bone in self.bones[1:]])[..., None])[..., 0] + moved
        turn = np.concatenate([np.broadcast_to(np.eye(3), (len(flat), 1, 3, 3)), turn], axis=1)
        head = np.concatenate([np.broadcast_to(self.bones[0].head, (len(flat), 1, 3)), head], axis=1)
        return turn.reshape(*points.shape[:-2], -1, 3, 3), head.reshape(*points.shape[:-2], -1, 3)

    def without_stretch(self, turn: np.ndarray, head: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Poses like these, in which no bone but the foremost of the spine leaves its place on its parent.

        Each bone of the spine is aimed at where the next one should be. Swimming muscles shorten a fish by some 4 %, so
        a spine that does not give is too long: it keeps its middle where it should be.

        Args:
            turn: Rotations (..., bones, 3, 3) from rest, and
            head: heads (..., bones, 3), as `poses` gives them.
        """
        turn, target, head = turn.copy(), head, head.copy()
        behind = {bone.parent: row for row, bone in enumerate(self.bones) if bone.name in SPINE[1:]}
        for row, bone in enumerate(self.bones):
            if bone.parent > 0:
                carrier = self.bones[bone.parent]
                way = turn[..., bone.parent, :, :] @ (bone.head - carrier.head)
                head[..., row, :] = head[..., bone.parent, :] + way
            if row in behind:
                along = turn[..., row, :, :] @ (self.bones[behind[row]].head - bone.head)
                aim = _swing(along, target[..., behind[row], :] - head[..., row, :])
                turn[..., row, :, :] = aim @ turn[..., row, :, :]
        spine = [row for row, bone in enumerate(self.bones) if bone.name in SPINE]
        head[..., 1:, :] += (target - head)[..., spine, :].mean(axis=-2, keepdims=True)
        return turn, head

    def skinned(self, turn: np.ndarray, head: np.ndarray) -> np.ndarray:
        """The vertices of bones in these poses, (..., vertices, 3)."""
        found = np.zeros((*turn.shape[:-3], self._mesh.count, 3))
        for row, bone in enumerate(self.bones[1:], 1):
            own = np.flatnonzero(self.weights[:, row])
            moved = (self._rest[own] - bone.head) @ np.swapaxes(turn[..., row, :, :], -1, -2) + head[..., row, None, :]
            found[..., own, :] += self.weights[own, row, None] * moved
        return found

    def channels(self, turn: np.ndarray, head: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """These poses as each bone has them against its parent, as armatures are keyed.

        Args:
            turn: Rotations (frames, ..., bones, 3, 3) from rest, and
            head: heads (frames, ..., bones, 3), in any frame that has the root's rest pose as its own.

        Returns:
            Places (frames, ..., bones, 3) in the bone's own axes, off those at rest; and turns (frames, ..., bones, 4)
            as quaternions w, x, y, z, from those at rest, without a change of sign from frame to frame.
        """
        place, quaternion = np.empty(head.shape), np.empty((*head.shape[:-1], 4))
        for row, bone in enumerate(self.bones):
            carrier = None if bone.parent < 0 else (turn[..., bone.parent, :, :], head[..., bone.parent, :])
            place[..., row, :], quaternion[..., row, :] = self.against(
                row, (turn[..., row, :, :], head[..., row, :]), carrier
            )
        return place, quaternion

    def against(self, row: int, pose: BonePose, carrier: BonePose | None) -> tuple[np.ndarray, np.ndarray]:
        """The pose of a bone as it has it against its carrier, as armatures are keyed.

        Args:
            row: The bone.
            pose: Its rotation (frames, ..., 3, 3) from rest and its head (frames, ..., 3), in the frame of the root.
            carrier: The same of the bone that carries it, or as that plays; None for the root.

        Returns:
            Its place (frames, ..., 3) in its own axes, off that at rest; and its turn (frames, ..., 4) as a quaternion
            w, x, y, z, from that at rest, without a change of sign from frame to frame.
        """
        (turn, head), bone = pose, self.bones[row]
        if carrier is None:
            moved = head - bone.head
        else:
            back = np.swapaxes(carrier[0], -1, -2)
            moved = (back @ (head - carrier[1])[..., None])[..., 0] - (bone.head - self.bones[bone.parent].head)
            turn = back @ turn
        return moved @ bone.axes, nearby(of_frames(bone.axes.T @ turn @ bone.axes))

    def posed(self, row: int, place: np.ndarray, quaternion: np.ndarray, carrier: BonePose | None) -> BonePose:
        """The pose of a bone from its place and turn, of whatever length, against its carrier: `against`, undone."""
        bone = self.bones[row]
        turn, moved = bone.axes @ matrices(normalised(quaternion)) @ bone.axes.T, place @ bone.axes.T
        if carrier is None:
            return turn, bone.head + moved
        way = moved + (bone.head - self.bones[bone.parent].head)
        return carrier[0] @ turn, carrier[1] + (carrier[0] @ way[..., None])[..., 0]

    def leeway(self, row: int) -> np.ndarray:
        """The errors of a bone's channels, numbers of its place and of its quaternion, that put its vertices off by 1.

        Half of it is left to its place. An error of d in a quaternion turns by 2 d, and so moves what is farthest from
        the bone's head by 2 d of that way.
        """
        reach = np.linalg.norm(self._outermost[row], axis=1).max()
        return np.array([0.5 / 3**0.5, 0.5 / (2.0 * 3**0.5 * reach)])

    def off(self, row: int, pose: BonePose, other: BonePose) -> float:
        """The most that a bone in one pose moves any vertex of its own away from where it is by another pose.

        A vertex that several bones move is no farther off than by the worst of them. The root, which moves none, counts
        as if it moved all.
        """
        turn, head = pose[0] - other[0], pose[1] - other[1]
        return float(
            np.linalg.norm(self._outermost[row] @ np.swapaxes(turn, -1, -2) + head[..., None, :], axis=-1).max()
        )

    @cached_property
    def _outermost(self) -> list[np.ndarray]:
        """The vertices of each bone that are farthest out in many directions, off its head, (n, 3)."""
        found = []
        for row, bone in enumerate(self.bones):
            own = self._rest[(self.weights[:, row] > 0.0) | (row == 0)] - bone.head
            found.append(own[np.unique((own @ OUTWARD.T).argmax(axis=0))])
        return found


class _Layout:
    """The bones of a species as a mesh has them, and their shares in its vertices.

    Attributes:
        mesh: The mesh.
        rest: Vertices at rest, (vertices, 3).
        names: Names of all bones, the root first.
    """

    def __init__(self, net: ControlNet, mesh: BoundMesh, like: _Layout | None = None) -> None:
        """Lays them out; those of median fins and the jaw as in another layout, if there is one."""
        self._net, self.mesh = net, mesh
        self.rest = mesh.vertices(net.rest)
        self._ends: dict[str, np.ndarray] = {} if like is None else like._ends
        self._parts: list[tuple[str, str, np.ndarray, np.ndarray]] = []
        self._shares: list[np.ndarray] = []
        station, carriers = self._spine()
        for fin in MEDIAN_NAMES:
            self._median_fin(fin, station, carriers)
        for side, end in NAME_ENDS.items():
            self._pectoral(side, end, station, carriers)
        for name, end in zip(EYES, NAME_ENDS.values(), strict=True):
            centre, *_, front = net.rest[net.blocks[name]]
            self._add(f"eye.{end}", "head", centre, front, self._within(name, np.ones(mesh.count)))
        self._jaw()
        for side, end in NAME_ENDS.items():
            self._gill(side, end)
        self.names = [part[0] for part in self._parts]

    def moves(self, name: str) -> bool:
        """True if a bone of this name moves any vertex."""
        return name in self.names and bool(self._shares[self.names.index(name)].max(initial=0.0) > NO_SHARE)

    def weights(self, names: list[str]) -> np.ndarray:
        """Shares of some bones in the vertices, (vertices, bones)."""
        return np.stack([self._shares[self.names.index(name)] for name in names], axis=1)

    def bones(self, names: list[str]) -> tuple[Bone, ...]:
        """Some of the bones; those that carry them are among them."""
        found = []
        for name in names:
            _, carrier, head, tail = self._parts[self.names.index(name)]
            found.append(Bone(name, names.index(carrier) if carrier else -1, head, tail, _axes(tail - head)))
        return tuple(found)

    def _spine(self) -> tuple[np.ndarray, np.ndarray]:
        """Lay out root and spine; stations (vertices,), and the stations of the middles of the spine's bones."""
        body = self._net.coupling.species.body
        sections = np.array([0.0, *body.stations, 1.0])
        joints = np.concatenate(
            [np.linspace(sections[at], sections[at + 1], bones + 1)[at > 0 :] for at, bones in enumerate(SEGMENT_BONES)]
        )
        centres = rest_nodes(body)[SECTION_NODES].mean(axis=1)
        line = np.stack([np.interp(joints, sections, centres[:, axis]) for axis in range(3)], axis=1)
        middles = (joints[:-1] + joints[1:]) / 2
        nose = line[0, 0]
        station = nose - self.rest[:, 0]
        self._add(ROOT, "", np.zeros(3), np.array([line[0, 0], 0.0, 0.0]), np.zeros(self.mesh.count))
        for row, shares in enumerate(_hats(station, middles).T):
            end = line[row + 1] - (0.0, 0.0, BESIDE * (line[row, 0] - line[row + 1, 0]))
            self._add(SPINE[row], SPINE[row - 1] if row else ROOT, line[row], end, shares)
        return station, middles

    def _median_fin(self, fin: str, station: np.ndarray, carriers: np.ndarray) -> None:
        """A few bones from its root to its edge."""
        out, rows = self._reach(fin), self.mesh.groups[fin]
        if not len(rows):
            return
        reach = np.linspace(station[rows].min(), station[rows].max(), 2 * MEDIAN_BONES + 1)
        ends = self._ends.setdefault(fin, reach)
        for number, shares in enumerate(_hats(station, ends[1::2]).T, 1):
            own = self._within(fin, shares)
            carrier = SPINE[int(np.abs(carriers - ends[2 * number - 1]).argmin())]
            root, edge = self._mean(own * (1.0 - out)), self._mean(own * out)
            self._add(f"{MEDIAN_NAMES[fin]}.{number:02d}", carrier, root, edge, own * out)

    def _pectoral(self, side: str, end: str, station: np.ndarray, carriers: np.ndarray) -> None:
        """One bone from the middle of its root to that of its edge."""
        name = f"pectoral_{side}"
        out, own = self._reach(name), self._within(name, np.ones(self.mesh.count))
        root = np.flatnonzero(own * (1.0 - out))
        if not len(root):
            return
        carrier = SPINE[int(np.abs(carriers - station[root].mean()).argmin())]
        self._add(f"pectoral.{end}", carrier, self._mean(own * (1.0 - out)), self._mean(own * out), own * out)

    def _jaw(self) -> None:
        """Lay the jaw from its hinge to the chin."""
        way = np.linalg.norm(self.mesh.matrix @ self._net.gape, axis=1)
        most = self._ends.setdefault("jaw", np.maximum(way.max(), NO_SHARE))
        shares = np.minimum(way / most, 1.0)
        tip = self._mean(np.where(shares > 0.5, shares, 0.0)) * (1.0, 0.0, 1.0)
        reach = JAW_REACH_MOUTHS * self._net.coupling.species.looks.mouth
        self._add("jaw", "head", tip - (reach, 0.0, 0.0), tip, shares)

    def _gill(self, side: str, end: str) -> None:
        """Lay the gill cover from its hinge to its rear edge."""
        points = np.zeros(self._net.count)
        cover = self._net.coupling.gill_cover
        points[self._net.blocks[f"body_{side}"]] = (cover / max(cover.max(), NO_SHARE)).ravel()
        shares = np.clip(self.mesh.matrix @ points, 0.0, 1.0)
        edge = self._mean(np.where(shares > 0.5, shares, 0.0))
        own = self.rest[self.rest[:, 1] * edge[1] >= 0.0]
        front = edge + (GILL_REACH, 0.0, 0.0)  # beside the head, which is narrower there
        hinge = own[np.linalg.norm(own - front, axis=1).argmin()] * (1.0, HINGE_SHARE, 1.0)
        self._add(f"gill.{end}", "head", hinge, edge, shares)

    def _add(self, name: str, carrier: str, head: np.ndarray, tail: np.ndarray, shares: np.ndarray) -> None:
        """Add a bone, which takes its shares of the vertices from those before it, or by themselves all of them."""
        if name not in SPINE:
            self._shares = [before * (1.0 - shares) for before in self._shares]
        self._parts.append((name, carrier, head, tail))
        self._shares.append(shares)

    def _reach(self, fin: str) -> np.ndarray:
        """The place of vertices on a fin, (vertices,), 0 at its root and 1 at its edge: such fins are ruled."""
        block = self._net.blocks[fin]
        outer = slice((block.start + block.stop) // 2, block.stop)
        return np.asarray(self.mesh.matrix[:, outer].sum(axis=1)).ravel().clip(0.0, 1.0)

    def _within(self, group: str, shares: np.ndarray) -> np.ndarray:
        """These shares (vertices,) in a group, 0 beyond it."""
        found = np.zeros(self.mesh.count)
        found[self.mesh.groups[group]] = shares[self.mesh.groups[group]]
        return found

    def _mean(self, shares: np.ndarray) -> np.ndarray:
        """The middle (3,) of vertices at rest, each by its share."""
        return shares @ self.rest / max(shares.sum(), NO_SHARE)


class _Fit:
    """The rigid motions of bones that bring a mesh nearest to where its control points have it."""

    def __init__(self, mesh: BoundMesh, rest: np.ndarray, weights: np.ndarray) -> None:
        """Sums up once what all fits have in common.

        Args:
            mesh: The mesh.
            rest: Vertices at rest, (vertices, 3).
            weights: Shares of the bones, (vertices, bones).
        """
        own = weights / weights.sum(axis=0)
        self._middle = own.T @ rest
        off = rest[:, None] - self._middle
        moments = own[..., None] * np.concatenate([np.ones_like(off[..., :1]), off], axis=-1)  # (vertices, bones, 4)
        flat = moments.reshape(len(rest), -1)
        spread = np.concatenate([rest, np.ones((len(rest), 1))], axis=1)
        blended = (weights[..., None] * spread[:, None]).reshape(len(rest), -1)
        self._by_points = (mesh.matrix.T @ flat).T  # (bones 4, points)
        own_part = np.zeros((len(own.T), 4, len(own.T), 4))
        every = np.arange(len(own.T))
        own_part[every, :, every] = np.einsum("vbi,vj->bij", moments, spread)
        self._by_motions = own_part.reshape(flat.shape[1], -1) - flat.T @ blended

    def motions(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rotations (n, bones, 3, 3) about the origin and shifts (n, bones, 3), for control points (n, points, 3)."""
        many = points.transpose(1, 0, 2).reshape(points.shape[1], -1)
        target = self._by_points @ many
        turn, moved = self._nearest(target)
        for _ in range(FIT_ROUNDS):
            motion = np.concatenate([np.swapaxes(turn, -1, -2), moved[..., None, :]], axis=-2)  # (n, bones, 4, 3)
            rest = self._by_motions @ motion.transpose(1, 2, 0, 3).reshape(len(target), -1)
            turn, moved = self._nearest(target + rest)
        return turn, moved

    def _nearest(self, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The motions by where vertices should be: their means, and moments about those at rest (bones 4, n 3)."""
        sums = sums.reshape(len(self._middle), 4, -1, 3).transpose(2, 0, 1, 3)
        u, _, v = np.linalg.svd(sums[..., 1:, :])
        v = np.swapaxes(v, -1, -2)
        v[..., 2] *= np.sign(np.linalg.det(u) * np.linalg.det(v))[..., None]
        turn = v @ np.swapaxes(u, -1, -2)
        return turn, sums[..., 0, :] - (turn @ self._middle[..., None])[..., 0]


def _shared(shares: np.ndarray) -> np.ndarray:
    """Shares (vertices, bones) without those that are next to nothing, which make 1 in all."""
    shares[shares < LEAST_SHARE] = 0.0
    return shares / shares.sum(axis=1, keepdims=True)


def _hats(at: np.ndarray, middles: np.ndarray) -> np.ndarray:
    """Shares (n, middles) of places (n,) between rising middles, all of the first or the last beyond them."""
    return np.stack([np.interp(at, middles, one) for one in np.eye(len(middles))], axis=1)


def _axes(along: np.ndarray) -> np.ndarray:
    """Axes (3, 3) of a bone that points along (3,)."""
    y = along / np.linalg.norm(along)
    up = np.array([1.0, 0.0, 0.0]) if abs(y[2]) > STEEP else np.array([0.0, 0.0, 1.0])
    z = up - (up @ y) * y
    z /= np.linalg.norm(z)
    return np.stack([np.cross(y, z), y, z], axis=1)


def _swing(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """The shortest rotations (..., 3, 3) from one direction (..., 3) to another that is not opposite to it."""
    one = start / np.linalg.norm(start, axis=-1, keepdims=True)
    other = end / np.linalg.norm(end, axis=-1, keepdims=True)
    cosine = (one * other).sum(axis=-1)[..., None, None]
    x, y, z = np.moveaxis(np.cross(one, other), -1, 0)
    none = np.zeros_like(x)
    skew = np.stack([none, -z, y, z, none, -x, -y, x, none], axis=-1).reshape(*x.shape, 3, 3)
    return np.eye(3) + skew + skew @ skew / (1.0 + cosine)
