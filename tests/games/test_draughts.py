"""English draughts against a slow version, OpenSpiel, and the published counts of its lines of play."""

from __future__ import annotations

import random
from itertools import combinations, pairwise
from typing import Any

import pytest

import zermelo as z
from marks import slow
from zermelo import games
from zermelo.core.perft import perft
from zermelo.games.draughts import MOST_WAYS
from zermelo.rules import Game, MoveError, Position, PositionError, Unsuitable

pytestmark = pytest.mark.usefixtures("calling_rules")

PERFT = (7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564)
SIZES = [(8, 8, 3), (6, 6, 2), (5, 5, 1), (5, 7, 2), (4, 4, 1), (8, 4, 3), (3, 3, 1), (7, 3, 2)]
KINGS = "B:W18,19,26,K31:BK2,K9,10"
DIAMOND = "B:W6,7,14,15:BK2,K1"
"""The king on 2 can go round the four men, either way."""


class Slow:
    """The rules as a person would follow them: marks at (row, column), captures by trying every jump."""

    def __init__(self, rows: int, cols: int, men_rows: int) -> None:
        self.rows, self.cols, self.colour, self.quiet = rows, cols, "b", 0
        self.dark = [(r, c) for r in range(rows) for c in range(cols) if (rows - 1 - r + c) % 2 == 0]
        self.men = {p: "b" for p in self.dark if p[0] < men_rows} | {
            p: "w" for p in self.dark if p[0] >= rows - men_rows
        }

    def reached(self, piece: str, place: tuple[int, int], far: int) -> list[tuple[int, int]]:
        downs = [1, -1] if piece.isupper() else [1] if piece == "b" else [-1]
        return [(place[0] + far * down, place[1] + far * across) for down in downs for across in (-1, 1)]

    def jumps(self, piece: str, path: list[tuple[int, int]], board: dict) -> list[list[tuple[int, int]]]:
        """All ways to go on capturing."""
        found = []
        for to, over in zip(self.reached(piece, path[-1], 2), self.reached(piece, path[-1], 1)):
            if to in self.dark and to not in board and board.get(over, piece).lower() != piece.lower():
                rest = {place: mark for place, mark in board.items() if place != over}
                found += self.jumps(piece, [*path, to], rest)
        return found or ([path] if len(path) > 1 else [])

    def legal(self) -> dict[str, list[tuple[int, int]]]:
        """The moves as paths, by all the squares on them."""
        captures, steps = [], []
        for place, piece in self.men.items():
            if piece.lower() == self.colour:
                board = {other: mark for other, mark in self.men.items() if other != place}
                captures += self.jumps(piece, [place], board)
                steps += [[place, to] for to in self.reached(piece, place, 1) if to in self.dark and to not in board]
        mark = "x" if captures else "-"
        return {mark.join(str(self.dark.index(p) + 1) for p in path): path for path in captures or steps}

    def play(self, text: str) -> None:
        path = self.legal()[text]
        piece = self.men.pop(path[0])
        self.quiet = self.quiet + 1 if piece.isupper() and "-" in text else 0
        for (r, c), (to_r, to_c) in pairwise(path):
            if "x" in text:
                del self.men[(r + to_r) // 2, (c + to_c) // 2]
        crowned = path[-1][0] == (self.rows - 1 if piece == "b" else 0)
        self.men[path[-1]] = piece.upper() if crowned else piece
        self.colour = "w" if self.colour == "b" else "b"

    def text(self) -> str:
        held = {
            colour: ",".join(
                ("K" if self.men[p].isupper() else "") + str(q)
                for q, p in enumerate(self.dark, 1)
                if self.men.get(p, "").lower() == colour
            )
            for colour in "wb"
        }
        return f"{self.colour.upper()}:W{held['w']}:B{held['b']}" + (f":H{self.quiet}" if self.quiet else "")


def in_full(position: Position) -> dict[str, int]:
    """The codes of the legal moves, by all squares on them."""
    found = {}
    for code in position.codes:
        text = position.text_of(code)
        if text.count("x") == 1:  # may be written short
            begun, ended = text.split("x")
            paths = slow_board(position).legal()
            [text] = [path for path in paths if path.startswith(f"{begun}x") and path.endswith(f"x{ended}")]
        found[text] = code
    return found


def slow_board(position: Position) -> Slow:
    """The slow version of a position, read from its text."""
    parameters = position.game.parameters
    board = Slow(parameters["rows"], parameters["cols"], parameters["men_rows"])
    turn, *sides = position.text().split(":")
    board.colour, board.men = turn.lower(), {}
    for side in sides[:2]:
        for square in filter(None, side[1:].split(",")):
            mark = side[0] if square[0] == "K" else side[0].lower()
            board.men[board.dark[int(square.strip("K")) - 1]] = mark
    return board


@pytest.mark.parametrize("size", SIZES)
def test_random_games_agree_with_the_slow_board(size: tuple[int, int, int]) -> None:
    game = games.draughts(rows=size[0], cols=size[1], men_rows=size[2], quiet_plies=0)
    for seed in range(4):
        chance, position, slow_one = random.Random(seed), game.position(), Slow(*size)
        for _ in range(150):
            theirs = slow_one.legal()
            ours = in_full(position)
            assert set(ours) == set(theirs)
            assert position.turn == "bw".index(slow_one.colour)
            assert bool(game.checked(position.state)) == any("x" in text for text in theirs)  # type: ignore[misc]
            if not theirs:
                assert position.result == (1 if slow_one.colour == "w" else -1)
                break
            if position.result is not None:  # a position came back
                assert position.result == 0
                break
            move = chance.choice(sorted(theirs))
            position = position.play(ours[move])
            slow_one.play(move)
            assert position.text() == slow_one.text().partition(":H")[0]


def test_the_clock_draws_after_eighty_quiet_plies_unless_nobody_can_move() -> None:
    game = games.draughts(repetitions=10)
    for seed in range(3):
        chance, position = random.Random(seed), game.position("B:WK32,K31:BK1,K2,3")
        slow_one = slow_board(position)
        while position.result is None:
            ours = in_full(position)
            move = chance.choice(sorted(ours))
            position = position.play(ours[move])
            slow_one.play(move)
            assert position.text() == slow_one.text()
            assert (slow_one.quiet < 80) == (position.result is None) or not slow_one.legal()
    assert game.position("B:WK32:BK1:H80").result == 0
    assert game.position("B:WK32:BK1:H79").result is None
    assert game.position("B:W8,11:B4:H80").result == -1  # shut in


def test_perft() -> None:
    start = games.draughts().position()
    assert [perft(start, depth).paths for depth in range(1, 9)] == list(PERFT[:8])
    assert [perft(start, depth, mode="interpreted").paths for depth in range(1, 5)] == list(PERFT[:4])


@pytest.mark.slow
def test_perft_to_the_end() -> None:
    start = games.draughts().position()
    assert [perft(start, depth).paths for depth in (9, 10)] == list(PERFT[8:])


@pytest.mark.parametrize("size", [(8, 8, 3), *slow(((6, 6, 2),))])
def test_random_games_agree_with_openspiel(size: tuple[int, int, int]) -> None:
    """Where a jump is a move of its own, and the first player sits below."""
    pyspiel = pytest.importorskip("pyspiel")
    rows, cols, men_rows = size
    other = pyspiel.load_game(f"checkers(rows={rows},columns={cols})")
    game, board = games.draughts(rows=rows, cols=cols, men_rows=men_rows, quiet_plies=0), Slow(*size)

    def there(path: list[tuple[int, int]]) -> list[str]:
        names = [f"{chr(96 + cols - c)}{r + 1}" for r, c in path]
        return [first + second for first, second in pairwise(names)]

    for seed in range(3):
        chance, position, state = random.Random(seed), game.position(), other.new_initial_state()
        while position.result is None and not state.is_terminal():
            actions = {state.action_to_string(action)[:4]: action for action in state.legal_actions()}
            ours = {text: [board.dark[int(q) - 1] for q in _numbers(text)] for text in in_full(position)}
            assert {there(path)[0] for path in ours.values()} == set(actions)
            move = chance.choice(sorted(ours))
            for jump in there(ours[move]):
                named = {state.action_to_string(action)[:4]: action for action in state.legal_actions()}
                state.apply_action(named[jump])
            position = position.play(in_full(position)[move])
            assert state.is_terminal() or state.current_player() == position.turn


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.replace("x", "-").split("-")]


