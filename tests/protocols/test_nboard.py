"""NBoard's protocol, and GGF, the games it sends."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from talking import INTERPRETED, Talk
from zermelo import games
from zermelo.play.ending import Ending, Why
from zermelo.play.formats import format_of, ggf
from zermelo.play.record import Note, Record
from zermelo.protocols.nboard import NBoard
from zermelo.protocols.options import Choices
from zermelo.rules import Unsuitable

GAME = games.othello()
EXAMPLE = (
    "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]BO[8 "
    "---------------------------O*------*O--------------------------- *]"
    "B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)"
)
"""The game in the protocol's own description."""


def talk() -> Talk:
    return Talk(NBoard(Choices("othello", {}, "alphabeta", INTERPRETED)))


def test_a_talk_as_the_protocol_describes_it() -> None:
    with_board = talk()
    said = with_board.ask("nboard 2", f"set game {EXAMPLE}", "set depth 2", "ping 1")
    assert said[0].startswith("set myname Zermelo")
    assert said[-1] == "pong 1"
    assert with_board.server.position.history()[-1] == "f4"  # type: ignore[attr-defined]
    lines = with_board.ask("go")
    [chosen] = [line for line in lines if line.startswith("===")]
    move = re.fullmatch(r"=== ([A-H][1-8])/(-?\d+\.\d\d)/\d+\.\d\d", chosen)
    assert move is not None
    assert with_board.server.position.history()[-1] == "f4"  # type: ignore[attr-defined]  # it is not played
    assert with_board.ask(f"move {move[1]}/{move[2]}/1.5") == []
    assert with_board.server.position.history()[-1] == move[1].lower()  # type: ignore[attr-defined]


def test_hints_are_the_best_moves_with_their_values() -> None:
    with_board = talk()
    lines = with_board.ask("set depth 2", "F5", "hint 3")
    found = [re.fullmatch(r"search ([A-H][1-8])\S* (-?\d+\.\d\d) 0 2", line) for line in lines]
    hints = [hint for hint in found if hint]
    assert sorted(hint[1] for hint in hints) == ["D6", "F4", "F6"]
    values = [float(hint[2]) for hint in hints]
    assert values == sorted(values, reverse=True)


def test_a_ping_ends_a_search() -> None:
    with_board = talk()
    with_board.tell("set depth 60", "hint 4")
    with_board.await_line("search")
    assert with_board.ask("ping 7")[-1] == "pong 7"


@pytest.mark.parametrize(
    "line", ["", "move", "move Z9", "set", "set depth", "set game nonsense", "hint", "sing", "set depth x"]
)
def test_nonsense_is_passed_over(line: str) -> None:
    with_board = talk()
    said = with_board.ask("set depth 1", line, "ping 3")
    assert said[-1] == "pong 3"
    assert with_board.server.position.history() == []  # type: ignore[attr-defined]


def test_learned_and_after_the_end() -> None:
    with_board = talk()
    assert with_board.ask("learn") == ["learned"]
    record = z.play_game(games.othello(), "random", "random", seed=1)
    assert with_board.ask(f"set game {ggf.write([record])}", "go") == ["status the game is over"]


# GGF


def test_the_example_is_read() -> None:
    assert format_of("games.ggf") is ggf
    [record] = ggf.read(EXAMPLE, games.othello())
    assert record.players == ("./mEdax", "chris")
    assert record.position.history() == ["f5", "f6", "d3", "c5", "e6", "f7", "e7", "f4"]
    assert record.ending is None


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 70), st.sampled_from([None, Why.RESIGNED, Why.TIME]))
def test_games_are_read_back(seed: int, plies: int, why: Why | None) -> None:
    """Random games, passes among them, some of them cut short, from the start and from elsewhere."""
    die, position = random.Random(seed), GAME.position()
    while position.result is None and len(position.history()) < plies:
        position = position.play(die.choice(position.codes))
    notes = tuple(Note(0.25 * ply, (-1) ** ply * ply) for ply in range(len(position.history())))
    ending = Ending.of(position, why, 1) if why is not None and position.result is None else None
    if position.result is not None:
        ending = Ending.of(position, Why.RULES)
    record = Record(position, notes, ("a [b]", "c"), ending=ending, event="cup")
    [back] = ggf.read(ggf.write([record]), record.game)
    assert back.position == record.position
    assert back.position.history() == record.position.history()
    assert back.notes == record.notes
    assert (back.ending, back.event, back.players) == (record.ending, "cup", ("a (b)", "c"))
    elsewhere = GAME.position(position.text())
    [other] = ggf.read(ggf.write([Record.begin(elsewhere, position.text())]), GAME)
    assert other.position == elsewhere


def test_several_games_stand_in_a_file() -> None:
    assert len(ggf.read(f"2 {EXAMPLE}\n{EXAMPLE}", games.othello())) == 2


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("hello", "is no GGF"),
        (EXAMPLE.replace("Othello", "Amazons"), "game 1: it is a game of Amazons"),
        (EXAMPLE.replace("BO[8 ", "BO[6 "), "game 1: it is on a board of size 6"),
        (EXAMPLE.replace("B[F5]", "B[A1]"), "game 1: move 1: 'A1' is not a legal move"),
        (EXAMPLE.replace("W[F6]", "B[F6]"), "game 1: move 2, F6, is B's, but W is to move"),
        ("(;GM[Othello]5;)", "is no property"),
    ],
)
def test_what_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(Unsuitable, match=re.escape(sentence)):
        ggf.read(text, games.othello())


def test_only_othello_has_ggf() -> None:
    with pytest.raises(Unsuitable, match="GGF is read and written for Othello on a square board, not for hex"):
        ggf.read(EXAMPLE, games.hex(size=3))
