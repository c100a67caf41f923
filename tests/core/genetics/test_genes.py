"""The gene map: every number that a species declares is a gene once, and lies in one linked group."""

from dataclasses import fields, is_dataclass

import numpy as np

from artfish.core.base.declaration import types_of
from artfish.core.genetics.genes import LINKED_GROUPS, SUPERGENE, gene_map
from artfish.core.scene.species import Species

NO_GENES = {"name", "common_name", "latin_name", "model", "fitted", "vision"}


def test_every_declared_key_is_one_gene():
    keys = []
    for of in fields(Species):
        hint = types_of(Species)[of.name]
        if is_dataclass(hint):
            keys += [f"{of.name}.{inner.name}" for inner in fields(hint)]
        elif of.metadata.get("declared") and of.name not in NO_GENES:
            keys.append(of.name)
    assert sorted(gene.key for gene in gene_map().order) == sorted(keys)


def test_numbers_are_read_as_the_species_says():
    species = Species.load("sardine")
    numbers, data = gene_map().numbers(species.to_dict()), {}
    ends = np.cumsum([gene.size for gene in gene_map().genes])[:-1]
    for gene, part in zip(gene_map().genes, np.split(numbers, ends), strict=True):
        data[gene.key] = gene.plain(part)
    assert data["rhythm.tail_beat"] == species.rhythm.tail_beat
    assert data["body.half_heights"] == species.body.half_heights
    assert data["body.peduncle_muscles"] == species.body.peduncle_muscles
    assert data["length"] == species.length
    low, high = gene_map().span
    assert (low <= numbers).all() and (numbers <= high).all()


def test_groups_lie_in_one_piece_and_the_shape_never_parts():
    genes = gene_map()
    groups = [gene.group for gene in genes.order]
    assert list(dict.fromkeys(groups)) == list(LINKED_GROUPS)
    assert genes.begins.sum() == len(LINKED_GROUPS)
    shape = [gene for gene in genes.order if gene.key in SUPERGENE or gene.key.startswith("form.")]
    assert all(gene.bound for gene in shape[1:]) and not shape[0].bound
    gaps = {group: genes.gaps[[own == group for own in groups]].sum() for group in LINKED_GROUPS}
    assert np.allclose(list(gaps.values()), 1.0)
