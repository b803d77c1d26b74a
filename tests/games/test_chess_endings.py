"""Endings of chess by number: every number is one position, tables know what is known, both rules about stalemate."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import chess as oracle
import pytest

import zermelo as z
from marks import slow
from zermelo import games
from zermelo.knowledge.building import build_table
from zermelo.rules import Game, Position

pytestmark = pytest.mark.usefixtures("calling_rules")

KPK = games.chess(material="KPvK")
LONGEST = {"KQvK": 20, "KRvK": 32, "KBNvK": 66}
"""In plies: mates in 10, 16 and 33 moves at most, which has long been known."""


def tiers(game: Game) -> dict[str, Any]:
    assert game.tiers is not None
    return {tier.name: tier for tier in game.tiers()}


@pytest.mark.parametrize("material", ["KPvK", "KvKQ", "KRPvKP", *slow("KBNvK", "KPPvKR", "KQQvKQ", "KNNvKPP")])
def test_numbers_read_back(material: str) -> None:
    game, chance = games.chess(material=material), random.Random(material)
    assert game.index is not None
    assert game.unindex is not None
    for tier in tiers(game).values():
        state = game.start.copy()
        for _ in range(25):
            number = chance.randrange(tier.size)
            if game.unindex(state, tier.tier, number):
                assert tuple(game.index(state)) == (tier.tier, number, 1)
                position = Position(game, state.copy())
                assert game.position(position.text()) == position
                assert not oracle.Board(position.text()).was_into_check()
                image = oracle.Board(position.text()).mirror()  # colours exchanged
                found = tuple(game.index(game.position(image.fen()).state))
                assert found[0] == tier.tier
                if found[2] == -1:
                    assert found[1] == number


def test_which_materials_there_are() -> None:
    assert list(tiers(KPK)) == ["KvK", "KQvK", "KRvK", "KBvK", "KNvK", "KPvK"]
    assert list(tiers(games.chess(material="KvKQ"))) == ["KvK", "KQvK"]
    assert list(tiers(games.chess(board="los-alamos", material="KPvK"))) == ["KvK", "KQvK", "KRvK", "KNvK", "KPvK"]
    assert games.chess(material="KvKQ").position().text().count("Q") == 1


def test_turned_boards_are_one_without_pawns() -> None:
    assert KPK.index is not None
    fens = ["8/8/8/2k5/8/8/1K6/7Q w", "8/8/8/5k2/8/8/6K1/Q7 w", "7Q/1K6/8/8/2k5/8/8/8 w", "Q7/6K1/8/8/5k2/8/8/8 w"]
    fens += ["8/8/8/2k5/8/8/1K6/5Q2 w"]
    numbers = [tuple(KPK.index(KPK.position(fen).state)) for fen in fens]
    assert len(set(numbers[:4])) == 1
    assert numbers[4] != numbers[0]


def test_what_no_table_holds() -> None:
    game = games.chess(material="KPvKP")
    assert game.index is not None
    assert game.index(game.position("4k3/8/8/3pP3/8/8/8/4K3 w - d6").state)[0] == -1
    assert game.index(game.position("4k3/8/8/3pP3/8/8/8/4K3 w").state)[0] >= 0
    assert game.index(game.position("4k3/8/8/3pP3/8/8/3P4/4K3 w").state)[0] == -1
    assert game.index(game.position("4k3/8/8/8/8/8/8/R3K3 w Q").state)[0] == -1


@pytest.mark.slow
@pytest.mark.parametrize(("material", "name"), [("KPvK", "KQvK"), ("KPvK", "KRvK"), ("KBNvK", "KBNvK")])
def test_longest_mates(material: str, name: str, tmp_path: Path) -> None:
    told = {tier.name: tier for tier in built(material, "draw", tmp_path)}
    assert told[name].longest == LONGEST[name]


def built(material: str, stalemate: str, folder: Path) -> tuple[Any, ...]:
    return build_table(games.chess(material=material, stalemate=stalemate), folder / "table").tiers


@pytest.mark.slow
@pytest.mark.parametrize("stalemate", ["draw", "win"])
def test_king_and_pawn_against_king(stalemate: str, tmp_path: Path) -> None:
    """With White to move 163,328 positions, 124,960 of them won; with Black to move 168,024 and 97,604, if stalemate is
    a draw: what is known of this ending."""
    told = next(tier for tier in built("KPvK", stalemate, tmp_path) if tier.name == "KPvK")
    legal, won, lost = slow_kpk(stalemate == "win")
    assert (told.positions, told.won, told.lost) == (legal[0] + legal[1], won[0] + lost[1], won[1] + lost[0])
    assert legal == [163_328, 168_024]
    assert won == ([141_832, 116_588] if stalemate == "win" else [124_960, 97_604])
    assert lost == ([4, 14] if stalemate == "win" else [0, 0])  # White's own pawn shuts its king in


def near(square: int) -> list[int]:
    column, row = square % 8, square // 8
    around = [(c, r) for c in (column - 1, column, column + 1) for r in (row - 1, row, row + 1)]
    return [8 * r + c for c, r in around if 0 <= c < 8 and 0 <= r < 8 and (c, r) != (column, row)]


def slow_kpk(stalemate_wins: bool) -> tuple[list[int], list[int], list[int]]:
    """All positions of king and pawn against king: legal ones and those that White wins and loses, by who is to move. A
    pawn that becomes a queen or rook has won, unless it is taken at once or, if that draws, stalemates."""
    steps = [near(square) for square in range(64)]

    def hits(pawn: int) -> set[int]:
        return {pawn + 7 + 2 * side for side in (0, 1) if pawn % 8 != 7 * side}

    def sliding(square: int, ways: list[tuple[int, int]], taken: set[int]) -> set[int]:
        found = set()
        for across, up in ways:
            column, row = square % 8 + across, square // 8 + up
            while 0 <= column < 8 and 0 <= row < 8:
                found.add(8 * row + column)
                if 8 * row + column in taken:
                    break
                column, row = column + across, row + up
        return found

    straight, diagonal = [(0, 1), (1, 0), (0, -1), (-1, 0)], [(1, 1), (1, -1), (-1, -1), (-1, 1)]

    def promoted_wins(king: int, other: int, square: int) -> bool:
        for ways in (straight + diagonal, straight):
            reach = sliding(square, ways, {king})  # through the other king, which cannot hide behind itself
            if square in steps[other] and square not in steps[king]:
                return False  # it is taken, whatever it is
            if all(to in reach or to in steps[king] or to == square for to in steps[other]):
                checked = other in sliding(square, ways, {king, other})
                if checked or stalemate_wins:
                    return True
                continue
            return True
        return False

    pawns = range(8, 56)
    successors: dict[tuple[int, int, int, int], list[tuple[int, int, int, int]]] = {}
    won: set[tuple[int, int, int, int]] = set()
    lost: set[tuple[int, int, int, int]] = set()
    safe: set[tuple[int, int, int, int]] = set()  # Black takes the pawn, or White promotes: whoever can has not lost
    legal = [0, 0]
    for king in range(64):
        for other in range(64):
            if king == other or other in steps[king]:
                continue
            for pawn in pawns:
                if pawn in (king, other):
                    continue
                if other not in hits(pawn):
                    legal[0] += 1
                    here = (0, king, other, pawn)
                    to = [(1, k, other, pawn) for k in steps[king] if k != pawn and k not in (other, *steps[other])]
                    if pawn + 8 not in (king, other):
                        if pawn + 8 >= 56:
                            safe.add(here)
                            if promoted_wins(king, other, pawn + 8):
                                won.add(here)
                        else:
                            to.append((1, king, other, pawn + 8))
                            if pawn < 16 and pawn + 16 not in (king, other):
                                to.append((1, king, other, pawn + 16))
                    successors[here] = to
                    if stalemate_wins and not to and here not in safe:
                        lost.add(here)
                legal[1] += 1
                here = (1, king, other, pawn)
                free = [k for k in steps[other] if k != king and k not in steps[king] and k not in hits(pawn)]
                if pawn in free:
                    safe.add(here)
                successors[here] = [(0, king, k, pawn) for k in free if k != pawn]
                if not free and (other in hits(pawn) or stalemate_wins):
                    won.add(here)
    for decided, winner in ((won, 0), (lost, 1)):
        found = decided
        while found:
            found = {
                here for here, to in successors.items()
                if here not in decided and to and (here[0] == winner or here not in safe)
                and (any if here[0] == winner else all)(one in decided for one in to)
            }  # fmt: skip
            decided |= found
    counts = [Counter(here[0] for here in decided) for decided in (won, lost)]
    return legal, [counts[0][0], counts[0][1]], [counts[1][0], counts[1][1]]


@pytest.mark.slow
def test_what_stalemate_changes() -> None:
    """A rook pawn before the king in the corner: the classical draw."""
    draw, win = (games.chess(material="KPvK", stalemate=stalemate) for stalemate in ("draw", "win"))
    fen = "k7/P7/1K6/8/8/8/8/8 b - - 0 1"
    assert draw.position(fen).result == 0
    assert win.position(fen).result == 1
    before = "k7/P7/8/1K6/8/8/8/8 w - - 0 1"
    assert z.solve(draw.position(before)).value == 0
    assert z.solve(win.position(before)).value == 1
