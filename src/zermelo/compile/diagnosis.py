"""Why a rule does not compile or raises, in plain words: which rule, which line, and what is likely wrong with it.

Numba is asked about one rule after another; the first that it refuses, or that returns something else than its
caller needs, is to blame. What the rule itself shows to be wrong (a name without a value, a field that the state does
not have, the number of arguments) is said at once; for the rest Numba's complaint is put into words.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import dis
import inspect
import linecache
import re
import textwrap
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from types import FunctionType
from typing import Any, NamedTuple

from zermelo.compile.native import native
from zermelo.rules import Game, RuleError, Struct, ZermeloError, nearest
from zermelo.rules.hooks import Hook, Kind, compiled_of


class Fault(NamedTuple):
    """What is wrong, in which function, and on which line, if that is known."""

    function: Any
    line: int | None
    cause: str


def explain(game: Game, error: Exception) -> RuleError:
    """The error of compiling a search as an error of the rule that is to blame."""
    for hook in compiled_of(game):
        rule = hook.own(game)
        fault = None if rule is None else _fault(game, rule, hook)
        if fault is not None:
            return _sentence(game, rule, hook.name, fault)
    return RuleError(f"{game.name}: the rules cannot be compiled together: {_cause(str(error))}")


def _fault(game: Game, rule: Any, hook: Hook) -> Fault | None:
    """What is wrong with one rule, None if nothing is."""
    import numba

    assert game.State is not None
    if not isinstance(rule, FunctionType):
        return Fault(rule, None, "it is not a plain function written with def and marked @rule")
    most = rule.__code__.co_argcount
    if not most - len(rule.__defaults__ or ()) <= len(hook.arguments) <= most:
        taken = ", ".join(rule.__code__.co_varnames[:most])
        return Fault(rule, None, f"it takes ({taken}), but is called with ({', '.join(hook.arguments)})")
    state = numba.from_dtype(game.State.dtype)
    kinds = {
        "s": state,
        "out": numba.types.Array(numba.int32, 1, "C"),
        "path": numba.types.Array(state, 1, "C"),
    }
    try:
        twin = native(rule)
        twin.compile(tuple(kinds.get(name, numba.int64) for name in hook.arguments))
    except Exception as refused:
        functions = list(_reachable(rule))
        return _evident(functions, game, refused) or _translated(functions, refused)
    returned = twin.nopython_signatures[-1].return_type
    if fits(returned, hook.kind):
        return None
    if isinstance(returned, numba.types.Generator):
        return _statement(rule) or Fault(rule, None, "it uses yield, which has no compiled form")
    given = "nothing" if returned is numba.types.none else _words(str(returned))
    if isinstance(returned, numba.types.Optional):
        given = "nothing on some ways through it"
    return Fault(rule, _line_of_return(rule), f"it returns {given}, but must return {hook.must}")


def fits(returned: Any, kind: Kind) -> bool:
    """Whether one of Numba's types is what a hook of this kind may return."""
    from numba import types

    if kind is Kind.NOTHING:
        return True
    if kind in (Kind.RANGE, Kind.WORD_AND_NUMBER, Kind.PLACE):
        parts = getattr(returned, "types", ())
        count, each = (3, Kind.WHOLE) if kind is Kind.PLACE else (2, Kind.NUMBER)
        return isinstance(returned, types.BaseTuple) and len(parts) == count and all(fits(part, each) for part in parts)
    if kind is Kind.NUMBER and isinstance(returned, types.Float):
        return True
    return isinstance(returned, types.Integer | types.Boolean)


def _reachable(rule: Any, seen: set[Any] | None = None) -> Iterator[Any]:
    """A rule and the rules that it calls."""
    seen = set() if seen is None else seen
    if rule in seen:
        return
    seen.add(rule)
    yield rule
    for _, _, value in _names(rule):
        if getattr(value, "is_rule", False) and isinstance(value, FunctionType):
            yield from _reachable(value, seen)


_MISSING = object()


