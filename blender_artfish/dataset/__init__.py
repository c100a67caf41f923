"""Data sets: pictures of a film with labels of all that is seen in them."""
