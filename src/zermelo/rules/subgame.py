"""Sub-games: what one player can force, by forcing moves alone.

A checkmate by checks, five in a row by fours: the attacker may only make forcing moves, the defender may answer as the
rules allow. Such a search is narrow and goes deep. Since only the attacker is restricted, a win of the sub-game is a
win of the game, with the same moves; that there is none says nothing about the game. So the answer is won or unknown.

    Game(..., subgames={"mate": Subgame(attack=checks)})

The attacker is whoever is to move where the sub-game begins. Who has no forcing move left has failed. What its rules
say is described in `zermelo.rules.hooks`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from zermelo.rules.errors import RuleError, UnknownName, Unsuitable, nearest
from zermelo.rules.hooks import SUBGAME_HOOKS, SubgameHooks
from zermelo.rules.language import ONGOING
from zermelo.rules.structs import wrapping

if TYPE_CHECKING:
    from zermelo.rules.game import Game


@dataclass(frozen=True, eq=False, kw_only=True)
class Subgame(SubgameHooks):
    """The rules of a sub-game. `may_repeat`: whether a position may come back, which then means what the game says;
    otherwise the attack has failed there. Such an attack wins without any loop, whatever loops are worth in the game,
    and what a search has proved on one path holds on every other. `lacks`: told a state, it says in words what that one
    does not tell although the sub-game is about it, nothing if all is there; `mate` asks it."""

    may_repeat: bool = True
    lacks: Callable[[Any], str] | None = None

    @property
    def wins(self) -> bool:
        """Whether to win it is to win the game. A goal of its own may be less, such as to catch a piece."""
        return self.goal is None

    def check(self, where: str) -> None:
        """Refuse what is no rule."""
        for hook in SUBGAME_HOOKS.values():
            given = getattr(self, hook.name)
            if not callable(given) and (given is not None or hook.required):
                raise RuleError(f"{where}.{hook.name} must be a function marked @rule")
        if len({hook is None for hook in (self.setting, self.first_stock, self.second_stock)}) > 1:
            raise RuleError(f"{where} needs setting, first_stock and second_stock together, or none of them")


def missed_wins(game: Game, history: Sequence[Any]) -> int:
    """The players, one bit each, who could have won at once by a forcing move in what was played before, and did not.

    A reply that `defend` leaves out leads to such a position. If it is one that stood on the board before, the reply
    does not lose: it repeats. Then the attacker has to reckon with all replies."""
    found = 0
    if game.cyclic and any(subgame.defend is not None for subgame in game.subgames.values()):
        for state in history:
            found |= _missed_win(game, state.tobytes())
    return found


@lru_cache(maxsize=4096)
@wrapping
def _missed_win(game: Game, state: bytes) -> int:
    assert game.State is not None
    assert game.turn is not None
    here = game.State.frombytes(state)
    side = game.turn(here)
    for subgame in game.subgames.values():
        out = [0] * game.max_moves
        for move in out[: subgame.attack(here, out)] if game.verdict(here) == ONGOING else ():
            after = here.copy()
            game.play(after, move)
            won = game.verdict(after) == game.values[1 - side]
            if won or (subgame.goal is not None and subgame.goal(after) == 1):
                return 1 << int(side)
    return 0


def subgame_named(game: Game, name: str | None = None) -> str:
    """The name of a sub-game that a game has; of its only one if none is given."""
    known = list(game.subgames)
    if not known:
        raise Unsuitable(f"{game.name} declares no sub-games, so nothing can be won in one: see Subgame in its rules")
    if name is None:
        if len(known) > 1:
            raise Unsuitable(f"{game.name} has several sub-games: name one of {', '.join(known)}")
        return known[0]
    if name not in known:
        raise UnknownName(f"{game.name} has no sub-game called {name}: {nearest(name, known)}")
    return name


def winning_subgame(game: Game, name: str) -> str:
    """The same, of a sub-game that is part of winning the game: only such helps other searches."""
    found = subgame_named(game, name)
    if not game.subgames[found].wins:
        raise Unsuitable(
            f"{game.name}: the sub-game {found} has a goal of its own, and to reach that is not to win the game"
        )
    return found
