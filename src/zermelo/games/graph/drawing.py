"""A graph drawn: a node with what it leads to, as text and as a picture."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

from zermelo.games.graph.reading import Graph
from zermelo.rules import CHANCE
from zermelo.rules.board import Spot
from zermelo.rules.drawing import FIRST, SECOND
from zermelo.rules.painting import CELL, EDGE, safe

_STEP_X, _STEP_Y, _RADIUS = 90, 90, 22
_INK, _LINE, _LEAF, _CURRENT = "#22223b", "#9a8c98", "#f2e9e4", "#f4a259"
_SIGNS = ("▲", "▼", "◆")


@dataclass(frozen=True)
class GraphDrawing:
    """The graph in layers by distance from the root: max square, min circle, chance diamond, leaf flat."""

    graph: Graph
    node: int

    def text(self) -> str:
        g, n = self.graph, self.node
        name, turn = g.names[n], g.turns[n]
        notes = [f"{kind} {score:g}" for kind, score in self._scores(n)]
        if not g.moves[n]:
            return ", ".join([f"{name}: {'the horizon' if g.horizon[n] else 'the game is over'}", *notes])
        texts = [g.names[child] for child in g.moves[n]]
        if turn == CHANCE:
            total = sum(g.weights[n])
            texts = [f"{text} ({weight}/{total})" for text, weight in zip(texts, g.weights[n])]
        head = f"{_SIGNS[turn]} {name}: {('max to move', 'min to move', 'chance')[turn]}"
        return "\n".join([", ".join([head, *notes]), "moves: " + " ".join(texts)])

    def svg(self) -> str:
        places = self._places()
        width = max(x for x, _ in places.values()) + _STEP_X / 2
        height = max(y for _, y in places.values()) + _STEP_Y / 2
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
            f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" text-anchor="middle">'
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
            f'orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="{_LINE}"/></marker></defs>'
        ]
        for n in places:
            weights = self.graph.weights[n] if self.graph.turns[n] == CHANCE else ()
            for i, child in enumerate(self.graph.moves[n]):
                parts.append(_arrow(places[n], places[child], str(weights[i]) if weights else ""))
        parts.extend(self._shape(n, x, y) for n, (x, y) in places.items())
        return "".join(parts) + "</svg>"

    def places(self) -> dict[str, Spot]:
        """The nodes as spots: each is tapped to go there."""
        middle = {n: ((x - EDGE) / CELL, (y - EDGE) / CELL) for n, (x, y) in self._places().items()}
        return {self.graph.names[n]: Spot(x, y, "open") for n, (x, y) in middle.items()}

    def _places(self) -> dict[int, tuple[float, float]]:
        """Where the nodes stand: each layer centred, what the root cannot reach in a last layer."""
        layers = [[self.graph.root]]
        seen = {self.graph.root}
        while layers[-1]:
            below = dict.fromkeys(c for n in layers[-1] for c in self.graph.moves[n] if c not in seen)
            seen.update(below)
            layers.append(list(below))
        layers[-1] = [n for n in range(len(self.graph.names)) if n not in seen]
        widest = max(map(len, layers))
        return {
            n: (_STEP_X * (i + 0.5 + (widest - len(layer)) / 2), _STEP_Y * (depth + 0.5))
            for depth, layer in enumerate(layers)
            for i, n in enumerate(layer)
        }

    def _scores(self, n: int) -> list[tuple[str, float]]:
        g = self.graph
        value, estimate = g.values[n], g.estimate[n] if g.estimate else None
        shown = [] if value is None else [("value", value)]
        return shown + ([] if estimate is None or estimate == value else [("estimate", estimate)])

    def _shape(self, n: int, x: float, y: float) -> str:
        g, r = self.graph, _RADIUS
        fill = _LEAF if not g.moves[n] else (FIRST, SECOND, _LINE)[g.turns[n]]
        edge = f'stroke="{_CURRENT}" stroke-width="5"' if n == self.node else f'stroke="{_INK}"'
        look = f'fill="{fill}" {edge}'
        if not g.moves[n]:
            dashes = ' stroke-dasharray="4"' if g.horizon[n] else ""
            shape = f'<rect x="{x - r}" y="{y - 14}" width="{2 * r}" height="28" rx="6" {look}{dashes}/>'
        elif g.turns[n] == 0:
            shape = f'<rect x="{x - 18}" y="{y - 18}" width="36" height="36" {look}/>'
        elif g.turns[n] == 1:
            shape = f'<circle cx="{x}" cy="{y}" r="{r - 2}" {look}/>'
        else:
            shape = f'<path d="M{x} {y - r} L{x + r} {y} L{x} {y + r} L{x - r} {y} z" {look}/>'
        notes = ", ".join(f"{'≈' if kind == 'estimate' else ''}{score:g}" for kind, score in self._scores(n))
        return (
            f'<g class="spot" data-spot="{safe(g.names[n])}" data-x="{x:g}" data-y="{y:g}">'
            f"<title>{escape(g.names[n])}</title>{shape}"
            + _word(x, y + 5, g.names[n], 15, "white" if g.moves[n] else _INK)
            + (_word(x, y + r + 13, notes, 12, _INK) if notes else "")
            + "</g>"
        )


def _word(x: float, y: float, text: str, size: int, colour: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}">{escape(text)}</text>'


def _arrow(start: tuple[float, float], end: tuple[float, float], label: str) -> str:
    """An arrow from rim to rim: straight to the next layer, bent to the right where it goes elsewhere."""
    (x0, y0), (x1, y1) = start, end
    look = f'fill="none" stroke="{_LINE}" marker-end="url(#tip)"'
    if start == end:
        return f'<path d="M{x0 - 8:g} {y0 - 20:g} c-20 -30 36 -30 16 0" {look}/>'
    bend = 0.0 if y1 - y0 == _STEP_Y else 0.25
    bend_x, bend_y = (x0 + x1) / 2 - bend * (y1 - y0), (y0 + y1) / 2 + bend * (x1 - x0)
    (xa, ya), (xb, yb) = _rim(start, (bend_x, bend_y)), _rim(end, (bend_x, bend_y))
    arrow = f'<path d="M{xa:g} {ya:g} Q{bend_x:g} {bend_y:g} {xb:g} {yb:g}" {look}/>'
    return arrow + (_word((x0 + x1) / 2 + 8, (y0 + y1) / 2, label, 12, _INK) if label else "")


def _rim(centre: tuple[float, float], towards: tuple[float, float]) -> tuple[float, float]:
    dx, dy = towards[0] - centre[0], towards[1] - centre[1]
    scale = _RADIUS / (math.hypot(dx, dy) or 1)
    return centre[0] + dx * scale, centre[1] + dy * scale