def test_a_king_has_no_more_ways_to_capture_than_there_is_room_for() -> None:
    """Between the squares that a king can reach by jumps on 8 × 8, nine pieces can stand: try any of them."""
    edges = [
        (0, 2), (1, 2), (1, 3), (2, 4), (2, 5), (3, 5), (4, 6), (5, 6), (5, 7)
    ]  # fmt: skip  # four rows of two squares, each joined to its diagonal neighbours

    def ways(at: int, pieces: tuple[tuple[int, int], ...]) -> list[int]:
        onward = [(pair, sum(pair) - at) for pair in pieces if at in pair]
        ends = [end for pair, to in onward for end in ways(to, tuple(p for p in pieces if p != pair))]
        return ends or [at]

    most, most_alike = 0, 0
    for count in range(1, 10):
        for pieces in combinations(edges, count):
            for origin in range(8):
                ends = ways(origin, pieces)
                most, most_alike = max(most, len(ends)), max(most_alike, *map(ends.count, ends))
    assert most == MOST_WAYS
    assert most_alike << 10 <= 65534


def test_captures_that_fork_are_written_in_full() -> None:
    position = games.draughts().position(DIAMOND)
    assert sorted(position.moves()) == ["1x17", "1x19", "1x3", "2x11x18x9x2", "2x9x18x11x2"]
    assert position.play("1x10x3").text() == "W:W14,15:BK2,K3"
    assert position.play("2x11x18x9x2").text() == position.play("2x9x18x11x2").text() == "W:W:BK1,K2"
    with pytest.raises(MoveError, match="ambiguous here: it may be 2x"):
        position.play("2x2")


