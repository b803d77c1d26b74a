"""What `check` says of a drawing that is to be tapped."""

from __future__ import annotations

from dataclasses import replace

from zermelo import games
from zermelo.checking.conformance import check

PLAIN = games.tic_tac_toe()


def test_a_game_that_can_be_tapped_has_nothing_to_note() -> None:
    report = check(PLAIN, games=2, modes=())
    assert (report.problems, report.notes) == ([], [])


def test_spots_that_are_not_there_are_a_problem() -> None:
    report = check(replace(PLAIN, spots=lambda s, move: ["z9"]), games=1, modes=())
    assert report.problems == ["spots names what the drawing does not have: 'z9' for a1 in '---------'"]
    assert report.notes == ["100 % of the players' moves have no place on the drawing: buttons"]


def test_buttons_and_menus_are_noted() -> None:
    report = check(replace(PLAIN, spots=lambda s, move: ["b2"] if move < 2 else None), games=1, modes=())
    assert report.problems == []
    assert "% of the players' moves have no place on the drawing: buttons" in report.notes[0]
    assert report.notes[1] == "moves are tapped alike, so that a menu asks which is meant: a1 b1 on b2"
    assert report.text().splitlines()[-2:] == [f"  {note}" for note in report.notes]
