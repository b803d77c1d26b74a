"""Chess against what others counted and what python-chess says; its hash against its definition."""

from __future__ import annotations

import random

import chess as oracle
import pyffish
import pytest

from marks import slow
from zermelo import games
from zermelo.compile.modes import mode_for
from zermelo.core.perft import perft
from zermelo.games.chess.attacks import in_check
from zermelo.games.chess.playing import hash_from_scratch
from zermelo.games.chess.san import uci_text
from zermelo.rules import ONGOING, Game, Position, ZermeloError, wrapping

CHESS = games.chess()
LONG = 300
"""Plies after which a random game is left."""

# Position, counts from depth 1 on: Stockfish 15.1; the first six and the tricks are those of chessprogramming.org and
# of Martin Sedlak's suite, with the same values.
PERFT = {
    "startpos": (20, 400, 8902, 197281, 4865609, 119060324),
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": (48, 2039, 97862, 4085603, 193690690),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (14, 191, 2812, 43238, 674624, 11030083, 178633661),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (6, 264, 9467, 422333, 15833292),
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1": (6, 264, 9467, 422333, 15833292),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": (44, 1486, 62379, 2103487, 89941194),
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1": (218, 99, 19073, 85043),
    "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1": (18, 92, 1670, 10138, 185429, 1134888),
    "8/8/4k3/8/2p5/8/B2P1K2/8 w - - 0 1": (13, 102, 1284, 10375, 138886, 1038514),
    "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1": (15, 126, 1928, 13931, 206379, 1440467),
    "5k2/8/8/8/8/8/8/4K2R w K - 0 1": (15, 66, 1198, 6399, 120330, 661072),
    "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1": (16, 71, 1286, 7418, 141077, 803711),
    "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1": (26, 1141, 27826, 1274206),
    "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1": (11, 133, 1442, 19174, 266199, 3821001),
    "8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1": (29, 165, 5160, 31961, 1004658),
    "4k3/1P6/8/8/8/8/K7/8 w - - 0 1": (9, 40, 472, 2661, 38983, 217342),
    "8/P1k5/K7/8/8/8/8/8 w - - 0 1": (6, 27, 273, 1329, 18135, 92683),
    "K1k5/8/P7/8/8/8/8/8 w - - 0 1": (2, 6, 13, 63, 382, 2217),
    "8/k1P5/8/1K6/8/8/8/8 w - - 0 1": (10, 25, 268, 926, 10857, 43261, 567584),
    "8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1": (8, 104, 736, 9287, 62297, 824064),
    "8/5k2/8/2Pp4/2B5/1K6/8/8 w - d6 0 1": (15, 126, 1928, 13931, 206379, 1440467),
}


@pytest.mark.parametrize("fen", PERFT)
def test_perft(fen: str) -> None:
    start = CHESS.position(fen)
    for depth, paths in enumerate(PERFT[fen], 1):
        if paths <= 5_000_000:
            assert perft(start, depth, bulk=True).paths == paths


@pytest.mark.slow
@pytest.mark.parametrize("fen", PERFT)
def test_perft_to_the_end(fen: str) -> None:
    start, depth = CHESS.position(fen), len(PERFT[fen])
    assert perft(start, depth, bulk=True).paths == PERFT[fen][-1]
    while PERFT[fen][depth - 1] > 5_000_000:
        depth -= 1
    assert perft(start, depth).paths == PERFT[fen][depth - 1]  # every last move made


def verdict(board: oracle.Board) -> int | None:
    """How a game stands, by python-chess: mate and stalemate before the draws."""
    if not any(board.legal_moves):
        return 0 if not board.is_check() else 1 if board.turn == oracle.BLACK else -1
    return 0 if board.halfmove_clock >= 100 or board.is_repetition(3) else None


def without_number(fen: str) -> str:
    return fen.rpartition(" ")[0]


