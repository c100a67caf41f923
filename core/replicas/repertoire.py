"""The repertoire of a species: recorded cycles of everything that it does, as data (Yu & Terzopoulos 1999, §4).

A segment is one cycle of `POSES` poses. The fish's own frame, of equations 1 to 4 with our axes, is kept relative to a
carrier: a frame that is level and moves on evenly, at the segment's mean velocity and rate of yaw, while the own frame
sways about it with the beat. It heads along the path; in a turn the nose points inwards of it. That is the paper's
record of increments M and t (eq. 6 and 7) with the net motion of a cycle taken out; `increments` puts it back. So
cycles of several segments can be mixed without drifting apart.

A C-start, which happens once, has its end as its last pose; all others come back from the last to the first.

Lengths are in body lengths, so that a repertoire fits fishes of the species of every size: alpha, the ratio of sizes
in equations 11 to 13, is the length of the fish.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from ..base.arrays import array, arrays_of, conform
from ..base.attitude import compose, conjugate, matrices, rotated, rotations_about_up
from ..base.codec import Place, SceneError
from ..base.files import read_arrays, write_arrays
from ..base.formats import format_of_arrays, stamped_arrays
from ..base.matrices import product
from ..base.tuning import TABLES
from ..base.vectors import local
from ..body import tuning as body
from ..body.anatomy import MIRROR_NODES, NODES
from ..motor import tuning as motor
from ..scene.species import Species
from . import tuning as replicas

POSES = 32
"""In a cycle; of a species' segments of one rhythm, pose k is at the same moment of the beat."""
FARTHEST_LENGTHS = 100.0
"""Beyond which nothing of a fish is in its own frame, in body lengths or those a second."""
NO_LONGER_UNIT = 1e-3
"""Amount by which a quaternion's length may miss 1."""

GAITS = ("swim", "glide", "brake", "retreat", "start")
"""Gait of a segment: swimming (hovering at pace 0), gliding, braking, backing up, or a C-start, which happens once."""

RESPONSES = ("surge", "coast", "brake", "back", "turn", "climb", "slope")
"""Constants of a fish's change from one motion to another, which is no cycle: seconds in which it speeds up; lengths in
which its speed gives way to the command's when it glides, brakes and backs up; seconds in which it comes to turn and to
climb; and the slope of its path over that of the command."""


