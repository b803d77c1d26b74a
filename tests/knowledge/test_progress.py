"""Who rests on a table of scores gets them in the end: the moves make progress, and lines do not go round."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import zermelo.knowledge.progress as progress
from marks import slow
from numbered import numbered
from random_games import random_game
from zermelo import Table, search, solve
from zermelo.core.audit import checked
from zermelo.games.awari import awari
from zermelo.knowledge.building import build_table
from zermelo.knowledge.resting import with_tables
from zermelo.rules import Game, Position, RuleError

STONES = 6


@pytest.fixture(scope="module")
def resting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Game, Table]]:
    """Awari on a table of its last stones."""
    game = awari()
    folder = tmp_path_factory.mktemp("tables") / "t"
    build_table(game, folder, highest=str(STONES))
    known = with_tables(game, [folder])
    yield known, Table.open(folder, game)
    known.rests_on.close()


def positions(game: Game, number: int, seed: int) -> Iterator[Position]:
    """Random positions of few stones where play goes on."""
    dice, sizes = random.Random(seed), [tier.size for tier in game.tiers()]
    while number:
        state, tier = game.start.copy(), dice.randint(2, STONES)
        game.unindex(state, tier, dice.randrange(sizes[tier]))
        if Position(game, state).result is None:
            number -= 1
            yield Position(game, state)


def chosen(position: Position) -> str:
    answer = search(position, mode="interpreted", value_only=True)
    assert answer.method == "table"
    return answer.move


def wins_back(position: Position, value: float, side: int, dice: random.Random) -> bool:
    """Whether a side that rests on the table gets its value against random moves."""
    while position.result is None:
        position = position.play(chosen(position) if position.turn == side else dice.choice(position.moves()))
    return position.result >= value if side == 0 else position.result <= value


@pytest.mark.parametrize("seed", range(2))
def test_who_rests_on_a_table_gets_its_value(resting: tuple[Game, Table], seed: int) -> None:
    game, table = resting
    dice = random.Random(seed)
    for position in positions(game, 3, seed):
        value = table.probe(position).score
        assert all(wins_back(position, value, side, dice) for side in (0, 1))
        end = position
        while end.result is None:
            end = end.play(chosen(end))
        assert end.result == value


def test_it_needs_to_remember_nothing(resting: tuple[Game, Table], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "KEPT", -1)
    game, table = resting
    for position in positions(game, 2, 7):
        assert all(wins_back(position, table.probe(position).score, side, random.Random(5)) for side in (0, 1))


def test_lines_of_a_table_end_with_its_value(resting: tuple[Game, Table]) -> None:
    game, _ = resting
    for position in positions(game, 20, 3):
        entry = game.rests_on.entry(position)
        for move in entry.line:
            position = position.play(move)
        assert position.result == entry.score


def test_a_move_that_only_keeps_the_score_is_not_called_best(resting: tuple[Game, Table]) -> None:
    game, table = resting
    left_out = 0
    for position in positions(game, 30, 11):
        entry = game.rests_on.entry(position)
        equal = [move for move, found in table.moves(position) if found.score == entry.score]
        assert set(entry.best) <= set(equal)
        assert entry.complete == (len(entry.best) == len(equal))
        left_out += not entry.complete
    assert left_out > 0


def test_where_no_way_is_found_nothing_is_claimed(resting: tuple[Game, Table], monkeypatch: pytest.MonkeyPatch) -> None:
    game, table = resting
    hard = next(p for p in positions(game, 30, 11) if not game.rests_on.entry(p).complete)
    monkeypatch.setattr(progress, "VISITS", 0)
    fresh = with_tables(game, [table.folder])
    entry = fresh.rests_on.entry(Position(fresh, hard.state))
    assert not entry.complete
    assert entry.best
    assert entry.line == entry.best[:1]
    fresh.rests_on.close()


def test_a_table_of_wins_without_distances(tmp_path: Path) -> None:
    game = numbered(random_game(size=12, spread=1, repetition="draw"), 6, 12)
    build_table(game, tmp_path / "t", mode="interpreted", values="wdl")
    known = with_tables(game, [tmp_path / "t"])
    won = 0
    for node in range(12):
        state = known.start.copy()
        state.node = node
        position = Position(known, state)
        if position.result is None:
            entry = known.rests_on.entry(position)
            won += entry.score != 0
            for move in entry.line:
                position = position.play(move)
            assert position.result == entry.score or entry.score == 0
    assert won > 0
    known.rests_on.close()


@pytest.mark.parametrize("highest", ["12", *slow("14")])
def test_lines_that_come_to_a_table_end_with_the_value(tmp_path: Path, highest: str) -> None:
    game = awari()
    build_table(game, tmp_path / "t", highest=highest)
    known = with_tables(game, [tmp_path / "t"])
    position = known.position("0,0,1,0,2,2|16|1,0,3,0,3,2|18 1")
    answer = solve(position)
    assert (answer.value, answer.status) == (-2, "proven")
    for move in answer.line:
        position = position.play(move)
    assert position.result == -2
    known.rests_on.close()


def without_plan(position: Position) -> list[str]:
    """The first move, again and again, to the end."""
    line: list[str] = []
    while position.result is None:
        line.append(position.moves()[0])
        position = position.play(line[-1])
    return line if position.cycle is not None else []


def test_a_line_that_goes_round_accuses_no_game_on_a_table(resting: tuple[Game, Table]) -> None:
    game, _ = resting
    start, line = next((one, without_plan(one)) for one in positions(game, 100, 1) if without_plan(one))
    answer = replace(search(start, mode="interpreted"), value=40, line=line, status="proven")
    assert checked(answer).line == line[:-1]
    with pytest.raises(RuleError, match="said to be 40"):
        checked(replace(answer, position=awari().position(start.text())))
