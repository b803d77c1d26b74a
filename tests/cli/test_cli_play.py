"""play: the dialogue, typed through a pipe."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from zermelo.core.session import Session

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
    assert "\ngoodbye\n" in done.out
    assert done.out.split("moves so far: ")[1].startswith("b2 ")  # what was taken back is not among the moves
    assert done.out.splitlines()[-2].startswith("b2 {")


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
    done = zermelo("play", "tic-tac-toe", *QUICK)
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
    done = zermelo("play", "tic-tac-toe", *QUICK, "--method", engine, "--seed", 1, typed="b2\nhint\n")
    assert f"{engine} plays" in done.out
    assert "hint: " in done.out


# Leaving a game, and going on with it

TITLE = "tic-tac-toe(rows=3, cols=3, run=3)"


def fails(outcome, *words):
    """Bad input is met with one line, no traceback, and nothing on stdout."""
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("zermelo: ")
    assert outcome.err.count("\n") == 1
    for word in words:
        assert word in outcome.err


def test_a_game_that_is_left_says_how_to_go_on(zermelo, tmp_path):
    left = zermelo("play", "tic-tac-toe", *QUICK, "--set", "cols=3", "--method", "random", typed="b2\nquit\n")
    moves = left.out.split("moves so far: ")[1].splitlines()[0]
    advice = "to go on, write these lines into a file: zermelo play tic-tac-toe --set cols=3 --resume FILE\n"
    lines = left.out.split(advice)[1]
    assert lines.startswith(f"{TITLE}\nfirst: person\nsecond: random(")
    assert lines.endswith("\nresult: open, the first player left\n")
    file = tmp_path / "game"
    for text in (lines, f"{TITLE}\n{moves}"):  # all that is told, or what matters
        file.write_text(text)
        again = zermelo("play", "tic-tac-toe", *QUICK, "--resume", file)
        assert again.code == 0
        assert again.out.splitlines()[2] == f"moves so far: {moves}"
        assert file.read_text() == text  # nothing was played


def test_a_file_keeps_the_game_to_its_end(zermelo, tmp_path):
    file = tmp_path / "my game"
    started = ("play", "tic-tac-toe", *QUICK, "--position", "XX-OO----", "--resume", file)
    left = zermelo(*started, typed="hint\nquit\n")
    assert left.out.endswith("goodbye\n")
    assert not file.exists()
    left = zermelo("play", "tic-tac-toe", "--side", "second", "--depth", 1, "--mode", "interpreted", "--resume", file)
    assert f"to go on: zermelo play tic-tac-toe --side second --resume '{file}'" in left.out
    assert file.read_text().startswith(f"{TITLE}\n")
    file.write_text(f"\n{TITLE}\nposition: XX-OO----\n")
    won = zermelo("play", "tic-tac-toe", *QUICK, "--resume", file, typed="c1\n")
    assert "(you win)" in won.out
    first, *middle, move, result = file.read_text().splitlines()
    assert (first, result) == (TITLE, "result: +1, by the rules")
    assert "position: XX-OO----" in middle
    assert move.startswith("c1 {")
    over = zermelo(*started)
    assert (over.code, over.err) == (0, "")
    assert "(you win)" in over.out
    fails(zermelo(*started[:-4], "--position", "X--------", "--resume", file), "does not come through --position")


def test_moves_that_hold_blanks(zermelo, graph, tmp_path):
    nodes = {"A": {"turn": "max", "moves": ["to B", "C"]}, "to B": {"turn": "min", "moves": ["the end", "D"]},
             "the end": {"turn": "max", "moves": ["D", "C"]}, "D": {"value": 1}, "C": {"value": -1}}  # fmt: skip
    file, game = tmp_path / "kept", graph({"root": "A", "nodes": nodes})
    file.write_text("graph(file=small.json)\nto B\nthe end\n")
    left = zermelo("play", game, "--resume", file)
    assert "moves so far: to B the end" in left.out
    (tmp_path / "elsewhere").mkdir()
    moved = tmp_path / "elsewhere" / "small.json"
    moved.write_text((tmp_path / "small.json").read_text())
    assert zermelo("play", moved, *QUICK, "--resume", file, typed="D\n").code == 0
    assert [line.split(" {")[0] for line in file.read_text().splitlines()] == [
        "graph(file=small.json)", "first: person", "second: alphabeta(depth=2, memory=1MB, mode=interpreted)",
        "to B", "the end", "D", "result: +1, by the rules",
    ]  # fmt: skip


def test_dice_are_kept(zermelo, tmp_path):
    file = tmp_path / "pig"
    played = ("play", "pig", "--set", "goal=20", "--method", "random", "--seed", 3, "--resume", file)
    left = zermelo(*played, typed="roll\n")
    kept = file.read_text()
    assert kept.startswith("pig(goal=20, sides=6)\nfirst: person\nsecond: random(seed=4)\nseed: 3\nroll {")
    moves = left.out.split("moves so far: ")[1].splitlines()[0]
    assert any(word.isdigit() for word in moves.split())
    assert f"moves so far: {moves}" in zermelo(*played).out


def test_taking_back_does_not_throw_again(zermelo):
    typed = "roll\n" + "undo\nroll\n" * 9
    done = zermelo("play", "pig", "--set", "goal=50", "--method", "random", "--seed", 3, typed=typed)
    assert len({line for line in done.out.splitlines() if line.startswith("chance: ")}) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hex(size=3)\na1", ("holds no game of tic-tac-toe(rows=3, cols=3, run=3)", "'hex(size=3)'")),
        ("os:system\na1", ("'os:system'",)),
        (f"{TITLE}\na1 b2\na1", ("line 3", "move 3", "'a1' is not a legal move here")),
        (f"{TITLE}\na1 b2\n\na1", ("line 4", "'a1'")),
        (f"{TITLE}\na1 b2\n\n{TITLE}\nb1", ("holds 2 games",)),
        (f"{TITLE}\na1 b2\nresult: -1, the first player resigned", ("over", "the first player resigned")),
        (f"{TITLE}\na1 a2 b1 b2 c1\nresult: -1, by the rules", ("line 3", "said to be -1", "+1, by the rules")),
        (f"{TITLE}\na1 b2\nresult: +1, by the rules", ("line 3", "the game is not over")),
        (f"{TITLE}\na1 {{b2", ("line 2", "'{b2'")),
        (f"{TITLE}\na1 z9", ("line 2", "'z9' is not a legal move here")),
        (f"{TITLE}\nposition: XXXX\na1", ("line 2",)),
        (f"{TITLE}\na1 a2 b1 b2 c1 c2", ("line 2", "'c2' cannot be played: the game is over")),
        (f"{TITLE}\n{'9' * 10**5}", ("line 2",)),
        ("x" * 10**5, ("holds no game",)),
        (b"\x80\xff", ("it is not UTF-8 text",)),
    ],
)
def test_files_that_hold_no_such_game(zermelo, tmp_path, text, words):
    file = tmp_path / "game"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    before = file.read_bytes()
    done = zermelo("play", "tic-tac-toe", *QUICK, "--resume", file, typed="a1\n")
    fails(done, *words)
    assert len(done.err) < 1000
    assert file.read_bytes() == before


def test_a_file_that_cannot_be_written(zermelo, tmp_path):
    fails(zermelo("play", "tic-tac-toe", *QUICK, "--resume", tmp_path / "no" / "game"), "there is no folder")
    fails(zermelo("play", "tic-tac-toe", *QUICK, "--resume", tmp_path), "cannot be read: Is a directory")


def test_moves_are_printed_before_a_file_fails(zermelo, tmp_path, monkeypatch):
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    done = zermelo("play", "tic-tac-toe", *QUICK, "--resume", tmp_path / "game", typed="b2\n")
    assert done.code == 2
    assert "moves so far: b2 " in done.out
    assert "No space left on device" in done.err


# Ctrl-C


def test_ctrl_c_at_the_prompt_leaves(zermelo, monkeypatch, tmp_path):
    typed = iter(["b2"])

    def pressed(prompt: str) -> str:
        for words in typed:
            return words
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", pressed)
    done = zermelo("play", "tic-tac-toe", *QUICK, "--resume", tmp_path / "game")
    assert (done.code, done.err) == (130, "")
    assert "moves so far: b2 " in done.out
    kept = (tmp_path / "game").read_text().splitlines()
    assert (kept[0], kept[-1]) == (TITLE, "result: open, stopped")
    assert kept[-2].startswith("b2 {")


@pytest.mark.usefixtures("heeding_interrupts")
@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_while_the_engine_thinks(zermelo, monkeypatch, times):
    search = Session.search

    def pressed(self, *arguments, **more):
        for _ in range(times):
            os.kill(os.getpid(), signal.SIGINT)
        return search(self, *arguments, **more)

    monkeypatch.setattr(Session, "search", pressed)
    before = signal.getsignal(signal.SIGINT)
    done = zermelo("play", "tic-tac-toe", *QUICK, typed="b2\n")
    assert (done.code, done.err) == (0 if times == 1 else 130, "")
    assert ("alphabeta plays" in done.out) == (times == 1)
    assert "moves so far: b2" in done.out
    assert signal.getsignal(signal.SIGINT) is before


# Any two at the board

NAMES = ("--first", "alphabeta(depth=3)", "--second", "random", "--with", "mode=interpreted", "--with", "memory=1MB")


def test_two_engines(zermelo, tmp_path):
    file = tmp_path / "games"
    watched = ("play", "tic-tac-toe", *NAMES, "--seed", 3, "--record", file)
    done = zermelo(*watched)
    assert (done.code, done.err) == (0, "")
    assert "first player (alphabeta) plays a1 (about 0 for the first player, heuristic, depth 3)" in done.out
    assert "second player (random) plays " in done.out
    assert done.out.count("\n1 ") == done.out.count(" plays ") + 1  # a board before, and one after each move
    assert "The game is over: " in done.out
    assert zermelo(*watched).out == done.out  # the seed makes it the same game
    paragraphs = file.read_text().split("\n\n")
    assert len(paragraphs) == 2
    for paragraph in paragraphs:
        assert paragraph.startswith(f"{TITLE}\nfirst: alphabeta(depth=3, ")
        assert "\nresult: " in paragraph


def test_two_people(zermelo):
    done = zermelo("play", "tic-tac-toe", *QUICK, "--first", "person", "--second", "person",
                   typed="b2\na1\nundo\nc1\nhint\nresign\n")  # fmt: skip
    assert "Two people play." in done.out
    assert "second player's move: a1" in done.out
    assert "first player's move: undo" in done.out
    assert "hint: " in done.out
    assert done.out.endswith("The game is over: first player wins, the second player resigned.\n")


@pytest.mark.parametrize(
    ("seats", "greeting"),
    [
        (("--first", "random"), "You are the second player against random."),
        (("--second", "random"), "You are the first player against random."),
        (("--second", "person"), "You are the second player against alphabeta."),
        (("--first", "person", "--method", "random"), "You are the first player against random."),
        (("--first", "person", "--second", "person"), "Two people play."),
    ],
)
def test_who_sits_where(zermelo, seats, greeting):
    assert greeting in zermelo("play", "tic-tac-toe", *QUICK, *seats).out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--first", "random", "--side", "first"), ("--side", "leave it out")),
        (("--first", "random", "--second", "random", "--method", "mtdf"), ("--method", "leave it out")),
        (("--first", "alphabet"), ("no method is called alphabet", "did you mean alphabeta?")),
        (("--first", "alphabeta(depth)"), ("NAME=VALUE",)),
        (("--method", "alphabeta(depth=0)"), ("at least 1",)),
        (("--clock", "0"), ("above 0",)),
        (("--clock", "-5+1"), ("above 0",)),
        (("--clock", "0/move"), ("above 0",)),
        (("--clock", "soon"), ("'soon' is no clock", "60+1")),
        (("--record", "no/such/file"), ("there is no folder",)),
    ],
)
def test_what_makes_no_game(zermelo, arguments, words):
    fails(zermelo("play", "tic-tac-toe", *QUICK, *arguments), *words)


def test_an_engine_that_the_game_cannot_be_played_with(zermelo):
    fails(zermelo("play", "pig", "--first", "alphabeta", "--second", "random"), "chance positions", "star2.5")


def test_a_clock_is_shown_and_its_flag_falls(zermelo, monkeypatch):
    times = iter([0.0, 0.5, 100.0, 170.0])
    monkeypatch.setattr("zermelo.play.sitting.monotonic", lambda: next(times))
    people = ("--first", "person", "--second", "person")
    done = zermelo("play", "tic-tac-toe", *people, "--clock", "60+1", typed="b2\na1\n")
    assert "first player's move (60.0 s left): " in done.out
    assert done.out.endswith("The game is over: first player wins, the second player ran out of time.\n")


@pytest.mark.usefixtures("heeding_interrupts")
def test_ctrl_c_stops_two_engines(zermelo, monkeypatch, tmp_path):
    search, file = Session.search, tmp_path / "games"

    def pressed(self, position, *arguments, **more):
        if len(position.history()) == 2:
            os.kill(os.getpid(), signal.SIGINT)
        return search(self, position, *arguments, **more)

    monkeypatch.setattr(Session, "search", pressed)
    done = zermelo("play", "tic-tac-toe", *NAMES, "--record", file)
    assert (done.code, done.err) == (130, "")
    assert done.out.count(" plays ") == 2
    assert "The game was stopped." in done.out
    assert "to go on, write these lines" in done.out
    assert file.read_text().endswith("result: open, stopped\n")


def test_pondering(zermelo):
    done = zermelo("play", "tic-tac-toe", *QUICK, "--ponder", "--position", "XX-OO----", typed="hint\na3\n")
    assert done.code == 0
    assert "alphabeta plays c2" in done.out


def test_the_help_fits_on_a_screen(zermelo):
    lines = zermelo("play", "--help").out.splitlines()
    assert len(lines) <= 26
    assert max(map(len, lines)) <= 80


DYING = """
import sys
for line in sys.stdin:
    if line.startswith("go"):
        sys.exit(1)
    print({"uci": "uciok", "isready": "readyok"}.get(line.strip(), ""), flush=True)
"""


def test_an_engine_that_dies_is_named_once(zermelo, tmp_path: Path) -> None:
    (tmp_path / "dying.py").write_text(DYING)
    engine = f'uci(command="{sys.executable} {tmp_path}/dying.py")'
    done = zermelo("play", "tic-tac-toe", "--first", engine, "--second", "random")
    assert done.code == 2
    assert done.out.endswith("The game is over: second player wins, the first player failed.\n")
    assert done.err.count("ended (exit code 1) and gave no move; the talk is in ") == 1
    assert f"{Path(sys.executable).name} {str(tmp_path)[:20]}" in done.err
