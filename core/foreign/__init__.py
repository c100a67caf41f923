"""Models of other makers, examined before anything opens them: what they name, what they hold, and what is left out."""
