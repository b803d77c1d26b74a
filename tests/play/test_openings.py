"""Where games begin, and who meets whom."""

from __future__ import annotations

from itertools import islice

import pytest

from tiny import tiny
from zermelo import games
from zermelo.games.graph import graph_game
from zermelo.play.ending import decided
from zermelo.play.openings import Opening, list_openings, random_openings, read_openings
from zermelo.play.schedule import Schedule
from zermelo.rules import Unsuitable

BOARD = games.tic_tac_toe()


# Openings


def test_openings_from_a_file(tmp_path):
    file = tmp_path / "openings"
    file.write_text("# the corners\na1\n\na1 c3  \nXX-OO----\n")
    first, second, third = read_openings(file, BOARD)
    assert first.position(BOARD).history() == ["a1"]
    assert second.position(BOARD).history() == ["a1", "c3"]
    assert third.position(BOARD).text() == BOARD.position("XX-OO----").text()
    assert third.began == "XX-OO----"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a1\n\na1 b2 a1", "line 3: move 3: 'a1' is not a legal move"),
        ("z9", "line 1: move 1: 'z9'"),
        ("a1 a2 b1 b2 c1", "line 1: after a1 a2 b1 b2 c1 the game is over"),
        ("# nothing\n", "hold no opening"),
    ],
)
def test_files_with_wrong_lines(tmp_path, text, words):
    file = tmp_path / "openings"
    file.write_text(text)
    with pytest.raises(Unsuitable, match=words):
        read_openings(file, BOARD)


def test_openings_from_texts_and_with_dice():
    assert [opening.codes for opening in list_openings(["a1", "b2"], BOARD)] == [(0,), (4,)]
    pig = games.pig(goal=10)
    assert list_openings(["roll 3"], pig)[0].position(pig).history() == ["roll", "3"]


def test_random_openings_differ_as_long_as_they_can():
    found = [opening.position(BOARD) for opening in islice(random_openings(BOARD, 1, 5), 20)]
    assert len(set(found[:9])) == 9
    assert len(set(found)) == 9
    assert all(len(position.history()) == 1 for position in found)


def test_random_openings_come_from_the_seed():
    def some(seed):
        return list(islice(random_openings(BOARD, 2, seed), 30))

    assert some(1) == some(1) != some(2)
    assert some(1)[:10] == list(islice(random_openings(BOARD, 2, 1), 10))


def test_random_openings_are_neither_over_nor_decided():
    for opening in islice(random_openings(BOARD, 6, 0), 60):
        position = opening.position(BOARD)
        assert position.result is None
        assert decided(position) is None


def test_no_random_plies_are_the_start():
    assert list(islice(random_openings(BOARD, 0, 0), 3)) == [Opening()] * 3


@pytest.mark.parametrize(("game", "plies", "words"), [(tiny(left=1), 1, "take fewer"), (BOARD, 9, "take fewer"),
                                                      (BOARD, -1, "0 or more")])  # fmt: skip
def test_openings_that_cannot_be(game, plies, words):
    with pytest.raises(Unsuitable, match=words):
        next(random_openings(game, plies, 0))


def test_a_horizon_is_no_place_to_begin():
    graph = graph_game({"root": "A", "nodes": {"A": {"turn": "max", "moves": ["B"]}, "B": {"estimate": 1}}})
    with pytest.raises(Unsuitable, match="take fewer"):
        next(random_openings(graph, 1, 0))


# Schedules


def test_pairs_have_one_opening_one_luck_and_both_sides():
    fixtures = list(Schedule(2, 6).fixtures(random_openings(BOARD, 2, 0)))
    assert [fixture.number for fixture in fixtures] == list(range(6))
    for one, other in zip(fixtures[::2], fixtures[1::2]):
        assert (one.first, one.second) == (other.second, other.first) == (0, 1)
        assert (one.opening, one.seed, one.pair) == (other.opening, other.seed, other.pair)
    assert len({fixture.opening for fixture in fixtures}) == len({fixture.seed for fixture in fixtures}) == 3


def test_a_round_robin_and_a_gauntlet():
    everybody, gauntlet = Schedule(4, 2), Schedule(4, 2, gauntlet=True)
    assert everybody.meetings == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert gauntlet.meetings == [(0, 1), (0, 2), (0, 3)]
    assert (everybody.total, gauntlet.total, Schedule(2, None).total) == (12, 6, None)
    played = list(everybody.fixtures(random_openings(BOARD, 1, 0)))
    assert len({fixture.opening for fixture in played}) == 1
    assert sorted((fixture.first, fixture.second) for fixture in played) == sorted(
        (i, j) for i in range(4) for j in range(4) if i != j
    )


def test_players_have_a_seed_in_every_game():
    schedule = Schedule(2, 20)
    fixtures = list(schedule.fixtures(random_openings(BOARD, 1, 0)))
    assert len({schedule.seed_of(fixture, side) for fixture in fixtures for side in (0, 1)}) == 40


@pytest.mark.parametrize(
    ("players", "number", "words"),
    [(1, 2, "at least two players, not 1"), (2, 0, "at least one pair"), (2, -2, "at least one pair"),
     (2, 7, "even: 8, not 7")],
)  # fmt: skip
def test_schedules_that_cannot_be(players, number, words):
    with pytest.raises(Unsuitable, match=words):
        Schedule(players, number)
