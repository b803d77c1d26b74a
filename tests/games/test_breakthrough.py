"""Breakthrough against OpenSpiel where it has the board, and against a slow, plain one everywhere."""

from __future__ import annotations

import random
from copy import deepcopy
from xml.etree import ElementTree

import pytest

import zermelo.games as games
from zermelo.rules import ONGOING, Game, MoveBuffer, MoveError, Position, PositionError, Unsuitable

pytestmark = pytest.mark.usefixtures("calling_rules")

SIZES = [  # width, height, rows of pawns
    (2, 2, 1), (2, 3, 1), (3, 3, 1), (2, 4, 2), (4, 4, 2), (3, 6, 2), (5, 5, 2), (5, 6, 3), (6, 5, 1),
    (7, 7, 2), (8, 8, 2), (8, 8, 4), (2, 32, 3), (16, 4, 1), (26, 2, 1),
]  # fmt: skip
SMALL = [(2, 2, 1), (2, 4, 1), (3, 3, 1), (3, 4, 1), (2, 5, 2), (4, 4, 1)]


def game_of(width: int, height: int, pawn_rows: int) -> Game:
    return games.breakthrough(width=width, height=height, pawn_rows=pawn_rows)


class Slow:
    """The rules as a person would follow them: a dictionary from (column, row) to marks."""

    def __init__(self, width: int, height: int, pawn_rows: int) -> None:
        self.width, self.height, self.side = width, height, "X"
        self.pawns = {(c, r): "X" for c in range(width) for r in range(pawn_rows)}
        self.pawns |= {(c, height - 1 - r): "O" for c in range(width) for r in range(pawn_rows)}

    def steps(self) -> dict[str, tuple[tuple[int, int], tuple[int, int]]]:
        found = {}
        for (c, r), mark in self.pawns.items():
            for aside in (-1, 0, 1):
                to = c + aside, r + (1 if self.side == "X" else -1)
                blocked = self.pawns.get(to) == self.side or (aside == 0 and to in self.pawns)
                if mark == self.side and 0 <= to[0] < self.width and not blocked:
                    found["".join(f"{chr(97 + x)}{y + 1}" for x, y in ((c, r), to))] = (c, r), to
        return found

    def play(self, text: str) -> None:
        start, to = self.steps()[text]
        self.pawns[to] = self.pawns.pop(start)
        self.side = "O" if self.side == "X" else "X"

    def result(self) -> int | None:
        for mark, goal, value in (("X", self.height - 1, 1), ("O", 0, -1)):
            others = [place for place, other in self.pawns.items() if other != mark]
            if not others or any(self.pawns.get((c, goal)) == mark for c in range(self.width)):
                return value
        return None


def wander(game: Game, seed: int) -> list[Position]:
    """The positions of a random game."""
    chance, path = random.Random(seed), [game.position()]
    while codes := path[-1].codes:
        path.append(path[-1].play(chance.choice(codes)))
    return path


def perft(position: Position, depth: int) -> int:
    return 1 if depth == 0 else sum(perft(position.play(code), depth - 1) for code in position.codes)


def slow_perft(slow: Slow, depth: int) -> int:
    if depth == 0 or slow.result() is not None:
        return int(depth == 0)
    total = 0
    for move in slow.steps():
        after = deepcopy(slow)
        after.play(move)
        total += slow_perft(after, depth - 1)
    return total


@pytest.mark.parametrize("size", SIZES)
def test_random_games_agree_with_the_slow_board(size: tuple[int, int, int]) -> None:
    game = game_of(*size)
    for seed in range(4):
        chance, position, slow = random.Random(seed), game.position(), Slow(*size)
        while slow.result() is None:
            assert position.result is None
            assert position.turn == "XO".index(slow.side)
            moves = sorted(position.moves())
            assert moves == sorted(slow.steps())
            position = position.play(move := chance.choice(moves))
            slow.play(move)
        assert position.result == slow.result()
        assert position.moves() == []
        assert len(position.path()) - 1 <= game.max_plies


