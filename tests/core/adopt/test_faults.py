"""A bad model is told what is wrong with it, and where."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.adopt.faults import faults
from artfish.core.adopt.model import Model
from artfish.tests.core.adopt.models import AWKWARD, joined, own, quads, spindle


def broken() -> Model:
    """One vertex without a place."""
    model = spindle(12, 8)
    model.vertices[3, 1] = np.nan
    return model


def flat() -> Model:
    """A fish pressed into a sheet."""
    model = spindle(12, 8)
    return quads(model.vertices * (1.0, 0.0, 1.0), model.corners.reshape(-1, 4))


def two() -> Model:
    """Two fishes side by side."""
    one = spindle(12, 8)
    return joined(one, quads(one.vertices + (0.0, 1.0, 0.0), one.corners.reshape(-1, 4)))


def none() -> Model:
    """Vertices alone."""
    return quads(np.eye(3), np.zeros((0, 4), dtype=int))


@pytest.mark.parametrize(
    ("model", "kind"),
    [(none, "empty"), (broken, "broken"), (flat, "flat"), (two, "two"), (lambda: spindle(3, 4), "few")],
)
def test_what_cannot_be_adopted_is_refused_in_a_line(model, kind):
    first = faults(model())[0]
    assert first.fatal and first.kind == kind and "\n" not in first.text and ": " in first.text


def test_holes_of_a_scan_are_shown_but_do_not_hinder():
    found = faults(AWKWARD["scanned"]())
    assert [fault.kind for fault in found] == ["open"] and not found[0].fatal
    assert len(found[0].edges) > 100 and found[0].edges.max() < AWKWARD["scanned"]().count


@pytest.mark.parametrize("name", ["spindle", "own", "scanned"])
def test_a_body_that_is_inside_out_is_told_so_and_how_to_turn_it(name):
    model = {"spindle": lambda: spindle(12, 8), "own": lambda: own("clownfish"), "scanned": AWKWARD["scanned"]}[name]()
    turned = quads(model.vertices * (1.0, -1.0, 1.0), model.corners.reshape(-1, model.starts[1]))
    assert "inside_out" not in [fault.kind for fault in faults(model)]
    (fault,) = [fault for fault in faults(turned) if fault.kind == "inside_out"]
    assert not fault.fatal and "Recalculate Outside" in fault.text and len(fault.vertices) > 0.3 * model.count


@pytest.mark.parametrize("name", AWKWARD)
def test_no_awkward_model_is_inside_out(name):
    assert "inside_out" not in [fault.kind for fault in faults(AWKWARD[name]())]


def test_a_mended_fish_has_no_faults_of_its_body():
    model = own("clownfish")
    assert not any(fault.fatal for fault in faults(model))


def test_the_vertex_without_a_place_is_shown():
    assert faults(broken())[0].vertices.tolist() == [3]
