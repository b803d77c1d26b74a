"""The fingerprint of a kernel changes with everything that its machine code depends on, and with nothing else."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from processes import run

from tiny import tiny
from zermelo import games
from zermelo.compile.fingerprint import fingerprint
from zermelo.compile.modes import Compiled
from zermelo.core.method import PLAIN, Options, build, fit
from zermelo.methods.registry import method_named, methods
from zermelo.rules import Game, rule, u64

HERE = Path(__file__).parent
LISTED = [name for name in games.names() if name not in ("graph", "openspiel")]


def rules_of(game: Game) -> str:
    return fingerprint((game.moves, game.play, game.result, game.turn, game.key, game.evaluate, game.bounds))


def kernel_of(game: Game, method: str = "alphabeta", options: Options = PLAIN) -> str:
    return fingerprint(build(method_named(method), game, Compiled(), fit(options, game), int))


def test_two_builds_of_a_game_are_the_same() -> None:
    assert rules_of(tiny()) == rules_of(tiny())
    assert kernel_of(tiny()) == kernel_of(tiny())
    for name in LISTED:
        assert rules_of(games.load(name)) == rules_of(games.load(name))


def test_a_parameter_counts() -> None:
    assert rules_of(tiny(most=2)) != rules_of(tiny(most=3))
    assert kernel_of(tiny(most=2)) != kernel_of(tiny(most=3))
    sizes = [{"width": 5, "height": 4}, {"width": 4, "height": 5}, {"width": 5, "height": 4, "distance": True}]
    assert len({rules_of(games.connect_four(**size)) for size in sizes}) == 3


def test_methods_and_options_count() -> None:
    everything = [PLAIN, Options(), Options(etc=True), Options(iid=True), Options(knowledge=False)]
    found = [kernel_of(tiny(), "alphabeta", options) for options in everything]
    others = [method for method in methods().values() if method.kernel and method.name != "alphabeta"]
    found += [kernel_of(tiny(), method.name, method.options) for method in others]
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 2), (1, 1.0), (1, True), (u64(1), 1), (u64(1), u64(2)), (1.5, 1.25), ((1, 2), (2, 1)), ((1, 2), (1, 2, 3)),
        ((1, (2, 3)), ((1, 2), 3)), (np.arange(3), np.arange(3)[::-1]), (np.arange(3), np.arange(3.0)),
        (np.zeros((2, 3)), np.zeros((3, 2))), ("a", "b"), (b"a", "a"), (None, 0), (-1, -2), (2**61 - 1, 0),
    ],
)  # fmt: skip
def test_a_captured_constant_counts(one: Any, other: Any) -> None:
    def capturing(constant: Any) -> Any:
        @rule
        def holds(s):
            return constant

        return holds

    assert fingerprint(capturing(one)) == fingerprint(capturing(one))
    assert fingerprint(capturing(one)) != fingerprint(capturing(other))


def test_code_and_defaults_count() -> None:
    def functions(bonus: int) -> list[Any]:
        return [
            lambda s: s.a, lambda s: s.b, lambda s: s.a + 1, lambda s: s.a + 2, lambda s: 1 + s.a,
            lambda s, more=bonus: s.a + more, lambda s: s.a in {1, 2}, lambda s: s.a in {1, 3},
        ]  # fmt: skip

    found = [fingerprint(function) for function in functions(1)] + [fingerprint(functions(2)[5])]
    assert len(set(found)) == len(found)


def test_rules_that_call_each_other_have_one() -> None:
    @rule
    def even(n):
        return n == 0 or odd(n - 1)

    @rule
    def odd(n):
        return n != 0 and even(n - 1)

    assert fingerprint(even) != fingerprint(odd)


# Modules of the test's own, written anew between two imports.


class Workshop:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, **modules: str) -> None:
        for name, text in modules.items():
            (self.folder / f"{name}.py").write_text(text)

    def load(self, name: str) -> ModuleType:
        for module in [m for m, found in sys.modules.items() if self.owns(found)]:
            del sys.modules[module]
        sys.path_importer_cache.clear()
        importlib.invalidate_caches()
        return importlib.import_module(name)

    def owns(self, module: ModuleType) -> bool:
        return str(getattr(module, "__file__", None) or "").startswith(str(self.folder))


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workshop]:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    here = Workshop(tmp_path)
    yield here
    for module in [m for m, found in sys.modules.items() if here.owns(found)]:
        del sys.modules[module]


HELPERS = """
from collections import namedtuple
from enum import IntEnum
from zermelo.rules import rule
WORTH = 3
class Piece(IntEnum):
    PAWN = 1
    ROOK = 5
