"""The two ways a search runs: compiled for one game, or interpreted on any.

A search is a closure factory: it takes a game and a mode, fetches the game's rules from the mode, and defines its
kernels under `@mode.kernel` and the parts that these are put together from under `@mode.inline`. Compiled, Numba
turns the kernels together with the rules into one native function; interpreted, the very same functions run as
they are. Kernels see positions only through `Rules`: `ws.stack[ply]` is the position at that ply of the current path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from zermelo.compile.pages import small_pages, zeroed_pages
from zermelo.compile.workspace import PlainWorkspace, Scratch, plies_of
from zermelo.rules import ONGOING, Game, RuleError, Unsuitable, ZermeloError, wrapping
from zermelo.rules.hooks import COMPILED, HOOKS, Kind

Kernel = Callable[..., Any]
UNLIMITED = 2**62
CHANGING = ("moves", "play", "candidates", "loud", "skip")
"""Hooks that write into the workspace."""


class Rules(SimpleNamespace):
    """A game as kernels call it: every compiled hook by its name (see `zermelo.rules.hooks`), a default where the game
    lacks it, None where there is none either. What changes the workspace has kernels of its own instead."""

    generate: Kernel  # (ws, ply) -> count: all legal moves of the position at ply, into ws.moves[ply]; at least one
    over: Kernel  # (ws, ply) -> ONGOING, or the first player's score; the moves at ply are listed anew if it takes them
    listed: Kernel  # (ws, ply) -> count: the moves at ply, of which `over` has just said that play goes on
    dead_end: Kernel  # (ws, ply) -> whether there is no move at ply, where `result` gives no score; they are listed
    candidates: Kernel  # (ws, ply) -> count: enough moves to hold a best one
    loud: Kernel | None  # (ws, ply, row) -> count: its loud moves, into ws.moves[row]
    advance: Kernel  # (ws, ply, move): the position at ply + 1
    skip: Kernel | None  # (ws, ply) -> whether a pass tells anything; the position after it, at ply + 1
    step: Kernel  # (ws, ply, move): the position at ply itself is changed
    retreat: Kernel  # (ws, ply, code): a position from which the one at ply may have come, at ply + 1


def hooks_of(game: Game) -> dict[str, Kernel | None]:
    """The game's own hooks and, for those it lacks, the defaults, all as plain rules."""
    return {hook.name: hook.of(game) for hook in COMPILED if hook.name not in CHANGING}


def _kernel(function: Kernel) -> Kernel:
    """Mark a function that is called as it is."""
    function.is_kernel = True  # type: ignore[attr-defined]
    return function


def _part(function: Kernel) -> Kernel:
    """Mark a function that is melted into those that call it."""
    function.is_part = True  # type: ignore[attr-defined]
    return function


