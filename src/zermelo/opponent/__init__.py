"""Searches that know who sits opposite: opponent models, learned models, and play by them."""
