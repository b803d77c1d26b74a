"""A game: its state, its rules, its traits and its optional hooks.

The three rules every game has work on a struct state `s`:

    moves(s, out)    writes the legal moves (integers from 0 to 65535) into `out`, returns how many
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
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from zermelo.rules.errors import RuleError, UnknownName, nearest
from zermelo.rules.settings import kinds_of, read_value
from zermelo.rules.structs import Struct

if TYPE_CHECKING:
    from zermelo.rules.position import Position

ONGOING = -(2**31)
"""What `result` returns while the game goes on: no score can be this low."""
DRAW = 0
CHANCE = 2
"""What `turn` returns where the dice, not a player, decide."""

REPETITIONS = ("none", "draw", "first", "second", "wins", "loses")

Rule = Callable[..., Any]
R = TypeVar("R", bound=Rule)


def rule(function: R) -> R:
    """Mark a function as part of a game's rules: it may call other rules, and it can be compiled."""
    function.is_rule = True  # type: ignore[attr-defined]
    return function


class Drawing(Protocol):
    """What a game's `draw` hook returns: a picture for the terminal and one for the notebook."""

    def text(self) -> str: ...
    def svg(self) -> str: ...


@rule
def turn_field(s: Any) -> Any:
    return s.turn


@rule
def turn_by_parity(s: Any) -> Any:
    return s.plies & 1


@rule
def equal_weight(s: Any, outcome: Any) -> Any:
    """The `weight` of a fair die. Searches know this rule and add values up without multiplying them."""
    return 1


RULES = ("moves", "play", "result")
HOOKS = (
    "turn", "weight", "evaluate", "order", "key", "loop_key", "symmetry", "rest", "bounds", "candidates", "horizon",
    "effort", "truth", "move_text", "position_text", "read_position", "draw",
)  # fmt: skip


def _are_bounds(values: Any) -> bool:
    try:
        low, high = values
        return bool(float(low) < float(high))
    except (TypeError, ValueError):
        return False


