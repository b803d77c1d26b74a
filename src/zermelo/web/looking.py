"""What alpha-beta does at one position, move by move: the window it searches each with, what comes back, where it cuts.

The tree of a search is opened one position at a time. The moves are tried in the order of the search, each by the same
kernel that searches whole games, with the window that the moves before have left. What comes back is a value inside the
window, or a bound: at most so much (it fails low, the mover has better), at least so much (it fails high, and the
opponent, who has better elsewhere, will not let it come so far: the moves that are left are not looked at). Knuth and
Moore 1975, "An analysis of alpha-beta pruning". At a chance position all outcomes are looked at.

Windows and values that are told are the first player's.
"""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

from zermelo.compile.modes import mode_name
from zermelo.compile.watch import Brake, Limits, Listener
from zermelo.core.engine import Engine
from zermelo.core.method import Options
from zermelo.minimax.alphabeta import METHOD as ALPHABETA
from zermelo.opponent.plain import minimax_engine
from zermelo.rules import CHANCE, Game, Position
from zermelo.rules.structs import wrapping

DEEPEST = 40
"""So many plies are the most that are looked ahead."""


class Row(NamedTuple):
    """What happened to one move. state: looked, cut (not looked at) or open (stopped); kind: exact, at most or at
    least."""

    text: str
    state: str
    window: tuple[float, float] | None
    value: float | None
    kind: str
    nodes: int
    why: str


class Looking:
    """Alpha-beta without a table, or Star1 where there are dice, for one game."""

    def __init__(self, game: Game, memory: str, mode: str | None) -> None:
        self.game = game
        if game.has_chance:
            self.engine: Engine = minimax_engine(game, mode_name(game, mode), memory)
        else:
            self.engine = Engine(game, ALPHABETA, Options(table=False, order=("order",)), estimates=True, mode=mode)

    def at(
        self, position: Position, depth: int, low: float | None, high: float | None, limits: Limits, listener: Listener,
        brake: Brake,
    ) -> dict[str, Any]:  # fmt: skip
        """What the search does at a position with a window. None: the window is open on that side."""
        watch = self.engine.watched(limits, listener, brake)
        window = (-inf if low is None else low, inf if high is None else high)
        return watch.run(lambda: self._at(position, depth, *window))

    def _at(self, position: Position, depth: int, low: float, high: float) -> dict[str, Any]:
        told: dict[str, Any] = {"depth": depth, "window": (low, high), "turn": position.turn}
        leaf = told | {"kind": "exact", "moves": [], "nodes": 1}
        if position.result is not None:
            return leaf | {"value": position.result, "why": "the game is over"}
        if depth < 1:
            return leaf | {"value": self._estimate(position), "why": "the search goes no deeper: an estimate"}
        rows, value, why = self._rows(position, depth, low, high)
        kind = self._kind(rows, value, low, high)
        moves = [row._asdict() for row in rows]
        return told | {
            "value": value, "kind": kind, "why": why, "moves": moves, "nodes": 1 + sum(row.nodes for row in rows)
        }  # fmt: skip

    def _rows(self, position: Position, depth: int, low: float, high: float) -> tuple[list[Row], float, str]:
        moves = self._ordered(position)
        if position.turn == CHANCE:
            return self._chance(position, depth, moves)
        return self._player(position, depth, moves, low, high)

    def _player(
        self, position: Position, depth: int, moves: list[int], low: float, high: float
    ) -> tuple[list[Row], float, str]:
        """Each move with the window that is left: the first player's best raises its low end, the second's lowers its
        high end."""
        first = position.turn == 0
        best, cut = -inf if first else inf, ""
        rows: list[Row] = []
        for move in moves:
            text, window = position.text_of(move), (low, high)
            if cut:
                rows.append(Row(text, "cut", None, None, "", 0, f"not looked at: {cut} was enough"))
                continue
            value, nodes = self._searched(position.play(move), depth - 1, low, high)
            if self.engine.stopped:
                rows.append(Row(text, "open", window, None, "", nodes, "the search was stopped"))
                break
            kind = "at most" if value <= low else "at least" if value >= high else "exact"
            rows.append(Row(text, "looked", window, value, kind, nodes, _why(kind, value, low, high, first)))
            best = max(best, value) if first else min(best, value)
            low, high = (max(low, value), high) if first else (low, min(high, value))
            if low >= high and len(rows) < len(moves):
                cut = text
        return rows, best, f"cut after {cut}" if cut else ""

    def _kind(self, rows: list[Row], value: float, low: float, high: float) -> str:
        """Whether the value of the position is known, or on which side of the window it lies."""
        if any(row.state == "open" for row in rows):
            return "unknown"
        return "at most" if value <= low else "at least" if value >= high else "exact"

    @wrapping
    def _chance(self, position: Position, depth: int, moves: list[int]) -> tuple[list[Row], float, str]:
        weigh: Any = self.game.weight
        weights = [int(weigh(position.state, move)) for move in moves]
        rows: list[Row] = []
        mean = 0.0
        for move, weight in zip(moves, weights):
            share = weight / sum(weights)
            value, nodes = self._searched(position.play(move), depth, -inf, inf)
            why = f"comes up {share:.1%} of the time"
            rows.append(Row(position.text_of(move), "looked", (-inf, inf), value, "exact", nodes, why))
            mean += share * value
            if self.engine.stopped:
                rows[-1] = rows[-1]._replace(state="open", value=None)
                break
        return rows, mean, "the mean of all outcomes"

    def _searched(self, position: Position, depth: int, low: float, high: float) -> tuple[float, int]:
        """What the kernel says of a position, in the first player's view, and how many nodes that took."""
        if position.result is not None:
            return float(position.result), 1
        engine, before = self.engine, self.engine.watch.nodes
        least, most = (float(end) for end in self.game.values)
        alpha, beta = max(low, least - 1), min(high, most + 1)
        if position.turn == 1:
            value = -float(engine.search(position, depth, -beta, -alpha))
        else:
            value = float(engine.search(position, depth, alpha, beta))
        return value + 0.0, engine.watch.nodes - before  # no minus before a nought

    @wrapping
    def _ordered(self, position: Position) -> list[int]:
        """The moves in the order in which the search tries them: the highest by the game's `order` first."""
        codes, order = position.codes, self.game.order
        if order is None or position.turn == CHANCE:
            return codes
        return sorted(codes, key=lambda move: -float(order(position.state, move)))

    @wrapping
    def _estimate(self, position: Position) -> float:
        evaluate, (low, high) = self.game.evaluate, self.game.values
        return (low + high) / 2 if evaluate is None else float(evaluate(position.state))


def _why(kind: str, value: float, low: float, high: float, first: bool) -> str:
    if kind == "exact":
        return "inside the window: the best so far"
    if (kind == "at most") == first:
        return f"no better than {low if first else high:g}, which the mover has elsewhere"
    return f"{value:g} reaches {high if first else low:g}: the opponent will not let it come to this"
