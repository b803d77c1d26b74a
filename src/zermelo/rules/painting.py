"""Boards as SVG: the only place where spots, lines, pieces and words become a picture.

Every spot is a group `<g class="spot" data-spot="b2" data-x="60" data-y="26">`, so that whoever shows the picture knows
where the spots are and which was tapped. Colours are attributes, which hold wherever the picture is shown alone;
classes let a page give others. Nothing needs a font but plain letters and digits.
"""

from __future__ import annotations

import math
import re
from html import escape

from zermelo.rules.board import Board, Line, Piece, Spot, Word
from zermelo.rules.drawing import FIRST, GROUND, INK, LINE, SECOND
from zermelo.rules.figures import FIGURES, SUITS

CELL = 40
"""The size of a cell in the picture."""
EDGE = 6
"""What is left free around it."""
_SHADE, _CARD = "#e0d0c6", "#fffdf8"
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PIPS = {1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "023568"}


def picture(board: Board) -> str:
    """The board as one SVG element."""
    width, height = _size(board)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" font-size="16">'
    ]
    grounds = [line for line in board.lines if not isinstance(line, Line) or line.owner is None]
    borders = [line for line in board.lines if isinstance(line, Line) and line.owner is not None]
    parts += [_line(board, line) for line in grounds]
    parts += [_spot(name, spot, board.pieces.get(name)) for name, spot in board.spots.items()]
    parts += [_line(board, line) for line in borders]
    parts += [_label(word) for word in board.words]
    if board.caption:
        parts.append(word_at(width / 2, height - 11, board.caption, 12, kind="caption"))
    return "".join(parts) + "</svg>"


def centre(spot: Spot) -> tuple[float, float]:
    """The middle of a spot in the picture."""
    return round(EDGE + spot.x * CELL, 2), round(EDGE + spot.y * CELL, 2)


def safe(text: str) -> str:
    """A text as it may stand in the picture, whoever wrote it."""
    return escape(_NO_XML.sub("\ufffd", text))


def word_at(x: float, y: float, text: str, size: float, colour: str = INK, kind: str = "word") -> str:
    return (
        f'<text class="{kind}" x="{x:g}" y="{y:g}" fill="{colour}" font-size="{size:g}" text-anchor="middle" '
        f'dominant-baseline="central">{safe(text)}</text>'
    )


def _size(board: Board) -> tuple[float, float]:
    """How large the picture must be, with room for a caption of some length."""
    right = [spot.x + spot.width / 2 for spot in board.spots.values()] + [word.x + 0.25 for word in board.words]
    right += [max(line.x0, line.x1) + 0.1 for line in board.lines if isinstance(line, Line)]
    down = [spot.y + spot.height / 2 for spot in board.spots.values()] + [word.y + 0.25 for word in board.words]
    width = max([2 * EDGE + CELL * max(right, default=0.0), 6.2 * len(board.caption)])
    return math.ceil(width), math.ceil(2 * EDGE + CELL * max(down, default=0.0) + (20 if board.caption else 0))


def _line(board: Board, line: Line | tuple[str, str]) -> str:
    if isinstance(line, Line):
        (x0, y0), (x1, y1) = centre(Spot(line.x0, line.y0)), centre(Spot(line.x1, line.y1))
        owner = line.owner
    else:
        (x0, y0), (x1, y1) = (centre(board.spots[name]) for name in line)
        owner = None
    kind, colour = ("line", LINE) if owner is None else (f"border {_whose(owner)}", _colour(owner))
    width = 2 if owner is None else 5
    return (
        f'<line class="{kind}" x1="{x0:g}" y1="{y0:g}" x2="{x1:g}" y2="{y1:g}" stroke="{colour}" '
        f'stroke-width="{width}" stroke-linecap="round"/>'
    )


def _label(word: Word) -> str:
    x, y = centre(Spot(word.x, word.y))
    return word_at(x, y, word.text, 12 if word.small else 16, kind="label")


def _spot(name: str, spot: Spot, piece: Piece | None) -> str:
    x, y = centre(spot)
    group = f' data-group="{safe(spot.group)}"' if spot.group else ""
    inner, holds = "", ""
    if piece is not None:
        inner, holds = _piece(piece, spot, x, y), f' data-piece="{safe(piece.mark)}"'
        holds += "" if piece.owner is None else f' data-whose=" of the {_whose(piece.owner)} player"'
    return (
        f'<g class="spot {spot.shape}" data-spot="{safe(name)}"{group}{holds} data-x="{x:g}" data-y="{y:g}">'
        f"{_ground(spot, x, y)}{inner}</g>"
    )


