"""The check passes for every listed game, and finds each of the usual mistakes when it is planted in a tiny one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import zermelo.rules
from marks import some_slow
from tiny import State, tiny
from zermelo import games
from zermelo.checking.conformance import Report, check
from zermelo.rules import CHANCE, ONGOING, Game, PositionError, from_object, i8, rule, struct, u8, u64

SMALL: Mapping[str, Mapping[str, Any]] = {
    "awari": {"pits": 3, "stones": 2},
    "backgammon": {},
    "breakthrough": {"width": 4, "height": 4},
    "chess": {"material": "KPvK", "board": "5-5-5-5-5"},
    "connect-four": {"width": 4, "height": 4},
    "dark-chess": {"rows": 2, "cols": 3, "pieces": "KGPkgp"},
    "dobutsu": {},
    "domineering": {"rows": 3, "cols": 4},
    "draughts": {},
    "einstein": {"size": 3, "stones": 3},
    "go": {"rows": 2, "cols": 2, "ko": "positional"},
    "hex": {"size": 3},
    "kalah": {"pits": 3, "stones": 2},
    "minishogi": {},
    "minixiangqi": {"loops": "draw"},
    "morris": {"men": 3},
    "othello": {"rows": 4, "cols": 4},
    "pig": {"goal": 10},
    "prefix-tree": {"depth": 4, "merge": 0.3},
    "shogi": {},
    "skat": {"contract": "grand"},
    "star-tree": {"branching": 3, "outcomes": 3},
    "tic-tac-toe": {},
    "uniform-tree": {"branching": 3, "depth": 4},
    "xiangqi": {},
}
ELSEWHERE = {"graph", "openspiel"}  # these need a file or another package
OFTEN_CHECKED = (
    "backgammon", "chess", "connect-four", "dark-chess", "draughts", "einstein", "minishogi", "minixiangqi",
    "othello", "prefix-tree", "shogi", "skat", "star-tree", "tic-tac-toe", "uniform-tree", "xiangqi",
)  # fmt: skip
"""Their own tests check them too, or other tests compile and search them all the time."""


def test_every_listed_game_is_checked() -> None:
    assert set(SMALL) | ELSEWHERE == set(games.names())


@pytest.mark.parametrize("name", some_slow(SMALL, OFTEN_CHECKED))
def test_listed_games_keep_their_promises(name: str) -> None:
    report = check(games.load(name, SMALL[name]), games=10)
    assert report.problems == []
    assert report.games == 10


def test_a_graph_keeps_its_promises() -> None:
    from zermelo.games.graph import graph_game

    nodes = {
        "A": {"turn": "max", "moves": ["R", "B"]},
        "B": {"turn": "min", "moves": ["A", "C"]},
        "C": {"turn": "max", "moves": ["A", "E"]},
        "R": {"turn": "min", "moves": ["B", "E"]},
        "E": {"value": -1},
    }
    assert check(graph_game({"root": "A", "repetition": "draw", "nodes": nodes}), games=10).problems == []


def read_position(text: str) -> Any:
    left, slash, plies = text.partition("/")
    if not slash:
        return None
    if not left.isdigit():
        raise PositionError("a position is written as left/plies")
    return State(left=int(left), plies=int(plies))


TINY = replace(tiny(4), position_text=lambda s: f"{s.left}/{s.plies}", read_position=read_position)


def interpreted(game: Game = TINY, **planted: Any) -> str:
    """What the check says about the tiny game with something changed."""
    return check(replace(game, **planted), games=20, modes=("interpreted",)).text()


def test_the_tiny_game_is_in_order() -> None:
    report = check(TINY, games=20)
    assert report.problems == []
    assert (report.games, report.longest, report.most_moves) == (20, 4, 2)
    assert report.text() == (
        f"tiny: 20 random games, {report.plies} positions, longest game 4 plies, at most 2 moves in a position\n"
        "- no problem found"
    )
    assert zermelo.rules.check is check


def test_the_same_seed_plays_the_same_games() -> None:
    reports = [check(TINY, games=5, seed=seed, modes=("interpreted",)) for seed in (1, 1, 2)]
    assert reports[0].plies == reports[1].plies
    assert isinstance(reports[2], Report)


def test_too_many_moves() -> None:
    assert "rule moves wrote more than the declared max_moves = 1; raise max_moves" in interpreted(max_moves=1)
    assert "more than the declared max_moves = 1" in check(replace(TINY, max_moves=1), games=3).text()


def test_a_score_out_of_bounds() -> None:
    assert "a score lies outside the declared values: -1 in '0/" in interpreted(values=(0, 1))


def test_a_game_that_is_too_long() -> None:
    text = interpreted(max_plies=2)
    assert "a game is longer than declared: max_plies = 2, but play goes on in '1/2'; raise it" in text


def test_play_that_returns_a_state_instead_of_changing_it() -> None:
    @rule
    def play(s, move):
        after = s.copy()
        after.left -= move
        after.plies += 1
        return after

    assert "no problem found" not in interpreted(play=play)


def test_play_that_changes_an_object() -> None:
    class Heap:
        def __init__(self, left: int) -> None:
            self.left, self.plies = left, 0

        def turn(self) -> int:
            return self.plies & 1

        def moves(self) -> list[int]:
            return [1, 2] if self.left > 1 else [1]

        def play(self, move: int) -> Heap:
            self.left -= move
            self.plies += 1
            return self

        def result(self) -> int | None:
            return None if self.left > 0 else 1

    report = check(from_object(Heap(5), name="heap", max_plies=5))
    assert "play changes the position it starts from" in report.text()


def test_play_that_writes_into_a_captured_array() -> None:
    import numpy as np

    seen = np.zeros(9, np.int64)

    @rule
    def play(s, move):
        seen[0] += 1
        s.left -= move
        s.plies += 1

    text = check(replace(TINY, play=play), games=2).text()
    assert "rule play cannot be compiled" in text
    assert "it writes into an array from outside" in text


def test_a_key_that_depends_on_something_else() -> None:
    asked = [0]

    @rule
    def key(s):
        asked[0] += 1
        return u64(asked[0])

    assert "equal states have different keys" in interpreted(key=key)


def test_an_exact_key_that_clashes() -> None:
    @rule
    def key(s):
        return u64(s.left)

    assert "two positions share a key that is declared exact: State(left=" in interpreted(key=key)
    assert "share a key" not in interpreted(key=key, exact_key=False)


def test_a_text_that_does_not_read_back() -> None:
    text = interpreted(position_text=lambda s: f"{s.left}/0")
    assert "a position text does not read back: '" in text
    text = interpreted(position_text=lambda s: f"x{s.left}/{s.plies}")
    assert "a position is written as left/plies" in text


def test_a_move_listed_twice() -> None:
    @rule
    def moves(s, out):
        out[0] = out[1] = 1
        return 2

    assert "moves lists a move twice: [1, 1] in '4/0'" in interpreted(moves=moves)


def test_two_moves_with_one_text() -> None:
    assert "two moves have the same text: some some" in interpreted(move_text=lambda s, move: "some")


@pytest.mark.parametrize("large", [65535, 100000, -1])
def test_a_move_that_is_no_small_number(large: int) -> None:
    @rule
    def moves(s, out):
        out[0] = large
        return 1

    @rule
    def play(s, move):
        s.left -= 1
        s.plies += 1

    assert f"a move is not a number from 0 to 65534: [{large}]" in interpreted(moves=moves, play=play)


def test_no_move_while_the_game_goes_on() -> None:
    @rule
    def moves(s, out):
        out[0] = 2
        return 1 if s.left > 1 else 0

    assert "the game goes on but there is no move" in interpreted(moves=moves, start=State(left=3))
    assert "there is no move" not in interpreted(moves=moves, start=State(left=3), horizon=lambda s: s.left == 1)


def test_players_who_do_not_alternate() -> None:
    @rule
    def turn(s):
        return 1 if s.plies == 1 or s.plies == 2 else 0

    assert "declared alternating, but a player moves twice" in interpreted(turn=turn, alternating=True)
    assert "twice" not in interpreted(turn=turn, alternating=False)


def test_a_turn_that_is_nobodys() -> None:
    assert "turn must be 0, 1 or CHANCE: 3" in interpreted(turn=lambda s: 3, alternating=False)


@rule
def chance_turn(s):
    return CHANCE if s.plies == 1 else s.plies & 1


@pytest.mark.parametrize("weight", [0, -1, 0.5])
def test_weights_that_are_not_positive_whole_numbers(weight: float) -> None:
    text = interpreted(turn=chance_turn, alternating=False, weight=lambda s, outcome: weight)
    assert f"weights must be positive whole numbers: [{weight}" in text


def test_chance() -> None:
    assert "no problem found" in interpreted(turn=chance_turn, alternating=False, weight=lambda s, outcome: outcome)
    assert "a chance position needs a rule weight(s, outcome)" in interpreted(turn=chance_turn, alternating=False)


@pytest.mark.parametrize("estimate", [1, -1, 2, 1.5])
def test_an_estimate_that_says_too_much(estimate: float) -> None:
    assert f"evaluate must lie strictly inside values: {estimate} for values (-1, 1)" in interpreted(
        evaluate=lambda s: estimate
    )


def test_estimates_on_the_bound_can_be_declared() -> None:
    assert "no problem found" in interpreted(evaluate=lambda s: 1, strict_estimates=False)
    assert "evaluate" in interpreted(evaluate=lambda s: 2, strict_estimates=False)


@pytest.mark.parametrize("bounds", [(-2, 1), (0, 2), (1, -1)])
def test_bounds_that_cannot_be(bounds: tuple[int, int]) -> None:
    assert f"bounds must be (lowest, highest) within values: {bounds}" in interpreted(bounds=lambda s: bounds)


@pytest.mark.parametrize("listed", [[7], [], [1, 7]])
def test_candidates_that_are_no_moves(listed: list[int]) -> None:
    def candidates(s, out):
        for i, move in enumerate(listed):
            out[i] = move
        return len(listed)

    assert f"candidates must be some of the legal moves, at least one: {listed} of [1, 2]" in interpreted(
        candidates=candidates
    )


def test_a_symmetry_that_equates_what_differs() -> None:
    assert "positions of equal symmetry differ in moves, result or turn: after 1 and after 2" in interpreted(
        symmetry=lambda s: u64(5), start=State(left=2)
    )


def test_a_rule_that_raises() -> None:
    @rule
    def result(s):
        if s.left == 2:
            raise ArithmeticError("no two")
        return ONGOING if s.left > 0 else 1

    text = interpreted(result=result)
    assert "- a rule fails: tiny: rule result raised ArithmeticError at line" in text
    assert text.endswith(": no two")


Wrapping = struct(left=u8, right=u8, plies=i8)


@rule
def behind(s):
    """True for Python's integers where left is smaller; compiled, the difference of unsigned numbers wraps."""
    return s.left - s.right < 0


