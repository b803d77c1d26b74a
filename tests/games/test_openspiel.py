"""Games of OpenSpiel through the adapter: the same moves, turns, results and chances as asked there."""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from typing import Any
from xml.etree import ElementTree

import pytest

from marks import slow
from zermelo import games, solve
from zermelo.games.openspiel import ALTERNATING, TELLING
from zermelo.methods.registry import methods
from zermelo.rules import CHANCE, ONGOING, MoveError, Position, PositionError, UnknownName, Unsuitable

pyspiel = pytest.importorskip("pyspiel")

SPECS = (
    "tic_tac_toe", "connect_four(rows=4,columns=4)", "hex(board_size=3)", "nim(pile_sizes=1;2;3)", "mancala",
    "othello", "chess", "go(board_size=5)", "pig(winscore=20)", "einstein_wurfelt_nicht", "backgammon",
    "ultimate_tic_tac_toe", "amazons", "misere(game=tic_tac_toe())",
)  # fmt: skip


@pytest.mark.parametrize("spec", SPECS)
def test_plays_as_openspiel_does(spec):
    rng = random.Random(3)
    game = games.openspiel(game=spec)
    for _ in range(3):
        position, state = game.position(), pyspiel.load_game(spec).new_initial_state()
        while not state.is_terminal() and state.move_number() < 80:
            assert position.result is None
            assert position.codes == state.legal_actions()
            assert len(set(position.moves())) == len(position.codes) <= game.max_moves
            player = state.current_player()
            assert position.turn == (CHANCE if player == -1 else player)
            if player == -1:
                weights = {code: game.weight(position.state, code) for code in position.codes}
                assert all(isinstance(w, int) for w in weights.values())
                for code, p in state.chance_outcomes():
                    assert weights[code] / sum(weights.values()) == pytest.approx(p)
            move = rng.choice(position.codes)
            position = position.play(move)
            state.apply_action(move)
            assert str(position.state) == str(state)
        if state.is_terminal():
            assert position.result == state.returns()[0]
            assert position.codes == []
            assert position.turn == 0
        assert Position.read(game, position.text()).state.history() == state.history()


def value(game: Any, state: Any, table: dict[int, float]) -> float:
    score = game.result(state)
    if score != ONGOING:
        return score
    if game.key(state) not in table:
        children = [value(game, game.play(state, move), table) for move in game.moves(state)]
        table[game.key(state)] = max(children) if game.turn(state) == 0 else min(children)
    return table[game.key(state)]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("tic_tac_toe", 0),
        ("nim(pile_sizes=1;2;3,is_misere=False)", -1),
        ("connect_four(rows=3,columns=4,x_in_row=3)", 1),
    ],
)
def test_values_with_a_table(spec, expected):
    game = games.openspiel(game=spec)
    assert value(game, game.start, {}) == expected


# Small boards, so that the same position comes about in several ways.
SMALL = {
    "breakthrough": "breakthrough(rows=5,columns=5)", "clobber": "clobber(rows=4,columns=4)",
    "gomoku": "gomoku(size=5)", "havannah": "havannah(board_size=3)", "hex": "hex(board_size=3)",
    "mnk": "mnk(m=4,n=4,k=3)", "quoridor": "quoridor(board_size=5)", "y": "y(board_size=4)",
}  # fmt: skip


@pytest.mark.parametrize("name", TELLING)
def test_positions_that_share_a_key_share_their_future(name):
    rng = random.Random(11)
    game = games.openspiel(game=SMALL.get(name, name))
    seen: dict[int, Any] = {}
    shared = 0
    for _ in range(1000):
        if shared > 50:
            break
        state = game.start
        for _ in range(rng.randrange(3, 25)):
            if game.result(state) == ONGOING:
                state = game.play(state, rng.choice(game.moves(state)))
        history = state.history()
        for _ in range(8):  # the same moves in another order
            i, j = rng.randrange(len(history)), rng.randrange(len(history))
            moves = list(history)
            moves[i], moves[j] = moves[j], moves[i]
            twin = game.start
            for move in moves:
                if game.result(twin) != ONGOING or move not in game.moves(twin):
                    break
                twin = game.play(twin, move)
            other = seen.setdefault(game.key(twin), twin)
            if other.history() == twin.history():
                continue
            shared += 1
            while game.result(twin) == ONGOING:
                assert game.moves(twin) == game.moves(other)
                assert game.turn(twin) == game.turn(other)
                move = rng.choice(game.moves(twin))
                twin, other = game.play(twin, move), game.play(other, move)
                assert game.key(twin) == game.key(other)
            assert game.result(twin) == game.result(other)
    assert shared > 5


