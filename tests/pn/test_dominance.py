"""More in hand is never worse: what follows from it, against searches that know nothing of it and trying everything."""

from __future__ import annotations

import random
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, strategies

from marks import slow
from near_mates import checks, near_mates
from zermelo import games
from zermelo.compile.modes import Interpreted
from zermelo.compile.watch import Limits
from zermelo.core.request import Request
from zermelo.core.truth import UNKNOWN
from zermelo.knowledge.mate import mate
from zermelo.pn.dominance import dominance
from zermelo.pn.forcing import forcing_method, target_of
from zermelo.rules import Game, Position, RuleError, Subgame

MINI = games.minishogi()
MATE = MINI.subgames["mate"]
PLAIN = replace(MINI, subgames={"mate": replace(MATE, setting=None, first_stock=None, second_stock=None)})

Counts = list[int]
stocks = strategies.lists(strategies.integers(0, 40), min_size=8, max_size=8)


def packed(counts: Counts) -> int:
    return sum(count << 8 * place for place, count in enumerate(counts))


def kernels(*path: tuple[Counts, Counts]) -> tuple[Any, Any]:
    """Those of dominance, and a workspace in which attacker and defender hold so much ply by ply."""
    rules = Subgame.__new__(Subgame)
    object.__setattr__(rules, "setting", lambda s: 0)
    object.__setattr__(rules, "first_stock", lambda s: packed(s[0]))
    object.__setattr__(rules, "second_stock", lambda s: packed(s[1]))
    ws = SimpleNamespace(stack=path, attacker=0, timed=0, need=[0] * 3, needs=[[0] * 4 for _ in range(3)])
    return dominance(Interpreted(), rules), ws


@given(stocks, stocks)
def test_a_stock_covers_another_if_every_count_does(more: Counts, less: Counts) -> None:
    known, _ = kernels()
    assert known.covers(packed(more), packed(less)) == all(a >= b for a, b in zip(more, less))


@given(stocks, stocks, stocks, strategies.integers(0, 7), strategies.booleans())
def test_what_a_move_needs(mine: Counts, theirs: Counts, spare: Counts, kind: int, drops: bool) -> None:
    """A drop needs one more before than after, a capture one less, but not less than none."""
    after, change = list(mine), -1 if drops and mine[kind] > 0 else 1
    after[kind] += change
    won_with = [min(have, less) for have, less in zip(after, spare)]
    known, ws = kernels((mine, theirs), (after, theirs))
    ws.need[1] = packed(won_with)
    known.hand_up(ws, 0, 2, True)
    expected = list(won_with)
    expected[kind] = max(won_with[kind] - change, 0)
    assert ws.needs[0][2] == packed(expected)
    failed_with = [have + min(more, other) for have, more, other in zip(after, spare, theirs)]
    ws.need[1] = packed(failed_with)
    known.hand_up(ws, 0, 3, False)
    expected = list(failed_with)
    expected[kind] -= change
    assert ws.needs[0][3] == packed([min(a, b + c) for a, b, c in zip(expected, mine, theirs)])


@given(stocks, stocks, strategies.lists(stocks, max_size=3))
def test_what_all_moves_need_together(mine: Counts, theirs: Counts, needs: list[Counts]) -> None:
    known, ws = kernels((mine, theirs))
    ws.needs[0][: len(needs)] = map(packed, needs)
    known.gather(ws, 0, len(needs), True)
    lacking = [have if other == 0 else 0 for have, other in zip(mine, theirs)]
    assert ws.need[0] == packed([max(column) for column in zip(lacking, *needs)])
    known.gather(ws, 0, len(needs), False)
    most = [have + other if have else 0 for have, other in zip(mine, theirs)]
    assert ws.need[0] == packed([min(column) for column in zip(most, *needs)])


def test_setting_and_stocks_belong_together() -> None:
    with pytest.raises(RuleError, match="together, or none of them"):
        replace(MINI, subgames={"mate": replace(MATE, setting=None)})


def wins_within(position: Position, plies: int, known: dict[tuple[str, int], bool]) -> bool:
    """Every check and every reply, tried out: a mate in so many plies, by who was to move in the beginning."""
    asked = position.text(), plies
    if asked not in known:
        if plies % 2 == 0:
            moves = position.moves() if position.result is None else []
            known[asked] = not moves or (
                plies > 0 and all(wins_within(position.play(move), plies - 1, known) for move in moves)
            )
        else:
            known[asked] = any(wins_within(position.play(move), plies - 1, known) for move in checks(position))
    return known[asked]


@pytest.mark.parametrize(
    ("seed", "count", "plies", "mode"),
    [(1, 6, 3, "interpreted"), *slow(*((seed, 12, 5, "compiled") for seed in range(2, 10)))],
)
def test_mates_are_those_that_trying_everything_finds(seed: int, count: int, plies: int, mode: str) -> None:
    rng = random.Random(seed)
    for _ in range(count):
        position, known = near_mates(rng, MINI), {}
        found = mate(position, mode=mode, limits=Limits(nodes=2000 if mode == "interpreted" else 3_000_000))
        shortest = next((n for n in range(1, plies + 1, 2) if wins_within(position, n, known)), None)
        if shortest is not None:
            assert found.won or found.stopped
            assert found.plies in (shortest, None if found.stopped else shortest), position.text()
        else:
            assert found.plies is None or found.plies > plies, position.text()


def verdicts(game: Game, positions: list[Position], together: bool) -> list[bool | None]:
    """Whether each is a mate, None if that took too long; with one table for all, or each with its own."""
    method, found = forcing_method("mate", 0, may_repeat=False), []
    session = None
    for position in positions:
        if session is None or not together:
            session = Request(method, method.options, memory="16MB", mode="compiled").open(game)
        engine = session.engine(False)
        watch = engine.watched(Limits(nodes=100_000), None)
        target = target_of(0, engine.above(engine.low), engine.high)
        here = Position(game, position.state)
        verdict = watch.run(lambda: engine.search(here, engine.deepest(here), target))  # noqa: B023
        found.append(None if watch.stopped else verdict != UNKNOWN)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 4))
def test_mates_are_those_of_a_search_that_does_not_know_it(seed: int) -> None:
    rng = random.Random(seed)
    positions = [near_mates(rng, MINI) for _ in range(100)]
    plain = verdicts(PLAIN, positions, together=False)
    assert True in plain
    assert False in plain
    for together in (False, True):
        for position, ours, theirs in zip(positions, verdicts(MINI, positions, together), plain):
            assert ours == theirs or None in (ours, theirs), position.text()
