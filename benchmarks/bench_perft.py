"""How fast the rules of the big games are: perft, counted in bulk, beside programs and packages that others wrote.

Every row is a position of a game to a depth; every column somebody who counts it. All take turns, CPU seconds are
counted (of engines, those of their process), and a count that differs is an error. Programs that are not there are
left out. To add a game, add its positions to `GAMES`, with a counter for each of its peers.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from common import table
from zermelo import games
from zermelo.core.perft import perft

ROUNDS = 3
Counter = Callable[[str, int], int]
"""Given a position and a depth, how many paths there are."""
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
CHESS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


class Peer(NamedTuple):
    """Who counts, and how many plies less deep because it is slow."""

    count: Counter
    less: int = 0


class Board(NamedTuple):
    """A game: positions by name, each with a depth and its count there, deepest first, and who else counts."""

    positions: Mapping[str, tuple[str, int]]
    peers: Callable[[], Mapping[str, Peer]]


def ours(game: str) -> Counter:
    made = games.load(game)
    return lambda fen, depth: perft(made.position(fen), depth, bulk=True).paths


def engine(program: str, variant: str = "") -> dict[str, Peer]:
    """A program that speaks UCI and counts by `go perft`, if it is installed."""
    found = shutil.which(program) or shutil.which(program, path="/usr/games")
    if found is None:
        return {}

    def count(fen: str, depth: int) -> int:
        name = [f"setoption name UCI_Variant value {variant}"] if variant else []
        commands = "\n".join(["uci", *name, f"position fen {fen}", f"go perft {depth}", "quit", ""])
        told = subprocess.run([found], input=commands, capture_output=True, text=True, check=True).stdout
        line = next(line for line in told.splitlines() if line.startswith("Nodes searched"))
        return int(line.split(":")[1])

    return {program: Peer(count)}


def python_chess() -> dict[str, Peer]:
    try:
        import chess
    except ImportError:
        return {}

    def count(board: Any, depth: int) -> int:
        if depth == 1:
            return int(board.legal_moves.count())
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += count(board, depth - 1)
            board.pop()
        return total

    return {"python-chess": Peer(lambda fen, depth: count(chess.Board(fen), depth), 2)}


def openspiel(name: str) -> dict[str, Peer]:
    try:
        import pyspiel
    except ImportError:
        return {}

    def count(state: Any, depth: int) -> int:
        if depth == 1:
            return len(state.legal_actions())
        return sum(count(state.child(action), depth - 1) for action in state.legal_actions() if not state.is_terminal())

    return {"OpenSpiel": Peer(lambda fen, depth: count(pyspiel.load_game(name).new_initial_state(fen), depth), 2)}


GAMES: dict[str, Board] = {
    "chess": Board(
        {"start": (CHESS, 6), "Kiwipete": (KIWIPETE, 5)},
        lambda: engine("stockfish") | engine("fairy-stockfish") | openspiel("chess") | python_chess(),
    ),
}


def rate(counter: Counter, fen: str, depth: int) -> tuple[float, int]:
    """Paths a second of processor time, this process' and its children's, and how many there were."""
    began = _spent()
    paths = counter(fen, depth)
    return paths / max(_spent() - began, 1e-6), paths


def _spent() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def main() -> None:
    for game, board in GAMES.items():
        counters = {"zermelo": Peer(ours(game)), **board.peers()}
        rows = []
        for name, (fen, depth) in board.positions.items():
            best = dict.fromkeys(counters, 0.0)
            totals: dict[int, set[int]] = {}
            for _ in range(ROUNDS):
                for who, peer in counters.items():
                    speed, paths = rate(peer.count, fen, depth - peer.less)
                    totals.setdefault(depth - peer.less, set()).add(paths)
                    best[who] = max(best[who], speed)
            for less in {peer.less for peer in counters.values()}:
                totals[depth - less].add(counters["zermelo"].count(fen, depth - less))
            assert all(len(found) == 1 for found in totals.values()), totals
            for who, speed in best.items():
                rows.append([name, who, depth - counters[who].less, speed / 1e6, best["zermelo"] / speed])
        head = ["position", "who", "depth", "million/s", "zermelo is × faster"]
        table(f"Perft of {game}, counted in bulk", head, rows)


if __name__ == "__main__":
    main()
