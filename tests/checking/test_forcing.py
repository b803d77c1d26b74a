"""Sub-games that do not keep their promises are found out, with the position that shows it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from marks import slow
from zermelo import games
from zermelo.checking.conformance import check
from zermelo.rules import ONGOING, Game, RuleError, Subgame, rule

pytestmark = pytest.mark.usefixtures("calling_rules")

BOARD = games.tic_tac_toe()
VCF = BOARD.subgames["vcf"]
some_moves, replies = BOARD.moves, VCF.defend


def broken(**rules: Any) -> Game:
    return replace(BOARD, subgames={"vcf": replace(VCF, **rules)})


@rule
def filled(s, out):
    out[0] = 0
    return 1


@rule
def twice(s, out):
    n = some_moves(s, out)
    out[n - 1] = out[0]
    return n


@rule
def no_reply(s, out):
    return 0


@rule
def never(s):
    return False


@rule
def the_last(s, out, n):
    return n - 1


@rule
def beyond(s, out, n):
    return n


@rule
def beyond_all(s, out, n):
    return n + 1


@rule
def none(s, out, n):
    return 0


@rule
def two(s):
    return 2


@pytest.mark.parametrize(
    ("rules", "kind"),
    [
        ({"attack": filled}, "vcf.attack lists a move that is not legal: 0 in "),
        ({"attack": twice}, "vcf.attack lists a move twice: "),
        ({"defend": filled}, "vcf.defend lists a move that is not legal: 0 in "),
        ({"defend": no_reply}, "vcf.defend leaves out a reply that does not lose at once: "),
        ({"promising": never}, "vcf.promising denies a win: the player to move wins within "),
        ({"at_once": the_last}, "vcf.at_once promises a win that is none: "),
        ({"at_once": beyond}, "vcf.at_once must return -1 or a place among the forcing moves: "),
        ({"resistance": none}, "vcf.resistance must return a number from 1 to the number of replies: 0 of "),
        ({"resistance": beyond_all}, "vcf.resistance must return a number from 1 to the number of replies: "),
        ({"goal": two}, "vcf.goal must be 1, -1 or ONGOING: 2 "),
    ],
    ids=["illegal", "twice", "illegal reply", "forgotten reply", "denied", "at once", "beyond", "none", "more", "goal"],
)
def test_broken_promises(rules: dict[str, Any], kind: str) -> None:
    problems = check(broken(**rules), games=20, modes=("interpreted",)).problems
    assert any(problem.startswith(kind) for problem in problems), problems


def test_kept_promises() -> None:
    assert check(BOARD, games=20, modes=("interpreted",)).problems == []


@rule
def wraps(s, out):
    """Moves that there are for Python only: 2^64 is 0 for the machine."""
    large = (s.plies + 1) * 2**62
    return some_moves(s, out) if large * 4 > 0 else 0


@rule
def heavy(s, out, n):
    large = (s.plies + 1) * 2**62
    return n if large * 4 > 0 else 1


@rule
def unlike(s):
    large = (s.plies + 1) * 2**62
    return large * 4 > 0


@pytest.mark.parametrize("hook", ["attack", *slow("defend", "promising", "resistance")])
def test_rules_that_differ_between_the_modes(hook: str) -> None:
    rules: dict[str, Any] = {"attack": wraps, "defend": wraps, "promising": unlike, "resistance": heavy}
    problems = check(broken(**{hook: rules[hook]}), games=10).problems
    assert any(problem.startswith(f"vcf.{hook} differs between the modes") for problem in problems), problems


def test_what_is_no_subgame() -> None:
    with pytest.raises(RuleError, match=r"tic-tac-toe: vcf.attack must be a function marked @rule"):
        broken(attack=5)
    with pytest.raises(RuleError, match=r"tic-tac-toe: subgames are {name: Subgame"):
        replace(BOARD, subgames={"vcf": 5})
    with pytest.raises(RuleError, match="a sub-game needs struct states and no chance, and this game has dice"):
        replace(games.pig(), subgames={"vcf": VCF})


def test_a_rule_that_raises_is_named() -> None:
    @rule
    def outside(s, out):
        return out[99]

    problems = check(broken(attack=outside), games=2, modes=("interpreted",)).problems
    assert "vcf.attack" in problems[0]


def test_goals_are_ongoing() -> None:
    @rule
    def goal(s):
        return ONGOING

    assert Subgame(attack=some_moves, goal=goal).wins is False
