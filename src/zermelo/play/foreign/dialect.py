"""UCI and its relatives, USI for shogi and UCCI for xiangqi: one protocol, and where its words differ.

UCI: Meyer-Kahlen and Huber, "Description of the universal chess interface" (2006). USI: Romstad, "The Universal Shogi
Interface, draft 5" (2007). UCCI: Huang and others, "The universal Chinese chess protocol, version 3" (2006).
Who begins is white in UCI and black in USI; UCCI says whose time it is by who is to move.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Dialect:
    """What is said, in a family where all say nearly the same. clocks and increments: the words for the first and the
    second player's times. named: options are told by `name` and `value`. cp: the word before a score in centipawns.
    mate_plies: mates are counted in plies, not in moves. millis: the option that makes times milliseconds, if they are
    seconds without it. farewell: what the engine says last."""

    name: str
    ok: str
    new_game: str
    clocks: tuple[str, str] = ("wtime", "btime")
    increments: tuple[str, str] = ("winc", "binc")
    fen: str = "fen"
    named: bool = True
    cp: str = "cp "
    mate_plies: bool = False
    millis: str | None = None
    none: str = "bestmove (none)"
    farewell: str | None = None

    def option(self, name: str, value: str | None) -> str:
        """The command that sets an option."""
        if self.named:
            return f"setoption name {name}" + ("" if value is None else f" value {value}")
        return f"setoption {name}" + ("" if value is None else f" {value}")


UCI = Dialect("uci", "uciok", "ucinewgame")
USI = Dialect(
    "usi", "usiok", "usinewgame", ("btime", "wtime"), ("binc", "winc"), fen="sfen", mate_plies=True,
    none="bestmove resign",
)  # fmt: skip
UCCI = Dialect(
    "ucci", "ucciok", "setoption newgame", ("time", "opptime"), ("increment", "oppincrement"), named=False, cp="",
    millis="usemillisec", none="nobestmove", farewell="bye",
)  # fmt: skip
DIALECTS = {dialect.name: dialect for dialect in (UCI, USI, UCCI)}
