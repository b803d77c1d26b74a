"""Players for matches, as simple as can be."""

from __future__ import annotations

from zermelo import games
from zermelo.play.player import Player
from zermelo.play.record import read_records

BOARD = games.tic_tac_toe()


class First(Player):
    """Always the first move of the list."""

    name = "first"

    def move(self, turn):
        return turn.position.moves()[0]


class Last(Player):
    """Always the last."""

    name = "last"

    def move(self, turn):
        return turn.position.codes[-1]


def games_in(file, game=BOARD):
    """The games of a file by their event, without the times that moves took."""
    return {
        record.event: (record.players, tuple(record.position.history()), str(record.ending), record.seed)
        for record in read_records(file, game)
    }
