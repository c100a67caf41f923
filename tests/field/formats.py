"""Writes one file of every kind and format that Artfish writes, as this version writes it: python formats.py FOLDER.

The files of a released version lie in tests/field/cases/formats, in a folder named after it, and are loaded by
test_formats.py ever after. They are written once, when the version is released.
"""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import fields
from pathlib import Path

from artfish.core import Scene, Species, World
from artfish.core.base.files import preset_folder
from artfish.core.base.formats import FORMATS, keys_of
from artfish.core.learning.learned import Learned
from artfish.core.learning.learning import go_on, keep, learners
from artfish.core.recording import ARRAYS
from artfish.core.replicas.repertoire import SEGMENT_ARRAYS, Repertoire
from artfish.core.scene.controller import Controller
from artfish.core.scene.ride import Ride
from artfish.core.studio.film import Film
from artfish.core.world.persistence import states_of

SCENE = {
    "duration": 0.2,
    "tank": {"size": [4, 3, 2]},
    "fishes": [{"species": "thesis", "at": [2, 1.5, 1]}],
    "obstacles": [{"kind": "cylinder", "at": [3, 2, 0], "radius": 0.2}],
    "plankton": {"count": 2},
}


def write_all(folder: Path) -> None:
    """Writes the files into an existing folder."""
    scene = Scene.from_dict(SCENE)
    scene.save(folder / "scene.json")
    Species.load("thesis").save(folder / "thesis.json")
    Ride.load("reef_dive").save(folder / "ride.json")
    Film.load("mating").save(folder / "film.json")
    some = learners(Species.load("thesis"), "swim", (), "annealing", 0, 4)
    go_on(some, folder / "learned.json", None)
    some[0].step()
    keep(some, folder / "learned.json")
    Controller.load(preset_folder("scenes") / "buoys" / "sardine.json").save(folder / "controller.json")
    world = World(scene, seed=3)
    world.simulate(frames=1).save(folder / "recording.npz")
    world.save(folder / "world.npz")


def shorten(repertoire: Repertoire) -> Repertoire:
    """The repertoire with the first of its segments alone."""
    values = {field.name: getattr(repertoire, field.name) for field in fields(repertoire)}
    some = {name for name, one in SEGMENT_ARRAYS.items() if one.shape[0] == "segments"}
    kept = {key: value[:1] for key, value in values.items() if key in some}
    return Repertoire(**{**values, **kept})


def signatures() -> dict[str, dict]:
    """The number of each kind's format, and a digest of all that its files may contain."""
    scene, species = keys_of(Scene), keys_of(Species)
    world = World(Scene.from_dict(SCENE), seed=3)
    states = {key: sorted(state) for key, state in states_of(world.parts).items()}
    holds = {
        "scene": scene,
        "species": species,
        "ride": keys_of(Ride),
        "film": keys_of(Film),
        "controller": keys_of(Controller),
        "search": keys_of(Learned),
        "recording": [sorted(ARRAYS), scene, species],
        "repertoire": sorted(SEGMENT_ARRAYS),
        "world": [states, scene, species],
    }
    return {
        kind: {
            "number": FORMATS[kind],
            "digest": hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest(),
        }
        for kind, what in holds.items()
    }


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    write_all(target)
    from artfish.core.replicas.capture import capture

    (target / "signatures.json").write_text(json.dumps(signatures(), indent=2) + "\n")
    shorten(capture(Species.load("thesis"))).save(target / "repertoire.npz")
