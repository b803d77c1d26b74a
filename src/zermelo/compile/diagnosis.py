"""Why a rule does not compile, in plain words: which rule, which line, and what is likely wrong with it."""

from __future__ import annotations

import inspect
import linecache
import re
from typing import Any

from zermelo.compile.native import native
from zermelo.rules import Game, RuleError

_CAUSES = (
    (r"Untyped global name '([^']*)'", "{0} is not a number, a tuple of numbers, an array or a function marked @rule"),
    (r"Cannot determine Numba type of <class 'function'>", "it calls a function that is not marked @rule"),
    (r"NameError: name '([^']*)' is not defined", "the name {0} is not defined"),
    (r"Field '([^']*)' was not found in record|Unknown attribute '([^']*)'", "the state has no field {0}"),
    (r"Cannot unify (.*?) and (.*?) for '([^']*)'", "the variable {2} is sometimes {0} and sometimes {1}: keep one type"),
    (r"Can't unify return type", "its return statements give values of different types"),
    (r"unsupported opcode|Unsupported opcode|does not support|not supported", "it uses a statement that has no compiled form (try, with, yield, import and the like)"),
    (r"missing \d+ required|too many positional|takes \d+ positional|got an unexpected", "it is called with the wrong number of arguments"),
    (r"(unicode_type|reflected list|DictType|reflected set)", "it uses a text, list, dict or set: rules work on numbers, fields and arrays only"),
    (r"Invalid use of|No implementation of function|non-precise type|No conversion", "an operation on this line does not exist for these types (a u64 mixed with a signed number or a float?)"),
)  # fmt: skip


def explain(game: Game, error: Exception) -> RuleError:
    """The error of compiling a search as an error of the rule that is to blame."""
    import numba

    assert game.State is not None
    state = numba.from_dtype(game.State.dtype)
    buffer = numba.types.Array(numba.int32, 1, "C")
    number = numba.int64
    signatures: dict[str, tuple[Any, ...]] = {
        "moves": (state, buffer),
        "candidates": (state, buffer),
        "play": (state, number),
        "result": (state,),
        "turn": (state,),
        "horizon": (state,),
        "weight": (state, number),
        "evaluate": (state,),
        "order": (state, number),
        "key": (state,),
        "symmetry": (state,),
        "bounds": (state,),
    }
    for name, signature in signatures.items():
        rule = getattr(game, name, None)
        if rule is None:
            continue
        try:
            native(rule).compile(signature)
        except Exception as found:
            return _blame(game, name, rule, found)
    return RuleError(f"{game.name}: the rules cannot be compiled together: {_first_line(error)}")


def _blame(game: Game, name: str, rule: Any, error: Exception) -> RuleError:
    message = str(error)
    file = inspect.getsourcefile(rule) or rule.__code__.co_filename
    lines = [int(n) for f, n in re.findall(r'File "([^"]+)", line (\d+)', message) if file.endswith(f.lstrip("."))]
    where = f"line {lines[-1]} of {file}" if lines else file
    source = linecache.getline(file, lines[-1]).strip() if lines else ""
    shown = f" ({source})" if source else ""
    return RuleError(f"{game.name}: rule {name} cannot be compiled at {where}{shown}: {_cause(message)}")


def _cause(message: str) -> str:
    for pattern, words in _CAUSES:
        found = re.search(pattern, message)
        if found:
            return words.format(*(group or "" for group in found.groups() or ("",)))
    return _first_line(Exception(message))


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    useful = [line for line in lines if not line.startswith(("Failed in", "During:", "File ", "<source"))]
    return (useful or lines or [type(error).__name__])[0]


def raised(game: Game, error: Exception) -> RuleError:
    """A rule raised while it ran: say which exception, and what usually causes it."""
    hint = " (an index outside an array field, or a move buffer that is too small)" if isinstance(error, IndexError) else ""
    return RuleError(f"{game.name}: a rule raised {type(error).__name__}: {error}{hint}")


def too_many_moves(game: Game, count: int) -> RuleError:
    return RuleError(
        f"{game.name}: rule moves wrote {count} moves where max_moves = {game.max_moves} are declared; raise max_moves"
    )


