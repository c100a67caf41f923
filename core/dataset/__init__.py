"""Data sets: labelled pictures of fishes, their labels, and the files in which readers of others look for them."""
