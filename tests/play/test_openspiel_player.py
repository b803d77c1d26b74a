"""OpenSpiel's players at our boards: every game that both know, move by move."""

from __future__ import annotations

import pytest

from marks import some_slow
from zermelo import games
from zermelo.compile.watch import Limits
from zermelo.play.ending import Why
from zermelo.play.match import match
from zermelo.play.openspiel_twins import TWINS, twin
from zermelo.play.player import Turn, engine
from zermelo.play.sitting import play_game
from zermelo.rules import UnknownName, Unsuitable

pytest.importorskip("pyspiel")

BOARDS = {
    "backgammon": {}, "breakthrough": {"width": 4, "height": 5, "pawn_rows": 1}, "chess": {"insufficient": True},
    "connect-four": {"width": 5, "height": 4}, "dark-chess": {}, "einstein": {"setup": "315264", "setup2": "654321"},
    "hex": {"size": 4}, "kalah": {}, "othello": {}, "pig": {"goal": 20}, "tic-tac-toe": {"rows": 3, "cols": 4},
}  # fmt: skip


def test_all_games_are_tried():
    assert set(BOARDS) == set(TWINS)


@pytest.mark.parametrize("name", some_slow(BOARDS, ["backgammon", "chess"]))
def test_a_game_of_both(name):
    game = games.load(name, BOARDS[name])
    record = play_game(game, "openspiel-random", "openspiel-mcts(simulations=5)", seed=2)
    assert record.ending.why is Why.RULES
    assert record.players == ("openspiel-random(seed=2)", "openspiel-mcts(simulations=5, seed=3)")
    assert play_game(game, "openspiel-random", "openspiel-mcts(simulations=5)", seed=2).position == record.position


def test_a_game_of_openspiels():
    game = games.load("openspiel:tic_tac_toe")
    assert play_game(game, "openspiel-mcts(simulations=50)", "random", seed=1).ending.score == 1


def test_it_plays_well():
    game = games.tic_tac_toe()
    with engine("openspiel-mcts(simulations=2000)", game, seed=1) as player:
        position = game.position("a1 b2 b1 a2")
        assert position.text_of(player.move(Turn(position))) == "c1"
    standing = match(game, ["openspiel-mcts(simulations=300)", "random"], games=10)
    assert standing.score > 0.8


def test_budgets(monkeypatch):
    game, asked = games.connect_four(width=5, height=4), []
    player = engine("openspiel-mcts(simulations=200)", game, seed=1)
    search = type(player)._search

    def watched(self, state, count, seconds):
        found = search(self, state, count, seconds)
        asked.append((count, seconds, found.explore_count))
        return found

    monkeypatch.setattr(type(player), "_search", watched)
    position = game.position()
    player.move(Turn(position))
    assert asked == [(200, None, 200)]
    asked.clear()
    player.move(Turn(position, Limits(seconds=60)))  # there is time enough
    assert asked[-1] == (200, None, 200)
    slow = engine("openspiel-mcts(simulations=100000000)", game, seed=1)
    slow.move(Turn(position, Limits(seconds=0.02)))
    assert asked[-1][1] == 0.02
    engine("openspiel-mcts", game, limits=Limits(nodes=50)).move(Turn(position))
    assert asked[-1] == (50, None, 50)
    engine("openspiel-mcts(seconds=0.02, uct_c=1.4, solve=off)", game).move(Turn(position))
    assert asked[-1][1] == 0.02


def test_names():
    game = games.connect_four(width=5, height=4)
    made = engine("openspiel-mcts(simulations=7, uct_c=1.4, solve=off, seed=3)", game)
    assert made.name == "openspiel-mcts(simulations=7, uct_c=1.4, solve=off, seed=3)"


@pytest.mark.parametrize(
    ("game", "text", "words"),
    [
        ("domineering", "openspiel-mcts", "OpenSpiel has no domineering"),
        ("tic-tac-toe", "openspiel-mtcs", "did you mean openspiel-mcts"),
        ("tic-tac-toe", "openspiel-mcts(simulation=5)", "did you mean simulations"),
        ("tic-tac-toe", "openspiel-mcts(simulations=0)", "at least 1 simulation"),
        ("tic-tac-toe", "openspiel-mcts(seconds=0)", "above 0"),
        ("tic-tac-toe", "openspiel-mcts(simulations=many)", "whole number"),
    ],
)
def test_what_is_refused(game, text, words):
    with pytest.raises((Unsuitable, UnknownName), match=words):
        engine(text, games.load(game))


@pytest.mark.parametrize(("name", "settings", "words"), [
    ("othello", {"rows": 6, "cols": 6}, "rows=8 only"),
    ("kalah", {"pits": 4}, "pits=6 only"),
    ("einstein", {"size": 4, "stones": 3}, "size=5 only"),
    ("breakthrough", {"width": 5, "height": 6, "pawn_rows": 1}, "pawn_rows=2 only"),
])  # fmt: skip
def test_boards_that_openspiel_lacks(name, settings, words):
    with pytest.raises(Unsuitable, match=words):
        twin(games.load(name, settings))


def test_a_position_described_cannot_be_followed():
    game = games.tic_tac_toe()
    with engine("openspiel-random", game, seed=1) as player, pytest.raises(Unsuitable, match="from its start"):
        player.move(Turn(game.position("XX-OO----")))


def test_moves_that_were_taken_back_are_followed():
    game = games.tic_tac_toe()
    with engine("openspiel-random", game, seed=1) as player:
        first = game.position("a1 b2")
        assert player.move(Turn(first.play("c3"))) in first.play("c3").codes
        assert player.move(Turn(first)) in first.codes
        assert player.move(Turn(first.play("a2"))) in first.play("a2").codes
