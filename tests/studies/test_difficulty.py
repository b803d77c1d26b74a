"""Difficulty: counted moves against the oracle, proofs, shallow searches, and what cannot be told."""

from __future__ import annotations

from dataclasses import replace

import pytest

import oracles
from random_games import random_game, seeded
from zermelo import games, solve
from zermelo.certificates.proving import prove
from zermelo.compile.watch import Limits
from zermelo.games.graph import graph_game
from zermelo.rules import Position, Unsuitable
from zermelo.studies.difficulty import Difficulty, Turn, difficulty, proof_size

WHOLE = random_game()
QUICK = {"mode": "interpreted", "memory": "1MB"}


def test_the_moves_that_keep_the_value_are_counted() -> None:
    for seed in range(12):
        position = seeded(WHOLE, seed)
        told = difficulty(position, proof=False, **QUICK)
        assert [turn.move for turn in told.turns] == told.answer.line
        for turn in told.turns:
            assert (turn.player, turn.moves) == (position.turn, len(position.codes))
            assert turn.keeping == len(oracles.best_moves(position))
            position = position.play(turn.move)
        assert position.result == told.answer.value


def test_cyclic_games_are_counted_along_their_path() -> None:
    nodes = {
        "A": {"turn": "max", "moves": ["B", "L"]},
        "B": {"turn": "min", "moves": ["A", "W"]},
        "W": {"value": 1},
        "L": {"value": -1},
    }
    told = difficulty(graph_game({"root": "A", "repetition": "draw", "nodes": nodes}), **QUICK)
    assert told.turns == [Turn(0, "B", 1, 2), Turn(1, "A", 1, 2)]
    assert (told.answer.value, told.only_moves(0), told.only_moves(1)) == (0, 1, 1)


def trap(estimate: float) -> Position:
    """One move looks good and loses two plies later."""
    nodes = {
        "A": {"turn": "max", "moves": ["bait", "right"]},
        "bait": {"turn": "min", "moves": ["bait2"], "estimate": estimate},
        "bait2": {"turn": "max", "moves": ["L"], "estimate": estimate},
        "right": {"turn": "min", "moves": ["right2"], "estimate": 0},
        "right2": {"turn": "max", "moves": ["W"], "estimate": 0},
        "W": {"value": 1},
        "L": {"value": -1},
    }
    return graph_game({"root": "A", "nodes": nodes}).position()


@pytest.mark.parametrize(("estimate", "depth"), [(0.5, 3), (-0.5, 1)])
def test_the_depth_from_which_a_search_chooses_well(estimate: float, depth: int) -> None:
    told = difficulty(trap(estimate), **QUICK)
    assert (told.depth, told.searched) == (depth, 3)


def test_ties_do_not_count_as_found() -> None:
    assert difficulty(trap(0), proof=False, **QUICK).depth == 3


def test_the_proof_is_the_smallest_found() -> None:
    position = games.tic_tac_toe().position("a1 b2")
    told = difficulty(position, **QUICK)
    assert told.proof == smallest(position, at_least=0) + smallest(position, at_most=0)
    won = solve(games.tic_tac_toe().position("a1 b1"), **QUICK)
    assert won.value == 1
    assert proof_size(won, **QUICK) == smallest(won.position, at_least=1)


def smallest(position: Position, **claim: float) -> int:
    return min(prove(position, **claim, small=small, **QUICK).positions for small in (False, True))


@pytest.mark.parametrize("without", [{"line": []}, {"best": []}, {"line": [], "best": []}])
def test_an_answer_without_line_or_moves_gets_them(without: dict[str, list[str]]) -> None:
    answer = solve(games.tic_tac_toe().position("a1 b1"), **QUICK)
    told = difficulty(replace(answer, **without), proof=False, **QUICK)
    assert [turn.move for turn in told.turns] == told.answer.line
    assert told.turns[0].keeping == len(answer.best) == len(told.answer.best)


def test_any_method_will_do() -> None:
    lost = games.tic_tac_toe().position("a1 b1 a2")
    told = [difficulty(solve(lost, method=method, **QUICK), proof=False, **QUICK) for method in ("boolean", "mtdf")]
    assert [one.turns[0].keeping for one in told] == [6, 6]


def test_luck_and_only_moves() -> None:
    answer = solve(games.tic_tac_toe().position("a1 b1"), **QUICK)
    turns = [Turn(0, "a", 1, 2), Turn(1, "b", 3, 3), Turn(0, "c", 2, 4), Turn(0, "d", 1, 1)]
    told = Difficulty(answer, turns, None, 1, 1)
    assert (told.luck(0), told.luck(1)) == (0.25, 1)
    assert (told.only_moves(0), told.only_moves(1)) == (1, 0)
    assert told.as_dict()["luck"] == [0.25, 1]


def test_only_solved_positions() -> None:
    start = games.tic_tac_toe().position()
    with pytest.raises(Unsuitable, match="only a solved position .* heuristic"):
        difficulty(solve(start, limits=Limits(depth=2), **QUICK))
    answer = solve(start, limits=Limits(nodes=20), **QUICK)
    with pytest.raises(Unsuitable, match="only a solved position"):
        difficulty(answer)
    assert proof_size(answer) is None


def test_games_with_chance_are_refused() -> None:
    toss = {"A": {"turn": "chance", "moves": {"B": 1, "C": 1}}, "B": {"value": 1}, "C": {"value": -1}}
    with pytest.raises(Unsuitable, match="chance positions"):
        difficulty(graph_game({"root": "A", "nodes": toss}))


def test_a_limit_leaves_gaps() -> None:
    answer = solve(games.tic_tac_toe(), **QUICK)
    told = difficulty(answer, limits=Limits(nodes=3), **QUICK)
    assert told.stopped == "nodes"
    assert told.turns[0].keeping == 9
    assert told.turns[1].keeping is None
    assert told.proof is None


def test_a_finished_game_has_no_turns() -> None:
    told = difficulty(games.tic_tac_toe().position("a1 b1 a2 b2 a3"), **QUICK)
    assert (told.turns, told.proof, told.depth, told.searched) == ([], None, None, 0)


@pytest.mark.slow
def test_compiled_and_interpreted_agree() -> None:
    position = games.tic_tac_toe().position("a1 b2")
    plain, native = (difficulty(position, mode=mode, memory="1MB") for mode in ("interpreted", "compiled"))
    assert (plain.turns, plain.proof, plain.depth) == (native.turns, native.proof, native.depth)
    assert replace(plain, answer=native.answer) == native
