"""The room that knows no fish: declared numbers, JSON, files, random numbers, state, vectors, memory."""
