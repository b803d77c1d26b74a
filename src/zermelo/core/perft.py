"""Perft: how many paths of a given length the rules allow. It tests move generation and measures its speed.

Games that end earlier count only at the depth where they end, as is usual: a path shorter than the depth is
not counted. Chance outcomes are counted as moves.

Counted in bulk, the last moves are listed and not made: their number is how many paths end there. That says nothing
about `play` at the last ply, and is how chess programs state their speed.
"""

from __future__ import annotations

from zermelo.compile.diagnosis import check_moves
from zermelo.compile.modes import Kernel, Mode, mode_for
from zermelo.compile.watch import Limits, Listener, Watch
from zermelo.core.loops import trail_of
from zermelo.core.node import nodes
from zermelo.rules import ONGOING, Game, Position, Unsuitable


def perft_kernel(game: Game, mode: Mode, bulk: bool = False) -> Kernel:
    """`perft(ws, ply, depth)`: how many paths of so many moves there are from the position at a ply."""
    rules = mode.rules(game)
    listed, advance, over = rules.listed, rules.advance, rules.over
    if game.forbids:
        seen = nodes(game, mode, int, knowledge=False)
        listed, advance, over = seen.rules.listed, seen.advance, seen.rules.over

    @mode.kernel
    def perft(ws, ply, depth):
        ws.nodes += 1
        if depth == 0:
            return 1
        if ws.stop != 0 or over(ws, ply) != ONGOING:
            return 0
        count = listed(ws, ply)
        if bulk and depth == 1:
            return count
        paths = 0
        for i in range(count):
            advance(ws, ply, ws.moves[ply][i])
            paths += perft(ws, ply + 1, depth - 1)
        return paths

    return perft


class Count:
    """The number of paths, and what it took to count them. `stopped` if it was cut short."""

    def __init__(self, paths: int, nodes: int, seconds: float, stopped: str | None) -> None:
        self.paths, self.nodes, self.seconds, self.stopped = paths, nodes, seconds, stopped


def perft(
    what: Game | Position,
    depth: int,
    *,
    bulk: bool = False,
    mode: str | None = None,
    listener: Listener | None = None,
) -> Count:
    """Count the paths of `depth` moves from a position; in bulk, without making the last move of each."""
    position = what if isinstance(what, Position) else Position(what)
    game = position.game
    if not 0 <= depth <= game.max_plies:
        raise Unsuitable(f"{game.name}: perft depth must be from 0 to {game.max_plies}, not {depth}")
    way = mode_for(game, mode)
    kernel = way.entry(perft_kernel(game, way, bulk), game, (int, int))
    workspace = way.workspace(game)
    path = position.path() if game.forbids else [position.state]
    workspace.place(path)
    if game.forbids:
        marks, hashes = trail_of(game, path)
        workspace.fill(marks=marks, paths=hashes)
    watch = Watch([workspace], Limits(), listener)
    paths = watch.run(lambda: int(kernel(workspace.record, len(path) - 1, depth)))
    check_moves(game, [workspace])
    return Count(paths, watch.nodes, watch.seconds, watch.reason)