@dataclass(frozen=True, eq=False)
class Repertoire:
    """The motions of a species; `segments` cycles.

    Turns are captured to the left only: the species' two sides are alike, and `mirrored` has those to the right.

    Attributes:
        species: Name of the species.
        digest: Digest of the numbers that its motion depends on.
        gait: (segments,) int8, index into `GAITS`.
        pace: (segments,) share of full speed of the command, 0 to 1, and up to 2 for the share of a burst.
        turn: (segments,) rad, turn that is left all the time, left positive.
        climb: (segments,) rad, angle of the path of the command.
        seconds: (segments,) s, duration of a cycle.
        nodes: (segments, poses, 23, 3) float32, body lengths in the fish's own frame (eq. 8).
        tension: (segments, poses, 3) of muscles: amplitude of the beat, and bends of the two turning segments, left
            positive; a dynamic fish needs them to go on from a pose (§9.1).
        attitude: (segments, poses, 4) unit quaternions w, x, y, z, of the own frame in the carrier.
        place: (segments, poses, 3) body lengths, of the own frame's origin in the carrier.
        velocity: (segments, 3) lengths/s, of the carrier: ahead, left and up.
        yaw: (segments,) rad/s, of the carrier, left positive.
        closure: (segments,) body lengths, the most by which ends of the cycle missed each other before they were
            made to meet.
        responses: (7,), by the names of `RESPONSES`.
    """

    species: str
    digest: str
    gait: np.ndarray = array("i1", "segments")
    pace: np.ndarray = array("f8", "segments")
    turn: np.ndarray = array("f8", "segments")
    climb: np.ndarray = array("f8", "segments")
    seconds: np.ndarray = array("f8", "segments")
    nodes: np.ndarray = array("f4", "segments", POSES, NODES, 3)
    tension: np.ndarray = array("f8", "segments", POSES, 3)
    attitude: np.ndarray = array("f8", "segments", POSES, 4)
    place: np.ndarray = array("f8", "segments", POSES, 3)
    velocity: np.ndarray = array("f8", "segments", 3)
    yaw: np.ndarray = array("f8", "segments")
    closure: np.ndarray = array("f8", "segments")
    responses: np.ndarray = array("f8", len(RESPONSES))

    def __post_init__(self) -> None:
        conform(self)
        for name in SEGMENT_ARRAYS:
            if not np.isfinite(getattr(self, name)).all():
                raise SceneError("a number that is not finite", "finite numbers", key=name)

    def __len__(self) -> int:
        return len(self.gait)

    @property
    def poses(self) -> np.ndarray:
        """All poses, segment after segment: nodes in the fish's own frame, (segments * poses, 23, 3) float32."""
        return self.nodes.reshape(-1, NODES, 3)

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each segment."""
        return tuple(self._name(row) for row in range(len(self)))

    def _name(self, row: int) -> str:
        """The name of a segment, such as "swim 0.5 turn 30"."""
        words = [GAITS[self.gait[row]]]
        if words[0] == "swim":
            words.append(f"{self.pace[row]:g}")
        for word in ("turn", "climb"):
            angle = getattr(self, word)[row]
            words += [f"{word} {np.degrees(angle):.0f}"] if angle else []
        return " ".join(words)

    def response(self, name: str) -> float:
        """One of `RESPONSES`."""
        return float(self.responses[RESPONSES.index(name)])

    def increments(self, row: int) -> tuple[np.ndarray, np.ndarray]:
        """The increments from each pose of a segment to the next, the last to the first: what the paper records.

        Returns:
            M (poses, 3, 3), the turn of the own frame in its own axes, R' = R M (eq. 6 as corrected), and t
            (poses, 3), the way of its origin in body lengths, in the same axes (eq. 7).
        """
        step = self.seconds[row] / POSES
        after = np.roll(self.attitude[row], -1, axis=0)
        turned = rotations_about_up(np.full(POSES, self.yaw[row] * step))
        change = matrices(compose(compose(conjugate(self.attitude[row]), turned), after))
        halfway = matrices(rotations_about_up(np.full(1, 0.5 * self.yaw[row] * step)))[0]
        carried = product(halfway, (self.velocity[row] * step)[:, None])[:, 0]
        way = carried + rotated(turned, np.roll(self.place[row], -1, axis=0)) - self.place[row]
        return change, local(matrices(self.attitude[row]), way)

    def mirrored(self) -> Repertoire:
        """The mirror image in the median plane: turns to the right, half a beat later in the cycle.

        A C-start, which happens once, is not shifted.
        """
        own = {field.name: getattr(self, field.name) for field in fields(self)}
        later = np.where(self.gait == GAITS.index("start"), 0, POSES // 2)
        poses = (np.arange(POSES) + later[:, None]) % POSES
        rows = np.arange(len(self))[:, None]
        own["turn"], own["yaw"] = -self.turn, -self.yaw
        own["nodes"] = (self.nodes[:, :, MIRROR_NODES] * np.array([1.0, -1.0, 1.0], np.float32))[rows, poses]
        own["tension"] = (self.tension * (1.0, -1.0, -1.0))[rows, poses]
        own["attitude"] = (self.attitude * (1.0, -1.0, 1.0, -1.0))[rows, poses]
        own["place"] = (self.place * (1.0, -1.0, 1.0))[rows, poses]
        own["velocity"] = self.velocity * (1.0, -1.0, 1.0)
        return Repertoire(**own)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it as an .npz file, uncompressed and without pickles.

        Raises:
            SceneError: If the file cannot be written.
        """
        texts = {"species": np.array(self.species), "digest": np.array(self.digest)}
        arrays = {name: getattr(self, name) for name in SEGMENT_ARRAYS}
        write_arrays(path, {**stamped_arrays("repertoire"), **texts, **arrays})

    @classmethod
    def load(cls, path: str | os.PathLike[str], species: Species | None = None) -> Repertoire:
        """Reads what `save` wrote, to the bit.

        Args:
            path: Path of the file.
            species: Species that it must belong to, if given.

        Raises:
            SceneError: If the file cannot be read, is cut short, is no repertoire or is that of another species.
        """
        file = os.fspath(path)
        arrays = read_arrays(path, "a repertoire")
        missing = ", ".join(sorted({"format", "species", "digest", *SEGMENT_ARRAYS} - set(arrays)))
        if missing:
            raise SceneError(f"no {missing}", "a repertoire (.npz) of artfish capture", file=file)
        format_of_arrays("repertoire", arrays, file)
        try:
            values: dict[str, Any] = {
                name: _text(arrays[name], Place(file).under(name)) for name in ("species", "digest")
            }
            values |= {name: arrays[name].astype(one.kind, casting="same_kind") for name, one in SEGMENT_ARRAYS.items()}
            found = cls(**values)
        except SceneError as error:
            raise (error if error.file else error.within(Place(file))) from None
        except TypeError:
            raise SceneError("arrays of another kind", "a repertoire (.npz)", file=file) from None
        found._check(Place(file))
        if species is not None:
            found.refuse_other(species, Place(file))
        return found

    def refuse_other(self, species: Species, place: Place) -> None:
        """Raises SceneError where this is the repertoire of another species, or of one with other numbers."""
        if self.species != species.name:
            place.refuse(f"a repertoire of another species ({self.species})", f"one of {species.name}")
        if self.digest != digest_of(species):
            place.refuse(
                f"a repertoire of {species.name} with other numbers", f"one made by artfish capture {species.name}"
            )

    def _check(self, place: Place) -> None:
        """Refuses values that no capture has."""
        if not len(self):
            place.refuse("a repertoire without segments", "one with some")
        if not ((self.gait >= 0) & (self.gait < len(GAITS))).all():
            place.under("gait").refuse("an unknown gait", f"numbers from 0 to {len(GAITS) - 1}")
        swims = (self.gait == GAITS.index("swim")) & (self.climb == 0.0)
        if not swims.any():
            place.under("gait").refuse("no swimming on a level", "that at one pace or more")
        if not ((self.seconds > 0) & (self.seconds <= FARTHEST_LENGTHS)).all():
            place.under("seconds").refuse("a cycle that lasts no time", f"above 0 and up to {FARTHEST_LENGTHS:g}")
        for name in ("nodes", "tension", "place", "velocity", "yaw", "responses"):
            if not (np.abs(getattr(self, name)) <= FARTHEST_LENGTHS).all():
                place.under(name).refuse("numbers that no fish has", f"numbers up to {FARTHEST_LENGTHS:g}")
        size = np.sqrt(product(np.square(self.attitude.reshape(-1, 4)), np.ones((4, 1))))
        if not (np.abs(size - 1.0) <= NO_LONGER_UNIT).all():
            place.under("attitude").refuse("quaternions of another length than 1", "unit quaternions")


SEGMENT_ARRAYS = arrays_of(Repertoire)
"""The declarations of its arrays by name."""
CAPTURE = 1  # goes up when a repertoire is captured in another way


def digest_of(species: Species) -> str:
    """A digest of all numbers that the motion of a species depends on: its own, and the tuned ones of its rooms."""
    data = species.to_dict()
    own = {
        name: data[name]
        for name in ("time_scale", "body", "rhythm", "steering", "pectoral", "controller")
        if name in data
    }
    rooms = [[one.value for one in TABLES[room.__name__]] for room in (body, motor, replicas)]
    text = json.dumps([CAPTURE, own, rooms], sort_keys=True, default=repr)
    return hashlib.sha256(text.encode()).hexdigest()


def _text(array: np.ndarray, place: Place) -> str:
    """The text that an array of one holds."""
    if array.size != 1 or array.dtype.kind != "U":
        place.refuse("an array of another kind", "a text")
    return str(array.item())
