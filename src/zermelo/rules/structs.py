"""Struct states: what a position is made of.

`struct(mine=u64, board=(u8, 12), plies=i8)` makes a class with those fields. Compiled rules see the same
layout as a C struct; interpreted rules see an object of this class.

A state that somebody builds, `State(heap=300)`, or fills in by hand, refuses what does not fit into its fields. Rules
work on *copies*, and there a field takes what fits into its type and drops the rest, exactly as the compiled field
does, so that both give the same numbers; `watching` makes a class whose states tell when that happens. Fields hand out
plain Python integers (which do not overflow in between, as the compiled 64-bit ones rarely do). Only `u64`
fields hand out `numpy.uint64`, so that shifts, complements and products wrap where they must.
"""

from __future__ import annotations

import struct as binary
from collections.abc import Callable, Iterable
from operator import index as as_whole
from typing import Any, ClassVar, SupportsIndex

import numpy as np

from zermelo.rules.errors import StateError

u8, u16, u32, u64 = np.uint8, np.uint16, np.uint32, np.uint64
i8, i16, i32, i64 = np.int8, np.int16, np.int32, np.int64
f32, f64 = np.float32, np.float64

_FORMAT = {u8: "B", u16: "H", u32: "I", u64: "Q", i8: "b", i16: "h", i32: "i", i64: "q", f32: "f", f64: "d"}

wrapping = np.errstate(over="ignore")
"""A decorator for what calls rules: unsigned numbers wrap there on purpose (hashes, bit boards), as they do compiled,
and NumPy would warn each time. It holds in the thread that runs the function, until the function ends."""

Scalar = type[Any]
Field = Scalar | tuple[Scalar, int]
Fit = Callable[[Any], Any]
"""What a field makes of a number that is written into it."""
Note = Callable[[str, Any, str], None]
"""Is told the name of a field, the number that did not fit, and what the field holds."""


def fitting(scalar: Scalar) -> Fit:
    """The conversion that a field of this type applies to what rules write into it."""
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


def refusing(scalar: Scalar, name: str) -> Fit:
    """The same for a state that somebody builds: what does not fit is refused."""
    fit, holds = fitting(scalar), f"field {name} holds {_range(scalar)}"
    number_of = float if scalar in (f32, f64) else _whole

    def refuse(value: Any) -> Any:
        try:
            if isinstance(value, str | bytes):
                raise TypeError("a text is no number")
            number = number_of(value)
            kept = fit(number)
        except (TypeError, ValueError, OverflowError):
            raise StateError(f"{holds}, not {value!r}") from None
        lost = number != number or np.isinf(kept) != np.isinf(number) if number_of is float else int(kept) != number
        if lost:
            raise StateError(f"{holds}, not {value}")
        return kept

    return wrapping(refuse) if scalar is f32 else refuse  # NumPy would warn of what is refused here


def _noticing(scalar: Scalar, name: str, note: Note) -> Fit:
    """What rules' fields do, telling of whole numbers that were too large or too small. Full words wrap on purpose."""
    fit, holds = fitting(scalar), _range(scalar)
    if scalar in (u64, f32, f64):
        return fit

    def notice(value: Any) -> Any:
        kept = fit(value)
        if kept != int(value):
            note(name, value, holds)
        return kept

    return notice


def _whole(value: Any) -> int:
    """A whole number, whatever its type."""
    if isinstance(value, np.bool_) or (isinstance(value, float | np.floating) and value == np.floor(value)):
        return int(value)
    return as_whole(value)


def _range(scalar: Scalar) -> str:
    if scalar in (f32, f64):
        return f"numbers of {8 * np.dtype(scalar).itemsize} bits"
    return f"whole numbers from {np.iinfo(scalar).min} to {np.iinfo(scalar).max}"


