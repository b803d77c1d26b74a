"""Searches that try moves at random; the first of them does nothing else."""
