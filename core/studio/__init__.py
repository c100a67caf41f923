"""What an animator does with a world: rehearse, replay, bring events together in time, look into minds."""
