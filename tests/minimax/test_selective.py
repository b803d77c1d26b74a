"""Selective searches: what each part computes, by a slow version; and that none proves what is not so."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
import zermelo as z
from loud_games import loud_game, seeded
from marks import slow
from zermelo.compile.watch import Limits
from zermelo.core.engine import Engine
from zermelo.core.method import PLAIN, Options
from zermelo.core.question import Question
from zermelo.core.searching import search_with
from zermelo.core.selective import NEEDS, ORDER
from zermelo.methods.registry import method_named, methods
from zermelo.minimax.quiet import BEYOND
from zermelo.rules import Game, MoveBuffer, Position, Unsuitable, wrapping
from zermelo.rules.hooks import turn_field

SEEDS = st.integers(0, 2**40)
ALL = Options(quiet=True, checks=True, null=True, reductions=True, futility=0.5, extensions=True, order=ORDER)
FAMILY = ["alphabeta", "negascout", "mtdf"]
LOOPS = ("draw", "first", "wins")
TINY, SMALL = 64, "64KB"


@cache
def game_with(repetition: str = "none") -> Game:
    return loud_game() if repetition == "none" else loud_game(size=7, most=2, repetition=repetition)


@cache
def engine(
    method: str, options: Options, game: Game, memory: str | int = SMALL, mode: str = "interpreted"
) -> Engine:
    return Engine(game, method_named(method), options, mode=mode, memory=memory, estimates=True)


def searched(one: Engine, position: Position, depth: int) -> z.Answer:
    return search_with(one, Question(position, limits=Limits(depth=depth)), "")


def proves_nothing_false(one: Engine, position: Position, depth: int) -> bool:
    """What a search calls proven, of the position or of one of its moves, is what all paths say."""
    answer = searched(one, position, depth)
    truth = oracles.value(position)
    if answer.status == "proven":
        assert answer.value == truth
        assert set(answer.best) <= set(oracles.best_moves(position))
    for verdict in answer.verdicts:
        if verdict.status in ("proven", "bound"):
            assert verdict.low <= oracles.value(position.play(verdict.move)) <= verdict.high
    return answer.status == "proven"


@pytest.mark.parametrize("memory", [TINY, SMALL])
@pytest.mark.parametrize("method", FAMILY)
@settings(max_examples=60)
@given(seed=SEEDS, depth=st.integers(1, 12))
def test_nothing_false_is_proven(method: str, memory: str | int, seed: int, depth: int) -> None:
    proves_nothing_false(engine(method, ALL, game_with(), memory), seeded(game_with(), seed), depth)


@pytest.mark.parametrize("repetition", LOOPS)
@pytest.mark.parametrize("method", ["alphabeta", *slow("negascout", "mtdf")])
@settings(max_examples=40)
@given(seed=SEEDS, depth=st.integers(1, 8))
def test_nothing_false_is_proven_where_play_goes_round(method: str, repetition: str, seed: int, depth: int) -> None:
    one = engine(method, ALL, game_with(repetition))
    proves_nothing_false(one, seeded(one.game, seed), depth)


@settings(max_examples=20)
@given(seed=SEEDS, played=st.lists(st.integers(0, 3), max_size=4))
def test_what_was_played_before_counts(seed: int, played: list[int]) -> None:
    """Facts that are found behind a pass must not forget the history either."""
    one = engine("alphabeta", ALL, game_with("draw"))
    position = seeded(one.game, seed)
    for number in played:
        if position.result is None:
            position = position.play(position.codes[number % len(position.codes)])
    if position.result is None:
        for depth in (2, 4, 6):
            proves_nothing_false(one, position, depth)


def test_some_searches_prove_something() -> None:
    """Otherwise the tests above would test nothing."""
    one = engine("alphabeta", ALL, game_with())
    proven = [proves_nothing_false(one, seeded(one.game, seed), 12) for seed in range(40)]
    assert 5 < sum(proven) < 40


@pytest.mark.parametrize("option", NEEDS)
@settings(max_examples=25)
@given(seed=SEEDS, depth=st.integers(1, 9))
def test_each_alone_proves_nothing_false(option: str, seed: int, depth: int) -> None:
    alone = Options(**{option: 0.5 if option == "futility" else True})
    proves_nothing_false(engine("negascout", alone, game_with()), seeded(game_with(), seed), depth)


@pytest.mark.parametrize("method", ["alphabeta", "mtdf"])
@settings(max_examples=25)
@given(seed=SEEDS)
def test_solving_after_searching_is_exact(method: str, seed: int) -> None:
    """One session, one position: the search fills its table with estimates, and the solution knows nothing of them."""
    game = game_with()
    settings: dict[str, Any] = {"null": True, "quiet": True, "futility": 0.5, "reductions": True}
    with z.request(method, game, memory="64KB", mode="interpreted", **settings).open(game) as session:
        session.search(seeded(game, seed), Limits(depth=5))
        answer = session.solve(seeded(game, seed))
    assert (answer.status, answer.value) == ("proven", oracles.value(seeded(game, seed)))
    assert "selective" not in answer.details


# What each part computes


@wrapping
def quiet_value(position: Position, left: int = BEYOND, checks: bool = False) -> float:
    """By definition: the first player's value when a player may take the estimate or make a loud move that loses
    nothing, and must move out of check. `checks`: at first, also any move that gives check."""
    game, state = position.game, position.state
    if position.result is not None:
        return position.result
    assert game.evaluate is not None
    if left == 0:
        return game.evaluate(state)
    if game.checked(state):  # type: ignore[misc]
        values, codes = [], position.codes
    else:
        out = MoveBuffer(game.max_moves, game.name)
        listed = out[: game.loud(state, out)]  # type: ignore[misc]
        values, codes = [game.evaluate(state)], [move for move in listed if game.exchange(state, move) >= 0]  # type: ignore[misc]
        if checks:
            codes += [move for move in position.codes if move not in codes and gives_check(position, move)]
    values += [quiet_value(position.play(move), left - 1) for move in codes]
    return max(values) if position.turn == 0 else min(values)


def gives_check(position: Position, move: int) -> bool:
    after = position.state.copy()
    position.game.play(after, move)
    turn: Any = position.game.turn or turn_field
    return turn(after) != position.turn and bool(position.game.checked(after))  # type: ignore[misc]


@wrapping
def extended_value(position: Position, depth: int, quiet: bool) -> float:
    """Minimax to a depth, one ply deeper where there is check, with quiet positions or estimates at the end."""
    game = position.game
    if position.result is not None:
        return position.result
    if game.checked(position.state):  # type: ignore[misc]
        depth += 1
    if depth <= 0:
        return quiet_value(position) if quiet else game.evaluate(position.state)  # type: ignore[misc]
    values = [extended_value(position.play(move), depth - 1, quiet) for move in position.codes]
    return max(values) if position.turn == 0 else min(values)


@wrapping
def plain_value(position: Position, depth: int, checks: bool) -> float:
    if position.result is not None:
        return position.result
    if depth == 0:
        return quiet_value(position, checks=checks)
    values = [plain_value(position.play(move), depth - 1, checks) for move in position.codes]
    return max(values) if position.turn == 0 else min(values)


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("alphabeta", replace(PLAIN, quiet=True)),
        ("negascout", replace(PLAIN, quiet=True, knowledge=True, order=ORDER)),
        ("mtdf", replace(PLAIN, quiet=True, knowledge=True)),
        ("alphabeta", replace(PLAIN, quiet=True, checks=True)),
    ],
)
@pytest.mark.parametrize("repetition", ["none", "draw"])
@settings(max_examples=30)
@given(seed=SEEDS, depth=st.integers(1, 3))
def test_quiescence_is_what_its_definition_says(
    method: str, options: Options, repetition: str, seed: int, depth: int
) -> None:
    one = engine(method, options, game_with(repetition))
    position = seeded(one.game, seed)
    low, high = one.window(position)
    one.watched(Limits(), None)
    found = one.search(position, depth, low, high)
    expected = plain_value(position, depth, bool(options.checks))
    assert found * (1 if position.turn == 0 else -1) == pytest.approx(expected)


@pytest.mark.parametrize("quiet", [False, True])
@settings(max_examples=30)
@given(seed=SEEDS, depth=st.integers(1, 3))
def test_a_check_is_searched_deeper(quiet: bool, seed: int, depth: int) -> None:
    one = engine("alphabeta", replace(PLAIN, quiet=quiet, extensions=True), game_with())
    position = seeded(one.game, seed)
    low, high = one.window(position)
    one.watched(Limits(), None)
    found = one.search(position, depth, low, high)
    assert found * (1 if position.turn == 0 else -1) == pytest.approx(extended_value(position, depth, quiet))


@settings(max_examples=20)
@given(seed=SEEDS, depth=st.integers(1, 5))
def test_the_modes_visit_the_same_nodes(seed: int, depth: int) -> None:
    counts = []
    for mode in ("interpreted", "compiled"):
        one = engine("negascout", replace(ALL, table=False), game_with(), mode=mode)
        for workspace in one.workspaces:
            for field in ("killers", "history"):
                rows = workspace.rows(field)
                rows.fill(0) if workspace.compiled else rows.clear()
        answer = searched(one, seeded(one.game, seed), depth)
        counts.append((answer.nodes, answer.leaves, answer.extra_nodes, answer.value))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("option", ["null", "reductions", "futility"])
def test_what_leaves_out_looks_at_fewer_positions(option: str) -> None:
    game = z.games.dobutsu()
    position = game.position()
    quiet = Options(quiet=True, order=ORDER)
    fewer = replace(quiet, **{option: 0.2 if option == "futility" else True})
    nodes = []
    for options in (quiet, fewer):
        one = Engine(game, method_named("alphabeta"), options, mode="interpreted", memory=SMALL, estimates=True)
        one.watched(Limits(), None)
        one.search(position, 5, *one.window(position))
        nodes.append(one.watch.nodes)
    assert nodes[1] < nodes[0]


def test_a_capture_that_is_taken_back_is_seen() -> None:
    """One ply deep, an elephant that catches a guarded chick has won a chick; a quiet search sees it caught."""
    position = z.games.dobutsu().position("gle/1c1/1C1/ELG[-] w")
    loud = z.search(position, "alphabeta(quiet=off, null=off, reductions=off, extensions=off)", depth=1)
    quiet = z.search(position, "alphabeta", depth=1)
    assert loud.move == "b2b3"
    assert loud.value is not None
    assert quiet.value is not None
    assert quiet.value < loud.value


# How it is asked for


def test_it_is_on_within_limits_where_the_game_has_loud_moves_and_never_for_solving() -> None:
    game = z.games.dobutsu()
    answer = z.search(game, "alphabeta", depth=2, mode="interpreted")
    assert answer.details["selective"] == ["quiet", "null", "reductions", "extensions"]
    assert "selective" not in z.search(z.games.tic_tac_toe(), "alphabeta", depth=2, mode="interpreted").details
    assert z.search(game, "alphabeta(null=off)", depth=2, mode="interpreted").details["selective"] == [
        "quiet", "reductions", "extensions"
    ]  # fmt: skip
    small = z.games.breakthrough(width=3, height=5)
    assert "selective" not in z.solve(small, method="alphabeta", mode="interpreted").details


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: z.request("alphabeta(quiet=on)", z.games.tic_tac_toe(), "search"), "has no rule loud"),
        (lambda: z.request("alphabeta(null=on)", z.games.tic_tac_toe(), "play"), "has no rule skip"),
        (lambda: z.request("alphabeta(extensions=on)", z.games.othello(), "search"), "has no rule checked"),
        (lambda: z.request("alphabeta(checks=on)", z.games.othello(), "search"), "has no rule loud"),
        (lambda: z.request("alphabeta(checks=on, quiet=off)", z.games.dobutsu()), "where loud moves are"),
        (lambda: z.request("negamax(null=on)", z.games.dobutsu(), "search"), "negamax looks at every move"),
        (lambda: z.request("star1(quiet=on)", z.games.einstein(), "search"), "star1 looks at every move"),
        (lambda: z.solve(z.games.dobutsu(), method="alphabeta(null=on)"), "null is for searches within limits"),
        (lambda: z.request("alphabeta(futility=-1)"), "a number from 0 on, not -1"),
    ],
)
def test_what_cannot_be_done_is_refused(ask: Any, words: str) -> None:
    with pytest.raises(Unsuitable, match=words):
        ask()


def test_the_family_is_selective() -> None:
    assert sorted(name for name, method in methods().items() if method.selective) == sorted(FAMILY)
