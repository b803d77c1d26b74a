"""All that is done here with what is private in Numba, and what is done instead where Numba is not as expected.

What searches need beyond Numba's public functions are seven *tricks*, each of which replaces or reads something that
Numba keeps to itself. When the first function is compiled, everything that a trick touches is looked at once, by name
and shape, which takes a millisecond or two. A trick whose ground has changed is left out: all works without it, more
slowly, and one warning says so. Nothing else in this package uses a private name of Numba (a test reads the sources),
and tests take away the ground of one trick after another.

- `names`: Numba numbers functions from 1 in every process and makes the number part of their names. Kernels that
  different processes kept can then hold different functions of the same name, and whoever loads both would run the
  first for both. Counting from a random number keeps them apart.
- `parts`: what only kernels call has no wrapper, neither for Python nor for C. To wrap all the parts of a search would
  be a third of the time that it takes to compile. Numba would also make another version of a part for every constant
  and every size of integer that it is called with; there is one for all.
- `recursion`: Numba compiles `child` before the `search` that it calls back, so it leaves in `child` a cell to be
  filled with the address of `search` when that is loaded. The cell costs an indirect call at every node, and code that
  comes from the disk finds it empty. By the time the outer function is put together both are in one module: there, the
  cell can be a constant, which the optimiser replaces by the function itself.
- `linking`: Numba makes machine code of every function and hands it to the loader, which looks through all that it
  holds each time that something is added: a process that compiles many searches becomes slower and slower. A part can
  only be called by those that it is linked into, and for them its intermediate code is enough. Nor is it optimised on
  its own, and again within all that it is linked into on the way up, but once, within the kernel.
- `keeping`: a dispatcher asks an object of ours for kept code. Numba's own cache looks at the date of one file, and
  first loads all that can be compiled, which takes longer than the rest of the start.
- `passes` and `calls`: what Numba does for nothing, in `numba_quick`.
"""

from __future__ import annotations

import inspect
import itertools
import pickle
import re
import secrets
import threading
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any, NamedTuple

from zermelo.compile import numba_quick
from zermelo.rules.errors import RuleError

NAMES, PARTS, RECURSION, LINKING, KEEPING = "names", "parts", "recursion", "linking", "keeping"
PASSES, CALLS = "passes", "calls"


class Trick(NamedTuple):
    """`fits`: whether Numba is as the trick expects. `needs`: the tricks without which it would do harm."""

    fits: Callable[[], bool]
    install: Callable[[], None]
    needs: tuple[str, ...]
    without: str


def working() -> frozenset[str]:
    """The tricks that suit the Numba that is installed; they are put in place when this is asked for the first time."""
    global _working
    if _working is not None:
        return _working
    with _once:
        if _working is None:
            _working = _put_in_place()
            _say_what_is_lost(_working)
        return _working


_once = threading.Lock()
_working: frozenset[str] | None = None


def _put_in_place() -> frozenset[str]:
    found: list[str] = []
    for name, trick in TRICKS.items():
        if all(needed in found for needed in trick.needs) and _holds(trick.fits):
            trick.install()
            found.append(name)
    return frozenset(found)


def _say_what_is_lost(found: frozenset[str]) -> None:
    import numba

    lost = [trick.without for name, trick in TRICKS.items() if name not in found]
    if lost:
        warnings.warn(
            f"Numba {numba.__version__} is not as Zermelo knows it, so the ordinary, slower way is taken "
            f"({'; '.join(lost)}): install a version that Zermelo's requirements name",
            stacklevel=2,
        )


def _holds(fits: Callable[[], bool]) -> bool:
    try:
        return fits()
    except Exception:  # a module, a name or a signature is gone
        return False


def _takes(function: Any, *names: str) -> bool:
    """Whether a function has these parameters."""
    return tuple(inspect.signature(function).parameters) == names


def _sets(cls: Any, name: str) -> bool:
    """Whether objects of a class get this attribute when they are made."""
    return name in cls.__init__.__code__.co_names


# names: no two processes give the same name to different functions


def _names_fit() -> bool:
    from numba.core.bytecode import FunctionIdentity

    numbered: Any = FunctionIdentity
    before, numbered._unique_ids = numbered._unique_ids, itertools.count(17)
    try:
        name: str = numbered.from_function(_names_fit).unique_name
    finally:
        numbered._unique_ids = before
    return isinstance(before, itertools.count) and name.endswith("$17")


def _name_apart() -> None:
    from numba.core.bytecode import FunctionIdentity

    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(60))


# parts: what only kernels call has no wrapper


def _parts_fit() -> bool:
    from numba.core import dispatcher
    from numba.core.options import DefaultOptions

    called: Any = dispatcher.Dispatcher
    known = all(hasattr(DefaultOptions, name) for name in ("no_cpython_wrapper", "no_cfunc_wrapper", "forceinline"))
    asked = (called._compile_for_args, called.get_call_template)
    return known and hasattr(called, "_insert") and all(_takes(function, "self", "args", "kws") for function in asked)


