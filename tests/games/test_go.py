"""Go against a slow version of its rules, against GNU Go and OpenSpiel, and on what is known."""

from __future__ import annotations

import random
from typing import Any

import pytest

from gnugo import gnugo
from marks import slow
from zermelo.compile.watch import Limits
from zermelo.core.perft import perft
from zermelo.games.go import go
from zermelo.games.go.board import Board
from zermelo.games.go.large import large_board
from zermelo.games.go.notation import Notation
from zermelo.games.go.small import small_board
from zermelo.methods.asking import search
from zermelo.rules import Position, PositionError, Unsuitable, wrapping

# A slow version


class Plain:
    """Go on a dictionary, with all boards that have stood so far."""

    def __init__(self, rows: int, cols: int, ko: str, suicide: bool) -> None:
        self.points = {(r, c): "." for r in range(rows) for c in range(cols)}
        self.rule, self.suicide, self.turn, self.passes = ko, suicide, "X", 0
        self.ko: Any = None
        self.taken = {"X": 0, "O": 0}
        self.stood = [(self.board(self.points), "X")]

    @staticmethod
    def board(points: dict[Any, str]) -> str:
        return "".join(points[p] for p in sorted(points))

    def near(self, point: tuple[int, int]) -> list[tuple[int, int]]:
        r, c = point
        return [p for p in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)) if p in self.points]

    def chain(self, points: dict[Any, str], point: Any) -> tuple[set[Any], set[Any]]:
        """What is joined to a point, and what lies around it."""
        found, around, waiting = {point}, set(), [point]
        while waiting:
            for to in self.near(waiting.pop()):
                if points[to] != points[point]:
                    around.add(to)
                elif to not in found:
                    found.add(to)
                    waiting.append(to)
        return found, around

    def after(self, point: Any) -> tuple[dict[Any, str], int, Any] | None:
        """The points after a stone, how many were taken, and the new ko; None if it may not be placed."""
        other = "O" if self.turn == "X" else "X"
        if self.points[point] != "." or (point == self.ko):
            return None
        new = {**self.points, point: self.turn}
        taken = set()
        for to in self.near(point):
            if new[to] == other:
                found, around = self.chain(new, to)
                if all(new[p] != "." for p in around):
                    taken |= found
        new.update(dict.fromkeys(taken, "."))
        own, around = self.chain(new, point)
        free = [p for p in around if new[p] == "."]
        lost = 0
        if not free:
            if not self.suicide:
                return None
            new.update(dict.fromkeys(own, "."))
            lost = len(own)
        stands = self.board(new)
        if self.rule == "positional" and any(stands == board for board, _ in self.stood):
            return None
        if self.rule == "situational" and (stands, other) in self.stood:
            return None
        ko = free[0] if len(taken) == 1 and len(own) == 1 and len(free) == 1 else None
        return new, len(taken) - lost, ko

    def moves(self) -> list[Any]:
        return [point for point in sorted(self.points) if self.after(point) is not None]

    def play(self, point: Any) -> None:
        other = "O" if self.turn == "X" else "X"
        self.ko, made = None, None if point is None else self.after(point)
        if made is None:
            self.passes += 1
        else:
            self.points, gained, self.ko = made
            self.taken[self.turn] += gained
            self.passes = 0
        self.turn = other
        self.stood.append((self.board(self.points), other))

    def margin(self, scoring: str) -> int:
        points = {"X": 0, "O": 0}
        for point, mark in self.points.items():
            if mark == ".":
                beside = {self.points[p] for p in self.chain(self.points, point)[1]}
                if len(beside) == 1:
                    points[beside.pop()] += 1
            elif scoring == "area":
                points[mark] += 1
        if scoring == "territory":
            points = {who: points[who] + self.taken[who] for who in points}
        return points["X"] - points["O"]


@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize("ko", ["simple", "positional", "situational"])
@pytest.mark.parametrize("scoring", ["area", "territory"])
def test_the_rules(scoring: str, ko: str, suicide: bool) -> None:
    dice = random.Random(f"{scoring} {ko} {suicide}")
    for _ in range(5):
        rows, cols = dice.choice([(1, 5), (2, 2), (2, 3), (3, 3), (4, 3), (9, 8)])
        game, plain = go(rows, cols, 0.5, ko, suicide, scoring), Plain(rows, cols, ko, suicide)
        position = game.position()
        while position.result is None and len(position.history()) < 40:
            assert position.codes == [r * cols + c for r, c in plain.moves()] + [rows * cols]
            board, _, place, *_ = position.text().split()
            assert board.replace("/", "") == plain.board(plain.points)
            assert (place == "-") == (plain.ko is None)
            move = dice.choice(position.codes)
            position = position.play(move)
            plain.play(None if move == rows * cols else divmod(move, cols))
        if plain.passes == 2:
            expected = plain.margin(scoring) - 0.5
            assert position.result == expected


