"""Making certificates and reading them: every method, every loop rule."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

import oracles
from marks import slow
from random_games import random_game, seeded
from zermelo import games
from zermelo.certificates.certificate import Certificate
from zermelo.certificates.checker import verify
from zermelo.certificates.explaining import dot, explain, svg
from zermelo.certificates.proving import Disproved, Unproved, prove
from zermelo.compile.watch import Limits
from zermelo.games.graph import graph_game
from zermelo.rules import Position, RuleError, Unsuitable, from_object, rule

METHODS = ("alphabeta", "boolean", "dfpn", "minimax", "mtdf", "negascout", "pn", "pn2")
RULES = ("none", "draw", "first", "second", "wins", "loses")
RANDOM = {repetition: random_game(size=7, repetition=repetition) for repetition in RULES}


@pytest.fixture(scope="module")
def tic_tac_toe() -> Certificate:
    return prove(games.tic_tac_toe(), mode="interpreted")


# Making


def _prove_and_compare(position: Position, mode: str, method: str | None, small: bool) -> None:
    """Prove what is true, fail to prove what is not."""
    truth = oracles.value(position)
    how: dict[str, Any] = {"mode": mode, "method": method, "small": small, "memory": "64KB"}
    exact = prove(position, **how)
    assert exact.claim == f"the first player scores exactly {truth:g}"
    assert verify(position.game, Certificate.decode(exact.encode()), mode=mode).holds
    low, high = position.game.values
    if truth < high:
        with pytest.raises(Disproved, match="it is not true that the first player scores at least"):
            prove(position, at_least=truth + 1, **how)
    if truth > low:
        with pytest.raises(Disproved, match="it is not true that the first player scores at most"):
            prove(position, at_most=truth - 1, **how)


@pytest.mark.parametrize("repetition", RULES)
@pytest.mark.parametrize("small", [False, True])
def test_random_games_are_proved_under_every_loop_rule(repetition: str, small: bool) -> None:
    for seed in range(6):
        dice = random.Random(seed)
        position = seeded(RANDOM[repetition], seed)
        for _ in range(dice.randrange(3)):
            if position.result is None:
                position = position.play(dice.choice(position.codes))
        _prove_and_compare(position, "interpreted", None, small)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("repetition", ["draw", *slow("none")])
def test_every_method_can_prove(method: str, repetition: str) -> None:
    for seed in range(4):
        _prove_and_compare(seeded(RANDOM[repetition], seed), "interpreted", method, small=False)


@pytest.mark.slow
@pytest.mark.parametrize("repetition", ["draw", "none"])
def test_compiled(repetition: str) -> None:
    game = RANDOM[repetition]
    for seed in range(25):
        _prove_and_compare(seeded(game, seed), "compiled", "alphabeta", small=bool(seed % 2))


def test_scores_need_not_be_whole() -> None:
    game = random_game(fractional=True)
    for seed in range(6):
        position = seeded(game, seed)
        truth = oracles.value(position)
        certificate = prove(position, method="alphabeta", mode="interpreted")
        assert certificate.proofs[0].claim.value == certificate.proofs[1].claim.value == truth
        assert prove(position, at_least=truth - 0.1, method="boolean", mode="interpreted").positions
        if truth + 0.1 < game.values[1]:
            with pytest.raises(Disproved, match="less than"):
                prove(position, at_least=truth + 0.1, method="alphabeta", mode="interpreted")


def test_a_claim_between_two_scores() -> None:
    certificate = prove(games.tic_tac_toe(), at_least=-0.5, mode="interpreted")
    assert certificate.claim == "the first player scores at least -0.5"
    assert verify(certificate, mode="interpreted").holds


def test_what_the_rules_make_certain_can_be_proved_too() -> None:
    certificate = prove(games.tic_tac_toe(), at_least=-1, mode="interpreted")
    assert verify(certificate, mode="interpreted").holds


def test_a_game_that_is_over() -> None:
    position = games.tic_tac_toe().position("XXX OO- ---")
    certificate = prove(position, at_least=1, mode="interpreted")
    assert certificate.positions == 0
    assert verify(certificate, mode="interpreted").holds
    with pytest.raises(Disproved, match="the game is over with 1"):
        prove(position, at_most=0, mode="interpreted")


def test_a_table_too_small_to_remember_anything_costs_only_time() -> None:
    position = games.tic_tac_toe().position("b2 a1")
    for kind in ({"at_least": 0}, {"at_most": 0}):
        certificate = prove(position, memory=1, mode="interpreted", **kind)  # type: ignore[arg-type]
        assert verify(certificate, mode="interpreted").holds


@pytest.mark.slow
def test_smaller_proofs_are_no_larger(tic_tac_toe: Certificate) -> None:
    small = prove(games.tic_tac_toe(), mode="interpreted", small=True)
    assert len(small.proofs) == 2
    for less, usual in zip(small.proofs, tic_tac_toe.proofs):
        assert less.positions <= usual.positions
    assert small.about["made"]["game_positions"] in (4520, None)  # a slow machine stops counting


def test_the_graph_history_example() -> None:
    """The example of seeds on graph history: a win, whatever a loop means."""
    edges = {"A": "BC", "B": "DE", "C": "F", "D": "GH", "F": "J", "G": "I", "I": "J", "J": "D"}
    nodes: dict[str, Any] = {
        name: {"turn": "max" if name in "ADFI" else "min", "moves": list(children)} for name, children in edges.items()
    }
    nodes |= {"E": {"value": -1}, "H": {"value": 1}}
    for repetition in ("draw", "first", "second", "wins", "loses"):
        game = graph_game({"root": "A", "repetition": repetition, "nodes": nodes})
        certificate = prove(game, at_least=1)
        assert verify(game, certificate).holds
        with pytest.raises(Disproved):
            prove(game, at_most=0)


def test_a_strategy_must_arrive_where_a_loop_spoils_the_claim() -> None:
    """Both moves of A hold, but only one of them ever ends the game."""
    nodes = {
        "A": {"turn": "max", "moves": ["B", "C"]},
        "B": {"turn": "min", "moves": ["A"]},
        "C": {"value": 1},
    }
    game = graph_game({"root": "A", "repetition": "draw", "nodes": nodes})
    certificate = prove(game, at_least=1)
    assert [list(chunk) for chunk in certificate.proofs[0].chunks()] == [[1]]
    assert certificate.proofs[0].longest == 1
    circling = replace(certificate.proofs[0], moves=_packed([0]), positions=2)
    verdict = verify(game, replace(certificate, proofs=(circling,)))
    assert not verdict.holds
    assert verdict.why == "the reply A comes back to a position, which does not satisfy the claim"


def _packed(moves: list[int]) -> bytes:
    import zlib

    return zlib.compress(bytes(moves))


class Nim:
    """Take one or two; who takes the last one wins. A game of plain objects."""

    def __init__(self, stones: int, player: int = 0) -> None:
        self.stones, self.player = stones, player

    def turn(self) -> int:
        return self.player

    def moves(self) -> list[int]:
        return [n for n in (1, 2) if n <= self.stones]

    def play(self, move: int) -> Nim:
        return Nim(self.stones - move, 1 - self.player)

    def result(self) -> int | None:
        return None if self.stones else 1 if self.player == 1 else -1

    def key(self) -> tuple[int, int]:
        return self.stones, self.player


def test_games_of_objects() -> None:
    game = from_object(Nim(10), name="nim", max_plies=10)
    certificate = prove(game)
    assert certificate.claim == "the first player scores exactly 1"
    assert verify(game, certificate).positions == certificate.positions
    with pytest.raises(Unsuitable, match="name it yourself with --game"):
        verify(certificate)


@pytest.mark.parametrize("method", ["alphabeta", "dfpn"])
def test_games_of_openspiel(method: str) -> None:
    pytest.importorskip("pyspiel")
    game = games.load("openspiel:tic_tac_toe")
    certificate = prove(game, method=method, spec="openspiel:tic_tac_toe")
    assert certificate.claim == "the first player scores exactly 0"
    assert verify(Certificate.decode(certificate.encode())).holds


def test_other_rules_are_noticed_and_can_be_overruled() -> None:
    certificate = prove(from_object(Nim(10), name="nim", max_plies=10), at_least=1)
    other = from_object(Nim(9), name="nim", max_plies=10)
    with pytest.raises(Unsuitable, match="not those that the certificate was made with"):
        verify(other, certificate)
    verdict = verify(other, certificate, anyway=True)
    assert not verdict.holds
    assert not verdict.same_rules


# Bad input


def test_claims_outside_the_bounds() -> None:
    for kind in ({"at_least": 2}, {"at_most": -2}, {"at_least": float("nan")}):
        with pytest.raises(Unsuitable, match="scores lie between -1 and 1"):
            prove(games.tic_tac_toe(), **kind)


def test_two_claims_at_once() -> None:
    with pytest.raises(Unsuitable, match="not both"):
        prove(games.tic_tac_toe(), at_least=0, at_most=0)


def test_a_limit_leaves_the_claim_open() -> None:
    with pytest.raises(Unproved, match="stopped before the claim is decided") as stopped:
        prove(games.tic_tac_toe(), at_least=0, limits=Limits(nodes=20), mode="interpreted")
    assert stopped.value.stopped == "nodes"
    with pytest.raises(Unproved, match="the claim is decided; stopped while its proof was being written down"):
        prove(games.tic_tac_toe(), at_least=-1, limits=Limits(nodes=20), mode="interpreted")


def test_a_hook_that_lies_cannot_lie_its_way_into_a_certificate() -> None:
    honest = games.tic_tac_toe()

    @rule
    def bounds(s):  # type: ignore[no-untyped-def]
        return 1, 1

    with pytest.raises(RuleError, match="hook"):
        prove(replace(honest, bounds=bounds), at_least=1, mode="interpreted")


# Reading


def test_an_explanation_ends_as_claimed(tic_tac_toe: Certificate) -> None:
    for side, moves in ((0, 9), (1, 9)):
        opened = explain(tic_tac_toe, side=side, mode="interpreted")
        line = opened.main_line()
        position = opened.position
        for text in line:
            position = position.play(text)
        assert position.result is not None
        assert opened.proof.claim.allows(position.result)
        assert len(line) == opened.longest(opened.root) == opened.proof.longest == moves


@pytest.mark.parametrize("repetition", RULES)
def test_explanations_under_every_loop_rule(repetition: str) -> None:
    for seed in range(4):
        position = seeded(RANDOM[repetition], seed)
        certificate = prove(position, mode="interpreted", memory="64KB")
        for side in (0, 1):
            opened = explain(certificate, position.game, side=side, mode="interpreted")
            line = opened.main_line()
            if opened.proof.longest is not None:
                assert len(line) == opened.proof.longest
            assert dot(opened, 3).startswith("digraph proof {")
            assert svg(opened, 3).startswith("<svg ")


def test_pictures_have_limits(tic_tac_toe: Certificate) -> None:
    opened = explain(tic_tac_toe, mode="interpreted")
    with pytest.raises(Unsuitable, match="at least 1, not 0"):
        svg(opened, 0)
    assert svg(opened, 9).count("<circle") + svg(opened, 9).count("<rect") == opened.proof.positions


def test_a_strategy_that_is_not_there() -> None:
    certificate = prove(games.tic_tac_toe(), at_least=0, mode="interpreted")
    with pytest.raises(Unsuitable, match="no strategy of that player"):
        explain(certificate, side=1, mode="interpreted")
