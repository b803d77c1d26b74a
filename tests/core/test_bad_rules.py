"""Rules that raise or leave their limits: always an error that says which rule and what is wrong."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from heap import NIM, State, moves, result
from marks import slow, some_slow
from zermelo import perft, solve
from zermelo.core.engine import Engine
from zermelo.core.method import PLAIN
from zermelo.core.solving import solve_with
from zermelo.methods.registry import method_named
from zermelo.rules import Game, Position, RuleError, i16, i32, rule, struct, u8

# Rules that raise: one game, told by its state when to do it.

Touchy = struct(heap=i16, plies=i16, at=i16, board=(u8, 3))


@rule
def touchy_result(s):
    if s.heap == s.at:
        raise ValueError("this heap is cursed")  # here
    return result(s)


TOUCHY = replace(NIM, name="touchy", State=Touchy, start=Touchy(heap=5), result=touchy_result)
MODES = pytest.mark.parametrize("mode", ["interpreted", "compiled"])


def ways(*methods: str) -> pytest.MarkDecorator:
    """Every method interpreted, and one compiled; the others compiled only if slow tests are run."""
    pairs = [(method, mode) for method in methods for mode in ("interpreted", "compiled")]
    later = [(method, "compiled") for method in methods if method != "alphabeta"]
    return pytest.mark.parametrize(("method", "mode"), some_slow(pairs, later))


@MODES
@pytest.mark.parametrize("at", [5, 3, 0])
def test_a_rule_that_raises(mode: str, at: int) -> None:
    with pytest.raises(RuleError, match=r"touchy: rule result raised ValueError.*: this heap is cursed$") as raised:
        solve(Position(TOUCHY, Touchy(heap=5, at=at)), method="minimax", mode=mode)
    assert at == 5 or f"of {__file__} (raise ValueError(" in str(raised.value)  # 5 is met before any search


@MODES
def test_a_rule_that_raises_while_paths_are_counted(mode: str) -> None:
    with pytest.raises(RuleError, match=r"touchy: rule result raised ValueError .*: this heap is cursed$"):
        perft(Position(TOUCHY, Touchy(heap=5, at=2)), 4, mode=mode)


def test_an_index_outside_an_array_is_explained() -> None:
    @rule
    def order(s, move):
        return s.board[move + 7]

    with pytest.raises(RuleError, match=r"nim: rule order raised IndexError .*an index outside an array field"):
        solve(replace(NIM, order=order), mode="interpreted")


# Rules that write more moves than declared: how many more, and where, is part of the state.

Eager = struct(heap=i16, plies=i16, at=i16, extra=i32)


@rule
def eager_moves(s, out):
    n = moves(s, out)
    if s.heap == s.at:
        for _ in range(s.extra):
            out[n] = 1
            n += 1
    return n


EAGER = replace(NIM, name="eager", State=Eager, start=Eager(heap=5), moves=eager_moves)
EXTRA = pytest.mark.parametrize("extra", [1, 2, 7, 300, 5000, 60000])


@cache
def eager_engine(method: str, mode: str) -> Engine:
    return Engine(EAGER, method_named(method), PLAIN, mode=mode)


@EXTRA
@pytest.mark.parametrize("at", [5, 4, 1])
@pytest.mark.parametrize("method", ["alphabeta", *slow("minimax", "boolean")])
def test_too_many_moves_are_an_error(method: str, at: int, extra: int) -> None:
    position = Position(EAGER, Eager(heap=5, at=at, extra=extra))
    total = min(3, at) + extra
    if total <= EAGER.max_moves:
        assert solve_with(eager_engine(method, "compiled"), position).value == 1
        return
    with pytest.raises(RuleError, match=f"eager: rule moves wrote {total} moves where max_moves = 3 are declared"):
        solve_with(eager_engine(method, "compiled"), position)
    with pytest.raises(RuleError, match="eager: rule moves wrote more than the declared max_moves = 3"):
        solve_with(eager_engine(method, "interpreted"), position)


@EXTRA
@MODES
def test_too_many_moves_are_not_left_out_of_a_count(mode: str, extra: int) -> None:
    position = Position(EAGER, Eager(heap=5, at=4, extra=extra))
    with pytest.raises(RuleError, match=r"eager: rule moves wrote .* max_moves"):
        perft(position, 3, mode=mode)


def test_an_engine_recovers_from_too_many_moves() -> None:
    one = eager_engine("alphabeta", "compiled")
    with pytest.raises(RuleError):
        solve_with(one, Position(EAGER, Eager(heap=5, at=5, extra=9)))
    assert solve_with(one, Position(EAGER)).value == 1


# Games that are longer than declared, or stuck.


@ways("minimax", "alphabeta", "mtdf", "boolean")
def test_a_game_beyond_its_declared_length(method: str, mode: str) -> None:
    with pytest.raises(RuleError, match="nim: a game went on beyond the declared max_plies = 3; raise max_plies"):
        solve(short_game(), method=method, options=PLAIN, mode=mode)


@cache
def short_game() -> Game:
    return replace(NIM, start=State(heap=9), max_plies=3)


@ways("minimax", "alphabeta", "boolean")
def test_a_game_that_goes_on_without_moves(method: str, mode: str) -> None:
    with pytest.raises(RuleError, match="stuck: .*no move"):
        solve(stuck_game(), method=method, options=PLAIN, mode=mode)


@cache
def stuck_game() -> Game:
    @rule
    def moves(s, out):
        out[0] = 2
        return 1 if s.heap >= 2 else 0

    return replace(NIM, name="stuck", moves=moves)