class FixedArray(list[Any]):
    """An array field: as many numbers as declared, each fitted to its type when written."""

    __slots__ = ("fit",)

    def __init__(self, values: Iterable[Any], fit: Fit) -> None:
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
    _fits: ClassVar[dict[str, Fit]]
    _copies: ClassVar[type[Struct]]

    def __init__(self, **values: Any) -> None:
        for name, field in self.fields.items():
            fit, length = self._fits[name], field[1] if isinstance(field, tuple) else 0
            if length:
                given = values.pop(name, [0] * length)
                numbers = list(given) if isinstance(given, Iterable) else [given]
                if len(numbers) != length:
                    raise StateError(f"field {name} holds {length} numbers, not {len(numbers)}")
                setattr(self, "_" + name, FixedArray(map(fit, numbers), fit))
            else:
                setattr(self, "_" + name, fit(values.pop(name, 0)))
        if values:
            raise StateError(f"{', '.join(values)}: no such field; the state has {', '.join(self.fields)}")

    def __copy__(self) -> Struct:
        return self.copy()

    def copy(self) -> Struct:
        """A state that rules can play on without changing this one."""
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
        """The state that a compiled struct holds, for rules to play on."""
        record = np.frombuffer(data, dtype=cls.dtype)[0]
        return cls._copies(**{name: record[name] for name in cls.fields})

    @classmethod
    def watching(cls, note: Note) -> type[Struct]:
        """A class of the same states which, as their copies do, tell `note` of numbers that do not fit."""
        return _variant(cls, lambda scalar, name: _noticing(scalar, name, note))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Struct) and self.fields is other.fields and self.tobytes() == other.tobytes()

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
    for name, field in fields.items():
        if name.startswith("_") or hasattr(Struct, name):
            raise TypeError(f"field {name}: states use this name themselves, choose another")
        if not _is_field(field):
            allowed = ", ".join(t.__name__ for t in _FORMAT)
            raise TypeError(f"field {name}: a type ({allowed}) or a type and a length such as (u8, 12)")
        scalar, length = field if isinstance(field, tuple) else (field, 0)
        layout.append((name, scalar, (length,)) if length else (name, scalar))
        packing += f"{length}{_FORMAT[scalar]}" if length else _FORMAT[scalar]
    state: type[Struct] = type("State", (Struct,), {
        "__slots__": tuple("_" + name for name in fields), "fields": dict(fields),
        "dtype": np.dtype(layout, align=True), "_packing": binary.Struct(packing), **_behaviour(fields, refusing),
    })  # fmt: skip
    played = _variant(state, lambda scalar, _: fitting(scalar))
    state._copies, state.copy = played, played.copy  # type: ignore[method-assign]
    return state


def _variant(state: type[Struct], fit_of: Callable[[Scalar, str], Fit]) -> type[Struct]:
    """The same states with other ways of taking numbers in; copies stay what they are."""
    variant: type[Struct] = type("State", (state,), {"__slots__": (), **_behaviour(state.fields, fit_of)})
    body = "".join(
        f"    new._{name} = FixedArray(self._{name}, fit_{name})\n" if isinstance(field, tuple)
        else f"    new._{name} = self._{name}\n"
        for name, field in state.fields.items()
    )  # written out, because copying is what an interpreted search does most
    namespace: dict[str, Any] = {f"fit_{name}": fit for name, fit in variant._fits.items()}
    namespace.update(FixedArray=FixedArray, blank=object.__new__, variant=variant)
    exec(f"def copy(self):\n    new = blank(variant)\n{body}    return new\n", namespace)
    variant._copies, variant.copy = variant, namespace["copy"]  # type: ignore[method-assign]
    return variant


def _behaviour(fields: dict[str, Field], fit_of: Callable[[Scalar, str], Fit]) -> dict[str, Any]:
    """The fields as properties, and what each makes of a number."""
    fits = {name: fit_of(field[0] if isinstance(field, tuple) else field, name) for name, field in fields.items()}
    properties = {
        name: _array_property(name) if isinstance(field, tuple) else _scalar_property(name, fits[name])
        for name, field in fields.items()
    }
    return {"_fits": fits, **properties}


def _is_field(field: Any) -> bool:
    """Whether this is a scalar type, or one with a length."""
    if isinstance(field, tuple):
        return len(field) == 2 and _is_field(field[0]) and isinstance(field[1], int) and field[1] > 0
    return isinstance(field, type) and field in _FORMAT


def _scalar_property(name: str, fit: Fit) -> property:
    slot = "_" + name

    def read(self: Struct) -> Any:
        return getattr(self, slot)

    def write(self: Struct, value: Any) -> None:
        setattr(self, slot, fit(value))

    return property(read, write)


def _array_property(name: str) -> property:
    slot = "_" + name
    return property(lambda self: getattr(self, slot))
