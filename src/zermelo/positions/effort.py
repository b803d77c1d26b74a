"""How much work a solver in plain Python may do, and when it must stop.

Fractions grow, so nobody knows beforehand what an exact solution costs. Whoever works with them says what each step
costs, in units of about half a microsecond; when the allowance is used up, or the search is told to stop, an exception
ends the attempt.
"""

from __future__ import annotations

from collections.abc import Callable

POLL = 1 << 14
"""After how many units the clock is looked at: some milliseconds."""


class TooMuch(Exception):
    """The allowance is used up, or a number is too long."""


class Stopped(Exception):
    """A limit or Ctrl-C ended the work."""


class Effort:
    """An allowance of work; `stopped` tells whether to stop."""

    def __init__(self, allowance: float, stopped: Callable[[], bool]) -> None:
        self.left, self.stopped, self._unseen = allowance, stopped, 0

    def spend(self, units: int) -> None:
        self.left -= units
        self._unseen += units
        if self._unseen >= POLL:
            self._unseen = 0
            if self.stopped():
                raise Stopped
        if self.left < 0:
            raise TooMuch


def price(bits: int) -> int:
    """What it costs to multiply numbers of this length and to shorten the result."""
    words = bits >> 8
    return 1 + words + (words * words >> 2)
