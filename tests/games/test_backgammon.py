"""Backgammon against OpenSpiel, move for move: rolls, legal moves by code and by text, positions after them, scores."""

from __future__ import annotations

import random
import re
from typing import Any
from xml.etree import ElementTree

import pytest

from zermelo import games
from zermelo.games.backgammon import count, places_of
from zermelo.rules import CHANCE, MoveError, Position, PositionError, Unsuitable

pytestmark = pytest.mark.usefixtures("calling_rules")

SCORINGS = {"winloss": "winloss_scoring", "gammons": "enable_gammons", "backgammons": "full_scoring"}
BAR, PASS = 100, -1


def their_board(state: Any) -> tuple[Any, ...]:
    """OpenSpiel's board in our order: places 0 to 25 and what is off."""
    own, other = ([state.board(player, pos) for pos in range(24)] for player in (0, 1))
    points = [-state.board(1, BAR), *(x - o for x, o in zip(own[::-1], other[::-1])), state.board(0, BAR)]
    return (*points, *map(int, re.findall(r"Scores, X: (\d+), O: (\d+)", str(state))[0]))


def our_board(state: Any) -> tuple[Any, ...]:
    return (*places_of(state), count(state, 0, 0), count(state, 1, 0))


def their_code(state: Any, action: int) -> int:
    """An action of OpenSpiel's as we number moves."""
    player = state.current_player()
    high, low = sorted((int(die) for die in re.findall(r"Dice: (\d)(\d)", str(state))[0]), reverse=True)
    points = {low: 0, high: 0}
    farther = []
    for half in state.spiel_move_to_checker_moves(player, action):
        if half.pos != PASS:
            points[half.num] = 25 if half.pos == BAR else 24 - half.pos if player == 0 else half.pos + 1
            farther.append(points[half.num])
    if low == high:
        first, second = sorted([*farther, 0, 0], reverse=True)[:2]
        return first << 5 | second
    return points[low] << 5 | points[high]


def their_text(state: Any, action: int) -> str:
    text = state.action_to_string(action).rpartition(" - ")[2].lower()
    return text if text == "pass" else text.removesuffix(" pass").replace(" ", "+")


def their_roll(state: Any, action: int) -> str:
    """A roll of OpenSpiel's as we write it; it tells 12 from 21."""
    text = state.action_to_string(action)
    starter = re.search(r"([XO]) starts", text)
    return (starter[1] if starter else "") + "".join(sorted(re.findall(r"roll: (\d\d)", text)[0], reverse=True))


def compare(position: Position, state: Any, thorough: bool) -> None:
    """All that can be compared at one position."""
    game = position.game
    assert position.result is None
    assert our_board(position.state) == their_board(state)
    if state.is_chance_node():
        assert position.turn == CHANCE
        weights = {position.text_of(code): game.weight(position.state, code) for code in position.codes}  # type: ignore[misc]
        chances = dict.fromkeys(weights, 0.0)
        for action, chance in state.chance_outcomes():
            chances[their_roll(state, action)] += chance
        assert {text: weight / sum(weights.values()) for text, weight in weights.items()} == pytest.approx(chances)
        return
    assert position.turn == state.current_player()
    theirs = state.legal_actions()
    known = {their_code(state, action) for action in theirs}
    assert set(position.codes) <= known
    assert len(set(position.codes)) == len(position.codes) <= game.max_moves
    if thorough:
        texts = {their_text(state, action) for action in theirs}
        assert set(position.moves()) <= texts
        boards = [our_board(position.play(code).state) for code in position.codes]
        assert len(set(boards)) == len(boards)
        assert set(boards) == {their_board(state.child(action)) for action in theirs}
        assert game.position(position.text()) == position


def match(game: Any, theirs: Any, rng: random.Random, thorough: bool = True) -> tuple[Position, Any]:
    """A random game, compared all the way."""
    position, state = game.position(), theirs.new_initial_state()
    while not state.is_terminal():
        compare(position, state, thorough)
        code = rng.choice(position.codes)
        if state.is_chance_node():
            fitting = [a for a in state.legal_actions() if their_roll(state, a) == position.text_of(code)]
        else:
            fitting = [a for a in state.legal_actions() if their_code(state, a) == code]
        state.apply_action(rng.choice(fitting))
        position = position.play(code)
    assert our_board(position.state) == their_board(state)
    assert [position.result, -position.result] == state.returns()  # type: ignore[operator]
    assert position.moves() == []
    assert game.position(position.text()) == position
    return position, state


@pytest.mark.parametrize(("scoring", "matches"), [("winloss", 1), ("gammons", 1), ("backgammons", 3)])
def test_against_openspiel(scoring, matches):
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game(f"backgammon(scoring_type={SCORINGS[scoring]},max_player_turns=100000)")
    game, rng = games.backgammon(scoring=scoring), random.Random(len(scoring))
    for _ in range(matches):
        match(game, theirs, rng)


