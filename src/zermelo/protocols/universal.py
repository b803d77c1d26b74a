"""`zermelo uci|usi|ucci [GAME]`: any of our games in a program that speaks UCI or one of its relatives.

The greeting is answered before anything is loaded that takes time; the game is made ready, and compiled, at `isready`.
Positions are the game's own texts, or what others write for them; moves are single words. A value is told in hundredths
of a pawn, as a mate where the end is proven and its distance known, as a bound where only that is known. What makes no
sense is passed over, as UCI wants it, with a line `info string` that says why.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from zermelo.compile.watch import Limits
from zermelo.play.foreign.dialect import Dialect
from zermelo.play.foreign.notation import Notation, notation_of
from zermelo.play.scale import centipawns
from zermelo.protocols.lines import Server, in_short
from zermelo.protocols.options import CLEAR, Choices, plain_name
from zermelo.protocols.orders import Order, limits_of, read_order
from zermelo.rules import CHANCE, MoveError, Position, PositionError, ZermeloError
from zermelo.version import __version__

if TYPE_CHECKING:
    from zermelo.protocols.thinking import Line, Thinker

HURRY = Limits(seconds=1.0)
"""How long is searched where `go` sets no limit at all."""
SHALLOW, FEW = 8, 200
"""The plies, and if no time is left the nodes, of a search for some move where there is no mate."""


class Universal(Server):
    """A talk in one of the dialects."""

    def __init__(self, dialect: Dialect, choices: Choices) -> None:
        super().__init__()
        self.dialect, self.choices = dialect, choices
        self._thinker: Thinker | None = None
        self._position: Position | None = None
        self._banned: list[str] = []
        self._orders: list[Order] = []  # those that are not answered yet
        self._commands: dict[str, Callable[[list[str]], None]] = {
            dialect.name: self._greet,
            "isready": self._ready,
            "setoption": lambda words: self.later(lambda: self._set(words)),
            "position": lambda words: self.later(lambda: self._place(words)),
            "banmoves": lambda words: self.later(lambda: self._ban(words)),
            "go": self._go,
            "stop": lambda words: self.stop(),
            "ponderhit": lambda words: self._hit(),
            "ucinewgame": lambda words: self.later(self._forget),
            "usinewgame": lambda words: self.later(self._forget),
        }

    # commands, in the thread that reads

    def hear(self, line: str) -> bool:
        words = line.split()
        if words[:1] == ["quit"]:
            if self.dialect.farewell is not None:
                self.stop()
                self.wait(1.0)
                self.voice.say(self.dialect.farewell)
            return False
        for place, word in enumerate(words):  # what comes before a command is passed over, as UCI has it
            if word in self._commands:
                self._commands[word](words[place + 1 :])
                break
        return True

    def complain(self, wrong: Exception) -> None:
        self.voice.say(f"info string {in_short(wrong)}")

    def _greet(self, words: list[str]) -> None:
        self.voice.say(
            f"id name Zermelo {__version__}", "id author the Zermelo developers",
            *self.choices.described(self.dialect), self.dialect.ok,
        )  # fmt: skip

    def _ready(self, words: list[str]) -> None:
        if self._orders:  # it is searching, so it is ready
            self.voice.say("readyok")
        else:
            self.later(self._make_ready)

    def _go(self, words: list[str]) -> None:
        order = read_order(words, self.dialect)
        self._orders.append(order)
        self.later(lambda: self._carry_out(order))

    def _hit(self) -> None:
        for order in [*self._orders]:
            order.ponder_hit()

    def stop(self) -> None:
        for order in [*self._orders]:
            order.stop()

    def expect_no_more(self) -> None:
        for order in [*self._orders]:
            if order.waits:
                order.stop()

    def close(self) -> None:
        if self._thinker is not None:
            self._thinker.close()

    # commands that may take time, in the thread that works

    def _make_ready(self) -> None:
        try:
            engine = self._engine()
            engine.prepare()
            self._rehearse(engine)
        finally:
            self.voice.say("readyok")

    def _engine(self) -> Thinker:
        if self._thinker is None:
            from zermelo.protocols.thinking import Thinker

            self._thinker = Thinker(self.choices.game(), self.choices.request(), tells_mates=True)
        return self._thinker

    def _rehearse(self, engine: Thinker) -> None:
        """Load what a search and its answer take, before a clock runs."""
        position, notation = self.choices.game().position(), self._notation()
        if position.result is None and position.codes and position.turn != CHANCE:
            notation.written(position.text_of(position.codes[0]))
            self._limits(Order(numbers=dict.fromkeys(self.dialect.clocks, 1000)), position)

    def _notation(self) -> Notation:
        return notation_of(self.choices.game(), self.dialect.name)

    def _set(self, words: list[str]) -> None:
        name, value = _named(words) if self.dialect.named or words[:1] == ["name"] else (words[:1], words[1:])
        if not name:
            return
        if name == ["newgame"]:
            self._forget()
        elif plain_name(" ".join(name)) == CLEAR:
            if self._thinker is not None:
                self._thinker.forget()
        elif self.choices.set(" ".join(name), " ".join(value)):
            if self._thinker is not None:
                self._thinker.close()
            self._thinker, self._position = None, None
            self._check_engine()

    def _check_engine(self) -> None:
        """An engine that was chosen for another game is given up if it cannot serve this one, which is said."""
        if self.choices.method is None:
            return
        try:
            self.choices.request()
        except ZermeloError:
            self.choices.method = None
            raise

    def _forget(self) -> None:
        self._position, self._banned = None, []
        if self._thinker is not None:
            self._thinker.forget()

    def _place(self, words: list[str]) -> None:
        """Go to a position; one that cannot be leaves the last one."""
        game, notation = self.choices.game(), self._notation()
        split = words.index("moves") if "moves" in words else len(words)
        kind, text, moves = words[:1], " ".join(words[1:split]), words[split + 1 :]
        if kind == ["startpos"]:
            position = game.position()
            if text:
                self.voice.say(f"info string {text!r} is passed over: moves come after startpos and the word moves")
        elif kind and kind[0] in ("fen", "sfen") and text:
            position = notation.position(game, text)
        else:
            raise PositionError("position takes startpos, or fen and a position, then moves and the moves since")
        for number, word in enumerate(moves, 1):
            if position.result is not None:
                raise MoveError(f"move {number}, {word}, comes after the end of the game")
            position = position.play(notation.read(position, word))
        self._position, self._banned = position, []

    def _ban(self, words: list[str]) -> None:
        self._banned = words

    def _carry_out(self, order: Order) -> None:
        try:
            if order.mate is not None and self.dialect.name == "usi":
                self._mate(order)
            else:
                self._search(order)
        except Exception:
            self.voice.say("checkmate timeout" if order.mate and self.dialect.name == "usi" else self.dialect.none)
            raise
        finally:
            self._orders.remove(order)

    # searching

    def _search(self, order: Order) -> None:
        position = self._position or self.choices.game().position()
        notation = self._notation()
        if position.result is not None or not position.codes or position.turn == CHANCE:
            if position.turn == CHANCE and position.result is None:
                self.voice.say("info string the dice are to be thrown: say what they show with position")
            self._wait(order)
            self.voice.say(self._nothing(position))
            return
        engine = self._engine()
        limits = self._limits(order, position)
        only = self._allowed(order, position, notation)
        told = _Told(self, position, notation, order)
        lines: list[Line] = []
        if not only:
            self._wait(order)
            self.voice.say(self.dialect.none)
            return
        within = replace(limits, seconds=None) if order.waits else limits
        if order.mate is not None and engine.mates is not None and engine.mates.possible:
            lines, within = self._sure(order, position, within, told, only)
        elif not within.any:
            within = Limits(seconds=math.inf) if order.waits or order.mate is not None else HURRY
        if not lines:
            lines = engine.think(position, within, order.brake, told, self.choices.lines, only)
        self._wait(order)
        words = [notation.written(move) for move in lines[0].moves[:2]]
        answer = f"bestmove {words[0]}" + (f" ponder {words[1]}" if len(words) > 1 else "")
        self.voice.say(answer)

    def _sure(
        self, order: Order, position: Position, within: Limits, told: _Told, only: list[int]
    ) -> tuple[list[Line], Limits]:
        """The mate that is asked for, found by looking at every move. If there is none that is said, and a short search
        is allowed for a move to answer with."""
        from zermelo.protocols.thinking import left_of

        engine = self._engine()
        found = engine.mate(position, replace(within, depth=order.plies), order.brake, told, only)
        if found.moves:
            return [found], within
        far = "1 ply" if found.depth == 1 else f"{found.depth} plies"
        self.voice.say(f"info string there is no mate within {far}")
        left = left_of(within, found.seconds, found.nodes) or Limits(nodes=FEW)
        deepens = engine.request.method.deepens
        return [], left.within(Limits(depth=min(order.plies or SHALLOW, SHALLOW)) if deepens else HURRY)

    def _limits(self, order: Order, position: Position) -> Limits:
        from zermelo.play.sitting import moves_to_go

        by_seconds = self.dialect.millis is not None and not self.choices.milliseconds
        left = moves_to_go(position, len(position.history()))
        limits = limits_of(order, self.dialect, position.turn, left, 1000 if by_seconds else 1)
        for word in order.wrong:
            self.voice.say(f"info string go {word} takes a whole number, and is passed over")
        if limits.depth is not None and not self._engine().request.method.deepens:
            if order.mate is None:
                self.voice.say(f"info string {self._engine().request.method.name} knows no depth")
            limits = replace(limits, depth=None)
        if "ponder" in order.switches:
            order.seconds = limits.seconds
            if order.hit and limits.seconds is not None:  # the move was made before this was begun
                order.ponder_hit()
        return limits

    def _allowed(self, order: Order, position: Position, notation: Notation) -> list[int]:
        """The moves that may be played: those that were asked for, if any is legal, and not those that are banned."""

        def codes(words: Sequence[str]) -> list[int]:
            found = []
            for word in words:
                try:
                    found.append(notation.read(position, word))
                except MoveError as wrong:
                    self.complain(wrong)
            return list(dict.fromkeys(found))

        banned = set(codes(self._banned))
        return [code for code in codes(order.moves) or position.codes if code not in banned]

    def _wait(self, order: Order) -> None:
        """An endless search, or one that ponders, is answered when somebody asks for that."""
        if order.waits:
            order.released.wait()

    def _nothing(self, position: Position) -> str:
        """What is said instead of a move. In USI the player to move has lost, or won as the rules count."""
        score = position.result
        if self.dialect.name == "usi" and score is not None and score == position.game.values[position.turn == 0]:
            return "bestmove win"
        return self.dialect.none

    def _mate(self, order: Order) -> None:
        """USI's search for a mate, by forcing moves alone where the game knows such."""
        position = self._position or self.choices.game().position()
        if not position.game.subgames:
            self.voice.say("checkmate notimplemented")
            return
        if position.result is not None:
            self.voice.say("checkmate nomate")
            return
        from zermelo.knowledge.mate import mate

        assert order.mate is not None
        timed = order.mate.isascii() and order.mate.isdigit()
        limits = Limits(seconds=max(int(order.mate), 1) / 1000) if timed else Limits()
        name = next(iter(position.game.subgames))
        found = mate(position, name, limits=limits, brake=order.brake, mode=self._engine().request.mode)
        if found.won:
            notation = self._notation()
            line = found.line or found.best[:1]
            self.voice.say(f"checkmate {' '.join(map(notation.written, line))}")
        else:
            self.voice.say("checkmate timeout" if found.stopped else "checkmate nomate")


