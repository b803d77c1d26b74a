"""A game: its state, its rules and hooks, and its traits.

What a game's author writes as functions is described in `zermelo.rules.hooks`. The three rules every game has work on a
struct state `s`:

    moves(s, out)    writes the legal moves (numbers from 0 to 65534) into `out`, returns how many
    play(s, move)    changes `s` in place; the caller made the copy
    result(s)        ONGOING, or the first player's score, within `values`

A game made of plain Python objects instead (see `zermelo.rules.objects`) has the same fields, no `State`,
`moves(s)` returning a list and `play(s, move)` returning a new object; it always runs interpreted.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from zermelo.rules.errors import RuleError, UnknownName, nearest
from zermelo.rules.hooks import HOOKS, Hooks, turn_by_parity
from zermelo.rules.language import ONGOING
from zermelo.rules.settings import kinds_of, read_value
from zermelo.rules.structs import Struct, wrapping
from zermelo.rules.subgame import Subgame

if TYPE_CHECKING:
    from zermelo.rules.position import Position

REPETITIONS = ("none", "draw", "points", "first", "second", "wins", "loses", "forbidden")


def _are_bounds(values: Any) -> bool:
    try:
        low, high = values
        return bool(float(low) < float(high))
    except (TypeError, ValueError):
        return False


class Entry(NamedTuple):
    """What is known of a position without a search: the first player's score, best moves, all of them if `complete`,
    and best play from there; in how many plies it ends, if that is known."""

    score: float
    best: list[str]
    complete: bool
    line: list[str]
    plies: int | None


class Known(Protocol):
    """What a game's `bounds` look up beside the rules, such as endgame tables."""

    def entry(self, position: Position) -> Entry | None:
        """What is known of a position itself, None if nothing is."""

    def holds(self, position: Position) -> bool:
        """Whether anything is known of a position itself."""

    @property
    def names(self) -> tuple[str, ...]:
        """What people call it."""

    def certain(self, position: Position) -> bool:
        """Whether what it says of a position holds whatever was played before."""

    def check(self) -> None:
        """Raise what went wrong when it was read, if anything did."""

    def close(self) -> None:
        """Let go of what it holds; it cannot be asked any more."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Game(Hooks):
    """The rules of one game with its parameters fixed: the rules and hooks of `Hooks`, and traits.

    `values` are the bounds of the score; `max_moves` and `max_plies` bound the legal moves of a position and the length
    of a game (of a search, where play can go round in circles); `repetition` says what a position that comes back means
    (none: it cannot, draw, points: those so far count, first, second, wins, loses: that player or the one who closed
    the loop gets the best or the worst score; forbidden: no move may lead back to it), or is a rule of the game's own
    that sees the cycle; `folds`: how many times a position must stand on the path for that to apply; `exact_key`: no
    two positions share a key; `strict_estimates`: `evaluate` stays strictly inside `values`, so that a value on the
    bound is certain; `endless`: play can return to a position and simply goes on, as dice make it in pig, and what
    never ends scores 0; `max_outcomes` bounds the outcomes of a chance position where they are far fewer than moves can
    be; `max_unmoves` bounds what `unmoves` lists; `rests_on`: what its `bounds` look up beside the rules; `subgames`:
    what can be won by forcing moves alone, by name (see `zermelo.rules.subgame`); `evaluations`: rules like `evaluate`,
    by name, of which a search may be told to use another; `drawn`: the first player's score where `repetition` is draw;
    `unit`: what a hundredth of a pawn is worth in `evaluate`, where estimates are shown to people who count in pawns.
    """

    name: str
    State: type[Struct] | None
    start: Any
    max_moves: int
    max_plies: int
    values: tuple[float, float] = (-1, 1)
    folds: int = 2
    exact_key: bool = False
    strict_estimates: bool = True
    alternating: bool | None = None
    endless: bool = False
    max_outcomes: int | None = None
    max_unmoves: int | None = None
    prefer_compiled: bool = True
    parameters: Mapping[str, Any] = field(default_factory=dict)
    rests_on: Known | None = None
    subgames: Mapping[str, Subgame] = field(default_factory=dict)
    evaluations: Mapping[str, Any] = field(default_factory=dict)
    drawn: float = 0
    unit: float | None = None

    def __post_init__(self) -> None:
        for hook in HOOKS.values():
            given = getattr(self, hook.name)
            if not callable(given) and (given is not None or hook.required) and hook.name != "repetition":
                raise RuleError(f"{self.name}: {hook.name} must be a function{' marked @rule' * hook.compiled}")
        if self.State is not None and not isinstance(self.start, self.State):
            raise RuleError(f"{self.name}: start must be a state made by the game's own struct")
        if self.turn is None:
            default = HOOKS["turn"].default(self)
            if default is None:
                raise RuleError(
                    f"{self.name}: give a rule turn(s), or a field named turn or plies, to tell who is to move"
                )
            object.__setattr__(self, "turn", default)
        if self.alternating is None:
            object.__setattr__(self, "alternating", self.turn is turn_by_parity)
        if not _are_bounds(self.values):
            raise RuleError(f"{self.name}: values must be (lowest, highest) scores, not {self.values}")
        for name, evaluation in self.evaluations.items():
            if not isinstance(name, str) or not name.strip() or not callable(evaluation):
                raise RuleError(f"{self.name}: evaluations are functions marked @rule by their names, not {name!r}")
        self._check_repetition()
        self._check_numbering()
        self._check_subgames()
        for name in ("max_outcomes", "max_unmoves"):
            if getattr(self, name) is None:
                object.__setattr__(self, name, self.max_moves)
        for name in ("max_moves", "max_plies", "max_outcomes", "max_unmoves"):
            limit = getattr(self, name)
            if not isinstance(limit, int) or limit < 1:
                raise RuleError(f"{self.name}: {name} must be a whole number of at least 1, not {limit!r}")

    def _check_repetition(self) -> None:
        meaning = self.repetition
        if not callable(meaning) and meaning not in REPETITIONS:
            raise RuleError(f"{self.name}: repetition {meaning!r} is unknown, {nearest(str(meaning), REPETITIONS)}")
        if meaning == "draw" and not self.values[0] <= self.drawn <= self.values[1]:
            raise RuleError(
                f"{self.name}: repetition draw scores {self.drawn:g}, which lies outside values = {self.values}"
            )
        if self.repeatable is not None and meaning != "forbidden":
            raise RuleError(
                f"{self.name}: repeatable says which positions may come back where repetition is forbidden, but here "
                f"it is {meaning if isinstance(meaning, str) else 'a rule of its own'}"
            )
        if meaning == "points" and self.rest is None:
            raise RuleError(f"{self.name}: repetition points scores the points so far: give a rule rest(s)")
        if not isinstance(self.folds, int) or self.folds < 2:
            raise RuleError(f"{self.name}: folds must be a whole number of at least 2, not {self.folds!r}")
        if self.cyclic and self.loop_value is None and self.weight is not None:
            raise RuleError(
                f"{self.name}: with chance, repetition must be draw, first or second: a score that depends on who "
                "closed the loop is not supported"
            )

    def _check_numbering(self) -> None:
        """What numbers positions comes as a whole."""
        groups = {"number positions": ("index", "unindex", "tiers"), "go back": ("unmoves", "unplay")}
        for together, needed in groups.items():
            missing = [name for name in needed if getattr(self, name) is None]
            if 0 < len(missing) < len(needed):
                raise RuleError(
                    f"{self.name}: {' and '.join(needed)} {together} together: give {' and '.join(missing)} too, or "
                    "none of them"
                )
        if self.unmoves is not None and self.index is None:
            raise RuleError(f"{self.name}: unmoves and unplay go back in a table: give index, unindex and tiers too")
        if self.index is not None and self.State is None:
            raise RuleError(f"{self.name}: index needs a state made by struct, which unindex can fill")

    def _check_subgames(self) -> None:
        for name, subgame in self.subgames.items():
            if not isinstance(subgame, Subgame):
                raise RuleError(f"{self.name}: subgames are {{name: Subgame(attack=...)}}, not {name}: {subgame!r}")
            subgame.check(f"{self.name}: {name}")
        if self.subgames and (self.State is None or self.has_chance):
            kind = "dice" if self.has_chance else "positions that are Python objects"
            raise RuleError(f"{self.name}: a sub-game needs struct states and no chance, and this game has {kind}")

    @property
    def cyclic(self) -> bool:
        """Whether play can come back to a position, so that its value depends on the path to it."""
        return self.repetition != "none"

    @property
    def forbids(self) -> bool:
        """Whether a move that would close a loop is not legal, so that which moves there are depends on the path."""
        return self.repetition == "forbidden"

    @property
    def loop_value(self) -> float | None:
        """The first player's score for every loop, None where it depends on the loop (or where there are none)."""
        if not isinstance(self.repetition, str):
            return None
        return {"draw": self.drawn, "first": self.values[1], "second": self.values[0]}.get(self.repetition)

    @property
    def path_free(self) -> bool:
        """Whether a loop scores the same whoever closes it and however it is gone round, so that `loop_worth` knows."""
        return self.loop_value is not None or self.repetition == "points"

    @wrapping
    def loop_worth(self, state: Any) -> float | None:
        """The first player's score for every loop through a position, None where it depends on the loop. Points only
        ever add up, so all positions of a loop have the same."""
        if self.repetition != "points":
            return self.loop_value
        assert self.rest is not None
        return self.rest(state)[1]  # type: ignore[no-any-return]

    @property
    def compilable(self) -> bool:
        """Whether the rules are written for struct states, and so can become machine code."""
        return self.State is not None

    @property
    def has_chance(self) -> bool:
        return self.weight is not None

    @cached_property
    def integral(self) -> bool:
        """Whether scores are whole numbers, which the game says by giving its bounds as such."""
        return all(isinstance(v, int) for v in self.values)

    @wrapping
    def verdict(self, state: Any) -> Any:
        """`ONGOING`, or the first player's score: by `result`, or by `stuck` where there is no move. Of loops only
        `Position.result` knows."""
        from zermelo.rules.position import legal_moves

        score = self.result(state)
        if self.stuck is not None and score == ONGOING and not legal_moves(self, state):
            return self.stuck(state)
        return score

    def evaluation(self, name: str) -> Any:
        """The evaluation of a name."""
        if name not in self.evaluations:
            raise UnknownName(f"{self.name} has no evaluation {name}: {nearest(name, self.evaluations)}")
        return self.evaluations[name]

    def position(self, text: str = "") -> Position:
        """The position that a text describes, the start if there is none."""
        from zermelo.rules.position import Position

        return Position.read(self, text)

    @property
    def summary(self) -> str:
        """Name and parameters, as a person would write them."""
        settings = ", ".join(f"{name}={value}" for name, value in self.parameters.items())
        return f"{self.name}({settings})" if settings else self.name


@wrapping
def build(factory: Callable[..., Game], given: Mapping[str, Any] | None = None) -> Game:
    """Call a game's factory with parameters that may be texts, and remember them in the game."""
    signature = inspect.signature(factory)
    wanted, kinds = signature.parameters, kinds_of(factory)
    values: dict[str, Any] = {}
    for name, value in (given or {}).items():
        if name not in wanted:
            raise UnknownName(f"{factory.__name__} has no parameter {name}: {nearest(name, wanted)}")
        values[name] = read_value(f"{factory.__name__}: {name}", value, kinds[name])
    missing = [n for n, p in wanted.items() if p.default is inspect.Parameter.empty and n not in values]
    if missing:
        raise UnknownName(f"{factory.__name__} needs a value for {missing[0]}: add --set {missing[0]}=…")
    game = factory(**values)
    if not isinstance(game, Game):
        raise RuleError(f"{factory.__name__} must return a Game, not {type(game).__name__}")
    bound = signature.bind(**values)
    bound.apply_defaults()
    return replace(game, parameters=dict(bound.arguments))