Board = tuple[tuple[int, ...], tuple[int, ...]]
"""Checkers by own point, 0 (off) to 25 (bar), of the player to move and of the opponent."""


def slow_steps(board: Board, die: int) -> list[Board]:
    """All that one die can be played to."""
    mine, theirs = board
    found = []
    for p in range(1, 26):
        to = p - die
        if not mine[p] or (mine[25] and p != 25):
            continue
        if to <= 0 and (any(mine[7:]) or (to < 0 and any(mine[p + 1 :]))):
            continue
        if to > 0 and theirs[25 - to] > 1:
            continue
        own, other = list(mine), list(theirs)
        own[p] -= 1
        own[max(to, 0)] += 1
        if to > 0 and theirs[25 - to] == 1:
            other[25 - to] -= 1
            other[25] += 1
        found.append((tuple(own), tuple(other)))
    return found


def slow_plays(board: Board, low: int, high: int) -> set[Board]:
    """The positions after one move: both dice in either order if possible, else the higher, else the lower."""
    orders = ((low, high), (high, low))
    both = {end for first, second in orders for half in slow_steps(board, first) for end in slow_steps(half, second)}
    return both or set(slow_steps(board, high)) or set(slow_steps(board, low)) or {board}


def as_board(state: Any, player: int) -> Board:
    mine, theirs = (tuple(count(state, who, p) for p in range(26)) for who in (player, 1 - player))
    return mine, theirs


def random_text(rng: random.Random) -> str:
    """Any position: open boards, races, checkers coming home, on the bar and off."""
    places = [0] * 26
    for sign, off in ((1, rng.choice([0, 0, 3, 9, 13])), (-1, rng.choice([0, 0, 3, 9, 13]))):
        reach = rng.choice([4, 6, 8, 12, 24, 25, 25])  # how far behind the last checker may be
        for _ in range(15 - off):
            free = [p for p in range(1, reach + 1) if places[p if sign > 0 else 25 - p] * sign >= 0]
            p = rng.choice(free or [25])
            places[p if sign > 0 else 25 - p] += sign
    board = "".join("-" if n == 0 else chr(64 + n) if n > 0 else chr(96 - n) for n in places)
    off = [15 - sum(n for n in places if n > 0), 15 + sum(n for n in places if n < 0)]
    return f"{board} {off[0]}-{off[1]} {rng.choice('XO')} {rng.randint(1, 6)}{rng.randint(1, 6)}"


def test_against_a_slow_version_on_any_position():
    game, rng = games.backgammon(), random.Random(11)
    singles = 0
    for _ in range(800):
        position = game.position(random_text(rng))
        s = position.state
        plays = []
        for code in position.codes:
            after = s.copy()
            game.play(after, code)
            plays.append(as_board(after, s.side))
        assert len(set(plays)) == len(plays), position.text()
        assert set(plays) == slow_plays(as_board(s, s.side), s.low, s.high), position.text()
        texts = position.moves()
        assert len(set(texts)) == len(texts)
        singles += any(text.count("/") == 1 and "(" not in text for text in texts)
        for mine, theirs in plays:
            assert sum(mine) == sum(theirs) == 15
    assert singles > 10


def test_pips_keys_and_again():
    """What the state carries beside the counts follows from them, and equal positions have equal keys."""
    game, rng = games.backgammon(), random.Random(12)
    keys: dict[int, Any] = {}
    for _ in range(4):
        position = game.position()
        while position.result is None:
            before, code = position.state, rng.choice(position.codes)
            position = position.play(code)
            s = position.state
            assert list(s.pips) == [sum(p * n for p, n in enumerate(as_board(s, player)[0])) for player in (0, 1)]
            assert -1 < game.evaluate(s) < 1
            assert keys.setdefault(int(game.key(s)), s) == s
            assert game.position(position.text()) == position
            if s.again:
                assert before.low == before.high == s.low
                assert not before.again
                assert before.side == s.side


def test_the_most_moves():
    game, rng = games.backgammon(), random.Random(13)
    most = 0
    for _ in range(300):
        places = [0] * 26
        for p in rng.sample(range(1, 25), 15):
            places[p] = 1
        blots = [p for p in range(1, 25) if not places[p]]
        board = "".join("A" if places[p] else "a" if p in blots and rng.random() < 0.5 else "-" for p in range(26))
        gone = 15 - board.count("a")
        for dice in ("21", "31", "43", "65"):
            most = max(most, len(game.position(f"{board} 0-{gone} X {dice}").codes))
    assert 180 < most <= game.max_moves


