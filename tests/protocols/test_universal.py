"""UCI, USI and UCCI, line by line."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from talking import universal
from zermelo import games
from zermelo.compile.watch import Brake
from zermelo.play.foreign.dialect import UCCI, UCI, USI
from zermelo.protocols.mates import End, Mates
from zermelo.protocols.orders import limits_of, read_order
from zermelo.rules import CHANCE

WON = "XX-OO----"  # c1 wins at once


def bestmove(lines: list[str]) -> str:
    [found] = [line for line in lines if "bestmove" in line]
    return found


# greeting and options


def test_the_greeting_tells_the_game_its_parameters_and_how_it_is_searched() -> None:
    lines = universal("uci", "breakthrough", width=6).ask("uci")
    assert lines[0].startswith("id name Zermelo")
    assert lines[-1] == "uciok"
    assert "option name width type spin default 6 min 0 max 1000" in lines
    [variants] = [line for line in lines if "UCI_Variant" in line]
    assert re.match("option name UCI_Variant type combo default breakthrough .*var dobutsu", variants)
    names = {re.match(r"option name (.+?) type", line)[1] for line in lines[2:-1]}  # type: ignore[index]
    assert {"Engine", "Hash", "Threads", "MultiPV", "Ponder", "width", "height", "pawn_rows"} <= names


def test_ucci_names_no_names() -> None:
    lines = universal("ucci", "dobutsu").ask("ucci")
    assert "option usemillisec type check default false" in lines
    assert lines[-1] == "ucciok"


def test_options_change_the_game() -> None:
    talk = universal("uci", "breakthrough")
    talk.ask("setoption name width value 2", "setoption name height value 4", "setoption name pawn_rows value 1")
    talk.ask("position startpos moves a1a2")
    assert bestmove(talk.ask("go depth 1"))[len("bestmove ") :][0] in "ab"
    talk.ask("setoption name UCI_Variant value tic-tac-toe", f"position fen {WON}")
    assert bestmove(talk.ask("go depth 2")) == "bestmove c1"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("setoption name UCI_Variant value os:system", "info string no game is called os:system"),
        ("setoption name UCI_Variant value nosuch.py", "info string no game is called nosuch.py"),
        ("setoption name Nonsense value 3", "info string there is no option Nonsense: known: Clear Hash, Engine, Hash"),
        ("setoption name Hash value lots", "info string Hash takes a whole number"),
        ("setoption name rows value x", "info string tic_tac_toe: rows takes a whole number"),
        ("position", "info string position takes startpos"),
        ("position fen", "info string position takes startpos"),
        ("position fen XXXX", "info string"),
        ("position startpos moves a1 a1", "info string 'a1' is not a legal move"),
    ],
)
def test_what_cannot_be_is_said_and_changes_nothing(line: str, said: str) -> None:
    talk = universal("uci", "tic-tac-toe")
    talk.ask(f"position fen {WON}")
    [answer] = talk.ask(line)
    assert answer.startswith(said)
    if "setoption" not in line:
        assert bestmove(talk.ask("go depth 3")) == "bestmove c1"


def test_an_engine_that_cannot_be_is_refused_at_once_and_the_last_one_kept() -> None:
    talk = universal("uci", "tic-tac-toe", method="negascout")
    for value, said in [
        ("nosuch(depth=3)", "no method is called nosuch"), ("nonsense(", "'nonsense(' is no request"),
        ("alphabeta(foo=3)", "alphabeta has no setting foo"), ("alphabeta(null=on)", "tic-tac-toe has no rule skip"),
    ]:  # fmt: skip
        [line] = talk.ask(f"setoption name Engine value {value}")
        assert line.startswith(f"info string {said}")
        assert bestmove(talk.ask(f"position fen {WON}", "go depth 1")) == "bestmove c1"
    assert talk.server.choices.method == "negascout"  # type: ignore[attr-defined]


def test_an_engine_that_does_not_serve_another_game_is_given_up() -> None:
    talk = universal("uci", "tic-tac-toe", method="negascout")
    [line] = talk.ask("setoption name UCI_Variant value pig")
    assert line.startswith("info string ")
    assert bestmove(talk.ask("setoption name UCI_Variant value tic-tac-toe", "go depth 1")) != "bestmove (none)"


def test_the_table_is_cleared_by_a_button() -> None:
    talk = universal("uci", "tic-tac-toe")
    assert "option name Clear Hash type button" in talk.ask("uci")
    assert not any("Clear Hash" in line for line in universal("usi", "tic-tac-toe").ask("usi"))
    cold = nodes(talk.ask("go depth 5"))
    assert nodes(talk.ask("go depth 5")) < cold
    assert talk.ask("setoption name Clear Hash") == []
    assert nodes(talk.ask("go depth 5")) == cold


def nodes(lines: list[str]) -> int:
    return int(lines[-2].split(" nodes ")[1].split()[0])


def test_moves_without_their_word_are_told_of() -> None:
    talk = universal("uci", "tic-tac-toe")
    said = talk.ask("position startpos move a1")
    assert said == ["info string 'move a1' is passed over: moves come after startpos and the word moves"]


def test_a_limit_that_is_no_number_is_passed_over() -> None:
    lines = universal("uci", "tic-tac-toe").ask(f"position fen {WON}", "go depth x movetime nodes 50")
    said = "info string go {} takes a whole number, and is passed over"
    assert lines[:2] == [said.format("depth"), said.format("movetime")]
    assert bestmove(lines) == "bestmove c1"


WORDS = (
    "uci", "isready", "setoption", "name", "value", "position", "startpos", "fen", "moves", "go", "depth", "1", "nodes",
    "-5", "movetime", "x", "infinite", "searchmoves", "a1", "b2", "zz", "stop", "ponderhit", "ponder", "mate", "wtime",
    "banmoves", "ucinewgame", "MultiPV", "UCI_Variant", "rows", "3", "99",
)  # fmt: skip


@settings(max_examples=15, deadline=None)
@given(st.lists(st.one_of(
    st.text(max_size=30),
    st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join),
), max_size=6))  # fmt: skip
def test_nothing_that_is_said_does_any_harm(lines: list[str]) -> None:
    talk = universal("uci", "tic-tac-toe")
    talk.ask("setoption name Engine value alphabeta(nodes=50)")
    talk.tell(*(line for line in lines if "quit" not in line))
    talk.tell("stop")
    assert talk.server.wait(60)
    talk.tell("stop")
    talk.news()
    final = talk.ask(
        "setoption name UCI_Variant value dobutsu", "setoption name UCI_Variant value tic-tac-toe",
        "setoption name MultiPV value 1", f"position fen {WON}", "go depth 2",
    )  # fmt: skip
    assert final[-1] == "bestmove c1"


# searching


def test_lines_tell_value_and_play() -> None:
    talk = universal("uci", "breakthrough", width=4, height=5)
    lines = talk.ask("position startpos", "go depth 3")
    assert re.fullmatch(r"info depth 1 score cp -?\d+ nodes \d+(?: nps \d+)? time \d+ pv \w+", lines[0])
    assert lines[-2].startswith("info depth 3 ")
    move = lines[-1].split()[1]
    assert move in games.breakthrough(width=4, height=5).position().moves()
    assert f" pv {move}" in lines[-2]


def test_a_win_that_is_proven_is_a_mate() -> None:
    talk = universal("uci", "tic-tac-toe")
    assert "score mate 1 " in talk.ask(f"position fen {WON}", "go depth 9")[-2]
    lost = talk.ask("position fen XOX---X-O", "go depth 9")  # O to move, and X threatens twice
    assert "score mate -1 " in lost[-2]
    assert "score cp 0 " in talk.ask("position startpos", "go depth 9")[-2]


SOON = ("chess", "8/8/8/8/8/8/k1K5/7R w - - 0 1")  # Rh3, and the king has one move before it is mated
MORPHY = ("chess", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")  # Ra6 is quiet, and Black is in zugzwang


def test_the_distance_of_a_mate_is_the_same_from_a_warm_table() -> None:
    game, fen = SOON
    talk = universal("uci", game)
    for _ in range(2):
        told = talk.ask(f"position fen {fen}", "go depth 3")
        assert " score mate 2 " in told[-2]
        assert told[-2].endswith(" pv h1h3 a2a1 h3a3")
        assert told[-1] == "bestmove h1h3 ponder a2a1"
        assert not any(" score mate 1 " in line for line in told)
    lost = talk.ask(f"position fen {fen} moves h1h3", "go depth 2")
    assert " score mate -1 " in lost[-2]


def test_what_is_known_of_a_mate_holds_where_there_is_no_time_to_look_for_it() -> None:
    game = games.tic_tac_toe()
    position, mates = game.position("XOX---X-O"), Mates(game, "interpreted")
    assert mates.end(position, 0, None, Brake()) == End()
    assert mates.end(position, 0, z.Limits(nodes=1), Brake())[:3] == (None, (), 0)
    assert mates.end(position, 0, z.Limits(nodes=1000), Brake()).plies == 2
    again = mates.end(position, 0, None, Brake())
    assert (again.plies, len(again.line), again.beyond) == (2, 2, 1)
    after = position.play(again.line[0])
    assert mates.end(after, 0, None, Brake()).line == again.line[1:]


def test_a_mate_that_is_asked_for_is_looked_for_with_every_move() -> None:
    assert " score mate 2 " in universal("ucci", SOON[0]).ask(f"position fen {SOON[1]}", "go mate 2")[-2]
    talk = universal("uci", MORPHY[0])
    lines = talk.ask(f"position fen {MORPHY[1]}", "go mate 2")
    assert re.search(r"^info depth 3 score mate 2 .* pv a1a6 \S+ \S+$", lines[-2])
    assert bestmove(lines).startswith("bestmove a1a6 ponder ")
    only = talk.ask("go mate 2 searchmoves c8d7 a1a6")
    assert bestmove(only).startswith("bestmove a1a6")


def test_where_no_mate_is_a_move_is_played_all_the_same() -> None:
    talk = universal("uci", MORPHY[0])
    lines = talk.ask(f"position fen {MORPHY[1]}", "go mate 1")
    assert "info string there is no mate within 1 ply" in lines
    assert bestmove(lines) != "bestmove (none)"
    other = talk.ask("go mate 1 searchmoves c8d7")
    assert "info string there is no mate within 1 ply" in other
    assert bestmove(other).startswith("bestmove c8d7")


def test_with_dice_nothing_is_forced() -> None:
    talk = universal("uci", "einstein", size=3)
    assert len([line for line in talk.ask("go mate 1") if "bestmove" in line]) == 1


def test_a_line_goes_on_where_play_can_go_round() -> None:
    """In chess the history before the root sets apart what its table holds: the line is read with the root's."""
    talk = universal("uci", "chess")
    for begun in ("startpos", "startpos moves g1f3 g8f6 f3g1 f6g8"):
        lines = talk.ask(f"position {begun}", "go depth 2")
        line = lines[-2].split(" pv ")[1].split()
        assert len(line) >= 2
        assert bestmove(lines) == f"bestmove {line[0]} ponder {line[1]}"
        assert talk.ask(f"position startpos moves {' '.join(line)}") == []  # all of them are legal


