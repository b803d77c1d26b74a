"""What is asked at the root once a value is known: a verdict on every move, and a line of best play.

Both are found by asking, for one move after another, "is this at least the value?": of a search for claims outright, of
any other by an empty window. After the search that found the value, the table answers most of these at once.

Where play can go round in circles, a move may win later than the depth at which the value was found: such moves are
asked about again, deeper and deeper, for as many nodes as a search may spend behind its value. What is left open then
is said to be open.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Any, NamedTuple

from zermelo.core.answer import Verdict
from zermelo.core.engine import Engine
from zermelo.core.truth import FAILS, HOLDS
from zermelo.rules import Position

SHARE = 4
"""How many times the nodes of the value a search may spend behind it, where that could go on for ever."""
LEAST_ALLOWANCE = {"compiled": 8_000_000, "interpreted": 20_000}
SPECIAL_PLIES = 2
"""What was won in a sub-game is followed by looking so far: a move, any reply, and the sub-game from there."""
FIRST_SHARE = 1000
"""The nodes after which another move that is still open has its turn."""


class Finding(NamedTuple):
    """Bounds of what a move is worth to the player who makes it; `sure`: no estimate is part of them."""

    low: Any
    high: Any
    sure: bool = True

    def at_most(self, most: Any, sure: bool) -> Finding:
        """With what is known of all moves: that none gets more, for sure or by an estimate."""
        high = max(min(self.high, most), self.low)
        return Finding(self.low, high, self.sure and (sure or high == self.high))

    def decides(self, value: Any) -> bool:
        """Whether it is certain that the move reaches a value, or that it does not."""
        return self.sure and (self.low >= value or self.high < value)


class Told(NamedTuple):
    """What an answer says beside its value."""

    best: Sequence[int] = ()
    complete: bool = False
    verdicts: tuple[Verdict, ...] = ()
    line: Sequence[str] = ()


def tell(
    engine: Engine,
    position: Position,
    value: Any,
    depth: int,
    deepest: int,
    *,
    sure: bool,
    known: int | None,
    lead: int | None = None,
    most: Any = None,
    wanted: bool = True,
) -> Told:
    """The moves that secure `value` for the player to move, a verdict on each move, and a line of play.

    The value was found at `depth`; moves that this leaves open are looked at as far as `deepest`. `sure`: the value is
    no estimate. `known`: the move that the search itself found. `lead`: the one to begin the line with, if it is as
    good as any. `most`: the most that any move gets, if that is another value. Where this is not `wanted`, or the
    search was stopped, it costs no more nodes, unless that is what it takes to know one best move.
    """
    watch = engine.watch
    most = value if most is None else most
    watch.doing = "finding all best moves"
    order = sorted(position.codes, key=lambda move: move != lead)
    nodes = allowance(engine) if wanted else 0
    seen = judge(engine, position, order, value, depth, deepest if sure else depth, nodes)
    found = {move: finding.at_most(most, sure) for move, finding in seen.items()}
    best = [move for move, finding in found.items() if finding.low >= value and (finding.sure or not sure)]
    complete = len(found) == len(position.codes) and (
        not sure or all(finding.decides(value) for finding in found.values())
    )
    if not best and known not in position.codes:
        known = _one_best(engine, position, value, depth, deepest) if sure else engine.remembered_move(position)
    best = best or [move for move in position.codes if move == known]
    line: list[str] = []
    if most == value:
        watch.doing = "following the line"
        with watch.allowance(allowance(engine) if wanted else 0), engine.special_everywhere(sure):
            lost = engine.options.special is not None and value <= engine.window(position)[0]
            leading = [m for m in best if m == lead]
            begin = best if engine.game.cyclic and sure and not (lost and leading) else leading or best[:1]
            line = line_of_play(engine, position, value, depth, begin, sure=sure)
    verdicts = tuple(Verdict.of(position, move, *finding) for move, finding in found.items())
    return Told(best, complete, verdicts, line)


def _one_best(engine: Engine, position: Position, value: Any, depth: int, deepest: int) -> int | None:
    """A move that secures a value which is known to be right, the table's own choice tried first."""
    hint = engine.remembered_move(position)
    with engine.watch.allowance(allowance(engine)):
        for move in sorted(position.codes, key=lambda move: move != hint):
            for plies in dict.fromkeys((depth, deepest)):
                found = look(engine, position, move, value, plies)
                if found.sure and found.low >= value:
                    return move
                if found.decides(value) or engine.stopped:
                    break
    return None


