"""The commands that search: solve, search, perft."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli import INTERRUPTED
from zermelo.cli import choices as c
from zermelo.cli.live import LiveLine, speed

if TYPE_CHECKING:
    from zermelo.compile.watch import Limits
    from zermelo.core.answer import Answer
    from zermelo.core.perft import Count
    from zermelo.rules import Position
    from zermelo.studies.difficulty import Difficulty


def solve(
    game: c.GameName,
    settings: c.Settings = None,
    position: c.PositionText = "",
    method: c.MethodName = None,
    at_least: Annotated[
        float | None,
        typer.Option("--at-least", metavar="V", help="Only ask whether the first player scores V or more."),
    ] = None,
    depth: c.Depth = None,
    seconds: c.Seconds = None,
    nodes: c.NodeCount = None,
    memory: c.Memory = None,
    threads: c.Threads = 1,
    mode: c.RunMode = None,
    order: c.Order = None,
    cut: c.Cut = None,
    no_table: c.NoTable = False,
    no_knowledge: c.NoKnowledge = False,
    etc: c.Etc = False,
    iid: c.Iid = False,
    fail_hard: c.FailHard = False,
    difficulty: Annotated[
        bool, typer.Option("--difficulty", help="Also tell how hard the position is to play and to prove.")
    ] = False,
    probes: c.Probes = None,
    more: c.With = None,
    value_only: Annotated[
        bool, typer.Option("--value-only", help="Stop at the value: do not look for all best moves and a line.")
    ] = False,
    json: c.Json = False,
) -> None:
    """Find the value of a position, for certain.

    With it come all best moves and a line of best play. Without --method, the one is taken that suits
    the game.
    """
    from zermelo.compile.watch import Limits
    from zermelo.core.method import method_named
    from zermelo.methods import solving

    limits = Limits(nodes=nodes, seconds=seconds, depth=depth)
    start = c.position_of(game, settings, position)
    if difficulty:
        from zermelo.studies.difficulty import check_suits

        check_suits(start.game)
    chosen = method or solving.choose(start.game, at_least).method
    changes = c.switches(order, cut, no_table, no_knowledge, etc, iid, fail_hard)
    changes |= c.chance_switches(probes, None, None, more)
    plan = c.Plan.make(start.game, method_named(chosen).name, changes, mode, memory)
    with LiveLine(not json) as line:
        if plan.compiled:
            line.compiling(start.game.name, plan.method)
        answer = solving.solve(
            start, method=method, options=plan.options, at_least=at_least, limits=limits, memory=plan.memory,
            threads=threads, mode=mode and mode.value, listener=line.listener, value_only=value_only,
        )  # fmt: skip
        told = _examine(answer, plan, mode, limits, line) if difficulty else None
    _print_answer(answer, plan, json, at_least, told, difficulty)


def search(
    game: c.GameName,
    settings: c.Settings = None,
    position: c.PositionText = "",
    engine: c.EngineName = None,
    depth: c.Depth = None,
    seconds: c.Seconds = None,
    nodes: c.NodeCount = None,
    memory: c.Memory = None,
    threads: c.Threads = 1,
    mode: c.RunMode = None,
    seed: c.Seed = None,
    order: c.Order = None,
    cut: c.Cut = None,
    no_table: c.NoTable = False,
    no_knowledge: c.NoKnowledge = False,
    etc: c.Etc = False,
    iid: c.Iid = False,
    fail_hard: c.FailHard = False,
    probes: c.Probes = None,
    attitude: c.Attitude = None,
    tolerance: c.Tolerance = None,
    more: c.With = None,
    json: c.Json = False,
) -> None:
    """Find the best move within a limit.

    By iterative deepening; for one second if no limit is given.
    """
    from zermelo.methods import searching as playing

    start = c.position_of(game, settings, position)
    changes = c.switches(order, cut, no_table, no_knowledge, etc, iid, fail_hard)
    changes |= c.chance_switches(probes, attitude, tolerance, more)
    plan = c.Plan.make(start.game, c.known_engine(engine, start.game), changes, mode, memory)
    with LiveLine(not json) as line:
        if plan.compiled:
            line.compiling(start.game.name, plan.method)
        answer = playing.analyse(
            start, engine, depth=depth, seconds=seconds, nodes=nodes, options=plan.options, seed=seed,
            memory=plan.memory, threads=threads, mode=mode and mode.value, listener=line.listener,
        )  # fmt: skip
    _print_answer(answer, plan, json, every_move=True)


def _examine(answer: Answer, plan: c.Plan, mode: c.Mode | None, limits: Limits, line: LiveLine) -> Difficulty | None:
    """How difficult a position is, if it is solved and not over."""
    from zermelo.studies.difficulty import difficulty

    if answer.status != "proven" or answer.position.result is not None:
        return None
    return difficulty(
        answer, limits=limits, memory=plan.memory, mode=mode and mode.value, listener=line.listener
    )


def _print_answer(
    answer: Answer,
    plan: c.Plan,
    json: bool,
    claim: float | None = None,
    told: Difficulty | None = None,
    examined: bool = False,
    every_move: bool = False,
) -> None:
    from zermelo.cli.comparing import print_difficulty
    from zermelo.cli.show import print_json, show_answer

    if json:
        print_json(answer.as_dict() | ({"difficulty": told and told.as_dict()} if examined else {}))
    else:
        show_answer(answer, plan, claim, every_move)
        if told is not None:
            print_difficulty(told)
        elif examined:
            print("\nHow difficult it is can be told of solved positions only.")
    if "interrupt" in (answer.stopped, told and told.stopped):
        raise typer.Exit(INTERRUPTED)


def perft(
    game: c.GameName,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", help="How many moves long the paths are.")],
    settings: c.Settings = None,
    position: c.PositionText = "",
    mode: c.RunMode = None,
    json: c.Json = False,
) -> None:
    """Count the paths of DEPTH moves.

    It tests the rules and measures how fast they are.
    """
    from zermelo.cli.show import print_json
    from zermelo.core.perft import perft as count_paths
    from zermelo.rules.errors import Unsuitable

    start = c.position_of(game, settings, position)
    if not 0 <= depth <= start.game.max_plies:
        raise Unsuitable(f"{start.game.name}: DEPTH must be from 0 to {start.game.max_plies}, not {depth}")
    done: list[Count] = []
    stopped: str | None = None
    with LiveLine(not json) as line:
        line.say(f"counting the paths of {start.game.name}")
        try:
            for plies in range(min(depth, 1), depth + 1):
                count = count_paths(start, plies, mode=mode and mode.value, listener=line.listener)
                stopped = count.stopped
                if stopped is not None:
                    break
                done.append(count)
        except KeyboardInterrupt:  # between two depths
            stopped = "interrupt"
    if json:
        print_json(_perft_dict(start, depth, done, stopped))
    else:
        _print_table(min(depth, 1), done)
    if stopped is not None:
        if not json:
            print(f"stopped by Ctrl-C while counting depth {min(depth, 1) + len(done)}")
        raise typer.Exit(INTERRUPTED)


def _perft_dict(start: Position, depth: int, done: list[Count], stopped: str | None) -> dict[str, Any]:
    return {
        "game": start.game.name,
        "parameters": dict(start.game.parameters),
        "position": start.text(),
        "depth": depth,
        "paths": done[-1].paths if done and stopped is None else None,
        "counts": [count.paths for count in done],
        "nodes": sum(count.nodes for count in done),
        "seconds": round(sum(count.seconds for count in done), 6),
        "stopped": stopped,
    }


def _print_table(first: int, done: list[Count]) -> None:
    print(f"{'depth':>5} {'paths':>20} {'seconds':>9}  speed")
    for plies, count in enumerate(done, start=first):
        print(f"{plies:>5} {count.paths:>20,} {count.seconds:>9.3f}  {speed(count.nodes, count.seconds)}")
