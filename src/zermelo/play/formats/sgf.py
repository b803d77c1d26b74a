"""SGF, as games of Go are exchanged: read and written as records (Arno Hollosi, SGF FF[4], 1997 to 2021).

A file holds one game tree after another; of each the main line is read, variations are read over. A game is told by its
number (GM), and each has its way to write a move: in Go two letters, the column from the left and the row from the top,
and nothing for a pass; elsewhere the text that the game itself uses. Black is the first player. Size and komi are
compared with those of the game that the person names. Comments may be the notes of a record.

A position where play began stands in the first node as stones that are set up. What a result adds to the rules is kept:
who resigned, or ran out of time, or a score, whose reason is not told. Where play ends by the rules, they say the
score: by ours all stones that stand there count as alive.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from zermelo.games.go.notation import LETTERS
from zermelo.play.ending import Ending, Why
from zermelo.play.record import MOST_SHOWN, Note, Record
from zermelo.rules import Game, MoveError, Position, Unsuitable, ZermeloError
from zermelo.version import __version__

Properties = dict[str, list[str]]
"""What a node says: the values of each property."""

PLAYERS = ("B", "W")
A_LINE = 10
"""So many moves are written on a line."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_FORFEITS = {"R": Why.RESIGNED, "T": Why.TIME, "F": Why.ILLEGAL}
_TOKEN = re.compile(r"\s*(?:(?P<mark>[();])|(?P<name>[A-Za-z]+)|\[(?P<value>(?:[^\]\\]|\\.)*)\])", re.DOTALL)
_SCORE = re.compile(r"([BW])\+(?:([RTF])[a-z]*|(\d+(?:\.\d+)?))?", re.IGNORECASE)


class Dialect(NamedTuple):
    """How a game is written in SGF: its number, the value of a move, and the text of a move that a value stands for."""

    number: int
    value: Callable[[Game, str], str]
    text: Callable[[Game, str], str]


def _go_value(game: Game, text: str) -> str:
    if text == "pass":
        return ""
    rows = int(game.parameters["rows"])
    return _LETTERS[LETTERS.index(text[0])] + _LETTERS[rows - int(text[1:])]


def _go_text(game: Game, value: str) -> str:
    rows, cols = int(game.parameters["rows"]), int(game.parameters["cols"])
    if value == "" or (value == "tt" and rows <= 19 and cols <= 19):
        return "pass"
    places = [_LETTERS.find(letter) for letter in value]
    if len(value) != 2 or not 0 <= places[0] < cols or not 0 <= places[1] < rows:
        raise MoveError(f"[{value}] is no point of a board of {rows}×{cols}: two letters, column and row from the top")
    return f"{LETTERS[places[0]]}{rows - places[1]}"


def _as_it_is(game: Game, text: str) -> str:
    return text


DIALECTS = {
    "go": Dialect(1, _go_value, _go_text),
    "othello": Dialect(2, _as_it_is, _as_it_is),
    "hex": Dialect(11, _as_it_is, _as_it_is),
}


def read(text: str, game: Game) -> list[Record]:
    """The games that a text in SGF holds. What is wrong is told with the number of the game, and the move."""
    dialect = _dialect(game)
    lines = list(_main_lines(text))
    return [_Reader(game, dialect, number).read(nodes) for number, nodes in enumerate(lines, 1)]


def write(records: list[Record]) -> str:
    """Records as a text in SGF."""
    return "\n".join(map(_written, records))


def _dialect(game: Game) -> Dialect:
    if game.name not in DIALECTS:
        raise Unsuitable(f"SGF is read and written for {', '.join(DIALECTS)}, not for {game.name}")
    return DIALECTS[game.name]


# Reading


def _main_lines(text: str) -> Iterator[list[Properties]]:
    """The nodes of the main line of each game tree."""
    nodes: list[Properties] = []
    at, depth, name = 0, 0, ""
    skipped = 0  # how deep we are inside variations that are read over
    ended = [False]  # for each depth, whether its first variation is closed
    text = text.strip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        line = text.count("\n", 0, at) + 1
        if found is None:
            shown = text[at : at + 20].strip()
            raise Unsuitable(f"line {line}: {shown!r} is no SGF: a tree is (;FF[4]GM[1];B[ee];W[dc])")
        at = found.end()
        if found["mark"] == "(":
            skipped += bool(skipped or (depth > 0 and ended[depth]))
            depth += 1
            ended.append(False)
        elif found["mark"] == ")":
            depth -= 1
            ended.pop()
            if depth < 0:
                raise Unsuitable(f"line {line}: ) closes a tree that was not opened")
            ended[depth] = True
            skipped = max(0, skipped - 1)
            if depth == 0:
                yield nodes
                nodes, ended = [], [False]
        elif depth == 0:
            raise Unsuitable(f"line {line}: a tree begins with (;")
        elif skipped:
            continue
        elif found["mark"] == ";":
            nodes.append({})
        elif found["name"]:
            name = "".join(letter for letter in found["name"] if letter.isupper())  # of old files
            if not nodes:
                raise Unsuitable(f"line {line}: {name} stands before the first ;")
            nodes[-1].setdefault(name, [])
        elif not nodes or not name:
            raise Unsuitable(f"line {line}: a value stands before the name of its property")
        else:
            nodes[-1][name].append(_plain(found["value"]))
    if depth:
        raise Unsuitable("a tree is opened by ( and not closed")


