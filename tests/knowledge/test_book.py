"""What a book says of moves, and which it plays."""

from __future__ import annotations

from collections import Counter

import pytest

import zermelo as z
from books import EXACT, moves, put, random_games, written
from oracles import value
from zermelo import games
from zermelo.games.graph import graph_game
from zermelo.knowledge.book import Book
from zermelo.knowledge.book_graph import Graph
from zermelo.knowledge.book_learning import learn_games
from zermelo.rules import Unsuitable

BOARD = games.tic_tac_toe()
SMALL = games.connect_four(width=4, height=4)


def searched(value, best=None, **more):
    return {"searched": value, "best": best, **more}


# values that follow


def test_a_position_is_worth_what_its_best_move_is(tmp_path):
    known = {"": searched(0.0), "b2": searched(0.5), "a1": searched(-0.25), "b1": searched(-0.5)}
    with written(tmp_path / "it.book", BOARD, known) as book:  # with mirror images these are all moves
        assert book.entry(BOARD.position()).value == 0.5
        assert moves(book, BOARD.position())["c3"] == (-0.25, True)


def test_moves_outside_the_book_count_by_the_search_of_the_position(tmp_path):
    """The search likes a move that the book does not have: the others are seen against it."""
    known = {"": searched(0.6), "a1": searched(0.1)}
    with written(tmp_path / "it.book", BOARD, known) as book:
        assert book.entry(BOARD.position()).value == 0.6
        assert moves(book, BOARD.position())["a1"] == (0.1, True)
        assert book.answer(BOARD.position(), 1) is None


def test_a_move_that_the_search_liked_is_worth_what_is_known_of_it_now(tmp_path):
    with Book.create(tmp_path / "it.book", BOARD) as book:
        corner = book.keys.word(BOARD.position("a1").state)
        put(book, BOARD.position(), searched=0.6, best=corner)
        put(book, BOARD.position("a1"), searched=0.1)
        Graph(book).back_up()
        assert book.entry(BOARD.position()).value == 0.1
        assert book.answer(BOARD.position(), 1).move in ("a1", "a3", "c1", "c3")


def test_results_speak_only_where_nothing_else_does(tmp_path):
    known = {
        "": {"games": 9, "first": 9, "total": 9.0},
        "b2": {"games": 3, "first": 3, "total": 3.0},
        "a1": {"games": 3, "second": 3, "total": -3.0},
    }
    with written(tmp_path / "it.book", BOARD, known) as book:
        entry = book.entry(BOARD.position())
        assert (entry.status, entry.value) == ("results", 0.9)
        assert moves(book, BOARD.position())["a1"] == (-0.75, False)
        assert book.answer(BOARD.position(), 1).move == "b2"


def test_a_move_that_was_never_searched_is_not_played_where_others_were(tmp_path):
    """However well it did: it may be the blunder that nobody has punished."""
    won = {"games": 50, "first": 50, "total": 50.0}
    with written(tmp_path / "it.book", BOARD, {"": searched(0.1), "b2": searched(0.1), "a1": won}) as book:
        assert {book.answer(BOARD.position(), seed).move for seed in range(20)} == {"b2"}
    with written(tmp_path / "other.book", BOARD, {"": searched(0.1), "a1": won}) as book:
        assert book.answer(BOARD.position(), 1) is None


def test_what_is_proven_follows(tmp_path):
    """The second player has one reply to the corner that holds, and the first player needs one move that wins."""
    lost, drawn = {"low": 1.0, "high": 1.0}, {"low": 0.0, "high": 0.0}
    replies = {f"a1 {move}": lost for move in BOARD.position("a1").moves() if move != "b2"}
    with written(tmp_path / "it.book", BOARD, {"": {}, "a1": {}, **replies, "a1 b2": drawn}) as book:
        assert (book.entry(BOARD.position("a1")).low, book.entry(BOARD.position("a1")).high) == (0, 0)
        assert (book.entry(BOARD.position()).low, book.entry(BOARD.position()).high) == (0, 1)
        told = moves(book, BOARD.position("a1"))
        assert [move for move, (_, rejected) in told.items() if not rejected] == ["b2"]


