"""OM, PrOM and M* against their definition, on random games, in both modes, with and without tables and pruning."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import modelling
import oracles
import random_chance
import random_games
import zermelo as z
from marks import slow
from zermelo.compile.watch import Limits
from zermelo.games.graph import graph_game
from zermelo.methods.registry import method_named
from zermelo.opponent.engine import ModelEngine
from zermelo.opponent.models import Model
from zermelo.opponent.options import OmOptions, PromOptions
from zermelo.rules import CHANCE, Game, Position, rule, u64
from zermelo.rules.hashing import mix

SEEDS = st.integers(0, 2**40)
FEW, SHIFT = u64(5), u64(20)
APART = 0.25
"""How far `two` and `near` lie apart at most."""


def _evaluation(number: int) -> Any:
    """One that gives equal estimates often, so that ties are met."""
    salt = u64(number)

    @rule
    def estimate(s):
        return float((mix(mix(mix(salt, s.seed), u64(s.node)), salt) >> SHIFT) % FEW) / 4.0 - 0.5

    return estimate


NAMED = {name: _evaluation(1000 + number) for number, name in enumerate(("us", "one", "two", "three"))}
ONE, TWO = NAMED["one"], NAMED["two"]


@rule
def _near(s):
    """Like `two`, a little to one side or the other."""
    return TWO(s) + (ONE(s) / 2.0)


NAMED["near"] = _near


def _named(game: Game) -> Game:
    return replace(game, evaluations=NAMED, evaluate=NAMED["us"])


PLAIN = _named(random_games.random_game(size=9, moves=3, spread=1, fractional=False))
DICE = _named(random_chance.random_chance(size=9, moves=3, spread=1, dyadic=True))
ROUND = _named(random_games.random_game(size=6, moves=3, spread=1, repetition="draw"))
GAMES = {"plain": PLAIN, "dice": DICE, "round": ROUND}

SEARCHES: dict[str, tuple[tuple[str, ...], tuple[float, ...]]] = {
    "om": (("one",), (1.0,)),
    "om shallow": (("one:1",), (1.0,)),
    "prom": (("one", "two"), (0.25, 0.75)),
    "prom three": (("one", "two:2", "own"), (0.25, 0.5, 0.25)),
    "m2": (("one>two",), (1.0,)),
    "m3": (("one:2>two>three",), (1.0,)),
    "prom of chains": (("one>two", "three"), (0.5, 0.5)),
    "near": (("near>two",), (1.0,)),
    "prom of near chains": (("two>near", "near>two", "one"), (0.25, 0.25, 0.5)),
}


@cache
def engine(kind: str, search: str, how: str, ties: str, mode: str, table: bool) -> ModelEngine:
    opponents, shares = SEARCHES[search]
    options = PromOptions(
        opponents=opponents, probabilities=shares, how=how, ties=ties, table=table, order=(), apart=APART
    )
    options.check(GAMES[kind], None)
    return ModelEngine(GAMES[kind], method_named("prom"), options, mode=mode, memory="64KB")


def agrees(kind: str, search: str, how: str, ties: str, mode: str, table: bool, seed: int, depth: int) -> int:
    """Every move is worth what the definition says; how many nodes that took."""
    game = GAMES[kind]
    assert game.State is not None
    position = Position(game, game.State(seed=seed))
    if position.turn == CHANCE:
        position = next(p for p in map(position.play, position.codes))
    if position.turn == CHANCE or position.result is not None:
        return 0
    opponents = [(Model.read(text), share) for text, share in zip(*SEARCHES[search])]
    one = engine(kind, search, how, ties, mode, table)  # whose table has met both players by now
    one.watched(Limits())
    assert one.worths(position, depth) == pytest.approx(modelling.worths(position, depth, opponents, ties), abs=1e-12)
    return one.watch.nodes


def hows(search: str) -> list[str]:
    texts = " ".join(SEARCHES[search][0])
    prunes = ":" not in texts and (">" not in texts or "near" in texts)
    return ["probing"] + (["one-pass"] if ":" not in texts else []) + (["beta"] if prunes else [])


GRID = [
    (kind, search, how, ties)
    for kind in GAMES
    for search in SEARCHES
    for how in hows(search)
    for ties in ("worst", "first", "average")
    if ties != "average" or not any(">" in text for text in SEARCHES[search][0])
]
"""All of it but means of means: thirds are rounded, and what is chosen by them is not always what fractions say."""
USUAL = [
    ("plain", "prom three", "probing", "average"),
    ("plain", "m3", "probing", "worst"),
    ("plain", "om", "beta", "first"),
    ("dice", "om shallow", "probing", "worst"),
    ("dice", "prom", "beta", "worst"),
    ("dice", "prom of chains", "one-pass", "worst"),
    ("plain", "near", "beta", "worst"),
    ("plain", "prom of near chains", "beta", "first"),
    ("dice", "near", "beta", "first"),
    ("round", "prom", "one-pass", "first"),
    ("round", "m2", "probing", "first"),
]


@pytest.mark.parametrize(("kind", "search", "how", "ties"), [*USUAL, *slow(*(c for c in GRID if c not in USUAL))])
@settings(max_examples=8)
@given(seed=SEEDS, depth=st.integers(1, 3))
def test_interpreted(kind: str, search: str, how: str, ties: str, seed: int, depth: int) -> None:
    for table in (False, True):
        agrees(kind, search, how, ties, "interpreted", table, seed, depth)


@pytest.mark.parametrize(
    ("kind", "search", "how", "ties"),
    [
        ("plain", "prom", "probing", "worst"),
        ("dice", "prom", "beta", "first"),
        *slow(
            ("plain", "m3", "probing", "first"), ("dice", "om shallow", "probing", "worst"),
            ("round", "prom", "probing", "first"), ("plain", "om", "beta", "worst"),
            ("dice", "m2", "one-pass", "worst"), ("plain", "near", "beta", "worst"),
        ),
    ],
)
@settings(max_examples=60)
@given(seed=SEEDS, depth=st.integers(1, 5))
def test_compiled(kind: str, search: str, how: str, ties: str, seed: int, depth: int) -> None:
    agrees(kind, search, how, ties, "compiled", True, seed, depth)


@settings(max_examples=20)
@given(seed=SEEDS)
def test_the_modes_visit_the_same_nodes(seed: int) -> None:
    nodes = [agrees("dice", "prom", "beta", "first", mode, True, seed, 4) for mode in ("interpreted", "compiled")]
    assert nodes[0] == nodes[1]


@cache
def session(text: str) -> z.Session:
    """One for all positions of the random games: the table serves them all."""
    return z.request(text, PLAIN, "search", mode="interpreted").open(PLAIN)


@pytest.mark.parametrize("how", ["probing", "one-pass", "beta"])
@settings(max_examples=15)
@given(seed=SEEDS)
def test_an_opponent_who_thinks_as_we_do_makes_it_minimax(how: str, seed: int) -> None:
    position = random_games.seeded(PLAIN, seed)
    found = session(f"om(opponent=own, depth=3, how={how})").search(position)
    assert found.value == pytest.approx(oracles.value(position, 3))


@settings(max_examples=20)
@given(seed=SEEDS)
def test_prom_with_one_opponent_is_om_and_promises_no_less_than_minimax(seed: int) -> None:
    position = random_games.seeded(PLAIN, seed)
    om, prom = (session(f"{text}, depth=3)").search(position) for text in ("om(opponent=two", "prom(opponents=two"))
    assert om.verdicts == prom.verdicts
    sign = 1 if position.turn == 0 else -1
    assert om.value is not None
    assert sign * om.value >= sign * oracles.value(position, 3) - 1e-12


@pytest.mark.parametrize("search", ["om", "near"])
def test_pruning_saves_nodes(search: str) -> None:
    whole, pruned = (
        sum(agrees("plain", search, how, "first", "interpreted", False, seed, 4) for seed in range(20))
        for how in ("one-pass", "beta")
    )
    assert pruned < whole


def test_evaluations_that_lie_further_apart_are_noticed() -> None:
    position = next(p for p in (random_games.seeded(PLAIN, seed) for seed in range(9)) if p.result is None)
    with pytest.raises(z.Unsuitable, match=r"lie 0\.\d+ apart at some position, not apart=0.01 at most"):
        z.search(position, "om(opponent=near>two, how=beta, apart=0.01, depth=2)", mode="interpreted")


def test_the_worked_example() -> None:
    """We choose A, B or C, the opponent a leaf: (own, type 1, type 2)."""
    leaves = {"A": ((8, 6, 4), (3, 7, 9)), "B": ((6, 5, 5), (5, 8, 2)), "C": ((9, 9, 3), (1, 2, 8))}
    nodes: dict[str, Any] = {"R": {"turn": "max", "moves": list(leaves)}}
    for name, pairs in leaves.items():
        nodes[name] = {"turn": "min", "moves": [f"{name}{i}" for i in (1, 2)]}
        for i, numbers in enumerate(pairs, 1):
            nodes[f"{name}{i}"] = {"estimates": dict(zip(("f1", "f2", "f3"), numbers))}
    game = graph_game({"root": "R", "nodes": nodes})

    def found(text: str) -> dict[str, float]:
        return {verdict.move: verdict.low for verdict in z.search(game, text).verdicts}

    assert z.search(game, "alphabeta(depth=2)").value == 5
    for how in ("probing", "one-pass", "beta"):
        assert found(f"om(depth=2, how={how})") == {"A": 8, "B": 6, "C": 1}
        assert found(f"om(depth=2, how={how}, opponent=f3)") == {"A": 8, "B": 5, "C": 9}
        assert found(f"prom(depth=2, how={how}, opponents=f2,f3)") == {"A": 8, "B": 5.5, "C": 5}
        assert z.search(game, f"prom(depth=2, how={how}, opponents=f2,f3)").best == ["A"]
        assert z.search(game, f"om(depth=2, how={how}, opponent=f3)").best == ["C"]
        assert z.search(game, f"om(depth=2, how={how}, opponent=f3, risk=3)").best == ["A"]
        assert z.search(game, f"om(depth=2, how={how}, opponent=f3, risk=1)").best == ["B"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("om(opponent=mobilty, depth=2)", "othello has no evaluation mobilty: did you mean mobility?"),
        ("om(opponent=discs:3, depth=2)", "the opponent discs:3 looks 3 plies ahead, but the search only 2"),
        ("om(opponent=discs:0, depth=2)", "'discs:0' is no model of an opponent"),
        ("om(opponent=discs:2, depth=2, how=beta)", "beta looks as deep for the opponent as for us"),
        ("om(opponent=discs>squares, depth=2, how=beta)", "add apart=…, or take probing"),
        ("om(opponent=discs>squares>discs, depth=2, how=beta, apart=1)", "take probing"),
        ("om(opponent=discs>squares, depth=2, how=beta, apart=-1)", "evaluations are 0 or more apart, not -1"),
        ("om(opponent=discs, depth=2, risk=-1)", "a risk limit is 0 or more, not -1"),
        ("om(opponent=discs, depth=2, ties=best)", "ties cannot be best"),
        ("prom(opponents=discs,squares, probabilities=0.5,0.4, depth=2)", "0.5, 0.4 sum to 0.9, not to 1"),
        ("prom(opponents=discs,squares, probabilities=1.5,-0.5, depth=2)", "a probability is 0 or more, not -0.5"),
        ("prom(opponents=discs,squares, probabilities=1, depth=2)", "2 opponents and 1 probabilities"),
        ("prom(opponents=discs,discs, depth=2)", "discs is named twice"),
        ("om(opponent=nobody.json, depth=2)", "nobody.json"),
        ("alphabeta(depth=2, evaluation=disc)", "othello has no evaluation disc: did you mean discs?"),
    ],
)
def test_what_is_refused(text: str, words: str) -> None:
    with pytest.raises(z.ZermeloError) as refused:
        z.search(z.games.othello(rows=4, cols=4), text, mode="interpreted")
    assert words in str(refused.value)


def test_a_game_without_evaluations() -> None:
    game = z.games.tic_tac_toe()
    for name in ("om", "prom", "adaptive"):
        answer = z.search(game.position("a1 b1 b2 c1"), f"{name}(depth=2)", mode="interpreted")
        assert (answer.value, answer.move) == (1, "c3")


def test_solving_is_refused() -> None:
    with pytest.raises(z.Unsuitable, match="om finds moves, not values"):
        z.solve(PLAIN, method="om(opponent=one)")


def test_the_usual_opponent_is_the_second_evaluation() -> None:
    assert OmOptions().models(PLAIN) == (Model("one"),)
