"""Engines that speak GTP, as players: `gtp(command="gnugo --mode gtp")`, `gtp(command="gtp-rhino")`.

GTP: Farnebäck, "Specification of the Go Text Protocol, version 2" (2002); Othello and Hex programs speak it too. The
first player is black. The engine keeps a board of its own, which is taken along move by move from the start of the
game: it is told what was played since it was asked last, or everything where a move was taken back.
"""

from __future__ import annotations

from zermelo.compile.watch import Brake, Limits
from zermelo.play.clock import NO_CLOCK, Clock
from zermelo.play.foreign.notation import notation_of
from zermelo.play.foreign.pipe import HANDSHAKE, Hurried, Pipe
from zermelo.play.foreign.universal import GRACE, PATIENCE
from zermelo.play.player import Act, Player, Said, Turn
from zermelo.rules import Game, MoveError, Position, Unsuitable

COLOURS = ("black", "white")
SIZES = ("size", "rows", "cols", "width", "height")
"""Parameters that say how large a board is."""

PASS = "pass"


class Refused(Unsuitable):
    """A command that an engine answered with an error."""


class Gtp(Player):
    """An engine of somebody else's that speaks GTP. commands: what it is told first, with semicolons between them.
    seconds: what it may use for a move, beside what a clock says; without either it takes what it takes."""

    def __init__(
        self,
        game: Game,
        command: str,
        commands: str = "",
        seconds: float | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.game, self.command = game, command
        self.commands = [each.strip() for each in commands.split(";") if each.strip()]
        self.limits = Limits(seconds=seconds).within(limits or Limits())
        self.notation = notation_of(game, "gtp")
        self._pipe: Pipe | None = None
        self._clock = NO_CLOCK
        self._told: list[Position] = []
        self._open()

    # the engine

    def _open(self) -> Pipe:
        if self._pipe is None or self._pipe.closed:
            self._pipe = Pipe(self.command)
            try:
                self.known = set(self.ask("list_commands", HANDSHAKE).split())
                self._set_up()
            except Refused:
                self.close()
                raise
        return self._pipe

    def ask(self, command: str, seconds: float = PATIENCE, brake: Brake | None = None) -> str:
        """What the engine answers to a command."""
        assert self._pipe is not None
        self._pipe.send(command)
        answer: list[str] = []

        def take(line: str) -> str | None:
            if answer and not line:
                return "\n".join(answer)
            if answer or line[:1] in ("=", "?"):
                answer.append(line)
            return None

        said = self._pipe.hear(take, seconds, f"answer to {command.split()[0]}", brake)
        words = said[1:].strip()
        if said.startswith("?"):
            raise Refused(f"{self._pipe.name} refuses {command}: {words}")
        return words

    def _set_up(self) -> None:
        """Which game it is, how large its board and what else counts."""
        name, parameters = self.game.name, self.game.parameters
        if "set_game" in self.known:
            self.ask(f"set_game {name.capitalize()}")
        sizes = [str(parameters[each]) for each in SIZES if each in parameters]
        if sizes:
            self.ask(f"boardsize {' '.join(dict.fromkeys(sizes))}")
        self.ask("clear_board")
        if "komi" in parameters and "komi" in self.known:
            self.ask(f"komi {parameters['komi']}")
        for command in self.commands:
            self.ask(command)

    # the game

    def begin(self, position: Position, clock: Clock) -> None:
        self._clock = clock
        self._open()
        self.ask("clear_board")
        self._told = position.line()[:1]
        if self._told[0].state is not self.game.start:
            raise Unsuitable("GTP engines follow a game from its start, not from a position described")
        per_move = self.limits.within(Limits(seconds=clock.per_move)).seconds
        if clock.seconds is not None and "time_settings" in self.known:
            self.ask(f"time_settings {round(clock.seconds)} 0 0")
        elif per_move is not None and "time_settings" in self.known:
            self.ask(f"time_settings 0 {max(1, int(per_move))} 1")
        self._follow(position)

    def move(self, turn: Turn) -> Said:
        self._open()
        self._follow(turn.position)
        for side, left in enumerate(turn.left):
            if left is not None and "time_left" in self.known:
                self.ask(f"time_left {COLOURS[side]} {int(left)} 0")
        seconds = self.limits.within(turn.limits).seconds
        try:
            brake = turn.brake if seconds is not None else None
            said = self.ask(f"genmove {COLOURS[turn.position.turn]}", PATIENCE, brake)
        except Hurried:  # GTP has no word for that: the engine has a moment to finish
            assert self._pipe is not None
            said = self._pipe.hear(lambda line: line[1:].strip() if line[:1] == "=" else None, GRACE, "move")
        return self._meant(turn.position, said.lower())

    def _meant(self, position: Position, said: str) -> Said:
        assert self._pipe is not None
        if said == "resign":
            return Act.RESIGN
        try:
            code = self.notation.read(position, said)
        except MoveError:
            raise MoveError(f"{said!r} of {self._pipe.name}; {self._pipe.keep()}") from None
        self._told.append(position.play(code))
        return code

    def _follow(self, position: Position) -> None:
        """Tell the engine what was played."""
        line = position.line()
        known = self._told
        if [each.last_move for each in line[: len(known)]] != [each.last_move for each in known]:
            self.ask("clear_board")
            known = line[:1]
        for before, after in zip(line[len(known) - 1 :], line[len(known) :], strict=False):
            assert after.last_move is not None
            move = self.notation.written(before.text_of(after.last_move))
            try:
                self.ask(f"play {COLOURS[before.turn]} {move}")
            except Refused:
                if move != PASS:  # which some need not be told: GTP lets a colour move twice
                    raise
        self._told = line

    def close(self) -> None:
        if self._pipe is not None:
            self._pipe.close(["quit"])
            self._pipe = None
