"""A kernel with the parts that it is put together from melted into it, at the level of the source.

A search is written as many small functions. Interpreted, each would cost a call at every node, as much as the rules
themselves; compiled, each would cost the compiler some ten milliseconds before it has looked at what the function
does. So a kernel is rewritten before it is run or compiled: what closures hold fixed is filled in, branches that cannot
be taken are dropped, and calls of parts (`@mode.inline`) and of rules (`@rule`) are replaced by their bodies. What it
computes is what the plain functions compute, node for node. This file melts for the interpreter; `melted_native` melts
for the compiler.

A part is melted in as an expression if it is a single `return`; as statements if it stands alone or on the right of an
assignment and no `return` stands within a loop of it (a `while True` that is left by `break` then takes the place of
the early returns). Anything else stays a call, and so does a function that calls itself or has no source.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import textwrap
from collections.abc import Callable
from functools import cache
from itertools import count
from types import CellType, CodeType, FunctionType
from typing import Any

_CONSTANTS = {bool, int, float, str, type(None)}
_FOREIGN = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp,
    ast.GeneratorExp, ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Try, ast.With, ast.Match, ast.Import,
    ast.ImportFrom, ast.NamedExpr,
)  # fmt: skip
_PURE = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context)
_LOOPS = (ast.For, ast.While)


def melt(kernel: FunctionType) -> FunctionType:
    """A function that does what the kernel does, without calling its parts."""
    melting = Melting()
    return melting.names[melting.alias(kernel)]  # type: ignore[no-any-return]


@cache
def _definition(code: CodeType) -> ast.FunctionDef | None:
    """The syntax of a function, without docstring; None if it cannot be had, or goes beyond the plain language
    that kernels and rules are written in."""
    try:
        tree = _parsed(code)
    except (OSError, SyntaxError):
        return None
    if not isinstance(tree, ast.FunctionDef) or any(isinstance(n, _FOREIGN) for s in tree.body for n in ast.walk(s)):
        return None
    if not _says_the_same(tree, code):
        return None
    if ast.get_docstring(tree) is not None:
        tree.body = tree.body[1:]
    return tree


def _parsed(code: CodeType) -> ast.stmt:
    """The statement that defines a function: what is indented more than its first line, which is found much faster than
    Python's own `inspect` finds it; but that is asked where the guess does not hold."""
    lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 :]
    begin = next((i for i, line in enumerate(lines) if line.lstrip().startswith("def ")), len(lines))
    indent = len(lines[begin]) - len(lines[begin].lstrip()) if begin < len(lines) else 0
    end = begin + 1
    while end < len(lines) and (lines[end].startswith(" " * (indent + 1)) or not lines[end].strip()):
        end += 1
    try:
        tree = ast.parse(textwrap.dedent("".join(lines[begin:end]))).body
        if len(tree) == 1 and isinstance(tree[0], ast.FunctionDef) and tree[0].name == code.co_name:
            return tree[0]
    except SyntaxError:
        pass
    return ast.parse(textwrap.dedent(inspect.getsource(code))).body[0]


def _says_the_same(tree: ast.FunctionDef, code: CodeType) -> bool:
    """Whether a definition is that of the code: the file may have been changed since the function was read from it."""
    inner = ast.FunctionDef(tree.name, tree.args, tree.body, [])
    given = [ast.arg(name) for name in code.co_freevars]
    outer = ast.FunctionDef("outer", ast.arguments([], given, None, [], [], None, []), [inner], [])
    imports = ast.Import([ast.alias(name) for name in code.co_names] or [ast.alias("ast")])

    def words(of: CodeType) -> tuple[Any, ...]:
        constants = [c.split() if isinstance(c, str) else c for c in of.co_consts]  # a docstring was moved to the left
        return of.co_code, of.co_names, of.co_varnames, of.co_freevars, repr(constants)

    for before in ([], [imports]):  # Python calls functions of modules in another way than methods
        module = ast.fix_missing_locations(ast.Module([*before, outer], []))
        compiled = next(c for c in compile(module, "", "exec", dont_inherit=True).co_consts if isinstance(c, CodeType))
        if words(next(c for c in compiled.co_consts if isinstance(c, CodeType))) == words(code):
            return True
    return False


