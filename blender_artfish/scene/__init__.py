"""The Scene panel: the contents of the water, and scene files."""
