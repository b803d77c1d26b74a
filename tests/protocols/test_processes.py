"""Zermelo as a process, with the programs of others as its clients."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import zermelo as z
from foreign_programs import engine, installed
from marks import slow
from zermelo import games
from zermelo.play.ending import Why

ZERMELO = [str(Path(sys.executable).parent / "zermelo")]
INTERPRETED = ["--with", "mode=interpreted"]


@pytest.fixture
def started() -> Iterator[Any]:
    """Starts Zermelo with some arguments; whatever still runs after the test is ended."""
    processes: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [*ZERMELO, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        processes.append(process)
        return process

    yield start
    for process in processes:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            with contextlib.suppress(OSError, AttributeError):
                stream.close()  # type: ignore[union-attr]


def tell(process: subprocess.Popen[str], *lines: str) -> None:
    assert process.stdin is not None
    process.stdin.write("".join(f"{line}\n" for line in lines))
    process.stdin.flush()


def hear(process: subprocess.Popen[str], beginning: str) -> list[str]:
    assert process.stdout is not None
    said = []
    while line := process.stdout.readline():
        said.append(line.rstrip("\n"))
        if said[-1].startswith(beginning):
            return said
    raise AssertionError(f"no line begins with {beginning!r}: {said}")


OWN = """
import warnings
from zermelo.rules import ONGOING, Game, rule, struct, u8

def nim(heap: int = 5):
    print("a game that talks")
    warnings.warn("and warns")
    State = struct(heap=u8, turn=u8)

    @rule
    def moves(s, out):
        count = min(3, s.heap)
        for i in range(count):
            out[i] = i + 1
        return count

    @rule
    def play(s, move):
        s.heap -= move
        s.turn ^= 1

    @rule
    def result(s):
        return ONGOING if s.heap > 0 else (1 if s.turn == 1 else -1)

    return Game(name="nim", State=State, start=State(heap=heap), moves=moves, play=play, result=result, max_moves=3,
                max_plies=heap)
