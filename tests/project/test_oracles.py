"""Oracles of compiled functions: one for each, with the declaration's names, in the file that mirrors it."""

import importlib
import inspect
from pathlib import Path

import numpy as np
import pytest

from artfish.core.base.elementary import exp, sin_and_cos
from artfish.core.compiled import calling

ROOT = Path(__file__).resolve().parents[2]
WITHOUT = {"ranks"}
"""Functions of the bodies' step, whose plain scheme is core/body/production.py."""


@pytest.fixture
def oracles(monkeypatch):
    """The tool."""
    monkeypatch.syspath_prepend(ROOT / "tools")
    return importlib.import_module("oracles")


@pytest.fixture
def declared():
    """Where each compiled function of the core is declared, by its name."""
    places = {}
    for path in (ROOT / "core").rglob("*.py"):
        module = importlib.import_module(".".join(("artfish", *path.relative_to(ROOT).with_suffix("").parts)))
        for one in vars(module).values():
            if any(one is call for call in calling.declared):
                text = path.read_text()
                if f'compiled(\n    "{one.declaration.name}"' in text or f'compiled("{one.declaration.name}"' in text:
                    places[one.declaration.name] = path.relative_to(ROOT / "core"), one.declaration
    return places


def test_every_compiled_function_has_an_oracle_where_it_is_looked_for(oracles, declared):
    found = oracles.found()
    assert set(found) | WITHOUT == set(calling.functions) == set(declared) and not set(found) & WITHOUT
    for name, oracle in found.items():
        path, declaration = declared[name]
        assert Path(inspect.getfile(oracle)) == ROOT / "tests" / "plain" / path, name
        taken = inspect.signature(oracle).parameters.values()
        everything = all(one.kind is one.VAR_KEYWORD for one in taken)  # as the motor center's, which takes fifty
        assert everything or [one.name for one in taken] == list(declaration.fields), name


def test_an_oracle_is_in_place_for_as_long_as_a_block_lasts(oracles):
    before, angles = calling.functions, np.linspace(-3.0, 3.0, 7)
    compiled = sin_and_cos(angles), exp(angles)
    with oracles.in_place("exp") as spent:
        assert calling.functions["sin_and_cos"] is before["sin_and_cos"]
        assert calling.functions["exp"] is not before["exp"]
        assert np.array_equal(exp(angles), compiled[1]) and spent[0] > 0.0
    assert calling.functions is before
    with oracles.in_place():
        assert np.array_equal(sin_and_cos(angles), compiled[0])
        assert {name for name in before if calling.functions[name] is before[name]} == WITHOUT


def test_what_is_only_read_cannot_be_written_to_by_an_oracle(oracles):
    declaration = next(call.declaration for call in calling.declared if call.declaration.name == "exp")
    values, found = np.zeros(3), np.zeros(3)
    packed = np.array([values.ctypes.data, found.ctypes.data, 3], np.int64).tobytes()
    given, sizes = oracles.taken(declaration, packed)
    assert sizes == {"count": 3} and not given["values"].flags.writeable
    given["found"][:] = 7.0
    assert found.tolist() == [7.0] * 3