def _plain(value: str) -> str:
    """A value without what protects its letters."""
    return re.sub(r"\\(\r?\n|.)", lambda found: "" if found[1] in ("\n", "\r\n") else found[1], value, flags=re.DOTALL)


class _Reader:
    """Reads one game."""

    def __init__(self, game: Game, dialect: Dialect, number: int) -> None:
        self.game, self.dialect, self.number = game, dialect, number

    def read(self, nodes: list[Properties]) -> Record:
        if not nodes:
            raise self._wrong("it has no node: a tree begins with (;")
        root = nodes[0]
        self._compare(root)
        position, began = self._begin(root, nodes)
        notes: list[Note] = []
        for place, node in enumerate(nodes):
            if place and any(name in node for name in ("AB", "AW", "AE", "PL")):
                raise self._wrong(f"stones are set up after move {len(notes)}, which no record can tell")
            for colour, name in enumerate(PLAYERS):
                for value in node.get(name, []):
                    position = self._played(position, colour, value, len(notes) + 1)
                    notes.append(Note.read(" ".join(node.get("C", [""])[0].split())))
        first, second, event, result = (" ".join(root.get(name, [""])[0].split()) for name in ("PB", "PW", "EV", "RE"))
        return Record(
            position, tuple(notes), (first, second), began=began, ending=self._ending(position, result), event=event
        )  # fmt: skip

    def _wrong(self, what: str) -> Unsuitable:
        return Unsuitable(f"game {self.number}: {what}"[:MOST_SHOWN])

    def _compare(self, root: Properties) -> None:
        """Refuse another game, or another board."""
        number = root.get("GM", ["1"])[0].strip()
        if number != str(self.dialect.number):
            raise self._wrong(f"GM[{number}] is not {self.game.name}, which is GM[{self.dialect.number}]")
        if self.game.name != "go":
            return
        told, parameters = root.get("SZ", ["19"])[0].strip(), self.game.parameters
        rows, cols = parameters["rows"], parameters["cols"]
        if told not in (f"{cols}:{rows}", str(rows) if rows == cols else ""):
            raise self._wrong(f"its board is SZ[{told}], and not of {rows} rows and {cols} columns: set rows and cols")
        komi = root.get("KM", [""])[0].strip()
        try:
            other = bool(komi) and float(komi) != float(parameters["komi"])
        except ValueError:
            raise self._wrong(f"komi is a number, not {komi!r}") from None
        if other:
            raise self._wrong(f"its komi is {komi}, and not {parameters['komi']:g}: set komi={komi}")

    def _begin(self, root: Properties, nodes: list[Properties]) -> tuple[Position, str]:
        """Where play begins, and the text that tells it, empty for the start."""
        turn = (root.get("PL") or [next((name for node in nodes for name in PLAYERS if name in node), "B")])[0]
        turn = turn.strip().upper()[:1]
        if not any(name in root for name in ("AB", "AW")) and turn != "W":
            return Position(self.game), ""
        if self.game.name != "go":
            raise self._wrong(f"it begins with stones that are set up, which is not read for {self.game.name}")
        rows, cols = int(self.game.parameters["rows"]), int(self.game.parameters["cols"])
        board = [["."] * cols for _ in range(rows)]
        for name, mark in (("AB", "X"), ("AW", "O"), ("AE", ".")):
            for value in root.get(name, []):
                for row, col in self._points(value, rows, cols):
                    board[row][col] = mark
        text = "/".join("".join(row) for row in board) + (" w" if turn == "W" else " b")
        try:
            return self.game.position(text), text
        except ZermeloError as wrong:
            raise self._wrong(f"the stones that are set up cannot be: {wrong}") from None

    def _points(self, value: str, rows: int, cols: int) -> list[tuple[int, int]]:
        """The points of a list, of which `aa:cc` is a rectangle."""
        ends = [[_LETTERS.find(letter) for letter in corner] for corner in value.split(":")]
        inside = all(len(end) == 2 and 0 <= end[0] < cols and 0 <= end[1] < rows for end in ends)
        if not inside or len(ends) > 2:
            raise self._wrong(f"[{value}] is no point of a board of {rows}×{cols}")
        (left, top), (right, bottom) = ends[0], ends[-1]
        return [(row, col) for row in range(top, bottom + 1) for col in range(left, right + 1)]

    def _played(self, position: Position, colour: int, value: str, number: int) -> Position:
        move = f"move {number}, {PLAYERS[colour]}[{value}]"
        if position.result is not None:
            raise self._wrong(f"{move}, cannot be played: the game is over")
        if position.turn != colour:
            raise self._wrong(f"{move}, is not that player's turn")
        try:
            return position.play(self.dialect.text(self.game, value))
        except MoveError as illegal:
            raise self._wrong(f"{move}: {illegal}") from None

    def _ending(self, position: Position, told: str) -> Ending | None:
        if position.result is not None:
            return Ending.of(position, Why.RULES)
        if told.lower() in ("0", "draw", "jigo"):
            return Ending.of(position, Why.UNTOLD, score=0)
        if told.lower() in ("", "?", "void"):
            return None
        found = _SCORE.fullmatch(told)
        if found is None:
            raise self._wrong(f"the result is B+ or W+ with points, R, T or F, or 0, Void or ?, not {told!r}")
        black = found[1].upper() == "B"
        if found[2]:
            return Ending.of(position, _FORFEITS[found[2].upper()], 1 if black else 0)
        low, high = self.game.values
        points = (float(found[3]) if black else -float(found[3])) if found[3] else (high if black else low)
        if not low <= points <= high:
            raise self._wrong(f"the result is {told}, but scores lie between {low:g} and {high:g}")
        return Ending.of(position, Why.UNTOLD, score=int(points) if self.game.integral else points)