"""


def test_nothing_but_the_protocol_is_on_stdout(started: Any, tmp_path: Path) -> None:
    (tmp_path / "nim.py").write_text(OWN)
    process = started("uci", str(tmp_path / "nim.py"), *INTERPRETED)
    out, err = process.communicate("uci\nisready\nposition startpos moves 1\ngo depth 9\n", timeout=120)
    lines = out.splitlines()
    assert all(line.split()[0] in ("id", "option", "uciok", "readyok", "info", "bestmove") for line in lines), lines
    assert not any("talks" in line or "warns" in line for line in lines)
    assert "a game that talks" in err
    assert lines[-1].startswith("bestmove ")
    assert process.returncode == 0


def test_the_greeting_needs_no_compiler() -> None:
    """What a greeting imports."""
    program = (
        "import sys, io; sys.stdin = io.StringIO('uci\\nquit\\n'); sys.argv = ['zermelo', 'uci', 'breakthrough']\n"
        "from zermelo.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "slow = ('numba', 'llvmlite', 'zermelo.methods.registry')\n"
        "print([module for module in slow if module in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    assert "uciok" in done.stdout
    assert done.stderr.strip().splitlines()[-1] == "[]"


def test_the_end_of_input_and_a_closed_pipe_end_it(started: Any) -> None:
    waiting = started("uci", "breakthrough", *INTERPRETED)
    tell(waiting, "position startpos", "go infinite")
    hear(waiting, "info depth 2")
    waiting.stdin.close()
    assert waiting.wait(60) == 0
    deaf = started("uci", "breakthrough", *INTERPRETED)
    tell(deaf, "position startpos", "go infinite")
    hear(deaf, "info depth 2")
    deaf.stdout.close()
    tell(deaf, "isready", "stop", "isready")
    deaf.stdin.close()
    deaf.wait(60)


@pytest.mark.slow
def test_a_search_is_stopped_in_a_process(started: Any) -> None:
    process = started("uci", "breakthrough", *INTERPRETED)
    tell(process, "uci", "isready")
    hear(process, "readyok")
    tell(process, "position startpos", "go infinite")
    hear(process, "info depth 2")
    tell(process, "isready")
    hear(process, "readyok")
    tell(process, "stop")
    hear(process, "bestmove")
    tell(process, "quit")
    assert process.wait(60) == 0


def test_a_zermelo_sits_down_with_a_zermelo() -> None:
    """Our client and our server, on a board that only they know."""
    text = engine("uci", f"{ZERMELO[0]} uci tic-tac-toe --with mode=interpreted", depth=3)
    record = z.play_game(games.tic_tac_toe(rows=2, cols=3, run=2), text, "random", seed=1)
    assert record.ending is not None
    assert record.ending.why is Why.RULES
    assert record.ending.score == 1


@pytest.mark.parametrize(
    ("ours", "theirs", "size"),
    [("hex", "hex(board_size=3)", ["--set", "size=3"]), *slow(("othello", "othello", []))],
)
def test_openspiel_s_gtp_bot_plays_to_the_end(ours: str, theirs: str, size: list[str]) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.bots.gtp import GTPBot

    game = pyspiel.load_game(theirs)
    # OpenSpiel's Hex writes a cell as x(0,1); GTP programs say b1, so its texts are turned here
    bot = GTPBot(game, [*ZERMELO, "gtp", ours, *size, *INTERPRETED, "--method", "alphabeta(nodes=30)"])
    try:
        bot.restart()
        assert bot.name == "zermelo"
        state, other = game.new_initial_state(), 0
        position = games.load(ours, {"size": 3} if ours == "hex" else {}).position()
        while not state.is_terminal():
            player = state.current_player()
            legal = {_gtp(ours, state.action_to_string(player, action)): action for action in state.legal_actions()}
            assert set(legal) == set(position.moves())
            if player == 0:
                text = bot.gtp_cmd("genmove", "b")
            else:
                text = sorted(legal)[other % len(legal)]
                other += 3
                bot.gtp_cmd("play", "w", text)
            state.apply_action(legal[text])
            position = position.play(text)
        score = bot.gtp_cmd("final_score")
        first = state.returns()[0]
        assert (score[0] == "b") == (first > 0)
        assert position.result is not None
    finally:
        bot.close()


def _gtp(game: str, text: str) -> str:
    """An action of OpenSpiel as GTP writes it."""
    if game == "othello":
        return text.split()[0]
    inside = text[text.index("(") + 1 : text.index(")")].split(",") if "(" in text else None
    return text if inside is None else f"{'abc'[int(inside[0])]}{int(inside[1]) + 1}"


def test_python_chess_plays_our_chess() -> None:
    chess = pytest.importorskip("chess.engine") and pytest.importorskip("chess")
    board = chess.Board()
    with chess.engine.SimpleEngine.popen_uci([*ZERMELO, "uci", "chess", *INTERPRETED], timeout=60) as ours:
        assert {"Hash", "MultiPV", "stalemate"} <= set(ours.options)
        for _ in range(3):
            board.push(ours.play(board, chess.engine.Limit(depth=1)).move)
        mated = ours.analyse(chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"), chess.engine.Limit(depth=2))
        assert mated["score"].white().mate() == 1
        two = ours.analyse(chess.Board(), chess.engine.Limit(depth=2), multipv=2)
        assert len({line["pv"][0] for line in two}) == 2
        only = chess.Move.from_uci("a2a3")
        assert ours.play(chess.Board(), chess.engine.Limit(depth=1), root_moves=[only]).move == only
        with ours.analysis(board) as running:
            for info in running:
                if info.get("depth", 0) >= 2:
                    break
        assert ours.play(board, chess.engine.Limit(white_clock=2, black_clock=2)).move in board.legal_moves
        ours.ping()


@pytest.mark.slow
def test_python_chess_plays_whole_games_against_our_chess() -> None:
    """Compiled, by the clock, and every move is legal to python-chess."""
    chess = pytest.importorskip("chess.engine") and pytest.importorskip("chess")
    with chess.engine.SimpleEngine.popen_uci([*ZERMELO, "uci", "chess"], timeout=600) as ours:
        for seed in range(2):
            board, die = chess.Board(), random.Random(seed)
            while not board.is_game_over(claim_draw=True) and board.fullmove_number < 100:
                if board.turn == (seed == 0):
                    board.push(ours.play(board, chess.engine.Limit(time=0.05)).move)
                else:
                    board.push(die.choice(list(board.legal_moves)))
            assert board.is_checkmate()
            assert board.turn != (seed == 0)


@pytest.mark.slow
def test_cshogi_s_runner_plays_our_shogi(tmp_path: Path) -> None:
    pytest.importorskip("cshogi")
    from cshogi import Board
    from cshogi.usi import Engine

    script = tmp_path / "shogi.sh"
    script.write_text(f"#!/bin/sh\nexec {ZERMELO[0]} usi shogi --with mode=interpreted\n")
    script.chmod(0o755)
    ours, board, moves = Engine(str(script)), Board(), []
    try:
        assert ours.name.startswith("Zermelo")
        ours.isready()
        ours.usinewgame()
        for _ in range(6):
            ours.position(moves=moves)
            move, _ = ours.go(byoyomi=300)
            assert board.is_legal(board.move_from_usi(move))
            board.push_usi(move)
            moves.append(move)
    finally:
        ours.quit()


@pytest.mark.slow
def test_xboard_has_us_play_a_game(tmp_path: Path) -> None:
    xboard, run, _ = installed("xboard"), installed("xvfb-run", "xvfb"), installed("polyglot")
    other = installed("fairy-stockfish")
    script = tmp_path / "zermelo-chess"
    script.write_text(f"#!/bin/sh\nexec {ZERMELO[0]} uci chess\n")
    script.chmod(0o755)
    warm = [*ZERMELO, "uci", "chess"]
    subprocess.run(warm, input="isready\n", text=True, capture_output=True, timeout=600, check=True)
    saved = tmp_path / "game.pgn"
    path = f"{os.environ['PATH']}:/usr/games"
    process = subprocess.Popen(
        [run, "-a", xboard, "-noGUI", "-fcp", str(script), "-fUCI", "-scp", other, "-sUCI", "-mg", "1", "-tc", "0:02",
         "-mps", "40", "-saveGameFile", str(saved), "-popupExitMessage", "false", "-popupMoveErrors", "false"],
        env={**os.environ, "PATH": path}, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        end = time.monotonic() + 500
        while not saved.exists() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.5)
        time.sleep(1)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    text = saved.read_text()
    assert "Result" in text
    assert "illegal" not in text.lower()
