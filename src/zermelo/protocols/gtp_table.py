"""The board of a GTP talk: which game, what was played, whose clock says what.

The first player is black. A colour may move twice in a row where the other one may pass, as GTP allows; after the end
passes are taken and change nothing. In GoGui's way of naming cells a move that goes from one to another comes as two
taps: the first is kept until the second makes it a move.
"""

from __future__ import annotations

from zermelo.compile.watch import Limits
from zermelo.play.clock import RESERVE, RESERVE_SHARE, Clock, Timer
from zermelo.play.sitting import moves_to_go
from zermelo.protocols.gtp_board import Cell, Drawn
from zermelo.protocols.options import Choices
from zermelo.rules import CHANCE, Game, MoveError, Position, Unsuitable

PASS, RESIGN = "pass", "resign"
COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
USUAL = Limits(seconds=1.0)
_SIZES = (("size",), ("cols", "rows"), ("width", "height"))
"""Parameters that say how large a board is, columns first."""


class Refusal(Unsuitable):
    """A command that is answered with an error."""


class Table:
    """The state of a talk. gogui: cells are named as GoGui does."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.gogui = False
        self.line: list[Position] = []
        self.taps: list[Cell] = []
        self.intended: int | None = None  # the move of ours whose first taps have been told
        self.times: Clock | None = None
        self.left: list[tuple[float, int] | None] = [None, None]
        self.byoyomi: tuple[float, int] = (0.0, 0)
        self.clear()

    @property
    def game(self) -> Game:
        return self.choices.game()

    @property
    def position(self) -> Position:
        return self.line[-1]

    @property
    def drawn(self) -> Drawn:
        return Drawn(self.position)

    @property
    def over(self) -> bool:
        return self.position.result is not None or not self.position.codes

    def clear(self) -> None:
        self.line = [self.game.position()]
        self.forget_taps()

    def forget_taps(self) -> None:
        self.taps, self.intended = [], None

    # which game

    def resize(self, sizes: list[int]) -> bool:
        """Have a board of so many columns and rows; says whether that is another game than before."""
        if not sizes or len(sizes) > 2:
            raise Refusal("boardsize takes one size, or columns and rows")
        before, parameters = self.choices.parameters, self.game.parameters
        across, down = sizes[0], sizes[-1]
        names = next((names for names in _SIZES if all(name in parameters for name in names)), None)
        if names is None or (names == ("size",) and across != down):
            if (across, down) != self.drawn.size:
                raise Refusal("unacceptable size")
        elif [parameters[name] for name in names] != [across, down][: len(names)]:
            try:
                for name, value in zip(names, (across, down), strict=False):
                    before = {**before, name: str(value)}
                self.choices.reshape(before)
            except Unsuitable:
                raise Refusal("unacceptable size") from None
            self.clear()
            return True
        self.clear()
        return False

    def set_komi(self, komi: float) -> bool:
        """Give the second player so much; says whether that is another game than before. Where a game knows no komi,
        the number means nothing."""
        known = self.game.parameters.get("komi")
        if known is None or float(known) == komi:
            return False
        moves = self.position.history()
        self.choices.reshape({**self.choices.parameters, "komi": f"{komi:g}"})
        self.clear()
        for move in moves:
            self.line.append(self.position.play(move))
        return True

    # what is played

    def play(self, colour: int, text: str) -> None:
        """Make a move, or the next tap of one."""
        word = text.lower()
        if self.over:
            if word != PASS:
                raise Refusal("illegal move")
            self.line.append(self.position)
            return
        position = self.reached(colour)
        code = self._tapped(position, word) if self.gogui and word != PASS else self._named(position, text)
        if code is not None:
            if position is not self.position:
                self.line.append(position)
            self.line.append(position.play(code))
            self.forget_taps()

    def _named(self, position: Position, text: str) -> int:
        try:
            return position.code_of(text.replace("_", " ") if " " not in text else text)
        except MoveError:
            raise Refusal("illegal move") from None

    def _tapped(self, position: Position, vertex: str) -> int | None:
        """The move that is complete with this tap, None if it is not; the full text of a move is taken as well."""
        drawn = Drawn(position)
        cell = drawn.cell_at(vertex)
        if cell is None:
            if vertex in drawn.cells:  # a cell by our name: GoGui means another one, or none
                raise Refusal("illegal move")
            return self._named(position, vertex)
        path = (*self.taps, cell)
        begun = [code for code, taps in drawn.taps.items() if taps[: len(path)] == path]
        whole = [code for code in begun if drawn.taps[code] == path]
        if not begun:
            raise Refusal("illegal move")
        if not whole:
            self.taps = list(path)
            return None
        return max(whole, key=lambda code: len(position.text_of(code)))  # who can promote does

    def undo(self) -> None:
        if self.taps:
            self.forget_taps()
        elif len(self.line) > 1:
            self.line.pop()
        else:
            raise Refusal("cannot undo")

    def reached(self, colour: int) -> Position:
        """The position where a colour is to move: the present one, or the one after the other has passed."""
        position = self.position
        if position.turn == CHANCE:
            raise Refusal("the dice are to be thrown")
        if position.turn == colour:
            return position
        if PASS in position.moves():
            after = position.play(PASS)
            if after.result is None and after.turn == colour:
                return after
        raise Refusal(f"illegal move: {('black', 'white')[position.turn]} is to move")

    def word(self, position: Position, code: int) -> str:
        """A move as it is told: its text, or in GoGui's way the next cell to tap."""
        if not self.gogui:
            text = position.text_of(code).replace(" ", "_")
            return text.upper() if position.game.name == "go" and text != PASS else text
        drawn = Drawn(position)
        path = drawn.taps[code]
        if not path:
            return position.text_of(code)
        return drawn.vertex(path[len(self.taps)] if len(path) > len(self.taps) else path[-1])

    # clocks

    def set_time(self, main: float, extra: float, stones: int) -> None:
        """`time_settings`: extra time without stones means no limit at all."""
        unlimited = extra > 0 and stones == 0
        self.times = None if unlimited or (main <= 0 and extra <= 0) else Clock(seconds=max(main, 0) or None)
        self.byoyomi = (extra, stones)
        self.left = [None, None]

    def limits(self, position: Position) -> Limits:
        """What to use for the next move."""
        if self.times is None:
            return USUAL
        extra, stones = self.byoyomi
        told = self.left[position.turn]
        seconds, for_stones = told if told is not None else (self.times.seconds or 0.0, 0)
        if for_stones > 0 or (told is None and self.times.seconds is None):
            each = seconds / for_stones if for_stones else extra / max(stones, 1)
            return Limits(seconds=max(each - min(RESERVE, RESERVE_SHARE * each), 0.001))
        more = extra / stones if stones else 0.0
        share = Timer(Clock(seconds=max(seconds, 0.01))).limits(moves_to_go(position, len(position.history()))).seconds
        return Limits(seconds=(share or 0.0) + RESERVE_SHARE * more)


def colour_of(word: str) -> int:
    if word.lower() not in COLOURS:
        raise Refusal("syntax error: a colour is black or white")
    return COLOURS[word.lower()]
