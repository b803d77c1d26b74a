"""Tsume shogi beside cshogi's DfPn, problem by problem in one run, one core: is it a mate, and what did that take?

cshogi counts how often its search goes into a position, and looks three plies ahead without counting; here every
position that is looked at is a node, so `entered` is what can be compared with its count. `--full` adds what takes
long, and `data/mates.sfen`: mates that cshogi found at the end of random games, 50 of 300 to 60,000 positions and 24 of
25,000 to 500,000.
"""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path
from typing import Any

import cshogi

from common import table
from zermelo import games
from zermelo.compile.watch import Limits
from zermelo.core.request import Request
from zermelo.core.truth import UNKNOWN
from zermelo.pn.forcing import forcing_method, target_of
from zermelo.rules import Position

SHOGI = games.shogi()
SECONDS = 300.0
MOST_NODES = 10_000_000
MATES, SMALL = Path(__file__).parent / "data" / "mates.sfen", 50
PROBLEMS = (
    "7nl/7k1/6p2/6S1p/9/9/9/9/9 b GS2r2b3g2s3n3l16p 1",
    "5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1",
    "9/6Spk/9/5R1+B1/9/9/9/9/9 b Nrb4g3s3n4l17p 1",
    "3Bp2n1/5+R2+B/p2p1GSp1/8p/Pn5l1/1n2SNP2/2pPPS1Pk/1P1SK1G2/L1G1G4 b RL3Pl3p 131",
    "6Snl/8k/9/8s/8s/9/9/9/9 b RGSr2b3g3n3l18p 1",
    "7nl/6s2/5N2k/6G2/9/9/9/9/9 b 2RG2b2g3s2n3l18p 1",
    "4k4/9/PPPPPPPPP/9/9/9/9/9/9 b B4L2rb4g4s4n9p 1",
    "6lnk/6+Rbl/2n4pp/7s1/1p2P2NP/p1P2PPP1/1P4GS1/6GK1/LNr5L b B2G2S6Pp 1",
    "lng3+R2/2kgs4/ppp6/1B1pp4/7B1/2P2pLp1/PP1PP3P/1S1K2p2/LN5GL b RG2SP2n3p 1",
)
LONG = (
    "8k/9/9/9/9/9/9/9/9 b R2GSr2b2g3s4n4l18p 1",
    "l7l/2+Rbk4/3rp4/2p3pPs/p2P1p2p/2P1G4/P1N1PPN2/2GK2G2/L7L b B2S6Pgs2n 1",
    "l2g5/2s3g2/3k1p2p/P2pp2P1/1pP4s1/p1+B6/NP1P+nPS1P/K1G4+p1/L6NL b RBGNLPrs3p 1",
    "l4g2l/7k1/p1+Pp3pp/5ss1P/3Pp1gP1/P3SL3/N2GPK3/1+rP6/+p6RL w BG2N2Pbsn3p 1",
)


def ours(position: Position) -> list[object]:
    """Verdict, positions gone into, nodes, CPU seconds, millions of nodes a second."""
    method = forcing_method("mate", position.turn, may_repeat=False)
    with Request(method, method.options, memory="1GB", mode="compiled").open(SHOGI) as session:
        engine = session.engine(False)
        watch = engine.watched(Limits(seconds=SECONDS), None)
        target = target_of(position.turn, engine.above(engine.low), engine.high)
        before = time.process_time()
        found = watch.run(lambda: engine.search(position, engine.deepest(position), target))
        spent = time.process_time() - before
        verdict = "mate" if found != UNKNOWN and not watch.stopped else "open" if watch.stopped else "none"
        entered = sum(workspace.count("entered") for workspace in engine.workspaces)
        return [verdict, entered, watch.nodes, spent, watch.nodes / spent / 1e6]


def theirs(position: Position) -> list[object]:
    """Verdict, nodes, CPU seconds, millions of nodes a second."""
    solver, board = cshogi.DfPn(), cshogi.Board(sfen=position.text())
    solver.set_max_depth(127)
    solver.set_max_search_node(MOST_NODES)
    before = time.process_time()
    found = solver.search(board)
    spent = time.process_time() - before
    return ["mate" if found else "open", solver.searched_node, spent, solver.searched_node / max(spent, 1e-9) / 1e6]


def beside(sfen: str) -> list[object]:
    position = SHOGI.position(sfen)
    return [f"`{sfen}`", *ours(position), *theirs(position)]


def ratios(name: str, rows: list[list[Any]]) -> list[object]:
    """How ours compares on many problems: as geometric means, of sums, and on how many it is no more."""
    found: list[object] = [name]
    for mine, other in ((2, 7), (4, 8)):
        each = [row[mine] / row[other] for row in rows]
        found.append(math.exp(sum(map(math.log, each)) / len(each)))
        found.append(sum(row[mine] for row in rows) / sum(row[other] for row in rows))
        found.append(f"{sum(one <= 1 for one in each)} of {len(each)}")
    return found


def main() -> None:
    full = "--full" in sys.argv[1:]
    beside(PROBLEMS[0])  # nobody pays for beginning
    rows = [beside(sfen) for sfen in PROBLEMS + (LONG if full else ())]
    head = ("problem", "verdict", "entered", "nodes", "CPU s", "M nodes/s", "cshogi", "nodes", "CPU s", "M nodes/s")
    table("Tsume shogi: df-pn beside cshogi's DfPn", head, rows)
    sets = [ratios("the problems above", rows)]
    if full:
        random_mates = MATES.read_text().splitlines()
        sets.append(ratios("small mates of random games", [beside(sfen) for sfen in random_mates[:SMALL]]))
        sets.append(ratios("large ones", [beside(sfen) for sfen in random_mates[SMALL:]]))
    head = ("ours / cshogi's", "entered", "in sum", "no more on", "CPU s", "in sum", "no more on")
    table("Tsume shogi: ratios", head, sets)


if __name__ == "__main__":
    main()
