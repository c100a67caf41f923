"""Models that somebody has damaged or forged are read soundly or refused in one line, and bring no file of yours.

A sound .obj with its .mtl, .gltf or .glb is changed at random: bytes, words, numbers, whole values, and the names of
files in it, some of which lead out of its folder. A model that is read must have finite vertices, and nothing but
pictures packed. Each trial is the same for the same seed; failed cases are kept in out/fuzz. An interrupted study
resumes: outcomes are kept in out/fuzz/models.jsonl while the code stays the same.
"""

from __future__ import annotations

import base64
import hashlib
import json
import struct
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ..core.base.codec import SceneError
from ..core.form.mesh import ControlNet, FishMesh
from ..core.scene.species import Species
from .finding import Finding, counted
from .fuzz_files import (
    FAILED,
    KEPT,
    LONGEST_MESSAGE,
    REFUSED,
    SOUND,
    FileOutcome,
    altered,
    damaged,
    forged_mesh,
    limited,
)

TRIALS = 300
TRIAL_SECONDS = 60
SECRET = b"nobody may have this secret"
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGNocFAAIgYIBQAaDgOBnA45xwAAAABJRU5ErkJggg=="
)
"""A picture of two by two pixels."""
STRAYS = (
    *("../secret.png", "sub/../../secret.png", "{home}/secret.png", "{home}/key", "notes.png", "%2e%2e/secret.png"),
    *("//share.invalid/a.png", "\\\\share.invalid\\a\\b.png", "http://share.invalid/a.png", "file:///etc/passwd"),
    *("/dev/zero", "CON", "C:\\a.png", "link/secret.png", "~/a.png", "skin.<UDIM>.png", "", "\0", "a" * 300, "sub"),
)
"""Malicious names of pictures, to read other files."""
CODE = (
    *("core/foreign/*.py", "core/base/files.py", "core/base/codec.py", "core/adopt/faults.py", "core/adopt/model.py"),
    *("blender_artfish/adopt/reading.py", "blender_artfish/adopt/bounding.py", "blender_artfish/blender/blocks.py"),
    "studies/fuzz_models.py",
)
"""The code under trial."""


@dataclass(frozen=True)
class ModelKind:
    """A kind of model.

    Attributes:
        ending: Ending of its name.
        make: Makes the files of a sound model, by name; the first is the model.
        forge: Changes them within their format.
    """

    ending: str
    make: Callable[[], dict[str, bytes]]
    forge: Callable[[np.random.Generator, dict[str, bytes]], dict[str, bytes]]


def findings(seeds: range = range(TRIALS), failures: Path = KEPT) -> Iterator[Finding]:
    """Number of models read soundly or refused in one line, of so many of each kind; resumes an earlier run."""
    journal = Journal(failures / "models.jsonl")
    for name in KINDS:
        outcomes = [journal.outcome(name, seed, failures) for seed in seeds]
        counts = Counter(one.verdict for one in outcomes)
        notes = [f"{counts[SOUND]} read, {counts[REFUSED]} refused", *(one.note for one in outcomes if one.note)]
        yield counted(
            f"a .{name} that was changed is sound, or refused in one line, and brings pictures alone",
            [one.verdict != FAILED for one in outcomes],
            1.0,
            "; ".join(notes[:6]),
        )


