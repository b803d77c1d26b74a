"""One tier of a game with dice, solved for good: whom to leave it by, and what that is worth.

Both players keep a strategy, one move for each position. With both fixed a tier is a Markov chain, and its values are
linear equations. The second player's strategy is improved until it is the best answer to the first player's; then the
first player's is improved once, and so on (Hoffman and Karp 1966). An improvement takes moves that are worth more than
the position, by the values as they are. That is not enough where players can go round for ever: a strategy that always
leaves at a loss may look as good as any, because going round leads to positions that are worth the same loss. So where
no move is worth more, each player looks for a set of positions that are worth less than endless play and that moves of
equal worth need never leave, and goes round there. When there is no such set either, the values are right:

    Let x be the values, v the true ones, v − x largest, and above 0, on the set S. At a position of S every move that
    is best by v leads back into S and is worth as much as the position by x; so does every move of the opponent that is
    worth as much by x, and every outcome. Where all play such moves, play never leaves S: v is not above endless play
    there, and x is below it. So S is a set as was looked for.

In whole numbers all this is exact. In floats it is a good guess, to be made sure of by other means (see `bounds`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from zermelo.positions.effort import Effort, TooMuch, price
from zermelo.positions.elimination import LONGEST, Elimination, Number, Row
from zermelo.positions.move_graph import MoveGraph
from zermelo.rules import CHANCE

CLOSE = 1e-13
"""In floats, the difference that makes one move better than another, as a share of the largest value."""
MOST_ROUNDS = 100
MOST_STEPS = 300
"""In floats, where rounding may lead the improvements in a circle."""


def common_unit(values: Iterable[Fraction]) -> int:
    """A common denominator of fractions."""
    unit = 1
    for value in values:
        unit = math.lcm(unit, value.denominator)
        if unit.bit_length() > LONGEST:
            raise TooMuch
    return unit


@dataclass
class _Place:
    """A position where a player has a choice: its moves by number, and the one that is chosen."""

    turn: int
    moves: list[int]
    chosen: int


class TierGame:
    """A tier with what lies outside replaced by its values. Positions have their numbers in the graph; a move of a
    player who has a choice has a number below 0."""

    def __init__(
        self, graph: MoveGraph, tier: list[int], outside: Callable[[int], Any], endless: Number, effort: Effort,
        exact: bool = True,
    ) -> None:  # fmt: skip
        self.graph, self.tier, self.effort, self.exact = graph, tier, effort, exact
        within = set(tier)
        leads = {here: self._children(graph, here) for here in tier}
        known = {child: outside(child) for row in leads.values() for child in row if child not in within}
        self.unit = common_unit({endless, *known.values()}) if exact else 1
        whole: Callable[[Any], Number] = (lambda value: int(value * self.unit)) if exact else float
        self.endless = whole(endless)
        self.known = {child: whole(value) for child, value in known.items()}
        self.close = 0 if exact else CLOSE * max([abs(self.endless), *map(abs, self.known.values())])
        self.rows: dict[int, Row] = {}
        self.places: dict[int, _Place] = {}
        self.values: dict[int, Number] = {}
        for here in tier:
            turn = int(graph.turns[here])
            if turn == CHANCE:
                self.rows[here] = self._toss(here, leads[here])
            else:
                self._decide(here, turn, leads[here])

    def _children(self, graph: MoveGraph, here: int) -> dict[int, int]:
        """What a position leads to, with the weights of outcomes added up."""
        begin, end = int(graph.offsets[here]), int(graph.offsets[here + 1])
        self.effort.spend(2 * (end - begin))
        leads: dict[int, int] = {}
        for child, weight in zip(graph.children[begin:end].tolist(), graph.weights[begin:end].tolist()):
            leads[child] = leads.get(child, 0) + weight
        return leads

    def _toss(self, here: int, leads: dict[int, int]) -> Row:
        one: Number = 1 if self.exact else 1 / sum(leads.values())
        row = Row({}, 0, 0)
        for child, weight in leads.items():
            if child in self.known:
                row.out += weight * one
                row.gain += weight * one * self.known[child]
            elif child != here:
                row.inside[child] = weight * one
        return row

    def _decide(self, here: int, turn: int, leads: dict[int, int]) -> None:
        """A row for each move that stays inside, and one for the best that leaves; to stay where one is, is to play
        for ever."""
        rows = [Row({child: 1}, 0, 0) for child in leads if child not in self.known and child != here]
        leaving = [self.known[child] for child in leads if child in self.known]
        if here in leads:
            leaving.append(self.endless)
        if leaving:
            rows.insert(0, Row({}, 1, max(leaving) if turn == 0 else min(leaving)))
        if len(rows) == 1:
            self.rows[here] = rows[0]
            return
        moves = []
        for row in rows:
            moves.append(-1 - len(self.rows))
            self.rows[moves[-1]] = row
        self.places[here] = _Place(turn, moves, moves[0])

    def solve(self) -> dict[int, Any]:
        """The values of all positions of the tier."""
        forced = Elimination(self.rows, self.endless, self.exact, self.effort)
        forced.leave_out([here for here in self.tier if here not in self.places])
        self.values = values = self._best_play()
        forced.solve(values)
        return {here: Fraction(values[here]) / self.unit if self.exact else values[here] for here in self.tier}

    def delays(self, player: int) -> dict[int, float]:
        """How many plies it takes to leave the tier on average, by this player's strategy, in floats, if the opponent
        takes moves of equal worth that take longest."""
        timed = TierGame(self.graph, self.tier, lambda _: 0.0, 0.0, self.effort, exact=False)
        timed.close = 0.5
        for row in timed.rows.values():
            row.gain += row.total()
        for here, place in self.places.items():
            worths = {move: self.rows[move].worth(self.values) for move in place.moves}
            equal = [move for move in place.moves if abs(worths[move] - self.values[here]) <= self.close]
            timed.places[here] = _Place(0, [place.chosen] if place.turn == player else equal, place.chosen)
        return timed.solve()

    def _best_play(self) -> dict[int, Number]:
        """The values where somebody has a choice, by improving both strategies until there is nothing to improve."""
        for _ in range(10**9 if self.exact else MOST_STEPS):
            values = self._values()
            if not self._improve(1, values, answering=True) and not self._improve(0, values, answering=False):
                break
        return values

    def _values(self) -> dict[int, Number]:
        """What the two strategies are worth against each other."""
        rows = {}
        for here, place in self.places.items():
            rows[here] = self.rows[place.chosen].copy()
            rows[here].inside.pop(here, None)
        chain = Elimination(rows, self.endless, self.exact, self.effort)
        chain.leave_out(rows)
        values: dict[int, Number] = {}
        chain.solve(values)
        return values

    def _improve(self, player: int, values: dict[int, Number], answering: bool) -> bool:
        """Better moves for a player, if there are any. `answering`: the opponent's strategy is fixed."""
        sign = 1 if player == 0 else -1
        equal: dict[int, list[int]] = {}  # moves that are worth as much as their position
        changed = False
        for here, place in self.places.items():
            if place.turn != player and answering:
                equal[here] = [place.chosen]
                continue
            bits = values[here].denominator.bit_length() if self.exact else 0
            self.effort.spend(8 * len(place.moves) * price(bits))
            worths = {move: self.rows[move].worth(values) for move in place.moves}
            if place.turn == player:
                best = max(place.moves, key=lambda move: sign * worths[move])
                if sign * (worths[best] - values[here]) > self.close:
                    place.chosen, changed = best, True
            equal[here] = [move for move in place.moves if abs(worths[move] - values[here]) <= self.close]
        return changed or self._stay(player, sign, values, equal)

    def _stay(self, player: int, sign: int, values: dict[int, Number], equal: dict[int, list[int]]) -> bool:
        """Go round for ever where that beats what positions are worth and no move of equal worth need leave."""
        staying = {here for here in self.places if sign * (self.endless - values[here]) > self.close}
        before: dict[int, set[int]] = {}
        for here in staying:
            for move in equal[here]:
                for child in self.rows[move].inside:
                    before.setdefault(child, set()).add(here)

        def inside(here: int) -> list[int]:
            return [m for m in equal[here] if self.rows[m].out == 0 and self.rows[m].inside.keys() <= staying]

        doubtful = set(staying)
        while doubtful:
            here = doubtful.pop()
            self.effort.spend(4 * len(equal[here]))
            found = inside(here)
            if not found or (self.places[here].turn != player and len(found) < len(equal[here])):
                staying.discard(here)
                doubtful |= before.get(here, set()) & staying
        changed = False
        for here in staying:
            place = self.places[here]
            if place.turn == player and place.chosen not in (found := inside(here)):
                place.chosen, changed = found[0], True
        return changed


def leaves(graph: MoveGraph, tier: list[int], worth: Callable[[int], Fraction], player: int, effort: Effort) -> bool:
    """Whether a player, by moves that are as good as any, gets out of a tier with probability 1, whatever the opponent
    does; `worth` gives the values of its positions and of what they lead to. If that takes long to see, no."""
    within, left = set(tier), list(tier)
    for _ in range(MOST_ROUNDS):
        stay = []
        for here in left:
            begin, end = int(graph.offsets[here]), int(graph.offsets[here + 1])
            effort.spend(4 * (end - begin))
            below = graph.children[begin:end].tolist()
            out = [child for child in below if child not in within]
            if graph.turns[here] == player:
                found = any(worth(child) == worth(here) for child in out)
            else:
                found = bool(out) if graph.turns[here] == CHANCE else len(out) == len(below)
            if found:
                within.discard(here)
            else:
                stay.append(here)
        if not stay or len(stay) == len(left):
            break
        left = stay[::-1]
    return not stay
