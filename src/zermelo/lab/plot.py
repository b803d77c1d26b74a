"""Charts as SVG, written by hand: a few lines in a frame need no library."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 760, 440, 64, 44, 210, 52
_COLOURS = ("#1d4e89", "#d1495b", "#66a182", "#edae49", "#6a4c93", "#2e4057", "#8d96a3", "#00798c")


class Line(NamedTuple):
    """A series of points; a level, drawn across, if it has only one."""

    name: str
    points: Sequence[tuple[float, float]]


def chart(title: str, x_name: str, y_name: str, lines: Sequence[Line], highest: float) -> str:
    """A chart of lines from 0 up to `highest`."""
    xs = [x for line in lines for x, _ in line.points if len(line.points) > 1] or [0.0, 1.0]
    low_x, high_x = min(xs), max(xs)
    width, height = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def place(x: float, y: float) -> tuple[float, float]:
        return _LEFT + width * (x - low_x) / ((high_x - low_x) or 1), _TOP + height * (1 - y / highest)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" '
        f'viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        _text(_WIDTH / 2, 24, title, "middle", 15),
        _text(_LEFT + width / 2, _HEIGHT - 12, x_name, "middle"),
        _text(16, _TOP - 12, y_name, "start"),
    ]
    for tenth in range(0, 11, 2):
        y = highest * tenth / 10
        _, at = place(low_x, y)
        parts.append(f'<line x1="{_LEFT}" y1="{at:.1f}" x2="{_LEFT + width}" y2="{at:.1f}" stroke="#ddd"/>')
        parts.append(_text(_LEFT - 8, at + 4, f"{y:g}", "end"))
    for x in sorted({round(low_x + (high_x - low_x) * i / 4) for i in range(5)}):
        parts.append(_text(place(x, 0)[0], _TOP + height + 18, f"{x:g}", "middle"))
    for number, line in enumerate(lines):
        colour = _COLOURS[number % len(_COLOURS)]
        points = line.points if len(line.points) > 1 else [(low_x, line.points[0][1]), (high_x, line.points[0][1])]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in points))
        dashes = "" if len(line.points) > 1 else ' stroke-dasharray="6 4"'
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
        at = _TOP + 10 + 20 * number
        parts.append(
            f'<line x1="{_LEFT + width + 14}" y1="{at}" x2="{_LEFT + width + 38}" y2="{at}" stroke="{colour}" '
            f'stroke-width="2"{dashes}/>'
        )
        parts.append(_text(_LEFT + width + 44, at + 4, line.name, "start"))
    return "".join(parts) + "</svg>\n"


class Whisker(NamedTuple):
    """A measured number, and the interval in which the true one is to be sought."""

    name: str
    low: float
    middle: float
    high: float


def whiskers(title: str, x_name: str, rows: Sequence[Whisker], level: float, highest: float) -> str:
    """A chart of intervals from 0 to `highest`, one below the other; a dashed line marks `level`."""
    left = 24 + 7 * max(len(row.name) for row in rows)  # a letter is 7 wide at most, by and large
    width, step = 440, 24
    bottom = _TOP + step * len(rows)
    whole, height = left + width + 30, bottom + _BOTTOM

    def place(x: float) -> float:
        return left + width * x / highest

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="{height}" '
        f'viewBox="0 0 {whole} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{whole}" height="{height}" fill="white"/>',
        _text(whole / 2, 24, title, "middle", 15),
        _text(left + width / 2, height - 12, x_name, "middle"),
    ]
    for tenth in range(0, 11, 2):
        x = highest * tenth / 10
        parts.append(_ruler(place(x), bottom, ' stroke="#ddd"'))
        parts.append(_text(place(x), bottom + 18, f"{x:g}", "middle"))
    parts.append(_ruler(place(level), bottom, ' stroke="#888" stroke-dasharray="6 4"'))
    for number, row in enumerate(rows):
        at, colour = _TOP + step * (number + 0.5), _COLOURS[0]
        parts.append(_text(left - 10, at + 4, row.name, "end"))
        parts.append(
            f'<line x1="{place(row.low):.1f}" y1="{at}" x2="{place(row.high):.1f}" y2="{at}" stroke="{colour}" '
            'stroke-width="2"/>'
        )
        parts.append(f'<circle cx="{place(row.middle):.1f}" cy="{at}" r="4" fill="{colour}"/>')
    return "".join(parts) + "</svg>\n"


def _ruler(x: float, bottom: float, style: str) -> str:
    """A line from top to bottom."""
    return f'<line x1="{x:.1f}" y1="{_TOP}" x2="{x:.1f}" y2="{bottom}"{style}/>'


def _text(x: float, y: float, words: str, anchor: str, size: int = 12) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{escape(words)}</text>'
