"""Awari against a slow version in plain Python, its values against published counts, and OpenSpiel's oware."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations, pairwise
from math import comb
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import zermelo as z
from marks import some_slow
from zermelo import games
from zermelo.knowledge.building import build_table
from zermelo.knowledge.manifest import Manifest
from zermelo.rules import Game, MoveError, Position, PositionError, Unsuitable

pytestmark = pytest.mark.usefixtures("calling_rules")

SLAMS = ("capture", "keep", "forbidden")
Board = tuple[int, ...]  # all pits in the order of sowing, beginning with the first of the player to move


def after(board: Board, pit: int, slam: str) -> tuple[int, Board] | None:
    """What a move captures and the board as the other player then sees it; None if it may not be played."""
    half, pits = len(board) // 2, list(board)
    hand, pits[pit] = pits[pit], 0
    at = pit
    while hand:
        at = (at + 1) % len(pits)
        if at != pit:
            pits[at] += 1
            hand -= 1
    if not any(pits[half:]):
        return None  # the other side is still empty
    caught = []
    while at >= half and pits[at] in (2, 3):
        caught.append(at)
        at -= 1
    if caught and all(pits[i] == 0 or i in caught for i in range(half, len(pits))):
        if slam == "forbidden":
            return None
        if slam == "keep":
            caught = []
    captured = sum(pits[i] for i in caught)
    for i in caught:
        pits[i] = 0
    return captured, (*pits[half:], *pits[:half])


def legal(board: Board, slam: str) -> dict[int, tuple[int, Board]]:
    tried = {pit: after(board, pit, slam) for pit in range(len(board) // 2) if board[pit]}
    return {pit: found for pit, found in tried.items() if found is not None}


def kept(board: Board) -> int:
    """The score of a mover without a move."""
    half = len(board) // 2
    return sum(board[:half]) - sum(board[half:])


def boards(pits: int, stones: int) -> list[Board]:
    """All ways to lay so many stones into so many pits: bars between them."""
    places = stones + pits - 1
    edges = ((-1, *bars, places) for bars in combinations(range(places), pits - 1))
    return [tuple(right - left - 1 for left, right in pairwise(bars)) for bars in edges]


@cache
def values(half: int, stones: int, slam: str) -> dict[Board, int]:
    """What the mover gains from here on, for all boards with so many stones: the boards from which he can force t or
    more, and those where the other can, for every t from the largest; where nobody can force anything play is endless,
    and counts 0."""
    below: dict[Board, int] = {} if stones == 0 else values_up_to(half, stones - 1, slam)
    everything = {board: list(legal(board, slam).values()) for board in boards(2 * half, stones)}
    known = {board: kept(board) for board, moves in everything.items() if not moves}
    for t in range(stones, 0, -1):
        won, lost = ({b for b, value in known.items() if sign * value >= t} for sign in (1, -1))
        changed = True
        while changed:
            changed = False
            for board, moves in everything.items():
                if board in won or board in lost or not moves:
                    continue
                if any(gain - below[b] >= t if gain else b in lost for gain, b in moves):
                    won.add(board)
                elif all(gain - below[b] <= -t if gain else b in won for gain, b in moves):
                    lost.add(board)
                else:
                    continue
                changed = True
        for board in won:
            known.setdefault(board, t)
        for board in lost:
            known.setdefault(board, -t)
    return {board: known.get(board, 0) for board in everything}


def values_up_to(half: int, stones: int, slam: str) -> dict[Board, int]:
    return {board: value for n in range(stones + 1) for board, value in values(half, n, slam).items()}


# Stones, positions, then for each slam: won, drawn, lost for the mover, the sum of the values and that of their squares
COUNTS = {
    1: (12, (5, 0, 7, -2, 12), (5, 0, 7, -2, 12), (5, 0, 7, -2, 12)),
    2: (78, (25, 13, 40, -30, 260), (24, 13, 41, -34, 260), (24, 14, 40, -32, 256)),
    3: (364, (127, 63, 174, -151, 2653), (121, 64, 179, -186, 2636), (122, 63, 179, -183, 2629)),
    4: (1365, (596, 138, 631, -236, 16416), (577, 143, 645, -378, 16252), (579, 144, 642, -368, 16200)),
    5: (4368, (2209, 0, 2159, 309, 95555), (2161, 0, 2207, -121, 94859), (2163, 0, 2205, -141, 94743)),
    6: (
        12376, (5781, 1540, 5055, 4660, 340394), (5707, 1545, 5124, 3803, 337507), (5696, 1549, 5131, 3702, 337206),
    ),
    7: (
        31824, (15095, 4431, 12298, 21195, 1080599), (14944, 4483, 12397, 19268, 1071958),
        (14922, 4484, 12418, 19024, 1070554),
    ),
    8: (
        75582, (38104, 8235, 29243, 66876, 2413206), (37806, 8333, 29443, 62592, 2385382),
        (37765, 8349, 29468, 62229, 2383941),
    ),
}  # fmt: skip


@pytest.mark.parametrize("slam", SLAMS)
@pytest.mark.parametrize("stones", some_slow(COUNTS, (6, 7, 8)))
def test_values_of_all_positions(stones: int, slam: str) -> None:
    found = list(values(6, stones, slam).values())
    counts = tuple(sum((value > 0) - (value < 0) == sign for value in found) for sign in (1, 0, -1))
    assert len(found) == COUNTS[stones][0]
    assert (*counts, sum(found), sum(value * value for value in found)) == COUNTS[stones][1 + SLAMS.index(slam)]


def laid_out(game: Game, board: Board, turn: int = 0, first: int = 0, second: int = 0) -> Position:
    half = len(board) // 2
    rows = [",".join(map(str, row)) for row in (board[:half], board[half:])]
    return game.position(f"{rows[turn]}|{first}|{rows[1 - turn]}|{second} {turn + 1}")


def seen(position: Position) -> tuple[Board, int]:
    """The board as the player to move sees it, and the first player's points so far."""
    first, mine, second, theirs = position.text().split()[0].split("|")
    rows = [tuple(map(int, row.split(","))) for row in (first, second)]
    return rows[position.turn] + rows[1 - position.turn], int(mine) - int(theirs)


