"""Learning: games are counted once, positions must be common enough, and searches go on where they were left."""

from __future__ import annotations

import pytest

import zermelo as z
from books import EXACT, moves, random_games, written
from zermelo import games
from zermelo.knowledge.book import Book
from zermelo.knowledge.book_learning import Played, learn_games
from zermelo.knowledge.book_lines import lines, pages, refutation
from zermelo.knowledge.book_merging import merge_books
from zermelo.play.game_files import read_games
from zermelo.rules import RuleError, Unsuitable

BOARD = games.tic_tac_toe()
LINES = ["b2 a1 c3", "b2 a1 c1", "b2 b1 a1, result: 1", "a1 b2"]


def played(text):
    words, _, score = text.partition(", result:")
    return Played(BOARD.position(words), float(score) if score else None, text)


@pytest.fixture
def book(tmp_path):
    with Book.create(tmp_path / "it.book", BOARD) as made:
        yield made


def count(book, text):
    entry = book.entry(BOARD.position(text))
    return None if entry is None else (entry.games, entry.first, entry.drawn, entry.second)


def test_games_are_counted_and_mirror_images_are_one(book):
    lesson = learn_games(book, map(played, [*LINES, "b2 c3"]), check="none")
    assert (lesson.games, lesson.known_games, lesson.positions) == (5, 0, len(book))
    assert count(book, "") == (5, 1, 0, 0)
    assert count(book, "b2") == (4, 1, 0, 0)
    assert count(book, "b2 a1") == count(book, "b2 c1") == (3, 0, 0, 0)
    assert count(book, "b2 b1") == (1, 1, 0, 0)
    assert count(book, "b1") is None


def test_a_game_is_counted_once_and_equal_games_each(book):
    twice = [*LINES, *LINES[:1]]
    learn_games(book, map(played, twice), check="none")
    before = count(book, "b2 a1 c3")
    assert before == (2, 0, 0, 0)
    lesson = learn_games(book, map(played, [*twice, "b2 a1 a3"]), check="none")
    assert (lesson.games, lesson.known_games) == (1, 5)
    assert count(book, "b2 a1 c3") == before
    assert count(book, "") == (6, 1, 0, 0)


def test_only_common_positions_are_taken(book):
    learn_games(book, map(played, LINES), min_games=2, check="none")
    assert {page.position.text() for page in pages(book)} == {"---------", "----X----", "O---X----"}


def test_only_usual_moves_are_taken(book):
    learn_games(book, map(played, LINES), min_share=0.5, check="none")
    assert count(book, "b2 a1") == (2, 0, 0, 0)
    assert count(book, "b2 b1") is None
    assert count(book, "a1") is None
    lesson = learn_games(book, map(played, ["b2 a1", "b2 a1 b3", "b2 c2"]), min_games=2, check="none")
    assert lesson.positions == 0
    assert count(book, "b2 a1") == (4, 0, 0, 0)  # it was there before


def test_games_are_followed_for_some_plies(book):
    learn_games(book, map(played, LINES), plies=1, check="none")
    assert {len(page.position.history()) for page in pages(book)} == {0, 1}


def test_everything_is_searched_and_blunders_are_refuted(book):
    lesson = learn_games(book, map(played, ["a1 b1", "a1 b2", "a1 c3 b2"]), plies=2, check=EXACT)
    assert lesson.searched == lesson.positions == len(book)
    corner = BOARD.position("a1")
    assert moves(book, corner)["b2"] == (0, False)
    assert moves(book, corner)["b1"] == (1, True)
    [blunder] = [move for move in book.page(corner).moves if move.text == "b1"]
    reply = refutation(book, corner, blunder)
    assert z.solve(corner.play("b1").play(reply), mode="interpreted").value == 1


def test_searches_go_on_where_they_were_left(book):
    lesson = learn_games(book, random_games(BOARD, 20), plies=2, check=EXACT, positions=3)
    assert (lesson.searched, lesson.stopped) == (3, "positions")
    again = learn_games(book, [], check=EXACT)
    assert again.searched == lesson.unsearched == lesson.positions - 3
    assert all(entry.searched is not None for entry in book.entries())
    assert learn_games(book, [], check=EXACT).searched == 0


def test_what_cannot_be_learned(book):
    for settings, words in (
        ({"min_games": 0}, "at least 1 game must come to a position, not 0"),
        ({"min_share": 2}, "what a move must be made in is a share of games, from 0 to 1, not 2"),
        ({"plies": 0}, "at least 1 ply, not 0"),
        ({"check": "random"}, "random.* finds no value"),
        ({"positions": 0}, "number of positions must be at least 1"),
        ({"seconds": 0}, "number of seconds must be above 0"),
    ):
        with pytest.raises(Unsuitable, match=words):
            learn_games(book, random_games(BOARD, 2), **settings)


# files of games


def test_games_from_lines_and_records(tmp_path):
    file = tmp_path / "games.txt"
    file.write_text("# a comment\n\nb2 a1 c3\na1 a2 b1 b2 c1\n  b2 a1, result: -1\n")
    found = list(read_games(file, BOARD))
    assert [game.score for game in found] == [None, 1, -1]
    assert found[0].position.history() == ["b2", "a1", "c3"]
    records = tmp_path / "records"
    z.match(BOARD, ["random", "random"], games=4, record=records)
    scores = [record.ending.score for record in z.read_records(records, BOARD)]
    assert [game.score for game in read_games(records, BOARD)] == scores


