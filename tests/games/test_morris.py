"""Morris against a slow version with names for points, against OpenSpiel, and its values and numbers."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import zermelo as z
from marks import some_slow
from zermelo import games
from zermelo.knowledge.building import build_table
from zermelo.rules import ONGOING, Game, MoveError, Position, PositionError, Unsuitable

pytestmark = pytest.mark.usefixtures("calling_rules")

PATHS = {
    3: "a3 b3 c3, a2 b2 c2, a1 b1 c1, a3 a2 a1, b3 b2 b1, c3 c2 c1, a3 b2 c1, a1 b2 c3",
    6: "a5 c5 e5, b4 c4 d4, b2 c2 d2, a1 c1 e1, a5 a3 a1, b4 b3 b2, d4 d3 d2, e5 e3 e1, c5 c4, c2 c1, a3 b3, d3 e3",
    9: "a7 d7 g7, b6 d6 f6, c5 d5 e5, a4 b4 c4, e4 f4 g4, c3 d3 e3, b2 d2 f2, a1 d1 g1, "
    "a7 a4 a1, b6 b4 b2, c5 c4 c3, d7 d6 d5, d3 d2 d1, e5 e4 e3, f6 f4 f2, g7 g4 g1",
}
VARIANTS = [(3, "usual"), (3, "on"), (6, "usual"), (6, "on"), (9, "usual"), (9, "off")]


class Slow:
    """Who stands where by the names of points, and what each player has in hand; lines are read from the list above."""

    def __init__(self, men: int, flying: bool) -> None:
        self.men, self.flying = men, flying
        self.paths = [path.split() for path in PATHS[men].split(", ")]
        self.points = sorted({point for path in self.paths for point in path})
        self.on: dict[str, str] = {}
        self.hand = {"X": men, "O": men}
        self.mover = "X"

    def copy(self) -> Slow:
        other = Slow(self.men, self.flying)
        other.on, other.hand, other.mover = dict(self.on), dict(self.hand), self.mover
        return other

    @property
    def waiting(self) -> str:
        return "O" if self.mover == "X" else "X"

    def mills(self, who: str) -> list[list[str]]:
        return [path for path in self.paths if len(path) == 3 and all(self.on.get(point) == who for point in path)]

    def beside(self, point: str) -> set[str]:
        found = set()
        for path in self.paths:
            if point in path:
                at = path.index(point)
                found |= set(path[max(at - 1, 0) : at + 2]) - {point}
        return found

    def men_of(self, who: str) -> list[str]:
        return [point for point, owner in self.on.items() if owner == who]

    def moves(self) -> dict[str, Slow]:
        if self.result() is not None:
            return {}
        free, found = [point for point in self.points if point not in self.on], {}
        if self.hand[self.mover]:
            steps = [("", to) for to in free]
        else:
            own = self.men_of(self.mover)
            flies = self.flying and len(own) == 3
            steps = [(start, to) for start in own for to in free if flies or to in self.beside(start)]
        for start, to in steps:
            after = self.copy()
            if start:
                del after.on[start]
            else:
                after.hand[self.mover] -= 1
            after.on[to] = self.mover
            after.mover = self.waiting
            closed = any(to in mill for mill in after.mills(self.mover))
            if not closed or self.men == 3:
                found[start + to] = after
                continue
            others = after.men_of(self.waiting)
            safe = {point for mill in after.mills(self.waiting) for point in mill}
            for point in [point for point in others if point not in safe] or others:
                taken = after.copy()
                del taken.on[point]
                found[f"{start}{to}x{point}"] = taken
        return found

    def result(self) -> int | None:
        lost = -1 if self.mover == "X" else 1
        if self.men == 3 and self.mills(self.waiting):
            return lost
        own = self.men_of(self.mover)
        if len(own) + self.hand[self.mover] < 3:
            return lost
        if self.hand[self.mover] or (self.flying and len(own) == 3):
            return None
        return None if any(self.beside(point) - self.on.keys() for point in own) else lost

    def wins_by_a_mill(self) -> bool:
        """Whether the player to move can end the game so."""
        return any(after.result() is not None and after.mills(self.mover) and
                   (self.men == 3 or len(after.men_of(self.waiting)) + self.hand[self.waiting] < 3)
                   for after in self.moves().values())  # fmt: skip


def made(men: int, flying: str) -> tuple[Game, Slow]:
    return games.morris(men=men, flying=flying), Slow(men, flying == "on" or (flying == "usual" and men == 9))


@pytest.mark.parametrize(("men", "flying"), some_slow(VARIANTS, [(3, "on"), (9, "off")]))
def test_random_games(men: int, flying: str) -> None:
    rng, ends, flights = random.Random(men), Counter(), 0
    game, start = made(men, flying)
    for _ in range(10):
        position, slow = game.position(), start
        while True:
            assert game.result(position.state) == (ONGOING if slow.result() is None else slow.result())
            moves = slow.moves()
            assert sorted(position.moves()) == sorted(moves)
            assert len(moves) <= game.max_moves
            assert game.position(position.text()) == position
            assert -1 < game.evaluate(position.state) < 1
            assert position.turn == "XO".index(slow.mover)
            if position.result is not None:
                break
            win = 1 - 2 * position.turn
            assert game.bounds(position.state) == ((win, win) if slow.wins_by_a_mill() else (-1, 1))
            taking = [move for move in moves if "x" in move]
            move = rng.choice(taking if taking and rng.random() < 0.5 else list(moves))
            flights += len(move) >= 4 and move[2] != "x" and move[2:4] not in slow.beside(move[:2])
            position, slow = position.play(move), moves[move]
        ends[slow.result()] += 1
    assert ends[1] + ends[-1] > 3
    assert (flights > 0) == start.flying


def test_against_openspiel() -> None:
    """There a mill and the man that it takes are two moves, and play goes on when a position comes back."""
    pyspiel = pytest.importorskip("pyspiel")
    game, other = games.morris(), pyspiel.load_game("nine_mens_morris")
    places = sorted(Slow(9, True).points, key=lambda point: (-int(point[1]), point[0]))  # their points, row by row
    assert "".join(places[9:15]) == "a4b4c4e4f4g4"

    def theirs(state: Any) -> dict[str, Any]:
        found = {}
        for action in state.legal_actions():
            numbers = [int(word) for word in state.action_to_string(action).split() if word.isdigit()]
            text, after = "".join(places[number] for number in numbers), state.child(action)
            if after.current_player() != state.current_player() or after.is_terminal():
                found[text] = after
            else:
                found |= {f"{text}x{places[taken]}": after.child(taken) for taken in after.legal_actions()}
        return found

    rng, ends = random.Random(4), Counter()
    for _ in range(12):
        position, state = game.position(), other.new_initial_state()
        while not state.is_terminal():
            assert position.turn == state.current_player()
            moves = theirs(state)
            assert set(position.moves()) == set(moves)
            taking = [move for move in moves if "x" in move]
            move = rng.choice(taking or list(moves))
            position, state = Position(game, position.play(move).state), moves[move]  # our history is none of theirs
        if position.result is not None:
            assert [position.result, -position.result] == state.returns()
            ends[position.result] += 1
    assert min(ends[1], ends[-1]) > 0


def perft(position: Position, depth: int) -> int:
    return 1 if depth == 0 else sum(perft(position.play(move), depth - 1) for move in position.codes)


def slow_perft(slow: Slow, depth: int) -> int:
    return 1 if depth == 0 else sum(slow_perft(after, depth - 1) for after in slow.moves().values())


def test_perft() -> None:
    assert [perft(games.morris().position(), depth) for depth in range(3)] == [1, 24, 552]
    for men, flying in VARIANTS:
        game, slow = made(men, flying)
        position, rng = game.position(), random.Random(6)
        for _ in range(2 * men + 1):
            if slow.result() is None:
                move = rng.choice(sorted(slow.moves()))
                position, slow = position.play(move), slow.moves()[move]
        assert perft(position, 2) == slow_perft(slow, 2)


def images(men: int, text: str) -> set[str]:
    """All positions that a position becomes by turns, mirrors and the exchange of outer and inner square."""
    board, rest = text.split(" ", 1)
    size = 2 * (men // 3)  # the last column, counting from 0
    names = sorted(Slow(men, False).points, key=lambda point: (-int(point[1]), point[0]))
    on = dict(zip(((ord(name[0]) - 97, int(name[1]) - 1) for name in names), board.replace("/", "")))
    half, found = size // 2, set()

    def exchanged(x: int, y: int) -> tuple[int, int]:
        ring = max(abs(x), abs(y))
        new = half + 1 - ring if ring else 0
        return x * new // ring if ring else 0, y * new // ring if ring else 0

    for swap in (False, True) if men > 3 else (False,):
        for turn in range(4):
            for mirror in (False, True):
                moved = {}
                for (column, row), mark in on.items():
                    x, y = column - half, row - half
                    x, y = exchanged(x, y) if swap else (x, y)
                    for _ in range(turn):
                        x, y = y, -x
                    moved[half + (-x if mirror else x), half + y] = mark
                rows = [[moved[x, y] for x in range(size + 1) if (x, y) in moved] for y in range(size, -1, -1)]
                found.add("/".join(map("".join, rows)) + " " + rest)
    return found


@pytest.mark.parametrize("men", [3, 6, 9])
def test_images_share_keys_and_numbers(men: int) -> None:
    rng, game = random.Random(men), games.morris(men=men)
    seen: dict[int, str] = {}
    tested = 0
    for _ in range(6):
        position = game.position()
        while position.result is None:
            alike = images(men, position.text())
            states = [game.position(text).state for text in alike]
            assert len({int(game.key(state)) for state in states}) == len(alike)
            (key,) = {int(game.symmetry(state)) for state in states}
            (place,) = {game.index(state) for state in states}
            assert seen.setdefault(key, min(alike)) == min(alike)
            assert place[0] >= 0
            assert place[2] == 1 - 2 * position.turn
            tier = game.tiers()[place[0]]
            assert place[1] < tier.size
            state = game.start.copy()
            assert game.unindex(state, *place[:2])
            assert game.index(state) == (*place[:2], 1)
            assert position.turn == 1 or state in states
            tested += len(alike)
            position = position.play(rng.choice(position.codes))
            assert game.index(position.state)[0] <= place[0]
    assert tested > 300


def test_all_positions_with_three_men() -> None:
    """1,680 arrangements after all men are laid, either side to move."""
    game = games.morris(men=3)
    points = range(9)
    arrangements = [
        (sum(1 << p for p in mine), sum(1 << p for p in theirs))
        for mine in combinations(points, 3)
        for theirs in combinations([p for p in points if p not in mine], 3)
    ]
    assert len(arrangements) == 1680
    orbits = Counter(game.index(game.State(first=first, second=second)) for first, second in arrangements)
    texts = {
        frozenset(images(3, Position(game, game.State(first=first, second=second)).text()))
        for first, second in arrangements
    }
    assert len(orbits) == len(texts)
    assert Counter(orbits.values()) == Counter(map(len, texts))
    tier = game.tiers()[0]
    assert tier.name == "3-3"
    numbers = {number for which, number, _ in orbits if which == tier.tier}
    state = game.start.copy()
    assert {number for number in range(tier.size) if game.unindex(state, tier.tier, number)} == numbers


def test_tiers() -> None:
    names = [tier.name for tier in games.morris(men=3).tiers()]
    assert names[:3] == ["3-3", "place 1-0 with 2-3", "place 1-1 with 2-2"]
    names = [tier.name for tier in games.morris(men=6).tiers()]
    assert names[:10] == ["3-3", "4-3", "4-4", "5-3", "5-4", "6-3", "5-5", "6-4", "6-5", "6-6"]
    assert names[-1] == "place 6-6 with 0-0"
    game = games.morris(men=6)
    assert game.index(game.position("X.X/.../..../.../O.O 1-1 X").state)[0] == -1  # both have lost more men than a game
    assert game.index(game.position("X.X/.X./..../.../O.O 0-0 X").state)[0] == -1  # over


def test_values_with_three_men() -> None:
    game = games.morris(men=3)
    answer = z.solve(game, mode="interpreted")
    assert (answer.value, answer.best, answer.depth) == (1, ["b2"], 9)
    assert z.solve(game.position("a1"), mode="interpreted").value == 0
    assert z.solve(game.position("b1"), mode="interpreted").value == -1


def test_a_table_with_three_men(tmp_path: Path) -> None:
    tiers = build_table(games.morris(men=3), tmp_path, mode="interpreted").tiers
    assert (tiers[-1].won, tiers[-1].longest) == (1, 9)
    assert [tier.positions for tier in tiers] == [228, 174, 108, 38, 12, 3, 1]


@pytest.mark.slow
def test_six_men_are_a_draw(tmp_path: Path) -> None:
    """All positions of six men's morris."""
    tiers = {tier.name: tier for tier in build_table(games.morris(men=6), tmp_path, mode="compiled").tiers}
    assert tiers["place 6-6 with 0-0"].drawn == 1
    moving = [tier.positions for name, tier in tiers.items() if "place" not in name]
    assert (len(moving), sum(moving)) == (10, 1205908)


