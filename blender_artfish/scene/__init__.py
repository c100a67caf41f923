"""The Scene panel: what stands in the water, and scene files."""