@cache
def wrapping() -> Report:
    """A game in which every hook falls into the same trap."""

    @rule
    def moves(s, out):
        out[0] = 1
        out[1] = 2
        return 1 if behind(s) else 2

    @rule
    def play(s, move):
        s.left -= 1
        s.right = 7 if behind(s) else 9
        s.plies += 1

    @rule
    def result(s):
        return ONGOING if s.plies < 3 else 1 if behind(s) else -1

    @rule
    def candidates(s, out):
        out[0] = 1 if behind(s) else 2
        return 1

    game = Game(
        name="wrapping", State=Wrapping, start=Wrapping(left=5, right=7), moves=moves, play=play, result=result,
        candidates=candidates, max_moves=2, max_plies=3, turn=rule(lambda s: 1 if behind(s) else 0),
        evaluate=rule(lambda s: 0.5 if behind(s) else 0.0), order=rule(lambda s, move: 1 if behind(s) else 0),
        key=rule(lambda s: u64(1) if behind(s) else u64(2)), symmetry=rule(lambda s: u64(3) if behind(s) else u64(4)),
        bounds=rule(lambda s: (0, 1) if behind(s) else (-1, 0)), alternating=False,
    )  # fmt: skip
    return check(game, games=3)


@pytest.mark.parametrize(
    "hook", ["moves", "play", "result", "turn", "evaluate", "order", "key", "symmetry", "bounds", "candidates"]
)
def test_modes_that_differ(hook: str) -> None:
    assert f"- {hook} differs between the modes: " in wrapping().text()


def test_an_order_may_be_a_fraction() -> None:
    assert check(replace(TINY, order=rule(lambda s, move: move / 4)), games=3).problems == []
