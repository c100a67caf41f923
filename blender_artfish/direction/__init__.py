"""The Direction panel: how fishes are led, and what happens when."""
