"""A second checker, written from docs/certificates.md alone: recursive, slow, and with no code of the first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from zermelo.rules import Position


class Refused(Exception):
    """The proof fails."""


class Found(NamedTuple):
    """What the walk met, and the moves that were taken."""

    ours: int
    positions: int
    longest: int | None
    moves: list[int]


Choose = Callable[[Position], int]


def from_list(moves: list[int]) -> Choose:
    """The claimant's moves as a certificate lists them."""
    rest = iter(moves)

    def choose(position: Position) -> int:
        index = next(rest, None)
        if index is None or index >= len(position.codes):
            raise Refused
        return index

    return choose


def walk(root: Position, at_least: bool, value: float, choose: Choose) -> Found:
    """The form graph: every position once, identified by its state."""
    game = root.game
    claimant = 0 if at_least else 1
    taken: list[int] = []
    lines: dict[bytes, int] = {}
    open_positions: set[bytes] = set()
    before = Counter(state.tobytes() for state in root.path()[:-1]) if game.cyclic else Counter()
    loop = game.loop_value
    loops_fine = loop is not None and (loop >= value if at_least else loop <= value)

    def satisfied(score: float) -> bool:
        return score >= value if at_least else score <= value

    def enter(position: Position) -> int:
        """The longest line from a position in which somebody is to move."""
        name = position.state.tobytes()
        open_positions.add(name)
        codes = position.codes
        if position.turn == claimant:
            taken.append(choose(position))
            codes = [codes[taken[-1]]]
        longest = 0
        for move in codes:
            after = Position(game, position.play(move).state)
            below = after.state.tobytes()
            if after.result is not None:
                if not satisfied(after.result):
                    raise Refused
            elif below not in open_positions and before[below] + 1 >= game.folds:
                if not loops_fine:
                    raise Refused
            elif below in lines:
                longest = max(longest, lines[below])
            elif below in open_positions:
                if not loops_fine:
                    raise Refused
            else:
                longest = max(longest, enter(after))
        lines[name] = longest + 1
        return longest + 1

    longest = enter(Position(game, root.state))
    ours = len(taken)
    return Found(ours, len(lines), None if game.cyclic and loops_fine else longest, taken)


def walk_lines(root: Position, at_least: bool, value: float, choose: Choose) -> Found:
    """The form tree: every line by itself."""
    claimant = 0 if at_least else 1
    taken: list[int] = []
    positions = 0

    def enter(position: Position) -> int:
        nonlocal positions
        positions += 1
        codes = position.codes
        if position.turn == claimant:
            taken.append(choose(position))
            codes = [codes[taken[-1]]]
        longest = 0
        for move in codes:
            after = position.play(move)
            if after.result is None:
                longest = max(longest, enter(after))
            elif not (after.result >= value if at_least else after.result <= value):
                raise Refused
        return longest + 1

    longest = enter(root)
    return Found(len(taken), positions, longest, taken)
