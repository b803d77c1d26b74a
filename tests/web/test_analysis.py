"""What stands on the board: badges, the value that follows from the moves', and how soon a win comes."""

from __future__ import annotations

import pytest

import zermelo as z
from zermelo.core.answer import BOUND, HEURISTIC, PROVEN, UNKNOWN, Verdict
from zermelo.core.badges import badge, goodness
from zermelo.rules import Position
from zermelo.web.analysis import Analysis, Sessions, backed_up, best_of
from zermelo.web.distance import Distances
from zermelo.web.view import plain

TOE, OTHELLO, PIG, SKAT = z.games.tic_tac_toe(), z.games.othello(rows=4, cols=4), z.games.pig(goal=9), z.games.skat()


@pytest.mark.parametrize(
    ("game", "turn", "verdict", "text", "kind"),
    [
        (TOE, 0, Verdict("m", PROVEN, 1, 1), "W", "win"),
        (TOE, 1, Verdict("m", PROVEN, 1, 1), "L", "loss"),
        (TOE, 1, Verdict("m", PROVEN, -1, -1, 3), "W 3", "win"),
        (TOE, 0, Verdict("m", PROVEN, 0, 0), "D", "draw"),
        (TOE, 0, Verdict("m", UNKNOWN, -1, 1), "?", "open"),
        (TOE, 0, Verdict("m", BOUND, 0, 1), "≥D", "open"),
        (TOE, 1, Verdict("m", BOUND, 0, 1), "≤D", "open"),
        (TOE, 0, Verdict("m", HEURISTIC, 0.25, 0.25), "~+0.25", "win"),
        (TOE, 1, Verdict("m", HEURISTIC, 0.0, 0.0), "~0", "draw"),
        (OTHELLO, 1, Verdict("m", PROVEN, -8, -8), "+8", "win"),
        (OTHELLO, 0, Verdict("m", BOUND, -16, -2), "≤-2", "loss"),
        (OTHELLO, 0, Verdict("m", BOUND, -4, 6), "-4…+6", "score"),
        (PIG, 0, Verdict("m", PROVEN, 0.5, 0.5), "75%", "score"),
        (PIG, 1, Verdict("m", PROVEN, 0.5, 0.5), "25%", "score"),
        (PIG, 0, Verdict("m", PROVEN, 1, 1), "W", "win"),
        (PIG, 0, Verdict("m", PROVEN, 0, 0), "50%", "score"),
        (SKAT, 1, Verdict("m", PROVEN, 61, 61), "61", "score"),
    ],
)
def test_badges_are_the_movers(game: z.Game, turn: int, verdict: Verdict, text: str, kind: str) -> None:
    made = badge(game, turn, verdict)
    assert (made.text, made.kind, made.status) == (text, kind, verdict.status)


def test_badges_in_words() -> None:
    assert badge(TOE, 1, Verdict("b1", PROVEN, 1, 1, 2)).words == "b1 loses in 2 plies, proven"
    assert badge(TOE, 0, Verdict("b1", BOUND, 0, 1)).words == "b1: at least 0, bound"
    assert z.solve(TOE.position("XX-OO----"), mode="interpreted").badges["c1"].text == "W"


def test_goodness_is_the_movers() -> None:
    assert goodness(TOE, 0, Verdict("", PROVEN, 1, 1)) == 1
    assert goodness(TOE, 1, Verdict("", PROVEN, 1, 1)) == 0
    assert goodness(SKAT, 1, Verdict("", PROVEN, 30, 30)) == 0.75
    assert goodness(TOE, 0, Verdict("", UNKNOWN, -1, 1)) is None


