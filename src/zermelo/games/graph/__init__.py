"""Graph games: a JSON file that names the nodes is the whole game, for teaching and for tests.

    {"root": "A", "repetition": "draw",
     "nodes": {"A": {"turn": "max", "moves": ["B", "C"]},
               "B": {"turn": "chance", "moves": {"C": 1, "D": 2}},
               "C": {"value": -1}, "D": {"value": 1, "estimate": 0.5}}}

A node has a `value` (the game ends), or `turn` (max, min, chance) and `moves` (names; with integer weights
at chance), or only an `estimate`: then it is the horizon, where searches stop. `estimates` names several
evaluation functions at once; f1 is ours, or the one named first. `values` bounds the scores; the default is
plus and minus the largest number in the file. `repetition` (none, draw, first, second, wins, loses) says what
a position means that comes back on the path. With none, positions may come back by the dice, and play simply goes on; a
cycle that needs no dice is an error, unless `"endless": true` says that there, too, play goes on. What never ends
scores 0.

The state is the number of the node, in the file's order; a move is its place in the node's own list.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.games.graph.drawing import GraphDrawing
from zermelo.games.graph.reading import Graph, read_graph
from zermelo.rules import CHANCE, ONGOING, Game, PositionError, i32, rule, struct, u64
from zermelo.rules import nearest as hint
from zermelo.rules.files import read_text

_SEARCHED = 200  # plies that a search may go ahead where play need not end


def graph(file: str) -> Game:
    """The game in a graph file."""
    return from_graph(read_graph(read_text(file), Path(file).name))


def graph_game(data: Mapping[str, Any]) -> Game:
    """The game that a graph file with this content holds."""
    return from_graph(read_graph(data))


def from_graph(graph: Graph) -> Game:
    """The game that is played on a graph."""
    offsets = np.cumsum([0, *map(len, graph.moves)], dtype=np.int64)
    children = np.array([*(child for row in graph.moves for child in row), 0], dtype=np.int64)
    weights = np.array([*(weight for row in graph.weights for weight in row), 0], dtype=np.int64)
    turns = np.array(graph.turns, dtype=np.int64)
    whole = all(isinstance(bound, int) for bound in graph.bounds)
    scores = np.array([ONGOING if v is None else v for v in graph.values], np.int64 if whole else np.float64)
    middle = sum(graph.bounds) / 2
    estimates = np.array([middle if e is None else e for e in graph.estimate or [0]], dtype=np.float64)
    stops = np.array(graph.horizon, dtype=np.bool_)
    number = int if whole else float
    State = struct(node=i32)

    @rule
    def moves(s, out):
        n = int(offsets[s.node + 1] - offsets[s.node])
        for i in range(n):
            out[i] = i
        return n

    @rule
    def play(s, move):
        s.node = children[offsets[s.node] + move]

    @rule
    def result(s):
        return number(scores[s.node])

    @rule
    def turn(s):
        return int(turns[s.node])

    @rule
    def weight(s, outcome):
        return int(weights[offsets[s.node] + outcome])

    @rule
    def evaluate(s):
        return float(estimates[s.node])

    def named(numbers):
        """What one of the evaluation functions of the file says, node by node."""
        column = np.array([middle if e is None else e for e in numbers], dtype=np.float64)

        @rule
        def estimate(s):
            return float(column[s.node])

        return estimate

    @rule
    def horizon(s):
        return bool(stops[s.node])

    @rule
    def key(s):
        return u64(s.node)

    def read_position(text: str) -> Any:
        if not text.startswith("@"):
            return None
        if text[1:] not in graph.names:
            raise PositionError(f"the graph has no node {text[1:]}: {hint(text[1:], graph.names)}")
        return State(node=graph.names.index(text[1:]))

    has_chance = CHANCE in graph.turns
    return Game(
        name="graph",
        State=State,
        start=State(node=graph.root),
        moves=moves,
        play=play,
        result=result,
        max_moves=max(1, *map(len, graph.moves)),
        # a path that comes back to a node ends there, unless play goes on
        max_plies=max(len(graph.names) + 1, _SEARCHED if graph.endless else 1),
        endless=graph.endless,
        values=graph.bounds,
        repetition=graph.repetition if graph.cycle else "none",
        exact_key=True,
        strict_estimates=all(
            graph.bounds[0] < e < graph.bounds[1]
            for estimate in (graph.estimate, *graph.estimates.values())
            for e, value in zip(estimate, graph.values)
            if e is not None and value is None
        ),
        alternating=not has_chance
        and all(graph.turns[c] != graph.turns[n] for n, row in enumerate(graph.moves) for c in row),
        turn=turn,
        weight=weight if has_chance else None,
        evaluate=evaluate if graph.estimate else None,
        evaluations={name: named(numbers) for name, numbers in graph.estimates.items()},
        horizon=horizon if any(graph.horizon) else None,
        key=key,
        move_text=lambda s, move: graph.names[graph.moves[s.node][move]],
        # on a cycle that a rule ends the path to a node matters, so there a position is written as its moves
        position_text=None if graph.cycle and not graph.endless else lambda s: "@" + graph.names[s.node],
        read_position=read_position,
        draw=lambda s: GraphDrawing(graph, s.node),
        prefer_compiled=False,
    )


# Reading: every mistake in a file is met with one sentence that names the node.
