"""Zermelo as an engine in other people's programs: UCI, USI, UCCI, GTP and NBoard."""