def test_proofs_that_contradict_each_other(tmp_path):
    with Book.create(tmp_path / "it.book", BOARD) as book:
        put(book, BOARD.position(), low=-1.0, high=-1.0)
        put(book, BOARD.position("b2"), low=0.0)
        with pytest.raises(Unsuitable, match="its proofs contradict each other"):
            Graph(book).back_up()


def around(repetition):
    """Two positions from each of which play may go to the other, and ways out."""
    nodes = {
        "A": {"turn": "max", "moves": ["B", "X"]},
        "B": {"turn": "min", "moves": ["A", "Y"]},
        "X": {"turn": "min", "moves": ["U", "V"]},
        "Y": {"turn": "max", "moves": ["V", "W"]},
        "U": {"value": 5},
        "V": {"value": -5},
        "W": {"value": 7},
    }
    return graph_game({"root": "A", "repetition": repetition, "nodes": nodes, "values": [-9, 9]})


@pytest.mark.parametrize(("repetition", "right"), [("draw", 0.0), ("first", 7.0), ("second", -5.0)])
def test_values_go_round_only_as_far_as_the_rules_say(tmp_path, repetition, right):
    """By themselves both positions look like 4, and each would confirm the other for ever. Who leaves the circle scores
    -5 if it is the first player, 7 if it is the second."""
    game = around(repetition)
    known = {"": searched(4.0), "B": searched(4.0), "X": searched(-1.0), "B Y": searched(3.0)}
    with written(tmp_path / "it.book", game, known) as book:
        assert value(game.position()) == right
        assert book.entry(game.position()).value == right
        assert book.entry(game.position("B")).value == right


def test_dice(tmp_path):
    game = games.pig(goal=10)
    first = game.position().play("roll")
    outcomes = {f"roll {text}": searched(value) for text, value in zip(first.moves(), (0.0, 0.5, 0.5, 0.5, 0.25, 0.25))}
    with written(tmp_path / "it.book", game, {"": searched(0.1), "roll": searched(-0.5), **outcomes}) as book:
        assert book.entry(first).value == pytest.approx(2 / 6)
        assert book.answer(first) is None
        assert book.answer(game.position(), 1).move == "roll"


# rejected moves


@pytest.mark.parametrize(("margin", "rejected"), [(0.1, ["b1"]), (0.02, ["a1", "b1"]), (1.0, [])])
def test_a_blunder_gives_up_more_than_the_margin(tmp_path, margin, rejected):
    known = {"": searched(0.0), "b2": searched(0.3), "a1": searched(0.15), "b1": searched(-0.4)}
    with written(tmp_path / "it.book", BOARD, known, margin=margin) as book:
        told = moves(book, BOARD.position())
        assert [move for move in ("a1", "b1", "b2") if told[move][1]] == rejected
        assert told["b1"][0] == -0.4  # the refutation's value stays


def test_a_change_of_a_proven_result_is_a_blunder_whatever_the_margin(tmp_path):
    known = {"": searched(0.0), "b2": {"low": 0.0, "high": 0.0}, "a1": {"low": -1.0, "high": -1.0}}
    with written(tmp_path / "it.book", BOARD, known, margin=1.0) as book:
        book.variety = 1.0
        assert {book.answer(BOARD.position(), seed).move for seed in range(30)} == {"b2"}


def test_a_proven_loss_is_not_played_while_anything_else_is_legal(tmp_path):
    known = {"": {"games": 5}, "a1": {"low": -1.0, "high": -1.0}}
    with written(tmp_path / "it.book", BOARD, known) as book:
        assert book.answer(BOARD.position(), 1) is None


def test_a_lost_position_is_played_on(tmp_path):
    known = {"": {"low": -1.0, "high": -1.0}, "a1": {"low": -1.0, "high": -1.0}}
    with written(tmp_path / "it.book", BOARD, known) as book:
        answer = book.answer(BOARD.position(), 1)
        assert (answer.move[0] in "ac", answer.value, answer.status) == (True, -1, "proven")


