"""Dark chess against OpenSpiel's banqi on the full board, a slow, plain one on all boards, and known values."""

from __future__ import annotations

import random
import re
from collections import Counter
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest

import zermelo.games as games
from zermelo.rules import CHANCE, ONGOING, Game, MoveError, Position, PositionError, Unsuitable

pytestmark = pytest.mark.usefixtures("calling_rules")

KINDS = "KGMRNCPkgmrncp"
OFTEN = 64
BOARDS = [  # rows, cols, pieces
    (1, 2, "Kk"), (1, 4, "KPkp"), (4, 1, "CPcp"), (2, 2, "KCkc"), (2, 3, "KGPkgp"), (3, 4, "KGCCPPkgccpp"),
    (4, 4, "KMRNCCPPkmrnccpp"), (2, 7, "CCCCPPPccccppp"), (2, 16, "PPPPPPPCCCCCCCCKpppppppcccccccck"),
    (16, 2, "KKKKNNNNPPPPCCCCkkkknnnnppppcccc"), (4, 8, "KGGMMRRNNCCPPPPPkggmmrrnnccppppp"),
]  # fmt: skip


def game_of(rows: int, cols: int, pieces: str, quiet: int = 0) -> Game:
    return games.dark_chess(rows=rows, cols=cols, pieces=pieces, quiet_plies=quiet, repetitions=0)


class Slow:
    """The rules as a person would follow them: a dictionary from (row, column) to what lies there."""

    def __init__(self, rows: int, cols: int, pieces: str, quiet: int) -> None:
        self.rows, self.cols, self.limit, self.quiet = rows, cols, quiet, 0
        self.board = {(r, c): "?" for r in range(rows) for c in range(cols)}
        self.face_down = Counter(pieces)
        self.player, self.turning = 0, None
        self.upper: int | None = None  # who has the upper case

    def name(self, *squares: tuple[int, int]) -> str:
        return "".join(f"{chr(97 + c)}{r + 1}" for r, c in squares)

    def owner(self, piece: str) -> int | None:
        if piece in "?." or self.upper is None:
            return None
        return self.upper if piece.isupper() else 1 - self.upper

    def may_take(self, piece: str, victim: str) -> bool:
        a, b = piece.upper(), victim.upper()
        if a == "K":
            return b != "P"
        if a == "P":
            return b in "KP"
        return a != "C" and KINDS.index(a) <= KINDS.index(b)

    def moves(self) -> dict[str, Any]:
        if self.turning:
            return {kind: count for kind, count in self.face_down.items() if count}
        found: dict[str, Any] = {}
        for (r, c), piece in self.board.items():
            if piece == "?":
                found[self.name((r, c))] = (r, c)
            if self.owner(piece) != self.player:
                continue
            for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                line = [(r + i * down, c + i * right) for i in range(1, 16)]
                line = [square for square in line if square in self.board]
                if line:
                    there = self.board[line[0]]
                    taken = self.owner(there) == 1 - self.player and self.may_take(piece, there)
                    if there == "." or taken:
                        found[self.name((r, c), line[0])] = (r, c), line[0]
                pieces = [square for square in line if self.board[square] != "."]
                if piece in "Cc" and len(pieces) > 1 and self.owner(self.board[pieces[1]]) == 1 - self.player:
                    found[self.name((r, c), pieces[1])] = (r, c), pieces[1]
        return found

    def play(self, text: str, move: Any) -> None:
        if self.turning:
            if self.upper is None:
                self.upper = self.player if text.isupper() else 1 - self.player
            self.board[self.turning] = text
            self.face_down[text] -= 1
            self.turning = None
        elif isinstance(move[0], int):
            self.turning, self.quiet = move, 0
            return
        else:
            origin, target = move
            self.quiet = 0 if self.board[target] != "." else self.quiet + 1
            self.board[target], self.board[origin] = self.board[origin], "."
        self.player = 1 - self.player

    def result(self) -> int | None:
        if self.turning or self.upper is None:
            return None
        standing = [*self.board.values(), *self.face_down.elements()]
        if not self.moves() or all(self.owner(piece) != self.player for piece in standing):
            return -1 if self.player == 0 else 1
        return 0 if self.limit and self.quiet == self.limit else None


