"""What graphical programs ask beyond GTP.

- GoGui (Rémi Coulom's): `gogui-rules_…`, by which it is a board for any game that is drawn as rows and columns, and
  `gogui-analyze_commands`, by which it shows values on the board. Who asks these names cells as GoGui does.
- HexGui: `hexgui-analyze_commands`, the same with Hex's own names of cells.
- Sabaki and Lizzie: `lz-analyze` of Leela Zero and `kata-analyze` of KataGo, lines of analysis until something is said.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from zermelo.compile.watch import Brake, Limits
from zermelo.play.scale import centipawns
from zermelo.protocols.gtp_table import COLOURS, PASS, Refusal
from zermelo.rules import CHANCE, Position

if TYPE_CHECKING:
    from zermelo.protocols.gtp import Gtp
    from zermelo.protocols.thinking import Line

SHOWN = 10
"""So many moves an analysis tells of."""
_ANALYSES = ("gfx/Values of all moves/zermelo-values", "string/Status/zermelo-status", "var/Best line/zermelo-line")


def commands(talk: Gtp) -> dict[str, Callable[[list[str]], str]]:
    """The commands by name."""

    def as_gogui(answer: Callable[[], str]) -> Callable[[list[str]], str]:
        def answered(words: list[str]) -> str:
            if talk.table.drawn.grid is None:
                raise Refusal(f"{talk.table.game.name} is not drawn as rows and columns")
            talk.table.gogui = True
            return answer()

        return answered

    return {
        "gogui-rules_game_id": as_gogui(lambda: talk.table.game.name.capitalize()),
        "gogui-rules_board": as_gogui(lambda: "\n" + "\n".join(talk.table.drawn.rows())),
        "gogui-rules_board_size": as_gogui(lambda: _size(talk)),
        "gogui-rules_board_gfx": as_gogui(lambda: _pieces(talk)),
        "gogui-rules_legal_moves": as_gogui(lambda: _legal(talk)),
        "gogui-rules_side_to_move": as_gogui(lambda: ("black", "white", "black")[talk.table.position.turn]),
        "gogui-rules_final_result": as_gogui(lambda: _result(talk.table.position)),
        "gogui-analyze_commands": lambda words: "\n".join(_ANALYSES),
        "hexgui-analyze_commands": lambda words: "\n".join(_ANALYSES),
        "zermelo-values": lambda words: _values(talk),
        "zermelo-status": lambda words: _status(talk),
        "zermelo-line": lambda words: _best_line(talk),
        **{name: _endless(talk, form) for name, form in ENDLESS.items()},
    }


def _size(talk: Gtp) -> str:
    drawn = talk.table.drawn
    assert drawn.grid is not None
    across, down = drawn.size
    return f"{across}{'' if across == down else f' {down}'}{' hex' if drawn.grid.skew else ''}"


def _pieces(talk: Gtp) -> str:
    drawn = talk.table.drawn
    labels = " ".join(f"{drawn.vertex(cell)} {mark}" for cell, mark in drawn.labels())
    return f"LABEL {labels}" if labels else ""


def _legal(talk: Gtp) -> str:
    """The cells that may be tapped next; nothing once the game is over."""
    table = talk.table
    if table.over or table.position.turn == CHANCE:
        return ""
    drawn, begun = table.drawn, tuple(table.taps)
    paths = drawn.taps.values()
    cells = [path[len(begun)] for path in paths if len(path) > len(begun) and path[: len(begun)] == begun]
    words = [drawn.vertex(cell) for cell in dict.fromkeys(cells)]
    return " ".join([*words, *([PASS] if PASS in table.position.moves() else [])])


def _result(position: Position) -> str:
    score = position.result
    if score is None:
        return "The game is not over."
    if score == 0:
        return "The game is drawn."
    margin = f" by {abs(score):g}" if position.game.values[1] > 1 else ""
    return f"{'Black' if score > 0 else 'White'} wins{margin}."


# analysis


def _looked_at(talk: Gtp, count: int) -> list[Line]:
    position = talk.table.position
    if talk.table.over or position.turn == CHANCE:
        raise Refusal("no player is to move")
    return talk.engine.think(position, talk.table.limits(position), Brake(), lambda lines: None, count)


def _words(talk: Gtp, position: Position, moves: Sequence[str]) -> list[str]:
    """A line of moves from a position on, as they are told."""
    told = []
    for move in moves:
        code = position.code_of(move)
        told.append(talk.table.word(position, code))
        position = position.play(code)
    return told


def in_words(line: Line, position: Position) -> str:
    """What a line is worth to who is to move: W, D or L where that is proven, else a number."""
    if line.value is None:
        return "?"
    mine = -line.value if position.turn == 1 else line.value
    if line.status == "proven":
        if position.game.values[1] > 1:
            return f"{mine:+g}"
        return "D" if mine == 0 else "W" if mine > 0 else "L"
    return f"{centipawns(line.value, position) / 100:+.1f}"


def _values(talk: Gtp) -> str:
    """Every move labelled by what it is worth, the best ones coloured."""
    position = talk.table.position
    lines = [line for line in _looked_at(talk, max(len(position.codes), 2)) if line.moves]
    named = [(talk.table.word(position, position.code_of(line.moves[0])), line) for line in lines]
    labels = " ".join(f"{word} {in_words(line, position)}" for word, line in named if word != PASS)
    best = [word for word, line in named if line.value == named[0][1].value and word != PASS]
    colour = [f"COLOR #80c080 {' '.join(dict.fromkeys(best))}"] if best else []
    return "\n".join([f"LABEL {labels}", *colour, f"TEXT {_said(named[0][1], position)}"])


def _said(line: Line, position: Position) -> str:
    return f"{in_words(line, position)} for {('black', 'white')[position.turn]}, {line.status}, depth {line.depth}"


def _status(talk: Gtp) -> str:
    if talk.table.position.result is not None:
        return _result(talk.table.position)
    line = _looked_at(talk, 1)[0]
    return f"{_said(line, talk.table.position)}, {line.nodes} nodes"


def _best_line(talk: Gtp) -> str:
    return " ".join(_words(talk, talk.table.position, _looked_at(talk, 1)[0].moves))


def _analyse(talk: Gtp, words: list[str], form: Callable[[Line, int, str, Position], str]) -> str:
    """Tell of the best moves again and again, until the next command comes; that is the end of the answer."""
    table, position = talk.table, talk.table.position
    colours = [COLOURS[word.lower()] for word in words if word.lower() in COLOURS]
    numbers = [int(word) for word in words if word.isascii() and word.isdigit()]
    if table.over:
        raise Refusal("the game is over")
    if colours:
        position = table.reached(colours[0])
    every = (numbers[0] if numbers else 100) / 100
    brake, told, last = talk.analyses[0], 0.0, ""
    talk.begin_answer()

    def tell(lines: Sequence[Line]) -> None:
        nonlocal told, last
        here = [
            form(line, order, " ".join(_words(talk, position, line.moves)), position)
            for order, line in enumerate(lines) if line.moves
        ]  # fmt: skip
        last = " ".join(here)
        if time.monotonic() - told >= every:
            told = time.monotonic()
            talk.voice.say(last)
            last = ""

    limits = Limits(seconds=math.inf)
    talk.engine.think(position, limits, brake, tell, max(min(SHOWN, len(position.codes)), 2))
    if last:
        talk.voice.say(last)
    while brake.reason is None and not talk.voice.gone.is_set():  # all is known, but nobody has asked for anything else
        time.sleep(0.02)
    raise Finished


def _rate(line: Line, position: Position) -> float:
    """A value as the share of games that would be won."""
    low, high = position.game.values
    value = (low + high) / 2 if line.value is None else line.value
    share = (value - low) / (high - low)
    return 1 - share if position.turn == 1 else share


def _leela(line: Line, order: int, pv: str, position: Position) -> str:
    rate = round(10000 * _rate(line, position))
    move = pv.split()[0]
    return f"info move {move} visits {max(line.nodes, 1)} winrate {rate} prior 0 lcb {rate} order {order} pv {pv}"


def _kata(line: Line, order: int, pv: str, position: Position) -> str:
    rate, move = _rate(line, position), pv.split()[0]
    mine = 0.0 if line.value is None else -line.value if position.turn == 1 else line.value
    return (
        f"info move {move} visits {max(line.nodes, 1)} winrate {rate:.6g} scoreMean {mine:.6g} scoreLead {mine:.6g} "
        f"prior 0 lcb {rate:.6g} order {order} pv {pv}"
    )


ENDLESS = {"lz-analyze": _leela, "kata-analyze": _kata}
"""The commands whose answers go on until the next command."""


def _endless(talk: Gtp, form: Callable[[Line, int, str, Position], str]) -> Callable[[list[str]], str]:
    def answered(words: list[str]) -> str:
        try:
            return _analyse(talk, words, form)
        finally:
            talk.analyses.pop(0)

    return answered


class Finished(Exception):
    """The answer has been told already, but for the empty line that ends it."""
