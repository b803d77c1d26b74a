"""Pig against OpenSpiel, and its known values by value iteration."""

from __future__ import annotations

import random
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from zermelo import games
from zermelo.compile.native import jit
from zermelo.rules import CHANCE, MoveError, Position, PositionError, Unsuitable


@pytest.mark.parametrize(("goal", "sides", "matches"), [(100, 6, 15), (20, 6, 60), (1, 2, 30), (13, 2, 40), (60, 9, 9)])
def test_against_openspiel(goal, sides, matches):
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game(f"pig(winscore={goal},diceoutcomes={sides},horizon=100000)")
    game = games.pig(goal=goal, sides=sides)
    rng = random.Random(goal + sides)
    for _ in range(matches):
        position, state = game.position(), theirs.new_initial_state()
        while not state.is_terminal():
            assert position.result is None
            assert position.codes == state.legal_actions()
            if state.is_chance_node():
                assert position.turn == CHANCE
                weights = [game.weight(position.state, code) for code in position.codes]
                chances = [weight / sum(weights) for weight in weights]
                assert chances == pytest.approx([chance for _, chance in state.chance_outcomes()])
                assert position.moves() == [str(i + 1) for i in range(sides)]
            else:
                assert position.turn == state.current_player()
                assert position.moves() == [state.action_to_string(a) for a in state.legal_actions()]
            s = position.state
            shown = f"Scores: {s.first} {s.second}, Turn total: {s.total}\nCurrent player: {s.player}"
            assert str(state).startswith(shown)
            assert -1 < game.evaluate(s) < 1
            assert game.position(position.text()) == position
            move = rng.choice(position.codes)
            position = position.play(move)
            state.apply_action(move)
        assert [position.result, -position.result] == state.returns()
        assert position.moves() == []
        assert game.position(position.text()) == position


def states_of(game: Any) -> list[Any]:
    """All states that can arise."""
    seen = {game.start}
    front = [Position(game)]
    while front:
        position = front.pop()
        for move in position.codes:
            after = position.play(move)
            if after.state not in seen:
                seen.add(after.state)
                front.append(Position(game, after.state))
    return list(seen)


def chance_to_win(game: Any) -> float:
    """The first player's, by sweeping over all positions until nothing moves; the last points are swept first."""
    states = sorted(states_of(game), key=lambda s: (s.first + s.second, s.total), reverse=True)
    number = {state: i for i, state in enumerate(states)}
    values = [0.0] * len(states)
    rows = []
    for i, state in enumerate(states):
        position = Position(game, state)
        if position.result is not None:
            values[i] = position.result
        else:
            rows.append((i, position.turn, [number[position.play(move).state] for move in position.codes]))
    moved = 1.0
    while moved > 1e-12:
        moved = 0.0
        for i, turn, after in rows:
            options = [values[j] for j in after]
            new = sum(options) / len(options) if turn == CHANCE else max(options) if turn == 0 else min(options)
            moved = max(moved, abs(new - values[i]))
            values[i] = new
    return (values[number[game.start]] + 1) / 2


@pytest.mark.slow
def test_known_value_of_goal_20():
    assert chance_to_win(games.pig(goal=20)) == pytest.approx(0.6155585498, abs=1e-10)


@jit
def fill(win, goal, sides):  # type: ignore[no-untyped-def]
    """Chances to win of the player to decide with i points against j and k in hand: pairs of scores from the top."""
    for total in range(2 * goal - 2, -1, -1):
        for i in range(max(0, total - goal + 1), total // 2 + 1):
            moved = 1.0
            while moved > 1e-14:
                before = win[i, total - i, 0]
                for mine in (i, total - i):
                    theirs = total - mine
                    for k in range(goal - mine - 1, -1, -1):
                        roll = 1 - win[theirs, mine, 0]
                        for face in range(2, sides + 1):
                            roll += win[mine, theirs, k + face]
                        win[mine, theirs, k] = max(roll / sides, 1 - win[theirs, mine + k, 0])
                moved = abs(win[i, total - i, 0] - before)


def test_known_value_of_goal_100():
    """A table of the usual game made from its published equations; the rules must fulfil them everywhere."""
    goal, sides = 100, 6
    game, rng = games.pig(), random.Random(5)
    win = np.ones((goal, goal, goal + sides))  # with the goal in hand: stop and win
    fill(win, goal, sides)
    assert win[0, 0, 0] == pytest.approx(0.5305927253, abs=1e-10)

    def value(position: Position) -> float:
        if position.result is not None:
            return (position.result + 1) / 2
        if position.turn == CHANCE:
            outcomes = [value(position.play(code)) for code in position.codes]
            return sum(outcomes) / len(outcomes)
        s = position.state
        mine = win[s.first, s.second, s.total] if s.player == 0 else win[s.second, s.first, s.total]
        return float(mine if s.player == 0 else 1 - mine)

    for _ in range(2000):
        first, second = rng.randrange(goal), rng.randrange(goal)
        player = rng.choice("XO")
        total = rng.randrange(goal + sides - (first if player == "X" else second))
        position = game.position(f"{first}-{second} {player}+{total}")
        options = [value(position.play(move)) for move in position.codes]
        assert value(position) == pytest.approx(max(options) if player == "X" else min(options), abs=1e-10)


def test_position_texts():
    game = games.pig()
    assert game.position().text() == "0-0 X+0"
    assert game.position("roll 4 roll 6 stop").text() == "10-0 O+0"
    assert game.position("roll 4 roll 1").text() == "0-0 O+0"
    assert game.position("roll 4 roll").text() == "0-0 X+4 rolling"
    assert game.position("90-80 X+12").moves() == ["stop"]
    assert game.position("90-80 X+12").play("stop").result == 1
    assert game.position("30-100 X+0").result == -1
    with pytest.raises(MoveError, match="legal: roll stop"):
        game.position().play("7")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("37:52 X", "37-52 X\\+12"),
        ("37-52 Z+0", "is no pig position"),
        ("100-52 X+0", "won the game"),
        ("37-106 X+0", "goes beyond 105"),
        ("90-52 X+16", "goes beyond 105"),
        ("37-101 X+3", "goes on after the game is over"),
        ("90-52 X+12 rolling", "can only stop"),
        ("jump", "not a legal move"),
    ],
)
def test_bad_positions(text, complaint):
    with pytest.raises(PositionError, match=complaint):
        games.pig().position(text)


@pytest.mark.parametrize(("goal", "sides"), [(0, 6), (5000, 6), (100, 1), (100, 1000)])
def test_impossible_parameters(goal, sides):
    with pytest.raises(Unsuitable, match="goals are 1 to 1000, sides 2 to 100"):
        games.pig(goal=goal, sides=sides)


def test_estimates_and_order():
    game = games.pig()
    ahead, behind = game.position("80-20 X+0"), game.position("20-80 X+0")
    assert game.evaluate(ahead.state) > 0.5 > -0.5 > game.evaluate(behind.state)
    few, many = game.position("0-0 X+4").state, game.position("0-0 X+25").state
    assert game.order(few, 0) > game.order(few, 1)
    assert game.order(many, 0) < game.order(many, 1)


def test_drawing():
    game = games.pig()
    position = game.position("37-52 O+12 rolling")
    assert str(position).splitlines() == ["X    37     .", "O    52    12", "  score  turn", "O is rolling"]
    assert str(game.position("0-100 X+0")).endswith("O wins")
    assert ElementTree.fromstring(position._repr_svg_()).tag.endswith("svg")
