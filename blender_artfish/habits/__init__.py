"""The Habits panel: what the fishes of a shoal are like."""
