"""Against OpenSpiel's alpha-beta in Python: the same game and depth, no table, the moves in the same order and an open
window, so that both visit the same nodes (which is checked). Needs the extra `openspiel`."""

from __future__ import annotations

from typing import Any

import pyspiel
from open_spiel.python.algorithms import minimax
from open_spiel.python.games import tic_tac_toe as _python_tic_tac_toe  # noqa: F401  (registers the Python game)

from common import alternate, engine_of, table, timed
from zermelo import games
from zermelo.core.method import PLAIN
from zermelo.rules import Game, Position

ROUNDS = 9


def theirs(name: str, depth: int) -> float:
    """Seconds of OpenSpiel's own alpha-beta."""
    game = pyspiel.load_game(name)
    seconds, _ = timed(
        lambda: minimax.alpha_beta_search(
            game, value_function=lambda state: 0, maximum_depth=depth, maximizing_player_id=0
        )
    )
    return seconds


def their_nodes(name: str, depth: int) -> int:
    """How many positions theirs visits, counted in a run of its own."""
    count = 0
    search = minimax._alpha_beta

    def counting(*arguments: Any, **named: Any) -> Any:
        nonlocal count
        count += 1
        return search(*arguments, **named)

    minimax._alpha_beta = counting
    try:
        theirs(name, depth)
    finally:
        minimax._alpha_beta = search
    return count


def ours(game: Game, depth: int, mode: str | None = None) -> tuple[float, int]:
    """Seconds and nodes of the plain kernel, compiled before the clock starts."""
    engine = engine_of(game, "alphabeta", PLAIN, estimates=True, mode=mode)
    watch = engine.watched()
    low, high = engine.window(Position(game))
    seconds, _ = timed(lambda: engine.search(Position(game), depth, low - 1, high + 1))
    return seconds, watch.nodes


def main() -> None:
    rows = []
    for title, theirs_name, depth, our_game, mode in (
        ("Connect Four 7×6, their C++ game, our compiled one", "connect_four", 7, games.connect_four(), None),
        ("tic-tac-toe, both games written in Python", "python_tic_tac_toe", 9, games.tic_tac_toe(), None),
        ("Connect Four on OpenSpiel's states, interpreted", "connect_four", 7,
         games.openspiel(game="connect_four"), "interpreted"),
    ):  # fmt: skip
        nodes = ours(our_game, depth, mode)[1]
        assert nodes == their_nodes(theirs_name, depth), (title, nodes)
        best = alternate(
            {
                "theirs": lambda name=theirs_name, depth=depth, nodes=nodes: nodes / theirs(name, depth),
                "ours": lambda game=our_game, depth=depth, mode=mode, nodes=nodes: nodes / ours(game, depth, mode)[0],
            },
            ROUNDS,
        )
        rows.append([title, depth, nodes, best["theirs"] / 1e3, best["ours"] / 1e3, best["ours"] / best["theirs"]])
    head = ["", "depth", "nodes", "OpenSpiel, K nodes/s", "Zermelo, K nodes/s", "ratio"]
    table("Plain alpha-beta against OpenSpiel's Python alpha-beta", head, rows)


if __name__ == "__main__":
    main()
