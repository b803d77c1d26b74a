"""A search with opponent models, ready to be used."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from zermelo.compile.modes import Kernel, Mode, mode_for
from zermelo.compile.workspace import MOVES
from zermelo.core.engine import Engine
from zermelo.core.evaluation import evaluator
from zermelo.core.memory import DEFAULT
from zermelo.core.method import Method, Options, Parts
from zermelo.opponent.eyes import eyes
from zermelo.opponent.models import OWN, Model, rule_of
from zermelo.opponent.one_pass import Levels, one_pass
from zermelo.opponent.options import ModelOptions
from zermelo.opponent.probing import Thinker, minimaxer, modeller
from zermelo.rules import CHANCE, Game, Position, Unsuitable, f64, i64


def searching(mode: Mode, game: Game, models: Sequence[Model], options: ModelOptions) -> Kernel:
    """`search(ws, ply, depth, …)` -> the value for the player to move at ply, who foresees the other; what every move
    is worth is in ws.found, in the order of the rules."""
    ours = eyes(game, mode, options, rule_of(game, OWN), 0)
    if options.how == "probing":
        value = probing(mode, ours, game, models, options)
    else:
        levels = Levels(models)
        evaluators = [ours.nodes.evaluate, *(evaluator(mode, rule_of(game, name)) for name in levels.evaluations)]
        value = one_pass(
            mode, ours, levels, evaluators, ties=options.ties, prunes=options.how == "beta", apart=options.apart or 0.0
        )
    visit, mover, generate = ours.nodes.visit, ours.nodes.mover, ours.nodes.rules.generate
    descend = ours.table.descend
    mode.needs(us=i64, found=(f64, MOVES), move=i64)

    @mode.kernel
    def search(ws, ply, depth, alpha, beta):
        who = mover(ws, ply)
        ws.us = 0 if who == CHANCE else who
        if who == CHANCE:
            return value(ws, ply, depth)
        visit(ws, ply, depth)
        n = generate(ws, ply)
        best = alpha
        ws.move = -1
        for i in range(n):
            move = ws.moves[ply][i]
            descend(ws, ply, move, depth)
            ws.found[i] = value(ws, ply + 1, depth - 1)
            if ws.stop != 0:
                return best
            if ws.move < 0 or ws.found[i] > best:
                best, ws.move = ws.found[i], move
        return best

    return search


def probing(mode: Mode, ours: Parts, game: Game, models: Sequence[Model], options: ModelOptions) -> Kernel:
    """Our value of a position, the opponents being probed; each chain of models is built from its end."""
    number, thinkers = 1, []
    for model in models:
        thinker: Thinker | None = None
        for place, one in reversed(list(enumerate(model.chain))):
            parts = eyes(game, mode, options, rule_of(game, one.evaluation), number)
            number += 1
            if thinker is None:
                thinker = minimaxer(mode, parts, one.depth)
            else:
                below, depth = [thinker], one.depth
                thinker = modeller(
                    mode, parts, below, ours=place % 2 == 1, depth=depth, ties=options.ties, room=len(models)
                )[1]
        assert thinker is not None
        thinkers.append(thinker)
    return modeller(mode, ours, thinkers, ours=True, depth=None, ties=options.ties)[0]


@lru_cache(maxsize=64)
def _entry(game: Game, mode: str, models: tuple[Model, ...], options: ModelOptions) -> tuple[Mode, Kernel]:
    """The kernel to call, compiled at most once in a process."""
    way = mode_for(game, mode)
    return way, way.entry(searching(way, game, models, options), game, (int, int, float, float))


class ModelEngine(Engine):
    """One search with opponent models for one game. Values are those of the player to move at the root."""

    def __init__(
        self,
        game: Game,
        method: Method,
        options: ModelOptions,
        *,
        mode: str | None = None,
        memory: str | int = DEFAULT,
    ) -> None:
        self.models, self.asked = options.models(game), options
        super().__init__(game, method, options.compiled, estimates=True, mode=mode, memory=memory)
        self.number, self._us = float, -1
        self.low, self.high = map(float, game.values)
        self.suppose(options.shares(game))

    def _kernel(self, mode: str, options: Options) -> tuple[Mode, Kernel]:
        assert isinstance(options, ModelOptions)
        return _entry(self.game, mode, self.models, options)

    def suppose(self, shares: Sequence[float]) -> None:
        """How likely each opponent is from now on; what was found before does not hold any more."""
        self.shares = tuple(shares)
        self.memory.clear()
        for workspace in self.workspaces:
            workspace.fill(shares=list(shares))

    def worths(self, position: Position, depth: int) -> dict[int, float] | None:
        """What every move is worth to the player who makes it; None if the search was stopped."""
        if position.turn != self._us:  # what the table holds is about the other player
            self._us = position.turn
            self.memory.clear()
        self.search(position, depth, float("-inf"), float("inf"))
        if self.stopped:
            return None
        self._see_how_far()
        found = self.workspaces[0].rows("found")
        return {move: float(found[i]) for i, move in enumerate(position.codes)}

    def _see_how_far(self) -> None:
        """Refuse what was found if it rests on a bound of how far evaluations lie apart that does not hold."""
        apart, space = self.asked.apart, self.workspaces[0]
        if apart is not None and "furthest" in space and space["furthest"] > apart:
            models = ", ".join(str(model) for model in self.models)
            raise Unsuitable(
                f"the evaluations of {models} lie {space['furthest']:g} apart at some position, not apart={apart:g} at "
                "most: give it more, or take probing"
            )
