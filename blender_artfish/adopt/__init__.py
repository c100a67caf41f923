"""Any mesh becomes a species: models are read, measured by `core.adopt`, stored beside the species' JSON, and swim."""
