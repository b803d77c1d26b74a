"""Records: texts that read back, and files that hold no such game."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo import games
from zermelo.play.clock import NO_CLOCK, Clock
from zermelo.play.ending import Ending, Why
from zermelo.play.record import Note, Record, append_record, parse, read_records
from zermelo.rules import CHANCE, Unsuitable, ZermeloError

BOARD = games.tic_tac_toe()
TITLE = "tic-tac-toe(rows=3, cols=3, run=3)"

awkward = ("a", "b", "a b", "b a", "a b a", "result: +1", "first: a", "{1 s}", '"a"', "a {1 s} b", "", " a")
texts = st.lists(st.sampled_from(awkward) | st.text(max_size=5), min_size=9, max_size=9, unique=True)
notes = st.builds(
    Note,
    st.none() | st.floats(0, 1e6).map(lambda s: round(s, 3)),
    st.none() | st.floats(allow_nan=False, allow_infinity=False),
    st.none(),  # whom the player took the other for is not written
)


def played(game, seed, plies):
    """A position after some random moves."""
    dice, position = random.Random(seed), game.position()
    while plies and position.result is None:
        position, plies = position.play(dice.choice(position.codes)), plies - 1
    return position


def ending_of(position, draw):
    """One that a game can have at its last position."""
    if position.result is not None:
        return Ending.of(position, Why.RULES)
    why = draw(st.sampled_from([None, *(why for why in Why if why is not Why.RULES)]))
    by = draw(st.integers(0, 1)) if why is not None and "{}" in why.value else None
    detail, score = draw(st.sampled_from(["", "ValueError: a, b: c", "'z9'"])), draw(st.sampled_from([-1, 0, 0.5, 1]))
    return why and Ending.of(position, why, by, detail, score)


@settings(max_examples=120)
@given(st.data())
def test_a_record_reads_back(data):
    names = data.draw(texts)
    game = replace(BOARD, move_text=lambda s, move: names[move])
    position = played(game, data.draw(st.integers(0, 99)), data.draw(st.integers(0, 9)))
    plies = len(position.history())
    record = Record(
        position,
        tuple(data.draw(st.lists(notes, min_size=plies, max_size=plies))),
        data.draw(st.tuples(*[st.sampled_from(["", "person", "random(seed=7)"])] * 2)),
        data.draw(st.sampled_from([NO_CLOCK, Clock(60, 1), Clock(per_move=0.5, depth=6)])),
        data.draw(st.none() | st.integers(0, 10**6)),
        ending=ending_of(position, data.draw),
        event=data.draw(st.sampled_from(["", "match 0a1b, game 7"])),
    )
    [found] = parse(record.text(), game)
    assert found == record
    assert [p.last_move for p in found.replay()] == [p.last_move for p in record.replay()]
    assert parse(f"{record.text()}\n\n{record.text()}", game) == [record, record]


@pytest.mark.parametrize(
    "game",
    [games.pig(goal=8), games.einstein(size=3, stones=3), games.othello(rows=4, cols=4), games.backgammon(),
     games.kalah(pits=2, stones=2), games.dark_chess()],
    ids=lambda game: game.name,
)  # fmt: skip
def test_records_of_games(game):
    for seed in range(5):
        record = Record.begin(played(game, seed, 40))
        assert [p.state for p in parse(record.text(), game)[0].replay()] == [p.state for p in record.replay()]


def test_where_play_began():
    position = BOARD.position("XX- OO- ---")
    record = Record.begin(position.play("c1"))
    assert record.began == position.text()
    [found] = parse(record.text(), BOARD)
    assert (found.began, found.position) == (record.began, record.position)
    assert found.ending == Ending(1, Why.RULES)
    assert len(found.replay()) == 2
    assert Record.begin(BOARD.position("b2 a1")).began == ""
    [moves] = parse(f"{TITLE}\nposition: b2 a1\nc1\n", BOARD)  # moves from the start are moves
    assert (moves.began, moves.position.history()) == ("", ["b2", "a1", "c1"])


def test_a_position_that_cannot_be_told():
    mute = replace(BOARD, position_text=None, read_position=None)
    start = mute.position("b2").state
    with pytest.raises(Unsuitable, match="no text for the position"):
        Record.begin(type(mute.position())(mute, start))


def test_what_a_person_writes():
    text = f"\n{TITLE}\nsecond:  me \nb2 A1 {{good!}}\nc1{{2 s}} {{never mind}}\n"
    [found] = parse(text, BOARD)
    assert found.position.history() == ["b2", "a1", "c1"]
    assert found.players == ("", "me")
    assert found.ending is None
    assert parse("\n \n", BOARD) == []
    assert parse(f"{TITLE}\n", BOARD)[0].position == BOARD.position()


def test_dice_are_moves_too():
    game = games.pig(goal=8)
    assert [p.turn for p in parse("pig(goal=8, sides=6)\nroll 4", game)[0].replay()] == [0, CHANCE, 0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hex(size=3)\na1", "holds no game of tic-tac-toe.*its first line is 'hex"),
        (f"{TITLE}\na1\n\nhex(size=3)", "line 4, where one should begin, is 'hex"),
        (f"{TITLE}\na1 b2\na1", "line 3: move 3: 'a1' is not a legal move here"),
        (f"{TITLE}\na1 a2 b1 b2 c1 c2", "line 2: move 6: 'c2' cannot be played: the game is over"),
        (f"{TITLE}\nposition: XX-OO----\nc2\nz9", "line 4: move 2: 'z9'"),
        (f"{TITLE}\nposition: XXXX", "line 2: "),
        (f"{TITLE}\nclock: 0", "line 2: .*above 0"),
        (f"{TITLE}\nseed: x", "line 2: seed takes a whole number"),
        (f"{TITLE}\nfirst: a\nfirst: b", "line 3: first is told twice"),
        (f"{TITLE}\na1\nfirst: b", "line 3: first is told twice or after the moves"),
        (f"{TITLE}\na1 {{b2", "line 2: '{b2' is neither a move nor a comment"),
        (f'{TITLE}\n"a1', "line 2: '\"a1' is neither"),
        (f'{TITLE}\n"\\x"', "line 2: .*no text in quotes"),
        (f"{TITLE}\na1\nresult: +1, by the rules", "line 3: .*not over"),
        (f"{TITLE}\na1 a2 b1 b2 c1\nresult: 0, by the rules", "line 3: .*said to be 0, but .* it is \\+1"),
        (f"{TITLE}\na1 a2 b1 b2 c1\nresult: open, stopped", "line 3: .*over by the rules"),
        (f"{TITLE}\na1\nresult: +1, the first player resigned", "line 3: .*said to be \\+1, but .* it is -1"),
        (f"{TITLE}\na1\nresult: x, the first player resigned", "line 3: .*said to be x"),
        (f"{TITLE}\na1\nresult: +1", "line 3: '\\+1' is no result"),
        (f"{TITLE}\na1\nresult: open, stopped\nb2", "line 4: nothing can follow the result"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, text, words):
    file = tmp_path / "games.txt"
    file.write_text(text)
    with pytest.raises(Unsuitable, match=f"games.txt.*{words}"):
        read_records(file, BOARD)


damaged = st.lists(st.sampled_from([TITLE, "a1 b2", '"', "{", "result: 0,", "x" * 999])).map("\n".join)


@given(st.text(max_size=60) | damaged)
def test_any_text_is_read_or_refused_in_one_sentence(text):
    for whole in (text, f"{TITLE}\n{text}"):
        refused = ""
        try:
            parse(whole, BOARD)
        except ZermeloError as error:
            refused = str(error)
        assert len(refused) < 1000


def test_a_file_of_many(tmp_path):
    file = tmp_path / "games.txt"
    records = [Record.begin(played(BOARD, seed, 9)) for seed in range(3)]
    records = [replace(record, ending=Ending.of(record.position, Why.RULES)) for record in records]
    for number, record in enumerate(records, 1):
        append_record(file, record)
        assert read_records(file, BOARD) == records[:number]
    assert file.read_text().count("\n\n") == 2
    with pytest.raises(Unsuitable, match="cannot be written"):
        append_record(tmp_path / "no" / "file", records[0])
    with pytest.raises(ZermeloError, match="there is no file"):
        read_records(tmp_path / "none", BOARD)


def test_a_graph_file_may_lie_elsewhere(tmp_path):
    nodes = {"A": {"turn": "max", "moves": ["to B", "C"]}, "to B": {"value": 1}, "C": {"value": 0}}
    folders = [tmp_path / "here", tmp_path / "there"]
    for folder in folders:
        folder.mkdir()
        (folder / "small.json").write_text(json.dumps({"root": "A", "nodes": nodes}))
    here, there = (games.graph(file=str(folder / "small.json")) for folder in folders)
    text = Record.begin(here.position().play("to B")).text()
    assert text == "graph(file=small.json)\nto B\n"
    assert parse(text, there)[0].position.history() == ["to B"]
