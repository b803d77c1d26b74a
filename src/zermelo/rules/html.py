"""Pieces of HTML for notebooks: tables, and what must never fail.

A notebook asks an object for `_repr_html_`; one that raises makes it print a traceback in place of the answer.
Everything that comes from games and files is escaped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any


def table(rows: Iterable[Sequence[Any]], head: Sequence[Any] = ()) -> str:
    """Rows of plain values; the first cell of each stands to the left."""
    title = f"<thead><tr>{''.join(f'<th>{escape(str(cell))}</th>' for cell in head)}</tr></thead>" if head else ""
    lines = []
    for first, *others in rows:
        cells = f'<td style="text-align:left">{escape(str(first))}</td>'
        lines.append(f"<tr>{cells}{''.join(f'<td>{escape(str(cell))}</td>' for cell in others)}</tr>")
    return f"<table>{title}<tbody>{''.join(lines)}</tbody></table>"


def never_failing(write: Callable[[Any], str]) -> Callable[[Any], str | None]:
    """A `_repr_html_` that is None, for which notebooks show the text, where it fails."""

    def written(self: Any) -> str | None:
        try:
            return write(self)
        except Exception:
            return None

    return written
