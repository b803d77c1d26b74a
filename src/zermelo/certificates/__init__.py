"""Proofs as files: made by a search, checked from the rules alone, and explained."""