@pytest.mark.parametrize(("rows", "cols", "pieces"), BOARDS)
@pytest.mark.parametrize("quiet", [7, 40])
def test_plays_like_the_slow_one(rows, cols, pieces, quiet):
    game = game_of(rows, cols, pieces, quiet)
    chance = random.Random(rows * cols + quiet)
    for _ in range(2 if rows * cols > 12 else 10):
        slow, position = Slow(rows, cols, pieces, quiet), game.position()
        plies = 0
        while slow.result() is None:
            assert position.result is None
            assert position.turn == (CHANCE if slow.turning else slow.player)
            assert position.text().split()[0].replace("/", "") == "".join(slow.board.values())
            moves, legal = position.moves(), slow.moves()
            assert sorted(moves) == sorted(legal)
            assert len(moves) <= game.max_moves
            if slow.turning:
                assert {m: game.weight(position.state, code) for m, code in zip(moves, position.codes)} == legal
            captures = [m for m in moves if len(m) > 3 and slow.board[legal[m][1]] != "."]
            text = chance.choice(captures if captures and chance.random() < 0.5 else moves)
            position = position.play(text)
            slow.play(text, legal[text])
            plies += 1
        assert position.result == slow.result()
        assert position.moves() == []
        assert plies <= game.max_plies


def test_plays_like_openspiel():
    """OpenSpiel lets a player without any piece go on flipping the opponent's; here that player has lost."""
    pyspiel = pytest.importorskip("pyspiel")
    ours = dict(zip("GAERHCSgaerhcs", KINDS, strict=True))
    chance = random.Random(5)
    ends: Counter[Any] = Counter()
    for limit in (10, 50, 180):
        spiel = pyspiel.load_game(f"banqi(max_no_progress={limit})")
        game = games.dark_chess(quiet_plies=limit, repetitions=0)
        out = [0] * game.max_moves

        def text_of(state: Any, action: int) -> str:
            text = state.action_to_string(action)
            if text.startswith("Reveal"):
                return ours[text[-1]]
            return "".join(f"{'abcdefgh'[int(c)]}{int(r) + 1}" for r, c in re.findall(r"(\d),(\d)", text))

        for number in range(20):
            s, state = game.start.copy(), spiel.new_initial_state()
            while not state.is_terminal() and game.result(s) == ONGOING:
                board = "".join(ours.get(mark, mark) for mark in "".join(str(state).split("Player")[0].split()))
                assert game.position_text(s).split()[0].replace("/", "") == board
                assert game.turn(s) == (CHANCE if state.is_chance_node() else state.current_player())
                count = game.moves(s, out)
                moves = {game.move_text(s, move): move for move in out[:count]}
                actions = {text_of(state, action): action for action in state.legal_actions()}
                assert sorted(moves) == sorted(actions)
                if state.is_chance_node():
                    whole = sum(game.weight(s, move) for move in moves.values())
                    for action, p in state.chance_outcomes():
                        assert game.weight(s, moves[text_of(state, action)]) / whole == pytest.approx(p)
                texts = list(moves)
                captures = [t for t in texts if len(t) == 4 and "x" in state.action_to_string(actions[t])]
                text = chance.choice(captures if captures and number % 2 else texts)
                game.play(s, moves[text])
                state.apply_action(actions[text])
            score = game.result(s)
            ends[score] += 1
            if state.is_terminal():
                assert score == state.returns()[0]
            else:
                mine = (str.isupper, str.islower)[s.owner - 1 ^ s.side]
                text = game.position_text(s).split()
                assert sum(map(mine, text[3])) == 16
                assert not any(map(mine, text[0]))
                assert score == 2 * s.side - 1
    assert min(ends[1], ends[0], ends[-1]) > 3


def all_states(game: Game, name: Any) -> tuple[dict[Any, int], list[Any], list[list[int]]]:
    """Every position that can come about, once for each name, with the numbers of those it leads to."""
    numbers, states, children = {name(game.start): 0}, [game.start], []
    out = [0] * game.max_moves
    for s in states:
        children.append([])
        for move in out[: game.moves(s, out)] if game.result(s) == ONGOING else []:
            after = s.copy()
            game.play(after, move)
            number = numbers.setdefault(name(after), len(states))
            if number == len(states):
                states.append(after)
            children[-1].append(number)
    return numbers, states, children


def values(game: Game, name: Any) -> tuple[dict[Any, int], list[Fraction]]:
    """The value of every position, endless play counting 0: one more ply after another until nothing changes."""
    numbers, states, children = all_states(game, name)
    value = [Fraction(0)] * len(states)
    turns = [game.turn(s) for s in states]
    scores = [game.result(s) for s in states]
    out = [0] * game.max_moves
    weights = [[game.weight(s, m) for m in out[: game.moves(s, out)]] if s.cell else [] for s in states]
    for _ in range(100):
        before, value = value, []
        for i, after in enumerate(children):
            if scores[i] != ONGOING:
                value.append(Fraction(scores[i]))
            elif turns[i] == CHANCE:
                total = sum(w * before[j] for w, j in zip(weights[i], after, strict=True))
                value.append(Fraction(total, sum(weights[i])))
            else:
                value.append((max, min)[turns[i]](before[j] for j in after))
        if value == before:
            return numbers, value
    raise AssertionError("still changing")


