"""Engines of others at our boards: what they do right, and what becomes of those that do not."""

from __future__ import annotations

import re
import subprocess
import time
from pathlib import Path

import pytest

import zermelo as z
from foreign_programs import engine, fake, installed, written
from zermelo import games
from zermelo.play.ending import Why
from zermelo.play.foreign import gtp, pipe, universal
from zermelo.play.foreign.notation import notation_of
from zermelo.play.record import Record, parse
from zermelo.rules import Unsuitable, ZermeloError

TINY = "alphabeta(depth=2, mode=interpreted)"


@pytest.fixture(autouse=True)
def talks_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Talks are kept in a folder of the test's own."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def played(game: z.Game, first: str, second: str = "random", **how: object) -> Record:
    return z.play_game(game, first, second, seed=1, **how)  # type: ignore[arg-type]


def kept(record: Record) -> str:
    """The talk that the reason of a forfeit names."""
    assert record.ending is not None
    found = re.search(r"the talk is in (\S+)", record.ending.reason)
    assert found is not None, record.ending
    return Path(found[1]).read_text()


# engines that misbehave


def test_an_illegal_move_loses_and_is_kept(tmp_path: Path) -> None:
    record = played(games.tic_tac_toe(), engine("uci", fake(tmp_path, 'say("bestmove z9")')))
    assert record.ending is not None
    assert record.ending.why is Why.ILLEGAL
    assert record.ending.by == 0
    assert record.ending.score == -1
    assert "'z9'" in record.ending.reason
    heard = [line for line in kept(record).splitlines() if line.startswith("<")]  # "!" may come at any time
    assert heard[-1] == "< bestmove z9"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("sys.exit(3)", r"python\S* \S*/?\S+ ended \(exit code 3\) and gave no move"),
        ("import os; os.kill(os.getpid(), 9)", r"ended \(killed by signal 9\)"),
        ('say("bestmove")', "gave no move within"),
        ('say("\\x00\\xff nonsense " * 500)', "gave no move within"),
        ("time.sleep(600)", "gave no move within"),
    ],
    ids=["exit", "killed", "half a line", "nonsense", "silence"],
)
def test_who_dies_or_never_answers_has_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, reason: str
) -> None:
    monkeypatch.setattr(universal, "GRACE", 0.5)
    record = played(games.tic_tac_toe(), "random", engine("uci", fake(tmp_path, answer), seconds=0.1))
    assert record.ending is not None
    assert record.ending.why is Why.FAILED
    assert record.ending.by == 1
    assert re.search(reason, record.ending.reason), record.ending.reason
    assert "! thinking hard" in kept(record)


OPTIONS = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "setoption":
        sys.exit(9)
    said = {"uci": "option name Rows type spin default 100|uciok", "isready": "readyok", "go": "bestmove b2"}
    for answer in said.get(word, "").split("|"):
        print(answer, flush=True)
"""
"""One whose option has the name of a parameter of tic-tac-toe, and that does not bear to be told of it."""


def test_usual_parameters_are_not_told(tmp_path: Path) -> None:
    text = engine("uci", written(tmp_path, OPTIONS))
    assert played(games.tic_tac_toe(), text).position.history()[0] == "b2"
    with pytest.raises(pipe.Broken, match="exit code 9"):
        played(games.tic_tac_toe(rows=4), text)


def test_who_does_not_greet_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(universal, "HANDSHAKE", 0.5)
    with pytest.raises(pipe.Broken, match="gave no uciok within 0.5 s"):
        z.engine(engine("uci", written(tmp_path, "import time; time.sleep(600)")), games.tic_tac_toe())


def test_one_that_ignores_the_clock_is_stopped_and_then_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(universal, "GRACE", 0.3)
    text = engine("uci", fake(tmp_path, "pass"))
    record = played(games.tic_tac_toe(), text, clock="0.3/move")
    assert record.ending is not None
    assert record.ending.why is Why.TIME or "gave no move" in record.ending.reason
    assert any("> stop\n" in file.read_text() for file in tmp_path.glob("*.log"))


def test_nothing_is_left_running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that starts another, and both hang."""
    monkeypatch.setattr(universal, "GRACE", 0.3)
    child = tmp_path / "child"
    start = f"import subprocess; open({str(child)!r}, 'w').write(str(subprocess.Popen(['sleep', '600']).pid))"
    played(games.tic_tac_toe(), engine("uci", fake(tmp_path, f"{start}; time.sleep(600)"), seconds=0.2))
    pid, end = int(child.read_text()), time.monotonic() + 10
    while runs(pid) and time.monotonic() < end:
        time.sleep(0.05)
    assert not runs(pid)


