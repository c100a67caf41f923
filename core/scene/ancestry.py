"""Ancestry: the parents of a species that was bred, and what its two copies of each gene differ by."""

from __future__ import annotations

from dataclasses import dataclass

from ..base.declaration import integer, number, text, vector


@dataclass(frozen=True)
class AlleleDifference:
    """A gene whose two copies differ: what is seen is between them, or one of them."""

    gene: str = text("", "Key of the gene, such as rhythm.tail_beat")
    by: tuple = vector(
        (),
        -1e6,
        1e6,
        "",
        "Distance of one copy from what is seen, for each number; the other is as far on the other side",
        shape=(None,),
    )


@dataclass(frozen=True)
class Ancestry:
    """The parents of a species, and what it may hand down that is not seen of it."""

    mother: str = text("", "Name of its mother")
    father: str = text("", "Name of its father")
    seed: int = integer(0, 0, 2**31 - 1, "", "Which of their children it is")
    mutation: float = number(1.0, 0.0, 20.0, "", "Factor on the share of genes that mutated")
    stock: str = text("", "Species that it is of to others, where it was born in a world; its own if left out")
    differences: tuple[AlleleDifference, ...] = ()
