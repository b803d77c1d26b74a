"""Matches from Python: pairs, tests, tables, endings, and what is refused."""

from __future__ import annotations

import json
import math

import pytest

from sitters import BOARD, First, Last, games_in
from tiny import tiny
from zermelo import games
from zermelo.games.graph import graph_game
from zermelo.play.clock import Clock
from zermelo.play.ending import Ending, Why, decided
from zermelo.play.match import match
from zermelo.play.player import Chosen, Player
from zermelo.play.record import read_records
from zermelo.play.referee import Customs, Judge
from zermelo.rules import UnknownName, Unsuitable

DEEP = "alphabeta(depth=3, mode=interpreted, memory=1MB)"


# A match


def test_the_stronger_one_wins():
    standing = match(BOARD, [DEEP, "random"], games=20, workers=2)
    assert (standing.games, standing.planned) == (20, 20)
    assert standing.wins + standing.draws + standing.losses == 20
    assert sum(standing.pentanomial) == 10
    assert standing.score > 0.75
    assert standing.elo > 150
    assert standing.los > 0.99
    assert standing.interval[0] > 0
    assert standing.mean_score == pytest.approx(2 * standing.score - 1)
    assert standing.stopped is None
    assert standing.forfeits == ()
    assert [standing.engines[rating.player] for rating in standing.ratings] == [DEEP, "random"]


def test_who_plays_itself_halves_every_pair():
    standing = match(BOARD, [DEEP, DEEP], games=8)
    assert standing.engines == (DEEP, f"{DEEP} #2")
    assert standing.pentanomial == (0, 0, 4, 0, 0)
    assert (standing.score, standing.elo, standing.los, standing.mean_score) == (0.5, 0, 0.5, 0)


def test_pairs_begin_alike_and_have_the_same_dice(tmp_path):
    file, pig = tmp_path / "games", games.pig(goal=20)
    match(pig, ["random(seed=1)", "random(seed=2)"], games=2, record=file)
    one, other = read_records(file, pig)
    assert one.seed == other.seed
    assert one.players == other.players[::-1]
    throws = [
        {ply: move for ply, move in enumerate(record.position.history()) if move.isdigit()} for record in (one, other)
    ]
    assert all(throws[1].get(ply, throw) == throw for ply, throw in throws[0].items())
    again = tmp_path / "again"
    match(pig, [First, First], games=6, record=again)
    played = [record.position.history() for record in sorted(read_records(again, pig), key=lambda r: r.event)]
    assert played[::2] == played[1::2]  # the same players, the same luck
    assert len({tuple(moves) for moves in played}) == 3


def test_a_match_is_the_same_again_however_many_play(tmp_path):
    files = [tmp_path / str(workers) for workers in (1, 2)]
    for workers, file in enumerate(files, 1):
        match(BOARD, [DEEP, "random"], games=10, workers=workers, record=file, seed=4)
    assert games_in(files[0]) == games_in(files[1])
    other = tmp_path / "other"
    match(BOARD, [DEEP, "random"], games=10, record=other, seed=5)
    one, another = ({moves for _, moves, *_ in games_in(file).values()} for file in (files[0], other))
    assert one != another


def test_openings_are_played_in_turn(tmp_path):
    file = tmp_path / "games"
    match(BOARD, [First(), Last()], games=6, openings=["a1 b2", "c3"], record=file)
    begun = [record.position.history() for record in sorted(read_records(file, BOARD), key=lambda r: r.event)]
    assert [moves[:2] for moves in begun[:2]] == [["a1", "b2"]] * 2
    assert [moves[0] for moves in begun[2:4]] == ["c3"] * 2
    assert [moves[:2] for moves in begun[4:]] == [["a1", "b2"]] * 2


def test_openings_that_are_described(tmp_path):
    file = tmp_path / "games"
    match(BOARD, [First, Last], games=2, openings=["XX-OO----"], record=file)
    assert {record.began for record in read_records(file, BOARD)} == {"XX-OO----"}


def test_margins_are_won_by_their_sign():
    kalah = games.kalah(pits=2, stones=2)
    standing = match(kalah, ["alphabeta(depth=2, mode=interpreted)", "random"], games=10)
    assert standing.wins + standing.draws + standing.losses == 10
    assert abs(standing.mean_score) <= 8


