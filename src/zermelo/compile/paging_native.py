"""How compiled rules read pages and whole arrays: see `paging` and `shelf`."""

from __future__ import annotations

from functools import cache
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload, register_jitable

from zermelo.compile.paging import (
    ABSENT,
    CONTROL,
    FETCH,
    GROUPS,
    OFFSETS,
    PAGE,
    PAGES,
    SHELF,
    SHIFT,
    STAMPS,
    WIDTH,
    WORDS,
    read_real,
    read_whole,
)  # fmt: skip
from zermelo.compile.shelf import state_at, word_at

SYMBOL = "zermelo_pages"
_WORD = ir.IntType(64)


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def control(typing_context: Any, index: Any) -> Any:
    """A word of the block that compiled code knows by name."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        block = builder.module.globals.get(SYMBOL)
        if block is None:
            block = ir.GlobalVariable(builder.module, ir.ArrayType(_WORD, len(CONTROL)), SYMBOL)
            block.linkage = "external"
        return builder.load(builder.gep(block, [_WORD(0), arguments[0]]))

    return types.int64(types.int64), codegen


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def stamp_at(typing_context: Any, address: Any, index: Any) -> Any:
    """A word that other threads may be writing: really read, and neither before nor after its neighbours."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = builder.gep(builder.inttoptr(arguments[0], _WORD.as_pointer()), [arguments[1]])
        return builder.load_atomic(pointer, "seq_cst", 8)

    return types.int64(types.int64, types.int64), codegen


def _reader(kind: Any, native: Any) -> Any:
    def reader(typing_context: Any, address: Any, index: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.load(builder.gep(builder.inttoptr(arguments[0], native.as_pointer()), [arguments[1]]))

        return kind(types.int64, types.int64), codegen

    reader.__name__ = f"read_{kind}"
    return intrinsic(reader)


read_u1, read_u2 = _reader(types.uint8, ir.IntType(8)), _reader(types.uint16, ir.IntType(16))
read_f4, read_f8 = _reader(types.float32, ir.FloatType()), _reader(types.float64, ir.DoubleType())
read_i8 = _reader(types.int64, _WORD)


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def call_back(typing_context: Any, address: Any, page: Any) -> Any:
    """Call the Python function behind an address, from any thread."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(_WORD, [_WORD])
        return builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), [arguments[1]])

    return types.int64(types.int64, types.int64), codegen


@register_jitable  # type: ignore[untyped-decorator, unused-ignore]
def _where(place, group, number):  # type: ignore[no-untyped-def]
    """How far behind the first entry an entry is, or `ABSENT`."""
    base, group, number = place * WORDS, np.int64(group), np.int64(number)
    groups = control(base + GROUPS)
    if group < 0 or group >= groups or number < 0 or number >= read_i8(control(base + OFFSETS), groups + group):
        return np.int64(ABSENT)
    offset = read_i8(control(base + OFFSETS), group)
    return offset + number if offset >= 0 else np.int64(ABSENT)


@register_jitable  # type: ignore[untyped-decorator, unused-ignore]
def _stamp(place, page):  # type: ignore[no-untyped-def]
    """The stamp of a page, which is fetched if it is not in memory; 0 if it cannot be."""
    base = place * WORDS
    stamp = stamp_at(control(base + STAMPS), page)
    while stamp == 0 and call_back(control(base + FETCH), page) != 0:
        stamp = stamp_at(control(base + STAMPS), page)
    return stamp


@register_jitable  # type: ignore[untyped-decorator, unused-ignore]
def _within(stamp, at):  # type: ignore[no-untyped-def]
    return (((stamp & 0xFFFFFFFF) - 1) << SHIFT) + (at & (PAGE - 1))


def _whole(place, group, number):  # type: ignore[no-untyped-def]
    at, pages = _where(place, group, number), control(place * WORDS + PAGES)
    while at >= 0:
        stamp = _stamp(place, at >> SHIFT)
        if stamp == 0:
            break
        if control(place * WORDS + WIDTH) == -1:
            entry = np.int64(read_u1(pages, _within(stamp, at)))
        else:
            entry = np.int64(read_u2(pages, _within(stamp, at)))
        if stamp_at(control(place * WORDS + STAMPS), at >> SHIFT) == stamp:
            return entry
    return np.int64(ABSENT)


def _real(place, group, number):  # type: ignore[no-untyped-def]
    at, pages = _where(place, group, number), control(place * WORDS + PAGES)
    while at >= 0:
        stamp = _stamp(place, at >> SHIFT)
        if stamp == 0:
            break
        if control(place * WORDS + WIDTH) == 4:
            entry = np.float64(read_f4(pages, _within(stamp, at)))
        else:
            entry = np.float64(read_f8(pages, _within(stamp, at)))
        if stamp_at(control(place * WORDS + STAMPS), at >> SHIFT) == stamp:
            return entry
    return np.nan


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def copy_record(typing_context: Any, address: Any, number: Any, record: Any) -> Any:
    """Fill a record from an array of such at an address."""
    size = record.size

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, number, target = arguments
        pointer = ir.IntType(8).as_pointer()
        source = builder.inttoptr(builder.add(address, builder.mul(number, _WORD(size))), pointer)
        copy = builder.module.declare_intrinsic("llvm.memcpy", [pointer, pointer, _WORD])
        builder.call(copy, [builder.bitcast(target, pointer), source, _WORD(size), ir.IntType(1)(0)])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, record), codegen


def _word_at(place, number):  # type: ignore[no-untyped-def]
    return np.uint64(read_i8(control(SHELF + place), np.int64(number)))


def _state_at(place, number, s):  # type: ignore[no-untyped-def]
    copy_record(control(SHELF + place), np.int64(number), s)


@cache
def register() -> None:
    """Let compiled rules call `read_whole` and `read_real`, `word_at` and `state_at`. Once in a process is enough."""
    llvm.add_symbol(SYMBOL, CONTROL.ctypes.data)
    overload(word_at)(lambda place, number: _word_at)
    overload(state_at)(lambda place, number, s: _state_at)
    overload(read_whole)(lambda place, group, number: _whole)
    overload(read_real)(lambda place, group, number: _real)