class Compiled(Scratch):
    """Kernels as machine code."""

    name = "compiled"
    kernel, inline = staticmethod(_kernel), staticmethod(_part)
    word = staticmethod(np.uint64)
    signed = staticmethod(np.int64)

    def __init__(self) -> None:
        from zermelo.compile import intrinsics, paging_native

        super().__init__()
        self.read_word: Kernel = intrinsics.read_word
        self.write_word: Kernel = intrinsics.write_word
        self.prefetch: Kernel = intrinsics.prefetch
        paging_native.register()

    @staticmethod
    @_part
    def float_to_word(value):
        return np.float64(value).view(np.uint64)

    @staticmethod
    @_part
    def word_to_float(word):
        return np.uint64(word).view(np.float64)

    def rules(self, game: Game) -> Rules:
        if not game.compilable:
            raise Unsuitable(f"{game.name} is made of Python objects and can only be interpreted")
        play: Kernel = game.play
        unplay: Any = game.unplay

        @self.inline
        def advance(ws, ply, move):
            ws.stack[ply + 1] = ws.stack[ply]
            play(ws.stack[ply + 1], move)

        @self.inline
        def step(ws, ply, move):
            play(ws.stack[ply], move)

        @self.inline
        def retreat(ws, ply, code):
            ws.stack[ply + 1] = ws.stack[ply]
            unplay(ws.stack[ply + 1], code)

        skip_turn: Any = game.skip

        @self.inline
        def skip(ws, ply):
            ws.stack[ply + 1] = ws.stack[ply]
            return skip_turn(ws.stack[ply + 1])

        generate = generating(game.moves, game.max_moves, self.inline)
        some = generating(game.candidates, game.max_moves, self.inline) if game.candidates else generate
        hooks = hooks_of(game)
        return Rules(
            generate=generate, candidates=some, loud=_listing_loud(game, self.inline), advance=advance,
            skip=skip if game.skip else None, step=step, retreat=retreat, **hooks,
            **_ends(game, self, hooks, generate),
        )  # fmt: skip

    def entry(self, kernel: Any, game: Game, arguments: Sequence[Any]) -> Kernel:
        """A kernel ready to be called from Python with a workspace's record and these arguments (int, float, or a type
        of Numba's own): fetched from the cache or compiled now."""
        import numba

        from zermelo.compile.cache import ready
        from zermelo.compile.diagnosis import explain

        types = {int: numba.int64, float: numba.float64}
        record = self.record_type(game)
        told = (numba.from_dtype(record), *(types.get(argument, argument) for argument in arguments))
        try:
            return ready(kernel, game.name, told, (kernel, record, str(told[1:])))  # type: ignore[no-any-return]
        except ZermeloError:
            raise
        except Exception as error:  # Numba's own errors, and what escapes it on rules that it does not expect
            raise explain(game, error) from error

    def workspace(self, game: Game) -> Workspace:
        layout = self.record_type(game)
        pages = small_pages(zeroed_pages(layout.itemsize, f"{game.name}: a workspace"))
        return Workspace(game, np.frombuffer(pages, layout, 1)[0], self)


class Interpreted(Scratch):
    """Kernels as the Python functions they are written as."""

    name = "interpreted"
    kernel, inline = staticmethod(_kernel), staticmethod(_part)
    word = staticmethod(int)
    signed = staticmethod(int)

    @staticmethod
    def read_word(table: Any, index: Any) -> Any:
        return table[index]

    @staticmethod
    def write_word(table: Any, index: Any, word: Any) -> None:
        table[index] = word

    @staticmethod
    def prefetch(table: Any, index: Any) -> None:
        """Nothing to fetch ahead."""

    @staticmethod
    def float_to_word(value: float) -> int:
        return int(np.float64(value).view(np.uint64))

    @staticmethod
    def word_to_float(word: int) -> float:
        return float(np.uint64(word).view(np.float64))

    def rules(self, game: Game) -> Rules:
        hooks = hooks_of(game)
        play: Kernel = game.play
        unplay: Any = game.unplay
        skip_turn: Any = game.skip

        @self.inline
        def retreat(ws, ply, code):
            s = ws.stack[ply].copy()
            unplay(s, code)
            ws.stack[ply + 1] = s

        if game.compilable:

            @self.inline
            def advance(ws, ply, move):
                s = ws.stack[ply].copy()
                play(s, move)
                ws.stack[ply + 1] = s

            @self.inline
            def step(ws, ply, move):
                play(ws.stack[ply], move)

            @self.inline
            def skip(ws, ply):
                s = ws.stack[ply].copy()
                tells = skip_turn(s)
                ws.stack[ply + 1] = s
                return tells

            generate = generating(game.moves, game.max_moves, self.inline)
            some = generating(game.candidates, game.max_moves, self.inline) if game.candidates else generate
            loud, skipping = _listing_loud(game, self.inline), skip if game.skip else None
        else:
            moves = game.moves

            @self.inline
            def advance(ws, ply, move):
                ws.stack[ply + 1] = play(ws.stack[ply], move)

            @self.inline
            def step(ws, ply, move):
                ws.stack[ply] = play(ws.stack[ply], move)

            some = generate = _generating_objects(moves, self.inline)
            loud, skipping = None, None
        whole = {name: _whole(hook, HOOKS[name].kind) if hook else None for name, hook in hooks.items()}
        return Rules(
            generate=generate, candidates=some, loud=loud, advance=advance, skip=skipping, step=step, retreat=retreat,
            **whole, **_ends(game, self, hooks, generate),
        )  # fmt: skip

    def entry(self, kernel: Any, game: Game, arguments: Sequence[Any]) -> Kernel:
        from zermelo.compile.diagnosis import raised
        from zermelo.compile.melting import melt

        melted = melt(kernel)

        @wrapping
        def call(*given: Any) -> Any:
            try:
                return melted(*given)
            except ZermeloError:
                raise
            except RecursionError:
                raise RuleError(f"{game.name}: the game is deeper than Python can recurse") from None
            except Exception as error:
                raise raised(game, error) from error

        return call

    def workspace(self, game: Game) -> Workspace:
        return Workspace(game, PlainWorkspace(game, self), self)


