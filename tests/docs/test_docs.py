"""The documentation is run: what a page shows is what happens.

Every page gets an empty folder and one namespace, and its blocks are taken in order:

    ```python               is executed; with >>> it is a doctest
    ```python file=x.py     is written into the folder (```json file=x.json likewise)
    ```console              lines that begin with `$ zermelo` or `$ printf '…' | zermelo` are run; the lines below
                            are what they print, … standing for anything. `exit=1` if they are to fail, `needs=x`
                            if they need the module x.

Node counts and timings in an `effort` line are not compared: tuning a search must not break its description. Nor is
whether a search whose mode nobody forced was done before it was worth compiling.
Other blocks are only read.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib
import importlib.util
import io
import linecache
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import zermelo
from marks import some_slow
from zermelo import games
from zermelo.cli import main
from zermelo.methods.registry import methods

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.glob("*.md"))]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]

_BLOCK = re.compile(r"^```(?P<kind>\w*)(?P<marks>[^\n`]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?!https?:)(?P<file>[^)#\s]*)(?:#(?P<section>[^)\s]*))?\)")


class Block(NamedTuple):
    """A fenced block of a page: what it is, how it is marked, what it holds and where it begins."""

    kind: str
    marks: dict[str, str]
    body: str
    line: int


def blocks(text: str) -> Iterator[Block]:
    for found in _BLOCK.finditer(text):
        marks = dict(mark.split("=") for mark in found["marks"].split() if "=" in mark)
        yield Block(found["kind"], marks, found["body"], text.count("\n", 0, found.start("body")))


class Reader:
    """Somebody who tries out everything that a page says."""

    def __init__(self, page: str, folder: Path) -> None:
        self.page, self.folder = page, folder
        self.names: dict[str, Any] = {"__name__": "page"}

    def try_out(self, block: Block) -> None:
        if importlib.util.find_spec(block.marks.get("needs", "zermelo")) is None:
            return
        if "file" in block.marks:
            (self.folder / block.marks["file"]).write_text(block.body)
            self._forget_modules()
        elif block.kind == "python" and ">>>" in block.body:
            self._compare_examples(block)
        elif block.kind == "python":
            code = "\n" * block.line + block.body
            exec(compile(code, self.page, "exec"), self.names)
        elif block.kind == "console":
            for command, expected in commands(block.body):
                self._run(command, expected, int(block.marks.get("exit", 0)))

    def _forget_modules(self) -> None:
        """A file that a page writes again is a new one, even within the same second."""
        for name, module in list(sys.modules.items()):
            if Path(getattr(module, "__file__", None) or "/").parent == self.folder:
                del sys.modules[name]
        importlib.invalidate_caches()
        linecache.clearcache()

    def _compare_examples(self, block: Block) -> None:
        test = doctest.DocTestParser().get_doctest(block.body, self.names, self.page, self.page, block.line)
        said = io.StringIO()
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        runner.run(test, out=said.write, clear_globs=False)
        self.names.update(test.globs)
        assert runner.summarize(verbose=False).failed == 0, said.getvalue()

    def _run(self, command: str, expected: list[str], exit_code: int) -> None:
        typed, words = arguments(command)
        if words is None:
            return
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            before, sys.stdin = sys.stdin, io.StringIO(typed)
            try:
                main(words)
            except SystemExit as ended:
                code = int(ended.code or 0)
            finally:
                sys.stdin = before
        found = [line.rstrip() for line in printed.getvalue().strip("\n").splitlines()]
        shown = "\n".join(found)
        assert code == exit_code, f"{self.page}: {command} exits with {code}:\n{shown}"
        assert not expected or agree(expected, found), f"{self.page}: {command} prints\n{shown}"


def commands(body: str) -> Iterator[tuple[str, list[str]]]:
    """The commands of a console block, each with the lines shown below it."""
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, *output = part.rstrip().splitlines()
        yield command, [line.rstrip() for line in output]


def arguments(command: str) -> tuple[str, list[str] | None]:
    """What is typed into a command, and its arguments; None if it is not one of ours."""
    words = shlex.split(command, comments=True)
    typed = ""
    if words[0] == "printf" and "|" in words:
        typed = words[1].replace("\\n", "\n")
        words = words[words.index("|") + 1 :]
    return typed, words[1:] if words[0] == "zermelo" else None


def agree(expected: list[str], found: list[str]) -> bool:
    """Whether the lines are as shown; a line that is only … stands for any number of lines."""
    if not expected:
        return not found
    if expected[0].strip() == "…":
        return any(agree(expected[1:], found[i:]) for i in range(len(found) + 1))
    return bool(found) and alike(expected[0], found[0]) and agree(expected[1:], found[1:])


def alike(expected: str, found: str) -> bool:
    if found.startswith("effort "):  # differs from machine to machine and from version to version
        expected, found = (re.sub(r"[\d.,]+( thousand| million| billion)?", "#", line) for line in (expected, found))
    if found.startswith("run ") and expected.startswith("run      compiled"):  # it may not have been worth while
        expected, found = (re.sub(r"compiled|interpreted|; .* before$", "", line) for line in (expected, found))
    return re.fullmatch(re.escape(expected).replace("…", ".*"), found) is not None


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    monkeypatch.delenv("COLUMNS", raising=False)
    return tmp_path


LONG = (
    "a-game-with-dice", "a-game-with-loops", "certificates", "compare", "difficulty", "expectation", "games",
    "how-do-i", "matches", "mcts", "proof-graphs", "sparse-sampling", "tuning", "write-a-game",
)  # fmt: skip
"""Pages whose games are compiled for them alone, and those that play or sample a lot."""


@pytest.mark.parametrize("page", some_slow(NAMES, [f"docs/{name}.md" for name in LONG]))
def test_what_a_page_shows_is_what_happens(page: str, folder: Path) -> None:
    reader = Reader(page, folder)
    for block in blocks((ROOT / page).read_text()):
        reader.try_out(block)


def _with_examples() -> list[str]:
    """The modules whose texts hold examples."""
    top = Path(zermelo.__file__).parent
    holding = [file for file in top.rglob("*.py") if re.search(r"^ *>>> ", file.read_text(), re.MULTILINE)]
    files = [file.relative_to(top.parent) for file in holding]
    return sorted(".".join(file.with_suffix("").parts).removesuffix(".__init__") for file in files)


@pytest.mark.parametrize("name", _with_examples())
def test_the_examples_in_docstrings_hold(name: str) -> None:
    outcome = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert outcome.attempted
    assert not outcome.failed


@pytest.mark.parametrize("page", NAMES)
def test_links_lead_somewhere(page: str) -> None:
    text = _BLOCK.sub("", (ROOT / page).read_text())
    for link in _LINK.finditer(text):
        target = (ROOT / page).parent / link["file"] if link["file"] else ROOT / page
        assert target.exists(), f"{page} links to {link['file']}, which does not exist"
        if link["section"]:
            assert link["section"] in sections(target), f"{page} links to {link[0]}"


def sections(page: Path) -> set[str]:
    """The anchors of a page's headings, as they are commonly made."""
    headings = re.findall(r"^#+ (.*)$", _BLOCK.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def test_every_method_has_a_page_that_names_its_source() -> None:
    for name, method in methods().items():
        page = (DOCS / f"{name}.md").read_text()
        for year in re.findall(r"\d{4}", method.source):
            assert year in page, f"docs/{name}.md does not name the source of {year}"


def test_every_game_is_described() -> None:
    described = sections(DOCS / "games.md")
    assert described >= set(games.names())


def test_pages_speak_of_no_machine() -> None:
    for page in PAGES:
        assert not re.search(r"/(home|root|tmp|work)/", page.read_text()), f"{page.name} names a path of one machine"
