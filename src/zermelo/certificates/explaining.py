"""A proof as something to read: its positions, the claimant's move or the replies at each, and how long each can take.

A certificate goes in, an `Explanation` comes out; pictures of its first moves can be written as DOT or SVG.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from zermelo.certificates import walk_kernel as w
from zermelo.certificates.certificate import TREE, Certificate, Proof
from zermelo.certificates.checker import checking_kernel, follow_lines, loops_hold, verify, walk_stream
from zermelo.certificates.walk import Walk
from zermelo.compile.watch import Watch
from zermelo.rules import Game, Position, Unsuitable
from zermelo.rules.html import never_failing, table

MOST_DRAWN = 2000
MOST_SHOWN = 40
"""So many positions are the most that a notebook shows without being asked."""


class Branch(NamedTuple):
    """A move of the proof: its text, the number of the position it leads to (None where the game ends), and the most
    moves that can follow (None where play may go round)."""

    text: str
    child: int | None
    longest: int | None


@dataclass(frozen=True)
class Explanation:
    """One proof, opened. `edges[n]` are the moves of the position with number n as places in the list of the rules,
    each with the number of the position it leads to; `lines[n]` the length of the longest line from there."""

    proof: Proof
    position: Position
    root: int
    edges: dict[int, list[tuple[int, int | None]]]
    lines: dict[int, int] | None

    def branches(self, number: int, position: Position) -> list[Branch]:
        """The claimant's move at a position of the proof, or all replies."""
        codes = position.codes
        found = []
        for index, child in self.edges[number]:
            longest = None if self.lines is None else 0 if child is None else self.lines[child]
            found.append(Branch(position.text_of(codes[index]), child, longest))
        return found

    def claims_at(self, position: Position) -> bool:
        """Whether the claimant moves here."""
        return position.turn == self.proof.claim.claimant

    def longest(self, number: int) -> int | None:
        return None if self.lines is None else self.lines[number]

    @never_failing
    def _repr_html_(self) -> str:
        """For notebooks: the claim, the longest defence, and a picture of the first moves."""
        line = " ".join(self.main_line())
        told = table([("claim", self.proof.claim), ("positions", f"{self.proof.positions:,}"), ("line", line)])
        depth = next((plies for plies in (3, 2, 1) if _breadth(self, plies) <= MOST_SHOWN), 0)
        return told + (svg(self, depth) if depth else "")

    def main_line(self, number: int | None = None, position: Position | None = None) -> list[str]:
        """The longest defence, from the root or from a position with its number: the claimant as proved, the opponent
        so that it takes longest."""
        if number is None or position is None:
            number, position = self.root, self.position
        texts: list[str] = []
        seen: set[int] = set()
        if position.result is not None:
            return []
        while number is not None and number not in seen:
            seen.add(number)
            fitting = self.branches(number, position)
            chosen = max(fitting, key=lambda branch: branch.longest or 0)
            if self.lines is None:  # play may go round: on to something new as long as there is any
                chosen = next((b for b in fitting if b.child is not None and b.child not in seen), fitting[0])
            texts.append(chosen.text)
            position, number = position.play(chosen.text), chosen.child
        return texts


def explain(
    certificate: Certificate,
    game: Game | None = None,
    *,
    side: int | None = None,
    mode: str | None = None,
    anyway: bool = False,
) -> Explanation:
    """Open a certificate; it is checked first. `side`: whose strategy, where there are two."""
    verdict = (
        verify(game, certificate, mode=mode, anyway=anyway) if game else verify(certificate, mode=mode, anyway=anyway)
    )
    if not verdict.holds:
        raise Unsuitable(f"the proof does not hold, so there is nothing to explain: {verdict.why}")
    position = verdict.position
    proofs = [proof for proof in certificate.proofs if side in (None, proof.claim.claimant)]
    if not proofs:
        raise Unsuitable(f"the certificate holds no strategy of that player: it proves that {certificate.claim}")
    proof = proofs[0]
    if position.result is not None:
        return Explanation(proof, position, 0, {}, None)
    if proof.form == TREE:
        return _open_tree(proof, position)
    return _open_graph(proof, position, verdict.mode)