def test_a_lost_clock_says_nothing_of_the_game(tmp_path):
    file = tmp_path / "records"
    file.write_text(f"{BOARD.summary}\nfirst: a\nb2 a1\nresult: -1, the first player ran out of time\n")
    assert [game.score for game in read_games(file, BOARD)] == [None]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("b2 a1\nb2 b2\n", r"games.txt, line 2: move 2: 'b2' is not a legal move here"),
        ("a1 a2 b1 b2 c1, result: -1", "line 1: the result is said to be -1, but the game is over with 1"),
        ("a1, result: 7", "line 1: the result is said to be 7, but scores lie between -1 and 1"),
        ("a1, result: won", "line 1: result takes a number, not 'won'"),
        ("tic-tac-toe(rows=4, cols=3, run=3)\nfirst: a\na1\n", "holds no game of tic-tac-toe"),
        (f"{BOARD.summary}\nfirst: a\nb2 a1 b2\n", "games.txt, line 3: move 3: 'b2' is not a legal move"),
    ],
)
def test_what_is_wrong_with_a_file_of_games(tmp_path, text, words):
    (tmp_path / "games.txt").write_text(text)
    with pytest.raises(Unsuitable, match=words):
        list(read_games(tmp_path / "games.txt", BOARD))


def test_games_that_are_no_text(tmp_path):
    (tmp_path / "games.txt").write_bytes(b"\xff\xfe\0")
    with pytest.raises(RuleError, match="is not UTF-8 text"):
        list(read_games(tmp_path / "games.txt", BOARD))


# merging and reading


def test_books_are_merged(tmp_path):
    ours = written(tmp_path / "ours.book", BOARD, {
        "": {"searched": 0.1, "nodes": 5, "games": 4, "total": 1.0, "first": 1},
        "a1": {"searched": 0.1, "low": -0.5, "source": "ours"},
    })  # fmt: skip
    theirs = written(tmp_path / "theirs.book", BOARD, {
        "": {"searched": 0.3, "nodes": 9, "games": 2},
        "c3": {"high": 0.5, "source": "theirs"},
        "b2": {"searched": 0.3},
    })  # fmt: skip
    ours.close()
    with theirs, Book(tmp_path / "ours.book", BOARD, write=True) as book:
        assert merge_books(book, [theirs]) == 1
        entry = book.entry(BOARD.position())
        assert (entry.searched, entry.nodes, entry.games, entry.first) == (0.3, 9, 6, 1)
        assert entry.value == 0.3
        corner = book.entry(BOARD.position("a1"))
        assert (corner.low, corner.high, corner.searched, corner.source) == (-0.5, 0.5, 0.1, "ours")
        with pytest.raises(Unsuitable, match="cannot be merged with itself"):
            merge_books(book, [Book(tmp_path / "ours.book", BOARD)])


def test_games_that_both_books_know_are_not_counted_twice(tmp_path):
    with Book.create(tmp_path / "one.book", BOARD) as one, Book.create(tmp_path / "two.book", BOARD) as two:
        learn_games(one, map(played, LINES), check="none")
        learn_games(two, map(played, LINES[:3]), check="none")
        two.commit()
        merge_books(one, [two])
        assert count(one, "b2") == (3, 1, 0, 0)
    with Book.create(tmp_path / "three.book", BOARD) as three:
        learn_games(three, map(played, ["b2 c2"]), check="none")
        with Book(tmp_path / "one.book", BOARD) as one:
            merge_books(three, [one])
        assert count(three, "b2") == (4, 1, 0, 0)
        assert learn_games(three, map(played, LINES), check="none").games == 0


def test_books_that_contradict_each_other(tmp_path):
    theirs = written(tmp_path / "theirs.book", BOARD, {"": {"low": 1.0}})
    written(tmp_path / "ours.book", BOARD, {"": {"high": 0.0}}).close()
    with theirs, Book(tmp_path / "ours.book", BOARD, write=True) as book, pytest.raises(Unsuitable, match="is wrong"):
        merge_books(book, [theirs])


def test_a_book_as_lines(tmp_path):
    known = {
        "": {"searched": 0.5},
        "b2": {"searched": 0.5, "games": 3, "first": 2, "drawn": 1, "source": "mtdf"},
        "a1": {"searched": -0.5},
    }
    with written(tmp_path / "it.book", BOARD, known) as book:
        head, *rest = lines(book)
        assert head.startswith("# position\tmove\tvalue")
        assert "---------\tb2\t0.5\theuristic\t3\t2\t1\t0\tmtdf\t-1\t1" in rest
        assert sum(line.split("\t")[3] == "rejected" for line in rest) == 4  # four corners
        assert len(list(lines(book, plies=0))) == len(rest) + 1
        assert not list(pages(book, BOARD.position("b1")))
        with pytest.raises(Unsuitable, match="0 or more plies"):
            list(lines(book, plies=-1))