def test_no_table_where_the_text_does_not_tell_all():
    for name in ("chess", "go", "checkers", "oware", "amazons", "einstein_wurfelt_nicht", "shogi", "banqi"):
        assert games.openspiel(game=name).key is None
    # the reason: here are equal texts with different futures
    by_text = defaultdict(set)
    state = pyspiel.load_game("einstein_wurfelt_nicht").new_initial_state()
    while state.is_chance_node() and state.move_number() < 4:
        if state.move_number() == 2:
            for outcome in state.legal_actions():
                child = state.child(outcome)
                by_text[str(child)].add(tuple(child.legal_actions()))
            break
        state.apply_action(state.legal_actions()[0])
    assert any(len(futures) > 1 for futures in by_text.values())


def test_traits():
    game = games.openspiel(game="connect_four(rows=4,columns=5)")
    assert (game.max_moves, game.max_plies, game.values) == (5, 20, (-1, 1))
    assert all(isinstance(v, int) for v in game.values)
    assert game.summary == "openspiel(game=connect_four(rows=4,columns=5))"
    assert not game.compilable
    assert not game.has_chance
    assert games.load("openspiel:tic_tac_toe").max_moves == 9
    dice = games.openspiel(game="backgammon")
    assert dice.has_chance
    assert sorted(dice.weight(dice.start, move) for move in dice.moves(dice.start)) == [1] * 30


def test_texts():
    game = games.openspiel(game="tic_tac_toe")
    position = game.position("x(1,1) o(0,0),  x(0,1)")
    assert position.text() == "x(1,1) o(0,0) x(0,1)"
    assert position.turn == 1
    assert position.play("o(2,1)").text() == "x(1,1) o(0,0) x(0,1) o(2,1)"
    assert str(position) == "ox.\n.x.\n..."
    words = ElementTree.fromstring(position._repr_svg_())
    assert [w.text for w in words] == ["ox.", ".x.", "..."]
    with pytest.raises(PositionError, match=r"move 2: no legal move reads 'x\(0,0\)'; legal: o\(0,0\)"):
        game.position("x(1,1) x(0,0)")
    with pytest.raises(PositionError, match="the game is over"):
        game.position("x(0,0) o(1,0) x(0,1) o(1,1) x(0,2) o(2,2)")
    with pytest.raises(MoveError, match="not a legal move"):
        position.play("o(1,1)")
    coloured = games.openspiel(game="twixt(board_size=6)").position()
    assert "\x1b" not in str(coloured)
    ElementTree.fromstring(coloured._repr_svg_())


@pytest.mark.parametrize(
    ("spec", "error", "sentence"),
    [
        ("conect_four", UnknownName, r"no game conect_four: did you mean connect_four\?"),
        ("connect_four(rowz=4)", UnknownName, r"connect_four has no parameter rowz: did you mean rows\?"),
        ("connect_four(rows=4", Unsuitable, "closing bracket"),
        ("connect_four(rows=x)", Unsuitable, "rows must be of the kind of 6, not 'x'"),
        ("connect_four(rows=0)", Unsuitable, "rows must be at least 1, not 0"),
        ("go(board_size=99)", Unsuitable, r"OpenSpiel refuses go\(board_size=99\): "),
        ("nfg_game", Unsuitable, "OpenSpiel refuses nfg_game"),
        ("pig(players=3)", Unsuitable, "pig is for 3 players"),
        ("goofspiel", Unsuitable, "goofspiel has simultaneous moves"),
        ("kuhn_poker", Unsuitable, "kuhn_poker hides information"),
        ("2048", Unsuitable, "2048 is for 1 players"),
    ],
)
def test_refusals(spec, error, sentence):
    with pytest.raises(error, match=sentence) as caught:
        games.openspiel(game=spec)
    assert "\n" not in str(caught.value)


def test_without_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(Unsuitable, match=r'pip install "zermelo\[openspiel\]"'):
        games.openspiel(game="tic_tac_toe")


@pytest.mark.parametrize("name", ALTERNATING)
def test_players_alternate_where_it_is_said(name: str) -> None:
    chance = random.Random(5)
    for _ in range(5):
        state, player = pyspiel.load_game(name).new_initial_state(), 0
        while not state.is_terminal():
            assert state.current_player() == player
            state.apply_action(chance.choice(state.legal_actions()))
            player = 1 - player


@pytest.mark.parametrize("played", [[], [0, 4, 1], *slow([0, 1], [4, 0, 8])])
def test_every_method_agrees_where_ends_do_not_tell_whose_turn_it_is(played):
    """At an end OpenSpiel's states do not say who would be to move."""
    position = games.openspiel(game="tic_tac_toe").position()
    for move in played:
        position = position.play(move)
    truth = solve(position, method="negascout").value
    names = [name for name, method in methods().items() if not method.chance and (played or name == "boolean")]
    assert {name: solve(position, method=name, memory="8MB").value for name in names} == dict.fromkeys(names, truth)