class Journal:
    """Outcomes of trials of this very code, a line each in a file."""

    def __init__(self, path: Path) -> None:
        """Reads the file; a trial begun twice that never ended counts as having crashed the process."""
        self._path, self._code = path, _code()
        self._known: dict[tuple[str, int], FileOutcome] = {}
        begun: Counter[tuple[str, int]] = Counter()
        for line in path.read_text().splitlines() if path.is_file() else ():
            with suppress(ValueError):
                said = json.loads(line)
                if said["code"] != self._code:
                    continue
                which = said["kind"], said["seed"]
                begun[which] += 1
                if "verdict" in said:
                    self._known[which] = FileOutcome(said["verdict"], said["note"])
                elif begun[which] > 1:
                    self._known[which] = FileOutcome(FAILED, f"{which[0]}-{which[1]}: the process ended")

    def outcome(self, name: str, seed: int, keep: Path) -> FileOutcome:
        """The outcome of a trial, from the file or run now."""
        if (name, seed) not in self._known:
            said = {"code": self._code, "kind": name, "seed": seed}
            self._write(said)
            found = self._known[name, seed] = trial(name, seed, keep)
            self._write({**said, "verdict": found.verdict, "note": found.note})
        return self._known[name, seed]

    def _write(self, said: Mapping[str, Any]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a") as stream:
            stream.write(json.dumps(said) + "\n")


def _code() -> str:
    """A digest of the code."""
    home = Path(__file__).parents[1]
    found = hashlib.sha256()
    for pattern in CODE:
        for path in sorted(home.glob(pattern)):
            found.update(path.read_bytes())
    return found.hexdigest()[:16]


def trial(name: str, seed: int, keep: Path = KEPT) -> FileOutcome:
    """The outcome of a changed model of a kind.

    Args:
        name: Name of the kind.
        seed: Seed of the change.
        keep: Folder for models that fail.
    """
    kind, dice = KINDS[name], np.random.default_rng([list(KINDS).index(name), seed])
    files = kind.make()
    for _ in range(1 if dice.random() < 0.6 else 3):
        if dice.random() < 0.85:
            with suppress(UnicodeError):  # in data damaged before
                files = kind.forge(dice, files)
        else:
            which = list(files)[dice.integers(len(files))]
            files = {**files, which: damaged(dice, files[which])}
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / "model"
        (folder / "sub").mkdir(parents=True)
        for path, content in (
            (Path(home) / "secret.png", PICTURE + SECRET),
            (Path(home) / "key", SECRET),
            (folder / "notes.png", SECRET),
            (folder / "sub" / "skin.png", PICTURE),
        ):
            path.write_bytes(content)
        with suppress(OSError):  # Windows asks for a privilege
            (folder / "link").symlink_to(home)
        for file, content in files.items():
            (folder / file).write_bytes(content.replace(b"{home}", home.encode()))
        path = folder / next(iter(files))
        try:
            with limited(TRIAL_SECONDS), np.errstate(all="ignore"):
                read(path)
        except SceneError as error:
            text = str(error)
            if text.isprintable() and len(text) <= LONGEST_MESSAGE and "Location:" not in text:
                return FileOutcome(REFUSED)
            found = f"a message that is no line: {text[:80]!r}"
        except Exception as error:  # any exception is a finding
            found = f"{type(error).__name__}: {str(error)[:80]!r}"
        else:
            return FileOutcome(SOUND)
    for file, content in files.items():
        (keep / f"{name}-{seed}").mkdir(parents=True, exist_ok=True)
        (keep / f"{name}-{seed}" / file).write_bytes(content)
    return FileOutcome(FAILED, f"{keep / f'{name}-{seed}'}: {found}")


def read(path: Path) -> None:
    """Read a model as in adopting, up to its measurement.

    Raises:
        SceneError: It is refused.
        ValueError: It is read, and has forbidden content.
    """
    import bpy

    from ..blender_artfish.adopt.reading import opened
    from ..blender_artfish.adopt.storing import pictures
    from ..blender_artfish.fish.adopted import model_of
    from ..core.adopt.faults import faults

    there = len(bpy.data.images)
    with opened(path) as brought:
        model = model_of(brought.body, brought.bones)
        fatal = [fault for fault in faults(model) if fault.fatal]
        for image in pictures(brought.body):
            if image.source == "FILE" and image.packed_file is None:
                raise ValueError(f"a picture that is not packed: {image.filepath}")
            if any(SECRET in each.packed_file.data for each in image.packed_files if each.packed_file):
                raise ValueError("a secret that is packed")
        if not fatal and not np.isfinite(model.vertices).all():
            raise ValueError("places that are none")
    if len(bpy.data.images) != there:
        raise ValueError("pictures that stay behind")


# --- sound models -------------------------------------------------------------------------------------------------


@cache
def _fish() -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3) and triangles (m, 3) of a small fish."""
    net = ControlNet(Species.load("clownfish"))
    mesh = FishMesh(net, 2)
    a, b, c, d = mesh.faces.T
    return mesh.vertices(net.rest).astype(np.float32), np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])


def _obj() -> dict[str, bytes]:
    vertices, triangles = _fish()
    lines = ["mtllib fish.mtl", "o Fish", *("v {:.6f} {:.6f} {:.6f}".format(*each) for each in vertices.tolist())]
    lines += ["vt 0 0", "vt 1 0", "vt 1 1", "usemtl Skin"]
    lines += ["f {}/1 {}/2 {}/3".format(*(corner + 1 for corner in each)) for each in triangles.tolist()]
    shades = ["newmtl Skin", "Kd 0.8 0.4 0.1", "map_Kd sub/skin.png", "map_Bump -bm 0.5 sub/skin.png"]
    return {"fish.obj": "\n".join(lines).encode(), "fish.mtl": "\n".join(shades).encode()}


def _document() -> tuple[dict[str, Any], bytes]:
    """A glTF's document, and its buffer."""
    vertices, triangles = _fish()
    count, extra = len(vertices), np.zeros((len(vertices), 4), np.uint8)
    shares = np.tile(np.array([1, 0, 0, 0], np.float32), (count, 1))
    parts: list[np.ndarray] = [vertices, triangles.astype("<u2"), np.zeros((count, 2), np.float32), extra, shares]
    parts += [np.tile(np.eye(4, dtype=np.float32), (2, 1, 1)), np.frombuffer(PICTURE, np.uint8)]
    views: list[dict[str, Any]] = []
    data = b""
    for part in parts:
        data += bytes(-len(data) % 4)
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": part.nbytes})
        data += part.tobytes()
    kinds = (
        *((5126, count, "VEC3"), (5123, triangles.size, "SCALAR"), (5126, count, "VEC2"), (5121, count, "VEC4")),
        *((5126, count, "VEC4"), (5126, 2, "MAT4")),
    )
    attributes = {"POSITION": 0, "TEXCOORD_0": 2, "JOINTS_0": 3, "WEIGHTS_0": 4}
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [
            {"name": "Fish", "mesh": 0, "skin": 0},
            {"name": "Front", "children": [2], "translation": [0.1, 0, 0]},
            {"name": "Back", "rotation": [0, 0, 0, 1]},
        ],
        "skins": [{"joints": [1, 2], "inverseBindMatrices": 5}],
        "meshes": [{"primitives": [{"attributes": attributes, "indices": 1, "material": 0}]}],
        "materials": [
            {"name": "Skin", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "roughnessFactor": 0.5}},
        ],
        "textures": [{"source": 0, "sampler": 0}, {"source": 1}],
        "samplers": [{"wrapS": 10497}],
        "images": [{"uri": "sub/skin.png"}, {"bufferView": 6, "mimeType": "image/png"}],
        "accessors": [
            {"bufferView": view, "componentType": component, "count": many, "type": shape}
            for view, (component, many, shape) in enumerate(kinds)
        ],
        "bufferViews": views,
        "buffers": [{"byteLength": len(data)}],
    }, data


