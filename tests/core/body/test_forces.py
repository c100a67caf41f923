"""All forces at the nodes: they add up, inner ones to nothing, and those of a fin go to its side."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.body.dynamics import BodyModel
from artfish.core.body.forces import Finless, Forces
from artfish.core.body.integrators import ExplicitEuler, Reference
from artfish.core.body.production import Production
from artfish.core.body.spine import Spine
from artfish.core.motor.pectorals import fin_weights
from artfish.tests.core.body.tank import Tank, default_step


@pytest.mark.parametrize("scheme", [ExplicitEuler, Reference, Production])
def test_a_push_on_a_fin_moves_the_nodes_of_its_side(scheme):
    class Lifting(Finless):
        weights = fin_weights((1 / 3, 1 / 3, 1 / 3))

        def push(self, flow, ahead, up, inertia=np.inf):
            return np.array([5.0 * up, 0.0 * up])  # up, on the left fin

    tank = Tank("thesis", scheme, 0.01 * default_step("thesis"), 1, fins=Lifting())
    tank.drift()
    lifted = tank.v[:, 2, 0]
    # In a step this short nothing has spread: each of the six nodes has a sixth of the push, over its mass.
    left = [i for ring in (1, 5, 9) for i in (ring, ring + 3)]
    assert lifted[left] == pytest.approx(tank.step * 5.0 / 6.0 / tank.model.masses[left], rel=0.02)
    assert np.abs(np.delete(lifted, left)).max() < 0.02 * lifted[left].min()
    assert tank.model.momentum(tank.v)[2, 0] == pytest.approx(tank.step * 5.0, rel=1e-6)


@pytest.mark.parametrize("name", ["thesis", "clownfish"])
def test_inner_forces_neither_push_nor_turn_a_body(name):
    """Forces other than the water's add up to no force, and as they act along the units, to no torque."""
    model = BodyModel(Species.load(name).body)
    rng = np.random.default_rng(2)
    x = model.resting(3) + rng.normal(0.0, 0.01 * model.length, (23, 3, 3))
    flow = rng.normal(0.0, 0.3, x.shape)
    slack = np.repeat(model.natural[model.muscles][:, None], 3, axis=1)
    forces = Forces(model, Finless())
    total, external = forces.evaluate(x, flow, slack, Spine(model).measure(x))
    inner = total - external
    scale = np.abs(inner).sum()
    assert np.abs(inner.sum(axis=0)).max() < 1e-13 * scale
    assert np.abs(np.cross(x, inner, axis=1).sum(axis=0)).max() < 1e-13 * scale * np.abs(x).max()
    assert np.abs(external).max() > 0.0


def test_fins_that_are_not_there_do_not_push():
    assert not Finless().push(np.ones((3, 2, 4)), np.ones((3, 4)), np.ones((3, 4))).any()