def test_what_is_proven_before_what_is_estimated(tmp_path):
    drawn = {"low": 0.0, "high": 0.0}
    with written(tmp_path / "it.book", BOARD, {"": drawn, "b2": drawn, "a1": searched(0.0)}) as book:
        assert {book.answer(BOARD.position(), seed).move for seed in range(30)} == {"b2"}


def test_a_proven_win_before_anything(tmp_path):
    known = {"": searched(0.99), "b2": searched(0.99), "a1": {"low": 1.0, "high": 1.0}}
    with written(tmp_path / "it.book", BOARD, known) as book:
        book.variety = 1.0
        assert {book.answer(BOARD.position(), seed).move for seed in range(30)} <= {"a1", "a3", "c1", "c3"}
    won = BOARD.position("a1 a2 b1 b2")
    known = {"a1 a2 b1 b2": searched(0.5), "a1 a2 b1 b2 c3": searched(0.5)}
    with written(tmp_path / "other.book", BOARD, known) as book:
        assert book.answer(won, 1).move == "c1"  # the rules end the game there


# choosing


def test_an_answer_says_what_it_is(tmp_path):
    known = {"": searched(0.3), "b2": searched(0.3), "a1": searched(0.28)}
    with written(tmp_path / "it.book", BOARD, known) as book:
        answer = book.answer(BOARD.position(), 1)
        assert (answer.method, answer.nodes, answer.status, answer.value) == ("book", 0, "heuristic", 0.3)
        assert sorted(answer.best) == ["a1", "a3", "b2", "c1", "c3"]
        assert answer.move in answer.best
        assert {verdict.move: verdict.low for verdict in answer.verdicts}["a3"] == 0.28
        assert "within 0.02 of the best in it.book" in answer.why
        assert answer.as_dict()["method"] == "book"


def test_the_choice_is_fair(tmp_path):
    """Pearson's test of 5 moves, 4 degrees of freedom: 18.5 is passed by one in a thousand of fair dice."""
    known = {"": searched(0.3), "b2": searched(0.3), "a1": searched(0.28)}
    with written(tmp_path / "it.book", BOARD, known) as book:
        counts = Counter(book.answer(BOARD.position(), seed).move for seed in range(1000))
    assert set(counts) == {"a1", "a3", "b2", "c1", "c3"}
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 18.5


@pytest.mark.parametrize(("variety", "chosen"), [(0.0, "b2"), (0.02, "a1 b2"), (0.06, "a1 a2 b2")])
def test_variety(tmp_path, variety, chosen):
    known = {"": searched(0.3), "b2": searched(0.3), "a1": searched(0.27), "a2": searched(0.2)}
    written(tmp_path / "it.book", BOARD, known, margin=0.2).close()
    with Book(tmp_path / "it.book", BOARD, variety=variety) as book:
        found = {book.answer(BOARD.position(), seed).move for seed in range(100)}
        assert [move for move in ("a1", "a2", "b2") if move in found] == chosen.split()
    with pytest.raises(Unsuitable, match="variety is a share of the range of scores, from 0 to 1, not -1"):
        Book(tmp_path / "it.book", BOARD, variety=-1)


def test_mirror_images_are_hit(tmp_path):
    with written(tmp_path / "it.book", BOARD, {"a1": searched(0.0), "a1 b2": searched(0.0)}) as book:
        for corner in ("a1", "a3", "c1", "c3"):
            assert book.answer(BOARD.position(corner), 1).move == "b2"


def test_a_position_with_the_same_word_is_not_played(tmp_path, monkeypatch):
    """Where the position behind a word turns out to be another one, its move is not chosen."""
    with written(tmp_path / "it.book", BOARD, {"": searched(0.1), "b2": searched(0.1), "a1": searched(0.1)}) as book:
        usual = book.matching

        def matching(state, found, steps=None):
            return None if state == BOARD.position("b2").state else usual(state, found, steps)

        monkeypatch.setattr(book, "matching", matching)
        assert "b2" not in {book.answer(BOARD.position(), seed).move for seed in range(40)}


