"""The Species panel: species are picked, shaped, shown, kept and restored."""
