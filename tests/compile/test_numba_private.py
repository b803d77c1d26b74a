"""Standing on Numba: what is private in it is used in one file, and everything works where it has changed."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest
from processes import kept, run

import zermelo
from marks import some_slow
from zermelo.compile import numba_private
from zermelo.compile.numba_private import CALLS, KEEPING, LINKING, NAMES, PARTS, PASSES, RECURSION

HERE = Path(__file__).parent
SOURCES = sorted(Path(zermelo.__file__).parent.rglob("*.py"))

PUBLIC = {"numba", "numba.types", "numba.extending", "llvmlite", "llvmlite.ir", "llvmlite.binding"}
PRIVATE_WORDS = re.compile(
    r"numba\.core|numba\._(?!_)|_dynfunc|_dispatcher|CPUCodeLibrary|CPUContext|CompileResult|FunctionIdentity|rtsys"
    r"|\b_unique_ids\b|\b_final_module\b|\b_finalized\b|\._cache\b|\._rebuild\b|\._reduce\b|\._insert\b|\.overloads\b"
    r"|\b_compile_for_args\b|\bno_cpython_wrapper\b|\bno_cfunc_wrapper\b|load_overload|save_overload"
)


def imports(tree: ast.AST) -> list[str]:
    """The modules and names that a file imports, written with dots."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [str(node.module)] + [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def test_nothing_else_uses_what_is_private() -> None:
    found = []
    for file in SOURCES:
        text = file.read_text()
        found += [(file.name, word) for word in PRIVATE_WORDS.findall(text)]
        for name in imports(ast.parse(text)):
            top, _, last = name.rpartition(".")
            public = name in PUBLIC or (top in PUBLIC and not last.startswith("_"))
            if name.partition(".")[0] in ("numba", "llvmlite") and not public:
                found.append((file.name, name))
    assert {file for file, _ in found} == {"numba_private.py", "numba_quick.py"}, found


def test_all_tricks_suit_the_numba_that_is_installed() -> None:
    all_of_them = {NAMES, PARTS, RECURSION, LINKING, KEEPING, PASSES, CALLS}
    assert numba_private.working() == set(numba_private.TRICKS) == all_of_them


CHANGES = {
    "": "",
    NAMES: """
from numba.core.bytecode import FunctionIdentity
FunctionIdentity._unique_ids = iter(range(1, 10**9))
""",
    PARTS: """
from numba.core.dispatcher import _DispatcherBase as C
C._compile_for_args = lambda self, *args, usual=C._compile_for_args, **kws: usual(self, *args, **kws)
""",
    RECURSION: """
from numba.core.codegen import CPUCodeLibrary as C
C._optimize_final_module = lambda self, usual=C._optimize_final_module: usual(self)
""",
    LINKING: """
from numba.core.cpu import CPUContext as C
C.get_executable = lambda self, library, fndesc, env, usual=C.get_executable: usual(self, library, fndesc, env)
""",
    KEEPING: """
from numba.core.compiler import CompileResult as C
C._reduce = lambda self, usual=C._reduce: usual(self)
""",
    PASSES: """
from numba.core.typed_passes import InlineOverloads as C
C.__name__ = "InlineWhatIsOverloaded"
""",
    CALLS: """
from numba.core import types
types.Function.get_call_type = lambda self, context, arguments, kws, usual=types.Function.get_call_type: usual(
    self, context, arguments, kws
)
""",
}
"""Numba as it might be one day: the same things done by functions of another shape, or name."""
LOST = {
    "": set(),
    NAMES: {NAMES, KEEPING},  # different functions of the same name must not meet
    PARTS: {PARTS},
    RECURSION: {RECURSION, LINKING},  # an open cell is only filled by what is loaded on its own
    LINKING: {LINKING},
    KEEPING: {KEEPING},
    PASSES: {PASSES},
    CALLS: {CALLS},
}
KEPT = {"": 2, NAMES: 0, PARTS: 2, RECURSION: 1, LINKING: 2, KEEPING: 0, PASSES: 2, CALLS: 2}
"""How many of two kernels, one of which has functions that call each other, are kept."""

