"""The backgammon board to look at: long points, checkers upon each other, dice in the middle, and where to tap."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.rules import Board, Piece, Spot, Word

_HIGH, _LOW, _LONG = 2.4, 8.6, 3.8


def points_and_checkers(
    places: Sequence[int], off: Sequence[int], dice: Sequence[tuple[int, int]], caption: str, printed: str
) -> Board:
    """places: O's bar, X's points 1 to 24 and X's bar, X's checkers counted above zero and O's below; off: what X and O
    have borne off; dice: who rolled, and what. Points are called as X counts them, bars and the rest by their owners.
    """
    spots, pieces, words = {}, {}, [Word(6.5, 0.25, "bar"), Word(13.7, 0.25, "off")]
    for point in range(1, 25):
        column, upper = (12 - point, False) if point < 13 else (point - 13, True)
        x = column + 0.5 + (column > 5)
        shade = point % 2 == 0
        spots[str(point)] = (
            Spot(x, _HIGH, "downwards", 0.96, _LONG, shaded=shade)
            if upper
            else Spot(x, _LOW, "upwards", 0.96, _LONG, shaded=shade)
        )
        words.append(Word(x, 0.25 if upper else 10.75, str(point)))
    for owner, y in (("X", _LOW), ("O", _HIGH)):
        spots[f"bar {owner}"] = Spot(6.5, y, "pit", 0.9, _LONG)
        spots[f"off {owner}"] = Spot(13.7, y, "pit", 1.1, _LONG)
    held = {str(p): places[p] for p in range(1, 25)}
    held |= {"bar X": places[25], "bar O": places[0], "off X": off[0], "off O": -off[1]}
    for name, n in held.items():
        if n:
            pieces[name] = Piece(f"{'X' if n > 0 else 'O'}{abs(n)}", int(n < 0), "stack", count=abs(n))
    for i, (roller, shown) in enumerate(dice):
        spots[f"die {i + 1}"] = Spot(9 + 1.1 * i, 5.5, "open")
        pieces[f"die {i + 1}"] = Piece(str(shown), roller, "die", count=shown)
    return Board(spots, pieces, (), words, caption, printed)


def stops(text: str, side: int) -> list[str] | None:
    """The spots of a move, 13/8+6/4 or 13/8/6, in the order of its text; O's points are X's counted backwards."""
    if text == "pass":
        return None
    words = text.replace("(2)", "").replace("*", "").replace("+", "/").split("/")
    named = {"bar": f"bar {'XO'[side]}", "off": f"off {'XO'[side]}"}
    return [named.get(word) or (word if side == 0 else str(25 - int(word))) for word in words]
