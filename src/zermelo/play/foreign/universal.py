"""Engines that speak UCI, USI or UCCI, as players: `uci(command="fairy-stockfish", seconds=0.1)`.

The engine is told which game it is by the option UCI_Variant, and parameters that are not the usual ones by the options
of their names, if it has such (ours does). It is asked with the moves since the start, within the limits of the clock.
Whatever it does that is not a legal move costs it the game, and the talk is kept.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

from zermelo.compile.watch import Limits
from zermelo.core.answer import HEURISTIC, Answer
from zermelo.games import usual_parameters
from zermelo.play.clock import NO_CLOCK, Clock
from zermelo.play.foreign.dialect import DIALECTS, UCCI, Dialect
from zermelo.play.foreign.notation import notation_of
from zermelo.play.foreign.pipe import HANDSHAKE, Hurried, Pipe
from zermelo.play.player import Act, Chosen, Player, Said, Turn
from zermelo.play.scale import value_of
from zermelo.rules import Game, MoveError, Position, Unsuitable, nearest
from zermelo.rules.settings import write_value

USUAL_SECONDS = 1.0
"""How long it thinks if nobody says."""
GRACE = 10.0
"""So many seconds beyond its time an engine may be silent before it is given up."""
PATIENCE = 300.0
"""How long it may be silent where depth or nodes are all that limits it."""
RESIGN = "resign"

_OPTION = re.compile(r"option (?:name )?(?P<name>.+?) type (?P<kind>\w+)(?P<rest>.*)")
_SCORE = re.compile(r"\bscore (?P<kind>cp |mate )?(?P<number>[+-]?\d+)")


@dataclass
class Heard:
    """What an engine has said of itself: its name, and its options with the words that describe their values."""

    name: str = ""
    options: dict[str, str] = field(default_factory=dict)

    def option(self, name: str) -> str | None:
        """The name of an option as the engine spells it: in UCCI blanks are underscores."""
        wanted = name.lower().replace(" ", "_")
        return next((known for known in self.options if known.lower().replace(" ", "_") == wanted), None)


class Universal(Player):
    """An engine of somebody else's in one of the dialects. options: what it is to be set, as NAME=VALUE with semicolons
    between them. seconds, nodes, depth: what it may use for a move, beside what a clock says."""

    dialect: Dialect

    def __init__(
        self,
        game: Game,
        command: str,
        options: str = "",
        seconds: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.game, self.command = game, command
        self.settings = settings_in(options)
        self.limits = Limits(nodes=nodes, seconds=seconds, depth=depth).within(limits or Limits())
        self.notation = notation_of(game, self.dialect.name)
        self.heard = Heard()
        self._pipe: Pipe | None = None
        self._clock = NO_CLOCK
        self._score: float | None = None
        self._open()

    # the engine

    def _open(self) -> Pipe:
        """The engine, started if it is not there, with its options set."""
        if self._pipe is not None and not self._pipe.closed:
            return self._pipe
        pipe = Pipe(self.command)
        self.heard = Heard()
        pipe.send(self.dialect.name)
        pipe.hear(self._introduced, HANDSHAKE, self.dialect.ok)
        try:
            told = [*self._game_options(), *self.settings.items()]
            for name, value in told:
                known = self.heard.option(name)
                if known is None:
                    raise Unsuitable(f"{pipe.name} has no option {name}: {nearest(name, self.heard.options)}")
                pipe.send(self.dialect.option(known, value))
        except Unsuitable:
            pipe.close(["quit"])
            raise
        self._pipe = pipe
        return pipe

    def _introduced(self, line: str) -> bool | None:
        """Take in a line of the greeting; True for its last one."""
        option = _OPTION.fullmatch(line)
        if option is not None:
            self.heard.options[option["name"]] = f"{option['kind']}{option['rest']}"
        elif line.startswith("id name "):
            self.heard.name = line.removeprefix("id name ")
        return True if line == self.dialect.ok else None

    def _game_options(self) -> list[tuple[str, str]]:
        """What tells an engine which game it is to play. One that has no option for that plays one game only, and that
        is taken to be ours; one that has is refused if it does not list ours."""
        told = []
        variant = self.heard.option("UCI_Variant") or self.heard.option("USI_Variant")
        if variant is not None:
            known = re.findall(r"\bvar (\S+)", self.heard.options[variant])
            name = self.notation.variant
            if name not in known:
                raise Unsuitable(f"{self.heard.name or self.command} does not know {name}: {nearest(name, known)}")
            told.append((variant, name))
        usual = usual_parameters(self.game)
        for name, value in self.game.parameters.items():
            if name in usual and value == usual[name]:  # an option of that name may be about something else
                continue
            if self.heard.option(name) is not None:
                told.append((name, write_value(value)))
            elif name in usual:
                raise Unsuitable(
                    f"{self.heard.name or self.command} plays {self.game.name} as usual, with {name}="
                    f"{write_value(usual[name])}: it has no option for {name}={write_value(value)}"
                )
        millis = self.dialect.millis
        return [*told, (millis, "true")] if millis is not None and self.heard.option(millis) is not None else told

    # the game

    def begin(self, position: Position, clock: Clock) -> None:
        pipe, self._clock = self._open(), clock
        pipe.send(self.dialect.new_game)
        pipe.send("isready")
        pipe.hear(lambda line: True if line == "readyok" else None, PATIENCE, "readyok")

    def move(self, turn: Turn) -> Said:
        pipe, limits = self._open(), self.limits.within(turn.limits)
        self._score = None
        pipe.send(self._position(turn.position))
        pipe.send(f"go {self._allowed(turn, limits)}")
        unlimited = limits.seconds is None and limits.any
        seconds = PATIENCE if unlimited else (limits.seconds or USUAL_SECONDS) + GRACE
        try:
            said = pipe.hear(self._chosen, seconds, "move", turn.brake)
        except Hurried:
            pipe.send("stop")
            said = pipe.hear(self._chosen, GRACE, "move")
        return self._meant(turn.position, said)

    def _position(self, position: Position) -> str:
        root = position.line()[0]
        begun = "startpos" if root.state is self.game.start else f"{self.dialect.fen} {self.notation.text(root)}"
        moves = " ".join(map(self.notation.written, position.history()))
        return f"position {begun}" + (f" moves {moves}" if moves else "")

    def _allowed(self, turn: Turn, limits: Limits) -> str:
        """The limits of a move in the protocol's words: the clocks of the game if there are any, else a time for this
        move."""
        words = []
        if turn.left != (None, None):
            sides = (0, 1) if self.dialect is not UCCI or turn.position.turn == 0 else (1, 0)
            for word, more, side in zip(self.dialect.clocks, self.dialect.increments, sides, strict=True):
                words += [word, _millis(turn.left[side] or 0), more, _millis(self._clock.increment)]
        elif self.dialect is UCCI and (limits.seconds is not None or not limits.any):
            time = _millis(limits.seconds or USUAL_SECONDS)  # it knows no time for one move but the last before more
            words += ["time", time, "movestogo", "1", "opptime", time]
        elif self.dialect.name == "usi" and (limits.seconds is not None or not limits.any):
            words += ["btime", "0", "wtime", "0", "byoyomi", _millis(limits.seconds or USUAL_SECONDS)]
        elif limits.seconds is not None or not limits.any:
            words += ["movetime", _millis(limits.seconds or USUAL_SECONDS)]
        for name in ("depth", "nodes"):
            value = getattr(limits, name)
            words += [] if value is None else [name, str(value)]
        return " ".join(words)

    def _chosen(self, line: str) -> str | None:
        """The move that a line announces. On the way, scores are noted."""
        if line.startswith("info ") and (found := _SCORE.search(line)) and "bound" not in line:
            mate = (found["kind"] or "").strip() == "mate"
            self._score = math.copysign(math.inf, int(found["number"])) if mate else float(found["number"])
        words = line.split()
        if words[:1] == ["nobestmove"] or words[:2] in (["bestmove", "(none)"], ["bestmove", "0000"]):
            return RESIGN  # by its rules it is mated
        return words[1] if words[:1] == ["bestmove"] and len(words) > 1 else None

    def _meant(self, position: Position, said: str) -> Said:
        assert self._pipe is not None
        if said == RESIGN:
            return Act.RESIGN
        try:
            code = self.notation.read(position, said)
        except MoveError:
            raise MoveError(f"{said!r} of {self._pipe.name}; {self._pipe.keep()}") from None
        if self._score is None:
            return Chosen(code)
        return Chosen(code, claimed(position, code, value_of(self._score, position), self.heard.name or self.command))

    def close(self) -> None:
        if self._pipe is not None:
            self._pipe.close(["quit"])
            self._pipe = None


class Uci(Universal):
    """An engine that speaks UCI."""

    dialect = DIALECTS["uci"]


class Usi(Universal):
    """An engine that speaks USI."""

    dialect = DIALECTS["usi"]


class Ucci(Universal):
    """An engine that speaks UCCI."""

    dialect = DIALECTS["ucci"]


def settings_in(options: str) -> dict[str, str]:
    """`Skill Level=3; Hash=16` as names and values."""
    told = {}
    for part in filter(None, map(str.strip, options.split(";"))):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not name or not equals:
            raise Unsuitable(f"options are NAME=VALUE with semicolons between them, such as Hash=16, not {part!r}")
        told[name] = value
    return told


def claimed(position: Position, code: int, value: float, name: str) -> Answer:
    """What somebody else says of a move, which proves nothing."""
    move = position.text_of(code)
    return Answer(
        position=position, value=value, status=HEURISTIC, bounds=position.game.values, best=[move], line=[move],
        nodes=0, leaves=0, extra_nodes=0, seconds=0.0, method=name, depth=None, why="asked for",
    )  # fmt: skip


def _millis(seconds: float) -> str:
    return str(max(1, round(1000 * seconds))) if seconds else "0"
