"""Games that rest on tables: searches that come to a position in a table know what it is worth.

    solve(with_tables(game, ["dobutsu.table"]))

To a search, a table is one more way in which the rules show an outcome before play has come to its end: the hook
`bounds`, asked at every position anyway by alpha-beta, Star, proof-number search and Monte-Carlo tree search alike. So
a game with tables is the game with another `bounds`, which looks the position up; nothing else knows of tables.

**History.** A table knows positions without the way to them. Where positions come back, a win by the table may lead
through a position that has stood in this game before, and be none. So what rests on a table is certain only if nothing
that was played can come back: there is no history, or all of it lies in higher tiers, to which play never returns. A
table with an index holds whatever can be reached from its positions: what it does not hold does not come back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from zermelo.compile.modes import Interpreted
from zermelo.compile.paging import read_real, read_whole
from zermelo.knowledge.coding import decoder
from zermelo.knowledge.progress import Allowance, Progress
from zermelo.knowledge.table import Found, Table
from zermelo.rules import CHANCE, Game, Position, Unsuitable, rule
from zermelo.rules.game import Entry

MEMORY = "256MB"
"""What the pages of a table take at most if nobody says."""


@dataclass(frozen=True)
class Rest:
    """The tables that a game rests on."""

    tables: tuple[Table, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(str(table.folder) for table in self.tables)

    def entry(self, position: Position) -> Entry | None:
        """What the first table that holds a position says of it. Its line takes the shortest way to a win, or
        to a part of the game where play cannot come back: whoever only knew what it is worth might go round for
        ever."""
        for table in self.tables:
            if position.result is None and table.holds(position):
                return _entry(table, position, self._progress[table])
        return None

    @cached_property
    def _progress(self) -> dict[Table, Progress]:
        return {table: Progress(table) for table in self.tables}

    def holds(self, position: Position) -> bool:
        """Whether a table holds a position."""
        return position.result is None and any(table.holds(position) for table in self.tables)

    def certain(self, position: Position) -> bool:
        """Whether what the tables say of a position holds whatever was played before it."""
        return not position.game.cyclic or all(_settled(table, position) for table in self.tables)

    def check(self) -> None:
        """Raise what went wrong when a table was read."""
        for table in self.tables:
            table.pager.check()

    def close(self) -> None:
        for table in self.tables:
            table.close()


def _settled(table: Table, position: Position) -> bool:
    """Whether nothing that was played before a position can come back where a table is asked."""
    here, indexed = table.place(position)[0], table.manifest.index is not None
    before = position.previous
    while before is not None:
        tier, number = table.place(before)
        if number >= 0 if indexed else here < 0 or tier <= here:
            return False
        before = before.previous
    return True


def _entry(table: Table, position: Position, progress: Progress) -> Entry:
    found, moves = table.probe(position), table.moves(position)
    allowance = Allowance()
    if position.turn == CHANCE:
        return Entry(found.score, [], True, [], found.plies)
    equal = [(move, each) for move, each in moves if each.score == found.score]
    if table.coding.by_distance:
        best = [move for move, each in equal if _leads_on(position, found, each)]
        return Entry(found.score, best, len(best) == len(equal), _shortest(table, position), found.plies)
    keeping = [move for move, _ in equal]
    best = progress.moves(position, found.score, keeping, allowance)
    if not best:  # among them is one that gets on, but it was not found
        best = sorted(keeping, key=lambda move: position.play(move).result is not None)
        return Entry(found.score, best, len(best) == 1, best[:1], None)
    line = _line(table, position, best[0], found.score, progress, allowance)
    return Entry(found.score, best, len(best) == len(keeping), line, None)


def _shortest(table: Table, position: Position) -> list[str]:
    """Best play by distances; a draw goes nowhere."""
    line: list[str] = []
    while position.result is None and table.holds(position):
        move, after = table.moves(position)[0]
        line.append(move)
        position = position.play(move)
        if after.plies is None:
            break
    return line


def _line(
    table: Table, position: Position, first: str, score: float, progress: Progress, allowance: Allowance
) -> list[str]:
    """Best play by scores, from a first move on. It ends where it would come back to a position, unless that is worth
    the score, and where no way on is found. What was played before only cuts it, for nobody chose that here."""
    line, passed = [first], {position}
    position = position.play(first)
    here = Position(position.game, position.state)
    while position.result is None and position not in passed and table.holds(here):
        passed.add(position)
        keeping = [move for move, each in table.moves(here) if each.score == score]
        moves = progress.moves(here, score, keeping, allowance)
        after = [(move, position.play(move)) for move in moves]
        on = [move for move, one in after if one not in passed and one.result in (None, score)]
        on = on or [move for move, one in after if one.result == score]
        if not on:
            break
        line.append(on[0])
        position, here = position.play(on[0]), here.play(on[0])
    return line


def _leads_on(position: Position, found: Found, after: Found) -> bool:
    """Whether a move that keeps the score surely does: where positions come back, the way to a win that is no nearer
    than before may lead through the position itself."""
    wins = found.score > 0 if position.turn == 0 else found.score < 0
    return not (wins and position.game.cyclic) or after.plies is None or after.plies + 1 == found.plies


def with_tables(game: Game, folders: Sequence[str | Path], memory: str | int = MEMORY) -> Game:
    """The game, resting on the tables in these folders. memory: for the pages of each."""
    tables: tuple[Table, ...] = ()
    resting = game
    for folder in folders:
        opened = Table.open(folder, game, memory)
        tables = (*tables, opened)
        resting = replace(resting, bounds=_bounds(resting, opened))
    return replace(resting, rests_on=Rest(tables)) if tables else game


def _bounds(game: Game, table: Table) -> Any:
    """What the game's own hook knows, and what the table does."""
    place, coding = table.pager.settle(), table.coding
    index, turn, (low, high) = table.game.index, game.turn, game.values
    own: Any = game.bounds
    rest: Any = game.rest
    decode = decoder(Interpreted(), coding)
    by_distance, by_chance, has_own, has_rest = coding.by_distance, coding.by_chance, own is not None, rest is not None
    if index is None or turn is None:
        raise Unsuitable(f"{game.name} does not number its positions")

    @rule
    def valued(s, code, turned):
        value = decode(code)
        if by_distance:
            value = 1 if value > 0 else -1 if value < 0 else 0
        side = turn(s)
        score = turned * value if side == CHANCE else -value if side == 1 else value
        if has_rest:
            _, so_far = rest(s)
            score += so_far
        return score

    if by_chance:

        @rule
        def bounds(s):
            least, most = float(low), float(high)
            tier, number, turned = index(s)
            if tier >= 0 and number >= 0:
                code = read_real(place, tier, number)
                if code == code:
                    least = valued(s, code, turned)
                    most = least
            return least, most
    else:

        @rule
        def bounds(s):
            least, most = low, high
            if has_own:
                least, most = own(s)
            if least != most:
                tier, number, turned = index(s)
                if tier >= 0 and number >= 0:
                    code = read_whole(place, tier, number)
                    if code >= 0:
                        least = valued(s, code, turned)
                        most = least
            return least, most

    return bounds