def allowance(engine: Engine) -> int | None:
    """How many nodes may be spent behind a value; None where that comes to an end by itself."""
    if not engine.game.cyclic:
        return None
    return max(LEAST_ALLOWANCE[engine.mode.name], SHARE * engine.watch.nodes)


def look(engine: Engine, position: Position, move: int, value: Any, depth: int) -> Finding:
    """What a move is worth, asked whether it secures a value for the player who makes it."""
    after = position.play(move)
    lowest, highest = engine.window(position)
    if after.result is not None:
        score = engine.number(after.result) if position.turn == 0 else -engine.number(after.result)
        return Finding(score, score)
    nothing = Finding(lowest, highest)
    if value <= lowest or engine.deepest(after) < 1:
        return nothing
    same, before = after.turn == position.turn, engine.estimated
    if engine.method.answers_claims:
        first = position.turn == 0
        found = engine.search(after, depth - 1, value if first else engine.above(-value))
        if engine.stopped or found not in (HOLDS, FAILS):
            return nothing
        reached = (found == HOLDS) == first
        return Finding(value, highest) if reached else Finding(lowest, engine.below(value))
    alpha, beta = (engine.below(value), value) if same else (-value, -engine.below(value))
    found = engine.search(after, depth - 1, alpha, beta, guess=float(beta if same else alpha))
    if engine.stopped:
        return nothing
    found = found if same else -found
    sure = engine.estimated == before
    if found >= value:
        return Finding(found, highest, sure or (engine.strict and found >= highest))
    return Finding(lowest, found, sure or (engine.strict and found <= lowest))


def judge(
    engine: Engine,
    position: Position,
    order: Sequence[int],
    value: Any,
    depth: int,
    deepest: int,
    nodes: int | None,
) -> dict[int, Finding]:
    """What each move is worth to the player to move, by whether it secures `value`: looked at to `depth`, then as deep
    as it takes. Moves are left out that nothing was asked about before the search was stopped.

    Of `nodes`, the moves that are still open get the same share each: whichever has had the least is next, until it has
    been looked at one ply deeper or has had as much again.
    """
    watch = engine.watch
    found: dict[int, Finding] = {}
    waiting = [_Open(0, number, move, depth) for number, move in enumerate(order)]
    last = None if nodes is None else watch.nodes + nodes
    while waiting and not watch.stopped and (last is None or watch.nodes < last):
        spent, number, move, plies = heapq.heappop(waiting)
        before = watch.nodes
        with watch.allowance(None if last is None else min(last - before, spent + FIRST_SHARE)):
            finding = look(engine, position, move, value, plies)
            finished = not watch.stopped
        if finished or move not in found:
            found[move] = finding
        if not found[move].decides(value) and plies + finished <= deepest:
            heapq.heappush(waiting, _Open(spent + watch.nodes - before, number, move, plies + finished))
    return {move: found[move] for move in position.codes if move in found}


class _Open(NamedTuple):
    """A move that is not decided: what it has cost so far, and how deep to look at it next."""

    spent: int
    number: int
    move: int
    plies: int


