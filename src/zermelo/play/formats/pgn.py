"""PGN, as games of chess are exchanged: read and written as records (Steven Edwards, 1994, Portable Game Notation).

Moves are read in SAN or as engines write them. Comments in braces may be the notes of a record; variations, marks of
quality and comments of other kinds are read over. A position where play began stands in the tag FEN. `Variant` names
the board if it is not the standard one, and the rule about stalemate if that is not the usual one; it is compared with
the game that the person names.

Why a game ended that is not over by the rules stands in the tag `Termination`: somebody ran out of time, or others
decided; `normal` is a resignation, if somebody won. Where there is no such tag the reason is not told, and no tag is
written for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from zermelo.games.chess.san import write_san
from zermelo.play.clock import NO_CLOCK, Clock
from zermelo.play.ending import Ending, Why
from zermelo.play.record import MOST_SHOWN, Note, Record
from zermelo.rules import Game, MoveError, Position, Unsuitable, ZermeloError

WIDTH = 79
RESULTS = {"1-0": 1, "0-1": -1, "1/2-1/2": 0, "*": None}
_STANDARD = ("", "standard", "chess", "normal", "from position")
_TERMINATION = {
    Why.RULES: "normal", Why.RESIGNED: "normal", Why.DECIDED: "adjudication", Why.TOO_LONG: "adjudication",
    Why.TIME: "time forfeit", Why.ILLEGAL: "rules infraction", Why.FAILED: "abandoned",
}  # fmt: skip
_LOSING = {
    "normal": Why.RESIGNED, "time forfeit": Why.TIME, "rules infraction": Why.ILLEGAL, "abandoned": Why.FAILED,
}  # fmt: skip
_CONTROL = re.compile(r"[1-9]\d*(\+\d+)?")
_TAG = re.compile(r'\[\s*(?P<name>\w+)\s+"(?P<value>(?:[^"\\]|\\.)*)"\s*\]')
_TOKEN = re.compile(
    r'(?P<tag>\[\s*\w+\s+"(?:[^"\\]|\\.)*"\s*\])|\{(?P<comment>[^}]*)\}|(?P<line>;[^\n]*)|(?P<open>\()|(?P<close>\))'
    r"|(?P<result>1-0|0-1|1/2-1/2|\*)(?=[\s(){};]|$)|(?P<mark>\$\d+|[!?]+|\d+\.+|\d+(?=\s)|\.+|e\.p\.)|(?P<move>[^\s(){};$.]+)"
)


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


def variant(game: Game) -> str:
    """What the tag `Variant` says of a game, empty for the usual one."""
    told = game.parameters
    board = "" if told.get("board", "standard") == "standard" else str(told["board"])
    return ", ".join(filter(None, (board, "stalemate=win" if told.get("stalemate") == "win" else "")))


def read(text: str, game: Game) -> list[Record]:
    """The games that a text in PGN holds. What is wrong is told with the number of the game, and the move."""
    _check_game(game)
    games: list[list[_Token]] = []
    begun = False  # whether the last game has moves or a result already, so that a tag begins another one
    try:
        for token in _tokens(text):
            if not games or (token.kind == "tag" and begun) or games[-1][-1].kind == "result":
                games.append([])
                begun = False
            games[-1].append(token)
            begun = begun or token.kind in ("move", "result")
    except Unsuitable as wrong:
        ended = not games or games[-1][-1].kind == "result"
        raise Unsuitable(f"game {len(games) + ended}: {wrong}") from None
    return [_Reader(game, number).read(tokens) for number, tokens in enumerate(games, 1)]


def write(records: list[Record]) -> str:
    """Records as a text in PGN."""
    return "\n".join(_written(record) for record in records)


def _check_game(game: Game) -> None:
    if game.name != "chess":
        raise Unsuitable(f"PGN holds games of chess, not of {game.name}: name the file otherwise, such as games.txt")


def _tokens(text: str) -> Iterator[_Token]:
    """Everything but blanks, variations and what can be read over."""
    text = re.sub(r"(?m)^%.*$", "", text)
    at, line, depth, opened = 0, 1, 0, 0
    while at < len(text):
        if text[at].isspace():
            line += text[at] == "\n"
            at += 1
            continue
        found = _TOKEN.match(text, at)
        if found is None or found.lastgroup is None:
            shown = repr(text[at : at + 20])
            if text[at] == "{":
                raise Unsuitable(f"line {line}: {shown} opens a comment that no }} closes")
            raise Unsuitable(f"line {line}: {shown} is neither a tag nor a move nor a comment")
        at, kind = found.end(), found.lastgroup
        line += found[0].count("\n")
        opened = line if kind == "open" and depth == 0 else opened
        depth += (kind == "open") - (kind == "close")
        if depth < 0:
            raise Unsuitable(f"line {line}: ) closes a variation that was not opened")
        if depth == 0 and kind in ("tag", "comment", "result", "move"):
            yield _Token(kind, found[kind], line)
    if depth:
        raise Unsuitable(f"line {opened}: ( opens a variation that no ) closes")


class _Reader:
    """Reads one game."""

    def __init__(self, game: Game, number: int) -> None:
        self.game, self.number = game, number
        self.tags: dict[str, str] = {}
        self.notes: list[Note] = []

    def read(self, tokens: list[_Token]) -> Record:
        for token in tokens:
            tag = _TAG.fullmatch(token.text) if token.kind == "tag" else None
            if tag:
                self.tags[tag["name"].lower()] = re.sub(r"\\(.)", r"\1", tag["value"])
        self._check_variant()
        try:
            position = self.game.position(self.tags.get("fen", ""))
        except ZermeloError as wrong:
            raise self._wrong(f"the tag FEN is wrong: {wrong}") from None
        began = self.tags.get("fen", "") if position.state != self.game.start else ""
        result = ""
        for token in tokens:
            if token.kind == "move":
                position = self._played(position, token)
                self.notes.append(Note())
            elif token.kind == "comment" and self.notes:
                self.notes[-1] = Note.read(" ".join(token.text.split()))
            elif token.kind == "result":
                result = token.text
        told = [value if value != "?" else "" for value in map(self._tag, ("white", "black", "event"))]
        return Record(
            position, tuple(self.notes), (told[0], told[1]), self._clock(), None, began,
            self._ending(position, result or self._tag("result") or "*"), told[2],
        )  # fmt: skip

    def _tag(self, name: str) -> str:
        return self.tags.get(name, "")

    def _wrong(self, what: str) -> Unsuitable:
        white, black = self._tag("white"), self._tag("black")
        who = f" ({white or '?'} against {black or '?'})" if white or black else ""
        return Unsuitable(f"game {self.number}{who}: {what}"[:MOST_SHOWN])

    def _check_variant(self) -> None:
        told, ours = self._tag("variant").strip(), variant(self.game)
        same = told.lower() == ours.lower() if ours else told.lower() in _STANDARD
        if not same and (told or ours not in ("", "stalemate=win")):
            raise self._wrong(f"it is of the variant {told or 'Standard'}, and not of {ours or 'standard chess'}")

    def _played(self, position: Position, token: _Token) -> Position:
        number, black = divmod(len(self.notes) + position.line()[0].turn, 2)
        move = f"line {token.line}, move {number + 1}{'...' if black else '.'} {token.text}"
        if position.result is not None:
            raise self._wrong(f"{move} cannot be played: the game is over")
        try:
            return position.play(token.text)
        except MoveError as illegal:
            raise self._wrong(f"{move}: {illegal}") from None

    def _clock(self) -> Clock:
        control = self._tag("timecontrol")
        return Clock.read(control) if _CONTROL.fullmatch(control) else NO_CLOCK

    def _ending(self, position: Position, result: str) -> Ending | None:
        if result not in RESULTS:
            raise self._wrong(f"the result is 1-0, 0-1, 1/2-1/2 or *, not {result}")
        score = RESULTS[result]
        if position.result is not None:
            if score is not None and score != position.result:
                raise self._wrong(f"the result is said to be {result}, but by the rules it is {position.result:+g}")
            return Ending.of(position, Why.RULES)
        if score is None:
            return None
        termination = self._tag("termination").lower()
        if termination == "adjudication":
            return Ending.of(position, Why.DECIDED, score=score)
        if score == 0 or termination not in _LOSING:
            return Ending.of(position, Why.UNTOLD, score=score)
        return Ending.of(position, _LOSING[termination], 1 if score > 0 else 0)


def _written(record: Record) -> str:
    _check_game(record.game)
    score = None if record.ending is None else record.ending.score
    result = next(text for text, value in RESULTS.items() if value == score)
    white, black = (player or "?" for player in record.players)
    tags = {
        "Event": record.event or "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": white, "Black": black,
        "Result": result,
    }  # fmt: skip
    root = record.replay()[0]
    if root.state != record.game.start:
        tags |= {"SetUp": "1", "FEN": root.text()}
    if variant(record.game):
        tags["Variant"] = variant(record.game)
    if _CONTROL.fullmatch(str(record.clock)):
        tags["TimeControl"] = str(record.clock)
    if record.ending is not None and record.ending.why is not Why.UNTOLD:
        tags["Termination"] = _TERMINATION.get(record.ending.why, "unterminated")
    head = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items()]
    return "\n".join([*head, "", *_lines([*_words(record), result]), ""])


def _escaped(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


def _words(record: Record) -> Iterator[str]:
    """Moves with their numbers and comments."""
    line = record.replay()
    after_comment = True
    for ply, (before, after, note) in enumerate(zip(line, line[1:], record.notes)):
        number = (ply + line[0].turn) // 2 + 1
        assert after.last_move is not None
        san = write_san(record.game.moves, record.game.play, before.state, after.last_move)
        if before.turn == 0:
            yield f"{number}. {san}"
        else:
            yield f"{number}... {san}" if after_comment else san
        after_comment = bool(str(note))
        if after_comment:
            yield f"{{{note}}}"


def _lines(words: list[str]) -> list[str]:
    """Words on lines of at most WIDTH characters."""
    lines = [""]
    for word in " ".join(words).split(" "):
        if lines[-1] and len(lines[-1]) + len(word) >= WIDTH:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return lines