@pytest.mark.parametrize("seed", [1, *slow(*range(2, 12))])
def test_random_games_as_positions(seed: int) -> None:
    chance, position, board = random.Random(seed), CHESS.position(), oracle.Board()
    for _ in range(LONG):
        assert sorted(position.moves()) == sorted(move.uci() for move in board.legal_moves if verdict(board) is None)
        assert position.result == verdict(board)
        assert without_number(position.text()) == without_number(board.fen())
        assert CHESS.position(position.text()) == position
        assert CHESS.loop_key(position.state) == hash_from_scratch(position.state)
        if verdict(board) is not None:
            break
        move = chance.choice(position.moves())
        position = position.play(move)
        board.push_uci(move)


class Walker:
    """Compiled rules, move by move."""

    def __init__(self, game: Game) -> None:
        way = mode_for(game, "compiled")
        rules = way.rules(game)
        over, listed, step = rules.over, rules.listed, rules.step

        @way.kernel
        def look(ws, unused):
            ws.nodes = over(ws, 0)
            return listed(ws, 0)

        @way.kernel
        def go(ws, move):
            step(ws, 0, move)
            return 1 if in_check(ws.stack[0]) else 0

        self.game, self.workspace = game, way.workspace(game)
        self.look, self.go = (way.entry(kernel, game, (int,)) for kernel in (look, go))

    def begin(self) -> None:
        self.workspace.place([self.game.start])

    def moves(self) -> tuple[int, list[int]]:
        """The verdict of the rules, and the moves."""
        record = self.workspace.record
        count = int(self.look(record, 0))
        return int(record["nodes"]), [int(move) for move in record["moves"][0][:count]]

    def position(self) -> Position:
        return Position(self.game, self.game.State.frombytes(self.workspace.record["stack"][0].tobytes()))


@pytest.mark.slow
def test_a_thousand_random_games() -> None:
    """Without repetition, which positions alone do not know."""
    walker, chance = Walker(CHESS), random.Random(1000)
    for _ in range(1000):
        board = oracle.Board()
        walker.begin()
        for _ in range(LONG):
            score, moves = walker.moves()
            legal = {move.uci() for move in board.legal_moves}
            done = not legal or board.halfmove_clock >= 100
            assert (score != ONGOING) == done
            if done:
                assert score == verdict(board)
                break
            assert {uci_text(move) for move in moves} == legal
            assert len(moves) == len(legal)
            move = chance.choice(moves)
            board.push_uci(uci_text(move))
            assert bool(walker.go(walker.workspace.record, move)) == board.is_check()
        position = walker.position()
        assert without_number(position.text()) == without_number(board.fen())
        assert CHESS.loop_key(position.state) == hash_from_scratch(position.state)
        assert position == CHESS.position(position.text())  # the sums of worth too


KNIGHTS = "g1f3 g8f6 f3g1 f6g8 "


def test_threefold_repetition() -> None:
    assert CHESS.position(KNIGHTS).result is None
    assert CHESS.position(2 * KNIGHTS).result == 0
    assert games.chess(threefold=False).position(KNIGHTS).result == 0
    assert CHESS.position(f"startpos moves {2 * KNIGHTS}").result == 0


def test_en_passant_counts_for_repetition_only_if_it_is_legal() -> None:
    """FIDE 9.2.3: after e2e4 nothing can capture on e3, so the position is the one that comes back twice."""
    back = "b8c6 g1f3 c6b8 f3g1 "
    assert CHESS.position(f"e2e4 {2 * back}").result == 0
    legal = "rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4 "
    assert CHESS.position(f"{legal} {2 * back}").result is None  # d4xe3 was possible the first time only
    pinned = "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1 moves e2e4"
    assert CHESS.position(pinned).text().split()[3] == "-"  # both pawns would leave the row before the rook


MATE_IN_ONE = "7k/5Q2/6K1/8/8/8/8/8 w - - {} 1"