def runs(pid: int) -> bool:
    """Whether a process is there and has not ended."""
    done = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return bool(done.stdout.strip()) and not done.stdout.startswith("Z")


def test_a_match_goes_on_after_a_forfeit(tmp_path: Path) -> None:
    text = engine("uci", fake(tmp_path, "sys.exit(1)"))
    standing = z.match(games.tic_tac_toe(), [text, "random"], games=2, random_plies=0)
    assert standing.losses == 2
    assert [forfeit.engine for forfeit in standing.forfeits] == [text, text]
    assert "exit code 1" in standing.forfeits[0].reason


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("uci", "uci needs a program to start"),
        ('uci(command="no-such-program-here")', "there is no program no-such-program-here"),
        ('uci(command="")', "command is empty"),
        ("uci(command=\"'\")", "is no command: No closing quotation"),
        ('uci(command="cat", hash=3)', "uci has no setting hash"),
        ('uci(command="cat", options="Hash")', "options are NAME=VALUE"),
        ('uci(command="cat)', "the quotes in .* do not match"),
        ('uci(command="cat"x)', "something follows the quotes"),
    ],
)
def test_what_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(ZermeloError, match=sentence):
        z.engine(text, games.tic_tac_toe())


def test_quotes_hold_commas_brackets_and_blanks() -> None:
    from zermelo.methods.settings import name_and_settings

    name, told = name_and_settings(r'gtp(command="a, b (c) \"d\" = \\e", seconds=1)')
    assert (name, told) == ("gtp", {"command": r'a, b (c) "d" = \e', "seconds": "1"})


def test_a_record_names_programs_but_never_starts_them(tmp_path: Path) -> None:
    game, mark = games.tic_tac_toe(), tmp_path / "started"
    text = f'{game.summary}\nfirst: uci(command="touch {mark}")\na1 b2\n'
    [record] = parse(text, game)
    assert record.players[0].startswith("uci(")
    assert not mark.exists()


# engines that are there


@pytest.mark.parametrize(
    ("name", "protocol"),
    [
        ("breakthrough", "uci"),
        ("dobutsu", "uci"),
        ("dobutsu", "usi"),
        ("chess", "uci"),
        ("xiangqi", "uci"),
        ("xiangqi", "ucci"),
        ("minixiangqi", "uci"),
        ("shogi", "usi"),
        ("shogi", "uci"),
        ("minishogi", "uci"),
    ],
)
def test_fairy_stockfish_plays_by_our_rules_and_we_by_its(name: str, protocol: str) -> None:
    """It applies our moves only if they are legal by its rules: had one not been, its next move would not fit ours."""
    command = installed("fairy-stockfish")
    if name not in games.names():
        pytest.skip(f"{name} is not there yet")
    game = games.load(name)
    ours = TINY if name == "dobutsu" else "random"  # who leaves the lion hanging breaks its rules, not ours
    for seats in ((engine(protocol, command, depth=2), ours), (ours, engine(protocol, command, depth=2))):
        record = played(game, *seats)
        assert record.ending is not None
        assert record.ending.why in (Why.RULES, Why.RESIGNED), record.ending
        assert any(note.value is not None for note in record.notes)  # what it thinks is kept


def test_a_position_described_is_told_in_their_words() -> None:
    command = installed("fairy-stockfish")
    game = games.breakthrough()
    start = game.position("8/8/X7/8/8/7o/8/8 X".replace("o", "O"))
    record = z.play_game(start, engine("uci", command, depth=3), "random", seed=1)
    assert record.position.history()[-1][2:] in ("a8", "b8")
    assert record.ending is not None
    assert record.ending.score == 1


def test_what_an_engine_does_not_know_is_refused() -> None:
    command = installed("fairy-stockfish")
    with pytest.raises(Unsuitable, match="does not know hex"):
        z.engine(engine("uci", command), games.hex(size=3))
    with pytest.raises(Unsuitable, match="plays breakthrough as usual, with width=8"):
        z.engine(engine("uci", command), games.breakthrough(width=6))
    with pytest.raises(Unsuitable, match="has no option Sharpness"):
        z.engine(engine("uci", command, options='"Sharpness=3"'), games.breakthrough())


