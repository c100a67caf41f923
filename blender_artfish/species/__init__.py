"""The Species panel: species are chosen, shaped, shown, saved and restored."""