def generating(moves: Kernel, room: int, inline: Callable[[Kernel], Kernel], least: int = 1) -> Kernel:
    """A rule like `moves` as kernels call it: a list that is too long, or too short, stops the search and is reported.
    """

    @inline
    def generate(ws, ply):
        n = moves(ws.stack[ply], ws.moves[ply])
        if n > room or n < least:
            ws.fault = n if n > room else -1
            ws.stop, ws.node_limit = 1, 0
            return 0
        return n

    return generate


def _listing_loud(game: Game, inline: Callable[[Kernel], Kernel]) -> Kernel | None:
    """The rule `loud` as kernels call it: it may write into the list of another ply, and write none."""
    if game.loud is None:
        return None
    loud, room = game.loud, game.max_moves

    @inline
    def list_loud(ws, ply, row):
        n = loud(ws.stack[ply], ws.moves[row])
        if n > room:
            ws.fault, ws.stop, ws.node_limit = n, 1, 0
            return 0
        return n

    return list_loud


def _generating_objects(moves: Kernel, inline: Callable[[Kernel], Kernel], least: int = 1) -> Kernel:
    """The same for the rule of a game made of Python objects, which returns a list."""

    @inline
    def generate(ws, ply):
        ws.moves[ply] = legal = moves(ws.stack[ply])
        n = len(legal)
        if n < least:
            ws.fault, ws.stop, ws.node_limit = -1, 1, 0
        return n

    return generate


def _ends(game: Game, mode: Mode, hooks: Mapping[str, Any], generate: Kernel) -> dict[str, Kernel]:
    """The kernels that tell whether play is over. Where the game has no rule `stuck`, `result` says it all."""
    result, stuck = hooks["result"], hooks["stuck"]
    if stuck is None:

        @mode.inline
        def result_at(ws, ply):
            return result(ws.stack[ply])

        @mode.inline
        def nowhere(ws, ply):
            return False

        return {"over": result_at, "listed": generate, "dead_end": nowhere}

    moves, room, inline = game.moves, game.max_moves, mode.inline
    list_all = generating(moves, room, inline, 0) if game.compilable else _generating_objects(moves, inline, 0)

    @mode.inline
    def dead_end(ws, ply):
        ws.listed[ply] = list_all(ws, ply)
        return ws.listed[ply] == 0 and ws.fault == 0

    @mode.inline
    def over(ws, ply):
        score = result(ws.stack[ply])
        if score == ONGOING and dead_end(ws, ply):
            score = stuck(ws.stack[ply])
        return score

    @mode.inline
    def listed(ws, ply):
        return ws.listed[ply]

    return {"over": over, "listed": listed, "dead_end": dead_end}


