"""Perft: how many paths of a given length the rules allow. It tests move generation and measures its speed.

Games that end earlier count only at the depth where they end, as is usual: a path shorter than the depth is
not counted. Chance outcomes are counted as moves.
"""

from __future__ import annotations

from zermelo.compile.diagnosis import check_moves
from zermelo.compile.modes import Kernel, Mode, mode_for
from zermelo.compile.watch import Limits, Listener, Watch
from zermelo.rules import ONGOING, Game, Position, Unsuitable


def perft_kernel(game: Game, mode: Mode) -> Kernel:
    rules = mode.rules(game)
    generate, advance, result = rules.generate, rules.advance, rules.result

    @mode.kernel
    def perft(ws, ply, depth):
        ws.nodes += 1
        if depth == 0:
            return 1
        if ws.stop != 0 or result(ws.stack[ply]) != ONGOING:
            return 0
        paths = 0
        for i in range(generate(ws, ply)):
            advance(ws, ply, ws.moves[ply][i])
            paths += perft(ws, ply + 1, depth - 1)
        return paths

    return perft


class Count:
    """The number of paths, and what it took to count them. `stopped` if it was cut short."""

    def __init__(self, paths: int, nodes: int, seconds: float, stopped: str | None) -> None:
        self.paths, self.nodes, self.seconds, self.stopped = paths, nodes, seconds, stopped


def perft(
    what: Game | Position, depth: int, *, mode: str | None = None, listener: Listener | None = None
) -> Count:
    """Count the paths of `depth` moves from a position."""
    position = what if isinstance(what, Position) else Position(what)
    game = position.game
    if not 0 <= depth <= game.max_plies:
        raise Unsuitable(f"{game.name}: perft depth must be from 0 to {game.max_plies}, not {depth}")
    way = mode_for(game, mode)
    kernel = way.entry(perft_kernel(game, way), game, (int, int))
    workspace = way.workspace(game)
    workspace.place([position.state])
    watch = Watch([workspace], Limits(), listener)
    paths = watch.run(lambda: int(kernel(workspace.record, 0, depth)))
    check_moves(game, [workspace])
    return Count(paths, watch.nodes, watch.seconds, watch.reason)
