"""Positions: played by texts, never changed, equal where the game is the same, and aware of their past."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from zermelo import games
from zermelo.games.graph import graph_game
from zermelo.rules import DRAW, Game, MoveError, Position, PositionError, RuleError, ZermeloError, i8, rule, struct
from zermelo.rules.game import REPETITIONS

CONNECT_FOUR = games.connect_four()
TIC_TAC_TOE = games.tic_tac_toe()


def test_play_makes_a_new_position() -> None:
    start = CONNECT_FOUR.position()
    after = start.play("4")
    assert after is not start
    assert start.state == CONNECT_FOUR.start
    assert (start.turn, after.turn) == (0, 1)
    assert after.previous is start
    assert after.last_move == 3
    assert start.previous is start.last_move is None


def test_previous_takes_moves_back() -> None:
    position = CONNECT_FOUR.position("4445")
    for moves in (["4", "4", "4"], ["4", "4"], ["4"], []):
        assert position.previous is not None
        position = position.previous
        assert position.history() == moves
        assert position == CONNECT_FOUR.position(" ".join(moves))
    assert position.previous is None


def test_moves_as_texts_and_as_numbers() -> None:
    start = TIC_TAC_TOE.position()
    assert start.moves()[:4] == ["a1", "b1", "c1", "a2"]
    assert start.codes == list(range(9))
    assert start.play("b2") == start.play(4) == start.play("B2")
    assert [start.text_of(code) for code in start.codes] == start.moves()
    assert [start.code_of(text) for text in start.moves()] == start.codes


@pytest.mark.parametrize("text", ["44455", "4 4 4 5 5", "4,4,4,5,5", " 44 4  55 ", "444,55", "4 4455"])
def test_moves_may_be_written_together(text: str) -> None:
    position = CONNECT_FOUR.position(text)
    assert position.history() == ["4", "4", "4", "5", "5"]
    assert position.text() == "4 4 4 5 5"


def test_runs_of_longer_texts() -> None:
    assert TIC_TAC_TOE.position("a1b2c3").history() == ["a1", "b2", "c3"]
    assert TIC_TAC_TOE.position("A1B2 C3").history() == ["a1", "b2", "c3"]
    wide = games.connect_four(width=12, height=3)
    assert wide.position("12 1 11").history() == ["12", "1", "11"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("9", "move 1: '9' is not a legal move here; legal: 1 2 3 4 5 6 7"),
        ("4 x 4", "move 2: 'x' is not a legal move"),
        ("44 x", "move 3: 'x' is not a legal move"),
        ("4459", "move 4 of 4459: no legal move reads '9'; legal: 1 2 3 4 5 6 7"),
        ("4444444", "move 7 of 4444444: no legal move reads '4'; legal: 1 2 3 5 6 7"),
        ("4 5 4 5 4 5 4 1", "move 8: '1' cannot be played: the game is over"),
        ("45454541", "move 8 of 45454541: .*the game is over"),
    ],
)
def test_a_wrong_move_is_named_with_its_place(text: str, says: str) -> None:
    with pytest.raises(PositionError, match=says):
        CONNECT_FOUR.position(text)


def test_illegal_moves() -> None:
    position = CONNECT_FOUR.position("444444")
    with pytest.raises(MoveError, match="'4' is not a legal move here; legal: 1 2 3 5 6 7"):
        position.play("4")
    with pytest.raises(MoveError, match="3 is not a legal move here; legal: 1 2 3 5 6 7"):
        position.play(3)
    with pytest.raises(MoveError, match="'4' cannot be played: the game is over"):
        CONNECT_FOUR.position("1213141").play("4")
    many = games.tic_tac_toe(rows=5, cols=5)
    with pytest.raises(MoveError, match=r"legal: a1 b1 .* …$"):
        many.position().play("z9")


def test_a_finished_game_has_a_result_and_no_moves() -> None:
    won = CONNECT_FOUR.position("1213141")
    assert won.result == 1
    assert won.moves() == won.codes == []
    assert CONNECT_FOUR.position("121314").result is None
    assert CONNECT_FOUR.position("71213141").result == -1
    assert TIC_TAC_TOE.position("XXOOOXXXO").result == DRAW
    assert TIC_TAC_TOE.position().result is None


def test_equal_positions_by_different_ways() -> None:
    one, other = CONNECT_FOUR.position("123"), CONNECT_FOUR.position("321")
    assert one == other
    assert hash(one) == hash(other)
    assert one.history() != other.history()
    assert len({one, other, CONNECT_FOUR.position("132"), CONNECT_FOUR.position("231")}) == 2
    assert one != CONNECT_FOUR.position("12")
    assert one != "1 2 3"


def test_positions_of_different_games_are_different() -> None:
    assert games.connect_four().position() != CONNECT_FOUR.position()
    assert TIC_TAC_TOE.position() != CONNECT_FOUR.position()


def test_the_path_leads_from_the_start() -> None:
    position = CONNECT_FOUR.position("112")
    states = position.path()
    assert states[0] == CONNECT_FOUR.start
    assert states[-1] is position.state
    assert [state.plies for state in states] == [0, 1, 2, 3]


def test_how_positions_are_shown() -> None:
    position = games.tic_tac_toe().position("b2a1")
    assert repr(position) == "Position(tic-tac-toe(rows=3, cols=3, run=3), 'O---X----')"
    assert str(position) == "1 O . .\n2 . X .\n3 . . .\n  a b c"
    assert str(CONNECT_FOUR.position("4")).splitlines()[-2:] == [". . . X . . .", "1 2 3 4 5 6 7"]


@pytest.mark.parametrize("name", [name for name in games.names() if name not in ("graph", "openspiel")])
def test_texts_read_back(name: str) -> None:
    game, chance = games.load(name), random.Random(name)
    for _ in range(3):
        position = game.position()
        for _ in range(20):
            back = game.position(position.text())
            assert back == position
            assert back.turn == position.turn
            if position.result is not None:
                break
            position = position.play(chance.choice(position.moves()))


# A → B → A is closed by the second player, A → B → C → B by the first.
ROUND: dict[str, Any] = {
    "A": {"turn": "max", "moves": ["B", "E"]},
    "B": {"turn": "min", "moves": ["A", "C"]},
    "C": {"turn": "max", "moves": ["B", "E"]},
    "E": {"value": -3},
    "F": {"value": 2},
}


def going_round(repetition: str) -> Game:
    return graph_game({"root": "A", "repetition": repetition, "values": [-3, 2], "nodes": ROUND})


@pytest.mark.parametrize(
    ("repetition", "by_second", "by_first"),
    [("draw", 0, 0), ("first", 2, 2), ("second", -3, -3), ("wins", -3, 2), ("loses", 2, -3)],
)
def test_a_position_that_comes_back(repetition: str, by_second: int, by_first: int) -> None:
    game = going_round(repetition)
    assert game.position("B A").result == by_second
    assert game.position("B C B").result == by_first
    assert game.position("B").result is game.position("B C").result is None
    assert game.position("B C E").result == -3


def test_every_repetition_rule_is_tried() -> None:
    elsewhere = {"forbidden"}  # tests/core/test_forbidden.py
    assert set(REPETITIONS) - elsewhere == {"none", "draw", "points", "first", "second", "wins", "loses"}


def test_points_so_far_count_where_play_comes_back() -> None:
    game = games.awari(pits=2, stones=2)
    position = game.position("0,1|3|0,1|1 1")  # each stone goes round behind the other, and there is no other move
    for move in ("2", "2", "1", "1"):
        assert position.moves() == [move]
        position = position.play(move)
    assert position.cycle == (0, 0)
    assert position.result == 2
    with pytest.raises(RuleError, match="give a rule rest"):
        replace(game, rest=None)
    with pytest.raises(RuleError, match="repetition 'points' is unknown"):
        going_round("points")


def test_where_play_cannot_come_back_nothing_repeats() -> None:
    game = graph_game({"root": "A", "nodes": {"A": {"turn": "max", "moves": ["E"]}, "E": {"value": 1}}})
    assert not game.cyclic
    assert game.position("E").result == 1


def test_a_position_from_a_state() -> None:
    state = CONNECT_FOUR.position("44").state
    position = Position(CONNECT_FOUR, state)
    assert position == CONNECT_FOUR.position("44")
    assert position.history() == []


@pytest.mark.parametrize("move", [2.5, 1.0, "1"])
def test_rules_list_whole_numbers(move: object) -> None:
    @rule
    def moves(s, out):
        out[0] = move
        return 1

    game = replace(games.tic_tac_toe(), moves=moves)
    with pytest.raises(RuleError, match=f"tic-tac-toe: rule moves lists {move!r}, but moves are whole numbers"):
        game.position().moves()


def test_a_position_text_with_a_number_that_does_not_fit() -> None:
    State = struct(heap=i8, turn=i8)

    def by_hand(text: str) -> object:
        state = State()
        state.heap = int(text)  # type: ignore[attr-defined]
        return state

    for read in (lambda text: State(heap=int(text)), by_hand):
        heap = Game(
            name="heap", State=State, start=State(heap=5), moves=lambda s, out: 0, play=lambda s, move: None,
            result=lambda s: 1, max_moves=1, max_plies=1, read_position=read,
        )  # fmt: skip
        assert heap.position("100").state.heap == 100
        with pytest.raises(ZermeloError, match="field heap holds whole numbers from -128 to 127, not 300"):
            heap.position("300")


# Positions with what was played from there


DOBUTSU = games.dobutsu()
BEGUN = "gle/1c1/1C1/ELG[-] w"


@pytest.mark.parametrize(
    ("text", "history"),
    [
        (f"{BEGUN} moves b2b3", ["b2b3"]),
        (f"{BEGUN}\tmoves\n b2b3  a4a3", ["b2b3", "a4a3"]),
        (f"{BEGUN} moves b2b3,a4a3", ["b2b3", "a4a3"]),
        (f"{BEGUN} moves", []),
        ("startpos moves b2b3", ["b2b3"]),
        ("moves b2b3", ["b2b3"]),
        ("startpos", []),
    ],
)
def test_moves_after_a_position(text: str, history: list[str]) -> None:
    position = DOBUTSU.position(text)
    assert position.history() == history
    assert position == DOBUTSU.position(" ".join(history))
    assert position.line()[0].text() == BEGUN


def test_a_loop_can_be_told_by_a_text() -> None:
    round_trip = DOBUTSU.position(f"{BEGUN} moves c1c2 a4a3 c2c1 a3a4")
    assert round_trip.text() == BEGUN
    assert DOBUTSU.position(BEGUN).result is None
    assert (round_trip.result, len(round_trip.path())) == (0, 5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{BEGUN} moves b2b3 b2b3", r"move 2: 'b2b3' is not a legal move here"),
        ("gle/1c1 moves b2b3", r"gle/1c1"),
        ("startpos b2b3", r"before the moves comes the word moves: startpos moves b2b3"),
    ],
)
def test_what_is_wrong_with_moves_after_a_position(text: str, message: str) -> None:
    with pytest.raises(ZermeloError, match=message):
        DOBUTSU.position(text)


def test_moves_in_another_notation() -> None:
    """A column's letter instead of its number; whatever else it names is not legal."""
    game = replace(CONNECT_FOUR, read_move=lambda s, text: "abcdefghi".find(text) if len(text) == 1 else None)
    assert game.position("d d c").history() == ["4", "4", "3"]
    assert game.position().code_of("1") == 0
    for text in ("h", "x", "dd"):
        with pytest.raises(MoveError, match="is not a legal move here"):
            game.position().play(text)
