"""Monte-Carlo tree search at the command line."""

from __future__ import annotations

from conftest import Runner


def test_search(zermelo: Runner) -> None:
    settings = ("--with", "playouts=200", "--with", "seed=1", "--mode", "interpreted")
    asked = ("search", "tic-tac-toe", "--method", "mcts", *settings)
    found = zermelo(*asked, "--json").json
    assert found["status"] == "heuristic"
    assert found["playouts"] == 200
    assert sum(move["visits"] for move in found["moves"]) == 200
    done = zermelo(*asked)
    assert done.code == 0
    assert "playouts" in done.out


def test_play(zermelo: Runner) -> None:
    engine = "mcts(playouts=60, seed=1, mode=interpreted)"
    done = zermelo("play", "tic-tac-toe", "--first", engine, "--second", engine)
    assert done.code == 0


def test_what_cannot_be(zermelo: Runner) -> None:
    done = zermelo("search", "tic-tac-toe", "--method", "mcts", "--with", "select=ucb")
    assert done.code != 0
    assert "select cannot be ucb" in done.err