def readable(function: Any) -> bool:
    """Whether a function is written in that language, takes only plain arguments, and all its names have values."""
    if not isinstance(function, FunctionType) or function.__defaults__ or function.__kwdefaults__:
        return False
    if any(cell == CellType() for cell in function.__closure__ or ()):
        return False
    source = _definition(function.__code__)
    if source is None:
        return False
    return not (source.args.vararg or source.args.kwarg or source.args.kwonlyargs or source.args.posonlyargs)


def raises(function: FunctionType) -> bool:
    """Whether a readable function has statements that raise."""
    source = _definition(function.__code__)
    return source is not None and any(isinstance(node, ast.Raise | ast.Assert) for node in ast.walk(source))


def _copied(tree: Any) -> Any:
    """A tree of syntax, or a list of them, once more: what `deepcopy` does, in a fraction of its time."""
    if isinstance(tree, list):
        return [_copied(one) for one in tree]
    if not isinstance(tree, ast.AST) or not tree.__dict__:  # a plain value, or a mark such as Load
        return tree
    twin = type(tree).__new__(type(tree))
    twin.__dict__.update({name: _copied(value) for name, value in tree.__dict__.items()})
    return twin


def _held(function: FunctionType) -> dict[str, Any]:
    """What the names mean that a function takes from outside."""
    cells = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        cells[name] = cell.cell_contents
    return {**vars(builtins), **function.__globals__, **cells}