def options(*, part: bool = False, inline: bool = False) -> dict[str, bool]:
    """What to tell Numba's compiler about a function: whether only kernels call it, and are to melt it in. Not told
    outright, a function is melted in if its first caller is."""
    if PARTS not in working():
        return {}
    return {"no_cfunc_wrapper": True, "no_cpython_wrapper": part, "forceinline": inline}


def as_part(dispatcher: Any) -> Any:
    """A function without wrapper, which Python can no longer call."""
    if PARTS in working():
        dispatcher._insert, dispatcher._compile_for_args = _forget, _refuse
        dispatcher.get_call_template = partial(_one_version, dispatcher)
    return dispatcher


def _one_version(part: Any, args: Any, kws: Any) -> Any:
    """What Numba is told of a part that is called with arguments of these types."""
    named = {name: _common(kind) for name, kind in kws.items()}
    return type(part).get_call_template(part, tuple(map(_common, args)), named)


def _common(kind: Any) -> Any:
    from numba import types

    known: Any = types
    plain = known.unliteral(kind)
    return known.int64 if isinstance(plain, known.Integer) and plain.signed else plain


def _forget(*_: Any) -> None:
    """In the place of Numba's note of what Python may call: with no wrapper that would be a jump to nowhere."""


def _refuse(*_: Any) -> None:
    raise TypeError("this is a part of a kernel, which Python cannot call")


# recursion: kernels that call each other do so directly, and can be kept

_OPEN = ".numba.unresolved$"
_CELL = re.compile(r'^@"\.numba\.unresolved\$(?P<name>[^"]+)" = external (?:\w+ )*global ptr\b.*$', re.MULTILINE)


def _recursion_fits() -> bool:
    from numba.core.codegen import CPUCodeLibrary

    fits = _takes(CPUCodeLibrary._optimize_final_module, "self") and _sets(CPUCodeLibrary, "_final_module")
    return fits and _cells_are_known() and _a_cell_can_be_tied()


def _cells_are_known() -> bool:
    from numba.core.codegen import RuntimeLinker

    return bool(RuntimeLinker.PREFIX == _OPEN)


def _a_cell_can_be_tied() -> bool:
    """Try it on the smallest module: how cells are written down depends on the version of LLVM."""
    from llvmlite import binding, ir

    module = ir.Module("trial")
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), []), "back")
    cell = ir.GlobalVariable(module, ir.IntType(8).as_pointer(), f"{_OPEN}back")
    cell.linkage = "external"
    builder = ir.IRBuilder(function.append_basic_block())
    builder.load(cell)
    builder.ret_void()
    return not _cells(tied(binding.parse_assembly(str(module))))


def _tie_before_optimising() -> None:
    from numba.core.codegen import CPUCodeLibrary

    optimise: Any = CPUCodeLibrary._optimize_final_module

    def tie_and_optimise(library: Any) -> None:
        library._final_module = tied(library._final_module)
        optimise(library)

    CPUCodeLibrary._optimize_final_module = tie_and_optimise


def tied(module: Any) -> Any:
    """The module with every cell made constant whose function it defines."""
    from llvmlite import binding

    if not _cells(module):
        return module
    defined = {function.name for function in module.functions if not function.is_declaration}
    text = str(module)
    for found in list(_CELL.finditer(text)):
        name = found["name"]
        if name in defined:
            text = text.replace(found[0], f'@".tied${name}" = internal constant ptr @{name}')
            text = text.replace(f'@".numba.unresolved${name}"', f'@".tied${name}"')
    result = binding.parse_assembly(text)
    result.name = module.name
    return result


def _cells(module: Any) -> list[str]:
    """The cells that a module leaves open."""
    return [variable.name for variable in module.global_variables if variable.name.startswith(_OPEN)]


# linking: parts are linked into kernels and never loaded on their own


def _linking_fits() -> bool:
    from numba import _dynfunc
    from numba.core.codegen import CPUCodeLibrary as Library
    from numba.core.cpu import CPUContext
    from numba.core.funcdesc import FunctionDescriptor

    told = ("llvm_cpython_wrapper_name", "llvm_cfunc_wrapper_name", "lookup_module")
    steps = (Library._finalize_final_module, Library._finalize_dynamic_globals, Library._verify_declare_only_symbols)
    return (
        _takes(CPUContext.get_executable, "self", "library", "fndesc", "env")
        and all(_takes(step, "self") for step in steps)
        and Library._finalized is False
        and _sets(Library, "_final_module")
        and all(hasattr(FunctionDescriptor, name) for name in told)
        and callable(_dynfunc.make_function)
    )


def _link_parts_only() -> None:
    from numba.core.cpu import CPUContext

    load: Any = CPUContext.get_executable

    def load_or_link(context: Any, library: Any, description: Any, environment: Any) -> Any:
        wrappers = {description.llvm_cpython_wrapper_name, description.llvm_cfunc_wrapper_name}
        from_disk = library._finalized
        if from_disk or any(function.name in wrappers for function in library._final_module.functions):
            return load(context, library, description, environment)
        library._optimize_final_module = _leave_to_the_kernel
        library._finalize_final_module = partial(_finish, library)
        return _stand_in(library, description, environment)

    CPUContext.get_executable = load_or_link


