"""Fuzzers know every key that is declared, by the declarations themselves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from artfish.core import Scene, SceneError, Species
from artfish.core.base.codec import REQUIRED, Place, decode
from artfish.core.base.declaration import choice, flag, integer, keyed, number, text, vector
from artfish.studies import fuzz
from artfish.studies.declared import keys_in, keys_of, made


@dataclass(frozen=True)
class Shell:
    kind: str = choice(REQUIRED, ("shell",), "")
    ribs: int = integer(3, 1, 9, "", "")


@dataclass(frozen=True)
class Stone:
    kind: str = choice(REQUIRED, ("stone",), "")
    weight: float = number(1.0, 0.1, 5.0, "kg", "")
    shells: tuple[Shell, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Beach:
    at: tuple = vector(REQUIRED, -5.0, 5.0, "m", "", shape=(3,))
    name: str | None = text(None, "")
    wet: bool = flag(False, "")
    tide: float = keyed(1.0, 0.0, 2.0, "", "")
    finds: tuple[Shell | Stone, ...] = ()
    best: Stone | None = None


def test_all_keys_are_known_at_any_depth():
    beach = {f"Beach.{name}" for name in ("at", "name", "wet", "tide", "finds", "best")}
    assert keys_of(Beach) == beach | {"Shell.kind", "Shell.ribs", "Stone.kind", "Stone.weight", "Stone.shells"}
    data = {"at": [0, 0, 0], "finds": [{"kind": "shell", "ribs": 2}, {"kind": "stone", "shells": [{"kind": "shell"}]}]}
    assert keys_in(Beach, data) == {
        "Beach.at",
        "Beach.finds",
        "Shell.kind",
        "Shell.ribs",
        "Stone.kind",
        "Stone.shells",
    }


def test_what_is_drawn_is_as_declared_and_has_every_key_in_the_end():
    dice, found = np.random.default_rng(1), set()
    for _ in range(200):
        data = made(dice, Beach, np.array([2.0, 2.0, 2.0]), {"Beach.name": lambda dice: "here"})
        decode(Beach, data, Place("beach"))
        assert data.get("name", "here") == "here"
        found |= keys_in(Beach, data)
    assert found == keys_of(Beach)


@pytest.mark.long
@pytest.mark.film
@pytest.mark.parametrize(("cls", "throw"), [(Scene, fuzz.a_declared_scene), (Species, fuzz.a_declared_species)])
def test_the_fuzzer_makes_every_key_of_a_scene_and_of_a_species(cls, throw):
    missing, seed = keys_of(cls), 0
    while missing and seed < 2000:
        missing, seed = missing - keys_in(cls, throw(np.random.default_rng(seed))), seed + 1
    assert not missing, f"never drawn in {seed} trials: what is new has to be drawn, too"


@pytest.mark.film
@pytest.mark.parametrize(("kind", "seeds"), [("declared species", range(8)), ("declared scene", range(8))])
def test_some_that_are_drawn_are_taken_and_live(kind, seeds):
    trials = [fuzz.attempt(kind, seed) for seed in seeds]
    assert not [trial for trial in trials if trial.failed]
    assert {"lived", "refused"} <= {trial.came for trial in trials}


def test_a_key_that_nobody_declares_is_refused():
    with pytest.raises(SceneError, match="unknown key"):
        decode(Beach, {"at": [0, 0, 0], "sand": 1}, Place("beach"))