def test_time_is_told_since_go() -> None:
    talk = universal("uci", "tic-tac-toe")
    server = talk.server
    server.later(lambda: time.sleep(0.2))
    lines = talk.ask("go depth 1")
    assert int(lines[-2].split(" time ")[1].split()[0]) >= 190


def test_what_is_loaded_when_it_is_first_used_is_loaded_before_readyok(monkeypatch: pytest.MonkeyPatch) -> None:
    talk = universal("uci", "chess")
    talk.ask("isready")
    monkeypatch.setattr("zermelo.core.engine.build", None)  # no kernel is made from now on
    assert " score mate 2 " in talk.ask(f"position fen {SOON[1]}", "go depth 3")[-2]
    assert bestmove(talk.ask(f"position fen {MORPHY[1]}", "go mate 2")).startswith("bestmove a1a6")


def test_usi_counts_mates_in_plies() -> None:
    lines = universal("usi", "tic-tac-toe").ask("position sfen XOX---X-O", "go depth 9")
    assert "score mate -2 " in lines[-2]


def test_several_lines_are_those_of_a_solver() -> None:
    """Every move's score agrees with what solving says of it."""
    game = games.tic_tac_toe()
    position = game.position("X---O----")
    talk = universal("uci", "tic-tac-toe")
    lines = talk.ask("setoption name MultiPV value 9", "position fen X---O----", "go depth 9")
    last = [line for line in lines if line.startswith("info")][-len(position.codes) :]
    assert [int(re.search(r"multipv (\d+)", line)[1]) for line in last] == [1, 2, 3, 4, 5, 6, 7]  # type: ignore[index]
    for line in last:
        move = line.split(" pv ")[1].split()[0]
        value = z.solve(position.play(move), mode="interpreted").value
        assert {0: "cp 0 ", 1: "score mate ", -1: "score mate -"}[int(value or 0)] in line  # X is to move