@pytest.mark.parametrize(
    ("moves", "verdicts", "status", "bounds"),
    [
        ("", [(PROVEN, 0, 0), (PROVEN, -1, -1)], PROVEN, (0, 0)),
        ("", [(PROVEN, 1, 1), (UNKNOWN, -1, 1)], PROVEN, (1, 1)),
        ("", [(PROVEN, 1, 1), (HEURISTIC, 0.9, 0.9)], PROVEN, (1, 1)),
        ("", [(PROVEN, 0, 0), (UNKNOWN, -1, 1)], BOUND, (0, 1)),
        ("a1", [(PROVEN, 0, 0), (UNKNOWN, -1, 1)], BOUND, (-1, 0)),
        ("a1", [(PROVEN, -1, -1), (UNKNOWN, -1, 1)], PROVEN, (-1, -1)),
        ("", [(UNKNOWN, -1, 1), (UNKNOWN, -1, 1)], UNKNOWN, (-1, 1)),
        ("", [(PROVEN, 0, 0), (HEURISTIC, 0.3, 0.3)], HEURISTIC, (0.3, 0.3)),
        ("a1", [(PROVEN, 0, 0), (HEURISTIC, 0.3, 0.3)], HEURISTIC, (0, 0)),
    ],
)
def test_the_value_of_a_position_follows_from_its_moves(
    moves: str, verdicts: list[tuple[str, float, float]], status: str, bounds: tuple[float, float]
) -> None:
    told = [Verdict(str(n), *each) for n, each in enumerate(verdicts)]
    found = backed_up(TOE.position(moves), told)
    assert (found.status, (found.low, found.high)) == (status, bounds)


def test_all_best_moves_are_best() -> None:
    told = [Verdict("a", PROVEN, 0, 0), Verdict("b", PROVEN, 0, 0), Verdict("c", PROVEN, -1, -1)]
    told.append(Verdict("d", UNKNOWN, -1, 1))
    assert best_of(told, 0) == ["a", "b"]
    assert best_of(told, 1) == ["c"]
    assert best_of(told, 2) == []


def plies_by_hand(position: Position, winner: int) -> int:
    """The length of a forced win, by the whole tree."""
    if position.result is not None:
        return 0 if position.result == (1 if winner == 0 else -1) else 10**6
    ways = [1 + plies_by_hand(position.play(move), winner) for move in position.codes]
    return min(ways) if position.turn == winner else max(ways)


def test_distances_are_those_of_the_whole_tree() -> None:
    checked = 0
    for first in TOE.position("a1 b1").codes:
        position = TOE.position("a1 b1").play(first)
        value = z.solve(position, mode="interpreted", value_only=True).value
        found = Distances().plies(position, value)
        if value:
            checked += 1
            assert found == plies_by_hand(position, 0 if value > 0 else 1)
            line = Distances().line(position, value) or []
            end = position
            for move in line:
                end = end.play(move)
            assert (len(line), end.result) == (found, value)
        else:
            assert found is None
    assert checked


def test_distances_are_not_made_up() -> None:
    assert Distances(lambda: True).plies(TOE.position("XX-OO----"), 1) is None
    assert Distances().plies(PIG.position(), 1) is None
    assert Distances().plies(OTHELLO.position(), 8) is None


def test_what_json_cannot_say_is_null() -> None:
    unsaid = {"a": [float("inf"), float("nan"), 1.5, True, None], 2: (1,)}
    assert plain(unsaid) == {"a": [None, None, 1.5, True, None], "2": [1]}


def test_where_nothing_can_be_solved_estimates_remain() -> None:
    told = []
    sessions = Sessions.of(TOE, "8MB", "interpreted")

    def refuse(*_: object, **__: object) -> z.Answer:
        raise z.TooLarge("this is too large")

    sessions.quick.solve = sessions.solver.solve = refuse  # type: ignore[method-assign]
    Analysis(sessions, TOE.position("XX-OO----"), lambda event, data: told.append((event, data)), 3).run()
    found = {data["move"]: data for event, data in told if event == "move"}
    assert set(found) == {"c1", "c2", "a3", "b3", "c3"}
    assert found["c1"]["value"] == 1


def test_a_longer_line_does_not_make_a_surer_verdict_less_sure() -> None:
    sessions = Sessions.of(TOE, "8MB", "interpreted")
    analysis = Analysis(sessions, TOE.position(), lambda event, data: None, 60)
    known = analysis.known[0]
    known.verdict = Verdict(known.text, BOUND, 0, 1)
    analysis._answer(sessions.searcher, "search", known, 0.02)
    assert known.verdict.status in (BOUND, PROVEN)


def test_a_stopped_analysis_tells_nothing_more() -> None:
    told: list[str] = []
    sessions = Sessions.of(TOE, "8MB", "interpreted")
    analysis = Analysis(sessions, TOE.position(), lambda event, data: told.append(event), 60)
    analysis.stop()
    analysis.run()
    assert "value" not in told
