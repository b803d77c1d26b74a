"""How large is a game? How many positions and games it has, how wide and how long it is, and what it would take to
solve it, to prove its value, and to have all positions at once or in a table.

    size(games.connect_four())

What can be counted within the time given is counted, all else is estimated and says how far it may be off: positions by
walks that meet (`positions.estimating`), games by walks along paths (`positions.game_counts`), moves and plies by
random play, a search by solving positions near the end (`size_trials`), all positions at once by finding some of them
(`positions.forecast`). Compiling is not part of the time.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from zermelo.compile.diagnosis import blaming
from zermelo.compile.modes import Mode, mode_for, mode_name
from zermelo.compile.watch import Limits, Listener, Watch
from zermelo.core.method import check_keyed
from zermelo.knowledge.building import check_game
from zermelo.knowledge.coding import coding_for
from zermelo.knowledge.enumerating import wanted_from
from zermelo.knowledge.size_play import RandomPlay, play_at_random
from zermelo.knowledge.size_trials import Climb, climb, proof_costs
from zermelo.methods.requests import request
from zermelo.positions.all_positions import AllPositions, Wanted, budget_of, make_ready
from zermelo.positions.estimating import Estimate, estimate_positions
from zermelo.positions.expectation import wanted_by
from zermelo.positions.fixpoint import WANTED as WORKED_BACK
from zermelo.positions.forecast import UNSURE, Forecast, Trial, forecast_from, try_out
from zermelo.positions.game_counts import GameCount, count_games, estimate_games
from zermelo.positions.layers import spreader_for
from zermelo.positions.whole import FEW
from zermelo.rules import Game, Position, Unsuitable, ZermeloError
from zermelo.rules.tiers import tiers_of

SECONDS = 5.0
PLAYING, ROUGHLY, POSITIONS, GAMES, SOLVING = 0.05, 0.1, 0.45, 0.1, 0.3
"""The shares of the time for random play, for a first idea of the number of positions, for that number, for the number
of games, and for solving."""
SHORT = 0.5
"""The seconds for which an interpreter tries to count all positions, before anything is compiled."""
ENTRY = 16
"""The bytes of a position in the table of a search."""
OFTEN = 10
"""How many times a search looks at each position at the most, if it remembers them all."""
TOO_LARGE = "all positions are more than memory holds"
TOO_LARGE_TO_FIND = "its positions are found in memory first, and are more than it holds"
TOO_LARGE_TIER = "its largest tier is more than memory holds"
YEAR = 365.25 * 86400
"""The seconds beyond which nobody can tell how long something takes."""
COUNTED = Wanted(forward=True)

T = TypeVar("T")


@dataclass(frozen=True)
class Outlook:
    """What a task would take: seconds, likely ones and a range, and bytes. None is not known, and `note` says why, or
    what else is to be said."""

    task: str
    method: str = ""
    seconds: float | None = None
    low: float | None = None
    high: float | None = None
    bytes: float | None = None
    note: str = ""

    def as_dict(self) -> dict[str, Any]:
        seconds, high = (None if told is None or told > YEAR else told for told in (self.seconds, self.high))
        low = None if self.low is None else min(self.low, YEAR)
        return {"method": self.method, "seconds": seconds, "low": low, "high": high, "bytes": self.bytes,
                "note": self.note}  # fmt: skip


@dataclass
class Size:
    """All that was found out about a game, from a position on. What is None was not found out, because play can go
    round, or because it was `stopped` before."""

    position: Position
    positions: Estimate = field(default_factory=lambda: Estimate(None, 1, math.inf, why="they were not counted"))
    games: GameCount | None = None
    play: RandomPlay | None = None
    outlooks: list[Outlook] = field(default_factory=list)
    mode: str = "interpreted"
    stopped: str | None = None

    @property
    def goes_round(self) -> bool:
        return self.position.game.cyclic or self.position.game.endless

    def as_dict(self) -> dict[str, Any]:
        """As the command line prints it with --json. What is not finite is null, and so are seconds beyond a year."""
        game, count, games = self.position.game, self.positions, self.games
        return {
            "game": game.name,
            "parameters": dict(game.parameters),
            "position": self.position.text(),
            "positions": {
                "exact": count.exact, "count": count.count, "low": count.low,
                "high": count.high if math.isfinite(count.high) else None, "why": count.why,
            },
            "games": None if games is None else {
                "count": games.count, "log10": games.log10, "low_log10": games.low, "high_log10": games.high,
                "nodes_log10": games.nodes,
            },
            "plies": {"longest": games.longest if games else None, "most": None if self.goes_round else game.max_plies},
            "random_play": None if self.play is None else self.play.as_dict(),
            "outlook": {outlook.task: outlook.as_dict() for outlook in self.outlooks},
            "mode": self.mode,
            "stopped": self.stopped,
        }  # fmt: skip


def size(
    what: Game | Position,
    *,
    seconds: float = SECONDS,
    memory: str | int | None = None,
    mode: str | None = None,
    seed: int | None = None,
    listener: Listener | None = None,
) -> Size:
    """How large a game is from a position on, as far as it can be found out in so many seconds. `memory`: how much all
    positions at once may take, half of the machine's if nothing is said."""
    position = what if isinstance(what, Position) else Position(what)
    if not 0 < seconds < math.inf:
        raise Unsuitable(f"the seconds to spend must be above 0 and not endless, not {seconds:g}")
    if position.result is not None:
        raise Unsuitable(f"there is nothing to measure in {position.text()!r}: the game is over")
    check_keyed(position.game)
    survey = _Survey(position, seconds, budget_of(memory), mode_name(position.game, mode), mode, seed, listener)
    try:
        survey.run()
    except KeyboardInterrupt:
        survey.told.stopped = "interrupt"
    return survey.told


