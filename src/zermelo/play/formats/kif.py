"""KIF records of shogi, which most Japanese programs write: read and written.

Headers 先手：NAME (first), 後手：NAME (second), 棋戦：EVENT, 手合割：平手 (what play begins with: even, or a handicap),
or a diagram of where play begins, with both hands. Then a move a line: its number, the target in one digit and one
Chinese numeral (同 for the square of the move before), the piece, 成 if it promotes, 打 if it is dropped, else where it
came from in brackets; the time it took. The last line says how the game ended. Comments (*, #, &) and variations (変化)
are read over.
"""

from __future__ import annotations

import re

from zermelo.play.ending import Why
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

ALSO = ("kifu",)
ENCODINGS = {"kif": "cp932"}
"""Programs take a .kif for Shift-JIS, and a .kifu for UTF-8."""
OLD = "cp932"
_PIECES = {
    "歩": "P", "香": "L", "桂": "N", "銀": "S", "金": "G", "角": "B", "飛": "R", "玉": "K", "王": "K", "と": "+P",
    "成香": "+L", "杏": "+L", "成桂": "+N", "圭": "+N", "成銀": "+S", "全": "+S", "馬": "+B", "龍": "+R", "竜": "+R",
}  # fmt: skip
_NAMES = {mark: name for name, mark in reversed(_PIECES.items()) if name not in "王竜杏圭全"}
_ONE = {**_NAMES, "+L": "杏", "+N": "圭", "+S": "全"}
"""The same in one character, for diagrams."""
_RANKS, _WIDE = "一二三四五六七八九", "１２３４５６７８９"
_COUNTS = ["", *_RANKS, "十", *(f"十{unit}" for unit in _RANKS[:8])]
_HANDICAPS = {  # what the second player, who then begins, plays without
    "香落ち": "11", "右香落ち": "91", "角落ち": "22", "飛車落ち": "82", "飛香落ち": "82 11", "二枚落ち": "82 22",
    "三枚落ち": "82 22 11", "四枚落ち": "82 22 11 91", "五枚落ち": "82 22 11 91 81", "左五枚落ち": "82 22 11 91 21",
    "六枚落ち": "82 22 11 91 21 81", "八枚落ち": "82 22 11 91 21 81 31 71", "十枚落ち": "82 22 11 91 21 81 31 71 41 61",
}  # fmt: skip
_EVEN, _MINI = "平手", "5五将棋"
_MOVE = re.compile(
    r"\s*(?P<number>\d+)\s+(?:(?P<to>[１-９1-9][一二三四五六七八九])|同)[ 　]*"
    r"(?P<piece>成香|成桂|成銀|[歩香桂銀金角飛玉王と杏圭全馬龍竜])(?:(?P<drop>打)|(?P<promotes>不成|成)?\((?P<start>\d\d)\))"
    r"(?P<rest>.*)"
)
_END = re.compile(r"\s*\d+\s+(?P<word>\S+?)(?:\s*\(.*)?\s*")
_TIME = re.compile(r"\(\s*(?:(\d+):)?(\d+):(\d+)\s*[/)]")
_READ_OVER = ("手数", "まで", "+-", "先手番", "下手番")
_ROW = re.compile(r"\|(?P<cells>.*)\|(?P<rank>[一二三四五六七八九])?\s*")
_CELL = re.compile(r"([ v])(・|[歩香桂銀金角飛玉王と杏圭全馬龍竜])")


def read(text: str, game: Game) -> list[Record]:
    """The games that a text holds."""
    return [_Reader(game, number).read(lines) for number, lines in enumerate(_games(text), 1)]


def _games(text: str) -> list[list[str]]:
    """The lines of each game, without variations: a header after moves begins the next one."""
    games: list[list[str]] = [[]]
    moved = variation = False
    for line in text.splitlines():
        header = "：" in line and not line.startswith(("*", "#", "&", "まで", "変化"))
        if header and moved:
            games.append([])
            moved = variation = False
        variation = variation or line.startswith("変化")
        if line.strip() and not line.startswith(("*", "#", "&")) and not variation:
            games[-1].append(line)
            moved = moved or _MOVE.fullmatch(line) is not None or _END.fullmatch(line) is not None
    return [lines for lines in games if lines]


