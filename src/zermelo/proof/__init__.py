"""Proofs: searches that prove claims, games solved whole, and certificates that anyone can check."""
