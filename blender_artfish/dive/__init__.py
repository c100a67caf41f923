"""The Dive panel: a submarine piloted among the fishes of live play."""
