"""What knows no fish: declared numbers, JSON, files, dice, state, vectors, memory."""