def _leave_to_the_kernel() -> None:
    """In the place of optimising a part."""


def _finish(library: Any) -> None:
    """What Numba does with a library that is linked and optimised, but for making it machine code."""
    library._finalize_dynamic_globals()
    library._verify_declare_only_symbols()
    library._finalized = True


def _stand_in(library: Any, description: Any, environment: Any) -> Any:
    """The object by which Numba knows a compiled function; there is nothing in it to be called."""
    from numba import _dynfunc

    name = description.qualname.split(".")[-1]
    return _dynfunc.make_function(description.lookup_module(), name, "a part", 0, environment, (library,))


def check_calls(kernel: Any) -> None:
    """See that a kernel that was compiled has no cell left open: what should be in it was linked and never loaded."""
    if LINKING not in working():
        return  # Numba has loaded every function, and fills the cells
    for result in kernel.overloads.values():
        if _cells(result.library._final_module):
            raise RuleError(
                f"{kernel.__name__}: functions that call each other do so with other types than they were called "
                "with; keep one type for each argument"
            )


# keeping: where a dispatcher looks for kept code, and puts what it compiled


def _keeping_fits() -> bool:
    from numba.core import caching
    from numba.core.codegen import CPUCodeLibrary
    from numba.core.compiler import CompileResult
    from numba.core.dispatcher import Dispatcher
    from numba.core.runtime.nrt import rtsys
    from numba.core.serialize import dumps

    asked = caching._Cache
    return (
        asked.__abstractmethods__ <= set(dir(_Keeper))
        and _takes(asked.load_overload, "self", "sig", "target_context")
        and _takes(asked.save_overload, "self", "sig", "data")
        and _sets(Dispatcher, "_cache")
        and _takes(CompileResult._reduce, "self")
        and next(iter(inspect.signature(CompileResult._rebuild).parameters)) == "target_context"
        and _takes(rtsys.initialize, "ctx")
        and _takes(dumps, "obj")
        and hasattr(CPUCodeLibrary, "has_dynamic_globals")
        and _sets(CPUCodeLibrary, "_final_module")
        and _cells_are_known()
    )


def keep(kernel: Any, fetch: Callable[[], bytes | None], store: Callable[[bytes], None]) -> None:
    """Have a kernel that is not compiled yet fetched by one function and kept by another, where that can be done."""
    if KEEPING in working():
        kernel._cache = _Keeper(kernel.__name__, fetch, store)


class _Keeper:
    """What Numba's dispatcher asks for kept code, in the shape of `numba.core.caching._Cache`."""

    cache_path = None

    def __init__(self, name: str, fetch: Callable[[], bytes | None], store: Callable[[bytes], None]) -> None:
        self.name, self.fetch, self.store = name, fetch, store

    def enable(self) -> None: ...
    def disable(self) -> None: ...
    def flush(self) -> None: ...

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """The kept compile result, or None if there is none that is whole."""
        from numba.core.compiler import CompileResult
        from numba.core.runtime.nrt import rtsys

        kept = self.fetch()
        if kept is None:
            return None
        rtsys.initialize(target_context)  # code that is compiled already needs only the runtime that it links to
        try:
            return CompileResult._rebuild(target_context, *pickle.loads(kept))
        except Exception:  # it refers to something that is no longer there, such as a file that was renamed
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep what was compiled, unless another process would jump to nowhere in it, or read what is not there."""
        from numba.core.serialize import dumps

        if result.library.has_dynamic_globals:
            warnings.warn(
                f"{self.name} is compiled anew in every process, as it holds the address of an array: what is to be "
                "kept uses arrays from outside that are contiguous and not larger than 1 MB",
                stacklevel=2,
            )
        elif not _cells(result.library._final_module):
            self.store(dumps(result._reduce()))


# passes and calls: what Numba does for nothing


def lean(*, apart: bool) -> dict[str, Any]:
    """What more to tell the compiler about a function that was melted. `apart`: it is never copied into its callers."""
    return {"pipeline_class": numba_quick.pipeline(apart)} if PASSES in working() else {}


def remembering() -> AbstractContextManager[None]:
    """While something is compiled, types that were found are remembered."""
    return numba_quick.remembered_calls() if CALLS in working() else nullcontext()


def _nothing_to_install() -> None:
    """The trick is in what its functions do when they are called."""


TRICKS = {
    NAMES: Trick(_names_fit, _name_apart, (), "functions have no names of their own"),
    PARTS: Trick(_parts_fit, _nothing_to_install, (), "every part of a kernel is wrapped for Python"),
    RECURSION: Trick(_recursion_fits, _tie_before_optimising, (), "what calls each other is not kept on disk"),
    LINKING: Trick(_linking_fits, _link_parts_only, (RECURSION,), "every part of a kernel is loaded on its own"),
    KEEPING: Trick(_keeping_fits, _nothing_to_install, (NAMES,), "nothing is kept on disk"),
    PASSES: Trick(numba_quick.passes_fit, _nothing_to_install, (), "functions go through passes that do nothing"),
    CALLS: Trick(numba_quick.calls_fit, _nothing_to_install, (), "types are found again and again"),
}