def test_moves_are_read_as_people_write_them() -> None:
    start = games.draughts().position()
    assert start.play("11-15").history() == ["11-15"]
    taking = start.play("11-15").play("22-18")
    assert taking.moves() == ["15x22"]
    assert taking.play("15-22").history()[-1] == "15x22"
    twice = games.draughts().position("B:W15,23:B11")
    assert twice.moves() == ["11x27"]
    assert twice.play("11x18x27") == twice.play("11x27")
    with pytest.raises(MoveError, match="'11-14' is not a legal move"):
        start.play("11-14")


def test_crowning_ends_the_move() -> None:
    position = games.draughts().position("B:W26,27:B22")
    assert position.moves() == ["22x31"]
    after = position.play("22x31")
    assert after.text() == "W:W27:BK31"


@pytest.mark.parametrize("size", SIZES)
def test_texts_are_read_back(size: tuple[int, int, int]) -> None:
    game = games.draughts(rows=size[0], cols=size[1], men_rows=size[2])
    chance, position = random.Random(5), game.position()
    while position.codes and len(position.path()) < 60:
        position = position.play(chance.choice(position.codes))
        assert game.position(position.text()) == Position(game, position.state)
        for code in position.codes:
            assert position.code_of(position.text_of(code)) == code


def test_positions_are_read_as_others_write_them() -> None:
    game = games.draughts()
    assert game.position("B:B1-12:W21-32") == game.position() == game.position("b:w21-32:b1-12:h0:f1.")
    assert game.position(KINGS).text() == "B:W18,19,26,K31:BK2,K9,10"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("B:W1", "a position is the side to move"),
        ("G:W1:B2", "a position is the side to move"),
        ("B:W1:W2", "a position is the side to move"),
        ("B:W33:B2", "33 in .* is not among the squares from 1 to 32"),
        ("B:W0:B2", "is not among the squares"),
        ("B:W12-4:B2", "12-4 in .* is not among"),
        ("B:W7K:B2", "7K in .* is not among"),
        ("B:W9:B9", "two pieces stand on 9"),
        ("B:W9,K9:B1", "9 stands twice"),
        ("B:W18,18:B1", "18 stands twice in 'B:W18,18:B1'"),
        ("B:W9:B1-3,2", "2 stands twice"),
        ("B:W9-21:B1", "W has 13 pieces in .*, at most 12"),
        ("B:W1:B2", "a man on the far row is a king"),
        ("B:W9:B2:H81", "81 plies without progress are not possible"),
    ],
)
def test_positions_that_cannot_be_are_refused(text: str, words: str) -> None:
    with pytest.raises(PositionError, match=words):
        games.draughts().position(text)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"rows": 9}, "must be from 3 to 8"),
        ({"cols": 7}, "both even or both odd"),
        ({"rows": 6}, "3 rows of men on 6 rows are not possible"),
        ({"men_rows": 0}, "at least 1"),
        ({"quiet_plies": -1}, "quiet_plies is from 0 to 1000, not -1"),
        ({"repetitions": 1}, "repetitions is from 2 to 10, not 1"),
    ],
)
def test_games_that_cannot_be_are_refused(parameters: dict[str, Any], words: str) -> None:
    with pytest.raises(Unsuitable, match=words):
        games.draughts(**parameters)


