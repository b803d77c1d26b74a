"""Boards of two rows of pits and two stores, as kalah and awari have them."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.rules import Board, Grid, Piece, Spot, Word

_WIDE, _HIGH = 1.2, 1.5


def pits_and_stores(near: Sequence[int], far: Sequence[int], stores: tuple[int, int], caption: str) -> Board:
    """The first player's pits, called A1, A2 …, run below to the right, the second's, B1 …, above to the left; the
    stores are A and B. In the terminal each row is printed with its store."""
    pits = len(near)
    spots = {"B": Spot(0.6, 1.75, "pit", 1.1, 3)}
    words = []
    for i in range(pits):
        right, left = 1.2 + _WIDE * (i + 0.5), 1.2 + _WIDE * (pits - i - 0.5)
        spots[pit_name(1, i)] = Spot(left, 0.95, "pit", _WIDE - 0.12, _HIGH - 0.1)
        spots[pit_name(0, i)] = Spot(right, 2.55, "pit", _WIDE - 0.12, _HIGH - 0.1)
        words += [Word(left, 0.08, str(i + 1)), Word(right, 3.45, str(i + 1))]
    spots["A"] = Spot(1.8 + _WIDE * pits, 1.75, "pit", 1.1, 3)
    counts = {pit_name(0, i): n for i, n in enumerate(near)} | {pit_name(1, i): n for i, n in enumerate(far)}
    counts |= {"A": stores[0], "B": stores[1]}
    pieces = {name: Piece(str(n), 0 if name[0] == "A" else 1, "seeds", count=n) for name, n in counts.items()}
    below, above = [*map(str, near), str(stores[0])], [str(stores[1]), *map(str, reversed(far))]
    labels = ["", *(str(i + 1) for i in range(pits)), ""]
    printed = Grid([[*above, ""], ["", *below]], columns=labels, caption=caption).text()
    return Board(spots, pieces, (), words, caption, printed)


def pit_name(side: int, pit: int) -> str:
    """What a pit is called, counted from 0 as its owner sees it."""
    return f"{'AB'[side]}{pit + 1}"
