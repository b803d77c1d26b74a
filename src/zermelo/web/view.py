"""A position as the page and the API get it: one dictionary with all that is needed to show it and to play on."""

from __future__ import annotations

import math
from typing import Any

from zermelo.core.wording import score_in_words, to_move
from zermelo.rules import CHANCE, Position
from zermelo.rules.board import Spot
from zermelo.rules.painting import centre
from zermelo.rules.tapping import Tap, places_of, taps


def view(position: Position, began: str) -> dict[str, Any]:
    """All of a position. `began`: the text of the position from which `history` was played, "" for the start."""
    result = position.result
    places = places_of(position)
    return {
        "game": position.game.name,
        "summary": position.game.summary,
        "parameters": plain(dict(position.game.parameters)),
        "began": began,
        "text": position.text(),
        "history": position.history(),
        "turn": position.turn,
        "result": result,
        "words": f"{to_move(position)} to move" if result is None else score_in_words(position.game, result),
        "values": plain(list(position.game.values)),
        "chance": position.game.has_chance,
        "svg": position.svg(),
        "printed": str(position),
        "spots": {name: _spot(spot) for name, spot in places.items()},
        "moves": _moves(position),
        "last": _last(position),
    }


def _spot(spot: Spot) -> dict[str, Any]:
    x, y = centre(spot)
    return {"x": x, "y": y, "group": spot.group}


def _moves(position: Position) -> list[dict[str, Any]]:
    if position.result is not None:
        return []
    shown: list[dict[str, Any]] = [{"text": tap.move, "path": list(tap.path), "at": tap.at} for tap in taps(position)]
    if position.turn == CHANCE and position.game.weight is not None:
        weights = [int(position.game.weight(position.state, outcome)) for outcome in position.codes]
        for move, weight in zip(shown, weights):
            move["likelihood"] = weight / sum(weights)
    return shown


def _last(position: Position) -> dict[str, Any] | None:
    """The move that led here, and where it was tapped."""
    if position.previous is None or position.last_move is None:
        return None
    text = position.previous.text_of(position.last_move)
    tap = next((tap for tap in taps(position.previous) if tap.move == text), Tap(text, (), ""))
    return {"text": text, "path": list(tap.path), "at": tap.at}


def plain(data: Any) -> Any:
    """The same without what JSON cannot say: infinities and what is no number become null, other numbers plain ones."""
    if isinstance(data, dict):
        return {str(name): plain(value) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [plain(value) for value in data]
    if data is None or isinstance(data, bool | str):
        return data
    if isinstance(data, int):
        return int(data)
    if isinstance(data, float):
        return float(data) if math.isfinite(data) else None
    if hasattr(data, "item"):
        return plain(data.item())
    return str(data)
