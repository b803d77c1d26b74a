"""What helps searches of xiangqi: loud moves, checks, passes, exchanges, mates; each against a slow version."""

from __future__ import annotations

import random
from typing import Any

import pytest

import zermelo as z
from slow_xiangqi import FULL, Place, Slow
from zermelo import games
from zermelo.rules import Game, MoveBuffer, Position

pytestmark = pytest.mark.usefixtures("calling_rules")

WORTH = {"K": 5000, "A": 200, "B": 200, "N": 420, "R": 900, "C": 450, "P": 100}


@pytest.fixture(scope="module")
def game() -> Game:
    return games.xiangqi(loops="draw")


def positions(game: Game, seed: int, count: int) -> list[Position]:
    """Positions of random games with many captures."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        position = game.position()
        for _ in range(rng.randint(10, 90)):
            codes = position.codes
            if not codes:
                break
            captures = [move for move in codes if position.state.board[move & 127]]
            position = position.play(rng.choice(captures if captures and rng.random() < 0.3 else codes))
        if position.codes:
            found.append(position)
    return found


def slow_one(position: Position) -> Slow:
    return Slow.read(FULL, position.text())


def places(move: int) -> tuple[Place, Place]:
    return ((move >> 7) % 9, (move >> 7) // 9), ((move & 127) % 9, (move & 127) // 9)


def listed(rule: Any, game: Game, state: Any) -> list[int]:
    out = MoveBuffer(game.max_moves, game.name)
    return sorted(out[: rule(state, out)])


def test_loud_moves_are_captures_and_attacks_are_checks(game: Game) -> None:
    for position in positions(game, 1, 12):
        state, slow = position.state, slow_one(position)
        before = state.copy()
        assert listed(game.loud, game, state) == sorted(m for m in position.codes if state.board[m & 127])
        checks = [m for m in position.codes if slow.after(*places(m)).in_check(not slow.red)]
        assert listed(game.subgames["mate"].attack, game, state) == sorted(checks)
        assert bool(game.checked(state)) == slow.in_check(slow.red)
        assert state == before  # what was tried out is taken back


def won_on(slow: Slow, square: Place) -> int:
    """What the player to move wins at most by captures on a square, the cheapest piece first."""
    takers = [
        place for place, letter in slow.at.items() if letter.isupper() == slow.red and square in slow.targets(place)
    ]
    if not takers:
        return 0
    cheapest = min(takers, key=lambda place: (WORTH[slow.at[place].upper()], 9 * place[1] + place[0]))
    return max(0, WORTH[slow.at[square].upper()] - won_on(slow.after(cheapest, square), square))


def test_exchanges(game: Game) -> None:
    seen = set()
    for position in positions(game, 2, 25):
        slow = slow_one(position)
        for move in position.codes:
            origin, target = places(move)
            taken = WORTH[slow.at[target].upper()] if target in slow.at else 0
            worth = taken - won_on(slow.after(origin, target), target)
            assert game.exchange(position.state, move) == pytest.approx(worth / 10000)
            seen.add((worth > 0) - (worth < 0))
    assert seen == {-1, 0, 1}


def test_a_pass(game: Game) -> None:
    seen = set()
    for position in positions(game, 3, 20):
        rows, turn, _ = position.text().split(" ", 2)
        strong = any(letter in rows for letter in ("RNC" if turn == "w" else "rnc"))
        after = position.state.copy()
        told = game.skip(after)
        if not game.checked(position.state):
            assert bool(told) == strong  # without a chariot, horse or cannon one may not want to move
            seen.add(strong)
            if strong:  # and no loop goes back beyond a pass
                assert after == game.position(f"{rows} {'bw'[position.turn]} - - 0 1").state
                assert game.reversible(after) == 0
    assert True in seen
    assert not game.skip(game.position("3k1a3/9/9/9/4p4/9/P8/9/9/4K4 w").state.copy())


def mate_within(slow: Slow, moves: int) -> bool:
    """Whether the player to move mates by checks within so many own moves."""
    for move in slow.legal():
        after = slow.after(*move)
        if after.in_check(after.red):
            replies = after.legal()
            if not replies or (moves > 1 and all(mate_within(after.after(*reply), moves - 1) for reply in replies)):
                return True
    return False


@pytest.mark.parametrize(
    ("fen", "plies"),
    [
        ("4k4/9/9/9/9/9/9/R8/1R7/3K5 w", 3),  # two chariots, file by file
        ("3k5/9/9/R8/9/9/9/9/1R7/4K4 w", 1),  # the kings' file helps
        ("3ak4/4a4/9/4N4/9/9/9/4C4/9/R2K5 w", 0),
    ],
)
def test_mates_by_checks(game: Game, fen: str, plies: int) -> None:
    position = game.position(fen)
    found = z.mate(position, mode="interpreted", limits=z.Limits(nodes=2000))
    assert (found.plies if found.status == "won" else 0) == plies
    own = (plies + 1) // 2
    assert mate_within(slow_one(position), max(own, 1)) == (plies > 0)
    assert own < 2 or not mate_within(slow_one(position), own - 1)
