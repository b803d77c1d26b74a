"""The laboratory: published experiments, one command each. A file here that has an `EXPERIMENT` is one."""
