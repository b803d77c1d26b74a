"""What Zermelo does, in about a minute: games solved from their rules, proofs that are checked, and dice."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ZERMELO = Path(sys.executable).with_name("zermelo")

GRAPH = """{"root": "A", "repetition": "draw",
 "nodes": {"A": {"turn": "max", "moves": ["B", "C"]}, "B": {"turn": "min", "moves": ["D", "E"]},
           "C": {"turn": "min", "moves": ["F"]}, "D": {"turn": "max", "moves": ["G", "H"]},
           "F": {"turn": "max", "moves": ["J"]}, "G": {"turn": "min", "moves": ["I"]},
           "I": {"turn": "max", "moves": ["J"]}, "J": {"turn": "min", "moves": ["D"]},
           "E": {"value": -1}, "H": {"value": 1}}}
"""


def show(title: str, *arguments: str) -> None:
    print(f"\n\033[1m{title}\033[0m" if sys.stdout.isatty() else f"\n{title}")
    print(f"$ zermelo {' '.join(arguments)}\n", flush=True)
    finished = subprocess.run([ZERMELO, *arguments])
    if finished.returncode:
        sys.exit(finished.returncode)


def main() -> None:
    show("Tic-tac-toe: who wins, and by which moves?", "solve", "tic-tac-toe")
    show("Connect Four, 6 wide and 5 high", "solve", "connect-four", "--set", "width=6", "--set", "height=5")
    show("Othello on 4×6: every best move, exactly", "solve", "othello", "--set", "rows=4", "--set", "cols=6")
    show("Another position of the same game: its code is kept, so the answer is there at once",
         "solve", "tic-tac-toe", "--position", "b2 a1")  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        proof = str(Path(folder) / "draw.proof")
        show("A proof that the first player does not lose, as a file",
             "prove", "tic-tac-toe", "--at-least", "0", "--out", proof, "--mode", "interpreted")  # fmt: skip
        show("Anybody can check it, from the rules alone", "verify", proof, "--mode", "interpreted")
        file = Path(folder) / "graph.json"
        file.write_text(GRAPH)
        show("A graph in which play can go round in circles", "solve", str(file))
    show("Dice: EinStein würfelt nicht on 3×3, as an exact fraction",
         "solve", "einstein", "--set", "size=3", "--set", "stones=3")  # fmt: skip
    show("A strong move on the full board within a second",
         "search", "connect-four", "--position", "44444", "--seconds", "1")  # fmt: skip
    print("\nMore: zermelo games, zermelo play connect-four, and docs/write-a-game.md for a game of your own.")


if __name__ == "__main__":
    main()
