"""Scenes for costs: they have as many of each kind as requested, and a cost that grows too fast is found."""

from __future__ import annotations

import pytest

from artfish.studies import costs


@pytest.mark.parametrize("name", costs.KINDS)
def test_a_kind_is_there_so_many_times(name):
    few, many = (str(costs.scene_of(name, count).to_dict()) for count in (3, 12))
    assert few != many and costs.scene_of(name, 3) == costs.scene_of(name, 3)


def test_what_grows_faster_than_its_number_is_found(monkeypatch):
    monkeypatch.setattr(costs, "spent", lambda name, count: (1.0, 1e-5 * count**2))
    (found,) = costs.findings(kinds=list(costs.KINDS)[:1])
    assert found.holds() is False and found.successes == 1
    monkeypatch.setattr(costs, "spent", lambda name, count: (1.0, 1e-3 * count))
    (found,) = costs.findings(kinds=list(costs.KINDS)[:1])
    assert found.holds() and "50 fit into a frame of 0.05 s" in found.note
