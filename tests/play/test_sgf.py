"""SGF: what is written reads back, and sgfmill, a parser that others wrote, reads and writes the same games."""

from __future__ import annotations

import random
from typing import Any

import pytest

from zermelo import games
from zermelo.play.ending import Ending, Why
from zermelo.play.formats import format_of, sgf
from zermelo.play.record import Note, Record
from zermelo.rules import Game, Position, Unsuitable, build


def board(**settings: Any) -> Game:
    from zermelo.games.go import go

    return build(go, {"rows": 9, "cols": 9, **settings})


def played(game: Game, seed: int, plies: int = 40) -> Position:
    dice, position = random.Random(seed), game.position()
    while position.result is None and len(position.history()) < plies:
        position = position.play(dice.choice(position.codes))
    return position


def ended(position: Position, **how: Any) -> Record:
    ending = Ending.of(position, Why.RULES) if position.result is not None else how.pop("ending", None)
    return Record(position, ending=ending, **how)


@pytest.mark.parametrize("game", [board(), board(komi="6.5"), board(rows=3, cols=5), games.othello(), games.hex()])
def test_what_is_written_reads_back(game: Game) -> None:
    records = [
        ended(played(game, seed), players=("One [a]", "Two \\ b"), event="event", notes=(Note(0.5, 1),))
        for seed in range(4)
    ]
    again = sgf.read(sgf.write(records), game)
    assert [record.position.history() for record in again] == [record.position.history() for record in records]
    assert [(r.players, r.event, r.notes, r.ending) for r in again] == [
        (r.players, r.event, r.notes, r.ending) for r in records
    ]


@pytest.mark.parametrize("why", [Why.RESIGNED, Why.TIME, Why.ILLEGAL])
@pytest.mark.parametrize("by", [0, 1])
def test_endings(why: Why, by: int) -> None:
    position = board().position("E5 D4")
    record = Record(position, ending=Ending.of(position, why, by))
    assert sgf.read(sgf.write([record]), position.game)[0].ending == record.ending


def test_a_draw_and_a_score() -> None:
    game = board()
    for result, score in (("0", 0), ("B+3", 3), ("W+12", -12)):
        [record] = sgf.read(f"(;GM[1]SZ[9]RE[{result}];B[ee])", game)
        assert record.ending == Ending(score, Why.UNTOLD)
    assert sgf.read("(;GM[1]SZ[9]RE[Void];B[ee])", game)[0].ending is None


def test_sgfmill_reads_what_we_write() -> None:
    theirs = pytest.importorskip("sgfmill.sgf")
    game = board(komi="0.5")
    record = ended(played(game, 3), players=("Black", "White"))
    read = theirs.Sgf_game.from_string(sgf.write([record]))
    assert (read.get_size(), read.get_komi()) == (9, 0.5)
    assert (read.get_player_name("b"), read.get_player_name("w")) == ("Black", "White")
    moves = []
    for node in list(read.get_main_sequence())[1:]:
        _, point = node.get_move()  # row from below and column, None for a pass
        moves.append("pass" if point is None else f"{'ABCDEFGHJ'[point[1]]}{point[0] + 1}")
    assert moves == record.position.history()


def test_we_read_what_sgfmill_writes() -> None:
    theirs = pytest.importorskip("sgfmill.sgf")
    position = played(board(), 5)
    made = theirs.Sgf_game(size=9)
    for number, text in enumerate(position.history()):
        point = None if text == "pass" else (int(text[1:]) - 1, "ABCDEFGHJ".index(text[0]))
        made.extend_main_sequence().set_move("bw"[number % 2], point)
    [record] = sgf.read(made.serialise().decode(), position.game)
    assert record.position.history() == position.history()


def test_setup_stones_and_variations() -> None:
    text = """(;FF[4]GM[1]SZ[9]HA[2]AB[gc][cg]AW[aa:ba]
      PB[a \\] b];W[ee]C[a comment (;not a node)](;B[ef](;W[fe])(;W[ff];B[gg]))(;B[aa]))
      (;SZ[9];B[tt];W[])"""
    first, second = sgf.read(text, board())
    assert first.position.history() == ["E5", "E4", "F5"]
    assert first.began.startswith("OO......./........./......X..")
    assert first.players[0] == "a ] b"
    assert (second.position.history(), second.ending) == (["pass", "pass"], Ending(0, Why.RULES))
    again = sgf.read(sgf.write([first]), board())[0]
    assert (again.position.history(), again.began) == (first.position.history(), first.began)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("hello", "a tree begins with"),
        ("(;B[ee]", r"a tree is opened by \( and not closed"),
        ("(;GM[1]SZ[9]))", "closes a tree that was not opened"),
        ("(;GM[1]SZ[9];B[ee", "is no SGF"),
        ("(;GM[2]SZ[9];B[ee])", r"game 1: GM\[2\] is not go, which is GM\[1\]"),
        ("(;GM[1]SZ[13];B[ee])", r"game 1: its board is SZ\[13\], and not of 9 rows and 9 columns"),
        ("(;GM[1]SZ[9]KM[7.5];B[ee])", "game 1: its komi is 7.5, and not 0: set komi=7.5"),
        ("(;GM[1]SZ[9]KM[x];B[ee])", "komi is a number, not 'x'"),
        ("(;GM[1]SZ[9])(;GM[1]SZ[9];B[ee];W[ee])", "game 2: move 2, W.ee.: 'E5' is not a legal move here"),
        ("(;GM[1]SZ[9];B[ee];B[ef])", "game 1: move 2, B.ef., is not that player's turn"),
        ("(;GM[1]SZ[9];B[jj])", r"\[jj\] is no point of a board of 9×9"),
        ("(;GM[1]SZ[9];B[];W[];B[aa])", "move 3, B.aa., cannot be played: the game is over"),
        ("(;GM[1]SZ[9];B[aa];AW[bb])", "stones are set up after move 1, which no record can tell"),
        ("(;GM[1]SZ[9]AB[aa:zz])", r"\[aa:zz\] is no point of a board"),
        ("(;GM[1]SZ[9]AB[ab][ba]AW[aa])", "the stones that are set up cannot be: the chain at A9 has no liberty"),
        ("(;GM[1]SZ[9]RE[Black];B[aa])", "the result is B"),
        ("(;GM[1]SZ[9]RE[B+99];B[aa])", "scores lie between -81 and 81"),
    ],
)
def test_bad_texts(text: str, match: str) -> None:
    with pytest.raises(Unsuitable, match=match):
        sgf.read(text, board())


def test_other_games_are_refused() -> None:
    with pytest.raises(Unsuitable, match="SGF is read and written for go, othello, hex, not for pig"):
        sgf.read("(;)", games.pig())
    game = board()
    with pytest.raises(Unsuitable, match="SGF cannot tell the position where play began"):
        sgf.write([Record(Position(game, game.position("E5 pass").state))])


def test_files_are_known_by_their_name() -> None:
    assert format_of("games.SGF") is sgf
    assert format_of("games.txt") is None
