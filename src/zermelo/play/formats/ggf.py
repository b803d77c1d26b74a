"""GGF, as games of Othello are exchanged: read and written as records (Michael Buro's Generic Game Server; NBoard).

    (;GM[Othello]PB[first]PW[second]RE[+2.00]TY[8]BO[8 ---…--- *]B[F5//0.2]W[D6/-1.50/3];)

A game stands in brackets, its properties one after another. `BO` is the size, the board row by row from the top, `*`
for black, who begins, and `O` for white, and who is to move. A move is a square or `PA` for a pass, then what the
player thinks it is worth to itself, in discs, and the seconds it took; both may be left out. `RE` is black's score,
with `r` or `t` behind a colon where somebody resigned or ran out of time.
"""

from __future__ import annotations

import re

from zermelo.play.ending import Ending, Why
from zermelo.play.record import MOST_SHOWN, Note, Record
from zermelo.rules import Game, MoveError, Position, Unsuitable, ZermeloError

_GAME = re.compile(r"\(;(?P<inside>(?:[^\[\]]|\[[^\]]*\])*?);?\)", re.DOTALL)
_PROPERTY = re.compile(r"\s*(?P<name>[A-Z]{1,2})\s*\[(?P<value>[^\]]*)\]", re.DOTALL)
_RESULT = re.compile(r"(?P<score>[+-]?\d+(?:\.\d+)?)(?::(?P<how>[a-z]*))?")
_FORFEITS = {"r": Why.RESIGNED, "t": Why.TIME}
_OWN = str.maketrans("*Oo", "XOO")
_PLAYERS = ("B", "W")


def read(text: str, game: Game) -> list[Record]:
    """The games that a text in GGF holds. What is wrong is told with the number of the game, and the move."""
    _check(game)
    games = []
    for number, found in enumerate(_GAME.finditer(text), 1):
        try:
            games.append(_record(found["inside"], game))
        except ZermeloError as wrong:
            raise Unsuitable(f"game {number}: {str(wrong)[:MOST_SHOWN]}") from None
    if not games:
        raise Unsuitable(f"{text.strip()[:40]!r} is no GGF: a game is (;GM[Othello]…B[F5]W[D6];)")
    return games


def write(records: list[Record]) -> str:
    """Records as a text in GGF, a game a line."""
    return "\n".join([*map(_written, records), ""])


def _check(game: Game) -> None:
    if game.name != "othello" or game.parameters["rows"] != game.parameters["cols"]:
        raise Unsuitable(f"GGF is read and written for Othello on a square board, not for {game.summary}")


def _record(inside: str, game: Game) -> Record:
    properties, at = [], 0
    while inside[at:].strip():
        found = _PROPERTY.match(inside, at)
        if found is None:
            raise Unsuitable(f"{inside[at : at + 20].strip()!r} is no property such as B[F5]")
        properties.append((found["name"], found["value"].strip()))
        at = found.end()
    told = dict(properties)
    if told.get("GM", "Othello").lower() != "othello":
        raise Unsuitable(f"it is a game of {told['GM']}, not of Othello")
    position, began = _begun(told.get("BO"), game)
    notes: list[Note] = []
    for name, value in properties:
        if name in _PLAYERS:
            position, note = _moved(position, name, value, len(notes) + 1)
            notes.append(note)
    ending = Ending.of(position, Why.RULES) if position.result is not None else _ending(told.get("RE", "?"), position)
    players = (told.get("PB", ""), told.get("PW", ""))
    return Record(position, tuple(notes), players, began=began, ending=ending, event=told.get("EV", ""))


def _begun(board: str | None, game: Game) -> tuple[Position, str]:
    """Where play begins, and the text for that if it is not the start."""
    start = game.position()
    if board is None:
        return start, ""
    size, *marks = board.split()
    if size != str(game.parameters["rows"]):
        raise Unsuitable(f"it is on a board of size {size}, not {game.parameters['rows']}")
    position = game.position("".join(marks).translate(_OWN))
    return (start, "") if position == start else (position, position.text())


def _moved(position: Position, player: str, value: str, number: int) -> tuple[Position, Note]:
    square, _, rest = value.partition("/")
    worth, _, seconds = rest.partition("/")
    if position.result is not None:
        raise MoveError(f"move {number}, {square}, comes after the end of the game")
    if _PLAYERS[position.turn] != player:
        raise MoveError(f"move {number}, {square}, is {player}'s, but {_PLAYERS[position.turn]} is to move")
    try:
        after = position.play("pass" if square.upper().startswith("PA") else square)
    except MoveError as illegal:
        raise MoveError(f"move {number}: {illegal}") from None
    mine = _number(worth)
    own = mine if mine is None or position.turn == 0 else -mine
    return after, Note(_number(seconds), own)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _ending(told: str, position: Position) -> Ending | None:
    """What is said of a game that the rules did not end."""
    found = _RESULT.fullmatch(told)
    if found is None:
        return None
    score = float(found["score"])
    why = _FORFEITS.get((found["how"] or "")[:1])
    if why is not None:
        return Ending.of(position, why, 1 if score > 0 else 0)
    low, high = position.game.values
    return Ending.of(position, Why.UNTOLD, score=min(max(score, low), high))


def _written(record: Record) -> str:
    _check(record.game)
    size = record.game.parameters["rows"]
    line = record.replay()
    marks, turn = line[0].text().translate(str.maketrans("X", "*")).split()
    words = [f"(;GM[Othello]PC[Zermelo]PB[{_plain(record.players[0])}]PW[{_plain(record.players[1])}]"]
    words.append(f"EV[{_plain(record.event)}]" if record.event else "")
    words.append(f"RE[{_result(record.ending)}]TY[{size}]BO[{size} {marks} {turn}]")
    for before, after, note in zip(line, line[1:], record.notes, strict=False):
        assert after.last_move is not None
        text = before.text_of(after.last_move)
        worth = "" if note.value is None else f"{-note.value if before.turn == 1 else note.value:.2f}"
        seconds = "" if note.seconds is None else f"{note.seconds:.3f}".rstrip("0").rstrip(".")
        square = "PA" if text == "pass" else text.upper()
        words.append(f"{_PLAYERS[before.turn]}[{'/'.join([square, worth, seconds]).rstrip('/')}]")
    return "".join([*words, ";)"])


def _result(ending: Ending | None) -> str:
    if ending is None or ending.score is None:
        return "?"
    how = next((f":{letter}" for letter, why in _FORFEITS.items() if why is ending.why), "")
    return f"{ending.score:+.2f}{how}"


def _plain(text: str) -> str:
    """A text without what ends a value."""
    return text.replace("[", "(").replace("]", ")").replace("\n", " ")
