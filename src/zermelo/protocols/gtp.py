"""`zermelo gtp GAME`: any of our games in a program that speaks GTP, version 2.

GTP: Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2" (2002). Commands are answered one after
another; an analysis that goes on until something else is said ends when the next command is read. The commands that
only some programs know, GoGui, HexGui, Sabaki and Lizzie, are in `gtp_guis`.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from zermelo import games
from zermelo.compile.watch import Brake
from zermelo.protocols.gtp_guis import ENDLESS, Finished, commands
from zermelo.protocols.gtp_table import PASS, RESIGN, Refusal, Table, colour_of
from zermelo.protocols.lines import Server, in_short
from zermelo.protocols.options import Choices
from zermelo.rules import Position, UnknownName, ZermeloError
from zermelo.version import __version__

if TYPE_CHECKING:
    from zermelo.protocols.thinking import Thinker

_PASSING = ("go", "othello")
"""Games in which a pass is a move, so that it is the natural thing to do after the end."""
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_COMMAND = re.compile(r"(?P<id>\d+)?\s*(?P<name>[^\s\d]\S*)\s*(?P<rest>.*)")


class Gtp(Server):
    """A talk in GTP."""

    def __init__(self, choices: Choices) -> None:
        super().__init__()
        self.choices = choices
        self.table = Table(choices)
        self.analyses: list[Brake] = []  # of those that go on until something is said, begun or not
        self._thinker: Thinker | None = None
        self._number = ""
        self.commands: dict[str, Callable[[list[str]], str]] = {
            "protocol_version": lambda words: "2",
            "name": lambda words: "Zermelo",
            "version": lambda words: __version__,
            "known_command": lambda words: "true" if words and words[0] in self.commands else "false",
            "list_commands": lambda words: "\n".join(sorted(self.commands)),
            "quit": lambda words: "",
            "boardsize": self._boardsize,
            "clear_board": self._clear,
            "komi": self._komi,
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": lambda words: self._genmove(words, play=False),
            "undo": self._undo,
            "showboard": lambda words: f"\n{self.table.position}",
            "final_score": self._final_score,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "loadsgf": self._loadsgf,
            "cputime": lambda words: f"{time.process_time():.3f}",
            "list_games": lambda words: "\n".join(name.capitalize() for name in games.names()),
            "set_game": self._set_game,
            **commands(self),
        }

    # the talk

    def hear(self, line: str) -> bool:
        line = _UNPRINTABLE.sub("", line).replace("\t", " ").partition("#")[0].strip()
        self.stop()  # whatever comes ends an analysis
        found = _COMMAND.fullmatch(line)
        if found is None:
            if line:
                self.later(lambda: self._answer("", lambda words: _refuse("unknown command"), []))
            return True
        number, name, words = found["id"] or "", found["name"], found["rest"].split()
        if name in ENDLESS:
            self.analyses.append(Brake())
        known = self.commands.get(name, lambda words: _refuse("unknown command"))
        self.later(lambda: self._answer(number, known, words))
        if name == "quit":
            self.wait()
        return name != "quit"

    def _answer(self, number: str, command: Callable[[list[str]], str], words: list[str]) -> None:
        self._number = number
        try:
            said = command(words)
        except Finished:
            self.voice.say("")
            return
        except ZermeloError as wrong:
            self.voice.say(f"?{number} {in_short(wrong)}", "")
            return
        except Exception as wrong:
            self.voice.say(f"?{number} {in_short(wrong)}", "")
            raise
        first, *rest = said.split("\n")
        self.voice.say(f"={number} {first}".rstrip(), *(line.rstrip() or " " for line in rest), "")

    def begin_answer(self) -> None:
        """Say the first line of an answer that goes on."""
        self.voice.say(f"={self._number}")

    def complain(self, wrong: Exception) -> None:
        return  # it has been answered already

    def stop(self) -> None:
        for brake in [*self.analyses]:
            brake.pull()

    def expect_no_more(self) -> None:
        self.stop()

    def close(self) -> None:
        self.forget_engine()

    # searching

    @property
    def engine(self) -> Thinker:
        if self._thinker is None:
            from zermelo.protocols.thinking import Thinker

            self._thinker = Thinker(self.choices.game(), self.choices.request())
        return self._thinker

    def forget_engine(self) -> None:
        if self._thinker is not None:
            self._thinker.close()
            self._thinker = None

    def choose(self, position: Position) -> int:
        """The move to play at a position, by the clock."""
        engine = self.engine
        lines = engine.think(position, self.table.limits(position), Brake(), lambda lines: None)
        return position.code_of(lines[0].moves[0])

    # commands

    def _boardsize(self, words: list[str]) -> str:
        if not all(word.isascii() and word.isdigit() and len(word) < 4 for word in words):
            raise Refusal("boardsize not an integer")
        if self.table.resize([int(word) for word in words]):
            self.forget_engine()
        return ""

    def _clear(self, words: list[str]) -> str:
        self.table.clear()
        if self._thinker is not None:
            self._thinker.forget()
        return ""

    def _komi(self, words: list[str]) -> str:
        if self.table.set_komi(_number(words, 0, "komi")):
            self.forget_engine()
        return ""

    def _play(self, words: list[str]) -> str:
        if len(words) < 2:
            raise Refusal("syntax error: play takes a colour and a move")
        self.table.play(colour_of(words[0]), " ".join(words[1:]))
        return ""

    def _genmove(self, words: list[str], play: bool = True) -> str:
        table = self.table
        colour = colour_of(words[0]) if words else table.position.turn
        if table.over:
            return PASS if table.game.name in _PASSING else RESIGN
        position = table.reached(colour)
        code = table.intended if table.taps and table.intended is not None else self.choose(position)
        word = table.word(position, code)
        if play:
            table.play(colour, word)
            table.intended = code if table.taps else None
        return word

    def _undo(self, words: list[str]) -> str:
        self.table.undo()
        return ""

    def _final_score(self, words: list[str]) -> str:
        score = self.table.position.result
        if score is None:
            raise Refusal("cannot score: the game is not over")
        return "0" if score == 0 else f"{'B' if score > 0 else 'W'}+{abs(score):g}"

    def _time_settings(self, words: list[str]) -> str:
        main, extra, stones = (_number(words, place, "time_settings") for place in range(3))
        self.table.set_time(main, extra, int(stones))
        return ""

    def _time_left(self, words: list[str]) -> str:
        colour = colour_of(words[0] if words else "")
        self.table.left[colour] = (_number(words, 1, "time_left"), int(_number(words, 2, "time_left")))
        return ""

    def _loadsgf(self, words: list[str]) -> str:
        """A game from a file, up to before a move if one is named."""
        from zermelo.play.formats import format_of
        from zermelo.rules.files import read_text

        sgf = format_of("game.sgf")
        if sgf is None:
            raise Refusal("cannot load file: no SGF is read here")
        if not words:
            raise Refusal("syntax error: loadsgf takes a file")
        try:
            record = sgf.read(read_text(words[0]), self.table.game)[0]
        except (ZermeloError, IndexError) as wrong:
            raise Refusal(f"cannot load file: {in_short(wrong)}") from None
        line = record.replay()
        upto = int(_number(words, 1, "loadsgf")) if len(words) > 1 else len(line)
        self.table.clear()
        self.table.line = line[: max(upto, 1)]
        return ("black", "white")[self.table.position.turn] if self.table.position.turn < 2 else ""

    def _set_game(self, words: list[str]) -> str:
        wanted = " ".join(words).lower().replace(" ", "-")
        try:
            self.choices.choose(wanted)
        except UnknownName as unknown:
            raise Refusal(in_short(unknown)) from None
        self.forget_engine()
        self.table = Table(self.choices)
        return ""


def _refuse(why: str) -> str:
    raise Refusal(why)


def _number(words: list[str], place: int, command: str) -> float:
    try:
        number = float(words[place])
    except (IndexError, ValueError):
        raise Refusal(f"syntax error: {command} takes numbers") from None
    if not math.isfinite(number) or abs(number) > 1e9:
        raise Refusal(f"{command}: {words[place]} is out of range")
    return number
