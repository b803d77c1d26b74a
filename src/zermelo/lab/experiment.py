"""What an experiment is: a name, what it shows, and a function that measures and writes files.

An experiment writes into a folder of its own: its table as `NAME.csv` (for machines) and `NAME.md` (for people), its
plot, if it has one, as `NAME.svg`. Seeds are fixed, so that the same command writes the same numbers again.
"""

from __future__ import annotations

import csv
import importlib
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from zermelo.rules import UnknownName, Unsuitable, nearest
from zermelo.rules.files import save
from zermelo.rules.html import never_failing
from zermelo.rules.html import table as html_table
from zermelo.rules.settings import kind_of, read_value

Say = Callable[[str], None]


@dataclass(frozen=True)
class Settings:
    """How much to measure: `samples` trees, positions or games of each kind, from the seed `seed` on. `what`: the game
    or the file that the experiment is about, where it needs one. `cores`: how many processes measure. `folder`: where
    results go, finished and unfinished. `fresh`: forget what an interrupted run has left there."""

    samples: int
    seed: int = 0
    what: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    cores: int = 1
    folder: Path = Path("lab")
    fresh: bool = False

    def __post_init__(self) -> None:
        if self.samples < 1:
            raise Unsuitable(f"the number of samples must be at least 1, not {self.samples}")
        if self.cores < 1:
            raise Unsuitable(f"the number of cores must be at least 1, not {self.cores}")


@dataclass(frozen=True)
class Table:
    """Rows of measurements under a head."""

    head: tuple[str, ...]
    rows: list[tuple[Any, ...]]

    def markdown(self) -> str:
        lines = ["| " + " | ".join(self.head) + " |", "|" + "---|" * len(self.head)]
        lines += ["| " + " | ".join(_cell(value) for value in row) + " |" for row in self.rows]
        return "\n".join(lines) + "\n"

    def csv(self) -> str:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.head)
        writer.writerows(self.rows)
        return text.getvalue()


@dataclass(frozen=True)
class Result:
    """What an experiment found: a table, a plot (SVG; none if empty), a few sentences and other files, by name."""

    table: Table
    plot: str
    words: list[str]
    files: dict[str, str] = field(default_factory=dict)

    @never_failing
    def _repr_html_(self) -> str:
        """For notebooks: the table, the plots and the sentences."""
        plots = [self.plot, *(text for name, text in self.files.items() if name.endswith(".svg"))]
        words = "".join(f"<p>{escape(sentence)}</p>" for sentence in self.words)
        rows = ([_cell(cell) for cell in row] for row in self.table.rows)
        return html_table(rows, self.table.head) + "".join(plots) + words


@dataclass(frozen=True)
class Experiment:
    """An experiment that can be called by name. `samples` is how many it takes if nobody says. `takes`: FILE or GAME
    where it needs one. `parameters`: what `--set` can change, with the defaults; those of a GAME are the game's own."""

    name: str
    summary: str
    source: str
    samples: int
    run: Callable[[Settings, Say], Result]
    takes: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def check(self, settings: Settings) -> Settings:
        """The settings, with the parameters as what they stand for; refused if this experiment cannot use them."""
        if settings.what and not self.takes:
            raise Unsuitable(f"the experiment {self.name} takes no game and no file: leave out {settings.what}")
        if self.takes and not settings.what:
            raise Unsuitable(f"the experiment {self.name} needs a {self.takes}: zermelo lab {self.name} {self.takes}")
        if self.takes == "GAME":
            return settings
        for name in settings.parameters:
            if name not in self.parameters:
                can = nearest(name, self.parameters) if self.parameters else "it has none"
                raise UnknownName(f"the experiment {self.name} has no parameter {name}: {can}")
        kinds = {name: kind_of(default) for name, default in self.parameters.items()}
        given = {n: read_value(f"{self.name}: {n}", value, kinds[n]) for n, value in settings.parameters.items()}
        return replace(settings, parameters={**self.parameters, **given})


@cache
def experiments() -> dict[str, Experiment]:
    """All experiments, by name."""
    here = sorted(Path(__file__).parent.glob("*.py"))
    files = [file for file in here if "\nEXPERIMENT = " in file.read_text(encoding="utf-8")]
    found = [importlib.import_module(f"zermelo.lab.{file.stem}").EXPERIMENT for file in files]
    return {experiment.name: experiment for experiment in found}


def experiment_named(name: str) -> Experiment:
    if name not in experiments():
        raise UnknownName(f"no experiment is called {name}: {nearest(name, experiments())}")
    return experiments()[name]


def write(result: Result, name: str, folder: Path) -> list[Path]:
    """Write what was found into a folder, every file whole or not at all."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as refused:
        raise Unsuitable(f"{folder} cannot be written: {refused.strerror}") from None
    texts = {
        "csv": result.table.csv(),
        "md": result.table.markdown() + "\n" + "\n".join(result.words) + "\n",
        "svg": result.plot,
    }
    files = {f"{name}.{kind}": text for kind, text in texts.items() if text} | result.files
    for file, text in files.items():
        save(folder / file, text)
    return [folder / file for file in files]


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def columns(rows: Sequence[Sequence[Any]], head: Sequence[str]) -> str:
    """A table for a terminal."""
    texts = [list(head), *([_cell(value) for value in row] for row in rows)]
    widths = [max(len(row[i]) for row in texts) for i in range(len(head))]
    return "\n".join("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in texts)
