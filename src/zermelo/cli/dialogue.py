"""A game on the terminal or through a pipe: people are asked for their moves, and what happens is shown."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from zermelo.cli.live import LiveLine
from zermelo.compile.watch import Brake
from zermelo.core.wording import PLAYERS, score_in_words, stopped_in_words, value_in_words
from zermelo.play.ending import Ending, Why
from zermelo.play.player import Act, Chosen, Person, Player, Said, Turn
from zermelo.play.sitting import Ply, Sitting, previous_turn
from zermelo.rules import CHANCE, MoveError, Position, ZermeloError

if TYPE_CHECKING:
    from zermelo.core.answer import Answer
    from zermelo.play.clock import Clock
    from zermelo.play.record import Record

HELP = """\
  a move   play it; `moves` lists what is legal
  hint     what the engine would play
  undo     take back your last move and the answer to it
  moves    the legal moves
  help     this list
  resign   give up
  quit     leave the game
  Ctrl-C   while the engine thinks: have it move at once; otherwise leave the game"""


class Dialogue:
    """One game. Where no engine sits, a person does, who types. `adviser`: opens the engine that gives hints where
    there is none opposite."""

    def __init__(
        self,
        record: Record,
        engines: Sequence[Player | None],
        adviser: Callable[[], Player],
        clock: Clock | None,
        ponder: bool,
    ) -> None:
        self.engines = engines
        self.people = [side for side, engine in enumerate(engines) if engine is None]
        self.line = LiveLine()
        first, second = (engine or Person(self._ask) for engine in engines)
        self.sitting = Sitting(record, first, second, clock=clock, ponder=ponder, listener=self.line.listener)
        self._adviser = adviser
        self._advising = next((engine for engine in engines if engine is not None), None)

    @property
    def record(self) -> Record:
        """The game as it is to be kept: one that somebody left with Ctrl-C was stopped."""
        record = self.sitting.record
        return record if record.ending else replace(record, ending=Ending.of(record.position, Why.STOPPED))

    def run(self) -> None:
        """Play until the game has ended."""
        sitting = self.sitting
        print(sitting.position.game.summary)
        print(self._greeting())
        if sitting.position.previous is not None:
            print(f"moves so far: {' '.join(sitting.position.history())}")
        if not self.people:
            print(f"\n{sitting.position}\n")
        plies = sitting.plies()
        while True:
            asked = sitting.position.turn in self.people
            with nullcontext() if asked else self._heeding():
                ply = next(plies, None)
            self.line.wipe()
            if ply is None:
                break
            self._show(ply)
        assert sitting.ending is not None
        self._announce(sitting.ending)
        for side, engine in enumerate(self.engines):
            opinion = None if engine is None else engine.opinion()
            if opinion is not None:
                who = "you play" if self.people else f"the {PLAYERS[1 - side]} plays"
                print(f"{self._name(side)} thinks that {who} by {opinion}")

    def _greeting(self) -> str:
        if len(self.people) == 2:
            return "Two people play. Type a move, or help."
        if not self.people:
            return f"{self.sitting.players[0].name} against {self.sitting.players[1].name}"
        return f"You are the {PLAYERS[self.people[0]]} against {self._name(1 - self.people[0])}. Type a move, or help."

    def _name(self, side: int) -> str:
        """What an engine is called in a sentence; if both sides need telling apart, with its side."""
        engine = self.engines[side]
        assert engine is not None
        name = engine.name.partition("(")[0]
        return name if self.people else f"{PLAYERS[side]} ({name})"

    # showing

    def _show(self, ply: Ply) -> None:
        if ply.by == CHANCE:
            print(f"chance: {ply.move}")
        elif ply.by not in self.people:
            print(f"{self._name(ply.by)} plays {_described(ply.move, ply.answer)}")
        if not self.people:
            print(f"\n{ply.position}\n")

    def _announce(self, ending: Ending) -> None:
        """How the game ended; after the last board, where nobody has seen it yet."""
        if ending.why is Why.LEFT:
            print("goodbye")
            return
        if self.people and ending.why is not Why.STOPPED:
            print(f"\n{self.sitting.position}\n")
        if ending.why is Why.HORIZON:
            print("no move is left here, and the rules give no score: the game stays unfinished")
        elif ending.score is None:
            print("The game was stopped.")
        else:
            game = self.sitting.position.game
            raised = self.sitting.error is not None and ending.why in (Why.FAILED, Why.ILLEGAL)
            told = ending._replace(detail="") if raised else ending  # the error says it, last of all
            reason = "" if ending.why is Why.RULES else f", {told.reason}"
            print(f"The game is over: {score_in_words(game, ending.score)}{reason}{self._verdict(ending.score)}.")

    def _verdict(self, score: float) -> str:
        low, high = self.sitting.position.game.values
        if len(self.people) != 1 or score == 0 or low != -high:
            return ""
        return " (you win)" if (score > 0) == (self.people[0] == 0) else " (you lose)"

    # asking

    def _ask(self, turn: Turn) -> Said:
        """Ask a person until there is something that the game has to know."""
        position = turn.position
        print(f"\n{position}\n")
        print(_legal(position))
        while not turn.hurried:
            words = self._typed(turn)
            if words is None:
                return Act.LEAVE
            try:
                position.code_of(words)
                return words
            except MoveError as illegal:
                match words.lower():
                    case "":
                        continue
                    case "quit" | "exit" | "q":
                        return Act.LEAVE
                    case "resign":
                        return Act.RESIGN
                    case "help" | "?":
                        print(HELP)
                    case "moves":
                        print(_legal(position))
                    case "hint":
                        self._hint(turn)
                    case "undo":
                        if previous_turn(position, position.turn) is not None:
                            return Act.UNDO
                        print("there is nothing to take back")
                    case _:
                        print(illegal)
        return Act.LEAVE

    def _typed(self, turn: Turn) -> str | None:
        """What the person types next; None at the end of the input."""
        side = turn.position.turn
        left = turn.left[side]
        whose = "your move" if len(self.people) == 1 else f"{PLAYERS[side]}'s move"
        try:
            words = input(f"{whose}{'' if left is None else f' ({left:.1f} s left)'}: ").strip()
        except EOFError:
            print()
            return None
        if not sys.stdin.isatty():
            print(words)  # so that the transcript of a piped game can be read
        return words

    def _hint(self, turn: Turn) -> None:
        asked = replace(turn, brake=Brake())
        try:
            self._advising = self._advising or self._adviser()
            with self._heeding(asked.brake):
                said = self._advising.move(asked)
        except ZermeloError as wrong:
            print(wrong)
            return
        self.line.wipe()
        if not turn.hurried:  # else the person has left
            move, answer = said if isinstance(said, Chosen) else (said, None)
            shown = turn.position.text_of(move) if isinstance(move, int) else str(move)
            print(f"hint: {_described(shown, answer)}")

    # Ctrl-C

    @contextmanager
    def _heeding(self, brake: Brake | None = None) -> Iterator[None]:
        """While an engine thinks: Ctrl-C has it answer at once where a person waits for that, and ends the game where
        none does or when it comes a second time. Once more, and nothing is waited for."""
        presses = 0

        def press(*_: object) -> None:
            nonlocal presses
            presses += 1 if self.people else 2
            if presses > 2:
                raise KeyboardInterrupt
            if presses == 2:
                self.sitting.stop()
            elif brake is None:
                self.sitting.hurry("interrupt")
            if brake is not None:
                brake.pull("interrupt")

        here = threading.current_thread() is threading.main_thread()
        if not here or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            yield
            return
        usual = signal.signal(signal.SIGINT, press)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, usual)


def _legal(position: Position) -> str:
    return f"moves: {' '.join(position.moves())}"


def _described(move: str, answer: Answer | None) -> str:
    """A move and what the engine thinks of it."""
    words = []
    if answer is not None and answer.value is not None:
        depth = "" if answer.depth is None else f", depth {answer.depth}"
        words.append(f"{value_in_words(answer)}, {answer.status}{depth}")
    if answer is not None and answer.stopped == "interrupt":
        words.append(stopped_in_words("interrupt"))
    return f"{move} ({'; '.join(words)})" if words else move
