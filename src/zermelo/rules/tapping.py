"""Where a person taps to make a move: found from the drawing's own labels, so that no game has to say it.

A game's drawing names its spots (see `zermelo.rules.board`). Where a move is on it is, in this order:

1.  what the game's hook `spots(s, move)` says: the names of spots in the order of tapping, or nothing for a button;
2.  the spots that the move's text names: `e2e4`, `b2b1+` and `d2d3xa1` are paths of two, two and three taps. Names are
    looked for from left to right, the longest first, in small or capital letters; what stands between may be anything;
    Before them may stand a piece in hand that is dropped, `P*5e` or `C@b2`, if the drawing shows hands;
3.  a column: the text is the label of one, and any cell of it will do;
4.  what stands on one spot only: `CJ` is the card that reads CJ. Not for numbers, which may count anything, nor for
    the outcomes of chance.

What has no place is a button. So every game can be played, whether it is drawn or not. GamesmanUni's AutoGUI and Ludii
tell moves apart by places too, but want to be told them; texts and labels say it already.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from zermelo.rules.board import Board, Spot
from zermelo.rules.language import CHANCE
from zermelo.rules.position import Position
from zermelo.rules.structs import wrapping


class Tap(NamedTuple):
    """A move and how it is tapped. `path`: names of spots, or of groups of them; () if it is a button. `at`: the spot
    on which its value is shown, "" if none. `unknown`: names that the hook gives and the drawing lacks."""

    move: str
    path: tuple[str, ...]
    at: str
    unknown: tuple[str, ...] = ()


@wrapping
def taps(position: Position) -> list[Tap]:
    """Every legal move with its place, in the order of the rules."""
    places = places_of(position)
    return [_tap(position, move, places) for move in position.codes]


@wrapping
def places_of(position: Position) -> Mapping[str, Spot]:
    """The spots that the position's drawing has; none if it has no drawing or one without spots."""
    drawing = None if position.game.draw is None else position.game.draw(position.state)
    found = getattr(drawing, "places", None)
    return {} if found is None else found()


def _tap(position: Position, move: int, places: Mapping[str, Spot]) -> Tap:
    text = position.text_of(move)
    if position.game.spots is not None:
        named = tuple(position.game.spots(position.state, move) or ())
        unknown = tuple(name for name in named if name not in places and name not in _groups(places))
        path = () if unknown else named
        return Tap(text, path, _shown_at(position, move, path, places), unknown)
    path = _path(position, text, places)
    return Tap(text, path, _shown_at(position, move, path, places))


def _path(position: Position, text: str, places: Mapping[str, Spot]) -> tuple[str, ...]:
    if not places:
        return ()
    by_name = {name.lower(): name for name in places}
    found = _finder(tuple(sorted(by_name, key=lambda name: (-len(name), name)))).findall(text.lower())
    if found:
        return (*_hand(position, text, places), *(by_name[name] for name in found))
    column = f"column {text}"
    if column in _groups(places):
        return (column,)
    if position.turn == CHANCE or text.isdecimal():
        return ()
    board = _board(position)
    standing = [] if board is None else [name for name, piece in board.pieces.items() if piece.mark == text]
    return tuple(standing) if len(standing) == 1 else ()


_DROP = re.compile(r"(\+?\w)[@*]")


def _hand(position: Position, text: str, places: Mapping[str, Spot]) -> tuple[str, ...]:
    """Where the piece lies that a move drops; the second player's may be written in small letters."""
    drop = _DROP.match(text)
    if drop is None:
        return ()
    marks = (drop[1], drop[1].lower()) if position.turn == 0 else (drop[1].lower(), drop[1])
    return tuple(f"hand:{mark}" for mark in marks if f"hand:{mark}" in places)[:1]


@lru_cache(maxsize=64)
def _finder(names: tuple[str, ...]) -> re.Pattern[str]:
    """Finds names in a text. One that ends in a digit is not found where the number goes on, nor one of letters inside
    of a word."""
    return re.compile("|".join(_alone(name) for name in names))


def _alone(name: str) -> str:
    before = r"(?<!\d)" if name[:1].isdigit() else r"(?<![^\W\d])" if name.isalpha() else ""
    after = r"(?!\d)" if name[-1:].isdigit() else r"(?![^\W\d])" if name.isalpha() else ""
    return f"{before}{re.escape(name)}{after}"


def _groups(places: Mapping[str, Spot]) -> set[str]:
    return {spot.group for spot in places.values() if spot.group}


def _board(position: Position) -> Board | None:
    drawing = None if position.game.draw is None else position.game.draw(position.state)
    made = getattr(drawing, "board", None)
    return None if made is None else made()


def _shown_at(position: Position, move: int, path: tuple[str, ...], places: Mapping[str, Spot]) -> str:
    """The last spot of a path; of a group the one that the move changes, such as the cell into which a disc falls."""
    if not path:
        return ""
    if path[-1] in places:
        return path[-1]
    members = [name for name, spot in places.items() if spot.group == path[-1]]
    before, after = _board(position), _board(position.play(move))
    if before is not None and after is not None:
        changed = [name for name in members if before.pieces.get(name) != after.pieces.get(name)]
        members = changed or members
    return members[0]
