"""The checker: what holds by it is true, whatever stands in the file; and it agrees with a second one."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import plain_checker
import pytest

import oracles
from marks import slow
from random_games import random_game, seeded
from zermelo import games
from zermelo.certificates.certificate import GRAPH, TREE, Certificate, Claim, Damaged, Packing, Proof, describe
from zermelo.certificates.checker import Verdict, form_of, verify
from zermelo.certificates.proving import prove
from zermelo.compile.watch import Limits
from zermelo.games.graph import graph_game
from zermelo.rules import Game, Position, Unsuitable

REPETITIONS = ("none", "draw", "first", "second", "wins", "loses")
RANDOM = {repetition: random_game(size=8, repetition=repetition) for repetition in REPETITIONS}
THREEFOLD = random_game(size=6, repetition="draw", folds=3)


@pytest.fixture(scope="module")
def drawn() -> Certificate:
    """A proof that the first player does not lose tic-tac-toe."""
    return prove(games.tic_tac_toe(), at_least=0, mode="interpreted")


def positions(game: Game, count: int) -> Iterator[tuple[random.Random, Position]]:
    """Positions of random games, some of them with a history."""
    for seed in range(count):
        dice = random.Random(seed)
        position = seeded(game, seed)
        for _ in range(dice.randrange(4)):
            if position.result is None:
                position = position.play(dice.choice(position.codes))
        if position.result is None:
            yield dice, position


def certificate_of(position: Position, claim: Claim, moves: list[int], found: plain_checker.Found) -> Certificate:
    packing = Packing(position.game)
    packing.add(moves)
    form = form_of(position.game, claim)
    proof = Proof(claim, form, found.ours, found.positions, found.longest, packing.finish(), packing.width)
    return Certificate(describe(position, None, {}), (proof,))


def second_opinion(position: Position, claim: Claim, choose: plain_checker.Choose) -> plain_checker.Found | None:
    walk = plain_checker.walk_lines if form_of(position.game, claim) == TREE else plain_checker.walk
    try:
        return walk(position, claim.at_least, claim.value, choose)
    except plain_checker.Refused:
        return None


@pytest.mark.parametrize("repetition", [*REPETITIONS, "threefold"])
def test_any_strategy_is_judged_as_by_the_second_checker_and_only_true_claims_hold(repetition: str) -> None:
    game = RANDOM.get(repetition, THREEFOLD)
    held = refused = 0
    for dice, position in positions(game, 25):
        truth = oracles.value(position)
        for claim in (Claim(dice.random() < 0.5, dice.randint(-3, 3)) for _ in range(5)):
            taken: list[int] = []

            def choose(here: Position, taken: list[int] = taken, dice: random.Random = dice) -> int:
                taken.append(dice.randrange(len(here.codes)))
                return taken[-1]

            found = second_opinion(position, claim, choose)
            counts = found or plain_checker.Found(len(taken), 1, 1, taken)
            verdict = verify(game, certificate_of(position, claim, taken, counts), mode="interpreted")
            assert verdict.holds == (found is not None)
            if verdict.holds:
                held += 1
                assert claim.allows(truth), "a claim that is not true was proved"
            else:
                refused += 1
                assert verdict.fails_at is not None
                assert verdict.why
    assert held > 10
    assert refused > 10


@pytest.mark.parametrize("repetition", ["none", "wins", *slow("draw", "second")])
def test_no_change_of_the_moves_proves_what_is_not_true(repetition: str) -> None:
    """Moves changed, cut off and added, under the claim and under a stronger one, the file sealed anew."""
    game = RANDOM[repetition]
    for dice, position in positions(game, 15):
        truth = oracles.value(position)
        certificate = prove(position, at_least=truth, mode="interpreted", memory="64KB")
        proof = certificate.proofs[0]
        moves = [int(move) for chunk in proof.chunks() for move in chunk]
        for _ in range(12):
            changed = list(moves)
            kind = dice.randrange(4)
            if kind == 0 and changed:
                changed[dice.randrange(len(changed))] = dice.randrange(5)
            elif kind == 1 and changed:
                del changed[dice.randrange(len(changed)) :]
            elif kind == 2:
                changed.append(dice.randrange(3))
            claim = Claim(True, truth + (1 if kind == 3 else 0))
            if claim.value > 3:
                continue
            found = second_opinion(position, claim, plain_checker.from_list(changed))
            fitted = certificate_of(position, claim, changed, found or plain_checker.Found(1, 1, 1, []))
            again = Certificate.decode(fitted.encode())
            if found is not None and found.ours < len(changed):
                with pytest.raises(Damaged, match="more moves"):
                    verify(game, again, mode="interpreted")
                continue
            verdict = verify(game, again, mode="interpreted")
            assert verdict.holds == (found is not None)
            assert not verdict.holds or claim.allows(truth)


def test_both_modes_agree() -> None:
    game = RANDOM["draw"]
    for dice, position in positions(game, 60):
        for claim in (Claim(dice.random() < 0.5, dice.randint(-3, 3)) for _ in range(4)):
            taken: list[int] = []

            def choose(here: Position, taken: list[int] = taken, dice: random.Random = dice) -> int:
                taken.append(dice.randrange(len(here.codes)))
                return taken[-1]

            found = second_opinion(position, claim, choose)
            counts = found or plain_checker.Found(len(taken), 1, 1, taken)
            certificate = certificate_of(position, claim, taken, counts)
            plain, fast = (verify(game, certificate, mode=mode) for mode in ("interpreted", "compiled"))
            assert _told(plain) == _told(fast)


def _told(verdict: Verdict) -> tuple[Any, ...]:
    where = None if verdict.fails_at is None else verdict.fails_at.history()
    return verdict.holds, verdict.why, where, verdict.positions if verdict.holds else 0


def test_counts_that_are_wrong_are_found(drawn: Certificate) -> None:
    proof = drawn.proofs[0]
    for name in ("ours", "positions", "longest"):
        wrong = replace(proof, **{name: getattr(proof, name) + 1})
        verdict = verify(replace(drawn, proofs=(wrong,)), mode="interpreted")
        assert not verdict.holds
        assert "the certificate says" in verdict.why


def test_the_first_failing_position_is_shown_with_its_moves() -> None:
    game = games.tic_tac_toe()
    position = game.position("XX- OO- ---")
    lost = certificate_of(position, Claim(True, 1), [4], plain_checker.Found(1, 1, 1, [4]))
    verdict = verify(lost, mode="interpreted")
    assert not verdict.holds
    assert verdict.fails_at is not None
    assert verdict.fails_at.text() == "XX-OO---X"
    assert verdict.why == "the reply c2 ends the game with a score of -1"
    assert verdict.as_dict()["moves"] == ["c3"]


def test_a_move_that_does_not_exist_and_a_proof_that_ends_too_early() -> None:
    position = games.tic_tac_toe().position("XX- OO- ---")
    counts = plain_checker.Found(1, 1, 1, [])
    verdict = verify(certificate_of(position, Claim(True, 1), [9], counts), mode="interpreted")
    assert verdict.why == "the proof takes move number 10 here, but there are only 5"
    verdict = verify(certificate_of(position, Claim(True, 1), [], counts), mode="interpreted")
    assert verdict.why == "the proof ends before this position, where the claimant has to move"


def test_a_form_that_does_not_suit_the_game_is_refused(drawn: Certificate) -> None:
    wrong = replace(drawn, proofs=(replace(drawn.proofs[0], form=TREE), *drawn.proofs[1:]))
    verdict = verify(wrong, mode="interpreted")
    assert not verdict.holds
    assert "does not suit" in verdict.why


def test_a_graph_must_not_come_back_to_a_position_where_loops_count() -> None:
    position = next(position for _, position in positions(RANDOM["wins"], 9))
    certificate = prove(position, at_least=-3, mode="interpreted", memory="64KB")
    assert certificate.proofs[0].form == TREE
    wrong = replace(certificate, proofs=(replace(certificate.proofs[0], form=GRAPH),))
    verdict = verify(position.game, wrong, mode="interpreted")
    assert not verdict.holds
    assert "comes back to a position" in verdict.why


def test_moves_that_cannot_be_unpacked(drawn: Certificate) -> None:
    for moves in (b"", b"nonsense", drawn.proofs[0].moves[:-4], zlib.compress(b"") + b"x"):
        broken = replace(drawn, proofs=(replace(drawn.proofs[0], moves=moves),))
        with pytest.raises(Damaged):
            verify(broken, mode="interpreted")


def test_a_check_can_be_cut_short(drawn: Certificate) -> None:
    verdict = verify(drawn, mode="interpreted", limits=Limits(nodes=10))
    assert (verdict.holds, verdict.stopped) == (False, "nodes")


def test_chance_is_refused() -> None:
    nodes = {"A": {"turn": "chance", "moves": {"B": 1, "C": 1}}, "B": {"value": 1}, "C": {"value": -1}}
    with pytest.raises(Unsuitable, match="chance"):
        prove(graph_game({"root": "A", "nodes": nodes}), at_least=0)
