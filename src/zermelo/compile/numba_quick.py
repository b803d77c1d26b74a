"""What of Numba's work the functions of a kernel do not need. `numba_private` says when this is used, and when not.

Numba's pipeline looks in every function for closures, `with` blocks, branches on constants and expressions of whole
arrays. In what was melted there are none, and the passes that look for them are left out.

Numba finds the type of every call anew, several times for each place that it stands in; what `+` makes of two integers
takes it half a millisecond. While a kernel is compiled, the answers are remembered.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

UNTYPED = (
    "TranslateByteCode", "FixupArgs", "IRProcessing", "GenericRewrites", "RewriteDynamicRaises", "ReconstructSSA",
)  # fmt: skip
TYPED = (
    "NopythonTypeInference", "PreLowerStripPhis", "InlineOverloads", "NoPythonSupportedFeatureValidation",
    "IRLegalization", "AnnotateTypes", "NativeLowering",
)  # fmt: skip
LAST = ("NoPythonBackend",)


def passes_fit() -> bool:
    """Whether Numba's usual pipeline has these passes, in this order."""
    from numba.core import compiler

    numba: Any = compiler
    state = numba.StateDict()
    state.flags, state.func_ir = numba.Flags(), None
    usual = [step[0].__name__ for step in numba.DefaultPassBuilder.define_nopython_pipeline(state).passes]
    places = [usual.index(name) for name in (*UNTYPED, *TYPED, *LAST)]
    return places == sorted(places) and callable(numba.CompilerBase.define_pipelines)


@cache
def pipeline(apart: bool) -> Any:
    """The passes that plain functions of numbers and records go through. `apart`: the function is never copied into
    those that call it, however many they are."""
    from numba.core import compiler, typed_passes, untyped_passes
    from numba.core.compiler_machinery import PassManager

    ordered: Any = PassManager
    steps = [getattr(untyped_passes, name) for name in UNTYPED]
    steps += [getattr(typed_passes, name) for name in TYPED]
    if apart and can_stay_apart():
        steps.append(_staying_apart())
    steps += [getattr(typed_passes, name) for name in LAST]

    class Lean(compiler.CompilerBase):  # type: ignore[misc]
        def define_pipelines(self) -> list[Any]:
            lean = ordered("lean")
            for step in steps:
                lean.add_pass(step, step.__name__)
            lean.finalize()
            return [lean]

    return Lean


def can_stay_apart() -> bool:
    """Whether a function can be marked so that it is not copied: older versions of llvmlite put the mark where it makes
    no sense, on what the function returns. There it may be copied, which only takes longer to compile."""
    import llvmlite.binding as llvm

    module = llvm.parse_assembly("define void @f() {\n  ret void\n}")
    module.get_function("f").add_function_attribute("noinline")
    try:
        module.verify()
    except RuntimeError:
        return False
    return True


def _staying_apart() -> Any:
    from numba.core import compiler_machinery

    numba: Any = compiler_machinery

    class StayApart(numba.LoweringPass):  # type: ignore[misc]
        _name = "stay_apart"

        def __init__(self) -> None:
            """Nothing to remember, but Numba wants to be told so."""

        def run_pass(self, state: Any) -> bool:
            function = state.library.get_function(state.cr.fndesc.mangled_name)
            function.add_function_attribute("noinline")
            return False

    return numba.register_pass(mutates_CFG=False, analysis_only=False)(StayApart)


def calls_fit() -> bool:
    """Whether functions of Numba's own are asked for the types of their calls as expected."""
    from inspect import signature

    from numba.core import types

    asked = tuple(signature(types.Function.get_call_type).parameters)
    return asked == ("self", "context", "args", "kws") and "get_call_type" not in vars(types.Function)


@contextmanager
def remembered_calls() -> Iterator[None]:
    """Have Numba find only once what a function of its own makes of arguments of the same types."""
    from numba.core import types
    from numba.core.compiler_lock import global_compiler_lock

    known: dict[Any, Any] = {}
    builtin: Any = types.Function
    asked = builtin.get_call_type

    def get_call_type(function: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws:
            return asked(function, context, args, kws)
        question = (function, tuple(args))
        if question not in known:
            known[question] = asked(function, context, args, kws)
        return known[question]

    with global_compiler_lock:  # nobody else compiles meanwhile
        builtin.get_call_type = get_call_type
        try:
            yield
        finally:
            del builtin.get_call_type
