"""The enumerator of all positions against a plain breadth-first search, in both modes; its memory bound; floats."""

from __future__ import annotations

import math
import random
import tracemalloc
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
import random_chance
import random_games
from dice_loops import random_loops
from marks import slow
from zermelo import games
from zermelo.compile.modes import Compiled, Mode, mode_for
from zermelo.compile.watch import Limits, Watch
from zermelo.games.graph import graph_game
from zermelo.methods.asking import solve
from zermelo.positions import exploring, position_lists
from zermelo.positions.all_positions import AllPositions, Wanted, all_positions, costs, make_ready
from zermelo.positions.counting import count_positions
from zermelo.positions.exploring import OVER
from zermelo.positions.identity import loop_ends, name_of
from zermelo.rules import (
    CHANCE,
    ONGOING,
    Game,
    Position,
    RuleError,
    TooLarge,
    f32,
    f64,
    from_object,
    rule,
    struct,
    u8,
    wrapping,
)  # fmt: skip
from zermelo.rules.hashing import mix
from zermelo.rules.structs import u64

MODES = pytest.mark.parametrize("mode", ["interpreted", "compiled"])
BOTH = Wanted(forward=True, turned=True, states=True, history=True)
LITTLE = 32 << 20


def explore(
    position: Position, wanted: Wanted, mode: str, budget: int = LITTLE, limits: Limits | None = None, **more: Any
) -> AllPositions | None:
    way = mode_for(position.game, mode)
    watch = Watch([way.workspace(position.game)], limits or Limits())
    return watch.run(lambda: all_positions(position, wanted, way, watch, budget, **more))


def found_in(*arguments: Any, **more: Any) -> AllPositions:
    found = explore(*arguments, **more)
    assert found is not None
    return found


@wrapping
def breadth_first(position: Position, wanted: Wanted, between: float = 0) -> dict[str, list[Any]]:
    """The same by the rules as they are, on positions; what ends play when it comes back stands first."""
    game, name = position.game, name_of(position.game, wanted.by)

    def told(state: Any) -> Any:
        over = wanted.by != "state" and game.result(state) != ONGOING
        return (name(state), game.result(state)) if over else name(state)

    history = loop_ends(position)[0] if wanted.history else []
    states = [*history, position.state]
    numbers = {told(state): number for number, state in enumerate(states)}
    seen: dict[str, list[Any]] = {"turns": [OVER] * len(history), "scores": [between] * len(history)}
    seen |= {"degrees": [0] * len(history), "children": [], "weights": []}
    for number in range(len(history), 10**9):
        if number == len(states):
            break
        here = Position(game, states[number])  # without a path: what comes back does not end play here
        score, codes = game.result(here.state), []
        stops = game.horizon is not None and bool(game.horizon(here.state))
        if score == ONGOING and not stops:
            codes = here.codes
        seen["turns"].append(here.turn if codes else OVER)
        seen["scores"].append(score if score != ONGOING else game.evaluate(here.state) if stops else between)
        seen["degrees"].append(len(codes))
        for move in codes:
            after = here.play(move).state
            if told(after) not in numbers:
                numbers[told(after)] = len(states)
                states.append(after)
            seen["children"].append(numbers[told(after)])
            seen["weights"].append(int(game.weight(here.state, move)) if here.turn == CHANCE else 0)
    seen["states"] = [state.tobytes() for state in states]
    return seen


def agrees(position: Position, wanted: Wanted, mode: str, between: float = 0) -> None:
    true, found = breadth_first(position, wanted, between), found_in(position, wanted, mode, between=between)
    assert found.count + found.root == len(true["states"])
    for name in ("turns", "scores", "degrees", "children", *(["weights"] if wanted.weights else [])):
        assert list(getattr(found, name)) == true[name], name
    assert list(found.offsets) == [0, *np.cumsum(true["degrees"])]
    assert found.ends == sum(turn == OVER for turn in true["turns"][found.root :])
    if wanted.states:
        assert [found.state(number).tobytes() for number in range(found.root + found.count)] == true["states"]
    if wanted.by == "state":
        assert [found.number_of(found.state(number)) for number in range(found.count)] == list(range(found.count))
    if wanted.turned:
        came: list[list[int]] = [[] for _ in true["states"]]
        for parent, (begin, end) in enumerate(pairwise(found.offsets)):
            for child in true["children"][begin:end]:
                came[child].append(parent)
        ends = list(found.entries)
        turned = [sorted(found.parents[begin:end]) for begin, end in pairwise(ends)]
        assert turned == came
        assert list(found.first) == true["children"][: true["degrees"][found.root]]


@cache
def cyclic() -> Game:
    return random_games.random_game(size=12, moves=3, spread=2, repetition="draw")


