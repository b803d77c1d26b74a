"""Fastest cut first: try the moves that are likely to cut off and cheap to search.

Furtak and Buro 2009, "Minimum proof graphs and fastest-cut-first search heuristics": at a node that will be cut off,
visiting moves by ascending S/P (S the expected size of the tree below a move, P the probability that it cuts off) looks
at the fewest nodes on average (theorem 6.1). The idea is older: Othello programs of the 1990s called it fastest first.

For every move the position behind it is made, and what is known of it is put together:

    V   its value for the player who moves: the score where the game ends there, what the table found in an earlier
        iteration, else the game's estimate
    S   its size: how many moves it has, what the table recorded of it, or what the game's hook `effort` says
    P   the chance that it cuts off: V against beta, as a hard threshold or as a logistic curve learned from a sample
    X   what the game's hook `order` says of the move

How they make an order is the `form` of section 6 or the weighted sum of section 8. Where no move can cut off, because
beta is the best score that there is, the terms that need beta are left out. Near the horizon, where positions below
have not been looked into by an earlier iteration and looking costs more than it brings, the order hook alone counts;
what it does not tell apart comes in random order or as the rules give it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import MOVES, PLIES
from zermelo.core.node import Nodes
from zermelo.core.table import EXACT, LOWER, UPPER, Table
from zermelo.rules import ONGOING, Game, UnknownName, Unsuitable, f64, i64, nearest
from zermelo.rules.settings import read_value, write_value

FORMS = ("weighted", "ratio", "share", "threshold")
SIZES = ("moves", "table", "effort")
UNEXPANDED = ("given", "random")
STEPS = 1 << 20
"""Scores are whole numbers: so many steps make one."""
WEIGHTS = ("value", "order", "size", "ratio", "middle", "spread", "doubt", "depth")
VALUE, ORDER, SIZE, RATIO, MIDDLE, SPREAD, DOUBT, DEPTH = range(len(WEIGHTS))
_FIRST = 1 << 20
_LARGEST = float(1 << 24)


@dataclass(frozen=True)
class CutFirst:
    """How moves are ordered by value and size. Only form, sizes and unexpanded are constant to the compiler.

    form: `weighted`, the greatest value·V + order·X − size·S − ratio·S/P first; `ratio`, the smallest S/P; `share`,
    the greatest V − size·S/max S; `threshold`, moves with V ≥ beta − size come first, the smallest S among them first,
    then the others by V. sizes: where S comes from, `moves`, `table` (relative to the mean of the moves) or `effort`.
    middle and spread: P = 1/(1 + exp((beta + middle − V)/spread)), with spread 0 a hard threshold at beta; doubt: the
    least that P can be. unexpanded: how moves come near the horizon, after what the order hook says: `given` or
    `random`. depth: the order is used where at least so many plies are left, or so much is by the game's hook `effort`.
    """

    form: str = "weighted"
    value: float = 1.0
    order: float = 0.0
    size: float = 1.0
    ratio: float = 0.0
    sizes: str = "moves"
    middle: float = 0.0
    spread: float = 0.0
    doubt: float = 0.1
    unexpanded: str = "given"
    depth: int = 2

    def __post_init__(self) -> None:
        for what, name, known in (
            ("form of fastest-cut-first", self.form, FORMS),
            ("source of sizes", self.sizes, SIZES),
            ("order of unexpanded moves", self.unexpanded, UNEXPANDED),
        ):
            if name not in known:
                raise UnknownName(f"no {what} is called {name}: {nearest(str(name), known)}")
        for name in ("value", "order", "size", "ratio", "middle", "spread", "doubt"):
            weight = getattr(self, name)
            if not isinstance(weight, (int, float)) or not math.isfinite(weight):
                raise Unsuitable(f"the weight {name} of fastest-cut-first must be a number, not {weight!r}")
        if self.spread < 0 or not 0 < self.doubt <= 1:
            raise Unsuitable("fastest-cut-first needs a spread of at least 0 and a doubt above 0 and at most 1")
        if not isinstance(self.depth, int) or not 1 <= self.depth < 1 << 31:
            raise Unsuitable(f"fastest-cut-first needs a depth of at least 1, not {self.depth!r}")

    def __str__(self) -> str:
        """The weights that somebody chose, as `read_cut` takes them."""
        usual = CutFirst()
        chosen = [f.name for f in fields(self) if getattr(self, f.name) != getattr(usual, f.name)]
        return ", ".join(f"{name}={write_value(getattr(self, name))}" for name in chosen) or f"form={self.form}"

    @property
    def shape(self) -> CutFirst:
        """What is compiled: the same, but with the weights that nobody chose."""
        return CutFirst(form=self.form, sizes=self.sizes, unexpanded=self.unexpanded)

    @property
    def weights(self) -> list[float]:
        """What kernels read from the workspace."""
        return [float(getattr(self, name)) for name in WEIGHTS]


def read_cut(text: str) -> CutFirst:
    """Weights as a person writes them: `form=share,size=2`."""
    chosen: dict[str, Any] = {}
    kinds: dict[str, Any] = {field.name: type(field.default) for field in fields(CutFirst)}
    for part in filter(None, (word.strip() for word in text.split(","))):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals or name not in kinds:
            raise UnknownName(f"fastest-cut-first has no weight {name}: {nearest(name, kinds)}, as in size=2,ratio=0.5")
        chosen[name] = read_value(f"the weight {name} of fastest-cut-first", value, kinds[name])
    return CutFirst(**chosen)


def fastest_cut(game: Game, mode: Mode, nodes: Nodes, table: Table, cut: CutFirst, knowledge: bool) -> Kernel:
    """`weigh(ws, ply, depth, beta, first, n)`: add what `cut` says of the moves at ply, all from `first` on, to their
    scores."""
    rules = nodes.rules
    descend, glance = table.descend, table.glance
    mover = nodes.mover
    over, order, effort, evaluate = rules.over, rules.order, rules.effort, nodes.evaluate
    generate = rules.candidates if knowledge else rules.generate
    bounds, use_bounds = rules.bounds, knowledge and game.bounds is not None
    from_moves, from_table, from_effort = (cut.sizes == kind for kind in SIZES)
    weighted, by_ratio, by_share, by_threshold = (cut.form == form for form in FORMS)
    use_order, estimated, has_effort = (hook is not None for hook in (game.order, game.evaluate, game.effort))
    at_random = cut.unexpanded == "random"
    low, high = float(game.values[0]), float(game.values[1])
    spreading, half, low_bits = mode.word(0x9E3779B97F4A7C15), mode.word(40), mode.word(2**64 - 1)
    word, signed = mode.word, mode.signed
    mode.needs(
        worths=(f64, MOVES),  # value and size of what each move at a ply leads to
        sizes=(f64, MOVES),
        cut=(f64, len(WEIGHTS)),  # what they count for
        scores=(i64, PLIES, MOVES),
    )

    @mode.inline
    def values_count(ws):
        return not weighted or ws.cut[VALUE] != 0.0 or ws.cut[RATIO] != 0.0

    @mode.inline
    def below(ws, ply):
        """(value for the first player, size) of the position at ply; the size of an end is 1."""
        s = ws.stack[ply]
        score = over(ws, ply)
        if score != ONGOING:
            return float(score), 1.0
        least, most = low, high
        if use_bounds:
            lower, upper = bounds(s)
            least, most = float(lower), float(upper)
            if least == most:
                return least, 1.0
        kind, kept, nodes_below = glance(ws, ply)
        sign = -1.0 if mover(ws, ply) == 1 else 1.0
        value = sign * float(kept)
        if values_count(ws) and (kind == 0 or (estimated and kind != EXACT)):  # the estimate, within the bound found
            guess = sign * float(evaluate(ws, ply))
            if kind == LOWER:
                guess = max(guess, float(kept))
            elif kind == UPPER:
                guess = min(guess, float(kept))
            value = sign * guess
        if from_moves:
            size = float(generate(ws, ply))
        elif from_effort:
            size = float(effort(s))
        else:
            size = float(nodes_below)
        return min(max(value, least), most), size

    @mode.inline
    def chance(ws, value, beta):
        middle, spread, doubt = ws.cut[MIDDLE], ws.cut[SPREAD], ws.cut[DOUBT]
        if spread == 0.0:
            return 1.0 if value >= beta else doubt
        return max(1.0 / (1.0 + math.exp(min((beta + middle - value) / spread, 50.0))), doubt)

    @mode.inline
    def worth(ws, value, size, largest, beta, can_cut):
        if by_share:
            return value - ws.cut[SIZE] * size / largest
        if by_ratio or by_threshold:
            if not can_cut:
                return value
            if by_ratio:
                return -size / chance(ws, value, beta)
            return _FIRST - size if value >= beta - ws.cut[SIZE] else value
        points = ws.cut[VALUE] * value - ws.cut[SIZE] * size
        if can_cut and ws.cut[RATIO] != 0.0:
            points -= ws.cut[RATIO] * size / chance(ws, value, beta)
        return points

    @mode.inline
    def left(ws, ply, depth):
        return effort(ws.stack[ply]) if has_effort else depth

    @mode.kernel
    def weigh(ws, ply, depth, beta, first, n):
        if left(ws, ply, depth) < ws.cut[DEPTH]:
            for i in range(first, n):
                if use_order:
                    ws.scores[ply][i] += int(order(ws.stack[ply], ws.moves[ply][i]) * STEPS)
                if at_random:
                    mixed = (word(ws.nodes) * spreading + word(i + 1) * spreading * spreading) & low_bits
                    ws.scores[ply][i] += signed(((mixed ^ (mixed >> word(29))) * spreading & low_bits) >> half)
            return
        total, known, largest = 0.0, 0, 1.0
        for i in range(first, n):
            descend(ws, ply, ws.moves[ply][i], max(depth, 2))  # which has its key made
            value, size = below(ws, ply + 1)
            ws.worths[i] = -value if mover(ws, ply) == 1 else value
            ws.sizes[i] = size
            total += size
            if size > 0.0:
                known += 1
            largest = max(largest, size)
        mean = total / max(known, 1)
        if from_table:
            largest = max(largest / max(mean, 1.0), 1.0)
        goal = float(beta)
        can_cut = goal < (-low if mover(ws, ply) == 1 else high)
        for i in range(first, n):
            size = ws.sizes[i]
            if from_table:
                size = size / mean if size > 0.0 else 1.0
            points = worth(ws, ws.worths[i], size, largest, goal, can_cut)
            if use_order:
                points += ws.cut[ORDER] * order(ws.stack[ply], ws.moves[ply][i])
            ws.scores[ply][i] += int(min(max(points, -_LARGEST), _LARGEST) * STEPS)

    return weigh