def _names(function: Any) -> Iterator[tuple[str, int | None, Any]]:
    """The names from outside that a function uses, with their lines and what they stand for."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    for step in dis.get_instructions(function):
        line = step.positions.lineno if step.positions else None
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            value = function.__globals__.get(step.argval, getattr(builtins, step.argval, _MISSING))
            yield step.argval, line, value
        elif step.opname.startswith("LOAD_DEREF") and step.argval in cells:
            try:
                yield step.argval, line, cells[step.argval].cell_contents
            except ValueError:  # the cell is empty
                yield step.argval, line, _MISSING


def _evident(functions: Sequence[Any], game: Game, refused: Exception) -> Fault | None:
    """What the rules themselves show to be wrong, once it is known that something is."""
    for function in functions:
        for name, line, value in _names(function):
            if value is _MISSING:
                return Fault(function, line, f"the name {name} is not defined")
            if isinstance(value, FunctionType) and not getattr(value, "is_rule", False):
                return Fault(function, line, f"{name} is a function that is not marked @rule")
            if isinstance(value, list | dict | set):
                cause = f"{name} is a {type(value).__name__}: rules read numbers, tuples of numbers and NumPy arrays"
                return Fault(function, line, cause)
    if isinstance(refused, KeyError) and game.State is not None:
        for function in functions:
            for step in dis.get_instructions(function):
                if ("ATTR" in step.opname or "METHOD" in step.opname) and step.argval == refused.args[0]:
                    line = step.positions.lineno if step.positions else None
                    hint = nearest(step.argval, game.State.fields)
                    return Fault(function, line, f"the state has no field {step.argval}: {hint}")
    return None


def _translated(functions: Sequence[Any], refused: Exception) -> Fault:
    """Numba's complaint in plain words, at the line that it names."""
    message = str(refused)
    function, line = functions[0], None
    for file, number in re.findall(r'(?:File "| at |Raised from )([^"\n]+?)(?:", line | \()(\d+)', message):
        inside = [f for f in functions if _contains(f, file, int(number))]
        if inside:
            function, line = max(inside, key=_first_line), int(number)
            break
    if re.search(r"[Uu]nsupported opcode|construct is not supported|exception_match", message):
        statement = next(filter(None, map(_statement, functions)), None)
        if statement is not None:
            return statement
    return Fault(function, line, _cause(message))


def _contains(function: Any, file: str, line: int) -> bool:
    """Whether a line of a file, whose folder may be left out, is one of a function's."""
    lines = [number for _, _, number in function.__code__.co_lines() if number is not None]
    same_file: bool = function.__code__.co_filename.endswith(file.lstrip("./"))
    return same_file and min(lines) <= line <= max(lines)


def _sentence(game: Game, rule: Any, hook: str, fault: Fault) -> RuleError:
    who = _called(fault.function, rule, hook)
    return RuleError(f"{game.name}: {who} cannot be compiled{_place(fault.function, fault.line)}: {fault.cause}")


def _called(function: Any, rule: Any, hook: str) -> str:
    """What a person calls the function at fault: the hook itself, or one that it leads to."""
    return f"rule {hook}" if function is rule else f"rule {function.__name__}, which {hook} calls,"


def _place(function: Any, line: int | None) -> str:
    """Where a function, and which of its lines, is to be found."""
    if not isinstance(function, FunctionType):
        return ""
    file = inspect.getsourcefile(function) or function.__code__.co_filename
    line = line or _line_of_def(function)
    source = linecache.getline(file, line).strip()
    return f" at line {line} of {file}{f' ({source})' if source else ''}"


# What the source of a function shows


def _first_line(function: Any) -> int:
    return int(function.__code__.co_firstlineno)


