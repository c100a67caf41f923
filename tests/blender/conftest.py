"""Fixtures of the tests under Blender: a fresh file each, and fishes that swim without a simulation."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import bpy  # noqa: F401, before mathutils, which it brings
import numpy as np
import pytest
from mathutils import Vector

from artfish.blender_artfish.stage import view
from artfish.core.body.anatomy import rest_nodes
from artfish.core.recording import Recording
from artfish.core.scene.scene import Scene
from artfish.core.scene.species import Species
from artfish.tests.blender.files import BARE, new_file
from artfish.tests.blender.models import DOWN, put_model


@pytest.fixture(autouse=True)
def fresh_file() -> None:
    """An empty file before every test."""
    new_file()


@pytest.fixture(autouse=True)
def hasty_view(monkeypatch: pytest.MonkeyPatch) -> None:
    """A camera that is quickly content; tests of the view itself have a fixture of this name that lets it search."""
    monkeypatch.setattr(view, "VIEW_DRAWS", 40)
    monkeypatch.setattr(view, "VIEW_REFINEMENTS", 0)


@pytest.fixture(scope="session")
def adopted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with salmon.json and salmon.blend, a species that was adopted from a model."""
    from artfish.blender_artfish.adopt.adopting import adopt
    from artfish.blender_artfish.adopt.reading import picked

    folder, workshop = tmp_path_factory.mktemp("adopted"), tmp_path_factory.mktemp("models")
    new_file()
    adopt(picked(put_model(workshop, DOWN)), folder / "salmon.json")
    return folder


@pytest.fixture(scope="session")
def swimming() -> Callable[..., Recording]:
    """Makes recordings of fishes that a travelling wave bends along a winding path."""

    def record(
        *names: str,
        frames: int = 40,
        fps: float = 24.0,
        alive: np.ndarray | None = None,
        known: Mapping[str, Species] = MappingProxyType({}),
    ) -> Recording:
        dice = np.random.default_rng(11)
        models = {name: known.get(name) or Species.load(name) for name in dict.fromkeys(names)}
        fishes, seconds = len(names), np.arange(frames) / fps
        lengths = np.array([models[name].length for name in names]) * dice.uniform(0.8, 1.2, fishes)
        nodes = [_swim(models[name], length, seconds, dice) for name, length in zip(names, lengths, strict=True)]
        beats = 2 * np.pi * (1.5 * seconds[:, None] + dice.uniform(size=fishes))
        fins = np.stack([np.full_like(beats, 2.0), 0.15 * np.sin(beats), 0.4 * np.sin(0.7 * beats)], axis=-1)
        nothing = np.zeros((frames, fishes))
        scene = {
            "name": "synthetic",
            "fps": fps,
            "duration": frames / fps,
            "tank": {"size": [8.0, 8.0, 4.0]},
            "stage": BARE,
            "fishes": [{"species": name, "at": [4.0, 4.0, 2.0]} for name in names],
        }
        return Recording(
            nodes=np.stack(nodes, axis=1),
            fins=np.stack([fins, fins * [1, 1, -1]], axis=2),
            mouth=nothing,
            intention=nothing,
            hunger=nothing,
            libido=nothing,
            fear=nothing,
            alive=np.ones((frames, fishes), dtype=bool) if alive is None else alive,
            body_length=lengths,
            seeds=np.arange(fishes),
            species=names,
            sex=("female",) * fishes,
            fps=fps,
            scene=Scene.from_dict(scene, species=(*Species.names(), *known)),
            species_models=models,
            events=[],
        )

    return record


def _swim(species: Species, length: float, seconds: np.ndarray, dice: np.random.Generator) -> np.ndarray:
    """Nodes (frames, 23, 3) of one fish that swims at 1.5 lengths and 2.5 beats a second."""
    rest, phase = rest_nodes(species.body), dice.uniform(0, 2 * np.pi)
    behind = rest[0, 0] - rest[:, 0]
    bend = 0.1 * (0.2 + 0.8 * behind**2) * np.sin(2 * np.pi * (2.5 * seconds[:, None] - behind) + phase)
    heading = 2 * phase + 0.8 * seconds + 0.5 * np.sin(1.3 * seconds)
    ahead = np.stack([np.cos(heading), np.sin(heading), np.zeros_like(heading)], axis=-1)[:, None]
    left = ahead[..., [1, 0, 2]] * [-1, 1, 0]
    path = np.cumsum(ahead, axis=0) * 1.5 * length * (seconds[1] - seconds[0] if len(seconds) > 1 else 0.0)
    path[..., 2] += 0.3 * length * np.sin(seconds)[:, None]
    body = rest[:, :1] * ahead + (rest[:, 1:2] + bend[..., None]) * left + rest[:, 2:] * [0, 0, 1]
    return path + length * body + dice.uniform([2, 2, 1], [6, 6, 3])


ROUNDING = 2e-5  # of a float32 in a world matrix, over the size of what it places


def _differences(one: Any, other: Any, where: str = "") -> list[str]:
    """Differences between two JSON values, each with its place; directions may be of another length."""
    if where.endswith(("direction", "heading")) and one and other and isinstance(one[0], float):
        one, other = (list(Vector(value).normalized()) for value in (one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return [word for key in {*one, *other} for word in _differences(one.get(key), other.get(key), f"{where}.{key}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [
            word
            for row, pair in enumerate(zip(one, other, strict=True))
            for word in _differences(*pair, f"{where}[{row}]")
        ]
    if isinstance(one, float) and isinstance(other, float | int):
        return [] if abs(one - other) <= ROUNDING * max(1.0, abs(one)) else [f"{where}: {one} {other}"]
    return [] if one == other else [f"{where}: {one!r:.60} {other!r:.60}"]


@pytest.fixture
def same() -> Any:
    """Lists the differences between two JSON values, each with its place; directions may be of another length."""
    return _differences