def test_a_middle_that_is_not_zero():
    nodes = {"A": {"turn": "max", "moves": ["B", "C"]}, "B": {"value": 3}, "C": {"value": 5}}
    graph = graph_game({"root": "A", "values": [1, 5], "nodes": nodes})
    standing = match(graph, [First, Last], games=2, random_plies=0)  # B is the middle, C is a win
    assert (standing.wins, standing.draws, standing.losses) == (0, 1, 1)
    assert standing.mean_score == pytest.approx((3 + 1) / 2)  # 5 for the other is 1 for us


def test_a_game_that_stays_open_is_drawn():
    nodes = {"A": {"turn": "max", "moves": ["B"]}, "B": {"estimate": 1}}
    standing = match(graph_game({"root": "A", "nodes": nodes}), [First, Last], games=2)
    assert standing.draws == 2


def test_a_test_that_decides():
    standing = match(BOARD, [DEEP, "random"], sprt=(0, 200), workers=2)
    assert standing.accepted == 200
    assert standing.llr >= math.log(19)
    assert standing.planned is None
    again = match(BOARD, ["random", DEEP], sprt=(0, 200))
    assert again.accepted == 0


def test_a_test_that_has_to_end():
    standing = match(BOARD, ["random", "random"], sprt=(-5, 5), games=4)
    assert standing.accepted is None
    assert standing.games == 4


def test_more_than_two():
    standing = match(BOARD, [DEEP, "random", First], games=4, workers=2)
    assert standing.games == 12
    assert standing.wins + standing.draws + standing.losses == 8
    assert sum(rating.elo for rating in standing.ratings) == pytest.approx(0, abs=1e-6)
    assert standing.ratings[0].player == 0
    assert all(rating.games == 8 for rating in standing.ratings)
    gauntlet = match(BOARD, [DEEP, "random", First], games=4, gauntlet=True)
    assert [rating.games for rating in sorted(gauntlet.ratings)] == [8, 4, 4]


def test_who_listens_is_told_after_every_game():
    told = []
    match(BOARD, [First, Last], games=4, listener=told.append)
    assert [standing.games for standing in told] == [1, 2, 3, 4]


def test_the_standing_as_an_object():
    class Nobody(First):
        def move(self, turn):
            return "nothing"

    told = match(BOARD, [First, First], games=2).as_dict()
    wanted = {"wins", "draws", "losses", "score", "elo", "interval", "pentanomial", "los", "llr", "ratings", "forfeits"}
    assert wanted <= set(told)
    won = match(BOARD, [First, Nobody], games=2).as_dict()
    assert (won["wins"], won["score"], won["elo"], won["interval"][1]) == (2, 1, None, None)  # infinite
    assert json.loads(json.dumps(won, allow_nan=False)) == won


# Endings


def test_games_end_where_the_rules_decide(tmp_path):
    file = tmp_path / "games"
    hex4 = games.hex(size=3)
    match(hex4, ["random", "random"], games=10, record=file)
    early = [record for record in read_records(file, hex4) if record.ending.why is Why.DECIDED]
    assert early
    for record in early:
        assert decided(record.position) == record.ending.score
    whole = tmp_path / "whole"
    match(hex4, ["random", "random"], games=10, record=whole, adjudicate=False)
    assert {record.ending.why for record in read_records(whole, hex4)} == {Why.RULES}


def test_games_end_where_a_solver_proves_the_score(tmp_path):
    file = tmp_path / "games"
    game = tiny(left=9)
    match(game, ["random", "random"], games=4, random_plies=0, record=file, adjudicate=True)
    for record in read_records(file, game):
        assert record.position.history() == []  # all of it is solved at once
        assert str(record.ending).startswith("-1, adjudicated: proven by ")


def test_a_mean_is_no_score_to_end_a_game_with():
    nodes = {"A": {"turn": "chance", "moves": {"B": 2, "C": 1}}, "B": {"value": 1}, "C": {"value": -1}}
    fair = graph_game({"root": "A", "nodes": nodes})
    assert Judge(fair, Customs(adjudicate=True)).verdict(fair.position(), 0) is None
    nodes["C"]["value"] = 1
    nodes["D"] = {"value": -1}
    sure = graph_game({"root": "A", "values": [-1, 1], "nodes": nodes})
    assert Judge(sure, Customs(adjudicate=True)).verdict(sure.position(), 0).score == 1


