"""Memory by address: what kernels need beyond Numba's own language, each a single machine instruction.

A table is shared by threads and sized at run time, so kernels hold its address as an integer and read and
write 64-bit words there. Nothing is reference-counted and nothing is checked: the caller computes the index.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _word_pointer(builder: Any, address: Any, index: Any) -> Any:
    pointer = builder.inttoptr(address, ir.IntType(64).as_pointer())
    return builder.gep(pointer, [index])


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def read_word(typing_context: Any, address: Any, index: Any) -> Any:
    """The 64-bit word `index` words behind `address`."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_word_pointer(builder, *arguments))

    return types.uint64(types.uint64, types.uint64), codegen


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def write_word(typing_context: Any, address: Any, index: Any, word: Any) -> Any:
    """Store `word` at `index` words behind `address`."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, index, word = arguments
        builder.store(word, _word_pointer(builder, address, index))
        return context.get_dummy_value()

    return types.void(types.uint64, types.uint64, types.uint64), codegen


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def prefetch(typing_context: Any, address: Any, index: Any) -> Any:
    """Ask for the cache line that holds a word, without waiting for it."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = builder.bitcast(_word_pointer(builder, *arguments), ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
        function = builder.module.globals.get("llvm.prefetch.p0") or ir.Function(
            builder.module, kind, "llvm.prefetch.p0"
        )
        read, keep, data = number(0), number(3), number(1)
        builder.call(function, [pointer, read, keep, data])
        return context.get_dummy_value()

    return types.void(types.uint64, types.uint64), codegen
