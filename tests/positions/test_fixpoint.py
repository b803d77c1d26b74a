"""The fixpoint solver against path enumeration and the searches, in both modes; known counts; what it refuses."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from marks import slow
from random_games import random_game, seeded
from zermelo import games, solve
from zermelo.compile.watch import Limits
from zermelo.core.answer import Answer
from zermelo.games.graph import graph_game
from zermelo.positions.fixpoint import solve_by_fixpoint
from zermelo.rules import DRAW, Game, Position, RuleError, Unsuitable, from_object, loop_score

MODES = pytest.mark.parametrize("mode", ["interpreted", "compiled"])
LOOPS = pytest.mark.parametrize("repetition", ["draw", "first", "second"])
LITTLE = "32MB"


def by_paths(position: Position, path: tuple[object, ...] = ()) -> float:
    """The first player's value by following every path until it ends or comes back, faster than on positions."""
    game = position.game
    assert game.folds == 2
    lists: dict[bytes, tuple[float | None, int, list[bytes]]] = {}

    def look(state):
        here = state.tobytes()
        if here not in lists:
            one = Position(game, state)
            lists[here] = (one.result, one.turn, [])
            for move in one.codes:
                after = one.play(move).state
                lists[here][2].append(after.tobytes())
                look(after)
        return here

    def value(here, before):
        result, turn, children = lists[here]
        if result is not None:
            return result
        inner = before | {here}
        values = [loop_score(game, turn) if ends_at(c, inner) else value(c, inner) for c in children]
        return max(values) if turn == 0 else min(values)

    def ends_at(child, before):
        return child in before and lists[child][0] is None

    history = frozenset(state.tobytes() for state in position.path()[:-1])
    return value(look(position.state), history)


def follow(answer: Answer) -> float | None:
    """What the line of an answer leads to."""
    position = answer.position
    for move in answer.line:
        assert position.result is None
        position = position.play(move)
    return position.result


@cache
def cyclic(repetition: str, size: int) -> Game:
    return random_game(size=size, moves=3, spread=2, repetition=repetition)


def agrees(position: Position, mode: str) -> None:
    answer = solve_by_fixpoint(position, mode=mode, memory=LITTLE)
    assert answer.status == "proven"
    if position.result is not None:
        assert answer.value == position.result
        return
    values = {move: by_paths(position.play(move)) if position.play(move).result is None else position.play(move).result
              for move in position.moves()}  # fmt: skip
    value = max(values.values()) if position.turn == 0 else min(values.values())
    assert answer.value == value
    assert answer.best == [move for move, worth in values.items() if worth == value]
    assert answer.line[0] in answer.best
    assert follow(answer) == value
    assert answer.depth in (None, len(answer.line))


@LOOPS
@pytest.mark.parametrize(
    ("mode", "size"), [("interpreted", 8), ("compiled", 12), *slow(("interpreted", 5), ("interpreted", 12))]
)
def test_random_cyclic_graphs(repetition: str, mode: str, size: int) -> None:
    for seed in range(300):
        agrees(seeded(cyclic(repetition, size), seed), mode)


@LOOPS
@MODES
def test_positions_with_a_history(repetition: str, mode: str) -> None:
    chance = random.Random(5)
    for seed in range(200):
        position = seeded(cyclic(repetition, 12), seed)
        for _ in range(chance.randrange(5)):
            if position.result is None:
                position = position.play(chance.choice(position.codes))
        agrees(position, mode)


@LOOPS
def test_positions_that_must_come_back_twice(repetition: str) -> None:
    game = replace(random_game(size=5, moves=2, spread=2, repetition=repetition), folds=3, max_plies=20)
    chance = random.Random(5)
    for seed in range(100):
        position = seeded(game, seed)
        for _ in range(chance.randrange(4)):
            if position.result is None:
                position = position.play(chance.choice(position.codes))
        if position.result is None:
            answer = solve_by_fixpoint(position, mode="interpreted", memory=LITTLE)
            assert (answer.value, answer.best) == (oracles.value(position), oracles.best_moves(position))
            assert follow(answer) == answer.value


@LOOPS
@settings(max_examples=25)
@given(seed=st.integers(0, 2**40))
def test_the_fast_enumeration_of_paths_is_right(repetition: str, seed: int) -> None:
    position = seeded(cyclic(repetition, 5), seed)
    assert by_paths(position) == oracles.value(position)


