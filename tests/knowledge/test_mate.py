"""Sub-games against the enumeration of all ways to play them, and Dobutsu's mates by checks against known lengths."""

from __future__ import annotations

import math
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import oracles
from marks import slow
from random_games import random_game, seeded
from zermelo import games
from zermelo.certificates.certificate import Certificate
from zermelo.certificates.checker import verify
from zermelo.compile.watch import Limits
from zermelo.knowledge.mate import Mate, mate, prove_mate
from zermelo.rules import ONGOING, Game, MoveError, Position, Subgame, UnknownName, Unsuitable, i8, rule, struct

SEEDS = st.integers(0, 2**40)
SUBGAMES = st.sampled_from(["force", "quick"])
RULES = ("none", "draw", "first", "second", "wins", "loses")
TINY = "1KB"

MATES = """
3 ECl/L2/EG1/c2[g] w        5 l2/3/1L1/G1+C[CEEg] w     7 l1e/2G/1L+C/cE1[G] w      9 2l/EG1/LG1/1cc[E] w
11 glE/1eG/LC1/+C2[-] w     13 el1/Cec/GLG/3[-] w       15 1G1/1el/L1+c/+C1G[E] w   17 l1+c/1Gc/LGE/E2[-] w
19 l2/eGe/LCG/2C[-] w       21 l1e/1G1/LG+c/1+C1[E] w   23 l1g/1eC/GLe/2c[-] w      25 glg/CeC/eL1/3[-] w
"""
LONGER = """
3 El1/2C/L+CG/Eg1[-] w      3 G1l/2e/LE+C/+Cg1[-] w     5 l1E/+cGC/EL1/2G[-] w      5 l+c+C/E2/1GE/L1g[-] w
7 Cl1/C1G/1LE/g2[E] w       7 E1l/G2/+Cg1/Lc1[e] w      9 C2/g1l/G1E/L+C1[E] w      9 e1l/G2/L2/1G+C[CE] w
11 e1l/e1g/1GC/L+C1[-] w    11 1cl/1g1/1+C1/LE1[EG] w   13 1l1/GeG/E2/L+C+c[-] w    13 l2/g2/+C1g/+CL1[EE] w
15 le1/1G1/L1+c/+CG1[E] w   15 l2/1ce/L2/3[CEGg] w      17 +cl1/GeG/Le1/+C2[-] w    17 l2/cG1/L1+c/3[EEg] w
19 l1e/+cGG/1Le/+C2[-] w    19 3/clg/3/+CLE[EG] w       21 3/el1/Ge1/L1+C[Gc] w     21 C2/el1/Gg1/L+C1[E] w
23 l2/eg1/+C2/L1+C[EG] w    23 l2/cGe/LGe/3[C] w        25 1l1/ee1/1C1/L1+C[GG] w   25 1l1/e2/3/L1+C[CEGG] w
25 1l1/eg1/1C1/L1+C[EG] w
"""
NOT_BY_CHECKS = (
    "l1G/3/LE1/gcc[E] w", "2l/g2/LEG/+c1C[E] w", "CG1/2g/E1l/LC1[E] w", "+C1l/L2/1ee/+CGG[-] w",
    "Cl1/1EC/g2/L2[Ge] w", "1gE/Lgl/e1c/2+C[-] w", "l1g/3/EL+c/+CG1[E] w", "l2/1Cc/eGE/LG1[-] w",
    "l1e/2C/1gG/EL1[c] w", "1gl/1g1/E+cE/L+C1[-] w",
)  # fmt: skip
"""Won, but not by checks alone."""
DOBUTSU = games.dobutsu()


def problems(text: str) -> list[tuple[int, str]]:
    words = text.split()
    return [(int(plies), f"{board} {turn}") for plies, board, turn in zip(words[::3], words[1::3], words[2::3])]


def turned(text: str) -> str:
    """The same position with the colours exchanged."""
    board, hands = text[:-2].rstrip("]").split("[")
    return f"{'/'.join(reversed(board.split('/')))}[{hands}] b".swapcase().replace(" B", " b")


