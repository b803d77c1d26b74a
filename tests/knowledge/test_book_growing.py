"""Growing: where a book is extended, and that no kill costs it anything."""

from __future__ import annotations

import math
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

import zermelo as z
from books import EXACT
from zermelo import games
from zermelo.knowledge.book import Book
from zermelo.knowledge.book_file import BookFile
from zermelo.knowledge.book_graph import Graph
from zermelo.knowledge.book_growing import BEST_FIRST, DROP_OUT, grow_book, leaves_by_cost
from zermelo.knowledge.book_search import Assessor, Places, reach
from zermelo.rules import MoveError, UnknownName, Unsuitable

BOARD = games.tic_tac_toe()
SMALL = games.connect_four(width=4, height=4)
FLIPS = games.othello(rows=4, cols=4)
QUICK = "alphabeta(depth=2, mode=interpreted, table=off)"
"""A search that says the same of a position whatever it was asked before."""


@pytest.fixture
def book(tmp_path):
    with Book.create(tmp_path / "it.book", BOARD) as made:
        yield made


def test_a_book_from_nothing(book):
    grown = grow_book(book, QUICK, positions=40)
    assert (grown.searched, grown.positions, grown.stopped) == (40, len(book), "positions")
    page = book.page(BOARD.position())
    assert all(move.known for move in page.moves)
    again = grow_book(book, QUICK, positions=20)
    assert again.searched == 20
    assert len(book) == 60


def test_no_position_is_searched_twice(tmp_path, monkeypatch):
    """Not even where several are expanded at once and share what follows them."""

    def assess(self, entry, state):
        value = entry.word % 1000 / 1000
        return replace(entry, searched=value, value=value, grounded=1)

    monkeypatch.setattr(Assessor, "assess", assess)
    with Book.create(tmp_path / "it.book", SMALL) as book:
        grown = grow_book(book, QUICK, positions=600, omega=0.5)
        assert grown.searched == len(book) == 600


def test_it_ends_where_nothing_is_left(book):
    grown = grow_book(book, EXACT)
    assert (grown.searched, grown.stopped, grown.status, grown.value) == (1, None, "proven", 0)


def test_from_a_position(book):
    grow_book(book, QUICK, positions=10, position=BOARD.position("b2"))
    assert book.entry(BOARD.position()) is None
    assert book.page(BOARD.position("b2")) is not None


def test_the_same_command_makes_the_same_book(tmp_path):
    books = []
    for name in ("one", "two"):
        with Book.create(tmp_path / f"{name}.book", SMALL) as book:
            grow_book(book, QUICK, positions=40)
            books.append(set(book.entries()))
    assert books[0] == books[1]


# where


def cheapest(graph, root, omega):
    """The cost of the cheapest leaf by the published recursion, which takes every path by itself."""

    def ep(number, owner):
        if graph.missing(number):
            return math.inf if graph.entries[number].proven else 0.0
        turn = graph.entries[number].turn
        sign = 1 if turn == 0 else -1
        children = [child for child in graph.children(number) if child is not None]
        scores = [sign * graph.worth[child].value for child in children]
        best = max([*scores, *(sign * score for score in graph.families[number].scores)])
        costs = [
            ep(child, owner) + (omega * (best - score) / graph.book.range if best > score else 0.0)
            for child, score in zip(children, scores)
            if best == score or (turn != owner and omega < math.inf)
        ]
        return 1 + min(costs, default=math.inf)

    return min(ep(root, 0), ep(root, 1))


@pytest.mark.parametrize("omega", [0.0, 3.0, 20.0, math.inf])
def test_leaves_come_in_the_published_order(tmp_path, omega):
    with Book.create(tmp_path / "it.book", FLIPS) as book:
        for _ in range(5):
            policy = {"policy": BEST_FIRST} if omega == math.inf else {"omega": omega}
            grow_book(book, QUICK, positions=9, **policy)
            graph = Graph(book)
            root = graph.number(book.keys.word(FLIPS.start))
            costs = [leaf.cost for leaf in leaves_by_cost(graph, root, omega, set())]
            assert costs == sorted(costs)
            assert (costs or [math.inf])[0] == pytest.approx(cheapest(graph, root, omega))


def depths(book):
    """How many positions of the book lie how deep."""
    found = [0] * 20
    graph = Graph(book)
    for number, state in reach(graph, [book.game.start]):
        found[bin(int(state.mine | state.theirs)).count("1")] += not graph.missing(number)
    return found


def test_a_small_omega_is_wide_and_best_first_is_deep(tmp_path):
    shapes = {}
    for name, settings in {
        "wide": {"omega": 0.0}, "usual": {}, "deep": {"omega": 200.0}, "best": {"policy": BEST_FIRST},
    }.items():  # fmt: skip
        with Book.create(tmp_path / f"{name}.book", FLIPS) as book:
            grow_book(book, QUICK, positions=50, **settings)
            shapes[name] = sum(ply * number for ply, number in enumerate(depths(book))) / sum(depths(book))
    assert shapes["wide"] <= shapes["usual"] <= shapes["deep"] <= shapes["best"]
    assert shapes["wide"] < shapes["best"]


