"""The body that swims: masses, springs, and the water around them, declared once."""

from __future__ import annotations

from dataclasses import dataclass

from ..base.codec import SceneError, shown
from ..base.declaration import integer, number, vector
from .limits import refuse_falling

LEAST_GAP = 0.08  # lengths from a ring of nodes to the next
HEAVIEST_TAIL = 0.13  # water that the tail sweeps, over the body's mass: 0.04 to 0.06 in our fishes
HEAVIEST_SKIN = 10.0  # water that holds the skin, over the body's mass: 5 in our fishes at most
TALLEST_RING, WIDEST_RING = 4.0, 3.0  # times as tall as wide, and as wide as tall


@dataclass(frozen=True)
class Body:
    """The masses and springs (Tu 1999, §4.2-4.4): rest shape, and factors on the book's constants.

    The book gives masses, elasticities and viscosity but no rest coordinates; those are ours.
    """

    stations: tuple = vector(
        (0.18, 0.36, 0.54, 0.70, 0.84), 0.05, 0.95, "lengths", "Distance from the nose of the five rings of nodes"
    )
    half_heights: tuple = vector(
        (0.095, 0.135, 0.12, 0.08, 0.045), 0.015, 0.3, "lengths", "Half the height of each ring of nodes"
    )
    half_widths: tuple = vector(
        (0.055, 0.075, 0.065, 0.04, 0.018), 0.01, 0.2, "lengths", "Half the width of each ring of nodes"
    )
    rise: tuple = vector(
        (0.0, 0.0, 0.0, 0.0, 0.0), -0.02, 0.02, "lengths", "Height of each ring's middle above the long axis"
    )
    tail_half_height: float = number(0.11, 0.05, 0.25, "lengths", "Half the distance between the tips of the tail")
    book_length: float = number(10.0, 7.0, 14.0, "book units", "Length of the body in the book's unit of length")
    unit_mass: float = number(1.0, 0.5, 2.0, "", "Factor on the masses of table 4.1")
    stiffness: float = number(1.0, 1.0, 20.0, "", "Factor on the elasticities of table 4.2")
    peduncle_muscles: int = integer(
        0, 0, 1, "", "Whether the peduncle has muscles, as the three segments before it have; 0 in the book"
    )
    tail_stiffness: float = number(
        1.0, 0.05, 2.0, "", "Factor on the elasticities of the tail's fin, which trails the more the softer it is"
    )
    viscosity: float = number(0.1, 0.05, 5.0, "", "Viscosity of every unit (0.1 in the book)")
    fluid_viscosity: float = number(1.0, 0.7, 8.0, "", "Viscosity of the water as in equation 4.3")
    streamlining: float = number(
        0.0, 0.0, 0.9, "", "Share of the water's push along the trunk that a sleek body does not feel; 0 in the book"
    )
    reaction: float = number(
        0.0, 0.0, 3.0, "", "Inertia of the water that the tail sweeps, over that of a disc of its span; 0 in the book"
    )

    def __post_init__(self) -> None:
        """Refuses rings in another order than from nose to tail, bodies too flat, and more water than they can move."""
        refuse_falling("stations", self.stations, LEAST_GAP, "lengths")
        for ring, (height, width) in enumerate(zip(self.half_heights, self.half_widths, strict=True)):
            if not height / TALLEST_RING <= width <= WIDEST_RING * height:
                span = f"{height / TALLEST_RING:.3g} to {WIDEST_RING * height:.3g} at a half height of {shown(height)}"
                raise SceneError(f"{shown(width)} at ring {ring + 1}", span, key="half_widths")
        burden = self.fluid_viscosity * (self.book_length / 10.0) ** 3 / self.unit_mass
        if burden > HEAVIEST_SKIN:
            most = f"up to {self.fluid_viscosity * HEAVIEST_SKIN / burden:.3g} at this book_length and unit_mass"
            raise SceneError(shown(self.fluid_viscosity), most, key="fluid_viscosity")
        swept = burden * self.reaction * self.tail_half_height**2
        if swept > HEAVIEST_TAIL:
            most = f"up to {self.reaction * HEAVIEST_TAIL / swept:.3g} at this tail_half_height and fluid_viscosity"
            raise SceneError(shown(self.reaction), most, key="reaction")
