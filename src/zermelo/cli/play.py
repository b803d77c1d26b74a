"""A game between a person and an engine, as a dialogue in the terminal or through a pipe."""

from __future__ import annotations

import contextlib
import random
import shlex
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli import INTERRUPTED
from zermelo.cli import choices as c
from zermelo.cli.live import LiveLine

if TYPE_CHECKING:
    from zermelo.cli.record import Record
    from zermelo.compile.watch import Limits, Progress
    from zermelo.core.answer import Answer
    from zermelo.core.session import Session
    from zermelo.rules import Position

HELP = """\
  a move   play it; `moves` lists what is legal
  hint     what the engine would play
  undo     take back your last move and the answer to it
  moves    the legal moves
  help     this list
  quit     leave the game
  Ctrl-C   while the engine thinks: have it move at once; otherwise leave the game"""


def play(
    game: c.GameName,
    settings: c.Settings = None,
    position: c.PositionText = "",
    method: c.MethodText = None,
    seconds: c.Seconds = None,
    depth: c.Depth = None,
    side: Annotated[c.Side, typer.Option("--side", help="Which player you are.")] = c.Side.first,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", metavar="FILE", help="Go on with the game in this file, and keep it there."),
    ] = None,
    memory: c.Memory = None,
    mode: c.RunMode = None,
    seed: c.Seed = None,
) -> None:
    """Play against an engine.

    It thinks for one second a move if no limit is given; Ctrl-C has it move at once. A game that is left can be
    taken up again.
    """
    from zermelo.compile.watch import Limits
    from zermelo.core.session import DEFAULT_SECONDS

    if seconds is None and depth is None:
        seconds = DEFAULT_SECONDS
    limits = Limits(seconds=seconds, depth=depth)
    record = _taken_up(c.position_of(game, settings, position), position, resume)
    subject = record.position.game
    session = c.request_of(subject, "play", method, memory=memory, mode=mode, seed=seed).open(subject)
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  lets the person edit what is typed
    chosen = [word for text in settings or () for word in ("--set", text)]
    again = ["zermelo", "play", game, *chosen, *(["--side", side.value] if side is c.Side.second else [])]
    dialogue = Dialogue(record, session, limits, 0 if side is c.Side.first else 1, seed)
    left = True
    try:
        left = not dialogue.run()
    except KeyboardInterrupt:
        print()
        raise typer.Exit(INTERRUPTED) from None
    finally:  # whatever ended it, nothing that was played is lost
        _keep(record, dialogue.record, resume, again, left)


def _taken_up(start: Position, typed: str, file: Path | None) -> Record:
    """The game that the person wants to play: the one in the file, if it holds one."""
    from zermelo.cli import record
    from zermelo.rules.errors import Unsuitable
    from zermelo.rules.files import read_text

    if file is None:
        return record.begin(start, typed)
    if not file.parent.is_dir():
        raise Unsuitable(f"{file} cannot be written: there is no folder {file.parent}")
    text = read_text(file) if file.exists() else ""
    if not text.strip():
        return record.begin(start, typed)
    found = record.read(file, text, start.game)
    passed: Position | None = found.position
    while typed and passed is not None and passed != start:
        passed = passed.previous
    if passed is None:
        raise Unsuitable(f"{file} holds a game that does not come through --position: leave one of them out")
    return found


def _keep(before: Record, after: Record, file: Path | None, again: list[str], left: bool) -> None:
    """Write the game into its file, and if the person left it, say how to take it up again."""
    from zermelo.rules.files import save

    moves = after.position.history()
    if left and moves:
        print(f"moves so far: {' '.join(moves)}")
    if file is not None and after.position is not before.position:
        save(file, after.text())
    if not left or not moves:
        return
    if file is None:
        print(f"to go on, write these lines into a file: {shlex.join([*again, '--resume'])} FILE")
        print(after.text(), end="")
    else:
        print(f"to go on: {shlex.join([*again, '--resume', str(file)])}")


class Dialogue:
    """One game. `person` is the number of the player who types; the dice are the program's."""

    def __init__(
        self, record: Record, session: Session, limits: Limits, person: int, seed: int | None = None
    ) -> None:
        self.begun, self.session, self.limits, self.person = record, session, limits, person
        self.position = record.position
        self.dice = random.Random(seed)

    @property
    def record(self) -> Record:
        return self.begun._replace(position=self.position)

    def run(self) -> bool:
        """Play until the game is over, or until the person leaves: then the answer is False."""
        from zermelo.cli.show import PLAYERS
        from zermelo.rules import CHANCE

        print(self.position.game.summary)
        print(f"You are the {PLAYERS[self.person]} against {self.session.request.method.name}. Type a move, or help.")
        if self.position.previous is not None:
            print(f"moves so far: {' '.join(self.position.history())}")
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
                return False
        self._draw()
        self._announce()
        return True

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
        """The engine's answer. Ctrl-C ends its thinking, a second one the game."""
        with _Presses() as presses, LiveLine() as line:

            def follow(progress: Progress) -> None:
                if presses.count:
                    raise KeyboardInterrupt  # heard by the search, which stops and answers with what it has
                if line.on:
                    line.follow(progress)

            answer = self.session.search(self.position, self.limits, follow, value_only=True)
        if presses.count > 1:
            raise KeyboardInterrupt
        return answer

    def _hint(self) -> None:
        print(f"hint: {_described(self._think())}")

    def _answer(self) -> None:
        answer = self._think()
        print(f"{self.session.request.method.name} plays {_described(answer)}")
        self.position = self.position.play(answer.move or answer.best[0])

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


class _Presses:
    """Counts how often Ctrl-C is pressed. The first time nothing else happens, later the game is interrupted."""

    def __init__(self) -> None:
        self.count = 0
        self.usual: Any = None

    def __enter__(self) -> _Presses:
        here = threading.current_thread() is threading.main_thread()
        if here and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            self.usual = signal.signal(signal.SIGINT, self._press)
        return self

    def __exit__(self, *_: object) -> None:
        if self.usual is not None:
            signal.signal(signal.SIGINT, self.usual)

    def _press(self, *_: object) -> None:
        self.count += 1
        if self.count > 1:
            raise KeyboardInterrupt


def _described(answer: Answer) -> str:
    """A move and what the engine thinks of it."""
    from zermelo.cli.show import stopped_in_words, value_in_words

    words = []
    if answer.value is not None:
        depth = "" if answer.depth is None else f", depth {answer.depth}"
        words.append(f"{value_in_words(answer)}, {answer.status}{depth}")
    if answer.stopped == "interrupt":
        words.append(stopped_in_words("interrupt"))
    return f"{answer.move} ({'; '.join(words)})" if words else str(answer.move)
