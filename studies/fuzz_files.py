"""Damaged or forged files are loaded soundly or refused in one line, and soon.

A sound scene, mesh, recording or world is changed at random: bytes of its file, numbers and words of its text, arrays
of its archive. What loads is used a little, as a bake or a simulation would. Each trial is the same for the same seed;
failed files are kept in out/fuzz.
"""

from __future__ import annotations

import json
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from ..core.base.codec import SceneError
from ..core.form.coupling import Coupling
from ..core.recording import Recording
from ..core.scene.scene import Scene
from ..core.world.world import World
from .finding import Finding, counted, each

SECONDS = 120  # for the trials of a kind of file; later ones are left out
TRIAL_SECONDS = 20  # for one
LONGEST_MESSAGE = 2500  # characters
KEPT = Path("out") / "fuzz"
SOUND, REFUSED, FAILED = "loaded", "refused", "failed"

ODD: tuple[Any, ...] = (
    *(0, -1, 1, 2, 7, 2**31, 2**63, -(2**63), 10**30, 10**400, 1e-300, 1e300, -1e300, 0.5, -0.0),
    *(float("nan"), float("inf"), float("-inf"), True, False, None, "", "x", "sardine", "../x.obj", "/etc/passwd"),
    *("\x1b[31m", "\0", "k" * 3000, [], {}, [[]], [[1, 2]], [{}], {"": 0}, {"kind": "mesh"}, [0.0] * 3, ["x"] * 3),
)
ODD_WORDS = (
    "1e300",
    "nan",
    "-inf",
    "9" * 400,
    "0",
    "-1",
    "1/2/3",
    "1//",
    "/",
    "#",
    "\\",
    "v",
    "f",
    "l",
    "\ufeff",
    "1e-320",
)
ODD_NUMBERS = (0, 1, -1, 6, 7, 99, 2**31 - 1, 1e-300, 1e9, 1e30, 1e300, np.nan, np.inf, -np.inf)
FACTORS = (-1.0, 0.01, 0.5, 2.0, 5.0, 100.0)  # on a number, small enough that it may stay valid
CUBE = (
    *(f"v {x} {y} {z}" for x in (0, 1) for y in (0, 1) for z in (0, 1)),
    *("f 1 2 4 3", "f 5 7 8 6", "f 1 5 6 2", "f 3 4 8 7", "f 1 3 7 5", "f 2 6 8 4"),
)
SCENE: dict[str, Any] = {
    "duration": 0.2,
    "tank": {"size": [4, 3, 2]},
    "terrain": {"heights": [[0.0, 0.1, 0.2], [0.1, 0.2, 0.3]]},
    "fishes": [
        {"species": "sardine", "count": 2, "at": [2, 1.5, 1], "spread": 0.3},
        {"species": "clownfish", "at": [1, 1, 1], "enters": 0.1},
    ],
    "obstacles": [
        {"kind": "cylinder", "at": [3, 2, 0], "radius": 0.2},
        {"kind": "mesh", "at": [3, 1, 0], "file": "a.obj"},
    ],
    "plankton": {"count": 4},
    "events": [{"kind": "food", "time": 0.1, "at": [2, 1, 1]}],
}


@dataclass(frozen=True)
class FileOutcome:
    """The outcome of loading a file.

    Attributes:
        verdict: `SOUND`, `REFUSED` or `FAILED`.
        note: The failure, and where the file is kept.
    """

    verdict: str
    note: str = ""


@dataclass(frozen=True)
class FileKind:
    """A kind of file.

    Attributes:
        ending: Ending of its name.
        make: Makes a sound file.
        forge: Changes its content within its format.
        use: Loads it from its path and does something with it.
    """

    ending: str
    make: Callable[[], bytes]
    forge: Callable[[np.random.Generator, bytes], bytes]
    use: Callable[[Path], None]


def findings(seeds: range = range(1000)) -> Iterator[Finding]:
    """Number of files loaded soundly or refused in one line, of so many of each kind."""
    for name in KINDS:
        until = time.time() + SECONDS
        outcomes = [one for one in each(trial, [name], seeds, [until]) if one is not None]
        counts = Counter(one.verdict for one in outcomes)
        notes = [f"{counts[SOUND]} loaded, {counts[REFUSED]} refused", *(one.note for one in outcomes if one.note)]
        yield counted(
            f"a {name} that was changed is sound, or refused in one line",
            [one.verdict != FAILED for one in outcomes],
            1.0,
            "; ".join(notes[:6]),
        )