@wrapping
def test_words_and_arrays_hold_the_same_board() -> None:
    dice = random.Random(5)
    for _ in range(25):
        rows, cols = dice.randint(1, 5), dice.randint(1, 5)
        suicide, territory = dice.random() < 0.5, dice.random() < 0.5
        made: list[Board] = [board(rows, cols, suicide, territory, 99) for board in (small_board, large_board)]
        states: list[Any] = [board.State() for board in made]
        for _ in range(40):
            lists = [[0] * 26, [0] * 26]
            first, second = (out[: board.moves(s, out)] for board, s, out in zip(made, states, lists))
            assert first == second
            assert made[0].told(states[0]) == made[1].told(states[1])
            for point in range(rows * cols):
                assert {board.legal(s, point) for board, s in zip(made, states)} == {point in first}
                assert made[0].owner(states[0], point) == made[1].owner(states[1], point)
                if made[0].owner(states[0], point):
                    free = [
                        {board.liberty(s, point, -1, -1), board.liberty(s, point, board.liberty(s, point, -1, -1), -1)}
                        for board, s in zip(made, states)
                    ]
                    assert (-1 in free[0]) == (-1 in free[1])
            move = dice.choice(first)
            for board, s in zip(made, states):
                board.play(s, move)
            if states[0].passes == 2:
                assert made[0].margin(states[0]) == made[1].margin(states[1])
                break
        assert made[1].make(made[1].told(states[1])).hash == states[1].hash


# Programs of others


def legal_as_told(position: Position, told: str) -> None:
    stones = sorted(text for text in position.moves() if text != "pass")
    assert stones == sorted(told.split()), position.text()


@pytest.mark.parametrize(("ko", "option"), [("simple", "simple-ko"), ("positional", "positional-superko"),
                                            ("situational", "situational-superko")])  # fmt: skip
@pytest.mark.parametrize("games", [4, *slow(150)])
def test_gnugo_finds_the_same_moves_legal(ko: str, option: str, games: int) -> None:
    dice = random.Random(games)
    with gnugo(f"--{option}", "--forbid-suicide") as theirs:
        for _ in range(games):
            size = dice.choice([2, 3, 4])
            position = go(size, size, ko=ko).position()
            theirs.ask(f"boardsize {size}")
            theirs.ask("clear_board")
            while position.result is None and len(position.history()) < 40:
                colour = ("black", "white")[position.turn]
                legal_as_told(position, theirs.ask(f"all_legal {colour}"))
                move = dice.choice(position.moves())
                theirs.ask(f"play {colour} {move}")
                position = position.play(move)


@pytest.mark.parametrize(("ko", "option"), [("simple", "simple-ko"), ("positional", "positional-superko")])
@pytest.mark.parametrize("games", [3, *slow(150)])
def test_gnugo_with_suicide(ko: str, option: str, games: int) -> None:
    """It does not ask whether a suicide brings a board back; otherwise it agrees."""
    dice, suicides = random.Random(games), 0
    with gnugo(f"--{option}", "--allow-all-suicide") as theirs:
        for _ in range(games):
            size = dice.choice([2, 3])
            position = go(size, size, ko=ko, suicide=True).position()
            theirs.ask(f"boardsize {size}")
            theirs.ask("clear_board")
            while position.result is None and len(position.history()) < 40:
                colour = ("black", "white")[position.turn]
                ours = {text for text in position.moves() if text != "pass"}
                more = set(theirs.ask(f"all_legal {colour}").split()) - ours
                assert ours | more == set(theirs.ask(f"all_legal {colour}").split())
                board = position.text().split()[0]
                for move in more:
                    after = go(size, size, suicide=True).position(f"{board} {colour[0]}").play(move)
                    assert move in after.play("pass").moves()  # the stone did not stay
                suicides += len(more)
                move = dice.choice([*sorted(ours), "pass"])
                theirs.ask(f"play {colour} {move}")
                position = position.play(move)
    assert (suicides > 0) == (ko == "positional") or games < 10


