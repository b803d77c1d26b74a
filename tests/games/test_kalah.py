"""Kalah against OpenSpiel's mancala and against a slow version that moves named stones around a circle."""

from __future__ import annotations

import random
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest

from zermelo import games
from zermelo.rules import ONGOING, MoveError, Position, PositionError, Unsuitable


class Slow:
    """Pits are named ("first", 0), stores ("first", "store"); a dict says how many stones they hold."""

    def __init__(self, pits: int, stones: int, empty_capture: bool) -> None:
        self.pits, self.empty_capture, self.player, self.over = pits, empty_capture, "first", False
        self.holes: dict[tuple[str, Any], int] = {}
        for who in ("first", "second"):
            for i in range(pits):
                self.holes[who, i] = stones
            self.holes[who, "store"] = 0

    def legal(self) -> list[int]:
        return [] if self.over else [i for i in range(self.pits) if self.holes[self.player, i]]

    def move(self, pit: int) -> None:
        me = self.player
        you = "second" if me == "first" else "first"
        circle = [(me, i) for i in range(self.pits)] + [(me, "store")] + [(you, i) for i in range(self.pits)]
        hand, self.holes[me, pit] = self.holes[me, pit], 0
        place = pit
        empty = {}
        for _ in range(hand):
            place = (place + 1) % len(circle)
            empty = {circle[place]: self.holes[circle[place]] == 0}
            self.holes[circle[place]] += 1
        last = circle[place]
        if last[0] == me and last[1] != "store" and empty[last]:
            facing = (you, self.pits - 1 - last[1])
            if self.holes[facing] > 0 or self.empty_capture:
                self.holes[me, "store"] += self.holes[last] + self.holes[facing]
                self.holes[last] = self.holes[facing] = 0
        if last != (me, "store"):
            self.player = you
        if any(all(self.holes[who, i] == 0 for i in range(self.pits)) for who in ("first", "second")):
            self.over = True
            for who in ("first", "second"):
                for i in range(self.pits):
                    self.holes[who, "store"] += self.holes[who, i]
                    self.holes[who, i] = 0

    def score(self) -> int:
        return self.holes["first", "store"] - self.holes["second", "store"]


SIZES = [(1, 1), (1, 3), (2, 1), (2, 5), (3, 3), (4, 2), (5, 7), (6, 4), (6, 21), (7, 3), (8, 1), (8, 15)]


@pytest.mark.parametrize(("pits", "stones"), SIZES)
@pytest.mark.parametrize("empty_capture", [False, True])
def test_against_a_slow_version(pits, stones, empty_capture):
    rng = random.Random(pits * 100 + stones)
    game = games.kalah(pits=pits, stones=stones, empty_capture=empty_capture)
    longest = 0
    for _ in range(15):
        position, slow, plies = game.position(), Slow(pits, stones, empty_capture), 0
        while not slow.over:
            assert position.result is None
            assert position.moves() == [str(i + 1) for i in slow.legal()]
            assert position.turn == ("first", "second").index(slow.player)
            low, high = game.bounds(position.state)
            assert -2 * pits * stones <= low < high <= 2 * pits * stones
            assert low < game.evaluate(position.state) < high
            before = (slow.player, slow.holes[slow.player, "store"])
            move = max(slow.legal(), key=lambda m: (game.order(position.state, m), m))
            promised = game.order(position.state, move)
            if rng.random() < 0.5:
                move, promised = rng.choice(slow.legal()), 0
            position, plies = position.play(move), plies + 1
            slow.move(move)
            if promised >= 512:
                assert slow.player == before[0]
            elif promised >= 256:
                assert slow.holes[before[0], "store"] >= before[1] + promised - 256 + 1
            assert position.state.board == list(slow.holes.values())
            assert game.position(position.text()) == position
        assert position.result == slow.score()
        assert position.moves() == []
        longest = max(longest, plies)
    assert longest <= game.max_plies


def test_against_openspiel():
    pyspiel = pytest.importorskip("pyspiel")
    rng = random.Random(2)
    game = games.kalah()
    for _ in range(60):
        position, state = game.position(), pyspiel.load_game("mancala").new_initial_state()
        while not state.is_terminal():
            assert position.turn == state.current_player()
            shift = (1, 8)[position.turn]
            assert [code + shift for code in position.codes] == state.legal_actions()
            move = rng.choice(position.codes)
            position = position.play(move)
            state.apply_action(move + shift)
        score = position.result
        assert score is not None
        assert (score > 0) - (score < 0) == state.returns()[0]


