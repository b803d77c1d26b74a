"""A sitting: two players at a board, from a position to the end of the game.

    with engine("alphabeta(depth=3)", game) as first, engine("random", game) as second:
        sitting = Sitting(Record.begin(game.position()), first, second)
        for ply in sitting.plies():
            print(ply.position)
        print(sitting.record.text())

Whatever happens ends the game in one of the ways of `Why`: a player that makes an illegal move, fails or lets its flag
fall has lost; one that leaves, and who stops the game from outside, leaves it open.

The throw of the dice depends on the seed and on how many plies were played: a game that is taken up again goes on as if
it had never been left, and who takes back a move meets the same throw again.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from zermelo.compile.watch import STOP, Brake, Limits, Listener
from zermelo.play.clock import MOVES_TO_GO, Clock, Timer
from zermelo.play.ending import Ending, Why
from zermelo.play.player import Act, Chosen, Player, Said, Turn, engine
from zermelo.play.record import Note, Record
from zermelo.rules import CHANCE, Game, MoveError, Position, ZermeloError

if TYPE_CHECKING:
    from zermelo.core.answer import Answer
    from zermelo.core.request import Adviser, Request

A = TypeVar("A")
B = TypeVar("B")


class Ply(NamedTuple):
    """One step of a game: the position after it, the move as a text, who made it (0, 1 or CHANCE), how long it took and
    what the player said of it."""

    position: Position
    move: str
    by: int
    seconds: float | None = None
    answer: Answer | None = None

    @property
    def note(self) -> Note:
        """What a record keeps of it beside the move."""
        seconds = None if self.seconds is None else round(self.seconds, 3)
        if self.answer is None:
            return Note(seconds)
        return Note(seconds, self.answer.value, dict(self.answer.notes).get("opponent"))


class Sitting:
    """A game while it is played. It goes on from where a record ends, by the record's clock and dice.

    clock: another one, which starts anew. ponder: whether players may think while it is the other's turn. listener: who
    is told what engines are doing.
    position and record: the game so far. ending: how it ended, None before. error: what a player raised that failed.
    """

    def __init__(
        self,
        record: Record,
        first: Player,
        second: Player,
        *,
        clock: Clock | None = None,
        ponder: bool = False,
        listener: Listener | None = None,
    ) -> None:
        self.players = (first, second)
        self.ponder, self.listener = ponder, listener
        seed = record.seed
        if seed is None and record.game.has_chance:
            seed = random.SystemRandom().randrange(10**6)
        names = (first.name, second.name)
        self._begun = replace(record, players=names, clock=clock or record.clock, seed=seed, ending=None)
        self.position = record.position
        self.timers = (Timer(self._begun.clock), Timer(self._begun.clock))
        self.ending: Ending | None = None
        self.error: Exception | None = None
        self._notes = [*record.notes]
        if clock is None:
            turns = [position.turn for position in record.replay()]
            for side, timer in enumerate(self.timers):
                timer.resume(note.seconds or 0 for turn, note in zip(turns, record.notes, strict=False) if turn == side)
        self._brake = Brake()
        self._stopped = self._hurried = False

    @property
    def record(self) -> Record:
        """The game so far."""
        return replace(self._begun, position=self.position, notes=tuple(self._notes), ending=self.ending)

    def plies(self) -> Iterator[Ply]:
        """Play, one ply after another, until the game has ended."""
        for player in dict.fromkeys(self.players):
            player.begin(self.position, self._begun.clock)
        while self.ending is None:
            ply = self._next()
            if ply is not None:
                yield ply
        for player in dict.fromkeys(self.players):
            player.ended(self.position, self.ending)

    def hurry(self, reason: str = STOP) -> None:
        """Have the player who is thinking make its move at once. Any thread may ask for that."""
        self._hurried = True
        self._brake.pull(reason)

    def stop(self) -> None:
        """End the game, also from another thread. Who is thinking is hurried, and its move is not made."""
        self._stopped = True
        self._brake.pull()

    def end(self, ending: Ending) -> None:
        """End the game where it stands: somebody who watches it knows how it ends. For who goes through `plies`."""
        self.ending = ending

    # one ply

    def _next(self) -> Ply | None:
        """The next ply, None if the game ends here or a move was taken back."""
        position = self.position
        if position.result is not None:
            self.ending = Ending.of(position, Why.RULES)
        elif not position.codes:
            self.ending = Ending.of(position, Why.HORIZON)
        elif position.turn == CHANCE:
            if not self._stopped:
                return self._move(_thrown(position, self._begun.seed, len(self._notes)))
            self.ending = Ending.of(position, Why.STOPPED)
        else:
            return self._ask(position.turn)
        return None

    def _ask(self, side: int) -> Ply | None:
        """Ask a player, and do what it says."""
        player, other, timer = self.players[side], self.players[1 - side], self.timers[side]
        self._brake, self._hurried = Brake(), False  # before the look at `_stopped`, after which a stop pulls this one
        if self.ponder and other is not player and not self._stopped:
            self._guarded(1 - side, other.ponder, self.position)
        if self._stopped and self.ending is None:
            self.ending = self._ended(Why.STOPPED, side)
        if self.ending is not None:
            return None
        limits = timer.limits(moves_to_go(self.position, len(self._notes)))
        turn = Turn(self.position, limits, (self.timers[0].left, self.timers[1].left), self.listener, self._brake)
        flag = None if timer.allowed is None else threading.Timer(timer.allowed, self._brake.pull, ("seconds",))
        began = monotonic()  # before the flag can fall, for whoever is woken by it has used all of its time
        if flag is not None:
            flag.daemon = True
            flag.start()
        try:
            said = self._guarded(side, player.move, turn)
        finally:
            seconds = monotonic() - began
            timer.spend(seconds)
            if flag is not None:
                flag.cancel()
        if self._stopped:
            self.ending = self._ended(Why.STOPPED, side)
        elif timer.fallen and self.ending is None:
            self.ending = self._ended(Why.TIME, side)
        return None if self.ending is not None else self._do(said, side, seconds)

    def _do(self, said: Said | None, side: int, seconds: float) -> Ply | None:
        if said is Act.UNDO:
            self._take_back(side)
        elif isinstance(said, Act):
            self.ending = self._ended(Why.RESIGNED if said is Act.RESIGN else Why.LEFT, side)
        else:
            move, answer = said if isinstance(said, Chosen) else (said, None)
            if answer is not None and answer.stopped == "interrupt" and not self._hurried:
                raise KeyboardInterrupt  # the search has heard it and answered, but it was meant for the game
            try:
                return self._move(move, seconds, answer)
            except MoveError:
                self.ending = self._ended(Why.ILLEGAL, side, repr(move))
        return None

    def _move(self, move: Any, seconds: float | None = None, answer: Answer | None = None) -> Ply:
        before = self.position
        self.position = before.play(move)
        assert self.position.last_move is not None
        ply = Ply(self.position, before.text_of(self.position.last_move), before.turn, seconds, answer)
        self._notes.append(ply.note)
        self._tell()
        return ply

    def _take_back(self, side: int) -> None:
        """Back to where the player moved last, past what the other answered; if it has not moved yet, nowhere."""
        back = previous_turn(self.position, side)
        if back is not None:
            self.position = back
            del self._notes[len(back.history()) :]
            self._tell()

    def _tell(self) -> None:
        for side, player in enumerate(self.players):
            if side == 0 or player is not self.players[0]:
                self._guarded(side, player.played, self.position)

    def _guarded(self, side: int, call: Callable[[A], B], argument: A) -> B | None:
        """Have a player do something; if it fails before the game is over, it has lost."""
        try:
            return call(argument)
        except Exception as error:
            self.error = error
            detail = str(error) if isinstance(error, ZermeloError) else f"{type(error).__name__}: {error}"
            if self.ending is None and self.position.result is None:
                why = Why.ILLEGAL if isinstance(error, MoveError) else Why.FAILED
                self.ending = self._ended(why, side, detail)
            return None

    def _ended(self, why: Why, side: int, detail: str = "") -> Ending:
        return Ending.of(self.position, why, None if why is Why.STOPPED else side, detail)


def previous_turn(position: Position, side: int) -> Position | None:
    """The last position before this one where a player was to move; None if there is none."""
    back = position.previous
    while back is not None and back.turn != side:
        back = back.previous
    return back


def _thrown(position: Position, seed: int | None, ply: int) -> int:
    """What the dice show, by the weights of the outcomes."""
    weigh, codes = position.game.weight, position.codes
    assert weigh is not None
    die = random.Random(f"dice {seed} {ply}")
    return die.choices(codes, [int(weigh(position.state, code)) for code in codes])[0]


def moves_to_go(position: Position, plies: int) -> int:
    """How many moves a player may still have to make, as far as the rules tell."""
    game = position.game
    if game.cyclic or game.endless:
        return MOVES_TO_GO
    left = game.max_plies - plies
    return max(1, min(MOVES_TO_GO, -(-left // 2) if game.alternating else left))


def play_game(
    what: Game | Position,
    first: str | Request | Player | None = None,
    second: str | Request | Player | None = None,
    *,
    clock: Clock | str | None = None,
    seed: int | None = None,
    ponder: bool = False,
    book: Adviser | None = None,
    listener: Listener | None = None,
) -> Record:
    """Play a game to its end. Players are engines by their texts, those that suit the game if nothing is given, or
    players that somebody made, who are not closed. With a seed, all that is random can be repeated. book: a `Book` that
    engines by their texts play by as long as it lasts."""
    start = what if isinstance(what, Position) else Position(what)
    record = Record.begin(start, clock=Clock.read(clock) if isinstance(clock, str) else clock, seed=seed)
    deep, seeds = Limits(depth=record.clock.depth), [None if seed is None else seed + side for side in (0, 1)]
    with ExitStack() as stack:
        seated = [
            who
            if isinstance(who, Player)
            else stack.enter_context(engine(who, start.game, seed=own, limits=deep, book=book))
            for who, own in zip((first, second), seeds)
        ]
        sitting = Sitting(record, *seated, ponder=ponder, listener=listener)
        for _ in sitting.plies():
            pass
        return sitting.record
