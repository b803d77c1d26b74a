"""Compiled rules that Python can call."""

from __future__ import annotations

from typing import Any

from zermelo.compile.native import jit, native


def twin(rule: Any, known: dict[Any, Any] | None = None) -> Any:
    """The compiled twin of a rule in a kernel that does nothing but call it."""
    part = native(rule, known)
    return jit(lambda *arguments: part(*arguments))
