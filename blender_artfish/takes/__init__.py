"""Takes: the scene lived through by many seeds, and the best by what an animator wishes for."""