def solving(rows: int, cols: int, men_rows: int) -> Game:
    """A small board without a clock, on which a position that comes back draws at once."""
    return games.draughts(rows=rows, cols=cols, men_rows=men_rows, quiet_plies=0, repetitions=2)


@pytest.mark.parametrize(("size", "value"), [((4, 4, 1), 0), *slow(((5, 5, 1), 1), ((5, 5, 2), 1))])
def test_small_boards(size: tuple[int, int, int], value: int) -> None:
    """By a search of lines, and by looking at all positions at once."""
    mode = "interpreted" if size == (4, 4, 1) else "compiled"
    for method in (None, "fixpoint"):
        answer = z.solve(solving(*size), method=method, mode=mode)
        assert (answer.status, answer.value) == ("proven", value)


def test_a_piece_ahead_is_worth_something_and_both_sides_are_alike() -> None:
    game = games.draughts()
    for text in (KINGS, "W:W9,K3,28:B1,4,K30", DIAMOND):
        position = game.position(text)
        assert game.evaluate(position.state) == -game.evaluate(_turned(position).state)  # type: ignore[misc]
        assert -1 < game.evaluate(position.state) < 1  # type: ignore[misc]
    assert game.evaluate(game.position("B:W30:B1,2").state) > 0  # type: ignore[misc]


def _turned(position: Position) -> Position:
    """The board seen from the other side."""
    turn, white, black = position.text().split(":")[:3]

    def other(side: str) -> str:
        return ",".join(("K" if q[0] == "K" else "") + str(33 - int(q.strip("K"))) for q in side[1:].split(","))

    return position.game.position(f"{'W' if turn == 'B' else 'B'}:W{other(black)}:B{other(white)}")


def test_the_board_is_drawn_with_the_numbers_of_its_squares() -> None:
    position = games.draughts().position("W:W26,K3:B22,K30")
    assert str(position).splitlines() == [
        " 1   .   .   W   .", " 5 .   .   .   .", " 9   .   .   .   .", "13 .   .   .   .", "17   .   .   .   .",
        "21 .   b   .   .", "25   .   w   .   .", "29 .   B   .   .", "White (w) to move",
    ]  # fmt: skip
