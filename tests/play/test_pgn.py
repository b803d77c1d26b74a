"""PGN: what chess.pgn writes is read, what we write it reads, and what is wrong is told with game and move."""

from __future__ import annotations

import io
import random
from pathlib import Path

import chess as oracle
import chess.pgn
import pytest

from marks import slow
from zermelo import games
from zermelo.play.clock import Clock
from zermelo.play.ending import Ending, Why
from zermelo.play.formats import format_of, pgn
from zermelo.play.game_files import read_games
from zermelo.play.record import Note, Record, append_record, parse, read_records, write_records
from zermelo.rules import Unsuitable

CHESS = games.chess()
ANNOTATED = """\
% exported by hand
[Event "Hastings \\"open\\""]
[Site "?"]
[White "Ann"]
[Black "Bob"]
[Result "0-1"]
[TimeControl "60+1"]

1. f3 $6 (1. e4 e5 (1... c5 {Sicilian ) } 2. Nf3) 2. Nf3) 1... e5 ; the best
2. g4?? {a blunder
over two lines} Qh4# 0-1

[White "Cid"]
[Black "Dan"]
[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]

1.a8=Q+ Kd7 2 . Qb7+ 1-0
1. e4 *
"""


def test_what_may_stand_in_a_file() -> None:
    first, second, third = pgn.read(ANNOTATED, CHESS)
    assert first.position.history() == ["f2f3", "e7e5", "g2g4", "d8h4"]
    assert (first.players, first.event, first.clock) == (("Ann", "Bob"), 'Hastings "open"', Clock.read("60+1"))
    assert first.ending == Ending(-1, Why.RULES)
    assert second.began == "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
    assert second.position.history() == ["a7a8q", "e8d7", "a8b7"]
    assert second.ending == Ending(1, Why.UNTOLD)
    assert third.position.history() == ["e2e4"]
    assert third.ending is None


def random_record(seed: int) -> Record:
    chance = random.Random(seed)
    start = chance.choice(["", "4k3/1P6/8/8/8/8/1p6/4K3 b - - 0 1", "r3k2r/8/8/2pP4/8/8/8/R3K2R w KQkq c6 0 1"])
    record = Record.begin(CHESS.position(start))
    position = record.position
    for _ in range(chance.randrange(120)):
        if position.result is not None:
            break
        position = position.play(chance.choice(position.codes))
    notes = tuple(chance.choice([Note(), Note(0.25, -0.5)]) for _ in position.history())
    if position.result is not None:
        ending = Ending.of(position, Why.RULES)
    else:
        by = chance.choice([0, 1])
        ending = chance.choice([
            None, Ending.of(position, Why.RESIGNED, by), Ending.of(position, Why.TIME, by),
            Ending.of(position, Why.DECIDED, score=0), Ending.of(position, Why.UNTOLD, score=chance.choice([1, 0, -1])),
        ])  # fmt: skip
    return Record(position, notes, ("A, B.", "C"), Clock.read("60"), None, record.began, ending, "some event")


@pytest.mark.parametrize(
    ("said", "why"),
    [("1/2-1/2", Why.UNTOLD), ("1-0", Why.UNTOLD), ('[Termination "normal"]\n\n1. e4 1-0', Why.RESIGNED),
     ('[Termination "adjudication"]\n\n1. e4 1/2-1/2', Why.DECIDED)],
)  # fmt: skip
def test_a_reason_that_is_not_told_is_not_invented(said: str, why: Why) -> None:
    [record] = pgn.read(said if "[" in said else f"1. e4 e5 {said}", CHESS)
    assert record.ending is not None
    assert record.ending.why is why
    [kept] = parse(record.text(), CHESS)
    assert kept.ending == record.ending
    assert ("[Termination" in pgn.write([kept])) == ("[Termination" in said)