class _Reader:
    """Reads one game, line by line."""

    def __init__(self, game: Game, number: int) -> None:
        self.draft, self.number = Draft(game, number), number
        self.board = self.draft.diagram()
        self.drawn = Diagram(self.board.size)
        self.rows = 0
        self.settled = False
        self.last: Square | None = None

    def read(self, lines: list[str]) -> Record:
        for line in lines:
            row, move = _ROW.fullmatch(line.rstrip()), _MOVE.fullmatch(line)
            if row:
                self._row(row["cells"])
            elif move:
                self._move(move)
            elif "：" in line:
                self._header(*line.split("：", 1))
            elif line.strip() in ("後手番", "上手番"):
                self.drawn.turn = 1
            elif (end := _END.fullmatch(line)) and not end["word"].isascii():
                self._end(end["word"])
            elif line.lstrip().startswith(_READ_OVER) or set(line) <= set(f" 　{_WIDE}"):
                continue
            else:
                raise self._wrong(f"{line.strip()[:60]!r} is no line of KIF")
        self._settle()
        return self.draft.record()

    def _wrong(self, why: str) -> Unsuitable:
        return Unsuitable(f"game {self.number}: {why}")

    def _header(self, name: str, value: str) -> None:
        draft, value = self.draft, value.strip(" 　")
        if name in ("先手", "下手"):
            draft.players[0] = one_line(value)
        elif name in ("後手", "上手"):
            draft.players[1] = one_line(value)
        elif name == "棋戦":
            draft.event = one_line(value)
        elif name in ("先手の持駒", "下手の持駒"):
            self._hand(0, value)
        elif name in ("後手の持駒", "上手の持駒"):
            self._hand(1, value)
        elif name == "手合割" and value in _HANDICAPS:
            self.board = Diagram.read(f"{SHOGI_START} w - 1")
            for square in _HANDICAPS[value].split():
                del self.board.pieces[int(square[0]), int(square[1])]
        elif name == "手合割" and value not in (_EVEN, _MINI, "５五将棋", "その他"):
            raise self._wrong(f"no handicap is called {value[:40]}: {'、'.join([_EVEN, *_HANDICAPS])}")

    def _hand(self, side: int, value: str) -> None:
        for item in re.split(r"[ 　]+", value):
            if item in ("", "なし"):
                continue
            letter = _PIECES.get(item[0], "")
            count = item[1:] or "一"
            if letter not in "PLNSGBR" or letter == "" or count not in _COUNTS:
                raise self._wrong(f"{item[:20]!r} cannot be in hand")
            self.drawn.hands[side][letter] = _COUNTS.index(count)

    def _row(self, cells: str) -> None:
        self.rows += 1
        marks = _CELL.findall(cells)
        if len(marks) != self.drawn.size or self.rows > self.drawn.size:
            raise self._wrong(f"the diagram must have {self.drawn.size} rows of {self.drawn.size} squares")
        for place, (owner, name) in enumerate(marks):
            if name != "・":
                mark = _PIECES[name]
                self.drawn.pieces[self.drawn.size - place, self.rows] = mark.lower() if owner == "v" else mark

    def _settle(self) -> None:
        """What came before the moves told where play begins."""
        if not self.settled:
            self.settled = True
            if self.rows not in (0, self.drawn.size):
                raise self._wrong(f"the diagram has {self.rows} rows, not {self.drawn.size}")
            self.draft.start(self.drawn if self.rows else self.board)

    def _move(self, move: re.Match[str]) -> None:
        self._settle()
        draft, written = self.draft, move[0].split("(")[0].strip()
        if draft.broken is None and int(move["number"]) != draft.ply + 1:
            raise self._wrong(f"move {draft.ply + 1} is numbered {move['number']}")
        if move["to"]:
            digit = move["to"][0]
            self.last = (_WIDE.index(digit) + 1 if digit in _WIDE else int(digit), _RANKS.index(move["to"][1]) + 1)
        elif self.last is None:
            raise self._wrong(f"{written} goes to the square of the move before, but there is none")
        mark, target = _PIECES[move["piece"]], square_text(self.last)
        if move["drop"]:
            draft.play(f"{mark}*{target}", written)
        else:
            start = (int(move["start"][0]), int(move["start"][1]))
            there = draft.diagram().pieces.get(start, "").upper()
            if draft.broken is None and there != mark:
                raise self._wrong(f"move {draft.ply + 1}, {written}: {move['piece']} does not stand on {move['start']}")
            draft.play(square_text(start) + target + "+" * (move["promotes"] == "成"), written)
        if taken := _TIME.search(move["rest"]):
            hours, minutes, seconds = (int(part or 0) for part in taken.groups())
            draft.took(3600 * hours + 60 * minutes + seconds)

    def _end(self, word: str) -> None:
        self._settle()
        draft = self.draft
        turn = draft.position.turn
        if word == "投了":
            draft.end(Why.RESIGNED, turn)
        elif word == "切れ負け":
            draft.end(Why.TIME, turn)
        elif word == "反則勝ち":
            draft.end(Why.ILLEGAL, turn if draft.broken is not None else 1 - turn)
        elif word == "反則負け":
            draft.end(Why.ILLEGAL, turn)
        elif word in ("千日手", "持将棋"):
            draft.end(Why.DECIDED, score=0)
        elif word == "入玉勝ち":
            draft.end(Why.DECIDED, score=1 if turn == 0 else -1)
        elif word in ("詰み", "不詰"):
            if word == "詰み" and draft.broken is None and draft.position.result is None:
                raise self._wrong("詰み says that the last move mates, and it does not")
        elif word == "中断":
            draft.end(Why.STOPPED)
        else:
            raise self._wrong(f"{word[:40]!r} is neither a move nor an end of the game")


