"""Positions by number in several games: every number of a small one, against lists of all that there is."""

from __future__ import annotations

import math
import random
from itertools import combinations, permutations, product
from typing import Any

import pytest

from zermelo import games
from zermelo.rules import ONGOING, Position

pytestmark = pytest.mark.usefixtures("calling_rules")


def used(game: Any) -> dict[tuple[int, int], Any]:
    """All states that have a number, each by tier and number."""
    found = {}
    for tier, size, _ in game.tiers():
        for number in range(size):
            state = game.start.copy()
            if game.unindex(state, tier, number):
                assert game.index(state) == (tier, number, 1)
                found[tier, number] = state
    assert len({state.tobytes() for state in found.values()}) == len(found)
    return found


def reached(game: Any, games: int = 30) -> list[Position]:
    """The positions of random games that a table keeps."""
    chance, found = random.Random(1), []
    for _ in range(games):
        position = Position(game)
        while position.result is None:
            if game.index(position.state)[0] >= 0:
                found.append(position)
            position = position.play(chance.choice(position.codes))
        assert game.index(position.state)[0] == -1
    return found


# EinStein


@pytest.mark.parametrize(("size", "stones"), [(3, 1), (3, 2)])
def test_einstein_has_a_number_for_every_way_to_place_stones(size: int, stones: int) -> None:
    game = games.einstein(size=size, stones=stones)
    cells = range(size * size)
    wanted = set()
    for own, others in product(range(1, stones + 1), repeat=2):
        for mine, theirs in product(combinations(range(stones), own), combinations(range(stones), others)):
            for places in permutations(cells, own + others):
                if cells[-1] not in places[:own] and 0 not in places[own:]:
                    wanted.add((frozenset(zip(mine, places)), frozenset(zip(theirs, places[own:]))))
    found = set()
    for (tier, _), state in used(game).items():
        rows = game.position_text(state).split()[0].split("/")
        standing = {mark: r * size + c for r, row in enumerate(rows) for c, mark in enumerate(row) if mark != "."}
        assert len(standing) == tier
        sides = [{(marks.index(m), at) for m, at in standing.items() if m in marks} for marks in ("123", "abc")]
        found.add(tuple(map(frozenset, sides)))
    assert found == wanted


def test_einstein_before_a_roll_only() -> None:
    game = games.einstein(size=4, stones=3)
    assert sum(tier.size for tier in game.tiers()) == 9_628_560
    assert [tier.name for tier in game.tiers()] == ["2 stones", "3 stones", "4 stones", "5 stones", "6 stones"]
    for position in reached(game):
        tier, number, sign = game.index(position.state)
        assert sign == 1 - 2 * position.state.side
        twin = game.start.copy()
        assert game.unindex(twin, tier, number)
        assert (twin.mine, twin.theirs, twin.side, twin.die) == (position.state.mine, position.state.theirs, 0, 0)
        assert game.index(position.play(1).state)[0] == -1


def test_einstein_without_numbers_where_they_are_too_many() -> None:
    assert games.einstein(size=5, stones=6).index is not None
    assert games.einstein(size=7, stones=9).index is None


# Kalah


def test_kalah_has_a_number_for_every_layout_with_stones_on_both_sides() -> None:
    game = games.kalah(pits=2, stones=2)
    found = {(tuple(s.board[0:2]), tuple(s.board[3:5])) for s in used(game).values()}
    rows = list(product(range(9), repeat=2))
    assert found == {(a, b) for a, b in product(rows, rows) if sum(a) > 0 < sum(b) and sum(a) + sum(b) <= 8}
    assert all(sum(s.board) == 8 for s in used(game).values())


def test_kalah_is_seen_by_the_player_to_move() -> None:
    game = games.kalah()
    assert [tier.size for tier in game.tiers()] == [math.comb(left + 11, 11) for left in range(2, 49)]
    for position in reached(game, 5):
        state = position.state
        tier, number, sign = game.index(state)
        twin = game.start.copy()
        assert game.unindex(twin, tier, number)
        own, others = (0, 7) if state.turn == 0 else (7, 0)
        assert twin.board[0:6] == state.board[own : own + 6]
        assert twin.board[7:13] == state.board[others : others + 6]
        assert (twin.turn, sign) == (0, 1 - 2 * state.turn)


def test_kalah_without_numbers_where_rest_does_not_fit() -> None:
    assert games.kalah(pits=8, stones=15).index is None


# Connect Four


def fillings(width: int, height: int) -> set[tuple[str, ...]]:
    """All ways to fill columns with as many discs of either, or one more of the first."""
    columns = ["".join(discs) for n in range(height + 1) for discs in product("XO", repeat=n)]
    every = product(columns, repeat=width)
    return {board for board in every if "".join(board).count("X") - "".join(board).count("O") in (0, 1)}


def has_run(board: tuple[str, ...], mark: str, run: int) -> bool:
    discs = {(c, r) for c, column in enumerate(board) for r, disc in enumerate(column) if disc == mark}
    ways = ((1, 0), (0, 1), (1, 1), (1, -1))
    return any(all((c + i * x, r + i * y) in discs for i in range(run)) for c, r in discs for x, y in ways)


@pytest.mark.parametrize(("width", "height", "run"), [(3, 3, 3), (4, 2, 3), (1, 4, 3)])
def test_connect_four_has_a_number_for_every_filling_without_a_run(width: int, height: int, run: int) -> None:
    game: Any = games.connect_four(width=width, height=height, run=run)
    found = set()
    for state in used(game).values():
        rows = game.draw(state).text().splitlines()[:height]
        board = tuple("".join(row.split()[c] for row in reversed(rows)).strip(".") for c in range(width))
        found.add(board)
        assert game.result(state) == ONGOING
    assert found == {
        board
        for board in fillings(width, height)
        if sum(map(len, board)) < width * height and not any(has_run(board, mark, run) for mark in "XO")
    }


def test_connect_four_by_plies() -> None:
    game = games.connect_four(width=5, height=5)
    tiers: Any = game.tiers
    assert [tier.tier for tier in tiers()] == list(range(24, -1, -1))
    assert sum(tier.size for tier in tiers()) == 166_776_599
    for position in reached(game):
        tier, number, sign = game.index(position.state)  # type: ignore[misc]
        twin = game.start.copy()
        assert game.unindex(twin, tier, number)  # type: ignore[misc]
        assert (twin, tier, sign) == (position.state, position.state.plies, 1)