@pytest.mark.parametrize("size", [(8, 8, 2), (5, 6, 2), (3, 7, 2), (4, 5, 1), (6, 4, 1), (2, 3, 1)])
def test_random_games_agree_with_openspiel(size: tuple[int, int, int]) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    width, height, _ = size  # there, boards of six rows or more have two rows of pawns
    game, other = game_of(*size), pyspiel.load_game(f"breakthrough(rows={height},columns={width})")

    def seen_there(text: str) -> str:  # there, the first player starts at the top; captures end in *
        ranks = [int(rank) for rank in text[1::2]]
        return f"{text[0]}{height + 1 - ranks[0]}{text[2]}{height + 1 - ranks[1]}"

    for seed in range(8):
        chance, position, state = random.Random(seed), game.position(), other.new_initial_state()
        while not state.is_terminal():
            actions = {state.action_to_string(a).rstrip("*"): a for a in state.legal_actions()}
            assert {seen_there(text) for text in position.moves()} == set(actions)
            assert position.turn == state.current_player()
            move = chance.choice(position.moves())
            state.apply_action(actions[seen_there(move)])
            position = position.play(move)
        assert [position.result, -(position.result or 0)] == state.returns()


def test_perft() -> None:
    assert [perft(games.breakthrough().position(), depth) for depth in (1, 2)] == [22, 22 * 22]
    for size in [(2, 3, 1), (4, 4, 2), (5, 4, 1)]:
        for depth in range(1, 4):
            assert perft(game_of(*size).position(), depth) == slow_perft(Slow(*size), depth)


def minimax(game: Game, state, known: dict) -> int:
    """The first player's score under best play, by trying moves until one wins."""
    if state not in known:
        score = game.result(state)
        if score == ONGOING:
            here, win = Position(game, state), -1 if state.turn else 1
            codes = sorted(here.codes, key=lambda move: -game.order(state, move))
            wins = any(minimax(game, here.play(code).state, known) == win for code in codes)
            score = win if wins else -win
        known[state] = score
    return known[state]


@pytest.mark.parametrize("size", SMALL)
def test_bounds_and_candidates_keep_the_value(size: tuple[int, int, int]) -> None:
    game, known = game_of(*size), {}
    for seed in range(20):
        for position in wander(game, seed):
            value = minimax(game, position.state, known)
            low, high = game.bounds(position.state)
            assert position.result is not None or low <= value <= high
            if position.result is None and low < high:
                out = MoveBuffer(game.max_moves, game.name)
                tried = out[: game.candidates(position.state, out)]
                assert set(tried) <= set(position.codes)
                best = min if position.turn else max
                assert best(minimax(game, position.play(m).state, known) for m in tried) == value


def boards(width: int, height: int, count: int) -> list[str]:
    """Random positions, most of them sharp: few pawns, anywhere."""
    chance, found = random.Random(width * 10 + height), []
    while len(found) < count:
        rows = [["."] * width for _ in range(height)]
        for mark in "XO" * chance.randint(1, width):
            rows[chance.randrange(height)][chance.randrange(width)] = mark
        if "X" not in rows[0] and "O" not in rows[-1] and {"X", "O"} <= {m for row in rows for m in row}:
            found.append("/".join("".join(row) for row in rows) + " " + chance.choice("XO"))
    return found


@pytest.mark.parametrize(("width", "height"), [(2, 4), (3, 4), (3, 5), (4, 4)])
def test_bounds_and_candidates_hold_on_any_board(width: int, height: int) -> None:
    game, known, kinds = game_of(width, height, 2), {}, set()
    for text in boards(width, height, 300):
        position = game.position(text)
        value = minimax(game, position.state, known)
        low, high = game.bounds(position.state)
        assert low <= value <= high
        kinds.add((position.turn, low, high))
        assert position.codes, "nobody is ever without a move"
        if low < high:
            out = MoveBuffer(game.max_moves, game.name)
            tried = out[: game.candidates(position.state, out)]
            best = min if position.turn else max
            assert set(tried) <= set(position.codes)
            assert best(minimax(game, position.play(m).state, known) for m in tried) == value
    assert len(kinds) == 6  # won, lost and open, for either side


def test_small_boards_have_the_known_values() -> None:
    game = game_of(4, 4, 2)
    assert minimax(game, game.start, {}) == -1
    assert minimax(game_of(2, 2, 1), game_of(2, 2, 1).start, {}) == 1


@pytest.mark.parametrize("size", [(4, 4, 2), (5, 6, 2), (7, 7, 2), (8, 8, 2)])
def test_symmetry_is_shared_by_mirror_images_and_by_nothing_else(size: tuple[int, int, int]) -> None:
    game, seen = game_of(*size), {}
    for position in wander(game, 3):
        board, side = position.text().split()
        rows = board.split("/")
        mirror = game.position(f"{'/'.join(row[::-1] for row in rows)} {side}")
        assert game.symmetry(position.state) == game.symmetry(mirror.state)
        classes = seen.setdefault(int(game.symmetry(position.state)), set())
        classes.add(min(position.text(), mirror.text()))
    assert all(len(classes) == 1 for classes in seen.values())
    assert game.exact_key == (size[0] * size[1] < 32)