def trial(name: str, seed: int, until: float = float("inf"), keep: Path = KEPT) -> FileOutcome | None:
    """The outcome of a changed file of a kind; None if it is too late to begin.

    Args:
        name: Name of the kind.
        seed: Seed of the change.
        until: Time, as from `time.time`, after which no trial begins.
        keep: Folder for files that fail.
    """
    if time.time() > until:
        return None
    kind, dice = KINDS[name], np.random.default_rng([list(KINDS).index(name), seed])
    content = kind.make()
    for _ in range(1 if dice.random() < 0.7 else 3):
        change = kind.forge if dice.random() < 0.8 else damaged
        with suppress(UnicodeError):  # in data damaged before
            content = change(dice, content)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}-{seed}{kind.ending}"
        path.write_bytes(content)
        (path.parent / "a.obj").write_text("\n".join(CUBE))
        try:
            with limited(TRIAL_SECONDS), np.errstate(all="ignore"):
                kind.use(path)
        except SceneError as error:
            text = str(error)
            if text.isprintable() and len(text) <= LONGEST_MESSAGE:
                return FileOutcome(REFUSED)
            found = f"a message of {len(text)} characters"
        except Exception as error:  # any exception is a finding
            found = f"{type(error).__name__}: {str(error)[:80]!r}"
        else:
            return FileOutcome(SOUND)
        keep.mkdir(parents=True, exist_ok=True)
        (keep / path.name).write_bytes(content)
        return FileOutcome(FAILED, f"{keep / path.name}: {found}")


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Ends work that takes longer, if the system has a timer for that."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"{seconds:g} s were not enough")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# --- sound files --------------------------------------------------------------------------------------------------


@cache
def _world() -> World:
    scene = {**SCENE, "obstacles": SCENE["obstacles"][:1]}
    world = World(Scene.from_dict(scene), seed=1)
    world.simulate(2)
    return world


@cache
def _saved(recorded: bool) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "it.npz"
        (_world().simulate(3) if recorded else _world()).save(path)
        return path.read_bytes()


# --- changes ------------------------------------------------------------------------------------------------------


def damaged(dice: np.random.Generator, content: bytes) -> bytes:
    """The bytes with some flipped, cut off, left out, doubled or inserted."""
    data, at = bytearray(content), int(dice.integers(0, len(content) + 1))
    length = int(dice.integers(1, 64))
    match dice.integers(0, 5):
        case 0 if data:
            data[at % len(data)] ^= 1 << int(dice.integers(0, 8))
        case 1:
            del data[at:]
        case 2:
            del data[at : at + length]
        case 3:
            data[at:at] = data[at : at + length]
        case _:
            data[at:at] = dice.bytes(length)
    return bytes(data)


def _forged_text(dice: np.random.Generator, content: bytes) -> bytes:
    """JSON with a value, key or depth changed somewhere."""
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return damaged(dice, content)
    if dice.random() < 0.05:
        return b"[" * int(dice.integers(1, 200_000))
    return json.dumps(altered(dice, data)).encode()


def altered(dice: np.random.Generator, data: Any) -> Any:
    """The same data with one value changed, at a random path."""
    if isinstance(data, dict) and data and dice.random() < 0.9:
        key = list(data)[dice.integers(len(data))]
        if dice.random() < 0.1:
            return {(f"{key}x" if name == key else name): value for name, value in data.items()}
        if dice.random() < 0.1:
            return {name: value for name, value in data.items() if name != key}
        return {**data, key: altered(dice, data[key])}
    if isinstance(data, list) and data and dice.random() < 0.9:
        row = int(dice.integers(len(data)))
        if dice.random() < 0.15:
            return data[:row] + data[row + 1 :]
        return [*data[:row], altered(dice, data[row]), *data[row + 1 :]]
    if isinstance(data, int | float) and abs(data) < 1e6 and dice.random() < 0.6:
        return type(data)(data * float(dice.choice(FACTORS)))
    return ODD[dice.integers(len(ODD))]