class Melting:
    """One run: the kernels melted so far, and the names that the results will look up."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {}
        self.aliases: dict[int, str] = {}
        self.numbers = count()

    def alias(self, value: Any) -> str:
        """A name for a value that cannot be written down. Kernels are melted in their turn."""
        if id(value) not in self.aliases:
            base = getattr(value, "__name__", type(value).__name__)
            name = f"{base if str(base).isidentifier() else 'value'}_{next(self.numbers)}"
            self.aliases[id(value)] = name
            self.names[name] = self.prepared(name, value)
        return self.aliases[id(value)]

    def prepared(self, name: str, value: Any) -> Any:
        """What is to stand under a name in the place of a value."""
        if getattr(value, "is_kernel", False) and readable(value):  # one typed in at a prompt runs as it is
            return self.defined(name, value)
        return value

    def melts(self, part: FunctionType) -> bool:
        """Whether calls of a part are to be replaced by its body, where they can be."""
        return True

    def fills_in(self, argument: ast.expr) -> bool:
        """Whether an argument may be evaluated wherever and however often the body of a part uses it."""
        return all(isinstance(n, _PURE) for n in ast.walk(argument))  # no part can change the caller's variables

    def rewritten(self, name: str, function: FunctionType) -> ast.FunctionDef:
        """A readable function with what it calls melted in."""
        source = _definition(function.__code__)
        assert source is not None
        body = _Scope(self, function, "", ()).statements(_copied(source.body)) or [ast.Pass()]
        return ast.FunctionDef(name, source.args, body, [])

    def defined(self, name: str, function: FunctionType) -> FunctionType:
        """The same as a function again, which finds its names among those of this run."""
        module = ast.fix_missing_locations(ast.Module([self.rewritten(name, function)], []))
        exec(compile(module, f"<{function.__qualname__}, melted>", "exec"), self.names)
        return self.names[name]  # type: ignore[no-any-return]


class _Scope(ast.NodeTransformer):
    """The rewriting of one function's body; locals get a suffix where the body goes into another function."""

    def __init__(
        self, melting: Melting, function: FunctionType, suffix: str, within: tuple[FunctionType, ...]
    ) -> None:
        self.melting, self.suffix, self.held = melting, suffix, _held(function)
        self.within = (*within, function)
        self.locals: dict[str, ast.expr] = {
            name: ast.Name(name + suffix) for name in function.__code__.co_varnames
        }

    # names and constants

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.locals:
            inner = self.locals[node.id]
            return ast.Name(inner.id, node.ctx) if isinstance(inner, ast.Name) else inner
        if node.id not in self.held:
            return node  # it has no value: whoever comes here is told so by Python
        value = self.held[node.id]
        return ast.Constant(value) if type(value) in _CONSTANTS else ast.Name(self.melting.alias(value), ast.Load())

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        node = ast.UnaryOp(node.op, self.visit(node.operand))
        if isinstance(node.operand, ast.Constant) and isinstance(node.op, (ast.Not, ast.USub)):
            value: Any = node.operand.value
            return ast.Constant(not value if isinstance(node.op, ast.Not) else -value)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        decided = isinstance(node.op, ast.Or)  # a constant of this truth settles it; another only counts at the end
        kept: list[ast.expr] = []
        for value in map(self.visit, node.values):
            kept.append(value)
            if isinstance(value, ast.Constant) and bool(value.value) == decided:
                break
        last = kept[-1]
        kept = [v for v in kept[:-1] if not isinstance(v, ast.Constant)] + [last]
        return kept[0] if len(kept) == 1 else ast.BoolOp(node.op, kept)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        test = self.visit(node.test)
        if isinstance(test, ast.Constant):
            return self.visit(node.body if test.value else node.orelse)  # type: ignore[no-any-return]
        return ast.IfExp(test, self.visit(node.body), self.visit(node.orelse))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """A part that is a single return, with its arguments filled in."""
        part = self.part(node)
        arguments = [self.visit(argument) for argument in node.args]
        if part is not None:
            inner = _Inlined(self, part, arguments)
            if not inner.bindings and len(inner.body) == 1 and isinstance(inner.body[0], ast.Return):
                return inner.body[0].value or ast.Constant(None)
        called = self.held.get(node.func.id) if isinstance(node.func, ast.Name) else None
        if called in (int, float) and len(arguments) == 1 and isinstance(arguments[0], ast.Constant):
            return ast.Constant(called(arguments[0].value))
        keywords = [ast.keyword(given.arg, self.visit(given.value)) for given in node.keywords]
        return ast.Call(self.visit(node.func), arguments, keywords)

    def part(self, node: ast.expr | None) -> FunctionType | None:
        """The part that an expression calls, if it calls one."""
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in self.locals):
            return None
        called = self.held.get(node.func.id)
        if not (getattr(called, "is_part", False) or getattr(called, "is_rule", False)) or node.keywords:
            return None
        if not isinstance(called, FunctionType) or called in self.within or not self.melting.melts(called):
            return None
        return called if readable(called) and called.__code__.co_argcount == len(node.args) else None

    # statements

    def statements(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """A block, rewritten; what cannot be reached is left out."""
        result: list[ast.stmt] = []
        waiting = list(body)
        while waiting:
            statement = waiting.pop(0)
            following = waiting[0] if waiting else None
            exit_ = self.exit_after(statement, following)
            if exit_ is not None:
                waiting.pop(0)
                result.extend(exit_)
            else:
                result.extend(self.statement(statement))
            if result and isinstance(result[-1], (ast.Return, ast.Break, ast.Continue)):
                break
        return result

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """The same where Python wants at least one statement."""
        return self.statements(body) or [ast.Pass()]

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        if isinstance(node, ast.If):
            test = self.visit(node.test)
            if isinstance(test, ast.Constant):
                return self.statements(node.body if test.value else node.orelse)
            return [ast.If(test, self.block(node.body), self.statements(node.orelse))]
        if isinstance(node, ast.For):
            target, over = self.visit(node.target), self.visit(node.iter)
            return [ast.For(target, over, self.block(node.body), self.statements(node.orelse))]
        if isinstance(node, ast.While):
            return [ast.While(self.visit(node.test), self.block(node.body), self.statements(node.orelse))]
        if isinstance(node, (ast.Assign, ast.Expr)) and self.part(node.value) is not None:
            whole = _copied(node)
            assert isinstance(whole.value, ast.Call)
            targets = [self.visit(target) for target in whole.targets] if isinstance(whole, ast.Assign) else []
            melted = self.in_place(whole.value, targets)
            if melted is not None:
                return melted
        return [self.generic_visit(node)]  # type: ignore[list-item]

    def exit_after(self, statement: ast.stmt, following: ast.stmt | None) -> list[ast.stmt] | None:
        """`done, … = part(…)` and then `if done: return …`: where the part says it is done, return at once."""
        if not (
            isinstance(statement, ast.Assign)
            and isinstance(statement.targets[0], ast.Tuple)
            and isinstance(following, ast.If)
            and isinstance(following.test, ast.Name)
            and isinstance(following.body[0], ast.Return)
            and isinstance(following.body[0].value, ast.Name)
            and not following.orelse
            and self.part(statement.value) is not None
        ):
            return None
        names = [target.id for target in statement.targets[0].elts if isinstance(target, ast.Name)]
        if following.test.id not in names or following.body[0].value.id not in names:
            return None
        flag, returned = names.index(following.test.id), names.index(following.body[0].value.id)
        whole = _copied(statement)
        assert isinstance(whole.value, ast.Call)
        return self.in_place(whole.value, [self.visit(whole.targets[0])], (flag, returned))

    def in_place(
        self, call: ast.Call, targets: list[ast.expr], exit_: tuple[int, int] | None = None
    ) -> list[ast.stmt] | None:
        """A call of a part as its statements, its value going to the targets; None if it must stay a call. `exit_`
        names two places of a tuple: where the first holds True, the caller returns the second."""
        part = self.part(call)
        assert part is not None
        inner = _Inlined(self, part, [self.visit(argument) for argument in call.args])
        body = inner.body
        returns = [n for statement in body for n in ast.walk(statement) if isinstance(n, ast.Return)]
        blocked = {n for statement in body for n in _within_loops(statement)}
        if any(n in blocked for n in returns):
            return None
        if exit_ is not None and not all(_says(n.value, exit_[0]) for n in returns):
            return None

        def deliver(value: ast.expr | None) -> list[ast.stmt]:
            if exit_ is not None and isinstance(value, ast.Tuple):
                flag = value.elts[exit_[0]]
                if isinstance(flag, ast.Constant) and flag.value:
                    return [ast.Return(value.elts[exit_[1]])]
            return [ast.Assign(targets, value or ast.Constant(None))] if targets else []

        if not returns:
            return [*inner.bindings, *body, *deliver(None)]
        if len(returns) == 1 and body[-1] is returns[0]:
            return [*inner.bindings, *body[:-1], *deliver(returns[0].value)]
        whole = _leaving(body, deliver)
        if not isinstance(whole[-1], (ast.Break, ast.Return)):
            whole += [*deliver(None), ast.Break()]
        return [*inner.bindings, ast.While(ast.Constant(True), whole, [])]


def _says(value: ast.expr | None, place: int) -> bool:
    """Whether a returned tuple says True or False outright at a place."""
    return isinstance(value, ast.Tuple) and isinstance(value.elts[place], ast.Constant)


class _Inlined:
    """A part's body, ready to stand in its caller: bindings for arguments that cannot simply be filled in."""

    def __init__(self, outer: _Scope, part: FunctionType, arguments: list[ast.expr]) -> None:
        melting = outer.melting
        scope = _Scope(melting, part, f"_{next(melting.numbers)}", outer.within)
        source = _definition(part.__code__)
        assert source is not None
        stored = {n.id for n in ast.walk(source) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        self.bindings: list[ast.stmt] = []
        for parameter, argument in zip(source.args.args, arguments, strict=True):
            name = parameter.arg
            if melting.fills_in(argument) and name not in stored:
                scope.locals[name] = argument
            else:
                self.bindings.append(ast.Assign([ast.Name(name + scope.suffix, ast.Store())], argument))
        self.body = scope.statements(_copied(source.body))


def _within_loops(statement: ast.stmt) -> list[ast.AST]:
    """What stands in loops, which a `break` in its place would leave."""
    loops = [n for n in ast.walk(statement) if isinstance(n, _LOOPS)]
    return [inner for loop in loops for inner in ast.walk(loop)]


def _leaving(body: list[ast.stmt], deliver: Callable[[ast.expr | None], list[ast.stmt]]) -> list[ast.stmt]:
    """A body with every return replaced by handing over the value and leaving the loop around it."""
    result: list[ast.stmt] = []
    for statement in body:
        if isinstance(statement, ast.Return):
            result += deliver(statement.value)
            if not result or not isinstance(result[-1], ast.Return):
                result.append(ast.Break())
        elif isinstance(statement, ast.If):
            then, otherwise = _leaving(statement.body, deliver), _leaving(statement.orelse, deliver)
            result.append(ast.If(statement.test, then, otherwise))
        else:
            result.append(statement)
    return result
