"""The command that solves the variants of a game and puts them side by side; and the tables that it prints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli import INTERRUPTED
from zermelo.cli import choices as c
from zermelo.cli.live import LiveLine

if TYPE_CHECKING:
    from zermelo.studies.compare import Comparison, Variant
    from zermelo.studies.difficulty import Difficulty

NOTHING = "-"


def compare(
    game: c.GameName,
    vary: c.Vary,
    settings: c.Settings = None,
    position: c.PositionText = "",
    method: c.MethodText = None,
    depth: c.Depth = None,
    seconds: c.Seconds = None,
    nodes: c.NodeCount = None,
    memory: c.Memory = None,
    threads: c.Threads = None,
    mode: c.RunMode = None,
    no_proof: Annotated[bool, typer.Option("--no-proof", help="Look for no proofs, which is faster.")] = False,
    json: c.Json = False,
) -> None:
    """Solve the variants of a game side by side.

    Limits hold for each variant. A variant that the game does not allow says why.
    """
    from zermelo.cli.show import print_json
    from zermelo.compile.watch import Limits
    from zermelo.studies.compare import compare as examine

    varied = _varied(vary)
    fixed = dict(map(c.setting, settings or ()))
    with LiveLine(not json) as line:

        def begin(variant: Variant) -> None:
            line.say(f"solving {game} with {_in_words(variant)}")

        told = examine(
            game, varied, settings=fixed, position=position, method=method,
            limits=Limits(nodes=nodes, seconds=seconds, depth=depth), memory=memory, threads=threads or 1,
            mode=mode, proof=not no_proof, listener=line.listener, begin=begin,
        )  # fmt: skip
    if json:
        variants = [variant.as_dict() for variant in told.variants]
        print_json({"game": game, "settings": fixed, "position": position, "vary": varied, "variants": variants,
                    "stopped": told.stopped})  # fmt: skip
    else:
        _print_comparison(varied, told)
    if told.stopped is not None:
        raise typer.Exit(INTERRUPTED)


def _varied(texts: Sequence[str]) -> dict[str, list[str]]:
    """`--vary width=4,5` as a name and its values."""
    from zermelo.rules.errors import Unsuitable

    varied: dict[str, list[str]] = {}
    for text in texts:
        name, equals, values = (part.strip() for part in text.partition("="))
        listed = [value.strip() for value in values.split(",")]
        if not name or not equals or not all(listed):
            raise Unsuitable(f"--vary takes NAME=VALUE,VALUE, such as --vary width=4,5, not {text!r}")
        if name in varied:
            raise Unsuitable(f"--vary names {name} twice; write all its values behind one --vary")
        varied[name] = listed
    return varied


def _in_words(variant: Variant) -> str:
    return ", ".join(f"{name}={value}" for name, value in variant.settings.items())


def _print_comparison(varied: dict[str, list[str]], told: Comparison) -> None:
    from zermelo.core.wording import value_in_words

    rows, notes = [], []
    for variant in told.variants:
        answer, row = variant.answer, list(variant.settings.values())
        if answer is None:
            rows.append([*row, "impossible", *[NOTHING] * 4])
        else:
            size = NOTHING if variant.proof is None else f"{variant.proof:,}"
            status = answer.status if answer.stopped is None else f"{answer.status} ({answer.stopped})"
            rows.append([*row, value_in_words(answer), status, f"{answer.nodes:,}", f"{answer.seconds:.2f}", size])
        if variant.reason is not None:
            notes.append(f"{_in_words(variant)}: {variant.reason}")
    print_table([*varied, "value", "status", "nodes", "seconds", "proof"], rows, numbers=3)
    if notes:
        print()
        print("\n".join(notes))
    if told.stopped is not None:
        print("stopped by Ctrl-C; the variants above are done")


def print_table(heads: Sequence[str], rows: Iterable[Sequence[Any]], numbers: int = 0) -> None:
    """Rows under their heads, the last `numbers` columns aligned to the right."""
    lines = [[str(cell) for cell in row] for row in (heads, *rows)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        cells = [
            cell.rjust(width) if place >= len(heads) - numbers else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(line, widths))
        ]
        print("  ".join(cells).rstrip())


def print_difficulty(told: Difficulty) -> None:
    """How hard a solved position is: the turns of the line, the proof, the shallow search."""
    from zermelo.cli.show import Row, print_rows
    from zermelo.core.wording import PLAYERS, stopped_in_words

    print()
    turns = [
        [number, PLAYERS[turn.player], turn.move, NOTHING if turn.keeping is None else turn.keeping, turn.moves]
        for number, turn in enumerate(told.turns, start=1)
    ]
    print_table(["turn", "to move", "move", "keep the value", "of"], turns, numbers=2)
    print()
    players = sorted({turn.player for turn in told.turns})
    only = [f"{told.only_moves(player)} for the {PLAYERS[player]}" for player in players]
    luck = [f"{told.luck(player):.2g} for the {PLAYERS[player]}" for player in players]
    rows = [Row("only moves", ", ".join(only)), Row("luck", f"{', '.join(luck)}: how likely random moves would do")]
    if told.proof is not None:
        rows.append(Row("proof", f"{told.proof:,} positions in the smallest found"))
    if told.searched:
        if told.depth is None:
            text = f"does not choose a best move for certain up to depth {told.searched}"
        else:
            text = f"chooses a best move from depth {told.depth} on (tried up to depth {told.searched})"
        rows.append(Row("shallow search", text))
    if told.stopped is not None:
        rows.append(Row("stopped", stopped_in_words(told.stopped)))
    print_rows(rows)