def forged_mesh(dice: np.random.Generator, content: bytes) -> bytes:
    """An .obj text with a word, line or line end changed somewhere."""
    lines = content.decode().split("\n")
    row = int(dice.integers(len(lines)))
    words = lines[row].split(" ")
    words[dice.integers(len(words))] = ODD_WORDS[dice.integers(len(ODD_WORDS))]
    match dice.integers(0, 4):
        case 0:
            del lines[row]
        case 1:
            lines[row:row] = [lines[dice.integers(len(lines))]]
        case _:
            lines[row] = " ".join(words)
    return ("\n", "\r\n", "\\\n")[dice.choice(3, p=(0.8, 0.1, 0.1))].join(lines).encode()


def _forged_arrays(dice: np.random.Generator, content: bytes) -> bytes:
    """An archive with one array changed."""
    try:
        with np.load(BytesIO(content), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except Exception:  # damaged before: it is damaged further
        return damaged(dice, content)
    texts = [name for name, array in arrays.items() if array.dtype.kind == "U" and array.shape == ()]
    names = texts if texts and dice.random() < 0.5 else list(arrays)
    name = names[dice.integers(len(names))]
    if name in texts and dice.random() < 0.9:
        text = _forged_text(dice, arrays[name].item().encode())
        arrays[name] = np.array(text.decode(errors="replace"))
    else:
        arrays[name] = _altered_array(dice, arrays[name])
        if dice.random() < 0.1:
            del arrays[name]
    stream = BytesIO()
    (np.savez_compressed if dice.random() < 0.2 else np.savez)(stream, **arrays)
    return stream.getvalue()


def _altered_array(dice: np.random.Generator, array: np.ndarray) -> np.ndarray:
    """The array with another value, shape or dtype."""
    match dice.integers(0, 8):
        case 0:
            return array[:-1] if array.ndim else np.zeros(0, array.dtype)
        case 1:
            return array[None]
        case 2 if array.dtype.kind != "U":
            return array.astype(dice.choice(("f4", "f8", "i8", "c16", "?", "U8")))
        case 3:
            return np.zeros(int(dice.choice((0, 1, 3, 100_000))), array.dtype)
        case 4 if array.size and array.dtype.kind != "U":
            return np.full(array.shape, _number(dice, array.dtype))
    if not array.size or array.dtype.kind == "U":
        return np.array(ODD_WORDS[dice.integers(len(ODD_WORDS))])
    changed = array.copy()
    changed.flat[dice.integers(array.size)] = _number(dice, array.dtype)
    return changed


def _number(dice: np.random.Generator, dtype: np.dtype) -> Any:
    """An odd number of a dtype."""
    value = ODD_NUMBERS[dice.integers(len(ODD_NUMBERS))]
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return dtype.type(min(max(int(np.nan_to_num(value)), limits.min), limits.max))
    return np.array(value).astype(dtype)[()]


# --- uses ---------------------------------------------------------------------------------------------------------


def _use_scene(path: Path) -> None:
    scene = Scene.load(path)
    if Scene.from_dict(scene.to_dict()) != scene:
        raise ValueError("a scene that comes back as another")


def _use_mesh(path: Path) -> None:
    mesh = {"kind": "mesh", "at": [2, 1, 0], "file": path.name}
    Scene.from_dict({**SCENE, "obstacles": [mesh]}, folder=path.parent)


def _use_recording(path: Path) -> None:
    recording = Recording.load(path)
    recording.log()
    recording.until(1)
    for name in set(recording.species):
        rows = [row for row, species in enumerate(recording.species) if species == name]
        coupling = Coupling(recording.species_models[name])
        points = coupling.control_points(
            recording.nodes[:1, rows], recording.fins[:1, rows], recording.body_length[rows], recording.mouth[:1, rows]
        )
        if not all(np.isfinite(surface).all() for surface in points.values()):
            raise ValueError("surfaces that are not finite")


def _use_world(path: Path) -> None:
    world = World.load(path)
    if not np.isfinite(world.simulate(2).nodes).all():
        raise ValueError("nodes that are not finite")


KINDS = {
    "scene": FileKind(".json", lambda: json.dumps(SCENE).encode(), _forged_text, _use_scene),
    "mesh": FileKind(".obj", lambda: "\n".join(CUBE).encode(), forged_mesh, _use_mesh),
    "recording": FileKind(".npz", partial(_saved, True), _forged_arrays, _use_recording),
    "world": FileKind(".npz", partial(_saved, False), _forged_arrays, _use_world),
}