@pytest.mark.parametrize("slam", SLAMS)
@pytest.mark.parametrize("turn", [0, 1])
def test_all_positions_with_few_stones(slam: str, turn: int) -> None:
    game, sign = games.awari(slam=slam), 1 - 2 * turn
    for board in (board for n in range(5) for board in boards(12, n)):
        position, moves = laid_out(game, board, turn, 5, 2), legal(board, slam)
        assert position.codes == list(moves)
        assert position.result == (None if moves else 3 + sign * kept(board))
        for move, (gain, below) in moves.items():
            assert seen(position.play(move)) == (below, 3 + sign * gain)


SIZES = [(1, 1), (1, 100), (2, 3), (3, 3), (4, 2), (6, 4), (6, 21), (8, 1), (8, 15)]


@pytest.mark.parametrize(("pits", "stones"), some_slow(SIZES, [(6, 21), (8, 15)]))
@pytest.mark.parametrize("slam", SLAMS)
def test_random_games(pits: int, stones: int, slam: str) -> None:
    rng = random.Random(100 * pits + stones)
    game = games.awari(pits=pits, stones=stones, slam=slam)
    for _ in range(3):
        position, board, points, met = game.position(), (stones,) * (2 * pits), 0, set()
        while True:
            assert seen(position) == (board, points)
            moves = legal(board, slam)
            if not moves or (board, points, position.turn) in met:
                break
            met.add((board, points, position.turn))
            assert position.result is None
            assert position.codes == list(moves)
            low, high = game.bounds(position.state)
            assert -2 * pits * stones <= low <= points <= high == points + sum(board)
            assert low < game.evaluate(position.state) < high
            best = max(moves, key=lambda move: game.order(position.state, move))
            assert moves[best][0] == max(gain for gain, _ in moves.values())
            assert game.position(position.text()) == position
            move = best if rng.random() < 0.3 else rng.choice(list(moves))
            gain, board = moves[move]
            points += gain if position.turn == 0 else -gain
            position = position.play(move)
        assert position.result == points + (0 if moves else kept(board) * (1 - 2 * position.turn))


METHODS = ("dfpn", "alphabeta", "mtdf", "boolean", "pn")