def test_keys_tell_positions_apart() -> None:
    game = game_of(4, 4, 2)
    keys = {p.text(): int(game.key(p.state)) for seed in range(60) for p in wander(game, seed)}
    assert len(set(keys.values())) == len(keys) > 200
    assert game.key(game.position("1O2/4/4/X3 X").state) != game.key(game.position("1O2/4/4/X3 O").state)


@pytest.mark.parametrize("size", [(2, 2, 1), (5, 6, 3), (8, 8, 2)])
def test_estimates_stay_inside_the_values_and_see_both_sides_alike(size: tuple[int, int, int]) -> None:
    game = game_of(*size)
    assert game.evaluate(game.start) == 0
    for position in wander(game, 1):
        assert -1 < game.evaluate(position.state) < 1
        board, side = position.text().split()
        swapped = "/".join(board.split("/")[::-1]).translate(str.maketrans("XO", "OX"))
        other = game.position(f"{swapped} {'OX'['XO'.index(side)]}")
        assert game.evaluate(other.state) == -game.evaluate(position.state)


def test_winning_moves_and_captures_are_tried_first() -> None:
    position = games.breakthrough(width=4, height=6).position("3O/X3/2O1/1X2/X3/4 X")
    ranked = sorted(position.codes, key=lambda move: -position.game.order(position.state, move))
    texts = [position.text_of(move) for move in ranked]
    assert set(texts[:2]) == {"a5a6", "a5b6"}
    assert texts[2] == "b3c4"
    assert texts.index("b3a4") < texts.index("a2a3")


def test_taking_the_last_pawn_wins() -> None:
    position = game_of(3, 4, 1).position("3/1O1/X2/3 X")
    assert position.play("a2b3").result == 1


@pytest.mark.parametrize("size", SIZES)
def test_texts_are_read_back(size: tuple[int, int, int]) -> None:
    game = game_of(*size)
    for position in wander(game, 7)[::3]:
        assert game.position(position.text()) == position
        assert game.position(" ".join(position.history())) == position


def test_the_start_as_text() -> None:
    game = games.breakthrough(width=12, height=5, pawn_rows=1)
    assert game.position().text() == "OOOOOOOOOOOO/12/12/12/XXXXXXXXXXXX X"
    assert game.position("oooooooooooo/12/............/6......  / xxxxxxxxxxxx x") == game.position()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("OOO/3/XXX", "4 rows of 3 squares"),
        ("OOO/3/XXX X", "4 rows of 3 squares"),
        ("OOO/3/3/XXXX X", "4 rows of 3 squares"),
        ("OOO/3/3/XX? X", "4 rows of 3 squares"),
        ("OOO/3/3/XXX W", "4 rows of 3 squares"),
        ("OOO/3/999999999999/XXX X", "4 rows of 3 squares"),
        ("OOO/O2/3/XXX X", "more than 3 pawns"),
        ("XOO/3/3/OXX X", "both sides"),
        ("3/3/3/3 X", "both sides"),
    ],
)
def test_wrong_boards_are_refused(text: str, says: str) -> None:
    with pytest.raises(PositionError, match=says):
        game_of(3, 4, 1).position(text)


def test_illegal_moves_are_refused() -> None:
    with pytest.raises(MoveError, match="'a1a2' is not a legal move"):
        games.breakthrough().position().play("a1a2")
    with pytest.raises(PositionError, match="move 2"):
        games.breakthrough().position("a2a3 a3a4")


@pytest.mark.parametrize(
    ("size", "says"),
    [
        ((1, 8, 2), "from 2 to 26"),
        ((27, 2, 1), "from 2 to 26"),
        ((8, 3, 2), "twice as many"),
        ((8, 8, 0), "at least 1 row"),
        ((8, 1, 1), "twice as many"),
        ((8, 9, 2), "at most 64"),
        ((9, 8, 2), "at most 64"),
    ],
)
def test_impossible_sizes_are_refused(size: tuple[int, int, int], says: str) -> None:
    with pytest.raises(Unsuitable, match=says):
        game_of(*size)


def test_drawing() -> None:
    position = game_of(3, 4, 1).position()
    assert str(position) == "4 O O O\n3 . . .\n2 . . .\n1 X X X\n  a b c\nX to move"
    picture = ElementTree.fromstring(position._repr_svg_())
    assert [node.get("data-piece") for node in picture.iter() if node.get("data-piece")] == ["O"] * 3 + ["X"] * 3
    assert "X has won" in str(game_of(2, 2, 1).position("a1b2"))
