"""Species, scenes and meshes that nobody would write: each is refused in one line, or lives without a fault.

Species and scenes are presets with some values changed: larger or smaller, of another kind, at the ends of what
a number holds, or gone; or some of all possible keys are drawn by their declarations. Meshes are
boxes, spheres and worse, with holes, slits, concave faces, faces of no area and corners that no face has, as obstacles
among fishes. All chance is seeded; each kind has so many trials, but no new one begins after its share of the time.
Failed cases are saved as JSON, to be tried again, and an interrupted study resumes.
"""

from __future__ import annotations

import json
import signal
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..core.base.codec import LONGEST_LINE, SceneError
from ..core.base.declaration import is_written
from ..core.habitat.obstacles import Obstacles
from ..core.scene.controller import Controller
from ..core.scene.fishes import Member
from ..core.scene.obstacles import MeshObstacle
from ..core.scene.scene import Scene
from ..core.scene.species import Species
from ..core.world.world import World
from .declared import made, valued
from .endurance import CUBE, SIDES, trouble
from .finding import Finding, counted, each
from .resuming import resumed

SECONDS = 300.0  # for all trials of a kind
PATIENCE = 30  # seconds for one trial, after which it counts as slow
FRAMES = 24  # lived by an accepted case
MOST_STEPS = 20_000  # fish-steps, beyond which it is accepted without living
BATCH = 20  # trials between two points at which an interrupted study can resume
KEPT = Path("out") / "fuzz"
INSIDE = 0.05  # lengths that the middle of a fish may be in a mesh
JUNK: tuple[Any, ...] = (
    *(None, True, "", "clownfish", "\x00\n", "ü" * 999, [], {}, [[]], [None], 0, -1, 1, 2**63, 10**400, 0.0, -0.0),
    *(1e-320, 1e-9, 0.5, -0.5, 1e9, 1e300, -1e300, float("nan"), float("inf"), -float("inf"), [0, 0, 0], [1e6] * 3),
)
FACTORS = 0.01, 0.3, 0.7, 0.9, 1.1, 1.5, 3.0, 100.0, -1.0  # factors on a number


class SlowError(Exception):
    """A trial took longer than `PATIENCE`."""


@dataclass(frozen=True)
class FuzzTrial:
    """The outcome of a trial.

    Attributes:
        kind: Kind of case.
        seed: Its seed.
        came: "lived", "taken", "refused", "slow" or "late", when it was not begun; else the failure, in words.
        data: The case.
    """

    kind: str
    seed: int
    came: str
    data: Any = None

    @property
    def failed(self) -> bool:
        """True if it had a fault."""
        return self.came not in ("lived", "taken", "refused", "slow", "late")


def attempt(kind: str, seed: int, until: float = np.inf) -> FuzzTrial:
    """Run a trial of a kind, unless it is later than `until`, in seconds since the epoch."""
    if time.time() > until:
        return FuzzTrial(kind, seed, "late")
    throw, live = KINDS[kind]
    data = throw(np.random.default_rng(seed))
    try:
        with warnings.catch_warnings(), _patient():
            warnings.simplefilter("error")  # NumPy's of invalid values
            return FuzzTrial(kind, seed, live(data, seed), data)
    except SceneError as error:
        line = str(error)
        clean = line.isprintable() and len(line) <= LONGEST_LINE
        return FuzzTrial(kind, seed, "refused" if clean else f"no clean line: {line[:200]!r}", data)
    except SlowError:
        return FuzzTrial(kind, seed, "slow", data)
    except Exception as error:  # any failure is a finding
        place = traceback.extract_tb(error.__traceback__)[-1]
        return FuzzTrial(kind, seed, f"{error!r} in {Path(place.filename).name}, {place.name}"[:400], data)


@contextmanager
def _patient() -> Iterator[None]:
    """Raises in the block after `PATIENCE`, if the system has a timer for that."""

    def give_up(number: int, frame: Any) -> None:
        raise SlowError

    if not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


# Species and scenes


