"""The rules of a game as one hash, so that a certificate can tell whether it is about the same game.

The hash is taken of what people wrote: the sources of `moves`, `play`, `result`, `stuck`, `turn` and of a repetition
rule, without comments and layout, and of everything that they refer to: other rules, numbers, arrays. So it is the same
on every machine, whatever compiles the rules. Hooks that only help searches are not part of it.
"""

from __future__ import annotations

import hashlib
import inspect
import io
import textwrap
import tokenize
from functools import lru_cache
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MethodDescriptorType, ModuleType
from typing import Any

import numpy as np

from zermelo.rules import Game
from zermelo.rules.hooks import HOOKS

_SILENT = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
_LIBRARIES = {"numpy", "math", "builtins"}
BINDING = [hook for hook in HOOKS.values() if hook.binding]
"""In the order in which they are read, on which the hash depends; the trait repetition comes before them."""

LATER = ("stuck", "repeatable")
"""Hooks that are younger than the first certificates, whose games have none of them."""


@lru_cache(maxsize=64)
def fingerprint(game: Game, hooks: tuple[str, ...] = ()) -> str:
    """A hash of the rules of a game with its parameters, and of the position that it starts from; and of more hooks,
    if what the hash is kept with depends on them."""
    digest = hashlib.sha256()
    walk = _Reading(digest)
    fields = {name: str(field) for name, field in game.State.fields.items()} if game.State else None
    traits = (game.name, fields, tuple(map(float, game.values)), game.folds)
    digest.update(repr(traits).encode())
    walk.read(game.repetition)
    for hook in BINDING:
        if hook.name not in LATER or getattr(game, hook.name) is not None:
            walk.read(getattr(game, hook.name))
    for name in hooks:
        walk.read(getattr(game, name))
    if game.State is not None:
        digest.update(game.start.tobytes())
    elif hasattr(game.start, "key"):
        walk.read([type(game.start), repr(game.start.key())])
    else:  # the rules of a library: what was asked of it has to do
        walk.read(sorted((str(name), value) for name, value in game.parameters.items()))
    return digest.hexdigest()[:32]


class _Reading:
    """One run through functions and what they refer to, each once."""

    def __init__(self, digest: Any) -> None:
        self.digest = digest
        self.seen: dict[int, int] = {}

    def say(self, text: str) -> None:
        self.digest.update(text.encode() + b"\0")

    def read(self, value: Any) -> None:
        if isinstance(value, (FunctionType, type, tuple, list, dict)):
            if id(value) in self.seen:
                self.say(f"seen {self.seen[id(value)]}")
                return
            self.seen[id(value)] = len(self.seen)
        if isinstance(value, FunctionType):
            self.function(value)
        elif isinstance(value, (tuple, list)):
            self.say(f"{len(value)} of")
            for item in value:
                self.read(item)
        elif isinstance(value, dict):
            self.read(sorted((str(name), item) for name, item in value.items()))
        elif isinstance(value, np.ndarray):
            self.say(f"{value.dtype} {value.shape}")
            self.digest.update(np.ascontiguousarray(value).tobytes())
        elif isinstance(value, (np.generic, bool, int, float, str, bytes, type(None))):
            plain = value.item() if isinstance(value, np.generic) else value
            self.say(repr(plain))
        elif isinstance(value, type) and value.__module__.partition(".")[0] not in _LIBRARIES:
            self.say(_source(value) or value.__qualname__)
        elif isinstance(value, (type, ModuleType, BuiltinFunctionType, MethodDescriptorType)):
            self.say(value.__name__)
        else:
            self.say(type(value).__name__)

    def function(self, function: FunctionType) -> None:
        text = _source(function)
        self.say(text if text is not None else function.__code__.co_code.hex())
        if text is None:
            self.read([c for c in function.__code__.co_consts if not isinstance(c, CodeType)])
        self.read(function.__defaults__)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            self.say(name)
            if cell != CellType():
                self.read(cell.cell_contents)
        names = sorted(_names(function.__code__))
        for name in names:
            if name in function.__globals__:
                self.say(name)
                self.read(function.__globals__[name])
                self.within(function.__globals__[name], names)

    def within(self, module: Any, names: list[str]) -> None:
        """What a function may take out of a module by these names."""
        if isinstance(module, ModuleType) and module.__name__.partition(".")[0] not in _LIBRARIES:
            for name in names:
                if name in vars(module):
                    self.say(name)
                    self.read(vars(module)[name])


def _names(code: CodeType) -> set[str]:
    """The names that a function, and those within it, may look up globally."""
    inner = [_names(constant) for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*inner)


def _source(thing: Any) -> str | None:
    """The words of a source text; None where it cannot be had."""
    try:
        text = textwrap.dedent(inspect.getsource(thing))
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        return " ".join(token.string for token in tokens if token.type not in _SILENT)
    except (OSError, TypeError, SyntaxError, tokenize.TokenError):
        return None