def value(game: Any) -> int:
    """The value by trying everything once."""

    @cache
    def search(state: Any) -> int:
        score = game.result(state)
        if score != ONGOING:
            return score
        position = Position(game, state)
        children = [search(position.play(move).state) for move in position.codes]
        best = max(children) if state.turn == 0 else min(children)
        low, high = game.bounds(state)
        assert low <= best <= high
        return best

    return search(game.start)


@pytest.mark.parametrize(
    ("pits", "results"), [(1, "DLWLWD"), (2, "WLLLWW"), (3, "DW"), (4, "W")]
)  # Irving, Donkers and Uiterwijk, Solving Kalah (2000): 1, 2, … stones
def test_published_results(pits, results):
    for stones, result in enumerate(results, start=1):
        score = value(games.kalah(pits=pits, stones=stones))
        assert "DWL"[(score > 0) - (score < 0)] == result


def test_capture_from_an_empty_pit_opposite():
    plain, generous = games.kalah(pits=3, stones=2), games.kalah(pits=3, stones=2, empty_capture=True)
    text = "1,0,1|2|3,0,0|5 1"  # the pit opposite to the second is the second player's second: empty
    assert plain.position(text).play("1").text() == "0,1,1|2|3,0,0|5 2"
    assert generous.position(text).play("1").text() == "0,0,1|3|3,0,0|5 2"
    text = "1,0,1|2|1,2,0|5 1"
    for game in (plain, generous):
        assert game.position(text).play("1").text() == "0,0,1|5|1,0,0|5 2"
    # a full round ends in the pit it began with, which is empty by then
    assert plain.position("7,0,0|2|0,1,0|2 1").play("1").text() == "0,1,1|5|1,2,0|2 2"
    # the last pit is emptied: what the other side has left is its own
    assert plain.position("0,0,1|2|1,2,0|6 1").play("3").result == 3 - 9


def test_keys_are_unique():
    rng = random.Random(5)
    game = games.kalah(pits=3, stones=2)
    assert game.exact_key
    assert games.kalah().exact_key
    assert not games.kalah(stones=5).exact_key
    assert games.kalah(stones=5).key is None
    seen: dict[int, Any] = {}
    for _ in range(400):
        position = game.position()
        while position.result is None:
            position = position.play(rng.choice(position.codes))
            key = int(game.key(position.state))
            assert 0 <= key < 1 << 64
            assert seen.setdefault(key, position.state) == position.state
    assert len(set(seen.values())) == len(seen) > 500


def perft(position: Position, depth: int) -> int:
    return (
        1
        if depth == 0 or position.result is not None
        else sum(perft(position.play(move), depth - 1) for move in position.codes)
    )


def test_texts_and_drawing():
    game = games.kalah()
    start = game.position()
    assert start.text() == "4,4,4,4,4,4|0|4,4,4,4,4,4|0 1"
    assert game.position("3 6 1").text() == "4,4,0,5,5,0|2|0,6,6,6,5,5|0 1"
    assert game.position("361") == game.position("3 6 1")
    assert game.position("3").turn == 0  # the last stone fell into the store
    assert [perft(start, depth) for depth in range(5)] == [1, 6, 35, 185, 942]  # as OpenSpiel counts
    with pytest.raises(MoveError, match="'7' is not a legal move here; legal: 1 2 3 4 5 6"):
        start.play("7")
    for wrong, sentence in [
        ("4,4|0|4,4|0 1", "must give 6 pits"),
        ("4,4,4,4,4,4|0|4,4,4,4,4,4|0", "side to move"),
        ("4,4,4,4,4,4|0|4,4,4,4,4,4|0 3", "side to move"),
        ("4,4,4,4,4,4|1|4,4,4,4,4,4|0 1", "add up to 49, not to 48"),
        ("0,0,0,0,0,0|24|4,4,4,4,4,4|0 1", "a side has no stones"),
    ]:
        with pytest.raises(PositionError, match=sentence):
            game.position(wrong)
    over = game.position("0,0,0,0,0,0|30|0,0,0,0,0,0|18 2")
    assert over.result == 12
    for position in (start, start.play("1"), over):
        ElementTree.fromstring(position._repr_svg_())
    assert str(start).splitlines()[:3] == ["0 4 4 4 4 4 4", "  4 4 4 4 4 4 0", "  1 2 3 4 5 6"]


def test_impossible_sizes():
    for wrong, sentence in [
        ({"pits": 0}, "1 to 8 pits"),
        ({"pits": 9}, "1 to 8 pits"),
        ({"stones": 0}, "at least 1 stone"),
        ({"pits": 8, "stones": 16}, "make 256, at most 255"),
    ]:
        with pytest.raises(Unsuitable, match=sentence):
            games.kalah(**wrong)
