"""Random games in which play comes back to positions, by the dice, by choice, by both; and what they are worth.

A game is a graph file's content with at most six positions where a player can choose. Its value is found by trying out
every pair of strategies: with both fixed there is nothing but dice, and the linear equations of what is left are solved
in fractions. Both players have a best strategy that needs no memory (Condon 1992 for endless play that is worth
nothing), so the best of the first player's worst cases is the value.
"""

from __future__ import annotations

import itertools
import random
from fractions import Fraction as F
from typing import Any

MOST_CHOICES = 6
SCORES = (-3, -1, -1, 0, 1, 1, 2, 0.5)
KINDS = ("chance", "choice", "both")
"""What leads back to earlier positions."""


def random_loops(seed: int, values: tuple[float, ...] = SCORES) -> dict[str, Any]:
    """A graph file's content. Moves of the kind that may not lead back go forward."""
    rng = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    size, ends = rng.randrange(2, 10), rng.randrange(1, 4)
    names = [f"n{i}" for i in range(size)] + [f"e{i}" for i in range(ends)]
    nodes: dict[str, Any] = {f"e{i}": {"value": rng.choice(values)} for i in range(ends)}
    choices = 0
    heavy = rng.random() < 0.2
    for i in range(size):
        turn = rng.choice(["max", "min", "chance", "chance"]) if i else "chance" if seed % 4 == 0 else "max"
        back = kind == "both" or (kind == "chance") == (turn == "chance")
        targets = names[:] if back else names[i + 1 :]
        if rng.random() < 0.5:  # few ways out: traps, and long ways round
            targets = [t for t in targets if t[0] == "n"] or targets
        chosen = rng.sample(targets, rng.randrange(1, min(3, len(targets)) + 1))
        if turn != "chance" and len(chosen) > 1:
            choices += 1
            if choices > MOST_CHOICES:
                chosen = chosen[:1]
        moves: Any = chosen
        if turn == "chance":
            moves = {c: rng.choice([1, 1000, 10**6, 2**30]) if heavy else rng.randrange(1, 5) for c in chosen}
        nodes[f"n{i}"] = {"turn": turn, "moves": moves}
    if not any(node.get("turn") == "chance" for node in nodes.values()):
        nodes[f"n{size - 1}"] = {"turn": "chance", "moves": dict.fromkeys(["n0", "e0"], 1)}
    low, high = min(-3, *values), max(3, *values)
    ordered = {name: nodes[name] for name in sorted(nodes, reverse=True)}
    return {"root": "n0", "endless": True, "values": [low, high], "nodes": ordered}


def values_of(data: dict[str, Any], endless: F = F(0)) -> dict[str, F]:
    """The values of all nodes, by trying all strategies."""
    nodes = data["nodes"]
    options = {
        player: [[(name, move) for move in node["moves"]] for name, node in nodes.items() if node.get("turn") == player]
        for player in ("max", "min")
    }
    answers = [dict(pairs) for pairs in itertools.product(*options["min"])]
    best: dict[str, F] = {}
    for pairs in itertools.product(*options["max"]):
        worst: dict[str, F] = {}
        for answer in answers:
            for name, value in _chain(nodes, {**dict(pairs), **answer}, endless).items():
                worst[name] = min(worst.get(name, value), value)
        for name, value in worst.items():
            best[name] = max(best.get(name, value), value)
    return best


def _chain(nodes: dict[str, Any], chosen: dict[str, str], endless: F) -> dict[str, F]:
    """The values where nobody has a choice: Gauss and Jordan, in fractions, on the nodes from which an end can be
    reached; play never ends from the others."""
    leads: dict[str, dict[str, int]] = {}
    for name, node in nodes.items():
        if "moves" in node:
            leads[name] = node["moves"] if node["turn"] == "chance" else {chosen[name]: 1}
    ending = {name for name, node in nodes.items() if "value" in node}
    while more := {name for name, moves in leads.items() if name not in ending and ending & moves.keys()}:
        ending |= more
    values = {name: F(node["value"]) for name, node in nodes.items() if "value" in node}
    values |= {name: endless for name in leads if name not in ending}
    rest = [name for name in leads if name in ending]
    rows = []
    for name in rest:
        total = sum(leads[name].values())
        row = [F(int(name == other)) - F(leads[name].get(other, 0), total) for other in rest]
        rows.append([*row, sum((F(w, total) * values[c] for c, w in leads[name].items() if c in values), F(0))])
    for i in range(len(rest)):
        pivot = next(r for r in range(i, len(rest)) if rows[r][i] != 0)
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [entry / rows[i][i] for entry in rows[i]]
        for r in range(len(rest)):
            if r != i and rows[r][i] != 0:
                rows[r] = [a - rows[r][i] * b for a, b in zip(rows[r], rows[i])]
    return values | {name: rows[i][-1] for i, name in enumerate(rest)}