@cache
def acyclic() -> Game:
    return random_games.random_game(size=14)


@cache
def mirrored() -> Game:
    """A game in which the hook takes every two positions for one, whatever they score."""

    @rule
    def symmetry(s):
        return mix(mix(u64(3), s.seed), u64(s.node >> 1))

    return replace(acyclic(), symmetry=symmetry)


@cache
def tosses(endless: bool) -> Game:
    return random_chance.random_chance(endless=endless)


@MODES
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**40))
def test_games_without_cycles(mode: str, seed: int) -> None:
    agrees(random_games.seeded(acyclic(), seed), BOTH, mode)


@MODES
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**40), moves=st.integers(0, 5), loop=st.sampled_from([0, 2, -2]))
def test_histories_stand_first_and_end_play(mode: str, seed: int, moves: int, loop: int) -> None:
    position, chance = random_games.seeded(cyclic(), seed), random.Random(seed)
    for _ in range(moves):
        if position.result is None:
            position = position.play(chance.choice(position.codes))
    if position.result is None:
        agrees(position, BOTH, mode, between=loop)


@MODES
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**40))
def test_positions_told_apart_by_a_hook(mode: str, seed: int) -> None:
    agrees(random_games.seeded(mirrored(), seed), Wanted(by="symmetry", forward=True, states=True), mode)


@pytest.mark.parametrize(
    ("mode", "endless"),
    [("interpreted", False), ("interpreted", True), ("compiled", True), *slow(("compiled", False))],
)
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**40))
def test_dice(mode: str, endless: bool, seed: int) -> None:
    wanted = Wanted(by="key", forward=True, weights=True, states=True)
    agrees(random_chance.seeded(tosses(endless), seed), wanted, mode)


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_graph_files_with_dice_on_cycles(seed: int) -> None:
    position = graph_game(random_loops(seed)).position()
    agrees(position, Wanted(by="symmetry", forward=True, weights=True, states=True), "interpreted")
    agrees(position, replace(BOTH, weights=True), "interpreted")


@pytest.mark.parametrize(
    ("mode", "by"),
    [("interpreted", "state"), ("interpreted", "symmetry"), ("compiled", "state"), *slow(("compiled", "symmetry"))],
)
def test_the_horizon_ends_play_with_an_estimate(mode: str, by: str) -> None:
    nodes = {
        "A": {"turn": "max", "moves": ["B", "C", "D"]},
        "B": {"value": -1},
        "C": {"estimate": 0.5},
        "D": {"turn": "min", "moves": ["C", "E"]},
        "E": {"estimate": -0.25},
    }
    position = graph_game({"root": "A", "nodes": nodes}).position()
    wanted = Wanted(by=by, forward=True, states=True)
    agrees(position, wanted, mode)
    found = found_in(position, wanted, mode)
    assert (found.estimated, found.ends, Position(position.game, found.state(found.horizon)).text()) == (2, 3, "@C")
    assert count_positions(position, Limits(), mode) == 4  # somebody is to move at all but B


# how much memory it takes


def test_what_a_position_and_a_move_take_is_stated() -> None:
    compiled, game = Compiled(), games.connect_four()
    assert costs(game, Wanted(turned=True, history=True, beside=8), compiled) == (43, 8)
    assert costs(game, Wanted(forward=True), compiled) == (24 + 4 + 1 + 2 + 8, 4)
    assert costs(game, Wanted(), compiled) == (24, 0)
    assert costs(games.pig(), Wanted(by="key", forward=True, weights=True), compiled)[1] == 12


@pytest.mark.parametrize(
    "wanted",
    [BOTH, replace(BOTH, turned=False, beside=5), Wanted(turned=True), Wanted(), *slow(Wanted(by="key", forward=True))],
)
def test_the_cost_is_what_arrays_take(wanted: Wanted) -> None:
    """All that is kept of so many positions and moves, to the byte, but for one place at the end of offsets."""
    position = games.tic_tac_toe().position()
    found = found_in(position, wanted, "compiled")
    each, per_move = costs(position.game, wanted, Compiled())
    assert position.game.State is not None
    kept = (found.keys, found.turns, found.scores, found.degrees, found.offsets, found.entries)
    of_each = found.count * (position.game.State.dtype.itemsize + wanted.beside)
    of_each += sum(array.nbytes - (len(array) - found.count) * array.itemsize for array in kept if len(array))
    moves = max(len(found.children), len(found.parents))
    of_moves = moves * 4 if wanted.forward or wanted.turned else 0
    of_moves += moves * 4 if wanted.turned else 0
    assert (of_each, of_moves) == (found.count * each, moves * per_move)
    slots = found.bytes - of_each - of_moves
    assert found.count * 4 / 3 <= slots / 4 <= max(found.count * 4, position_lists.FIRST_SLOTS)


