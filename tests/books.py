"""Books for tests: games at random, and entries by hand."""

from __future__ import annotations

import random
from dataclasses import replace

from zermelo.knowledge.book import Book
from zermelo.knowledge.book_graph import Graph
from zermelo.knowledge.book_learning import Played

EXACT = "alphabeta(depth=42, mode=interpreted, memory=1MB)"
"""A search that knows everything of the small games that it is used for."""


def random_game(game, dice):
    position = game.position()
    while position.result is None:
        position = position.play(dice.choice(position.codes))
    return Played(position, position.result, " ".join(position.history()))


def random_games(game, number, seed=0):
    dice = random.Random(seed)
    return [random_game(game, dice) for _ in range(number)]


def put(book, position, **known):
    """Write what is known of a position."""
    book.put(replace(book.entry(position) or book.new_entry(position.state), **known))


def written(file, game, known, **settings):
    """A book that knows so much, positions being named by their moves, reopened for reading."""
    with Book.create(file, game, **settings) as book:
        for text, told in known.items():
            put(book, game.position(text), **told)
        Graph(book).back_up()
    return Book(file, game)


def moves(book, position):
    """What a book says of each move: its value, and whether it is rejected."""
    return {move.text: (move.value, move.rejected) for move in book.page(position).moves}
