"""Proof-number search: PN, PN², df-pn, and multiple outcomes."""
