"""What can go wrong with a game, each said in one sentence that a person can act on."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class ZermeloError(Exception):
    """Base of every error that is the user's to mend; its text is one clear sentence."""


class RuleError(ZermeloError):
    """A game's rules break a promise: they do not compile, raise, or leave their declared limits."""


class MoveError(ZermeloError):
    """A move that is not legal, or a text that names no move."""


class PositionError(ZermeloError):
    """A text that describes no position of the game."""


class StateError(ZermeloError, ValueError):
    """A state that cannot be built: a number that does not fit into its field, or a field that there is not."""


class UnknownName(ZermeloError):
    """A game, parameter or method that does not exist; the text names the nearest that does."""


class Unsuitable(ZermeloError):
    """A request that makes no sense for this game or this machine."""


class TooLarge(Unsuitable):
    """A game that does not fit into the memory that it may take; what was found of it, and what that took."""

    positions: int = 0
    moves: int = 0
    nodes: int = 0
    seconds: float = 0.0


MOST_SHOWN = 20


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint to append to "unknown name": the closest known name, or all of them when none is close."""
    known = sorted(known)
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    if close:
        return f"did you mean {close[0]}?"
    shown = ", ".join(known[:MOST_SHOWN]) + (", …" if len(known) > MOST_SHOWN else "")
    return f"known: {shown}" if known else "there is none"
