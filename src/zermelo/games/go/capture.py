"""Sub-games about one chain, the *target*, which the position marks: who is to move wants to take it.

In a `ladder` the attacker may only play so that the target has one liberty left, or take it; the target has escaped
once it has two liberties and its owner's turn, or three. In `kill` the attacker may play anywhere in the region that
the position marks, on the whole board if it marks none; the target lives if Benson's condition says so. The owner of
the target may always do as the rules allow, so that to win a sub-game is to take the target for certain.
"""

from __future__ import annotations

from typing import Any

from zermelo.games.go.board import BLACK, EMPTY, NOWHERE, STRAIGHT, Board, neighbours
from zermelo.games.go.life import living
from zermelo.rules import ONGOING, Subgame, rule, u64


def _lacks(s: Any) -> str:
    told = "is about one chain, which the position must mark: write # for one of its stones if it is black, @ if white"
    return "" if s.target else told


def ladder(board: Board, rows: int, cols: int) -> Subgame:
    """The ladder. Replies that neither extend the target nor take a chain leave it in atari, so that it is taken."""
    cells = rows * cols
    near = neighbours(rows, cols, STRAIGHT)
    owner, liberty, legal = board.owner, board.liberty, board.legal

    @rule
    def added(s, point, out, n):
        if point >= 0 and legal(s, point):
            out[n] = point
            n += 1
        return n

    @rule
    def attack(s, out):
        target = s.target - 1
        if target < 0 or owner(s, target) == EMPTY or owner(s, target) == BLACK + s.turn:
            return 0
        first = liberty(s, target, NOWHERE, NOWHERE)
        second = liberty(s, target, first, NOWHERE)
        if second >= 0 and liberty(s, target, first, second) >= 0:
            return 0
        return added(s, second, out, added(s, first, out, 0))

    @rule
    def takes(s, point):
        for i in range(4):
            to = near[4 * point + i]
            if to >= 0:
                colour = owner(s, to)
                if colour != EMPTY and colour != BLACK + s.turn and liberty(s, to, point, NOWHERE) < 0:
                    return True
        return False

    @rule
    def defend(s, out):
        last, n = liberty(s, s.target - 1, NOWHERE, NOWHERE), 0
        for point in range(cells):
            if owner(s, point) == EMPTY and (point == last or takes(s, point)):
                n = added(s, point, out, n)
        return n

    @rule
    def goal(s):
        target = s.target - 1
        if target < 0:
            return -1
        colour = owner(s, target)
        if colour == EMPTY:
            return 1
        first = liberty(s, target, NOWHERE, NOWHERE)
        second = liberty(s, target, first, NOWHERE)
        if second < 0:
            return ONGOING
        if colour == BLACK + s.turn or liberty(s, target, first, second) >= 0:
            return -1
        return ONGOING

    return Subgame(attack=attack, defend=defend, goal=goal, lacks=_lacks)


def kill(board: Board, rows: int, cols: int, suicide: bool) -> Subgame:
    """Life and death, on boards of up to 64 points."""
    cells = rows * cols
    owner, legal = board.owner, board.legal
    alive = living(rows, cols)
    zero, one = u64(0), u64(1)

    @rule
    def attack(s, out):
        n = 0
        if s.target == 0 or owner(s, s.target - 1) == BLACK + s.turn:
            return 0
        for point in range(cells):
            if (s.region == zero or (s.region >> u64(point)) & one != zero) and legal(s, point):
                out[n] = point
                n += 1
        return n

    @rule
    def goal(s):
        if s.target == 0:
            return -1
        target = one << u64(s.target - 1)
        if (s.black | s.white) & target == zero:
            return 1
        if not suicide and alive(s.black if s.black & target != zero else s.white)[0] & target != zero:
            return -1
        return ONGOING

    return Subgame(attack=attack, goal=goal, lacks=_lacks)