def _ground(spot: Spot, x: float, y: float) -> str:
    """The spot itself, without what stands on it."""
    wide, high = spot.width * CELL, spot.height * CELL
    kind = "ground blocked" if spot.blocked else "ground shaded" if spot.shaded else "ground"
    fill = INK if spot.blocked else _SHADE if spot.shaded else GROUND
    look = f'class="{kind}" fill="{fill}" stroke="{LINE}"'
    box = f'x="{x - wide / 2:g}" y="{y - high / 2:g}" width="{wide:g}" height="{high:g}"'
    unseen = f'<rect class="target" {box} fill="none" pointer-events="all"/>'
    match spot.shape:
        case "square":
            return f"<rect {box} {look}/>"
        case "hex":
            corners = [(x + wide / math.sqrt(3) * math.sin(a), y - wide / math.sqrt(3) * math.cos(a)) for a in _SIXTHS]
            return f'<polygon points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in corners)}" {look}/>'
        case "disc":
            return f'<circle cx="{x:g}" cy="{y:g}" r="{min(wide, high) / 2:g}" {look}/>'
        case "point":
            return f'{unseen}<circle cx="{x:g}" cy="{y:g}" r="5" class="ground" fill="{LINE}"/>'
        case "pit":
            return f'<rect {box} rx="{min(wide, high) / 2.2:g}" {look}/>'
        case "card":
            return f'<rect {box} rx="5" {look} stroke-dasharray="3 3"/>'
        case "upwards" | "downwards":
            base, tip = (y + high / 2, y - high / 2) if spot.shape == "upwards" else (y - high / 2, y + high / 2)
            path = f"M{x - wide / 2:g} {base:g}L{x + wide / 2:g} {base:g}L{x:g} {tip:g}z"
            return f'{unseen}<path d="{path}" {look}/>'
        case _:
            return unseen


_SIXTHS = [math.pi / 3 * sixth for sixth in range(6)]


def _whose(owner: int | None) -> str:
    return "nobody" if owner is None else ("first", "second")[owner]


def _colour(owner: int | None) -> str:
    return INK if owner is None else (FIRST, SECOND)[owner]


def _piece(piece: Piece, spot: Spot, x: float, y: float) -> str:
    """What stands on a spot, whose middle is given."""
    if piece.figure:
        inner = _figure(piece, x, y)
    else:
        inner = _LOOKS[piece.look](piece, spot, x, y)
    if piece.count > 1 and (piece.figure or piece.look == "mark"):
        inner += word_at(x + 15, y + 13, f"×{piece.count}", 11, kind="label")
    return f'<g class="piece {_whose(piece.owner)}">{inner}</g>'


def _figure(piece: Piece, x: float, y: float) -> str:
    """A figure from the shelf: light with a dark rim for the first player, dark with a light rim for the second."""
    fill, rim = (_CARD, INK) if piece.owner == 0 else (INK, _CARD)
    return (
        f'<path class="figure" d="{FIGURES[piece.figure]}" transform="translate({x - CELL / 2:g} {y - CELL / 2:g})" '
        f'fill="{fill}" stroke="{rim}" stroke-width="1.3" stroke-linejoin="round"/>'
    )


def _disc(piece: Piece, spot: Spot, x: float, y: float, radius: float = 0.4) -> str:
    """A disc; the second player's has a ring, so that nobody needs to see colours."""
    r = CELL * radius
    ring = "" if piece.owner != 1 else f'<circle class="ring" cx="{x:g}" cy="{y:g}" r="{r * 0.68:g}" {_RING}/>'
    return f'<circle class="body" cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{_colour(piece.owner)}"/>{ring}'


_RING = 'fill="none" stroke="#fffdf8" stroke-opacity="0.55" stroke-width="2"'


def _tile(piece: Piece, spot: Spot, x: float, y: float) -> str:
    side = CELL - 4
    box = f'x="{x - side / 2:g}" y="{y - side / 2:g}" width="{side}" height="{side}"'
    return f'<rect class="body" {box} fill="{_colour(piece.owner)}"/>'


