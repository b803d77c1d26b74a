"""The page: a server on this machine that shows boards, values and proofs in the browser, and an API beside it.

The server itself knows no rules: every game is at work in a process of its own (`worker`), which `workers` starts,
asks, stops and ends. `guard` decides who may ask at all, `catalogue` what for, `routes` are the addresses, and
`serving` puts it together. What the browser runs lies in `static`.
"""
