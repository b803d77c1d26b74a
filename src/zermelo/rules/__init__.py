"""The language of games: struct states, rules, the Game they make up, and positions of it."""

from __future__ import annotations

from typing import Any

from zermelo.rules.bits import bit_index, nth_bit, popcount, reversed_bits
from zermelo.rules.board import Board, Line, Piece, Spot, Word
from zermelo.rules.drawing import Grid, TextDrawing
from zermelo.rules.errors import (
    MoveError,
    PositionError,
    RuleError,
    StateError,
    TooLarge,
    UnknownName,
    Unsuitable,
    ZermeloError,
    nearest,
)
from zermelo.rules.game import Game, build
from zermelo.rules.hooks import Drawing, Tier, equal_weight
from zermelo.rules.language import CHANCE, DRAW, ONGOING, rule
from zermelo.rules.objects import from_object
from zermelo.rules.position import MoveBuffer, Position, loop_score
from zermelo.rules.structs import Struct, f32, f64, i8, i16, i32, i64, struct, u8, u16, u32, u64, wrapping
from zermelo.rules.subgame import Subgame

__all__ = [
    "CHANCE", "DRAW", "ONGOING", "Board", "Drawing", "Game", "Grid", "Line", "MoveBuffer", "MoveError", "Piece",
    "Position", "PositionError", "RuleError", "Spot", "StateError", "Struct", "Subgame", "TextDrawing", "Tier",
    "TooLarge", "UnknownName", "Unsuitable", "Word", "ZermeloError", "bit_index", "build", "check", "equal_weight",
    "f32", "f64", "from_object", "i8", "i16", "i32", "i64", "loop_score", "nearest", "nth_bit", "popcount",
    "reversed_bits", "rule", "struct", "u8", "u16", "u32", "u64", "wrapping",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """`check` compares the two modes, so it lives above the rules and is fetched when asked for."""
    if name == "check":
        from zermelo.checking.conformance import check

        return check
    raise AttributeError(name)