class _Told:
    """Tells what is known, as `info`, and nothing twice."""

    def __init__(self, server: Universal, position: Position, notation: Notation, order: Order) -> None:
        self.server, self.position, self.notation, self.order = server, position, notation, order
        self.last: object = None

    def __call__(self, lines: Sequence[Line]) -> None:
        now = [(line.moves, line.value, line.depth, line.status) for line in lines]
        if now != self.last:
            self.last = now
            self.server.voice.say(*(self._info(number, line) for number, line in enumerate(lines, 1)))

    def _info(self, number: int, line: Line) -> str:
        words = [f"info depth {line.depth}"]
        if self.server.choices.lines > 1:
            words.append(f"multipv {number}")
        score = score_text(line, self.position, self.server.dialect)
        words += [score] if score else []
        seconds = time.perf_counter() - self.order.heard  # what came before the search is time to who waits
        rate = f" nps {round(line.nodes / line.seconds)}" if line.seconds > 0.001 else ""
        words.append(f"nodes {line.nodes}{rate} time {round(1000 * seconds)}")
        words += ["pv", *map(self.notation.written, line.moves)] if line.moves else []
        return " ".join(words)


def score_text(line: Line, position: Position, dialect: Dialect) -> str:
    """What a line is worth to the player to move, empty if nothing is known."""
    game = position.game
    if line.value is None:
        return ""
    lost, won = game.values if position.turn == 0 else game.values[::-1]
    if line.status == "proven" and line.value in (lost, won) and line.plies is not None:
        ahead = line.value == won
        length = line.plies if dialect.mate_plies else (line.plies + 1) // 2
        return f"score mate {'' if ahead else '-'}{length}"
    bound = ""
    if line.status == "bound":
        bound = " lowerbound" if line.value == (line.low if position.turn == 0 else line.high) else " upperbound"
    return f"score {dialect.cp}{centipawns(line.value, position)}{bound}"


def _named(words: list[str]) -> tuple[list[str], list[str]]:
    """The name and the value that `setoption name … value …` tells."""
    if words[:1] != ["name"]:
        return [], []
    split = words.index("value") if "value" in words else len(words)
    return words[1:split], words[split + 1 :]
