"""A Monte-Carlo search ready to be used: its kernel, its memory, and what the tree says, read back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from zermelo.core.engine import MEMORY, Engine
from zermelo.core.method import Method
from zermelo.rules import CHANCE, Game, Position, Unsuitable
from zermelo.sampling.dice import first_state
from zermelo.sampling.growing import largest_node
from zermelo.sampling.options import TreeOptions
from zermelo.sampling.selection import doubts, trail_of
from zermelo.sampling.tree import (
    CHILD_SHIFT,
    CROWDED,
    DESK,
    E_LOWER,
    E_UPPER,
    E_VALUE,
    E_VISITS,
    FIRST,
    FREE,
    HEADER,
    INDEX_GROWS,
    LOWER,
    ROOT,
    SIZE,
    THREADS,
    UPPER,
    VALUE,
    VISITS,
    Layout,
)  # fmt: skip

INDEX_SHARE, SPARSE = 16, 8
"""One place in the index for so many words of memory, and for so many words of the tree while the index can grow."""
FIRST_PLACES, GROWTH = 1 << 14, 16
"""How large the index is in the beginning, and how much larger each time that it grows."""
STEADY = 256
"""How many visits make a position steady: one more result hardly changes what is chosen there."""
FIRST_SLICE, LONGEST_SLICE = 64, 1 << 17
"""How many simulations are made before whoever listens is told of them."""
ENDLESS = 1 << 62
FEWEST = 4
"""Of the largest nodes, so many must fit into the part of the memory that one thread has: the root, and a few more."""


class Branch(NamedTuple):
    """What the tree says of one move: how often it was followed, its value and certain bounds, the first player's."""

    move: int
    visits: int
    value: float
    lower: float
    upper: float
    child: int


class Root(NamedTuple):
    """The same of the root and all its moves."""

    visits: int
    value: float
    lower: float
    upper: float
    branches: list[Branch]

    @property
    def proven(self) -> bool:
        return self.lower == self.upper