@dataclass(frozen=True, eq=False, kw_only=True)
class Game:
    """The rules of one game with its parameters fixed. See the module's text for the three rules.

    Traits: `values` are the bounds of the score; `max_moves` and `max_plies` bound the legal moves of a
    position and the length of a game (of a search, where play can go round in circles); `repetition` says
    what a position that comes back means (none: it cannot, draw, first, second, wins, loses: that player
    or the one who closed the loop gets the best or the worst score), or is a rule of the game's own that sees the
    cycle, `repetition(path, begin, end)`: `path[begin]` has come back as `path[end]`, and the answer is the first
    player's score or ONGOING; `folds`: how many times a position must stand on the path for that to apply;
    `exact_key`: no two positions share a
    key; `strict_estimates`: `evaluate` stays strictly inside `values`, so that a value on the bound is certain;
    `endless`: play can return to a position and simply goes on, as dice make it in pig, and what never ends scores
    0; `max_outcomes` bounds the outcomes of a chance position where they are far fewer than moves can be.

    Hooks, all optional: `turn(s)` 0, 1 or CHANCE (default: the field `turn`, or the parity of the field
    `plies`); `weight(s, outcome)` at chance positions; `evaluate(s)` an estimate of the score for the first
    player, strictly inside `values` (default: their middle); `order(s, move)` higher is tried first;
    `key(s)` a 64-bit hash (default: a hash of all fields); `loop_key(s)` a hash of what must come back for a position
    to count as repeated, where that is less than all of it (a clock may differ; whose turn it is may not);
    `symmetry(s)` a key shared by all positions equivalent to `s`; `rest(s)` where scores add up during play, a key of
    all that the rest of the game depends on and the first player's score so far, so that a table can forget how the
    points were shared out before (it is used instead of `symmetry`, whose work its key can do too); `bounds(s)` the
    lowest and highest score that is still possible, where the rules show it; `candidates(s, out)` like `moves`, but
    only as many as are needed to hold a best one (called only where `bounds` leaves the score open); `horizon(s)` true
    where the search must stop and take the estimate; `effort(s)` how much work a position is likely to take, a whole
    number from 1 on; `truth(s)` the exact score, where it is known without a search (in synthetic trees, for those who
    study searches: searches do not use it); `timeless(s)` the position in the same game without clock and loop rule,
    and how many plies the clock leaves (0 if there is none); texts and a drawing.
    """

    name: str
    State: type[Struct] | None
    start: Any
    moves: Rule
    play: Rule
    result: Rule
    max_moves: int
    max_plies: int
    values: tuple[float, float] = (-1, 1)
    repetition: str | Rule = "none"
    folds: int = 2
    exact_key: bool = False
    strict_estimates: bool = True
    alternating: bool | None = None
    endless: bool = False
    max_outcomes: int | None = None

    turn: Rule | None = None
    weight: Rule | None = None
    evaluate: Rule | None = None
    order: Rule | None = None
    key: Rule | None = None
    loop_key: Rule | None = None
    symmetry: Rule | None = None
    rest: Rule | None = None
    bounds: Rule | None = None
    candidates: Rule | None = None
    horizon: Rule | None = None
    effort: Rule | None = None
    truth: Rule | None = None
    timeless: Callable[[Any], tuple[Position, int]] | None = None

    move_text: Callable[[Any, int], str] | None = None
    position_text: Callable[[Any], str] | None = None
    read_position: Callable[[str], Any] | None = None
    draw: Callable[[Any], Drawing] | None = None

    prefer_compiled: bool = True
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in (*RULES, *HOOKS):
            given = getattr(self, name)
            if not callable(given) and (given is not None or name in RULES):
                raise RuleError(f"{self.name}: {name} must be a function marked @rule")
        if self.State is not None and not isinstance(self.start, self.State):
            raise RuleError(f"{self.name}: start must be a state made by the game's own struct")
        if self.turn is None:
            fields = self.State.fields if self.State else {}
            default = turn_field if "turn" in fields else turn_by_parity if "plies" in fields else None
            if default is None:
                raise RuleError(
                    f"{self.name}: give a rule turn(s), or a field named turn or plies, to tell who is to move"
                )
            object.__setattr__(self, "turn", default)
        if self.alternating is None:
            object.__setattr__(self, "alternating", self.turn is turn_by_parity)
        if not _are_bounds(self.values):
            raise RuleError(f"{self.name}: values must be (lowest, highest) scores, not {self.values}")
        self._check_repetition()
        if self.max_outcomes is None:
            object.__setattr__(self, "max_outcomes", self.max_moves)
        for name in ("max_moves", "max_plies", "max_outcomes"):
            limit = getattr(self, name)
            if not isinstance(limit, int) or limit < 1:
                raise RuleError(f"{self.name}: {name} must be a whole number of at least 1, not {limit!r}")

    def _check_repetition(self) -> None:
        meaning = self.repetition
        if not callable(meaning) and meaning not in REPETITIONS:
            raise RuleError(f"{self.name}: repetition {meaning!r} is unknown, {nearest(str(meaning), REPETITIONS)}")
        if meaning == "draw" and not self.values[0] <= 0 <= self.values[1]:
            raise RuleError(f"{self.name}: repetition draw scores 0, which lies outside values = {self.values}")
        if not isinstance(self.folds, int) or self.folds < 2:
            raise RuleError(f"{self.name}: folds must be a whole number of at least 2, not {self.folds!r}")
        if self.cyclic and self.loop_value is None and self.weight is not None:
            raise RuleError(
                f"{self.name}: with chance, repetition must be draw, first or second: a score that depends on who "
                "closed the loop is not supported"
            )

    @property
    def cyclic(self) -> bool:
        """Whether play can come back to a position, so that its value depends on the path to it."""
        return self.repetition != "none"

    @property
    def loop_value(self) -> float | None:
        """The first player's score for every loop, None where it depends on the loop (or where there are none)."""
        if not isinstance(self.repetition, str):
            return None
        return {"draw": 0, "first": self.values[1], "second": self.values[0]}.get(self.repetition)

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

    def position(self, text: str = "") -> Position:
        """The position that a text describes, the start if there is none."""
        from zermelo.rules.position import Position

        return Position.read(self, text)

    @property
    def summary(self) -> str:
        """Name and parameters, as a person would write them."""
        settings = ", ".join(f"{name}={value}" for name, value in self.parameters.items())
        return f"{self.name}({settings})" if settings else self.name


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
