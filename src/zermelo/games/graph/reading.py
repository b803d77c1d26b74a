"""Graph files read: what they may say, and what is wrong with one that says something else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from zermelo.rules import CHANCE, RuleError
from zermelo.rules import nearest as hint
from zermelo.rules.files import read_json
from zermelo.rules.game import REPETITIONS

TURNS = {"max": 0, "min": 1, "chance": CHANCE}
_FILE_KEYS = ("root", "nodes", "repetition", "endless", "values")
_NODE_KEYS = ("turn", "moves", "value", "estimate", "estimates")
_REPETITIONS = tuple(word for word in REPETITIONS if word not in ("points", "forbidden"))
"""Nothing adds up in a graph, and nothing says what it is worth to have no move left."""
_LIMIT = 2**31  # scores stay above ONGOING
_MOST_MOVES = 2**16 - 2  # they are numbered in 16 bits
_HEAVIEST = 2**48  # weights small enough to be added up


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
    if repetition not in _REPETITIONS:
        raise _Mistake(f"repetition {repetition!r} is unknown: {hint(str(repetition), _REPETITIONS)}")

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

    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise _Mistake(f"{name!r} names a node: a name must be a text that is not empty and can be printed")
    if not isinstance(node, Mapping):
        wrong('must be an object such as {"value": 1}')
    _check_keys(node, _NODE_KEYS, f"node {name}")
    if not {"value", "moves", "estimate", "estimates"} & set(node):
        wrong("has neither value nor moves nor estimate")
    if "value" in node and "moves" in node:
        wrong("has both value and moves, but a value ends the game")
    for key in ("value", "estimate"):
        if key in node and not _is_score(node[key]):
            wrong(f"{key} must be a number between -2^31 and 2^31, not {node[key]!r}")
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
    if len(moves) > _MOST_MOVES:
        wrong(f"has {len(moves):,} moves, but there may be {_MOST_MOVES:,} at the most")
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