def test_what_a_player_claims_decides_nothing():
    class Boaster(Player):
        name = "boaster"

        def move(self, turn):
            return Chosen(turn.position.codes[0], {"value": 1, "status": "proven"})

    standing = match(BOARD, [Boaster, DEEP], games=4)
    assert standing.forfeits == ()
    assert standing.score < 0.5


def test_a_game_without_end_is_a_draw(tmp_path):
    file, pig = tmp_path / "games", games.pig(goal=10)
    standing = match(pig, [Last, Last], games=2, max_plies=50, record=file)  # who always stops never gets anywhere
    assert standing.draws == 2
    for record in read_records(file, pig):
        assert str(record.ending) == "0, too long: a draw after 50 plies"
        assert len(record.position.history()) == 50
    assert Judge(pig, Customs()).longest == 2000
    assert Judge(BOARD, Customs()).longest is None


@pytest.mark.parametrize("text", ["+7, adjudicated: by me", "open, adjudicated", "+1, too long", "nan, adjudicated"])
def test_endings_that_cannot_be_read(text):
    with pytest.raises(Unsuitable, match="the result is said to be"):
        Ending.read(text, BOARD.position())


def test_an_ending_that_is_decided_reads_back():
    ending = Ending.of(BOARD.position(), Why.DECIDED, detail="the rules leave no other score", score=1)
    assert Ending.read(str(ending), BOARD.position()) == ending


# What is refused


@pytest.mark.parametrize(
    ("engines", "settings", "words"),
    [
        (["random"], {}, "at least two players"),
        (["random", "alphabet"], {}, "did you mean alphabeta"),
        (["random", "alphabeta(deph=3)"], {}, "no setting deph"),
        (["random", "alphabeta(depth=0)"], {}, "at least 1"),
        (["random", "random"], {"games": 0}, "at least one pair"),
        (["random", "random"], {"games": 3}, "even"),
        (["random", "random"], {"sprt": (5, 5)}, "a lower Elo difference"),
        (["random"] * 3, {"sprt": (0, 5)}, "between two engines, not 3"),
        (["random", "random"], {"workers": 0}, "at least 1 worker"),
        (["random", "random"], {"patience": 0}, "above 0"),
        (["random", "random"], {"max_plies": 0}, "at least 1 ply"),
        (["random", "random"], {"resume": True}, "--record FILE"),
        (["random", "random"], {"clock": "0"}, "above 0"),
        (["random", "random"], {"seconds": 0}, "above 0"),
        (["random", "random"], {"depth": 0}, "at least 1"),
        (["random", "random"], {"openings": ["a1"], "random_plies": 2}, "not with both"),
        (["random", "random"], {"record": "/no/such/folder/games"}, "there is no folder"),
        (["random", "openspiel-alphazero"], {}, "OpenSpiel has no player"),
        (["random", "nobody.py:Bot"], {}, "there is no file nobody.py"),
    ],
)
def test_matches_that_cannot_be(engines, settings, words):
    with pytest.raises((Unsuitable, UnknownName), match=words):
        match(BOARD, engines, **settings)


def test_an_engine_that_cannot_play_the_game():
    with pytest.raises(Unsuitable, match="chance positions, which alphabeta cannot search"):
        match(games.pig(goal=5), ["random", "alphabeta"])


# Players of one's own, by their texts


BOTS = '''
import zermelo as z

class Timid(z.Player):
    def __init__(self, strength: int = 1, seed: int = 0):
        self.strength = strength
    def move(self, turn):
        return turn.position.moves()[-self.strength]

def not_a_player():
    return 5
'''


def test_a_player_in_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots.py").write_text(BOTS)
    standing = match(BOARD, ["bots.py:Timid(strength=1)", "bots.py:Timid"], games=2, clock=Clock(per_move=5))
    assert standing.engines == ("bots.py:Timid(strength=1)", "bots.py:Timid")
    assert standing.forfeits == ()
    for text, words in {
        "bots.py:Timit": "did you mean Timid",
        "bots.py:Timid(strenth=2)": "did you mean strength",
        "bots.py:Timid(strength=much)": "strength takes a whole number",
        "bots.py:not_a_player": "makes a int, which is no Player",
    }.items():
        with pytest.raises((Unsuitable, UnknownName), match=words):
            match(BOARD, [text, "random"])
