"""Proving: positions solved, claims decided the easiest way, certificates taken over."""

from __future__ import annotations

import itertools
import math

import pytest

import zermelo as z
from books import moves, written
from oracles import value
from zermelo import games
from zermelo.certificates.certificate import Claim, Damaged
from zermelo.games.graph import graph_game
from zermelo.knowledge.book import Book
from zermelo.knowledge.book_certificates import take_certificates
from zermelo.knowledge.book_graph import Graph
from zermelo.knowledge.book_growing import grow_book
from zermelo.knowledge.book_lines import pages
from zermelo.knowledge.book_proving import easiest_leaf, proof_numbers, prove_book
from zermelo.rules import MoveError, Unsuitable

BOARD = games.tic_tac_toe()
WEAK = "alphabeta(nodes=300, mode=interpreted, table=off)"
"""A solver that needs help."""


@pytest.fixture
def book(tmp_path):
    with Book.create(tmp_path / "it.book", BOARD) as made:
        yield made


def assert_right(book):
    """All bounds of the book hold by the definition of minimax."""
    for page in pages(book):
        assert page.entry.low <= value(page.position) <= page.entry.high


def test_all_positions_are_solved(book):
    grow_book(book, "alphabeta(depth=1, mode=interpreted)", positions=12)
    done = prove_book(book, "alphabeta(mode=interpreted)")
    assert (done.proven, done.positions) == (12, 12)
    assert (done.low, done.high, done.stopped) == (0, 0, None)
    assert done.tried < 12  # what follows from others is not solved
    assert_right(book)
    assert prove_book(book, "alphabeta(mode=interpreted)").tried == 0


def test_what_was_tried_is_not_tried_again_with_as_little(book):
    grow_book(book, "alphabeta(depth=1, mode=interpreted)", positions=3)
    before = prove_book(book, WEAK)
    assert before.tried > 0
    assert before.proven < 3
    assert prove_book(book, WEAK).tried == 0


@pytest.mark.parametrize(
    ("claim", "holds"),
    [({"at_least": 0}, True), ({"at_least": 1}, False), ({"at_most": 0}, True), ({"at_most": -1}, False)],
)
def test_a_claim_is_decided_although_the_solver_cannot(book, claim, holds):
    done = prove_book(book, WEAK, **claim)
    assert done.holds is holds
    assert done.positions > 10
    assert_right(book)
    again = prove_book(book, WEAK, **claim)
    assert (again.tried, again.holds) == (0, holds)


def test_a_proof_goes_on_where_it_was_left(book):
    first = prove_book(book, WEAK, at_least=0, positions=5)
    assert (first.tried, first.holds, first.stopped) == (5, None, "positions")
    assert first.positions > 5
    rest = prove_book(book, WEAK, at_least=0)
    assert rest.holds is True
    assert_right(book)


def test_a_proven_claim_is_played(book):
    prove_book(book, WEAK, at_least=0)
    prove_book(book, WEAK, at_most=0)
    for seed in range(5):
        answer = book.answer(BOARD.position(), seed)
        assert (answer.status, answer.value) == ("proven", 0)


def by_trees(graph, number, claim, proving, path=()):
    """The cost of the cheapest proof by taking every tree by itself."""
    worth = graph.worth[number]
    holds, fails = claim.allows(worth.low) and claim.allows(worth.high), not claim.allows(worth.low)
    fails = fails and not claim.allows(worth.high)
    if holds or fails:
        return 0 if holds == proving else math.inf
    children = graph.children(number)
    if None in children:
        return 1
    if number in path:
        return math.inf
    costs = [by_trees(graph, child, claim, proving, (*path, number)) for child in set(children)]
    chooses = (graph.entries[number].turn == claim.claimant) == proving
    return min(costs) if chooses else sum(costs)


LOOPS = graph_game({
    "root": "A", "repetition": "draw", "values": [-9, 9],
    "nodes": {
        "A": {"turn": "max", "moves": ["B", "C"]}, "B": {"turn": "min", "moves": ["A", "D", "E"]},
        "C": {"turn": "min", "moves": ["D", "F"]}, "D": {"turn": "max", "moves": ["B", "G"]},
        "E": {"turn": "max", "moves": ["U", "F"]}, "F": {"turn": "max", "moves": ["C", "V"]},
        "G": {"turn": "min", "moves": ["U", "V"]}, "U": {"value": 5}, "V": {"value": -3},
    },
})  # fmt: skip