@cache
def small(repetition: str) -> Game:
    return random_game(size=9 if repetition == "none" else 7, moves=3, spread=1, repetition=repetition)


def agrees(position: Position, subgame: str = "force", **how: Any) -> Mate:
    """Won if and only if the enumeration of all ways says so, as soon, and by a line of forcing moves."""
    found, plies = mate(position, subgame, **how), oracles.forced(position, subgame)
    assert found.won == (plies < math.inf)
    assert found.plies == (plies if found.won else None)
    assert found.stopped is None
    if found.won:
        attacker, texts = position.turn, found.line
        assert len(texts) == plies
        assert texts[0] in found.best
        for text in texts:
            position = position.play(text)
        assert position.result == position.game.values[1 - attacker]
    return found


@pytest.mark.parametrize("repetition", RULES)
@settings(max_examples=20)
@given(seed=SEEDS, subgame=SUBGAMES)
@example(seed=18433, subgame="force")  # a position that comes too late on one path closes a loop on another
def test_random_games(repetition: str, seed: int, subgame: str) -> None:
    position = seeded(small(repetition), seed)
    if position.result is None:
        found = agrees(position, subgame, mode="interpreted")
        assert not found.won or oracles.value(position) == (1 if position.turn == 0 else -1)
        assert agrees(position, subgame, mode="interpreted", memory=TINY).plies == found.plies


@pytest.mark.slow
@settings(max_examples=40)
@given(seed=SEEDS, subgame=SUBGAMES)
def test_compiled(seed: int, subgame: str) -> None:
    position = seeded(small("draw"), seed)
    if position.result is None:
        both = [agrees(position, subgame, mode=mode) for mode in ("interpreted", "compiled")]
        assert (both[0].nodes, both[0].extra_nodes) == (both[1].nodes, both[1].extra_nodes)


@settings(max_examples=60)
@given(
    seed=SEEDS, choices=st.lists(st.integers(0, 2), max_size=4), repetition=st.sampled_from(RULES[1:]), subgame=SUBGAMES
)
def test_what_was_played_before_counts(seed: int, choices: list[int], repetition: str, subgame: str) -> None:
    position = seeded(small(repetition), seed)
    for choice in choices:
        if position.result is not None:
            return
        agrees(position, subgame, mode="interpreted")
        position = position.play(position.codes[choice % len(position.codes)])


@settings(max_examples=40)
@given(seed=SEEDS, nodes=st.integers(1, 20), subgame=SUBGAMES)
def test_limits(seed: int, nodes: int, subgame: str) -> None:
    position = seeded(small("draw"), seed)
    if position.result is None:
        found = mate(position, subgame, limits=Limits(nodes=nodes), mode="interpreted")
        assert found.nodes + found.extra_nodes <= nodes + 1
        assert not found.won or oracles.forced(position, "force") < math.inf


@pytest.mark.parametrize(("plies", "text"), problems(MATES))
def test_mates(plies: int, text: str) -> None:
    found = mate(DOBUTSU.position(text), mode="compiled")
    assert (found.status, found.plies, len(found.line)) == ("won", plies, plies)
    other = mate(DOBUTSU.position(turned(text)), mode="compiled")
    assert (other.plies, other.position.turn) == (plies, 1)


@pytest.mark.slow
@pytest.mark.parametrize(("plies", "text"), problems(LONGER))
def test_more_mates(plies: int, text: str) -> None:
    assert mate(DOBUTSU.position(text), mode="compiled").plies == plies


@pytest.mark.parametrize("text", NOT_BY_CHECKS)
def test_what_is_not_won_by_checks_is_unknown(text: str) -> None:
    found = mate(DOBUTSU.position(text), mode="compiled")
    assert (found.status, found.plies, found.line, found.stopped) == ("unknown", None, [], None)


