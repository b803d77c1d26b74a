"""Numbers for the positions of a game that does not number them itself: all that play can reach are found, and named.

The names, in their order, are the numbers. What finds the number of a name is kept in a file, the index of the table:
the smaller of an automaton that counts (`automaton`) and of the sorted names (`sorted_names`). With it the game gets
the hooks `index`, `unindex` and `tiers`, so that everything else is done as for games that have them: one tier, in
which a position that is not among them has the number -1. Positions where play is over are none of them.
"""

from __future__ import annotations

import hashlib
import io
import math
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.certificates.certificate import Damaged
from zermelo.compile.modes import Compiled, Mode, mode_for
from zermelo.compile.shelf import shelve, state_at
from zermelo.compile.watch import Limits, Listener, Watch
from zermelo.knowledge.automaton import Automaton, build_automaton
from zermelo.knowledge.blocks import Blocks, write_blocks
from zermelo.knowledge.naming import WORD, Naming, in_order, naming_of
from zermelo.knowledge.sorted_names import SortedNames
from zermelo.positions.all_positions import Wanted, all_positions, costs, make_ready
from zermelo.positions.estimating import estimate_positions
from zermelo.positions.layers import spreader_for
from zermelo.rules import ONGOING, Game, Position, Struct, Tier, TooLarge, rule, wrapping
from zermelo.rules.files import save, size
from zermelo.rules.position import legal_moves

INDEX = "index"
"""The file of the index."""
AUTOMATON, KEYS = "automaton", "sorted keys"
NAME = "all"
"""Of the one tier that there is."""
SLOTS = {"state": (5, 11), "key": (8, 16)}
"""The bytes that a position takes in the hash set by which all are found: at least, and at the most."""
SEEN, LOOKING = 1000, 0.5
"""So many positions of random games, within so many seconds, show how long names will be."""
ESTIMATING = 2.0
"""The seconds that are given to finding out how many positions there are, where they do not fit."""
HOPELESS, FEW = 2, 1 << 12
"""An automaton with so many nodes for each word of each name is larger than the names; unless there are few."""
BYTES = np.dtype("u1")


@dataclass(frozen=True)
class IndexEntry:
    """What the manifest of a table says of its index. position, state: from where positions were found, as people and
    as bytes tell it; naming: see `Naming`; kind: `AUTOMATON` or `KEYS`; automaton, keys: the bytes that either takes in
    a file, None for an automaton that grew too large; length: of what is packed in the file; bytes, sha256: of it."""

    position: str
    state: str
    positions: int
    naming: Mapping[str, Any]
    kind: str
    automaton: int | None
    keys: int
    length: int
    file: str
    bytes: int
    sha256: str


def wanted_from(position: Position, mode: Mode) -> Wanted:
    """What is asked of the enumerator: positions where play goes on, and their states. Beside each there must be room
    for what putting it in order takes, or all would be found before it is said that they do not fit."""
    game = position.game
    wanted = Wanted(by=naming_of(game), states=True)
    if not isinstance(mode, Compiled):  # Python's objects take more
        return wanted
    found = costs(game, wanted, mode)[0] + SLOTS[wanted.by][0]
    return replace(wanted, beside=max(0, _in_order(game, _likely_words(position)) - found))


def _in_order(game: Game, words: int) -> int:
    """The bytes that putting a position in order takes: its state twice, its name three times, and numbers."""
    assert game.State is not None
    return 2 * game.State.dtype.itemsize + 24 * (words + 1)


