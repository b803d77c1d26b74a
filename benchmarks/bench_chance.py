"""Games with chance: Star1 against OpenSpiel's expectiminimax, in C++ and in Python, evaluations a second on the same
positions to the same depth; what Star2.5 saves; and how long exact solutions take. OpenSpiel's C++ search is called in
the library of its Python package (expectiminimax.cpp), with a counter for an evaluation; so ours gets a constant
evaluation too. Needs the extra `openspiel`, and g++ for the C++ part."""

from __future__ import annotations

import ctypes
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.setdlopenflags(os.RTLD_LAZY | os.RTLD_GLOBAL)  # so that the library below finds OpenSpiel's functions
import pyspiel  # noqa: E402
from open_spiel.python.algorithms import minimax  # noqa: E402

from common import alternate, engine_of, table, timed  # noqa: E402
from zermelo import games, solve  # noqa: E402
from zermelo.chance.options import ChanceOptions  # noqa: E402
from zermelo.rules import Game, Position  # noqa: E402

ROUNDS = 5
PLAIN = ChanceOptions(table=False, order=(), merge=False, knowledge=False)
SETTINGS = (  # our game under OpenSpiel's rules, theirs, and the depth
    ("EinStein 5×5", games.einstein(), "einstein_wurfelt_nicht", 5),
    ("dark chess 4×8", games.dark_chess(quiet_plies=50, repetitions=0), "banqi", 3),
)


def their_start(name: str) -> tuple[Any, Any]:
    """OpenSpiel's game and its start, EinStein's with the first of all set-ups."""
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    while state.is_chance_node() and len(state.legal_actions()) > 6:
        state.apply_action(state.legal_actions()[0])
    return game, state


def in_cpp(folder: str) -> Callable[[str, int], float] | None:
    """Evaluations a second of their C++ search."""
    compiler = shutil.which("g++")
    if compiler is None:
        return None
    library = f"{folder}/expectiminimax.so"
    source = str(Path(__file__).with_name("expectiminimax.cpp"))
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
    call = ctypes.CDLL(library).evaluations
    call.restype, call.argtypes = ctypes.c_int64, [ctypes.c_char_p, ctypes.c_int, ctypes.POINTER(ctypes.c_double)]

    def rate(name: str, depth: int) -> float:
        start = pyspiel.serialize_game_and_state(*their_start(name)).encode()
        seconds, count = timed(lambda: call(start, depth, ctypes.byref(ctypes.c_double())))
        return float(count / seconds)

    return rate


def in_python(name: str, depth: int) -> float:
    """Evaluations a second of their Python search."""
    count = 0

    def value(state: Any) -> float:
        nonlocal count
        count += 1
        return 0.0

    _, state = their_start(name)
    seconds, _ = timed(lambda: minimax.expectiminimax(state, depth, value, 0))
    return count / seconds


def ours(game: Game) -> Callable[[int], float]:
    """Evaluations a second of Star1, compiled before the clock starts."""
    engine = engine_of(replace(game, evaluate=None, bounds=None), "star1", PLAIN)

    def rate(depth: int) -> float:
        engine.watched()
        position = Position(engine.game)
        seconds, _ = timed(lambda: engine.search(position, depth, *engine.open_window(position)))
        return float(engine.workspaces[0]["leaves"] / seconds)

    return rate


def speed() -> None:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        cpp = in_cpp(folder)
        for title, game, name, depth in SETTINGS:
            star1 = ours(game)
            jobs: dict[str, Callable[[], float]] = {"star1": lambda star1=star1, depth=depth: star1(depth)}
            if cpp is not None:
                jobs["cpp"] = lambda cpp=cpp, name=name, depth=depth: cpp(name, depth)
            best = alternate(jobs, ROUNDS)
            best |= alternate({"python": lambda name=name, depth=depth: in_python(name, depth)}, 2)
            in_c = best.get("cpp", float("nan"))
            rows.append(
                [title, depth, best["star1"] / 1e6, in_c / 1e6, best["star1"] / in_c, best["python"] / 1e3,
                 best["star1"] / best["python"]]
            )  # fmt: skip
    head = ["", "depth", "Star1, M/s", "OpenSpiel C++, M/s", "ratio", "OpenSpiel Python, K/s", "ratio"]
    table("Evaluations a second, constant evaluation, open window", head, rows)


def savings() -> None:
    game = games.einstein()
    position = Position(game)
    rows = []
    for name, options, deepening in (
        ("star0", PLAIN, False),
        ("star1", PLAIN, False),
        ("star2.5", replace(PLAIN, probes=(1,)), False),
        ("star1", ChanceOptions(), True),
        ("star2.5", ChanceOptions(probes=(1,)), True),
        ("star2.5", ChanceOptions(probes=(3,)), True),
    ):
        engine = engine_of(game, name, options)
        watch = engine.watched()
        seconds = 0.0
        for depth in range(1, 7) if deepening else (6,):
            more, value = timed(lambda e=engine, d=depth: e.search(position, d, *e.open_window(position)))
            seconds += more
        how = "table, ordering, deepening" if deepening else "plain"
        rows.append([name, options.probes[0] if "2" in name else 0, how, watch.nodes, seconds, f"{value:.9f}"])
    head = ["search", "h", "options", "nodes", "seconds", "value"]
    table("EinStein 5×5 from the start, six decisions deep", head, rows)


def exactly() -> None:
    setups = ["".join(p) for p in itertools.permutations("123")]
    pairs = [games.einstein(size=3, stones=3, setup=a, setup2=b) for a in setups for b in setups]
    solve(pairs[0])
    seconds, answers = timed(lambda: [solve(game) for game in pairs])
    rows = [["EinStein 3×3, 3 stones, all 36 pairs of set-ups", sum(a.nodes for a in answers), seconds, ""]]
    for title, game in (
        ("EinStein 4×4, 3 stones", games.einstein(size=4, stones=3)),
        ("dark chess 2×3 KGPkgp", games.dark_chess(rows=2, cols=3, pieces="KGPkgp")),
        ("pig to 100", games.pig()),
    ):
        answer = solve(game)
        rows.append([title, answer.nodes, answer.seconds, answer.details["fraction"] or f"{answer.value:.10f}"])
    table("Exact solution, without compiling", ["", "positions", "seconds", "value"], rows)


def main() -> None:
    speed()
    savings()
    exactly()


if __name__ == "__main__":
    main()