def test_a_man_in_a_mill_is_safe() -> None:
    game = games.morris()
    position = game.position("X.X/.../.../....../.../OOO/O.. 6-5 X")
    assert [move for move in position.moves() if move.startswith("d7")] == ["d7xa1"]
    position = game.position("X.X/.../.../....../.../OOO/... 6-6 X")
    closing = {move for move in position.moves() if move.startswith("d7")}
    assert closing == {"d7xb2", "d7xd2", "d7xf2"}  # there is no other to take


def test_who_is_shut_in_has_lost() -> None:
    game = games.morris(men=6, flying="off")
    assert game.position("XXO/.O./XO../.../O.. 0-0 X").result == -1
    assert game.position("XXO/.O./XO../.../O.. 0-0 O").result is None
    assert games.morris(men=6, flying="on").position("XXO/.O./XO../.../O.. 0-0 X").result is None


def test_texts_and_drawing() -> None:
    game = games.morris()
    assert game.position().text() == ".../.../.../....../.../.../... 9-9 X"
    position = game.position("d2 f4 b2 a4 f2xf4")
    assert position.text() == ".../.../.../O...../.../XXX/... 6-7 O"
    assert game.position(position.text().lower()) == position
    assert str(position).splitlines() == [
        "7 .     .     .", "6   .   .   .", "5     . . .", "4 O . .   . . .", "3     . . .", "2   X   X   X",
        "1 .     .     .", "  a b c d e f g", "O to lay; in hand: X 6, O 7",
    ]  # fmt: skip
    ElementTree.fromstring(position._repr_svg_())
    with pytest.raises(MoveError, match="'d2' is not a legal move here"):
        position.play("d2")
    for wrong, sentence in [
        ("XXX/.../... 3-3 X", "the points row by row"),
        (".../.../.../....../.../.../... 9-9", "the points row by row"),
        (".../.../.../....../.../..?/... 9-9 X", "the points row by row"),
        (".../.../.../....../.../.../... 7-9 O", "as many in hand as the other, or one more"),
        (".../.../.../....../.../.../... 8-9 X", "as many in hand as the other, or one more"),
        ("X../.../.../....../.../.../... 9-9 X", "X has more than 9 men"),
    ]:
        with pytest.raises(PositionError, match=sentence):
            game.position(wrong)
    assert str(games.morris(men=3).position("b2 a1 b1 a2 b3")).endswith("X has won; in hand: X 0, O 1")


def test_impossible_settings() -> None:
    with pytest.raises(Unsuitable, match="3, 6 or 9 men a side, not with 12"):
        games.morris(men=12)
    with pytest.raises(Unsuitable, match="flying is usual, on, off, not 'yes'"):
        games.morris(flying="yes")