def test_a_position_of_the_path_is_not_gone_back_to(tmp_path):
    game = around("draw")
    known = {"": searched(0.5), "B": searched(0.5), "B Y": searched(0.6), "X": searched(-1.0)}
    with written(tmp_path / "it.book", game, known) as book:
        fresh = z.Position(game, game.position("B").state)
        assert book.answer(fresh, 1).move == "A"
        after = book.answer(game.position("B"), 1)
        assert after is None or after.move != "A"
        assert book.answer(game.position("B")) is None or after.status != "proven"


# where it is used


def test_a_search_asks_the_book_first(tmp_path):
    with written(tmp_path / "it.book", BOARD, {"": searched(0.3), "b2": searched(0.3)}) as book:
        told = z.search(BOARD, "random(seed=5)", book=book)
        assert (told.method, told.move) == ("book", "b2")
        told = z.search(BOARD.position("b2"), "random(seed=5)", book=book)
        assert told.method == "random"
        assert z.best_move(BOARD, "random", book=book) == "b2"
        with pytest.raises(Unsuitable, match="a book serves searches within limits and play"):
            z.solve(BOARD, book=book)
        with pytest.raises(Unsuitable, match="is a book of tic-tac-toe"):
            z.search(SMALL, "random", book=book)


def test_games_and_matches_with_a_book(tmp_path):
    known = {"": searched(0.3), "b2": searched(0.3), "b2 a1": searched(0.3), "b2 a1 c3": searched(0.3)}
    with written(tmp_path / "it.book", BOARD, known) as book:
        record = z.play_game(BOARD, "random", "random", seed=3, book=book)
        assert record.position.history()[0] == "b2"
        assert record.position.history()[1] in ("a1", "a3", "c1", "c3")
        assert record.players == ("random(seed=3) with it.book", "random(seed=4) with it.book")
        again = z.play_game(BOARD, "random", "random", seed=3, book=book)
        assert again.position.history() == record.position.history()
        file = tmp_path / "games"
        z.match(BOARD, ["random", "random"], games=4, random_plies=0, record=file, book=book, book_for=2)
        for played in z.read_records(file, BOARD):
            with_book = [name.endswith("with it.book") for name in played.players]
            assert sum(with_book) == 1
            assert (played.position.history()[0] == "b2") or not with_book[0]


def test_a_match_knows_its_book(tmp_path):
    known = {"": searched(0.3), "b2": searched(0.3)}
    written(tmp_path / "it.book", BOARD, known).close()
    pair, file = ["random", "random(seed=5)"], tmp_path / "games"
    with Book(tmp_path / "it.book", BOARD) as book:
        z.match(BOARD, pair, games=2, record=file, book=book)
        z.match(BOARD, pair, games=4, record=file, resume=True, book=book)
        with pytest.raises(Unsuitable, match="something else than this match"):
            z.match(BOARD, pair, games=4, record=file, resume=True)
    for number in (0, 3):
        with pytest.raises(Unsuitable, match=f"there are 2 engines, so the book cannot be for number {number}"):
            z.match(BOARD, pair, games=2, book=Book(tmp_path / "it.book", BOARD), book_for=number)
    with pytest.raises(Unsuitable, match="no book is given"):
        z.match(BOARD, pair, games=2, book_for=1)


# against exact values


def assert_no_book_move_loses(book, game, exact):
    """Follow the book wherever it leads: a move that it may play keeps the value of the position."""
    waiting, seen, played = [game.position()], set(), 0
    book.variety = 1.0
    while waiting:
        position = waiting.pop()
        page = book.page(position)
        if page is None or position in seen:
            continue
        seen.add(position)
        right = exact(position)
        for move in page.best(book.variety):
            assert exact(position.play(move.text)) == right, f"{move.text} at {position.text()}"
            played += 1
        waiting += [position.play(move) for move in position.moves()]
    return played


