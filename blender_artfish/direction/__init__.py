"""The Direction panel: leading of fishes, and timed events."""