def _open_graph(proof: Proof, position: Position, mode: str) -> Explanation:
    game = position.game
    way, kernel = checking_kernel(game, mode)
    holds = loops_hold(game, proof.claim)
    workspace = way.workspace(game)
    walk = Walk(position, way, kernel, workspace, claimant=proof.claim.claimant, loops_hold=int(holds), keep=True)
    Watch([workspace]).run(lambda: walk_stream(walk, proof))
    edges: dict[int, list[tuple[int, int | None]]] = {}
    for number in range(int(walk.at[w.COUNT])):
        begin, end = int(walk.starts[w.START * number]), int(walk.starts[w.START * number + 1])
        held = [int(edge) for edge in walk.edges[begin:end]]
        edges[number] = [
            (edge >> w.INDEX_BITS, None if edge & w.END_OF_GAME == w.END_OF_GAME else edge & w.END_OF_GAME)
            for edge in held
        ]
    lines = None if game.cyclic and holds else {n: int(walk.notes[n]) >> 2 for n in edges}
    return Explanation(proof, position, walk.root, edges, lines)


def _open_tree(proof: Proof, position: Position) -> Explanation:
    edges: dict[int, list[tuple[int, int | None]]] = {}
    lines: dict[int, int] = {}
    opened = list(follow_lines(proof, position))
    numbers = {id(step.position): number for number, step in enumerate(opened)}
    for step in opened:
        children = [(index, numbers.get(id(child))) for index, child in step.children]
        edges[numbers[id(step.position)]] = children
    for number in reversed(range(len(opened))):
        lines[number] = 1 + max(0 if child is None else lines[child] for _, child in edges[number])
    return Explanation(proof, position, 0, edges, lines)


# Pictures


class Drawn(NamedTuple):
    """A position in a picture."""

    number: int
    position: Position
    depth: int
    place: float


def unfold(
    explanation: Explanation, depth: int
) -> tuple[list[Drawn], list[tuple[int, int, str]], list[tuple[int, str]]]:
    """The positions up to some depth, each once, the moves between them, and the moves that end the game."""
    if depth < 1:
        raise Unsuitable(f"the depth of a picture must be at least 1, not {depth}")
    found: dict[int, tuple[Position, int]] = {explanation.root: (explanation.position, 0)}
    order = [explanation.root]
    moves: list[tuple[int, int, str]] = []
    ends: list[tuple[int, str]] = []
    for number in order:
        position, plies = found[number]
        if plies == depth or not explanation.edges:
            continue
        for text, child, _ in explanation.branches(number, position):
            if child is None:
                ends.append((number, text))
                continue
            if child not in found:
                found[child] = (position.play(text), plies + 1)
                order.append(child)
                if len(order) > MOST_DRAWN:
                    raise Unsuitable(
                        f"{depth} moves lead to more than {MOST_DRAWN} positions, too many to draw: choose less"
                    )
            moves.append((number, child, text))
    places = _places(explanation.root, found, moves)
    return [Drawn(n, *found[n], places[n]) for n in order], moves, ends


def _breadth(explanation: Explanation, depth: int) -> float:
    """How many positions there are up to some depth."""
    try:
        return len(unfold(explanation, depth)[0])
    except Unsuitable:
        return float("inf")


def _places(root: int, found: dict[int, tuple[Position, int]], moves: list[tuple[int, int, str]]) -> dict[int, float]:
    """Where positions stand from left to right: leaves one after another, the others above the middle of theirs."""
    first: dict[int, list[int]] = {number: [] for number in found}
    taken = {root}
    for above, below, _ in moves:
        if below not in taken and found[below][1] == found[above][1] + 1:
            taken.add(below)
            first[above].append(below)
    places: dict[int, float] = {}
    leaves = 0
    waiting = [(root, False)]
    while waiting:
        number, back = waiting.pop()
        if not first[number]:
            places[number] = float(leaves)
            leaves += 1
        elif back:
            places[number] = (places[first[number][0]] + places[first[number][-1]]) / 2
        else:
            waiting.append((number, True))
            waiting.extend((child, False) for child in reversed(first[number]))
    return places