def test_searchmoves_and_banmoves_leave_only_some() -> None:
    talk = universal("uci", "tic-tac-toe")
    lines = talk.ask(f"position fen {WON}", "go depth 2 searchmoves a3 b3")
    assert bestmove(lines).split()[1] in ("a3", "b3")
    assert bestmove(talk.ask("go searchmoves c1 depth 2")) == "bestmove c1"
    other = universal("ucci", "tic-tac-toe")
    banned = other.ask(f"position fen {WON}", "banmoves c1", "go depth 2")
    assert bestmove(banned).split()[1] != "c1"
    assert other.ask("position fen XXOOOXXO-", "banmoves c3", "go depth 2") == ["nobestmove"]


def test_an_endless_search_answers_when_it_is_stopped() -> None:
    talk = universal("uci", "breakthrough")
    talk.tell("position startpos", "go infinite")
    talk.await_line("info depth 2")
    talk.tell("isready")
    talk.await_line("readyok")
    assert talk.server.busy
    assert bestmove(talk.ask("stop")).startswith("bestmove ")


def test_an_endless_search_that_knows_all_still_waits() -> None:
    talk = universal("uci", "tic-tac-toe")
    talk.tell(f"position fen {WON}", "go infinite")
    talk.await_line("info depth")
    assert not talk.server.wait(0.3)
    assert bestmove(talk.ask("stop")) == "bestmove c1"


