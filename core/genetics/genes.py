"""Genes: every number, choice and outline that a species declares, in groups that are inherited together.

A gene is what one key of a species' file holds: a number, a vector whose numbers stay together, an outline of any
number of points, a choice, a list of marks. A species has two copies of each, as its parents gave them. What an eye
sees of both is their mean; of choices and of lists of marks, the one that dominates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, fields, is_dataclass
from functools import cached_property, lru_cache
from typing import Any
from zlib import crc32

import numpy as np

from ..base.codec import SceneError, shown
from ..base.declaration import Declared, types_of
from ..base.elementary import interpolated
from ..scene.species import Species

SUPERGENE = (
    "body.stations",
    "body.half_heights",
    "body.half_widths",
    "body.rise",
    "body.tail_half_height",
    "form",
)
"""The shape of the body and of the surfaces around it, which are inherited as one."""
LINKED_GROUPS: dict[str, tuple[str, ...]] = {
    "frame": (*SUPERGENE, "relief", "length", "size_variety", "female_size"),
    "gait": ("time_scale", "rhythm", "body", "steering", "gait_variety"),
    "fins": ("pectoral", "bearing"),
    "skin": ("looks",),
    "habits": ("kind", "type", "temperament"),
    "wants": ("mind",),
}
"""Parts and keys of a species by linked groups; names, models and ways to see are no genes."""
LISTED_MARKINGS = ("bands", "patches")
"""Lists of marks, which are inherited whole: the mean of two lists is none."""
NUMBER_KINDS = ("number", "integer", "vector", "colour")


@dataclass(frozen=True)
class Gene:
    """One unit of inheritance.

    Attributes:
        key: Key of the species' file, such as "rhythm.tail_beat".
        declared: Its declaration.
        group: The linked group: genes of different groups are inherited independently.
        bound: Whether it never parts from the gene before it.
        size: Numbers in it; 0 for what is inherited as a whole.
    """

    key: str
    declared: Declared
    group: str
    bound: bool
    size: int

    @property
    def is_outline(self) -> bool:
        """True for points of a curve, of which there may be any number."""
        return not self.size and self.declared.kind == "vector" and self.key.split(".")[-1] not in LISTED_MARKINGS

    def plain(self, numbers: np.ndarray) -> Any:
        """Its value as JSON holds it, of its numbers, (size,)."""
        if self.declared.kind == "integer":
            return int(np.ceil(numbers[0]))
        return float(numbers[0]) if self.declared.kind == "number" else tuple(map(float, numbers))

    def by(self, seen: Any, one: Any, other: Any) -> tuple[float, ...]:
        """Numbers from which `other` makes the copy that is not seen, of what is inherited whole."""
        if self.is_outline:
            return tuple(float(value) for value in np.ravel(resampled(other, len(seen)) - np.array(seen, dtype=float)))
        hidden = other if one == seen else one
        if self.declared.choices:
            return (float(self.declared.choices.index(hidden)),)
        return tuple(float(value) for row in hidden for value in row)

    def other(self, seen: Any, by: tuple[float, ...], key: str) -> Any:
        """The copy that is not seen.

        Raises:
            SceneError: These numbers are none of it, with this key.
        """
        if self.declared.choices:
            if len(by) == 1 and 0 <= by[0] < len(self.declared.choices):
                return self.declared.choices[int(by[0])]
            raise SceneError(shown(list(by)), f"a number from 0 to {len(self.declared.choices) - 1}", f"{key}.by")
        width = self.declared.shape[-1] or 1
        rows = np.reshape(by, (-1, width)) if len(by) % width == 0 else np.zeros((0, width))
        if self.is_outline and len(rows) == len(seen):
            rows = np.array(seen, dtype=float) + rows
        elif self.is_outline or len(by) % width:
            raise SceneError(f"{len(by)} numbers", f"{len(seen) * width}, as many as {self.key} has", f"{key}.by")
        return self._rows(rows)

    def mirrored(self, seen: Any, other: Any) -> Any:
        """The first copy, where the second and what is seen of both are these."""
        if not self.is_outline or other == seen:
            return seen
        return self._rows(2.0 * np.array(seen, dtype=float) - np.array(other))

    def _rows(self, rows: np.ndarray) -> tuple[tuple[float, ...], ...]:
        """Rows of numbers as JSON holds them, within its range."""
        return tuple(tuple(map(float, row)) for row in np.clip(rows, self.declared.low, self.declared.high))

    def read(self, data: Mapping[str, Any]) -> Any:
        """Its value in a species as JSON holds it."""
        part, _, key = self.key.rpartition(".")
        return data[part][key] if part else data[key]

    def write(self, data: dict[str, Any], value: Any) -> None:
        """Puts its value where `read` finds it; makes the part that is not there."""
        part, _, key = self.key.rpartition(".")
        (data.setdefault(part, {}) if part else data)[key] = value


@dataclass(frozen=True, eq=False)
class GeneMap:
    """All genes.

    Attributes:
        order: As they lie beside each other, group by group.
    """

    order: tuple[Gene, ...]

    @cached_property
    def genes(self) -> tuple[Gene, ...]:
        """Those that are numbers, in their order."""
        return tuple(gene for gene in self.order if gene.size)

    @cached_property
    def wholes(self) -> tuple[Gene, ...]:
        """Those that are inherited whole, in their order."""
        return tuple(gene for gene in self.order if not gene.size)

    @cached_property
    def of_number(self) -> np.ndarray:
        """Row in `order` of the gene of each number, (number,)."""
        return np.repeat(np.arange(len(self.order)), [gene.size for gene in self.order])

    @cached_property
    def of_whole(self) -> np.ndarray:
        """Row in `order` of each gene that is inherited whole, (whole,)."""
        return np.flatnonzero([not gene.size for gene in self.order])

    @cached_property
    def spans(self) -> dict[str, slice]:
        """Places of the numbers of each gene among all, by its key."""
        ends = np.cumsum([gene.size for gene in self.genes]).tolist()
        return {gene.key: slice(end - gene.size, end) for gene, end in zip(self.genes, ends, strict=True)}

    @cached_property
    def span(self) -> np.ndarray:
        """Lowest and highest value of each number, (2, number)."""
        ends = [(gene.declared.low, gene.declared.high) for gene in self.genes for _ in range(gene.size)]
        return np.array(ends).T

    @cached_property
    def is_whole_number(self) -> np.ndarray:
        """Mask of the numbers that are integers, (number,) bool."""
        return np.array([gene.declared.kind == "integer" for gene in self.genes for _ in range(gene.size)])

    @cached_property
    def keys(self) -> np.ndarray:
        """A number of each gene's own, whatever others there are, by which dice are thrown for it, (gene,) uint64."""
        return np.array([crc32(gene.key.encode()) for gene in self.order], dtype=np.uint64)

    @cached_property
    def number_keys(self) -> np.ndarray:
        """The same of each number, (number,) uint64."""
        named = [f"{gene.key} {place}" for gene in self.genes for place in range(gene.size)]
        return np.array([crc32(name.encode()) for name in named], dtype=np.uint64)

    @cached_property
    def begins(self) -> np.ndarray:
        """Mask of the genes that are the first of their linked group, (gene,) bool."""
        groups = [gene.group for gene in self.order]
        return np.array([row == 0 or group != groups[row - 1] for row, group in enumerate(groups)])

    @cached_property
    def gaps(self) -> np.ndarray:
        """Share of its group's crossings over that fall before each gene, (gene,): 0 before those that never part."""
        free = np.array([not (gene.bound or begins) for gene, begins in zip(self.order, self.begins, strict=True)])
        groups = np.cumsum(self.begins) - 1
        return free / np.maximum(np.bincount(groups, free), 1.0)[groups]

    def numbers(self, data: Mapping[str, Any]) -> np.ndarray:
        """The numbers (number,) of a species as JSON holds it."""
        return np.concatenate([np.ravel(gene.read(data)).astype(float) for gene in self.genes])

    def whole(self, data: Mapping[str, Any]) -> tuple[Any, ...]:
        """Everything that is inherited whole of a species as JSON holds it, in the order of `wholes`."""
        return tuple(_frozen(gene.read(data)) for gene in self.wholes)


