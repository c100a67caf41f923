"""The Habits panel: character of a shoal's fishes."""