@pytest.mark.parametrize("slam", some_slow(SLAMS, ("capture", "keep")))
def test_searches_find_the_values(slam: str) -> None:
    """Loops abound in these, and count as the points so far."""
    rng, tried = random.Random(7), 0
    game = games.awari(pits=2, stones=2, slam=slam)
    known = values_up_to(2, 4, slam)
    for board in rng.sample(sorted(known), 30):
        for turn, first, second in ((0, 0, 0), (1, 2, 1)):
            position = laid_out(game, board, turn, first, second)
            if position.result is None:
                tried += 1
                method = METHODS[tried % len(METHODS)]
                answer = z.solve(position, method=method, mode="interpreted", memory="1MB")
                assert answer.status == "proven"
                assert answer.value == first - second + (known[board] if turn == 0 else -known[board])
    assert tried > 25


def test_solve_finds_the_values() -> None:
    rng, known = random.Random(3), values(6, 3, "capture")
    game = games.awari()
    for board in rng.sample(sorted(known), 6):
        assert z.solve(laid_out(game, board), mode="interpreted").value == known[board]
    with pytest.raises(Unsuitable, match="loops score the points so far"):
        z.solve(game.position("4"), method="fixpoint")


@pytest.mark.slow
def test_solve_compiled() -> None:
    rng, known = random.Random(5), values(6, 6, "keep")
    game = games.awari(slam="keep")
    for board in rng.sample(sorted(known), 25):
        answer = z.solve(laid_out(game, board, 1, 3, 8), mode="compiled", memory="64MB")
        assert (answer.value, answer.status) == (-5 - known[board], "proven")


def test_against_openspiel() -> None:
    """The same moves if a slam keeps the stones where they are. There, more than half of the stones end the game, and
    so does a position that comes back, all stones on the board being shared out."""
    pyspiel = pytest.importorskip("pyspiel")
    game, other = games.awari(slam="keep"), pyspiel.load_game("oware")
    rng, compared, slams = random.Random(2), 0, 0
    for _ in range(40):
        position, state = game.position(), other.new_initial_state()
        while not state.is_terminal():
            assert position.turn == state.current_player()
            assert position.codes == state.legal_actions()
            board, points = seen(position)
            assert _printed(state) == (board if position.turn == 0 else board[6:] + board[:6], points)
            takers = [move for move, (gain, _) in legal(board, "capture").items() if gain]
            move = rng.choice(takers or position.codes)  # so that games have few stones soon
            slams += legal(board, "capture")[move] != legal(board, "keep")[move]
            position = position.play(move)
            state.apply_action(move)
            compared += 1
    assert compared > 1000
    assert slams > 0


def _printed(state: Any) -> tuple[Board, int]:
    """The board from the first player's first pit on, and the points so far."""
    second, _, above, below, _, first = str(state).splitlines()[:6]
    pits = *map(int, below.split()), *map(int, above.split()[::-1])
    return pits, int(first.split()[4]) - int(second.split()[4])


def perft(position: Position, depth: int) -> int:
    return 1 if depth == 0 else sum(perft(position.play(move), depth - 1) for move in position.codes)


def test_perft() -> None:
    assert [perft(games.awari().position(), depth) for depth in range(6)] == [1, 6, 36, 190, 1014, 5219]


def test_slams() -> None:
    text = "0,0,0,0,0,2|10|1,1,0,0,0,0|20 1"
    outcomes = {slam: games.awari(slam=slam).position(text) for slam in SLAMS}
    assert outcomes["capture"].play("6").text() == "0,0,0,0,0,0|14|0,0,0,0,0,0|20 2"
    assert outcomes["capture"].play("6").result == -6
    assert outcomes["keep"].play("6").text() == "0,0,0,0,0,0|10|2,2,0,0,0,0|20 2"
    assert outcomes["forbidden"].result == -10 + 2 - 2  # there is no other move
    fed = games.awari().position("1,0,0,0,4,0|0|0,0,0,0,0,0|0 1")
    assert fed.moves() == ["5"]  # the only one that reaches the other side


def test_a_hand_that_goes_round_leaves_out_its_pit() -> None:
    position = games.awari().position("0,0,12,0,0,0|0|0,0,0,0,1,0|0 1").play("3")
    assert position.text() == "1,1,0,2,1,1|0|1,1,1,1,2,1|0 2"


