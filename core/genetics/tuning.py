"""Tuned constants of heredity."""

from __future__ import annotations

from ..base.tuning import tuned

CROSSINGS = tuned(1.0, "", "Crossings over in a linked group, on average, as in most chromosomes of animals")
MUTATION_SHARE = tuned(0.05, "", "Share of the genes of a gamete that mutate")
MUTABLE_SHARE = tuned(0.6, "", "The most of them that mutate however much mutation is asked for")
MUTATION_STEP = tuned(0.15, "", "Deviation of a mutated number, over its own size")
MOST_BENT = tuned(1.6, "", "Factor by which a mutation changes the height of an outline at the most")
BEND_REACH = tuned(0.6, "", "How far along an outline such a change reaches, of all of it")
WILD_SHARE = tuned(0.5, "", "Share of the genes in which the two copies of a wild fish differ")
WILD_STEP = tuned(0.08, "", "Deviation of either copy then from what is seen, over its own size")
THROWS_FOR_A_CHILD = tuned(40, "", "Throws of gametes until those without mutation are taken")