def spoilt(dice: np.random.Generator, data: Any) -> Any:
    """The same data with one to three values changed or removed."""
    data = deepcopy(data)
    for _ in range(dice.integers(1, 4)):
        _spoil(dice, data)
    return data


def _spoil(dice: np.random.Generator, data: Any) -> None:
    """Changes a value at some depth, in place."""
    while isinstance(data, (dict, list)) and data:
        keys = list(data) if isinstance(data, dict) else list(range(len(data)))
        key = keys[dice.integers(len(keys))]
        if not isinstance(data[key], (dict, list)) or not data[key] or dice.random() < 0.15:
            break
        data = data[key]
    else:
        return
    value, way = data[key], dice.random()
    if way < 0.7 and isinstance(value, (int, float)) and not isinstance(value, bool):
        factor = float(dice.choice(FACTORS))
        data[key] = round(value * factor) if isinstance(value, int) else value * factor
    elif way < 0.75:
        del data[key]
    elif way < 0.8 and isinstance(data, list):
        data.insert(key, deepcopy(value))
    elif way < 0.85 and isinstance(data, dict):
        data[f"{key} "] = deepcopy(value)
    else:
        data[key] = deepcopy(JUNK[dice.integers(len(JUNK))])


def grown(dice: np.random.Generator, cls: type, data: dict[str, Any], size: np.ndarray) -> dict[str, Any]:
    """The same data for a dataclass, with one to four of its keys drawn by their declarations."""
    data = deepcopy(data)
    known = [field for field in fields(cls) if is_written(field) and field.name not in KEPT_KEYS]
    for row in dice.choice(len(known), int(dice.integers(1, 5)), replace=False):
        field = known[row]
        value = valued(dice, cls, field, size, MAKERS)
        if isinstance(value, dict) and isinstance(data.get(field.name), dict) and dice.random() < 0.7:
            value = {**data[field.name], **dict(list(value.items())[: int(dice.integers(1, 4))])}
        if isinstance(value, list) and field.name == "fishes":
            value = [*data[field.name], *value]
        data[field.name] = value
    return data


def _muscular(dice: np.random.Generator) -> dict[str, Any]:
    """A learned controller of a species, or one of random numbers."""
    data = made(dice, Controller, np.ones(3), {name: make for name, make in MAKERS.items() if name != "Controller"})
    return data if dice.random() < 0.2 else json.loads(CONTROLLER.read_text())


def _drawn_mesh(dice: np.random.Generator) -> dict[str, Any]:
    """A mesh that may move or deform."""
    mesh = a_mesh(dice)
    mesh |= {key: value for key, value in made(dice, MeshObstacle, np.full(3, 3.0), MAKERS).items() if key not in mesh}
    for key in mesh.get("motion", ()):
        if "vertices" in key and dice.random() < 0.8:
            key["vertices"] = (np.array(mesh["vertices"]) + dice.normal(0.0, 0.02, 3)).tolist()
    if isinstance(mesh.get("motion"), list) and dice.random() < 0.9:
        deforms = dice.random() < 0.5 and any("vertices" in key for key in mesh["motion"])
        mesh["motion"].sort(key=lambda key: key["time"])
        for key in mesh["motion"]:
            if deforms:
                key.setdefault("vertices", mesh["vertices"])
            else:
                key.pop("vertices", None)
    return mesh


def _drawn_tank(dice: np.random.Generator) -> dict[str, Any]:
    """Water in a box, or in a mesh in it."""
    size = dice.uniform([1, 1, 0.5], [12, 10, 5])
    if dice.random() < 0.5:
        return {"size": size.tolist()}
    return {"size": size.tolist(), "vertices": (CUBE * size).tolist(), "faces": [list(side) for side in SIDES]}


def a_species(dice: np.random.Generator) -> dict[str, Any]:
    """A spoilt species."""
    return spoilt(dice, Species.load(str(dice.choice(Species.names()))).to_dict())