def test_clocks_and_options_are_told(tmp_path: Path) -> None:
    program = """
import sys
log = open(sys.argv[1], "w")
for line in sys.stdin:
    print(line.strip(), file=log, flush=True)
    words = line.split()
    if words == ["usi"]:
        print("option name Skill Level type spin default 20 min 0 max 20\\nusiok", flush=True)
    elif words == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["go"]:
        print("info depth 1 score mate 3 pv a1\\nbestmove resign", flush=True)
"""
    log = tmp_path / "log"
    command = f"{written(tmp_path, program)} {log}"
    record = played(
        games.tic_tac_toe(), "random", engine("usi", command, options='"Skill Level=3"'), clock="60+1, depth 5"
    )
    assert record.ending is not None
    assert record.ending.why is Why.RESIGNED
    told = log.read_text().splitlines()
    assert told[:5] == ["usi", "setoption name Skill Level value 3", "usinewgame", "isready", told[4]]
    assert re.fullmatch(r"position startpos moves \w\w", told[4])
    assert re.fullmatch(r"go btime 6\d{4} binc 1000 wtime 60000 winc 1000 depth 5", told[5])


def test_rhino_plays_othello() -> None:
    command = installed("gtp-rhino", "grhino")
    for seats in ((engine("gtp", command), "random"), ("random", engine("gtp", command))):
        record = played(games.othello(), *seats)
        assert record.ending is not None
        assert record.ending.why is Why.RULES, record.ending


def test_gnugo_plays_go() -> None:
    if "go" not in games.names():
        pytest.skip("go is not there yet")
    command = installed("gnugo")
    game = games.load("go", {"rows": 5, "cols": 5, "komi": 0.5})
    level = engine("gtp", f"{command} --mode gtp --level 0 --chinese-rules")
    for seats in ((level, "random"), ("random", level)):
        record = played(game, *seats)
        assert record.ending is not None
        assert record.ending.why in (Why.RULES, Why.RESIGNED), record.ending


def test_a_gtp_engine_is_told_what_was_taken_back(tmp_path: Path) -> None:
    program = """
import sys
for line in sys.stdin:
    words = line.split()
    print("!" + line.strip(), file=sys.stderr, flush=True)
    if words == ["list_commands"]:
        print("= play\\ngenmove\\n", flush=True)
    elif words[0] == "genmove":
        print("= b2\\n", flush=True)
    else:
        print("=\\n", flush=True)
"""
    game = games.tic_tac_toe()
    player = gtp.Gtp(game, written(tmp_path, program))
    with player:
        from zermelo.play.clock import NO_CLOCK
        from zermelo.play.player import Turn

        begun = game.position()
        player.begin(begun, NO_CLOCK)
        assert player.move(Turn(begun)) == begun.code_of("b2")
        elsewhere = begun.play("a1").play("c3")
        assert player.move(Turn(elsewhere)) == elsewhere.code_of("b2")
        assert player._pipe is not None
        said = [line[2:] for line in player._pipe.talk if line.startswith("> ")]
    assert said[-4:] == ["clear_board", "play black a1", "play white c3", "genmove black"]


# names


@pytest.mark.parametrize(
    ("name", "protocol", "ours", "theirs"),
    [
        ("dobutsu", "usi", "C@b2", "C*2c"),
        ("dobutsu", "usi", "b3b4+", "2b2a+"),
        ("shogi", "uci", "7g7f", "c3c4"),
        ("shogi", "uci", "P*5e", "P@e5"),
        ("shogi", "uci", "8h2b+", "b2h8+"),
        ("xiangqi", "uci", "h2e2", "h3e3"),
        ("xiangqi", "uci", "a0a9", "a1a10"),
        ("xiangqi", "ucci", "h2e2", "h2e2"),
    ],
)
def test_moves_in_other_words(name: str, protocol: str, ours: str, theirs: str) -> None:
    if name not in games.names():
        pytest.skip(f"{name} is not there yet")
    assert notation_of(games.load(name), protocol).written(ours) == theirs


@pytest.mark.parametrize(("name", "protocol"), [("breakthrough", "uci"), ("dobutsu", "uci"), ("dobutsu", "usi")])
def test_positions_in_other_words_are_read_back(name: str, protocol: str) -> None:
    game = games.load(name)
    notation = notation_of(game, protocol)
    record = played(game, "random", "random")
    for position in record.replay():
        assert notation.position(game, notation.text(position)) == position
        for code in position.codes:
            assert notation.read(position, notation.written(position.text_of(code))) == code