def _mark(piece: Piece, spot: Spot, x: float, y: float) -> str:
    colour, r = _colour(piece.owner), CELL * 0.27
    stroke = f'fill="none" stroke="{colour}" stroke-width="5" stroke-linecap="round"'
    if piece.mark == "X":
        cross = f"M{x - r:g} {y - r:g}L{x + r:g} {y + r:g}M{x + r:g} {y - r:g}L{x - r:g} {y + r:g}"
        return f'<path class="stroke" d="{cross}" {stroke}/>'
    if piece.mark == "O":
        return f'<circle class="stroke" cx="{x:g}" cy="{y:g}" r="{r * 1.1:g}" {stroke}/>'
    body = f'<circle class="body" cx="{x:g}" cy="{y:g}" r="{CELL * 0.4:g}" fill="{colour}"/>'
    return body + word_at(x, y, piece.mark, 20 if len(piece.mark) < 3 else 13, _CARD, "on")


def _letter(piece: Piece, spot: Spot, x: float, y: float) -> str:
    room = spot.width * CELL - 4
    return word_at(x, y, piece.mark, max(7.0, min(20.0, room / max(len(piece.mark), 1) * 1.6)), _colour(piece.owner))


def _seeds(piece: Piece, spot: Spot, x: float, y: float) -> str:
    """A heap: up to twenty seeds in a spiral of the sunflower's angle, and the number below."""
    low = y + spot.height * CELL / 2 - 9
    room, shown = min(spot.width, spot.height) * CELL / 2 - 6, min(piece.count, 20)
    parts = []
    for i in range(shown):
        far, angle = room * math.sqrt(i / max(shown, 6)), 2.39996 * i
        parts.append(
            f'<circle class="body" cx="{x + far * math.cos(angle):.1f}" cy="{y - 5 + far * math.sin(angle):.1f}" '
            f'r="3.6" fill="{_colour(piece.owner)}"/>'
        )
    return "".join(parts) + word_at(x, low, piece.mark, 12, INK, "word")


def _stack(piece: Piece, spot: Spot, x: float, y: float) -> str:
    """Checkers from the base of the spot on; from the sixth on, the first one says how many."""
    away = -1 if spot.shape == "upwards" else 1
    base = y - away * (spot.height * CELL / 2 - CELL * 0.4)
    shown = min(piece.count, 5)
    step = min(CELL * 0.78, (spot.height - 0.8) * CELL / max(shown - 1, 1))
    parts = [_disc(piece, spot, x, base + away * step * i, 0.39) for i in range(shown)]
    if piece.count > shown:
        parts.append(word_at(x, base + away * step * (shown - 1), str(piece.count), 16, _CARD, "on"))
    return "".join(parts)


def _card(piece: Piece, spot: Spot, x: float, y: float) -> str:
    """A playing card: a suit (C S H D) and a rank. T is written as 10."""
    wide, high = spot.width * CELL - 4, spot.height * CELL - 4
    suit, rank = piece.mark[:1], piece.mark[1:].replace("T", "10")
    colour = "#b23a48" if suit in "HD" else INK
    box = f'x="{x - wide / 2:g}" y="{y - high / 2:g}" width="{wide:g}" height="{high:g}" rx="5"'
    sign = ""
    if suit in SUITS:
        sign = f'<path d="{SUITS[suit]}" transform="translate({x - 10:g} {y - 2:g})" fill="{colour}"/>'
    return (
        f'<rect class="face" {box} fill="{_CARD}" stroke="{LINE}"/>'
        f"{word_at(x, y - high / 4, rank if sign else piece.mark, 16, colour, 'inked')}{sign}"
    )


def _die(piece: Piece, spot: Spot, x: float, y: float) -> str:
    side = min(spot.width, spot.height) * CELL - 6
    box = f'x="{x - side / 2:g}" y="{y - side / 2:g}" width="{side:g}" height="{side:g}" rx="6"'
    face = f'<rect class="face" {box} fill="{_CARD}" stroke="{_colour(piece.owner)}" stroke-width="2"/>'
    if piece.count not in _PIPS:
        return face + word_at(x, y, piece.mark, 14, INK, "inked")
    third = side / 3.4
    dots = ((x + third * (int(p) % 3 - 1), y + third * (int(p) // 3 - 1)) for p in _PIPS[piece.count])
    return face + "".join(f'<circle class="inked" cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{INK}"/>' for a, b in dots)


def _back(piece: Piece, spot: Spot, x: float, y: float) -> str:
    body = f'<circle class="back" cx="{x:g}" cy="{y:g}" r="{CELL * 0.4:g}" fill="{LINE}" stroke="{INK}"/>'
    return body + word_at(x, y, piece.mark, 18, _CARD, "on")


_LOOKS = {
    "disc": _disc, "tile": _tile, "mark": _mark, "letter": _letter, "seeds": _seeds, "stack": _stack, "card": _card,
    "die": _die, "back": _back,
}  # fmt: skip