def a_declared_species(dice: np.random.Generator) -> dict[str, Any]:
    """A species with some keys drawn by their declarations."""
    return grown(dice, Species, Species.load(str(dice.choice(Species.names()))).to_dict(), np.ones(3))


def lived_species(data: Any, seed: int) -> str:
    """Outcome of a species: three of its fishes swim."""
    species = Species.from_dict(data)
    wide = [round(20.0 * species.length, 3)] * 3
    group = {"species": "fish", "count": 3, "at": [0.5 * way for way in wide], "spread": 3.0 * species.length}
    scene = Scene.from_dict({"tank": {"size": wide}, "fishes": [group]}, species=["fish"])
    return trouble(World(scene, seed, species={"fish": species}).simulate(FRAMES)) or "lived"


def a_scene(dice: np.random.Generator) -> dict[str, Any]:
    """A spoilt scene with few fishes."""
    data = Scene.load(str(dice.choice(Scene.names()))).to_dict()
    for group in data["fishes"]:
        group["count"] = min(group["count"], 2)
        group["members"] = []
    return spoilt(dice, data)


def a_declared_scene(dice: np.random.Generator) -> dict[str, Any]:
    """A scene with sections of any kind, drawn by their declarations."""
    if dice.random() < 0.5:
        data = Scene.load(str(dice.choice(Scene.names()))).to_dict()
        for group in data["fishes"]:
            group["count"] = min(group["count"], 2)
            group["members"] = []
    else:
        size = dice.uniform([1, 1, 0.5], [6, 5, 3])
        names = dice.choice(Species.names(), 2)
        groups = [{"species": str(name), "count": 2, "at": (0.5 * size).tolist(), "spread": 0.3} for name in names]
        data = {"tank": {"size": size.tolist()}, "fishes": groups}
    return grown(dice, Scene, data, np.array(data.get("tank", {}).get("size", (10.0, 8.0, 4.0))))


def lived_scene(data: Any, seed: int) -> str:
    """Outcome of a scene: it lives for a second, unless that takes long."""
    scene = Scene.from_dict(data)
    if (FRAMES + scene.preroll_frames) * scene.substeps * max(scene.count, 1) > MOST_STEPS:
        return "taken"
    return trouble(World(scene, seed).simulate(FRAMES)) or "lived"


# Meshes


def a_mesh(dice: np.random.Generator) -> dict[str, Any]:
    """A random mesh, as in an obstacle."""
    vertices, faces = MESHES[dice.integers(len(MESHES))](dice)
    for _ in range(dice.integers(0, 3)):
        vertices, faces = FAULTS[dice.integers(len(FAULTS))](dice, vertices, faces)
    mesh = {"kind": "mesh", "vertices": np.asarray(vertices).tolist(), "faces": faces}
    return {**mesh, "at": dice.uniform(0.5, 2.5, 3).tolist(), "scale": float(dice.choice([0.01, 0.3, 1.0, 1.0, 50.0]))}


Mesh = tuple[np.ndarray, list[list[int]]]


def _box(dice: np.random.Generator) -> Mesh:
    return CUBE @ (np.eye(3) + dice.normal(0.0, 0.2, (3, 3))), [list(side) for side in SIDES]


def _prism(dice: np.random.Generator) -> Mesh:
    """Two caps of many corners, concave as often as not, and quads between them."""
    corners = int(dice.integers(3, 14))
    angle, radius = np.arange(corners) * 2 * np.pi / corners, dice.uniform(0.1, 0.6, corners)
    cap = np.stack([radius * np.cos(angle), radius * np.sin(angle), np.zeros(corners)], axis=1)
    sides = [[k, (k + 1) % corners, corners + (k + 1) % corners, corners + k] for k in range(corners)]
    caps = [list(range(corners))[::-1], list(range(corners, 2 * corners))]
    return np.concatenate([cap, cap + (0.0, 0.0, dice.uniform(0.0, 1.0))]), sides + caps


