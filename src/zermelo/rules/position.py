"""A position as a person handles it: immutable, printable, played on by move texts.

    >>> from zermelo import games
    >>> p = games.connect_four().position("445")
    >>> p.turn, p.moves()
    (1, ['1', '2', '3', '4', '5', '6', '7'])
    >>> p.play("5").play("3").result is None
    True
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from operator import index as as_whole
from typing import Any

from zermelo.rules.errors import MoveError, PositionError, RuleError
from zermelo.rules.game import Game
from zermelo.rules.language import ONGOING
from zermelo.rules.structs import wrapping

START, MOVES = "startpos", re.compile(r"(?:^|\s)moves(?=\s|$)")
"""What stands for the start in the texts of games that have texts of their own, and what comes before moves from there.
"""


class Position:
    """A state of a game and the path that led to it. `play` makes a new one; nothing ever changes."""

    __slots__ = ("_stamp", "game", "last_move", "previous", "state")

    def __init__(
        self, game: Game, state: Any = None, previous: Position | None = None, last_move: int | None = None
    ) -> None:
        self.game = game
        self.state = game.start if state is None else state
        self.previous = previous
        self.last_move = last_move
        self._stamp: Any = None

    @classmethod
    @wrapping
    def read(cls, game: Game, text: str) -> Position:
        """The position that a text describes: the game's own notation, or the moves from the start. What follows the
        word `moves` is played from there and stays part of the path, as in the `position` command of chess engines,
        where `startpos` is the start."""
        begin, *played = MOVES.split(text.strip(), maxsplit=1) if game.read_position is not None else [text]
        position = cls._begun(game, begin.strip())
        return position.play_words(*played)

    @classmethod
    def _begun(cls, game: Game, text: str) -> Position:
        """The position that a text describes without the word `moves`."""
        if game.read_position is not None and text:
            if text == START:
                return cls(game)
            if text.startswith(f"{START} "):
                moves = text.removeprefix(START).split()
                raise PositionError(f"before the moves comes the word moves: {START} moves {' '.join(moves)}")
            state = game.read_position(text)
            if state is not None:
                return cls(game, state)
        return cls(game).play_words(text)

    def play_words(self, text: str = "") -> Position:
        """The position after the moves of a text, with blanks or commas between them, or written together."""
        position = self
        for word in text.replace(",", " ").split():
            position = position._play_word(word)
        return position

    def _play_word(self, word: str) -> Position:
        """Play one move text, or several written together such as 44455."""
        position = self
        try:
            return position.play(word)
        except MoveError as single:
            rest, played = word, 0
            while rest:
                texts = position.moves()
                fitting = [t for t in texts if rest.lower().startswith(t.lower())]
                if not fitting:
                    if played == 0:
                        raise PositionError(f"move {len(self.line())}: {single}") from None
                    raise PositionError(
                        f"move {played + 1} of {word}: no legal move reads {rest!r}; {_listing(texts)}"
                    ) from None
                text = max(fitting, key=len)
                position, rest, played = position.play(text), rest[len(text) :], played + 1
            return position

    @property
    @wrapping
    def turn(self) -> int:
        """0 for the first player, 1 for the second, 2 (CHANCE) for the dice."""
        assert self.game.turn is not None
        return int(self.game.turn(self.state))

    @property
    @wrapping
    def result(self) -> float | None:
        """The first player's score if the game is over, else None."""
        game = self.game
        score = game.verdict(self.state)
        if game.forbids and game.stuck is not None and score == ONGOING and not self.codes:
            score = game.stuck(self.state)
        if score == ONGOING:
            return self._repeated()
        return int(score) if game.integral else float(score)

    def _repeated(self) -> float | None:
        """The score that the game's repetition rule gives, if this position stood on the path often enough."""
        game, cycle = self.game, self.cycle
        if cycle is None or self.previous is None or game.forbids:
            return None
        if callable(game.repetition):
            path = self.path()
            score = game.repetition(path, *cycle, len(path) - 1)
        else:
            worth = game.loop_worth(self.state)
            score = loop_score(game, self.previous.turn) if worth is None else worth
        if score == ONGOING:
            return None
        return int(score) if game.integral else float(score)

    @property
    @wrapping
    def cycle(self) -> tuple[int, int] | None:
        """Where on the path the position stood that has come back here, if that was often enough to count: first among
        the times that do, and last."""
        game = self.game
        if not game.cyclic:
            return None
        mark = self.mark
        furthest = None if game.reversible is None else int(game.reversible(self.state)) + 1
        near = islice(self._back(), 1, furthest)
        ago = [plies for plies, position in enumerate(near, 1) if position.mark == mark][: game.folds - 1]
        if len(ago) + 1 < game.folds:
            return None
        here = len(self.line()) - 1
        return here - ago[-1], here - ago[0]

    @property
    @wrapping
    def mark(self) -> Any:
        """What must come back for a position to count as repeated; kept, for every later position asks for it."""
        if self._stamp is None:
            game = self.game
            if game.loop_key is not None:
                self._stamp = int(game.loop_key(self.state))
            else:
                self._stamp = self.state.tobytes() if game.compilable else self._identity
        return self._stamp

    @property
    @wrapping
    def codes(self) -> list[int]:
        """The legal moves as the rules number them."""
        listed = legal_moves(self.game, self.state) if self.game.result(self.state) == ONGOING else []
        return self._lawful(listed) if self.game.forbids else listed

    def _lawful(self, listed: list[int]) -> list[int]:
        """Those of the moves that close no loop, in a game that does not allow that."""
        repeatable, most = self.game.repeatable, self.game.folds - 1
        stood = Counter(position.mark for position in self._back())
        after = {move: self._after(move) for move in listed}
        exempt = {move for move in after if repeatable is not None and repeatable(after[move].state)}
        return [move for move in listed if move in exempt or stood[after[move].mark] < most]

    def moves(self) -> list[str]:
        """The legal moves as texts."""
        return [self.text_of(move) for move in self.codes]

    @wrapping
    def text_of(self, move: int) -> str:
        return self.game.move_text(self.state, move) if self.game.move_text else str(move)

    def code_of(self, text: str) -> int:
        """The legal move that a text names."""
        codes = self.codes
        for exact in (True, False):
            for move in codes:
                name = self.text_of(move)
                if text == name or (not exact and text.lower() == name.lower()):
                    return move
        if not codes:
            raise MoveError(f"{text!r} cannot be played: the game is over")
        meant = self._in_other_words(text)
        if meant in codes:
            return meant
        raise MoveError(f"{text!r} is not a legal move here; {_listing([self.text_of(m) for m in codes])}")

    @wrapping
    def _in_other_words(self, text: str) -> int:
        """The move that a text in another notation names, -1 if it names none."""
        move = self.game.read_move(self.state, text) if self.game.read_move is not None else None
        return -1 if move is None else int(move)

    @wrapping
    def play(self, move: str | int) -> Position:
        """The position after a move, given as a text or as the number that `codes` lists."""
        if isinstance(move, str):
            code = self.code_of(move)
        else:
            codes = self.codes
            if isinstance(move, float) or move not in codes:
                raise MoveError(f"{move} is not a legal move here; {_listing(self.moves())}")
            code = int(move)
        return self._after(code)

    def _after(self, code: int) -> Position:
        """The position after a move that the rules list."""
        if self.game.compilable:
            state = self.state.copy()
            self.game.play(state, code)
        else:
            state = self.game.play(self.state, code)
        return Position(self.game, state, self, code)

    def line(self) -> list[Position]:
        """The positions from the start to this one."""
        return list(self._back())[::-1]

    def path(self) -> list[Any]:
        """The states from the start to this one."""
        return [position.state for position in self.line()]

    def history(self) -> list[str]:
        """The moves played so far, as texts."""
        steps = [p.previous.text_of(p.last_move) for p in self._back() if p.previous and p.last_move is not None]
        return steps[::-1]

    def _back(self) -> Iterator[Position]:
        position: Position | None = self
        while position is not None:
            yield position
            position = position.previous

    @wrapping
    def text(self) -> str:
        """A text that `read` turns back into this position."""
        if self.game.position_text is not None:
            return self.game.position_text(self.state)
        return " ".join(self.history())

    @wrapping
    def __str__(self) -> str:
        return self.game.draw(self.state).text() if self.game.draw else self.text() or "(start)"

    def __repr__(self) -> str:
        return f"Position({self.game.summary}, {self.text()!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.game is other.game and bool(self._identity == other._identity)

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    @wrapping
    def _identity(self) -> Any:
        """What equal positions share: the state, or for objects, which need not know equality, the key or text."""
        if self.game.compilable:
            return self.state
        return self.game.key(self.state) if self.game.key is not None else self.text()

    @wrapping
    def svg(
        self,
        *,
        values: Mapping[str, Any] | None = None,
        last: bool | str = False,
        arrows: Iterable[str | tuple[str, str]] = (),
    ) -> str:
        """The picture, with what moves are worth (`values`, by their texts: anything printable, or the `badges` of an
        answer), with the last move marked (or one that is named), and arrows for moves or between spots. "" where the
        game draws none."""
        from zermelo.rules.overlay import overlaid

        return overlaid(self, values or {}, last, arrows)

    def _repr_svg_(self) -> str | None:
        """A picture for a notebook; None, for which it shows the text instead, where the game draws none or fails to:
        a notebook would print where that happened instead of the text."""
        try:
            return self.svg(last=True) or None
        except Exception:
            return None


