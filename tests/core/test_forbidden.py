"""Repetition forbidden: every search against the definition over explicit histories, on random games.

The definition knows nothing of positions, paths or tables: a list of states goes in, and whatever would bring back a
state on it is struck out of the moves. Some games let a player pass, which is always allowed, so that moves never run
out; in others they do, and `stuck` tells the score.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certificates.plain_checker import Refused, from_list, walk_lines
from marks import slow
from random_games import random_game, seeded
from zermelo.certificates.certificate import Certificate
from zermelo.certificates.checker import verify
from zermelo.certificates.explaining import explain
from zermelo.certificates.proving import Disproved, prove
from zermelo.checking.conformance import check
from zermelo.compile.watch import Limits
from zermelo.core.engine import Engine
from zermelo.core.method import PLAIN, Options
from zermelo.core.perft import perft
from zermelo.core.solving import solve_with
from zermelo.knowledge.building import build_table
from zermelo.methods.asking import search, solve
from zermelo.methods.registry import method_named
from zermelo.pn.options import ProofOptions
from zermelo.rules import ONGOING, Game, Position, RuleError, Unsuitable, i8, i32, rule, struct, u64, wrapping
from zermelo.rules.hashing import mix

SEEDS = st.integers(0, 2**40)
CHOICES = st.lists(st.integers(0, 3), max_size=4)
KINDS = ("stuck", "positional", "situational")
SEARCHES: dict[str, tuple[str, Any, str | int]] = {
    "minimax": ("minimax", PLAIN, 64),
    "negamax": ("negamax", Options(), "64KB"),
    "alphabeta": ("alphabeta", Options(etc=True), "64KB"),
    "alphabeta colliding": ("alphabeta", Options(etc=True, iid=True), 320),
    "negascout colliding": ("negascout", Options(etc=True), 320),
    "mtdf": ("mtdf", Options(), 640),
    "boolean": ("boolean", Options(), 320),
    "dfpn": ("dfpn", ProofOptions(), "64KB"),
    "dfpn colliding": ("dfpn", ProofOptions(), 320),
    "pn": ("pn", ProofOptions(order=(), knowledge=False), "64KB"),
    "pn2": ("pn2", ProofOptions(order=(), knowledge=False), "64KB"),
    "mopn": ("mopn", ProofOptions(), "256KB"),
}


@cache
def game_called(kind: str) -> Game:
    """A random graph on which no position may come back. `stuck`: there is no pass, and who cannot move gets some
    score. Else two passes end the game, and what may not come back is the node (positional), or the node together with
    how often was just passed, which tells the turn (situational)."""
    plain = random_game(size=7, moves=3, repetition="forbidden")
    salt, shift, scores = u64(4711), u64(20), u64(7)

    @rule
    def score(s):
        return int((mix(mix(salt, s.seed), u64(s.node)) >> shift) % scores) - 3

    if kind == "stuck":
        return replace(plain, stuck=score)
    State = struct(node=i32, seed=u64, passes=i8)
    moves, play, result, turn = plain.moves, plain.play, plain.result, plain.turn
    positional, to_pass, start = kind == "positional", 3, u64(99)

    @rule
    def moves_and_pass(s, out):
        n = moves(s, out)
        out[n] = to_pass
        return n + 1

    @rule
    def play_or_pass(s, move):
        if move == to_pass:
            s.passes += 1
        else:
            play(s, move)
            s.passes = 0

    @rule
    def result_or_passes(s):
        return score(s) if s.passes == 2 else result(s)

    @rule
    def turned(s):
        return (turn(s) + s.passes) & 1

    @rule
    def loop_key(s):
        node = mix(mix(start, s.seed), u64(s.node))
        return node if positional else mix(node, u64(s.passes & 1))

    @rule
    def repeatable(s):
        return s.passes > 0

    @rule
    def key(s):
        return mix(mix(mix(start, s.seed), u64(s.node)), u64(s.passes))

    return replace(
        plain, State=State, start=State(seed=1), moves=moves_and_pass, play=play_or_pass, result=result_or_passes,
        turn=turned, loop_key=loop_key, repeatable=repeatable, key=key, max_moves=4, max_plies=24, subgames={},
    )  # fmt: skip


# The definition


def mark(game: Game, state: Any) -> Any:
    return int(game.loop_key(state)) if game.loop_key is not None else state.tobytes()


def lawful(game: Game, history: list[Any]) -> dict[int, Any]:
    """The moves that are legal after a history, and the states that they lead to."""
    if game.result(history[-1]) != ONGOING:
        return {}
    out = [0] * game.max_moves
    stood, found = [mark(game, state) for state in history], {}
    for move in out[: game.moves(history[-1], out)]:
        after = history[-1].copy()
        game.play(after, move)
        exempt = game.repeatable is not None and game.repeatable(after)
        if exempt or mark(game, after) not in stood:
            found[move] = after
    return found


def value(game: Game, history: list[Any]) -> Any:
    here = history[-1]
    if game.result(here) != ONGOING:
        return game.result(here)
    moves = lawful(game, history)
    if not moves:
        assert game.stuck is not None
        return game.stuck(here)
    assert game.turn is not None
    best = max if game.turn(here) == 0 else min
    return best(value(game, [*history, after]) for after in moves.values())


def paths(game: Game, history: list[Any], depth: int) -> int:
    if depth == 0:
        return 1
    return sum(paths(game, [*history, after], depth - 1) for after in lawful(game, history).values())


@wrapping
def defined(position: Position) -> tuple[Any, list[str], list[int]]:
    """Value, best moves and legal moves by the definition."""
    game, history = position.game, position.path()
    whole, moves = value(game, history), lawful(game, history)
    best = [position.text_of(move) for move, after in moves.items() if value(game, [*history, after]) == whole]
    return whole, best, list(moves)


def played(kind: str, seed: int, choices: list[int]) -> Position:
    """The start of a random game, or a position a few moves on, which knows its history."""
    game = game_called(kind)
    assert game.State is not None
    position = Position(game, game.State(seed=seed))
    for choice in choices:
        if position.result is None:
            position = position.play(position.codes[choice % len(position.codes)])
    return position


# Against it


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40)
@given(seed=SEEDS, choices=CHOICES)
def test_positions(kind: str, seed: int, choices: list[int]) -> None:
    position = played(kind, seed, choices)
    whole, _, moves = defined(position)
    assert position.codes == moves
    assert position.result == (None if moves else whole)


def agrees(one: Engine, position: Position) -> None:
    if position.result is not None:
        return
    whole, best, _ = defined(position)
    answer = solve_with(one, position)
    assert (answer.status, answer.value) == ("proven", whole)
    assert set(answer.best) <= set(best)
    if not one.method.answers_claims:
        assert answer.best == best
    for move in answer.line:
        position = position.play(move)
    assert position.result == whole


@cache
def engine(name: str, kind: str, mode: str) -> Engine:
    method, options, memory = SEARCHES[name]
    return Engine(game_called(kind), method_named(method), options, mode=mode, memory=memory)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SEARCHES)
@settings(max_examples=8)
@given(seed=SEEDS, choices=CHOICES)
def test_searches(name: str, kind: str, seed: int, choices: list[int]) -> None:
    agrees(engine(name, kind, "interpreted"), played(kind, seed, choices))


@pytest.mark.parametrize(
    ("name", "kind"),
    [("alphabeta colliding", "positional"), *slow(*((name, kind) for name in SEARCHES for kind in KINDS))],
)
@settings(max_examples=25)
@given(seed=SEEDS, choices=CHOICES)
def test_searches_compiled(name: str, kind: str, seed: int, choices: list[int]) -> None:
    agrees(engine(name, kind, "compiled"), played(kind, seed, choices))


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=15)
@given(seed=SEEDS, choices=CHOICES, depth=st.integers(0, 5))
def test_perft(kind: str, seed: int, choices: list[int], depth: int) -> None:
    position = played(kind, seed, choices)
    counted = wrapping(paths)(position.game, position.path(), depth)
    assert perft(position, depth, mode="interpreted").paths == counted


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=8)
@given(seed=SEEDS, choices=CHOICES)
def test_tree_search_is_never_wrong(kind: str, seed: int, choices: list[int]) -> None:
    position = played(kind, seed, choices)
    if position.result is not None:
        return
    whole, best, moves = defined(position)
    answer = search(position, "mcts", limits=Limits(nodes=4000), mode="interpreted", seed=1, memory="1MB")
    assert answer.bounds[0] <= whole <= answer.bounds[1]
    assert set(answer.best) <= set(map(position.text_of, moves))
    if answer.status == "proven":
        assert set(answer.best) <= set(best)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=8)
@given(seed=SEEDS, choices=CHOICES)
def test_opponent_models_move_as_the_path_allows(kind: str, seed: int, choices: list[int]) -> None:
    """Against an opponent who sees the same, and all of it, the model's value is that of minimax."""
    position = played(kind, seed, choices)
    if position.result is not None:
        return
    whole, best, _ = defined(position)
    answer = search(position, "om", limits=Limits(depth=20), mode="interpreted")
    assert (answer.value, set(answer.best) <= set(best)) == (whole, True)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=8)
