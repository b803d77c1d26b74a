"""EinStein against OpenSpiel where it has the board, a slow, plain one everywhere, and the known chances of winning."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest

import zermelo.games as games
from zermelo.rules import CHANCE, ONGOING, Game, MoveError, Position, PositionError, Unsuitable

pytestmark = pytest.mark.usefixtures("calling_rules")

SIZES = [(3, 1), (3, 2), (3, 3), (4, 3), (4, 6), (5, 6), (5, 9), (6, 9), (7, 2), (7, 9)]


def corner(size: int, stones: int) -> list[tuple[int, int]]:
    cells = [(r, c) for r in range(size) for c in range(size)]
    return sorted(cells, key=lambda cell: (sum(cell), cell[0]))[:stones]


def shuffled(chance: random.Random, stones: int) -> str:
    return "".join(chance.sample("123456789"[:stones], stones))


class Slow:
    """The rules as a person would follow them: a dictionary from (row, column) to side and number."""

    def __init__(self, size: int, stones: int, setup: str, setup2: str) -> None:
        self.size, self.sides, self.side, self.die = size, stones, "X", 0
        self.stones: dict[tuple[int, int], tuple[str, int]] = {}
        for (r, c), first, second in zip(corner(size, stones), setup, setup2, strict=True):
            self.stones[r, c] = ("X", int(first))
            self.stones[size - 1 - r, size - 1 - c] = ("O", int(second))

    def moves(self) -> dict[str, Any]:
        if self.die == 0:
            return {str(face): face for face in range(1, self.sides + 1)}
        mine = {number for owner, number in self.stones.values() if owner == self.side}
        lower, higher = [n for n in mine if n < self.die], [n for n in mine if n > self.die]
        movable = {self.die} if self.die in mine else {*sorted(lower)[-1:], *sorted(higher)[:1]}
        found = {}
        way = 1 if self.side == "X" else -1
        for (r, c), (owner, number) in self.stones.items():
            for to in ((r + way, c), (r, c + way), (r + way, c + way)):
                if owner == self.side and number in movable and min(to) >= 0 and max(to) < self.size:
                    found["".join(f"{'abcdefg'[y]}{x + 1}" for x, y in ((r, c), to))] = (r, c), to
        return found

    def play(self, text: str) -> None:
        move = self.moves()[text]
        if self.die == 0:
            self.die = move
        else:
            self.stones[move[1]] = self.stones.pop(move[0])
            self.side, self.die = "O" if self.side == "X" else "X", 0

    def result(self) -> int | None:
        owners = {owner for owner, _ in self.stones.values()}
        if "O" not in owners or self.stones.get((self.size - 1, self.size - 1), "-")[0] == "X":
            return 1
        return -1 if "X" not in owners or self.stones.get((0, 0), "-")[0] == "O" else None

    def text(self) -> str:
        marks = {cell: str(n) if owner == "X" else "abcdefghi"[n - 1] for cell, (owner, n) in self.stones.items()}
        rows = ("".join(marks.get((r, c), ".") for c in range(self.size)) for r in range(self.size))
        return "/".join(rows) + f" {self.side}" + (f" {self.die}" if self.die else "")


@pytest.mark.parametrize(("size", "stones"), SIZES)
def test_plays_like_the_slow_one(size, stones):
    chance = random.Random(100 * size + stones)
    for _ in range(8):
        setup, setup2 = shuffled(chance, stones), shuffled(chance, stones)
        game = games.einstein(size=size, stones=stones, setup=setup, setup2=setup2)
        slow, position = Slow(size, stones, setup, setup2), game.position()
        plies = 0
        while slow.result() is None:
            assert position.result is None
            assert position.text() == slow.text()
            assert position.turn == (CHANCE if slow.die == 0 else "XO".index(slow.side))
            moves = position.moves()
            assert sorted(moves) == sorted(slow.moves())
            assert len(moves) <= game.max_moves
            if position.turn == CHANCE:
                assert [game.weight(position.state, code) for code in position.codes] == [1] * stones
            text = chance.choice(moves)
            position = position.play(text)
            slow.play(text)
            plies += 1
        assert position.result == slow.result()
        assert position.moves() == []
        assert position.text() == slow.text()
        assert plies <= game.max_plies


def test_plays_like_openspiel():
    """There player 1, at the bottom right, begins; so its board is ours turned round."""
    pyspiel = pytest.importorskip("pyspiel")
    spiel = pyspiel.load_game("einstein_wurfelt_nicht")
    ways = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
    chance = random.Random(7)

    def standing(state: Any) -> dict[tuple[int, int], str]:
        lines = [re.findall(r"\|(..)\|", line) for line in str(state).splitlines()[:5]]
        return {(r, c): mark for r, line in enumerate(lines) for c, mark in enumerate(line) if mark != "__"}

    def turned(position: Position) -> dict[tuple[int, int], str]:
        rows = position.text().split()[0].split("/")
        marks = {(4 - r, 4 - c): mark for r, row in enumerate(rows) for c, mark in enumerate(row) if mark != "."}
        return {cell: f"w{m}" if m.isdigit() else f"b{'.abcdef'.index(m)}" for cell, m in marks.items()}

    def text_of(state: Any, action: int) -> str:
        """White's 3 going up is W3-up, with a star if it captures."""
        colour, number, way = re.fullmatch(r"([BW])(\d)-(\w+)\*?", state.action_to_string(action)).groups()
        r, c = next(cell for cell, mark in standing(state).items() if mark == colour.lower() + number)
        diagonal = (1, 1) if colour == "B" else (-1, -1)
        down, right = ways.get(way, diagonal)
        return "".join(f"{'edcba'[y]}{5 - x}" for x, y in ((r, c), (r + down, c + right)))

    for _ in range(100):
        state = spiel.new_initial_state()
        for _ in range(2):
            state.apply_action(chance.randrange(720))
        marks = standing(state)
        game = games.einstein(
            setup="".join(marks[4 - r, 4 - c][1] for r, c in corner(5, 6)),
            setup2="".join(marks[r, c][1] for r, c in corner(5, 6)),
        )
        position = game.position()
        while not state.is_terminal():
            assert position.result is None
            assert turned(position) == standing(state)
            if state.is_chance_node():
                actions = {state.action_to_string(a).removeprefix("roll "): a for a, _ in state.chance_outcomes()}
                assert {p for _, p in state.chance_outcomes()} == {1 / 6}
                assert position.turn == CHANCE
            else:
                actions = {text_of(state, action): action for action in state.legal_actions()}
                assert position.turn == 1 - state.current_player()
            assert sorted(position.moves()) == sorted(actions)
            text = chance.choice(position.moves())
            position = position.play(text)
            state.apply_action(actions[text])
        assert position.result == state.returns()[1]