@lru_cache(maxsize=1)
def gene_map() -> GeneMap:
    """The genes that `Species` declares."""
    return GeneMap(_declared_genes())


def _declared_genes() -> tuple[Gene, ...]:
    """All genes as they lie beside each other, group by group."""
    found: dict[str, Gene] = {}
    for group, places in LINKED_GROUPS.items():
        before: Gene | None = None
        for place in places:
            for key, of in _fields_at(place):
                declared: Declared | None = of.metadata.get("declared")
                if declared and key not in found:
                    bound = place in SUPERGENE and before is not None
                    before = found[key] = Gene(key, declared, group, bound, _size(declared, of.default))
    return tuple(found.values())


def _fields_at(place: str) -> list[tuple[str, Field]]:
    """Keys and fields of a part of a species, of one key of a part, or of a key of its own."""
    part, _, key = place.partition(".")
    cls = types_of(Species)[part]
    if not is_dataclass(cls):
        return [(part, Species.__dataclass_fields__[part])]
    return [(f"{part}.{of.name}", of) for of in fields(cls) if key in ("", of.name)]


def resampled(rows: tuple, count: int) -> np.ndarray:
    """An outline by another count of points, evenly along its own, (count, numbers of a point)."""
    at, places = np.linspace(0.0, 1.0, len(rows)), np.linspace(0.0, 1.0, count)
    return np.stack([interpolated(places, at, column) for column in np.array(rows, dtype=float).T], axis=1)


def _size(declared: Declared, default: Any) -> int:
    if declared.kind not in NUMBER_KINDS or declared.kind == "vector" and None in declared.shape:
        return 0
    return int(np.size(default))


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value
