"""Play: players, clocks, records of games. Nothing here knows a terminal."""
