"""The Fish View panel: cameras in the eyes of fishes."""
