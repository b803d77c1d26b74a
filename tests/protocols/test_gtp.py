"""GTP, command by command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from talking import INTERPRETED, Talk
from zermelo import games
from zermelo.play.formats import format_of
from zermelo.protocols.gtp import Gtp
from zermelo.protocols.gtp_board import Drawn
from zermelo.protocols.options import Choices


def talk_about(game: str, method: str = "alphabeta(nodes=200)", **parameters: object) -> Talk:
    told = {name: str(value) for name, value in parameters.items()}
    return Talk(Gtp(Choices(game, told, method, INTERPRETED)))


def answer(talk: Talk, line: str) -> str:
    """What is answered to a command, without the sign and the empty line that ends it."""
    *lines, last = talk.ask(line)
    assert last == ""
    assert lines[0][0] in "=?"
    assert all(lines[1:]) or not lines[1:]
    return "\n".join(lines)


# the protocol


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("protocol_version", "= 2"),
        ("7 protocol_version", "=7 2"),
        ("  12\tprotocol_version  # what is it?", "=12 2"),
        ("protocol_version\r", "= 2"),
        ("proto\x07col_version", "= 2"),
        ("name", "= Zermelo"),
        ("known_command genmove", "= true"),
        ("known_command fly", "= false"),
        ("3 fly away", "?3 unknown command"),
        ("boardsize x", "? boardsize not an integer"),
        ("boardsize 99", "? unacceptable size"),
        ("boardsize", "? boardsize takes one size, or columns and rows"),
        ("play black", "? syntax error: play takes a colour and a move"),
        ("play green a1", "? syntax error: a colour is black or white"),
        ("play black z9", "? illegal move"),
        ("play white a1", "? illegal move: black is to move"),
        ("undo", "? cannot undo"),
        ("komi x", "? syntax error: komi takes numbers"),
        ("komi 6.5", "="),
        ("time_settings 1 nan 2", "? time_settings: nan is out of range"),
        ("time_left black 10 0", "="),
        ("final_score", "? cannot score: the game is not over"),
        ("set_game nonsense", "? no game is called nonsense"),
        ("loadsgf /no/such/file.sgf", "? cannot load file"),
    ],
)
def test_commands(line: str, said: str) -> None:
    assert answer(talk_about("hex", size=3), line).startswith(said)


def test_empty_lines_and_comments_are_passed_over() -> None:
    assert talk_about("hex", size=3).ask("", "   ", "# nothing", "\t#") == []


def test_all_commands_are_listed_and_quit_is_the_last() -> None:
    talk = talk_about("hex", size=3)
    listed = answer(talk, "list_commands").removeprefix("= ").split("\n")
    assert {"quit", "genmove", "play", "undo", "gogui-rules_board", "lz-analyze", "cputime"} <= set(listed)
    talk.tell("4 quit")
    assert talk.over
    assert talk.news() == ["=4", ""]


WORDS = (
    "1", "play", "black", "white", "a1", "b2", "pass", "genmove", "undo", "boardsize", "3", "4", "komi", "nan",
    "final_score", "time_left", "time_settings", "0", "-1", "clear_board", "showboard", "gogui-rules_board",
    "gogui-rules_legal_moves", "zermelo-values", "set_game", "Othello", "loadsgf",
)  # fmt: skip


@settings(max_examples=15, deadline=None)
@given(st.lists(st.one_of(
    st.text(max_size=20),
    st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join),
), max_size=6))  # fmt: skip
def test_nothing_that_is_said_does_any_harm(lines: list[str]) -> None:
    talk = talk_about("hex", method="alphabeta(nodes=20)", size=3)
    talk.ask(*(line for line in lines if "quit" not in line))
    assert answer(talk, "9 protocol_version") == "=9 2"


# playing


def test_a_game_is_played_and_taken_back() -> None:
    talk = talk_about("hex", size=3)
    for line in ("play b b2", "play w a1", "play b b3"):
        assert answer(talk, line) == "="
    assert answer(talk, "showboard").split("\n")[1].split() == ["1", "O", ".", "."]
    assert answer(talk, "undo") == "="
    assert answer(talk, "reg_genmove b") == answer(talk, "reg_genmove b")
    moved = answer(talk, "genmove b").removeprefix("= ")
    assert re.fullmatch("[abc][123]", moved)
    assert answer(talk, f"play w {moved}") == "? illegal move"


def test_after_the_end_passes_are_taken_and_score_is_told() -> None:
    talk = talk_about("hex", size=2)
    talk.ask("play b a1", "play w b1", "play b a2")  # top to bottom
    assert answer(talk, "final_score") in ("= B+1", "= W+1")
    assert answer(talk, "genmove w") == "= resign"
    assert answer(talk, "play w pass") == "="
    assert answer(talk, "play w b2") == "? illegal move"
    assert answer(talk, "undo") == "="
    assert answer(talk, "undo") == "="
    assert answer(talk, "final_score").startswith("?")


def test_a_colour_moves_twice_where_the_other_may_pass() -> None:
    talk = talk_about("othello", rows=4, cols=4)
    over = games.othello(rows=4, cols=4).position()
    while over.result is None and "pass" not in over.moves():
        over = over.play(over.moves()[-1])
        colour = "bw"[over.previous.turn]  # type: ignore[union-attr]
        assert answer(talk, f"play {colour} {over.history()[-1]}") == "="
    if over.result is None:
        other = "bw"[1 - over.turn]
        move = over.play("pass").moves()[0]
        assert answer(talk, f"play {other} {move}") == "="
    assert answer(talk, "genmove b").startswith("=")


def test_boards_of_other_sizes_and_other_games() -> None:
    talk = talk_about("hex", size=3)
    assert answer(talk, "boardsize 2") == "="
    assert answer(talk, "play b c3") == "? illegal move"
    assert answer(talk, "boardsize 4 4") == "="
    assert answer(talk, "play b d4") == "="
    assert answer(talk, "boardsize 4 5") == "? unacceptable size"
    assert "Othello" in answer(talk, "list_games")
    assert answer(talk, "set_game Othello") == "="
    assert answer(talk, "boardsize 6") == "="
    assert answer(talk, "play b c2") == "="


@pytest.mark.parametrize(
    ("commands", "seconds"),
    [
        ([], 1.0),
        (["time_settings 30 0 0"], 30 / 5),
        (["time_settings 0 2 1"], 1.95),
        (["time_settings 0 20 10"], 1.95),
        (["time_settings 0 5 0"], 1.0),
        (["time_settings 30 0 0", "time_left b 10 0"], 2.0),
        (["time_settings 30 20 10", "time_left b 8 4"], 1.95),
    ],
)
def test_clocks(commands: list[str], seconds: float) -> None:
    talk = talk_about("tic-tac-toe")
    talk.ask(*commands)
    table = talk.server.table  # type: ignore[attr-defined]
    assert table.limits(table.position).seconds == pytest.approx(seconds)


def test_a_game_is_loaded_from_sgf(tmp_path: Path) -> None:
    if format_of("game.sgf") is None:
        pytest.skip("SGF is not there yet")
    file = tmp_path / "game.sgf"
    file.write_text("(;FF[4]GM[11]SZ[3];B[a2];W[b2];B[c1])")
    talk = talk_about("hex", size=3)
    assert answer(talk, f"loadsgf {file}") == "= white"
    assert answer(talk, f"loadsgf {file} 2") == "= white"
    assert answer(talk, "play w b2") == "="


# names of cells: an asymmetric position, a stone in the second column of the lowest row


def test_gogui_counts_rows_from_below_and_knows_no_i() -> None:
    talk = talk_about("hex", size=11)
    assert answer(talk, "gogui-rules_game_id") == "= Hex"
    assert answer(talk, "gogui-rules_board_size") == "= 11 hex"
    assert answer(talk, "play b B1") == "="
    assert answer(talk, "play w J11") == "="  # the ninth column, which we call i, of the uppermost row
    assert answer(talk, "play b I3").startswith("? illegal move")
    rows = answer(talk, "gogui-rules_board").split("\n")[1:]
    assert rows[-1] == ". X . . . . . . . . ."
    assert rows[0] == ". . . . . . . . O . ."
    position = talk.server.table.position  # type: ignore[attr-defined]
    assert position.history() == ["b11", "i1"]
    legal = answer(talk, "gogui-rules_legal_moves").removeprefix("= ").split()
    assert len(legal) == 119
    assert not {"B1", "J11"} & set(legal)
    assert not any(word.startswith("I") for word in legal)


def test_others_are_answered_in_the_game_s_own_names() -> None:
    talk = talk_about("othello")
    assert answer(talk, "play b f5") == "="  # rows from the top, as Othello programs have it
    assert talk.server.table.position.history() == ["f5"]  # type: ignore[attr-defined]
    hexes = talk_about("hex", size=11)
    assert answer(hexes, "play b i1") == "="
    assert answer(hexes, "showboard").split("\n")[1].split()[9] == "X"


def test_moves_from_cell_to_cell_are_two_taps() -> None:
    talk = talk_about("breakthrough", width=4, height=5)
    assert answer(talk, "gogui-rules_board_size") == "= 4 5"
    assert answer(talk, "gogui-rules_legal_moves") == "= " + " ".join(
        dict.fromkeys(m[:2].upper() for m in games.breakthrough(width=4, height=5).position().moves())
    )
    assert answer(talk, "play b B2") == "="
    assert answer(talk, "gogui-rules_side_to_move") == "= black"
    assert set(answer(talk, "gogui-rules_legal_moves")[2:].split()) == {"A3", "B3", "C3"}
    assert answer(talk, "undo") == "="
    assert answer(talk, "play b C2") == "="
    assert answer(talk, "play b D3") == "="
    assert answer(talk, "gogui-rules_side_to_move") == "= white"
    first = answer(talk, "genmove w")[2:]
    assert answer(talk, "gogui-rules_side_to_move") == "= white"
    second = answer(talk, "genmove w")[2:]
    assert talk.server.table.position.history() == ["c2d3", (first + second).lower()]  # type: ignore[attr-defined]


def test_a_column_is_the_cell_that_is_filled() -> None:
    talk = talk_about("connect-four")
    assert answer(talk, "gogui-rules_legal_moves") == "= A1 B1 C1 D1 E1 F1 G1"
    answer(talk, "play b D1")
    assert answer(talk, "gogui-rules_legal_moves") == "= A1 B1 C1 D2 E1 F1 G1"
    assert answer(talk, "gogui-rules_board").split("\n")[-1] == ". . . X . . ."


GRIDS = ["tic-tac-toe", "hex", "othello", "breakthrough", "dobutsu", "connect-four", "domineering"]


@pytest.mark.parametrize("name", GRIDS)
def test_every_move_of_a_grid_is_reached_by_taps(name: str) -> None:
    position = games.load(name).position()
    for _ in range(6):
        drawn = Drawn(position)
        for code, path in drawn.taps.items():
            assert path or position.text_of(code) == "pass" or "@" in position.text_of(code), position.text_of(code)
            assert all(drawn.cell_at(drawn.vertex(cell)) == cell for cell in path)
        position = position.play(position.codes[len(position.codes) // 2])


# analysis


def test_values_are_shown_and_right() -> None:
    talk = talk_about("tic-tac-toe", method="alphabeta")
    talk.ask("play b a1", "play w b2", "play b b1")
    assert [line.split("/")[0] for line in answer(talk, "gogui-analyze_commands")[2:].split("\n")] == [
        "gfx", "string", "var",
    ]  # fmt: skip
    label, colour, text = answer(talk, "zermelo-values").removeprefix("= ").split("\n")
    shown = dict(zip(label.split()[1::2], label.split()[2::2], strict=True))
    assert shown["c1"] in "DW"  # the only move that does not lose at once
    assert all(worth == "L" for move, worth in shown.items() if move != "c1")
    assert colour.split()[2:] == ["c1"]
    assert "for white, proven" in text
    assert answer(talk, "zermelo-line").split()[1] == "c1"
    assert answer(talk, "hexgui-analyze_commands") == answer(talk, "gogui-analyze_commands")


@pytest.mark.parametrize("command", ["lz-analyze", "kata-analyze"])
def test_an_analysis_goes_on_until_something_is_said(command: str) -> None:
    talk = talk_about("tic-tac-toe", method="alphabeta")
    talk.tell("play b a1", "play w a2", f"5 {command} b 1")
    said = talk.await_line("info move")
    assert "=5" in said
    assert talk.server.busy
    rest = said + talk.ask("6 name")
    assert rest[-4:][-2:] == ["=6 Zermelo", ""]
    info = next(line for line in reversed(rest) if line.startswith("info"))
    assert re.match(r"info move \w+ visits \d+ winrate [\d.]+ .*order 0 pv \w+", info)
    assert " order 1 " in info
    assert rest[rest.index("=6 Zermelo") - 1] == ""