def named(position: Position) -> str:
    """A position in one line of words: its text, or its state where a text would tell only how it came about, and it
    did not."""
    game = position.game
    told = game.position_text is not None or position.line()[0].state == game.start
    text = position.text() if told else ""
    return repr(text) if text or not game.compilable else str(position.state)


class MoveBuffer(list[int]):
    """A buffer for `moves`, or for another rule that lists numbers, which refuses in plain words more than the game
    declared."""

    def __init__(self, size: int, name: str, rule: str = "moves") -> None:
        super().__init__([0] * size)
        self.name, self.rule = name, rule

    def __setitem__(self, index: Any, value: Any) -> None:
        if not -len(self) <= index < len(self):
            raise RuleError(
                f"{self.name}: rule {self.rule} wrote more than the declared max_{self.rule} = {len(self)}; raise "
                f"max_{self.rule}"
            )
        super().__setitem__(index, _whole_move(self.name, value, self.rule))


@wrapping
def legal_moves(game: Game, state: Any) -> list[int]:
    """What the rule `moves` lists."""
    if not game.compilable:
        return [_whole_move(game.name, move) for move in game.moves(state)]
    out = MoveBuffer(game.max_moves, game.name)
    return out[: game.moves(state, out)]


def _whole_move(name: str, move: Any, rule: str = "moves") -> int:
    """A move as a plain whole number, which is all that it may be."""
    try:
        return as_whole(move)
    except TypeError:
        raise RuleError(f"{name}: rule {rule} lists {move!r}, but {rule} are whole numbers") from None


def loop_score(game: Game, closer: int) -> float:
    """The first player's score when `closer` (0 or 1) made the move that brought a position back."""
    low, high = game.values
    if game.loop_value is not None:
        return game.loop_value
    return high if (closer == 0) == (game.repetition == "wins") else low


def _listing(texts: list[str]) -> str:
    shown = " ".join(texts[:12]) + (" …" if len(texts) > 12 else "")
    return f"legal: {shown}" if texts else "the game is over"
