"""What a search for claims says of one: it holds, it fails, or neither is known."""

HOLDS, UNKNOWN, FAILS = 1, 0, -1
