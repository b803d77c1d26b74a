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

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from zermelo.rules import CHANCE, ONGOING, Game, PositionError, RuleError, i32, rule, struct, u64
from zermelo.rules import nearest as hint
from zermelo.rules.drawing import FIRST, SECOND
from zermelo.rules.files import read_json, read_text
from zermelo.rules.game import REPETITIONS

TURNS = {"max": 0, "min": 1, "chance": CHANCE}
_FILE_KEYS = ("root", "nodes", "repetition", "endless", "values")
_NODE_KEYS = ("turn", "moves", "value", "estimate", "estimates")
_LIMIT = 2**31  # scores stay above ONGOING
_HEAVIEST = 2**48  # weights small enough to be added up
_SEARCHED = 200  # plies that a search may go ahead where play need not end


@dataclass(frozen=True)
class Graph:
    """A graph file that was found to be in order. Nodes are numbered in the file's order."""

    names: tuple[str, ...]
    root: int
    turns: tuple[int, ...]
    moves: tuple[tuple[int, ...], ...]
    weights: tuple[tuple[int, ...], ...]
    values: tuple[float | None, ...]
    estimate: tuple[float | None, ...]
    """What `evaluate` returns, node by node, None where nothing is known; empty if the file has none."""
    estimates: Mapping[str, tuple[float | None, ...]]
    """All the evaluation functions that the file names."""
    horizon: tuple[bool, ...]
    bounds: tuple[float, float]
    repetition: str
    cycle: tuple[int, ...]
    """One of the cycles, its first node repeated at the end; empty if there is none."""
    endless: bool
    """Whether play goes on when a node comes back."""


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
            for e, value in zip(graph.estimate, graph.values)
            if e is not None and value is None
        ),
        alternating=not has_chance
        and all(graph.turns[c] != graph.turns[n] for n, row in enumerate(graph.moves) for c in row),
        turn=turn,
        weight=weight if has_chance else None,
        evaluate=evaluate if graph.estimate else None,
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


def read_graph(data: Mapping[str, Any] | str, name: str = "graph") -> Graph:
    """Read and check a graph file's content, given as JSON text or as what the JSON means."""
    try:
        return _graph(read_json(data, name) if isinstance(data, str) else data)
    except _Mistake as mistake:
        raise RuleError(f"{name}: {mistake}") from None


class _Mistake(Exception):
    """What is wrong in the file."""


def _graph(data: Any) -> Graph:
    if not isinstance(data, Mapping):
        raise _Mistake('a graph file is one object such as {"root": "A", "nodes": {"A": {"value": 1}}}')
    _check_keys(data, _FILE_KEYS, "the file")
    nodes = data.get("nodes")
    if not isinstance(nodes, Mapping) or not nodes:
        raise _Mistake('"nodes" must be an object that names at least one node')
    if "root" not in data:
        raise _Mistake('"root" is missing: it names the node where the game starts')
    root, repetition, endless = data["root"], data.get("repetition", "none"), data.get("endless", False)
    if not _is_name(root, nodes):
        raise _Mistake(f'"root" is {root}, which is no node: {hint(str(root), nodes)}')
    if repetition not in REPETITIONS:
        raise _Mistake(f"repetition {repetition!r} is unknown: {hint(str(repetition), REPETITIONS)}")

    for name, node in nodes.items():
        _check_node(name, node, nodes)
    names = tuple(nodes)
    number = {name: i for i, name in enumerate(names)}
    moves = tuple(tuple(number[child] for child in node.get("moves", ())) for node in nodes.values())
    functions = _functions(nodes)
    ours = "f1" if "f1" in functions else next(iter(functions), "")
    values = tuple(node.get("value") for node in nodes.values())
    estimates = {f: tuple(_estimate(node, f) for node in nodes.values()) for f in functions}
    estimate = tuple(node.get("estimate", _estimate(node, ours)) for node in nodes.values())
    guessing = any("estimate" in node or "estimates" in node for node in nodes.values())
    horizon = tuple("value" not in node and "moves" not in node for node in nodes.values())
    leaves = [e if stop else v for v, e, stop in zip(values, estimate, horizon) if stop or v is not None]
    whole = all(float(leaf).is_integer() for leaf in leaves)
    bounds = _bounds(data.get("values"), whole, nodes)
    turns = _turns(nodes)
    cycle = _cycle(moves, number[root])
    _check_endless(endless, repetition, CHANCE in turns)
    if cycle and repetition == "none":
        by_choice = () if endless else _cycle(moves, number[root], [turn != CHANCE for turn in turns])
        if by_choice:
            path = " → ".join(names[n] for n in by_choice)
            more = ', or "endless": true if play goes on and scores 0 if it never ends' if CHANCE in turns else ""
            raise _Mistake(f'{path} is a cycle: say what it means, for example "repetition": "draw"{more}')
        if not bounds[0] <= 0 <= bounds[1]:
            raise _Mistake(f'play that never ends scores 0, which lies outside "values": [{bounds[0]}, {bounds[1]}]')
    if cycle and repetition == "draw" and not bounds[0] <= 0 <= bounds[1]:
        raise _Mistake(f'repetition draw scores 0, which lies outside "values": [{bounds[0]}, {bounds[1]}]')
    return Graph(
        names=names,
        root=number[root],
        turns=turns,
        moves=moves,
        weights=tuple(_weights(node.get("moves", ())) for node in nodes.values()),
        values=values,
        estimate=estimate if guessing else (),
        estimates=estimates,
        horizon=horizon,
        bounds=bounds,
        repetition=repetition,
        cycle=cycle,
        endless=bool(cycle) and repetition == "none",
    )


