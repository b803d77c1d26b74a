"""play: the dialogue, typed through a pipe."""

from __future__ import annotations

import pytest

QUICK = ("--mode", "interpreted", "--memory", "1MB", "--depth", "2")


def test_a_game_is_won(zermelo):
    done = zermelo("play", "tic-tac-toe", *QUICK, "--position", "XX-OO----", typed="c1\n")
    assert (done.code, done.err) == (0, "")
    assert "You are the first player against alphabeta" in done.out
    assert "moves: c1 c2 a3 b3 c3" in done.out
    assert "1 X X X" in done.out
    assert done.out.endswith("The game is over: first player wins (you win).\n")


def test_a_game_is_lost(zermelo):
    done = zermelo("play", "tic-tac-toe", *QUICK, "--position", "XX-OO----", typed="a3\n")
    assert "alphabeta plays c2 (second player wins, proven" in done.out
    assert done.out.endswith("The game is over: second player wins (you lose).\n")


def test_the_engine_may_begin(zermelo):
    done = zermelo("play", "tic-tac-toe", *QUICK, "--side", "second", "--position", "XX-OO----")
    assert "You are the second player" in done.out
    assert "alphabeta plays c1" in done.out
    assert "(you lose)" in done.out


def test_undo_goes_back_to_the_persons_last_move(zermelo):
    done = zermelo("play", "tic-tac-toe", *QUICK, typed="a1\nundo\nundo\nb2\nquit\n")
    assert done.code == 0
    boards = [block.splitlines()[:3] for block in done.out.split("\n\n") if block.startswith("1 ")]
    assert boards[0] == boards[2] == ["1 . . .", "2 . . .", "3 . . ."]
    assert boards[1][0].startswith("1 X")
    assert "X" in boards[3][1]
    assert "there is nothing to take back" in done.out
    assert done.out.endswith("goodbye\n")


def test_hint_moves_and_help(zermelo):
    done = zermelo("play", "tic-tac-toe", *QUICK, "--position", "XX-OO----", typed="hint\nmoves\nhelp\nquit\n")
    assert "hint: c1 (first player wins, proven, depth 1)" in done.out
    assert done.out.count("moves: c1 c2 a3 b3 c3") == 2
    assert "take back your last move" in done.out


def test_an_illegal_move_is_explained_and_asked_again(zermelo):
    done = zermelo("play", "tic-tac-toe", *QUICK, "--position", "XX-OO----", typed="a1\n\nC1\n")
    assert "'a1' is not a legal move here; legal: c1 c2 a3 b3 c3" in done.out
    assert "(you win)" in done.out


def test_the_end_of_input_quits_politely(zermelo):
    done = zermelo("play", "tic-tac-toe", *QUICK, typed="b2\n")
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("goodbye\n")


def test_a_move_that_reads_like_a_command_is_a_move(zermelo, graph):
    nodes = {"A": {"turn": "max", "moves": ["quit", "undo"]}, "quit": {"value": 2}, "undo": {"value": -2}}
    done = zermelo("play", graph({"root": "A", "nodes": nodes}), *QUICK, typed="quit\n")
    assert "The game is over: score +2 for the first player (you win)." in done.out


def test_a_horizon_leaves_the_game_unfinished(zermelo, graph):
    nodes = {"A": {"turn": "max", "moves": ["B"]}, "B": {"estimate": 1}}
    done = zermelo("play", graph({"root": "A", "nodes": nodes}), *QUICK, typed="B\n")
    assert done.code == 0
    assert "unfinished" in done.out


@pytest.mark.parametrize("engine", ["random", "negascout"])
def test_other_engines(zermelo, engine):
    done = zermelo("play", "tic-tac-toe", *QUICK, "--engine", engine, "--seed", 1, typed="b2\nhint\n")
    assert f"{engine} plays" in done.out
    assert "hint: " in done.out


def test_ctrl_c_at_the_prompt(zermelo, monkeypatch):
    def pressed(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", pressed)
    done = zermelo("play", "tic-tac-toe", *QUICK)
    assert (done.code, done.err) == (130, "zermelo: interrupted\n")