def test_keys() -> None:
    game, keys, rests = games.awari(pits=2, stones=1), {}, {}
    assert game.exact_key
    assert games.awari().exact_key
    assert not games.awari(stones=5).exact_key
    for board in (board for n in range(5) for board in boards(4, n)):
        for turn, first, second in ((0, 0, 0), (1, 0, 0), (1, 4 - sum(board), 0), (0, 0, 4 - sum(board))):
            state = laid_out(game, board, turn, first, second).state
            assert keys.setdefault(int(game.key(state)), state) == state
            rest, points = game.rest(state)
            assert rests.setdefault(int(rest), board) == board
            assert points == first - second
    full = games.awari()
    crowded = [laid_out(full, tuple(48 if i == pit else 0 for i in range(12))).state for pit in range(12)]
    for name in (full.key, lambda state: full.rest(state)[0]):
        assert len({int(name(state)) for state in crowded}) == 12


def test_numbers_of_positions() -> None:
    game = games.awari()
    assert game.index is not None
    assert [tier[1:] for tier in game.tiers()[:4]] == [(1, "0"), (12, "1"), (78, "2"), (364, "3")]
    assert game.tiers()[48].size == comb(59, 11)
    for stones in range(5):
        numbers = set()
        for board in boards(12, stones):
            tier, number, sign = game.index(laid_out(game, board, 0, 3, 1).state)
            assert (tier, sign) == (stones, 1)
            assert game.index(laid_out(game, board, 1).state) == (tier, number, -1)
            state = laid_out(game, (4,) * 12, 1).state.copy()
            assert game.unindex(state, tier, number)
            assert seen(Position(game, state)) == (board, 0)
            numbers.add(number)
        assert numbers == set(range(game.tiers()[stones].size))
    assert games.awari(pits=8, stones=15).index is None  # more than 63 bits can count


def test_a_table(tmp_path: Path) -> None:
    """Play goes round in most of these; what is then left counts for nobody."""
    check_table(build_table(games.awari(slam="forbidden"), tmp_path, highest="3", mode="interpreted"), "forbidden")


@pytest.mark.slow
@pytest.mark.parametrize("slam", SLAMS)
def test_a_table_compiled(slam: str, tmp_path: Path) -> None:
    check_table(build_table(games.awari(slam=slam), tmp_path, highest="8", mode="compiled"), slam)


def check_table(manifest: Manifest, slam: str) -> None:
    for tier in manifest.tiers[1:]:
        size, *counts = COUNTS[int(tier.name)]
        assert tier.positions == size
        assert (tier.won, tier.drawn, tier.lost) == counts[SLAMS.index(slam)][:3]


def test_texts_and_drawing() -> None:
    game = games.awari()
    start = game.position()
    assert start.text() == "4,4,4,4,4,4|0|4,4,4,4,4,4|0 1"
    assert game.position("361") == game.position("3 6 1")
    assert game.position("3 6").text() == "5,5,1,6,5,5|0|5,4,4,4,4,0|0 1"
    with pytest.raises(MoveError, match="'7' is not a legal move here; legal: 1 2 3 4 5 6"):
        start.play("7")
    for wrong, sentence in [
        ("4,4|0|4,4|0 1", "must give 6 pits"),
        ("4,4,4,4,4,4|0|4,4,4,4,4,4|0", "side to move"),
        ("4,4,4,4,4,4|0|4,4,4,4,4,4|0 3", "side to move"),
        ("4,4,4,4,4,4|1|4,4,4,4,4,4|0 1", "add up to 49, there are only 48"),
    ]:
        with pytest.raises(PositionError, match=sentence):
            game.position(wrong)
    over = game.position("0,0,0,0,0,0|30|0,0,2,0,0,0|16 1")
    assert over.result == 12
    for position in (start, start.play("1"), over):
        ElementTree.fromstring(position._repr_svg_())
    assert str(game.position("1")).splitlines() == [
        "0 4 4 4 4 4 4", "  0 5 5 5 5 4 0", "  1 2 3 4 5 6", "second player (above, to the left) to move",
    ]  # fmt: skip
    assert str(over).endswith("the game is over")


def test_impossible_settings() -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"pits": 0}, "1 to 8 pits"),
        ({"pits": 9}, "1 to 8 pits"),
        ({"stones": 0}, "at least 1 stone"),
        ({"pits": 8, "stones": 16}, "make 256, at most 255"),
        ({"slam": "kept"}, "slam is capture, keep or forbidden, not 'kept'$"),
    ]
    for settings, sentence in wrong:
        with pytest.raises(Unsuitable, match=sentence):
            games.awari(**settings)
