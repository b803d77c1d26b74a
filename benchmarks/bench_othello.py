"""Othello solved exactly: small boards from the start, and 6×6 positions with 16 empty squares."""

from __future__ import annotations

import random

from common import table
from zermelo import games, solve
from zermelo.rules import Position

BOARDS = ((4, 4), (4, 5), (4, 6), (5, 5))
EMPTIES, POSITIONS = 16, 8


def endgames() -> list[Position]:
    """Positions met by playing at random until so many squares are left."""
    chance = random.Random(6)
    game = games.othello(rows=6, cols=6)
    found: list[Position] = []
    while len(found) < POSITIONS:
        position = Position(game)
        while position.result is None and position.text().count("-") > EMPTIES:
            position = position.play(chance.choice(position.codes))
        if position.result is None:
            found.append(position)
    return found


def main() -> None:
    rows = []
    for rows_, cols in BOARDS:
        answer = solve(games.othello(rows=rows_, cols=cols))
        rows.append([f"{rows_}×{cols} from the start", answer.value, answer.nodes, answer.seconds])
    answers = [solve(position) for position in endgames()]
    nodes = sum(answer.nodes + answer.extra_nodes for answer in answers)
    seconds = [answer.seconds for answer in answers]
    rows.append([f"6×6, {EMPTIES} empty, mean of {POSITIONS}", "", nodes // POSITIONS, sum(seconds) / POSITIONS])
    rows.append([f"6×6, {EMPTIES} empty, slowest", "", "", max(seconds)])
    table("Othello, value, all best moves and the line", ["board", "value", "nodes", "seconds"], rows)


if __name__ == "__main__":
    main()
