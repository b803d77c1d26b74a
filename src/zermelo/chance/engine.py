"""A search of the Star family, ready to be used."""

from __future__ import annotations

from typing import Any

from zermelo.chance.depth_rules import NEVER, check_root
from zermelo.chance.options import ChanceOptions
from zermelo.core.engine import Engine
from zermelo.core.memory import DEFAULT
from zermelo.core.method import Method
from zermelo.rules import CHANCE, Game, Position

ROUNDING = 1e-9
"""Sums in another order differ in their last bits: values closer than this share of their range count as equal."""


class ChanceEngine(Engine):
    """One method of the Star family for one game. At chance positions values are the first player's."""

    def __init__(
        self,
        game: Game,
        method: Method,
        options: ChanceOptions | None = None,
        *,
        mode: str | None = None,
        memory: str | int = DEFAULT,
        threads: int = 1,
    ) -> None:
        asked = options or method.options
        assert isinstance(asked, ChanceOptions)
        super().__init__(game, method, asked.compiled, estimates=True, mode=mode, memory=memory, threads=threads)
        self.asked = asked
        self.rounding = ROUNDING * (self.high - self.low)
        self.set_probes(asked.probes)

    def set_probes(self, factors: tuple[int, ...]) -> None:
        """How many moves to probe below the first outcome, the second, and so on; the last number serves the rest."""
        for workspace in self.workspaces:
            places = range(self.game.max_outcomes or 0)
            workspace.fill(probes=[factors[min(place, len(factors) - 1)] for place in places])

    @property
    def approximates(self) -> bool:
        """Whether values rest on more than is certain in a search that met no horizon."""
        return self.asked.approximate

    def search(self, position: Position, depth: int, *arguments: Any, guess: float = 0) -> Any:
        root = len(position.path()) - 1 if self.game.cyclic else 0
        for workspace in self.workspaces:
            if "dice" in workspace:
                workspace.rows("dice")[root], workspace.rows("tossed")[root] = 0, NEVER
        return super().search(position, depth, *arguments, guess=guess)

    def open_window(self, position: Position) -> tuple[float, float]:
        """A window so wide that no rounding can reach its ends."""
        low, high = self.window(position)
        return 2 * low - high, 2 * high - low

    def value_of_move(self, position: Position, move: int, depth: int, alpha: float, beta: float) -> float:
        """The value of a move for the player who makes it (at chance positions, of an outcome for the first player),
        within a window as for any search; `depth` is what the position itself is searched with."""
        after = position.play(move)
        same = (after.turn == 1) == (position.turn == 1)
        if after.result is not None:
            return -after.result if position.turn == 1 else after.result
        below = depth if position.turn == CHANCE else depth - 1
        if same:
            return float(self.search(after, below, alpha, beta))
        return -float(self.search(after, below, -beta, -alpha))

    def check(self, position: Position, depth: int) -> None:
        """Refuse what cannot be searched as asked."""
        check_root(self.asked, position, depth)
