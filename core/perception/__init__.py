"""What a fish perceives (Tu 1999, ch. 6)."""