ASK = """
import json, warnings
warnings.simplefilter("always")
said = []
warnings.showwarning = lambda message, *_: said.append(str(message))
{change}
import numba
from zermelo.compile import numba_private
from zermelo.compile.cache import ready
from zermelo.compile.native import native
from zermelo.rules import rule

@rule
def triangle(n):
    return 0 if n <= 0 else n + triangle(n - 1)

@rule
def even(n):
    return True if n == 0 else odd(n - 1)

@rule
def odd(n):
    return False if n == 0 else even(n - 1)

def entry(rule):
    part = native(rule)
    def kernel(n):
        return part(n)
    return ready(kernel, rule.__name__, (numba.int64,), (kernel,))

one, other = entry(triangle), entry(even)
answers = [one(100), *(bool(other(n)) for n in range(4))]
print(json.dumps([answers, sorted(numba_private.working()), said]))
"""


@pytest.mark.parametrize("changed", some_slow(CHANGES, (NAMES, PARTS, LINKING, PASSES, CALLS)))
def test_each_trick_can_be_missing(tmp_path: Path, changed: str) -> None:
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o700)
    code = ASK.format(change=CHANGES[changed])
    seen: list[Any] = []
    for _ in range(2):  # the second process finds what the first kept
        answers, working, said = json.loads(run(code, folder, cwd=HERE))
        assert answers == [5050, True, False, True, False]
        assert set(working) == set(numba_private.TRICKS) - LOST[changed]
        assert len(said) == bool(LOST[changed])
        assert all("ordinary, slower way" in sentence for sentence in said)
        seen.append(kept(folder))
    assert seen[0] == seen[1]
    assert len(seen[0]) == KEPT[changed]


SEARCH = """
from tiny import tiny
from zermelo import solve
from zermelo.compile import numba_private
found = solve(tiny(5), method="mtdf", mode="compiled")
print(len(numba_private.working()), found.value, found.nodes, found.best)
"""


@pytest.mark.slow
def test_a_search_without_any_trick(tmp_path: Path) -> None:
    folders = tmp_path / "usual", tmp_path / "bare"
    usual = run(SEARCH, folders[0], cwd=HERE).split(" ", 1)
    bare = run("".join(CHANGES.values()) + SEARCH, folders[1], cwd=HERE).split(" ", 1)
    assert (usual[0], bare[0]) == (str(len(numba_private.TRICKS)), "0")
    assert usual[1] == bare[1]
    assert [folder.exists() for folder in folders] == [True, False]


OTHER_TYPES = """
import numba
from zermelo.compile.cache import ready
from zermelo.compile.native import native
from zermelo.rules import RuleError, rule

@rule
def down(n, step):
    return 0.0 if n <= 0 else up(n - 1, step)

@rule
def up(n, step):
    return 1.0 if n <= 0 else down(n - 1, step + 0.5)

part = native(down)
def kernel(n, step):
    return part(n, step)
try:
    ready(kernel, "types", (numba.int64, numba.int64), (kernel,))
except RuleError as error:
    print(error)
"""


def test_functions_that_call_each_other_with_other_types(tmp_path: Path) -> None:
    assert "other types than they were called with" in run(OTHER_TYPES, tmp_path / "cache", cwd=HERE)
    assert not (tmp_path / "cache").exists()


ADDRESSES = """
import numpy, warnings
warnings.simplefilter("always")
said = []
warnings.showwarning = lambda message, *_: said.append(str(message))
from zermelo.compile.arrays import on_arrays

large, gaps = numpy.arange(200_000), numpy.arange(10)[::3]

@on_arrays
def from_large(n):
    return large[n]

@on_arrays
def from_gaps(n):
    return gaps[n]

print(from_large(123_456), from_gaps(2), len(said), "address of an array" in said[0])
"""


@pytest.mark.slow
def test_code_with_addresses_of_this_process_is_not_kept(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    for _ in range(2):
        assert run(ADDRESSES, folder, cwd=HERE) == "123456 6 2 True"
        assert not folder.exists()