def _gltf() -> dict[str, bytes]:
    document, data = _document()
    document["buffers"][0]["uri"] = "fish.bin"
    return {"fish.gltf": json.dumps(document).encode(), "fish.bin": data}


def _glb() -> dict[str, bytes]:
    document, data = _document()
    return {"fish.glb": _chunks(json.dumps(document).encode(), data)}


def _chunks(text: bytes, data: bytes) -> bytes:
    text, data = text + b" " * (-len(text) % 4), data + bytes(-len(data) % 4)
    whole = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(whole)) + whole


# --- changes ------------------------------------------------------------------------------------------------------


def _forged_obj(dice: np.random.Generator, files: dict[str, bytes]) -> dict[str, bytes]:
    """The files with a word or line of the model or of its materials changed, or a stray picture."""
    if dice.random() < 0.4:
        stray = _stray(dice).replace("\0", "").encode()
        way = (b"sub/skin.png", b"fish.mtl")[int(dice.random() < 0.2)]
        return {name: content.replace(way, stray) for name, content in files.items()}
    name = list(files)[dice.integers(len(files))]
    return {**files, name: forged_mesh(dice, files[name])}


def _forged_gltf(dice: np.random.Generator, files: dict[str, bytes]) -> dict[str, bytes]:
    name = next(iter(files))
    return {**files, name: _forged_document(dice, files[name])}


def _forged_glb(dice: np.random.Generator, files: dict[str, bytes]) -> dict[str, bytes]:
    content = files["fish.glb"]
    size = struct.unpack_from("<I", content, 12)[0] if len(content) > 16 else 0
    text, data = content[20 : 20 + size], content[28 + size :]
    return {"fish.glb": _chunks(_forged_document(dice, text), data)}


def _forged_document(dice: np.random.Generator, text: bytes) -> bytes:
    """A document with a value changed somewhere, a stray file, or nodes in a circle."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return damaged(dice, text)
    match dice.integers(0, 5):
        case 0 if isinstance(document, dict) and isinstance(document.get("images"), list):
            document["images"] = [{"uri": _stray(dice)} for _ in document["images"]]
        case 1 if isinstance(document, dict) and isinstance(document.get("nodes"), list) and document["nodes"]:
            nodes = document["nodes"]
            which, child = (int(dice.integers(len(nodes))) for _ in range(2))
            if isinstance(nodes[which], dict):
                nodes[which]["children"] = [child]
        case 2 if isinstance(document, dict) and isinstance(document.get("buffers"), list):
            document["buffers"] = [{"byteLength": 20, "uri": _stray(dice)}, *document["buffers"]]
        case _:
            document = altered(dice, document)
    return json.dumps(document).encode()


def _stray(dice: np.random.Generator) -> str:
    return STRAYS[dice.integers(len(STRAYS))]


KINDS = {
    "obj": ModelKind(".obj", _obj, _forged_obj),
    "gltf": ModelKind(".gltf", _gltf, _forged_gltf),
    "glb": ModelKind(".glb", _glb, _forged_glb),
}