def test_stop_before_the_search_has_begun_is_not_lost() -> None:
    talk = universal("uci", "breakthrough")
    assert bestmove(talk.ask("position startpos", "go infinite", "stop")).startswith("bestmove ")


def test_pondering_ends_by_a_hit_or_a_stop() -> None:
    talk = universal("uci", "breakthrough")
    talk.tell("position startpos", "go ponder wtime 3000 btime 3000")
    talk.await_line("info depth 2")
    assert talk.server.busy
    assert bestmove(talk.ask("ponderhit")).startswith("bestmove ")
    talk.tell("go ponder wtime 1000 btime 1000")
    assert bestmove(talk.ask("stop")).startswith("bestmove ")


def test_after_the_end_there_is_no_move() -> None:
    over = "XXXOO----"
    assert universal("uci", "tic-tac-toe").ask(f"position fen {over}", "go depth 3") == ["bestmove (none)"]
    assert universal("usi", "tic-tac-toe").ask(f"position sfen {over}", "go depth 3") == ["bestmove resign"]
    assert universal("ucci", "tic-tac-toe").ask(f"position fen {over}", "go depth 3") == ["nobestmove"]


def test_usi_mates_by_the_game_s_forcing_moves() -> None:
    assert universal("usi", "breakthrough").ask("go mate 100") == ["checkmate notimplemented"]
    talk = universal("usi", "dobutsu")
    won = talk.ask("position sfen 1l1/1C1/3/1LG b E 1", "go mate infinite")[-1]
    assert re.fullmatch(r"checkmate( \d[a-d]\d[a-d]\+?| [A-Z]\*\d[a-d])+", won), won
    assert talk.ask("position startpos", "go mate 2000")[-1] in ("checkmate nomate", "checkmate timeout")