def write(records: list[Record]) -> str:
    """These games as one text."""
    return "\n".join(_game(record) for record in records)


def _game(record: Record) -> str:
    if not is_shogi(record.game):
        raise Unsuitable(f"KIF holds games of shogi, not of {record.game.name}")
    positions, seconds = record.replay(), whole_seconds(record.notes)
    first = Diagram.read(positions[0].text())
    lines = [f"棋戦：{one_line(record.event)}"] if record.event else []
    if positions[0].state != record.game.start:
        lines += _diagram(first)
    else:
        lines.append(f"手合割：{_EVEN if first.size == 9 else _MINI}")
    lines += [f"先手：{one_line(record.players[0])}", f"後手：{one_line(record.players[1])}"]
    lines.append("手数----指手---------消費時間--")
    before, spent = "", [0, 0]
    for ply, usi in enumerate(record.position.history()):
        here = Diagram.read(positions[ply].text())
        spent[ply % 2] += seconds[ply] or 0
        lines.append(f"{ply + 1:>4} {_move(usi, here, before)}{_clock(seconds[ply], spent[ply % 2])}")
        before = usi[2:4]
    word = _ending(record)
    if word:
        lines += [f"{len(record.notes) + 1:>4} {word}", f"まで{len(record.notes)}手で{_verdict(record, word)}"]
    return "\n".join([*lines, ""])


def _move(usi: str, here: Diagram, before: str) -> str:
    file, rank = square_of(usi[2:4])
    target = "同　" if usi[2:4] == before else f"{_WIDE[file - 1]}{_RANKS[rank - 1]}"
    if usi[1] == "*":
        return f"{target}{_NAMES[usi[0]]}打"
    start = square_of(usi[:2])
    name = _NAMES[here.pieces[start].upper()]
    return f"{target}{name}{'成' * usi.endswith('+')}({start[0]}{start[1]})"


def _clock(seconds: int | None, spent: int) -> str:
    if seconds is None:
        return ""
    total = f"{spent // 3600:02}:{spent // 60 % 60:02}:{spent % 60:02}"
    return f"   ({seconds // 60:>2}:{seconds % 60:02}/{total})"


def _diagram(diagram: Diagram) -> list[str]:
    """A picture of the board, with both hands."""

    def held(side: int) -> str:
        hand = diagram.hands[side].items()
        return "　".join(f"{_NAMES[letter]}{_COUNTS[count] if count > 1 else ''}" for letter, count in hand) or "なし"

    edge = f"+{'---' * diagram.size}+"
    lines = [f"後手の持駒：{held(1)}", " " + "".join(f" {digit}" for digit in reversed(_WIDE[: diagram.size])), edge]
    for rank in range(1, diagram.size + 1):
        cells = []
        for file in range(diagram.size, 0, -1):
            mark = diagram.pieces.get((file, rank))
            cells.append(" ・" if mark is None else f"{'v' if mark.islower() else ' '}{_ONE[mark.upper()]}")
        lines.append(f"|{''.join(cells)}|{_RANKS[rank - 1]}")
    return [*lines, edge, f"先手の持駒：{held(0)}", *(["後手番"] if diagram.turn else [])]


def _ending(record: Record) -> str:
    """How it ended, in the words of the format; nothing if it has not."""
    ending, turn = record.ending, record.position.turn
    if ending is None:
        return ""
    if ending.why is Why.RULES:
        return "詰み" if not record.position.codes else "千日手"
    if ending.why is Why.RESIGNED and ending.by == turn:
        return "投了"
    if ending.why is Why.TIME and ending.by == turn:
        return "切れ負け"
    if ending.why is Why.ILLEGAL:
        return "反則負け" if ending.by == turn else "反則勝ち"
    if ending.why is Why.DECIDED and ending.score == 0:
        return "持将棋"
    return "中断"


def _verdict(record: Record, word: str) -> str:
    """Who has won, or how else it ended."""
    score = None if record.ending is None else record.ending.score
    if not score:
        return word
    return f"{'先手' if score > 0 else '後手'}の勝ち"
