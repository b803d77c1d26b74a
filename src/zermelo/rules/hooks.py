"""The hooks of a game: what its author may tell about it, each described once.

A hook is a field of `Hooks`, from which `Game` inherits. Its description says how it is called, what it means, what it
returns, and what searches take where a game lacks it. All who deal with hooks in general read it there: the two modes,
the check that compares them, the diagnosis of rules that do not compile, the listing of games, the fingerprint of
certificates and the table in the documentation. To add a hook, add a field; then use it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from zermelo.rules.hashing import key_of_fields
from zermelo.rules.language import ONGOING, Rule, rule

if TYPE_CHECKING:
    from zermelo.rules.game import Game
    from zermelo.rules.position import Position


class Kind(Enum):
    """What a hook returns, and so what must be the same in both modes: numbers up to rounding, all else exactly."""

    NOTHING = auto()  # it changes its first argument
    WHOLE = auto()
    TRUTH = auto()
    NUMBER = auto()
    RANGE = auto()  # two numbers
    WORD = auto()  # 64 bits
    WORD_AND_NUMBER = auto()
    PLACE = auto()  # three whole numbers
    OBJECT = auto()  # ordinary Python, never compiled


class Where(Enum):
    """The positions at which a hook is asked; elsewhere it may say or do anything."""

    EVERYWHERE = auto()
    UNSCORED = auto()  # `result` gives no score: the game goes on, if there is a move
    STUCK = auto()  # and there is none
    ONGOING = auto()  # the game is not over
    CHANCE = auto()  # nor is a player to move
    PLAYER = auto()  # the game is not over, and a player is to move
    UNCHECKED = auto()  # the same, and that player is not in check
    LOUD = auto()  # a player is to move, and one of the loud moves is asked about
    OPEN = auto()  # the game is not over, and `bounds` leaves the score open
    LOOP = auto()  # a position has come back
    REPLY = auto()  # a forcing move of a sub-game was just made
    TABLE = auto()  # no position of a game, but a number in a table, or the position that it stands for


class Purpose(Enum):
    """What a hook is good for."""

    RULES = auto()  # it makes the game what it is
    HELP = auto()  # searches are faster, or know more
    STUDY = auto()  # for those who study searches
    SHOW = auto()  # for people


@dataclass(frozen=True)
class Hook:
    """One hook. `says`: what it means. `must`: what it has to return, in words. `without`: what holds for a game that
    lacks it, in words; `default`: the same as a rule of a game, None where there is none. `binding`: a certificate is
    about games that agree in it. `evaluation`: the name of the one that it is among the game's `evaluations`."""

    arguments: tuple[str, ...]
    says: str
    kind: Kind
    must: str
    where: Where
    purpose: Purpose
    without: str
    default: Callable[[Game], Rule | None]
    binding: bool
    name: str = ""
    required: bool = False
    subgame: str = ""  # to which of the game's sub-games it belongs, if to one
    evaluation: str = ""  # which of the game's evaluations it is, if it is one

    @property
    def compiled(self) -> bool:
        return self.kind is not Kind.OBJECT

    @property
    def call(self) -> str:
        """How it is called: `order(s, move)`."""
        return f"{self.name}({', '.join(self.arguments)})"

    def own(self, game: Game) -> Rule | None:
        """The function that the game gives; None if it gives none, or a word where a word will do."""
        owner: Any = game.subgames[self.subgame] if self.subgame else game
        given = game.evaluations.get(self.evaluation) or getattr(owner, self.name.rpartition(".")[2])
        return given if callable(given) else None

    def of(self, game: Game) -> Rule | None:
        """The game's own, or what is taken instead."""
        return self.own(game) or self.default(game)


def _hook(
    arguments: str,
    says: str,
    kind: Kind,
    must: str = "",
    where: Where = Where.EVERYWHERE,
    purpose: Purpose = Purpose.HELP,
    without: str = "",
    default: Callable[[Game], Rule | None] = lambda game: None,
    binding: bool = False,
) -> dict[str, Hook]:
    """A description as a field of `Hooks` carries it; the field's name and whether it must be given are added later."""
    words = tuple(arguments.split(", ")) if arguments else ()
    return {"hook": Hook(words, says, kind, must, where, purpose, without, default, binding)}


# What is taken where a game says nothing


@rule
def turn_field(s: Any) -> Any:
    return s.turn


@rule
def turn_by_parity(s: Any) -> Any:
    return s.plies & 1


def _turn(game: Game) -> Rule | None:
    known = game.State.fields if game.State else {}
    return turn_field if "turn" in known else turn_by_parity if "plies" in known else None


