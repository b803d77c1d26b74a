"""CSA records of shogi (Computer Shogi Association, versions 2 and 2.2): read and written.

A statement a line, or several between commas: N+ and N- name the players, $EVENT the event, PI, P1 to P9, P+ and P-
tell where play begins, + or - who is to move, +7776FU is a move with the piece as it then is, T12 its seconds, %TORYO
how the game ended. A line with / begins the next game. Remarks begin with '; one in the first line names the encoding,
as version 3 has it, and is nothing but a remark to readers of the versions before.
"""

from __future__ import annotations

import re

from zermelo.play.ending import Ending, Why
from zermelo.play.formats.shogi_draft import (
    SHOGI_START,
    Diagram,
    Draft,
    Square,
    is_shogi,
    one_line,
    square_of,
    square_text,
    whole_seconds,
)
from zermelo.play.record import Record
from zermelo.rules import Game, Unsuitable

OLD = "cp932"
BETWEEN = "/\n"
_ENCODING = "'CSA encoding=UTF-8\n"
_PIECES = {
    "FU": "P", "KY": "L", "KE": "N", "GI": "S", "KI": "G", "KA": "B", "HI": "R", "OU": "K",
    "TO": "+P", "NY": "+L", "NK": "+N", "NG": "+S", "UM": "+B", "RY": "+R",
}  # fmt: skip
_NAMES = {mark: name for name, mark in _PIECES.items()}
_ALL = {"P": 18, "L": 4, "N": 4, "S": 4, "G": 4, "B": 2, "R": 2}
_MOVE = re.compile(r"([+-])(\d\d)(\d\d)([A-Z]{2})")
_DRAWN = ("SENNICHITE", "JISHOGI", "HIKIWAKE")


def read(text: str, game: Game) -> list[Record]:
    """The games that a text holds."""
    parts = re.split(r"^/\s*$|^(?=V\d)", text, flags=re.MULTILINE)
    games = [part for part in parts if re.search(r"^[^'\s]", part, flags=re.MULTILINE)]  # not all remarks and blanks
    return [_Reader(game, number).read(part) for number, part in enumerate(games, 1)]


class _Reader:
    """Reads one game, statement by statement."""

    def __init__(self, game: Game, number: int) -> None:
        self.draft, self.number = Draft(game, number), number
        self.board = Diagram(self.draft.diagram().size)
        self.placed, self.settled = False, False

    def read(self, text: str) -> Record:
        for line in text.splitlines():
            if line.startswith("'"):
                continue
            whole = line.startswith(("N+", "N-", "$", "P", "V"))  # names may hold commas
            for statement in [line] if whole else line.split(","):
                if statement.strip():
                    self._statement(statement.rstrip())
        return self.draft.record()

    def _statement(self, said: str) -> None:
        draft = self.draft
        if said.startswith(("N+", "N-")):
            draft.players[said[1] == "-"] = one_line(said[2:])
        elif said.startswith("$EVENT:"):
            draft.event = one_line(said[7:])
        elif said.startswith(("V", "$")):
            return
        elif said.startswith("P"):
            self._place(said)
        elif said in ("+", "-"):
            self._begin(said)
        elif move := _MOVE.fullmatch(said):
            self._move(move)
        elif re.fullmatch(r"T\d+(\.\d+)?", said):
            draft.took(float(said[1:]))
        elif said.startswith("%"):
            self._end(said[1:])
        else:
            raise self._wrong(f"{said[:60]!r} is no statement of CSA")

    def _wrong(self, why: str) -> Unsuitable:
        return Unsuitable(f"game {self.number}: {why}")

    def _place(self, said: str) -> None:
        self.placed = True
        if said.startswith("PI"):
            self.board = Diagram.read(f"{SHOGI_START} b - 1")
            for square, _ in re.findall(r"(\d\d)([A-Z]{2})", said[2:]):
                self.board.pieces.pop(_square(square), None)
        elif row := re.fullmatch(r"P([1-9])(.*)", said):
            cells = re.findall(r"...", f"{row[2]:<{3 * self.board.size}}")
            for place, cell in enumerate(cells[: self.board.size]):
                if cell[0] in "+-":
                    self.board.pieces[self.board.size - place, int(row[1])] = self._mark(cell[1:], cell[0])
        elif said[:2] in ("P+", "P-"):
            for square, name in re.findall(r"(\d\d)(..)", said[2:]):
                self._put(square, name, said[1])
        else:
            raise self._wrong(f"{said[:60]!r} places no pieces")

    def _put(self, square: str, name: str, sign: str) -> None:
        hand = self.board.hands[sign == "-"]
        if square != "00":
            self.board.pieces[_square(square)] = self._mark(name, sign)
        elif name == "AL":  # all that are left
            used = [mark.upper().lstrip("+") for mark in self.board.pieces.values()]
            for letter, count in _ALL.items():
                held = sum(side.get(letter, 0) for side in self.board.hands)
                hand[letter] = hand.get(letter, 0) + count - used.count(letter) - held
        else:
            letter = self._mark(name, "+")
            hand[letter] = hand.get(letter, 0) + 1

    def _mark(self, name: str, sign: str) -> str:
        if name not in _PIECES:
            raise self._wrong(self._no_piece(name))
        return _PIECES[name] if sign == "+" else _PIECES[name].lower()

    def _no_piece(self, name: str) -> str:
        return f"{name!r} is no piece: {' '.join(_PIECES)}"

    def _begin(self, sign: str) -> None:
        if self.settled:
            raise self._wrong("who begins is told twice")
        self.settled = True
        if not self.placed:
            self.board = self.draft.diagram()
        self.board.turn = int(sign == "-")
        self.draft.start(self.board)

    def _move(self, move: re.Match[str]) -> None:
        draft, written = self.draft, move[0]
        if not self.settled:
            self._begin(move[1])
        if move[4] not in _PIECES:
            raise self._wrong(f"move {draft.ply + 1}, {written}: {self._no_piece(move[4])}")
        mark, here = _PIECES[move[4]], draft.diagram()
        if draft.broken is None and (move[1] == "-") != bool(here.turn):
            raise self._wrong(f"move {draft.ply + 1}, {written}: it is the other player's turn")
        target = square_text(_square(move[3]))
        if move[2] == "00":
            draft.play(f"{mark}*{target}", written)
            return
        start = _square(move[2])
        before = here.pieces.get(start, "").upper()
        if before not in (mark, mark.lstrip("+")) and draft.broken is None:
            raise self._wrong(f"move {draft.ply + 1}, {written}: the piece on {move[2]} cannot become {move[4]}")
        draft.play(square_text(start) + target + "+" * (before != mark), written)

    def _end(self, word: str) -> None:
        draft = self.draft
        turn = draft.position.turn
        losing = {"TORYO": Why.RESIGNED, "TIME_UP": Why.TIME}
        if word in losing:
            draft.end(losing[word], turn)
        elif word == "ILLEGAL_MOVE":
            draft.end(Why.ILLEGAL, turn if draft.broken is not None else 1 - turn)
        elif word in ("+ILLEGAL_ACTION", "-ILLEGAL_ACTION"):
            draft.end(Why.ILLEGAL, int(word[0] == "-"))
        elif word in _DRAWN:
            draft.end(Why.DECIDED, score=0)
        elif word == "KACHI":
            draft.end(Why.DECIDED, score=1 if turn == 0 else -1)
        elif word == "MAX_MOVES":
            draft.end(Why.TOO_LONG)
        elif word == "TSUMI":
            if draft.broken is None and draft.position.result is None:
                raise self._wrong("%TSUMI says that the last move mates, and it does not")
        else:
            draft.end(Why.STOPPED)


