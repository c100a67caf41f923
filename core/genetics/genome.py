"""Genomes: two copies of every gene, what is seen of them, gametes by crossing over and mutation, and children."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

import numpy as np

from ..base.codec import SceneError, shown
from ..base.dice import Dice
from ..base.sums import total
from ..scene.ancestry import AlleleDifference, Ancestry
from ..scene.species import Pectoral, Species
from .genes import Gene, gene_map, resampled
from .tuning import (
    BEND_REACH,
    CROSSINGS,
    MOST_BENT,
    MUTABLE_SHARE,
    MUTATION_SHARE,
    MUTATION_STEP,
    THROWS_FOR_A_CHILD,
    WILD_SHARE,
    WILD_STEP,
)

CROSSING, MUTATING, STEPPING, BENDING, FOUNDER_DICE = range(5)
"""Purposes of dice."""
PARTS_OF_A_STEP = 3  # throws whose sum is a step: nearly normal, and never farther than three


@dataclass(frozen=True, eq=False)
class Gamete:
    """One copy of every gene.

    Attributes:
        numbers: (number,), as `GeneMap.numbers` has them.
        wholes: As `GeneMap.wholes` has them.
    """

    numbers: np.ndarray
    wholes: tuple[Any, ...]

    def same(self, other: Gamete) -> bool:
        """True if another has the same genes."""
        return bool(np.array_equal(self.numbers, other.numbers)) and self.wholes == other.wholes


@dataclass(frozen=True, eq=False)
class Genome:
    """Two copies of every gene.

    Attributes:
        mother: The copy that came from its mother.
        father: The copy that came from its father.
    """

    mother: Gamete
    father: Gamete

    def data(self) -> dict[str, Any]:
        """Its looks and motion, as the parts of a species as JSON holds it."""
        genes = gene_map()
        numbers = 0.5 * (self.mother.numbers + self.father.numbers)
        numbers = np.clip(numbers, *genes.span)
        found: dict[str, Any] = {}
        for gene in genes.genes:
            gene.write(found, gene.plain(numbers[genes.spans[gene.key]]))
        for gene, one, other in zip(genes.wholes, self.mother.wholes, self.father.wholes, strict=True):
            gene.write(found, _seen(gene, one, other))
        return _made_whole(found)


def pure(species: Species) -> Genome:
    """The genome of a species whose two copies are alike: what it declares."""
    data = species.to_dict()
    genes = gene_map()
    copy = Gamete(genes.numbers(data), genes.whole(data))
    return Genome(copy, copy)


def genome_of(species: Species) -> Genome:
    """The genome that a species' file says: of one that was bred, its two copies differ as its ancestry says.

    The file's numbers are between both: who edits them after breeding moves both copies.

    Raises:
        SceneError: Its ancestry names a gene that there is not, or that has another count of numbers.
    """
    both = pure(species).mother
    if species.ancestry is None:
        return Genome(both, both)
    genes, off, others = gene_map(), np.zeros(len(both.numbers)), list(both.wholes)
    spans = genes.spans
    wholes = {gene.key: row for row, gene in enumerate(genes.wholes)}
    for place, one in enumerate(species.ancestry.differences):
        key = f"ancestry.differences[{place}]"
        if one.gene in spans and len(one.by) == spans[one.gene].stop - spans[one.gene].start:
            off[spans[one.gene]] = one.by
        elif one.gene in wholes:
            row = wholes[one.gene]
            others[row] = genes.wholes[row].other(both.wholes[row], one.by, key)
        else:
            raise SceneError(shown(one.gene), "a gene with as many numbers", f"{key}.gene")
    off = _with_room(off, both.numbers)
    # Of outlines the other copy is on the other side of what is seen; a choice or a list is the other one.
    firsts = tuple(
        gene.mirrored(seen, other) for gene, seen, other in zip(genes.wholes, both.wholes, others, strict=True)
    )
    return Genome(Gamete(both.numbers + off, firsts), Gamete(both.numbers - off, tuple(others)))


def differences(genome: Genome, species: Species) -> tuple[AlleleDifference, ...]:
    """The genes whose copies differ, as the file of a species says it, of what is seen of a genome."""
    genes, found = gene_map(), []
    off = 0.5 * (genome.mother.numbers - genome.father.numbers)
    off = np.where(genes.is_whole_number, 0.0, off)
    for gene in genes.genes:
        by = off[genes.spans[gene.key]]
        if by.any():
            found.append(AlleleDifference(gene.key, tuple(map(float, by))))
    shown_wholes = genes.whole(species.to_dict())
    for gene, seen, one, other in zip(
        genes.wholes, shown_wholes, genome.mother.wholes, genome.father.wholes, strict=True
    ):
        if one != other:
            found.append(AlleleDifference(gene.key, gene.by(seen, one, other)))
    return tuple(found)


def wild(species: Species, seed: int) -> Genome:
    """The genome of one of many of a species: what is seen is the species, its two copies differ as much either way.

    Args:
        species: The species.
        seed: Which of them, from 0 to 2**32 - 1.
    """
    both = pure(species).mother
    off = differing(both.numbers[None], np.array([seed]))[0]
    return Genome(Gamete(both.numbers + off, both.wholes), Gamete(both.numbers - off, both.wholes))


def differing(numbers: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    """The distance of either copy of wild fishes from what is seen of both, (fish, number), given beside seeds."""
    genes = gene_map()
    differs = (_thrown(genes.keys, seeds, FOUNDER_DICE) < WILD_SHARE)[:, genes.of_number]
    off = WILD_STEP * _steps(genes.number_keys, seeds) * _scale(numbers)
    return np.where(differs & ~genes.is_whole_number, _with_room(off, numbers), 0.0)


def _with_room(off: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Distances from numbers, no farther than both sides of these have room within their ranges."""
    low, high = gene_map().span
    room = np.minimum(numbers - low, high - numbers)
    return np.minimum(np.maximum(off, -room), room)


