"""A game that was left, as a text that a person can read and `play --resume` takes up again.

    tic-tac-toe(rows=3, cols=3, run=3)
    position: XX- OO- ---
    c2 c1

The first line says which game it is. It is compared with the game that the person names, and never looked up: a file
does not choose what is run. Then comes where play began, unless at the start, and the moves, the dice included: as many
on a line as one likes, or each on a line of its own where their texts hold blanks.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from zermelo.rules import Game, Position

_BEGAN = "position:"
_MOST_SHOWN = 300


class Record(NamedTuple):
    """A game so far. `began`: where, in the game's own notation; empty for the start."""

    position: Position
    began: str = ""

    def text(self) -> str:
        """What `read` turns back into this record."""
        moves = self.position.history()
        apart = "\n" if any(len(move.split()) != 1 for move in moves) else " "
        began = [f"{_BEGAN} {self.began}"] if self.began else []
        played = [apart.join(moves)] if moves else []
        return "\n".join([title(self.position.game), *began, *played, ""])


def title(game: Game) -> str:
    """Name and parameters; of a file only its name, for it may lie elsewhere tomorrow."""
    from dataclasses import replace

    if "file" not in game.parameters:
        return game.summary
    return replace(game, parameters={**game.parameters, "file": Path(str(game.parameters["file"])).name}).summary


def begin(start: Position, typed: str) -> Record:
    """A game that begins at a position, which the person described by a text or by the moves that lead to it."""
    described = start.path()[0] is not start.game.start
    return Record(start, " ".join(typed.split()) if described else "")


def read(file: Path, text: str, game: Game) -> Record:
    """The game that a file holds. Whatever is wrong is said with its line."""
    from zermelo.rules import MoveError, Unsuitable, ZermeloError

    head, *rest = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if head[1] != title(game):
        raise Unsuitable(f"{file} holds no game of {title(game)}: its first line is {head[1][:_MOST_SHOWN]!r}")
    began = ""
    if rest and rest[0][1].startswith(_BEGAN):
        number, line = rest.pop(0)
        began = line.removeprefix(_BEGAN).strip()
        try:
            position = game.position(began)
        except ZermeloError as wrong:
            raise Unsuitable(f"{file}, line {number}: {str(wrong)[:_MOST_SHOWN]}") from None
    else:
        position = game.position()
    for number, line in rest:
        for move in [line] if line in position.moves() else line.split():
            try:
                if position.result is not None:
                    raise MoveError(f"{move!r} cannot be played: the game is over")
                position = position.play(move)
            except MoveError as illegal:
                raise Unsuitable(f"{file}, line {number}: {str(illegal)[:_MOST_SHOWN]}") from None
    return Record(position, began)
