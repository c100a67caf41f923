"""Synthetic motion capture: what a species does, recorded once and played back by many (Yu & Terzopoulos 1999)."""
