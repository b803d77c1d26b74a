"""The method `expectation`: the exact value of a game with chance from all of its positions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from zermelo.compile.diagnosis import blaming
from zermelo.compile.modes import Mode, mode_for
from zermelo.compile.watch import Limits, Watch
from zermelo.core.answer import BOUND, HEURISTIC, PROVEN, UNKNOWN, Answer, Verdict, plain
from zermelo.core.memory import DEFAULT
from zermelo.core.method import Method, Options
from zermelo.core.question import Question, Worker
from zermelo.positions.all_positions import AllPositions, Wanted, all_positions, budget_of, make_ready
from zermelo.positions.effort import Stopped
from zermelo.positions.exact import Interval, Solution, Value, prepare, solve_graph
from zermelo.positions.exploring import OVER
from zermelo.positions.identity import loop_ends, name_of
from zermelo.positions.move_graph import MoveGraph, move_graph
from zermelo.positions.tiers import cut
from zermelo.positions.wording import best_of, in_words, middle, share, short
from zermelo.rules import CHANCE, Game, Position, Unsuitable

NUMERIC = 1e-9
"""How close bounds must be for a value to count as proven, as a share of the range of scores."""
BESIDE = 41
"""The bytes for each position that its tier takes to find, and about what its value takes then."""


class ExpectationWorker(Worker):
    """All positions, found and valued anew for every question. A value decides any claim."""

    def prepare(self, purpose: str, limits: Limits) -> None:
        game = self.game
        with blaming(game):
            if game.timeless is not None:
                game = game.timeless(game.start)[0].game
        make_ready(game, wanted_by(game), mode_for(game, self.mode))
        if game.endless:
            prepare()

    def solve(self, question: Question) -> Answer:
        memory = None if self.request.memory == DEFAULT else self.request.memory
        return _solve(question, self.mode, budget_of(memory), self.request.why)


def _solve(question: Question, mode: str, budget: int, why: str) -> Answer:
    """The value of a position and of all its moves, as fractions or between bounds."""
    position, limits = question.position, question.limits
    if limits.depth is not None:
        raise Unsuitable("expectation looks at every position to the end; for a limited depth take star2.5")
    game = position.game
    chosen = mode_for(game, mode)
    started = position
    patience = 0
    with blaming(game):
        if game.timeless is not None:
            position, patience = game.timeless(position.state)
    wanted = wanted_by(position.game)
    make_ready(position.game, wanted, chosen)
    if position.game.endless:
        prepare()
    watch = Watch([chosen.workspace(position.game)], limits, question.listener, question.brake, doing="exploring")

    def stopped() -> bool:
        return watch.stopped

    def job() -> Answer:
        unknown = _answer(started, watch, chosen, why, UNKNOWN, None, game.values)
        found = all_positions(position, wanted, chosen, watch, budget)
        if found is None:
            return replace(unknown, stopped=watch.reason, nodes=watch.nodes, seconds=watch.seconds)
        if found.estimated:
            raise Unsuitable(
                f"{game.name}: in {Position(position.game, found.state(found.horizon)).text()!r} there is an estimate "
                "and nothing behind it, so that no exact value can be had; star1 searches up to there"
            )
        graph, returning = move_graph(found), _coming_back(found, position)
        found = None  # states are not needed any more
        watch.doing = "solving"
        try:
            tiers = cut(graph, stopped)
            loop = float(position.game.loop_value or 0)
            if tiers.tosses is None and position.game.cyclic:
                raise Unsuitable(_LOOPS_WITH_DICE.format(name=game.name))
            below = graph
            if position.game.cyclic and tiers.loops:
                below = graph.ended(returning, loop)
                tiers = cut(below, stopped)
            solution = solve_graph(below, tiers, loop, stopped)
        except Stopped:
            solution = None
        if solution is None:
            return _answer(started, watch, chosen, why, UNKNOWN, None, game.values)
        return _solved(started, watch, chosen, why, graph, solution, patience)

    return watch.run(job)


def wanted_by(game: Game) -> Wanted:
    """Moves and weights. Where positions must not come back, mirror images do not count as one."""
    return Wanted(by="key" if game.cyclic else "symmetry", forward=True, weights=True, beside=BESIDE)


def _coming_back(found: AllPositions, position: Position) -> Any:
    """The positions that end play when they come back: those that were passed, and the one that is asked about."""
    passed, returning = loop_ends(position)
    back = returning and position.turn != CHANCE  # no dice lie on cycles here
    name = name_of(position.game, wanted_by(position.game).by)
    keys = [name(state) for state in (*passed, *([position.state] if back else []))]
    known = np.isin(np.asarray(found.keys, np.uint64), np.array(keys, np.uint64))
    return np.flatnonzero(known & (np.asarray(found.turns) != OVER))


_LOOPS_WITH_DICE = (
    "{name}: its repetition rule ends the game when a position comes back, and here dice can bring one back, so that "
    'values depend on the path; let play go on instead, by repetition="none" with endless=True (in a graph file: leave '
    "out repetition), or search it to a depth with star1"
)


def _solved(
    position: Position,
    watch: Watch,
    mode: Mode,
    why: str,
    graph: MoveGraph,
    solution: Solution,
    patience: int,
) -> Answer:
    below = graph.children[graph.offsets[0] : graph.offsets[1]]
    worth = {position.text_of(code): solution.of(int(child)) for code, child in zip(position.codes, below)}
    value = solution.of(0)
    if position.game.cyclic and position.turn != CHANCE and worth:  # when it comes back it is worth something else
        value = max(worth.values(), key=middle) if position.turn == 0 else min(worth.values(), key=middle)
    status = _status(position.game, value)
    if patience and solution.patience >= patience:
        status = HEURISTIC
    bounds = position.game.values if status == UNKNOWN else _ends(value)
    number = None if status == UNKNOWN else middle(value)
    answer = _answer(position, watch, mode, why, status, number, bounds)
    if solution.complete:  # the clock may have run out when there was nothing left to do
        answer = replace(answer, stopped=None)
    what = "outcomes" if position.turn == CHANCE else "moves"
    details: dict[str, Any] = {
        "fraction": str(value) if isinstance(value, Fraction) else None,
        what: {text: str(v) if isinstance(v, Fraction) else middle(v) for text, v in worth.items()},
        "positions": len(graph),
        "tiers": len(solution.tiers),
    }
    loose = {text: list(v) for text, v in worth.items() if isinstance(v, Interval)}
    if loose:
        details[f"{what}_between"] = loose
    notes = []
    if isinstance(value, Fraction):
        notes.append(("exact", in_words(value)))
    elif status != UNKNOWN:
        notes.append(("bounds", f"{in_words(value)}, found by interval bounds"))
    low, high = position.game.values
    if solution.ends and status == PROVEN and _two_ends(position.game, graph):
        chance = share(value, low, high)
        details["winning_chance"] = str(chance) if isinstance(chance, Fraction) else middle(chance)
        notes.append(("chance", f"the first player wins with probability {in_words(chance)}"))
    if worth and status != UNKNOWN:
        notes.append((what, "  ".join(f"{text} {short(v)}" for text, v in worth.items())))
    best, sure = answer.best, answer.complete
    if worth and position.turn != CHANCE and status != UNKNOWN:
        best, sure = best_of(worth, position.turn)
        if not sure:
            notes.append(("best", "all moves that may be best: the bounds do not tell them apart"))
    verdicts = tuple(_verdict(position.game, text, value) for text, value in worth.items())
    size = f"{len(graph):,} positions in {len(solution.tiers):,} tiers, the largest of {solution.tiers.largest:,}"
    notes.append(("size", size))
    if solution.patience and patience:
        notes.append(("patience", _patience_in_words(solution.patience, patience)))
    return replace(
        answer, best=best, complete=sure, verdicts=verdicts, line=best[:1], details=details, notes=tuple(notes)
    )


def _status(game: Game, value: Value) -> str:
    """How well a value is known: proven where it is a fraction, or as close as asked."""
    if isinstance(value, Fraction):
        return PROVEN
    low, high = game.values
    if value.high - value.low <= NUMERIC * (high - low):
        return PROVEN
    return BOUND if value.low > low or value.high < high else UNKNOWN


def _verdict(game: Game, move: str, value: Value) -> Verdict:
    low, high = _ends(value)
    return Verdict(move, _status(game, value), plain(low), plain(high))


def _ends(value: Value) -> tuple[Any, Any]:
    return (value, value) if isinstance(value, Fraction) else (value.low, value.high)


def _patience_in_words(needed: int, limit: int) -> str:
    words = f"no forced exit from a tier takes more than {needed} plies"
    if needed < limit:
        return f"{words}, so the limit of {limit} quiet plies changes nothing"
    return f"{words}: with the limit of {limit} quiet plies some of them would be draws, which is left out of account"


def _two_ends(game: Game, graph: MoveGraph) -> bool:
    """Whether every game ends with one of two scores."""
    low, high = game.values
    ends = graph.scores[graph.turns == OVER]
    return len(ends) > 0 and bool(((ends == low) | (ends == high)).all()) and game.timeless is None


def _answer(
    position: Position, watch: Watch, mode: Mode, why: str, status: str, value: Any, bounds: Any
) -> Answer:
    return Answer(
        position=position,
        value=None if value is None else plain(value),
        status=status,
        bounds=(plain(bounds[0]), plain(bounds[1])),
        best=[] if position.turn == CHANCE else position.moves()[:1],
        complete=position.turn == CHANCE or position.result is not None,
        line=[],
        nodes=watch.nodes,
        leaves=watch.workspaces[0]["leaves"],
        extra_nodes=0,
        seconds=watch.seconds,
        method=METHOD.name,
        depth=None,
        why=why,
        stopped=watch.reason,
        mode=mode.name,
    )


def suits(game: Game, purpose: str) -> str:
    if purpose == "solve" and game.has_chance:
        return "chance: all positions are looked at, to the end of the game"
    return ""


METHOD = Method(
    name="expectation",
    summary="the exact expected value, from all positions that can be reached",
    source="Shapley 1953; Everett 1957; Ströhlein 1970",
    kernel=None,
    options=Options(table=False),
    chance=True,
    worker=ExpectationWorker,
    suits=suits,
)
