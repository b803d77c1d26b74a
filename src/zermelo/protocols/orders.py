"""The command `go` of UCI and its relatives: what is to be searched, and for how long."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from zermelo.compile.watch import Brake, Limits
from zermelo.play.clock import RESERVE, RESERVE_SHARE, Clock, Timer
from zermelo.play.foreign.dialect import Dialect

SHORTEST = 0.001
LARGEST = 10**12
"""No number that is told means more than this."""
NUMBERS = ("depth", "nodes", "movetime", "movestogo", "byoyomi")
SWITCHES = ("infinite", "ponder", "draw")


@dataclass
class Order:
    """What `go` says: numbers by their names, switches, the moves to search, and the time for a search for mate. It can
    be stopped before it is begun. wrong: words that should have a number and have none. seconds: what pondering may
    still take once it is over, None without end. heard: when it was given."""

    numbers: dict[str, int] = field(default_factory=dict)
    switches: set[str] = field(default_factory=set)
    moves: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    mate: str | None = None
    brake: Brake = field(default_factory=Brake)
    released: threading.Event = field(default_factory=threading.Event)
    seconds: float | None = None
    hit: bool = False
    heard: float = field(default_factory=time.perf_counter)

    @property
    def waits(self) -> bool:
        """Whether its answer is only to be told when somebody says so."""
        return bool(self.switches & {"infinite", "ponder"})

    @property
    def plies(self) -> int | None:
        """How far away the mate may be that is asked for, None if that does not matter."""
        told = self.numbers.get("depth")
        if told is None and self.mate is not None and _is_number(self.mate):
            told = 2 * int(self.mate[:10]) - 1
        return None if told is None else max(told, 1)

    def stop(self) -> None:
        self.brake.pull()
        self.released.set()

    def ponder_hit(self) -> None:
        """The move that was thought about was made: from now on the clock runs."""
        self.hit = True
        self.released.set()
        if self.seconds is not None:
            timer = threading.Timer(self.seconds, self.brake.pull, ("seconds",))
            timer.daemon = True
            timer.start()


def read_order(words: Sequence[str], dialect: Dialect) -> Order:
    """What the words after `go` say; words that nobody knows, or numbers that are none, are passed over."""
    order = Order()
    known = {*NUMBERS, *dialect.clocks, *dialect.increments}
    left = list(words)
    while left:
        word = left.pop(0)
        if word in SWITCHES:
            order.switches.add(word)
        elif word == "mate":
            order.mate = left.pop(0) if left else "infinite"
        elif word == "searchmoves":
            order.moves, left = left, []
        elif word in known and left and _is_number(left[0]):
            order.numbers[word] = max(-LARGEST, min(int(left.pop(0)[:20]), LARGEST))
        elif word in known:
            order.wrong.append(word)
    if order.moves:  # moves come last in practice, but what follows them may be words as well
        for place, word in enumerate(order.moves):
            if word in known or word in SWITCHES:
                order.moves, rest = order.moves[:place], order.moves[place:]
                more = read_order(rest, dialect)
                order.numbers.update(more.numbers)
                order.switches |= more.switches
                order.wrong += more.wrong
                break
    return order


def limits_of(order: Order, dialect: Dialect, turn: int, moves_left: int, millis: int = 1) -> Limits:
    """The limits for a player's search. moves_left: how many moves the time is for, where `go` does not say; millis:
    how many milliseconds a number of a clock stands for."""
    told = order.numbers
    side = 0 if dialect.clocks[0] == "time" else turn
    seconds: list[float] = []
    if "movetime" in told:
        seconds.append(told["movetime"] / 1000)
    clock, byoyomi = told.get(dialect.clocks[side]), told.get("byoyomi", 0) / 1000
    if clock is not None or byoyomi:
        left = max((clock or 0) * millis / 1000, 0.0)
        more = max(told.get(dialect.increments[side], 0) * millis / 1000, 0.0)
        seconds.append(_share(left, more, byoyomi, told.get("movestogo") or moves_left))
    nodes = told.get("nodes")
    return Limits(
        nodes=None if nodes is None else max(nodes, 1),
        seconds=max(min(seconds), SHORTEST) if seconds else None,
        depth=order.plies,
    )


def _share(left: float, more: float, byoyomi: float, moves: int) -> float:
    """What to use of a clock for one move; what byoyomi gives is lost unless it is used."""
    if not byoyomi:
        return Timer(Clock(seconds=max(left, SHORTEST), increment=more)).limits(moves).seconds or SHORTEST
    allowed = left + byoyomi
    return min(left / max(moves, 1) + byoyomi, allowed) - min(RESERVE, RESERVE_SHARE * allowed)


def _is_number(word: str) -> bool:
    return word.removeprefix("-").isascii() and word.removeprefix("-").isdigit()