@pytest.mark.parametrize(
    ("fractional", "mode"),
    [(False, "interpreted"), *slow((True, "compiled"), (False, "compiled"), (True, "interpreted"))],
)
def test_games_without_cycles(fractional: bool, mode: str) -> None:
    game = random_game(size=14, fractional=fractional)
    for seed in range(100):
        position = seeded(game, seed)
        answer = solve_by_fixpoint(position, mode=mode, memory=LITTLE)
        searched = solve(position, method="alphabeta", mode="interpreted", memory="64KB")
        assert (answer.value, answer.best) == (searched.value, searched.best)
        assert follow(answer) == answer.value
        assert answer.nodes == len(oracles.positions(position))


@MODES
def test_tic_tac_toe(mode: str) -> None:
    answer = solve_by_fixpoint(games.tic_tac_toe().position(), mode=mode)
    assert (answer.value, answer.nodes, answer.leaves, len(answer.best)) == (0, 5_478, 958, 9)
    assert follow(answer) == DRAW


@pytest.mark.parametrize(("width", "positions"), [(4, 161_029), *slow((5, 3_945_711))])
def test_connect_four(width: int, positions: int) -> None:
    answer = solve_by_fixpoint(games.connect_four(width=width, height=4).position(), mode="compiled")
    assert (answer.value, answer.nodes) == (0, positions)
    assert follow(answer) == 0


def graph_history(order: dict[str, list[str]], repetition: str) -> Game:
    """The graph-history example: A's value is a win, but a table that ignores the path says otherwise."""
    turns = dict.fromkeys("ADFI", "max") | dict.fromkeys("BCGJ", "min")
    nodes: dict[str, object] = {name: {"turn": turn, "moves": order[name]} for name, turn in turns.items()}
    nodes |= {"E": {"value": -1}, "H": {"value": 1}}
    return graph_game({"root": "A", "repetition": repetition, "nodes": nodes})


@pytest.mark.parametrize("mode", ["interpreted", *slow("compiled")])
def test_the_graph_history_example_in_every_move_order(mode: str) -> None:
    moves = {"A": "BC", "B": "DE", "C": "F", "D": "GH", "F": "J", "G": "I", "I": "J", "J": "D"}
    orders = [moves | {"A": "".join(a), "B": "".join(b), "D": "".join(d)}
              for a in permutations("BC") for b in permutations("DE") for d in permutations("GH")]  # fmt: skip
    for order in orders[:: 1 if mode == "interpreted" else 4]:
        game = graph_history({name: list(children) for name, children in order.items()}, "draw")
        answer = solve_by_fixpoint(game.position(), mode=mode, memory=LITTLE)
        assert (answer.value, answer.best, answer.line, answer.nodes) == (1, ["C"], ["C", "F", "J", "D", "H"], 10)


def test_wins_are_shortest_and_losses_longest() -> None:
    nodes = {
        "A": {"turn": "max", "moves": ["long", "short"]},
        "long": {"turn": "min", "moves": ["later"]},
        "later": {"turn": "max", "moves": ["A", "W"]},
        "short": {"turn": "min", "moves": ["W", "B"]},
        "B": {"turn": "max", "moves": ["long", "W"]},
        "W": {"value": 1},
        "L": {"value": -1},
    }
    answer = solve_by_fixpoint(graph_game({"root": "A", "repetition": "draw", "nodes": nodes}).position())
    assert (answer.value, answer.line, answer.depth) == (1, ["long", "later", "W"], 3)
    assert answer.best == ["long", "short"]


def test_a_draw_by_going_round_ends_where_it_comes_back() -> None:
    nodes = {
        "A": {"turn": "max", "moves": ["L", "B"]},
        "B": {"turn": "min", "moves": ["A", "W"]},
        "W": {"value": 1},
        "L": {"value": -1},
    }
    answer = solve_by_fixpoint(graph_game({"root": "A", "repetition": "draw", "nodes": nodes}).position())
    assert (answer.value, answer.best, answer.line, answer.depth) == (0, ["B"], ["B", "A"], None)