def gametes(
    mothers: np.ndarray, fathers: np.ndarray, seeds: np.ndarray, mutation: float = 1.0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gametes: of each gene one of two copies, by crossing over within linked groups, mutated here and there.

    Args:
        mothers: The copies that came from the parents' mothers, (gamete, number).
        fathers: Those that came from their fathers, likewise.
        seeds: Which of all gametes each is, from 0 to 2**32 - 1, (gamete,).
        mutation: Factor on the share of genes that mutate, 0 or more.

    Returns:
        Their numbers, (gamete, number); whether each gene comes from the second copy, (gamete, gene); and whether it
        mutates, likewise.
    """
    genes = gene_map()
    second = crossed(seeds)
    numbers = np.where(second[:, genes.of_number], fathers, mothers)
    mutates = _thrown(genes.keys, seeds, MUTATING) < min(MUTATION_SHARE * mutation, MUTABLE_SHARE)
    steps = MUTATION_STEP * _steps(genes.number_keys, seeds)
    moved = np.clip(numbers + steps * _scale(numbers), *genes.span)
    return np.where(mutates[:, genes.of_number] & ~genes.is_whole_number, moved, numbers), second, mutates


def crossed(seeds: np.ndarray) -> np.ndarray:
    """Mask of the genes that are the second copy's, (gamete, gene): groups begin with either at even odds."""
    genes = gene_map()
    drawn = _thrown(genes.keys, seeds, CROSSING)
    turns = drawn < np.where(genes.begins, 0.5, CROSSINGS * genes.gaps)
    # A group begins anew: what was turned before it does not count.
    turned = np.cumsum(turns, axis=1)
    before = np.maximum.accumulate(np.where(genes.begins, turned - turns, 0), axis=1)
    return (turned - before) % 2 == 1


def gamete(genome: Genome, seed: int, mutation: float = 1.0) -> Gamete:
    """One gamete of a genome, its choices and outlines included; see `gametes`."""
    genes, seeds = gene_map(), np.array([seed])
    copies = genome.mother.numbers[None], genome.father.numbers[None]
    numbers, second, mutates = (each[0] for each in gametes(*copies, seeds, mutation))
    pairs = zip(second[genes.of_whole], genome.mother.wholes, genome.father.wholes, strict=True)
    wholes = [other if from_father else one for from_father, one, other in pairs]
    bends = MUTATION_STEP * _steps(genes.keys[genes.of_whole], seeds)[0]
    places = _thrown(genes.keys[genes.of_whole], seeds, BENDING)[0]
    for row, gene in enumerate(genes.wholes):
        if mutates[genes.of_whole[row]] and gene.is_outline:
            wholes[row] = _bent(gene, wholes[row], float(bends[row]), float(places[row]))
    return Gamete(numbers, tuple(wholes))


def bred(
    mother: Species,
    father: Species,
    name: str,
    seed: int,
    mutation: float = 1.0,
    wilds: tuple[int, int] | None = None,
    stock: str = "",
) -> Species:
    """A child of two species, with its ancestry, so that it can have children as well.

    A parent that was not bred itself is one of many of its species: wild, see `wild`.

    Args:
        mother: Its mother, of whom it has what no gene says.
        father: Its father.
        name: Its name.
        seed: Which of their children; the same seed gives the same child.
        mutation: Factor on the share of genes that mutate, 0 or more.
        wilds: Which of many of their species mother and father are, where they are wild; by their names if left out.
        stock: Species that it is of to others; its own if left out.

    Raises:
        SceneError: A parent's ancestry is none, or no child of theirs is a species that passes.
    """
    both = mother, father
    which = wilds or tuple(crc32(f"{one.name} {row}".encode()) for row, one in enumerate(both))
    parents = [
        wild(one, number) if one.ancestry is None else genome_of(one) for one, number in zip(both, which, strict=True)
    ]
    made, genome = child((parents[0], parents[1]), mother, name, seed, mutation)
    ancestry = Ancestry(mother.name, father.name, seed, mutation, stock, differences(genome, made))
    return replace(made, ancestry=ancestry)


def child(
    parents: tuple[Genome, Genome], base: Species, name: str, seed: int, mutation: float = 1.0
) -> tuple[Species, Genome]:
    """A child of two parents: a species that passes every check, and its genome.

    Args:
        parents: Genomes of mother and father.
        base: The mother, of whom it has what no gene says, such as how it sees.
        name: The child's name.
        seed: Which of their children; the same seed gives the same child.
        mutation: Factor on the share of genes that mutate, 0 or more.

    Raises:
        SceneError: If no throw of gametes gives a species that passes, nor one without mutation.
    """
    refused: SceneError | None = None
    for throw in range(THROWS_FOR_A_CHILD + 1):
        often = mutation if throw < THROWS_FOR_A_CHILD else 0.0
        copies = [gamete(of, _seed(seed, throw, row), often) for row, of in enumerate(parents)]
        genome = Genome(*copies)
        try:
            return species_of(genome, base, name), genome
        except SceneError as error:
            refused = error
    assert refused is not None
    raise refused


def species_of(genome: Genome, base: Species, name: str) -> Species:
    """The species that a genome makes, with this name, and what no gene says from a base.

    Raises:
        SceneError: If the numbers together are no species that passes.
    """
    data: dict[str, Any] = {**base.as_bred(name).to_dict(), **genome.data()}
    data["traits"] = data["ancestry"] = None
    return Species.from_dict({key: value for key, value in data.items() if value is not None}, name)


def _seed(seed: int, throw: int, row: int) -> int:
    """Which of all gametes one of a child is."""
    return crc32(f"{seed} {throw} {row}".encode())


def _thrown(keys: np.ndarray, seeds: np.ndarray, purpose: int) -> np.ndarray:
    """A throw from 0 to 1 for each of these keys (n,) in each of these fishes (fish,), that no other changes."""
    dice = _dice(keys, seeds, purpose)
    return dice.uniform(np.arange(len(dice.keys))).reshape(len(seeds), -1)


def _dice(keys: np.ndarray, seeds: np.ndarray, purpose: int) -> Dice:
    words = (np.asarray(seeds, dtype=np.uint64)[:, None] << np.uint64(32)) ^ keys
    return Dice(0, words, purpose)


def _steps(keys: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    """Nearly normal steps of mean 0 and deviation 1, (fish, n)."""
    dice = _dice(keys, seeds, STEPPING)
    everyone, steps = np.arange(len(dice.keys)), np.full(len(dice.keys), -0.5 * PARTS_OF_A_STEP)
    for _ in range(PARTS_OF_A_STEP):
        steps += dice.uniform(everyone)
    return (2.0 * steps).reshape(len(seeds), -1)


def _scale(numbers: np.ndarray) -> np.ndarray:
    """Unit of a step of each number: its own size within its range, and a little of the range."""
    low, high = gene_map().span
    return np.minimum(np.abs(numbers), high - low) + np.where(low < 0.0, 0.1, 0.02) * np.minimum(high - low, 1.0)


def _bent(gene: Gene, rows: tuple, step: float, place: float) -> tuple:
    """An outline with its heights grown or shrunk, most about one place along it, 0 to 1."""
    factor = min(max(1.0 + 2.0 * step, 1.0 / MOST_BENT), MOST_BENT)
    low, high = gene.declared.low, gene.declared.high
    found = []
    for row, (station, height, *others) in enumerate(rows):
        share = max(1.0 - abs(row / max(len(rows) - 1, 1) - place) / BEND_REACH, 0.0)
        grown = height * (1.0 + (factor - 1.0) * share)
        found.append((station, min(max(grown, low), high), *others))
    return tuple(found)


def _seen(gene: Gene, one: Any, other: Any) -> Any:
    """The look of two copies: outlines between both, and otherwise the one that dominates."""
    if one == other:
        return one
    if gene.is_outline:
        return _between(one, other)
    if gene.declared.choices:
        return max(one, other, key=gene.declared.choices.index)
    return max(one, other)


def _between(one: tuple, other: tuple) -> tuple:
    """The mean of two outlines, point by point along both."""
    count = max(len(one), len(other))
    found = 0.5 * (resampled(one, count) + resampled(other, count))
    return tuple(tuple(map(float, row)) for row in found)


def _made_whole(found: dict[str, Any]) -> dict[str, Any]:
    """Parts of a species, in which the shares of a fin's push make 1 and back and belly begin at one point."""
    form, pectoral = found["form"], found["pectoral"]
    form["belly"] = ((form["belly"][0][0], form["back"][0][1]), *form["belly"][1:])
    whole = float(total(np.array(pectoral["lever"])))
    pectoral["lever"] = tuple(share / whole for share in pectoral["lever"]) if whole > 0.0 else Pectoral().lever
    return found
