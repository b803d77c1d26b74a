"""The command that tells how small a proof can be, and how far from that searches are."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli import INTERRUPTED
from zermelo.cli import choices as c
from zermelo.cli.comparing import NOTHING, print_table
from zermelo.cli.live import LiveLine

if TYPE_CHECKING:
    from zermelo.cli.show import Row
    from zermelo.minimum.grown_trees import Grown
    from zermelo.minimum.smallest_graph import MinimumProof, Progress
    from zermelo.rules import Position
    from zermelo.studies.perfection import Searched

SECONDS = 60.0
MOST_NAMED = 30
"""Proofs of a graph file up to this size are written out."""


class Solver(StrEnum):
    """What solves integer programs."""

    highs = "highs"
    cpsat = "cpsat"


def proof_graph(
    game: c.GameName,
    settings: c.Settings = None,
    position: c.PositionText = "",
    target: Annotated[
        float | None,
        typer.Option(
            "--target",
            metavar="V",
            help="Prove that the first player scores V or more, or else that it does not; without it, the value.",
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="S", help="Stop after S seconds; each search likewise.")
    ] = SECONDS,
    solver: Annotated[
        Solver, typer.Option("--solver", help="What solves the integer programs; cpsat is an extra.")
    ] = Solver.highs,
    no_symmetry: Annotated[
        bool, typer.Option("--no-symmetry", help="Count positions that are equivalent one by one.")
    ] = False,
    most: Annotated[
        int | None, typer.Option("--most", metavar="N", help="Refuse games of more than N positions (500,000).")
    ] = None,
    no_search: Annotated[bool, typer.Option("--no-search", help="Run no searches to compare with.")] = False,
    memory: c.Memory = None,
    mode: c.RunMode = None,
    json: c.Json = False,
) -> None:
    """Find the smallest proof, and how far from it searches are.

    The proof is of the value (a minimax proof graph) or of a target. If time runs out, the answer is the
    smallest proof found so far and a size below which there is none.
    """
    from zermelo.compile.watch import Limits
    from zermelo.minimum.grown_trees import minimum_of_grown
    from zermelo.minimum.integer_programs import check_solver
    from zermelo.minimum.membership import true_goal
    from zermelo.minimum.smallest_graph import check_target, minimum_of
    from zermelo.minimum.written_game import MOST_POSITIONS, write_out
    from zermelo.rules import TooLarge
    from zermelo.studies.perfection import FEW, search_all

    limits = Limits(seconds=seconds)
    check_solver(solver.value)
    start = c.position_of(game, settings, position)
    check_target(start.game, target)
    run_as = mode
    searched: list[Searched] = []
    stopped = False
    with LiveLine(not json) as line:
        line.say(f"writing out {start.game.name}")
        found: MinimumProof | Grown
        try:
            graph = write_out(
                start, symmetric=not no_symmetry, most=most or MOST_POSITIONS, mode=run_as,
                say=lambda count: line.say(f"writing out {start.game.name}: {count:,} positions"),
            )  # fmt: skip
        except TooLarge:
            if start.game.truth is None:
                raise
            found = minimum_of_grown(start, target, run_as)
            asked: dict[str, Any] = {"symmetric": False, "shared": False, "mode": run_as}
        else:

            def follow(progress: Progress) -> None:
                line.say(
                    f"{progress.doing} {progress.seconds:.1f} s | smallest proof from {progress.lower:,} to "
                    f"{progress.upper:,} nodes | Ctrl-C stops"
                )

            found = minimum_of(graph, true_goal(graph, target), seconds, solver.value, follow if line.on else None)
            run_as = run_as or ("interpreted" if len(graph) <= FEW else None)
            asked = {"symmetric": graph.symmetric, "shared": not graph.is_tree, "mode": run_as}
        if found.stopped != "interrupt" and not no_search:
            try:
                for one in search_all(
                    start, found.goal, limits=limits, memory=memory, listener=line.listener, **asked
                ):
                    searched.append(one)
            except KeyboardInterrupt:  # between two searches
                stopped = True
    stopped = stopped or "interrupt" in (found.stopped, *(one.stopped for one in searched))
    if json:
        from zermelo.cli.show import print_json

        print_json(_as_dict(start, found, searched))
    else:
        _show(start, found, searched)
    if stopped:
        raise typer.Exit(INTERRUPTED)


def _claim(proof: MinimumProof | Grown) -> str:
    goal = proof.goal
    if goal.target is None:
        return f"the value is {proof.value:g} for the first player"
    return f"the first player scores {'at least' if goal.at_least else 'less than'} {goal.target:g}"


def _as_dict(start: Position, proof: MinimumProof | Grown, searched: list[Searched]) -> dict[str, Any]:
    from zermelo.minimum.grown_trees import Grown

    graph = None if isinstance(proof, Grown) else proof.graph
    return {
        "game": start.game.name,
        "parameters": dict(start.game.parameters),
        "position": start.text(),
        "turn": start.turn,
        "value": proof.value,
        "kind": proof.goal.kind,
        "target": proof.goal.target,
        "at_least": proof.goal.at_least if proof.goal.target is not None else None,
        "claim": _claim(proof),
        "status": "proven" if proof.proven else "bound",
        "size": proof.size,
        "bounds": [proof.lower, proof.size],
        "positions": graph and len(graph),
        "symmetric": graph is not None and graph.symmetric,
        "estimated": graph and graph.estimated,
        "tree": proof.size if isinstance(proof, Grown) else proof.tree,
        "is_tree": graph is None or graph.is_tree,
        "proof": None if isinstance(proof, Grown) else proof.names,
        "seconds": round(proof.seconds, 6),
        "solver": None if isinstance(proof, Grown) else proof.solver,
        "stopped": proof.stopped,
        "searches": [
            {"method": one.method, "nodes": one.nodes, "ratio": one.ratio(proof.size), "seconds": round(one.seconds, 6),
             "stopped": one.stopped, "reason": one.reason}
            for one in searched
        ],
    }  # fmt: skip


def _show(start: Position, proof: MinimumProof | Grown, searched: list[Searched]) -> None:
    from zermelo.cli.show import print_rows
    from zermelo.core.wording import stopped_in_words
    from zermelo.minimum.grown_trees import Grown

    print(start.game.summary)
    print()
    print(start)
    print()
    print_rows(_rows_of_grown(proof) if isinstance(proof, Grown) else _rows(start, proof))
    if searched:
        print()
        table = [
            [one.method, NOTHING if one.nodes is None else f"{one.nodes:,}", _times(one, proof)] for one in searched
        ]
        print_table(["search", "nodes", "times the proof"], table, numbers=2)
    notes = [f"{one.method}: {one.reason or stopped_in_words(str(one.stopped))}" for one in searched
             if one.reason or one.stopped]  # fmt: skip
    if notes:
        print()
        print("\n".join(notes))


def _rows_of_grown(proof: Grown) -> list[Row]:
    from zermelo.cli.show import Row

    return [
        Row("claim", _claim(proof), "bold"),
        Row("smallest proof", f"{proof.size:,} nodes, as a tree, which is grown and not stored"),
        Row("status", "proven", "green"),
        Row("effort", f"{proof.seconds:.2f} s"),
    ]


def _rows(start: Position, proof: MinimumProof) -> list[Row]:
    from zermelo.cli.show import Row, counted
    from zermelo.core.wording import stopped_in_words

    graph = proof.graph
    there = counted(len(graph), "position")
    of = f"of {there}{' up to symmetry' if graph.symmetric else ''} ({proof.size / len(graph):.2%})"
    rows = [Row("claim", _claim(proof), "bold")]
    if proof.proven:
        rows += [Row("smallest proof", f"{proof.size:,} {of}"), Row("status", "proven", "green")]
    else:
        words = f"bound: the smallest proof has from {proof.lower:,} to {proof.size:,} positions"
        if proof.stopped is not None:
            words += f"; {stopped_in_words(proof.stopped)}"
        rows += [Row("smallest found", f"{proof.size:,} {of}"), Row("status", words, "yellow")]
    if graph.is_tree:
        rows.append(Row("as a tree", "the same: no position is met on two ways"))
    else:
        rows.append(Row("as a tree", f"{proof.tree:,} nodes, where no position is recognised again"))
    if graph.estimated:
        rows.append(Row("estimates", f"{graph.estimated:,} leaves are the game's horizon, not its end", "yellow"))
    if start.game.name == "graph" and proof.size <= MOST_NAMED:
        rows.append(Row("nodes", ", ".join(proof.names)))
    rows.append(Row("effort", f"{proof.seconds:.2f} s, {'no solver needed' if graph.is_tree else proof.solver}"))
    return rows


def _times(one: Searched, proof: MinimumProof | Grown) -> str:
    """How many times as many nodes as the smallest proof; a range where that is not known."""
    least, most = one.ratio(proof.size), one.ratio(max(proof.lower, 1))
    if least is None or most is None:
        return NOTHING
    return f"{least:.1f}" if proof.proven else f"{least:.1f} to {most:.1f}"
