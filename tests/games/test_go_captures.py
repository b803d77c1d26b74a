"""The sub-games of Go: ladders against GNU Go's on random boards, life and death on classical eye shapes."""

from __future__ import annotations

import math
import random

import pytest

import oracles
from gnugo import GnuGo, gnugo
from marks import slow
from zermelo.games.go import go
from zermelo.games.go.board import STRAIGHT, neighbours
from zermelo.knowledge.mate import mate
from zermelo.rules import Position, Unsuitable

SIZE = 7
BOARD = go(SIZE, SIZE)
NEAR = neighbours(SIZE, SIZE, STRAIGHT)


def liberties(marks: str, point: int) -> set[int]:
    """Of the chain at a point, by a flood."""
    found, waiting, free = {point}, [point], set()
    while waiting:
        at = waiting.pop()
        for to in NEAR[4 * at : 4 * at + 4].tolist():
            if to >= 0 and marks[to] == ".":
                free.add(to)
            elif to >= 0 and marks[to] == marks[point] and to not in found:
                found.add(to)
                waiting.append(to)
    return free


def random_target(dice: random.Random) -> Position | None:
    """A random position in which a chain of the player who is not to move has two liberties and is marked."""
    position = BOARD.position()
    for _ in range(dice.randint(8, 30)):
        position = position.play(dice.choice(position.codes[:-1]))
    board, *rest = position.text().split()
    marks = board.replace("/", "")
    theirs = "OX"[position.turn]
    targets = [p for p, mark in enumerate(marks) if mark == theirs and len(liberties(marks, p)) == 2]
    if not targets:
        return None
    target = dice.choice(targets)
    marked = marks[:target] + "#@"["XO".index(theirs)] + marks[target + 1 :]
    rows = "/".join(marked[r * SIZE : (r + 1) * SIZE] for r in range(SIZE))
    return BOARD.position(" ".join([rows, *rest]))


def caught(theirs: GnuGo, position: Position) -> bool:
    """Whether GNU Go finds that the target falls in a ladder, without a ko: it answers 2 or 3 where it needs one."""
    board = position.text().split()[0]
    point = next(p for p, mark in enumerate(board.replace("/", "")) if mark in "#@")
    theirs.set_up(board.replace("#", "X").replace("@", "O"))
    answer = theirs.ask(f"ladder_attack {'ABCDEFGHJ'[point % SIZE]}{SIZE - point // SIZE}")
    return answer.split()[0] == "1"


@pytest.mark.parametrize("boards", [20, *slow(500)])
def test_ladders_as_gnugo_reads_them(boards: int) -> None:
    dice, verdicts = random.Random(boards), []
    with gnugo("--simple-ko", "--forbid-suicide") as theirs:
        while len(verdicts) < boards:
            position = random_target(dice)
            if position is not None:
                found = mate(position, "ladder", mode="interpreted")
                assert found.won == caught(theirs, position), position.text()
                verdicts.append(found.won)
    assert 0 < sum(verdicts) < boards


def test_a_ladder_by_the_definition() -> None:
    """All forcing moves and all replies, played out, on boards small enough."""
    dice, seen = random.Random(8), 0
    while seen < 12:
        position = random_target(dice)
        if position is not None:
            plies = oracles.forced(position, "ladder", plies=3)
            found = mate(position, "ladder", mode="interpreted")
            assert plies == (found.plies if found.plies is not None and found.plies <= 3 else math.inf)
            seen += 1


def test_a_ladder_runs_across_the_board() -> None:
    """The target runs along the diagonal; a stone of its own on the way saves it."""
    text = "......./......./......./......./.X...../XO@..../.XX.... b"
    saved = text.replace("......./......./.......", "......./......./....O..", 1)
    found, broken = (mate(BOARD.position(one), "ladder", mode="interpreted") for one in (text, saved))
    assert (found.won, broken.won) == (True, False)
    assert found.plies == 17


def test_without_a_target_there_is_nothing_to_win() -> None:
    for subgame in BOARD.subgames:
        with pytest.raises(Unsuitable, match=f"go: {subgame} is about one chain, .* mark: write # for .* black, @ if"):
            mate(BOARD.position(), subgame, mode="interpreted")
    own = BOARD.position("/".join(["......."] * 6 + ["#......"]) + " b")
    assert not any(mate(own, subgame, mode="interpreted").won for subgame in BOARD.subgames)


SHAPES = [  # Black's group has this eye space in the corner or on the side, White is to move and has two eyes outside
    ("straight three", ":::XO/#XXXO/OOOOO/OO.OO/.OOO. w", True),
    ("bent three", "::XO./:XXO./#XOO./XOOOO/OO.O. w", True),
    ("straight four", "::::XO/#XXXXO/OOOOOO/OO.OO./OOOOOO w", False),
    ("square four", "::XO./::XOO/#XXO./OOOO./.O.O. w", True),
    ("bulky five", "::XO./::XOO/:#XO./XXOO./OOO.O w", True),
    ("pyramid four", "X:::XO/XX:#XO/OXXXOO/OOOOO./O.O.OO w", True),
    ("bent four", "X:::XO/X:XXXO/#XXOOO/OOOOO./O.O.OO w", False),
    ("rectangular six on the side", "X:::XO/X:::XO/#XXXXO/OOOOO./O.O.OO w", False),
    ("rectangular six in the corner, which is a ko", ":::XO/:::XO/#XXXO/OOOO./O.O.O w", False),
]


@pytest.mark.parametrize(("name", "text", "dies"), SHAPES)
def test_eye_shapes(name: str, text: str, dies: bool) -> None:
    rows = text.split()[0].split("/")
    game = go(len(rows), len(rows[0]))
    assert mate(game.position(text), "kill", mode="interpreted").won == dies
