"""What tells the positions of a book apart, and what the rules say of one.

A position is found by a 64-bit word: the game's `symmetry`, which mirror images share, or else its `key`. Two positions
with one word are the same if their states are, or if the same words follow after one move: mirror images have other
states but lead to the same positions. So a clash of words, however unlikely, is not taken for a hit.

States that a file holds are compared and nothing else: no rule ever sees them.
"""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

from zermelo.positions.identity import name_of
from zermelo.rules import CHANCE, ONGOING, Game, Unsuitable, wrapping
from zermelo.rules.objects import is_plain
from zermelo.rules.position import legal_moves

_COUNTS = struct.Struct("<HH")
_SIGN, _WORDS = 1 << 63, 1 << 64


class Step(NamedTuple):
    """What a move leads to: the state, and its word or, where the game is over, the first player's score. `weight`: of
    an outcome of the dice, else 0."""

    code: int
    state: Any
    word: int | None
    score: float | None
    weight: int


class Family(NamedTuple):
    """The positions that follow, in an order that does not depend on how the board is turned: their words, the scores
    of those where the game is over, and the weights of both if the dice decide."""

    words: tuple[int, ...]
    scores: tuple[float, ...]
    weights: tuple[int, ...] = ()

    @classmethod
    def of(cls, steps: list[Step]) -> Family:
        going = sorted((step.word, step.weight) for step in steps if step.word is not None)
        over = sorted((step.score, step.weight) for step in steps if step.score is not None)
        weights = tuple(weight for _, weight in (*going, *over))
        return cls(tuple(w for w, _ in going), tuple(s for s, _ in over), weights if any(weights) else ())

    def pack(self) -> bytes:
        counts = _COUNTS.pack(len(self.words), len(self.scores))
        return counts + self._layout(*map(len, self)).pack(*self.words, *self.scores, *self.weights)

    @classmethod
    def unpack(cls, data: bytes) -> Family:
        words, scores = _COUNTS.unpack_from(data)
        weights = (len(data) - _COUNTS.size - 8 * (words + scores)) // 8
        found = cls._layout(words, scores, weights).unpack_from(data, _COUNTS.size)
        return cls(found[:words], found[words : words + scores], found[words + scores :])

    @staticmethod
    def _layout(words: int, scores: int, weights: int) -> struct.Struct:
        return struct.Struct(f"<{words}q{scores}d{weights}q")


class Keys:
    """How the positions of one game are told apart."""

    def __init__(self, game: Game) -> None:
        if not game.compilable:
            _check_plain(game)
        self.game = game
        self._name, self._state = name_of(game, "symmetry"), name_of(game)

    @wrapping
    def word(self, state: Any) -> int:
        """By which a position is found, as a signed number, for files know no other."""
        return self._word(state)

    def _word(self, state: Any) -> int:
        word = int(self._name(state))
        return word - _WORDS if word >= _SIGN else word

    def state(self, state: Any) -> bytes:
        """A state as it is compared."""
        if self.game.compilable:
            found: bytes = self._state(state)
            return found
        text = self.game.position_text
        return (repr(state.key()) if text is None else text(state)).encode()

    @wrapping
    def steps(self, state: Any) -> list[Step]:
        """All that can follow, as the rules list it."""
        game = self.game
        assert game.turn is not None
        chance = game.turn(state) == CHANCE
        found = []
        for code in legal_moves(game, state):
            after = self._after(state, code)
            score = game.verdict(after)
            over = score != ONGOING
            weight = int(game.weight(state, code)) if chance and game.weight is not None else 0
            found.append(Step(code, after, None if over else self._word(after), float(score) if over else None, weight))
        return found

    def _after(self, state: Any, code: int) -> Any:
        if not self.game.compilable:
            return self.game.play(state, code)
        state = state.copy()
        self.game.play(state, code)
        return state


def _check_plain(game: Game) -> None:
    key = getattr(game.start, "key", None)
    if game.position_text is None and not (callable(key) and is_plain(key())):
        raise Unsuitable(
            f"{game.name}: a book knows positions by their key; give the objects a method key() that returns numbers "
            "and texts, or tuples of them"
        )
