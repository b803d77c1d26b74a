"""The laboratory's page: the experiments that there are, and the tables and plots of those that were run.

They are read from a folder that a person named when the server began. What a client names is compared with what lies
there, and nothing else is opened.
"""

from __future__ import annotations

import asyncio
import csv
from pathlib import Path
from typing import Any

from zermelo.web.catalogue import listing
from zermelo.web.workers import Failed

LARGEST = 8 << 20
"""Files of more bytes than this are not shown."""


class Laboratory:
    """The results in a folder."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._listed: asyncio.Task[list[dict[str, Any]]] | None = None

    async def listed(self) -> dict[str, Any]:
        """All experiments, and which of them have results here. The list is made by a process of its own."""
        if self._listed is None:
            self._listed = asyncio.ensure_future(listing("lab"))
        there = self._files()
        shown = [entry | {"run": f"{entry['name']}.csv" in there} for entry in await self._listed]
        return {"folder": None if self.folder is None else str(self.folder), "experiments": shown}

    def result(self, name: str) -> dict[str, Any]:
        """The table of an experiment, what was written beside it, and the names of its plots."""
        there = self._files()
        if f"{name}.csv" not in there:
            raise Failed(f"there is no result of {name[:60]!r} here: run it first, by zermelo lab NAME --out DIR", 404)
        rows = list(csv.reader(self._text(f"{name}.csv").splitlines()))
        notes = self._text(f"{name}.md").splitlines() if f"{name}.md" in there else []
        plots = sorted(file for file in there if file.endswith(".svg") and (file[:-4] + "-").startswith(f"{name}-"))
        return {
            "name": name, "head": rows[0] if rows else [], "rows": rows[1:], "plots": plots,
            "notes": [line for line in notes if line.strip() and not line.startswith("|")],
        }  # fmt: skip

    def plot(self, file: str) -> bytes:
        """A plot, by its file's name."""
        if not file.endswith(".svg") or file not in self._files():
            raise Failed(f"there is no plot {file[:60]!r} here", 404)
        return self._text(file).encode()

    def _files(self) -> set[str]:
        if self.folder is None or not self.folder.is_dir():
            return set()
        return {entry.name for entry in self.folder.iterdir() if entry.is_file() and entry.stat().st_size <= LARGEST}

    def _text(self, file: str) -> str:
        """`file` is one of `_files`: a plain name, no path."""
        assert self.folder is not None
        return (self.folder / file).read_text(encoding="utf-8", errors="replace")