@rule
def equal_weight(s: Any, outcome: Any) -> Any:
    """The `weight` of a fair die. Searches know this rule and add values up without multiplying them."""
    return 1


def _key(game: Game) -> Rule | None:
    return game.key or (key_of_fields(game.State) if game.State else None)


@rule
def _nowhere(s: Any) -> Any:
    return False


@rule
def _one(s: Any) -> Any:
    return 1


@rule
def _all_alike(s: Any, move: Any) -> Any:
    return 0


@rule
def _equally_likely(s: Any, move: Any) -> Any:
    return 1


@rule
def _goes_on(path: Any, earliest: Any, latest: Any, end: Any) -> Any:
    return ONGOING


def _middle(game: Game) -> Rule:
    low, high = game.values
    middle = (int(low) + int(high)) // 2 if game.integral and (low + high) % 2 == 0 else (low + high) / 2

    @rule
    def evaluate(s: Any) -> Any:
        return middle

    return evaluate


def _values(game: Game) -> Rule:
    low, high = game.values

    @rule
    def bounds(s: Any) -> Any:
        return low, high

    return bounds


class Drawing(Protocol):
    """What a game's `draw` hook returns: a picture for the terminal and one for the notebook."""

    def text(self) -> str: ...
    def svg(self) -> str: ...


class Tier(NamedTuple):
    """One part of an endgame table, as the hook `tiers` lists them: which, how many numbers it has, what people call
    it."""

    tier: int
    size: int
    name: str