def _nodes(function: Any) -> Iterator[tuple[ast.AST, int]]:
    """The syntax of a function with line numbers of its file; nothing where there is no source."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError, TypeError):
        return
    for node in ast.walk(tree):
        if hasattr(node, "lineno"):
            yield node, node.lineno + _first_line(function) - 1


_STATEMENTS: dict[type[ast.AST], str] = {
    ast.Try: "try", ast.With: "with", ast.Import: "import", ast.ImportFrom: "import", ast.Yield: "yield",
    ast.YieldFrom: "yield", ast.Await: "await", ast.ClassDef: "class", ast.Match: "match", ast.Delete: "del",
}  # fmt: skip


def _statement(function: Any) -> Fault | None:
    """The first statement of a function that has no compiled form."""
    for node, line in _nodes(function):
        if type(node) in _STATEMENTS:
            return Fault(function, line, f"it uses {_STATEMENTS[type(node)]}, which has no compiled form")
    return None


def _line_of_def(function: Any) -> int:
    return next((line for node, line in _nodes(function) if isinstance(node, ast.FunctionDef)), _first_line(function))


def _line_of_return(function: Any) -> int | None:
    return next((line for node, line in _nodes(function) if isinstance(node, ast.Return)), None)


# Numba's complaints in words

_SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "and_": "&",
    "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "invert": "~", "neg": "-", "pos": "+", "eq": "==",
    "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "not_": "not", "contains": "in",
    **{f"i{name}": f"{sign}=" for name, sign in (
        ("add", "+"), ("sub", "-"), ("mul", "*"), ("truediv", "/"), ("floordiv", "//"), ("mod", "%"), ("pow", "**"),
        ("and", "&"), ("or", "|"), ("xor", "^"), ("lshift", "<<"), ("rshift", ">>"))},
}  # fmt: skip

_KINDS = (
    (r"Literal\[int\]|(u?int(8|16|32)|int64|intp)\b", "a whole number"),
    (r"uint64|uintp", "a u64"),
    (r"float\d+|Literal\[float\]", "a float"),
    (r"bool|Literal\[bool\]", "a truth value"),
    (r"unicode_type|Literal\[str\]", "a text"),
    (r"Record\(", "a state"),
    (r"(readonly )?(array|nestedarray)\(|(Nested)?Array\(", "an array"),
    (r"(Uni)?Tuple\(|UniTuple", "a tuple"),
    (r"(reflected )?list|List\(|ListType", "a list"),
    (r"dict|DictType", "a dict"),
    (r"(reflected )?set\(", "a set"),
    (r"none", "None"),
    (r"type\(CPUDispatcher|Function\(", "a function"),
)
_FOREIGN = {"a text", "a list", "a dict", "a set"}
_ONLY = "rules work on numbers, fields and arrays only"

_CAUSES = (
    (r"Cannot modify readonly array",
     "it writes into an array from outside: a rule changes its state and its buffer only"),
    (r"Untyped global name '(?P<name>[^']*)'",
     "{name} is not a number, a tuple of numbers, an array or a function marked @rule"),
    (r"NameError: name '(?P<name>[^']*)' is not defined", "the name {name} is not defined"),
    (r"Unknown attribute '(?P<name>[^']*)' of type (?P<one>.*)", "{one} has no field or method {name}"),
    (r"to nestedarray\(", "it writes a number over a whole array field: write its elements, or all with [:]"),
    (r"Cannot unify (?P<one>.+?) and (?P<other>.+?) for '(?P<variable>[^'.]*)",
     "{variable} is sometimes {one} and sometimes {other}: keep one type"),
    (r"Can't unify return type from the following types: (?P<all>.+)", "it returns sometimes {all}: keep one type"),
    (r"missing \d+ required|too many positional|takes \d+ positional|not enough arguments|got an unexpected",
     "a function on this line is called with the wrong number of arguments"),
    (r"wrong tuple length|failed to unpack",
     "a tuple on this line has another number of elements than are taken from it"),
    (r"[Uu]nsupported opcode|construct is not supported", "it uses a statement that has no compiled form"),
    (r"reflected list|DictType|unicode_type", f"it uses a text, list or dict: {_ONLY}"),
)  # fmt: skip


def _cause(message: str) -> str:
    """A complaint in plain words, without the names of Numba's own types."""
    found = re.search(r"No implementation of function .* found for signature:\s*>>> (\w+)\((.*)\)\s*$", message, re.M)
    if found and "readonly array" not in found[2]:
        return _operation(found[1], [_words(kind) for kind in _split(found[2])])
    for pattern, words in _CAUSES:
        found = re.search(pattern, message)
        if found:
            said: dict[str, Callable[[str], str]] = {"name": str, "variable": _variable}
            return words.format(**{group: said.get(group, _listed)(text) for group, text in found.groupdict().items()})
    return "the compiler gives no reason that can be put into words; try a smaller part of the rule on its own"


def _operation(name: str, kinds: Sequence[str]) -> str:
    """An operation that does not exist for what it is given."""
    hint = f": {_ONLY}" if _FOREIGN & set(kinds) else ""
    if name == "setitem":
        return f"{kinds[-1]} cannot be written into {kinds[0]}{hint}"
    if name in ("getitem", "static_getitem"):
        return f"{kinds[0]} cannot be indexed with {kinds[-1]}{hint}"
    if name in _SIGNS:
        return f"{_SIGNS[name]} does not work with {' and '.join(kinds)}{hint}"
    return f"{name} does not take {' and '.join(kinds) or 'nothing'}{hint}"


def _variable(name: str) -> str:
    """A variable by its name; what an expression gives has one of Numba's, such as $phi42, which says nothing."""
    return f"the variable {name}" if name.isidentifier() else "a value on this line"


def _listed(kinds: str) -> str:
    """A list of types in words, each once."""
    return " and sometimes ".join(sorted(set(map(_words, _split(kinds)))))


def _words(kind: str) -> str:
    """One of Numba's types as a person would call it; other texts stay as they are."""
    kind = kind.strip()
    optional = re.fullmatch(r"OptionalType\((.*)\)|\?(.*)", kind)
    if optional:
        return f"{_words(optional[1] or optional[2])} or None"
    return next((words for pattern, words in _KINDS if re.match(pattern, kind)), kind.partition("(")[0])