@pytest.mark.parametrize(
    ("rows", "cols", "pieces", "expected"),
    [
        (1, 4, "KPkp", Fraction(-1, 2)),
        (2, 2, "KPkp", Fraction(-1)),
        (2, 2, "KCkc", Fraction(-1, 3)),
        (1, 2, "Kk", Fraction(1)),
    ],
)
def test_known_values(rows, cols, pieces, expected):
    """Whichever piece is flipped first. Equivalent positions are worth the same, and may be taken for one another."""
    game = game_of(rows, cols, pieces)
    numbers, value = values(game, lambda s: s)
    start = game.position()
    assert {value[numbers[start.play(code).state]] for code in start.codes} == {expected}
    merged, merged_value = values(game, lambda s: int(game.symmetry(s)))
    assert len(merged_value) < 0.35 * len(value)
    for s, number in numbers.items():
        assert merged_value[merged[int(game.symmetry(s))]] == value[number]


def test_first_flips_that_are_alike():
    """14 kinds on 32 squares are 7 on 8, up to symmetry."""
    game = games.dark_chess()
    start = game.position()
    flips = [start.play(code) for code in start.codes]
    assert len({int(game.symmetry(p.state)) for p in flips}) == 8
    turned = Counter(int(game.symmetry(p.play(code).state)) for p in flips for code in p.codes)
    assert len(turned) == 7 * 8
    assert set(turned.values()) == {2 * 4}


def test_captures():
    game = game_of(2, 6, "KGCCPPkgccpp")
    position = game.position("Kp.C?c/Pkg..? X Kk Gcp 0")
    # P takes K, C takes what is behind one piece, face up or down; K may not take P, nor C its neighbour
    assert sorted(position.moves()) == ["a2b2", "d1c1", "d1d2", "d1f1", "e1", "f2"]
    after = position.play("d1f1")
    assert after.text() == "Kp..?C/Pkg..? O Kk Gccp 0"
    assert sorted(after.moves()) == ["b1a1", "b1c1", "c2c1", "c2d2", "e1", "f2"]
    orders = [game.order(position.state, position.code_of(text)) for text in ("a2b2", "d1f1", "d1c1", "e1")]
    assert orders == sorted(set(orders), reverse=True)
    assert position.play("e1").moves() == ["C", "P"]


def test_who_cannot_move_has_lost():
    knights, cannons = game_of(1, 6, "KNPknp"), game_of(1, 6, "KCPkcp")
    for text in ("kPKN.. O Kk np 0", "kP.KN. O Kk np 0", "..NKPk X kK np 0"):
        position = knights.position(text)
        assert position.result == (1 if position.turn == 1 else -1)
        assert position.moves() == []
    assert sorted(knights.position("pK.Nn. O Kk Pk 0").moves()) == ["a1b1", "e1d1", "e1f1"]  # equals take equals
    assert cannons.position("cPKC.. O Kk kp 0").moves() == ["a1c1"]
    assert cannons.position("cPK?.. O Kk kp 0").moves() == ["a1c1", "d1"]
    assert cannons.position("cP.KC. O Kk kp 0").moves() == ["a1d1"]
    assert cannons.position("cPCK.. O Kk kp 0").play("a1c1").text() == ".PcK.. X Kk Ckp 0"


def test_who_has_no_piece_left_has_lost():
    """Face up or down: here two pieces are still to be turned, but they are the other side's."""
    game = game_of(1, 6, "KPPkpp")
    position = game.position("Kk??.. X Kk pp 0")
    assert position.play("a1b1").result == 1
    assert game.position("Kk??.. X Kk Pp 0").play("a1b1").result is None


def test_draw_by_quiet_plies():
    game = game_of(2, 3, "KGPkgp", 4)
    position = game.position("K.g/..? X Kk Gkp 0")
    for number, text in enumerate(["a1a2", "c1b1", "a2a1"]):
        position = position.play(text)
        assert position.text().split()[-1] == str(number + 1)
        assert position.result is None
    assert position.play("b1c1").result == 0
    assert position.play("c2").text().split()[-2:] == ["0", "c2"]
    assert game.position("Kg./..? X Kk Gkp 3").play("a1b1").result == 1  # the last piece, and a capture
    stuck = game_of(1, 6, "KNPknp", 4).position("k.PKN. X Kk np 3")
    assert stuck.play("c1b1").result == 1  # who cannot move has lost, quiet plies or not


