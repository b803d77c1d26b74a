"""The two modes side by side: what every hook of a game says of a position, interpreted and compiled.

Python's whole numbers have no end and the machine's have 64 bits or fewer, a `u64` that meets a plain number becomes a
float, and a field holds what fits into it: a rule may well mean one thing as Python and another as machine code. Each
hook is asked where searches ask it (see `zermelo.rules.hooks`), by itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from zermelo.checking.promises import Complaint, bounds_of, loud_of, passes_at
from zermelo.compile.diagnosis import explain, fits
from zermelo.compile.modes import Compiled, Kernel
from zermelo.compile.native import native
from zermelo.compile.workspace import GUARD
from zermelo.rules import CHANCE, ONGOING, Game, MoveBuffer, Position, RuleError, f64, i64
from zermelo.rules.hooks import HOOKS, Hook, Kind, Where, compiled_of
from zermelo.rules.language import Rule
from zermelo.rules.position import named

LIST, VALUE, LOOP, DRAWN = ("s", "out"), ("s",), ("path", "earliest", "latest", "end"), ("s", "number")
AMONG = ("s", "out", "n")
"""How hooks are called; all others look at a position and one of its moves."""
NUMBERS = [0, 2**32 - 1, 2**31, 0x9E3779B9, 0x3C6EF372]
"""What is drawn for those that look at a position and a number below 2³²."""

EXACT = 2**53
"""Up to here, floats tell all whole numbers apart."""


class Look(NamedTuple):
    """A position, and what the interpreted rules say of it: its score, if the game is over, and its moves."""

    position: Position
    result: Any
    codes: list[int]

    def asked(self, hook: Hook) -> list[int]:
        """What a hook is asked about, beside the position."""
        if hook.where is Where.LOUD:
            return loud_of(self.position.game, self.position.state)
        return NUMBERS if hook.arguments == DRAWN else self.codes

    @property
    def cycle(self) -> tuple[int, int]:
        """Where the position stood that has come back; asked only where one has."""
        assert self.position.cycle is not None
        return self.position.cycle

    def suits(self, hook: Hook) -> bool:
        """Whether a hook may be asked here."""
        position, goes_on = self.position, self.result == ONGOING
        if hook.arguments == LIST and not position.game.compilable:
            return False
        if hook.where is Where.OPEN:
            least, most = bounds_of(position.game, position.state) if goes_on else (0, 0)
            return bool(least < most)
        if hook.where is Where.LOOP:
            return position.cycle is not None
        if hook.where in (Where.CHANCE, Where.PLAYER, Where.LOUD):
            return goes_on and (position.turn == CHANCE) == (hook.where is Where.CHANCE)
        if hook.where in (Where.UNSCORED, Where.STUCK):
            goes_on = position.game.result(position.state) == ONGOING
            return goes_on and (hook.where is Where.UNSCORED or not self.codes)
        return goes_on or hook.where is Where.EVERYWHERE


class SideBySide:
    """A game's own hooks, asked one position at a time; `compiled` says whether in both modes. `play`, and what
    is asked about tables, have questions of their own."""

    def __init__(self, game: Game, compiled: bool) -> None:
        self.game = game
        own = [hook for hook in compiled_of(game) if hook.own(game) is not None]
        looking = [hook for hook in own if hook.kind is not Kind.NOTHING and hook.name not in ("unindex", "skip")]
        self.hooks = [hook for hook in looking if hook.where not in (Where.TABLE, Where.REPLY)]
        self.of_replies = [hook for hook in looking if hook.where is Where.REPLY]
        self.native = _Native(game, looking) if compiled else None

    def complaints(self, look: Look) -> Iterator[Complaint]:
        """Where the modes differ. Interpreted rules are asked in any case: they may raise."""
        yield from self._differing(look, [hook for hook in self.hooks if look.suits(hook)])

    def reply_complaints(self, look: Look, subgame: str) -> Iterator[Complaint]:
        """The same for a position that a forcing move of a sub-game has led to."""
        hooks = [hook for hook in self.of_replies if hook.subgame == subgame]
        if not look.codes:  # nobody asks how many of no replies count
            hooks = [hook for hook in hooks if hook.arguments != AMONG]
        yield from self._differing(look, hooks)

    def _differing(self, look: Look, hooks: list[Hook]) -> Iterator[Complaint]:
        text = repr(look.position.text())
        for hook in hooks:
            ours = _interpreted(hook, look)
            if self.native is None:
                continue
            theirs = self.native.ask(hook, look)
            if hook.name == "moves" and len(theirs) > self.game.max_moves:
                yield "more moves than declared", f"{len(theirs)} in {text}; raise max_moves"
            if not (alike(ours, theirs) if hook.kind in (Kind.NUMBER, Kind.RANGE) else ours == theirs):
                yield f"{hook.name} differs between the modes", f"{ours} interpreted, {theirs} compiled, in {text}"

    def play_complaints(self, position: Position, move: int, after: Position, how: str) -> Iterator[Complaint]:
        """Whether the compiled rules go from one position to another, too, and leave the first as it is."""
        if self.native is not None:
            theirs, original = self.native.after(position.state, move)
            same = alike(_fields(after.state), _fields(theirs))
            if not same or original != position.state:
                example = f"{how} gives {after.state} interpreted and {theirs} compiled"
                yield "play differs between the modes", example

    def skip_complaints(self, position: Position) -> Iterator[Complaint]:
        """Whether the compiled `skip` says and does the same."""
        if self.native is not None and passes_at(position):
            after = position.state.copy()
            ours: tuple[Any, ...] = (bool(self.game.skip(after)), after)  # type: ignore[misc]
            theirs = self.native.skipped(position.state)
            if ours[0] != theirs[0] or (ours[0] and not alike(_fields(after), _fields(theirs[1]))):
                example = f"{ours} interpreted, {theirs} compiled, in {position.text()!r}"
                yield "skip differs between the modes", example

    def unindex_complaints(self, state: Any, tier: int, number: int, filled: Any) -> Iterator[Complaint]:
        """Whether the compiled `unindex` makes the same of a state and a number: another state, or None."""
        if self.native is not None:
            theirs = self.native.filled(state, tier, number)
            if theirs != filled:
                example = f"{filled} interpreted, {theirs} compiled, for number {number} of tier {tier}"
                yield "unindex differs between the modes", example

    def index_complaints(self, position: Position, place: tuple[int, int, int]) -> Iterator[Complaint]:
        """Whether the compiled `index` gives a position the same number; positions of games are asked with the rest."""
        theirs = place if self.native is None else self.native.ask(HOOKS["index"], Look(position, ONGOING, []))
        if theirs != place:
            yield "index differs between the modes", f"{place} interpreted, {theirs} compiled, in {named(position)}"

    def unmoves_complaints(self, position: Position, codes: list[int]) -> Iterator[Complaint]:
        """Whether the compiled `unmoves` lists the same."""
        theirs = codes if self.native is None else self.native.ask(HOOKS["unmoves"], Look(position, ONGOING, []))
        if theirs != codes:
            yield "unmoves differs between the modes", f"{codes} interpreted, {theirs} compiled, in {named(position)}"

    def unplay_complaints(self, position: Position, code: int, before: Any) -> Iterator[Complaint]:
        """Whether the compiled `unplay` goes back to the same earlier position."""
        if self.native is not None:
            theirs = self.native.before(position.state, code)
            if theirs != before:
                how = f"in {named(position)} for code {code}"
                yield "unplay differs between the modes", f"{before} interpreted, {theirs} compiled, {how}"


def _interpreted(hook: Hook, look: Look) -> Any:
    game, state = look.position.game, look.position.state
    rule: Any = hook.own(game)
    if hook.arguments == LIST:
        out = MoveBuffer(game.max_moves, game.name)
        return out[: rule(state, out)]
    if hook.arguments == AMONG:
        out = MoveBuffer(game.max_moves, game.name)
        return _plain(hook, game, rule(state, out, _lister(hook, game)(state, out)))
    if hook.arguments == VALUE:
        return _plain(hook, game, rule(state))
    if hook.arguments == LOOP:
        path = look.position.path()
        return _plain(hook, game, rule(path, *look.cycle, len(path) - 1))
    return [_rounded(_plain(hook, game, rule(state, number))) for number in look.asked(hook)]


def _lister(hook: Hook, game: Game) -> Rule:
    """The rule that lists the moves among which a hook of a sub-game chooses."""
    subgame = game.subgames[hook.subgame]
    return (subgame.defend or game.moves) if hook.where is Where.REPLY else subgame.attack


def _plain(hook: Hook, game: Game, value: Any) -> Any:
    """What a hook returns, as plain numbers that can be compared and shown."""
    try:
        if hook.kind in (Kind.RANGE, Kind.WORD_AND_NUMBER):
            first, second = value
            return (int(first) if hook.kind is Kind.WORD_AND_NUMBER else _short(first)), _short(second)
        if hook.kind is Kind.NUMBER:
            return _short(value)
        if hook.kind is Kind.PLACE:
            tier, number, sign = value
            return int(tier), int(number), int(sign)
        return bool(value) if hook.kind is Kind.TRUTH else int(value) if int(value) == value else value
    except (TypeError, ValueError, OverflowError):
        raise RuleError(f"{game.name}: rule {hook.name} returns {value!r}, but must return {hook.must}") from None


def _short(value: Any) -> Any:
    """A number, written without a point if it is whole for certain."""
    if isinstance(value, int | np.integer):
        return int(value)
    number = float(value)
    return int(number) if number.is_integer() and abs(number) <= EXACT else number


def _rounded(value: Any) -> Any:
    """A number as the workspace keeps it, which has room for floats."""
    return _short(float(value))


class _Native:
    """The compiled rules, each as a kernel of its own."""

    def __init__(self, game: Game, hooks: list[Hook]) -> None:
        mode = Compiled()
        most = len(NUMBERS) + max(game.max_moves, game.max_outcomes or 0)
        mode.needs(asked=(i64, most), worths=(f64, most))  # what `weigh` reads and writes; all share one workspace
        self.game, self.workspace = game, mode.workspace(game)
        known: dict[Any, Any] = {}
        self.kernels = {hook.name: self._kernel(mode, hook, native(hook.own(game), known)) for hook in hooks}  # type: ignore[arg-type]
        self.step = mode.entry(_stepping(mode, native(game.play, known)), game, (int,))
        if game.unindex is not None:
            self.fill = mode.entry(_filling(mode, native(game.unindex, known)), game, (int, int))
        if game.skip is not None:
            self.skip = mode.entry(_skipping(mode, native(game.skip, known)), game, ())
        if game.unplay is not None:
            self.back = mode.entry(_stepping(mode, native(game.unplay, known)), game, (int,))

    def _kernel(self, mode: Compiled, hook: Hook, rule: Kernel) -> Kernel:
        if hook.arguments == LIST:
            return mode.entry(_listing(mode, rule), self.game, ())
        numbers: tuple[Any, ...] = ()
        if hook.arguments == AMONG:
            asked = _choosing(mode, native(_lister(hook, self.game)), rule)
        elif hook.arguments == VALUE:
            asked = _asking(mode, rule)
        elif hook.arguments == LOOP:
            asked, numbers = _judging(mode, rule), (int, int, int)
        else:
            return mode.entry(_weighing(mode, rule), self.game, (int,))
        kernel: Any = mode.entry(asked, self.game, numbers)
        if not fits(kernel.nopython_signatures[-1].return_type, hook.kind):
            raise explain(self.game, TypeError(f"{hook.name} must return {hook.must}"))
        return kernel  # type: ignore[no-any-return]

    def ask(self, hook: Hook, look: Look) -> Any:
        """What a compiled hook says of a position, as `_interpreted` would say it."""
        workspace, kernel, codes = self.workspace, self.kernels[hook.name], look.asked(hook)
        record, position = workspace.record, look.position
        if hook.arguments == LOOP:
            self._place(position.path())
            return _plain(hook, self.game, kernel(record, *look.cycle, len(position.path()) - 1))
        self._place([position.state])
        if hook.arguments in (VALUE, AMONG):
            return _plain(hook, self.game, kernel(record))
        if hook.arguments == LIST:
            count = max(0, min(kernel(record), GUARD))
            return np.concatenate([record["moves"].ravel(), record["guard"]])[:count].tolist()
        record["asked"][: len(codes)] = codes
        kernel(record, len(codes))
        return [_rounded(worth) for worth in record["worths"][: len(codes)]]

    def after(self, state: Any, move: int) -> tuple[Any, Any]:
        """The position after a move, and what became of the one before."""
        self._place([state])
        self.step(self.workspace.record, move)
        stack, State = self.workspace.record["stack"], type(state)
        return State.frombytes(stack[1].tobytes()), State.frombytes(stack[0].tobytes())

    def filled(self, state: Any, tier: int, number: int) -> Any:
        """What `unindex` makes of a state, None if it says that the number is unused."""
        self._place([state])
        used = self.fill(self.workspace.record, tier, number)
        return type(state).frombytes(self.workspace.record["stack"][1].tobytes()) if used else None

    def skipped(self, state: Any) -> tuple[bool, Any]:
        """What `skip` says, and what it makes of a state."""
        self._place([state])
        tells = bool(self.skip(self.workspace.record))
        return tells, type(state).frombytes(self.workspace.record["stack"][1].tobytes())

    def before(self, state: Any, code: int) -> Any:
        """What `unplay` makes of a state."""
        self._place([state])
        self.back(self.workspace.record, code)
        return type(state).frombytes(self.workspace.record["stack"][1].tobytes())

    def _place(self, path: list[Any]) -> None:
        stack = self.workspace.record["stack"]
        for ply, state in enumerate(path):
            stack[ply] = np.frombuffer(state.tobytes(), dtype=stack.dtype)[0]


def _asking(mode: Compiled, rule: Kernel) -> Any:
    @mode.kernel
    def ask(ws):
        return rule(ws.stack[0])

    return ask


def _judging(mode: Compiled, rule: Kernel) -> Any:
    @mode.kernel
    def judge(ws, earliest, latest, end):
        return rule(ws.stack, earliest, latest, end)

    return judge


def _listing(mode: Compiled, rule: Kernel) -> Any:
    @mode.kernel
    def write_moves(ws):
        return rule(ws.stack[0], ws.moves[0])

    return write_moves


def _choosing(mode: Compiled, lister: Kernel, rule: Kernel) -> Any:
    @mode.kernel
    def choose(ws):
        return rule(ws.stack[0], ws.moves[0], lister(ws.stack[0], ws.moves[0]))

    return choose


def _weighing(mode: Compiled, rule: Kernel) -> Any:
    @mode.kernel
    def weigh(ws, count):
        for i in range(count):
            ws.worths[i] = rule(ws.stack[0], ws.asked[i])

    return weigh


def _stepping(mode: Compiled, play: Kernel) -> Any:
    @mode.kernel
    def step(ws, move):
        ws.stack[1] = ws.stack[0]
        play(ws.stack[1], move)

    return step


def _skipping(mode: Compiled, skip: Kernel) -> Any:
    @mode.kernel
    def pass_on(ws):
        ws.stack[1] = ws.stack[0]
        return skip(ws.stack[1])

    return pass_on


def _filling(mode: Compiled, unindex: Kernel) -> Any:
    @mode.kernel
    def fill(ws, tier, number):
        ws.stack[1] = ws.stack[0]
        return unindex(ws.stack[1], tier, number)

    return fill


def _fields(state: Any) -> list[Any]:
    return list(state.values().values())


def alike(ours: Any, theirs: Any) -> bool:
    """Equal, but for the last bits of a fraction, where the two modes may round differently."""
    if isinstance(ours, (list, tuple)):
        return len(ours) == len(theirs) and all(map(alike, ours, theirs))
    return bool(ours == theirs or (math.isclose(ours, theirs, rel_tol=1e-9) and not float(ours).is_integer()))