@given(seed=SEEDS, choices=CHOICES)
def test_proofs(kind: str, seed: int, choices: list[int]) -> None:
    position = played(kind, seed, choices)
    if position.result is not None:
        return
    whole, _, _ = defined(position)
    how: dict[str, Any] = {"mode": "interpreted", "memory": "64KB"}
    proved = prove(position, at_least=whole, **how)
    again = Certificate.decode(proved.encode())
    assert verify(position.game, again, mode="interpreted").holds
    assert explain(again, position.game, mode="interpreted").position == position
    moves = [index for chunk in proved.proofs[0].chunks() for index in chunk.tolist()]
    assert walk_lines(position, True, whole, from_list(moves)).positions == proved.positions
    with pytest.raises(Refused):  # some line ends with the value itself
        walk_lines(position, True, whole + 1, from_list(moves))
    if whole < position.game.values[1]:
        with pytest.raises(Disproved):
            prove(position, at_least=whole + 1, **how)


@pytest.mark.parametrize("kind", KINDS)
def test_check_finds_nothing(kind: str) -> None:
    assert not check(game_called(kind), games=20, modes=("interpreted",)).problems


# What is refused


def test_what_knows_no_path_is_refused(tmp_path: Any) -> None:
    game = game_called("stuck")
    with pytest.raises(Unsuitable, match=r"no move may close a loop\) a position's value depends on the path"):
        solve(game, method="fixpoint", mode="interpreted")
    with pytest.raises(Unsuitable, match="a table knows positions without the way to them"):
        build_table(game, tmp_path / "table")


def test_repeatable_is_for_forbidden_repetition() -> None:
    game = game_called("positional")
    with pytest.raises(RuleError, match="repeatable says which positions may come back where repetition is forbidden"):
        replace(game, repetition="draw")


def test_no_move_left_without_a_score_is_reported() -> None:
    game = replace(game_called("stuck"), stuck=None)

    def look_at_some() -> None:
        for seed in range(20):
            solve(seeded(game, seed), method="minimax", mode="interpreted")

    with pytest.raises(RuleError, match="no move"):
        look_at_some()
