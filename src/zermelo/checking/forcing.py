"""Do the rules of a sub-game keep what they promise? Each is compared with the game's own rules around a position.

`attack` lists legal moves, each once. After each of these, `defend` leaves out only replies that lose: the attacker has
won, or wins with one more forcing move. Where `promising` says no, an exhaustive look finds no win, as far as it goes.
What `at_once` finds wins. `resistance` counts some of the replies, or all.
`goal` says 1, -1 or ONGOING. A sub-game that breaks these would miss wins, or find some that are none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from zermelo.checking.promises import Complaint, where
from zermelo.rules import ONGOING, Game, MoveBuffer, Position
from zermelo.rules.language import Rule
from zermelo.rules.position import legal_moves

if TYPE_CHECKING:
    from zermelo.checking.side_by_side import SideBySide

ROOM = 4_000
"""So many moves are played in all to look for wins that `promising` denies, and for replies that `defend` forgets."""
LOOK = 300
"""And so many at most for one position."""
DEEPEST = 7


class Forcing:
    """The sub-games of one game, looked at one position after another."""

    def __init__(self, game: Game, modes: SideBySide) -> None:
        self.game, self.modes, self.room = game, modes, ROOM

    def complaints(self, position: Position) -> Iterator[Complaint]:
        """What is wrong around a position at which the game goes on."""
        for name in self.game.subgames:
            yield from _Look(self, name, position.turn).complaints(position)


class _Look:
    """One sub-game, with one attacker."""

    def __init__(self, forcing: Forcing, name: str, attacker: int) -> None:
        self.forcing, self.name, self.attacker = forcing, name, attacker
        self.game, self.subgame = forcing.game, forcing.game.subgames[name]
        low, high = self.game.values
        self.best = high if attacker == 0 else low
        self.left = 0

    def complaints(self, position: Position) -> Iterator[Complaint]:
        attack = self._listed(self.subgame.attack, position)
        yield from self._fits("attack", attack, position)
        if self.subgame.goal is not None and self.subgame.goal(position.state) not in (1, -1, ONGOING):
            yield f"{self.name}.goal must be 1, -1 or ONGOING", f"{self.subgame.goal(position.state)} {where(position)}"
        yield from self._found(position, attack)
        if self.subgame.defend is not None or self.subgame.resistance is not None:
            for move in attack:
                if move in position.codes and self.forcing.room > 0:
                    yield from self._replies(position, move)
        yield from self._denied(position)

    def _found(self, position: Position, attack: list[int]) -> Iterator[Complaint]:
        """What `at_once` finds among the forcing moves."""
        if self.subgame.at_once is None:
            return
        place = self.subgame.at_once(position.state, list(attack), len(attack))
        if not -1 <= place < len(attack):
            yield (
                f"{self.name}.at_once must return -1 or a place among the forcing moves",
                f"{place} of {len(attack)} {where(position)}",
            )
        elif place >= 0 and attack[place] in position.codes and not self._has_won(position, attack[place]):
            yield (
                f"{self.name}.at_once promises a win that is none",
                f"{position.text_of(attack[place])} {where(position)}",
            )

    def _has_won(self, position: Position, move: int) -> bool:
        """Whether the sub-game is won by a forcing move: it is over, or all replies lose."""
        after = self._play(position, move)
        end = self._end(after)
        if end is None and self.subgame.defend is not None and after.turn != self.attacker:
            return not self._listed(self.subgame.defend, after)
        return bool(end)

    def _replies(self, position: Position, move: int) -> Iterator[Complaint]:
        """What `defend` says after a forcing move."""
        from zermelo.checking.side_by_side import Look

        after = self._play(position, move)
        if self._end(after) is not None or after.turn == self.attacker:
            return
        yield from self.forcing.modes.reply_complaints(Look(after, ONGOING, after.codes), self.name)
        replies = after.codes if self.subgame.defend is None else self._listed(self.subgame.defend, after)
        yield from self._counted(after, replies)
        yield from self._fits("defend", replies, after)
        for left_out in (reply for reply in after.codes if reply not in replies):
            reached = self._play(after, left_out)
            end = self._end(reached)
            if end is None:
                ways = self._attacks(reached) if reached.turn == self.attacker else []
                end = any(self._end(self._play(reached, way)) for way in ways)
            if not end:
                yield (
                    f"{self.name}.defend leaves out a reply that does not lose at once",
                    f"{after.text_of(left_out)} {where(after)}",
                )

    def _counted(self, after: Position, replies: list[int]) -> Iterator[Complaint]:
        """How many of the replies `resistance` counts."""
        if self.subgame.resistance is not None and replies:
            count = self.subgame.resistance(after.state, list(replies), len(replies))
            if not 1 <= count <= len(replies):
                yield (
                    f"{self.name}.resistance must return a number from 1 to the number of replies",
                    f"{count} of {len(replies)} {where(after)}",
                )

    def _denied(self, position: Position) -> Iterator[Complaint]:
        """A win that `promising` denies."""
        if self.subgame.promising is None or self.subgame.promising(position.state) or self.forcing.room <= 0:
            return
        for plies in range(1, DEEPEST + 1):
            self.left = LOOK
            if self._wins(position, plies):
                yield (
                    f"{self.name}.promising denies a win",
                    f"the player to move wins within {plies} plies {where(position)}",
                )
                return
            if self.left <= 0:
                return

    def _wins(self, position: Position, plies: int) -> bool:
        """Whether the attacker wins within so many plies; no, if that takes too long to find out."""
        end = self._end(position)
        if end is not None or plies == 0 or self.left <= 0:
            return bool(end)
        ours = position.turn == self.attacker
        moves = self._attacks(position) if ours else position.codes
        below = (self._wins(self._play(position, move), plies - 1) for move in moves)
        return (any(below) if ours else all(below)) and self.left > 0

    def _end(self, position: Position) -> bool | None:
        """Whether the attacker has won where the sub-game is over; None where it is not."""
        if self.subgame.goal is not None:
            reached = self.subgame.goal(position.state)
            if reached != ONGOING:
                return bool(reached == 1)
        result = position.result
        return None if result is None else self.subgame.wins and bool(result == self.best)

    def _play(self, position: Position, move: int) -> Position:
        self.left -= 1
        self.forcing.room -= 1
        return position.play(move)

    def _attacks(self, position: Position) -> list[int]:
        """The forcing moves that are legal."""
        return [move for move in self._listed(self.subgame.attack, position) if move in position.codes]

    def _listed(self, rule: Rule, position: Position) -> list[int]:
        out = MoveBuffer(self.game.max_moves, self.game.name)
        return out[: rule(position.state, out)]

    def _fits(self, hook: str, listed: list[int], position: Position) -> Iterator[Complaint]:
        if len(set(listed)) != len(listed):
            yield f"{self.name}.{hook} lists a move twice", f"{sorted(listed)} {where(position)}"
        legal = legal_moves(self.game, position.state) if self.game.forbids else position.codes
        illegal = set(listed) - set(legal)
        if illegal:
            yield f"{self.name}.{hook} lists a move that is not legal", f"{min(illegal)} {where(position)}"