def test_draw_by_repetition():
    steps = ["a1a2", "c1b1", "a2a1", "b1c1"]
    for repetitions, quiet in ((2, 0), (3, 0), (3, 100)):
        game = games.dark_chess(rows=2, cols=3, pieces="KGPkgp", quiet_plies=quiet, repetitions=repetitions)
        assert (game.repetition, game.folds) == ("draw", repetitions)
        position = game.position("K.g/..? X Kk Gkp 0")
        for text in steps * (repetitions - 1):
            assert position.result is None
            position = position.play(text)
        assert position.result == 0
    assert games.dark_chess(quiet_plies=40, repetitions=0).repetition == "none"
    endless = games.dark_chess(quiet_plies=0, repetitions=0)
    assert (endless.repetition, endless.folds) == ("draw", 2)


@pytest.mark.parametrize(("rows", "cols", "pieces"), BOARDS)
def test_hooks_and_texts(rows, cols, pieces):
    game = games.dark_chess(rows=rows, cols=cols, pieces=pieces, quiet_plies=30, repetitions=0)
    keys: dict[int, str] = {}
    for seed in range(1 if rows * cols > 12 else 4):
        position, chance, looked_at = game.position(), random.Random(seed), 0
        while True:
            text = position.text()
            assert game.position(text) == position
            assert keys.setdefault(int(game.key(position.state)), text) == text
            assert -1 < game.evaluate(position.state) < 1
            if position.result is None:
                picked_evenly(game, position, often=OFTEN if looked_at % 20 == 0 else 1)
            looked_at += 1
            swapped = game.position(recoloured(text))
            assert game.symmetry(swapped.state) == game.symmetry(position.state)
            assert game.evaluate(swapped.state) == game.evaluate(position.state)
            assert (swapped.result, swapped.turn, len(swapped.moves())) == (
                position.result, position.turn, len(position.moves()),
            )  # fmt: skip
            for over in (reflected(text, rows, cols, down=True), reflected(text, rows, cols, down=False)):
                twin = game.position(over)
                assert (twin.result, len(twin.moves())) == (position.result, len(position.moves()))
                assert game.evaluate(twin.state) == game.evaluate(position.state)
                if rows * cols <= 16 or text.split()[0].count("?") >= rows * cols - 4:
                    assert game.symmetry(twin.state) == game.symmetry(position.state)
            ElementTree.fromstring(position._repr_svg_())
            if not position.codes:
                break
            position = position.play(chance.choice(position.codes))