def dot(explanation: Explanation, depth: int) -> str:
    """The first moves of a proof for Graphviz: the claimant's positions are boxes, the opponent's ellipses."""
    positions, moves, ends = unfold(explanation, depth)
    lines = ["digraph proof {", '  node [fontname="sans-serif"]; edge [fontname="sans-serif"];']
    lines.append(f"  label={_quoted(str(explanation.proof.claim))};")
    for drawn in positions:
        shape = "box" if explanation.claims_at(drawn.position) else "ellipse"
        text = drawn.position.text() or "start"
        look = f"shape={shape}, label={_quoted(_label(explanation, drawn))}, tooltip={_quoted(text)}"
        lines.append(f"  n{drawn.number} [{look}];")
    for above, below, text in moves:
        lines.append(f"  n{above} -> n{below} [label={_quoted(text)}];")
    for number, (above, text) in enumerate(ends):
        lines.append(f"  e{number} [shape=point]; n{above} -> e{number} [label={_quoted(text)}];")
    return "\n".join([*lines, "}", ""])


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _label(explanation: Explanation, drawn: Drawn) -> str:
    """How many moves the line can still take, or an open end."""
    longest = explanation.longest(drawn.number) if explanation.edges else 0
    return "…" if longest is None else str(longest)


_STEP_X, _STEP_Y, _MARGIN = 46, 80, 40
_INK, _LINE, _OURS, _THEIRS = "#22223b", "#9a8c98", "#f4a259", "#ffffff"


def svg(explanation: Explanation, depth: int) -> str:
    """The first moves of a proof as a picture: the claimant's positions are squares, the opponent's circles, and the
    number in each is how many moves the longest line from there takes."""
    positions, moves, ends = unfold(explanation, depth)
    spots = {d.number: (_MARGIN + _STEP_X * d.place, _MARGIN + 20 + _STEP_Y * d.depth) for d in positions}
    width = max(max(x for x, _ in spots.values()) + _MARGIN, 420)
    height = max(y for _, y in spots.values()) + _STEP_Y
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" font-size="12" fill="{_INK}">',
        f'<text x="10" y="20" font-size="14">{escape(str(explanation.proof.claim))}</text>',
        '<g text-anchor="middle">',
    ]
    for above, below, text in moves:
        parts.append(_drawn_move(spots[above], spots[below], text))
    counted: dict[int, int] = {}
    for above, text in ends:
        x, y = spots[above]
        counted[above] = counted.get(above, -1) + 1
        parts.append(_drawn_move((x, y), (x - 12 + 12 * counted[above], y + 40), text))
    for drawn in positions:
        x, y = spots[drawn.number]
        look = f'stroke="{_INK}" fill="{_OURS if explanation.claims_at(drawn.position) else _THEIRS}"'
        square = f'<rect x="{x - 13:g}" y="{y - 13:g}" width="26" height="26" {look}/>'
        shape = square if explanation.claims_at(drawn.position) else f'<circle cx="{x:g}" cy="{y:g}" r="14" {look}/>'
        text = escape(drawn.position.text() or "start")
        label = _label(explanation, drawn)
        parts.append(f'<g><title>{text}</title>{shape}<text x="{x:g}" y="{y + 4:g}">{label}</text></g>')
    return "".join([*parts, "</g></svg>"])


def _drawn_move(start: tuple[float, float], end: tuple[float, float], text: str) -> str:
    (x0, y0), (x1, y1) = start, end
    line = f'<line x1="{x0:g}" y1="{y0:g}" x2="{x1:g}" y2="{y1:g}" stroke="{_LINE}"/>'
    return line + f'<text x="{(x0 + x1) / 2:g}" y="{(y0 + y1) / 2 + 4:g}" font-size="10">{escape(text)}</text>'