def test_loops(tmp_path):
    game = games.dobutsu()
    with Book.create(tmp_path / "it.book", game) as book:
        for _ in range(3):
            grow_book(book, "alphabeta(depth=1, mode=interpreted)", positions=15)
        assert len(book) == 45
        root = Graph(book)
        before = {entry.word: entry.value for entry in book.entries()}
        root.back_up()
        assert before == {entry.word: entry.value for entry in book.entries()}


def test_dice(tmp_path):
    game = games.pig(goal=15)
    with Book.create(tmp_path / "it.book", game) as book:
        grow_book(book, "star2(depth=1, mode=interpreted)", positions=40)
        first = game.position("roll")
        entry = book.entry(first)
        after = [book.entry(first.play(code)) for code in first.codes]
        assert None not in after
        assert entry.value == pytest.approx(sum(one.value for one in after) / 6)


def test_places_are_found_by_playing(tmp_path):
    with Book.create(tmp_path / "it.book", SMALL) as book:
        grow_book(book, QUICK, positions=50)
        graph = Graph(book)
        root = graph.number(book.keys.word(SMALL.start))
        places, before = Places(graph, root, SMALL.start), {}
        for leaf in leaves_by_cost(graph, root, 1.0, set(), before):
            assert book.keys.word(places.find(leaf.number, before)) == graph.entries[leaf.number].word


def test_what_is_refused(book):
    for settings, error, words in (
        ({"policy": "drop"}, UnknownName, r"no policy is called drop: did you mean drop-out\?"),
        ({"omega": -1}, Unsuitable, "omega is a number from 0 on, not -1"),
        ({"omega": math.nan}, Unsuitable, "omega is a number"),
        ({"positions": 0}, Unsuitable, "at least 1, not 0"),
        ({"seconds": -1}, Unsuitable, "above 0, not -1"),
        ({"engine": "alphabeta(dpeth=3)"}, UnknownName, "has no setting dpeth"),
        ({"engine": "random", "positions": 3}, Unsuitable, "finds no value"),
        ({"position": BOARD.position("a1 a2 b1 b2 c1")}, MoveError, "the game is over"),
    ):
        with pytest.raises(error, match=words):
            grow_book(book, **settings)
    assert DROP_OUT == "drop-out"


# stopping


def test_ctrl_c_keeps_what_was_found(book, monkeypatch):
    usual = BookFile.put

    def put(self, *entries):
        usual(self, *entries)
        if len(self) == 12:
            monkeypatch.undo()
            raise KeyboardInterrupt

    monkeypatch.setattr(BookFile, "put", put)
    grown = grow_book(book, QUICK, positions=100)
    assert grown.stopped == "interrupt"
    assert len(book) == 12
    assert grow_book(book, QUICK, positions=100).searched == 100


GROW = """
import sys
sys.path[:0] = {path!r}
from zermelo import games
from zermelo.knowledge.book import Book
from zermelo.knowledge.book_growing import grow_book
from pathlib import Path
import zermelo.knowledge.book_file as file
file.COMMIT_EVERY = 0.05
game, name = games.connect_four(width=4, height=4), {file!r}
book = Book(name, game, write=True) if Path(name).exists() else Book.create(name, game)
grow_book(book, {engine!r}, listener=lambda grown: print(grown.positions, flush=True))
"""


def kill_and_go_on(tmp_path, kills):
    """Grow in processes that are killed at random moments; what is in the book is right all the time."""
    file, dice = tmp_path / "it.book", random.Random(1)
    code = GROW.format(path=sys.path, file=str(file), engine=QUICK)
    sizes = [0]
    with z.request(QUICK).open(SMALL) as session:
        for _ in range(kills):
            grower = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
            assert int(grower.stdout.readline()) > 0
            time.sleep(dice.uniform(0, 0.6))
            os.kill(grower.pid, signal.SIGKILL)
            grower.communicate()
            with Book(file, SMALL, write=True) as book:
                graph = Graph(book)
                sizes.append(len(book))
                places = list(reach(graph, [SMALL.start]))
                assert len(places) == len(book)
                for number, state in dice.sample(places, min(5, len(places))):
                    told = session.search(z.Position(SMALL, state), value_only=True)
                    assert graph.entries[number].searched == told.value
    assert sizes == sorted(sizes)
    with Book(file, SMALL, write=True) as book:
        grown = grow_book(book, QUICK, positions=30)
        assert grown.searched == 30
        assert grown.positions == len(book) == sizes[-1] + 30
    return sizes


@pytest.mark.slow
def test_a_kill_costs_nothing_that_was_committed(tmp_path):
    assert kill_and_go_on(tmp_path, 3)[-1] > 0


@pytest.mark.slow
def test_thirty_kills_cost_nothing_that_was_committed(tmp_path):
    assert kill_and_go_on(tmp_path, 30)[-1] > 30  # how many depends on the machine
