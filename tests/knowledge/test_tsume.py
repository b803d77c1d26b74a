"""Tsume shogi: known problems with their lengths, and random positions against cshogi's solver."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from marks import slow
from zermelo import games
from zermelo.certificates.certificate import GRAPH, Certificate
from zermelo.certificates.checker import verify
from zermelo.compile.watch import Limits
from zermelo.knowledge.mate import mate, prove_mate
from zermelo.rules import Game, Position, PositionError

SHOGI, MINI = games.shogi(), games.minishogi()

# Lengths are those of the rules: every interposition counts, futile ones too.
SHORT = {
    "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1": 3,
    "3sks3/9/4+P4/9/9/+B8/9/9/9 b S2rb4gs4n4l17p 1": 3,
    "ln1g3k1/5G2l/1+LspSp2p/2p1S2p1/2r3p2/p3P4/1P+BP1P+b1P/2GS5/L2K1G3 b NPr2n5p 79": 3,
    "lns+R4l/1p1p5/p1pkppB1p/6p2/1R7/6P1P/P1PPnPS2/2+b1G1g2/L3K1sNL b 2GS3Pnp 51": 3,
    "7nl/7k1/6p2/6S1p/9/9/9/9/9 b GS2r2b3g2s3n3l16p 1": 5,
    "5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1": 5,
    "9/6Spk/9/5R1+B1/9/9/9/9/9 b Nrb4g3s3n4l17p 1": 7,
    "3Bp2n1/5+R2+B/p2p1GSp1/8p/Pn5l1/1n2SNP2/2pPPS1Pk/1P1SK1G2/L1G1G4 b RL3Pl3p 131": 7,
    "6Snl/8k/9/8s/8s/9/9/9/9 b RGSr2b3g3n3l18p 1": 9,
}
LONGER = {
    "7nl/6s2/5N2k/6G2/9/9/9/9/9 b 2RG2b2g3s2n3l18p 1": 11,
    "4k4/9/PPPPPPPPP/9/9/9/9/9/9 b B4L2rb4g4s4n9p 1": 11,
}
LONG = (
    "8k/9/9/9/9/9/9/9/9 b R2GSr2b2g3s4n4l18p 1",
    "6lnk/6+Rbl/2n4pp/7s1/1p2P2NP/p1P2PPP1/1P4GS1/6GK1/LNr5L b B2G2S6Pp 1",
    "l7l/2+Rbk4/3rp4/2p3pPs/p2P1p2p/2P1G4/P1N1PPN2/2GK2G2/L7L b B2S6Pgs2n 1",
    "lng3+R2/2kgs4/ppp6/1B1pp4/7B1/2P2pLp1/PP1PP3P/1S1K2p2/LN5GL b RG2SP2n3p 1",
    "l4g2l/7k1/p1+Pp3pp/5ss1P/3Pp1gP1/P3SL3/N2GPK3/1+rP6/+p6RL w BG2N2Pbsn3p 1",
)
"""Mates of more than nine plies, some of them of many more."""


@pytest.mark.parametrize(("sfen", "plies"), [*SHORT.items(), *slow(*LONGER.items())])
def test_problems_have_their_lengths(sfen: str, plies: int) -> None:
    found = mate(SHOGI.position(sfen), mode="compiled")
    assert (found.status, found.plies, len(found.line)) == ("won", plies, plies)
    position = SHOGI.position(sfen)
    for ply, move in enumerate(found.line):
        position = position.play(move)
        assert ply % 2 == 1 or SHOGI.checked(position.state)
    assert position.result == 1


@pytest.mark.slow
@pytest.mark.parametrize("sfen", LONG)
def test_long_mates_are_found(sfen: str) -> None:
    assert mate(SHOGI.position(sfen), mode="compiled", limits=Limits(nodes=8_000_000)).won


@pytest.mark.parametrize(
    ("game", "sfen", "mode"),
    [
        (SHOGI, list(SHORT)[2], "interpreted"),
        *slow((MINI, "k4/4R/5/5/4K b G 1", "interpreted")),
        *slow((SHOGI, "6Snl/8k/9/8s/8s/9/9/9/9 b RGSr2b3g3n3l18p 1", "compiled")),
    ],
)
def test_a_proof_is_checked_by_the_rules_alone(game: Game, sfen: str, mode: str, tmp_path: Path) -> None:
    prove_mate(game.position(sfen), mode=mode).save(tmp_path / "mate.proof")
    proof = Certificate.load(tmp_path / "mate.proof")
    assert proof.claim == "the first player scores at least 1"
    assert {part.form for part in proof.proofs} == {GRAPH}  # no position comes back, so no path has to be followed
    assert verify(game, proof, mode=mode).holds


def test_short_mates_interpreted() -> None:
    found = mate(MINI.position("4k/5/3GP/5/K4 b - 1"), mode="interpreted")
    assert (found.plies, found.best) == (1, ["2c1b"])
    assert mate(MINI.position("4k/5/5/3GP/K4 b - 1"), mode="interpreted").status == "unknown"
    turned = mate(MINI.position("4k/5/pg3/5/K4 w - 1"), mode="interpreted")
    assert (turned.plies, turned.best) == (1, ["4c5d"])


def test_a_pawn_that_would_mate_when_dropped_does_not() -> None:
    assert mate(SHOGI.position("6snk/6g2/7G1/9/9/9/9/9/4K4 b P 1"), mode="interpreted").plies is None


def test_who_gives_check_must_not_repeat() -> None:
    start = MINI.position("k4/2P2/1R3/5/4K b - 1")
    found = mate(start, limits=Limits(nodes=2000), mode="interpreted")
    assert found.status == "unknown"
    assert found.stopped is None  # all checks were tried


def near_mates(rng: random.Random) -> Position:
    """A king with some pieces beside it, and an attacker with some near it and in hand."""
    while True:
        squares = [(file, rank) for file in range(9) for rank in range(4)]
        board = dict(zip(rng.sample(squares, 7), ["k", *rng.choices("PLNSGBR+P", k=3), *rng.choices("psgln", k=3)]))
        rows = []
        for rank in range(9):
            row = "".join(board.get((file, rank), "1") for file in range(9)).replace("+P", "T")
            rows.append(row.replace("T", "+P"))
        hand = "".join(sorted(rng.sample("RBGGSSNLP", 3)))
        sfen = "/".join(rows)
        try:
            return SHOGI.position(f"{sfen} b {hand}2g2s2n2l9p 1")
        except PositionError:
            continue


@pytest.mark.parametrize("seed", [1, *slow(*range(2, 30))])
def test_random_problems_are_solved_as_cshogi_does(seed: int) -> None:
    cshogi = pytest.importorskip("cshogi", reason="cshogi is one of the packages of the extra test")
    rng = random.Random(seed)
    solver = cshogi.DfPn()
    solver.set_max_depth(31)
    solver.set_max_search_node(100_000)
    agreed = looked = 0
    while looked < 10 or not agreed:
        looked += 1
        position = near_mates(rng)
        board = cshogi.Board(sfen=position.text())
        if not list(board.legal_moves) or board.is_check():
            continue
        theirs = solver.search(board)
        ours = mate(position, limits=Limits(nodes=2_000_000), mode="compiled")  # six are looked at for one gone into
        if theirs:
            assert ours.won, position.text()
        elif ours.won and ours.plies is not None and ours.plies < 20:
            assert solver.searched_node >= 100_000, position.text()
        agreed += ours.won