@pytest.mark.parametrize("wanted", [BOTH, Wanted(), *slow(Wanted(by="symmetry", forward=True))])
def test_the_budget_is_never_exceeded(wanted: Wanted, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the budget, what is filled stays within it; and it is not given up too early."""
    position = games.connect_four(width=4, height=4).position()
    used: list[position_lists.Arrays] = []
    before = position_lists.Arrays.everything

    def everything(self: position_lists.Arrays) -> tuple[Any, ...]:
        used.append(self)
        assert self.bytes <= self.at[exploring.BUDGET]
        return before(self)

    monkeypatch.setattr(position_lists.Arrays, "everything", everything)
    whole = found_in(position, wanted, "compiled", budget=64 << 20)
    one_more = position.game.max_moves * sum(costs(position.game, wanted, Compiled()))
    assert found_in(position, wanted, "compiled", budget=whole.bytes + one_more).count == whole.count
    for budget in (20_000, 50_000, 123_456, 400_000, 1 << 20, whole.bytes - 1):
        with pytest.raises(TooLarge, match=r"has more positions than fit: [\d,]+ were found so far") as large:
            explore(position, wanted, "compiled", budget=budget)
        assert budget / 3 < used[-1].bytes <= budget
        assert 1 <= large.value.positions == used[-1].at[exploring.FOUND] <= whole.count
        assert (large.value.moves > 0) == (wanted.forward or wanted.turned)
        assert f" {large.value.positions:,} were found" in str(large.value)


@pytest.mark.parametrize("game", [games.kalah(pits=3, stones=2), games.pig(goal=12), *slow(games.tic_tac_toe())])
@pytest.mark.parametrize("wanted", [BOTH, Wanted(), Wanted(by="key", forward=True, weights=True)])
def test_what_python_takes_is_no_more_than_stated(game: Game, wanted: Wanted) -> None:
    way = mode_for(game, "interpreted")
    make_ready(game, wanted, way)
    watch = Watch([way.workspace(game)])
    tracemalloc.start()
    try:
        found = all_positions(game.position(), wanted, way, watch, LITTLE)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found is not None
    assert found.bytes / 8 < peak < found.bytes


@MODES
def test_so_many_and_no_more(mode: str) -> None:
    position = games.tic_tac_toe().position()
    assert found_in(position, Wanted(forward=True), mode, most=5478).count == 5478
    with pytest.raises(TooLarge) as large:
        explore(position, Wanted(forward=True), mode, most=5477)
    assert large.value.positions == 5478


@MODES
def test_limits_stop_it(mode: str) -> None:
    position = games.tic_tac_toe().position()
    way: Mode = mode_for(position.game, mode)
    watch = Watch([way.workspace(position.game)], Limits(nodes=500))
    assert watch.run(lambda: all_positions(position, Wanted(forward=True), way, watch, LITTLE)) is None
    assert (watch.nodes, watch.reason or "nodes") == (500, "nodes")
    assert watch.stopped


# floats


def floating(kind: type, several: bool) -> Game:
    """From 0.0, moves make 0.0, -0.0, 1.0, and a NaN in two ways; three moves and play is over."""
    State = struct(x=(kind, 2) if several else kind, plies=u8)
    infinite, nan = math.inf, math.nan

    @rule
    def moves(s, out):
        for i in range(5):
            out[i] = i
        return 5

    @rule
    def new(old, move):
        if move == 0:
            return old * 0.0
        if move == 1:
            return -0.0 * (old * old)
        if move == 2:
            return 1.0 + 0.0 * old
        if move == 3:
            return infinite * (old - old)
        return -nan

    @rule
    def play(s, move):
        if several:
            s.x[1] = new(s.x[0], move)
            s.x[0] = s.x[1]
        else:
            s.x = new(s.x, move)
        s.plies = s.plies + 1

    @rule
    def result(s):
        return 0 if s.plies == 3 else ONGOING

    return Game(
        name="floating", State=State, start=State(), moves=moves, play=play, result=result, max_moves=5, max_plies=3
    )


@pytest.mark.parametrize(("kind", "several"), [(f32, False), *slow((f64, True), (f32, True), (f64, False))])
def test_floats_are_told_apart_alike_in_both_modes(kind: type, several: bool) -> None:
    position = floating(kind, several).position()
    wanted = Wanted(forward=True, states=True)
    plain, compiled = (found_in(position, wanted, mode) for mode in ("interpreted", "compiled"))
    assert list(plain.children) == compiled.children.tolist()
    for found in (plain, compiled):
        assert found.count == 1 + 3 * 4  # at each ply 0.0, -0.0, 1.0 and one NaN
        numbers = [found.state(number).x[0] if several else found.state(number).x for number in range(1, 5)]
        assert [math.copysign(1, x) for x in numbers[:3]] == [1, -1, 1]
        assert numbers[:3] == [0.0, 0.0, 1.0]
        assert math.isnan(numbers[3])
        assert [found.number_of(found.state(number)) for number in range(found.count)] == list(range(found.count))


@wrapping
def test_a_nan_has_one_name_and_one_key() -> None:
    State = struct(x=f64, y=(f32, 2))
    bits = [0x7FF8000000000000, 0xFFF8000000000000, 0x7FF8000000000123]
    states = [State(y=[1, 2]).copy() for _ in bits]
    for state, word in zip(states, bits):
        state.x = float(np.uint64(word).view(np.float64))
    start = State()
    game = replace(floating(f64, False), State=State, start=start)
    name = name_of(game)
    assert len({name(state) for state in states}) == 1
    assert len({state.tobytes() for state in states}) == 3
    keys = name_of(game, "key")
    assert len({keys(state) for state in states}) == 1
    assert name(states[0]) != name(start)


# what is built on it


def test_the_score_counts_where_a_hook_does_not_heed_it() -> None:
    """Two ends that the hook takes for one are worth different things to exact expectation."""
    State = struct(node=u8)

    @rule
    def moves(s, out):
        out[0], out[1] = 1, 2
        return 2

    @rule
    def play(s, move):
        s.node = move

    @rule
    def result(s):
        return ONGOING if s.node == 0 else (1 if s.node == 1 else -1)

    @rule
    def turn(s):
        return CHANCE

    @rule
    def weight(s, outcome):
        return outcome

    @rule
    def symmetry(s):
        return u64(7)

    game = Game(
        name="toss", State=State, start=State(), moves=moves, play=play, result=result, turn=turn, weight=weight,
        symmetry=symmetry, max_moves=2, max_plies=1,
    )  # fmt: skip
    for mode in ("interpreted", "compiled"):
        answer = solve(game, mode=mode)
        assert (answer.details["fraction"], answer.nodes) == ("-1/3", 3)


@pytest.mark.parametrize("mode", ["interpreted", *slow("compiled")])
def test_expectation_refuses_what_does_not_fit_and_what_is_estimated(mode: str) -> None:
    with pytest.raises(TooLarge, match=r"pig has more positions than fit: .* give more memory, .* such as star2.5"):
        solve(games.pig(goal=30), mode=mode, memory="100KB")
    nodes = {"A": {"turn": "chance", "moves": {"B": 1, "C": 1}}, "B": {"value": 1}, "C": {"estimate": 0.5}}
    with pytest.raises(Exception, match="in '@C' there is an estimate and nothing behind it"):
        solve(graph_game({"root": "A", "nodes": nodes}), method="expectation", mode=mode)


@MODES
def test_positions_are_counted_up_to_a_limit(mode: str) -> None:
    game = games.tic_tac_toe()
    assert count_positions(game.position(), Limits(), mode) == 4520 == len(undecided_tic_tac_toe())
    assert count_positions(game.position(), Limits(nodes=4520), mode) == 4520
    assert count_positions(game.position(), Limits(nodes=4519), mode) is None
    assert count_positions(game.position(), Limits(), mode, memory="50KB") is None
    assert count_positions(game.position("a1 b1 a2 b2 a3"), Limits(), mode) == 0


@cache
def undecided_tic_tac_toe() -> set[Position]:
    return {p for p in oracles.positions(games.tic_tac_toe().position()) if p.result is None}


class Heap:
    """Take one or two; who takes the last wins."""

    def __init__(self, left: int = 5) -> None:
        self.left = left

    def turn(self) -> int:
        return self.left & 1

    def moves(self) -> list[int]:
        return [1, 2][: self.left]

    def play(self, move: int) -> Heap:
        return type(self)(self.left - move)

    def result(self) -> int | None:
        return None if self.left else 1


class Keyed(Heap):
    def key(self) -> int:
        return self.left


def test_objects_are_told_apart_by_their_key() -> None:
    position = from_object(Keyed(), name="heap").position()
    found = found_in(position, Wanted(forward=True, states=True), "interpreted")
    assert [found.state(number).left for number in range(found.count)] == [5, 4, 3, 2, 1, 0]
    assert count_positions(position, Limits()) == 5
    keyless = from_object(Heap(), name="heap").position()
    with pytest.raises(RuleError, match="told apart by their key"):
        explore(keyless, Wanted(forward=True), "interpreted")
    assert count_positions(keyless, Limits()) is None
    with pytest.raises(KeyError):
        found.number_of(Keyed(9))