def _whole(hook: Kernel, kind: Kind) -> Kernel:
    """A hook with its 64 bits as a plain Python integer, which the interpreted table computes with."""
    if kind is Kind.WORD:
        return lambda s: int(hook(s))
    return _whole_first(hook) if kind is Kind.WORD_AND_NUMBER else hook


def _whole_first(hook: Kernel) -> Kernel:
    """The same for a hook that returns a key and something else."""

    def call(s: Any) -> tuple[int, Any]:
        key, other = hook(s)
        return int(key), other

    return call


class Workspace:
    """A kernel's workspace as Python handles it: `record` is what the kernel gets. `within`: the workspaces of searches
    that this one calls."""

    def __init__(self, game: Game, record: Any, scratch: Scratch) -> None:
        self.game, self.record, self.counters = game, record, scratch.counters
        self.compiled = not isinstance(record, PlainWorkspace)
        self.within = [Workspace(game, self.rows(name)[0], other) for name, other in scratch.within.items()]
        self["node_limit"] = UNLIMITED

    def __contains__(self, name: str) -> bool:
        """Whether the search that works here asked for a field."""
        return name in self.record.dtype.names if self.compiled else hasattr(self.record, name)

    def __getitem__(self, name: str) -> Any:
        return self.record[name].item() if self.compiled else getattr(self.record, name)

    def count(self, name: str) -> int:
        """A counter, which is 0 in a search that does not keep it."""
        return int(self[name]) if name in self else 0

    def __setitem__(self, name: str, value: Any) -> None:
        if self.compiled:
            self.record[name] = value
        else:
            setattr(self.record, name, value)

    def rows(self, name: str) -> Any:
        """One of the fields that hold something for each ply."""
        return self.record[name] if self.compiled else getattr(self.record, name)

    def tell(self, **values: Any) -> None:
        """Set those of these fields that the search asked for."""
        for name, value in values.items():
            if name in self:
                self[name] = value

    def fill(self, **rows: list[Any]) -> None:
        """Fill the first places of those of these rows that the search asked for."""
        for name, values in rows.items():
            if name in self and self.compiled:
                self.record[name][: len(values)] = values
            elif name in self:
                row = self.rows(name)
                for place, value in enumerate(values):
                    row[place] = value

    def place(self, path: Sequence[Any]) -> None:
        """Put a path of positions onto the stack, its last one being the root of the search."""
        if len(path) > plies_of(self.game) - 2:
            raise Unsuitable(
                f"{self.game.name}: {len(path) - 1} moves have been played up to here, which leaves no room to search "
                f"within the declared max_plies = {self.game.max_plies}"
            )
        for ply, state in enumerate(path):
            if self.compiled:
                self.record["stack"][ply] = np.frombuffer(state.tobytes(), dtype=type(state).dtype)[0]
            else:
                self.record.stack[ply] = state.copy() if self.game.compilable else state

    def stop(self) -> None:
        """Have the kernel that works here return at its next node, and whatever it calls."""
        self["stop"], self["node_limit"] = 1, 0
        for other in self.within:
            other.stop()

    def reset(self) -> None:
        """Counters to zero, limits off."""
        for name in self.counters:
            self[name] = 0
        self["node_limit"] = UNLIMITED
        self["lower"], self["upper"] = -np.inf, np.inf
        for other in self.within:
            other.reset()


Mode = Compiled | Interpreted


def mode_name(game: Game, name: str | None = None) -> str:
    """What the mode is called that was asked for, or that suits the game; nothing is loaded for it."""
    if name not in (None, "compiled", "interpreted"):
        raise Unsuitable(f"mode must be compiled or interpreted, not {name}")
    return name or ("compiled" if game.compilable and game.prefer_compiled else "interpreted")


def mode_for(game: Game, name: str | None = None) -> Mode:
    """The mode asked for, or the one that suits the game."""
    return Compiled() if mode_name(game, name) == "compiled" else Interpreted()