def test_no_book_move_of_tic_tac_toe_loses_value(tmp_path):
    with Book.create(tmp_path / "it.book", BOARD) as book:
        lesson = learn_games(book, random_games(BOARD, 100), min_games=6, plies=5, check=EXACT)
        assert lesson.searched == lesson.positions == len(book)
        assert assert_no_book_move_loses(book, BOARD, value) > 20
        assert any(move.rejected for entry in [BOARD.position("b1")] for move in book.page(entry).moves)


@pytest.mark.parametrize(
    ("width", "height", "number", "check", "moves"),
    [
        (4, 3, 60, EXACT, 20),
        pytest.param(5, 4, 2000, "alphabeta(depth=20, mode=compiled)", 100, marks=pytest.mark.slow),
    ],
)
def test_no_book_move_of_connect_four_loses_value(tmp_path, width, height, number, check, moves):
    game = games.connect_four(width=width, height=height, run=min(4, height))
    mode = "interpreted" if check is EXACT else "compiled"
    with Book.create(tmp_path / "it.book", game) as book, z.request("mtdf", mode=mode).open(game) as session:
        learn_games(book, random_games(game, number), min_games=5, plies=8, check=check)
        exact = {}

        def solved(position):
            if position not in exact:
                exact[position] = session.solve(position, value_only=True).value
            return exact[position]

        assert assert_no_book_move_loses(book, game, solved) > moves


# bounds


def test_a_move_that_keeps_what_is_proven_is_played(tmp_path):
    """Of the corner it is proven that the first player has at most a draw, and which reply does it."""
    kept, open_ = {"high": 0.0}, {"high": 0.0, "games": 9, "second": 9, "total": -9.0}
    with written(tmp_path / "it.book", BOARD, {"": {}, "a1": kept, "a1 b2": kept, "a1 c3": {"games": 9}}) as book:
        told = book.answer(BOARD.position("a1"), 1)
        assert (told.move, told.status, told.value, told.bounds) == ("b2", "bound", 0, (-1, 0))
        assert told.why == "the only move proven to keep at most 0 for the first player in it.book"
        assert told.verdicts[0][:2] == ("b2", "bound")
        assert book.answer(BOARD.position(), 1) is None  # what keeps the opponent's bound is nothing to play for
        shown = {move.text: (move.status, move.known) for move in book.page(BOARD.position("a1")).moves}
        assert (shown["b2"], shown["c3"], shown["b1"]) == (("bound", True), ("results", True), ("unknown", False))
    with written(tmp_path / "two.book", BOARD, {"": {}, "a1": kept, "a1 b2": open_}) as book:
        assert book.answer(BOARD.position("a1"), 1).why.startswith("the only move proven to keep")


def test_estimates_that_promise_more_than_a_bound(tmp_path):
    kept = {"high": 0.0}
    for worth, played in ((-0.5, {"a3", "c1"}), (0.01, {"b2"}), (0.8, {"b2"}), (-0.01, {"b2"})):
        known = {"a1": kept, "a1 b2": kept, "a1 a3": searched(worth)}
        with written(tmp_path / f"{worth}.book", BOARD, known, margin=1.0) as book:
            assert {book.answer(BOARD.position("a1"), seed).move for seed in range(20)} == played


def test_a_move_that_breaks_a_bound_is_rejected(tmp_path):
    game = games.connect_four(width=4, height=4, distance=True)
    low, high = game.values
    assert (low, high) != (-1, 1)
    known = {"": {"low": 0.0}, "1": {"high": -2.0}, "2": {"low": 0.0}}
    with written(tmp_path / "it.book", game, known) as book:
        told = {move.text: (move.status, move.rejected) for move in book.page(game.position()).moves}
        assert told["1"] == told["4"] == ("bound", True)
        assert told["2"] == ("bound", False)
        assert book.answer(game.position(), 1).move in ("2", "3")


def test_a_proven_value_is_kept_by_a_bound(tmp_path):
    drawn = {"low": 0.0, "high": 0.0}
    with written(tmp_path / "it.book", BOARD, {"a1": drawn, "a1 b2": {"high": 0.0}}) as book:
        told = book.answer(BOARD.position("a1"), 1)
        assert (told.move, told.status, told.value) == ("b2", "proven", 0)
