"""A search ready to be used: its kernel bound to a game, its table, and a workspace for each thread."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from zermelo.compile.diagnosis import check_moves, raised
from zermelo.compile.modes import Interpreted, Kernel, Mode, Workspace, mode_for
from zermelo.compile.process import start_thread
from zermelo.compile.watch import Brake, Limits, Listener, Watch
from zermelo.core.buckets import AGES, FULL
from zermelo.core.fastest_cut import CutFirst
from zermelo.core.loops import trail_of
from zermelo.core.memory import DEFAULT, TableMemory
from zermelo.core.method import Method, Options, build, check_keyed, check_special, fit, table_for
from zermelo.core.node import Nodes, nodes, number_of
from zermelo.core.sharing import SLOTS
from zermelo.core.table import Table, finder
from zermelo.rules import CHANCE, Game, Position, RuleError, Unsuitable, ZermeloError, wrapping
from zermelo.rules.subgame import missed_wins

WITHIN = "4MB"
"""The table of a search that another one calls."""
MEMORY = "memory"
"""Why a search was stopped that keeps its tree in memory and found no more room."""


@lru_cache(maxsize=64)
def _entry(method: Method, game: Game, mode: str, options: Options, number: type) -> tuple[Mode, Kernel]:
    """The kernel to call, compiled at most once in a process."""
    way = mode_for(game, mode)
    arguments = (int, int, number) if method.answers_claims else (int, int, number, number)
    return way, way.entry(build(method, game, way, options, number), game, arguments)


class Engine:
    """One method for one game. Values that go in and come out are those of the player to move.

    `estimates`: whether searches may end before the game does, so that values can be estimates. The table
    lives as long as the engine: later searches profit from earlier ones.
    """

    def __init__(
        self,
        game: Game,
        method: Method,
        options: Options | None = None,
        *,
        estimates: bool = False,
        mode: str | None = None,
        memory: str | int = DEFAULT,
        threads: int = 1,
    ) -> None:
        if threads < 1:
            raise Unsuitable(f"the number of threads must be at least 1, not {threads}")
        check_keyed(game)
        self.game, self.method = game, method
        self.options = fit(options or method.options, game)
        self.number = number_of(game, estimates)
        chosen = mode_for(game, mode)
        grows_a_tree = method.least_memory is not None
        shared = method.shares_tree if grows_a_tree else self.options.table
        threads = threads if shared and chosen.name == "compiled" else 1
        remembers = self.options.table or grows_a_tree
        self.memory_text = str(memory) if remembers else None
        growing = threads == 1 and not grows_a_tree
        self.memory = TableMemory(memory if remembers else 1, growing=growing, tree=grows_a_tree)
        if method.least_memory is not None and self.memory.bytes < method.least_memory(game):
            raise Unsuitable(
                f"{method.name} needs at least {method.least_memory(game):,} bytes to look at one position of "
                f"{game.name}, not {self.memory.bytes:,}"
            )
        check_special(method, self.options, game)
        self.mode, self.kernel = self._kernel(chosen.name, self.options.kernel)
        self.workspaces = [self.mode.workspace(game) for _ in range(threads)]
        self.busy = np.zeros(SLOTS, np.uint64)
        for workspace in self.workspaces:
            workspace.tell(threads=threads, busy=self.busy.ctypes.data)
        self.memory.serve(self.workspaces)
        self.small = [TableMemory(WITHIN, growing=True) for workspace in self.workspaces for _ in workspace.within]
        for memory_within, other in zip(self.small, [other for space in self.workspaces for other in space.within]):
            memory_within.serve([other])
        self.allow_special(self.options)
        self.weigh_cuts(self.options.cut or CutFirst())
        self.low, self.high = (self.number(v) for v in game.values)
        between = not method.rounds or self.high - self.low > 1  # whether an estimate stays off the bounds of scores
        self.strict = game.strict_estimates and between
        self.watch = Watch(self.workspaces)

    def _kernel(self, mode: str, options: Options) -> tuple[Mode, Kernel]:
        return _entry(self.method, self.game, mode, options, self.number)

    def allow_special(self, options: Options) -> None:
        """How many nodes the search of a sub-game may take each time."""
        for workspace in self.workspaces:
            workspace.tell(
                special_root=options.root, special_inner=options.inner or 0, special_pv=options.pv,
                special_leaf=options.leaf, special_plies=options.plies or 0,
            )  # fmt: skip

    @contextmanager
    def special_everywhere(self, allowed: bool) -> Iterator[None]:
        """Meanwhile, if allowed, the search of a sub-game may take as many nodes anywhere as at the root."""
        most = self.options.root
        if allowed and self.options.special is not None:
            self.allow_special(replace(self.options, inner=most, pv=most, leaf=most, plies=0))
        try:
            yield
        finally:
            self.allow_special(self.options)

    def weigh_cuts(self, cut: CutFirst) -> None:
        """Other weights for fastest-cut-first, in the form that the engine was built with."""
        for workspace in self.workspaces:
            workspace.fill(cut=cut.weights)

    def watched(
        self, limits: Limits | None = None, listener: Listener | None = None, brake: Brake | None = None
    ) -> Watch:
        """Begin a new search: counters at zero, older table entries the first to go."""
        self.watch = Watch(self.workspaces, limits or Limits(), listener, brake)
        for workspace in self.workspaces:
            for space in (workspace, *workspace.within):
                space.tell(age=(space.count("age") + 1) % AGES)
        return self.watch

    def deepest(self, position: Position) -> int:
        """How many plies can be looked ahead from a position."""
        return self.game.max_plies - (len(position.path()) - 1 if self.game.cyclic else 0)

    def window(self, position: Position) -> tuple[Any, Any]:
        """The lowest and highest value for the player to move."""
        return (-self.high, -self.low) if position.turn == 1 else (self.low, self.high)

    def below(self, value: Any) -> Any:
        return value - 1 if self.number is int else math.nextafter(value, -math.inf)

    def above(self, value: Any) -> Any:
        return value + 1 if self.number is int else math.nextafter(value, math.inf)

    def place(self, position: Position) -> int:
        """Put a position, and the path to it where that matters, before all threads; the ply that it stands at."""
        path = position.path() if self.game.cyclic else [position.state]
        for workspace in self.workspaces:
            for space in (workspace, *workspace.within):
                space.place(path)
        self._note(self.workspaces, path)
        return len(path) - 1

    def search(self, position: Position, depth: int, *arguments: Any, guess: float = 0) -> Any:
        """Call the kernel on a position; `stopped` tells whether what it returns can be used."""
        root = self.place(position)
        for workspace in self.workspaces:
            workspace.tell(guess=guess, move=-1, lower=-math.inf, upper=math.inf)
        value = self._call(root, min(depth, self.deepest(position)), *map(self.number, arguments))
        check_moves(self.game, self.workspaces)
        return value

    @property
    def stopped(self) -> bool:
        return self.watch.stopped

    @property
    def estimated(self) -> int:
        """How many values of the current search rest on estimates."""
        return sum(workspace["horizon"] for workspace in self.workspaces)

    def check_length(self) -> None:
        """After a search to the end: it can have met a horizon only if play goes in circles or the game says so."""
        if self.estimated and not self.game.cyclic and self.game.horizon is None:
            raise RuleError(
                f"{self.game.name}: a game went on beyond the declared max_plies = {self.game.max_plies}; raise "
                "max_plies, or set repetition if play can go round in circles"
            )

    def give_up(self) -> None:
        """A search to the end left its question open without being stopped: by which of the game's own limits."""
        if self.estimated and self.watch.limits.depth is None:
            self.watch.met = "horizon" if self.game.horizon is not None else "max_plies"

    @property
    def move(self) -> int:
        """The best move that the last search found, or -1."""
        return int(self.workspaces[self._winner]["move"])

    _winner = 0
    first_decides = True
    """Whether the threads look for one answer, and stop when one of them has it."""

    def _call(self, *arguments: Any) -> Any:
        """Run the kernel in every workspace at once; whichever thread is first has the answer."""
        answers: dict[int, Any] = {}
        failures: list[Exception] = []

        def work(number: int) -> None:
            workspace = self.workspaces[number]
            try:
                value = self.kernel(workspace.record, *arguments)
            except ZermeloError as error:
                failures.append(error)
            except Exception as error:
                failures.append(raised(self.game, error))
            else:
                if workspace["stop"] == 0:
                    answers.setdefault(number, value)
            for other in self.workspaces:
                if self.first_decides and other is not workspace:
                    other.stop()

        helpers = [start_thread(_bind(work, n)) for n in range(1, len(self.workspaces))]
        work(0)
        for helper in helpers:
            helper.join()
        if failures:
            raise failures[0]
        if any(workspace.count("full") for workspace in self.workspaces):
            self.watch.stop(MEMORY)
        if not answers and self.watch.reason is None:  # each thread met its share of the limit
            self.watch.run_out()
        if helpers and not self.watch.stopped:
            self.watch.allow()
        self._winner = min(answers, default=0)
        return answers.get(self._winner, self.low)

    @wrapping
    def _note(self, workspaces: Sequence[Workspace], path: list[Any]) -> None:
        """Turns, keys and marks of the root and of the positions before it: kernels note only those that they make."""
        rules, root = self._plain.rules, len(path) - 1
        key = self._key
        turns = [rules.turn(state) for state in path]
        keys = [0 if key is None else key(state) for state in path]
        marks, paths = trail_of(self.game, path)
        forced = any("missed" in space for workspace in workspaces for space in (workspace, *workspace.within))
        missed = missed_wins(self.game, path[:-1]) if forced else 0
        for workspace in workspaces:
            salt = paths[root] if self.game.path_free else 0
            workspace.tell(first=(turns[root] + root) & 1, root_at=root)
            workspace.fill(sides=turns, keys=keys)
            for space in (workspace, *workspace.within):
                space.tell(salt=salt, missed=missed)
                space.fill(marks=marks, paths=paths)

    @property
    def _key(self) -> Any:
        """What the table finds positions by."""
        rules = self._plain.rules
        return finder(self.game, rules, Interpreted(), self.options.knowledge and not self.game.cyclic)

    @wrapping
    def remembered_move(self, position: Position) -> int | None:
        """The table's move for a position, read with the very kernels that wrote it, interpreted."""
        if not self.options.table or self.method.least_memory is not None:
            return None  # nothing is remembered, or a tree that is none of the table's
        if position.result is not None or self.deepest(position) < 1:
            return None
        return self._read_move(position, self._show(position))

    @wrapping
    def remembered_line(self, position: Position, move: int, most: int) -> list[str]:
        """The line that the table holds behind a move, as far as it goes and at most so long. It is read as it was
        written: in a game in which play can go round, as the search from this position came by."""
        texts: list[str] = []
        deepest = self.deepest(position)
        if not self.options.table or self.method.least_memory is not None or deepest < 1:
            return [position.text_of(move)]
        ply = self._show(position)
        furthest = ply + deepest - 1
        table, reader = self._reader
        while True:
            texts.append(position.text_of(move))
            position = position.play(move)
            ends = position.result is not None or position.turn == CHANCE
            if ends or len(texts) >= most or ply >= furthest:
                break
            table.descend(reader.record, ply, move, FULL)
            ply += 1
            following = self._read_move(position, ply)
            if following is None:
                break
            move = following
        return texts

    def _show(self, position: Position) -> int:
        """Have the table read at a position; the ply at which that stands."""
        path = position.path() if self.game.cyclic else [position.state]
        reader = self._reader[1]
        reader.place(path)
        self._note([reader], path)
        self.memory.show(reader)
        return len(path) - 1

    def _read_move(self, position: Position, ply: int) -> int | None:
        table, reader = self._reader
        hint = table.recall(reader.record, ply, FULL, -math.inf, math.inf, -math.inf, math.inf)[2]
        return next((move for move in position.codes if move & 0xFFFF == hint), None)

    @cached_property
    def _reader(self) -> tuple[Table, Workspace]:
        """What reads the table, and the workspace that it does it in."""
        plain = Interpreted()
        seen = nodes(self.game, plain, self.number, self.options.knowledge)
        return table_for(self.game, plain, seen, self.options), plain.workspace(self.game)

    @cached_property
    def _plain(self) -> Nodes:
        """The game as an interpreted search sees it."""
        return nodes(self.game, Interpreted(), self.number, self.options.knowledge)


def _bind(work: Callable[[int], None], number: int) -> Callable[[], None]:
    return lambda: work(number)
