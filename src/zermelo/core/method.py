"""What every search is: a name, a source, and a factory of one kernel; and what such a factory builds on.

The usual kernel is `search(ws, ply, depth, alpha, beta)`: the value, for the player to move, of the position
at `ply`, looking at most `depth` plies ahead. Inside the window it is exact; at or below alpha it is an upper
bound, at or above beta a lower bound. A file of a family that has a `METHOD` is a method: nothing else needs to know
of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from zermelo.compile.modes import Kernel, Mode
from zermelo.core.fastest_cut import CutFirst
from zermelo.core.node import Nodes, nodes
from zermelo.core.ordering import SOURCES, Ordering, ordering
from zermelo.core.path_table import path_table
from zermelo.core.table import Table, no_table, table
from zermelo.core.tuned import tuned_for
from zermelo.rules import Game, RuleError, UnknownName, Unsuitable, nearest
from zermelo.rules.subgame import winning_subgame

SHORT_LOOK = 3
"""So many plies the search of a sub-game looks ahead where it can see wins at once: as far as it takes to see a mate in
five, of which a reply and the last move need not be played."""


@dataclass(frozen=True)
class Options:
    """How a search is built. All of it but the weights in `cut` is constant to the compiler.

    table: remember positions. order: the sources of move ordering (see `ordering`); None is what was tuned for the
    game, else its own order hook, else killers and history, after the table's move. knowledge: use what the game's
    `values` and its hooks `bounds`, `candidates`, `symmetry` and `rest` prove. etc: enhanced transposition cut-offs.
    iid: internal iterative deepening where the table has no move. hard: alpha-beta returns no value outside its window.
    cut: how the source `cut` of move ordering works (see `fastest_cut`).
    special: the sub-game in which a win is looked for by a search of its own (see `zermelo.pn.special`); root, inner,
    pv and leaf: how many nodes that may take at the root, at a position that the table does not know, at one of the
    principal variation, and at a leaf; plies: how far it looks ahead at leaves and new positions, 0 for as far as it
    takes. None: as suits the sub-game.
    evaluation: the name of the game's evaluation that estimates come from, if not from its `evaluate`. contempt: how
    much less a draw is worth to whoever searches than it is; rating: by how much that player is rated higher than the
    opponent, from which contempt may follow (see `views`).

    What follows makes searches within limits see further and prove less (see `selective`); solving and proving use none
    of it. None: as suits the game. quiet: loud moves are searched where the depth ends. checks: and at its first ply,
    moves that give check. null: where passing would do, so does a move. reductions: moves that come late are looked at
    less deeply. futility: near the depth's end, quiet moves are left out that would have to gain more than so much, in
    the units of `evaluate`; 0 for never. extensions: a check costs no depth.
    """

    table: bool = True
    order: tuple[str, ...] | None = None
    knowledge: bool = True
    etc: bool = False
    iid: bool = False
    hard: bool = False
    cut: CutFirst | None = None
    special: str | None = None
    root: int = 10_000
    inner: int | None = None
    pv: int = 2_000
    leaf: int = 40
    plies: int | None = None
    evaluation: str | None = None
    contempt: float = 0.0
    rating: float | None = None
    quiet: bool | None = None
    checks: bool | None = None
    null: bool | None = None
    reductions: bool | None = None
    futility: float | None = None
    extensions: bool | None = None

    def __post_init__(self) -> None:
        if self.futility is not None and not self.futility >= 0:
            raise Unsuitable(f"futility is what a quiet move may gain, a number from 0 on, not {self.futility}")
        for name in ("root", "inner", "pv", "leaf", "plies"):
            if (getattr(self, name) or 0) < 0:
                what = "plies" if name == "plies" else "nodes"
                raise Unsuitable(f"{name} is a number of {what} from 0 on, not {getattr(self, name)}")

    @property
    def kernel(self) -> Any:
        """What of the options a compiled kernel depends on: numbers that are read while it runs are left out."""
        return replace(self, cut=self.cut and self.cut.shape, root=0, inner=0, pv=0, leaf=0, plies=0)

    @property
    def limited(self) -> bool:
        """Whether they say themselves when a search ends, so that it needs no clock."""
        return False


PLAIN = Options(table=False, order=(), knowledge=False)
"""The textbook algorithm: moves as the rules give them, nothing remembered, nothing known."""


@dataclass(frozen=True)
class Parts:
    """What a search is made from, bound to one game in one mode."""

    nodes: Nodes
    table: Table
    ordering: Ordering
    options: Options
    game: Game


@dataclass(frozen=True)
class Method:
    """A search that can be called by name. `prunes`: it heeds the window. `answers_claims`: its kernel is
    `decide(ws, ply, depth, target)`, which says only whether the first player reaches the target.
    `rounds`: it takes estimates for whole scores, of which two leave none in between.
    `least_memory`: for a search that grows a tree in memory, the bytes without which it cannot begin; `shares_tree`:
    several threads can grow it. `chance`: it can deal with dice.

    A family that goes its own way brings its own `worker`, called as `Worker` is; it may then have no kernel. `plays`:
    it chooses moves; what it says of values, if anything, is no solution. `suits` says, in words, why a game is solved
    or searched by this method when nobody asks for another; or nothing. `deepens`: it looks a number of plies ahead,
    and can be told how many. `specialised`: it can call the search of a sub-game. `selective`: it can leave out what
    is not likely to matter. `learns`: what it found out in one game serves it in the next.
    `without_loops`: what it proves needs no position to come back."""

    name: str
    summary: str
    source: str
    kernel: Callable[[Mode, Parts], Kernel] | None
    prunes: bool = True
    answers_claims: bool = False
    rounds: bool = False
    options: Options = Options()
    least_memory: Callable[[Game], int] | None = None
    shares_tree: bool = False
    chance: bool = False
    plays: bool = False
    deepens: bool = True
    specialised: bool = False
    selective: bool = False
    learns: bool = False
    without_loops: bool = False
    worker: Callable[..., Any] | None = None
    suits: Callable[[Game, str], str] | None = None


def fit(options: Options, game: Game) -> Options:
    """The options as far as they can serve this game: no table where it could lie; and if it rests on what its bounds
    look up, they are asked, for that is what it was given for."""
    if options.evaluation is not None:
        game.evaluation(options.evaluation)
    if game.rests_on is not None:
        options = replace(options, knowledge=True)
    if options.special in game.subgames:
        options = fit_special(options, game)
    order, cut = options.order, options.cut
    if order is None:
        order, cut = default_order(game, cut)
    unknown = set(order) - set(SOURCES)
    if unknown:
        raise UnknownName(f"no move ordering is called {min(unknown)}: {nearest(min(unknown), SOURCES)}")
    if "cut" in order and game.has_chance:
        raise Unsuitable(f"{game.name}: the dice cut nothing off, so moves cannot be ordered by fastest-cut-first")
    if options.table and can_remember(game):
        return replace(options, order=order, cut=cut)
    without_hash = tuple(source for source in order if source != "hash")
    return replace(options, table=False, etc=False, iid=False, order=without_hash, cut=cut)


def fit_special(options: Options, game: Game) -> Options:
    """The options with limits for the search of a sub-game. Where wins at once can be seen, a short look costs so
    little that new positions can have one too."""
    assert options.special is not None
    quick = game.subgames[options.special].at_once is not None
    inner, plies = (options.leaf, SHORT_LOOK) if quick else (0, 0)
    return replace(
        options,
        inner=inner if options.inner is None else options.inner,
        plies=plies if options.plies is None else options.plies,
    )


def check_special(method: Method, options: Options, game: Game) -> None:
    """Refuse a sub-game that the game does not have, that does not win it, or that the method does not call."""
    if options.special is None:
        return
    if not method.specialised:
        raise Unsuitable(f"{method.name} calls no search of a sub-game: leave out special={options.special}")
    winning_subgame(game, options.special)


def default_order(game: Game, cut: CutFirst | None) -> tuple[tuple[str, ...], CutFirst | None]:
    """The sources of move ordering where nobody names any: by the weights given, as tuned for the game, by its own
    hook, else by killers and history."""
    if cut is not None:
        return ("hash", "cut"), cut
    tuned = None if game.has_chance else tuned_for(game)
    if tuned is not None:
        return tuned.order, tuned.cut
    return ("hash", "order") if game.order else ("hash", "killers", "history"), None


def can_remember(game: Game) -> bool:
    """Whether a transposition table is right for this game."""
    if game.has_chance and game.cyclic:  # values of chance nodes would rest on every loop below them
        return False
    return game.compilable or game.key is not None


def check_keyed(game: Game) -> None:
    """Refuse a game whose positions come back, but cannot be told apart."""
    if game.cyclic and not game.compilable and game.key is None:
        raise RuleError(
            f"{game.name}: a game with repetition needs a key for its positions; give the objects a method key()"
        )


def build(method: Method, game: Game, mode: Mode, options: Options, number: type) -> Kernel:
    """The search as a kernel for one game."""
    if method.kernel is None:
        raise Unsuitable(f"{method.name} has no kernel that searches one position")
    return method.kernel(mode, bind(game, mode, options, number))


def bind(game: Game, mode: Mode, options: Options, number: type, evaluate: Kernel | None = None) -> Parts:
    """What searches of a game are made from; the options must have been fitted to it. `evaluate`: see `nodes`."""
    if options.table and not can_remember(game):
        raise Unsuitable(f"{game.name}: its positions have no key, so no table can tell them apart")
    assert options.order is not None
    bound = nodes(game, mode, number, options.knowledge, evaluate)
    remembers = table_for(game, mode, bound, options)
    return Parts(
        bound,
        remembers,
        ordering(game, mode, bound, remembers, options.order, options.cut or CutFirst(), options.knowledge),
        options,
        game,
    )


def table_for(game: Game, mode: Mode, bound: Nodes, options: Options) -> Table:
    """How a search of this game remembers."""
    if not options.table:
        return no_table(mode, bound)
    if game.cyclic:
        return path_table(game, mode, bound)
    return table(game, mode, bound, symmetric=options.knowledge, same_depth=game.has_chance)
