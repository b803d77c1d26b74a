"""Struct states: what a position is made of.

`struct(mine=u64, board=(u8, 12), plies=i8)` makes a class with those fields. Compiled rules see the same
layout as a C struct; interpreted rules see an object of this class. Both give the same numbers, because here
a field takes what fits into its type and drops the rest, exactly as the compiled field does, and hands out
plain Python integers (which do not overflow in between, as the compiled 64-bit ones rarely do). Only `u64`
fields hand out `numpy.uint64`, so that shifts, complements and products wrap where they must.
"""

from __future__ import annotations

import struct as binary
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, SupportsIndex

import numpy as np

u8, u16, u32, u64 = np.uint8, np.uint16, np.uint32, np.uint64
i8, i16, i32, i64 = np.int8, np.int16, np.int32, np.int64
f32, f64 = np.float32, np.float64

_FORMAT = {u8: "B", u16: "H", u32: "I", u64: "Q", i8: "b", i16: "h", i32: "i", i64: "q", f32: "f", f64: "d"}

# Unsigned arithmetic wraps on purpose (hashes, bit boards), as it does compiled; NumPy would warn each time.
np.seterr(over="ignore")

Scalar = type[Any]
Field = Scalar | tuple[Scalar, int]


def fitting(scalar: Scalar) -> Callable[[Any], Any]:
    """The conversion that a field of this type applies to what is written into it."""
    if scalar is f64:
        return float
    if scalar is f32:
        return lambda value: float(np.float32(value))
    bits = 8 * np.dtype(scalar).itemsize
    mask = (1 << bits) - 1
    if scalar is u64:
        return lambda value: np.uint64(int(value) & mask)
    if np.dtype(scalar).kind == "u":
        return lambda value: int(value) & mask
    half = 1 << (bits - 1)
    return lambda value: ((int(value) + half) & mask) - half


class FixedArray(list[Any]):
    """An array field: as many numbers as declared, each fitted to its type when written."""

    __slots__ = ("fit",)

    def __init__(self, values: Iterable[Any], fit: Callable[[Any], Any]) -> None:
        super().__init__(values)
        self.fit = fit

    def __setitem__(self, index: SupportsIndex | slice, value: Any) -> None:
        if isinstance(index, slice):
            places = range(*index.indices(len(self)))
            values = [value] * len(places) if np.isscalar(value) else list(value)
            for place, one in zip(places, values, strict=True):
                super().__setitem__(place, self.fit(one))
        else:
            super().__setitem__(index, self.fit(value))


class Struct:
    """Base of all struct states. Made by `struct`, never by hand."""

    __slots__ = ()
    fields: ClassVar[dict[str, Field]] = {}
    dtype: ClassVar[np.dtype[np.void]] = np.dtype([])
    _packing: ClassVar[binary.Struct]

    def __init__(self, **values: Any) -> None:
        for name, field in self.fields.items():
            scalar, length = field if isinstance(field, tuple) else (field, 0)
            fit = fitting(scalar)
            if length:
                given = list(values.pop(name, [0] * length))
                if len(given) != length:
                    raise ValueError(f"field {name} holds {length} numbers, not {len(given)}")
                object.__setattr__(self, "_" + name, FixedArray(map(fit, given), fit))
            else:
                object.__setattr__(self, "_" + name, fit(values.pop(name, 0)))
        if values:
            raise TypeError(f"{', '.join(values)}: no such field; the state has {', '.join(self.fields)}")

    def __copy__(self) -> Struct:
        return self.copy()

    def copy(self) -> Struct:
        """A state that can be played on without changing this one."""
        raise TypeError("only structs made by struct(...) have states")

    def values(self) -> dict[str, Any]:
        """The fields and what they hold."""
        return {name: getattr(self, name) for name in self.fields}

    def tobytes(self) -> bytes:
        """The state as the compiled struct lays it out, padding zeroed."""
        flat: list[Any] = []
        for name in self.fields:
            value = getattr(self, name)
            flat.extend(value) if isinstance(value, list) else flat.append(value)
        return self._packing.pack(*flat).ljust(self.dtype.itemsize, b"\0")

    @classmethod
    def frombytes(cls, data: bytes) -> Struct:
        """The state that a compiled struct holds."""
        record = np.frombuffer(data, dtype=cls.dtype)[0]
        return cls(**{name: record[name] for name in cls.fields})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Struct) and type(self) is type(other) and self.tobytes() == other.tobytes()

    def __hash__(self) -> int:
        return hash(self.tobytes())

    def __repr__(self) -> str:
        return f"State({', '.join(f'{name}={value}' for name, value in self.values().items())})"


def struct(**fields: Field) -> type[Struct]:
    """A class of states with these fields: a scalar type (`u64`), or a type and a length (`(u8, 12)`)."""
    if not fields:
        raise TypeError("a state needs at least one field")
    layout: list[tuple[Any, ...]] = []
    packing = "@"
    namespace: dict[str, Any] = {"__slots__": tuple("_" + name for name in fields), "fields": dict(fields)}
    for name, field in fields.items():
        if name.startswith("_") or hasattr(Struct, name):
            raise TypeError(f"field {name}: states use this name themselves, choose another")
        if not _is_field(field):
            allowed = ", ".join(t.__name__ for t in _FORMAT)
            raise TypeError(f"field {name}: a type ({allowed}) or a type and a length such as (u8, 12)")
        scalar, length = field if isinstance(field, tuple) else (field, 0)
        layout.append((name, scalar, (length,)) if length else (name, scalar))
        packing += f"{length}{_FORMAT[scalar]}" if length else _FORMAT[scalar]
        namespace[name] = _array_property(name) if length else _scalar_property(name, fitting(scalar))
    body = "".join(
        f"    new._{name} = FixedArray(self._{name}, self._{name}.fit)\n" if isinstance(field, tuple)
        else f"    new._{name} = self._{name}\n"
        for name, field in fields.items()
    )  # written out, because copying is what an interpreted search does most
    exec(f"def copy(self):\n    new = blank(type(self))\n{body}    return new\n",
         {"FixedArray": FixedArray, "blank": object.__new__}, namespace)
    namespace["dtype"] = np.dtype(layout, align=True)
    namespace["_packing"] = binary.Struct(packing)
    return type("State", (Struct,), namespace)


def _is_field(field: Any) -> bool:
    """Whether this is a scalar type, or one with a length."""
    if isinstance(field, tuple):
        return len(field) == 2 and _is_field(field[0]) and isinstance(field[1], int) and field[1] > 0
    return isinstance(field, type) and field in _FORMAT


def _scalar_property(name: str, fit: Callable[[Any], Any]) -> property:
    slot = "_" + name

    def read(self: Struct) -> Any:
        return getattr(self, slot)

    def write(self: Struct, value: Any) -> None:
        setattr(self, slot, fit(value))

    return property(read, write)


def _array_property(name: str) -> property:
    slot = "_" + name
    return property(lambda self: getattr(self, slot))