def _check_endless(endless: Any, repetition: str, chance: bool) -> None:
    if not isinstance(endless, bool):
        raise _Mistake(f'"endless" must be true or false, not {endless!r}')
    if endless and repetition != "none":
        raise _Mistake(f'"endless" lets play go on, repetition {repetition} ends it: give one of them')
    if endless and not chance:
        raise _Mistake('"endless" is for files with chance nodes; without them write "repetition": "draw"')


def _check_keys(found: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    for key in found:
        if key not in known:
            raise _Mistake(f'{where} has an unknown key "{key}": {hint(str(key), known)}')


def _check_node(name: str, node: Any, nodes: Mapping[str, Any]) -> None:
    def wrong(what: str) -> NoReturn:
        raise _Mistake(f"node {name}: {what}")

    if not isinstance(name, str) or not name.strip():
        raise _Mistake(f"{name!r} names a node: a name must be a text that is not empty")
    if not isinstance(node, Mapping):
        wrong('must be an object such as {"value": 1}')
    _check_keys(node, _NODE_KEYS, f"node {name}")
    if not {"value", "moves", "estimate", "estimates"} & set(node):
        wrong("has neither value nor moves nor estimate")
    if "value" in node and "moves" in node:
        wrong("has both value and moves, but a value ends the game")
    for key in ("value", "estimate"):
        if key in node and not _is_score(node[key]):
            wrong(f"{key} must be a number, not {node[key]!r}")
    if "estimates" in node:
        named = node["estimates"]
        if not isinstance(named, Mapping) or not named:
            wrong('estimates must be an object such as {"f1": 3, "f2": 5}')
        for function, value in named.items():
            if not _is_score(value):
                wrong(f"estimate {function} must be a number, not {value!r}")
    if "turn" in node and not _is_name(node["turn"], TURNS):
        wrong(f"turn {node['turn']!r} is unknown: max, min or chance")
    if "moves" not in node:
        if node.get("turn") == "chance":
            wrong("chance needs moves")
        return
    if "turn" not in node:
        wrong("has moves but no turn (max, min or chance)")
    moves = node["moves"]
    if node["turn"] == "chance":
        if not isinstance(moves, Mapping):
            wrong('the moves of a chance node carry weights, such as {"X": 1, "Y": 2}')
    elif not isinstance(moves, list | tuple):
        wrong('moves must be a list of names such as ["B", "C"]')
    if not moves:
        wrong("moves is empty: give the node a value instead")
    for child in moves:
        if not _is_name(child, nodes):
            wrong(f"leads to {child}, which is no node: {hint(str(child), nodes)}")
        if isinstance(moves, Mapping) and not (type(moves[child]) is int and 0 < moves[child] < _HEAVIEST):
            wrong(f"the weight of {child} must be a positive whole number below 2^48, not {moves[child]!r}")
    if len(set(moves)) < len(moves):
        wrong(f"leads to {next(c for c in moves if list(moves).count(c) > 1)} twice")


def _is_name(value: Any, known: Mapping[str, Any]) -> bool:
    return isinstance(value, str) and value in known


def _is_score(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < _LIMIT  # which no infinity and no NaN is


def _functions(nodes: Mapping[str, Any]) -> list[str]:
    """The evaluation functions that `estimates` names, the same at every node that has it."""
    functions: list[str] = []
    for name, node in nodes.items():
        here = list(node.get("estimates", functions))
        functions = functions or here
        if set(here) != set(functions):
            raise _Mistake(f"node {name}: estimates has {', '.join(here)}, but before {', '.join(functions)}")
    return functions


def _estimate(node: Mapping[str, Any], function: str) -> float | None:
    """What an evaluation function says: its own number, else the node's plain estimate, else its value."""
    found: float | None = node.get("estimates", {}).get(function, node.get("estimate", node.get("value")))
    return found


def _bounds(stated: Any, whole: bool, nodes: Mapping[str, Any]) -> tuple[float, float]:
    """The bounds of the scores, as integers if all scores are."""
    if stated is None:
        largest = max((abs(score) for _, _, score in _scores(nodes)), default=0) or 1
        low, high = -largest, largest
    else:
        if not isinstance(stated, list | tuple) or len(stated) != 2 or not all(map(_is_score, stated)):
            raise _Mistake(f'"values" must be two numbers [low, high], not {stated!r}')
        low, high = stated
        if not low < high:
            raise _Mistake(f'"values" must be [low, high] with low below high, not [{low}, {high}]')
    for name, kind, score in _scores(nodes):
        if not low <= score <= high:
            raise _Mistake(f'node {name}: {kind} {score} lies outside "values": [{low}, {high}]')
    if whole and float(low).is_integer() and float(high).is_integer():
        return int(low), int(high)
    return float(low), float(high)


def _scores(nodes: Mapping[str, Any]) -> Iterator[tuple[str, str, float]]:
    for name, node in nodes.items():
        for kind in ("value", "estimate"):
            if kind in node:
                yield name, kind, node[kind]
        for function, score in node.get("estimates", {}).items():
            yield name, f"estimate {function}", score


def _weights(moves: Any) -> tuple[int, ...]:
    """One for each move; a player's moves weigh nothing."""
    return tuple(moves.values()) if isinstance(moves, Mapping) else (0,) * len(moves)


def _turns(nodes: Mapping[str, Any]) -> tuple[int, ...]:
    """Whose turn it is. At a leaf that does not say, it is the opponent's of whoever moves there."""
    turns = {name: TURNS[node["turn"]] for name, node in nodes.items() if "turn" in node}
    for name, node in nodes.items():
        for child in node.get("moves", ()):
            turns.setdefault(child, 0 if turns[name] == 1 else 1)
    return tuple(turns.get(name, 0) for name in nodes)


def _cycle(moves: tuple[tuple[int, ...], ...], root: int, among: Sequence[bool] | None = None) -> tuple[int, ...]:
    """A cycle (among some of the nodes), one that the root can reach if there is such a one; empty if there is none."""
    below = [[c for c in row if among is None or (among[n] and among[c])] for n, row in enumerate(moves)]
    place: dict[int, int] = {}  # on the path: its place there; done: -1
    for start in (root, *range(len(moves))):
        if start in place:
            continue
        place[start], path, rest = 0, [start], [iter(below[start])]
        while path:
            for child in rest[-1]:
                if child not in place:
                    place[child] = len(path)
                    path.append(child)
                    rest.append(iter(below[child]))
                    break
                if place[child] >= 0:
                    return (*path[place[child] :], child)
            else:
                place[path.pop()] = -1
                rest.pop()
    return ()


_STEP_X, _STEP_Y, _RADIUS = 90, 90, 22
_INK, _LINE, _LEAF, _CURRENT = "#22223b", "#9a8c98", "#f2e9e4", "#f4a259"
_SIGNS = ("▲", "▼", "◆")


@dataclass(frozen=True)
class GraphDrawing:
    """The graph in layers by distance from the root: max square, min circle, chance diamond, leaf flat."""

    graph: Graph
    node: int

    def text(self) -> str:
        g, n = self.graph, self.node
        name, turn = g.names[n], g.turns[n]
        notes = [f"{kind} {score:g}" for kind, score in self._scores(n)]
        if not g.moves[n]:
            return ", ".join([f"{name}: {'the horizon' if g.horizon[n] else 'the game is over'}", *notes])
        texts = [g.names[child] for child in g.moves[n]]
        if turn == CHANCE:
            total = sum(g.weights[n])
            texts = [f"{text} ({weight}/{total})" for text, weight in zip(texts, g.weights[n])]
        head = f"{_SIGNS[turn]} {name}: {('max to move', 'min to move', 'chance')[turn]}"
        return "\n".join([", ".join([head, *notes]), "moves: " + " ".join(texts)])

    def svg(self) -> str:
        places = self._places()
        width = max(x for x, _ in places.values()) + _STEP_X / 2
        height = max(y for _, y in places.values()) + _STEP_Y / 2
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
            f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" text-anchor="middle">'
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
            f'orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="{_LINE}"/></marker></defs>'
        ]
        for n in places:
            weights = self.graph.weights[n] if self.graph.turns[n] == CHANCE else ()
            for i, child in enumerate(self.graph.moves[n]):
                parts.append(_arrow(places[n], places[child], str(weights[i]) if weights else ""))
        parts.extend(self._shape(n, x, y) for n, (x, y) in places.items())
        return "".join(parts) + "</svg>"

    def _places(self) -> dict[int, tuple[float, float]]:
        """Where the nodes stand: each layer centred, what the root cannot reach in a last layer."""
        layers = [[self.graph.root]]
        seen = {self.graph.root}
        while layers[-1]:
            below = dict.fromkeys(c for n in layers[-1] for c in self.graph.moves[n] if c not in seen)
            seen.update(below)
            layers.append(list(below))
        layers[-1] = [n for n in range(len(self.graph.names)) if n not in seen]
        widest = max(map(len, layers))
        return {
            n: (_STEP_X * (i + 0.5 + (widest - len(layer)) / 2), _STEP_Y * (depth + 0.5))
            for depth, layer in enumerate(layers)
            for i, n in enumerate(layer)
        }

    def _scores(self, n: int) -> list[tuple[str, float]]:
        g = self.graph
        value, estimate = g.values[n], g.estimate[n] if g.estimate else None
        shown = [] if value is None else [("value", value)]
        return shown + ([] if estimate is None or estimate == value else [("estimate", estimate)])

    def _shape(self, n: int, x: float, y: float) -> str:
        g, r = self.graph, _RADIUS
        fill = _LEAF if not g.moves[n] else (FIRST, SECOND, _LINE)[g.turns[n]]
        edge = f'stroke="{_CURRENT}" stroke-width="5"' if n == self.node else f'stroke="{_INK}"'
        look = f'fill="{fill}" {edge}'
        if not g.moves[n]:
            dashes = ' stroke-dasharray="4"' if g.horizon[n] else ""
            shape = f'<rect x="{x - r}" y="{y - 14}" width="{2 * r}" height="28" rx="6" {look}{dashes}/>'
        elif g.turns[n] == 0:
            shape = f'<rect x="{x - 18}" y="{y - 18}" width="36" height="36" {look}/>'
        elif g.turns[n] == 1:
            shape = f'<circle cx="{x}" cy="{y}" r="{r - 2}" {look}/>'
        else:
            shape = f'<path d="M{x} {y - r} L{x + r} {y} L{x} {y + r} L{x - r} {y} z" {look}/>'
        notes = ", ".join(f"{'≈' if kind == 'estimate' else ''}{score:g}" for kind, score in self._scores(n))
        return (
            f"<g><title>{escape(g.names[n])}</title>{shape}"
            + _word(x, y + 5, g.names[n], 15, "white" if g.moves[n] else _INK)
            + (_word(x, y + r + 13, notes, 12, _INK) if notes else "")
            + "</g>"
        )


def _word(x: float, y: float, text: str, size: int, colour: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}">{escape(text)}</text>'


def _arrow(start: tuple[float, float], end: tuple[float, float], label: str) -> str:
    """An arrow from rim to rim: straight to the next layer, bent to the right where it goes elsewhere."""
    (x0, y0), (x1, y1) = start, end
    look = f'fill="none" stroke="{_LINE}" marker-end="url(#tip)"'
    if start == end:
        return f'<path d="M{x0 - 8:g} {y0 - 20:g} c-20 -30 36 -30 16 0" {look}/>'
    bend = 0.0 if y1 - y0 == _STEP_Y else 0.25
    bend_x, bend_y = (x0 + x1) / 2 - bend * (y1 - y0), (y0 + y1) / 2 + bend * (x1 - x0)
    (xa, ya), (xb, yb) = _rim(start, (bend_x, bend_y)), _rim(end, (bend_x, bend_y))
    arrow = f'<path d="M{xa:g} {ya:g} Q{bend_x:g} {bend_y:g} {xb:g} {yb:g}" {look}/>'
    return arrow + (_word((x0 + x1) / 2 + 8, (y0 + y1) / 2, label, 12, _INK) if label else "")


def _rim(centre: tuple[float, float], towards: tuple[float, float]) -> tuple[float, float]:
    dx, dy = towards[0] - centre[0], towards[1] - centre[1]
    scale = _RADIUS / (math.hypot(dx, dy) or 1)
    return centre[0] + dx * scale, centre[1] + dy * scale