def test_a_move_that_only_goes_round_is_not_a_winning_one() -> None:
    """Whoever comes back to the position that is asked about has closed a loop, although the position is won."""
    nodes = {
        "A": {"turn": "max", "moves": ["back", "W"]},
        "back": {"turn": "min", "moves": ["A"]},
        "W": {"value": 1},
        "L": {"value": -1},
    }
    answer = solve_by_fixpoint(graph_game({"root": "A", "repetition": "draw", "nodes": nodes}).position())
    assert (answer.value, answer.best) == (1, ["W"])


def test_the_horizon_makes_it_heuristic() -> None:
    nodes = {"A": {"turn": "max", "moves": ["B", "C"]}, "B": {"value": -1}, "C": {"estimate": 0.5}}
    answer = solve_by_fixpoint(graph_game({"root": "A", "nodes": nodes}).position(), mode="interpreted")
    assert (answer.value, answer.status, answer.best, answer.line) == (0.5, "heuristic", ["C"], ["C"])


class Walk:
    """Two players push a stone along a row; the first wants it at the right end."""

    def __init__(self, place: int = 2, player: int = 0) -> None:
        self.place, self.player = place, player

    def turn(self) -> int:
        return self.player

    def moves(self) -> list[int]:
        return [0, 2]

    def play(self, move: int) -> Walk:
        return Walk(self.place + move - 1, 1 - self.player)

    def result(self) -> int | None:
        return {0: -1, 5: 1}.get(self.place)

    def key(self) -> tuple[int, int]:
        return self.place, self.player


def test_games_of_objects() -> None:
    draw = solve_by_fixpoint(from_object(Walk(), name="walk", repetition="draw").position())
    assert (draw.value, draw.mode, draw.nodes) == (0, "interpreted", 6)
    won = solve_by_fixpoint(from_object(Walk(4), name="walk", repetition="draw").position())
    assert (won.value, won.best, won.line, won.depth) == (1, ["2"], ["2"], 1)


def test_a_cycle_where_there_should_be_none_is_found() -> None:
    with pytest.raises(RuleError, match="repetition is none"):
        solve_by_fixpoint(from_object(Walk(), name="walk").position())


@MODES
def test_too_many_positions_for_the_memory(mode: str) -> None:
    with pytest.raises(Unsuitable, match=r"[\d,]+ were found so far and fill 1 MB; give more memory"):
        solve_by_fixpoint(games.connect_four(width=4, height=4).position(), memory="1MB", mode=mode)


@pytest.mark.parametrize("repetition", ["wins", "loses"])
def test_loops_that_depend_on_the_path_are_refused(repetition: str) -> None:
    with pytest.raises(Unsuitable, match=f"who closes a loop {repetition}.* depends on the path .* use alphabeta"):
        solve_by_fixpoint(seeded(cyclic(repetition, 5), 1))


def test_what_else_is_refused() -> None:
    with pytest.raises(Unsuitable, match="loop_key"):
        solve_by_fixpoint(Position(replace(cyclic("draw", 5), loop_key=cyclic("draw", 5).key)))
    with pytest.raises(Unsuitable, match="it sees the whole loop"):
        solve_by_fixpoint(Position(replace(cyclic("draw", 5), repetition=lambda path, earliest, latest, end: 0)))
    start = games.tic_tac_toe().position()
    with pytest.raises(Unsuitable, match="leave the limit of depth out"):
        solve_by_fixpoint(start, limits=Limits(depth=3))
    with pytest.raises(Unsuitable, match="do not fit: the machine has"):
        solve_by_fixpoint(start, memory="900TB")
    toss = {"A": {"turn": "chance", "moves": {"B": 1, "C": 1}}, "B": {"value": 1}, "C": {"value": -1}}
    with pytest.raises(Unsuitable, match="chance positions"):
        solve_by_fixpoint(graph_game({"root": "A", "nodes": toss}).position())


@MODES
def test_a_limit_stops_it(mode: str) -> None:
    answer = solve_by_fixpoint(games.connect_four(width=4, height=4).position(), mode=mode, limits=Limits(nodes=500))
    assert (answer.value, answer.status, answer.stopped, answer.nodes) == (None, "unknown", "nodes", 500)
    assert answer.bounds == (-1, 1)


def test_a_finished_game() -> None:
    answer = solve_by_fixpoint(games.tic_tac_toe().position("a1 b1 a2 b2 a3"))
    assert (answer.value, answer.status, answer.best) == (1, "proven", [])