# Writing


def _written(record: Record) -> str:
    game, dialect, line = record.game, _dialect(record.game), record.replay()
    told: dict[str, list[str]] = {
        "FF": ["4"], "GM": [str(dialect.number)], "CA": ["UTF-8"], "AP": [f"Zermelo:{__version__}"],
    }  # fmt: skip
    if game.name == "go":
        rows, cols = game.parameters["rows"], game.parameters["cols"]
        told |= {"SZ": [str(rows) if rows == cols else f"{cols}:{rows}"], "KM": [f"{game.parameters['komi']:g}"]}
    names = zip(("PB", "PW", "EV"), (*record.players, record.event))
    told |= {name: [value] for name, value in names if value}
    told["RE"] = [_result(record)]
    if line[0].state != game.start:
        told |= _set_up(line[0])
    root = ";" + "".join(name + "".join(f"[{_protected(value)}]" for value in told[name]) for name in told)
    moves = []
    for before, after, note in zip(line, line[1:], record.notes):
        assert after.last_move is not None
        value = dialect.value(game, before.text_of(after.last_move))
        comment = f"C[{_protected(str(note))}]" if str(note) else ""
        moves.append(f";{PLAYERS[before.turn]}[{_protected(value)}]{comment}")
    lines = ["".join(moves[begin : begin + A_LINE]) for begin in range(0, len(moves), A_LINE)]
    return "(" + "\n".join([root, *lines]) + ")\n"


def _set_up(position: Position) -> dict[str, list[str]]:
    """A position where play begins, as stones. What SGF has no words for, a ko say, is refused."""
    board, turn, *rest = position.text().split()
    if position.game.name != "go" or rest[:2] != ["-", "0"] or rest[2] != "0" or set(board) - set(".XO/"):
        raise Unsuitable(f"SGF cannot tell the position where play began: {position.text()}")
    marks = {_LETTERS[c] + _LETTERS[r]: mark for r, row in enumerate(board.split("/")) for c, mark in enumerate(row)}
    found = {name: [point for point in marks if marks[point] == mark] for name, mark in (("AB", "X"), ("AW", "O"))}
    return {name: points for name, points in found.items() if points} | {"PL": [turn.upper()]}


def _result(record: Record) -> str:
    ending = record.ending
    if ending is None or ending.score is None:
        return "?" if ending is None else "Void"
    if ending.why.loses:
        letter = next((letter for letter, why in _FORFEITS.items() if why is ending.why), "F")
        return f"{PLAYERS[0 if ending.by == 1 else 1]}+{letter}"
    if ending.score == 0:
        return "0"
    return f"{PLAYERS[0 if ending.score > 0 else 1]}+{abs(ending.score):g}"


def _protected(value: str) -> str:
    return value.replace("\\", "\\\\").replace("]", "\\]")
