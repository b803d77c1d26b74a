"""What chess positions look like and what captures are worth: against colours exchanged, and against playing it out."""

from __future__ import annotations

import random

import chess as oracle
import pytest

import zermelo as z
from marks import slow
from zermelo import games
from zermelo.compile.watch import Limits
from zermelo.games.chess.evaluation import UNIT
from zermelo.games.chess.exchanges import PRICES
from zermelo.games.chess.san import uci_text
from zermelo.rules import MoveBuffer, Position

pytestmark = pytest.mark.usefixtures("calling_rules")

CHESS = games.chess()
_KINDS = (oracle.PAWN, oracle.KNIGHT, oracle.BISHOP, oracle.ROOK, oracle.QUEEN, oracle.KING)
WORTH = {kind: int(PRICES[number]) for number, kind in enumerate(_KINDS)}


def random_positions(seed: int, games_: int, every: int) -> list[Position]:
    chance, found = random.Random(seed), []
    for _ in range(games_):
        position = CHESS.position()
        for ply in range(120):
            if position.result is not None:
                break
            if ply % every == 0:
                found.append(position)
            position = position.play(chance.choice(position.codes))
    return found


def estimate(position: Position) -> float:
    assert CHESS.evaluate is not None
    return float(CHESS.evaluate(position.state))


def mirrored(position: Position) -> Position:
    return CHESS.position(oracle.Board(position.text()).mirror().fen())


def test_colours_do_not_matter() -> None:
    for position in random_positions(1, 3, 5):
        assert abs(estimate(position) + estimate(mirrored(position))) < 2 * UNIT  # whole numbers are rounded down
        assert abs(estimate(position)) < 1


def test_what_is_kept_move_by_move_is_what_is_there() -> None:
    for position in random_positions(2, 3, 7):
        assert CHESS.position(position.text()) == position  # the sums and the hash among the fields


def test_what_counts() -> None:
    """Each pair differs in one thing that everybody agrees on."""
    better = [
        ("4k3/8/8/8/8/8/3PP3/4K3 w", "4k3/8/8/8/8/4P3/4P3/4K3 w"),  # doubled pawns
        ("4k3/8/4P3/8/8/8/8/4K3 w", "4k3/8/8/8/8/8/4P3/4K3 w"),  # a passed pawn near its goal
        ("4k3/8/8/8/4N3/8/8/4K3 w", "4k3/8/8/8/8/8/8/N3K3 w"),
        ("k7/8/2K5/8/8/8/8/7R w", "8/8/3k4/8/8/8/1K6/7R w"),  # the bare king at the edge
        ("rnbqkbnr/pppp1ppp/8/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w"),
    ]
    for good, bad in better:
        assert estimate(CHESS.position(good)) > estimate(CHESS.position(bad))


def played_out(board: oracle.Board, square: int) -> int:
    """What the player to move wins at least by captures on a square, always with the cheapest piece, or by none."""
    attackers = list(board.attackers(board.turn, square))
    if not attackers:
        return 0
    cheapest = min(attackers, key=lambda at: WORTH[board.piece_type_at(at) or 0])
    kind = board.piece_type_at(cheapest)
    victim = board.piece_type_at(square)
    assert kind is not None
    assert victim is not None
    after = board.copy(stack=False)
    after.set_piece_at(square, after.remove_piece_at(cheapest))
    after.turn = not board.turn
    if kind == oracle.KING and after.attackers(after.turn, square):
        return 0
    return max(0, WORTH[victim] - played_out(after, square))


def exchanged(board: oracle.Board, move: oracle.Move) -> int:
    """The same for one capture, whichever it is."""
    victim = oracle.PAWN if board.is_en_passant(move) else board.piece_type_at(move.to_square)
    gain = WORTH[victim] if victim else 0
    after = board.copy(stack=False)
    piece = after.remove_piece_at(move.from_square)
    assert piece is not None
    if board.is_en_passant(move):
        after.remove_piece_at(move.to_square + (-8 if board.turn else 8))
    if move.promotion:
        gain += WORTH[move.promotion] - WORTH[oracle.PAWN]
        piece = oracle.Piece(move.promotion, board.turn)
    after.set_piece_at(move.to_square, piece)
    after.turn = not board.turn
    return gain - played_out(after, move.to_square)


@pytest.mark.parametrize("seed", [3, *slow(*range(4, 30))])
def test_exchanges(seed: int) -> None:
    assert CHESS.exchange is not None
    assert CHESS.loud is not None
    for position in random_positions(seed, 2, 3):
        board = oracle.Board(position.text())
        out = MoveBuffer(218, "chess")
        loud = out[: CHESS.loud(position.state, out)]
        wanted = {move.uci() for move in board.legal_moves if board.is_capture(move) or move.promotion}
        assert {uci_text(move) for move in loud} == wanted
        for move in loud:
            expected = exchanged(board, oracle.Move.from_uci(uci_text(move)))
            assert CHESS.exchange(position.state, move) == pytest.approx(expected * UNIT)


def test_a_pass() -> None:
    assert CHESS.skip is not None
    position = CHESS.position("r3k2r/8/8/2pP4/8/8/8/R3K2R w KQkq c6 7 1")
    state = position.state.copy()
    assert CHESS.skip(state)
    assert state == CHESS.position("r3k2r/8/8/2pP4/8/8/8/R3K2R b KQkq - 8 1").state
    assert not CHESS.skip(CHESS.position("4k3/8/8/8/8/8/4P3/4K3 w").state.copy())


KNOWN = {
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1": "a1a6",  # Morphy
    "r6k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1": "g5f7",  # the smothered mate
    "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1": "c6c7",  # Barbier and Saavedra
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1": "g3g6",
    "5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - 0 1": "e3g3",
}


@pytest.mark.slow
@pytest.mark.parametrize("fen", KNOWN)
def test_moves_that_everybody_knows(fen: str) -> None:
    answer = z.search(CHESS.position(fen), limits=Limits(nodes=3_000_000))
    assert answer.move == KNOWN[fen]


@pytest.mark.slow
def test_it_mates_with_a_rook() -> None:
    position = CHESS.position("8/8/3k4/8/8/8/1K6/7R w - - 0 1")
    while position.result is None:
        answer = z.search(position, limits=Limits(nodes=60_000))
        position = position.play(answer.move)
    assert position.result == 1
