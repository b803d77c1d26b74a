"""Progress with a table of scores: among the moves that keep a score, those that get somewhere.

A table of scores says what can be forced, but not how soon. Where play can come back, whoever has more than going round
is worth must get on: a move that keeps the score may lead round for ever, and then the points so far are all there is.
So a way is looked for that cannot be stopped: own moves only such as keep the score, any reply of the other side, until

- play leaves the tier or ends, or going round has become good enough, and the score is kept; or
- the other side has given something away, so that the table says more.

It is the shortest such way, found by going deeper ply by ply. After a move of it and any reply that gives nothing away,
the way is two plies shorter; so whoever moves by it never comes back to where it stood since the score was last
raised, and each time needs to know nothing of the times before. Scores and tiers are few, so this ends, with at least
the score of the table.

Who has no more than going round is worth needs none of this: every move that keeps the score will do.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from zermelo.knowledge.table import Table
from zermelo.rules import ONGOING, Position, Unsuitable, wrapping
from zermelo.rules.position import legal_moves

VISITS = 50_000
"""How many visits one question may take: some seconds."""
DEEPEST = 200
"""The longest way that is looked for, in plies."""
KEPT = 50_000
"""Of so many positions it is remembered how long the way is."""
Next = list[tuple[bytes, Any]]
"""The positions of the same score that moves lead to, behind the bytes by which they are remembered."""


class Allowance:
    """Visits to positions that one question may still take."""

    def __init__(self) -> None:
        self.left = VISITS

    def take(self) -> None:
        if self.left <= 0:
            raise Spent
        self.left -= 1


class Spent(Exception):
    """The allowance was not enough."""


class Way:
    """How `side` gets on from the positions of a tier where the table says `score`. stood: positions, as bytes, to
    which it must not come back."""

    def __init__(self, table: Table, tier: int, side: int, score: float, stood: frozenset[bytes] = frozenset()) -> None:
        self.table, self.game, self.tier, self.side, self.stood = table, table.game, tier, side, stood
        self.view = -1 if side == 1 else 1
        self.score = self.view * score
        self.plies: dict[bytes, int] = {}  # the shortest way,
        self.longer: dict[bytes, int] = {}  # or how many plies are not enough for one
        self._next: dict[bytes, bool | Next] = {}

    def __len__(self) -> int:
        return len(self._next)

    def shortest(self, state: Any, allowance: Allowance) -> int | None:
        """In how many plies there is a way at the soonest; None if none was found."""
        key = state.tobytes()
        with suppress(Spent):
            self.within(key, state, DEEPEST, allowance)
        return self.plies.get(key)

    def within(self, key: bytes, state: Any, plies: int, allowance: Allowance) -> bool:
        """Whether there is a way of so many plies; the shortest one is noted."""
        while self._least(key) <= plies and key not in self.plies:
            allowance.take()
            after = self._next[key] if key in self._next else self._expand(key, state)
            if isinstance(after, bool):
                (self.plies if after else self.longer)[key] = 1 if after else DEEPEST
                continue
            own, tried = self._is_own(state), self._least(key)
            least = 1 + (min if own else max)(self._least(one) for one, _ in after)
            if least <= tried and self._follows(after, own, tried - 1, allowance):
                self.plies[key] = tried
            else:
                self.longer[key] = min(max(least - 1, tried), DEEPEST)
        return self._least(key) <= plies

    def _least(self, key: bytes) -> int:
        """No way from a position is shorter."""
        return self.plies[key] if key in self.plies else self.longer.get(key, 0) + 1

    def _follows(self, after: Next, own: bool, plies: int, allowance: Allowance) -> bool:
        """Whether a way of so many plies leads on: with one of its own moves, or after every reply."""
        for key, state in after:
            if plies == 0 or self.within(key, state, plies, allowance) == own:
                return own and plies > 0
        return not own

    def _expand(self, key: bytes, state: Any) -> bool | Next:
        """Whether a way is found or lost with the moves of a position, whatever follows; else what decides it."""
        own = self._is_own(state)
        after: Next = []
        known: bool | None = None
        for move in legal_moves(self.game, state):
            child = state.copy()
            self.game.play(child, move)
            gets_on = self.gets_on(child)
            if gets_on is None:
                after.append((child.tobytes(), child))
            elif gets_on == own:
                known = own
                break
        if known is None and not after:
            known = not own
        self._next[key] = after if known is None else known
        return self._next[key]

    def _is_own(self, state: Any) -> bool:
        assert self.game.turn is not None
        return bool(self.game.turn(state) == self.side)

    def gets_on(self, state: Any) -> bool | None:
        """Whether a way that comes here has got on, or is lost; None if it goes on."""
        if state.tobytes() in self.stood:
            return False
        result = self.game.verdict(state)
        if result != ONGOING:
            return bool(self.view * result >= self.score)
        try:
            value = self.view * self.table.probe(Position(self.game, state)).score
        except Unsuitable:  # that far the table does not reach
            return False
        if value != self.score:
            return bool(value > self.score)
        assert self.game.index is not None
        loop = self.game.loop_worth(state)
        safe = 0 <= int(self.game.index(state)[0]) < self.tier or (loop is not None and self.view * loop >= self.score)
        return True if safe else None


class Progress:
    """The ways that were found in a table, kept for the next question."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._ways: dict[tuple[int, int, float], Way] = {}
        self._lock = threading.Lock()

    @wrapping
    def moves(self, position: Position, score: float, keeping: Sequence[str], allowance: Allowance) -> list[str]:
        """Those of the moves that keep the score which surely get on, by a shortest way: all of them where nobody needs
        to, none if no way was found."""
        side = position.turn
        loop = position.game.loop_worth(position.state) if position.game.cyclic else None
        view = -1 if side == 1 else 1
        if loop is None or view * score <= view * loop:
            return list(keeping)
        with self._lock:
            way = self._way(position, score, allowance)
            plies = way.shortest(position.state, allowance)
            if plies is None:
                return []
            return [move for move in keeping if _begins(way, position.play(move), plies, allowance)]

    def _way(self, position: Position, score: float, allowance: Allowance) -> Way:
        """What is known of ways from here, if the shortest one meets nothing that stood before; else a way that keeps
        off that, if there is one: this happens if somebody else moved for this side before."""
        if sum(map(len, self._ways.values())) > KEPT:
            self._ways.clear()
        tier, side = self.table.place(position)[0], position.turn
        way = self._ways.setdefault((tier, side, score), Way(self.table, tier, side, score))
        plies = way.shortest(position.state, allowance)
        before = [one for one in position.line()[:-1] if self.table.place(one)[0] in (tier, -1)]
        if plies is None or all(self._is_behind(way, one, plies, allowance) for one in before):
            return way
        apart = Way(self.table, tier, side, score, frozenset(one.state.tobytes() for one in before))
        return way if apart.shortest(position.state, allowance) is None else apart

    def _is_behind(self, way: Way, position: Position, plies: int, allowance: Allowance) -> bool:
        """Whether a shortest way of so many plies surely does not come through a position."""
        try:
            value = way.view * self.table.probe(position).score
            if value == way.score:
                return not way.within(position.state.tobytes(), position.state, plies, allowance)
        except (Unsuitable, Spent):
            return False
        return bool(value < way.score)


def _begins(way: Way, after: Position, plies: int, allowance: Allowance) -> bool:
    """Whether a shortest way begins with the move to this position."""
    gets_on = way.gets_on(after.state)
    if gets_on is not None or plies == 1:
        return gets_on is True
    try:
        return way.within(after.state.tobytes(), after.state, plies - 1, allowance)
    except Spent:
        return way.plies.get(after.state.tobytes(), plies) < plies
