"""The mechanics of the body: masses, viscoelastic units and their stiffness (Tu 1999, §4.3).

Everything here is in the book's own units. Arrays of a block of fishes end with the fish axis, (23, 3, fish): fishes
lie side by side in memory, as the kernel takes them into a register. `Shoal` turns to and from the public order, fish
first, once a frame.
"""

from __future__ import annotations

import numpy as np

from ..base.constants import constant
from ..base.sums import total, weighted
from ..base.vectors import norm
from ..scene.physique import Body
from .anatomy import ELASTICITY, MASSES, MUSCLES, NODES, PEDUNCLE_MUSCLES, TAIL_UNITS, UNITS, rest_nodes

FIRST_NODES, SECOND_NODES = map(constant, np.ascontiguousarray(UNITS.T))
"""The nodes of each unit, (91,)."""
NODES_TO_UNITS = np.zeros((len(UNITS), NODES))
"""The map from nodes to the vectors of the units, r_ij = x_j - x_i, (91, 23)."""
NODES_TO_UNITS[np.arange(len(UNITS)), FIRST_NODES] = -1.0
NODES_TO_UNITS[np.arange(len(UNITS)), SECOND_NODES] = 1.0
constant(NODES_TO_UNITS)


class BodyModel:
    """Constants of a species' body, in the book's units.

    Attributes:
        body: The species' numbers.
        fluid: Factor on the fluid viscosity.
        rest: Nodes at rest, (23, 3), with the origin at the center of mass.
        masses: Mass of each node, (23,).
        elasticity: Elasticity c of each unit, (91,).
        viscosity: Viscosity kappa of each unit, (91,).
        natural: Natural length of each unit, (91,).
        muscles: Rows of the units that are muscles, (m,): the book's 12, or 16 where the peduncle has some too.
        fluid_viscosity: mu_w of equation 4.3, scaling every force of the water.
        streamlining: Share of the water's push along the trunk that is not felt, 0 in the book.
        tail_inertia: Mass of water a length that the tail's end sweeps along, 0 in the book.
        stiffness: Tangent stiffness of the resting body, (69, 69), rows node by node.
        damping: Damping of the resting body, (69, 69).
    """

    def __init__(self, body: Body, fluid: float = 1.0):
        """Builds the model of a body.

        Args:
            body: The species' numbers.
            fluid: Factor on the fluid viscosity: 1 in water, 0 in air.
        """
        self.body, self.fluid = body, fluid
        self.length = body.book_length
        self.masses = MASSES * body.unit_mass
        self.mass = float(total(self.masses))
        rest = rest_nodes(body) * body.book_length
        self.rest = rest - weighted(self.masses, rest) / self.mass
        self.elasticity = ELASTICITY * body.stiffness
        self.elasticity[TAIL_UNITS] *= body.tail_stiffness
        self.viscosity = np.full(len(UNITS), body.viscosity)
        spans = self.rest[SECOND_NODES] - self.rest[FIRST_NODES]
        self.natural = norm(spans)
        self.muscles = np.concatenate([MUSCLES, PEDUNCLE_MUSCLES]) if body.peduncle_muscles else MUSCLES
        self.fluid_viscosity = body.fluid_viscosity * fluid
        self.streamlining = body.streamlining
        span = 2.0 * body.tail_half_height * body.book_length
        self.tail_inertia = body.reaction * self.fluid_viscosity * 0.25 * np.pi * span * span
        directions = spans / self.natural[:, None]
        along = directions[:, :, None] * directions[:, None]
        self.stiffness = _assemble(self.elasticity[:, None, None] * along)
        self.damping = _assemble(self.viscosity[:, None, None] * along)

    def resting(self, fishes: int) -> np.ndarray:
        """Nodes of this many fishes at rest, (23, 3, fish)."""
        return np.repeat(self.rest[:, :, None], fishes, axis=2)

    def momentum(self, v: np.ndarray) -> np.ndarray:
        """Linear momentum, (3, fish), of velocities (23, 3, fish)."""
        return np.tensordot(self.masses, v, axes=1)

    def angular_momentum(self, x: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Angular momentum about the center of mass, (3, fish), of positions and velocities (23, 3, fish)."""
        arms = x - self.momentum(x) / self.mass
        return np.cross(arms, self.masses[:, None, None] * v, axis=1).sum(axis=0)

    def energy(self, x: np.ndarray, v: np.ndarray, muscles: np.ndarray) -> np.ndarray:
        """Kinetic plus elastic energy, (fish,)."""
        stretch = np.linalg.norm(np.tensordot(NODES_TO_UNITS, x, axes=1), axis=1) - self.lengths(muscles)
        kinetic = 0.5 * np.einsum("n,ncf,ncf->f", self.masses, v, v)
        return kinetic + 0.5 * np.einsum("u,uf->f", self.elasticity, stretch**2)

    def lengths(self, muscles: np.ndarray) -> np.ndarray:
        """Rest lengths of all units, (91, fish), where those of the muscles are these, (m, fish)."""
        lengths = np.repeat(self.natural[:, None], muscles.shape[1], axis=1)
        lengths[self.muscles] = muscles
        return lengths


def _assemble(blocks: np.ndarray) -> np.ndarray:
    """The (69, 69) matrix of units with these (91, 3, 3) blocks between their two nodes."""
    matrix = np.zeros((NODES, NODES, 3, 3))
    for rows, columns, sign in (
        (FIRST_NODES, FIRST_NODES, 1.0),
        (SECOND_NODES, SECOND_NODES, 1.0),
        (FIRST_NODES, SECOND_NODES, -1.0),
        (SECOND_NODES, FIRST_NODES, -1.0),
    ):
        np.add.at(matrix, (rows, columns), sign * blocks)
    return matrix.transpose(0, 2, 1, 3).reshape(3 * NODES, 3 * NODES)


class UnitForces:
    """The forces of the viscoelastic units of a block of fishes (eq. 4.1).

    Attributes:
        effective_stiffness: eta = (c e + kappa rdot)/r, (91, fish).
    """

    def __init__(self, model: BodyModel, dtype: type = np.float64):
        """Prepares for bodies in this precision."""
        self._elasticity, self._viscosity = (a.astype(dtype)[:, None] for a in (model.elasticity, model.viscosity))
        self._natural, self._muscles = model.natural.astype(dtype)[:, None], model.muscles

    def evaluate(self, x: np.ndarray, v: np.ndarray, muscles: np.ndarray) -> np.ndarray:
        """The force that each unit puts on its first node, (91, 3, fish). Fills the attribute.

        Args:
            x: Positions, (23, 3, fish).
            v: Velocities, (23, 3, fish).
            muscles: Rest lengths of the muscles, (m, fish).
        """
        spans, rates = (a[SECOND_NODES] - a[FIRST_NODES] for a in (x, v))
        length = np.sqrt((spans * spans).sum(axis=1))
        rest = np.repeat(self._natural, x.shape[2], axis=1)
        rest[self._muscles] = muscles
        growth = (rates * spans).sum(axis=1) / length
        self.effective_stiffness = (self._elasticity * (length - rest) + self._viscosity * growth) / length
        return self.effective_stiffness[:, None] * spans