Pair = namedtuple("Pair", "low high")
PAIR = Pair(1, 2)
@rule
def deepest(x):
    return x + 10
@rule
def deeper(x):
    return deepest(x)
def unused(x):
    return 1
"""

USES = {
    "a rule by name": "from workshop_helpers import deeper\ndef uses(s): return deeper(s.a)\n",
    "a constant by name": "from workshop_helpers import WORTH\ndef uses(s): return s.a + WORTH\n",
    "a constant in a module": "import workshop_helpers\ndef uses(s): return s.a + workshop_helpers.WORTH\n",
    "an enumeration": "from workshop_helpers import Piece\ndef uses(s): return s.a == Piece.ROOK\n",
    "an enumeration in a module": "import workshop_helpers as h\ndef uses(s): return s.a == h.Piece.ROOK\n",
    "a named tuple": "from workshop_helpers import PAIR\ndef uses(s): return s.a + PAIR.low\n",
}


@pytest.mark.parametrize(
    ("use", "old", "new"),
    [
        ("a rule by name", "x + 10", "x + 11"),
        ("a constant by name", "WORTH = 3", "WORTH = 4"),
        ("a constant in a module", "WORTH = 3", "WORTH = 4"),
        ("an enumeration", "ROOK = 5", "ROOK = 6"),
        ("an enumeration in a module", "ROOK = 5", "ROOK = 6"),
        ("a named tuple", "low high", "high low"),
        ("a named tuple", "Pair(1, 2)", "Pair(3, 2)"),
    ],
)
def test_a_change_in_another_module_counts(workshop: Workshop, use: str, old: str, new: str) -> None:
    workshop.write(workshop_helpers=HELPERS, workshop_game=USES[use])
    before = fingerprint(workshop.load("workshop_game").uses)
    assert fingerprint(workshop.load("workshop_game").uses) == before
    assert old in HELPERS
    workshop.write(workshop_helpers=HELPERS.replace(old, new))
    assert fingerprint(workshop.load("workshop_game").uses) != before


@pytest.mark.parametrize("use", USES)
def test_what_is_not_used_does_not_count(workshop: Workshop, use: str) -> None:
    workshop.write(workshop_helpers=HELPERS, workshop_game=USES[use])
    before = fingerprint(workshop.load("workshop_game").uses)
    workshop.write(workshop_helpers="\n# Moved down.\n" + HELPERS.replace("return 1", "return 2"))
    assert fingerprint(workshop.load("workshop_game").uses) == before


PRINT = """
from test_fingerprint import LISTED, games, kernel_of, rules_of
from tiny import tiny
for name in LISTED:
    print(name, rules_of(games.load(name)))
for method in ("alphabeta", "boolean", "mtdf"):
    print(method, kernel_of(tiny(), method))
"""


def test_processes_agree(tmp_path: Path) -> None:
    found = {
        run(PRINT, tmp_path, cwd=HERE, PYTHONHASHSEED=seed, PYTHONDONTWRITEBYTECODE=frozen)
        for seed, frozen in (("1", "1"), ("2", ""))
    }
    assert len(found) == 1
    (lines,) = found
    assert f"tic-tac-toe {rules_of(games.tic_tac_toe())}" in lines
    assert f"mtdf {kernel_of(tiny(), 'mtdf')}" in lines