def _square(digits: str) -> Square:
    return int(digits[0]), int(digits[1])


def write(records: list[Record]) -> str:
    """These games as one text."""
    return _ENCODING + BETWEEN.join(_game(record) for record in records)


def _game(record: Record) -> str:
    if not is_shogi(record.game):
        raise Unsuitable(f"CSA holds games of shogi, not of {record.game.name}")
    positions, seconds = record.replay(), whole_seconds(record.notes)
    here = Diagram.read(positions[0].text())
    lines = ["V2.2", f"N+{one_line(record.players[0])}", f"N-{one_line(record.players[1])}"]
    if record.event:
        lines.append(f"$EVENT:{one_line(record.event)}")
    lines += [*_board(here), "+-"[here.turn]]
    for ply, usi in enumerate(record.position.history()):
        here = Diagram.read(positions[ply].text())
        lines.append(_move(usi, here))
        if seconds[ply] is not None:
            lines.append(f"T{seconds[ply]}")
    ending = record.ending
    return "\n".join([*lines, *([_ending(ending, record)] if ending is not None else []), ""])


def _board(diagram: Diagram) -> list[str]:
    lines = []
    for rank in range(1, diagram.size + 1):
        cells = []
        for file in range(diagram.size, 0, -1):
            mark = diagram.pieces.get((file, rank))
            cells.append(" * " if mark is None else f"{'+-'[mark.islower()]}{_NAMES[mark.upper()]}")
        lines.append(f"P{rank}{''.join(cells)}")
    for side, hand in enumerate(diagram.hands):
        held = "".join(f"00{_NAMES[letter]}" * count for letter, count in hand.items())
        if held:
            lines.append(f"P{'+-'[side]}{held}")
    return lines


def _move(usi: str, here: Diagram) -> str:
    sign = "+-"[here.turn]
    file, rank = square_of(usi[2:4])
    if usi[1] == "*":
        return f"{sign}00{file}{rank}{_NAMES[usi[0]]}"
    start = square_of(usi[:2])
    mark = here.pieces[start].upper()
    return f"{sign}{start[0]}{start[1]}{file}{rank}{_NAMES['+' + mark if usi.endswith('+') else mark]}"


def _ending(ending: Ending, record: Record) -> str:
    """How it ended, in the words of the format."""
    turn = record.position.turn
    if ending.why is Why.RULES:
        return "%TSUMI" if not record.position.codes else "%SENNICHITE"
    if ending.why is Why.RESIGNED and ending.by == turn:
        return "%TORYO"
    if ending.why is Why.TIME and ending.by == turn:
        return "%TIME_UP"
    if ending.why is Why.ILLEGAL:
        return f"%{'+-'[ending.by or 0]}ILLEGAL_ACTION"
    if ending.why is Why.TOO_LONG:
        return "%MAX_MOVES"
    if ending.why is Why.DECIDED and ending.score == 0:
        return "%JISHOGI"
    return "%CHUDAN"
