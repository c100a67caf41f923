"""The snake grid in the Image Editor."""
