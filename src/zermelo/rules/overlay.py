"""What is laid over the picture of a position: what its moves are worth, the last move, arrows.

    position.svg(values={"b2": "W", "a1": 0.25}, last=True, arrows=["b2"])

A page draws such things itself, for there they change while people look; this is for notebooks and documents.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from zermelo.rules.board import Spot
from zermelo.rules.errors import MoveError
from zermelo.rules.painting import CELL, centre, safe, word_at
from zermelo.rules.position import Position
from zermelo.rules.tapping import places_of, taps

COLOURS = {"win": "#1b7f4d", "draw": "#6b6375", "loss": "#a3195b", "score": "#3d405b", "open": "#fffdf8"}
"""Colours of what a move is worth. None is one of the players'."""
_LAST, _ARROW = "#e9b44c", "#1b7f4d"


@dataclass(frozen=True)
class Badge:
    """What is shown of a move's worth. `kind`: win, draw or loss for the player who makes it, score where there are
    more outcomes, open where nothing is known. `status` as that of an answer. `words`: the same for who asks."""

    text: str
    kind: str = "score"
    status: str = "proven"
    words: str = ""


def overlaid(
    position: Position, values: Mapping[str, Any], last: bool | str, arrows: Iterable[str | tuple[str, str]]
) -> str:
    """The position's picture with all this on it; "" if there is no picture with spots."""
    if position.game.draw is None:
        return ""
    drawing, places = position.game.draw(position.state), places_of(position)
    painted = drawing.svg()
    if not places or not painted.endswith("</svg>"):
        return painted
    parts = [*_last(position, last, places), *_arrows(position, arrows, places), *_badges(position, values, places)]
    return f"{painted[: -len('</svg>')]}{''.join(parts)}</svg>"


def _last(position: Position, last: bool | str, places: Mapping[str, Spot]) -> Iterator[str]:
    """A frame around the spots of the move that led here, or of one that is named."""
    if last is True and position.previous is not None and position.last_move is not None:
        text, before = position.previous.text_of(position.last_move), position.previous
    elif isinstance(last, str):
        text, before = last, position
    else:
        return
    for tap in taps(before):
        if tap.move == text:
            for name in dict.fromkeys([*tap.path, tap.at]):
                if name in places:
                    x, y = centre(places[name])
                    yield f'<circle class="last" cx="{x:g}" cy="{y:g}" r="{CELL * 0.45:g}" {_FRAME}/>'


_FRAME = f'fill="none" stroke="{_LAST}" stroke-width="3"'


def _arrows(
    position: Position, arrows: Iterable[str | tuple[str, str]], places: Mapping[str, Spot]
) -> Iterator[str]:
    """From the first spot of a move to its last, or between two spots that are named."""
    known = {tap.move: (tap.path[0], tap.at) for tap in taps(position) if tap.path}
    for arrow in arrows:
        start, end = known.get(arrow, ("", "")) if isinstance(arrow, str) else arrow
        for name in () if isinstance(arrow, str) else arrow:
            if name not in places:
                raise MoveError(f"the drawing has no spot {name!r}, to or from which an arrow could point")
        if end in places and start != end and start in places:
            yield _arrow(centre(places[start]), centre(places[end]))
        elif end in places:
            x, y = centre(places[end])
            yield f'<circle class="arrow" cx="{x:g}" cy="{y:g}" r="{CELL * 0.42:g}" fill="none" {_SHAFT}/>'


_SHAFT = f'stroke="{_ARROW}" stroke-width="4" stroke-opacity="0.8" stroke-linecap="round"'


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> str:
    (x0, y0), (x1, y1) = start, end
    length = math.hypot(x1 - x0, y1 - y0) or 1
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    neck_x, neck_y = x1 - 12 * dx, y1 - 12 * dy
    tip = f"M{x1:.1f} {y1:.1f}L{neck_x - 6 * dy:.1f} {neck_y + 6 * dx:.1f}L{neck_x + 6 * dy:.1f} {neck_y - 6 * dx:.1f}z"
    shaft = f'<path d="M{x0:g} {y0:g}L{neck_x:.1f} {neck_y:.1f}" fill="none" {_SHAFT}/>'
    return f'<g class="arrow">{shaft}<path d="{tip}" fill="{_ARROW}"/></g>'


def _badges(position: Position, values: Mapping[str, Any], places: Mapping[str, Spot]) -> Iterator[str]:
    """One label a spot; where several moves share one, the first of `values` is shown."""
    at = {tap.move: tap.at for tap in taps(position)}
    unknown = [move for move in values if move not in at]
    if unknown:
        position.code_of(unknown[0])  # which says what would be right
    taken = set()
    for move, value in values.items():
        if at[move] and at[move] not in taken:
            taken.add(at[move])
            yield _badge(value if isinstance(value, Badge) else _plain(value), *centre(places[at[move]]))


def _plain(value: Any) -> Badge:
    text = f"{value:+.3g}" if isinstance(value, int | float) and not isinstance(value, bool) else str(value)
    return Badge(text, {"W": "win", "D": "draw", "L": "loss"}.get(text, "score"))


def _badge(badge: Badge, x: float, y: float) -> str:
    """Filled if it is certain, only framed if not, dashed if nothing is known."""
    sure = badge.status == "proven"
    colour = COLOURS.get(badge.kind, COLOURS["score"])
    rim = COLOURS["score"] if badge.kind == "open" else colour
    dashes = "" if badge.status in ("proven", "heuristic") else ' stroke-dasharray="3 2"'
    width = max(22, 8 * len(badge.text) + 8)
    box = f'x="{x - width / 2:g}" y="{y - 11:g}" width="{width}" height="22" rx="11"'
    ground = f'<rect {box} fill="{colour if sure else COLOURS["open"]}" stroke="{rim}" stroke-width="2"{dashes}/>'
    title = f"<title>{safe(badge.words)}</title>" if badge.words else ""
    return (
        f'<g class="badge {badge.kind} {badge.status}">{title}{ground}'
        f"{word_at(x, y, badge.text, 13, COLOURS['open'] if sure else rim)}</g>"
    )
