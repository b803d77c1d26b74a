"""Positions without a move: the rule `stuck` against a `result` that says the same, in whatever looks at games."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
import zermelo as z
from dead_ends import Twins, dead_ends
from marks import slow
from numbered import numbered
from random_chance import random_chance
from random_games import random_game, seeded
from zermelo.certificates.certificate import Certificate
from zermelo.certificates.checker import verify
from zermelo.certificates.proving import prove
from zermelo.certificates.rulebook import fingerprint
from zermelo.compile.watch import Limits
from zermelo.core.answer import Answer
from zermelo.core.method import Options
from zermelo.core.ordering import SOURCES
from zermelo.core.perft import perft
from zermelo.knowledge.building import build_table
from zermelo.knowledge.table import Table
from zermelo.knowledge.verifying import verify_table
from zermelo.methods.registry import methods
from zermelo.minimum.membership import true_goal
from zermelo.minimum.smallest_tree import minimum_tree_size
from zermelo.minimum.written_game import WrittenGame, write_out
from zermelo.rules import ONGOING, Game, Position, Unsuitable, from_object, rule

SEEDS = st.integers(0, 2**40)
CHANCE = [name for name in methods() if name.startswith("star")]
EVERYTHING = Options(order=SOURCES, etc=True, iid=True)
MODES = ("interpreted", "compiled")
SAMPLES: dict[str, Any] = {"playouts": 60, "seed": 3}


@cache
def twins(kind: str) -> Twins:
    if kind == "plain":
        return dead_ends(random_game(size=16))
    if kind == "fractional":
        return dead_ends(random_game(size=16, fractional=True))
    if kind == "dice":
        return dead_ends(random_chance(size=10, moves=3, dyadic=True), often=6)
    return dead_ends(random_game(size=7, moves=2, repetition=kind), often=5)


def told(answer: Answer) -> tuple[Any, ...]:
    return (
        answer.value, answer.status, answer.best, answer.line, answer.nodes, answer.leaves, answer.verdicts
    )  # fmt: skip


def both(kind: str, number: int, ask: Any) -> Any:
    """What is found in both twins, which must be the same."""
    by_result, by_stuck = (ask(seeded(game, number)) for game in twins(kind))
    assert by_result == by_stuck
    return by_stuck


def solves(kind: str, number: int, method: str, mode: str = "interpreted", **how: Any) -> None:
    try:
        found = both(kind, number, lambda p: told(z.solve(p, method=method, mode=mode, memory="64KB", **how)))
    except Unsuitable:
        pytest.skip(f"{method} is not for games of this kind")
    if found[1] == "proven":
        assert found[0] == pytest.approx(float(expected(kind, number)))


@cache
def expected(kind: str, seed: int) -> Any:
    position = seeded(twins(kind).by_stuck, seed)
    return oracles.expected(position) if kind == "dice" else oracles.value(position)


@pytest.mark.usefixtures("calling_rules")
def test_there_are_dead_ends_and_ends_of_both_kinds() -> None:
    met = [seeded(twins("plain").by_stuck, seed) for seed in range(20)]
    positions = [one for start in met for one in oracles.positions(start)]
    stuck = [one for one in positions if one.result is not None and one.game.result(one.state) == ONGOING]
    assert all(not one.codes for one in stuck)
    assert len(stuck) > 20
    assert sum(one.result is not None for one in positions) > len(stuck) + 20


@pytest.mark.parametrize("method", methods())
@pytest.mark.parametrize("kind", ["plain", "draw", "dice"])
def test_every_method_finds_the_same(kind: str, method: str) -> None:
    for seed in range(2):
        solves(kind, seed, method, **(SAMPLES if method == "mcts" else {}))


@pytest.mark.parametrize("kind", ["plain", "fractional", "wins", "loses", "first"])
@settings(max_examples=8)
@given(seed=SEEDS)
def test_values(kind: str, seed: int) -> None:
    solves(kind, seed, "alphabeta", options=EVERYTHING)


@pytest.mark.parametrize("kind", ["plain", *slow("wins")])
@pytest.mark.parametrize("method", ["negascout", *slow("dfpn", "mtdf")])
def test_values_compiled(kind: str, method: str) -> None:
    for seed in range(12):
        solves(kind, seed, method, mode="compiled")


@pytest.mark.slow
@pytest.mark.parametrize(("method", "how"), [("star2", {}), ("mcts", SAMPLES)])
def test_dice_compiled(method: str, how: dict[str, Any]) -> None:
    for seed in range(12):
        solves("dice", seed, method, mode="compiled", **how)


@pytest.mark.parametrize("method", ["alphabeta", "negamax", "om"])
def test_searches_that_stop_early(method: str) -> None:
    for seed in range(3):
        for depth in (1, 2, 3):
            how = {"method": method, "mode": "interpreted", "memory": "64KB", "limits": Limits(depth=depth)}
            both("plain", seed, lambda p, how=how: told(z.search(p, **how)))


@pytest.mark.parametrize("mode", MODES)
def test_perft(mode: str) -> None:
    def counted(position: Position, depth: int) -> tuple[int, int]:
        count = perft(position, depth, mode=mode)
        return count.paths, count.nodes

    for seed in range(4):
        for depth in range(5):
            paths, nodes = both("plain", seed, partial(counted, depth=depth))
            assert paths == oracles.paths(seeded(twins("plain").by_stuck, seed), depth)
            assert nodes >= paths
            if depth:
                assert both("plain", seed, lambda p, depth=depth: perft(p, depth, bulk=True, mode=mode).paths) == paths


@pytest.mark.parametrize("kind", ["plain", "draw", *slow("wins")])
@pytest.mark.parametrize("mode", ["interpreted", *slow("compiled")])
def test_certificates(kind: str, mode: str) -> None:
    for seed in range(5):
        proofs = {}
        for game in twins(kind):
            proof = prove(seeded(game, seed), mode=mode, memory="64KB")
            assert verify(game, Certificate.decode(proof.encode()), mode=mode).holds
            assert proof.claim == f"the first player scores exactly {expected(kind, seed):g}"
            proofs[game] = [part.moves for part in proof.proofs]
        assert proofs[twins(kind).by_result] == proofs[twins(kind).by_stuck]


def test_a_certificate_is_about_the_rule_too() -> None:
    game = twins("plain").by_stuck
    other = replace(game, stuck=rule(lambda s: -1))
    assert fingerprint(game) != fingerprint(other) != fingerprint(replace(game, stuck=None))


@pytest.mark.parametrize("kind", ["draw", "dice"])
def test_all_positions(kind: str) -> None:
    method = "fixpoint" if kind == "draw" else "expectation"
    for seed in range(6):
        solves(kind, seed, method)


@pytest.mark.parametrize("numbers", [True, False])
def test_tables(tmp_path: Path, numbers: bool) -> None:
    for number, game in enumerate(twins("draw")):
        own = numbered(game, 1, 7) if numbers else game
        start = Position(own) if numbers else seeded(own, 1)
        folder = tmp_path / str(number)
        how = {} if numbers else {"position": start}
        build_table(own, folder, mode="interpreted", **how)
        assert verify_table(folder, own, mode="interpreted").wrong is None
        table = Table.open(folder, own)
        for one in oracles.positions(start):
            fresh = Position(own, one.state)
            if fresh.result is None:
                assert table.probe(fresh).score == oracles.value(fresh)


def smallest(graph: WrittenGame) -> int:
    return minimum_tree_size(graph, true_goal(graph, None))


def test_smallest_proofs() -> None:
    for seed in range(4):
        both("plain", seed, lambda p: smallest(write_out(p, mode="interpreted")))


def started(game: Game, seed: int = 6) -> Game:
    """One of the games of a family that starts by itself."""
    return replace(game, start=seeded(game, seed).state)


@pytest.mark.parametrize("kind", ["plain", "draw", "dice"])
def test_check_has_nothing_against_it(kind: str) -> None:
    assert z.check(started(twins(kind).by_stuck), games=20, modes=("interpreted",)).problems == []


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"stuck": None}, "the game goes on but there is no move"),
        ({"stuck": rule(lambda s: ONGOING)}, f"rule stuck returns {ONGOING}"),
        ({"stuck": rule(lambda s: 7)}, "a score lies outside the declared values: 7"),
        ({"bounds": rule(lambda s: (-3, 3) if s.node == 0 else (-3, -3))}, "bounds contradict the rules"),
    ],
)
def test_check_finds_what_is_wrong_with_it(change: dict[str, Any], cause: str) -> None:
    text = z.check(replace(started(twins("plain").by_stuck), **change), games=20, modes=("interpreted",)).text()
    assert cause in text


@pytest.mark.parametrize("mode", MODES)
def test_a_position_without_a_move_is_an_error_without_the_rule(mode: str) -> None:
    game = replace(twins("plain").by_stuck, stuck=None)
    with pytest.raises(z.ZermeloError, match=r"a position has no move although its result is ONGOING.*stuck\(s\)"):
        perft(seeded(game, 6), 6, mode=mode)


class Heap:
    """Take one to three; who cannot has lost. It never says that it is over."""

    def __init__(self, left: int, player: int = 0) -> None:
        self.left, self.player = left, player

    def turn(self) -> int:
        return self.player

    def moves(self) -> list[int]:
        return list(range(1, min(3, self.left) + 1))

    def play(self, move: int) -> Heap:
        return Heap(self.left - move, 1 - self.player)

    def result(self) -> None:
        return None

    def stuck(self) -> int:
        return -1 if self.player == 0 else 1

    def key(self) -> tuple[int, int]:
        return self.left, self.player


@pytest.mark.parametrize("left", range(9))
def test_plain_objects(left: int) -> None:
    game = from_object(Heap(left), name="heap", max_plies=20)
    answer = z.solve(game)
    assert answer.value == (-1 if left % 4 == 0 else 1)
    assert game.position().result == (-1 if left == 0 else None)
    if left:
        assert verify(game, prove(game)).holds


def test_contempt_sees_drawn_dead_ends() -> None:
    game = dead_ends(random_game(size=9, spread=1)).by_stuck
    for seed in range(12):
        position = seeded(game, seed)
        answer = z.solve(position, method="alphabeta", mode="interpreted", contempt=0.5)
        assert answer.value == oracles.value(position)
