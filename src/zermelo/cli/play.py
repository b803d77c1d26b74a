"""A game between a person and an engine, as a dialogue in the terminal or through a pipe."""

from __future__ import annotations

import contextlib
import random
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli import INTERRUPTED
from zermelo.cli import choices as c
from zermelo.cli.live import LiveLine

if TYPE_CHECKING:
    from zermelo.compile.watch import Limits
    from zermelo.rules import Position
    from zermelo.search.answer import Answer
    from zermelo.search.playing import Analyst

HELP = """\
  a move   play it; `moves` lists what is legal
  hint     what the engine would play
  undo     take back your last move and the answer to it
  moves    the legal moves
  help     this list
  quit     leave the game"""


def play(
    game: c.GameName,
    settings: c.Settings = None,
    position: c.PositionText = "",
    engine: c.EngineName = None,
    seconds: c.Seconds = None,
    depth: c.Depth = None,
    side: Annotated[c.Side, typer.Option("--side", help="Which player you are.")] = c.Side.first,
    memory: c.Memory = None,
    mode: c.RunMode = None,
    seed: c.Seed = None,
) -> None:
    """Play against an engine.

    It thinks for one second a move if no limit is given.
    """
    from zermelo.compile.watch import Limits
    from zermelo.search.playing import DEFAULT_SECONDS, Analyst

    if seconds is None and depth is None:
        seconds = DEFAULT_SECONDS
    limits = Limits(seconds=seconds, depth=depth)
    start = c.position_of(game, settings, position)
    plan = c.Plan.make(start.game, c.known_engine(engine, start.game), {}, mode, memory)
    with LiveLine() as line:
        if plan.compiled:
            line.compiling(start.game.name, plan.method)
        analyst = Analyst(start.game, engine, memory=plan.memory, mode=mode and mode.value, seed=seed)
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  lets the person edit what is typed
    Dialogue(start, analyst, limits, 0 if side is c.Side.first else 1, seed).run()


class Dialogue:
    """One game. `person` is the number of the player who types; the dice are the program's."""

    def __init__(
        self, position: Position, analyst: Analyst, limits: Limits, person: int, seed: int | None = None
    ) -> None:
        self.position, self.analyst, self.limits, self.person = position, analyst, limits, person
        self.dice = random.Random(seed)

    def run(self) -> None:
        from zermelo.cli.show import PLAYERS
        from zermelo.rules import CHANCE

        print(self.position.game.summary)
        print(f"You are the {PLAYERS[self.person]} against {self.analyst.name}. Type a move, or help.")
        while self.position.result is None and self.position.codes:
            if self.position.turn == CHANCE:
                self._toss()
                continue
            if self.position.turn != self.person:
                self._answer()
                continue
            self._draw()
            print(self._legal())
            if not self._persons_turn():
                print("goodbye")
                return
        self._draw()
        self._announce()

    def _toss(self) -> None:
        """The program throws the dice."""
        weigh = self.position.game.weight
        codes = self.position.codes
        assert weigh is not None
        outcome = self.dice.choices(codes, [int(weigh(self.position.state, code)) for code in codes])[0]
        print(f"chance: {self.position.text_of(outcome)}")
        self.position = self.position.play(outcome)

    def _draw(self) -> None:
        print(f"\n{self.position}\n")

    def _legal(self) -> str:
        return f"moves: {' '.join(self.position.moves())}"

    def _persons_turn(self) -> bool:
        """Ask until a move is played or taken back; False if the person leaves."""
        from zermelo.rules import MoveError

        before = self.position
        while self.position is before:
            words = self._ask()
            if words is None:
                return False
            try:
                self.position = self.position.play(words)
            except MoveError as illegal:
                match words.lower():
                    case "":
                        continue
                    case "quit" | "exit" | "q":
                        return False
                    case "help" | "?":
                        print(HELP)
                    case "moves":
                        print(self._legal())
                    case "hint":
                        self._hint()
                    case "undo":
                        self._take_back()
                    case _:
                        print(illegal)
        return True

    def _ask(self) -> str | None:
        """What the person types next; None at the end of the input."""
        try:
            words = input("your move: ").strip()
        except EOFError:
            print()
            return None
        if not sys.stdin.isatty():
            print(words)  # so that the transcript of a piped game can be read
        return words

    def _take_back(self) -> None:
        """Back to where the person moved last, past what the engine answered."""
        back = self.position.previous
        while back is not None and back.turn != self.person:
            back = back.previous
        if back is None:
            print("there is nothing to take back")
        else:
            self.position = back

    def _think(self) -> Answer:
        with LiveLine() as line:
            answer = self.analyst.analyse(self.position, self.limits, line.listener)
        if answer.stopped == "interrupt":
            from zermelo.cli.show import stopped_in_words

            print(f"{stopped_in_words('interrupt')}: {answer.best[0]}")
            raise typer.Exit(INTERRUPTED)
        return answer

    def _hint(self) -> None:
        print(f"hint: {_described(self._think())}")

    def _answer(self) -> None:
        answer = self._think()
        print(f"{self.analyst.name} plays {_described(answer)}")
        self.position = self.position.play(answer.best[0])

    def _announce(self) -> None:
        from zermelo.cli.show import score_in_words

        score = self.position.result
        if score is None:
            print("no move is left here, and the rules give no score: the game stays unfinished")
            return
        words = score_in_words(self.position.game, score)
        low, high = self.position.game.values
        gain = score if self.person == 0 else -score
        verdict = "" if gain == 0 or low != -high else " (you win)" if gain > 0 else " (you lose)"
        print(f"The game is over: {words}{verdict}.")


def _described(answer: Answer) -> str:
    """A move and what the engine thinks of it."""
    from zermelo.cli.show import value_in_words

    if answer.value is None:
        return answer.best[0]
    depth = "" if answer.depth is None else f", depth {answer.depth}"
    return f"{answer.best[0]} ({value_in_words(answer)}, {answer.status}{depth})"
