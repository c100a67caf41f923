"""Synthetic motion capture: the motions of a species, recorded once and played back by many (Yu & Terzopoulos 1999)."""
