"""The version of this Artfish, for the simulation and the add-on alike; pyproject.toml and others say the same."""

ARTFISH_VERSION = "1.0.0"