def test_moves_as_texts():
    game = games.backgammon()
    assert game.position("X31").play("8/5+6/5").text() == "-b---BD-B---eE---c-e----B- 0-0 O"
    assert game.position("O31").play("8/5+6/5").text() == "-b----E-C---eE---b-db---B- 0-0 X"
    again = game.position("X61 13/7+8/7 33 8/5(2)")
    assert again.text() == "-b----EBB---eD---a-eb---B- 0-0 O 33 again"
    assert again.play("6/3(2)").turn == CHANCE
    hit = game.position("---a-aB------------------A 12-13 X 51")
    assert hit.moves() == ["bar/20+6/5*", "bar/24+6/1", "bar/24/19"]
    blocked = game.position("-------------------bbbbbbO 0-3 X 64")
    assert blocked.moves() == ["pass"]
    race = game.position("-A-A-----------------aa--- 13-13 X 65")
    assert race.moves() == ["3/off+1/off"]
    assert race.play("3/off+1/off").result == 1
    with pytest.raises(MoveError, match="not a legal move"):
        race.play("3/off")


def test_scores():
    def outcome(scoring: str, board: str) -> Any:
        return games.backgammon(scoring=scoring).position(board).play("1/off").result

    ends = [f"{board} X 21" for board in ("-A" + 18 * "-" + "m----- 14-2", "-A" + 18 * "-" + "o----- 14-0",
                                          "-An---a" + 19 * "-" + " 14-0")]  # fmt: skip
    assert [outcome("winloss", end) for end in ends] == [1, 1, 1]
    assert [outcome("gammons", end) for end in ends] == [1, 2, 2]
    assert [outcome("backgammons", end) for end in ends] == [1, 2, 3]
    mirror = games.backgammon(scoring="backgammons").position("------------------------aO 0-14 O 21")
    assert mirror.play("1/off").result == -3
    low, high = games.backgammon(scoring="backgammons").bounds(mirror.state)
    assert (low, high) == (-3, 1)


def test_estimates_and_order():
    """Choosing by the estimate after the move beats choosing at random nearly always."""
    game, rng = games.backgammon(), random.Random(14)
    wins = 0
    for number in range(12):
        hero, position = number % 2, game.position()
        while position.result is None:
            codes = position.codes
            if position.turn == CHANCE:
                code = rng.choices(codes, [game.weight(position.state, c) for c in codes])[0]
            elif position.turn == hero:
                sign = 1 - 2 * hero
                code = max(codes, key=lambda c: sign * game.evaluate(position.play(c).state))
            else:
                code = rng.choice(codes)
            position = position.play(code)
        wins += position.result == 1 - 2 * hero
    assert wins >= 11
    hit = game.position("---a-aB------------------A 12-13 X 51")
    assert max(hit.codes, key=lambda c: game.order(hit.state, c)) == hit.code_of("bar/20+6/5*")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("-b----E-C---eE---c-e----B 0-0 X", "takes 26 signs"),
        ("-b----E-C---eE---c-e----B- X", "checkers borne off"),
        ("-b----E-C---eE---c-e----B- 0-0 X 72", "checkers borne off"),
        ("-b----E-C---eE---c-e----B- 0-0 ? 21", "checkers borne off"),
        ("-b----F-C---eE---c-e----B- 0-0 X", "X has 16 checkers on the board and 0 off, which make 16, not 15"),
        ("-b----E-C---eE---c-e----B- 0-2 X", "O has 15 checkers on the board and 2 off, which make 17, not 15"),
        ("Ab----E-C---eE---c-e----A- 0-0 X", "bar"),
        ("-------------------------- 15-15 X", "only one player"),
        ("-b----------e----c-e------ 15-0 O 31", "no dice"),
        ("-b----E-C---eE---c-e----B- 0-0 X 31 again", "only doubles"),
        ("X52 13/8", "not a legal move"),
    ],
)
def test_bad_positions(text, complaint):
    with pytest.raises(PositionError, match=complaint):
        games.backgammon().position(text)


def test_bad_scoring():
    with pytest.raises(Unsuitable, match="winloss, gammons, backgammons"):
        games.backgammon(scoring="cube")


def test_drawing():
    game = games.backgammon()
    lines = str(game.position("X52")).splitlines()
    assert lines[1] == " X5   .   .   .  O3   .   .  O5   .   .   .   .  X2   ."
    assert lines[2] == " O5   .   .   .  X3   .   .  X5   .   .   .   .  O2   ."
    assert lines[-1] == "X to play 52"
    assert str(game.position()).endswith("the first roll decides who begins")
    assert str(game.position("-b----E-C---eE---c-e----B- 0-0 O 22 again")).endswith("O to play 22 again")
    assert str(game.position("-b----------e----c-e------ 15-0 O")).endswith("X has won")
    assert ElementTree.fromstring(game.position("X52")._repr_svg_()).tag.endswith("svg")
