"""Tools of an animator for a world: rehearsal, replay, events brought together in time, insight into minds."""
