"""Proofs of short wins beside which play could go on for long: mates, and random games with a clock.

Most moves neither win nor lose soon, and a search that must refute them does not come back. A proof must not need that.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import plain_checker
import pytest

from marks import slow
from zermelo import games
from zermelo.certificates.certificate import TREE, Certificate, Damaged, Packing
from zermelo.certificates.checker import verify
from zermelo.certificates.proving import Unproved, prove
from zermelo.compile.watch import Limits
from zermelo.knowledge.mate import prove_mate
from zermelo.rules import DRAW, ONGOING, Game, Position, i8, i16, rule, struct, u64
from zermelo.rules.hashing import mix

CHESS = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
PERPETUAL = "r6k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1"  # the knight could give check for ever
SHOGI = "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1"
XIANGQI = "4k4/9/9/9/9/9/9/R8/1R7/3K5 w"
ENOUGH = Limits(nodes=50_000)


@pytest.mark.parametrize(
    ("game", "text", "settings", "method"),
    [
        ("chess", CHESS, {}, None),
        *slow(("chess", CHESS, {}, "alphabeta"), ("chess", CHESS, {"threefold": False}, None)),
        *slow(("chess", CHESS, {"fifty": False}, None)),
        *slow(("chess", PERPETUAL, {}, None)),
        *slow(("chess", PERPETUAL, {"fifty": False}, None)),
        ("shogi", SHOGI, {}, None),
        ("xiangqi", XIANGQI, {}, None),
        *slow(("xiangqi", XIANGQI, {"loops": "chinese"}, None), ("xiangqi", XIANGQI, {"loops": "draw"}, None)),
    ],
)
def test_mates_of_a_few_moves(game: str, text: str, settings: dict[str, Any], method: str | None) -> None:
    position = getattr(games, game)(**settings).position(text)
    certificate = prove(position, at_least=1, method=method, limits=ENOUGH, mode="interpreted")
    assert certificate.positions < 50
    assert verify(Certificate.decode(certificate.encode()), mode="interpreted").holds


@pytest.mark.parametrize("loops", ["asian", *slow("chinese", "draw")])
def test_a_search_of_forcing_moves_proves_what_it_finds(loops: str) -> None:
    position = games.xiangqi(loops=loops).position(XIANGQI)
    certificate = prove_mate(position, limits=ENOUGH, mode="interpreted")
    assert (certificate.proofs[0].longest, certificate.claim) == (3, "the first player scores at least 1")
    assert verify(Certificate.decode(certificate.encode()), mode="interpreted").holds


def timed(size: int, limit: int, repetition: Any, folds: int) -> Game:
    """A random graph with cycles, and a clock that ends the game as a draw. What must come back is less than all of the
    position: the clock may differ."""
    State = struct(node=i16, clock=i16, turn=i8, seed=u64)

    @rule
    def dice(s, question, sides):
        return int((mix(mix(mix(u64(5), s.seed), u64(s.node)), u64(question)) >> u64(20)) % u64(sides))

    @rule
    def moves(s, out):
        for i in range(3):
            out[i] = i
        return 3

    @rule
    def play(s, move):
        s.node = dice(s, 10 + move, size)
        s.clock += 1
        s.turn = 1 - s.turn

    @rule
    def result(s):
        if s.clock > 0 and dice(s, 1, 5) == 0:
            return 2 * s.turn - 1 if dice(s, 2, 3) > 0 else 1 - 2 * s.turn  # mostly, who moved here wins
        return DRAW if s.clock >= limit else ONGOING

    @rule
    def loop_key(s):
        return mix(u64(s.node), u64(s.turn))

    @rule
    def key(s):
        return mix(mix(mix(u64(9), s.seed), u64(s.clock)), loop_key(s))

    @rule
    def reversible(s):
        return int(s.clock)

    return Game(
        name="timed", State=State, start=State(seed=1), moves=moves, play=play, result=result, max_moves=3,
        max_plies=limit, repetition=repetition, folds=folds, alternating=True, key=key, loop_key=loop_key,
        reversible=reversible,
    )  # fmt: skip


def wins_within(position: Position, player: int, plies: int) -> bool:
    """By the definition."""
    if position.result is not None:
        return position.result == 1 - 2 * player
    if plies == 0:
        return False
    return (any if position.turn == player else all)(
        wins_within(position.play(move), player, plies - 1) for move in position.codes
    )


@pytest.mark.parametrize(("repetition", "folds"), [("draw", 2), *slow(("draw", 3), ("second", 2), ("loses", 2))])
def test_short_wins_beside_a_clock(repetition: str, folds: int) -> None:
    game, proved = timed(200, 120, repetition, folds), 0
    assert game.State is not None
    for seed in range(40):
        position = Position(game, game.State(seed=seed))
        if position.result is not None or wins_within(position, 0, 1) or not wins_within(position, 0, 5):
            continue
        for method in ("dfpn", "alphabeta"):
            certificate = prove(position, at_least=1, method=method, limits=ENOUGH, mode="interpreted")
            proof = certificate.proofs[0]
            moves = [move for chunk in proof.chunks() for move in chunk.tolist()]
            found = plain_checker.walk_lines(position, True, 1, plain_checker.from_list(moves))
            assert (proof.form, found.positions) == (TREE, proof.positions)
            assert verify(game, certificate, mode="interpreted").holds
        for place in range(min(len(moves), 4)):
            _compare_forged(position, certificate, moves, place)
        proved += 1
    assert proved > 3


def _compare_forged(position: Position, certificate: Certificate, moves: list[int], place: int) -> None:
    """Another move in a proof: both checkers say the same of it."""
    forged = [*moves[:place], (moves[place] + 1) % 3, *moves[place + 1 :]]
    packing = Packing(position.game)
    packing.add(forged)
    proof = replace(certificate.proofs[0], moves=packing.finish())
    try:
        found = plain_checker.walk_lines(position, True, 1, plain_checker.from_list(forged))
        same = (found.positions, found.ours, found.longest) == (proof.positions, proof.ours, proof.longest)
        holds = same and len(found.moves) == len(forged)
    except plain_checker.Refused:
        holds = False
    try:
        believed = verify(position.game, replace(certificate, proofs=(proof,)), mode="interpreted").holds
    except Damaged:
        believed = False
    assert believed == holds


def test_what_was_being_done_is_said() -> None:
    position = games.chess().position(CHESS)
    with pytest.raises(Unproved, match="stopped before the claim is decided"):
        prove(position, at_least=1, limits=Limits(nodes=50), mode="interpreted")
    with pytest.raises(Unproved, match="the claim is decided; stopped while its proof was being written down"):
        prove(position, at_least=1, limits=Limits(nodes=142), mode="interpreted")