@pytest.mark.parametrize("games", [6, *slow(300)])
def test_openspiel_finds_the_same_moves_legal(games: int) -> None:
    """It ends games in which a board comes back, so these are followed up to there; its points count from below."""
    pyspiel = pytest.importorskip("pyspiel")
    dice = random.Random(games)
    for _ in range(games):
        size = dice.choice([3, 4, 5])
        position = go(size, size).position()
        theirs = pyspiel.load_game(f"go(board_size={size},komi=0.5)").new_initial_state()
        while not theirs.is_terminal():
            legal = [theirs.action_to_string(action).split()[-1].upper() for action in theirs.legal_actions()]
            assert sorted(legal) == sorted(text.upper() for text in position.moves())
            action = dice.choice(theirs.legal_actions())
            position = position.play(theirs.action_to_string(action).split()[-1])
            theirs.apply_action(action)


# What is known


PERFT = {  # computed with a program of its own, and with OpenSpiel on 3×3 and 5×5 to depth 4
    (2, 2, "positional"): [5, 21, 68, 156, 316, 604, 1088, 2184, 4184, 8024],
    (2, 2, "situational"): [5, 21, 68, 156, 316, 604, 1112, 2312, 4544],
    (3, 3, "simple"): [10, 91, 738, 5281, 33384, 179712],
    (3, 3, "positional"): [10, 91, 738, 5281, 33384, 179712],
    (4, 4, "simple"): [17, 273, 4112, 57984, 764016],
    (5, 5, "simple"): [26, 651, 15650, 361041],
    (9, 9, "simple"): [82, 6643, 531522],
}


@pytest.mark.parametrize(
    ("board", "depth"),
    [((2, 2, "positional"), 8), ((2, 2, "situational"), 8), ((3, 3, "simple"), 4), ((4, 4, "simple"), 3),
     ((9, 9, "simple"), 2)],
)  # fmt: skip
def test_perft(board: tuple[int, int, str], depth: int) -> None:
    rows, cols, ko = board
    counts = [perft(go(rows, cols, ko=ko), n, mode="interpreted").paths for n in range(1, depth + 1)]
    assert counts == PERFT[board][:depth]


@pytest.mark.slow
@pytest.mark.parametrize("board", PERFT)
def test_deep_perft(board: tuple[int, int, str]) -> None:
    rows, cols, ko = board
    depth = len(PERFT[board])
    assert perft(go(rows, cols, ko=ko), depth).paths == PERFT[board][-1]


@wrapping
def test_life() -> None:
    """Two eyes live; one that a stone can be thrown into is theirs too, unless superko could forbid to take it."""
    for ko, text, expected in [
        ("simple", ".X.XX. w", (6, 6)), ("positional", ".X.XX. w", (6, 6)), ("simple", ".X.X.X b", (-6, 6)),
        ("simple", "X.X./XXX. b", (8, 8)), ("positional", "X.X./XXX. b", (4, 8)), ("simple", "X.XO/XXX. w", (8, 8)),
        ("simple", "X.XO/XXX. w - 1", (4, 8)), ("simple", "O.OX/OOO. w", (-8, -8)),
    ]:  # fmt: skip
        rows = text.split()[0].split("/")
        game = go(len(rows), len(rows[0]), ko=ko)
        assert game.bounds is not None
        assert game.bounds(game.position(text).state) == expected, text


# Texts


def test_texts_read_back() -> None:
    dice = random.Random(3)
    for rows, cols, scoring in [(3, 3, "territory"), (2, 5, "area"), (9, 9, "territory"), (1, 4, "area")]:
        game = go(rows, cols, scoring=scoring)
        for _ in range(10):
            position = game.position()
            for _ in range(dice.randrange(30)):
                if position.result is None:
                    position = position.play(dice.choice(position.codes))
            assert game.position(position.text()).state == position.state
            assert game.position(" ".join(position.history())).state == position.state


def test_coordinates_are_those_of_gtp() -> None:
    position = go(9, 9).position()
    assert position.moves()[:9] == [f"{letter}9" for letter in "ABCDEFGHJ"]
    assert position.moves()[-2:] == ["J1", "pass"]
    assert position.play("j1").play("PASS").text().startswith("........./" * 8 + "........X b - 1")


