"""Do the hooks that number positions for endgame tables fit together?

`index` and `unindex` must undo each other, within the tiers that there are; no move, nor a few through positions that
no table keeps, may lead to a later tier; `unmoves` and `unplay` must find exactly what the moves lead here from. All of
it is asked in both modes: of the positions of random games, and of random numbers, some of which stand for positions
that no game can reach. Whether positions of one number are worth the same is seen with the other hooks (`promises`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from zermelo.checking.promises import Complaint, bounds_of
from zermelo.checking.side_by_side import SideBySide
from zermelo.rules import ONGOING, Game, MoveBuffer, Position, RuleError
from zermelo.rules.position import legal_moves, named
from zermelo.rules.tiers import tiers_of

SOME = 3
"""Of the moves of a position, and of what led to it, so many are followed."""
FEW = 4
"""Positions that no table keeps and nothing decides come one after another at most so often."""
NUMBERS = 100
"""So many random numbers are asked about."""

Place = tuple[int, int, int]


class Numbering:
    """The hooks of one game that number positions, asked one position or number at a time."""

    def __init__(self, game: Game, modes: SideBySide, seed: int) -> None:
        self.game, self.modes, self.chance = game, modes, random.Random(seed)
        self.tiers = {tier.tier: tier.size for tier in tiers_of(game)}
        self.order = {tier: order for order, tier in enumerate(self.tiers)}

    def of_position(self, position: Position) -> Iterator[Complaint]:
        """What is wrong with the number of a position that stands in a game."""
        place = self._place(position.state)
        if place[0] < 0:
            yield from self._falls(position, position, None, 0)
            return
        yield from self._misplaced(position, place)
        twin = self._made(place)
        if twin is None:
            yield "unindex calls a number unused that a position has", f"{_entry(place)} for {named(position)}"
            return
        yield from self._of_made(twin, place, f"{named(position)} is ")
        other = self._made(place, position.state)
        if other is None or other.state != twin.state:
            yield (
                "unindex leaves something of the state as it was",
                f"{_entry(place)} gives {twin.state} once and {other and other.state} another time",
            )

    def of_numbers(self) -> Iterator[Complaint]:
        """What is wrong with random numbers."""
        for _ in range(NUMBERS):
            tier = self.chance.choice(list(self.tiers))
            place = (tier, self.chance.randrange(self.tiers[tier]), 1)
            made = self._made(place)
            yield from self.modes.unindex_complaints(self.game.start, *place[:2], made and made.state)
            if made is not None:
                yield from self._of_made(made, place)

    def _of_made(self, position: Position, place: Place, whence: str = "") -> Iterator[Complaint]:
        """What is wrong with a position that `unindex` made. whence: which position has its number, if one was asked
        about."""
        back = self._place(position.state)
        if back != (*place[:2], 1):
            yield (
                "index does not give back what unindex was asked for",
                f"{whence}{_entry(place)}, for which unindex makes {named(position)}, which is {_entry(back)}"
                + " with the sign -1" * (back[2] == -1),
            )
            return
        yield from self.modes.unindex_complaints(self.game.start, *place[:2], position.state)
        yield from self.modes.index_complaints(position, back)
        yield from self._falls(position, position, place, 0)
        if self.game.unmoves is not None and not self._decided(position.state):
            for move in self._some(legal_moves(self.game, position.state)):
                yield from self._goes_back(position, move, place)

    def _place(self, state: Any) -> Place:
        assert self.game.index is not None
        value = self.game.index(state)
        try:
            tier, number, sign = value
            return int(tier), int(number), int(sign)
        except (TypeError, ValueError):
            told = f"rule index returns {value!r}, but must return three whole numbers: a tier, a number and a sign"
            raise RuleError(f"{self.game.name}: {told}") from None

    def _misplaced(self, position: Position, place: Place) -> Iterator[Complaint]:
        tier, number, sign = place
        if tier not in self.tiers:
            yield "index names a tier that tiers does not list", f"tier {tier} for {named(position)}"
        elif not 0 <= number < self.tiers[tier]:
            size = f"tier {tier} has {self.tiers[tier]:,} numbers"
            yield "a number lies outside its tier", f"{number} for {named(position)}, but {size}"
        if sign not in (1, -1):
            yield "the sign of index must be 1 or -1", f"{sign} for {named(position)}"

    def _made(self, place: Place, into: Any = None) -> Position | None:
        """The position that `unindex` makes, into the start unless told."""
        tier, number, _ = place
        if tier not in self.tiers or not 0 <= number < self.tiers[tier]:
            return None
        assert self.game.unindex is not None
        state = (self.game.start if into is None else into).copy()
        return Position(self.game, state) if self.game.unindex(state, tier, number) else None

    def _decided(self, state: Any) -> bool:
        if self.game.verdict(state) != ONGOING:
            return True
        least, most = bounds_of(self.game, state)
        return bool(least == most)

    def _after(self, position: Position, move: int) -> Position:
        state = position.state.copy()
        self.game.play(state, move)
        return Position(self.game, state, position, move)

    def _some(self, several: list[Any]) -> list[Any]:
        return self.chance.sample(several, min(SOME, len(several)))

    def _falls(self, root: Position, position: Position, place: Place | None, unkept: int) -> Iterator[Complaint]:
        """Whether moves lead to later tiers, or on and on through positions that are not kept."""
        if self._decided(position.state):
            return
        if unkept == FEW:
            yield (
                "no table keeps what follows",
                f"after {FEW} plies from {named(root)} play is at {named(position)}, of tier -1 and not decided",
            )
            return
        for move in self._some(legal_moves(self.game, position.state)):
            after = self._after(position, move)
            reached = self._place(after.state)
            if reached[0] < 0:
                yield from self._falls(root, after, place, unkept + 1)
            elif reached[0] not in self.tiers:
                yield from self._misplaced(after, reached)
            elif place is not None and self.order[reached[0]] > self.order[place[0]]:
                yield (
                    "a move leads to a tier that stands later in tiers",
                    f"{position.text_of(move)} in {named(position)} goes from tier {place[0]} to tier {reached[0]}",
                )

    def _goes_back(self, position: Position, move: int, place: Place) -> Iterator[Complaint]:
        """Whether `unmoves` finds the position from which a move leads on, and nothing that does not lead there."""
        after = self._after(position, move)
        reached = self._place(after.state)
        made = self._made(reached)
        if reached[0] != place[0] or made is None or self.game.verdict(made.state) != ONGOING:
            return
        codes = self._unmoves(made.state)
        yield from self.modes.unmoves_complaints(made, codes)
        before = [self._before(made, code) for code in codes]
        for code, state in zip(codes, before):
            yield from self.modes.unplay_complaints(made, code, state)
        if len(set(before)) < len(before):
            yield "unmoves lists a position twice", f"among those before {named(made)}"
        places = [self._place(state) for state in before]
        if place[:2] not in [each[:2] for each in places]:
            yield (
                "unmoves leaves out a position",
                f"{position.text_of(move)} in {named(position)} leads to {_entry(reached)}, but before "
                f"{named(made)}, which is that, it does not stand",
            )
        for state, each in self._some(list(zip(before, places))):
            yield from self._leads(state, each, made, reached)

    def _unmoves(self, state: Any) -> list[int]:
        assert self.game.unmoves is not None
        out = MoveBuffer(self.game.max_unmoves or 0, self.game.name, "unmoves")
        return out[: self.game.unmoves(state, out)]

    def _before(self, position: Position, code: int) -> Any:
        assert self.game.unplay is not None
        state = position.state.copy()
        self.game.unplay(state, code)
        return state

    def _leads(self, before: Any, place: Place, made: Position, reached: Place) -> Iterator[Complaint]:
        """Whether what stands before a position, as its number is unindexed, leads to that position's number."""
        earlier = self._made(place)
        if earlier is None or place[0] != reached[0]:
            told = f"{named(Position(self.game, before))} before {named(made)} is {_entry(place)}"
            yield "unplay makes a position that its tier does not keep", told
            return
        moves = legal_moves(self.game, earlier.state) if self.game.verdict(earlier.state) == ONGOING else []
        if all(self._place(self._after(earlier, move).state)[:2] != reached[:2] for move in moves):
            told = f"no move of {named(earlier)} leads to {_entry(reached)}, which is {named(made)}"
            yield "unplay makes a position that does not lead here", told


def _entry(place: Place) -> str:
    return f"number {place[1]} of tier {place[0]}" if place[0] >= 0 else "not kept (tier -1)"