def test_ucci_says_bye() -> None:
    talk = universal("ucci", "tic-tac-toe")
    talk.tell("ucci", "quit")
    assert talk.over
    assert talk.news()[-1] == "bye"


def test_squares_of_usi_and_counters_of_fens_are_understood() -> None:
    talk = universal("usi", "dobutsu")
    lines = talk.ask("position sfen gle/1c1/1C1/ELG b - 1 moves 2c2b", "go depth 2")
    assert re.fullmatch(r"bestmove 2a2b.*", bestmove(lines))  # the lion was in reach, and takes
    other = universal("uci", "dobutsu")
    said = other.ask("position fen gle/1c1/1C1/ELG[] w - - 0 1 moves b2b3", "go depth 2")
    assert bestmove(said).startswith("bestmove b4b3")


@pytest.mark.parametrize("name", ["hex", "othello", "connect-four", "kalah", "morris", "backgammon", "pig"])
def test_any_game_is_played(name: str) -> None:
    """Moves and positions of all kinds, moves with blanks among them, come through the protocol."""
    game, talk = games.load(name), universal("uci", name, method="random")
    position = game.position()
    words: list[str] = []
    for _ in range(8):
        if position.result is not None:
            break
        if position.turn == CHANCE:
            code = position.codes[0]
        else:
            said = bestmove(talk.ask(f"position startpos moves {' '.join(words)}", "go movetime 10")).split()[1]
            code = next(c for c in position.codes if position.text_of(c).replace(" ", "_") == said)
        words.append(position.text_of(code).replace(" ", "_"))
        position = position.play(code)
    assert len(words) == 8 or position.result is not None


# limits


@pytest.mark.parametrize(
    ("words", "dialect", "turn", "limits"),
    [
        ("depth 7", UCI, 0, (None, None, 7)),
        ("nodes 500 movetime 250", UCI, 0, (500, 0.25, None)),
        ("wtime 30000 btime 60000", UCI, 0, (None, 1.0, None)),
        ("wtime 30000 btime 60000", UCI, 1, (None, 2.0, None)),
        ("btime 30000 wtime 60000", USI, 0, (None, 1.0, None)),
        ("wtime 30000 btime 1 winc 1000 binc 0", UCI, 0, (None, 1.75, None)),
        ("wtime 30000 btime 1 movestogo 10", UCI, 0, (None, 3.0, None)),
        ("btime 0 wtime 0 byoyomi 1000", USI, 1, (None, 0.95, None)),
        ("btime 30000 wtime 0 byoyomi 1000", USI, 0, (None, 1.95, None)),
        ("time 30000 opptime 1", UCCI, 1, (None, 1.0, None)),
        ("mate 3", UCI, 0, (None, None, 5)),
        ("wtime -50 btime -50", UCI, 0, (None, 0.001, None)),
        ("depth -3", UCI, 0, (None, None, 1)),
        ("depth x nodes", UCI, 0, (None, None, None)),
        ("infinite searchmoves e2e4 d2d4 depth 3", UCI, 0, (None, None, 3)),
    ],
)
def test_limits(words: str, dialect: object, turn: int, limits: tuple[int | None, float | None, int | None]) -> None:
    found = limits_of(read_order(words.split(), dialect), dialect, turn, 30)  # type: ignore[arg-type]
    assert tuple(found) == pytest.approx(limits)


def test_ucci_counts_in_seconds_unless_told() -> None:
    order = read_order(["time", "30", "opptime", "30"], UCCI)
    assert limits_of(order, UCCI, 0, 30, 1000).seconds == pytest.approx(1.0)