@pytest.mark.parametrize("missing", [*itertools.combinations("DEFG", 1), *itertools.combinations("DEFG", 2)])
def test_proof_numbers_are_the_cheapest_proofs(tmp_path, missing):
    """Loops included: paths to every position of the graph, some left out."""
    ways = {"": "A", "B": "B", "C": "C", "B D": "D", "B E": "E", "C F": "F", "B D G": "G"}
    known = {way: {} for way, name in ways.items() if name not in missing}
    with written(tmp_path / "it.book", LOOPS, known) as book:
        graph = Graph(book)
        for claim, proving in itertools.product((Claim(True, 1), Claim(True, -3), Claim(False, 4)), (True, False)):
            found = proof_numbers(graph, claim, proving)
            for number in range(len(graph.entries)):
                cost = found[number].cost if number in found else math.inf
                assert cost == by_trees(graph, number, claim, proving)
            root = graph.number(book.keys.word(LOOPS.start))
            if 0 not in (by_trees(graph, root, claim, True), by_trees(graph, root, claim, False)):
                leaf = easiest_leaf(graph, root, claim)
                assert leaf is None or None in graph.children(leaf[0])


@pytest.mark.parametrize("claim", [{"at_least": 1}, {"at_least": 0}, {"at_most": -3}, {"at_most": 4}])
def test_claims_about_a_game_with_loops(tmp_path, claim):
    right = value(LOOPS.position())
    with Book.create(tmp_path / "it.book", LOOPS) as book:
        done = prove_book(book, "alphabeta(nodes=2, mode=interpreted)", **claim)
        holds = right >= claim["at_least"] if "at_least" in claim else right <= claim["at_most"]
        assert done.holds is holds or (done.holds is None and done.stopped == "loops")


def test_what_is_refused(book):
    for settings, error, words in (
        ({"at_least": 0, "at_most": 0}, Unsuitable, "not both"),
        ({"at_least": 3}, Unsuitable, "scores lie between -1 and 1, not at 3"),
        ({"positions": 0}, Unsuitable, "at least 1, not 0"),
        ({"method": "random"}, Unsuitable, "finds moves, not values"),
        ({"position": BOARD.position("a1 a2 b1 b2 c1")}, MoveError, "the game is over"),
    ):
        with pytest.raises(error, match=words):
            prove_book(book, **settings)


def test_games_in_which_no_claim_is_put_together(tmp_path):
    for game, words in ((games.pig(goal=9), "chance"), (games.dobutsu(), "depends on the path")):
        if not game.has_chance and game.loop_value is not None:
            continue
        with Book.create(tmp_path / f"{game.name}.book", game) as book, pytest.raises(Unsuitable, match=words):
            prove_book(book, at_least=0)


# certificates


@pytest.mark.slow
def test_a_certificate_is_taken_over_and_played(book, tmp_path):
    proof = z.prove(BOARD.position("a1 b1"), at_least=1, mode="interpreted")
    proof.save(tmp_path / "won.proof")
    assert take_certificates(book, [tmp_path / "won.proof"], plies=2) > 5
    entry = book.entry(BOARD.position("a1 b1"))
    assert (entry.low, entry.high, entry.source) == (1, 1, "certificate won.proof")
    assert_right(book)
    position = BOARD.position("a1 b1")
    while position.result is None and book.page(position) is not None:
        answer = book.answer(position, 1)
        if answer is None:
            break
        assert (answer.status, answer.value) == ("proven", 1)
        position = position.play(answer.move)
        if position.result is None:
            position = position.play(position.moves()[0])
    assert len(position.history()) > 2


def test_both_sides_of_a_value(book, tmp_path):
    z.prove(BOARD.position("b2"), mode="interpreted").save(tmp_path / "drawn.proof")
    take_certificates(book, [tmp_path / "drawn.proof"])
    entry = book.entry(BOARD.position("b2"))
    assert (entry.low, entry.high) == (0, 0)
    assert_right(book)
    assert moves(book, BOARD.position("b2"))["a1"][0] is not None


def test_certificates_that_are_none(book, tmp_path):
    (tmp_path / "no.proof").write_text("something")
    with pytest.raises(Damaged, match="is not a certificate"):
        take_certificates(book, [tmp_path / "no.proof"])
    other = games.tic_tac_toe(rows=3, cols=3, run=2)
    z.prove(other, at_least=1, mode="interpreted").save(tmp_path / "other.proof")
    with pytest.raises(Unsuitable, match="the rules of tic-tac-toe.* are not those"):
        take_certificates(book, [tmp_path / "other.proof"])
    with pytest.raises(Unsuitable, match="0 or more plies"):
        take_certificates(book, [], plies=-1)


def test_the_strategy_of_a_certificate_is_played(tmp_path, book):
    """Whatever the first player does, the second one has a draw by the book alone."""
    z.prove(BOARD, at_most=0, mode="interpreted").save(tmp_path / "draw.proof")
    take_certificates(book, [tmp_path / "draw.proof"], plies=9)
    waiting, seen = [BOARD.position()], set()
    while waiting:
        position = waiting.pop()
        if position in seen or position.result is not None:
            assert position.result is None or position.result <= 0
            continue
        seen.add(position)
        told = book.answer(position, 1) if position.turn == 1 else None
        if told is None:
            assert position.turn == 0
            waiting += [position.play(move) for move in position.moves()]
        else:
            assert told.status in ("bound", "proven")
            waiting += [position.play(move) for move in told.best]
    assert len(seen) > 50
