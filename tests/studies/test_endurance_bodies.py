"""Wild commands leave bodies whole; the study makes a hundred million steps of them."""

import pytest

from artfish.core.body import kernel
from artfish.studies import endurance_bodies
from artfish.studies.endurance_bodies import CRUSHED, TORN, thrash


@pytest.mark.parametrize("name", ["butterflyfish", "reef_shark", "thesis"])
def test_wild_commands_leave_a_body_whole(name):
    done, finite, shortest, longest = thrash(name, 3, 20_000)
    assert done >= 20_000 and finite
    assert CRUSHED <= shortest < 0.8 and 1.05 < longest <= TORN  # and strain it


@pytest.mark.skipif(not kernel.available, reason=f"no kernel: {kernel.reason}")
def test_a_body_that_breaks_is_found(monkeypatch):
    monkeypatch.setattr(endurance_bodies, "WATER", 1e6)  # water that no scene takes
    monkeypatch.setattr(endurance_bodies, "TORN", 1.01)
    monkeypatch.setattr(endurance_bodies, "TOTAL", 10_000 * len(endurance_bodies.Species.names()))
    monkeypatch.setattr(endurance_bodies, "each", lambda trial, names, *rest: len(names) * [trial("sardine", 0, 1000)])
    assert not any(found.holds() for found in endurance_bodies.findings(range(1)))