def random_position(seed: int, plies: int) -> Position:
    chance, position = random.Random(seed), DOBUTSU.position()
    while plies > 0 and position.result is None:
        last, position = position, position.play(chance.choice(position.codes))
        plies -= 1
    return position if position.result is None else last


@pytest.mark.parametrize("seeds", [range(30), pytest.param(range(60, 1060), marks=pytest.mark.slow)])
def test_dobutsu_by_all_replies(seeds: range) -> None:
    """Positions of random games; all replies are tried here, not only those that `defend` lists: one that is left out
    may lead back to a position in which the win was missed, and that is a draw."""
    won = 0
    for seed in seeds:
        position = random_position(seed, 4 + seed % 12)
        plies = oracles.forced(position, "mate", plies=5)
        found = mate(position, mode="compiled")
        won += found.won
        if plies <= 5:
            assert found.plies == plies
        else:
            assert found.plies is None or found.plies > 5
    assert won > len(seeds) // 10


@pytest.mark.parametrize("text", [turned("l1g/1eC/GLe/2c[-] w"), *slow("l1g/1eC/GLe/2c[-] w")])
def test_a_certificate_holds_in_the_whole_game(text: str, tmp_path: Path) -> None:
    position = DOBUTSU.position(text)
    certificate = prove_mate(position, mode="interpreted")
    certificate.save(tmp_path / "proof")
    verdict = verify(DOBUTSU, Certificate.load(tmp_path / "proof"))
    assert verdict.holds
    assert certificate.claim.endswith("at least 1" if position.turn == 0 else "at most -1")


@pytest.mark.slow
@settings(max_examples=40)
@given(seed=SEEDS, repetition=st.sampled_from(RULES), subgame=SUBGAMES)
def test_certificates_of_random_games(seed: int, repetition: str, subgame: str) -> None:
    position = seeded(small(repetition), seed)
    if position.result is None and oracles.forced(position, "force") < math.inf and repetition in ("none", "draw"):
        assert verify(position.game, prove_mate(position, subgame, mode="interpreted")).holds


def ladder(rungs: int = 5) -> Game:
    """One runs, the other follows; the sub-game is to come up with it, which is not the end of the game."""
    State = struct(runner=i8, hunter=i8, turn=i8)

    @rule
    def moves(s, out):
        out[0], out[1] = 1, 2
        return 2

    @rule
    def play(s, move):
        if s.turn == 0:
            s.hunter += move
        else:
            s.runner += min(move, 1)
        s.turn = 1 - s.turn

    @rule
    def result(s):
        return 0 if s.hunter + s.runner > 4 * rungs else ONGOING

    @rule
    def attack(s, out):
        out[0] = 2
        return 1

    @rule
    def goal(s):
        return 1 if s.hunter >= s.runner else ONGOING

    return Game(
        name="ladder", State=State, start=State(runner=4), moves=moves, play=play, result=result, max_moves=2,
        max_plies=8 * rungs, alternating=True, subgames={"catch": Subgame(attack=attack, goal=goal)},
    )  # fmt: skip


@pytest.mark.parametrize("mode", ["interpreted", *slow("compiled")])
def test_a_goal_of_its_own(mode: str) -> None:
    found = mate(ladder(), mode=mode)
    assert (found.plies, found.line) == (5, ["2", "1", "2", "1", "2"])
    with pytest.raises(Unsuitable, match="the sub-game catch has a goal of its own, and to reach that is not to win"):
        prove_mate(ladder())


def test_bad_questions() -> None:
    with pytest.raises(Unsuitable, match="^pig declares no sub-games"):
        mate(games.pig())
    with pytest.raises(UnknownName, match=r"dobutsu has no sub-game called mats: did you mean mate\?"):
        mate(DOBUTSU, "mats")
    with pytest.raises(MoveError, match=r"nothing to win in '1L1/3/3/3\[-\] b': the game is over"):
        mate(DOBUTSU.position("1L1/3/3/3[-] b"))
