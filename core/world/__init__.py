"""A scene that lives: the step, and what makes, saves and acts on a world."""
