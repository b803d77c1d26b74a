"""Xiangqi and minixiangqi against a slow version, against Fairy-Stockfish and OpenSpiel, and published counts."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest

from marks import slow
from slow_xiangqi import FULL, SMALL, Slow
from zermelo import games
from zermelo.compile.modes import mode_for
from zermelo.core.perft import perft
from zermelo.games.xiangqi.board import FULL as BOARD
from zermelo.games.xiangqi.notation import wxf_text
from zermelo.rules import ONGOING, Game, MoveError, Position, PositionError, Unsuitable

pytestmark = pytest.mark.usefixtures("calling_rules")

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
# Fairy-Stockfish 11.1; those of the full board are those of chessprogramming.org/Chinese_Chess_Perft_Results
PERFT = {
    START: (44, 1920, 79666, 3290240, 133312995),
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1": (38, 1128, 43929, 1339047),
    "1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w - - 0 1": (7, 281, 8620, 326201, 10369923),
    "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w - - 0 1": (25, 424, 9850, 202884, 4739553, 100055401),
    "CRN1k1b2/3ca4/4ba3/9/2nr5/9/9/4B4/4A4/4KA3 w - - 0 1": (28, 516, 14808, 395483, 11842230),
    "R1N1k1b2/9/3aba3/9/2nr5/2B6/9/4B4/4A4/4KA3 w - - 0 1": (21, 364, 7626, 162837, 3500505, 81195154),
    "C1nNk4/9/9/9/9/9/n1pp5/B3C4/9/3A1K3 w - - 0 1": (28, 222, 6241, 64971, 1914306, 23496493),
    "4ka3/4a4/9/9/4N4/p8/9/4C3c/7n1/2BK5 w - - 0 1": (23, 345, 8124, 149272, 3513104, 71287903),
    "1C2ka3/9/C1Nab1n2/p3p3p/6p2/9/P3P3P/3AB4/3p2c2/c1BAK4 w - - 0 1": (30, 830, 22787, 649866, 17920736),
}
SMALL_PERFT = (19, 331, 6664, 127164, 2666905)


def uci(game: Game, text: str) -> str:
    """A move of the full board as Fairy-Stockfish writes it, whose rows count from 1."""
    if game.name == "minixiangqi":
        return text
    return re.sub(r"\d", lambda row: str(int(row[0]) + 1), text)


class Eyes:
    """The rules in one mode: the legal moves of a position, and whether its player is in check."""

    def __init__(self, game: Game, mode: str) -> None:
        way = mode_for(game, mode)
        rules = way.rules(game)
        dead_end, listed, checked = rules.dead_end, rules.listed, rules.checked

        @way.kernel
        def look(ws):  # type: ignore[no-untyped-def]
            n = 0 if dead_end(ws, 0) else listed(ws, 0)
            return 2 * n + (1 if checked(ws.stack[0]) else 0)

        self.kernel, self.workspace = way.entry(look, game, ()), way.workspace(game)

    def look(self, position: Position) -> tuple[list[int], bool]:
        self.workspace.place([position.state])
        seen = int(self.kernel(self.workspace.record))
        return [int(move) for move in self.workspace.rows("moves")[0][: seen // 2]], bool(seen & 1)


class Seen(NamedTuple):
    """A position of a random game with what the rules say of it."""

    position: Position
    moves: list[int]
    check: bool

    @property
    def texts(self) -> list[str]:
        return [self.position.text_of(move) for move in self.moves]


def playouts(game: Game, seed: int, count: int, plies: int, mode: str = "interpreted") -> Iterator[list[Seen]]:
    """Random games to their end, or to so many plies; captures are rare enough that they last."""
    rng, eyes = random.Random(seed), Eyes(game, mode)
    limit = int(game.parameters["quiet_plies"]) or 10**6
    for _ in range(count):
        position, path, stood = game.position(), list[Seen](), Counter[int]()
        while True:
            path.append(Seen(position, *eyes.look(position)))
            stood[int(game.loop_key(position.state))] += 1
            moves, state = path[-1].moves, position.state
            if len(path) > plies or not moves or state.clock >= limit or stood[int(game.loop_key(state))] == 3:
                break
            quiet = [move for move in moves if state.board[move & 127] == 0]
            move = rng.choice(quiet if quiet and rng.random() < 0.8 else moves)
            after = state.copy()
            game.play(after, move)
            position = Position(game, after, position, move)
        yield path


@pytest.mark.parametrize("name", ["xiangqi", "minixiangqi"])
def test_against_a_slow_version(name: str) -> None:
    game = games.load(name, {"quiet_plies": 0})
    sort, lowest = (FULL, 0) if name == "xiangqi" else (SMALL, 1)
    checks = 0
    for path in playouts(game, 1, 3, 120):
        for seen in path[::3]:
            slow_one = Slow.read(sort, seen.position.text())
            names = {"".join(f"{chr(97 + x)}{y + lowest}" for x, y in move) for move in slow_one.legal()}
            assert set(seen.texts) == names
            assert len(seen.texts) == len(names) <= game.max_moves
            assert seen.check == slow_one.in_check(slow_one.red)
            checks += seen.check
    assert checks > 0


def compare_with_fairy_stockfish(name: str, seed: int, count: int, plies: int, every: int, mode: str) -> Counter[Any]:
    """Random games whose moves are all legal there and lead to the same position and result; every so many plies, all
    moves and checks are compared. Its clock stops at 100."""
    pyffish = pytest.importorskip("pyffish")
    game, start = games.load(name, {"quiet_plies": 100}), pyffish.start_fen(name)
    seen: Counter[Any] = Counter()
    for number, path in enumerate(playouts(game, seed, count, plies, mode)):
        for here in path[number % every :: every]:
            fen = here.position.text()
            assert sorted(pyffish.legal_moves(name, fen, [])) == sorted(uci(game, text) for text in here.texts)
            assert pyffish.gives_check(name, fen, []) == here.check
            seen["check"] += here.check
        last = path[-1]
        moves = [uci(game, text) for text in last.position.history()]
        turn, result = last.position.turn, last.position.result
        assert pyffish.get_fen(name, start, moves).split()[:5] == last.position.text().split()[:5]
        if not last.moves:
            assert pyffish.legal_moves(name, start, moves) == []
            assert pyffish.game_result(name, start, moves) < 0
            assert result == 2 * turn - 1
        else:
            ended, value = pyffish.is_optional_game_end(name, start, moves)
            score = (value > 0) - (value < 0)
            assert result == ((score if turn == 0 else -score) if ended else None)
        seen[result] += 1
        seen["plies"] += len(path) - 1
    return seen


@pytest.mark.parametrize("name", ["xiangqi", "minixiangqi"])
def test_random_games_against_fairy_stockfish(name: str) -> None:
    seen = compare_with_fairy_stockfish(name, 2, 3, 220, 3, "interpreted")
    assert seen["check"] > 0
    assert seen["plies"] > 250


@pytest.mark.slow
@pytest.mark.parametrize("name", ["xiangqi", "minixiangqi"])
def test_a_thousand_games_against_fairy_stockfish(name: str) -> None:
    seen = compare_with_fairy_stockfish(name, 3, 1000, 300, 10, "compiled")
    assert seen[1] + seen[-1] > 20
    assert seen[0] > 20


def compare_with_openspiel(seed: int, count: int, plies: int, mode: str) -> int:
    """How many positions of random games have the same moves there. It ends games by rules of its own."""
    pyspiel = pytest.importorskip("pyspiel")
    game, theirs = games.xiangqi(quiet_plies=0, loops="draw"), pyspiel.load_game("xiangqi")
    compared = 0
    for path in playouts(game, seed, count, plies, mode):
        state = theirs.new_initial_state()
        for here, after in zip(path, [*path[1:], None]):
            if state.is_terminal():
                break
            names = {}
            for action in state.legal_actions():
                from_row, from_col, to_row, to_col = map(int, re.findall(r"\d+", state.action_to_string(action)))
                names[f"{'abcdefghi'[from_col]}{9 - from_row}{'abcdefghi'[to_col]}{9 - to_row}"] = action
            assert sorted(here.texts) == sorted(names)
            compared += 1
            if after is not None:
                state.apply_action(names[here.position.text_of(int(after.position.last_move or 0))])
    return compared


def test_random_games_against_openspiel() -> None:
    assert compare_with_openspiel(4, 2, 220, "interpreted") > 200


@pytest.mark.slow
def test_a_thousand_games_against_openspiel() -> None:
    assert compare_with_openspiel(5, 1000, 300, "compiled") > 100_000


@pytest.mark.parametrize("fen", PERFT)
def test_perft(fen: str) -> None:
    position = games.xiangqi(loops="draw").position(fen)
    counts = [count for count in PERFT[fen] if count <= 1_000_000]
    assert [perft(position, depth).paths for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.slow
@pytest.mark.parametrize("fen", PERFT)
def test_deep_perft(fen: str) -> None:
    position = games.xiangqi(loops="draw").position(fen)
    for depth, count in enumerate(PERFT[fen], start=1):
        if count > 1_000_000:
            assert perft(position, depth).paths == count


@pytest.mark.parametrize("depth", [1, 2, *slow(3, 4, 5)])
def test_perft_of_the_small_board(depth: int) -> None:
    mode = "interpreted" if depth < 3 else "compiled"
    assert perft(games.minixiangqi(loops="draw"), depth, mode=mode).paths == SMALL_PERFT[depth - 1]


def mirrored(fen: str) -> str:
    rows, rest = fen.split(" ", 1)
    return "/".join(row[::-1] for row in rows.split("/")) + " " + rest


@pytest.mark.parametrize("name", ["xiangqi", "minixiangqi"])
def test_left_and_right_and_what_is_kept_up_to_date(name: str) -> None:
    game = games.load(name)
    columns = "abcdefghi" if name == "xiangqi" else "abcdefg"
    swapped = str.maketrans(columns, columns[::-1])
    for path in playouts(game, 6, 2, 100):
        for position in (seen.position for seen in path[::2]):
            again, twin = game.position(position.text()), game.position(mirrored(position.text()))
            assert again.state == position.state  # hash, sets, kings and worth, from scratch
            assert again.text() == position.text()
            assert {move.translate(swapped) for move in twin.moves()} == set(position.moves())
            assert game.evaluate(twin.state) == game.evaluate(position.state)
            assert -1 < game.evaluate(position.state) < 1
            assert (game.loop_key(twin.state) == game.loop_key(position.state)) == (twin == position)


@pytest.mark.parametrize("name", ["xiangqi", "minixiangqi"])
def test_the_estimate_is_fair(name: str) -> None:
    """With colours exchanged it is the opposite."""
    game = games.load(name)
    for path in playouts(game, 7, 2, 100):
        for position in (seen.position for seen in path[::4]):
            rows, turn, rest = position.text().split(" ", 2)
            other = "/".join(reversed(rows.swapcase().split("/")))
            exchanged = game.position(f"{other} {'wb'[turn == 'w']} {rest}")
            assert game.evaluate(exchanged.state) == -game.evaluate(position.state)


def test_who_cannot_move_has_lost() -> None:
    for fen in ("5k3/4P4/5P3/9/9/9/9/9/9/4K4 b", "3k5/2P1P4/9/9/9/9/9/9/9/4K4 b"):
        stalemate = games.xiangqi().position(fen)
        assert stalemate.moves() == []
        assert stalemate.result == 1
        assert "in check" not in str(stalemate)
    mate = games.xiangqi().position("R3k4/R8/9/9/9/9/9/9/9/3K5 b")
    assert mate.result == 1
    assert "in check" in str(mate)


def test_the_clock() -> None:
    game = games.xiangqi(quiet_plies=120)
    before = game.position("3k5/9/9/9/9/9/9/9/9/4KR3 w - - 119 1")
    assert before.result is None
    assert before.play("f0f1").result == 0
    assert before.play("f0f1").moves() == []
    assert games.xiangqi(quiet_plies=0).position(before.play("f0f1").text()).result is None
    assert games.xiangqi(quiet_plies=121).position(before.play("f0f1").text()).result is None
    mating = game.position("3k5/R8/9/9/9/9/9/9/9/4KR3 w - - 119 1").play("f0f9")
    assert mating.result == 1  # mate goes before the clock
    taking = game.position("3k5/9/9/9/9/9/9/9/5p3/4KR3 w - - 119 1").play("f0f1")
    assert (taking.result, taking.state.clock) == (None, 0)


def test_moves_by_other_squares_and_in_the_notation_of_the_federation() -> None:
    pyffish = pytest.importorskip("pyffish")
    game = games.xiangqi()
    read = 0
    for path in playouts(game, 8, 2, 60):
        for position, moves, _ in path[::5]:
            fen, texts = position.text(), [position.text_of(move) for move in moves]
            for text in texts:
                code, theirs = position.code_of(text), uci(game, text)
                if theirs not in texts:  # else it means another move
                    assert position.code_of(theirs) == code
                federation = pyffish.get_san("xiangqi", fen, theirs, False, pyffish.NOTATION_XIANGQI_WXF)
                assert federation == wxf_text(BOARD, list(position.state.board), code) or federation[0] in "12345"
                if federation[0] not in "12345":
                    assert position.code_of(federation) == code
                    read += 1
    assert read > 500
    assert game.position("C2.5 H8+7").text() == game.position("h2e2 h9g7").text()
    rooks = game.position("3k5/9/R8/9/R8/9/9/9/9/4K4 w")
    assert rooks.play("+R=6") == rooks.play("a7d7")
    assert rooks.play("R-=6") == rooks.play("a5d5")


def test_texts() -> None:
    game = games.xiangqi()
    assert game.position().text() == START
    assert (
        game.position(START.replace("n", "h").replace("N", "H").replace("b", "e", 2).replace("B", "E"))
        == game.position()
    )
    assert game.position(START.replace(" w", " r")) == game.position()
    assert game.position(" ".join(START.split()[:2])) == game.position()
    assert game.position("h2e2 h9g7").text().startswith("rnbakab1r/9/1c4nc1/")
    with pytest.raises(MoveError, match="is not a legal move here"):
        game.position().play("h2e3")


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("9/9/9 w", "there are 10 rows, but"),
        ("4k4/9/9/9/9/9/9/9/9/4K3 w", "a row has 9 squares, but '4K3'"),
        ("4k4/9/9/9/9/9/9/9/9/4K5 w", "a row has 9 squares, but '4K5'"),
        ("4k4/9/9/9/9/9/9/9/9/4K3x w", "'x' in .* is no piece"),
        ("4k4/9/9/9/9/9/9/9/9/4K3 x", "w or b for who is to move"),
        ("4k4/9/9/9/9/9/9/9/9/4K4", "w or b for who is to move"),
        ("4k4/9/9/9/9/9/9/9/9/9 w", "Red must have one king, but has 0"),
        ("4k4/4k4/9/9/9/9/9/9/9/4K4 w", "Black must have one king, but has 2"),
        ("4k4/9/9/9/RRR6/9/9/9/9/4K4 b", "Red has 3 chariots in .* only 2"),
        ("4k4/9/9/9/ppp6/ppp6/9/9/9/4K4 b", "Black has 6 soldiers in .* only 5"),
        ("4k4/9/9/9/4p4/9/K8/9/9/9 w", "Red's king on a3 in .* outside its palace"),
        ("9/9/9/4k4/4p4/9/9/9/9/4K4 w", "Black's king on e6 in .* outside its palace"),
        ("4k4/9/9/9/4p4/9/9/4A4/9/4K4 w", "Red's advisor on e2 in .* where it can never get"),
        ("4k4/9/9/9/4p4/4b4/9/9/9/4K4 w", "Black's elephant on e4 in .* where it can never get"),
        ("4k4/9/9/9/4p4/9/9/4P4/9/4K4 w", "Red's soldier on e2 in .* where it can never get"),
        ("4k4/9/p8/9/9/9/9/9/9/3K5 w", "Black's soldier on a7 in .* where it can never get"),
        ("4k4/9/9/9/4p4/1P7/9/9/9/4K4 w", "Red's soldier on b4 in .* where it can never get"),
        ("4k4/9/9/9/4p4/P8/P8/9/9/4K4 w", "Red has two soldiers on column a before the river"),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", "the kings face each other in .* Red to move could take"),
        ("4k4/9/9/9/9/9/9/9/9/4RK3 w", "Red is to move in .* could take Black's king"),
        ("4k4/9/9/9/9/9/9/9/9/3RK4 w - - x 1", "'x' in .* plies since the last capture"),
    ],
)
def test_what_is_no_position(fen: str, reason: str) -> None:
    with pytest.raises(PositionError, match=reason) as told:
        games.xiangqi().position(fen)
    assert "\n" not in str(told.value)


def test_soldiers_stand_where_they_can_get() -> None:
    assert games.xiangqi().position("P3k4/9/9/9/4p4/4P4/P1P6/9/9/4K4 w").moves()
    assert games.xiangqi().position("P2k5/P8/P8/P8/P8/9/9/9/9/4K4 w").moves()
    mini = games.minixiangqi()
    assert mini.position("2k4/7/7/7/1P5/1P5/3K3 w").moves()
    with pytest.raises(PositionError, match="Red's soldier on b1"):
        mini.position("2k4/7/7/7/7/7/1P1K3 w")


def test_what_is_no_game() -> None:
    with pytest.raises(Unsuitable, match="loops is draw, asian, chinese, not 'japanese'"):
        games.xiangqi(loops="japanese")
    with pytest.raises(Unsuitable, match="quiet_plies is from 0"):
        games.minixiangqi(quiet_plies=-1)
    with pytest.raises(PositionError, match="Red's advisor on d1"):
        games.minixiangqi().position("3k3/7/7/7/7/7/2KA3 w")


def test_drawing() -> None:
    position = games.xiangqi().position("h2e2")
    assert str(position).splitlines()[7:] == [
        "2 . C . . C . . . .",
        "1 . . . . . . . . .",
        "0 R N B A K A B N R",
        "  a b c d e f g h i",
        "Black, small letters, to move",
    ]
    assert ElementTree.fromstring(position._repr_svg_()).tag.endswith("svg")


def test_captures_go_first() -> None:
    game = games.xiangqi()
    position = game.position("3k5/9/9/9/9/2r1p4/4P4/2N6/9/4K4 w")
    state = position.state
    by_order = sorted(position.codes, key=lambda move: -game.order(state, move))
    assert position.text_of(by_order[0]) == "e3e4"
    assert game.result(state) == ONGOING