@dataclass
class _Survey:
    """The steps, each of which adds to what is told."""

    position: Position
    seconds: float
    budget: int
    best_mode: str
    asked_mode: str | None
    seed: int | None
    listener: Listener | None

    def __post_init__(self) -> None:
        self.told = Size(self.position)
        game = self.position.game
        self.subject = self.position  # what is counted: without a clock, where the game can leave it out
        if game.timeless is not None:
            with blaming(game):
                self.subject = game.timeless(self.position.state)[0]

    def run(self) -> None:
        told = self.told
        told.play = play_at_random(self.position, PLAYING * self.seconds, self.seed)
        trial = self._positions()
        self._games(trial.found if trial else None)
        if trial is not None:
            self._all_at_once(trial)
        self._solving()
        self._table(trial)

    def _run(self, way: Mode, seconds: float, doing: str, job: Callable[[Watch], T]) -> T:
        """Do something under a watch; Ctrl-C ends it all."""
        limits = Limits(seconds=seconds)
        watch = Watch([way.workspace(self.subject.game)], limits, self.listener, doing=doing)
        done = watch.run(lambda: job(watch))
        if watch.reason == "interrupt":
            raise KeyboardInterrupt
        return done

    def _positions(self) -> Trial | None:
        """Count the positions, if there is time and memory, or else estimate them; and what it took to find some."""
        game, told = self.subject.game, self.told
        if not game.compilable and game.key is None:
            told.positions = Estimate(None, 1, math.inf, why="they have no key by which to tell them apart")
            return None
        if self.best_mode == "compiled" and self.asked_mode is None:  # small games need not be compiled for this
            trial = self._count("interpreted", FEW["interpreted"], min(SHORT, POSITIONS * self.seconds))
            if trial.found is not None:
                return trial
        few = min(FEW[self.best_mode], self.budget)
        first = self._count(self.best_mode, few, POSITIONS * self.seconds)
        if first.found is not None:
            return first
        self._estimate(ROUGHLY * self.seconds)
        if told.positions.low * first.seconds / max(first.looked, 1) <= POSITIONS * self.seconds and few < self.budget:
            trial = self._count(self.best_mode, self.budget, POSITIONS * self.seconds)
            if trial.found is not None:
                return trial
        self._estimate(POSITIONS * self.seconds)
        return first

    def _count(self, mode: str, budget: int, seconds: float) -> Trial:
        subject, told = self.subject, self.told
        way = mode_for(subject.game, mode)
        make_ready(subject.game, COUNTED, way)
        trial = self._run(
            way, seconds, "counting positions", lambda watch: try_out(subject, COUNTED, way, watch, budget)
        )
        told.mode = mode
        if trial.found is None:
            told.positions = Estimate(None, trial.looked, math.inf, why="there was no time to count or estimate them")
        else:
            told.positions = Estimate(trial.found.count, trial.found.count, trial.found.count, exact=True)
        return trial

    def _estimate(self, seconds: float) -> None:
        subject, told = self.subject, self.told
        way, counted = spreader_for(subject.game, told.mode)[0], told.positions.low
        found = self._run(
            way, seconds, "estimating positions",
            lambda watch: estimate_positions(subject, told.mode, watch, seconds, self.seed),
        )  # fmt: skip
        if not found.exact and found.low < counted:
            count = None if found.count is None else max(found.count, counted)
            found = replace(found, low=counted, count=count, high=max(found.high, counted))
        told.positions = found

    def _games(self, found: AllPositions | None) -> None:
        """From all positions if they are known, else by walks, which also tell how many nodes the tree has: no more
        positions than that."""
        told, subject, seconds = self.told, self.subject, GAMES * self.seconds
        if told.goes_round:
            return
        if found is not None:
            told.games = self._run(mode_for(subject.game, told.mode), seconds, "counting games",
                                   lambda watch: count_games(found, lambda: watch.stopped))  # fmt: skip
        if told.games is None:
            told.games = self._run(
                spreader_for(subject.game, told.mode)[0], seconds, "estimating games",
                lambda watch: estimate_games(subject, told.mode, watch, seconds, self.seed),
            )  # fmt: skip
        if told.games is not None and told.positions.high == math.inf:
            most = 10 ** min(told.games.nodes + told.games.high - told.games.log10, 300)
            told.positions = replace(told.positions, high=most)

    # what it would take

    def _all_at_once(self, trial: Trial) -> None:
        """All positions in memory, valued at once, if the game allows it."""
        game, told = self.subject.game, self.told
        way = mode_for(game, told.mode)
        if game.cyclic and not game.has_chance and (game.loop_value is None or game.loop_key is not None):
            told.outlooks.append(Outlook("all positions", note="what a loop is worth depends on the way there"))
            return
        wanted = wanted_by(game) if game.has_chance else WORKED_BACK
        ahead = forecast_from(game, wanted, way, told.positions, trial)
        method = "expectation" if game.has_chance else "fixpoint"
        note = "" if ahead.bytes <= self.budget else TOO_LARGE
        told.outlooks.append(self._told_of("all positions", method, ahead.bytes, ahead, note))

    def _told_of(self, task: str, method: str, bytes_: float, ahead: Forecast, note: str) -> Outlook:
        """What it takes to have all positions, with the range that their number and the clock leave."""
        count = ahead.positions
        many = count.count is None
        low, high = count.low * ahead.position_seconds / UNSURE, count.high * ahead.position_seconds * UNSURE
        return Outlook(task, method, None if many else ahead.seconds, low, None if many else high, bytes_, note)

    def _solving(self) -> None:
        told, game = self.told, self.position.game
        made = request(None, game, "solve", mode=self.asked_mode)
        if made.method.worker is not None:
            whole = next((outlook for outlook in told.outlooks if outlook.task == "all positions"), None)
            if whole is not None and whole.note == TOO_LARGE:
                other = "star2.5 searches to a depth" if game.has_chance else "how long df-pn takes cannot be told"
                told.outlooks.insert(0, Outlook("solve", made.method.name, note=f"{TOO_LARGE}; {other}"))
            elif whole is not None:
                told.outlooks.insert(0, replace(whole, task="solve"))
            return
        assert told.play is not None
        seconds = SOLVING * self.seconds
        climbed = climb(self.position, replace(made, worker=None), told.play.paths, seconds, self.seed, self.listener)
        told.outlooks.insert(0, _outlook("solve", made.method.name, climbed, 1.0, told.positions))
        if climbed.interrupted:
            raise KeyboardInterrupt
        factor = proof_costs(climbed, seconds, self.asked_mode, self.listener)
        if factor is not None:
            name = request(None, game, "prove").method.name
            told.outlooks.insert(1, _outlook("prove", name, climbed, factor, told.positions))

    def _table(self, trial: Trial | None) -> None:
        """A table of all positions: those that the game numbers, or else those that there are."""
        told, game = self.told, self.position.game
        try:
            _check_table(game)
            coding = coding_for(game)
        except ZermeloError as refused:
            told.outlooks.append(Outlook("table", note=str(refused)))
            return
        assert trial is not None  # whose positions are told apart, for they are structs
        way = mode_for(game, told.mode)
        ahead = forecast_from(game, wanted_from(self.position, way), way, told.positions, trial)
        needed, note = ahead.bytes, TOO_LARGE_TO_FIND
        if game.tiers is not None:
            with blaming(game):
                sizes = [tier.size for tier in tiers_of(game)]
            ahead = replace(ahead, positions=Estimate(sum(sizes), sum(sizes), sum(sizes), exact=True))
            needed, note = coding.dtype.itemsize * max(sizes), TOO_LARGE_TIER
        held = coding.dtype.itemsize * (ahead.positions.count or ahead.positions.low)
        note = "" if needed <= self.budget else note
        told.outlooks.append(self._told_of("table", coding.kind, held, ahead, note))


def _check_table(game: Game) -> None:
    """Refuse a game of which `table build` makes none."""
    check_game(game)
    if not game.compilable:
        raise Unsuitable("a table needs states made by struct, and these are Python objects")
    if game.index is None and game.cyclic and game.rest is not None:
        raise Unsuitable("where play can go round and points add up, it needs the hooks index, unindex and tiers")


def _outlook(task: str, method: str, climbed: Climb, factor: float, positions: Estimate) -> Outlook:
    """What a search will take, `factor` times what was found out."""
    if climbed.nodes is None or climbed.low is None or climbed.high is None:
        return Outlook(task, method, note="too few positions could be solved to tell")
    if climbed.solved and factor == 1.0:
        seconds = climbed.nodes / climbed.rate
        return Outlook(task, method, seconds, seconds, seconds, ENTRY * climbed.nodes, "done while trying")
    most = max(OFTEN * positions.high, climbed.low)  # a search that forgets nothing looks at each a few times
    low, likely, high = (factor * min(nodes, most) for nodes in (climbed.low, climbed.nodes, climbed.high))
    return Outlook(task, method, likely / climbed.rate, low / climbed.rate, high / climbed.rate, ENTRY * likely)