@pytest.mark.parametrize("seed", [1, 2, *slow(*range(3, 60))])
def test_random_records(seed: int) -> None:
    record = random_record(seed)
    text = pgn.write([record])
    theirs = chess.pgn.read_game(io.StringIO(text))
    assert theirs is not None
    assert theirs.errors == []
    assert [move.uci() for move in theirs.mainline_moves()] == record.position.history()
    assert (theirs.headers["White"], theirs.headers["Black"]) == record.players
    score = None if record.ending is None else record.ending.score
    assert theirs.headers["Result"] == {None: "*", 1: "1-0", -1: "0-1", 0: "1/2-1/2"}[score]
    assert oracle.Board(record.replay()[0].text()) == theirs.board()
    [back] = pgn.read(text, CHESS)
    assert back.text() == record.text()
    [again] = pgn.read(str(theirs), CHESS)
    assert again.position == record.position
    assert again.position.history() == record.position.history()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1. e4 e5 2. Ke3", "game 1: line 1, move 2. Ke3: 'Ke3' is not a legal move"),
        ('1. e4 *\n[White "C"]\n[Black "D"]\n\n1. e4 d5\n2. Nd5', r"game 2 \(C against D\): line 6, move 2. Nd5"),
        ('[FEN "4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1"]\n1. Nb3', "ambiguous here: it may be a1b3 or c1b3"),
        ("1. f3 e5 2. g4 Qh4# 3. a3", "move 3. a3 cannot be played: the game is over"),
        ("1. f3 e5 2. g4 Qh4# 1-0", "said to be 1-0, but by the rules it is -1"),
        ('[Result "2-0"]\n1. e4', r"the result is 1-0, 0-1, 1/2-1/2 or \*, not 2-0"),
        ('[FEN "8/8/8/8/8/8/8/4K3 w"]\n1. Kd1', "the tag FEN is wrong: Black has no king"),
        ('[Variant "Atomic"]\n1. e4', "of the variant Atomic, and not of standard chess"),
        ("1. e4 *\n1. e4\n(1. d4 (1. c4)", r"game 2: line 3: \( opens a variation that no \) closes"),
        ("1. e4 ) e5", "game 1: line 1: .* was not opened"),
        ("1. e4 *\n{never closed", "game 2: line 2: '{never closed' opens a comment that no } closes"),
        ("1. e4 $x", r"game 1: line 1: '\$x' is neither a tag nor a move nor a comment"),
    ],
)
def test_what_is_wrong(text: str, said: str) -> None:
    with pytest.raises(Unsuitable, match=said):
        pgn.read(text, CHESS)


def test_variants() -> None:
    gardner = games.chess(board="gardner", stalemate="win")
    record = Record.begin(gardner.position("a2a3 b4a3"))
    text = pgn.write([record])
    assert '[Variant "gardner, stalemate=win"]' in text
    assert pgn.read(text, gardner)[0].position.history() == ["a2a3", "b4a3"]
    with pytest.raises(Unsuitable, match="of the variant gardner, stalemate=win, and not of standard chess"):
        pgn.read(text, CHESS)
    with pytest.raises(Unsuitable, match="PGN holds games of chess, not of hex"):
        pgn.read(text, games.hex())


def test_one_loader_serves(tmp_path: Path) -> None:
    file, plain = tmp_path / "games.PGN", tmp_path / "games.txt"
    assert format_of(file) is pgn
    assert format_of(plain) is None
    records = [random_record(seed) for seed in (3, 4)]
    write_records(file, records[:1])
    append_record(file, records[1])
    assert [record.text() for record in read_records(file, CHESS)] == [record.text() for record in records]
    write_records(plain, records)
    assert [record.text() for record in read_records(plain, CHESS)] == [record.text() for record in records]
    assert [played.position for played in read_games(file, CHESS)] == [record.position for record in records]
    file.write_text("1. e4 e5 2. Ke3")
    with pytest.raises(Unsuitable, match=r"games.PGN: game 1: line 1, move 2. Ke3"):
        read_records(file, CHESS)
