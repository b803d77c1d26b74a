"""What each selective part of a search saves: nodes to a depth, on middle-game positions of four games.

    python benchmarks/bench_quiet.py

Whether it also plays better is for `zermelo match` to tell: see docs/quiet.md.
"""

from __future__ import annotations

import zermelo as z
from zermelo.compile.watch import Limits

POSITIONS = {
    "chess": (7, [
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3",
        "r2q1rk1/pp2bppp/2n1bn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 0 10",
        "8/5pk1/4p1p1/3pP2p/1r1P3P/5PP1/R4K2/8 w - - 0 40",
    ]),
    "breakthrough": (7, ["b2b3 b7b6 c2c3 g7g6 g2g3 f7f6", "d2d3 e7e6 d3d4 e6e5 a2a3 h7h6 a3b4 h6g5"]),
    "dobutsu": (10, ["", "b2b3 b4b3 c1c2 b3b4"]),
    "xiangqi": (6, ["h2e2 h9g7 h0g2 i9h9", "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 h0h6 c6c5 h6g6 b7b3"]),
}  # fmt: skip
MARGIN = {"chess": 0.01, "breakthrough": 0.15, "dobutsu": 0.2, "xiangqi": 0.01}
ALL = "quiet=on, null=on, reductions=on, extensions=on"


def engines(name: str) -> dict[str, str]:
    without = {option: ALL.replace(f"{option}=on", f"{option}=off") for option in ("null", "reductions", "extensions")}
    return {
        "all": f"alphabeta({ALL})",
        **{f"all but {option}": f"alphabeta({settings})" for option, settings in without.items()},
        "all and futility": f"alphabeta({ALL}, futility={MARGIN[name]})",
        "all and checks": f"alphabeta({ALL}, checks=on)",
        "quiet alone": "alphabeta(quiet=on, null=off, reductions=off, extensions=off)",
        "none": "alphabeta(quiet=off, null=off, reductions=off, extensions=off)",
    }


def nodes(text: str, game: z.Game, depth: int, positions: list[str]) -> int:
    with z.request(text, game, "search", mode="compiled", memory="64MB").open(game) as session:
        answers = [session.search(game.position(p), Limits(depth=depth), value_only=True) for p in positions]
    return sum(answer.nodes for answer in answers)


def main() -> None:
    for name, (depth, positions) in POSITIONS.items():
        game = z.games.load(name)
        for label, text in engines(name).items():
            print(f"{name:13} depth {depth:2}  {label:20} {nodes(text, game, depth, positions):12,} nodes", flush=True)


if __name__ == "__main__":
    main()
