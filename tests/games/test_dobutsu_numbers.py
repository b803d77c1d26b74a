"""The numbers of Dobutsu's positions: all used, the same for mirror images, and found again from what follows."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from zermelo import games
from zermelo.checking.promises import wins_with
from zermelo.rules import ONGOING, Position, Tier
from zermelo.rules.position import legal_moves

pytestmark = pytest.mark.usefixtures("calling_rules")

GAME: Any = games.dobutsu()
SIZE = 249_442_767


def position(number: int) -> Position:
    state = GAME.start.copy()
    assert GAME.unindex(state, 0, number)
    return Position(GAME, state)


def numbers(count: int, seed: int = 1) -> list[int]:
    chance = random.Random(seed)
    return [0, SIZE - 1, *(chance.randrange(SIZE) for _ in range(count))]


def rows_of(text: str) -> tuple[list[list[str]], str, str]:
    board, held, turn = re.fullmatch(r"(.*)\[(.*)\] ([wb])", text).groups()  # type: ignore[union-attr]
    spaced = re.sub(r"\d", lambda blanks: "." * int(blanks[0]), board)
    return [re.findall(r"\+?.", row) for row in spaced.split("/")], held, turn


def text_of(rows: list[list[str]], held: str, turn: str) -> str:
    board = "/".join("".join(row) for row in rows)
    return f"{re.sub('[.]+', lambda blanks: str(len(blanks[0])), board)}[{held}] {turn}"


def mirrored(text: str) -> str:
    rows, held, turn = rows_of(text)
    return text_of([row[::-1] for row in rows], held, turn)


def exchanged(text: str) -> str:
    """The same with the colours exchanged."""
    rows, held, turn = rows_of(text)
    return text_of([[mark.swapcase() for mark in row] for row in rows[::-1]], held.swapcase(), "bw"[turn == "b"])


def lions(text: str) -> list[int]:
    """The files of the lions."""
    return [row.index(mark) for row in rows_of(text)[0] for mark in row if mark in "Ll"]


def decided(state: Any) -> bool:
    if GAME.result(state) != ONGOING:
        return True
    least, most = GAME.bounds(state)
    return bool(least == most)


def test_there_are_as_many_numbers_as_positions() -> None:
    """Tanaka (2009) and the table of R. Clausecker's program count them so."""
    assert GAME.tiers() == [Tier(0, SIZE, "all")]


def test_every_number_is_used() -> None:
    made = {number: position(number).state for number in numbers(3000)}
    assert all(GAME.index(state) == (0, number, 1) for number, state in made.items())
    assert len({state.packed for state in made.values()}) == len(made)
    for state in made.values():
        text = GAME.position_text(state)
        assert GAME.read_position(text) == state
        assert [sum(text.upper().count(kind) for kind in kinds) for kinds in "CEGL"] == [2] * 4


def test_mirror_images_and_exchanged_colours_share_a_number() -> None:
    for number in numbers(300):
        text = position(number).text()
        for other, sign in ((exchanged(text), -1), (mirrored(text), 1), (mirrored(exchanged(text)), -1)):
            found = GAME.index(GAME.read_position(other))
            if lions(text) != [1, 1]:
                assert found == (0, number, sign)
            else:  # a position and its mirror image have a number each
                assert found[::2] == (0, sign)


@pytest.mark.parametrize(
    "text",
    [
        "g1e/1l1/1L1/E1G[Cc] w",  # next to each other: one takes the other
        "g1e/lc1/1C1/E1G[-] w",  # taken
        "g1e/1c1/LC1/E1l[G] w",  # on its last row
        "gLe/1c1/1C1/E1l[-] b",
    ],
)
def test_what_is_not_kept_is_decided(text: str) -> None:
    state = GAME.read_position(text)
    assert GAME.index(state)[0] == -1
    assert decided(state)


def test_a_position_with_a_piece_missing_is_not_kept() -> None:
    assert GAME.index(GAME.read_position("gle/3/1C1/ELG[-] w")) == (-1, 0, 1)


def test_wins_says_whether_one_move_wins() -> None:
    for number in numbers(3000):
        at = position(number)
        if at.result is None:
            assert GAME.wins(at.state) == any(wins_with(at, code) for code in at.codes), at.text()


def before(number: int) -> list[int]:
    """The numbers of what stands before a position."""
    made, out = position(number), [0] * GAME.max_unmoves
    found = []
    for code in out[: GAME.unmoves(made.state, out)]:
        state = made.state.copy()
        GAME.unplay(state, code)
        found.append(GAME.index(state)[1])
    return found


def after(number: int) -> set[int]:
    """The numbers of what may stand after a position that is not decided."""
    made, found = position(number), set()
    if not decided(made.state):
        for move in legal_moves(GAME, made.state):
            state = made.state.copy()
            GAME.play(state, move)
            if GAME.result(state) == ONGOING:
                found.add(GAME.index(state)[:2])
    return {number for tier, number in found if tier == 0}


TWINS = ["1l1/1E1/C1c/1LE[GG] w", "1l1/1E1/CLg/c2[EG] w", "1l1/3/C1C/1L1[EEGG] w", "1l1/g1g/C1C/1L1[Ee] w"]


def test_unmoves_find_each_number_that_leads_here_once() -> None:
    chosen = [*numbers(120), *(GAME.index(GAME.read_position(text))[1] for text in TWINS)]
    for number in chosen:
        for reached in after(number):
            assert before(reached).count(number) == 1, (position(number).text(), position(reached).text())
        for earlier in before(number):
            assert number in after(earlier), (position(earlier).text(), position(number).text())
