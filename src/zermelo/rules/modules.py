"""Modules that people write: found by name or by file, and which of their functions make games.

A file is imported as if Python had been started in its folder, so that the files beside it can be imported too. Its
module has a name of its own, made from the whole path: two files that are called alike in two folders are two modules.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.util
import inspect
import linecache
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from zermelo.rules.errors import UnknownName, ZermeloError, nearest
from zermelo.rules.files import read_bytes
from zermelo.rules.game import Game

_folders: set[Path] = set()
"""Where files were imported from."""


def module_named(name: str) -> ModuleType:
    """A module, looked for where Python looks and in the current folder."""
    _look_in(os.getcwd())
    with _importing(name):
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as missing:
            if missing.name is not None and f"{name}.".startswith(f"{missing.name}."):
                raise UnknownName(f"no module {name} here: {name}.py must be in this folder") from None
            raise


def module_in(file: str) -> ModuleType:
    """The module that a file holds, as the file is now."""
    path = Path(file).expanduser().resolve()
    source = read_bytes(path, shown=file)
    name = f"{re.sub(r'[^A-Za-z0-9_]', '_', path.stem)}_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    known = sys.modules.get(name)
    if known is not None and vars(known).get("__source__") == source:
        return known
    _forget_namesakes(path.parent)
    _look_in(str(path.parent), first=True)
    _folders.add(path.parent)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    vars(module)["__source__"] = source
    linecache.checkcache(str(path))
    sys.modules[name] = module
    try:
        with _importing(file):
            exec(compile(source, str(path), "exec", dont_inherit=True), vars(module))  # not what an older run has kept
    except BaseException:
        del sys.modules[name]
        raise
    return module


def factory_in(module: ModuleType, name: str, shown: str) -> Callable[..., Game]:
    """A function of a module that makes a game; without a name the only one. `shown`: what the person calls it."""
    known = factories(module)
    if not name:
        if len(known) == 1:
            return vars(module)[known[0]]  # type: ignore[no-any-return]
        if not known:
            raise UnknownName(f"{shown} has no factory: a function that returns a Game, such as def game() -> Game")
        raise UnknownName(f"{shown} has several factories, {', '.join(known)}: say which, such as {shown}:{known[0]}")
    made: Any = getattr(module, name, None)
    if name not in known and not _could_make_a_game(made):
        raise UnknownName(f"{shown} has no factory {name}: {nearest(name, known)}")
    return made  # type: ignore[no-any-return]


def factories(module: ModuleType) -> list[str]:
    """The functions of a module that can make a game: those that say so, or else those that say nothing."""
    own = {
        name: function
        for name, function in vars(module).items()
        if isinstance(function, FunctionType) and function.__module__ == module.__name__
        and not name.startswith("_") and not hasattr(function, "is_rule")
    }  # fmt: skip
    returned = {name: function.__annotations__.get("return", inspect.Signature.empty) for name, function in own.items()}
    saying = [name for name, kind in returned.items() if _is_game(kind)]
    return saying or [name for name, kind in returned.items() if kind is inspect.Signature.empty]


def _is_game(annotation: Any) -> bool:
    if isinstance(annotation, str):
        return annotation.strip("\"' ").rpartition(".")[2] == Game.__name__
    return isinstance(annotation, type) and issubclass(annotation, Game)


def _could_make_a_game(made: Any) -> bool:
    """Whether something that was imported, or made by another function, may be a factory: unless it says otherwise."""
    if not callable(made) or hasattr(made, "is_rule"):
        return False
    try:
        returned = inspect.signature(made).return_annotation
    except ValueError:
        return False
    return returned is inspect.Signature.empty or _is_game(returned)


@contextlib.contextmanager
def _importing(shown: str) -> Iterator[None]:
    """Whatever goes wrong while a person's module is imported is said in one sentence."""
    try:
        yield
    except ZermeloError:
        raise
    except ModuleNotFoundError as missing:
        raise UnknownName(f"{shown} cannot be imported: {missing}") from None
    except (Exception, SystemExit) as broken:
        raise UnknownName(f"{shown} cannot be imported: {type(broken).__name__}: {broken}") from broken


def _look_in(folder: str, first: bool = False) -> None:
    """Let Python look for modules in a folder too."""
    if first and folder in sys.path:
        sys.path.remove(folder)
    if folder not in sys.path:
        sys.path.insert(0, folder)


def _forget_namesakes(folder: Path) -> None:
    """Modules of another file's folder that are called like some of this one: they are not the ones to be imported."""
    for name, module in list(sys.modules.items()):
        held = Path(getattr(module, "__file__", None) or "/")
        top = name.partition(".")[0]
        elsewhere = (_folders - {folder}).intersection(held.parents)
        if elsewhere and ((folder / f"{top}.py").exists() or (folder / top).is_dir()):
            del sys.modules[name]
