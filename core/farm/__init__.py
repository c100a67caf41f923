"""The farm: many worlds, as jobs of plain data, that any executor runs with the same bytes of results."""
