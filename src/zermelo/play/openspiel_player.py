"""OpenSpiel's own players at our boards: `openspiel-mcts(simulations=1000)`, `openspiel-random`.

They think in OpenSpiel's states. Beside the position of the game such a player keeps OpenSpiel's state of the same
game, takes it along move by move, and turns the action that it chose back into a move; `openspiel_twins` says which is
which. A game that is only known to one of both is refused before it begins.
"""

from __future__ import annotations

import random
import time
from typing import Any

from zermelo.compile.watch import Limits
from zermelo.play.clock import Clock
from zermelo.play.openspiel_twins import twin
from zermelo.play.player import Player, Turn
from zermelo.rules import Game, Position, Unsuitable
from zermelo.rules.settings import write_value

MEGABYTES = 1000
"""How large a tree may become."""
TRIAL = 100
"""So many simulations tell how fast they go."""


class OpenSpielPlayer(Player):
    """What both have in common: the state beside the position. `choose` names an action."""

    def __init__(self, game: Game, seed: int | None) -> None:
        self.game = game
        self.seed = random.SystemRandom().randrange(10**6) if seed is None else seed
        self.twin = twin(game)
        self._at: tuple[Position, Any] = (game.position(), self.twin.start(game))

    def begin(self, position: Position, clock: Clock) -> None:
        self._state(position)

    def move(self, turn: Turn) -> int:
        state = self._state(turn.position)
        if state.is_terminal():
            raise Unsuitable(f"by OpenSpiel's rules of {self.twin.text} the game is over here")
        action = self.choose(state, turn)
        pairs = self.twin.pairs(turn.position, state)
        if action not in pairs:
            raise Unsuitable(f"OpenSpiel chose {state.action_to_string(action)}, which is no move here")
        return pairs[action]

    def choose(self, state: Any, turn: Turn) -> int:
        """The action to play; here any."""
        return int(random.Random(f"{self.seed} {state.move_number()}").choice(state.legal_actions()))

    def _state(self, position: Position) -> Any:
        """OpenSpiel's state at a position: from the one that was asked for last, if it came before, or from the start.
        A game that began elsewhere than at the start cannot be followed."""
        known, state = self._at
        path = []
        here: Position | None = position
        while here is not None and here is not known and here.previous is not None:
            path.append(here)
            here = here.previous
        if here is not known:
            if position.game.name == "openspiel":
                return position.state.clone()
            if here is None or here.state is not self.game.start:
                raise Unsuitable("OpenSpiel's players follow a game from its start, not from a position described")
            state = self.twin.start(self.game)
        for after in reversed(path):
            assert after.previous is not None
            pairs = self.twin.pairs(after.previous, state)
            state = state.child(next(action for action, code in pairs.items() if code == after.last_move))
        self._at = (position, state)
        return state


class OpenSpielRandom(OpenSpielPlayer):
    """Any of the actions that OpenSpiel allows."""

    def __init__(self, game: Game, seed: int | None = None) -> None:
        super().__init__(game, seed)
        self.name = f"openspiel-random(seed={self.seed})"


class OpenSpielMCTS(OpenSpielPlayer):
    """OpenSpiel's Monte-Carlo tree search in C++, with one random rollout for each leaf.

    A tree is grown anew for every move: with so many `simulations`, or for as long as the limits say, a second if there
    are none. A limit of nodes is one of simulations, for each adds a node. Where both simulations and a time are set, a
    short trial tells how fast they go, and the time counts if the simulations would take longer.
    uct_c: how much it explores. solve: whether it backs up proven results.
    """

    def __init__(
        self,
        game: Game,
        simulations: int | None = None,
        seconds: float | None = None,
        uct_c: float = 2.0,
        solve: bool = True,
        seed: int | None = None,
        limits: Limits | None = None,
    ) -> None:
        if simulations is not None and simulations < 1:
            raise Unsuitable(f"openspiel-mcts needs at least 1 simulation, not {simulations}")
        super().__init__(game, seed)
        self.simulations, self.uct_c, self.solve = simulations, uct_c, solve
        self.limits = Limits(seconds=seconds).within(limits or Limits())
        self._rate: float | None = None
        told = {"simulations": simulations, "seconds": self.limits.seconds, "uct_c": uct_c, "solve": solve}
        usual = {"simulations": None, "seconds": None, "uct_c": 2.0, "solve": True}
        shown = {name: value for name, value in told.items() if value != usual[name]} | {"seed": self.seed}
        self.name = f"openspiel-mcts({', '.join(f'{name}={write_value(value)}' for name, value in shown.items())})"

    def choose(self, state: Any, turn: Turn) -> int:
        limits = self.limits.within(turn.limits)
        counts = [count for count in (self.simulations, limits.nodes) if count is not None]
        seconds = limits.seconds if counts or limits.seconds else 1.0
        if counts and seconds is not None and not self._fits(state, min(counts), seconds):
            counts = []
        found = self._search(state, min(counts), None) if counts else self._search(state, TRIAL, seconds)
        return int(found.best_child().action)

    def _fits(self, state: Any, count: int, seconds: float) -> bool:
        """Whether so many simulations are likely to be done in time."""
        if self._rate is None:
            self._search(state, TRIAL, None)
        assert self._rate is not None
        return count / self._rate < 0.9 * seconds

    def _search(self, state: Any, count: int, seconds: float | None) -> Any:
        """The root of a fresh tree."""
        import pyspiel

        seed = random.Random(f"{self.seed} {state.move_number()}").randrange(2**31)
        bot = pyspiel.MCTSBot(
            state.get_game(), pyspiel.RandomRolloutEvaluator(1, seed), self.uct_c, count, MEGABYTES, self.solve, seed,
            False, pyspiel.ChildSelectionPolicy.UCT, -1.0 if seconds is None else seconds,
        )  # fmt: skip
        began = time.perf_counter()
        root = bot.mcts_search(state)
        self._rate = max(root.explore_count, 1) / max(time.perf_counter() - began, 1e-6)
        return root