def picked_evenly(game: Game, position: Position, often: int) -> None:
    """Moves are picked as often as another, and kinds as often as they are face down, give or take five deviations."""
    weights = {code: game.weight(position.state, code) if position.turn == CHANCE else 1 for code in position.codes}
    numbers = often * len(weights)
    picked = Counter(game.pick(position.state, number * 2**32 // numbers) for number in range(numbers))
    assert picked.keys() <= weights.keys()
    for code, weight in weights.items():
        due = numbers * weight / sum(weights.values())
        assert often == 1 or abs(picked[code] - due) <= 5 * due**0.5 + 1, position.text_of(code)


def recoloured(text: str) -> str:
    """The same position with the colours of all pieces exchanged, and the players' too."""
    board, side, colours, gone, *rest = text.split()
    gone = "".join(sorted(gone.swapcase(), key=KINDS.find))
    return " ".join([board.swapcase(), side, colours.swapcase(), gone, *rest])


def reflected(text: str, rows: int, cols: int, down: bool) -> str:
    board, side, colours, gone, clock, *cell = text.split()
    lines = board.split("/")
    lines = lines[::-1] if down else [line[::-1] for line in lines]
    for name in cell:
        r, c = int(name[1:]), ord(name[0]) - 97
        cell = [f"{chr(97 + c)}{rows + 1 - r}" if down else f"{chr(97 + cols - 1 - c)}{r}"]
    return " ".join(["/".join(lines), side, colours, gone, clock, *cell])


def test_estimates_follow_material():
    game = game_of(2, 3, "KGPkgp")
    assert game.evaluate(game.start) == 0
    ahead, behind = game.position("K.g/G.? X Kk kP 0").state, game.position("K.g/G.? X kK kP 0").state
    assert game.evaluate(ahead) > 0 > game.evaluate(behind)


def test_drawing():
    game = games.dark_chess()
    assert game.position().text() == "????????/????????/????????/???????? X - - 0"
    assert str(game.position()).endswith("X to move; captured: -")
    assert str(game.position("c2")).endswith("X turns c2 over; captured: -")
    flipped = game.position("c2 m")
    assert flipped.text() == "????????/??m?????/????????/???????? O kK - 0"
    assert str(flipped).splitlines()[1] == "2 ? ? m ? ? ? ? ?"
    assert str(flipped).endswith("O (upper case) to move; captured: -")
    assert str(game.position("c2m a1 G")).splitlines()[0] == "1 G ? ? ? ? ? ? ?"
    small = game_of(2, 3, "KGPkgp", 4).position("K.g/..? X Kk Gkp 0").play("a1a2")
    assert str(small).endswith("O (lower case) to move; captured: Gkp; 1 quiet plies")
    with pytest.raises(MoveError, match="'c2' is not a legal move here; legal: a1 b1"):
        flipped.play("c2")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("???/?? X - - 0", "2 rows of 3 squares"),
        ("???/??? X - -", "2 rows of 3 squares"),
        ("???/??? Z - - 0", "2 rows of 3 squares"),
        ("???/??? X - - 0 a1 b1", "2 rows of 3 squares"),
        ("??x/??? X - - 0", "x in .* is no piece"),
        ("??K/??. X Kk ? 0", "\\? in .* is no piece"),
        ("?KK/??? X Kk - 0", "has 2 pieces K, captured ones included; there are only 1"),
        ("?K./??? X Kk K 0", "has 2 pieces K"),
        ("?K./??C X Kk g 0", "has 1 pieces C, captured ones included; there are only 0"),
        ("?K./??? X Kk - 0", "1 empty squares and 0 captured pieces"),
        ("?K?/??? X Kk g 0", "0 empty squares and 1 captured pieces"),
        ("?K?/??? X - - 0", "the colours are - while all pieces lie face down"),
        ("???/??? X Kk - 0", "the colours are - while all pieces lie face down"),
        ("?K?/??? X KK - 0", "not KK"),
        ("???/??? O - - 0", "X makes the first flip"),
        ("?K?/??? O Kk - 41", "the quiet plies are a number from 0 to 40, not 41"),
        ("?K?/??? O Kk - x", "the quiet plies are a number"),
        ("?K?/??? O Kk - 0 b1", "b1 is no square with a piece face down"),
        ("?K?/??? O Kk - 0 d1", "d1 is no square with a piece face down"),
        ("?K?/??? O Kk - 2 a1", "a flip sets the quiet plies to 0"),
        ("?K./?.. X Kk kgp 0", "has no piece left has lost"),
        ("?K./?.. O Kk kgp 0 a1", "has no piece left has lost"),
    ],
)
def test_wrong_positions(text, sentence):
    with pytest.raises(PositionError, match=sentence):
        game_of(2, 3, "KGPkgp", 40).position(text)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"rows": 0}, "0×8 squares are impossible"),
        ({"rows": 17, "cols": 1}, "17×1 squares are impossible"),
        ({"rows": 6, "cols": 6}, "6×6 squares are impossible"),
        ({"rows": 2, "cols": 3}, "2×3 squares need 6 pieces, KGGMM.* are 32"),
        ({"rows": 2, "cols": 2, "pieces": "KGPkgp"}, "2×2 squares need 4 pieces"),
        ({"rows": 2, "cols": 2, "pieces": "KQkq"}, "Q in KQkq is no piece"),
        ({"rows": 2, "cols": 2, "pieces": "KPkg"}, "both colours need the same pieces, .* KP against gk are unequal"),
        ({"rows": 1, "cols": 3, "pieces": "KPk"}, "both colours need the same pieces"),
        ({"pieces": "P" * 16 + "p" * 16}, "16 pieces P are too many"),
        ({"quiet_plies": -1}, "quiet_plies is from 1 to 255, or 0"),
        ({"quiet_plies": 256}, "quiet_plies is from 1 to 255, or 0"),
        ({"repetitions": 1}, "repetitions is from 2 to 255, or 0"),
        ({"repetitions": -3}, "repetitions is from 2 to 255, or 0"),
    ],
)
def test_wrong_parameters(parameters, sentence):
    with pytest.raises(Unsuitable, match=sentence):
        games.dark_chess(**parameters)
