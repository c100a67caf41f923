"""An animator's files: species, tank, shoals, water and direction; JSON in and out."""
