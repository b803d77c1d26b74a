"""What people read: answers in words, rows of labels and texts, and one JSON object for machines."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo.cli.live import speed
from zermelo.core.wording import STOPPERS, stopped_in_words, to_move, value_in_words, verdict_in_words
from zermelo.rules.files import size as size

if TYPE_CHECKING:
    from rich.console import Console

    from zermelo.core.answer import Answer

_STATUS = {
    "proven": ("proven", "green"),
    "bound": ("bound: the true value is from", "yellow"),
    "heuristic": ("heuristic: an estimate, not a proof", "yellow"),
    "unknown": ("unknown", "red"),
}
class Row(NamedTuple):
    """One fact: what it is, how it reads, and a colour where colours are shown."""

    label: str
    text: str
    style: str = ""


def print_json(data: dict[str, Any]) -> None:
    print(json.dumps(data))


def paper() -> Console:
    """Where results are printed: coloured on a terminal only, and texts left as they are."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, soft_wrap=True)


def print_rows(rows: Iterable[Row]) -> None:
    """Rows under each other, their texts aligned; on a terminal long texts are broken at its width."""
    from rich.text import Text

    console, rows = paper(), list(rows)
    margin = max((len(row.label) for row in rows), default=0) + 2
    for row in rows:
        text = row.text
        if console.is_terminal:
            room = max(console.width - margin, 20)
            text = f"\n{' ' * margin}".join(textwrap.wrap(text, room, break_on_hyphens=False))
        console.print(Text.assemble((row.label.ljust(margin), "bold"), (text, row.style)))


def show_answer(answer: Answer, claim: float | None = None, every_move: bool = False) -> None:
    """A solved or searched position: the board, then one row for each thing to know. `claim`: the score that
    was asked for. `every_move`: what is known of each, also where the best ones say it all."""
    print(answer.position.game.summary)
    print()
    print(answer.position)
    print()
    print_rows(_rows(answer, claim, every_move))


def _rows(answer: Answer, claim: float | None, every_move: bool) -> Iterable[Row]:
    yield Row("to move", to_move(answer.position))
    if claim is not None:
        low, high = answer.bounds
        verdict = "yes" if low >= claim else "no" if high < claim else "not decided"
        yield Row("claim", f"the first player scores {claim:g} or more: {verdict}", "bold")
    yield Row("value", value_in_words(answer), "bold")
    yield Row("status", *_status(answer))
    if answer.best:
        yield Row("best", " ".join(answer.best) + _doubt(answer), "cyan")
    if every_move or not answer.complete:
        verdicts = [f"{verdict.move} {verdict_in_words(answer.position.game, verdict)}" for verdict in answer.verdicts]
        yield from [Row("moves", ", ".join(verdicts))] if verdicts else []
    if answer.line:
        yield Row("line", " ".join(answer.line))
    yield from (Row(label, text) for label, text in answer.notes)
    yield Row("effort", _effort(answer))
    yield Row("method", f"{answer.method} ({answer.why})")
    memory = "no table" if answer.memory is None else f"table of {answer.memory}"
    threads = f"{answer.threads} thread{'s' if answer.threads > 1 else ''}"
    before = f"; {answer.prelude}" if answer.prelude else ""
    yield Row("run", f"{answer.mode}, {threads}, {memory}{before}")


def _doubt(answer: Answer) -> str:
    """What must be said of a list of best moves that is not certain to be all of them."""
    if answer.complete:
        return ""
    if not answer.verdicts and answer.status in ("unknown", "bound"):
        return " (a guess)"
    asked = len(answer.verdicts) == len(answer.position.codes)
    return "" if asked and answer.status != "proven" else " (there may be more)"


def _status(answer: Answer) -> tuple[str, str]:
    words, style = _STATUS[answer.status]
    if answer.status == "bound":
        low, high = answer.bounds
        words += f" {_rounded(low, ROUND_FLOOR)} to {_rounded(high, ROUND_CEILING)}"
    if answer.stopped is not None and answer.status != "proven":
        words += f"; {stopped_in_words(answer.stopped)}"
    elif answer.stopped is not None and not answer.complete:
        words += f"; then stopped by {STOPPERS.get(answer.stopped, answer.stopped)}"
    return words, style


def _rounded(number: float, rounding: str) -> str:
    """A bound in few digits, rounded outwards, so that it still is one."""
    return f"{float(Context(prec=6, rounding=rounding).create_decimal(Decimal(number))):g}"


def _effort(answer: Answer) -> str:
    extra = f" + {answer.extra_nodes:,} for best moves and line" if answer.extra_nodes else ""
    rate = speed(answer.nodes + answer.extra_nodes, answer.seconds)
    depth = "" if answer.depth is None else f", depth {answer.depth}"
    leaves = f"{answer.leaves:,} {'leaf' if answer.leaves == 1 else 'leaves'}"
    return f"{counted(answer.nodes, 'node')} ({leaves}){extra}, {answer.seconds:.2f} s, {rate}{depth}"


def counted(number: int, noun: str) -> str:
    """So many things, one of them without an s."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
