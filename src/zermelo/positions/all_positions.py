"""All positions that play can reach from one, each once, numbered as a breadth-first search meets them.

A position and what is wanted go in, `AllPositions` comes out: who moves where, the scores where play ends, the moves as
they are or turned round. Both modes give the same numbers. It is what the fixpoint, exact expectation, proof graphs and
the counting of positions stand on. Nothing here is shared with the searches: what is built on it can check them.

What it takes is stated by `costs` before anything is found, and bounded by a budget in bytes. Compiled, that is exact:
memory is only taken as it is filled, the kernel adds up what it fills, and what is made of it afterwards is part of the
account. Interpreted, it is what Python's objects take at the most for states of usual size.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.compile.diagnosis import check_moves
from zermelo.compile.modes import Compiled, Mode
from zermelo.compile.watch import Watch
from zermelo.core.memory import machine_bytes, parse_size
from zermelo.positions import exploring as e
from zermelo.positions.exploring import MOST_POSITIONS, Choice, degree_type, explorer_for, score_type
from zermelo.positions.identity import loop_ends, name_of
from zermelo.positions.position_lists import Arrays, Lists
from zermelo.rules import Game, Position, TooLarge, Unsuitable, wrapping

PLAIN_POSITION_BYTES, PLAIN_MOVE_BYTES = 700, 80  # what Python's objects take, roughly


@dataclass(frozen=True)
class Wanted:
    """What is to be found out. With neither `forward` nor `turned`, the positions where somebody is to move are only
    counted.

    by: positions are one if their whole `state` is the same, or if the game's `key` or `symmetry` is, and at ends the
    score. forward: where moves lead, in the order of the rules. turned: where they come from. weights: how often
    outcomes happen. states: a position's state can be had by its number. history: earlier positions that end play when
    they come back stand before the first, with no moves. beside: bytes that whoever asks will need for each position.
    """

    by: str = "state"
    forward: bool = False
    turned: bool = False
    weights: bool = False
    states: bool = False
    history: bool = False
    beside: int = 0

    def choice(self, mode: Mode) -> Choice:
        """The kernel that finds it."""
        counting = not (self.forward or self.turned)
        return Choice(self.by, counting, self.weights, not (self.states or isinstance(mode, Compiled)))


@dataclass
class AllPositions:
    """What was found; what is not wanted is empty. Numbers 0 to `root` - 1 are those of the game's history.

    The moves of position i lead to children[offsets[i] : offsets[i + 1]], with weights at chance positions;
    parents[entries[i] : entries[i + 1]] are the positions that lead to i, once for each move.
    """

    root: int
    returning: bool  # whether play ends when it comes back to the root; False where the history is not wanted
    count: int  # how many were found, the history not among them
    ends: int
    estimated: int  # ends that are only the game's horizon,
    horizon: int  # and the first of them
    bytes: int  # at the most
    state: Callable[[int], Any]
    number_of: Callable[[Any], int]  # of a state, where states are told apart; KeyError if it is none of them
    states: Any  # those of all positions; interpreted, only where they are wanted
    keys: Any  # by which positions were told apart, if they were
    turns: Any  # 0, 1, CHANCE or OVER
    scores: Any  # the first player's at ends, `between` elsewhere
    degrees: Any  # how many moves a position has
    offsets: Any = ()
    children: Any = ()
    weights: Any = ()
    entries: Any = ()
    parents: Any = ()
    first: Any = ()  # where the root's moves lead, where they are turned round


def budget_of(memory: str | int | None) -> int:
    """How many bytes positions may take: half of what the machine has unless something is said."""
    budget = machine_bytes() // 2 if memory is None else parse_size(memory)
    if budget > machine_bytes():
        raise Unsuitable(f"{budget / 2**30:.1f} GB do not fit: the machine has {machine_bytes() / 2**30:.1f} GB")
    return budget


def costs(game: Game, wanted: Wanted, mode: Mode) -> tuple[int, int]:
    """The bytes of a position, its share of the hash set apart, and of a move."""
    choice = wanted.choice(mode)
    if not isinstance(mode, Compiled):
        return PLAIN_POSITION_BYTES, 0 if choice.counting else PLAIN_MOVE_BYTES
    assert game.State is not None
    each = game.State.dtype.itemsize + wanted.beside + (8 if wanted.by != "state" else 0)
    if choice.counting:
        return each, 0
    each += np.dtype(score_type(game, choice)).itemsize + np.dtype(degree_type(game)).itemsize + 1
    each += 8 * wanted.forward + 4 * wanted.turned  # where its moves begin
    return each, 4 + 4 * wanted.turned + 8 * wanted.weights


def make_ready(game: Game, wanted: Wanted, mode: Mode) -> None:
    """Compile what it takes, before any clock runs."""
    if isinstance(mode, Compiled):
        explorer_for(game, mode.name, wanted.choice(mode))


@wrapping
def all_positions(
    position: Position,
    wanted: Wanted,
    mode: Mode,
    watch: Watch,
    budget: int,
    *,
    between: float = 0,
    most: int = MOST_POSITIONS,
) -> AllPositions | None:
    """Everything that can be reached from a position; None if the watch stopped it. `between` is what positions score
    where play goes on, and those of the history. More positions than fit into the budget, or than `most`, raise
    `TooLarge`, which says how many were found."""
    game, choice, name = position.game, wanted.choice(mode), name_of(position.game, wanted.by)
    history, returning = loop_ends(position, name) if wanted.history else ([], False)
    path, root = [*history, position.state], len(history)
    at = [0] * e.AT_WORDS
    at[e.FOUND], at[e.HERE], at[e.ROOT], at[e.REFILL] = len(path), root, root, 1
    at[e.EACH], at[e.PER_MOVE] = costs(game, wanted, mode)
    at[e.BUDGET], at[e.MOST] = budget, min(most, MOST_POSITIONS - game.max_moves) + root
    compiled = isinstance(mode, Compiled)
    lists = Arrays(game, choice, path, at) if compiled else Lists(game, choice, path, at)
    lists.begin([name(state) for state in path], [*[between] * root, game.verdict(position.state)])
    explore, workspace = explorer_for(game, mode.name, choice), watch.workspaces[0]
    while True:
        outcome = explore(workspace.record, *lists.everything(), float(between) if compiled else between)
        check_moves(game, [workspace])
        if outcome == e.STOPPED:
            return None
        if outcome == e.DONE:
            break
        if outcome == e.FULL or not lists.more_slots():
            raise _too_large(game, int(lists.at[e.FOUND]) - root, int(lists.at[e.MOVES]), budget, watch)
    return _handed_over(lists, wanted, watch, returning)


def _handed_over(lists: Arrays | Lists, wanted: Wanted, watch: Watch, returning: bool) -> AllPositions | None:
    """What was found as it is wanted; None if the watch stopped that."""
    at, root = lists.at, int(lists.at[e.ROOT])
    lists.cut()
    state, number_of = lists.finders()
    found = AllPositions(
        root=root, returning=returning, count=int(at[e.FOUND]) - root, ends=int(at[e.ENDS]),
        estimated=int(at[e.ESTIMATED]), horizon=int(at[e.HORIZON]), bytes=lists.bytes, states=lists.states,
        keys=lists.keys,
        turns=lists.turns, scores=lists.scores, degrees=lists.degrees, state=state, number_of=number_of,
    )  # fmt: skip
    if wanted.forward:
        found.offsets, found.children, found.weights = lists.offsets(), lists.children, lists.weights
    if wanted.turned:
        turned = lists.turned(lambda: watch.stopped)
        if turned is None:
            return None
        found.first = [int(child) for child in lists.children[: int(lists.degrees[root])]]
        found.entries, found.parents = turned
    return found


def _too_large(game: Game, found: int, moves: int, budget: int, watch: Watch) -> TooLarge:
    other = "star2.5" if game.has_chance else "alphabeta"
    large = TooLarge(
        f"{game.name} has more positions than fit: {found:,} were found so far and fill {budget / 2**20:,.0f} MB; give "
        f"more memory, or take a method that need not see all of them, such as {other}"
    )
    large.positions, large.moves, large.nodes, large.seconds = found, moves, watch.nodes, watch.seconds
    return large