def line_of_play(
    engine: Engine, position: Position, value: Any, depth: int, best: list[int], *, sure: bool = True
) -> list[str]:
    """Best play by both sides from a position, until the game ends or the depth is used up; a line that is `sure` goes
    on to the end. `best` are the moves to begin with.

    Every move is verified to keep the value; when the search is stopped, an estimated line goes on as far as the table
    knows moves, and one that is sure ends. Where play can go round, the winner follows the moves that the proof rests
    on, and the loser those against which it took longest. What a table knows is not searched, so play would go round in
    it: there, the table's own line takes over.
    """
    known = engine.game.rests_on if engine.game.cyclic else None
    texts: list[str] = []
    seen = {position}
    resistance = _Resistance(engine, _winner(engine, position, value) if sure else None)
    codes = best
    while position.result is None and (depth > 0 or (sure and engine.deepest(position) > 0)):
        move = _keeping(engine, position, codes, value, depth, sure, resistance)
        if move is None:
            break
        texts.append(position.text_of(move))
        after = position.play(move)
        value = value if after.turn == position.turn else -value
        position, depth, codes = after, depth - 1, after.codes
        if engine.stopped and position in seen:
            break
        seen.add(position)
        if known is not None and known.holds(position):
            entry = known.entry(position) if sure and not engine.stopped else None
            return texts if entry is None else texts + entry.line
    return texts


def _keeping(
    engine: Engine, position: Position, codes: list[int], value: Any, depth: int, sure: bool, resistance: _Resistance
) -> int | None:
    """A move that keeps the value, of those given: one that ends the game, or the table's own, tried first by who has
    won; the longest resistance by who has lost."""
    hint = engine.remembered_move(position)
    hint = hint if hint in codes else None
    if resistance.winner == 1 - position.turn:
        codes = sorted(codes, key=lambda move: -resistance.behind(position.play(move)))
        hint = codes[0] if codes else None
    elif resistance.winner == position.turn:
        codes = sorted(codes, key=lambda move: (position.play(move).result is None, move != hint))
    elif hint is not None:
        codes = sorted(codes, key=lambda move: move != hint)
    lowest, deepest = engine.window(position)[0], engine.deepest(position)
    depths = [min(depth, deepest), *([SPECIAL_PLIES] if engine.options.special else []), deepest] if sure else [depth]
    for plies in dict.fromkeys(depths):  # each once, in this order
        for move in codes:
            if engine.stopped and value > lowest and position.play(move).result is None:
                return None if sure else hint
            found = look(engine, position, move, value, plies)
            if found.low >= value and (found.sure or not sure or value <= lowest):
                return move
    return None if sure else hint  # an estimate that the table took from a deeper search than this one


def _winner(engine: Engine, position: Position, value: Any) -> int | None:
    """Who does better than by going round for ever, where play can: that player must make progress, and the other one
    may resist. `value` is that of the player to move."""
    game = engine.game
    if not game.cyclic:
        return None
    lowest, highest = engine.window(position)
    worth = game.loop_worth(position.state)
    if worth is not None:
        lowest = highest = worth if position.turn == 0 else -worth
    elif not lowest < value < highest:
        lowest, highest = highest, lowest  # by a loop's closer or by its course: a win at the most
    return position.turn if value > highest else 1 - position.turn if value < lowest else None


class _Resistance:
    """How long who has lost holds out against the moves that the table remembers, as far as it has seen."""

    MOST = 1000  # positions looked up for one line
    DEEPEST = 64

    def __init__(self, engine: Engine, winner: int | None) -> None:
        self.engine, self.winner, self.left = engine, winner, self.MOST
        self.known: dict[Position, int] = {}

    def behind(self, position: Position, depth: int = 0) -> int:
        """The plies that are left from a position."""
        if position.result is not None or depth > self.DEEPEST or self.left <= 0:
            return 0
        if position not in self.known:
            self.left -= 1
            self.known[position] = 0  # should it come back
            self.known[position] = 1 + max((self.behind(p, depth + 1) for p in self._next(position)), default=0)
        return self.known[position]

    def _next(self, position: Position) -> list[Position]:
        """What is to be reckoned with: the winner's remembered move, or all that the loser has."""
        if position.turn != self.winner:
            return [position.play(move) for move in position.codes]
        move = self.engine.remembered_move(position)
        return [] if move is None else [position.play(move)]
