"""What an animator does with a world: rehearse, replay, bring things together in time, look into minds."""