@wrapping
def _likely_words(position: Position) -> int:
    """In how many words the names of positions will stand, from what differs in random games."""
    game, chance, until = position.game, random.Random(1), time.monotonic() + LOOKING
    assert game.State is not None
    if naming_of(game) == "key":
        return 1
    seen: list[bytes] = []
    while len(seen) < SEEN and time.monotonic() < until:
        state, moves = position.state, [0]
        while moves and len(seen) < SEEN and time.monotonic() < until:
            seen.append(state.tobytes())
            moves = legal_moves(game, state) if game.verdict(state) == ONGOING else []
            if moves:
                state = state.copy()
                game.play(state, chance.choice(moves))
    length = Naming.of(game.State, np.frombuffer(b"".join(seen), game.State.dtype)).length(game.State)
    return -(-(length + length // 8) // WORD)  # some bits are rarely met


def find_positions(position: Position, mode: str, memory: int, listener: Listener | None = None) -> tuple[Any, Any]:
    """The states of all positions from this one on where play goes on, and their keys where these tell them apart, all
    within so many bytes."""
    game, way = position.game, mode_for(position.game, mode)
    wanted = wanted_from(position, way)
    assert game.State is not None
    make_ready(game, wanted, way)
    watch = Watch([way.workspace(game)], Limits(), listener, doing="finding all positions")
    start = Position(game, position.state)
    try:
        found = watch.run(lambda: all_positions(start, wanted, way, watch, memory))
    except TooLarge as large:
        each = costs(game, wanted, way)[0] + SLOTS[wanted.by][1]
        raise _too_large(start, mode, memory, large.positions, each) from None
    if found is None:
        raise KeyboardInterrupt
    states = found.states
    if isinstance(states, list):
        states = np.frombuffer(b"".join(state.tobytes() for state in states), game.State.dtype)
    return states, np.asarray(found.keys, np.uint64).reshape(-1, 1)


def _too_large(position: Position, mode: str, memory: int, found: int, each: int) -> TooLarge:
    """That positions do not fit, of which each takes so many bytes, and how much memory would do."""
    game = position.game
    watch = Watch([spreader_for(game, mode)[0].workspace(game)], Limits(seconds=ESTIMATING))
    there = watch.run(lambda: estimate_positions(position, mode, watch, ESTIMATING))
    guess, more = there.count or there.low, " or more" * (there.count is None)
    count = guess if guess > found else 2 * found
    return TooLarge(
        f"{game.name} has more positions than fit: {found:,} were found so far and fill {size(memory)}; "
        f"there are about {count:,.0f}{more}, for which "
        f"{size(math.ceil(each * count))}{more} would do: give --memory, or a position nearer to the end"
    )


def in_naming_order(game: Game, states: Any, keys: Any, naming: Naming) -> tuple[Any, Any]:
    """The names of positions in their order, and the numbers of the positions in that order."""
    assert game.State is not None
    names = keys if naming.by == "key" else naming.names(game.State, states)
    order = in_order(names)
    return names[order], order


def build_index(
    position: Position, states: Any, keys: Any, folder: Path, codec: str, memory: int
) -> tuple[IndexEntry, Any]:
    """Write the index of these positions into a folder; what is to be known of it, and the states in the order of their
    numbers, come back."""
    game, count = position.game, len(states)
    assert game.State is not None
    naming = Naming() if naming_of(game) == "key" else Naming.of(game.State, states)
    words = naming.words(game.State)
    _check_memory(game, count, words, memory)
    names, order = in_naming_order(game, states, keys, naming)
    automaton = build_automaton(names, naming.length(game.State), max(HOPELESS * words * count, FEW))
    files = {KEYS: _packed(SortedNames(names), codec)}
    if automaton is not None:
        files[AUTOMATON] = _packed(automaton, codec)
    kind = _smaller(files)
    length, data = files[kind]
    save(folder / INDEX, data)
    entry = IndexEntry(
        position.text(), position.state.tobytes().hex(), count, naming.as_dict(), kind,
        len(files[AUTOMATON][1]) if automaton is not None else None, len(files[KEYS][1]), length, INDEX, len(data),
        hashlib.sha256(data).hexdigest(),
    )  # fmt: skip
    return entry, states[order]


def _smaller(files: Mapping[str, tuple[int, bytes]]) -> str:
    return min(files, key=lambda kind: len(files[kind][1]))


def _packed(index: Automaton | SortedNames, codec: str) -> tuple[int, bytes]:
    """What is packed of an index, how much, and as a file."""
    planes, out = index.planes(), io.BytesIO()
    write_blocks(out, planes, -1, codec, 8)
    return len(planes), out.getvalue()


def _check_memory(game: Game, count: int, words: int, memory: int) -> None:
    """Refuse more positions than can be put in order in so many bytes."""
    needed = count * _in_order(game, words)
    if needed > memory:
        raise TooLarge(
            f"{game.name} has {count:,} positions, which need {needed / 2**20:,.1f} MB to be put in order, more than "
            f"the {memory / 2**20:,.1f} MB that they may take: give --memory {-(-needed // 2**20)}MB"
        )


def read_index(
    folder: Path, entry: IndexEntry, codec: str, State: type[Struct]
) -> tuple[Naming, Automaton | SortedNames]:
    """How positions are named, and what finds the numbers of names."""
    path = folder / entry.file
    blocks = Blocks(path, entry.length, BYTES, codec, 8)
    planes = np.concatenate([blocks.read(number) for number in range(len(blocks))])
    try:
        naming = Naming.told(entry.naming, State)
        index: Automaton | SortedNames
        if entry.kind == AUTOMATON:
            index = Automaton.from_planes(planes, -(-naming.length(State) // 2))
        else:
            index = SortedNames.from_planes(planes, entry.positions, naming.words(State))
        if index.count != entry.positions:
            raise ValueError(f"it numbers {index.count:,} positions, not {entry.positions:,}")
    except (ValueError, KeyError, TypeError) as wrong:
        raise Damaged(f"{path} is damaged, {wrong}: build it again") from None
    return naming, index


class Numbered:
    """A game whose positions have the numbers of an index, for as long as this object lives. states: in the order of
    their numbers; without them numbers can be looked up, but not turned back into positions."""

    def __init__(
        self, game: Game, naming: Naming, index: Automaton | SortedNames, states: Any = None
    ) -> None:
        self.bytes = index.bytes + (0 if states is None else states.nbytes)
        self.game = replace(
            game, index=_index_of(naming.rule(game), index.ranker(self)), unindex=self._unindex(states),
            tiers=lambda: [Tier(0, index.count, NAME)],
        )  # fmt: skip

    def _unindex(self, states: Any) -> Any:
        known, place = states is not None, 0 if states is None else shelve(states, self)

        @rule
        def unindex(s, tier, number):
            if known:
                state_at(place, number, s)
            return known

        return unindex


def _index_of(name: Any, rank: Any) -> Any:
    @rule
    def index(s):
        inside, words = name(s)
        number = -1
        if inside:
            number = rank(words)
        return 0, number, 1

    return index