@dataclass(frozen=True, eq=False, kw_only=True)
class Hooks:
    """All that a game's author may write as a function. The first three are the rules that every game has.

    `repetition` is a trait too: one of a few words, or a rule of the game's own.
    """

    moves: Rule = field(metadata=_hook(
        "s, out",
        "the legal moves, numbers from 0 to 65534, written into `out`; it returns how many there are",
        Kind.WHOLE, "how many moves it wrote", Where.UNSCORED, Purpose.RULES, binding=True,
    ))  # fmt: skip
    play: Rule = field(metadata=_hook(
        "s, move", "changes `s` in place into the position after a move; the caller made the copy",
        Kind.NOTHING, "", Where.ONGOING, Purpose.RULES, binding=True,
    ))  # fmt: skip
    result: Rule = field(metadata=_hook(
        "s", "`ONGOING`, or the first player's score, within `values`",
        Kind.NUMBER, "ONGOING or the first player's score", purpose=Purpose.RULES, binding=True,
    ))  # fmt: skip
    stuck: Rule | None = field(default=None, metadata=_hook(
        "s",
        "the first player's score where `result` says `ONGOING` but `moves` writes none, as in mate and stalemate: "
        "`result` then need not look for moves",
        Kind.NUMBER, "the first player's score", Where.STUCK, Purpose.RULES,
        without="there is always a move until `result` gives a score", binding=True,
    ))  # fmt: skip
    turn: Rule | None = field(default=None, metadata=_hook(
        "s", "who is to move: 0, 1, or `CHANCE`",
        Kind.WHOLE, "0, 1 or CHANCE", purpose=Purpose.RULES,
        without="the field `turn`, or the parity of the field `plies`", default=_turn, binding=True,
    ))  # fmt: skip
    weight: Rule | None = field(default=None, metadata=_hook(
        "s, outcome", "how likely an outcome is, as a whole number, where `turn` is `CHANCE`",
        Kind.WHOLE, "a whole number", Where.CHANCE, Purpose.RULES,
        without="there is no chance", default=lambda game: equal_weight,
    ))  # fmt: skip
    horizon: Rule | None = field(default=None, metadata=_hook(
        "s", "true where a search must stop and take the estimate",
        Kind.TRUTH, "True or False", Where.ONGOING, Purpose.RULES, without="nowhere", default=lambda game: _nowhere,
    ))  # fmt: skip
    loop_key: Rule | None = field(default=None, metadata=_hook(
        "s",
        "a hash of what must come back for a position to count as repeated, where that is less than all of it: a clock "
        "may differ, whose turn it is may not, unless repetition is forbidden",
        Kind.WORD, "a u64", purpose=Purpose.RULES, without="all of the position", default=_key, binding=True,
    ))  # fmt: skip
    repetition: str | Rule = field(default="none", metadata=_hook(
        "path, earliest, latest, end",
        "the first player's score where a position has come back as `path[end]`, or `ONGOING`: it stood at `latest` "
        "last, and at `earliest` first among the `folds` times that count",
        Kind.NUMBER, "ONGOING or the first player's score", Where.LOOP, Purpose.RULES,
        without="what the trait `repetition` says", default=lambda game: _goes_on,
    ))  # fmt: skip
    repeatable: Rule | None = field(default=None, metadata=_hook(
        "s", "true of a position that may come back where repetition is forbidden: a move that leads to it is legal",
        Kind.TRUTH, "True or False", purpose=Purpose.RULES, without="none may", default=lambda game: _nowhere,
        binding=True,
    ))  # fmt: skip
    reversible: Rule | None = field(default=None, metadata=_hook(
        "s",
        "how many plies ago a loop that ends here can have begun at most: plies since the last move that cannot be "
        "undone, at most one more than a ply before; a `repetition` of the game's own then looks at nothing before "
        "`path[earliest]`",
        Kind.WHOLE, "a whole number from 0 on", without="all of the path",
    ))  # fmt: skip
    key: Rule | None = field(default=None, metadata=_hook(
        "s", "a 64-bit number, equal for positions that are worth the same and (almost) never otherwise",
        Kind.WORD, "a u64", without="a hash of all fields", default=_key,
    ))  # fmt: skip
    symmetry: Rule | None = field(default=None, metadata=_hook(
        "s", "a key that equivalent positions share",
        Kind.WORD, "a u64", without="`key`", default=_key,
    ))  # fmt: skip
    rest: Rule | None = field(default=None, metadata=_hook(
        "s",
        "where points add up during play: a key of what the rest of the game depends on, and the first player's points "
        "so far; a table then forgets how they came about; used instead of `symmetry`",
        Kind.WORD_AND_NUMBER, "a u64 and the first player's score so far", without="tables keep whole scores",
    ))  # fmt: skip
    order: Rule | None = field(default=None, metadata=_hook(
        "s, move", "which moves to try first: the highest",
        Kind.NUMBER, "a whole number", Where.ONGOING, without="0", default=lambda game: _all_alike,
    ))  # fmt: skip
    bounds: Rule | None = field(default=None, metadata=_hook(
        "s", "the lowest and the highest score that are still possible; equal if the rules show the outcome",
        Kind.RANGE, "two numbers, the lowest and the highest score", Where.UNSCORED,
        without="`values`", default=_values,
    ))  # fmt: skip
    wins: Rule | None = field(default=None, metadata=_hook(
        "s", "whether the player to move can win with one move, for endgame tables",
        Kind.TRUTH, "True or False", Where.PLAYER, without="all moves are tried",
    ))  # fmt: skip
    candidates: Rule | None = field(default=None, metadata=_hook(
        "s, out",
        "like `moves`, but only as many as are needed to hold a best one; asked only where `bounds` leaves the score "
        "open",
        Kind.WHOLE, "how many moves it wrote", Where.OPEN, without="`moves`", default=lambda game: game.moves,
    ))  # fmt: skip
    evaluate: Rule | None = field(default=None, metadata=_hook(
        "s",
        "an estimate of the first player's score, strictly inside `values`, for searches that stop early",
        Kind.NUMBER, "a number", without="the middle of `values`", default=_middle,
    ))  # fmt: skip
    loud: Rule | None = field(default=None, metadata=_hook(
        "s, out",
        "like `moves`, but only those after which an estimate could be far off, such as captures and promotions, or "
        "none; searches within limits look at them beyond their depth",
        Kind.WHOLE, "how many moves it wrote", Where.PLAYER, without="estimates are taken where the depth ends",
    ))  # fmt: skip
    checked: Rule | None = field(default=None, metadata=_hook(
        "s",
        "whether the player to move is in check: must do something, so that an estimate means nothing; may be asked of "
        "a position that is over, and may then say anything",
        Kind.TRUTH, "True or False", without="nobody ever is", default=lambda game: _nowhere,
    ))  # fmt: skip
    skip: Rule | None = field(default=None, metadata=_hook(
        "s",
        "changes `s` in place into the position where the player to move has passed, though the rules may forbid it, "
        "and is true; false, whatever became of `s`, where having to move may be a burden, so that passing tells "
        "nothing; to clocks and loops a pass is a move like others",
        Kind.TRUTH, "True or False", Where.UNCHECKED, without="no search passes",
    ))  # fmt: skip
    exchange: Rule | None = field(default=None, metadata=_hook(
        "s, move",
        "what a loud move wins or loses for the player who makes it once all has been taken that is worth taking on "
        "its square, in the units of `evaluate`",
        Kind.NUMBER, "a number", Where.LOUD, without="0", default=lambda game: _all_alike,
    ))  # fmt: skip
    policy: Rule | None = field(default=None, metadata=_hook(
        "s, move", "how likely a sensible player is to make a move, a number from 0 on, for sampled play",
        Kind.NUMBER, "a number from 0 on", Where.ONGOING, without="all moves are alike",
        default=lambda game: _equally_likely,
    ))  # fmt: skip
    pick: Rule | None = field(default=None, metadata=_hook(
        "s, number",
        "a legal move: any, each as likely as another, and outcomes as likely as their weights say, if `number` is any "
        "from 0 to 2³² - 1, for sampled play",
        Kind.WHOLE, "a legal move", Where.ONGOING, without="all moves are listed, and one is taken",
    ))  # fmt: skip
    effort: Rule | None = field(default=None, metadata=_hook(
        "s", "how much work a position is likely to take, a whole number from 1 on, for df-pn",
        Kind.WHOLE, "a whole number from 1 on", Where.ONGOING, without="1", default=lambda game: _one,
    ))  # fmt: skip
    truth: Rule | None = field(default=None, metadata=_hook(
        "s", "the exact score, where it is known without a search; searches do not use it",
        Kind.NUMBER, "a number", purpose=Purpose.STUDY, without="it takes a search",
    ))  # fmt: skip
    index: Rule | None = field(default=None, metadata=_hook(
        "s",
        "which entry of an endgame table holds the position: its tier, its number there, and 1, or -1 if the entry is "
        "about the same position with the colours exchanged; positions that share an entry are worth the same up to "
        "that sign (from there on, if the game has `rest`); tier -1 if none holds it, and its value is taken from "
        "`result`, `bounds` or its moves, which within a few plies lead to positions that are held or decided",
        Kind.PLACE, "three whole numbers: a tier, a number and a sign", without="tables list all positions",
    ))  # fmt: skip
    unindex: Rule | None = field(default=None, metadata=_hook(
        "s, tier, number",
        "changes `s`, whatever it is, into a position that has this number with the sign 1, and is true; false if no "
        "position has it",
        Kind.TRUTH, "True or False", Where.TABLE, without="tables list all positions",
    ))  # fmt: skip
    unmoves: Rule | None = field(default=None, metadata=_hook(
        "s, out",
        "writes codes, whole numbers from 0 on, into `out`, which has room for `max_unmoves`, one for each position of "
        "the same tier that is held, not decided, and leads in one ply to this one, or to another with its number; it "
        "returns how many there are; `s` is a position that `unindex` made",
        Kind.WHOLE, "how many codes it wrote", Where.TABLE, without="tables are built forward, which takes longer",
    ))  # fmt: skip
    unplay: Rule | None = field(default=None, metadata=_hook(
        "s, code", "changes `s` in place into the earlier position that a code of `unmoves` stands for",
        Kind.NOTHING, "", Where.TABLE, without="tables are built forward, which takes longer",
    ))  # fmt: skip
    tiers: Callable[[], list[Tier]] | None = field(default=None, metadata=_hook(
        "",
        "the tiers of an endgame table, each with how many numbers it has and a name: play never goes to a tier that "
        "stands later in the list",
        Kind.OBJECT, without="tables list all positions",
    ))  # fmt: skip
    timeless: Callable[[Any], tuple[Position, int]] | None = field(default=None, metadata=_hook(
        "s",
        "the position in the same game without clock and loop rule, and how many plies the clock leaves (0 if there is "
        "none), for expectations",
        Kind.OBJECT, without="the game itself",
    ))  # fmt: skip
    move_text: Callable[[Any, int], str] | None = field(default=None, metadata=_hook(
        "s, move", "a move as people write it", Kind.OBJECT, purpose=Purpose.SHOW, without="its number",
    ))  # fmt: skip
    read_move: Callable[[Any, str], int | None] | None = field(default=None, metadata=_hook(
        "s, text", "the move that a text in another notation names, or None; asked where no `move_text` fits",
        Kind.OBJECT, purpose=Purpose.SHOW, without="moves are read as `move_text` writes them",
    ))  # fmt: skip
    position_text: Callable[[Any], str] | None = field(default=None, metadata=_hook(
        "s", "a position as people write it",
        Kind.OBJECT, purpose=Purpose.SHOW, without="the moves that led to it",
    ))  # fmt: skip
    read_position: Callable[[str], Any] | None = field(default=None, metadata=_hook(
        "text",
        "the state that a text describes, or None if it is a list of moves; what follows the word `moves` "
        "is read as moves in any case",
        Kind.OBJECT, purpose=Purpose.SHOW, without="every text is a list of moves",
    ))  # fmt: skip
    draw: Callable[[Any], Drawing] | None = field(default=None, metadata=_hook(
        "s", "a picture: a `Grid`, a `Board`, or anything with `text()` and `svg()`",
        Kind.OBJECT, purpose=Purpose.SHOW, without="the text of the position",
    ))  # fmt: skip
    spots: Callable[[Any, int], Sequence[str] | None] | None = field(default=None, metadata=_hook(
        "s, move", "the names of the spots of the drawing to tap for a move, in their order; None if it is a button",
        Kind.OBJECT, purpose=Purpose.SHOW, without="the spots that the text of the move names",
    ))  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class SubgameHooks:
    """What makes a sub-game (see `zermelo.rules.subgame`). The attacker is whoever is to move where it begins."""

    attack: Rule = field(metadata=_hook(
        "s, out",
        "the attacker's forcing moves, some of the legal ones or none, written into `out`; it returns how many there "
        "are",
        Kind.WHOLE, "how many moves it wrote", Where.ONGOING,
    ))  # fmt: skip
    defend: Rule | None = field(default=None, metadata=_hook(
        "s, out",
        "the defender's replies to a forcing move, written into `out`; only such may be left out after which the "
        "attacker has won, or wins with one more forcing move; it returns how many there are",
        Kind.WHOLE, "how many moves it wrote", Where.REPLY, without="all legal moves",
    ))  # fmt: skip
    goal: Rule | None = field(default=None, metadata=_hook(
        "s", "1 where the attacker has reached what the sub-game is about, -1 where that has failed, else `ONGOING`",
        Kind.WHOLE, "1, -1 or ONGOING", without="the game is won, by `result` or `bounds`",
    ))  # fmt: skip
    promising: Rule | None = field(default=None, metadata=_hook(
        "s", "false where the player to move cannot win the sub-game, as far as a quick look tells",
        Kind.TRUTH, "True or False", Where.ONGOING, without="always true",
    ))  # fmt: skip
    at_once: Rule | None = field(default=None, metadata=_hook(
        "s, out, n",
        "the place among the n forcing moves in `out` of one that wins the sub-game at once, or leaves `defend` "
        "nothing to list; -1 if none is seen to",
        Kind.WHOLE, "a place below n, or -1", Where.ONGOING,
        without="the moves are played, and what they lead to is looked at",
    ))  # fmt: skip
    resistance: Rule | None = field(default=None, metadata=_hook(
        "s, out, n",
        "how many of the n replies in `out` are to be reckoned with, from 1 to n: those count for less that are most "
        "often answered like others; a guess, by which df-pn chooses what to look at first",
        Kind.WHOLE, "a number from 1 to n", Where.REPLY, without="n",
    ))  # fmt: skip
    setting: Rule | None = field(default=None, metadata=_hook(
        "s",
        "a key of all that makes a position but who holds how much of the pieces in hand; where it is the same, what "
        "both hold together is the same",
        Kind.WORD, "a 64-bit key", Where.ONGOING, without="every position stands for itself",
    ))  # fmt: skip
    first_stock: Rule | None = field(default=None, metadata=_hook(
        "s",
        "what the first player holds in hand, up to eight counts below 64, a byte each; the attacker must never be "
        "worse off for holding more in the same setting",
        Kind.WORD, "a 64-bit word", Where.ONGOING, without="every position stands for itself",
    ))  # fmt: skip
    second_stock: Rule | None = field(default=None, metadata=_hook(
        "s", "the same for the second player",
        Kind.WORD, "a 64-bit word", Where.ONGOING, without="every position stands for itself",
    ))  # fmt: skip


def _described(owner: type) -> dict[str, Hook]:
    return {
        one.name: replace(one.metadata["hook"], name=one.name, required=one.default is MISSING) for one in fields(owner)
    }


HOOKS: dict[str, Hook] = _described(Hooks)
SUBGAME_HOOKS: dict[str, Hook] = _described(SubgameHooks)
COMPILED = [hook for hook in HOOKS.values() if hook.compiled]


def compiled_of(game: Game) -> list[Hook]:
    """All that may be compiled of a game: its hooks; those of its sub-games, such as `mate.attack`; and one like
    `evaluate` for each evaluation that it names."""
    inner = [
        replace(hook, name=f"{name}.{hook.name}", subgame=name)
        for name in game.subgames
        for hook in SUBGAME_HOOKS.values()
    ]
    named = [replace(HOOKS["evaluate"], name=f"evaluation {name}", evaluation=name) for name in game.evaluations]
    return [*COMPILED, *inner, *named]
