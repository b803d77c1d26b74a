"""book: build, learn, grow, prove, show, merge, export; and play by a book."""

from __future__ import annotations

import pytest

import zermelo as z
from zermelo import games
from zermelo.knowledge.book import Book
from zermelo.knowledge.book_learning import learn_games
from zermelo.play.game_files import read_games

EXACT = "alphabeta(depth=9, mode=interpreted, memory=1MB)"
QUICK = "alphabeta(depth=1, mode=interpreted)"
GAMES = "b2 a1 c3\nb2 b1 a1\na1 b2\na1 b1 b2\na1 b1 c3, result: 1\n"


PROVEN = games.tic_tac_toe().position("a1 b1 b2 c1")


def fails(outcome, *words):
    """Bad input is met with one line, no traceback, and nothing on stdout."""
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("zermelo: ")
    assert outcome.err.count("\n") == 1
    for word in words:
        assert word in outcome.err


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A book from the games, made once."""
    folder, game = tmp_path_factory.mktemp("built"), games.tic_tac_toe()
    (folder / "games.txt").write_text(GAMES)
    with Book.create(folder / "t.book", game) as book:
        learn_games(book, read_games(folder / "games.txt", game), plies=3, check=EXACT)
    return (folder / "t.book").read_bytes()


@pytest.fixture
def board(tmp_path, monkeypatch, built):
    """A book of tic-tac-toe in the current folder, `t.book`, from the games in `games.txt`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.txt").write_text(GAMES)
    (tmp_path / "t.book").write_bytes(built)
    return tmp_path


def test_build(board, zermelo):
    how = ("--from", "games.txt", "--from", "more.txt", "--plies", 3, "--check", EXACT)
    (board / "more.txt").write_text("b2 a1\nb2 a1\n")
    told = zermelo("book", "build", "tic-tac-toe", "two.book", *how, "--json").json
    assert told["games"] == 7
    assert told["new"] == told["searched"] == told["positions"] == 6  # b2 b1 a1 and a1 b1 b2 are one
    shown = zermelo("book", "build", "tic-tac-toe", "one.book", *how, "--min-games", 1)
    assert shown.out.splitlines()[1:] == ["games      7 learned", "positions  10 new, 10 in the book", "searched   10"]


def test_show(board, zermelo):
    shown = zermelo("book", "show", "tic-tac-toe", "t.book", "--position", "a1", "--plies", 1)
    assert "book     t.book: 10 positions, 10 searched, 10 proven, 5 games" in shown.out
    assert "value    0 for the first player, proven" in shown.out
    assert "b1    +1     rejected: b2  2" in shown.out
    assert shown.out.endswith("\nb2 0\n")
    told = zermelo("book", "show", "tic-tac-toe", "t.book", "--position", "a1", "--json").json
    moves = {move["move"]: move for move in told["moves"]}
    assert (told["value"], told["bounds"], told["known"], told["games"]) == (0, [0, 0], True, 5)
    assert moves["b1"]["rejected"] is True
    assert moves["b1"]["value"] == 1
    assert moves["b2"]["rejected"] is False
    unknown = zermelo("book", "show", "tic-tac-toe", "t.book", "--position", "b1")
    assert "position  not in the book" in unknown.out


def test_search_by_the_book(board, zermelo):
    told = zermelo("search", "tic-tac-toe", "--position", "a1", "--book", "t.book", "--json").json
    assert (told["method"], told["best"], told["nodes"], told["status"]) == ("book", ["b2"], 0, "proven")
    one, two = (
        zermelo("search", "tic-tac-toe", "--book", "t.book", "--seed", 3, "--json").json["line"] for _ in range(2)
    )
    assert one == two
    other = zermelo("search", "tic-tac-toe", "--position", "a2", "--book", "t.book", "--method", QUICK, "--json").json
    assert other["method"] == "alphabeta"


def test_play_and_match_by_the_book(board, zermelo):
    played = zermelo("play", "tic-tac-toe", "--method", "random", "--book", "t.book", typed="a1\n")
    assert "random with t.book plays b2 (draw, proven)" in played.out
    both = ("match", "tic-tac-toe", "random", "random", "--games", 2)
    assert "random with t.book against random: 2 games" in zermelo(*both, "--book", "t.book", "--book-for", 1).out
    assert "random with t.book against random with t.book #2" in zermelo(*both, "--book", "t.book").out
    fails(
        zermelo(*both, "--book", "t.book", "--book-for", 3), "there are 2 engines, so the book cannot be for number 3"
    )
    fails(zermelo(*both, "--book-for", 1), "name it too, with --book FILE")
    (board / "bots.py").write_text("import zermelo as z\nclass Bot(z.Player):\n    pass\n")
    fails(
        zermelo("match", "tic-tac-toe", "random", "bots.py:Bot", "--book", "t.book", "--book-for", 2),
        "engine 2 is a program of its own, which takes no book from here",
    )


