"""Search with chance nodes: the Star family, probes, risk, and the exact solution of small games."""
