"""KIF and CSA: what is written reads back, here and by cshogi's parsers; what is wrong is said in a sentence."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from zermelo import games
from zermelo.play.ending import Ending, Why
from zermelo.play.formats import csa, kif
from zermelo.play.record import Note, Record, append_record, read_records, write_records
from zermelo.rules import Position, Unsuitable

SHOGI, MINI = games.shogi(), games.minishogi()
START = "l2g3nl/1r1sk1gb1/2n1ppsp1/p1pp4p/1p5P1/P1PP2P1P/1PS1P1N2/2G1GS1R1/LN1BK3L w Pp 1"


def played(start: Position, plies: int, seed: int) -> Position:
    rng = random.Random(seed)
    for _ in range(plies):
        start = start.play(rng.choice(start.moves()))
    return start


def record(start: Position, plies: int = 60, seed: int = 3, **told: Any) -> Record:
    end = played(start, plies, seed)
    notes = tuple(Note(float(7 * ply)) for ply in range(plies))
    began = "" if start.state == start.game.start else start.text()
    ending = Ending.of(end, Why.RESIGNED, end.turn)
    return Record(end, notes, ("羽生", "Bob, the second"), began=began, ending=ending, event="名人戦", **told)


RECORDS = [record(SHOGI.position()), record(SHOGI.position(START)), record(MINI.position(), 20)]


@pytest.mark.parametrize("form", [kif, csa])
@pytest.mark.parametrize("kept", RECORDS, ids=["shogi", "from a position", "minishogi"])
def test_what_is_written_reads_back(form: Any, kept: Record) -> None:
    again = form.read(form.write([kept, kept]), kept.game)
    assert len(again) == 2
    for one in again:
        assert one.position.history() == kept.position.history()
        assert (one.position, one.players, one.event) == (kept.position, kept.players, kept.event)
        assert (one.began, one.ending, one.notes) == (kept.began, kept.ending, kept.notes)


def test_cshogi_reads_what_is_written(tmp_path: Path) -> None:
    cshogi = pytest.importorskip("cshogi", reason="cshogi is one of the packages of the extra test")
    from cshogi import CSA, KIF

    kept = RECORDS[0]
    write_records(tmp_path / "game.kif", [kept])
    write_records(tmp_path / "game.kifu", [kept])
    for name in ("game.kif", "game.kifu"):
        theirs = KIF.Parser.parse_file(str(tmp_path / name))
        assert [cshogi.move_to_usi(move) for move in theirs.moves] == kept.position.history()
        assert theirs.names == list(kept.players)
        assert theirs.win == (cshogi.WHITE_WIN if kept.position.turn == 0 else cshogi.BLACK_WIN)
        assert theirs.times[:3] == [0, 7, 14]
    for one in RECORDS[:2]:
        other = CSA.Parser.parse_str(csa.write([one]))[0]
        assert [cshogi.move_to_usi(move) for move in other.moves] == one.position.history()
        assert other.sfen == one.replay()[0].text()
        assert (other.names, other.endgame) == (list(one.players), "%TORYO")


def test_cshogi_reads_files_of_csa_as_they_are(tmp_path: Path) -> None:
    cshogi = pytest.importorskip("cshogi", reason="cshogi is one of the packages of the extra test")

    file, kept = tmp_path / "game.csa", RECORDS[0]
    write_records(file, [kept, kept])
    append_record(file, kept)
    assert file.read_bytes().startswith(b"'CSA encoding=UTF-8\nV2.2\n")
    theirs = cshogi.CSA.Parser.parse_file(str(file))
    assert [one.names for one in theirs] == [list(kept.players)] * 3
    for one in theirs:
        assert [cshogi.move_to_usi(move) for move in one.moves] == kept.position.history()


def test_what_cshogi_writes_is_read(tmp_path: Path) -> None:
    pytest.importorskip("cshogi", reason="cshogi is one of the packages of the extra test")
    from cshogi import CSA, KIF, Board

    kept = RECORDS[0]
    board = Board()
    exporter = KIF.Exporter(str(tmp_path / "theirs.kifu"))
    exporter.header(["A", "B"])
    for usi in kept.position.history():
        exporter.move(board.push_usi(usi))
    exporter.end("resign")
    exporter.close()
    [found] = read_records(tmp_path / "theirs.kifu", SHOGI)
    assert found.position == kept.position
    out = CSA.Exporter(str(tmp_path / "theirs.csa"))
    out.info(names=["A", "B"])
    board.reset()
    for usi in kept.position.history():
        out.move(board.push_usi(usi))
    out.endgame("%TORYO")
    out.close()
    [found] = read_records(tmp_path / "theirs.csa", SHOGI)
    assert found.position == kept.position
    assert found.ending == kept.ending


@pytest.mark.parametrize("encoding", ["utf-8", "cp932"])
@pytest.mark.parametrize("name", ["game.kif", "game.csa"])
def test_files_in_both_encodings_are_read_and_added_to(tmp_path: Path, name: str, encoding: str) -> None:
    form = kif if name.endswith("kif") else csa
    (tmp_path / name).write_bytes(form.write([RECORDS[0]]).encode(encoding))
    append_record(tmp_path / name, RECORDS[1])
    found = read_records(tmp_path / name, SHOGI)
    assert [one.position for one in found] == [one.position for one in RECORDS[:2]]
    assert found[0].players[0] == "羽生"


HEAD = "手合割：平手\n先手：A\n後手：B\n手数----指手---------消費時間--\n"


@pytest.mark.parametrize(
    ("lines", "moves", "ending"),
    [
        ("1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(88)\n4 同　銀(31)\n5 投了\n", 4, (-1, Why.RESIGNED)),
        ("1 ７六歩(77)\n2 切れ負け\n", 1, (1, Why.TIME)),
        ("1 ７六歩(77)\n*よい手\n2 中断\n変化：1手\n1 ２六歩(27)\n", 1, (None, Why.STOPPED)),
        ("1 ７六歩(77)\n2 持将棋\n", 1, (0, Why.DECIDED)),
        ("1 ７六歩(77)\n2 ３三角成(22)\n3 反則勝ち\n", 1, (1, Why.ILLEGAL)),
        ("1 ７六歩(77)\n", 1, None),
    ],
)
def test_how_games_end_in_kif(lines: str, moves: int, ending: Any) -> None:
    [found] = kif.read(HEAD + lines, SHOGI)
    assert len(found.position.history()) == moves
    assert (found.ending and found.ending[:2]) == ending


@pytest.mark.parametrize(
    ("lines", "moves", "ending"),
    [
        ("PI\n+\n+7776FU,T3\n-3334FU,T5\n%TORYO\n", 2, (-1, Why.RESIGNED)),
        ("PI82HI22KA\n-\n-5142OU\n%CHUDAN\n", 1, (None, Why.STOPPED)),
        ("P-51OU\nP+53FU\nP+00KI\nP-00AL\n+\n+0052KI\n%TSUMI\n", 1, (1, Why.RULES)),
        ("+7776FU\n%SENNICHITE\n", 1, (0, Why.DECIDED)),
        ("+7776FU\n-2233UM\n%ILLEGAL_MOVE\n", 1, (1, Why.ILLEGAL)),
        ("+7776FU\n%-ILLEGAL_ACTION\n", 1, (1, Why.ILLEGAL)),
        ("+7776FU\n%KACHI\n", 1, (-1, Why.DECIDED)),
    ],
)
def test_how_games_end_in_csa(lines: str, moves: int, ending: Any) -> None:
    [found] = csa.read(f"V2.2\nN+A\nN-B\n'a remark\n{lines}", SHOGI)
    assert len(found.position.history()) == moves
    assert (found.ending and found.ending[:2]) == ending


def test_handicaps() -> None:
    [found] = kif.read("手合割：六枚落ち\n下手：A\n上手：B\n1 ４二玉(51)\n", SHOGI)
    assert found.began == "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"


@pytest.mark.parametrize(
    ("form", "text", "why"),
    [
        (kif, f"{HEAD}1 ７五歩(77)\n", "game 1, move 1, 1 ７五歩: '7g7e' is not a legal move"),
        (kif, f"{HEAD}1 ７六銀(77)\n", "game 1: move 1, 1 ７六銀: 銀 does not stand on 77"),
        (kif, f"{HEAD}2 ７六歩(77)\n", "game 1: move 1 is numbered 2"),
        (kif, f"{HEAD}1 同　歩(77)\n", "there is none"),
        (kif, f"{HEAD}hello\n", "'hello' is no line of KIF"),
        (kif, f"{HEAD}1 勝利\n", "'勝利' is neither a move nor an end"),
        (kif, f"{HEAD}1 ７六歩(77)\n2 詰み\n", "詰み says that the last move mates"),
        (kif, "手合割：百枚落ち\n", "no handicap is called 百枚落ち"),
        (kif, "先手の持駒：玉\n", "cannot be in hand"),
        (kif, "| ・ ・|一\n", "the diagram must have 9 rows of 9 squares"),
        (csa, "+7775FU\n", "game 1, move 1, \\+7775FU: '7g7e' is not a legal move"),
        (csa, "+7776GI\n", "the piece on 77 cannot become GI"),
        (csa, "+7776FU\n+2726FU\n", "it is the other player's turn"),
        (csa, "+7776XX\n", "game 1: move 1, \\+7776XX: 'XX' is no piece"),
        (csa, "V2.2\nPI\n+\n+7776FU\n-3334FU\n+8844UM\n", "game 1, move 3, \\+8844UM"),
        (csa, "'one\nV2.2\n+7776FU\n/\n'two\nV2.2\n+7775FU\n", "game 2, move 1, \\+7775FU"),
        (csa, "hello\n", "'hello' is no statement of CSA"),
        (csa, "P0\n", "'P0' places no pieces"),
        (csa, "P+51OU52OU\n+\n", "2 kings"),
        (csa, "+7776FU\n%TSUMI\n", "the last move mates, and it does not"),
    ],
)
def test_what_is_wrong_is_told(form: Any, text: str, why: str) -> None:
    with pytest.raises(Unsuitable, match=why):
        form.read(text, SHOGI)


def test_other_games_are_refused() -> None:
    for form in (kif, csa):
        with pytest.raises(Unsuitable, match="hold games of shogi, not of dobutsu"):
            form.read("x", games.dobutsu())
        with pytest.raises(Unsuitable, match="holds games of shogi, not of dobutsu"):
            form.write([Record(games.dobutsu().position())])