def test_own_games_are_learned_once(board, zermelo):
    zermelo("match", "tic-tac-toe", "random", "random", "--games", 4, "--book", "t.book", "--record", "own.txt")
    how = ("book", "learn", "tic-tac-toe", "t.book", "--from", "own.txt", "--plies", 3, "--check", EXACT)
    first = zermelo(*how, "--json").json
    assert first["games"] == 4
    again = zermelo(*how)
    assert "games      0 learned, 4 known before" in again.out
    assert zermelo("book", "show", "tic-tac-toe", "t.book", "--json").json["games"] == 9


def test_grow_and_prove(board, zermelo):
    grown = zermelo("book", "grow", "tic-tac-toe", "new.book", "--method", QUICK, "--positions", 12, "--json").json
    assert (grown["searched"], grown["positions"], grown["stopped"]) == (12, 12, "positions")
    more = zermelo(
        "book", "grow", "tic-tac-toe", "new.book", "--method", QUICK, "--positions", 5, "--policy", "best-first"
    )
    assert "searched   5 positions" in more.out
    assert "positions  17 in the book" in more.out
    weak = "alphabeta(nodes=300, mode=interpreted, table=off)"
    proven = zermelo("book", "prove", "tic-tac-toe", "new.book", "--at-least", 0, "--method", weak)
    assert "claim   the first player scores at least 0: yes" in proven.out
    refuted = zermelo("book", "prove", "tic-tac-toe", "new.book", "--at-least", 1, "--method", weak, "--json").json
    assert (refuted["holds"], refuted["bounds"]) == (False, [0, 0])
    solved = zermelo("book", "prove", "tic-tac-toe", "new.book", "--method", EXACT, "--json").json
    assert solved["proven"] == solved["positions"]
    done = zermelo("book", "grow", "tic-tac-toe", "other.book", "--method", EXACT)
    assert "left       nothing" in done.out


def test_certificates(board, zermelo):
    zermelo(
        "prove", "tic-tac-toe", "--position", "a1 b1", "--at-least", 1, "--out", "won.proof", "--mode", "interpreted"
    )
    taken = zermelo("book", "prove", "tic-tac-toe", "t.book", "--from", "won.proof", "--plies", 2)
    assert taken.out.splitlines()[1].startswith("taken      ")
    told = zermelo("book", "show", "tic-tac-toe", "t.book", "--position", "a1 b1", "--json").json
    assert told["bounds"] == [1, 1]


def test_merge_and_export(board, zermelo):
    zermelo("book", "grow", "tic-tac-toe", "new.book", "--method", QUICK, "--positions", 12)
    merged = zermelo("book", "merge", "tic-tac-toe", "all.book", "t.book", "new.book", "--json").json
    assert merged["new"] == merged["positions"] > 12
    lines = zermelo("book", "export", "tic-tac-toe", "t.book").out.splitlines()
    assert lines[0].startswith("# position\tmove\tvalue\tstatus")
    assert sum("\trejected\t" in line for line in lines) > 0
    assert zermelo("book", "export", "tic-tac-toe", "t.book", "--out", "t.tsv").out == ""
    assert (board / "t.tsv").read_text().splitlines() == lines
    assert len(zermelo("book", "export", "tic-tac-toe", "t.book", "--plies", 0).out.splitlines()) < len(lines)


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_found(tmp_path, terminal):
    file = tmp_path / "it.book"
    started = terminal("book", "grow", "connect-four", str(file), "--method", "alphabeta(depth=4, mode=interpreted)")
    started.wait_for("3 searched")
    started.process.send_signal(2)
    done = started.finish()
    assert done.code == 130
    assert "stopped by Ctrl-C; what was found is kept, and the same command goes on" in done.out