def _split(kinds: str) -> list[str]:
    """The types in a list of them, split at the commas that are not inside brackets."""
    parts, depth = [""], 0
    for letter in kinds:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def raised(game: Game, error: Exception) -> RuleError:
    """A rule raised while it ran: say which, where, and what usually causes it."""
    return raised_in_rule(game, error) or RuleError(f"{game.name}: a rule raised {type(error).__name__}: {error}")


def raised_in_rule(game: Game, error: BaseException) -> RuleError | None:
    """The same, or None if the exception did not come from a rule."""
    what = type(error).__name__
    why = str(error) or "it gives no reason"
    if isinstance(error, IndexError):
        why += " (an index outside an array field, or a move buffer that is too small)"
    suspects = [(function, rule, hook.name) for hook, rule in _rules(game) for function in _reachable(rule)]
    for shown in (error, _asked_again(game, error)):
        for frame in reversed(traceback.extract_tb(shown.__traceback__)):
            for function, rule, hook in suspects:
                if frame.name == function.__name__ and _contains(function, frame.filename, frame.lineno or 0):
                    who = _called(function, rule, hook)
                    return RuleError(f"{game.name}: {who} raised {what}{_place(function, frame.lineno)}: {why}")
    return None


def _rules(game: Game) -> list[tuple[Hook, Any]]:
    return [(hook, rule) for hook in compiled_of(game) if isinstance(rule := hook.own(game), FunctionType)]


def _asked_again(game: Game, error: BaseException) -> BaseException:
    """The same error from a rule by itself, which shows its place: melted into a kernel, a rule has lost it. The
    frames of the kernels tell the positions at which the rules are to be asked again."""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        stack: Any = getattr(frame.f_locals.get("ws"), "stack", None)
        ply = frame.f_locals.get("ply")
        if not game.compilable or stack is None or not isinstance(ply, int):
            continue
        for here in range(ply, min(ply + 2, len(stack))):
            for question in _questions(game, stack, here):
                try:
                    question()
                except Exception as again:
                    if type(again) is type(error) and str(again) == str(error):
                        return again
    return error


def _questions(game: Game, stack: Sequence[Any], ply: int) -> Iterator[Callable[[], Any]]:
    """Every rule with everything that it can be asked about the position at a ply of the stack."""
    state = stack[ply]
    if not isinstance(state, Struct):
        return
    for hook, rule in _rules(game):
        arguments = hook.arguments
        if arguments == ("s",):
            yield partial(rule, state.copy())
        elif arguments == ("s", "out"):
            yield partial(rule, state.copy(), [0] * max(game.max_moves, game.max_unmoves or 0))
        elif arguments == ("s", "out", "n"):
            out = [0] * game.max_moves
            with contextlib.suppress(Exception):
                listed = game.subgames[hook.subgame].attack(state.copy(), out)
                yield partial(rule, state.copy(), out, listed)
        elif arguments == ("path", "earliest", "latest", "end"):
            for begin in range(ply):
                yield partial(rule, stack, begin, begin, ply)
        elif arguments[1] in ("move", "outcome"):
            out = [0] * game.max_moves
            with contextlib.suppress(Exception):
                for move in out[: game.moves(state.copy(), out)]:
                    yield partial(rule, state.copy(), move)


@contextmanager
def blaming(game: Game) -> Iterator[None]:
    """Turn an exception that a rule raises in here into a sentence about that rule; let others pass."""
    try:
        yield
    except ZermeloError:
        raise
    except Exception as error:
        blamed = raised_in_rule(game, error)
        if blamed is None:
            raise
        raise blamed from error


def too_many_moves(game: Game, count: int) -> RuleError:
    return RuleError(
        f"{game.name}: rule moves wrote {count} moves where max_moves = {game.max_moves} are declared; raise max_moves"
    )


def no_move(game: Game) -> RuleError:
    return RuleError(
        f"{game.name}: a position has no move although its result is ONGOING; result must give a score there, or a "
        "rule stuck(s), or moves a move (a pass)"
    )


CHANCE_FAULTS = {
    -2: "rule weight gives 0 or less for an outcome: weights are positive whole numbers, and what cannot happen is not "
    "listed by moves",
    -3: "rule moves lists more outcomes than the declared max_outcomes; raise max_outcomes",
    -4: "the weights of a chance position differ, so values cannot be averaged in the form equal; use integer",
}


def check_moves(game: Game, workspaces: Iterable[Any]) -> None:
    """Raise what kernels noted while they listed moves."""
    for workspace in workspaces:
        fault = workspace["fault"]
        if fault:
            chance = CHANCE_FAULTS.get(fault)
            if chance is not None:
                raise RuleError(f"{game.name}: {chance}")
            raise no_move(game) if fault < 0 else too_many_moves(game, fault)