def chances_of_winning(game: Game) -> dict[str, Fraction]:
    """The first player's, from the start ("") and after each roll."""
    known: dict[tuple[int, ...], Fraction] = {}

    def value(s: Any) -> Fraction:
        score = game.result(s)
        if score != ONGOING:
            return Fraction((1 + score) // 2)
        name = s.mine, s.theirs, s.side, s.die
        if name not in known:
            out = [0] * game.max_moves
            values = []
            count = game.moves(s, out)
            for move in out[:count]:
                after = s.copy()
                game.play(after, move)
                values.append(value(after))
            known[name] = sum(values) / len(values) if s.die == 0 else (max, min)[s.side](values)
        return known[name]

    start = game.position()
    return {text: value((start.play(text) if text else start).state) for text in ("", *start.moves())}


@pytest.mark.slow
def test_known_values():
    same = chances_of_winning(games.einstein(size=3, stones=3, setup="123"))
    assert same == {"": Fraction(170, 243), "1": Fraction(31, 81), "2": Fraction(74, 81), "3": Fraction(65, 81)}
    assert chances_of_winning(games.einstein(size=3, stones=3, setup="213", setup2="213"))[""] == Fraction(143, 243)
    assert chances_of_winning(games.einstein(size=4, stones=2))[""] == Fraction(1169, 2048)


def test_equivalent_positions_have_one_value():
    """All positions of a small game: what `symmetry` calls the same is worth the same, and `bounds` hold."""
    game = games.einstein(size=3, stones=2)
    known: dict[Position, Fraction] = {}
    classes: dict[int, tuple[Fraction, int]] = {}

    def value(position: Position) -> Fraction:
        if position not in known:
            values = [value(position.play(code)) for code in position.codes]
            known[position] = (
                Fraction(position.result) if position.result is not None
                else sum(values) / len(values) if position.turn == CHANCE
                else (max, min)[position.turn](values)
            )  # fmt: skip
            worth = known[position], position.turn
            assert classes.setdefault(int(game.symmetry(position.state)), worth) == worth
            low, high = game.bounds(position.state)
            assert low <= known[position] <= high or position.result is not None
        return known[position]

    value(game.position())
    assert len(classes) < 0.8 * len(known)


def test_absent_stones_leave_their_neighbours():
    game = games.einstein()
    text = "12.../5..../...../...../....a X {}"
    movable = {die: {m[:2] for m in game.position(text.format(die)).moves()} for die in range(1, 7)}
    assert movable == {1: {"a1"}, 2: {"b1"}, 3: {"b1", "a2"}, 4: {"b1", "a2"}, 5: {"a2"}, 6: {"a2"}}
    symmetry = [int(game.symmetry(game.position(text.format(die)).state)) for die in range(1, 7)]
    assert symmetry[2] == symmetry[3]
    assert symmetry[4] == symmetry[5]
    assert len(set(symmetry)) == 4


def test_captures_and_ends():
    game = games.einstein(size=3, stones=3)
    own = game.position("12./3.c/.ba X 1")
    assert own.play("a1b1").text() == ".1./3.c/.ba O"
    assert own.play("a1b1").play("2").play("b3a3").play("2").moves() == [
        "b1c2",
        "b1b2",
        "b1c1",
        "a2b3",
        "a2a3",
        "a2b2",
    ]  # 2 is gone, so 1 or 3
    assert game.position("1../.../..a O 1").play("c3b2").result is None
    corner_taken = game.position(".../.1./..a X 2")
    assert game.bounds(corner_taken.state) == (1, 1)
    assert corner_taken.play("b2c3").result == 1
    assert game.position(".../.1./a.. O 3").play("a3a2").result is None
    last = game.position(".../1a./..b O 1")
    assert last.play("b2a2").result == -1  # the last stone
    assert last.play("b2a1").result == -1  # the far corner
    assert game.order(last.state, last.code_of("b2a1")) > game.order(last.state, last.code_of("b2a2"))
    assert game.order(last.state, last.code_of("b2a2")) > game.order(last.state, last.code_of("b2b1"))


def random_positions(game: Game, seed: int) -> list[Position]:
    chance, path = random.Random(seed), [game.position()]
    while codes := path[-1].codes:
        path.append(path[-1].play(chance.choice(codes)))
    return path


@pytest.mark.parametrize(("size", "stones"), SIZES)
def test_hooks_and_texts(size, stones):
    game = games.einstein(size=size, stones=stones)
    seen: dict[int, str] = {}
    for seed in range(4):
        for position in random_positions(game, seed):
            board, *rest = position.text().split()
            rows = board.split("/")
            mirrored = " ".join(["/".join("".join(row[c] for row in rows) for c in range(size)), *rest])
            twin = game.position(mirrored)
            assert game.position(position.text()) == position
            assert (twin.result, twin.turn) == (position.result, position.turn)
            assert game.symmetry(twin.state) == game.symmetry(position.state)
            assert (game.key(twin.state) == game.key(position.state)) == (twin == position)
            assert seen.setdefault(int(game.key(position.state)), position.text()) == position.text()
            assert -1 < game.evaluate(position.state) < 1
            assert game.evaluate(twin.state) == game.evaluate(position.state)
            if position.result is None and any(position.play(code).result is not None for code in position.codes):
                winner = 1 if position.turn == 0 else -1
                assert winner in game.bounds(position.state)
            ElementTree.fromstring(position._repr_svg_())


def test_estimates_follow_the_race():
    game = games.einstein()
    ahead = game.position("12.../35.../4..../...6./..dba X").state
    behind = game.position("124../35.../6..../.f.ec/..dba X").state
    assert game.evaluate(ahead) > game.evaluate(game.start) > game.evaluate(behind)


def test_drawing():
    game = games.einstein()
    assert game.position().text() == "124../35.../6...f/...ec/..dba X"
    drawn = str(game.position("4")).splitlines()
    assert drawn[:3] == ["1 1 2 4 . .", "2 3 5 . . .", "3 6 . . . f"]
    assert drawn[5:] == ["  a b c d e", "X (numbers) to move, die 4"]
    assert str(game.position()).endswith("X (numbers) to roll")
    assert str(game.position("...../...../...../...../...a1 O")).endswith("O (letters) has lost")
    with pytest.raises(MoveError, match="'a1b2' is not a legal move here; legal: 1 2 3 4 5 6"):
        game.position().play("a1b2")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("12./3.c X", "3 rows of 3 cells"),
        ("12./3.c/.ba", "3 rows of 3 cells"),
        ("12./3.c/.ba Z", "3 rows of 3 cells"),
        ("12./3.c/.ba X x", "3 rows of 3 cells"),
        ("12./4.c/.ba X", "4 in .* is no stone: X has 1 to 3, O has a to c"),
        ("12./?.c/.ba X", "\\? in .* is no stone"),
        ("12./3.d/.ba X", "d in .* is no stone"),
        ("12./1.c/.ba X", "has stone 1 twice"),
        ("12./3.b/.ba X", "has stone b twice"),
        ("12./3.c/.ba X 4", "the die shows 1 to 3, not 4"),
        ("12./3.c/.ba X 0", "the die shows 1 to 3, not 0"),
        ("12./3../... X", "X would have won"),
        (".../..c/.ba O", "O would have won"),
        ("12./..c/.b3 X", "X would have won"),
        ("a2./3.c/.b. O", "O would have won"),
        ("12./..c/.b3 O 1", "the game is over"),
        ("12. 3.c .ba X", "move 2 of 12.: no legal move reads '2.'"),
    ],
)
def test_wrong_positions(text, sentence):
    with pytest.raises(PositionError, match=sentence):
        games.einstein(size=3, stones=3).position(text)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"size": 2}, "size is from 3 to 7, not 2"),
        ({"size": 8}, "size is from 3 to 7, not 8"),
        ({"size": 3}, "6 stones a side do not fit; on 3×3 cells there are from 1 to 3"),
        ({"size": 7, "stones": 10}, "from 1 to 9"),
        ({"stones": 0}, "0 stones a side do not fit"),
        ({"setup": "112345"}, "setup 112345 repeats stone 1; it names each of 123456 once"),
        ({"setup2": "12345"}, "setup2 12345 must name each of the 6 stones 123456 once"),
        ({"setup2": "123457"}, "setup2 123457 must name each"),
        ({"size": 3, "stones": 3, "setup": "abc"}, "setup abc must name each of the 3 stones 123 once"),
    ],
)
def test_wrong_parameters(parameters, sentence):
    with pytest.raises(Unsuitable, match=sentence):
        games.einstein(**parameters)