# what is refused


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("build", "tic-tac-toe", "t.book", "--from", "games.txt"), "t.book is there already"),
        (
            ("build", "tic-tac-toe", "n.book", "--from", "game.txt"),
            "there is no file game.txt: did you mean games.txt?",
        ),
        (("build", "tic-tac-toe", "n.book", "--from", "bad.txt"), "bad.txt, line 2: move 2: 'b2' is not a legal move"),
        (("build", "tic-tac-toe", "n.book", "--from", "games.txt", "--min-share", "7"), "is a share of games"),
        (("build", "tic-tac-toe", "n.book", "--from", "empty.txt"), "empty.txt holds no games"),
        (("prove", "tic-tac-toe", "t.book", "--at-least", "0", "--at-most", "0"), "a claim says at least or at most"),
        (("build", "tic-tac-toe", "n.book", "--from", "games.txt", "--margin", "7"), "margin is a share"),
        (("build", "tic-tac-toe", "no/n.book", "--from", "games.txt"), "there is no folder no for n.book"),
        (("grow", "tic-tac-toe", "no/n.book"), "there is no folder no for n.book"),
        (("show", "tic-tac-toe", "."), ". is a folder, and a book is a file; an endgame table goes with --table"),
        (("learn", "tic-tac-toe", "t.book", "--check", "alphabet"), "did you mean alphabeta?"),
        (("show", "tic-tac-toe", "n.book"), "there is no file n.book"),
        (("show", "connect-four", "t.book"), "is a book of tic-tac-toe"),
        (("show", "tic-tac-toe", "t.book", "--set", "rows=4"), "is a book of tic-tac-toe"),
        (("show", "tic-tac-toe", "games.txt"), "games.txt is no book of Zermelo"),
        (("show", "tic-tac-toe", "t.book", "--position", "zz"), "'zz'"),
        (("grow", "tic-tac-toe", "t.book", "--policy", "best"), "no policy is called best"),
        (("grow", "tic-tac-toe", "t.book", "--omega", "-2"), "omega is a number from 0 on, not -2"),
        (("grow", "tic-tac-toe", "n.book", "--method", "random"), "finds no value"),
        (("prove", "tic-tac-toe", "t.book", "--at-least", "5"), "scores lie between -1 and 1"),
        (("prove", "tic-tac-toe", "t.book", "--from", "games.txt"), "is not a certificate"),
        (("show", "tic-tac-toe", "no/n.book"), "there is no folder no for n.book: there is no such book"),
        (
            ("prove", "tic-tac-toe", "wide.book", "--set", "cols=4", "--from", "won.proof"),
            "are not those that won.proof was made with: a book takes certificates of its own game and parameters only",
        ),
        (("merge", "tic-tac-toe", "t.book", "t.book"), "cannot be merged with itself"),
        (("export", "tic-tac-toe", "t.book", "--plies", "-1"), "0 or more plies"),
    ],
)
def test_one_clear_sentence(board, zermelo, arguments, words):
    (board / "bad.txt").write_text("b2 a1\nb2 b2\n")
    z.prove(PROVEN, at_least=1, mode="interpreted").save(board / "won.proof")
    (board / "empty.txt").write_text("# nothing\n")
    before = (board / "t.book").read_bytes()
    fails(zermelo("book", *arguments), words)
    assert (board / "t.book").read_bytes() == before
    assert not (board / "n.book").exists()


def test_variety_needs_a_book(zermelo):
    fails(zermelo("search", "tic-tac-toe", "--variety", "0.1"), "name it too, with --book FILE")


def test_a_damaged_book_is_not_played_by(board, zermelo):
    data = bytearray((board / "t.book").read_bytes())
    at = data.rfind(b"alphabeta")
    data[at] ^= 1
    (board / "t.book").write_bytes(data)
    fails(zermelo("book", "export", "tic-tac-toe", "t.book"), "t.book is damaged", "its checksum does not fit")


def test_bounds_are_shown_exported_and_played(board, zermelo):
    zermelo("prove", "tic-tac-toe", "--at-most", 0, "--out", "draw.proof", "--mode", "interpreted")
    zermelo("book", "prove", "tic-tac-toe", "d.book", "--from", "draw.proof", "--plies", 3)
    how = ("tic-tac-toe", "d.book", "--position", "a1")
    shown = zermelo("book", "show", *how, "--plies", 1)
    assert "value    at most 0 for the first player, bound" in shown.out
    assert "0 proven" in shown.out
    assert "with proven bounds" in shown.out
    assert shown.out.endswith("\nb2 at most 0\n")
    assert "b2    at most 0  bound" in shown.out
    told = zermelo("book", "show", *how, "--json").json
    assert (told["value"], told["status"], told["bounds"]) == (None, "bound", [-1, 0])
    assert [(move["move"], move["value"], move["bounds"]) for move in told["moves"]] == [("b2", None, [-1, 0])]
    head, *lines = zermelo("book", "export", *how, "--plies", 0).out.splitlines()
    assert head.endswith("\tsource\tlow\thigh")
    assert lines == ["X--------\tb2\t\tbound\t0\t0\t0\t0\tcertificate draw.proof\t-1\t0"]
    found = zermelo("search", "tic-tac-toe", "--position", "a1", "--book", "d.book")
    assert "status   bound: the true value is from -1 to 0" in found.out
    assert "book (the only move proven to keep at most 0 for the first player in d.book)" in found.out
    merged = zermelo("book", "merge", "tic-tac-toe", "all.book", "t.book", "d.book", "--json").json
    assert merged["positions"] > 10
