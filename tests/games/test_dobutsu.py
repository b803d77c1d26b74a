"""Dobutsu shogi against Fairy-Stockfish and against a slow version with a dict for the board."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any
from xml.etree import ElementTree

import pytest

from zermelo import games
from zermelo.rules import ONGOING, MoveError, Position, PositionError

pytestmark = pytest.mark.usefixtures("calling_rules")

START = "gle/1c1/1C1/ELG[-] w"
# Steps as (columns, rows) forward for the first player.
AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
STEPS = {
    "C": [(0, 1)],
    "E": [(x, y) for x, y in AROUND if x and y],
    "G": [(x, y) for x, y in AROUND if not (x and y)],
    "L": AROUND,
    "H": [(x, y) for x, y in AROUND if not (x and y) or y > 0],
}


class Slow:
    """Squares are names, pieces are (player, kind), hands are counters; everything is tried out."""

    def __init__(self) -> None:
        back = "ELG"
        self.board = {f"{c}1": (0, k) for c, k in zip("abc", back)} | {"b2": (0, "C"), "b3": (1, "C")}
        self.board |= {f"{c}4": (1, k) for c, k in zip("cba", back)}
        self.hands = (Counter(), Counter())
        self.player = 0

    def copy(self) -> Slow:
        new = Slow()
        new.board, new.player = dict(self.board), self.player
        new.hands = (Counter(self.hands[0]), Counter(self.hands[1]))
        return new

    def targets(self, square: str) -> list[str]:
        player, kind = self.board[square]
        found = []
        for x, y in STEPS[kind]:
            column, row = ord(square[0]) + x, int(square[1]) + (y if player == 0 else -y)
            target = f"{chr(column)}{row}"
            if "a" <= chr(column) <= "c" and 1 <= row <= 4:
                found.append(target)
        return found

    def goal(self, player: int) -> str:
        return "41"[player]

    def legal(self) -> set[str]:
        moves = set()
        for square, (player, kind) in self.board.items():
            if player == self.player:
                for target in self.targets(square):
                    if self.board.get(target, (1 - player,))[0] != player:
                        moves.add(square + target + "+" * (kind == "C" and target[1] == self.goal(player)))
        for kind, count in self.hands[self.player].items():
            if count:
                moves |= {f"{kind}@{c}{r}" for c in "abc" for r in "1234" if c + r not in self.board}
        return moves

    def play(self, move: str) -> Slow:
        new, player = self.copy(), self.player
        if move[1] == "@":
            new.board[move[2:]] = (player, move[0])
            new.hands[player][move[0]] -= 1
        else:
            origin, target = move[:2], move[2:4]
            if target in new.board:
                new.hands[player][new.board[target][1].replace("H", "C")] += 1
            new.board[target] = (player, "H" if move.endswith("+") else new.board[origin][1])
            del new.board[origin]
        new.player = 1 - player
        return new

    def takes_lion(self) -> bool:
        lions = [s for s, piece in self.board.items() if piece == (1 - self.player, "L")]
        return any(move[2:4] in lions for move in self.legal() if move[1] != "@")

    def result(self) -> int | None:
        lions = {player: square for square, (player, kind) in self.board.items() if kind == "L"}
        me, you = self.player, 1 - self.player
        win = {0: 1, 1: -1}
        if me not in lions:
            return win[you]
        if lions[me][1] == self.goal(me):
            return win[me]
        if lions[you][1] == self.goal(you) and not self.takes_lion():
            return win[you]
        return win[you] if not self.legal() else None


def playouts(seed: int, number: int) -> Any:
    """Random games, half of the time not blundering the lion, so that they last."""
    rng = random.Random(seed)
    game = games.dobutsu()
    for _ in range(number):
        path = [game.position()]
        while path[-1].result is None and len(path) < 60:
            moves = path[-1].moves()
            rng.shuffle(moves)
            best = moves[0]
            if rng.random() < 0.9:
                for move in moves:
                    after = path[-1].play(move)
                    if after.result is None and game.bounds(after.state) == (-1, 1):
                        best = move
                        break
            path.append(path[-1].play(best))
        yield path


def test_against_a_slow_version():
    ends = Counter()
    for path in playouts(1, 40):
        slow = Slow()
        for position, after in zip(path, [*path[1:], None]):
            if position.game.result(position.state) == ONGOING:
                assert set(position.moves()) == slow.legal()
                assert len(position.moves()) == len(slow.legal()) <= position.game.max_moves
                assert (position.game.bounds(position.state) == (-1, 1)) == (not slow.takes_lion())
                assert slow.result() is None
            else:
                assert position.result == slow.result()
                ends[position.result] += 1
            assert position.turn == slow.player
            if after is not None:
                slow = slow.play(after.history()[-1])
    assert ends[1] > 3
    assert ends[-1] > 3


def test_against_fairy_stockfish():
    pyffish = pytest.importorskip("pyffish")
    start = pyffish.start_fen("dobutsu")
    assert start.startswith(START)
    compared = 0
    for path in playouts(2, 12):
        for position in path[::-2]:  # the last position and every other one before it
            fen = position.text()
            ended, _ = pyffish.is_immediate_game_end("dobutsu", fen, [])
            over = position.game.result(position.state) != ONGOING
            goal = fen.split("[")[0].split("/")[3 * position.turn]
            if not ended and "Ll"[position.turn] in goal:
                assert over  # there a lion that could have been taken, and was not, has not won yet
                continue
            assert ended == over
            assert sorted(pyffish.legal_moves("dobutsu", fen, [])) == sorted(position.moves())
            compared += 1
        fen = pyffish.get_fen("dobutsu", start, path[-1].history())
        assert path[-1].game.position(fen) == path[-1]
    assert compared > 100


def perft(position: Position, depth: int) -> int:
    if depth == 0 or position.result is not None:
        return 1
    return sum(perft(position.play(move), depth - 1) for move in position.codes)


def test_perft():
    def slow(state: Slow, depth: int) -> int:
        if depth == 0 or state.result() is not None:
            return 1
        return sum(slow(state.play(move), depth - 1) for move in state.legal())

    counts = [perft(games.dobutsu().position(), depth) for depth in range(5)]
    assert counts == [slow(Slow(), depth) for depth in range(5)]
    assert counts[1] == 4


def test_try_and_capture():
    game = games.dobutsu()
    ready = game.position("g2/2L/1lc/3[CEeg] w")
    assert ready.play("c3c4").result == 1  # nobody can take the lion there
    daring = ready.play("c3b4")  # the giraffe can
    assert daring.result is None
    assert game.bounds(daring.state) == (-1, -1)
    assert daring.play("a4b4").result == -1
    assert daring.play("G@c1").result == 1  # it could be taken and was not
    assert ready.play("c3b2").result == 1
    assert ready.play("c3b2").moves() == []
    assert game.bounds(ready.state) == (1, 1)
    assert game.order(ready.state, ready.code_of("c3b2")) > game.order(ready.state, ready.code_of("c3c4"))
    assert game.order(ready.state, ready.code_of("c3c2")) > game.order(ready.state, ready.code_of("E@a1"))


def test_chicks_and_hens():
    game = games.dobutsu()
    position = game.position("g1l/C2/2L/3[CEEg] w")
    assert "a3a4+" in position.moves()
    assert "a3a4" not in position.moves()
    promoted = position.play("a3a4+")
    assert promoted.text() == "+C1l/3/2L/3[CEEGg] b"
    assert "C@b4" in position.moves()  # where it will never move
    assert position.play("C@b4").text() == "gCl/C2/2L/3[EEg] b"
    hen = game.position("2l/1+C1/3/L2[-] w")
    assert {m for m in hen.moves() if m.startswith("b3")} == {"b3a3", "b3c3", "b3a4", "b3b4", "b3c4", "b3b2"}
    assert game.position("2l/+C2/2L/3[-] b").play("c4b3").text() == "3/+Cl1/2L/3[-] w"
    taken = game.position("3/+Cl1/L2/3[-] b").play("b3a3")
    assert taken.text() == "3/l2/L2/3[c] w"  # a hen goes into the hand as a chick


def test_who_cannot_move_has_lost():
    for text in ("1EG/EGL/1CC/l2[-] w", "GE1/LGE/CC1/2l[-] w"):
        position = games.dobutsu().position(text)
        assert position.result == -1
        assert position.moves() == []


def test_hooks():
    mirrored = str.maketrans("ac", "ca")
    for path in playouts(3, 12):
        game = path[0].game
        for position in path:
            board, rest = position.text().split("[")
            rows = [row.replace("+C", "H").replace("+c", "h")[::-1] for row in board.split("/")]
            twin = game.position("/".join(rows).replace("H", "+C").replace("h", "+c") + "[" + rest)
            assert game.symmetry(twin.state) == game.symmetry(position.state)
            assert (game.key(twin.state) == game.key(position.state)) == (twin == position)
            assert {m.translate(mirrored) for m in twin.moves()} == set(position.moves())
            assert game.result(twin.state) == game.result(position.state)
            assert -1 < game.evaluate(position.state) < 1
            assert game.evaluate(twin.state) == game.evaluate(position.state)
            assert 0 <= int(game.key(position.state)) < 1 << 61
            assert game.position(position.text()) == position
    game = games.dobutsu()
    assert game.evaluate(game.start) == 0
    assert game.evaluate(game.position("b2b3").state) > 0


def test_repetition_is_a_draw():
    position = games.dobutsu().position("c1c2 a4a3 c2c1 a3a4")
    assert position.result == 0
    assert games.dobutsu().position("c1c2 a4a3 c2c1").result is None


def test_texts_and_drawing():
    game = games.dobutsu()
    start = game.position()
    assert start.text() == START
    assert start.moves() == ["b1a2", "b1c2", "c1c2", "b2b3"]
    assert str(start).splitlines()[:5] == ["4 g l e", "3 . c .", "2 . C .", "1 E L G", "  a b c"]
    with pytest.raises(MoveError, match="'b2b4' is not a legal move here; legal: b1a2 b1c2 c1c2 b2b3"):
        start.play("b2b4")
    for wrong, sentence in [
        ("gle/1c1/1C1/ELG", "four rows of three squares"),
        ("gle/1c1/1C1 w", "four rows of three squares"),
        ("gle/1c1/1C2/ELG w", "four rows of three squares"),
        ("gle/1x1/1C1/ELG[-] w", "x in .* is no piece"),
        ("gle/1c1/1C1/ELG[C] w", "has 3 pieces C, there are only 2"),
        ("gle/1c1/1C1/E1G[-] b", "one lion on each side"),
        ("gle/1c1/1C1/LLG[-] w", "one lion on each side"),
    ]:
        with pytest.raises(PositionError, match=sentence):
            game.position(wrong)
    for path in playouts(4, 2):
        for position in path[::5]:
            ElementTree.fromstring(position._repr_svg_())
