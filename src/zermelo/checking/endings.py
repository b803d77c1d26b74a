"""What the rules alone say of small parts of a game: the slow, obviously right side against which hooks are judged.

A `Part` holds positions and all their moves, told apart by the whole state and explored with `moves`, `play`, `result`,
`turn` and `weight` only. Each position has an interval that its value lies in for certain. What is not explored lies
anywhere within `values`; from there intervals are narrowed, from both ends, by minimax (by the mean where dice decide)
until nothing changes. A play that goes round in circles thereby counts as the worst for each in turn, which is right
whatever the game says about loops; where the game gives every loop the same score, and all that can be reached has been
explored, a value that its neighbours leave open is that score. Where repetition is forbidden, which moves there are
depends on the path, and nothing is narrowed.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from typing import Any

from zermelo.rules import CHANCE, ONGOING, Game, Position
from zermelo.rules.position import legal_moves

ROUNDS = 100
"""Narrowing stops after so many sweeps; what it has by then holds all the same."""


class Wraps:
    """States that tell when a rule writes a number into a field that has no room for it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.found: list[tuple[Position, int | None, str, Any, str]] = []
        self._fields: set[str] = set()
        self._State = game.State.watching(self._note) if game.State is not None else None
        self._where: tuple[Position, int | None] = Position(game), None

    def watched(self, state: Any) -> Any:
        return state if self._State is None else self._State.frombytes(state.tobytes())

    def play(self, position: Position, move: int) -> Any:
        """The state after a move in a position whose state is watched."""
        self._where = position, move
        if self._State is None:
            return self.game.play(position.state, move)
        after = position.state.copy()
        self.game.play(after, move)
        return after

    def _note(self, name: str, value: Any, holds: str) -> None:
        if name not in self._fields:
            self._fields.add(name)
            self.found.append((*self._where, name, value, holds))


@dataclass(slots=True)
class Spot:
    """One position of a part. `below` are the numbers of the positions that `moves` lead to."""

    position: Position
    score: float  # ONGOING while the game goes on
    plies: int
    turn: int = 0
    moves: list[int] = field(default_factory=list)
    below: list[int] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)
    least: float = 0
    most: float = 0

    @property
    def over(self) -> bool:
        return self.score != ONGOING

    @property
    def explored(self) -> bool:
        return bool(self.below)


class Part:
    """Some positions of a game, and what they are worth by the rules alone."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.spots: list[Spot] = []
        self.wraps = Wraps(game)
        self._numbers: dict[Any, int] = {}
        self._whole: set[int] = set()

    def grow(self, position: Position, room: int, deep: bool = False) -> tuple[bool, int]:
        """Explore what lies below a position, playing at most `room` moves: whether that was all, and how many were
        played. The nearest comes first, which finds quick wins; `deep`: one line to its end first, then the next, so
        that there are endings that are known completely however little room there is."""
        state, used = self.wraps.watched(position.state), 0
        root = self._number(Position(self.game, state, position.previous, position.last_move), len(position.path()) - 1)
        waiting, seen = deque([root]), {root}
        while waiting:
            here = waiting.pop() if deep else waiting.popleft()
            spot = self.spots[here]
            if spot.over or here in self._whole or self._beyond(spot):
                continue
            if not spot.explored:
                spot.turn, spot.moves = spot.position.turn, legal_moves(self.game, spot.position.state)
                if used + len(spot.moves) > room:
                    return False, used
                used += len(spot.moves)
                self._explore(spot)
            waiting.extend(child for child in dict.fromkeys(spot.below) if child not in seen)
            seen.update(spot.below)
        self._whole |= seen
        return True, used

    def _beyond(self, spot: Spot) -> bool:
        return self.game.horizon is not None and bool(self.game.horizon(spot.position.state))

    def _explore(self, spot: Spot) -> None:
        game, position = self.game, spot.position
        if spot.turn == CHANCE and game.weight is not None:
            spot.weights = [game.weight(position.state, move) for move in spot.moves]
        for move in spot.moves:
            after = Position(game, self.wraps.play(position, move), position, move)
            spot.below.append(self._number(after, spot.plies + 1))

    def _number(self, position: Position, plies: int) -> int:
        """The number of a position, entered if it is new. Objects need not know equality: each is a position of its
        own."""
        number = len(self.spots)
        name = position.state.tobytes() if self.game.compilable else number
        known = self._numbers.setdefault(name, number)
        if known == number:
            self.spots.append(Spot(position, self.game.verdict(position.state), plies))
        return known

    def settle(self) -> None:
        """Give every position the interval that its value lies in."""
        low, high = self.game.values
        active = []
        shared = self._shared_marks()
        for number in range(len(self.spots) - 1, -1, -1):
            spot = self.spots[number]
            spot.least, spot.most = (spot.score, spot.score) if spot.over else (low, high)
            if self.game.forbids:
                continue
            if spot.explored and number not in shared and (spot.turn != CHANCE or min(spot.weights, default=0) > 0):
                active.append(spot)
        rounds, changes = 0, len(active)
        while changes and rounds < ROUNDS:
            changes = sum(map(self._narrow, active))
            rounds += 1
        loop = self.game.loop_value
        if loop is not None and not changes and not self.game.has_chance and not shared:
            for number in self._closed():
                spot = self.spots[number]
                spot.least = spot.most = min(max(loop, spot.least), spot.most)

    def _narrow(self, spot: Spot) -> bool:
        """Whether the interval of a position follows more closely from those below it."""
        least = [self.spots[child].least for child in spot.below]
        most = [self.spots[child].most for child in spot.below]
        if spot.turn == CHANCE:
            total = sum(spot.weights)
            narrowed = tuple(sum(map(_times, spot.weights, ends)) / total for ends in (least, most))
        else:
            narrowed = (max(least), max(most)) if spot.turn == 0 else (min(least), min(most))
        changed = narrowed != (spot.least, spot.most)
        spot.least, spot.most = narrowed
        return changed

    def _shared_marks(self) -> set[int]:
        """The positions that count as repetitions of others, though they are not the same: a loop may end there."""
        mark = self.game.loop_key
        if mark is None or not self.game.cyclic:
            return set()
        marks = [int(mark(spot.position.state)) for spot in self.spots]
        times = Counter(marks)
        return {number for number, one in enumerate(marks) if times[one] > 1}

    def _closed(self) -> set[int]:
        """The positions below which everything is explored."""
        above: list[list[int]] = [[] for _ in self.spots]
        for number, spot in enumerate(self.spots):
            for child in spot.below:
                above[child].append(number)
        open_ended = [number for number, spot in enumerate(self.spots) if not spot.over and not spot.explored]
        reached = set(open_ended)
        for number in open_ended:
            new = [parent for parent in above[number] if parent not in reached]
            reached.update(new)
            open_ended += new
        return set(range(len(self.spots))) - reached


def _times(weight: float, value: float) -> float:
    return weight * value
