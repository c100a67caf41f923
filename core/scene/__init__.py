"""What an animator writes: species, tank, shoals, water and direction; JSON in and out."""
