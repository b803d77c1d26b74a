"""What a sensible player looks at: captures, chains in danger, and that nobody fills an eye of their own.

A point is an *eye* if all its neighbours are stones of one colour and the opponent holds none of its diagonals, or one
if it lies inside the board. Playouts that fill no eyes come to an end with positions that can be counted (Brügmann
1993, "Monte Carlo Go").
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.games.go.board import BLACK, DIAGONAL, EMPTY, NOWHERE, STRAIGHT, WHITE, Board, neighbours
from zermelo.rules import rule
from zermelo.rules.language import Rule

_CAPTURE, _RESCUE, _PASS = 8.0, 4.0, 0.01
"""How likely such moves are, where any other has 1."""
_CROWDED = 0.25
"""How likely a move is that leaves its stone without an empty neighbour, and takes nothing."""


class Sense(NamedTuple):
    """Hooks that help searches."""

    policy: Rule
    order: Rule
    evaluate: Rule


def sense(board: Board, rows: int, cols: int, komi: float, highest: float) -> Sense:
    """The hooks for one board. Estimates stay below `highest`."""
    cells = rows * cols
    near, beyond = neighbours(rows, cols, STRAIGHT), neighbours(rows, cols, DIAGONAL)
    owner, liberty = board.owner, board.liberty
    limit = 0.99 * highest

    @rule
    def is_eye(s, point, mine):
        for i in range(4):
            to = near[4 * point + i]
            if to >= 0 and owner(s, to) != mine:
                return False
        inside, against = True, 0
        for i in range(4):
            to = beyond[4 * point + i]
            if to < 0:
                inside = False
            elif owner(s, to) != mine and owner(s, to) != EMPTY:
                against += 1
        return against == 0 or (inside and against == 1)

    @rule
    def urgency(s, point):  # whether a move takes something, rescues something, or has room: 3, 2, 1, else 0
        mine, found = BLACK + s.turn, 0
        for i in range(4):
            to = near[4 * point + i]
            if to >= 0:
                colour = owner(s, to)
                if colour == EMPTY:
                    found = max(found, 1)
                elif liberty(s, to, point, NOWHERE) < 0:
                    found = 3 if colour != mine else max(found, 2)
                elif colour == mine:
                    found = max(found, 1)
        return found

    @rule
    def policy(s, move):
        if move == cells:
            return _PASS
        if is_eye(s, move, BLACK + s.turn):
            return 0.0
        found = urgency(s, move)
        return _CAPTURE if found == 3 else _RESCUE if found == 2 else 1.0 if found == 1 else _CROWDED

    @rule
    def evaluate(s):  # stones, and empty points that only one colour is next to
        n = 0.0
        for point in range(cells):
            colour = owner(s, point)
            if colour == EMPTY:
                black, white = 0, 0
                for i in range(4):
                    to = near[4 * point + i]
                    if to >= 0:
                        beside = owner(s, to)
                        black |= 1 if beside == BLACK else 0
                        white |= 1 if beside == WHITE else 0
                n += black - white
            else:
                n += 1 if colour == BLACK else -1
        estimate = 0.9 * n - komi
        return max(-limit, min(limit, estimate))

    @rule
    def order(s, move):
        if move == cells:  # to end the game is good for who is ahead
            ahead = evaluate(s) > 0 if s.turn == 0 else evaluate(s) < 0
            return 5000 if s.passes == 1 and ahead else -5000
        row, col = move // cols, move % cols
        central = min(row, rows - 1 - row) + min(col, cols - 1 - col)
        if is_eye(s, move, BLACK + s.turn):
            return central - 1000
        return 100 * urgency(s, move) + central

    return Sense(policy, order, evaluate)
