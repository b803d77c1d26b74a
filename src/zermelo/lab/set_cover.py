"""Smallest proof graphs are hard to find: minimum set cover is one of them (Furtak and Buro 2009, theorem 4.1).

A file goes in that names sets,

    {"sets": {"S1": ["a", "b"], "S2": ["b", "c"], "S3": ["c"]}}

and may list the elements to be covered as "universe". Out of it a game is built in four levels: the root, where the
first player has one move; a node where the second player chooses an element; for each element a node where the first
player chooses a set that contains it; and the sets, where the game ends with score 1. To prove that the first player
scores 1, every element must be answered by a set: with n elements and k sets in the smallest cover, the smallest target
proof graph has 2 + n + k nodes.

For the minimax version there is one element more with a set of its own. It must be in the proof anyway, so that it can
be the line along which both bounds meet, and everywhere else one answer is enough: 4 + n + k nodes.

The cover is also found directly, by an integer program of its own, and k must come out three times the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.games.graph import graph_game
from zermelo.lab.experiment import Experiment, Result, Say, Settings, Table
from zermelo.minimum.membership import true_goal
from zermelo.minimum.smallest_graph import MinimumProof, minimum_of
from zermelo.minimum.written_game import write_out
from zermelo.rules import RuleError, Unsuitable, nearest
from zermelo.rules.files import read_json, read_text

ROOT, DUMMY, LINE, LINE_END = "root", "choose an element", "one more element", "one more set"
KINDS = ("target", "minimax")
EXAMPLE = '{"sets": {"S1": ["a", "b"], "S2": ["b", "c"]}}'


@dataclass(frozen=True)
class SetCover:
    """Elements, and the sets that may cover them."""

    universe: tuple[str, ...]
    sets: Mapping[str, tuple[str, ...]]


def read_set_cover(text: str, name: str = "set cover") -> SetCover:
    """Read and check an instance."""
    data = read_json(text, name)
    if not isinstance(data, dict) or not isinstance(data.get("sets"), dict) or not data["sets"]:
        raise RuleError(f"{name}: a set-cover file is one object with sets, such as {EXAMPLE}")
    for key in data:
        if key not in ("universe", "sets"):
            raise RuleError(f'{name} has an unknown key "{key}": {nearest(key, ("universe", "sets"))}')
    sets = {label: _elements(name, f"set {label}", members) for label, members in data["sets"].items()}
    held = dict.fromkeys(element for members in sets.values() for element in members)
    universe = _elements(name, "the universe", data["universe"]) if "universe" in data else tuple(held)
    for element in universe:
        if element not in held:
            raise Unsuitable(f"{name}: no set contains {element}, so there is no cover")
    for label, members in sets.items():
        for element in members:
            if element not in universe:
                hint = nearest(element, universe)
                raise Unsuitable(f"{name}: set {label} contains {element}, which is not in the universe: {hint}")
    if not universe:
        raise Unsuitable(f"{name}: there is no element to cover")
    return SetCover(universe, sets)


def _elements(name: str, what: str, members: Any) -> tuple[str, ...]:
    if not isinstance(members, list) or not all(isinstance(one, str | int) for one in members):
        raise RuleError(f'{name}: {what} must be a list of names such as ["a", "b"], not {members!r}')
    texts = tuple(str(one) for one in members)
    if len(set(texts)) < len(texts):
        raise RuleError(f"{name}: {what} names {next(t for t in texts if texts.count(t) > 1)} twice")
    return texts


def game_of(instance: SetCover, kind: str) -> dict[str, Any]:
    """The game as the content of a graph file."""
    elements = {f"element {element}": element for element in instance.universe}
    nodes: dict[str, Any] = {
        ROOT: {"turn": "max", "moves": [DUMMY]},
        DUMMY: {"turn": "min", "moves": [*elements, *([LINE] if kind == "minimax" else [])]},
    }
    for node, element in elements.items():
        answers = [f"set {label}" for label, members in instance.sets.items() if element in members]
        nodes[node] = {"turn": "max", "moves": answers}
    if kind == "minimax":
        nodes[LINE] = {"turn": "max", "moves": [LINE_END]}
        nodes[LINE_END] = {"value": 1}
    for label, members in instance.sets.items():
        if members:  # no move leads to an empty set
            nodes[f"set {label}"] = {"value": 1}
    return {"root": ROOT, "nodes": nodes}


def by_proof(instance: SetCover, kind: str, seconds: float | None = None) -> MinimumProof:
    """The smallest proof graph of the game."""
    graph = write_out(graph_game(game_of(instance, kind)).position())
    return minimum_of(graph, true_goal(graph, 1 if kind == "target" else None), seconds, "highs")


def cover_in(instance: SetCover, proof: MinimumProof) -> list[str]:
    """The sets that a proof graph goes through."""
    names = set(proof.names)
    return [label for label in instance.sets if f"set {label}" in names]


def by_program(instance: SetCover, seconds: float = 60) -> tuple[int, list[str] | None]:
    """The smallest cover by an integer program with a variable for each set; a lower bound of its size, and the
    sets."""
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp

    holds = np.array([[element in members for members in instance.sets.values()] for element in instance.universe], int)
    count = len(instance.sets)
    done = milp(
        np.ones(count), constraints=LinearConstraint(holds, 1, np.inf), integrality=np.ones(count),
        bounds=Bounds(0, 1), options={"time_limit": seconds},
    )  # fmt: skip
    lower = int(np.ceil(done.mip_dual_bound - 1e-5)) if done.mip_dual_bound is not None else 1
    chosen = None if done.x is None else [label for label, taken in zip(instance.sets, done.x) if taken > 0.5]
    return lower, chosen


def run(settings: Settings, say: Say) -> Result:
    """Solve an instance in three ways."""
    file = Path(settings.what)
    instance = read_set_cover(read_text(file), file.name)
    seconds = float(settings.parameters.get("seconds", PARAMETERS["seconds"]))
    if not seconds > 0:
        raise Unsuitable(f"the experiment set-cover: seconds must be above 0, not {seconds:g}")
    n = len(instance.universe)
    say("the integer program of the cover itself")
    lower, chosen = by_program(instance, seconds)
    found = [len(chosen) if chosen is not None else None]
    rows: list[tuple[Any, ...]] = [("set cover", "-", "-", found[0] if found[0] == lower else f"{lower} or more")]
    proofs = {}
    for kind, rest in zip(KINDS, (2, 4)):
        say(f"the {kind} proof graph")
        proofs[kind] = proof = by_proof(instance, kind, seconds)
        nodes: Any = proof.size if proof.proven else f"{proof.lower} to {proof.size}"
        k = proof.size - rest - n if proof.proven else None
        found.append(k)
        rows.append((f"{kind} proof graph", nodes, f"{rest} + {n} + k", "-" if k is None else k))
    cover = cover_in(instance, proofs["target"])
    words = [f"{n} elements, {len(instance.sets)} sets."]
    if None in found or found[0] != lower:
        words.append("Stopped by the limit of seconds, so that not all sizes are known.")
        words.append(f"The smallest cover found has {len(cover)} sets: {' '.join(cover)}.")
    elif len(set(found)) > 1:
        raise AssertionError(f"the three ways disagree about {file.name}: {found}")
    else:
        words.append(f"The three ways agree: k = {found[0]}.")
        words.append(f"A smallest cover: {' '.join(cover)}.")
    built = {f"set-cover-{kind}-game.json": json.dumps(game_of(instance, kind), indent=1) for kind in KINDS}
    return Result(Table(("solved as", "nodes", "nodes are", "k"), rows), "", words, built)


PARAMETERS = {"seconds": 60.0}
EXPERIMENT = Experiment(
    name="set-cover",
    summary="minimum set cover as a game: the smallest cover is the smallest proof graph",
    source="Furtak and Buro 2009, theorem 4.1",
    samples=1,
    run=run,
    takes="FILE",
    parameters=PARAMETERS,
)