def _lump(dice: np.random.Generator) -> Mesh:
    """A sphere of rings, bumpy like a rock."""
    rings, around = int(dice.integers(2, 8)), int(dice.integers(3, 12))
    tilt, turn = np.meshgrid(np.pi * np.arange(1, rings + 1) / (rings + 1), 2 * np.pi * np.arange(around) / around)
    ball = np.stack([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)], axis=-1)
    ball = ball.transpose(1, 0, 2).reshape(-1, 3) * dice.uniform(0.3, 0.5, (rings * around, 1))
    top, bottom, faces = rings * around, rings * around + 1, []
    for ring, k in np.ndindex(rings + 1, around):
        after = (k + 1) % around
        over, under = [(ring - 1) * around + k, (ring - 1) * around + after], [ring * around + k, ring * around + after]
        if ring == 0:
            faces.append([top, *under])
        elif ring == rings:
            faces.append([bottom, *over[::-1]])
        else:
            faces.append([over[1], over[0], *under])
    return np.concatenate([ball, [[0.0, 0.0, 0.4], [0.0, 0.0, -0.4]]]), faces


def _sheet(dice: np.random.Generator) -> Mesh:
    """One polygon."""
    corners = int(dice.integers(3, 9))
    return dice.normal(0.0, 0.5, (corners, 3)), [list(range(corners))]


def _soup(dice: np.random.Generator) -> Mesh:
    """Polygons between any corners."""
    corners = int(dice.integers(4, 30))
    faces = [dice.choice(corners, dice.integers(3, min(corners, 8)), replace=False).tolist() for _ in range(corners)]
    return dice.normal(0.0, 0.4, (corners, 3)), faces


def _pair(dice: np.random.Generator) -> Mesh:
    """Two meshes that coincide, or intersect."""
    (one, sides), (other, faces) = (MESHES[dice.integers(3)](dice) for _ in range(2))
    shift = dice.choice([0.0, 0.3, 1.0], 3)
    return np.concatenate([one, other + shift]), sides + [[k + len(one) for k in face] for face in faces]


MESHES: tuple[Callable[[np.random.Generator], Mesh], ...] = (_box, _prism, _lump, _sheet, _soup, _pair)


def _opened(dice: np.random.Generator, vertices: np.ndarray, faces: list[list[int]]) -> Mesh:
    return vertices, [face for face in faces if dice.random() > 0.15]


def _turned(dice: np.random.Generator, vertices: np.ndarray, faces: list[list[int]]) -> Mesh:
    return vertices, [face[::-1] if dice.random() < 0.2 else face for face in faces]


def _flattened(dice: np.random.Generator, vertices: np.ndarray, faces: list[list[int]]) -> Mesh:
    return vertices * np.where(np.arange(3) == dice.integers(3), 0.0, 1.0), faces


def _welded(dice: np.random.Generator, vertices: np.ndarray, faces: list[list[int]]) -> Mesh:
    """Some corners moved onto others: faces of no area."""
    place = np.where(dice.random(len(vertices)) < 0.2, dice.integers(len(vertices)), np.arange(len(vertices)))
    return vertices[place], faces


def _repeated(dice: np.random.Generator, vertices: np.ndarray, faces: list[list[int]]) -> Mesh:
    """Corners repeated in a face, faces repeated in the mesh."""
    return vertices, [face + face[-1:] if dice.random() < 0.2 else face for face in faces] + faces[:1]


def _strayed(dice: np.random.Generator, vertices: np.ndarray, faces: list[list[int]]) -> Mesh:
    """A corner far away, or one in no face."""
    far = float(dice.choice([1e-12, 1e3, 1e6]))
    return np.concatenate([vertices, dice.normal(size=(1, 3)) * far]).clip(-1e6, 1e6), faces + (
        [[0, 1, len(vertices)]] if dice.random() < 0.5 else []
    )


def _misnumbered(dice: np.random.Generator, vertices: np.ndarray, faces: list[list[int]]) -> Mesh:
    """A face of two corners, of none, or of missing corners."""
    return vertices, [*faces, [[0, 1], [], [0, 1, len(vertices)], [0, 0, 0]][dice.integers(4)]]


