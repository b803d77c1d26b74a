"""Searches that leave something to chance: which move to play, or which outcomes to look at."""
