"""Whether a game's rules and hooks keep their promises: what `check` looks for."""
