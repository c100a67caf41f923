"""What a fish decides to do (Tu 1999, ch. 7)."""