def test_fifty_moves() -> None:
    assert CHESS.position(MATE_IN_ONE.format(99)).result is None
    assert CHESS.position(MATE_IN_ONE.format(100)).result == 0
    assert CHESS.position(MATE_IN_ONE.format(99)).play("f7g7").result == 1  # mate goes before
    assert CHESS.position(MATE_IN_ONE.format(99)).play("f7f6").result == 0
    assert CHESS.position(MATE_IN_ONE.format(99)).play("g6h6").result == 0
    unlimited = games.chess(fifty=False).position(MATE_IN_ONE.format(100))
    assert unlimited.result is None
    assert unlimited.text() == MATE_IN_ONE.format(0)


def test_stalemate() -> None:
    fen = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
    assert CHESS.position(fen).result == 0
    assert games.chess(stalemate="win").position(fen).result == 1
    assert games.chess(stalemate="win").position("8/8/8/8/8/6k1/5q2/7K w - - 0 1").result == -1
    pyffish.load_variant_config("[stalechess:chess]\nstalemateValue = loss\n")
    assert pyffish.game_result("stalechess", fen, []) < 0  # for Black, who is to move


DEAD = {
    "8/8/4k3/8/8/3K4/8/8 w - - 0 1": True,
    "8/8/4k3/8/8/3KB3/8/8 w - - 0 1": True,
    "8/8/4k3/8/8/3Kn3/8/8 b - - 0 1": True,
    "8/8/4k3/3b4/8/4KB2/8/8 w - - 0 1": True,
    "8/8/4k3/2b5/8/4KB2/8/8 w - - 0 1": False,
    "8/8/4k3/8/8/3KNN2/8/8 w - - 0 1": False,
    "8/8/4k3/3p4/8/4K3/8/8 w - - 0 1": False,
    "8/8/4k3/3n4/8/4KB2/8/8 w - - 0 1": False,
}


@wrapping
def test_insufficient_material() -> None:
    strict = games.chess(insufficient=True)
    for fen, dead in DEAD.items():
        assert oracle.Board(fen).is_insufficient_material() == dead
        assert strict.position(fen).result == (0 if dead else None)
        assert CHESS.position(fen).result is None
        assert CHESS.bounds is not None
        assert CHESS.bounds(CHESS.position(fen).state) == ((0, 0) if dead else (-1, 1))


@pytest.mark.parametrize(("board", "variant"), [("gardner", "gardner"), ("los-alamos", "losalamos")])
def test_small_boards(board: str, variant: str) -> None:
    game, chance = games.chess(board=board), random.Random(board)
    for _ in range(4):
        position, played = game.position(), []
        start = pyffish.start_fen(variant)
        for _ in range(100):
            if position.result == 0:
                break
            assert sorted(position.moves()) == sorted(pyffish.legal_moves(variant, start, played))
            if position.result is not None:
                break
            played.append(chance.choice(position.moves()))
            position = position.play(played[-1])
            assert position.text().split()[:2] == pyffish.get_fen(variant, start, played).split()[:2]


def test_boards_of_ones_own() -> None:
    game = games.chess(board="3k-3p-4-4-P3-K3")
    assert game.position().text() == "3k/3p/4/4/P3/K3 w - - 0 1"
    assert sorted(game.position().moves()) == ["a1b1", "a1b2", "a2a3"]
    castling = games.chess(board="r3k2r/8/8/8/8/8/8/R3K3")
    assert castling.position().text().split()[2] == "Qkq"


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"board": "gardener"}, "no board is called 'gardener': did you mean gardner"),
        ({"board": "k3/4/K5"}, "all of the same length from 3 to 8, and 'k3/4/K5' has rows of 4, 4, 6"),
        ({"board": "kk1/3/K2"}, "Black has 2 kings"),
        ({"stalemate": "loss"}, "stalemate is a draw or a win"),
        ({"material": "KPK"}, "is written like KPvK"),
        ({"material": "KXvK"}, "is written like KPvK"),
        ({"material": "KQQQQvKQ"}, "at most 6 pieces"),
    ],
)
def test_unsuitable_parameters(parameters: dict[str, str], said: str) -> None:
    with pytest.raises(ZermeloError, match=said):
        games.chess(**parameters)