def test_targets_and_regions() -> None:
    game = go(3, 3)
    text = ".:#/xo./... w - 0 0"
    state = game.position(text).state
    assert game.position_text is not None
    assert game.position_text(state) == text
    assert "target C3" in str(game.position(text))


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("../..", r"'../..' is no board of 3×3: give 3 rows of 3 points from the top, with / between them"),
        (".../.../... x", "'x' is no turn: b if Black is to move, w if White is"),
        (".../.../... b I3", "'I3' is no point: - if there is no ko, else A1 to C3, without I"),
        (".../.../... b A4", "'A4' is no point"),
        (".../.../... b A3", "no ko can be at A3"),
        (".../.../... b - 3", "'3' is no number of passes"),
        (".../.../... b - 0 99", "'99' is no lead in prisoners: a whole number up to 27"),
        (".../.../... b - 0 0 1", "'1' stands behind the position"),
        (".X./XO./..Z b", "'Z' in '.X./XO./..Z' is no sign of the board: X and O are stones"),
        ("XO./O../... b", "the chain at A3 has no liberty, so it cannot stand there"),
        ("##./.../... b", "2 stones are marked as the target: mark one stone of the chain"),
        ("A3 A3", "move 2: 'A3' is not a legal move here"),
    ],
)
def test_bad_positions(text: str, match: str) -> None:
    with pytest.raises(PositionError, match=match):
        go(3, 3).position(text)


def test_regions_are_for_boards_of_one_word() -> None:
    with pytest.raises(PositionError, match="a region can be marked on boards of up to 64 points"):
        go(9, 9).position("/".join([":........"] + ["........."] * 8))


@pytest.mark.parametrize(
    ("settings", "match"),
    [
        ({"rows": 0}, "rows and cols are from 1 to 19, not 0 and 5"),
        ({"cols": 20}, "rows and cols are from 1 to 19"),
        ({"komi": 0.3}, "komi is a whole number or a half of one, less than the 25 points, not 0.3"),
        ({"komi": 25}, "komi is"),
        ({"ko": "super"}, "ko is simple, positional or situational, not 'super'"),
        ({"scoring": "stones"}, "scoring is area or territory, not 'stones'"),
    ],
)
def test_bad_parameters(settings: dict[str, Any], match: str) -> None:
    with pytest.raises(Unsuitable, match=match):
        go(**settings)


def test_the_picture() -> None:
    position = go(2, 2).position("A2 B1")
    assert str(position) == "2 X .\n1 . O\n  A B\nBlack to move"
    assert "<circle" in str(position._repr_svg_())


# Symmetry and sense


@wrapping
def test_images_share_a_key() -> None:
    dice = random.Random(9)
    for rows, cols in [(3, 3), (2, 4), (4, 4)]:
        game = go(rows, cols)
        assert game.symmetry is not None
        for _ in range(10):
            position = game.position()
            for _ in range(dice.randrange(20)):
                if position.result is None:
                    position = position.play(dice.choice(position.codes))
            board, *rest = position.text().split()
            lines = board.split("/")
            images = [lines, lines[::-1], [line[::-1] for line in lines]]
            if rows == cols:
                images.append(["".join(column) for column in zip(*lines)])
            if rest[1] == "-":
                keys = {int(game.symmetry(game.position(" ".join(["/".join(i), *rest])).state)) for i in images}
                assert len(keys) == 1
    empty, corner, edge = (go(3, 3).position(text).state for text in ("", "A3 pass pass", "B3 pass"))
    assert len({int(go(3, 3).symmetry(s)) for s in (empty, corner, edge)}) == 3  # type: ignore[misc]


@wrapping
def test_nobody_fills_their_own_eyes() -> None:
    game = go(3, 3)
    assert game.policy is not None
    state = game.position(".X./XXX/XX. b").state
    assert [game.policy(state, point) for point in (0, 2, 8)] == [0, 0, 0]
    assert game.policy(state, 9) > 0
    state = game.position("OX./.../... b").state  # to take is likelier than anything else
    assert max(range(10), key=lambda move: game.policy(state, move)) == 3  # type: ignore[misc]


def test_tree_search_begins_in_the_centre() -> None:
    answer = search(go(3, 3), "mcts", limits=Limits(nodes=8_000), mode="interpreted", seed=1)
    assert answer.best[0] == "B2"


def test_names_of_columns() -> None:
    assert Notation(small_board(1, 1, False, False, 3), 1, 1).name(0) == "A1"