FAULTS: tuple[Callable[[np.random.Generator, np.ndarray, list[list[int]]], Mesh], ...] = (
    *(_opened, _opened, _turned, _flattened, _welded, _repeated, _strayed, _misnumbered),
)


def lived_mesh(data: Any, seed: int) -> str:
    """Outcome of a mesh among fishes: none is outside the tank, and none inside the mesh."""
    groups = [{"species": name, "count": 2, "at": [1.5, 1.5, 1.5], "spread": 1.5} for name in ("clownfish", "grouper")]
    scene = Scene.from_dict({"tank": {"size": [3.0, 3.0, 3.0]}, "fishes": groups, "obstacles": [data]})
    recording = World(scene, seed).simulate(FRAMES)
    middles = recording.nodes.astype(float).mean(axis=2)
    depth = -Obstacles.from_scene(scene).distance(middles)[0] / recording.body_length
    if depth.max() > INSIDE:
        frame, fish = np.unravel_index(depth.argmax(), depth.shape)
        return f"fish {fish} is {depth.max():.2f} lengths inside in frame {frame}"
    return trouble(recording) or "lived"


KEPT_KEYS = "fps", "duration", "preroll", "substeps"
"""Keys of a scene that determine how long it runs; spoilt ones vary them instead."""
CONTROLLER = Path(__file__).resolve().parents[1] / "presets" / "scenes" / "race" / "shark_1440.json"
MAKERS: dict[str, Callable[[np.random.Generator], Any]] = {
    "FishGroup.species": lambda dice: str(dice.choice(Species.names())),
    "FishGroup.count": lambda dice: int(dice.integers(1, 4)),
    "FishGroup.members": lambda dice: [{**made(dice, Member, np.ones(3), MAKERS), "index": 0}],
    "Controller": _muscular,
    "MeshObstacle": _drawn_mesh,
    "Tank": _drawn_tank,
}
"""Makers of values that must fit others, by key or class."""
KINDS: dict[str, tuple[Callable[[np.random.Generator], Any], Callable[[Any, int], str]]] = {
    "species": (a_species, lived_species),
    "scene": (a_scene, lived_scene),
    "mesh": (a_mesh, lived_mesh),
    "declared species": (a_declared_species, lived_species),
    "declared scene": (a_declared_scene, lived_scene),
}


def saved(trial: FuzzTrial, folder: Path) -> Path:
    """Saves a failed or slow case as JSON, with its outcome."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{trial.kind}-{trial.seed}.json"
    path.write_text(json.dumps({"kind": trial.kind, "seed": trial.seed, "came": trial.came, "data": trial.data}))
    return path


def findings(seeds: range = range(400), failures: Path | None = None) -> Iterator[Finding]:
    """Number of each kind without a fault."""
    for kind in KINDS:
        trial = partial(_tried, kind, seeds.stop, time.time() + SECONDS, failures)
        batches = resumed(KEPT / f"{kind.replace(' ', '_')}.jsonl", seeds[::BATCH], trial)
        done = [one for batch in batches.values() for one in json.loads(batch)]
        counts = Counter("failed" if failed else came for _, came, failed in done)
        note = ", ".join(f"{count} {came}" for came, count in sorted(counts.items()))
        note += "".join(f"; seed {seed}: {came}" for seed, came, failed in [one for one in done if one[2]][:3])
        yield counted(f"{kind}: refused in one line or without a fault", [not failed for *_, failed in done], 1.0, note)


def _tried(kind: str, end: int, until: float, failures: Path | None, first: int) -> str:
    """Outcomes of a batch of trials of a kind, as JSON: seed, outcome and whether it failed, for each."""
    seeds = range(first, min(first + BATCH, end))
    done = [one for one in each(attempt, [kind], seeds, [until]) if one.came != "late"]
    for one in done:
        if failures is not None and (one.failed or one.came == "slow"):
            saved(one, failures)
    return json.dumps([(one.seed, one.came, one.failed) for one in done])