class TreeEngine(Engine):
    """One Monte-Carlo search for one game. The tree below the position that is asked for next is kept."""

    first_decides = False

    def __init__(
        self, game: Game, method: Method, options: TreeOptions, *, mode: str, memory: str, threads: int,
        seed: int | None,
    ) -> None:  # fmt: skip
        if threads > THREADS:
            raise Unsuitable(f"a tree can be grown by at most {THREADS} threads, not {threads}")
        super().__init__(game, method, options.compiled, estimates=True, mode=mode, memory=memory, threads=threads)
        self.asked = options
        self.layout = Layout.of(options, game.has_chance)
        self.own_trees = options.parallel == "root"
        words = len(self.memory.words)
        self.most_places = 1 << max(5, (words // INDEX_SHARE).bit_length() - 1)
        self.places = self.most_places
        self.slots = words - self.most_places
        self.part = (self.slots - FIRST) // len(self.workspaces)
        if self.part < FEWEST * largest_node(game, options):
            raise Unsuitable(
                f"a tree of {game.name} for {len(self.workspaces)} threads needs more than {self.memory.bytes:,} bytes"
            )
        self.trails = np.zeros(len(self.workspaces) * trail_of(game), np.uint64)
        for number, workspace in enumerate(self.workspaces):
            own = number if self.own_trees else 0
            workspace.tell(
                slots=self.slots, part=self.part, thread=number, home=own, tint=(own * 0x9E3779B97F4A7C15) % 2**64,
                random=first_state(seed, number), busy=self.trails.ctypes.data, threads=len(self.workspaces),
                c=options.c, rave=options.rave, bias=options.bias, unprune=options.unprune,
                minimax=options.minimax, widen_c=options.widen_c, widen_alpha=options.widen_alpha,
                length=options.length or 0, steady=STEADY,
            )  # fmt: skip
            workspace.fill(**doubts())
        self._asked_last: Position | None = None
        self.clear()

    def clear(self) -> None:
        """Forget the tree."""
        self.memory.words[: FIRST] = 0
        self._index(min(FIRST_PLACES, self.most_places))
        self.memory.words[self.slots : self.slots + self.places] = 0
        for thread in range(len(self.workspaces)):
            self.memory.words[thread * DESK + FREE] = FIRST + thread * self.part

    def _index(self, places: int) -> None:
        """Have the index so large, and as many nodes at most as it has places for: it is never nearly full."""
        self.places = places
        part = self.part if places == self.most_places else min(self.part, places * SPARSE // len(self.workspaces))
        for number, workspace in enumerate(self.workspaces):
            workspace.tell(slot_mask=places - 1, end=FIRST + number * self.part + part)

    # searching

    def grow(self, position: Position, often: bool) -> Iterator[None]:
        """Simulations from a position, as many as limits allow. `often`: in slices, after each of which the tree can be
        read; else only where room has to be made."""
        self._root_at(position)
        most = self.asked.playouts or ENDLESS
        slice_ = FIRST_SLICE if often else ENDLESS
        for workspace in self.workspaces:
            workspace.tell(results=0, mean=0.0, squares=0.0, spread=1.0, expand=self.asked.expand)
        self._allow(0)  # one thread makes the root before several use it
        ply = self.place(position)
        for workspace in self.workspaces if self.own_trees else self.workspaces[:1]:
            self.kernel(workspace.record, ply, 1, 0, 0)
        done = 0
        while not self.watch.stopped and done < most and not self.root(position).proven:
            self._allow(min(done + slice_, most))
            self.search(position, 1, 0, 0)
            if any(workspace["crowded"] for workspace in self.workspaces):
                self._make_room(ply)
            before, done = done, self.simulations
            yield
            if done == before:  # nothing was left to do
                break
            slice_ = min(slice_ * 2, LONGEST_SLICE) if often else ENDLESS

    def _allow(self, simulations: int) -> None:
        for workspace in self.workspaces:
            workspace["playout_limit"] = -(-simulations // len(self.workspaces))

    @property
    def simulations(self) -> int:
        return sum(workspace["playouts"] for workspace in self.workspaces)

    def _make_room(self, ply: int) -> None:
        self._allow(0)
        grows = self.places < self.most_places
        if grows:
            self._index(min(self.places * GROWTH, self.most_places))
        self.workspaces[0]["crowded"] = INDEX_GROWS if grows else CROWDED
        self.kernel(self.workspaces[0].record, ply, 0, 0, 0)
        for workspace, fewest in zip(self.workspaces, self.workspaces[0].rows("fewest")):
            workspace["crowded"] = 0
            if not grows:
                workspace["expand"] = max(self.asked.expand, int(fewest))
        if not all(self._has_room(thread) for thread in range(len(self.workspaces))):
            self.watch.stop(MEMORY)

    def _has_room(self, thread: int) -> bool:
        """Whether a thread can make one more node."""
        free = int(self.memory.words[thread * DESK + FREE])
        return free + largest_node(self.game, self.asked) <= FIRST + (thread + 1) * self.part

    def _root_at(self, position: Position) -> None:
        """Have the tree begin at a position: below the one it began at before, if it leads there."""
        moves = _moves_from(self._asked_last, position)
        self._asked_last = position
        if moves is None:
            self.clear()
            return
        lost = []
        for thread in range(len(self.workspaces) if self.own_trees else 1):
            node = int(self.memory.words[thread * DESK + ROOT])
            for move in moves:
                branches = self._branches(node) if node else []
                node = next((branch.child for branch in branches if branch.move == move), 0)
            self.memory.words[thread * DESK + ROOT] = node
            if not node:
                lost.append(thread)
            elif position.turn != CHANCE:
                self._trust_moves(node, position.turn)
        if 0 in lost or not all(map(self._has_room, lost)):
            self.clear()

    def _trust_moves(self, node: int, turn: int) -> None:
        """Have what a root is proven to be worth rest on its moves alone, not on what was known of the position itself:
        then a move is known that reaches it."""
        maker, branches, floats = min if turn == 1 else max, self._branches(node), self.memory.words.view(np.float64)
        floats[node + LOWER] = maker(branch.lower for branch in branches)
        floats[node + UPPER] = maker(branch.upper for branch in branches)

    # reading

    def root(self, position: Position) -> Root:
        """What the tree says of the position that it begins at; trees of several threads are added up."""
        trees = range(len(self.workspaces) if self.own_trees else 1)
        roots = [self._node(int(self.memory.words[thread * DESK + ROOT])) for thread in trees]
        found: dict[int, list[Branch]] = {}
        for root in roots:
            for branch in root.branches:
                found.setdefault(branch.move, []).append(branch)
        maker = max if position.turn == 0 else min
        branches = [_together(found[move]) for move in position.codes if move in found]
        lower, upper = max(root.lower for root in roots), min(root.upper for root in roots)
        if position.turn != CHANCE and branches:  # one tree may know what another does not
            lower = max(lower, maker(b.lower for b in branches))
            upper = min(upper, maker(b.upper for b in branches))
        upper = max(lower, upper)  # each tree rounds its own expectations
        visits = sum(root.visits for root in roots)
        value = sum(root.value * root.visits for root in roots) / max(visits, 1) if visits else roots[0].value
        return Root(visits, min(max(value, lower), upper), lower, upper, branches)

    def line(self, position: Position, branch: Branch) -> list[int]:
        """The play that the tree expects after a move at the root, the move included; it ends where dice are thrown,
        where play goes round, and where a proven value is known but not how it is reached."""
        proven, value = branch.lower == branch.upper, branch.lower
        moves, after, node = [branch.move], position.play(branch.move), branch.child
        passed: set[int] = set()
        while node and node not in passed and after.result is None and after.turn != CHANCE:
            passed.add(node)
            found = self._node(node)
            best = favourite(found, after.turn)
            if best is None or (proven and not best.lower == value == best.upper):
                break
            moves.append(best.move)
            after, node = after.play(best.move), best.child
        return moves

    def _node(self, node: int) -> Root:
        words = self.memory.words
        floats = words.view(np.float64)
        return Root(
            int(words[node + VISITS]), float(floats[node + VALUE]), float(floats[node + LOWER]),
            float(floats[node + UPPER]), self._branches(node),
        )  # fmt: skip

    def _branches(self, node: int) -> list[Branch]:
        words = self.memory.words
        floats = words.view(np.float64)
        branches = []
        for i in range(int(words[node + SIZE])):
            at = node + HEADER + i * self.layout.stride
            link = int(words[at])
            value, lower, upper = (float(floats[at + place]) for place in (E_VALUE, E_LOWER, E_UPPER))
            move, child = link & ((1 << CHILD_SHIFT) - 1), link >> CHILD_SHIFT
            branches.append(Branch(move, int(words[at + E_VISITS]), value, lower, upper, child))
        return branches

    @property
    def tree_bytes(self) -> int:
        """How much of the memory nodes take."""
        taken = (int(self.memory.words[n * DESK + FREE]) - FIRST - n * self.part for n in range(len(self.workspaces)))
        return 8 * sum(taken)


def favourite(root: Root, turn: int) -> Branch | None:
    """The move to play: what is certain, if that is at least as good as what is hoped for; else the most visited."""
    sign = -1 if turn == 1 else 1
    tried = [branch for branch in root.branches if branch.visits > 0]
    if not tried:
        return None

    def sure(branch: Branch) -> float:
        return branch.lower if sign == 1 else -branch.upper

    hoped = max(tried, key=lambda branch: (branch.visits, sign * branch.value))
    safest = max(tried, key=lambda branch: (sure(branch), branch.visits))
    hope = hoped.upper if sign == 1 else -hoped.lower
    worth = min(max(sign * hoped.value, sure(hoped)), hope)
    return safest if sure(safest) >= worth else hoped


def _together(branches: list[Branch]) -> Branch:
    """One move in the trees of several threads."""
    visits = sum(branch.visits for branch in branches)
    value = sum(branch.value * branch.visits for branch in branches) / visits if visits else branches[0].value
    lower = max(branch.lower for branch in branches)
    upper = max(lower, min(branch.upper for branch in branches))
    return Branch(branches[0].move, visits, min(max(value, lower), upper), lower, upper, branches[0].child)


def _moves_from(before: Position | None, now: Position) -> list[int] | None:
    """The moves that lead from one position to another, None if the second does not come from the first."""
    if before is None:
        return None
    moves: list[int] = []
    at: Position | None = now
    length = len(before.line())
    while at is not None and len(at.line()) > length:
        assert at.last_move is not None
        moves.append(at.last_move)
        at = at.previous
    same = at is not None and (at is before or (at.history() == before.history() and at.line()[0] == before.line()[0]))
    return moves[::-1] if same else None
