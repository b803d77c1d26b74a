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
    from zermelo.core.request import Request
    from zermelo.rules import Position
    from zermelo.studies.difficulty import Difficulty


def solve(
    game: c.GameName,
    settings: c.Settings = None,
    position: c.PositionText = "",
    positions: Annotated[
        str | None, typer.Option("--positions", metavar="FILE", help="Solve all positions of a file, one a line.")
    ] = None,
    method: c.MethodText = None,
    more: c.With = None,
    at_least: Annotated[
        float | None, typer.Option("--at-least", metavar="V", help="Only whether the first player scores V.")
    ] = None,
    value_only: Annotated[bool, typer.Option("--value-only", help="Without all best moves and a line.")] = False,
    difficulty: Annotated[bool, typer.Option("--difficulty", help="Also tell how hard it is to play.")] = False,
    depth: c.Depth = None,
    seconds: c.Seconds = None,
    nodes: c.NodeCount = None,
    memory: c.Memory = None,
    threads: c.Threads = None,
    tables: c.Tables = None,
    table_memory: c.TableMemory = None,
    mode: c.RunMode = None,
    json: c.Json = False,
) -> None:
    """Find the value of a position, for certain, with all best moves."""
    from zermelo.compile.watch import Limits

    limits = Limits(nodes=nodes, seconds=seconds, depth=depth)
    how: dict[str, Any] = {"memory": memory, "threads": threads, "mode": mode}
    if positions is not None:
        from zermelo.cli.batch import check_alone, solve_file

        check_alone(position=position, at_least=at_least, difficulty=difficulty)
        subject = c.game_of(game, settings, tables, table_memory)
        asked = c.request_of(subject, "solve", method, more, nodes=nodes, seconds=seconds, depth=depth, **how)
        solve_file(subject, positions, asked, best_moves=not value_only, json=json)
        return
    start = c.position_of(game, settings, position, tables, table_memory)
    if difficulty:
        from zermelo.studies.difficulty import check_suits

        check_suits(start.game)
    made = c.request_of(start.game, "solve", method, more, claim=at_least, **how)
    with LiveLine(not json) as line:
        with made.open(start.game) as session:
            answer = session.solve(
                start, at_least=at_least, value_only=value_only, limits=limits, listener=line.listener
            )
        told = _examine(answer, made, limits, line) if difficulty else None
    _print_answer(answer, json, at_least, told, difficulty)


def search(
    game: c.GameName,
    settings: c.Settings = None,
    position: c.PositionText = "",
    method: c.MethodText = None,
    more: c.With = None,
    depth: c.Depth = None,
    seconds: c.Seconds = None,
    nodes: c.NodeCount = None,
    memory: c.Memory = None,
    threads: c.Threads = None,
    tables: c.Tables = None,
    table_memory: c.TableMemory = None,
    mode: c.RunMode = None,
    seed: c.Seed = None,
    book: c.BookName = None,
    variety: c.Variety = None,
    json: c.Json = False,
) -> None:
    """Find the best move within a limit; for one second if none is given."""
    from zermelo.compile.watch import Limits

    start = c.position_of(game, settings, position, tables, table_memory)
    made = c.request_of(
        start.game, "search", method, more, memory=memory, threads=threads, mode=mode, seed=seed, depth=depth,
        book=c.book_of(start.game, book, variety),
    )  # fmt: skip
    limits = Limits(nodes=nodes, seconds=seconds, depth=depth)
    with LiveLine(not json) as line, made.open(start.game) as session:
        answer = session.search(start, limits, line.listener)
    _print_answer(answer, json, every_move=True)


def _examine(answer: Answer, made: Request, limits: Limits, line: LiveLine) -> Difficulty | None:
    """How difficult a position is, if it is solved and not over."""
    from zermelo.studies.difficulty import difficulty

    if answer.status != "proven" or answer.position.result is not None:
        return None
    return difficulty(answer, limits=limits, memory=made.memory, mode=made.mode, listener=line.listener)


def _print_answer(
    answer: Answer,
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
        show_answer(answer, claim, every_move)
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
    bulk: Annotated[bool, typer.Option("--bulk", help="Count the last moves without making them.")] = False,
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
                count = count_paths(start, plies, bulk=bulk, mode=mode, listener=line.listener)
                stopped = count.stopped
                if stopped is not None:
                    break
                done.append(count)
        except KeyboardInterrupt:  # between two depths
            stopped = "interrupt"
    if json:
        print_json(_perft_dict(start, depth, done, stopped))
    else:
        _print_table(min(depth, 1), done, bulk)
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


def _print_table(first: int, done: list[Count], bulk: bool) -> None:
    print(f"{'depth':>5} {'paths':>20} {'seconds':>9}  speed")
    for plies, count in enumerate(done, start=first):
        made = count.paths if bulk else count.nodes
        print(f"{plies:>5} {count.paths:>20,} {count.seconds:>9.3f}  {speed(made, count.seconds)}")
